//! A device: its facts, its compiler target, and, once it is open, what its queues share.

pub mod device;
pub mod internal_kernels;
pub(in crate::runtime) mod slabs;
pub(in crate::runtime) mod staging;
pub mod target;
pub(in crate::runtime) mod timeline;
