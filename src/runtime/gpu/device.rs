//! An OpenCL device: one Vulkan device, its compiler target, and the facts that queries
//! report.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use crate::compiler::kernel::{KernelInfo, TEXEL_SLOTS};
use crate::compiler::parallel::processors;
use crate::compiler::target::Target;
use crate::config;
use crate::os::processor::{self, DataCache};
use crate::runtime::gpu::internal_kernels::Programs;
use crate::runtime::gpu::slabs::{self, Slabs};
use crate::runtime::gpu::staging::Pool;
use crate::runtime::gpu::target::{accept, with_found};
use crate::runtime::measure::clock;
use crate::runtime::measure::probe;
use crate::runtime::memory::by_address::ByAddress;
use crate::runtime::memory::storage::device_location;
use crate::runtime::memory::svm;
use crate::runtime::program::build;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;
use crate::vk;
use crate::vk::caps::{Caps, Kind, PhysicalDevice};
use crate::vk::instance::Instance;
use crate::vk::texels::Table;

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
    /// The Vulkan driver's name and what it says of its version.
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
    pub local_mem_size: u64,
    pub max_work_group_size: u32,
    pub max_work_item_sizes: [u32; 3],
    /// Bytes that the private memory of a work-group's items may take on the device, and of a launch's before it is cut.
    pub max_scratch: u64,
    pub scratch_size: u64,
    /// Work-groups per dimension of one dispatch; larger grids are split.
    pub max_group_count: [u32; 3],
    /// Integer dot products of bytes signed, unsigned, mixed; the same with a saturating sum.
    pub dot_accelerated: [bool; 6],
    /// Multiple for CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE.
    pub subgroup_size: u32,
    pub max_sub_groups: u32,
    /// Those of a work-group of a pipeline that asks for their size.
    pub max_required_sub_groups: u32,
    pub compute_units: u32,
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
    /// Opaque file descriptors of other Vulkan devices' memory can be imported.
    pub imports_fd: bool,
    /// clEnqueueNativeKernel: the host reaches every buffer's memory.
    pub native_kernels: bool,
    /// Hash input for on-disk caches: changes with device and driver.
    pub cache_key: String,
}

/// A device of the platform. Opened (the Vulkan device created) on first use.
pub struct Device {
    pub handle: Handle,
    /// Until the device is probed, if it is, what is known without.
    known: Target,
    found: OnceLock<Option<String>>,
    target: OnceLock<Target>,
    facts: DeviceFacts,
    physical: PhysicalDevice,
    gpu: OnceLock<ClResult<Gpu>>,
    /// What [`crate::runtime::memory::svm::way`] found.
    pub(in crate::runtime) shares_addresses: OnceLock<Option<svm::Way>>,
    clock: OnceLock<u32>,
    cache: OnceLock<Option<DataCache>>,
}

/// An open device and what its queues share.
pub(in crate::runtime) struct Gpu {
    pub vk: Arc<vk::device::Device>,
    pub pool: Arc<Pool>,
    /// Small buffers.
    pub slabs: Arc<Slabs>,
    pub programs: Programs,
    table: OnceLock<Option<Arc<Table>>>,
    /// Buffers in host memory, by their addresses there.
    pub pinned: ByAddress,
    clock: Mutex<Clock>,
}

/// Device time to host time: what to add, and when (host) that was found.
#[derive(Default)]
struct Clock {
    offset: Option<i64>,
    at: u64,
}

/// Host nanoseconds after which the clocks are compared again.
const CLOCK_AGE: u64 = 50_000_000;

struct All {
    devices: Vec<Arc<Device>>,
    refused: Vec<(String, String)>,
}

impl From<vk::error::Error> for ClError {
    fn from(error: vk::error::Error) -> ClError {
        match error {
            vk::error::Error::OutOfHostMemory => ClError::OUT_OF_HOST_MEMORY,
            _ => ClError::OUT_OF_RESOURCES,
        }
    }
}

impl DeviceFacts {
    /// Work-items of a sub-group of this kernel.
    pub fn sub_group_of(&self, kernel: &KernelInfo) -> u32 {
        kernel.reqd_sub_group_size.unwrap_or(self.subgroup_size)
    }

    /// Work-items that a work-group of this kernel may have.
    pub fn max_items_of(&self, kernel: &KernelInfo) -> u32 {
        let of_sub_groups = match kernel.knows_sub_groups() {
            true => self
                .sub_group_of(kernel)
                .saturating_mul(self.max_required_sub_groups),
            false => u32::MAX,
        };
        let room = self.max_scratch.checked_div(kernel.scratch_size.into());
        let room = room.map_or(u32::MAX, |items| items.clamp(1, u32::MAX.into()) as u32);
        of_sub_groups.min(room).min(self.max_work_group_size)
    }

    /// CL_KERNEL_WORK_GROUP_SIZE: work-items of a work-group that is required, else the most.
    pub fn work_group_of(&self, kernel: &KernelInfo) -> usize {
        match kernel.reqd_work_group_size {
            Some(required) => required.iter().map(|&n| n as usize).product(),
            None => self.max_items_of(kernel) as usize,
        }
    }
}

impl Device {
    /// All usable devices, asked once per process, most capable first; and for each
    /// Vulkan device that is not usable its name and why.
    pub fn all() -> (&'static [Arc<Device>], &'static [(String, String)]) {
        static ALL: OnceLock<All> = OnceLock::new();
        let all = ALL.get_or_init(|| {
            let mut all = All {
                devices: Vec::new(),
                refused: Vec::new(),
            };
            match Instance::open() {
                Ok(instance) => {
                    for physical in instance.devices() {
                        match Device::of(&physical) {
                            Err(why) => all.refused.push((physical.caps.name.clone(), why)),
                            Ok(device) => all.devices.push(Arc::new(device)),
                        }
                    }
                }
                Err(why) => all.refused.push(("Vulkan".into(), why)),
            }
            let rank = |d: &Arc<Device>| match d.physical.caps.kind {
                Kind::Discrete => 0,
                Kind::Integrated => 1,
                Kind::Virtual | Kind::Other => 2,
                Kind::Cpu => 3,
            };
            all.devices.sort_by_key(rank);
            all
        });
        (&all.devices, &all.refused)
    }

    /// Says, where there are no usable devices, why that is.
    pub fn none_usable() -> String {
        let refused = Device::all().1.iter();
        let reasons: Vec<String> = refused
            .map(|(name, why)| format!("{name}: {why}"))
            .collect();
        match reasons.is_empty() {
            true => "Vulkan has no device".into(),
            false => format!("no Vulkan device is usable: {}", reasons.join("; ")),
        }
    }

    /// A Vulkan device, or why it is not usable.
    pub fn of(physical: &PhysicalDevice) -> Result<Device, String> {
        let known = accept(&physical.caps)?;
        Ok(Device::new(physical.clone(), known))
    }

    fn new(physical: PhysicalDevice, known: Target) -> Device {
        let mut facts = facts(&physical.caps);
        facts.max_scratch = known.max_scratch.into();
        Device {
            handle: Handle::default(),
            facts,
            known,
            found: OnceLock::new(),
            target: OnceLock::new(),
            gpu: OnceLock::new(),
            shares_addresses: OnceLock::new(),
            clock: OnceLock::new(),
            cache: OnceLock::new(),
            physical,
        }
    }

    /// The same device, opened once more, with a target that is not asked for.
    pub(in crate::runtime) fn with_target(&self, target: &Target) -> Arc<Device> {
        let device = Device::new(self.physical.clone(), target.clone());
        let _ = device.target.set(target.clone());
        Arc::new(device)
    }

    /// What probes have found, if the device is probed: words of the target.
    pub fn found(&self) -> Option<&str> {
        self.found.get_or_init(|| probe::found(self)).as_deref()
    }

    /// What the compiler may use. The first call probes a device whose driver nobody has measured.
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

    /// CL_DEVICE_MAX_CLOCK_FREQUENCY in MHz; the first call finds it out.
    pub fn max_clock(self: &Arc<Self>) -> u32 {
        *self.clock.get_or_init(|| clock::find(self))
    }

    /// The cache between the device and its memory: `None` of GPUs, whose drivers do not tell its size.
    pub fn data_cache(&self) -> Option<DataCache> {
        let cpu = self.physical.caps.kind == Kind::Cpu;
        *self
            .cache
            .get_or_init(|| cpu.then(processor::cache).flatten())
    }

    /// Bytes of a line of that cache, or of what a GPU of the vendor has for one.
    pub fn cache_line(&self) -> u32 {
        let vendor = vendor(&self.physical.caps);
        let usual = || vendor.map_or(CACHE_LINE, |v| v.2);
        self.data_cache().map_or_else(usual, |cache| cache.line)
    }

    /// Creates the Vulkan device if that has not happened. DEVICE_NOT_AVAILABLE when it fails.
    pub fn open(&self) -> ClResult {
        self.gpu().map(|_| ())
    }

    pub(in crate::runtime) fn gpu(&self) -> ClResult<&Gpu> {
        let gpu = self.gpu.get_or_init(|| {
            // While the driver makes the device.
            build::warm_up(self.target());
            match self.physical.open() {
                Ok(vk) => Ok(Gpu {
                    pool: Pool::new(&vk),
                    slabs: Slabs::new(&vk, device_location(&vk, slabs::LARGEST)),
                    programs: Programs::default(),
                    table: OnceLock::new(),
                    pinned: ByAddress::default(),
                    vk,
                    clock: Mutex::default(),
                }),
                Err(error) => {
                    tracing::error!("{}: cannot be opened: {error}", self.facts.name);
                    Err(ClError::DEVICE_NOT_AVAILABLE)
                }
            }
        });
        gpu.as_ref().map_err(|e| *e)
    }

    pub(in crate::runtime) fn is_discrete(&self) -> bool {
        self.physical.caps.kind == Kind::Discrete
    }

    /// Pipelines may be kept on disk. Those of a CPU are code for one processor and its settings, of
    /// which the header of llvmpipe's cache says nothing.
    pub fn keeps_pipelines(&self) -> bool {
        self.physical.caps.kind != Kind::Cpu
    }

    /// Bytes of the pipeline cache, to be kept on disk. Empty when there is nothing.
    pub fn pipeline_cache(&self) -> Vec<u8> {
        match self.gpu.get() {
            Some(Ok(gpu)) => gpu.vk.cache_data(),
            _ => Vec::new(),
        }
    }

    /// Adds pipelines of an earlier [`Device::pipeline_cache`]; the driver ignores data of
    /// another driver, damage must have been ruled out. Before the first kernel is
    /// created, best.
    pub fn add_pipeline_cache(&self, data: &[u8]) -> ClResult {
        Ok(self.gpu()?.vk.add_cache_data(data)?)
    }

    /// (device, host) clocks in nanoseconds at one moment, the host's being
    /// CLOCK_MONOTONIC; profiling times are on the host's.
    pub fn clocks(&self) -> ClResult<(u64, u64)> {
        let clocks = self.gpu()?.vk.clocks();
        clocks.ok_or(ClError::INVALID_OPERATION)
    }
}

impl Gpu {
    /// The table of texel buffers; `None`, which is logged, where there cannot be one.
    pub fn table(&self) -> Option<&Arc<Table>> {
        let made = self.table.get_or_init(|| {
            let table = Table::new(&self.vk, TEXEL_SLOTS);
            let failed = |error: &_| tracing::error!("no table of texel buffers: {error}");
            table.inspect_err(failed).ok()
        });
        made.as_ref()
    }

    /// Host time of a device time that has just been read back. Without calibrated
    /// timestamps the smallest difference seen between "now" and such a time is used.
    pub fn host_time(&self, device_ns: u64) -> u64 {
        let now = crate::os::time::monotonic_ns();
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        if self.vk.caps().calibrated {
            if (clock.offset.is_none() || now.saturating_sub(clock.at) > CLOCK_AGE)
                && let Some((device, host)) = self.vk.clocks()
            {
                clock.offset = Some(host.wrapping_sub(device) as i64);
                clock.at = now;
            }
        } else {
            let seen = now.wrapping_sub(device_ns) as i64;
            clock.offset = Some(clock.offset.map_or(seen, |o| o.min(seen)));
        }
        device_ns.wrapping_add_signed(clock.offset.unwrap_or(0))
    }
}

/// Bytes of a cache line where nobody tells.
const CACHE_LINE: u32 = 64;

/// PCI vendor ids, and Khronos' for software; names; bytes of a line of the last cache.
const VENDORS: &[(u32, &str, u32)] = &[
    (0x1002, "AMD", 128),
    (0x1010, "Imagination Technologies", 64),
    (0x106b, "Apple", 128),
    (0x10005, "Mesa", CACHE_LINE),
    (0x10de, "NVIDIA Corporation", 128),
    (0x13b5, "Arm", 64),
    (0x14e4, "Broadcom", 64),
    (0x5143, "Qualcomm", 64),
    (0x8086, "Intel", 64),
];

/// Bytes of scratch of a launch for each core of a CPU.
const CORE_SCRATCH: u64 = 4 << 20;

fn vendor(caps: &Caps) -> Option<&'static (u32, &'static str, u32)> {
    VENDORS.iter().find(|v| v.0 == caps.vendor_id)
}

/// Compute units of a GPU whose driver does not tell: applications size their launches
/// by it, so a middling number is better than 1.
const ASSUMED_UNITS: u32 = 16;

/// Bytes of the largest buffer. Where large ones are made of several allocations, it is such that
/// it can really be had: an eighth of the memory is left for what the driver needs itself, and
/// three quarters of memory that is the host's, too.
fn max_alloc_size(caps: &Caps, global: u64) -> u64 {
    let largest = match (caps.sparse, caps.unified()) {
        (true, false) => caps.max_sparse.min(global / 8 * 7),
        (true, true) => caps.max_sparse.min(global / 4),
        (false, _) => 0,
    };
    let allocation = caps.max_allocation.min(global);
    largest.max(allocation).min(caps.max_buffer)
}

/// Bytes of the largest heap of the device's own memory.
pub(in crate::runtime) fn device_memory(caps: &Caps) -> u64 {
    let local = caps.heaps.iter().filter(|h| h.device_local);
    local.map(|h| h.size).max().unwrap_or(0)
}

/// Bytes of scratch that a launch gets: a part of the memory that is kept for the next (vk/spare.rs). On a CPU what its caches
/// hold: with 64 KB a work-item a launch in 64 MB takes three times as long as one in 8 MB on two cores.
fn scratch_size(caps: &Caps) -> u64 {
    let most = match caps.kind {
        Kind::Cpu => CORE_SCRATCH * processors() as u64,
        _ => u64::MAX,
    };
    most.min(device_memory(caps) / 16).min(caps.max_allocation)
}

/// What the device is, or what CALDERA_DEVICE_TYPE says, for applications that refuse CPUs.
fn device_type(kind: Kind) -> DeviceType {
    let own = match kind {
        Kind::Cpu => DeviceType::Cpu,
        Kind::Other => DeviceType::Accelerator,
        _ => DeviceType::Gpu,
    };
    match config::get().device_type.as_deref() {
        None | Some("") => own,
        Some("cpu") => DeviceType::Cpu,
        Some("gpu") => DeviceType::Gpu,
        Some("accelerator") => DeviceType::Accelerator,
        Some(other) => {
            tracing::warn!("CALDERA_DEVICE_TYPE={other}: cpu, gpu or accelerator");
            own
        }
    }
}

fn facts(caps: &Caps) -> DeviceFacts {
    let global = device_memory(caps);
    let hex = |bytes: &[u8]| bytes.iter().map(|b| format!("{b:02x}")).collect::<String>();
    DeviceFacts {
        name: caps.name.clone(),
        vendor: vendor(caps).map_or_else(
            || format!("vendor {:#x}", caps.vendor_id),
            |v| v.1.to_string(),
        ),
        vendor_id: caps.vendor_id,
        driver: format!("{} {}", caps.driver_name, caps.driver_info)
            .trim()
            .to_string(),
        device_type: device_type(caps.kind),
        device_uuid: caps.device_uuid,
        driver_uuid: caps.driver_uuid,
        luid: caps.luid,
        pci: caps.pci,
        unified_memory: caps.unified(),
        global_mem_size: global,
        max_alloc_size: max_alloc_size(caps, global),
        local_mem_size: u64::from(caps.max_local_memory),
        max_work_group_size: caps.max_group_invocations,
        max_work_item_sizes: caps.max_group_size,
        max_group_count: caps.max_group_count,
        // That of the target.
        max_scratch: 0,
        scratch_size: scratch_size(caps),
        dot_accelerated: caps.dot_accelerated.map(|fast| fast && caps.dot_product),
        subgroup_size: caps.subgroup_size,
        // Where there is but one size, no pipeline asks.
        max_required_sub_groups: match caps.varies_subgroups() {
            true => caps.max_group_subgroups,
            false => u32::MAX,
        },
        max_sub_groups: caps
            .max_group_invocations
            .div_ceil(caps.subgroup_range[0].max(1)),
        compute_units: caps.compute_units.unwrap_or_else(|| match caps.kind {
            Kind::Cpu => processors() as u32,
            _ => ASSUMED_UNITS,
        }),
        mem_base_align_bits: 2048,
        timer_resolution: (caps.timestamp_period.ceil() as u64).max(1),
        profiling: caps.timestamp_bits != 0,
        host_timer: caps.calibrated,
        imports_fd: caps.imports_fd,
        host_ptr_align: caps.host_pointer_align,
        native_kernels: caps.kind == Kind::Cpu,
        cache_key: format!(
            "{} {:x}:{:x} driver {:x} {} {}",
            caps.name,
            caps.vendor_id,
            caps.device_id,
            caps.driver_version,
            hex(&caps.driver_uuid),
            hex(&caps.pipeline_cache_uuid),
        ),
    }
}
