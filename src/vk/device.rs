//! An open Vulkan device: functions, queues, pipeline layout, pipeline cache, clocks.

use std::collections::VecDeque;
use std::ffi::{CStr, CString, c_void};
use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, RwLock, Weak};
use std::time::{Duration, Instant};

use ash::android::external_memory_android_hardware_buffer::Device as HardwareBuffers;
use ash::vk;
use gpu_allocator::vulkan::{Allocation, Allocator, AllocatorCreateDesc};

use crate::os::exit;
use crate::os::sync::Unpoisoned;
use crate::os::time::host_ns;

use super::caps::{Caps, HOST_CLOCK, Kind, PhysicalDevice};
use super::command::Recorder;
use super::descriptor::MemoryLayout;
use super::error::{Error, Result};
use super::fault;
use super::features::{Features, NEVER, Offer};
use super::fences::{Fence, Kept, Order};
use super::semaphore::{Semaphore, Semaphores};
use super::spare::Spares;
use super::storage_buffers::{self, StorageBuffers};
use super::sync::{Counter, Timeline};

/// Bytes of push constants in the one pipeline layout, where the device has as many.
const PUSH_CONSTANTS: u32 = 256;

/// So many semaphores that nobody has are not destroyed yet.
const DEAD: usize = 64;

/// After so many bytes are taken the budget is queried again, because other processes take memory, too.
const BUDGET_AGE: u64 = 256 << 20;

/// A Vulkan device. Everything made from it holds an Arc of it.
pub struct Device {
    pub(super) raw: ash::Device,
    pub(super) timeline: ash::khr::timeline_semaphore::DeviceFn,
    pub(super) address: ash::khr::buffer_device_address::DeviceFn,
    pub(super) group: ash::khr::device_group::DeviceFn,
    pub(super) host_memory: Option<ash::ext::external_memory_host::Device>,
    pub(super) memory_fd: Option<ash::khr::external_memory_fd::Device>,
    pub(super) semaphore_fd: Option<ash::khr::external_semaphore_fd::Device>,
    pub(super) hardware_buffer: Option<HardwareBuffers>,
    pub(super) map: Option<ash::khr::map_memory2::Device>,
    calibrated: Option<ash::khr::calibrated_timestamps::DeviceFn>,
    /// What drivers tell of pipelines, where a profile asks for it.
    pub(super) statistics: Option<ash::khr::pipeline_executable_properties::Device>,
    names: Option<ash::ext::debug_utils::Device>,
    /// Bytes of device memory that may be taken before the budget is asked for again.
    budget: AtomicU64,
    pub(super) spares: Mutex<Spares>,
    /// `None` only while the device is destroyed.
    pub(super) allocator: Mutex<Option<Allocator>>,
    queues: Vec<Mutex<vk::Queue>>,
    /// Idle timeline semaphores and their values, for reuse.
    timelines: Mutex<Vec<(vk::Semaphore, u64)>>,
    /// Binary semaphores that nobody has any more, the oldest first.
    dead: Mutex<VecDeque<vk::Semaphore>>,
    /// In their place, where the device has none.
    fences: Mutex<Kept>,
    order: Option<Order>,
    next_queue: AtomicUsize,
    pub(super) storage: StorageBuffers,
    /// The pipeline layout of kernels.
    pub(super) layout: vk::PipelineLayout,
    /// The layouts of the runtime's own kernels.
    pub(super) memory: MemoryLayout,
    /// Written while caches are merged, read while pipelines are made.
    pub(super) cache: RwLock<vk::PipelineCache>,
    lost: AtomicBool,
    physical: PhysicalDevice,
}

/// Devices whose work is done by threads of this process.
static CPUS: Mutex<Vec<Weak<Device>>> = Mutex::new(Vec::new());

/// How long the end of the process, or a fork, waits for their work. Busy processors need seconds for what takes them tenths
/// when they are idle: the driver compiles at the first launch.
const LONGEST_WAIT: Duration = Duration::from_secs(10);

/// Waits at the end of the process for what was submitted to drivers that work on threads of this process: exit
/// handlers would free what these threads use. Other drivers need no wait.
fn finish_cpus() {
    let all = std::mem::take(&mut *CPUS.lock().unpoisoned());
    wait_for(&all);
}

/// The same for a fork. Takes no lock that is held.
fn pause_cpus() {
    if let Ok(all) = CPUS.try_lock() {
        wait_for(&all);
    }
}

fn wait_for(devices: &[Weak<Device>]) {
    let until = Instant::now() + LONGEST_WAIT;
    for device in devices.iter().filter_map(Weak::upgrade) {
        for queue in &device.queues {
            // The lock is held while another thread submits.
            let queue = loop {
                match queue.try_lock() {
                    Ok(queue) => break Some(queue),
                    Err(_) if Instant::now() > until => break None,
                    Err(_) => std::thread::sleep(Duration::from_millis(1)),
                }
            };
            if let Some(queue) = queue {
                device.wait_idle(*queue, until);
            }
        }
    }
}

fn raw_semaphores(semaphores: &[Arc<Semaphore>]) -> Vec<vk::Semaphore> {
    semaphores.iter().map(|semaphore| semaphore.raw).collect()
}

/// One of the device's queues: an index, so that the lock around it is always taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueueIndex(usize);

/// How soon the device is to work on a queue, beside others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Priority {
    High,
    #[default]
    Medium,
    Low,
}

/// The queues of a priority, of `count`. A few are for all priorities: each of its own would leave too few.
fn queues_of(priority: Priority, count: usize) -> Range<usize> {
    match priority {
        _ if count < 4 => 0..count,
        Priority::High => count - 1..count,
        Priority::Low => count - 2..count - 1,
        Priority::Medium => 0..count - 2,
    }
}

/// Vulkan's priority of each queue: 0 to 1.
fn priorities(count: usize) -> Vec<f32> {
    let of = |i: usize| match i {
        i if queues_of(Priority::Medium, count).contains(&i) => 0.5,
        i if queues_of(Priority::High, count).contains(&i) => 1.0,
        _ => 0.0,
    };
    (0..count).map(of).collect()
}

/// The push-constant range that all pipeline layouts have.
pub(super) fn push_constants(caps: &Caps) -> vk::PushConstantRange {
    vk::PushConstantRange {
        stage_flags: vk::ShaderStageFlags::COMPUTE,
        offset: 0,
        size: PUSH_CONSTANTS.min(caps.max_push_constants),
    }
}

impl PhysicalDevice {
    /// Creates the device with every useful feature on. `first_storage_buffer`: the high word of addresses in the first storage
    /// buffer, where the device has no addresses of its own.
    pub fn open(&self, first_storage_buffer: u32) -> Result<Arc<Device>> {
        let instance = &self.instance.raw;
        let offer = Offer::query(&self.instance, self.raw);
        let mut features = Features::query(&self.instance, self.raw, &offer);
        let names: Vec<_> = offer.enabled().iter().map(|n| n.as_ptr()).collect();
        let family = self
            .caps
            .queue_family
            .ok_or(Error::Other(vk::Result::ERROR_FEATURE_NOT_PRESENT))?;
        let priorities = priorities(self.caps.queue_count as usize);
        let queue_infos = [vk::DeviceQueueCreateInfo::default()
            .queue_family_index(family)
            .queue_priorities(&priorities)];
        let mut head = features.enable(&offer);
        let info = vk::DeviceCreateInfo::default()
            .queue_create_infos(&queue_infos)
            .enabled_extension_names(&names)
            .push_next(&mut head);
        // SAFETY: extensions and features were offered; `info` and its chain are alive.
        let raw = unsafe { instance.create_device(self.raw, &info, None) }?;

        let load = |core: u32| {
            let is_core = offer.version >= core;
            let raw = &raw;
            move |name: &CStr| self.load(raw, name, is_core)
        };
        let queues = (0..self.caps.queue_count)
            // SAFETY: the family was asked for that many queues.
            .map(|i| Mutex::new(unsafe { raw.get_device_queue(family, i) }))
            .collect();
        let range = [push_constants(&self.caps)];
        let storage = StorageBuffers::new(
            storage_buffers::layout(&raw, &self.caps)?,
            first_storage_buffer,
        );
        let sets = [storage.layout];
        let with_sets = usize::from(self.caps.storage_buffers > 0);
        let layout_info = vk::PipelineLayoutCreateInfo::default()
            .set_layouts(&sets[..with_sets])
            .push_constant_ranges(&range);
        let mut debug_settings = gpu_allocator::AllocatorDebugSettings::default();
        debug_settings.log_leaks_on_shutdown = false;
        let allocator = Allocator::new(&AllocatorCreateDesc {
            instance: instance.clone(),
            device: raw.clone(),
            physical_device: self.raw,
            debug_settings,
            buffer_device_address: self.caps.device_address,
            // Blocks are small at first: a process with one small buffer should not hold 256 MB.
            allocation_sizes: gpu_allocator::AllocationSizes::new(16 << 20, 16 << 20)
                .with_max_device_memblock_size(256 << 20)
                .with_max_host_memblock_size(64 << 20),
        });
        // SAFETY: the device is alive, the infos valid.
        let made = unsafe {
            (
                raw.create_pipeline_layout(&layout_info, None),
                MemoryLayout::new(&raw, &range),
                raw.create_pipeline_cache(&vk::PipelineCacheCreateInfo::default(), None),
                (!self.caps.timeline_semaphore)
                    .then(|| Order::new(&raw, family))
                    .transpose(),
            )
        };
        let (order, unordered) = match made.3 {
            Ok(order) => (order, None),
            Err(error) => (None, Some(error)),
        };
        let device = Device {
            timeline: ash::khr::timeline_semaphore::DeviceFn::load(load(vk::API_VERSION_1_2)),
            address: ash::khr::buffer_device_address::DeviceFn::load(load(vk::API_VERSION_1_2)),
            group: ash::khr::device_group::DeviceFn::load(load(vk::API_VERSION_1_1)),
            host_memory: (self.caps.host_pointer_align != 0)
                .then(|| ash::ext::external_memory_host::Device::new(instance, &raw)),
            memory_fd: offer
                .has(ash::khr::external_memory_fd::NAME)
                .then(|| ash::khr::external_memory_fd::Device::new(instance, &raw)),
            semaphore_fd: offer
                .has(ash::khr::external_semaphore_fd::NAME)
                .then(|| ash::khr::external_semaphore_fd::Device::new(instance, &raw)),
            hardware_buffer: (self.caps.hardware_buffer.imports)
                .then(|| HardwareBuffers::new(instance, &raw)),
            map: (self.caps.placed_align != 0)
                .then(|| ash::khr::map_memory2::Device::new(instance, &raw)),
            calibrated: self
                .caps
                .calibrated
                .then(|| ash::khr::calibrated_timestamps::DeviceFn::load(load(NEVER))),
            statistics: (features.executable.pipeline_executable_info != 0)
                .then(|| ash::khr::pipeline_executable_properties::Device::new(instance, &raw)),
            names: (self.instance.names)
                .then(|| ash::ext::debug_utils::Device::new(instance, &raw)),
            budget: AtomicU64::new(0),
            spares: Mutex::default(),
            allocator: Mutex::new(None),
            queues,
            timelines: Mutex::default(),
            dead: Mutex::default(),
            fences: Mutex::default(),
            order,
            next_queue: AtomicUsize::new(0),
            storage,
            layout: made.0.unwrap_or_default(),
            memory: made.1.unwrap_or_default(),
            cache: RwLock::new(made.2.unwrap_or_default()),
            lost: AtomicBool::new(false),
            physical: self.clone(),
            raw,
        };
        exit::finish_drivers(finish_cpus, pause_cpus, self.caps.kind != Kind::Cpu);
        // From here on dropping `device` cleans up.
        device.name(made.0?, || "layout of all kernels".into());
        let memory = made.1?;
        device.name(memory.layout, || "layout of the runtime's programs".into());
        device.name(memory.set, || "memory of the runtime's programs".into());
        for (number, queue) in device.queues.iter().enumerate() {
            let queue = *queue.lock().unpoisoned();
            device.name(queue, || format!("queue {number}"));
        }
        device.name(made.2?, || "pipeline cache".into());
        if let Some(order) = &device.order {
            device.name(order.pool, || "order of batches".into());
            device.name(order.raw, || "order of batches".into());
        }
        unordered.map_or(Ok(()), Err)?;
        let allocator = allocator.map_err(|_| Error::OutOfHostMemory)?;
        *device.lock_allocator() = Some(allocator);
        let device = Arc::new(device);
        if self.caps.kind == Kind::Cpu {
            let mut all = CPUS.lock().unpoisoned();
            all.retain(|other| other.strong_count() > 0);
            all.push(Arc::downgrade(&device));
        }
        Ok(device)
    }

    /// A function that is core on some devices and an extension on others: `name` ends in KHR. Where it is core it has none
    /// of these endings.
    fn load(&self, device: &ash::Device, name: &CStr, is_core: bool) -> *const c_void {
        let stem = name.to_string_lossy();
        let stem = stem.trim_end_matches("KHR");
        let suffixes: &[&str] = match is_core {
            true => &[""],
            false => &["KHR", "EXT"],
        };
        suffixes
            .iter()
            .find_map(|suffix| {
                let name = CString::new(format!("{stem}{suffix}")).ok()?;
                // SAFETY: the device is alive and made from this instance.
                unsafe {
                    self.instance
                        .raw
                        .get_device_proc_addr(device.handle(), name.as_ptr())
                }
            })
            .map_or(std::ptr::null(), |f| f as *const c_void)
    }
}

impl Device {
    pub fn caps(&self) -> &Arc<Caps> {
        &self.physical.caps
    }

    pub fn physical(&self) -> &PhysicalDevice {
        &self.physical
    }

    /// Bytes of push constants that a pipeline may use.
    pub fn push_constants(&self) -> u32 {
        PUSH_CONSTANTS.min(self.caps().max_push_constants)
    }

    /// The device has failed for good.
    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Returns the result and notes if the device is lost.
    pub(super) fn check<T>(&self, result: std::result::Result<T, vk::Result>) -> Result<T> {
        result.map_err(|e| {
            let error = Error::from(e);
            if error == Error::DeviceLost {
                self.lost.store(true, Ordering::Relaxed);
            }
            error
        })
    }

    /// Names an object for validation messages and tools, where somebody asked for names.
    pub(super) fn name(&self, object: impl vk::Handle, text: impl FnOnce() -> String) {
        let Some(functions) = &self.names else {
            return;
        };
        // The text has no 0 any more, so this does not fail.
        let text = CString::new(text().replace('\0', "")).unwrap_or_default();
        let info = vk::DebugUtilsObjectNameInfoEXT::default()
            .object_handle(object)
            .object_name(&text);
        // SAFETY: the object is alive and nobody else has it yet; the extension is on.
        if let Err(error) = unsafe { functions.set_debug_utils_object_name(&info) } {
            tracing::debug!(%error, "an object has no name");
        }
    }

    /// Called before `size` bytes of device memory are taken. OutOfDeviceMemory if they exceed the budget: beyond it some
    /// drivers take host memory, which is a hundred times slower, and crash when that runs out.
    pub(super) fn reserve(&self, size: u64) -> Result {
        let enough = |left: u64| left.checked_sub(size);
        if (self
            .budget
            .fetch_update(Ordering::Relaxed, Ordering::Relaxed, enough))
        .is_ok()
        {
            return Ok(());
        }
        let Some(budget) = self.physical.budget() else {
            return Ok(());
        };
        let Some(left) = budget.checked_sub(size) else {
            tracing::debug!(size, budget, "more memory than the driver's budget");
            return Err(Error::OutOfDeviceMemory);
        };
        self.budget.store(left.min(BUDGET_AGE), Ordering::Relaxed);
        Ok(())
    }

    pub(super) fn lock_allocator(&self) -> MutexGuard<'_, Option<Allocator>> {
        self.allocator.lock().unpoisoned()
    }

    pub(super) fn free(&self, allocation: Allocation) {
        if let Some(allocator) = self.lock_allocator().as_mut() {
            // This fails only for another allocator's allocation.
            let _ = allocator.free(allocation);
        }
    }

    pub(super) fn lock_timelines(&self) -> MutexGuard<'_, Vec<(vk::Semaphore, u64)>> {
        self.timelines.lock().unpoisoned()
    }

    /// Destroys a semaphore of completed submissions when some more are to be destroyed: Mesa's submission thread still touches
    /// it after that.
    pub(super) fn destroy_later(&self, semaphore: vk::Semaphore) {
        let mut dead = self.dead.lock().unpoisoned();
        dead.push_back(semaphore);
        let oldest = (dead.len() > DEAD).then(|| dead.pop_front()).flatten();
        if let Some(oldest) = oldest {
            // SAFETY: nothing uses it any more.
            unsafe { self.raw.destroy_semaphore(oldest, None) };
        }
    }

    pub(super) fn lock_fences(&self) -> MutexGuard<'_, Kept> {
        self.fences.lock().unpoisoned()
    }

    /// Picks a queue for a new stream of work, round-robin.
    pub fn pick_queue(&self, priority: Priority) -> QueueIndex {
        let queues = queues_of(priority, self.queues.len());
        let next = self.next_queue.fetch_add(1, Ordering::Relaxed);
        QueueIndex(queues.start + next % queues.len())
    }

    pub(super) fn lock_queue(&self, queue: QueueIndex) -> MutexGuard<'_, vk::Queue> {
        self.queues[queue.0].lock().unpoisoned()
    }

    /// Submits a finished recording behind `waits`; `signal` is reached when it is done.
    /// Everything that it uses must live until then.
    pub fn submit(
        &self,
        queue: QueueIndex,
        recorder: &Recorder,
        waits: &[(&Timeline, u64)],
        signal: (&Timeline, u64),
    ) -> Result {
        self.submit_with(queue, recorder, waits, signal, &Semaphores::default())
    }

    /// The same with semaphores of others. What the host submitted before must signal those that it waits for.
    pub fn submit_with(
        &self,
        queue: QueueIndex,
        recorder: &Recorder,
        waits: &[(&Timeline, u64)],
        signal: (&Timeline, u64),
        others: &Semaphores,
    ) -> Result {
        if self.is_lost() {
            return Err(Error::DeviceLost);
        }
        if let Err(error) = fault::inject(fault::Kind::Submit) {
            // A lost device runs nothing any more, so the injected loss waits for what still runs.
            for queue in &self.queues {
                let queue = queue.lock().unpoisoned();
                // SAFETY: the queue is locked.
                let _ = unsafe { self.raw.queue_wait_idle(*queue) };
            }
            self.lost.store(true, Ordering::Relaxed);
            return Err(error);
        }
        match &signal.0.counter {
            Counter::Semaphore { raw, .. } => {
                self.submit_with_semaphores(queue, recorder, waits, (*raw, signal.1), others)
            }
            Counter::Fences(fences) => {
                let fence = Fence::new(&signal.0.device)?;
                let order = self.order.iter().filter(|_| !waits.is_empty());
                let commands: Vec<_> = order
                    .map(|order| order.raw)
                    .chain([recorder.raw()])
                    .collect();
                let waits = raw_semaphores(&others.waits);
                let stages = vec![vk::PipelineStageFlags::ALL_COMMANDS; waits.len()];
                let signals = raw_semaphores(&others.signals);
                let info = vk::SubmitInfo::default()
                    .wait_semaphores(&waits)
                    .wait_dst_stage_mask(&stages)
                    .command_buffers(&commands)
                    .signal_semaphores(&signals);
                fence.submit(*self.lock_queue(queue), &info)?;
                fences.add(signal.1, fence);
                Ok(())
            }
        }
    }

    fn submit_with_semaphores(
        &self,
        queue: QueueIndex,
        recorder: &Recorder,
        waits: &[(&Timeline, u64)],
        signal: (vk::Semaphore, u64),
        others: &Semaphores,
    ) -> Result {
        let raw = |wait: &(&Timeline, u64)| match wait.0.counter {
            Counter::Semaphore { raw, .. } => Some((raw, wait.1)),
            Counter::Fences(_) => None,
        };
        let (mut semaphores, mut values): (Vec<_>, Vec<_>) = waits.iter().filter_map(raw).unzip();
        semaphores.extend(raw_semaphores(&others.waits));
        let stages = vec![vk::PipelineStageFlags::ALL_COMMANDS; semaphores.len()];
        let mut signals = raw_semaphores(&others.signals);
        signals.push(signal.0);
        // Binary semaphores have values, too, which say nothing.
        values.resize(semaphores.len(), 0);
        let mut signal_values = vec![0; others.signals.len()];
        signal_values.push(signal.1);
        let commands = [recorder.raw()];
        let mut timeline = vk::TimelineSemaphoreSubmitInfo::default()
            .wait_semaphore_values(&values)
            .signal_semaphore_values(&signal_values);
        let info = vk::SubmitInfo::default()
            .wait_semaphores(&semaphores)
            .wait_dst_stage_mask(&stages)
            .command_buffers(&commands)
            .signal_semaphores(&signals)
            .push_next(&mut timeline);
        let queue = self.lock_queue(queue);
        // SAFETY: the queue is locked; handles are alive; the caller keeps what they use.
        self.check(unsafe { self.raw.queue_submit(*queue, &[info], vk::Fence::null()) })
    }

    /// Waits until a locked queue is idle, but no longer than `until`.
    fn wait_idle(&self, queue: vk::Queue, until: Instant) {
        let left = until.saturating_duration_since(Instant::now());
        // SAFETY: the device is alive, the queue locked; the fence goes when it is signalled, and
        // stays when it is not.
        unsafe {
            let Ok(fence) = self.raw.create_fence(&vk::FenceCreateInfo::default(), None) else {
                return;
            };
            let submitted = self.raw.queue_submit(queue, &[], fence).is_ok();
            let wait = |fence| (self.raw).wait_for_fences(&[fence], true, left.as_nanos() as u64);
            if !submitted || wait(fence).is_ok() {
                self.raw.destroy_fence(fence, None);
            }
        }
    }

    /// The device's clock and the host's ([`HOST_CLOCK`]) at one moment, in nanoseconds. `None` if the device cannot read both.
    pub fn clocks(&self) -> Option<(u64, u64)> {
        let f = self.calibrated.as_ref()?;
        let domains = [vk::TimeDomainKHR::DEVICE, HOST_CLOCK];
        let infos = domains.map(|d| vk::CalibratedTimestampInfoKHR::default().time_domain(d));
        let mut times = [0u64; 2];
        let mut deviation = 0u64;
        // SAFETY: two infos, two results; the extension is enabled.
        let result = unsafe {
            (f.get_calibrated_timestamps_khr)(
                self.raw.handle(),
                2,
                infos.as_ptr(),
                times.as_mut_ptr(),
                &mut deviation,
            )
        };
        (result == vk::Result::SUCCESS).then(|| (self.ticks_to_ns(times[0]), host_ns(times[1])))
    }

    /// Converts timestamp steps to nanoseconds.
    pub fn ticks_to_ns(&self, ticks: u64) -> u64 {
        let period = f64::from(self.caps().timestamp_period);
        if period == 1.0 {
            ticks
        } else {
            (ticks as f64 * period) as u64
        }
    }

    /// The pipeline cache as bytes, for a file.
    pub fn cache_data(&self) -> Vec<u8> {
        let cache = self.cache.read().unpoisoned();
        // SAFETY: the cache is alive; reading it is internally synchronised.
        unsafe { self.raw.get_pipeline_cache_data(*cache) }.unwrap_or_default()
    }

    /// Adds what an earlier [`Device::cache_data`] returned. The driver checks the header
    /// and ignores foreign data; the caller vouches that the bytes are undamaged.
    pub fn add_cache_data(&self, data: &[u8]) -> Result {
        let info = vk::PipelineCacheCreateInfo::default().initial_data(data);
        let cache = self.cache.write().unpoisoned();
        // SAFETY: the write lock keeps everybody else from the destination.
        unsafe {
            let other = self.check(self.raw.create_pipeline_cache(&info, None))?;
            let merged = self.raw.merge_pipeline_caches(*cache, &[other]);
            self.raw.destroy_pipeline_cache(other, None);
            self.check(merged)
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: whatever was made from the device held an Arc of it and is gone; the
        // allocator frees its memory before the device goes.
        unsafe {
            let _ = self.raw.device_wait_idle();
            self.drop_spares();
            drop(self.lock_allocator().take());
            for (semaphore, _) in self.lock_timelines().drain(..) {
                self.raw.destroy_semaphore(semaphore, None);
            }
            for semaphore in self.dead.lock().unpoisoned().drain(..) {
                self.raw.destroy_semaphore(semaphore, None);
            }
            self.lock_fences().destroy(&self.raw);
            if let Some(order) = &self.order {
                order.destroy(&self.raw);
            }
            let cache = *self.cache.read().unpoisoned();
            self.raw.destroy_pipeline_cache(cache, None);
            self.raw.destroy_pipeline_layout(self.layout, None);
            self.memory.destroy(&self.raw);
            self.storage.destroy(&self.raw);
            self.raw.destroy_device(None);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn priorities_have_queues_of_their_own() {
        assert_eq!(priorities(1), [0.5]);
        assert_eq!(priorities(3), [0.5; 3]);
        assert_eq!(priorities(5), [0.5, 0.5, 0.5, 0.0, 1.0]);
        for count in 1..20 {
            let all = [Priority::High, Priority::Medium, Priority::Low];
            for queues in all.map(|priority| queues_of(priority, count)) {
                assert!(!queues.is_empty() && queues.end <= count);
            }
        }
    }
}
