//! The headers of OpenCL C++ 1.0, by name: texts of ours in `headers/`, which say in C++ what the
//! specification's library has, over OpenCL C's functions (see `sema/cxx/opencl_cxx.rs`).

macro_rules! headers {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("headers/", $name)))),*]
    };
}

const HEADERS: &[(&str, &str)] = headers![
    "opencl_array",
    "opencl_atomic",
    "opencl_common",
    "opencl_convert",
    "opencl_def",
    "opencl_geometric",
    "opencl_half",
    "opencl_image",
    "opencl_integer",
    "opencl_iterator",
    "opencl_limits",
    "opencl_marker",
    "opencl_math",
    "opencl_math_constants",
    "opencl_memory",
    "opencl_printf",
    "opencl_range",
    "opencl_reinterpret",
    "opencl_relational",
    "opencl_spec_constant",
    "opencl_synchronization",
    "opencl_tuple",
    "opencl_type_traits",
    "opencl_utility",
    "opencl_vec",
    "opencl_vector_load_store",
    "opencl_vector_utility",
    "opencl_work_group",
    "opencl_work_item",
];

/// The text of a header.
pub(super) fn text(name: &str) -> Option<&'static str> {
    let row = HEADERS.iter().find(|row| row.0 == name)?;
    Some(row.1)
}
