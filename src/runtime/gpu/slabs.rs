//! Small buffers as parts of larger ones. Creating and destroying a Vulkan buffer with memory costs a driver 1 to 4 us, more
//! if there are many; a part costs a lock and a bit. Parts of one size come from slabs of up to 64 parts. There are four sizes
//! between powers of two, so at most a fifth is lost. A slab is freed with its last part, but one of each size stays.

use std::sync::{Arc, Mutex};

use crate::os::sync::Unpoisoned;
use crate::runtime::support::hash::ByNumber;
use crate::vk::device::Device;
use crate::vk::error::Result;
use crate::vk::memory::{Buffer, Location};

/// Bytes of the largest part.
pub const LARGEST: u64 = 64 << 10;
/// Parts are aligned like other buffers.
const ALIGN: u64 = 256;
/// The number of parts in a slab: the bits of its mask.
const PARTS: u64 = u64::BITS as u64;

/// The slabs of one device, in memory of one kind.
pub struct Slabs {
    device: Arc<Device>,
    location: Location,
    /// By size of their parts: the slabs that have free parts.
    open: Mutex<ByNumber<u64, Vec<Open>>>,
}

/// A slab with free parts, and the mask of these.
struct Open {
    buffer: Arc<Buffer>,
    free: u64,
}

/// A part of a slab, in use.
pub struct Part {
    slabs: Arc<Slabs>,
    buffer: Arc<Buffer>,
    size: u64,
    index: u32,
}

/// The size of the part for a buffer of `size` bytes.
fn part_size(size: u64) -> u64 {
    let step = size.next_power_of_two() / 8;
    size.next_multiple_of(step.max(ALIGN))
}

impl Slabs {
    pub fn new(device: &Arc<Device>, location: Location) -> Arc<Slabs> {
        Arc::new(Slabs {
            device: device.clone(),
            location,
            open: Mutex::default(),
        })
    }

    /// A part of at least `size` bytes, not 0 and at most [`LARGEST`].
    pub fn take(self: &Arc<Self>, size: u64) -> Result<Part> {
        let size = part_size(size);
        let part = |buffer: &Arc<Buffer>, index| Part {
            slabs: self.clone(),
            buffer: buffer.clone(),
            size,
            index,
        };
        let lock = || self.open.lock().unpoisoned();
        if let Some(slabs) = lock().get_mut(&size)
            && let Some(slab) = slabs.last_mut()
        {
            let taken = part(&slab.buffer, slab.free.trailing_zeros());
            slab.free &= slab.free - 1;
            if slab.free == 0 {
                slabs.pop();
            }
            return Ok(taken);
        }
        // Allocated without holding the lock, since it is slow.
        let buffer = Arc::new(Buffer::new(&self.device, size * PARTS, self.location)?);
        let taken = part(&buffer, 0);
        let free = u64::MAX << 1;
        lock().entry(size).or_default().push(Open { buffer, free });
        Ok(taken)
    }
}

impl Part {
    /// The slab's buffer.
    pub fn buffer(&self) -> &Arc<Buffer> {
        &self.buffer
    }

    /// The part's offset in the slab's buffer.
    pub fn offset(&self) -> u64 {
        u64::from(self.index) * self.size
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let mut open = (self.slabs.open.lock()).unpoisoned();
        let slabs = open.entry(self.size).or_default();
        let found = slabs
            .iter()
            .rposition(|s| Arc::ptr_eq(&s.buffer, &self.buffer));
        let index = found.unwrap_or_else(|| {
            let buffer = self.buffer.clone();
            slabs.push(Open { buffer, free: 0 });
            slabs.len() - 1
        });
        slabs[index].free |= 1 << self.index;
        let empty = slabs[index].free == u64::MAX && slabs.len() > 1;
        // The slab is freed with the part, after the lock is released.
        let freed = empty.then(|| slabs.swap_remove(index));
        drop(open);
        drop(freed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::tests::testing::on_device;

    #[test]
    fn parts_lose_little() {
        for size in 1..=LARGEST {
            let part = part_size(size);
            assert!(part >= size && part.is_multiple_of(ALIGN) && part <= LARGEST);
            assert!(
                part < size + ALIGN || part * 4 <= size * 5,
                "{size}: {part}"
            );
        }
    }

    /// Parts do not overlap, and slabs come and go with them.
    #[test]
    fn slabs_hold_their_parts() {
        on_device(|device| {
            let slabs = Slabs::new(&device.gpu().unwrap().vk, Location::Device);
            let count = || slabs.open.lock().unwrap().get(&1024).map_or(0, Vec::len);
            let take = |size| slabs.take(size).unwrap();
            let mut parts: Vec<Part> = (0..3 * PARTS).map(|_| take(1000)).collect();
            assert_eq!(count(), 0);
            let place = |part: &Part| part.buffer().address() + part.offset();
            let mut places: Vec<_> = parts.iter().map(place).collect();
            places.sort();
            assert!(places.windows(2).all(|w| w[0] + 1024 <= w[1]));
            // Every second part is freed, then all. One slab is left.
            let mut even = false;
            parts.retain(|_| {
                even = !even;
                even
            });
            assert_eq!(count(), 3);
            parts.push(take(1024));
            assert_eq!(count(), 3);
            parts.clear();
            assert_eq!(count(), 1);
        });
    }
}
