//! Safe OpenCL objects: platform, device, context, program, kernel, memory, queue,
//! event. Knows the compiler and Vulkan (`vk`), not the C boundary (`api`).

pub mod error;

pub mod arguments;
pub mod command;
pub mod device;
pub mod event;
pub mod memory;
pub mod queue;

pub mod binary;
pub mod build;
pub mod cache;
pub mod context;
pub mod hash;
pub mod kernel;
pub mod platform;
pub mod program;
pub mod wire;
