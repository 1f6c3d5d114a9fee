//! A device: its facts, its compiler target, and, once it is open, what its queues share.

pub(in crate::runtime) mod blocking_copy;
pub mod boost;
pub mod device;
pub mod facts;
pub mod internal_kernels;
pub mod nvidia;
pub(in crate::runtime) mod open;
pub(in crate::runtime) mod peers;
pub(in crate::runtime) mod pipeline_cache;
pub(in crate::runtime) mod progress;
pub(in crate::runtime) mod retired_pipelines;
pub(in crate::runtime) mod slabs;
pub(in crate::runtime) mod staging;
pub mod target;
