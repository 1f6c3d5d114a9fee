//! The memory of a batch for private objects of work-items (launch/private_memory.rs). Dispatches take what they
//! need of it one behind the other; where it is used up, a barrier lets the next one begin at its start.

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

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.buffer.size()
    }

    /// Everything before has ended, by a barrier.
    pub fn reuse(&mut self) {
        self.used = 0;
    }

    /// Memory for a dispatch behind that of earlier ones; `true` if these must end before.
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
