//! What a checked kernel may use (docs/check.md): what its arguments point to, and, where it searches the objects of pointers from
//! memory, all objects that it may reach.

use std::sync::Arc;

use crate::compiler::check::{Checks, Range};
use crate::runtime::gpu::device::Device;
use crate::runtime::memory::allocations::Allocations;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::support::error::ClResult;

/// What a launch may use.
#[derive(Default, Clone)]
pub struct Ranges {
    /// By number of argument.
    pub arguments: Vec<(u32, Range)>,
    /// Addresses and objects; in `Range::offset` there is nothing.
    live: Vec<(u64, Range)>,
    /// Addresses and bytes of allocations that have been freed, oldest first.
    freed: Vec<(u64, u64)>,
}

/// All of so many bytes.
pub fn all(size: u64) -> Range {
    Range {
        readable: size,
        writable: size,
        offset: 0,
    }
}

/// What a kernel may do with a buffer.
pub fn of(buffer: &Buffer) -> Range {
    let [reads, writes] = buffer.kernel_access();
    let size = |allowed| if allowed { buffer.size() } else { 0 };
    Range {
        readable: size(reads),
        writable: size(writes),
        offset: 0,
    }
}

impl Ranges {
    /// Adds the buffers that sub-buffers are parts of.
    pub fn add<'b>(
        &mut self,
        device: &Arc<Device>,
        buffers: impl IntoIterator<Item = &'b Arc<Buffer>>,
    ) -> ClResult {
        for buffer in buffers {
            let mut whole = buffer;
            while let Some((parent, _)) = whole.parent() {
                whole = parent;
            }
            self.live.push((whole.address(device)?, of(whole)));
        }
        Ok(())
    }

    /// Adds all allocations of a context that have addresses.
    pub fn add_allocations(&mut self, allocations: &Allocations) {
        let live = allocations.live();
        self.live
            .extend(live.iter().map(|&(at, size)| (at, all(size))));
        self.freed = allocations.freed();
    }

    /// What follows the header of the printf buffer.
    pub fn bytes(&self, checks: &Checks, header: Vec<u8>) -> Vec<u8> {
        let mut bytes = header;
        bytes.resize(4 * checks.live() as usize, 0);
        for (number, range) in &self.arguments {
            let at = 4 * checks.arg_word(*number) as usize;
            let words = range.words().into_iter().flat_map(u64::to_le_bytes);
            if let Some(place) = bytes.get_mut(at..at + 4 * Range::WORDS as usize) {
                place
                    .iter_mut()
                    .zip(words)
                    .for_each(|(to, from)| *to = from);
            }
        }
        if checks.searches {
            let mut live = self.live.clone();
            live.sort_by_key(|(at, range)| (*at, std::cmp::Reverse(range.words())));
            live.dedup_by_key(|(at, _)| *at);
            bytes.extend((live.len() as u64).to_le_bytes());
            for (at, range) in live {
                let words = [at, range.readable, range.writable];
                bytes.extend(words.into_iter().flat_map(u64::to_le_bytes));
            }
        }
        bytes
    }

    /// What there is about an address that belongs to no object.
    pub fn describe(&self, address: u64) -> Option<String> {
        let mut freed = self.freed.iter().rev();
        if let Some((at, size)) = freed.find(|(at, size)| address.wrapping_sub(*at) < *size) {
            let offset = address - at;
            return Some(format!("offset {offset} of freed memory of {size} bytes"));
        }
        let before = self.live.iter().filter(|(at, _)| *at <= address);
        let (at, range) = before.max_by_key(|(at, _)| *at)?;
        let size = range.readable.max(range.writable);
        let offset = address - at;
        (offset < 2 * size).then(|| format!("offset {offset} of an object of {size} bytes"))
    }
}
