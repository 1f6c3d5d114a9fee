//! Hazards: which commands must not overlap on the device.

use crate::vk::command::Scope;

/// A range of one storage (by id), in bytes, and whether it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    pub storage: u64,
    pub start: u64,
    pub end: u64,
    pub write: bool,
}

/// Disjoint ranges in ascending order. No range touches the next one.
#[derive(Debug, Default)]
struct Ranges(Vec<(u64, u64)>);

impl Ranges {
    fn overlap(&self, start: u64, end: u64) -> bool {
        let i = self.0.partition_point(|r| r.1 <= start);
        self.0.get(i).is_some_and(|r| r.0 < end)
    }

    fn add(&mut self, start: u64, end: u64) {
        // The new range absorbs the ranges that it overlaps or touches.
        let first = self.0.partition_point(|r| r.1 < start);
        let last = self.0.partition_point(|r| r.0 <= end);
        match self.0.get(first..last) {
            Some([only]) if only.0 <= start && end <= only.1 => {}
            Some([head, .., tail]) => {
                let joined = (head.0.min(start), tail.1.max(end));
                self.0.splice(first..last, [joined]);
            }
            Some([only]) => self.0[first] = (only.0.min(start), only.1.max(end)),
            _ => self.0.insert(first, (start, end)),
        }
    }
}

/// The ranges of one storage that were read and written.
#[derive(Debug, Default)]
struct Touched {
    storage: u64,
    reads: Ranges,
    writes: Ranges,
}

/// With more storages, or ranges of one storage, a barrier is cheaper than looking them up.
const LIMIT: usize = 128;

/// Spreads running numbers over the high bits: 2^64 divided by the golden ratio.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A slot of [`Tracker::slots`]. It is empty if its round is not the present one.
#[derive(Debug, Default, Clone, Copy)]
struct Slot {
    round: u32,
    /// Index in [`Tracker::touched`].
    index: u32,
}

/// The ranges that commands touched since the last barrier.
#[derive(Debug, Default)]
pub struct Tracker {
    /// The first `live` entries are valid. The others keep their allocations for reuse.
    touched: Vec<Touched>,
    live: usize,
    /// A hash table from a storage's id to its index in `touched`: open addressing, at most half full. A new round empties it.
    slots: Vec<Slot>,
    round: u32,
    full: bool,
    used: Scope,
    force: bool,
}

impl Tracker {
    /// The next command gets a barrier, whatever it touches.
    pub fn force(&mut self) {
        self.force = true;
    }

    /// The index of a storage in `touched`, or else the slot for it. The table must not be empty.
    fn find(&self, storage: u64) -> Result<usize, usize> {
        let mask = self.slots.len() - 1;
        let mut at = (storage.wrapping_mul(SPREAD) >> 32) as usize & mask;
        loop {
            let slot = self.slots[at];
            if slot.round != self.round {
                return Err(at);
            }
            if self.touched[slot.index as usize].storage == storage {
                return Ok(slot.index as usize);
            }
            at = (at + 1) & mask;
        }
    }

    fn conflicts(&self, touch: &Touch) -> bool {
        self.live > 0
            && self.find(touch.storage).is_ok_and(|i| {
                let t = &self.touched[i];
                t.writes.overlap(touch.start, touch.end)
                    || (touch.write && t.reads.overlap(touch.start, touch.end))
            })
    }

    /// Doubles the number of slots.
    fn grow(&mut self) {
        let size = (2 * self.slots.len()).max(2 * LIMIT);
        self.slots = vec![Slot::default(); size];
        self.round = 1;
        for index in 0..self.live {
            if let Err(at) = self.find(self.touched[index].storage) {
                self.enter(at, index);
            }
        }
    }

    fn enter(&mut self, at: usize, index: usize) {
        self.slots[at] = Slot {
            round: self.round,
            index: index as u32,
        };
    }

    fn remember(&mut self, touch: &Touch) {
        if 2 * self.live >= self.slots.len() {
            self.grow();
        }
        let index = match self.find(touch.storage) {
            Ok(index) => index,
            Err(at) => self.start(at, touch.storage),
        };
        let entry = &mut self.touched[index];
        let ranges = match touch.write {
            true => &mut entry.writes,
            false => &mut entry.reads,
        };
        ranges.add(touch.start, touch.end);
        self.full |= ranges.0.len() >= LIMIT || self.live >= LIMIT;
    }

    /// Adds a storage without ranges, in the slot `at`.
    fn start(&mut self, at: usize, storage: u64) -> usize {
        let index = self.live;
        self.enter(at, index);
        self.live += 1;
        if index == self.touched.len() {
            self.touched.push(Touched::default());
        }
        let entry = &mut self.touched[index];
        entry.storage = storage;
        entry.reads.0.clear();
        entry.writes.0.clear();
        index
    }

    /// Adds a command in `scope` that touches `touches`. Returns the scope of earlier work for the barrier before it; `None` if it
    /// needs no barrier.
    pub fn add(&mut self, touches: &[Touch], scope: Scope) -> Option<Scope> {
        let barrier = self.force || self.full || touches.iter().any(|t| self.conflicts(t));
        let barrier = barrier.then(|| self.take());
        for touch in touches.iter().filter(|t| t.start < t.end) {
            self.remember(touch);
        }
        self.used.compute |= scope.compute;
        self.used.transfer |= scope.transfer;
        barrier.filter(|used| *used != Scope::default())
    }

    /// Forgets all ranges because the caller records a barrier. Returns the work that the barrier must name.
    pub fn take(&mut self) -> Scope {
        self.live = 0;
        self.round = self.round.wrapping_add(1);
        if self.round == 0 {
            // When round numbers start again, slots of the first rounds would count as present.
            self.slots.fill(Slot::default());
            self.round = 1;
        }
        self.full = false;
        self.force = false;
        std::mem::take(&mut self.used)
    }

    /// The scope of the work since the last barrier.
    pub fn used(&self) -> Scope {
        self.used
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touch(storage: u64, start: u64, end: u64, write: bool) -> Touch {
        Touch {
            storage,
            start,
            end,
            write,
        }
    }

    #[test]
    fn only_conflicts_get_a_barrier() {
        let mut t = Tracker::default();
        let read = [touch(1, 0, 16, false), touch(2, 0, 16, true)];
        assert_eq!(t.add(&read, Scope::COMPUTE), None);
        // Two readers of storage 1, and another part of storage 2.
        assert_eq!(
            t.add(
                &[touch(1, 0, 16, false), touch(2, 16, 32, true)],
                Scope::COMPUTE
            ),
            None
        );
        // Write after read.
        assert_eq!(
            t.add(&[touch(1, 8, 9, true)], Scope::TRANSFER),
            Some(Scope::COMPUTE)
        );
        // The barrier ordered everything, so nothing conflicts in storage 2.
        assert_eq!(t.add(&[touch(2, 0, 32, false)], Scope::COMPUTE), None);
        // Read after write.
        assert_eq!(
            t.add(&[touch(1, 0, 16, false)], Scope::COMPUTE),
            Some(Scope::DEVICE)
        );
    }

    #[test]
    fn a_forced_barrier_comes_once_and_only_behind_work() {
        let mut t = Tracker::default();
        t.force();
        assert_eq!(t.add(&[], Scope::COMPUTE), None);
        t.force();
        assert_eq!(t.add(&[], Scope::COMPUTE), Some(Scope::COMPUTE));
        assert_eq!(t.add(&[], Scope::COMPUTE), None);
    }

    #[test]
    fn the_list_stays_short() {
        // Many storages, and many ranges of one storage with gaps between them.
        let cases: [fn(u64) -> Touch; 2] = [
            |i| touch(i, 0, 4, true),
            |i| touch(1, (i * 7 % 1000) * 8, (i * 7 % 1000) * 8 + 4, true),
        ];
        for case in cases {
            let mut t = Tracker::default();
            let mut barriers = 0;
            for i in 0..1000 {
                barriers += u32::from(t.add(&[case(i)], Scope::COMPUTE).is_some());
            }
            assert!((5..10).contains(&barriers), "{barriers}");
        }
        // Ranges that touch become one.
        let mut t = Tracker::default();
        let parts = (0..1000).map(|i| t.add(&[touch(1, i * 4, i * 4 + 4, true)], Scope::COMPUTE));
        assert_eq!(parts.flatten().count(), 0);
    }

    /// One command touches more storages than the limit, in rounds with different ids.
    #[test]
    fn storages_are_found_again() {
        let mut t = Tracker::default();
        for round in 0..6 {
            if round == 2 {
                t.round = u32::MAX - 1;
            }
            let ids = || (0..1000).map(|i| 1 + round * 517 + i * i * 256);
            let all: Vec<Touch> = ids().map(|i| touch(i, 8, 16, true)).collect();
            t.add(&all, Scope::COMPUTE);
            assert!(ids().all(|i| t.conflicts(&touch(i, 15, 20, false))));
            assert!(!ids().any(|i| t.conflicts(&touch(i, 16, 20, false))));
            assert!(!ids().any(|i| t.conflicts(&touch(i + 1, 8, 16, true))));
            t.take();
            assert!(!ids().any(|i| t.conflicts(&touch(i, 8, 16, true))));
        }
    }

    #[test]
    fn ranges_are_what_a_set_of_bytes_is() {
        let mut ranges = Ranges::default();
        let mut bytes = [false; 64];
        let mut seed = 1u32;
        for _ in 0..2000 {
            seed = seed.wrapping_mul(1664525).wrapping_add(1013904223);
            let start = (seed >> 8) as usize % 60;
            let end = start + 1 + (seed >> 20) as usize % 4;
            let overlap = bytes[start..end].contains(&true);
            assert_eq!(ranges.overlap(start as u64, end as u64), overlap);
            if seed >> 28 == 0 {
                ranges = Ranges::default();
                bytes = [false; 64];
            } else {
                ranges.add(start as u64, end as u64);
                bytes[start..end].fill(true);
            }
            assert!(ranges.0.windows(2).all(|w| w[0].1 < w[1].0));
        }
    }
}
