//! What a Vulkan device can do. It is queried when devices are enumerated.

use std::ffi::{CStr, c_void};
use std::sync::Arc;

use ash::vk;

use crate::config;
use crate::os::time::IS_COUNTER;

use super::features::{Features, Offer, STORAGE_CLASS};
use super::hidden;
use super::instance::{EXTERNAL_MEMORY_CAPABILITIES, Instance};
use super::memory_types::HOST_REACHED;
use super::semaphore::SemaphoreHandle;

/// A Vulkan device, found but not opened.
#[derive(Clone)]
pub struct PhysicalDevice {
    pub(super) instance: Arc<Instance>,
    pub(super) raw: vk::PhysicalDevice,
    pub caps: Arc<Caps>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Discrete,
    Integrated,
    Virtual,
    Cpu,
    Other,
}

/// A memory heap: bytes, and whether it is the device's own.
#[derive(Debug, Clone, Copy)]
pub struct Heap {
    pub size: u64,
    pub device_local: bool,
}

/// What a device can do with a kind of handle to memory, for buffers as [`super::memory::Buffer`] creates them, or to semaphores.
#[derive(Debug, Clone, Copy, Default)]
pub struct External {
    pub exports: bool,
    pub imports: bool,
    /// The memory must be allocated for one buffer alone.
    pub dedicated: bool,
}

/// No device has larger work-groups, or more local memory. A driver that says so means that it sets no limit.
const MOST_ITEMS: u32 = 1 << 16;
const MOST_LOCAL_MEMORY: u32 = 1 << 24;

/// Everything that Caldera asks of a Vulkan device. Sizes in bytes.
#[derive(Debug, Clone)]
pub struct Caps {
    pub name: String,
    pub kind: Kind,
    pub vendor_id: u32,
    pub device_id: u32,
    pub api_version: u32,
    /// The version that is used: the loader's may be lower.
    pub version: u32,
    pub driver_version: u32,
    pub driver_id: vk::DriverId,
    pub driver_name: String,
    pub driver_info: String,
    pub device_uuid: [u8; 16],
    pub driver_uuid: [u8; 16],
    pub luid: Option<([u8; 8], u32)>,
    pub pci: Option<[u32; 4]>,
    pub pipeline_cache_uuid: [u8; 16],

    pub int8: bool,
    pub int16: bool,
    pub int64: bool,
    pub float16: bool,
    pub float64: bool,
    pub storage8: bool,
    pub storage16: bool,
    pub push_constant8: bool,
    pub push_constant16: bool,
    pub vulkan_memory_model: bool,
    pub device_scope: bool,
    pub scalar_layout: bool,
    pub device_address: bool,
    /// Storage buffers that device memory consists of where it has no addresses, else 0; a number that is no constant may choose one,
    /// each work-item another.
    pub storage_buffers: u32,
    pub dynamic_storage_buffers: bool,
    pub nonuniform_storage_buffers: bool,
    pub timeline_semaphore: bool,
    /// Storage buffers have a storage class of their own.
    pub storage_class: bool,
    pub int64_atomics: bool,
    pub int64_local_atomics: bool,
    pub float32_atomic_add: bool,
    pub float32_local_atomic_add: bool,
    pub explicit_layout: bool,
    pub explicit_layout8: bool,
    pub explicit_layout16: bool,
    pub denorm_preserve: [bool; 3],
    pub nan_preserve: [bool; 3],
    pub rte: [bool; 3],
    pub dot_product: bool,
    /// Integer dot products of packed bytes: signed, unsigned, mixed; then the same three with a saturating sum.
    pub dot_accelerated: [bool; 6],
    pub uniform_control_flow: bool,
    pub non_semantic: bool,
    /// Basic, vote, ballot, shuffle and arithmetic subgroup operations in compute, on all types.
    pub subgroups: bool,
    pub subgroup_clustered: bool,
    pub subgroup_clock: bool,
    pub device_clock: bool,
    pub subgroup_size: u32,
    /// Smallest and largest subgroup, equal when it does not vary.
    pub subgroup_range: [u32; 2],
    /// Pipelines may ask for full subgroups, and for one of several subgroup sizes.
    pub full_subgroups: bool,
    pub chooses_subgroup_size: bool,
    /// The most subgroups of a work-group whose pipeline asks for a subgroup size.
    pub max_group_subgroups: u32,
    /// Texel buffers can be in a table that is written while other entries are in use.
    pub texel_buffers: bool,
    /// Buffers may be larger than an allocation ([`super::memory::Buffer::sparse`]).
    pub sparse: bool,
    pub memory_budget: bool,
    /// Memory leaves and enters the device as opaque file descriptors, within one driver and device.
    pub opaque_fd: External,
    /// As dma-bufs, which other drivers and devices take.
    pub dma_buf: External,
    /// Android's buffers.
    pub hardware_buffer: External,
    /// Binary semaphores as opaque file descriptors, and as sync files.
    pub semaphore_opaque_fd: External,
    pub semaphore_sync_fd: External,
    /// Alignment of imported host pointers; 0 without VK_EXT_external_memory_host.
    pub host_pointer_align: u64,
    /// Addresses that can be had again in another process (bufferDeviceAddressCaptureReplay), which drivers keep apart from others.
    pub address_replay: bool,
    /// Alignment of host memory that is mapped where it is told to; 0 without VK_EXT_map_memory_placed.
    pub placed_align: u64,

    pub max_push_constants: u32,
    pub max_uniform_range: u32,
    pub max_local_memory: u32,
    pub max_group_count: [u32; 3],
    pub max_group_size: [u32; 3],
    pub max_group_invocations: u32,
    pub max_allocation: u64,
    pub max_buffer: u64,
    /// Bytes of address space for sparse buffers.
    pub max_sparse: u64,
    pub min_storage_align: u64,
    pub min_texel_align: u64,
    /// The most texels of a texel buffer.
    pub max_texels: u64,
    /// The most bytes of a storage buffer that a descriptor can cover.
    pub max_storage_range: u64,
    /// Multiprocessors or cores, where an extension reports them.
    pub compute_units: Option<u32>,

    pub heaps: Vec<Heap>,
    pub memory_types: Vec<(vk::MemoryPropertyFlags, usize)>,
    /// The queue family for compute, its number of queues, and the valid bits of its timestamps.
    pub queue_family: Option<u32>,
    pub queue_count: u32,
    pub timestamp_bits: u32,
    /// Nanoseconds per timestamp step.
    pub timestamp_period: f32,
    /// The device's clock and the host's can be read at the same moment.
    pub calibrated: bool,
}

impl Instance {
    /// All Vulkan devices, usable or not (see [`Caps::missing`]).
    pub fn devices(self: &Arc<Self>) -> Vec<PhysicalDevice> {
        self.physical_devices()
            .into_iter()
            .map(|raw| PhysicalDevice {
                instance: self.clone(),
                raw,
                caps: Arc::new(Caps::query(self, raw)),
            })
            .collect()
    }
}

impl PhysicalDevice {
    /// Bytes of device-local memory that the process may still use, as the driver
    /// estimates it; `None` without VK_EXT_memory_budget.
    pub fn budget(&self) -> Option<u64> {
        if !self.caps.memory_budget {
            return None;
        }
        let mut budget = vk::PhysicalDeviceMemoryBudgetPropertiesEXT::default();
        let mut memory = vk::PhysicalDeviceMemoryProperties2::default().push_next(&mut budget);
        let instance = &self.instance;
        // SAFETY: the device belongs to the instance; the extension is offered, which it is not with neither of these.
        unsafe {
            match &instance.properties2 {
                _ if self.caps.version >= vk::API_VERSION_1_1 => {
                    (instance.raw).get_physical_device_memory_properties2(self.raw, &mut memory);
                }
                Some(f) => f.get_physical_device_memory_properties2(self.raw, &mut memory),
                None => return None,
            }
        };
        let heaps = self.caps.heaps.iter().enumerate();
        heaps
            .filter(|(_, h)| h.device_local)
            .map(|(i, _)| budget.heap_budget[i].saturating_sub(budget.heap_usage[i]))
            .max()
    }
}

fn text(chars: Result<&CStr, std::ffi::FromBytesUntilNulError>) -> String {
    chars.map_or(String::new(), |c| c.to_string_lossy().into_owned())
}

/// How many storage buffers a kernel can have. Where it chooses among them by branches, no more than a few.
fn storage_buffers(limits: &vk::PhysicalDeviceLimits, indexed: bool) -> u32 {
    limits
        .max_per_stage_descriptor_storage_buffers
        .min(limits.max_descriptor_set_storage_buffers)
        .min(limits.max_per_stage_resources)
        .min(if indexed { 64 } else { 16 })
}

/// What the device can do with handles of a kind, which `extensions` have.
fn external(
    instance: &Instance,
    device: vk::PhysicalDevice,
    offer: &Offer,
    extensions: &[&CStr],
    handle: vk::ExternalMemoryHandleTypeFlags,
) -> External {
    if !extensions.iter().all(|name| offer.has(name)) {
        return External::default();
    }
    let info = vk::PhysicalDeviceExternalBufferInfo::default()
        .usage(super::memory::usage(true))
        .handle_type(handle);
    let mut properties = vk::ExternalBufferProperties::default();
    // SAFETY: the device belongs to the instance, and has Vulkan 1.1 or an extension that requires this one.
    unsafe {
        if offer.version >= vk::API_VERSION_1_1 {
            let instance = &instance.raw;
            instance.get_physical_device_external_buffer_properties(device, &info, &mut properties);
        } else {
            let extension = ash::khr::external_memory_capabilities::Instance::new(
                &instance.entry,
                &instance.raw,
            );
            (extension
                .fp()
                .get_physical_device_external_buffer_properties_khr)(
                device,
                &info,
                &mut properties,
            );
        }
    }
    let features = properties
        .external_memory_properties
        .external_memory_features;
    External {
        exports: features.contains(vk::ExternalMemoryFeatureFlags::EXPORTABLE),
        imports: features.contains(vk::ExternalMemoryFeatureFlags::IMPORTABLE),
        dedicated: features.contains(vk::ExternalMemoryFeatureFlags::DEDICATED_ONLY),
    }
}

/// The clock that [`monotonic_ns`](crate::os::time::monotonic_ns) reads.
pub(super) const HOST_CLOCK: vk::TimeDomainKHR = match IS_COUNTER {
    true => vk::TimeDomainKHR::QUERY_PERFORMANCE_COUNTER,
    false => vk::TimeDomainKHR::CLOCK_MONOTONIC,
};

/// Whether the device's clock can be read together with the host's.
fn monotonic_clock(instance: &Instance, device: vk::PhysicalDevice, offer: &Offer) -> bool {
    // SAFETY: the device belongs to the instance and offers the extension called.
    let domains = unsafe {
        if offer.has(ash::khr::calibrated_timestamps::NAME) {
            ash::khr::calibrated_timestamps::Instance::new(&instance.entry, &instance.raw)
                .get_physical_device_calibrateable_time_domains(device)
        } else if offer.has(ash::ext::calibrated_timestamps::NAME) {
            ash::ext::calibrated_timestamps::Instance::new(&instance.entry, &instance.raw)
                .get_physical_device_calibrateable_time_domains(device)
        } else {
            return false;
        }
    };
    let domains = domains.unwrap_or_default();
    domains.contains(&vk::TimeDomainKHR::DEVICE) && domains.contains(&HOST_CLOCK)
}

impl Caps {
    /// What the device lacks of Caldera's requirements. The compiler checks what kernels need.
    pub fn missing(&self) -> Vec<String> {
        let needs = [
            (self.queue_family.is_some(), "a queue with compute"),
            (
                self.device_address || self.storage_buffers > 0,
                "bufferDeviceAddress or maxPerStageDescriptorStorageBuffers",
            ),
            (self.storage_class, "VK_KHR_storage_buffer_storage_class"),
            (
                self.heaps.iter().any(|h| h.device_local && h.size > 0),
                "memory of its own",
            ),
            (
                { self.memory_types.iter() }.any(|&(flags, _)| flags.contains(HOST_REACHED)),
                "memory that the host reaches",
            ),
        ];
        let missing = needs.iter().filter(|need| !need.0);
        let low = self.limits().into_iter().filter(|row| row.1 < row.2);
        missing
            .map(|need| need.1.into())
            .chain(low.map(|(name, has, needed)| format!("{name}={needed} (it has {has})")))
            .collect()
    }

    /// Limits: their names, values, and the least that Vulkan allows. A driver with less has made a mistake.
    fn limits(&self) -> [(&'static str, u64, u64); 8] {
        let [x, y, z] = self.max_group_size.map(u64::from);
        let counts = self.max_group_count.into_iter().min();
        [
            (
                "maxComputeWorkGroupInvocations",
                self.max_group_invocations.into(),
                128,
            ),
            ("maxComputeWorkGroupSize[0]", x, 128),
            ("maxComputeWorkGroupSize[1]", y, 128),
            ("maxComputeWorkGroupSize[2]", z, 64),
            (
                "maxComputeWorkGroupCount",
                counts.unwrap_or(0).into(),
                65535,
            ),
            (
                "maxComputeSharedMemorySize",
                self.max_local_memory.into(),
                16384,
            ),
            ("maxPushConstantsSize", self.max_push_constants.into(), 128),
            ("maxStorageBufferRange", self.max_storage_range, 1 << 27),
        ]
    }

    /// Whether the device has several subgroup sizes, one of which a pipeline can ask for.
    pub fn varies_subgroups(&self) -> bool {
        self.chooses_subgroup_size && self.subgroup_range[0] != self.subgroup_range[1]
    }

    /// Vulkan 1.0 takes SPIR-V 1.0 only.
    pub fn takes_spirv_1_3(&self) -> bool {
        self.version >= vk::API_VERSION_1_1
    }

    fn query(instance: &Instance, device: vk::PhysicalDevice) -> Caps {
        let offer = Offer::query(instance, device);
        let f = Features::query(instance, device, &offer);

        let mut driver = vk::PhysicalDeviceDriverProperties::default();
        let mut id = vk::PhysicalDeviceIDProperties::default();
        let mut subgroup = vk::PhysicalDeviceSubgroupProperties::default();
        let mut subgroup_size = vk::PhysicalDeviceSubgroupSizeControlProperties::default();
        let mut floats = vk::PhysicalDeviceFloatControlsProperties::default();
        let mut dot = vk::PhysicalDeviceShaderIntegerDotProductProperties::default();
        let mut maintenance3 = vk::PhysicalDeviceMaintenance3Properties::default();
        let mut maintenance4 = vk::PhysicalDeviceMaintenance4Properties::default();
        let mut host_memory = vk::PhysicalDeviceExternalMemoryHostPropertiesEXT::default();
        let mut placed = vk::PhysicalDeviceMapMemoryPlacedPropertiesEXT::default();
        let mut pci = vk::PhysicalDevicePCIBusInfoPropertiesEXT::default();
        let mut sm = vk::PhysicalDeviceShaderSMBuiltinsPropertiesNV::default();
        let mut amd = vk::PhysicalDeviceShaderCorePropertiesAMD::default();
        let mut arm = vk::PhysicalDeviceShaderCoreBuiltinsPropertiesARM::default();
        let mut next: *mut c_void = std::ptr::null_mut();
        macro_rules! link {
            ($($field:ident if $known:expr;)*) => {$(
                if $known {
                    $field.p_next = next;
                    next = (&raw mut $field).cast();
                }
            )*};
        }
        let (v1_1, v1_2, v1_3) = (
            vk::API_VERSION_1_1,
            vk::API_VERSION_1_2,
            vk::API_VERSION_1_3,
        );
        link! {
            driver if offer.has_core(v1_2, ash::khr::driver_properties::NAME);
            id if offer.version >= v1_1 || instance.has(EXTERNAL_MEMORY_CAPABILITIES);
            subgroup if offer.version >= v1_1;
            subgroup_size if offer.has_core(v1_3, ash::ext::subgroup_size_control::NAME);
            floats if offer.has_core(v1_2, ash::khr::shader_float_controls::NAME);
            dot if offer.has_core(v1_3, ash::khr::shader_integer_dot_product::NAME);
            maintenance3 if offer.has_core(v1_1, ash::khr::maintenance3::NAME);
            maintenance4 if offer.has_core(v1_3, ash::khr::maintenance4::NAME);
            host_memory if offer.has(ash::ext::external_memory_host::NAME);
            placed if offer.has(ash::ext::map_memory_placed::NAME);
            pci if offer.has(ash::ext::pci_bus_info::NAME);
            sm if offer.has(ash::nv::shader_sm_builtins::NAME);
            amd if offer.has(ash::amd::shader_core_properties::NAME);
            arm if offer.has(ash::arm::shader_core_builtins::NAME);
        }
        let mut head = vk::PhysicalDeviceProperties2 {
            p_next: next,
            ..Default::default()
        };
        // SAFETY: the device belongs to the instance; the chain points to locals that live
        // to the end of this function and that the device knows.
        let (memory, families) = unsafe {
            match &instance.properties2 {
                _ if offer.version >= v1_1 => {
                    (instance.raw).get_physical_device_properties2(device, &mut head);
                }
                Some(extension) => extension.get_physical_device_properties2(device, &mut head),
                None => head.properties = instance.raw.get_physical_device_properties(device),
            }
            (
                instance.raw.get_physical_device_memory_properties(device),
                instance
                    .raw
                    .get_physical_device_queue_family_properties(device),
            )
        };
        let p = head.properties;
        let mut limits = p.limits;
        hidden::lower_limits(&mut limits);
        let heaps: Vec<Heap> = memory
            .memory_heaps_as_slice()
            .iter()
            .map(|h| Heap {
                size: h.size,
                device_local: h.flags.contains(vk::MemoryHeapFlags::DEVICE_LOCAL),
            })
            .collect();
        // A family without graphics has lower latency at the same throughput: on an H100, enqueueing a small kernel
        // and clFinish together take 18 instead of 21 us.
        let compute: Vec<usize> = (0..families.len())
            .filter(|&i| families[i].queue_flags.contains(vk::QueueFlags::COMPUTE))
            .filter(|&i| families[i].queue_count > 0)
            .collect();
        let family = compute
            .iter()
            .copied()
            .find(|&i| !families[i].queue_flags.contains(vk::QueueFlags::GRAPHICS))
            .or(compute.first().copied());
        let stages = subgroup
            .supported_stages
            .contains(vk::ShaderStageFlags::COMPUTE);
        let wanted = vk::SubgroupFeatureFlags::BASIC
            | vk::SubgroupFeatureFlags::VOTE
            | vk::SubgroupFeatureFlags::BALLOT
            | vk::SubgroupFeatureFlags::SHUFFLE
            | vk::SubgroupFeatureFlags::ARITHMETIC;
        let compute_units = [
            sm.shader_sm_count,
            amd.shader_engine_count
                * amd.shader_arrays_per_engine_count
                * amd.compute_units_per_shader_array,
            arm.shader_core_count,
        ]
        .into_iter()
        .find(|&n| n != 0);
        let b = |flag: vk::Bool32| flag == vk::TRUE;
        let addresses = b(f.address.buffer_device_address);
        let nonuniform = b(f.indexing.shader_storage_buffer_array_non_uniform_indexing);
        let dynamic = b(f.core.shader_storage_buffer_array_dynamic_indexing);
        // Memory from elsewhere would take a storage buffer for each piece.
        let external = |extensions: &[&CStr], handle| match addresses {
            true => external(instance, device, &offer, extensions, handle),
            false => External::default(),
        };
        let widths = |a: vk::Bool32, c: vk::Bool32, d: vk::Bool32| [b(a), b(c), b(d)];
        Caps {
            name: text(p.device_name_as_c_str()),
            kind: match p.device_type {
                vk::PhysicalDeviceType::DISCRETE_GPU => Kind::Discrete,
                vk::PhysicalDeviceType::INTEGRATED_GPU => Kind::Integrated,
                vk::PhysicalDeviceType::VIRTUAL_GPU => Kind::Virtual,
                vk::PhysicalDeviceType::CPU => Kind::Cpu,
                _ => Kind::Other,
            },
            vendor_id: p.vendor_id,
            device_id: p.device_id,
            api_version: p.api_version,
            version: offer.version,
            driver_version: p.driver_version,
            driver_id: driver.driver_id,
            driver_name: text(driver.driver_name_as_c_str()),
            driver_info: text(driver.driver_info_as_c_str()),
            device_uuid: id.device_uuid,
            driver_uuid: id.driver_uuid,
            luid: b(id.device_luid_valid).then_some((id.device_luid, id.device_node_mask)),
            pci: offer.has(ash::ext::pci_bus_info::NAME).then_some([
                pci.pci_domain,
                pci.pci_bus,
                pci.pci_device,
                pci.pci_function,
            ]),
            pipeline_cache_uuid: p.pipeline_cache_uuid,

            int8: b(f.float16_int8.shader_int8),
            int16: b(f.core.shader_int16),
            int64: b(f.core.shader_int64),
            float16: b(f.float16_int8.shader_float16),
            float64: b(f.core.shader_float64),
            storage8: b(f.storage8.storage_buffer8_bit_access),
            storage16: b(f.storage16.storage_buffer16_bit_access),
            push_constant8: b(f.storage8.storage_push_constant8),
            push_constant16: b(f.storage16.storage_push_constant16),
            vulkan_memory_model: b(f.memory_model.vulkan_memory_model),
            device_scope: b(f.memory_model.vulkan_memory_model_device_scope),
            scalar_layout: b(f.scalar_layout.scalar_block_layout),
            device_address: addresses,
            storage_buffers: match addresses {
                true => 0,
                false => storage_buffers(&limits, nonuniform && dynamic),
            },
            dynamic_storage_buffers: dynamic,
            nonuniform_storage_buffers: nonuniform && dynamic,
            storage_class: offer.has_core(STORAGE_CLASS.1, STORAGE_CLASS.0),
            timeline_semaphore: b(f.timeline.timeline_semaphore),
            int64_atomics: b(f.atomic64.shader_buffer_int64_atomics),
            int64_local_atomics: b(f.atomic64.shader_shared_int64_atomics),
            float32_atomic_add: b(f.atomic_float.shader_buffer_float32_atomic_add),
            float32_local_atomic_add: b(f.atomic_float.shader_shared_float32_atomic_add),
            explicit_layout: b(f.explicit_layout.workgroup_memory_explicit_layout),
            explicit_layout8: b(f
                .explicit_layout
                .workgroup_memory_explicit_layout8_bit_access),
            explicit_layout16: b(f
                .explicit_layout
                .workgroup_memory_explicit_layout16_bit_access),
            denorm_preserve: widths(
                floats.shader_denorm_preserve_float16,
                floats.shader_denorm_preserve_float32,
                floats.shader_denorm_preserve_float64,
            ),
            nan_preserve: widths(
                floats.shader_signed_zero_inf_nan_preserve_float16,
                floats.shader_signed_zero_inf_nan_preserve_float32,
                floats.shader_signed_zero_inf_nan_preserve_float64,
            ),
            rte: widths(
                floats.shader_rounding_mode_rte_float16,
                floats.shader_rounding_mode_rte_float32,
                floats.shader_rounding_mode_rte_float64,
            ),
            dot_product: b(f.dot_product.shader_integer_dot_product),
            dot_accelerated: [
                dot.integer_dot_product4x8_bit_packed_signed_accelerated,
                dot.integer_dot_product4x8_bit_packed_unsigned_accelerated,
                dot.integer_dot_product4x8_bit_packed_mixed_signedness_accelerated,
                dot.integer_dot_product_accumulating_saturating4x8_bit_packed_signed_accelerated,
                dot.integer_dot_product_accumulating_saturating4x8_bit_packed_unsigned_accelerated,
                dot.integer_dot_product_accumulating_saturating4x8_bit_packed_mixed_signedness_accelerated,
            ]
            .map(b),
            uniform_control_flow: b(f.uniform_control_flow.shader_subgroup_uniform_control_flow),
            non_semantic: offer.has_core(v1_3, ash::khr::shader_non_semantic_info::NAME),
            subgroups: stages
                && subgroup.supported_operations.contains(wanted)
                && b(f.subgroup_types.shader_subgroup_extended_types),
            subgroup_clustered: subgroup
                .supported_operations
                .contains(vk::SubgroupFeatureFlags::CLUSTERED),
            subgroup_clock: b(f.shader_clock.shader_subgroup_clock),
            device_clock: b(f.shader_clock.shader_device_clock),
            subgroup_size: subgroup.subgroup_size.max(1),
            subgroup_range: match subgroup_size.max_subgroup_size {
                0 => [subgroup.subgroup_size; 2],
                max => [subgroup_size.min_subgroup_size, max],
            },
            full_subgroups: b(f.subgroup_size.compute_full_subgroups),
            max_group_subgroups: subgroup_size.max_compute_workgroup_subgroups,
            chooses_subgroup_size: b(f.subgroup_size.subgroup_size_control)
                && subgroup_size
                    .required_subgroup_size_stages
                    .contains(vk::ShaderStageFlags::COMPUTE),
            texel_buffers: [
                f.indexing
                    .descriptor_binding_uniform_texel_buffer_update_after_bind,
                f.indexing.descriptor_binding_update_unused_while_pending,
                f.indexing.descriptor_binding_partially_bound,
                f.indexing
                    .shader_uniform_texel_buffer_array_dynamic_indexing,
            ]
            .into_iter()
            .all(b),
            sparse: addresses
                && b(f.core.sparse_binding)
                && family.is_some_and(|i| {
                    families[i]
                        .queue_flags
                        .contains(vk::QueueFlags::SPARSE_BINDING)
                }),
            max_sparse: limits.sparse_address_space_size,
            memory_budget: offer.has(ash::ext::memory_budget::NAME),
            opaque_fd: external(
                &[ash::khr::external_memory_fd::NAME],
                vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD,
            ),
            dma_buf: external(
                &[
                    ash::ext::external_memory_dma_buf::NAME,
                    ash::ext::queue_family_foreign::NAME,
                ],
                vk::ExternalMemoryHandleTypeFlags::DMA_BUF_EXT,
            ),
            hardware_buffer: external(
                &[ash::android::external_memory_android_hardware_buffer::NAME],
                vk::ExternalMemoryHandleTypeFlags::ANDROID_HARDWARE_BUFFER_ANDROID,
            ),
            semaphore_opaque_fd: SemaphoreHandle::OpaqueFd.query(instance, device, &offer),
            semaphore_sync_fd: SemaphoreHandle::SyncFd.query(instance, device, &offer),
            host_pointer_align: match addresses {
                true => host_memory.min_imported_host_pointer_alignment,
                false => 0,
            },
            address_replay: b(f.address.buffer_device_address_capture_replay),
            // What is unmapped stays reserved, or another thread may get it before it is given back.
            placed_align: match [f.placed.memory_map_placed, f.placed.memory_unmap_reserve] {
                [vk::TRUE, vk::TRUE] if addresses => placed.min_placed_memory_map_alignment,
                _ => 0,
            },

            max_push_constants: limits.max_push_constants_size,
            max_uniform_range: limits.max_uniform_buffer_range,
            max_local_memory: limits.max_compute_shared_memory_size.min(MOST_LOCAL_MEMORY),
            max_group_count: limits.max_compute_work_group_count,
            max_group_size: limits.max_compute_work_group_size.map(|n| n.min(MOST_ITEMS)),
            max_group_invocations: limits.max_compute_work_group_invocations.min(MOST_ITEMS),
            max_allocation: match maintenance3.max_memory_allocation_size {
                0 => 1 << 30,
                size => size,
            }
            .min(config::get().max_allocation)
            .min(match addresses {
                true => u64::MAX,
                false => u64::from(limits.max_storage_buffer_range),
            }),
            max_buffer: match maintenance4.max_buffer_size {
                0 => u64::MAX,
                size => size,
            },
            min_texel_align: limits.min_texel_buffer_offset_alignment,
            max_texels: u64::from(limits.max_texel_buffer_elements),
            min_storage_align: limits.min_storage_buffer_offset_alignment,
            max_storage_range: u64::from(limits.max_storage_buffer_range),
            compute_units,

            memory_types: memory
                .memory_types_as_slice()
                .iter()
                .map(|t| (t.property_flags, t.heap_index as usize))
                .collect(),
            heaps,
            queue_family: family.map(|i| i as u32),
            // Without timeline semaphores the order in one queue stands for them (vk/fences.rs).
            queue_count: family.map_or(0, |i| match b(f.timeline.timeline_semaphore) {
                true => families[i].queue_count,
                false => families[i].queue_count.min(1),
            }),
            timestamp_bits: family.map_or(0, |i| families[i].timestamp_valid_bits),
            timestamp_period: limits.timestamp_period,
            calibrated: monotonic_clock(instance, device, &offer),
        }
    }
}
