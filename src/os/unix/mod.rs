//! Linux, Android and what is like them.

pub mod descriptor;
pub mod exit;
pub mod file;
pub mod library;
pub mod memory;
pub mod output;
pub mod processor;
pub mod shared;
pub mod signals;
pub mod time;
