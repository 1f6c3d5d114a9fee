//! The OpenCL C API as data, generated from the Khronos registry (tests/gen/cl_xml.py).

pub mod constants;
pub mod entry_points;
mod extension_constants;
pub mod types;
