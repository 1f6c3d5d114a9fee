//! Kernels on a device and their launches.

pub mod device_kernel;
pub(in crate::runtime) mod ndrange;
pub(in crate::runtime) mod pipelines;
pub mod printf;
pub(in crate::runtime) mod private_memory;
