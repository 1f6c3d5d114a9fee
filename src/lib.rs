//! Caldera: OpenCL on any Vulkan device.
//!
//! Layers, each using only what is below it (docs/architecture.md, invariant 1):
//! `api` (the C boundary) -> `runtime` (safe OpenCL objects) -> `compiler`, and `vk` -> `os`.

pub mod api;
pub use caldera_compiler as compiler;
pub mod config;
pub mod os;
pub mod runtime;
pub mod vk;
