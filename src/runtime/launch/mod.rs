//! Kernels on a device and their launches.

pub mod argument;
pub mod device_kernel;
pub mod device_queue;
pub mod dispatch;
pub(in crate::runtime) mod local_size;
mod ndrange;
mod pipelines;
pub mod plan;
pub mod printf;
mod private_memory;
pub mod ranges;
