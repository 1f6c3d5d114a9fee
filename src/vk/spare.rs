//! Large buffers that were released, kept for the next of their size: taking and giving back
//! device memory costs milliseconds (an H100: 1.5 for 64 MB), which programs that make a buffer for
//! each step would pay each time.

use std::collections::VecDeque;
use std::sync::{Arc, PoisonError};

use ash::vk;
use gpu_allocator::vulkan::Allocation;

use super::device::Device;
use super::error::{Error, Result};
use super::memory::{Buffer, Memory};

/// Bytes from which a buffer has an allocation of its own, about.
const LARGE: u64 = 8 << 20;
/// Spares are at most this part of the device's memory.
const PART: u64 = 16;

/// A buffer that nothing uses.
pub(super) struct Spare {
    pub raw: vk::Buffer,
    pub allocation: Allocation,
    pub address: u64,
    pub size: u64,
}

/// The oldest first.
#[derive(Default)]
pub(super) struct Spares(VecDeque<Spare>);

impl Buffer {
    /// Worth keeping: large, and of memory that the host does not need.
    pub(super) fn is_spare(&self) -> bool {
        let device = self.device();
        self.size() >= LARGE && self.mapped().is_none() && !device.is_lost()
    }

    /// One that was kept, of exactly this size.
    pub(super) fn spare(device: &Arc<Device>, size: u64) -> Option<Buffer> {
        if size < LARGE {
            return None;
        }
        let mut spares = device.spares.lock().unwrap_or_else(PoisonError::into_inner);
        let index = spares.0.iter().rposition(|spare| spare.size == size)?;
        let spare = spares.0.remove(index)?;
        drop(spares);
        let memory = Some(Memory::Managed(spare.allocation));
        Some(Buffer::with(device, spare.raw, memory, spare.address, size))
    }
}

impl Device {
    /// Keeps a spare, in place of the oldest ones where there are too many.
    pub(super) fn keep_spare(&self, spare: Spare) {
        let heaps = self.caps().heaps.iter().filter(|h| h.device_local);
        let most = heaps.map(|h| h.size).max().unwrap_or(0) / PART;
        let mut freed = Vec::new();
        {
            let mut spares = self.spares.lock().unwrap_or_else(PoisonError::into_inner);
            spares.0.push_back(spare);
            while spares.0.iter().map(|s| s.size).sum::<u64>() > most {
                freed.extend(spares.0.pop_front());
            }
        }
        self.free_spares(freed);
    }

    fn free_spares(&self, spares: impl IntoIterator<Item = Spare>) {
        for spare in spares {
            // SAFETY: nothing uses a spare.
            unsafe { self.raw.destroy_buffer(spare.raw, None) };
            self.free(spare.allocation);
        }
    }

    /// Frees all of them; whether there were any.
    pub(super) fn drop_spares(&self) -> bool {
        let mut spares = self.spares.lock().unwrap_or_else(PoisonError::into_inner);
        let all = std::mem::take(&mut spares.0);
        drop(spares);
        let any = !all.is_empty();
        self.free_spares(all);
        any
    }

    /// Tries to allocate, again without spares when there is not enough memory with them.
    pub(super) fn with_spares_freed<T>(&self, attempt: impl Fn() -> Result<T>) -> Result<T> {
        match attempt() {
            Err(Error::OutOfDeviceMemory | Error::OutOfHostMemory) if self.drop_spares() => {
                attempt()
            }
            result => result,
        }
    }
}
