//! Contexts.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use super::device::devices_of_type;
use super::handle;
use super::info::{Info, Written};
use super::platform::platform_of;
use super::pointer::{In, Out, PrintFunction, SentHandle, UserData, print_function};
use super::raw::constants::*;
use super::raw::types::*;
use crate::runtime::context::{Context, Initialized};
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::printf::{Print, Printer};
use crate::runtime::platform::Platform;
use crate::runtime::support::callback::Notify;
use crate::runtime::support::error::{ClError, ClResult};

type NotifyFunction = Option<extern "C" fn(*const c_char, *const c_void, usize, *mut c_void)>;

pub fn create_context(
    properties: In<cl_context_properties>,
    num_devices: cl_uint,
    devices: In<cl_device_id>,
    pfn_notify: NotifyFunction,
    user_data: *mut c_void,
) -> ClResult<cl_context> {
    let given = Given::read(properties)?;
    // CL_INVALID_VALUE if devices is NULL, or num_devices is 0.
    let devices = devices.some(num_devices, ClError::INVALID_VALUE)?;
    let notify = notify_function(pfn_notify, user_data, &given)?;
    // CL_INVALID_DEVICE if a device is not valid.
    let devices = handle::get_all(&devices)?;
    new_context(devices, properties, notify, given, user_data)
}

pub fn create_context_from_type(
    properties: In<cl_context_properties>,
    device_type: cl_device_type,
    pfn_notify: NotifyFunction,
    user_data: *mut c_void,
) -> ClResult<cl_context> {
    let given = Given::read(properties)?;
    let notify = notify_function(pfn_notify, user_data, &given)?;
    // CL_INVALID_DEVICE_TYPE if device_type is not valid; CL_DEVICE_NOT_FOUND if there
    // is no such device.
    let devices = devices_of_type(given.platform.devices, device_type)?;
    new_context(devices, properties, notify, given, user_data)
}

/// The meaning of the context's properties.
struct Given {
    /// The platform that they name, or the only one.
    platform: Arc<Platform>,
    print: PrintFunction,
    print_size: Option<u64>,
    initialized: Initialized,
}

impl Given {
    fn read(properties: In<cl_context_properties>) -> ClResult<Given> {
        let all = properties.properties();
        // CL_INVALID_PLATFORM if the platform is not valid.
        let platform = all.iter().find(|row| row.0 == CL_CONTEXT_PLATFORM);
        let platform = match platform {
            Some(&(_, value)) => handle::get(value as cl_platform_id)?,
            None => platform_of(std::ptr::null_mut())?,
        };
        let (mut print, mut print_size) = (None, None);
        let mut initialized = Initialized::default();
        let mut seen = Vec::new();
        for (name, value) in all {
            // CL_INVALID_PROPERTY if a name is not supported, its value is not valid, or it
            // is specified more than once.
            if seen.contains(&name) {
                return Err(ClError::INVALID_PROPERTY);
            }
            seen.push(name);
            match name {
                CL_CONTEXT_PLATFORM => {}
                CL_CONTEXT_INTEROP_USER_SYNC if matches!(value, 0 | 1) => {}
                CL_PRINTF_CALLBACK_ARM => print = print_function(value),
                CL_PRINTF_BUFFERSIZE_ARM => print_size = Some(value as u64),
                CL_CONTEXT_MEMORY_INITIALIZE_KHR => initialized = initialized_memory(value)?,
                _ => return Err(ClError::INVALID_PROPERTY),
            }
        }
        Ok(Given {
            platform,
            print,
            print_size,
            initialized,
        })
    }

    /// The callback with the application's data.
    fn printer(&self, user_data: *mut c_void) -> (Option<u64>, Option<Print>) {
        let user_data = UserData::new(user_data);
        let print = self.print.map(|function| -> Print {
            Box::new(move |text| {
                // The text is all that the launch has printed.
                const COMPLETE: usize = 1;
                let data = user_data.pointer();
                // The text ends with a 0 for callbacks that take it for a string.
                function(text.as_ptr().cast(), text.len() - 1, COMPLETE, data);
            })
        });
        (self.print_size, print)
    }
}

/// INVALID_PROPERTY for a bit that is none.
fn initialized_memory(value: isize) -> ClResult<Initialized> {
    let bits = value as cl_context_memory_initialize_khr;
    let both = CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR;
    match bits & !both {
        0 => Ok(Initialized {
            local: bits & CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR != 0,
            private: bits & CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR != 0,
        }),
        _ => Err(ClError::INVALID_PROPERTY),
    }
}

fn notify_function(
    function: NotifyFunction,
    user_data: *mut c_void,
    given: &Given,
) -> ClResult<Option<Notify>> {
    let Some(function) = function else {
        // CL_INVALID_VALUE if pfn_notify is NULL but user_data is not; cl_arm_printf hands
        // user_data to its callback, too.
        return match user_data.is_null() || given.print.is_some() {
            true => Ok(None),
            false => Err(ClError::INVALID_VALUE),
        };
    };
    let user_data = UserData::new(user_data);
    Ok(Some(Arc::new(move |message: &str| {
        let text: Vec<u8> = message.bytes().filter(|&b| b != 0).chain([0]).collect();
        function(
            text.as_ptr().cast(),
            std::ptr::null(),
            0,
            user_data.pointer(),
        );
    })))
}

fn new_context(
    devices: Vec<Arc<Device>>,
    properties: In<cl_context_properties>,
    notify: Option<Notify>,
    given: Given,
    user_data: *mut c_void,
) -> ClResult<cl_context> {
    // Duplicate devices are ignored.
    let mut unique: Vec<Arc<Device>> = Vec::new();
    for device in devices {
        if !unique.iter().any(|d| Arc::ptr_eq(d, &device)) {
            unique.push(device);
        }
    }
    // CL_DEVICE_NOT_AVAILABLE if a device is currently not available.
    let (print_size, print) = given.printer(user_data);
    let printer = Printer::new(print_size, print, notify.clone());
    let list = properties.property_list();
    let context = Context::new(unique, list, given.initialized, notify, printer)?;
    Ok(handle::new(context))
}

pub fn retain_context(context: cl_context) -> ClResult {
    handle::retain(context)
}

pub fn release_context(context: cl_context) -> ClResult {
    handle::release(context)
}

pub fn get_context_info(
    context: cl_context,
    param_name: cl_context_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_CONTEXT if context is not valid.
    let object = handle::get(context)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let written = match param_name {
        CL_CONTEXT_REFERENCE_COUNT => out.value(handle::reference_count(context)?),
        CL_CONTEXT_NUM_DEVICES => out.value(object.devices.len() as cl_uint),
        CL_CONTEXT_DEVICES => out.list(&device_handles(&object.devices)),
        CL_CONTEXT_PROPERTIES => out.list(&object.properties),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}

/// A device of the context. CL_INVALID_DEVICE if it is not valid or not the context's.
pub(super) fn device_of(context: &Context, device: cl_device_id) -> ClResult<Arc<Device>> {
    let device = handle::get(device)?;
    context.index_of(&device).ok_or(ClError::INVALID_DEVICE)?;
    Ok(device)
}

/// The handles of devices.
pub fn device_handles(devices: &[Arc<Device>]) -> Vec<cl_device_id> {
    devices.iter().map(handle::of).collect()
}

pub fn set_context_destructor_callback(
    context: cl_context,
    pfn_notify: Option<extern "C" fn(cl_context, *mut c_void)>,
    user_data: *mut c_void,
) -> ClResult {
    // CL_INVALID_CONTEXT if context is not valid.
    let object = handle::get(context)?;
    // CL_INVALID_VALUE if pfn_notify is NULL.
    let function = pfn_notify.ok_or(ClError::INVALID_VALUE)?;
    let (handle, user_data) = (SentHandle::new(context), UserData::new(user_data));
    object.on_destroy(Box::new(move || {
        function(handle.handle(), user_data.pointer())
    }));
    Ok(())
}
