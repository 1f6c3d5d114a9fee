//! Thin typed Vulkan: instance, devices, memory, recording, synchronisation. Knows no
//! OpenCL; the only user of ash.

pub mod host;
