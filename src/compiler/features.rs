//! Which parts of the language a device has: the one table behind the predefined
//! macros, the `#pragma OPENCL EXTENSION` names, CL_DEVICE_EXTENSIONS and
//! CL_DEVICE_OPENCL_C_FEATURES. A row is added when the compiler can do it.

use super::target::Target;

/// CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, bytes. Initial values are part of the program and of its
/// binaries, so this is a choice.
pub const MAX_GLOBAL_VARIABLE_SIZE: u64 = 16 << 20;

/// An extension or feature macro of OpenCL C.
pub struct Feature {
    pub name: &'static str,
    /// Of an extension, its own version; of a feature, the OpenCL C version that has it.
    pub version: (u32, u32, u32),
    pub has: fn(&Target) -> bool,
}

const fn row(name: &'static str, major: u32, has: fn(&Target) -> bool) -> Feature {
    Feature {
        name,
        version: (major, 0, 0),
        has,
    }
}

/// Language extensions. 64-bit integers and byte-wise stores are there on every
/// device: legalisation makes them from what the device has.
pub const EXTENSIONS: &[Feature] = &[
    row("cl_khr_byte_addressable_store", 1, |_| true),
    row("cl_khr_fp16", 1, |t| t.float16),
    row("cl_khr_fp64", 1, |t| t.float64),
    row("cl_khr_global_int32_base_atomics", 1, |_| true),
    row("cl_khr_global_int32_extended_atomics", 1, |_| true),
    row("cl_khr_local_int32_base_atomics", 1, |_| true),
    row("cl_khr_local_int32_extended_atomics", 1, |_| true),
];

/// Optional features of OpenCL C 3.0 (OpenCL C specification, section 6.2.1).
pub const FEATURES: &[Feature] = &[
    row("__opencl_c_fp64", 3, |t| t.float64),
    row("__opencl_c_generic_address_space", 3, |_| true),
    row("__opencl_c_int64", 3, |_| true),
    row("__opencl_c_program_scope_global_variables", 3, |_| true),
];

/// The rows of a table that hold for a target.
pub fn supported<'a>(
    table: &'a [Feature],
    target: &'a Target,
) -> impl Iterator<Item = &'a Feature> {
    table.iter().filter(|row| (row.has)(target))
}
