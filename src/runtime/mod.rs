//! Safe OpenCL objects: platform, device, context, program, kernel, memory, queue,
//! event. Knows the compiler and Vulkan (`vk`), not the C boundary (`api`).

pub mod error;
