//! Safe OpenCL objects: platform, device, context, program, kernel, memory, queue, event. The runtime uses the compiler and
//! Vulkan (`vk`), but not the C boundary (`api`).
//!
//! Each folder uses only those above it in this list (tests/tidy.rs).

pub mod support;

pub mod gpu;

pub mod memory;

mod record;

mod transfer;

pub mod launch;

pub mod command;

pub mod submit;

pub mod context;

pub mod program;

pub mod measure;

pub mod platform;

#[cfg(test)]
mod tests;
