//! The compiler's target for a Vulkan device. It follows from the device's features, from what is known of the driver
//! (vk/quirks.rs) or probed (measure/probe.rs), and from CALDERA_TARGET.

use crate::compiler::target::Target;
use crate::config;
use crate::runtime::gpu::facts::device_memory;
use crate::runtime::gpu::nvidia;
use crate::vk::caps::Caps;
use crate::vk::quirks::{self, UNMEASURED};

/// The target of a Vulkan device before probes. `Err` lists what the device lacks, or says what its driver does wrong.
pub fn accept(caps: &Caps) -> Result<Target, String> {
    if let Some(why) = quirks::refusal(caps.driver_id, &caps.driver_info) {
        return Err(why.into());
    }
    let target = with_words(caps, &known(caps));
    let missing = caps.missing();
    match missing.is_empty() {
        true => Ok(target),
        false => Err(format!("it lacks {}", missing.join(", "))),
    }
}

/// What an accepted device lacks of what Caldera otherwise uses, by Vulkan's names, and what takes its place (docs/devices.md).
pub fn emulated(caps: &Caps, target: &Target) -> Vec<(&'static str, &'static str)> {
    // Storage buffers are accessed by words in any case.
    let by_words = target.storage_buffers > 0;
    let table = [
        (target.int8, "shaderInt8", "8-bit arithmetic in words"),
        (target.int16, "shaderInt16", "16-bit arithmetic in words"),
        (
            target.int64,
            "shaderInt64",
            "long, size_t and addresses as pairs of words",
        ),
        (
            target.storage8 || by_words && caps.storage8,
            "storageBuffer8BitAccess",
            "bytes as parts of words, stored by atomics",
        ),
        (
            target.storage16 || by_words && caps.storage16,
            "storageBuffer16BitAccess",
            "16 bits as parts of words, stored by atomics",
        ),
        (
            caps.device_address,
            "bufferDeviceAddress",
            "memory as an array of storage buffers",
        ),
        (
            caps.device_address || caps.dynamic_storage_buffers,
            "shaderStorageBufferArrayDynamicIndexing",
            "a branch for each storage buffer",
        ),
        (
            caps.timeline_semaphore,
            "timelineSemaphore",
            "a fence for each submission, and one Vulkan queue",
        ),
    ];
    let lacking = table.into_iter().filter(|row| !row.0);
    lacking.map(|row| (row.1, row.2)).collect()
}

/// Changes a target as CALDERA_TARGET says. `Err` says what is wrong with that text.
pub fn change(target: &mut Target) -> Result<(), String> {
    let Some(text) = &config::get().target else {
        return Ok(());
    };
    let changed = target.apply(text);
    changed.map_err(|error| format!("CALDERA_TARGET: {error}"))
}

/// What is known of the device's driver, in words of [`Target`].
fn known(caps: &Caps) -> String {
    let assumed = (!quirks::is_measured(caps)).then_some(UNMEASURED);
    let quirks = quirks::of_device(caps).map(|quirk| quirk.words);
    let words: Vec<&str> = assumed.into_iter().chain(quirks).collect();
    words.join(" ")
}

/// The compute capability since which NVIDIA promises that work-items which wait for each other go on.
const VOLTA: (u32, u32) = (7, 0);

/// The device's target with the words that probes have found.
pub fn with_found(caps: &Caps, found: &str) -> Target {
    with_words(caps, &format!("{} {found}", known(caps)))
}

/// A target with words about the driver and those of CALDERA_TARGET. Words that need a feature which the device lacks have
/// no effect.
fn with_words(caps: &Caps, words: &str) -> Target {
    let mut target = by_features(caps);
    if let Err(error) = target.apply(words) {
        tracing::error!("{words}: {error}");
    }
    let capability = nvidia::compute_capability(caps.vendor_id, caps.device_id);
    target.forward_progress &= capability.is_some_and(|version| version >= VOLTA);
    target.seq_cst &= target.vulkan_memory_model && target.device_scope;
    if let Err(error) = change(&mut target) {
        tracing::warn!("{error}");
    }
    target.check = config::get().check.is_some();
    target.texel_buffers &= caps.texel_buffers;
    target.storage_buffers = caps.storage_buffers;
    target.dynamic_storage_buffers &= caps.dynamic_storage_buffers;
    target.nonuniform_storage_buffers &= caps.nonuniform_storage_buffers;
    target
}

/// The target as the device's features give it.
fn by_features(caps: &Caps) -> Target {
    let version = match (caps.version >> 12) & 0x3ff {
        0 => 0x10000,
        1 => 0x10300,
        2 => 0x10500,
        _ => 0x10600,
    };
    Target {
        int8: caps.int8,
        int16: caps.int16,
        int64: caps.int64,
        float16: caps.float16,
        float64: caps.float64,
        storage8: caps.storage8,
        storage16: caps.storage16,
        vulkan_memory_model: caps.vulkan_memory_model,
        device_scope: caps.device_scope,
        explicit_layout: caps.explicit_layout,
        explicit_layout8: caps.explicit_layout8,
        explicit_layout16: caps.explicit_layout16,
        storage_buffers: caps.storage_buffers,
        dynamic_storage_buffers: caps.dynamic_storage_buffers,
        nonuniform_storage_buffers: caps.nonuniform_storage_buffers,
        int64_atomics: caps.int64_atomics,
        int64_local_atomics: caps.int64_local_atomics,
        float32_atomic_add: caps.float32_atomic_add,
        float32_local_atomic_add: caps.float32_local_atomic_add,
        denorm_preserve16: caps.denorm_preserve[0],
        denorm_preserve32: caps.denorm_preserve[1],
        denorm_preserve64: caps.denorm_preserve[2],
        nan_preserve16: caps.nan_preserve[0],
        nan_preserve32: caps.nan_preserve[1],
        nan_preserve64: caps.nan_preserve[2],
        rte16: caps.rte[0],
        rte32: caps.rte[1],
        rte64: caps.rte[2],
        subgroups: caps.subgroups,
        nvidia_names: caps.vendor_id == nvidia::VENDOR,
        subgroup_clustered: caps.subgroup_clustered,
        subgroup_clock: caps.subgroup_clock,
        device_clock: caps.device_clock,
        ordered_atomics: caps.vulkan_memory_model && caps.device_scope,
        texel_buffers: caps.texel_buffers,
        dot_product: caps.dot_product,
        uniform_control_flow: caps.uniform_control_flow,
        non_semantic: caps.non_semantic,
        spirv_version: version,
        max_push_constants: caps.max_push_constants.min(256),
        // Kernels do not read them as a uniform buffer, but drivers' compilers take what fits one.
        max_parameter_size: caps.max_uniform_range.clamp(16384, 32768),
        max_local_memory: caps.max_local_memory,
        max_work_group_size: caps.max_group_invocations,
        subgroup_size: if caps.subgroup_range[0] == caps.subgroup_range[1] {
            caps.subgroup_size
        } else {
            0
        },
        min_subgroup_size: caps.subgroup_range[0],
        max_subgroup_size: match caps.chooses_subgroup_size {
            true => caps.subgroup_range[1],
            false => 0,
        },
        max_scratch: max_scratch(caps),
        max_groups_x: caps.max_group_count[0],
        max_groups_y: caps.max_group_count[1],
        max_groups_z: caps.max_group_count[2],
        // Vulkan does not report the rest.
        ..Target::MIN
    }
}

/// Bytes of private memory of one work-group in device memory, which is one allocation.
fn max_scratch(caps: &Caps) -> u32 {
    let most = (device_memory(caps) / 8).min(caps.max_allocation);
    most.min(i32::MAX as u64) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quirks_are_words_of_targets() {
        for words in quirks::QUIRKS
            .iter()
            .map(|quirk| quirk.words)
            .chain([UNMEASURED])
        {
            let parsed: Result<Target, String> = words.parse();
            assert!(parsed.is_ok(), "{words}: {parsed:?}");
        }
    }
}
