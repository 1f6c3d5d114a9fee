//! An OpenCL device: one Vulkan device, its compiler target, and the facts that queries
//! report.

use std::sync::{Arc, OnceLock};

use crate::compiler::kernel::FIRST_STORAGE_BUFFER;
use crate::compiler::target::Target;
use crate::os::processor::{self, DataCache};
use crate::runtime::gpu::boost::Boost;
use crate::runtime::gpu::facts::{DeviceFacts, cache_line, facts};
use crate::runtime::gpu::nvidia;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::gpu::target::{accept, with_found};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;
use crate::vk::caps::{Caps, Kind, PhysicalDevice};
use crate::vk::placed::By;

/// Functions that measure a device by running kernels on it. `gpu` gets them from outside, since queues and programs use
/// it.
pub struct Measures {
    /// Asks the device what its driver does.
    pub probe: fn(&Device) -> Found,
    /// Returns the clock frequency in MHz, never 0.
    pub clock: fn(&Arc<Device>) -> u32,
    /// Called before a device is opened, which takes long.
    pub opening: fn(&Target),
}

/// What probes say of a device.
pub enum Found {
    /// The device is not probed, or gave no answer.
    Nothing,
    /// The words that they add to the target.
    Words(String),
    /// Kernels cannot be run: why.
    Fault(String),
}

/// How SVM allocations of coarse grain come to have one address on host and device.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SvmMethod {
    /// Host and device use the same memory.
    Direct,
    /// The host has a mirror of the device's memory.
    Mirrored,
}

/// How a device comes to memory that the host accesses at the device's address.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostMethod {
    /// The driver maps host memory there.
    Direct,
    /// Memory is mapped there.
    Placed(By),
}

/// How a device comes to memory of its own at an address that the host uses for nothing else.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceMethod {
    /// It is the process's own memory.
    Direct,
    /// The address is reserved.
    Reserved,
}

/// What a device can do with unified shared memory.
#[derive(Debug, Clone, Copy, Default)]
pub struct UsmMethods {
    /// Host allocations, and shared ones of this device alone.
    pub host: Option<HostMethod>,
    pub device: Option<DeviceMethod>,
    /// It has imported memory at the host's address, so that it shares allocations with other such devices.
    pub cross: bool,
}

/// A device of the platform. Opened (the Vulkan device created) on first use.
pub struct Device {
    pub handle: Handle,
    /// The target before the device is probed.
    known: Target,
    found: OnceLock<Found>,
    /// Why the Vulkan device could not be created.
    failure: OnceLock<String>,
    target: OnceLock<Target>,
    facts: DeviceFacts,
    physical: PhysicalDevice,
    measures: &'static Measures,
    gpu: OnceLock<ClResult<Gpu>>,
    /// What trial allocations have found (memory/svm.rs).
    pub(in crate::runtime) svm: OnceLock<Option<SvmMethod>>,
    /// The same (memory/usm.rs).
    pub(in crate::runtime) usm: OnceLock<UsmMethods>,
    clock: OnceLock<u32>,
    cache: OnceLock<Option<DataCache>>,
}

impl Device {
    /// An OpenCL device for a Vulkan device. `Err` says why it cannot be used.
    pub fn of(physical: &PhysicalDevice, measures: &'static Measures) -> Result<Device, String> {
        let known = accept(&physical.caps)?;
        Ok(Device::new(physical.clone(), measures, known))
    }

    fn new(physical: PhysicalDevice, measures: &'static Measures, known: Target) -> Device {
        let mut facts = facts(&physical.caps);
        facts.max_scratch = known.max_scratch.into();
        Device {
            handle: Handle::default(),
            facts,
            known,
            found: OnceLock::new(),
            failure: OnceLock::new(),
            target: OnceLock::new(),
            gpu: OnceLock::new(),
            svm: OnceLock::new(),
            usm: OnceLock::new(),
            clock: OnceLock::new(),
            cache: OnceLock::new(),
            physical,
            measures,
        }
    }

    /// The same Vulkan device, opened again, with this target instead of its own.
    pub(in crate::runtime) fn with_target(&self, target: &Target) -> Arc<Device> {
        let device = Device::new(self.physical.clone(), self.measures, target.clone());
        let _ = device.target.set(target.clone());
        let _ = device.found.set(Found::Nothing);
        Arc::new(device)
    }

    /// The words that probes added to the target, if the device has been probed.
    pub fn found(&self) -> Option<&str> {
        match self.probed() {
            Found::Words(words) => Some(words),
            Found::Nothing | Found::Fault(_) => None,
        }
    }

    fn probed(&self) -> &Found {
        self.found.get_or_init(|| (self.measures.probe)(self))
    }

    /// Opens the device. Returns why it cannot be used after all: it cannot be created, or runs no kernels.
    pub fn fault(&self) -> Option<&str> {
        match (self.gpu(), self.probed()) {
            (Err(_), _) => Some(self.failure()),
            (Ok(_), Found::Fault(why)) => Some(why),
            (Ok(_), _) => None,
        }
    }

    /// Why the Vulkan device could not be created.
    pub(in crate::runtime) fn failure(&self) -> &str {
        self.failure.get().map_or("it cannot be opened", |why| why)
    }

    /// What the compiler may use. The first call probes the device if its driver has not been measured.
    pub fn target(&self) -> &Target {
        self.target.get_or_init(|| match self.found() {
            Some(words) => with_found(self.caps(), words),
            None => self.known.clone(),
        })
    }

    pub(in crate::runtime) fn known(&self) -> &Target {
        &self.known
    }

    pub fn facts(&self) -> &DeviceFacts {
        &self.facts
    }

    /// What Vulkan says about the device.
    pub fn caps(&self) -> &Caps {
        &self.physical.caps
    }

    /// CL_DEVICE_MAX_CLOCK_FREQUENCY in MHz. The first call measures it.
    pub fn max_clock(self: &Arc<Self>) -> u32 {
        *self.clock.get_or_init(|| (self.measures.clock)(self))
    }

    /// The cache between the device and its memory. `None` for GPUs that are not known: Vulkan does not report its size.
    pub fn data_cache(&self) -> Option<DataCache> {
        let caps = &self.physical.caps;
        *self.cache.get_or_init(|| match caps.kind {
            Kind::Cpu => processor::cache(),
            _ => nvidia::data_cache(self.facts().compute_capability?, caps.compute_units?),
        })
    }

    /// Bytes of a line of that cache. For a GPU it is what the vendor's GPUs usually have.
    pub fn cache_line(&self) -> u32 {
        let usual = || cache_line(&self.physical.caps);
        self.data_cache().map_or_else(usual, |cache| cache.line)
    }

    /// Creates the Vulkan device unless it exists. DEVICE_NOT_AVAILABLE if that fails, or if the device runs no kernels.
    pub fn open(&self) -> ClResult {
        match self.fault() {
            None => Ok(()),
            Some(_) => Err(ClError::DEVICE_NOT_AVAILABLE),
        }
    }

    pub(in crate::runtime) fn gpu(&self) -> ClResult<&Gpu> {
        let gpu = self.gpu.get_or_init(|| {
            // Runs while the driver creates the device.
            (self.measures.opening)(self.target());
            match self.physical.open(FIRST_STORAGE_BUFFER) {
                Ok(vk) => Ok(Gpu::new(vk, Boost::new(self.target().lowers_clock))),
                Err(error) => {
                    let why = format!("the Vulkan device cannot be created: {error}");
                    tracing::error!("{}: {why}", self.facts.name);
                    let _ = self.failure.set(why);
                    Err(ClError::DEVICE_NOT_AVAILABLE)
                }
            }
        });
        gpu.as_ref().map_err(|e| *e)
    }

    pub(in crate::runtime) fn is_discrete(&self) -> bool {
        self.physical.caps.kind == Kind::Discrete
    }

    /// Whether pipelines may be kept on disk. Those of a CPU are code for one processor and its settings, which the header of
    /// llvmpipe's cache does not contain.
    pub fn keeps_pipelines(&self) -> bool {
        self.physical.caps.kind != Kind::Cpu
    }

    /// The pipeline cache as bytes for the disk; empty if there is nothing to keep.
    pub fn pipeline_cache(&self) -> Vec<u8> {
        match self.gpu.get() {
            Some(Ok(gpu)) => gpu.vk.cache_data(),
            _ => Vec::new(),
        }
    }

    /// Adds pipelines of an earlier [`Device::pipeline_cache`], best before the first kernel is created. The driver ignores
    /// data of another driver. The caller has ruled out damage.
    pub fn add_pipeline_cache(&self, data: &[u8]) -> ClResult {
        Ok(self.gpu()?.vk.add_cache_data(data)?)
    }
}
