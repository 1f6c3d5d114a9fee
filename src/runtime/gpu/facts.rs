//! What queries report of a device, beside what its compiler target says.

use super::nvidia;
use crate::compiler::kernel::KernelInfo;
use crate::compiler::parallel::processors;
use crate::config;
use crate::runtime::support::profile;
use crate::vk::caps::{Caps, External, Kind};

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
    /// The name of the Vulkan driver, and its text for its version.
    pub driver: String,
    pub device_type: DeviceType,
    /// Whatever it says that it is, the host's processors are the device.
    pub on_cpu: bool,
    /// CL_DEVICE_UUID_KHR, CL_DRIVER_UUID_KHR; CL_DEVICE_LUID_KHR and node mask if valid.
    pub device_uuid: [u8; 16],
    pub driver_uuid: [u8; 16],
    pub luid: Option<([u8; 8], u32)>,
    /// PCI domain, bus, device and function.
    pub pci: Option<[u32; 4]>,
    /// Of a GPU of NVIDIA's that is known (cl_nv_device_attribute_query).
    pub compute_capability: Option<(u32, u32)>,
    /// Device and host share memory (CL_DEVICE_HOST_UNIFIED_MEMORY).
    pub unified_memory: bool,
    pub global_mem_size: u64,
    pub max_alloc_size: u64,
    pub local_mem_size: u64,
    pub max_work_group_size: u32,
    pub max_work_item_sizes: [u32; 3],
    /// Bytes of device memory that the private objects of one work-group may take.
    pub max_scratch: u64,
    /// Bytes of device memory that those of a launch may take. A launch that needs more is cut into parts.
    pub scratch_size: u64,
    /// The most work-groups of one dispatch per dimension. Larger grids are split.
    pub max_group_count: [u32; 3],
    /// Accelerated integer dot products of bytes: signed, unsigned, mixed; then the same three with a saturating sum.
    pub dot_accelerated: [bool; 6],
    /// Multiple for CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE.
    pub subgroup_size: u32,
    pub max_sub_groups: u32,
    /// The most sub-groups of a work-group whose pipeline asks for a sub-group size.
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
    /// So can dma-bufs, and Android's buffers.
    pub imports_dma_buf: bool,
    pub imports_hardware_buffer: bool,
    /// Semaphores can be imported and exported as opaque file descriptors, and as sync files.
    pub semaphore_opaque_fd: External,
    pub semaphore_sync_fd: External,
    /// Native kernels (clEnqueueNativeKernel) can run: the host reaches the memory of every buffer.
    pub native_kernels: bool,
    /// Input of the keys of the disk cache. It changes with device and driver.
    pub cache_key: String,
}

impl DeviceFacts {
    /// The sub-group size of this kernel.
    pub fn sub_group_of(&self, kernel: &KernelInfo) -> u32 {
        kernel
            .attributes
            .reqd_sub_group_size
            .unwrap_or(self.subgroup_size)
    }

    /// The most work-items of a work-group of this kernel.
    pub fn max_items_of(&self, kernel: &KernelInfo) -> u32 {
        let of_sub_groups = match kernel.knows_sub_groups() {
            true => self
                .sub_group_of(kernel)
                .saturating_mul(self.max_required_sub_groups),
            false => u32::MAX,
        };
        let room = self.max_scratch.checked_div(kernel.scratch_size.into());
        let room = room.map_or(u32::MAX, |items| items.clamp(1, u32::MAX.into()) as u32);
        let asked = kernel.attributes.max_work_group_size.map(|sizes| {
            let items = sizes.into_iter().fold(1, u32::saturating_mul);
            items.max(1)
        });
        let most = of_sub_groups.min(room).min(self.max_work_group_size);
        most.min(asked.unwrap_or(u32::MAX))
    }

    /// CL_KERNEL_WORK_GROUP_SIZE: the work-items of the required work-group size, else the most.
    pub fn work_group_of(&self, kernel: &KernelInfo) -> usize {
        match kernel.attributes.reqd_work_group_size {
            Some(required) => required.iter().map(|&n| n as usize).product(),
            None => self.max_items_of(kernel) as usize,
        }
    }
}

/// Bytes of a cache line if the vendor is not known.
const CACHE_LINE: u32 = 64;

/// Vendors: PCI vendor id (Khronos' id for software), name, and bytes of a line of the last cache.
const VENDORS: &[(u32, &str, u32)] = &[
    (0x1002, "AMD", 128),
    (0x1010, "Imagination Technologies", 64),
    (0x106b, "Apple", 128),
    (0x10005, "Mesa", CACHE_LINE),
    (nvidia::VENDOR, "NVIDIA Corporation", 128),
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

/// Bytes of a line of the last cache of a GPU of the vendor.
pub(super) fn cache_line(caps: &Caps) -> u32 {
    vendor(caps).map_or(CACHE_LINE, |v| v.2)
}

/// Compute units of a GPU whose driver does not report them. Applications size their launches by this number, so a middling
/// one is better than 1.
const ASSUMED_UNITS: u32 = 16;

/// Bytes of the largest buffer. If buffers can be sparse, the limit is what can really be allocated: seven eighths of the
/// device's memory, or a quarter of memory that is shared with the host.
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
pub(super) fn device_memory(caps: &Caps) -> u64 {
    let local = caps.heaps.iter().filter(|h| h.device_local);
    local.map(|h| h.size).max().unwrap_or(0)
}

/// Bytes of scratch of a launch: a part of the memory that is kept for reuse (vk/spare.rs). On a CPU it is what the caches hold:
/// with 64 KB a work-item, a launch in 64 MB takes three times as long as one in 8 MB on two cores.
fn scratch_size(caps: &Caps) -> u64 {
    let most = match caps.kind {
        Kind::Cpu => CORE_SCRATCH * processors() as u64,
        _ => u64::MAX,
    };
    most.min(device_memory(caps) / 16).min(caps.max_allocation)
}

/// The type of the device. CALDERA_DEVICE_TYPE overrides it for applications that refuse CPUs.
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

impl DeviceFacts {
    /// Where the device's commands stand in a profile.
    pub fn place(&self) -> profile::Place<'_> {
        (&self.name, self.on_cpu)
    }
}

pub(super) fn facts(caps: &Caps) -> DeviceFacts {
    let global = match caps.storage_buffers {
        0 => device_memory(caps),
        // The largest buffer has a quarter of it at least.
        n => device_memory(caps).min(u64::from(n.min(4)) * caps.max_allocation),
    };
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
        on_cpu: caps.kind == Kind::Cpu,
        device_uuid: caps.device_uuid,
        driver_uuid: caps.driver_uuid,
        luid: caps.luid,
        pci: caps.pci,
        compute_capability: nvidia::compute_capability(caps.vendor_id, caps.device_id),
        unified_memory: caps.unified(),
        global_mem_size: global,
        max_alloc_size: max_alloc_size(caps, global),
        local_mem_size: u64::from(caps.max_local_memory),
        max_work_group_size: caps.max_group_invocations,
        max_work_item_sizes: caps.max_group_size,
        max_group_count: caps.max_group_count,
        // `Device` sets it from the target.
        max_scratch: 0,
        scratch_size: scratch_size(caps),
        dot_accelerated: caps.dot_accelerated.map(|fast| fast && caps.dot_product),
        subgroup_size: caps.subgroup_size,
        // With one sub-group size, no pipeline asks for a size.
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
        imports_fd: caps.opaque_fd.imports,
        imports_dma_buf: caps.dma_buf.imports && !caps.dma_buf.dedicated,
        imports_hardware_buffer: caps.hardware_buffer.imports && !caps.hardware_buffer.dedicated,
        semaphore_opaque_fd: caps.semaphore_opaque_fd,
        semaphore_sync_fd: caps.semaphore_sync_fd,
        host_ptr_align: caps.host_pointer_align,
        native_kernels: caps.kind == Kind::Cpu && caps.unified(),
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
