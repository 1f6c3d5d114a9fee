//! The Vulkan loader and instance, opened at run time; the validation layer on request.
//!
//! `CALDERA_VALIDATION=1` turns the Khronos validation layer on. Its messages go to
//! stderr (os/messages.rs) and are counted, so that a test can demand that there were none. With it, or with
//! `CALDERA_NAMES=1`, objects have names, which its messages and tools of other kinds show.

use std::ffi::{CStr, c_void};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use ash::vk;

use crate::config;
use crate::os::messages::{Priority, tell};

use super::hidden;

/// Devices of Vulkan 1.0 need these for some of their extensions.
pub(super) const DEVICE_GROUP_CREATION: &CStr = ash::khr::device_group_creation::NAME;
pub(super) const EXTERNAL_MEMORY_CAPABILITIES: &CStr = ash::khr::external_memory_capabilities::NAME;

const VALIDATION_LAYER: &CStr = c"VK_LAYER_KHRONOS_validation";

static MESSAGES: AtomicU32 = AtomicU32::new(0);

/// Warnings and errors of the validation layer in this process so far.
pub fn validation_messages() -> u32 {
    MESSAGES.load(Ordering::Relaxed)
}

/// The Vulkan instance.
pub struct Instance {
    pub(super) raw: ash::Instance,
    debug: Option<(ash::ext::debug_utils::Instance, vk::DebugUtilsMessengerEXT)>,
    /// Objects get names: VK_EXT_debug_utils is on.
    pub(super) names: bool,
    /// What it was created for: no device may be used beyond this version.
    pub(super) version: u32,
    /// The extensions that it was created with.
    extensions: Vec<&'static CStr>,
    /// Asks devices of Vulkan 1.0 for features of extensions, where the loader offers it.
    pub(super) properties2: Option<ash::khr::get_physical_device_properties2::Instance>,
    /// Dropped last: it holds the loader's library.
    pub(super) entry: ash::Entry,
}

impl Instance {
    /// Opens the Vulkan loader. `Err` is a text that says why there is no Vulkan.
    pub fn open() -> Result<Arc<Instance>, String> {
        // SAFETY: loading the system's Vulkan loader runs its initialisers, which is what
        // every Vulkan application does.
        let entry = unsafe { ash::Entry::load() }
            .map_err(|e| format!("the Vulkan loader cannot be opened: {e}"))?;
        // SAFETY: plain query, no preconditions.
        let version = match unsafe { entry.try_enumerate_instance_version() } {
            Ok(version) => version.unwrap_or(vk::API_VERSION_1_0),
            Err(e) => return Err(format!("the Vulkan loader does not answer: {e}")),
        };
        // Loaders of Vulkan 1.0 accept no higher one.
        let version = match version < vk::API_VERSION_1_1 {
            true => vk::API_VERSION_1_0,
            false => hidden::version(version.min(vk::API_VERSION_1_3)),
        };

        let mut layers = Vec::new();
        let mut extensions: Vec<&'static CStr> = Vec::new();
        // SAFETY: plain query, no preconditions.
        let offered =
            unsafe { entry.enumerate_instance_extension_properties(None) }.unwrap_or_default();
        let offers = |list: &[vk::ExtensionProperties], name: &CStr| {
            list.iter().any(|e| e.extension_name_as_c_str() == Ok(name))
        };
        let has_properties2 = offers(&offered, ash::khr::get_physical_device_properties2::NAME);
        if has_properties2 {
            extensions.push(ash::khr::get_physical_device_properties2::NAME);
            let more = [DEVICE_GROUP_CREATION, EXTERNAL_MEMORY_CAPABILITIES];
            extensions.extend(more.into_iter().filter(|name| offers(&offered, name)));
        }
        let mut flags = vk::InstanceCreateFlags::empty();
        if offers(&offered, ash::khr::portability_enumeration::NAME) {
            extensions.push(ash::khr::portability_enumeration::NAME);
            flags |= vk::InstanceCreateFlags::ENUMERATE_PORTABILITY_KHR;
        }
        let validate = config::get().validation;
        let name = ash::ext::debug_utils::NAME;
        let mut names = (validate || config::get().names) && offers(&offered, name);
        if validate {
            // SAFETY: plain query, no preconditions.
            let known = unsafe { entry.enumerate_instance_layer_properties() }.unwrap_or_default();
            if !known
                .iter()
                .any(|l| l.layer_name_as_c_str() == Ok(VALIDATION_LAYER))
            {
                return Err(
                    "CALDERA_VALIDATION=1, but VK_LAYER_KHRONOS_validation is not installed".into(),
                );
            }
            layers.push(VALIDATION_LAYER.as_ptr());
            // SAFETY: plain query, the layer exists.
            let of_layer =
                unsafe { entry.enumerate_instance_extension_properties(Some(VALIDATION_LAYER)) }
                    .unwrap_or_default();
            names |= offers(&of_layer, name);
        }
        if names {
            extensions.push(name);
        }

        let app = vk::ApplicationInfo::default()
            .engine_name(c"Caldera")
            .api_version(version);
        let extension_names: Vec<_> = extensions.iter().map(|name| name.as_ptr()).collect();
        let mut messenger = vk::DebugUtilsMessengerCreateInfoEXT::default()
            .message_severity(
                vk::DebugUtilsMessageSeverityFlagsEXT::WARNING
                    | vk::DebugUtilsMessageSeverityFlagsEXT::ERROR,
            )
            .message_type(vk::DebugUtilsMessageTypeFlagsEXT::VALIDATION)
            .pfn_user_callback(Some(on_message));
        let mut info = vk::InstanceCreateInfo::default()
            .flags(flags)
            .application_info(&app)
            .enabled_layer_names(&layers)
            .enabled_extension_names(&extension_names);
        let listen = names && validate;
        if listen {
            info = info.push_next(&mut messenger);
        }
        // SAFETY: `info` and what it points to live through the call; layers and
        // extensions were enumerated.
        let raw = unsafe { entry.create_instance(&info, None) }
            .map_err(|e| format!("no Vulkan instance: {e}"))?;
        let properties2 = has_properties2
            .then(|| ash::khr::get_physical_device_properties2::Instance::new(&entry, &raw));
        let debug = listen.then(|| {
            let loader = ash::ext::debug_utils::Instance::new(&entry, &raw);
            messenger.p_next = std::ptr::null();
            // SAFETY: the extension is enabled; the callback is a static function.
            let handle = unsafe { loader.create_debug_utils_messenger(&messenger, None) };
            (loader, handle.unwrap_or_default())
        });
        Ok(Arc::new(Instance {
            raw,
            debug,
            names,
            version,
            extensions,
            properties2,
            entry,
        }))
    }

    /// Whether it was created with an extension.
    pub(super) fn has(&self, extension: &CStr) -> bool {
        self.extensions.contains(&extension)
    }

    pub(super) fn physical_devices(&self) -> Vec<vk::PhysicalDevice> {
        // SAFETY: the instance is alive.
        unsafe { self.raw.enumerate_physical_devices() }.unwrap_or_default()
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        // SAFETY: whatever was made from the instance holds an Arc of it and is gone.
        unsafe {
            if let Some((loader, messenger)) = &self.debug {
                loader.destroy_debug_utils_messenger(*messenger, None);
            }
            self.raw.destroy_instance(None);
        }
    }
}

unsafe extern "system" fn on_message(
    _severity: vk::DebugUtilsMessageSeverityFlagsEXT,
    _types: vk::DebugUtilsMessageTypeFlagsEXT,
    data: *const vk::DebugUtilsMessengerCallbackDataEXT<'_>,
    _user: *mut c_void,
) -> vk::Bool32 {
    // SAFETY: the layer passes a valid structure, whose text lives through the call.
    let text = unsafe { data.as_ref().and_then(|d| d.message_as_c_str()) };
    let text = text.unwrap_or(c"(no text)").to_string_lossy();
    // The layer warns of each extension that is newer than itself. That is no defect of our calls.
    if text.contains("is not supported by this layer") {
        return vk::FALSE;
    }
    MESSAGES.fetch_add(1, Ordering::Relaxed);
    tell(Priority::Warn, &format!("caldera: validation: {text}"));
    vk::FALSE
}
