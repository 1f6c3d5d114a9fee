//! An OpenCL device: one Vulkan device, its compiler target, and the facts that queries
//! report.

use std::sync::Arc;

use crate::compiler::target::Target;
use crate::runtime::error::{ClError, ClResult};

/// Kind of device (CL_DEVICE_TYPE).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceType {
    Cpu,
    Gpu,
    Accelerator,
}

/// Facts for clGetDeviceInfo that do not follow from [`Target`]. Sizes in bytes.
#[derive(Debug, Clone)]
pub struct DeviceFacts {
    pub name: String,
    pub vendor: String,
    pub vendor_id: u32,
    /// The Vulkan driver's name and version text, for CL_DRIVER_VERSION.
    pub driver: String,
    pub device_type: DeviceType,
    /// CL_DEVICE_UUID_KHR, CL_DRIVER_UUID_KHR; CL_DEVICE_LUID_KHR and node mask if valid.
    pub device_uuid: [u8; 16],
    pub driver_uuid: [u8; 16],
    pub luid: Option<([u8; 8], u32)>,
    /// Domain, bus, device, function.
    pub pci: Option<[u32; 4]>,
    /// The device's memory is the host's (CL_DEVICE_HOST_UNIFIED_MEMORY).
    pub unified_memory: bool,
    pub global_mem_size: u64,
    pub max_alloc_size: u64,
    pub global_cache_line: u32,
    pub local_mem_size: u64,
    pub max_work_group_size: u32,
    pub max_work_item_sizes: [u32; 3],
    /// Work-groups per dimension of one dispatch; larger grids are split.
    pub max_group_count: [u32; 3],
    /// Multiple for CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE.
    pub subgroup_size: u32,
    pub max_sub_groups: u32,
    pub compute_units: u32,
    /// MHz; 0 when the driver does not tell.
    pub max_clock: u32,
    /// CL_DEVICE_MEM_BASE_ADDR_ALIGN in bits.
    pub mem_base_align_bits: u32,
    /// Nanoseconds per step of the profiling timer, rounded up.
    pub timer_resolution: u64,
    /// Kernels can be profiled (timestamp queries work on the compute queue).
    pub profiling: bool,
    /// Host and device clocks can be read together (clGetDeviceAndHostTimer).
    pub host_timer: bool,
    /// CL_MEM_USE_HOST_PTR needs this alignment to be zero-copy; 0 when it is always copied.
    pub host_ptr_align: u64,
    /// Hash input for on-disk caches: changes with device and driver.
    pub cache_key: String,
}

/// A device of the platform. Opened (the Vulkan device created) on first use.
pub struct Device {
    target: Target,
    facts: DeviceFacts,
}

impl Device {
    /// All usable devices, asked once per process, most capable first; and for each
    /// Vulkan device that is not usable its name and why.
    pub fn all() -> (&'static [Arc<Device>], &'static [(String, String)]) {
        (&[], &[])
    }

    pub fn target(&self) -> &Target {
        &self.target
    }

    pub fn facts(&self) -> &DeviceFacts {
        &self.facts
    }

    /// Creates the Vulkan device if that has not happened. DEVICE_NOT_AVAILABLE when it fails.
    pub fn open(&self) -> ClResult {
        Err(ClError::DEVICE_NOT_AVAILABLE)
    }

    /// Bytes of the pipeline cache, to be kept on disk. Empty when there is nothing.
    pub fn pipeline_cache(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Adds pipelines of an earlier [`Device::pipeline_cache`]; damaged or foreign data is
    /// ignored. Before the first kernel is created, best.
    pub fn add_pipeline_cache(&self, _data: &[u8]) -> ClResult {
        self.open()
    }

    /// (device, host) clocks in nanoseconds at one moment, the host's being
    /// CLOCK_MONOTONIC; profiling times are on the host's.
    pub fn clocks(&self) -> ClResult<(u64, u64)> {
        Err(ClError::INVALID_OPERATION)
    }
}
