//! The progress of a queue where the device has no timeline semaphores: a fence for each submission.
//!
//! All work of such a device goes to one Vulkan queue ([`super::caps::Caps::queue_count`]). There a submission that waits for
//! earlier ones needs no semaphore: it begins with a barrier, which covers all that was submitted before ([`Order`]). What is
//! waited for has been submitted by then; the engine sees to that. Fences of one queue are signalled in the order of their
//! submissions, so a value is reached when its fence is signalled.
//!
//! A fence is used again when nobody waits for it any more: a thread that waits has a reference, and vkResetFences must not
//! meet it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use ash::vk;

use crate::os::sync::Unpoisoned;

use super::device::Device;
use super::error::{Error, Result};

/// The submissions of one queue.
#[derive(Default)]
pub(super) struct Fences {
    state: Mutex<State>,
    /// A submission was added.
    added: Condvar,
}

#[derive(Default)]
struct State {
    /// The value reached so far.
    done: u64,
    /// Submissions that are not known to be complete: their values, which rise, and fences.
    flight: VecDeque<(u64, Arc<Fence>)>,
}

/// A fence of one submission.
pub(super) struct Fence {
    raw: vk::Fence,
    /// It may still be signalled.
    pending: AtomicBool,
    device: Arc<Device>,
}

/// The fences of a device that nobody has.
#[derive(Default)]
pub(super) struct Kept {
    idle: Vec<vk::Fence>,
    /// Of submissions of which nobody knows whether they will complete.
    abandoned: Vec<vk::Fence>,
}

impl Kept {
    /// SAFETY: the device is idle, and nothing of it is used again.
    pub unsafe fn destroy(&mut self, device: &ash::Device) {
        for fence in self.idle.drain(..).chain(self.abandoned.drain(..)) {
            // SAFETY: as above.
            unsafe { device.destroy_fence(fence, None) };
        }
    }
}

impl Fence {
    /// A fence for [`Fence::submit`].
    pub fn new(device: &Arc<Device>) -> Result<Arc<Fence>> {
        let idle = device.lock_fences().idle.pop();
        let raw = match idle {
            Some(raw) => raw,
            None => {
                let info = vk::FenceCreateInfo::default();
                // SAFETY: the info is valid.
                let raw = device.check(unsafe { device.raw.create_fence(&info, None) })?;
                device.name(raw, || "progress of a queue".into());
                raw
            }
        };
        let fence = Fence {
            raw,
            pending: AtomicBool::new(false),
            device: device.clone(),
        };
        // SAFETY: nobody else has the fence, and no submission uses it.
        device.check(unsafe { device.raw.reset_fences(&[raw]) })?;
        Ok(Arc::new(fence))
    }

    /// Submits to a locked queue. The fence is signalled when the submission is complete.
    pub fn submit(&self, queue: vk::Queue, info: &vk::SubmitInfo) -> Result {
        let device = &self.device;
        // SAFETY: the queue is locked; the fence is not signalled; the caller keeps what the submission uses.
        let result = device.check(unsafe { device.raw.queue_submit(queue, &[*info], self.raw) });
        // Without memory nothing was submitted. After any other failure nobody knows.
        let refused = matches!(
            result,
            Err(Error::OutOfHostMemory | Error::OutOfDeviceMemory)
        );
        self.pending.store(!refused, Ordering::Release);
        result
    }

    fn is_signalled(&self) -> Result<bool> {
        let device = &self.device;
        // SAFETY: device and fence are alive.
        let signalled = device.check(unsafe { device.raw.get_fence_status(self.raw) })?;
        if signalled {
            self.pending.store(false, Ordering::Release);
        }
        Ok(signalled)
    }

    /// Blocks until the fence is signalled, `false` when the time passes before.
    fn wait(&self, timeout: Duration) -> Result<bool> {
        let device = &self.device;
        let ns = u64::try_from(timeout.as_nanos()).unwrap_or(u64::MAX);
        // SAFETY: device and fence are alive.
        match unsafe { device.raw.wait_for_fences(&[self.raw], true, ns) } {
            Err(vk::Result::TIMEOUT) => Ok(false),
            other => device.check(other.map(|()| true)),
        }
    }
}

impl Drop for Fence {
    fn drop(&mut self) {
        let mut kept = self.device.lock_fences();
        match *self.pending.get_mut() {
            false => kept.idle.push(self.raw),
            true => kept.abandoned.push(self.raw),
        }
    }
}

impl Fences {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unpoisoned()
    }

    /// Adds a submission. Its value is above that of the one before.
    pub fn add(&self, value: u64, fence: Arc<Fence>) {
        self.lock().flight.push_back((value, fence));
        self.added.notify_all();
    }

    /// The value reached so far.
    pub fn value(&self) -> Result<u64> {
        let mut state = self.lock();
        while let Some((value, fence)) = state.flight.front()
            && fence.is_signalled()?
        {
            state.done = *value;
            state.flight.pop_front();
        }
        Ok(state.done)
    }

    /// Blocks until the value is reached, `false` when `timeout_ns` passes before.
    pub fn wait(&self, value: u64, timeout_ns: u64) -> Result<bool> {
        let end = Instant::now() + Duration::from_nanos(timeout_ns);
        let left = || end.saturating_duration_since(Instant::now());
        let mut state = self.lock();
        let fence = loop {
            if state.done >= value {
                return Ok(true);
            }
            if let Some(found) = state.flight.iter().find(|row| row.0 >= value) {
                break found.1.clone();
            }
            // As with a semaphore, one may wait for what is not submitted yet.
            let (next, waited) = self.added.wait_timeout(state, left()).unpoisoned();
            if waited.timed_out() {
                return Ok(false);
            }
            state = next;
        };
        drop(state);
        if !fence.wait(left())? {
            return Ok(false);
        }
        Ok(self.value()? >= value)
    }
}

/// A recorded barrier between all that was submitted before and all that comes behind.
pub(super) struct Order {
    pub pool: vk::CommandPool,
    pub raw: vk::CommandBuffer,
}

impl Order {
    pub fn new(device: &ash::Device, family: u32) -> std::result::Result<Order, vk::Result> {
        let info = vk::CommandPoolCreateInfo::default().queue_family_index(family);
        // SAFETY: the family is the one that the device was created with.
        let pool = unsafe { device.create_command_pool(&info, None) }?;
        // SAFETY: the pool is new.
        let recorded = unsafe { record(device, pool) };
        // SAFETY: after an error nobody has the pool.
        let raw = recorded.inspect_err(|_| unsafe { device.destroy_command_pool(pool, None) })?;
        Ok(Order { pool, raw })
    }

    /// SAFETY: no submission uses it any more.
    pub unsafe fn destroy(&self, device: &ash::Device) {
        // SAFETY: as above.
        unsafe { device.destroy_command_pool(self.pool, None) };
    }
}

/// SAFETY: the pool is of the device, and nobody else has it.
unsafe fn record(
    device: &ash::Device,
    pool: vk::CommandPool,
) -> std::result::Result<vk::CommandBuffer, vk::Result> {
    let info = vk::CommandBufferAllocateInfo::default()
        .command_pool(pool)
        .command_buffer_count(1);
    // Several submissions in flight may begin with it.
    let begin =
        vk::CommandBufferBeginInfo::default().flags(vk::CommandBufferUsageFlags::SIMULTANEOUS_USE);
    let (reads, writes) = (vk::AccessFlags::MEMORY_READ, vk::AccessFlags::MEMORY_WRITE);
    let barrier = [vk::MemoryBarrier::default()
        .src_access_mask(writes)
        .dst_access_mask(reads | writes)];
    let all = vk::PipelineStageFlags::ALL_COMMANDS;
    let none = vk::DependencyFlags::empty();
    // SAFETY: as above; the infos are valid.
    unsafe {
        let raw = device.allocate_command_buffers(&info)?[0];
        device.begin_command_buffer(raw, &begin)?;
        device.cmd_pipeline_barrier(raw, all, all, none, &barrier, &[], &[]);
        device.end_command_buffer(raw)?;
        Ok(raw)
    }
}
