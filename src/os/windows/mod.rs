//! Windows.

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

/// A text for functions of Windows: UTF-16 that ends with zero.
fn wide(text: &std::ffi::OsStr) -> Vec<u16> {
    use std::os::windows::ffi::OsStrExt;
    text.encode_wide().chain([0]).collect()
}
