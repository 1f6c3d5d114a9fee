//! Vulkan feature structures as one table: which exist on a device, chained for queries
//! and for device creation.

use std::collections::BTreeSet;
use std::ffi::{CStr, CString, c_void};

use ash::vk;

use crate::config;

use super::hidden;
use super::instance::{DEVICE_GROUP_CREATION, EXTERNAL_MEMORY_CAPABILITIES, Instance};

/// The extensions of a device that can be used, and the Vulkan version that it and the instance have.
pub(super) struct Offer {
    pub version: u32,
    extensions: BTreeSet<CString>,
}

impl Offer {
    pub fn query(instance: &Instance, device: vk::PhysicalDevice) -> Offer {
        // SAFETY: `device` belongs to `instance`, which is alive.
        let (properties, extensions) = unsafe {
            (
                instance.raw.get_physical_device_properties(device),
                instance.raw.enumerate_device_extension_properties(device),
            )
        };
        let version = properties.api_version.min(instance.version);
        let extensions = extensions.unwrap_or_default();
        let names = extensions
            .iter()
            .filter_map(|e| e.extension_name_as_c_str().ok())
            // Nobody could ask for what they offer.
            .filter(|_| version >= V1_1 || instance.properties2.is_some())
            .filter(|name| !hidden::hides_extension(name))
            // Only a profile asks for what it costs.
            .filter(|name| *name != STATISTICS || config::get().profile.is_some());
        let mut offer = Offer {
            version,
            extensions: names.map(CStr::to_owned).collect(),
        };
        // One that goes may take others with it.
        while let Some(row) = REQUIRES
            .iter()
            .find(|row| offer.has(row.extension) && !row.is_met(instance, &offer))
        {
            offer.extensions.remove(row.extension);
        }
        offer
    }

    /// The extensions to enable: those that are used and not core on the device, and what they require.
    pub fn enabled(&self) -> Vec<&'static CStr> {
        let mut names = Features::extensions(self);
        let others = EXTENSIONS.iter().filter(|row| self.needs(row));
        names.extend(others.map(|row| row.0));
        let mut seen = 0;
        while let Some(&name) = names.get(seen) {
            let row = REQUIRES.iter().find(|row| row.extension == name);
            for needed in row.into_iter().flat_map(|row| row.extensions) {
                if self.needs(needed) && !names.contains(&needed.0) {
                    names.push(needed.0);
                }
            }
            seen += 1;
        }
        names
    }

    /// An extension is offered and not core on the device.
    fn needs(&self, &(name, core): &(&CStr, u32)) -> bool {
        self.version < core && self.has(name)
    }

    pub fn has(&self, extension: &CStr) -> bool {
        self.extensions.contains(extension)
    }

    /// Core since `version`, or offered as an extension.
    pub fn has_core(&self, version: u32, extension: &CStr) -> bool {
        self.version >= version || self.has(extension)
    }
}

/// Tells how many registers a pipeline takes, and the like.
pub(super) const STATISTICS: &CStr = ash::khr::pipeline_executable_properties::NAME;

const V1_1: u32 = vk::API_VERSION_1_1;
const V1_2: u32 = vk::API_VERSION_1_2;
const V1_3: u32 = vk::API_VERSION_1_3;
/// Not core in any version.
pub(super) const NEVER: u32 = u32::MAX;

macro_rules! feature_table {
    ($($field:ident: $type:ident, $core:expr, $ext:expr;)*) => {
        /// All feature structures that Caldera reads. Those that a device does not have stay false.
        #[derive(Default)]
        pub(super) struct Features {
            pub core: vk::PhysicalDeviceFeatures,
            $(pub $field: vk::$type<'static>,)*
        }

        impl Features {
            /// Links the structures that `offer` has, but that of the extension `without`, and returns the head of the chain, which is
            /// valid while `self` does not move.
            fn link(&mut self, offer: &Offer, without: Option<&CStr>) -> *mut c_void {
                let mut next: *mut c_void = std::ptr::null_mut();
                $(if offer.has_core($core, $ext) && without != Some($ext) {
                    self.$field.p_next = next;
                    next = (&raw mut self.$field).cast();
                })*
                next
            }

            /// The extensions to enable for these structures: those that are not core on the device.
            fn extensions(offer: &Offer) -> Vec<&'static CStr> {
                let mut names: Vec<&'static CStr> = Vec::new();
                $(if offer.needs(&($ext, $core)) {
                    names.push($ext);
                })*
                names.sort();
                names.dedup();
                names
            }
        }
    };
}

feature_table! {
    storage16: PhysicalDevice16BitStorageFeatures, V1_1, ash::khr::_16bit_storage::NAME;
    variable_pointers: PhysicalDeviceVariablePointersFeatures, V1_1, ash::khr::variable_pointers::NAME;
    storage8: PhysicalDevice8BitStorageFeatures, V1_2, ash::khr::_8bit_storage::NAME;
    float16_int8: PhysicalDeviceShaderFloat16Int8Features, V1_2, ash::khr::shader_float16_int8::NAME;
    memory_model: PhysicalDeviceVulkanMemoryModelFeatures, V1_2, ash::khr::vulkan_memory_model::NAME;
    scalar_layout: PhysicalDeviceScalarBlockLayoutFeatures, V1_2, ash::ext::scalar_block_layout::NAME;
    address: PhysicalDeviceBufferDeviceAddressFeatures, V1_2, ash::khr::buffer_device_address::NAME;
    timeline: PhysicalDeviceTimelineSemaphoreFeatures, V1_2, ash::khr::timeline_semaphore::NAME;
    host_query_reset: PhysicalDeviceHostQueryResetFeatures, V1_2, ash::ext::host_query_reset::NAME;
    atomic64: PhysicalDeviceShaderAtomicInt64Features, V1_2, ash::khr::shader_atomic_int64::NAME;
    subgroup_types: PhysicalDeviceShaderSubgroupExtendedTypesFeatures, V1_2, ash::khr::shader_subgroup_extended_types::NAME;
    subgroup_size: PhysicalDeviceSubgroupSizeControlFeatures, V1_3, ash::ext::subgroup_size_control::NAME;
    dot_product: PhysicalDeviceShaderIntegerDotProductFeatures, V1_3, ash::khr::shader_integer_dot_product::NAME;
    indexing: PhysicalDeviceDescriptorIndexingFeatures, V1_2, ash::ext::descriptor_indexing::NAME;
    maintenance4: PhysicalDeviceMaintenance4Features, V1_3, ash::khr::maintenance4::NAME;
    explicit_layout: PhysicalDeviceWorkgroupMemoryExplicitLayoutFeaturesKHR, NEVER, ash::khr::workgroup_memory_explicit_layout::NAME;
    atomic_float: PhysicalDeviceShaderAtomicFloatFeaturesEXT, NEVER, ash::ext::shader_atomic_float::NAME;
    shader_clock: PhysicalDeviceShaderClockFeaturesKHR, NEVER, ash::khr::shader_clock::NAME;
    uniform_control_flow: PhysicalDeviceShaderSubgroupUniformControlFlowFeaturesKHR, NEVER, ash::khr::shader_subgroup_uniform_control_flow::NAME;
    placed: PhysicalDeviceMapMemoryPlacedFeaturesEXT, NEVER, ash::ext::map_memory_placed::NAME;
    executable: PhysicalDevicePipelineExecutablePropertiesFeaturesKHR, NEVER, ash::khr::pipeline_executable_properties::NAME;
    memory_priority: PhysicalDeviceMemoryPriorityFeaturesEXT, NEVER, ash::ext::memory_priority::NAME;
}

/// Extensions without a feature structure that are used where offered, and since which
/// version each is core ([`NEVER`] if not).
pub(super) const EXTENSIONS: &[(&CStr, u32)] = &[
    (ash::khr::driver_properties::NAME, V1_2),
    (ash::khr::shader_float_controls::NAME, V1_2),
    (ash::khr::spirv_1_4::NAME, V1_2),
    (ash::khr::shader_non_semantic_info::NAME, V1_3),
    (ash::ext::memory_budget::NAME, NEVER),
    (ash::ext::external_memory_host::NAME, NEVER),
    (ash::khr::external_memory_fd::NAME, NEVER),
    (ash::ext::external_memory_dma_buf::NAME, NEVER),
    (ash::khr::external_semaphore_fd::NAME, NEVER),
    (ash::ext::queue_family_foreign::NAME, NEVER),
    (
        ash::android::external_memory_android_hardware_buffer::NAME,
        NEVER,
    ),
    (ash::ext::calibrated_timestamps::NAME, NEVER),
    (ash::khr::calibrated_timestamps::NAME, NEVER),
    (ash::ext::pci_bus_info::NAME, NEVER),
    (ash::khr::portability_subset::NAME, NEVER),
    (ash::khr::maintenance3::NAME, V1_1),
    STORAGE_CLASS,
];

/// What an extension requires beside VK_KHR_get_physical_device_properties2, which the instance has.
struct Requires {
    extension: &'static CStr,
    version: u32,
    /// Each with the version in which it is core.
    extensions: &'static [(&'static CStr, u32)],
    of_instance: Option<&'static CStr>,
}

type Extension = (&'static CStr, u32);
pub(super) const STORAGE_CLASS: Extension = (ash::khr::storage_buffer_storage_class::NAME, V1_1);
const DEVICE_GROUP: Extension = (ash::khr::device_group::NAME, V1_1);
const EXTERNAL_MEMORY: Extension = (ash::khr::external_memory::NAME, V1_1);
const EXTERNAL_MEMORY_FD: Extension = (ash::khr::external_memory_fd::NAME, NEVER);
const FOREIGN: Extension = (ash::ext::queue_family_foreign::NAME, NEVER);
const MAINTENANCE3: Extension = (ash::khr::maintenance3::NAME, V1_1);
const MAP_MEMORY2: Extension = (ash::khr::map_memory2::NAME, NEVER);
const FLOAT_CONTROLS: Extension = (ash::khr::shader_float_controls::NAME, V1_2);

const fn requires(
    extension: &'static CStr,
    version: u32,
    extensions: &'static [Extension],
) -> Requires {
    Requires {
        extension,
        version,
        extensions,
        of_instance: None,
    }
}

const fn with_instance(extension: &'static CStr, of_instance: &'static CStr) -> Requires {
    Requires {
        extension,
        version: 0,
        extensions: &[],
        of_instance: Some(of_instance),
    }
}

/// As the registry has it.
const REQUIRES: &[Requires] = &[
    with_instance(ash::khr::device_group::NAME, DEVICE_GROUP_CREATION),
    with_instance(
        ash::khr::external_memory::NAME,
        EXTERNAL_MEMORY_CAPABILITIES,
    ),
    requires(ash::khr::_16bit_storage::NAME, 0, &[STORAGE_CLASS]),
    requires(ash::khr::_8bit_storage::NAME, 0, &[STORAGE_CLASS]),
    requires(ash::khr::variable_pointers::NAME, 0, &[STORAGE_CLASS]),
    requires(ash::khr::buffer_device_address::NAME, 0, &[DEVICE_GROUP]),
    requires(ash::ext::descriptor_indexing::NAME, 0, &[MAINTENANCE3]),
    requires(ash::ext::external_memory_host::NAME, 0, &[EXTERNAL_MEMORY]),
    requires(ash::khr::external_memory_fd::NAME, 0, &[EXTERNAL_MEMORY]),
    requires(ash::ext::queue_family_foreign::NAME, 0, &[EXTERNAL_MEMORY]),
    requires(
        ash::ext::external_memory_dma_buf::NAME,
        0,
        &[EXTERNAL_MEMORY_FD],
    ),
    // And others that are core in Vulkan 1.1.
    requires(ash::khr::external_semaphore_fd::NAME, V1_1, &[]),
    requires(
        ash::android::external_memory_android_hardware_buffer::NAME,
        V1_1,
        &[FOREIGN],
    ),
    requires(ash::ext::map_memory_placed::NAME, 0, &[MAP_MEMORY2]),
    requires(ash::khr::spirv_1_4::NAME, V1_1, &[FLOAT_CONTROLS]),
    requires(ash::khr::shader_subgroup_extended_types::NAME, V1_1, &[]),
    requires(
        ash::khr::shader_subgroup_uniform_control_flow::NAME,
        V1_1,
        &[],
    ),
    requires(ash::ext::subgroup_size_control::NAME, V1_1, &[]),
    requires(ash::khr::maintenance4::NAME, V1_1, &[]),
];

impl Requires {
    fn is_met(&self, instance: &Instance, offer: &Offer) -> bool {
        let of_instance = |name: &CStr| offer.version >= V1_1 || instance.has(name);
        let mut extensions = self.extensions.iter();
        offer.version >= self.version
            && self.of_instance.is_none_or(of_instance)
            && extensions.all(|&(name, core)| offer.has_core(core, name))
    }
}

impl Features {
    /// The features of the device. If it has Vulkan 1.0 and the instance lacks VK_KHR_get_physical_device_properties2, only
    /// those of Vulkan 1.0.
    pub fn query(instance: &Instance, device: vk::PhysicalDevice, offer: &Offer) -> Box<Self> {
        let mut features = Box::<Features>::default();
        let mut head = vk::PhysicalDeviceFeatures2 {
            p_next: features.link(offer, None),
            ..Default::default()
        };
        // SAFETY: the device belongs to the instance; the chain points into `features`, which is boxed and
        // stays in place; the device has Vulkan 1.1, or the instance the extension.
        unsafe {
            match &instance.properties2 {
                _ if offer.version >= V1_1 => {
                    (instance.raw).get_physical_device_features2(device, &mut head);
                }
                Some(extension) => extension.get_physical_device_features2(device, &mut head),
                None => head.features = instance.raw.get_physical_device_features(device),
            }
        }
        features.core = head.features;
        hidden::hide_features(&mut features);
        if features.address.buffer_device_address_capture_replay == vk::FALSE
            && is_traced(instance, device, offer)
        {
            features.address.buffer_device_address = vk::FALSE;
        }
        features
    }

    /// The chain for device creation: everything found, without what costs or is not used.
    pub fn enable(&mut self, offer: &Offer) -> vk::PhysicalDeviceFeatures2<'_> {
        self.core = vk::PhysicalDeviceFeatures {
            shader_int16: self.core.shader_int16,
            shader_int64: self.core.shader_int64,
            shader_float64: self.core.shader_float64,
            shader_storage_buffer_array_dynamic_indexing: self
                .core
                .shader_storage_buffer_array_dynamic_indexing,
            sparse_binding: self.core.sparse_binding,
            sparse_residency_buffer: self.core.sparse_residency_buffer,
            ..Default::default()
        };
        self.address.buffer_device_address_multi_device = vk::FALSE;
        // RenderDoc (1.24) turns the replay of addresses on in it, even if addresses are off.
        let without = (self.address.buffer_device_address == vk::FALSE)
            .then_some(ash::khr::buffer_device_address::NAME);
        vk::PhysicalDeviceFeatures2 {
            features: self.core,
            p_next: self.link(offer, without),
            ..Default::default()
        }
    }
}

/// A tool captures what is called, to replay it, as RenderDoc does. It has the device offer addresses that cannot be
/// replayed, with which no device can be created then.
fn is_traced(instance: &Instance, device: vk::PhysicalDevice, offer: &Offer) -> bool {
    if !offer.has(ash::ext::tooling_info::NAME) {
        return false;
    }
    let tools = ash::ext::tooling_info::Instance::new(&instance.entry, &instance.raw);
    // SAFETY: the device belongs to the instance and offers the extension.
    let tools = unsafe { tools.get_physical_device_tool_properties(device) };
    (tools.unwrap_or_default().iter())
        .any(|tool| tool.purposes.contains(vk::ToolPurposeFlags::TRACING))
}
