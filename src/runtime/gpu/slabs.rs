//! Small buffers as parts of larger ones. A Vulkan buffer and its memory cost a driver 1 to 4 us to make
//! and to destroy, more the more of them there are; a part costs a lock and a bit. Parts of one size
//! (four sizes between powers of two, so that at most a fifth is lost) come from slabs of up to 64;
//! a slab goes when its last part does, but for one of each size.

use std::sync::{Arc, Mutex, PoisonError};

use crate::runtime::support::hash::ByNumber;
use crate::vk::device::Device;
use crate::vk::error::Result;
use crate::vk::memory::{Buffer, Location};

/// Bytes of the largest part.
pub const LARGEST: u64 = 64 << 10;
/// Parts are at multiples of this, as other buffers are.
const ALIGN: u64 = 256;
/// Parts of a slab: bits of its mask.
const PARTS: u64 = u64::BITS as u64;

/// The slabs of one device, in memory of one kind.
pub struct Slabs {
    device: Arc<Device>,
    location: Location,
    /// By the size of their parts, those that have free ones.
    open: Mutex<ByNumber<u64, Vec<Open>>>,
}

/// A slab with free parts: their bits.
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

/// Bytes of the part that holds so many.
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
        let lock = || self.open.lock().unwrap_or_else(PoisonError::into_inner);
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
        // Without the lock: this is slow.
        let buffer = Arc::new(Buffer::new(&self.device, size * PARTS, self.location)?);
        let taken = part(&buffer, 0);
        let free = u64::MAX << 1;
        lock().entry(size).or_default().push(Open { buffer, free });
        Ok(taken)
    }
}

impl Part {
    /// What it is a part of.
    pub fn buffer(&self) -> &Arc<Buffer> {
        &self.buffer
    }

    /// Where it starts there.
    pub fn offset(&self) -> u64 {
        u64::from(self.index) * self.size
    }
}

impl Drop for Part {
    fn drop(&mut self) {
        let mut open = (self.slabs.open.lock()).unwrap_or_else(PoisonError::into_inner);
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
        // Freed with the part, when the lock is gone.
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
            // Every second one goes, then all: what is left is one slab.
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
