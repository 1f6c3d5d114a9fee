//! The headers of OpenCL C++ 1.0, by name: texts of ours in `headers/`, which say in C++ what the
//! specification's library has, over OpenCL C's functions (see `sema/cxx/opencl_cxx.rs`).

macro_rules! headers {
    ($($name:literal),* $(,)?) => {
        &[$(($name, include_str!(concat!("headers/", $name)))),*]
    };
}

const HEADERS: &[(&str, &str)] = headers![
    "opencl_def",
    "opencl_memory",
    "opencl_synchronization",
    "opencl_work_item",
];

/// The text of a header.
pub(super) fn text(name: &str) -> Option<&'static str> {
    let row = HEADERS.iter().find(|row| row.0 == name)?;
    Some(row.1)
}
