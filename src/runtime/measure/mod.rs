//! What small kernels and the operating system tell of a device.

pub(in crate::runtime) mod clock;
pub mod probe;
