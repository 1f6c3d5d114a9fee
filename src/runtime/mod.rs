//! Safe OpenCL objects: platform, device, context, program, kernel, memory, queue,
//! event. Knows the compiler and Vulkan (`vk`), not the C boundary (`api`).

pub mod error;

pub mod arguments;
mod batch;
mod boxes;
mod by_address;
pub mod callback;
mod clock;
pub mod command;
mod copies;
pub mod device;
mod engine;
pub mod event;
pub mod handle;
mod hazard;
mod import;
mod jobs;
pub mod log;
pub mod memory;
mod ndrange;
mod pinned;
mod pipelines;
mod posts;
mod processor;
mod progress;
pub mod queue;
mod retire;
pub mod room;
mod scratch;
mod slabs;
mod staging;
mod storage;
mod transfer;

pub mod binary;
pub mod build;
pub mod cache;
pub mod context;
pub mod files;
pub mod hash;
mod hostcopy;
pub mod image;
pub mod kernel;
pub mod platform;
pub mod printf;
pub mod probe;
pub mod program;
pub mod programs;
pub mod svm;
pub mod target;
pub mod threads;
pub mod trace;
pub mod wire;

#[cfg(test)]
mod speed;
#[cfg(test)]
mod testing;
#[cfg(test)]
mod tests;
