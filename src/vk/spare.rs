//! Large buffers that were released are kept for reuse by a buffer of the same size. Allocating and freeing device
//! memory takes milliseconds (64 MB on an H100: 1.5 ms), which programs that create a buffer for each step would pay
//! each time.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::os::sync::Unpoisoned;

use ash::vk;
use gpu_allocator::vulkan::Allocation;

use super::device::Device;
use super::error::{Error, Result};
use super::memory::{Buffer, Memory};

/// From about this size on a buffer has an allocation of its own.
const LARGE: u64 = 8 << 20;
/// Spare buffers take at most 1/16 of the device's memory.
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
    /// Whether the buffer is worth keeping: it is large, and in memory that the host does not need.
    pub(super) fn is_spare(&self) -> bool {
        let device = self.device();
        self.size() >= LARGE && self.mapped().is_none() && !device.is_lost()
    }

    /// Takes a spare buffer of exactly this size, at a multiple of `align` bytes.
    pub(super) fn spare(device: &Arc<Device>, size: u64, align: u64) -> Option<Buffer> {
        if size < LARGE {
            return None;
        }
        let mut spares = device.spares.lock().unpoisoned();
        let fits = |spare: &Spare| spare.size == size && spare.address.is_multiple_of(align);
        let index = spares.0.iter().rposition(fits)?;
        let spare = spares.0.remove(index)?;
        drop(spares);
        let memory = Some(Memory::Managed(spare.allocation));
        Some(Buffer::with(device, spare.raw, memory, spare.address, size))
    }
}

impl Device {
    /// Keeps a spare buffer. The oldest ones go if there are too many.
    pub(super) fn keep_spare(&self, spare: Spare) {
        let heaps = self.caps().heaps.iter().filter(|h| h.device_local);
        let most = heaps.map(|h| h.size).max().unwrap_or(0) / PART;
        let mut freed = Vec::new();
        {
            let mut spares = self.spares.lock().unpoisoned();
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

    /// Frees all spare buffers. Returns whether there were any.
    pub(super) fn drop_spares(&self) -> bool {
        let mut spares = self.spares.lock().unpoisoned();
        let all = std::mem::take(&mut spares.0);
        drop(spares);
        let any = !all.is_empty();
        self.free_spares(all);
        any
    }

    /// Tries to allocate. If memory runs out, frees the spare buffers and tries again.
    pub(super) fn with_spares_freed<T>(&self, attempt: impl Fn() -> Result<T>) -> Result<T> {
        match attempt() {
            Err(Error::OutOfDeviceMemory | Error::OutOfHostMemory) if self.drop_spares() => {
                attempt()
            }
            result => result,
        }
    }
}
