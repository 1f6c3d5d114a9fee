//! How far a queue is: its timeline, read and waited for.
//!
//! NVIDIA's vkWaitSemaphores sometimes sleeps 10 ms too long (driver 580, for waits of more than 0.1 ms), so a wait polls:
//! first without pauses, then with pauses that are a small part of the time waited so far. Only long waits block in the
//! driver. Linux lets a thread sleep 50 us too long, which is more than a small transfer takes, so the pauses of a thread in
//! which the application waits are exact.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::os::exit;
use crate::os::time::sleep_exactly;
use crate::runtime::support::error::ClResult;
use crate::vk::caps::Kind;
use crate::vk::device::Device;
use crate::vk::sync::Timeline;

/// How long a waiting thread polls before it blocks.
const SPIN: Duration = Duration::from_micros(500);
/// The same on a CPU device, which needs the processor that would be polling.
const SPIN_CPU: Duration = Duration::from_micros(5);
/// Pauses between later polls are this part of the time waited, within the bounds below.
const PAUSE_PART: u32 = 256;
/// The same for a thread for which the application does not wait.
const IDLE_PAUSE_PART: u32 = 16;
const PAUSE: (Duration, Duration) = (Duration::from_micros(10), Duration::from_millis(1));
/// How long a waiting thread polls before it blocks. On a CPU device polling ends at `SPIN_CPU`.
const POLL: Duration = Duration::from_millis(100);

/// A wait for the device of this length is logged.
const LONG: Duration = Duration::from_secs(10);

/// A queue's timeline and how far it is known to be.
pub struct Progress {
    pub timeline: Timeline,
    done: AtomicU64,
    lost: AtomicBool,
    spin: Duration,
    poll: Duration,
}

impl Progress {
    pub fn new(device: &Arc<Device>) -> ClResult<Progress> {
        let timeline = Timeline::new(device)?;
        let (spin, poll) = match device.caps().kind {
            Kind::Cpu => (SPIN_CPU, SPIN_CPU),
            _ => (SPIN, POLL),
        };
        Ok(Progress {
            done: AtomicU64::new(timeline.start()),
            timeline,
            lost: AtomicBool::new(false),
            spin,
            poll,
        })
    }

    /// Whether the device is lost, so that nothing submitted will complete.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    pub fn set_lost(&self) {
        self.lost.store(true, Ordering::Relaxed);
    }

    /// Whether batch `value` has completed, or never will because the device is lost.
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

    /// Waits until `reached`.
    pub fn wait(&self, value: u64) {
        self.wait_with(value, self.spin);
    }

    /// Like `wait`, with longer pauses that leave the processor to other threads.
    pub fn wait_idly(&self, value: u64) {
        self.wait_with(value, Duration::ZERO);
    }

    fn wait_with(&self, value: u64, spin: Duration) {
        let start = Instant::now();
        let mut noted = false;
        while !self.reached(value) {
            if exit::is_over() {
                self.set_lost();
            }
            let waited = start.elapsed();
            if waited < spin {
                std::hint::spin_loop();
            } else if waited < self.poll && spin.is_zero() {
                std::thread::sleep((waited / IDLE_PAUSE_PART).clamp(PAUSE.0, PAUSE.1));
            } else if waited < self.poll {
                sleep_exactly((waited / PAUSE_PART).clamp(PAUSE.0, PAUSE.1));
            } else if exit::idle(|| self.timeline.wait(value, 1_000_000_000)).is_err() {
                self.set_lost();
            } else if waited > LONG && !std::mem::replace(&mut noted, true) {
                tracing::debug!(value, reached = self.poll(), "waiting for the device");
            }
        }
    }
}
