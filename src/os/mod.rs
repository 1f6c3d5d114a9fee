//! The operating system: what the standard library does not offer of it. Functions and constants are those
//! of the crate libc.

pub mod exit;
pub mod file;
pub mod hardware_buffer;
pub mod library;
pub mod memory;
pub mod messages;
pub mod output;
pub mod processor;
pub mod shared;
pub mod signals;
pub mod sync;
pub mod time;
