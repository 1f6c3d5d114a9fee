//! Which parts of the language a device has: the one table behind the predefined
//! macros, the `#pragma OPENCL EXTENSION` names, CL_DEVICE_EXTENSIONS and
//! CL_DEVICE_OPENCL_C_FEATURES. A row is added when the compiler can do it.

use super::options::{Options, Standard};
use super::target::Target;

/// CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, bytes. Initial values are part of the program and of its
/// binaries, so this is a choice.
pub const MAX_GLOBAL_VARIABLE_SIZE: u64 = 16 << 20;

/// Of a variable in private or local memory, or a struct that is a value, bytes: more than any device has.
pub const MAX_OBJECT_SIZE: u64 = 16 << 20;
/// Of all variables at program scope and constant tables of a program, bytes.
pub const MAX_MODULE_DATA: u64 = 256 << 20;
/// Of the objects of a kernel that lie in private memory, bytes.
pub const MAX_PRIVATE_SIZE: u32 = 64 << 20;

/// An extension or feature macro of OpenCL C.
pub struct Feature {
    pub name: &'static str,
    /// Of an extension, its own version; of a feature, the OpenCL C version that has it.
    pub version: (u32, u32, u32),
    pub has: fn(&Target) -> bool,
}

impl Feature {
    /// The device has it, and no option takes it from the program.
    pub fn is_on(&self, target: &Target) -> bool {
        (self.has)(target) && !target.without.contains(self.name)
    }
}

const fn row(name: &'static str, major: u32, has: fn(&Target) -> bool) -> Feature {
    Feature {
        name,
        version: (major, 0, 0),
        has,
    }
}

/// Of 64 bits, in global and local memory.
fn int64_atomics(t: &Target) -> bool {
    t.int64_atomics && t.int64_local_atomics
}

/// By compare-exchange of the word around a half.
pub fn half_atomics(t: &Target) -> bool {
    t.float16
}

/// By compare-exchange of 64 bits.
pub fn double_atomics(t: &Target) -> bool {
    t.float64 && int64_atomics(t)
}

/// Language extensions. 64-bit integers and byte-wise stores are there on every
/// device: legalisation makes them from what the device has.
pub const EXTENSIONS: &[Feature] = &[
    row("cl_ext_float_atomics", 1, |_| true),
    row("cl_ext_image_raw10_raw12", 1, |_| true),
    row("cl_ext_image_unorm_int_2_101010", 1, |_| true),
    row("cl_ext_image_unsigned_10x6_12x4_14x2", 1, |_| true),
    row("cl_intel_required_subgroup_size", 1, |t| {
        t.chooses_sub_group_size()
    }),
    row("cl_intel_spirv_subgroups", 1, |t| t.subgroups),
    row("cl_intel_subgroups", 1, |t| t.subgroups),
    row("cl_intel_subgroups_char", 1, |t| t.subgroups),
    row("cl_intel_subgroups_long", 1, |t| t.subgroups),
    Feature {
        name: "cl_intel_subgroups_short",
        version: (1, 1, 0),
        has: |t| t.subgroups,
    },
    row("cl_khr_3d_image_writes", 1, |_| true),
    row("cl_khr_async_work_group_copy_fence", 1, |_| true),
    row("cl_khr_byte_addressable_store", 1, |_| true),
    row("cl_khr_depth_images", 1, |_| true),
    row("cl_khr_device_enqueue_local_arg_types", 1, |_| true),
    row("cl_khr_expect_assume", 1, |_| true),
    row("cl_khr_extended_async_copies", 1, |_| true),
    row("cl_khr_extended_bit_ops", 1, |_| true),
    row("cl_khr_fp16", 1, |t| t.float16),
    row("cl_khr_fp64", 1, |t| t.float64),
    row("cl_khr_global_int32_base_atomics", 1, |_| true),
    row("cl_khr_global_int32_extended_atomics", 1, |_| true),
    row("cl_khr_image2d_from_buffer", 1, |_| true),
    row("cl_khr_int64_base_atomics", 1, int64_atomics),
    row("cl_khr_int64_extended_atomics", 1, int64_atomics),
    row("cl_khr_integer_dot_product", 2, |_| true),
    row("cl_khr_kernel_clock", 1, |t| {
        t.device_clock || t.has_sub_group_clock()
    }),
    row("cl_khr_local_int32_base_atomics", 1, |_| true),
    row("cl_khr_local_int32_extended_atomics", 1, |_| true),
    row("cl_khr_mipmap_image", 1, |_| true),
    row("cl_khr_mipmap_image_writes", 1, |_| true),
    row("cl_khr_srgb_image_writes", 1, |_| true),
    row("cl_khr_subgroup_ballot", 1, |t| t.subgroups),
    row("cl_khr_subgroup_clustered_reduce", 1, |t| {
        t.subgroups && t.subgroup_clustered
    }),
    row("cl_khr_subgroup_extended_types", 1, |t| t.subgroups),
    row("cl_khr_subgroup_non_uniform_arithmetic", 1, |t| t.subgroups),
    row("cl_khr_subgroup_non_uniform_vote", 1, |t| t.subgroups),
    row("cl_khr_subgroup_rotate", 1, |t| t.subgroups),
    row("cl_khr_subgroup_shuffle", 1, |t| t.subgroups),
    row("cl_khr_subgroup_shuffle_relative", 1, |t| t.subgroups),
    row("cl_khr_subgroups", 1, |t| t.subgroups && t.forward_progress),
    row("cl_khr_work_group_uniform_arithmetic", 1, |_| true),
    row("cl_nv_pragma_unroll", 1, |t| t.nvidia_names),
    // In the full profile they are part of OpenCL C.
    row("cles_khr_2d_image_array_writes", 1, Target::is_embedded),
    row("cles_khr_int64", 1, Target::is_embedded),
];

/// Optional features of OpenCL C 3.0 (OpenCL C specification, section 6.2.1).
pub const FEATURES: &[Feature] = &[
    row("__opencl_c_3d_image_writes", 3, |_| true),
    row("__opencl_c_atomic_order_acq_rel", 3, |t| t.ordered_atomics),
    row("__opencl_c_atomic_order_seq_cst", 3, |t| t.ordered_atomics),
    row(
        "__opencl_c_atomic_scope_all_devices",
        3,
        Target::has_host_atomics,
    ),
    row("__opencl_c_atomic_scope_device", 3, |t| t.ordered_atomics),
    row("__opencl_c_ext_fp16_global_atomic_add", 3, half_atomics),
    row(
        "__opencl_c_ext_fp16_global_atomic_load_store",
        3,
        half_atomics,
    ),
    row("__opencl_c_ext_fp16_global_atomic_min_max", 3, half_atomics),
    row("__opencl_c_ext_fp16_local_atomic_add", 3, half_atomics),
    row(
        "__opencl_c_ext_fp16_local_atomic_load_store",
        3,
        half_atomics,
    ),
    row("__opencl_c_ext_fp16_local_atomic_min_max", 3, half_atomics),
    row("__opencl_c_ext_fp32_global_atomic_add", 3, |_| true),
    row("__opencl_c_ext_fp32_global_atomic_min_max", 3, |_| true),
    row("__opencl_c_ext_fp32_local_atomic_add", 3, |_| true),
    row("__opencl_c_ext_fp32_local_atomic_min_max", 3, |_| true),
    row("__opencl_c_ext_fp64_global_atomic_add", 3, double_atomics),
    row(
        "__opencl_c_ext_fp64_global_atomic_min_max",
        3,
        double_atomics,
    ),
    row("__opencl_c_ext_fp64_local_atomic_add", 3, double_atomics),
    row(
        "__opencl_c_ext_fp64_local_atomic_min_max",
        3,
        double_atomics,
    ),
    row("__opencl_c_ext_image_raw10_raw12", 3, |_| true),
    row("__opencl_c_ext_image_unorm_int_2_101010", 3, |_| true),
    row("__opencl_c_ext_image_unsigned_10x6_12x4_14x2", 3, |_| true),
    row("__opencl_c_device_enqueue", 3, |_| true),
    row("__opencl_c_fp64", 3, |t| t.float64),
    row("__opencl_c_generic_address_space", 3, |_| true),
    row("__opencl_c_images", 3, |_| true),
    row("__opencl_c_int64", 3, |_| true),
    row("__opencl_c_integer_dot_product_input_4x8bit", 3, |_| true),
    row(
        "__opencl_c_integer_dot_product_input_4x8bit_packed",
        3,
        |_| true,
    ),
    row("__opencl_c_kernel_clock_scope_device", 3, |t| {
        t.device_clock
    }),
    row(
        "__opencl_c_kernel_clock_scope_sub_group",
        3,
        Target::has_sub_group_clock,
    ),
    row("__opencl_c_kernel_clock_scope_work_group", 3, |t| {
        t.device_clock
    }),
    row("__opencl_c_pipes", 3, |_| true),
    row("__opencl_c_program_scope_global_variables", 3, |_| true),
    row("__opencl_c_read_write_images", 3, |_| true),
    row("__opencl_c_subgroups", 3, |t| t.subgroups),
    row("__opencl_c_work_group_collective_functions", 3, |_| true),
];

/// What OpenCL C 2.0 has that is optional in 3.0, and may be missing.
const OPENCL_C_20: [&str; 4] = [
    "__opencl_c_atomic_order_acq_rel",
    "__opencl_c_atomic_order_seq_cst",
    "__opencl_c_atomic_scope_device",
    "__opencl_c_atomic_scope_all_devices",
];

/// The features of OpenCL C 2.0 that the device does not have.
pub fn missing_in_20(target: &Target) -> Vec<&'static str> {
    let has = |name: &str| supported(FEATURES, target).any(|row| row.name == name);
    OPENCL_C_20.into_iter().filter(|name| !has(name)).collect()
}

/// The rows of a table that hold for a target.
pub fn supported<'a>(
    table: &'a [Feature],
    target: &'a Target,
) -> impl Iterator<Item = &'a Feature> {
    table.iter().filter(|row| row.is_on(target))
}

/// Every device of the full profile has it; `-cl-ext=-all` leaves it.
const REQUIRED: &str = "__opencl_c_int64";

/// The target without what `-cl-ext` takes from it. Features are optional since OpenCL C 3.0.
pub fn restricted(target: &Target, options: &Options) -> Target {
    let mut target = target.clone();
    let features = match options.standard >= Standard::Cl30 {
        true => FEATURES,
        false => &[],
    };
    for (name, on) in &options.extensions {
        for row in EXTENSIONS.iter().chain(features) {
            if row.name == name || name == ALL && row.name != REQUIRED {
                match on {
                    true => target.without.remove(row.name),
                    false => target.without.insert(row.name),
                };
            }
        }
    }
    target
}

/// What stands for every name in `-cl-ext`.
const ALL: &str = "all";

/// A feature, and what it needs.
const DEPENDENT: &[(&str, &str)] = &[
    ("__opencl_c_read_write_images", "__opencl_c_images"),
    ("__opencl_c_3d_image_writes", "__opencl_c_images"),
    ("__opencl_c_pipes", "__opencl_c_generic_address_space"),
    (
        "__opencl_c_device_enqueue",
        "__opencl_c_generic_address_space",
    ),
    (
        "__opencl_c_device_enqueue",
        "__opencl_c_program_scope_global_variables",
    ),
];

/// An extension and a feature that are the same.
const TWINS: &[(&str, &str)] = &[
    ("cl_khr_fp64", "__opencl_c_fp64"),
    ("cl_khr_3d_image_writes", "__opencl_c_3d_image_writes"),
];

/// What is wrong with the extensions and features that `-cl-ext` leaves: errors and warnings. `target` is what it leaves.
pub fn wrong_choice(target: &Target, options: &Options) -> (Vec<String>, Vec<String>) {
    let row = |name: &str| {
        let mut rows = EXTENSIONS.iter().chain(FEATURES);
        rows.find(|row| row.name == name)
    };
    let on = |name: &str| row(name).is_some_and(|row| row.is_on(target));
    let lacking = options.extensions.iter().filter(|(name, plus)| {
        let has = row(name).is_some_and(|row| (row.has)(target));
        *plus && name != ALL && !has
    });
    let warnings = lacking
        .map(|(name, _)| format!("-cl-ext=+{name}: the device does not have '{name}'"))
        .collect();
    if options.extensions.is_empty() || options.standard < Standard::Cl30 {
        return (Vec::new(), warnings);
    }
    let apart = TWINS.iter().filter(|(a, b)| on(a) != on(b));
    let apart = apart.map(|(a, b)| format!("options {a} and {b} are set to different values"));
    let alone = DEPENDENT.iter().filter(|(a, b)| on(a) && !on(b));
    let alone = alone.map(|(a, b)| format!("feature {a} requires support of {b} feature"));
    (alone.chain(apart).collect(), warnings)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn choices_of_extensions_are_judged() {
        let judged = |text: &str| {
            let options = Options::parse(text).unwrap();
            let target = Target::profile("nvidia").unwrap();
            wrong_choice(&restricted(&target, &options), &options)
        };
        let counts = |text: &str| {
            let (errors, warnings) = judged(text);
            (errors.len(), warnings.len())
        };
        assert_eq!(counts("-cl-std=CL3.0"), (0, 0));
        assert_eq!(counts("-cl-std=CL3.0 -cl-ext=-all"), (0, 0));
        assert_eq!(counts("-cl-std=CL3.0 -cl-ext=-cl_khr_fp64"), (1, 0));
        assert_eq!(counts("-cl-std=CL2.0 -cl-ext=-cl_khr_fp64"), (0, 0));
        let images = "-cl-std=CL3.0 -cl-ext=-__opencl_c_images";
        assert_eq!(
            judged(images).0[0],
            "feature __opencl_c_read_write_images requires support of __opencl_c_images feature"
        );
        assert_eq!(
            judged("-cl-ext=+cl_khr_subgroup_named_barrier").1,
            [
                "-cl-ext=+cl_khr_subgroup_named_barrier: the device does not have 'cl_khr_subgroup_named_barrier'"
            ]
        );
    }
}
