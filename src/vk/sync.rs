//! The progress of queues, and timestamp queries.

use std::sync::Arc;

use ash::vk;

use super::device::Device;
use super::error::{Error, Result};
use super::fences::Fences;

/// A counter that submissions raise and that host and device wait for: a timeline semaphore, or fences where the device has
/// none ([`super::fences`]). Semaphores are reused instead of destroyed, because Mesa's submission thread still touches the
/// semaphores that a submission waited for after it has signalled that the submission is complete.
pub struct Timeline {
    pub(super) counter: Counter,
    pub(super) device: Arc<Device>,
}

/// What counts.
pub(super) enum Counter {
    Semaphore { raw: vk::Semaphore, start: u64 },
    Fences(Fences),
}

impl Timeline {
    /// The first value to signal is above [`Timeline::start`].
    pub fn new(device: &Arc<Device>) -> Result<Timeline> {
        let counter = match device.caps().timeline_semaphore {
            true => Timeline::semaphore(device)?,
            false => Counter::Fences(Fences::default()),
        };
        Ok(Timeline {
            counter,
            device: device.clone(),
        })
    }

    fn semaphore(device: &Arc<Device>) -> Result<Counter> {
        if let Some((raw, start)) = device.lock_timelines().pop() {
            return Ok(Counter::Semaphore { raw, start });
        }
        let mut kind =
            vk::SemaphoreTypeCreateInfo::default().semaphore_type(vk::SemaphoreType::TIMELINE);
        let info = vk::SemaphoreCreateInfo::default().push_next(&mut kind);
        // SAFETY: the device has the feature.
        let raw = device.check(unsafe { device.raw.create_semaphore(&info, None) })?;
        device.name(raw, || "progress of a queue".into());
        Ok(Counter::Semaphore { raw, start: 0 })
    }

    /// The value that it had when it was made.
    pub fn start(&self) -> u64 {
        match &self.counter {
            Counter::Semaphore { start, .. } => *start,
            Counter::Fences(_) => 0,
        }
    }

    /// The value reached so far.
    pub fn value(&self) -> Result<u64> {
        let raw = match &self.counter {
            Counter::Semaphore { raw, .. } => *raw,
            Counter::Fences(fences) => return fences.value(),
        };
        let mut value = 0;
        // SAFETY: device and semaphore are alive.
        let result = unsafe {
            (self.device.timeline.get_semaphore_counter_value_khr)(
                self.device.raw.handle(),
                raw,
                &mut value,
            )
        };
        self.device.check(result.result_with_success(value))
    }

    /// Blocks until the value is reached, `false` when `timeout_ns` passes before.
    pub fn wait(&self, value: u64, timeout_ns: u64) -> Result<bool> {
        let raw = match &self.counter {
            Counter::Semaphore { raw, .. } => *raw,
            Counter::Fences(fences) => return fences.wait(value, timeout_ns),
        };
        let semaphores = [raw];
        let values = [value];
        let info = vk::SemaphoreWaitInfo::default()
            .semaphores(&semaphores)
            .values(&values);
        // SAFETY: device and semaphore are alive.
        let result = unsafe {
            (self.device.timeline.wait_semaphores_khr)(self.device.raw.handle(), &info, timeout_ns)
        };
        match result {
            vk::Result::TIMEOUT => Ok(false),
            other => self.device.check(other.result().map(|()| true)),
        }
    }
}

impl Drop for Timeline {
    fn drop(&mut self) {
        // After a failed submission the value may still rise, so such a semaphore is not reused. Fences see to themselves.
        if let Ok(value) = self.value()
            && let Counter::Semaphore { raw, .. } = self.counter
        {
            self.device.lock_timelines().push((raw, value));
        }
    }
}

/// A pool of timestamp queries.
pub struct Timestamps {
    pub(super) raw: vk::QueryPool,
    count: u32,
    device: Arc<Device>,
}

impl Timestamps {
    pub fn new(device: &Arc<Device>, count: u32) -> Result<Timestamps> {
        let info = vk::QueryPoolCreateInfo::default()
            .query_type(vk::QueryType::TIMESTAMP)
            .query_count(count);
        // SAFETY: the info is valid.
        let raw = device.check(unsafe { device.raw.create_query_pool(&info, None) })?;
        device.name(raw, || "times of a batch".into());
        Ok(Timestamps {
            raw,
            count,
            device: device.clone(),
        })
    }

    pub fn count(&self) -> u32 {
        self.count
    }

    /// The first `count` timestamps in nanoseconds of the device clock; all of them must
    /// have been written by completed work.
    pub fn read(&self, count: u32) -> Result<Vec<u64>> {
        let mut ticks = vec![0u64; count as usize];
        if count == 0 {
            return Ok(ticks);
        }
        // SAFETY: `ticks` holds as many 64-bit results as are asked for.
        let result = unsafe {
            self.device.raw.get_query_pool_results(
                self.raw,
                0,
                &mut ticks,
                vk::QueryResultFlags::TYPE_64,
            )
        };
        match self.device.check(result) {
            Ok(()) => Ok(ticks
                .into_iter()
                .map(|t| self.device.ticks_to_ns(t))
                .collect()),
            Err(Error::Other(vk::Result::NOT_READY)) => Err(Error::DeviceLost),
            Err(e) => Err(e),
        }
    }
}

impl Drop for Timestamps {
    fn drop(&mut self) {
        // SAFETY: the owner drops it when no submission uses it any more.
        unsafe { self.device.raw.destroy_query_pool(self.raw, None) };
    }
}
