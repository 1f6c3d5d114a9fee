//! Compiles OpenCL C and SPIR-V for kernels to SPIR-V for Vulkan.
#![doc = include_str!("README.md")]

pub use driver::{
    Compiled, CompiledObject, Object, compile, compile_object, compile_spirv, compile_spirv_object,
    link, link_library,
};
pub use kernel::{DeviceProgram, KernelInfo};
pub use options::Options;
pub use source::Sources;
pub use target::Target;

pub mod check;
pub mod device_queue;
pub mod diag;
pub mod driver;
pub mod features;
pub mod kernel;
pub mod options;
pub mod pipe;
pub mod printf;
pub mod source;
pub mod target;
mod texts;

// The parts, for Caldera's runtime, tests and tools: they change as the compiler does.
#[doc(hidden)]
pub mod back;
#[doc(hidden)]
pub mod front;
#[doc(hidden)]
pub mod ir;
mod link;
#[doc(hidden)]
pub mod parallel;
#[doc(hidden)]
pub mod pass;
mod places;
