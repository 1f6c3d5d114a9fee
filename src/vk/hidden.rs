//! What CALDERA_HIDE hides of all devices, so that tests see lesser ones (docs/config.md): features and extensions by
//! Vulkan's names, a version and those behind it as `Vulkan 1.1`; and as `NAME=NUMBER` limits, which are lowered.

use std::ffi::CStr;

use ash::vk;

use crate::config;

use super::features::Features;

type Bit = fn(&mut Features) -> &mut vk::Bool32;

/// The features by name. Vulkan's names are those of ash in another spelling.
macro_rules! features {
    ($($group:ident: $($name:literal $field:ident)*;)*) => {
        const FEATURES: &[(&str, Bit)] = &[$($(($name, |f| &mut f.$group.$field),)*)*];
    };
}

features! {
    core: "shaderInt16" shader_int16 "shaderInt64" shader_int64 "shaderFloat64" shader_float64
        "sparseBinding" sparse_binding
        "shaderStorageBufferArrayDynamicIndexing" shader_storage_buffer_array_dynamic_indexing;
    storage16: "storageBuffer16BitAccess" storage_buffer16_bit_access "storagePushConstant16" storage_push_constant16;
    storage8: "storageBuffer8BitAccess" storage_buffer8_bit_access "storagePushConstant8" storage_push_constant8;
    float16_int8: "shaderFloat16" shader_float16 "shaderInt8" shader_int8;
    memory_model: "vulkanMemoryModel" vulkan_memory_model
        "vulkanMemoryModelDeviceScope" vulkan_memory_model_device_scope;
    scalar_layout: "scalarBlockLayout" scalar_block_layout;
    address: "bufferDeviceAddress" buffer_device_address
        "bufferDeviceAddressCaptureReplay" buffer_device_address_capture_replay;
    timeline: "timelineSemaphore" timeline_semaphore;
    atomic64: "shaderBufferInt64Atomics" shader_buffer_int64_atomics
        "shaderSharedInt64Atomics" shader_shared_int64_atomics;
    subgroup_types: "shaderSubgroupExtendedTypes" shader_subgroup_extended_types;
    subgroup_size: "subgroupSizeControl" subgroup_size_control "computeFullSubgroups" compute_full_subgroups;
    dot_product: "shaderIntegerDotProduct" shader_integer_dot_product;
    indexing: "descriptorBindingUniformTexelBufferUpdateAfterBind"
        descriptor_binding_uniform_texel_buffer_update_after_bind
        "shaderStorageBufferArrayNonUniformIndexing" shader_storage_buffer_array_non_uniform_indexing;
    explicit_layout: "workgroupMemoryExplicitLayout" workgroup_memory_explicit_layout;
    atomic_float: "shaderBufferFloat32AtomicAdd" shader_buffer_float32_atomic_add
        "shaderSharedFloat32AtomicAdd" shader_shared_float32_atomic_add;
    shader_clock: "shaderSubgroupClock" shader_subgroup_clock "shaderDeviceClock" shader_device_clock;
    placed: "memoryMapPlaced" memory_map_placed;
    uniform_control_flow: "shaderSubgroupUniformControlFlow" shader_subgroup_uniform_control_flow;
}

type Lower = fn(&mut vk::PhysicalDeviceLimits, u32);

const LIMITS: &[(&str, Lower)] = &[
    ("maxComputeWorkGroupInvocations", |limits, n| {
        lower(&mut limits.max_compute_work_group_invocations, n)
    }),
    ("maxComputeWorkGroupSize", |limits, n| {
        let sizes = limits.max_compute_work_group_size.iter_mut();
        sizes.for_each(|size| lower(size, n));
    }),
    ("maxComputeWorkGroupCount", |limits, n| {
        let counts = limits.max_compute_work_group_count.iter_mut();
        counts.for_each(|count| lower(count, n));
    }),
    ("maxComputeSharedMemorySize", |limits, n| {
        lower(&mut limits.max_compute_shared_memory_size, n)
    }),
    ("maxPushConstantsSize", |limits, n| {
        lower(&mut limits.max_push_constants_size, n)
    }),
    ("maxStorageBufferRange", |limits, n| {
        lower(&mut limits.max_storage_buffer_range, n)
    }),
    ("maxPerStageDescriptorStorageBuffers", |limits, n| {
        lower(&mut limits.max_per_stage_descriptor_storage_buffers, n)
    }),
    ("maxTexelBufferElements", |limits, n| {
        lower(&mut limits.max_texel_buffer_elements, n)
    }),
];

fn lower(limit: &mut u32, n: u32) {
    *limit = n.min(*limit);
}

const VERSIONS: [(&str, u32); 3] = [
    ("Vulkan 1.1", vk::API_VERSION_1_1),
    ("Vulkan 1.2", vk::API_VERSION_1_2),
    ("Vulkan 1.3", vk::API_VERSION_1_3),
];

fn words() -> impl Iterator<Item = &'static str> {
    let text = config::get().hide.as_deref().unwrap_or_default();
    text.split(',')
        .map(str::trim)
        .filter(|word| !word.is_empty())
}

fn limit(word: &str) -> Option<(Lower, u32)> {
    let (name, value) = word.split_once('=')?;
    let row = LIMITS.iter().find(|row| row.0 == name)?;
    Some((row.1, value.parse().ok()?))
}

/// `Err` names a word of CALDERA_HIDE that means nothing.
pub fn check() -> Result<(), String> {
    let known = |word: &str| {
        word.starts_with("VK_")
            || FEATURES.iter().any(|row| row.0 == word)
            || VERSIONS.iter().any(|row| row.0 == word)
            || limit(word).is_some()
    };
    match words().find(|word| !known(word)) {
        Some(word) => Err(format!("CALDERA_HIDE: nothing to hide is named '{word}'")),
        None => Ok(()),
    }
}

/// The version that is left of one.
pub(super) fn version(version: u32) -> u32 {
    let hidden = VERSIONS
        .iter()
        .find(|row| words().any(|word| word == row.0));
    match hidden {
        // The minor version before.
        Some(&(_, first)) => version.min(first - vk::make_api_version(0, 0, 1, 0)),
        None => version,
    }
}

pub(super) fn hides_extension(name: &CStr) -> bool {
    words().any(|word| word.as_bytes() == name.to_bytes())
}

pub(super) fn hide_features(features: &mut Features) {
    for (name, bit) in FEATURES {
        if words().any(|word| word == *name) {
            *bit(features) = vk::FALSE;
        }
    }
}

pub(super) fn lower_limits(limits: &mut vk::PhysicalDeviceLimits) {
    for (lower, n) in words().filter_map(limit) {
        lower(limits, n);
    }
}
