//! How far a queue is: its timeline semaphore, read and waited for.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::runtime::error::ClResult;
use crate::vk::caps::Kind;
use crate::vk::device::Device;
use crate::vk::sync::Timeline;

/// How long a waiting thread polls before it blocks.
const SPIN: Duration = Duration::from_micros(100);
/// The same where the "device" needs the processor that would be polling.
const SPIN_CPU: Duration = Duration::from_micros(5);
/// A queue's timeline semaphore and how far it is known to be.
pub struct Progress {
    pub timeline: Timeline,
    done: AtomicU64,
    lost: AtomicBool,
    spin: Duration,
}

impl Progress {
    pub fn new(device: &Arc<Device>) -> ClResult<Progress> {
        let timeline = Timeline::new(device)?;
        Ok(Progress {
            done: AtomicU64::new(timeline.start()),
            timeline,
            lost: AtomicBool::new(false),
            spin: match device.caps().kind {
                Kind::Cpu => SPIN_CPU,
                _ => SPIN,
            },
        })
    }

    /// The device has failed: whatever was submitted never completes.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    pub fn set_lost(&self) {
        self.lost.store(true, Ordering::Relaxed);
    }

    /// Batch `value` has completed, or never will.
    pub fn reached(&self, value: u64) -> bool {
        value <= self.done.load(Ordering::Acquire)
            || self.lost.load(Ordering::Relaxed)
            || self.poll() >= value
    }

    fn poll(&self) -> u64 {
        match self.timeline.value() {
            Ok(value) => {
                self.done.fetch_max(value, Ordering::AcqRel);
                value
            }
            Err(_) => {
                self.lost.store(true, Ordering::Relaxed);
                u64::MAX
            }
        }
    }

    /// Waits until `reached`, polling first.
    pub fn wait(&self, value: u64) {
        let start = Instant::now();
        while !self.reached(value) {
            if start.elapsed() < self.spin {
                std::hint::spin_loop();
                continue;
            }
            match self.timeline.wait(value, 1_000_000_000) {
                Ok(_) => {}
                Err(_) => self.lost.store(true, Ordering::Relaxed),
            }
        }
    }
}
