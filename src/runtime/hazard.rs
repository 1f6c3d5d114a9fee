//! Which commands must not overlap on the device.
//!
//! A queue remembers the memory ranges touched since its last barrier. A command needs a
//! barrier before it when it touches a remembered range and one of the two writes. After
//! a barrier nothing is remembered: it orders everything before it.

use crate::vk::command::Scope;

/// A range of one storage (by id), in bytes, and whether it is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Touch {
    pub storage: u64,
    pub start: u64,
    pub end: u64,
    pub write: bool,
}

impl Touch {
    fn conflicts(&self, other: &Touch) -> bool {
        self.storage == other.storage
            && (self.write || other.write)
            && self.start < other.end
            && other.start < self.end
    }

    fn covers(&self, other: &Touch) -> bool {
        self.storage == other.storage
            && (self.write || !other.write)
            && self.start <= other.start
            && other.end <= self.end
    }
}

/// Beyond this many ranges a barrier is cheaper than looking through them.
const LIMIT: usize = 192;

/// What was touched since the last barrier.
#[derive(Debug, Default)]
pub struct Tracker {
    touched: Vec<Touch>,
    used: Scope,
    force: bool,
}

impl Tracker {
    /// The next command gets a barrier whatever it touches.
    pub fn force(&mut self) {
        self.force = true;
    }

    /// Notes a command in `scope` that touches `touches`. The scope of earlier work that
    /// a barrier before it must name, or `None` when none is needed.
    pub fn add(&mut self, touches: &[Touch], scope: Scope) -> Option<Scope> {
        let full = self.touched.len() + touches.len() > LIMIT;
        let conflict = || {
            touches
                .iter()
                .any(|t| self.touched.iter().any(|o| t.conflicts(o)))
        };
        let barrier = (self.force || full || conflict()).then(|| self.take());
        for touch in touches {
            if !self.touched.iter().any(|o| o.covers(touch)) {
                self.touched.push(*touch);
            }
        }
        self.used.compute |= scope.compute;
        self.used.transfer |= scope.transfer;
        barrier.filter(|used| *used != Scope::default())
    }

    /// Forgets everything, for a barrier that the caller records; the work it must name.
    pub fn take(&mut self) -> Scope {
        self.touched.clear();
        self.force = false;
        std::mem::take(&mut self.used)
    }

    /// Work since the last barrier.
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
        // Two readers of 1, another part of 2.
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
        // The barrier ordered everything: 2 is free again.
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
        let mut t = Tracker::default();
        let mut barriers = 0;
        for i in 0..1000 {
            barriers += u32::from(t.add(&[touch(i, 0, 4, true)], Scope::COMPUTE).is_some());
            assert!(t.touched.len() <= LIMIT);
        }
        assert!(barriers > 0 && barriers < 10);
    }
}
