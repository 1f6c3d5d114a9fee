//! Copies and fills: how bytes get from one place to another.

pub mod across;
pub mod device_copy;
pub mod host_copy;
pub mod host_transfer;
pub mod pinned;
mod rectangles;
pub mod route;
pub mod spans;
pub mod staged;
