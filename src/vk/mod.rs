//! Thin typed Vulkan: instance, devices, memory, recording, synchronisation. Knows no
//! OpenCL; the only user of ash.
//!
//! The wrappers are safe in that handles are alive and locks are held. The caller keeps recorded objects alive until the
//! work has completed; the runtime keeps them in the batch.

mod boost;
pub mod caps;
pub mod command;
pub mod descriptor;
pub mod device;
pub mod error;
mod fault;
mod features;
mod fences;
pub mod hidden;
pub mod instance;
pub mod memory;
mod memory_types;
pub mod peer;
pub mod pipeline;
pub mod placed;
pub mod quirks;
pub mod semaphore;
mod spare;
mod sparse;
pub mod storage_buffers;
pub mod sync;
pub mod texels;
