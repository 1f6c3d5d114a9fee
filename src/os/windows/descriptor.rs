//! File descriptors, by which APIs share memory and semaphores elsewhere: here is none, and Vulkan's extensions for them
//! are not offered.

use std::convert::Infallible;
use std::io;

/// There is no such thing.
#[derive(Debug)]
pub struct Descriptor(Infallible);

impl Descriptor {
    /// # Safety
    /// None is needed: there is no descriptor.
    pub unsafe fn own(_fd: i32) -> Option<Descriptor> {
        None
    }

    /// An error: `fd` is none.
    pub fn duplicate(_fd: i32) -> io::Result<Descriptor> {
        Err(io::ErrorKind::Unsupported.into())
    }

    pub fn number(&self) -> i32 {
        match self.0 {}
    }

    pub fn leave(self) -> i32 {
        match self.0 {}
    }

    pub fn is_ready(&self) -> bool {
        match self.0 {}
    }
}

pub fn length(_fd: i32) -> Option<u64> {
    None
}
