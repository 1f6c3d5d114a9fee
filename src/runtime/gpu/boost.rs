//! The highest clock of a GPU for as long as it is given work, where the driver leaves it to the load (`Target::lowers_clock`).
//!
//! NVIDIA's driver for Vulkan has the clock at its highest for 3.3 s when a device with a queue is created. So another
//! thread creates one, and destroys it, when that is nearly over and work is submitted. Meanwhile, for up to 70 ms, the
//! driver holds up submissions. Where the device has little time to rest its load keeps the clock up, and nothing is done.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::os::exit::Promise;
use crate::os::time::monotonic_ns;
use crate::runtime::support::threads;
use crate::vk::caps::PhysicalDevice;

/// Host nanoseconds from one boost to the next.
const PERIOD: u64 = 3_000_000_000;
/// Of a period in which the device rested less, the clock needs no boost.
const LEAST_REST: u64 = PERIOD / 4;
/// In place of a time: no boost comes, or one is under way.
const NEVER: u64 = u64::MAX;

/// The boosts of one device. Times are the host's, in nanoseconds.
pub struct Boost {
    /// When the next one may come.
    next: Arc<AtomicU64>,
    /// Since when the device has nothing to do; [`NEVER`] while it has.
    idle_since: AtomicU64,
    /// How long it has had nothing to do since the last time that a boost was due.
    rest: AtomicU64,
}

impl Boost {
    /// For a device that has just been created.
    pub fn new(lowers_clock: bool) -> Boost {
        let now = monotonic_ns();
        Boost {
            next: Arc::new(AtomicU64::new(if lowers_clock {
                now + PERIOD
            } else {
                NEVER
            })),
            idle_since: AtomicU64::new(now),
            rest: AtomicU64::new(0),
        }
    }

    /// Called behind each submission.
    pub fn submitted(&self, physical: &PhysicalDevice) {
        if self.may_come() && self.is_due(monotonic_ns()) {
            self.begin(physical);
        }
    }

    /// Called when a queue has nothing in flight any more.
    pub fn ended(&self) {
        if self.may_come() {
            self.idle_since.store(monotonic_ns(), Ordering::Relaxed);
        }
    }

    fn may_come(&self) -> bool {
        self.next.load(Ordering::Relaxed) != NEVER
    }

    /// Notes a submission at this moment. `true` if it is time for a boost: of several threads for one, and for none until it has come.
    fn is_due(&self, now: u64) -> bool {
        let since = self.idle_since.swap(NEVER, Ordering::Relaxed);
        let rest = now.saturating_sub(since);
        self.rest.fetch_add(rest, Ordering::Relaxed);
        let next = self.next.load(Ordering::Relaxed);
        if now < next {
            return false;
        }
        let rested = self.rest.swap(0, Ordering::Relaxed) >= LEAST_REST;
        let then = if rested { NEVER } else { now + PERIOD };
        let first = (self.next).compare_exchange(next, then, Ordering::Relaxed, Ordering::Relaxed);
        first.is_ok() && rested
    }

    #[cold]
    fn begin(&self, physical: &PhysicalDevice) {
        // The process exits where there is no promise, and where there is no thread this was the last boost.
        let Some(promise) = Promise::new(true) else {
            return;
        };
        let (next, physical) = (self.next.clone(), physical.clone());
        let _ = threads::start(promise.keep(move || {
            match physical.boost() {
                Ok(()) => tracing::debug!("the clock is boosted"),
                Err(error) => tracing::debug!(%error, "the clock is not boosted"),
            }
            next.store(monotonic_ns() + PERIOD, Ordering::Relaxed);
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Launches for ten seconds, each of which the device works on for so many milliseconds, with pauses between them. How many boosts
    /// are due.
    fn boosts(work: u64, pause: u64) -> usize {
        let boost = Boost::new(true);
        let mut now = boost.idle_since.load(Ordering::Relaxed);
        let end = now + 10_000_000_000;
        let mut due = 0;
        while now < end {
            if boost.is_due(now) {
                due += 1;
                boost.next.store(now + PERIOD, Ordering::Relaxed);
            }
            now += work * 1_000_000;
            boost.idle_since.store(now, Ordering::Relaxed);
            now += pause * 1_000_000;
        }
        due
    }

    #[test]
    fn a_device_that_rests_is_boosted() {
        for (work, pause, expected) in
            [(1, 1, 3), (1, 200, 3), (1, 4000, 2), (9, 1, 0), (100, 5, 0)]
        {
            assert_eq!(
                boosts(work, pause),
                expected,
                "{work} ms of work, {pause} ms of rest"
            );
        }
    }

    #[test]
    fn other_drivers_are_left_alone() {
        let boost = Boost::new(false);
        assert!(!boost.may_come());
    }
}
