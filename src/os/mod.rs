//! The operating system: what the standard library does not offer of it. `unix` and `windows` have the same modules, by
//! the crates libc and windows-sys; what is the same on both stands here.

pub mod exit;
pub mod hardware_buffer;
pub mod memory;
pub mod messages;
pub mod processor;
pub mod sync;
#[cfg_attr(windows, path = "windows/mod.rs")]
#[cfg_attr(not(windows), path = "unix/mod.rs")]
mod system;

pub use system::{descriptor, file, library, output, shared, signals, time};
