//! OpenCL C to Vulkan SPIR-V. Pure: no IO, no Vulkan, no global state but the
//! library cache of `front::clc::builtins`. docs/architecture.md has the map.

pub mod back;
pub mod diag;
pub mod driver;
pub mod features;
pub mod front;
pub mod ir;
pub mod kernel;
pub mod link;
pub mod options;
pub mod parallel;
pub mod pass;
pub mod printf;
mod quick;
pub mod source;
pub mod target;
