//! Command queues.

use std::any::Any;
use std::ffi::c_void;
use std::sync::{Arc, Weak};

use super::context::device_of;
use super::device_info::queue_properties;
use super::event::{ApiEvent, WaitList};
use super::handle;
use super::info::{Info, Written};
use super::pointer::{In, Out};
use super::raw::constants::*;
use super::raw::types::*;
use crate::compiler::device_queue::{max_size, preferred_size};
use crate::runtime::command::Command;
use crate::runtime::context::Context;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::device_queue::DeviceQueue;
use crate::runtime::submit::queue::{Completion, Queue, QueueProperties};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;
use crate::vk::device::Priority;

/// What a cl_command_queue stands for.
pub struct CommandQueue {
    pub handle: Handle,
    pub context: Arc<Context>,
    pub queue: Arc<Queue>,
    /// Of a queue on the device, which no command of the host may use.
    pub on_device: Option<Arc<DeviceQueue>>,
    /// CL_QUEUE_PROPERTIES_ARRAY: the list as given, with its final 0.
    property_list: Vec<cl_queue_properties>,
}

impl CommandQueue {
    pub fn device(&self) -> &Arc<Device> {
        self.queue.device()
    }

    /// CL_INVALID_CONTEXT if an object is of another context.
    pub fn check_context(&self, context: &Arc<Context>) -> ClResult {
        match Arc::ptr_eq(&self.context, context) {
            true => Ok(()),
            false => Err(ClError::INVALID_CONTEXT),
        }
    }

    /// CL_INVALID_COMMAND_QUEUE if it is a queue on the device.
    pub fn check_host(&self) -> ClResult {
        match self.on_device {
            Some(_) => Err(ClError::INVALID_COMMAND_QUEUE),
            None => Ok(()),
        }
    }

    /// The end of every clEnqueue*: `kind` is what the event says it is.
    pub fn enqueue(
        self: &Arc<Self>,
        kind: cl_command_type,
        command: Command,
        waits: WaitList,
        blocking: bool,
        event: Out<cl_event>,
    ) -> ClResult {
        self.check_host()?;
        let completion = match (blocking, event.is_null()) {
            (false, true) => Completion::Async,
            (false, false) => Completion::Event,
            (true, true) => Completion::Blocking,
            (true, false) => Completion::BlockingEvent,
        };
        if let Some(done) = self.queue.enqueue(command, waits, completion)? {
            event.set(handle::new(ApiEvent::of_command(self, kind, done)));
        }
        Ok(())
    }
}

/// What a new queue shall be.
#[derive(Default)]
struct Asked {
    bits: cl_command_queue_properties,
    /// CL_QUEUE_SIZE, of a queue on the device.
    size: Option<cl_queue_properties>,
    priority: Priority,
}

pub fn create_command_queue(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
) -> ClResult<cl_command_queue> {
    let (context, device) = check_device(context, device)?;
    // Properties that are not in the table of this function are not valid.
    if properties & (CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT) != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    let asked = Asked {
        bits: properties,
        ..Asked::default()
    };
    new_queue(context, &device, asked, Vec::new())
}

const PRIORITY: cl_command_queue_info = CL_QUEUE_PRIORITY_KHR as _;
const THROTTLE: cl_command_queue_info = CL_QUEUE_THROTTLE_KHR as _;

const THROTTLES: [cl_queue_properties; 3] = [
    CL_QUEUE_THROTTLE_HIGH_KHR as _,
    CL_QUEUE_THROTTLE_MED_KHR as _,
    CL_QUEUE_THROTTLE_LOW_KHR as _,
];

fn priority_of(value: cl_queue_properties) -> Option<Priority> {
    match cl_queue_priority_khr::try_from(value).ok()? {
        CL_QUEUE_PRIORITY_HIGH_KHR => Some(Priority::High),
        CL_QUEUE_PRIORITY_MED_KHR => Some(Priority::Medium),
        CL_QUEUE_PRIORITY_LOW_KHR => Some(Priority::Low),
        _ => None,
    }
}

pub fn create_command_queue_with_properties(
    context: cl_context,
    device: cl_device_id,
    properties: In<cl_queue_properties>,
) -> ClResult<cl_command_queue> {
    let (context, device) = check_device(context, device)?;
    let mut asked = Asked::default();
    let mut has_hints = false;
    for (name, value) in properties.properties() {
        has_hints |= [PRIORITY, THROTTLE].contains(&(name as _));
        match name as cl_command_queue_info {
            CL_QUEUE_PROPERTIES => asked.bits = value,
            CL_QUEUE_SIZE => asked.size = Some(value),
            PRIORITY => asked.priority = priority_of(value).ok_or(ClError::INVALID_VALUE)?,
            // Vulkan has nothing to throttle.
            THROTTLE if THROTTLES.contains(&value) => {}
            // CL_INVALID_VALUE if a property is not valid.
            _ => return Err(ClError::INVALID_VALUE),
        }
    }
    // CL_INVALID_QUEUE_PROPERTIES if a hint is given for a queue on the device.
    if has_hints && asked.bits & CL_QUEUE_ON_DEVICE != 0 {
        return Err(ClError::INVALID_QUEUE_PROPERTIES);
    }
    new_queue(context, &device, asked, properties.property_list())
}

/// CL_INVALID_CONTEXT if context is not valid; CL_INVALID_DEVICE if device is not valid or
/// not associated with context.
fn check_device(
    context: cl_context,
    device: cl_device_id,
) -> ClResult<(Arc<Context>, Arc<Device>)> {
    let context = handle::get(context)?;
    let device = device_of(&context, device)?;
    Ok((context, device))
}

fn new_queue(
    context: Arc<Context>,
    device: &Arc<Device>,
    Asked {
        bits,
        size,
        priority,
    }: Asked,
    property_list: Vec<cl_queue_properties>,
) -> ClResult<cl_command_queue> {
    const KNOWN: cl_command_queue_properties = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE
        | CL_QUEUE_PROFILING_ENABLE
        | CL_QUEUE_ON_DEVICE
        | CL_QUEUE_ON_DEVICE_DEFAULT;
    // CL_INVALID_VALUE if properties are not valid.
    if bits & !KNOWN != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    let is_on_device = bits & CL_QUEUE_ON_DEVICE != 0;
    let is_default = bits & CL_QUEUE_ON_DEVICE_DEFAULT != 0;
    // CL_INVALID_VALUE if a queue on the device is not out of order, is the default of the device but not on it, or has a size that
    // is larger than CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, or one of the host has a size.
    let largest = device.facts().max_alloc_size;
    let most = max_size(largest);
    let size_fits = size.is_none_or(|size| is_on_device && size <= most.into());
    if is_on_device && bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE == 0
        || is_default && !is_on_device
        || !size_fits
    {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_QUEUE_PROPERTIES if they are valid but not supported by the device.
    let placement = CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;
    if bits & !(queue_properties(device) | placement) != 0 {
        return Err(ClError::INVALID_QUEUE_PROPERTIES);
    }
    let queues = &context.device_queues;
    if is_default && let Some(known) = queues.default_of(device).and_then(|q| object_of(&q)) {
        let handle = handle::of(&known);
        handle::retain(handle)?;
        return Ok(handle);
    }
    let on_device = match is_on_device {
        true => {
            let size = size.map_or(preferred_size(largest), |size| size as u32);
            Some(queues.create(device, size)?)
        }
        false => None,
    };
    let properties = QueueProperties {
        out_of_order: bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0,
        profiling: bits & CL_QUEUE_PROFILING_ENABLE != 0,
        priority,
    };
    let queue = Queue::with_owner(device, properties, context.clone())?;
    let made = Arc::new(CommandQueue {
        handle: Handle::default(),
        context,
        queue,
        on_device,
        property_list,
    });
    if let Some(on_device) = &made.on_device {
        let object: Weak<dyn Any + Send + Sync> = Arc::downgrade(&(made.clone() as Arc<_>));
        let _ = on_device.object.set(object);
        if is_default {
            made.context.device_queues.set_default(on_device);
        }
    }
    Ok(handle::new(made))
}

/// What stands for a queue on the device.
fn object_of(queue: &DeviceQueue) -> Option<Arc<CommandQueue>> {
    queue.object.get()?.upgrade()?.downcast().ok()
}

pub fn set_default_device_command_queue(
    context: cl_context,
    device: cl_device_id,
    command_queue: cl_command_queue,
) -> ClResult {
    let (context, device) = check_device(context, device)?;
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid queue on the device.
    let queue = handle::get(command_queue)?;
    let on_device = queue.on_device.as_ref();
    let on_device = on_device.filter(|q| Arc::ptr_eq(&q.device, &device));
    let on_device = on_device.ok_or(ClError::INVALID_COMMAND_QUEUE)?;
    queue.check_context(&context)?;
    context.device_queues.set_default(on_device);
    Ok(())
}

pub fn retain_command_queue(command_queue: cl_command_queue) -> ClResult {
    handle::retain(command_queue)
}

/// Performs an implicit flush.
pub fn release_command_queue(command_queue: cl_command_queue) -> ClResult {
    // It is released even if what was enqueued cannot run.
    let _ = handle::get(command_queue)?.queue.flush();
    handle::release(command_queue)
}

pub fn get_command_queue_info(
    command_queue: cl_command_queue,
    param_name: cl_command_queue_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not valid.
    let queue = handle::get(command_queue)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let properties = queue.queue.properties();
    let queues = &queue.context.device_queues;
    let default = queues.default_of(queue.device());
    let default = default.and_then(|q| object_of(&q));
    let written = match param_name {
        CL_QUEUE_CONTEXT => out.value(handle::of(&queue.context)),
        CL_QUEUE_DEVICE => out.value(handle::of(queue.device())),
        CL_QUEUE_REFERENCE_COUNT => out.value(handle::reference_count(command_queue)?),
        CL_QUEUE_PROPERTIES => {
            let bit = |set: bool, bit| if set { bit } else { 0 };
            let order = bit(
                properties.out_of_order,
                CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
            );
            let profiling = bit(properties.profiling, CL_QUEUE_PROFILING_ENABLE);
            let on_device = bit(queue.on_device.is_some(), CL_QUEUE_ON_DEVICE);
            let default = default.is_some_and(|q| Arc::ptr_eq(&q, &queue));
            let default = bit(default, CL_QUEUE_ON_DEVICE_DEFAULT);
            out.value::<cl_bitfield>(order | profiling | on_device | default)
        }
        CL_QUEUE_PROPERTIES_ARRAY => out.list(&queue.property_list),
        CL_QUEUE_DEVICE_DEFAULT => {
            let none = std::ptr::null_mut::<_cl_command_queue>();
            out.value(default.map_or(none, |queue| handle::of(&queue)))
        }
        // CL_INVALID_COMMAND_QUEUE if the queue is not valid for param_name: only queues
        // on the device have a size.
        CL_QUEUE_SIZE => match &queue.on_device {
            Some(on_device) => out.value::<cl_uint>(on_device.size),
            None => Err(ClError::INVALID_COMMAND_QUEUE),
        },
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}

pub fn set_command_queue_property(
    command_queue: cl_command_queue,
    _properties: cl_command_queue_properties,
    _enable: cl_bool,
    _old_properties: Out<cl_command_queue_properties>,
) -> ClResult {
    handle::get(command_queue)?;
    // CL_INVALID_OPERATION from OpenCL 1.1 on.
    Err(ClError::INVALID_OPERATION)
}

pub fn flush(command_queue: cl_command_queue) -> ClResult {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid queue of the host.
    let queue = handle::get(command_queue)?;
    queue.check_host()?;
    queue.queue.flush()
}

pub fn finish(command_queue: cl_command_queue) -> ClResult {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not a valid queue of the host.
    let queue = handle::get(command_queue)?;
    queue.check_host()?;
    queue.queue.finish()
}
