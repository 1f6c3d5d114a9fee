//! The memory of a batch for private objects of work-items (launch/private_memory.rs). Dispatches take parts of it one behind
//! the other. When it is used up, a barrier lets the next dispatch start at its beginning.

use std::sync::Arc;

use crate::vk::memory::Buffer;

/// The memory of a batch.
pub struct Scratch {
    buffer: Arc<Buffer>,
    /// Bytes that dispatches since the last barrier use.
    used: u64,
}

impl Scratch {
    pub fn new(buffer: Arc<Buffer>) -> Scratch {
        Scratch { buffer, used: 0 }
    }

    /// Bytes of the memory.
    pub fn size(&self) -> u64 {
        self.buffer.size()
    }

    /// Called when a barrier has ended all dispatches before.
    pub fn reuse(&mut self) {
        self.used = 0;
    }

    /// The offset of memory for a dispatch. Returns true if a barrier must end earlier dispatches first.
    pub fn take(&mut self, bytes: u64) -> (u64, bool) {
        let full = self.used + bytes > self.buffer.size();
        if full {
            self.used = 0;
        }
        let address = self.buffer.address() + self.used;
        self.used += bytes;
        (address, full)
    }
}
