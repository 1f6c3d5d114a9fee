//! Command queues.

use std::ffi::c_void;
use std::sync::Arc;

use super::device_info::queue_properties;
use super::event::{ApiEvent, WaitList};
use super::handle;
use super::info::{Info, Written};
use super::pointer::{In, Out};
use super::raw::constants::*;
use super::raw::types::*;
use crate::runtime::command::Command;
use crate::runtime::context::Context;
use crate::runtime::gpu::device::Device;
use crate::runtime::submit::queue::{Completion, Queue, QueueProperties};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;
use crate::vk::device::Priority;

/// What a cl_command_queue stands for.
pub struct CommandQueue {
    pub handle: Handle,
    pub context: Arc<Context>,
    pub queue: Arc<Queue>,
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

    /// The end of every clEnqueue*: `kind` is what the event says it is.
    pub fn enqueue(
        self: &Arc<Self>,
        kind: cl_command_type,
        command: Command,
        waits: WaitList,
        blocking: bool,
        event: Out<cl_event>,
    ) -> ClResult {
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

pub fn create_command_queue(
    context: cl_context,
    device: cl_device_id,
    properties: cl_command_queue_properties,
) -> ClResult<cl_command_queue> {
    let (context, device) = check_device(context, device)?;
    new_queue(
        context,
        &device,
        (properties, Priority::default()),
        Vec::new(),
    )
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
    let mut bits = 0;
    let mut priority = Priority::default();
    for (name, value) in properties.properties() {
        match name as cl_command_queue_info {
            CL_QUEUE_PROPERTIES => bits = value,
            PRIORITY => priority = priority_of(value).ok_or(ClError::INVALID_VALUE)?,
            // Vulkan has nothing to throttle.
            THROTTLE if THROTTLES.contains(&value) => {}
            // CL_INVALID_QUEUE_PROPERTIES if it is valid but not supported: queues on
            // the device are not.
            CL_QUEUE_SIZE => return Err(ClError::INVALID_QUEUE_PROPERTIES),
            // CL_INVALID_VALUE if a property is not valid.
            _ => return Err(ClError::INVALID_VALUE),
        }
    }
    let list = properties.property_list();
    new_queue(context, &device, (bits, priority), list)
}

/// CL_INVALID_CONTEXT if context is not valid; CL_INVALID_DEVICE if device is not valid or
/// not associated with context.
fn check_device(
    context: cl_context,
    device: cl_device_id,
) -> ClResult<(Arc<Context>, Arc<Device>)> {
    let context = handle::get(context)?;
    let device = handle::get(device)?;
    context.index_of(&device).ok_or(ClError::INVALID_DEVICE)?;
    Ok((context, device))
}

fn new_queue(
    context: Arc<Context>,
    device: &Arc<Device>,
    (bits, priority): (cl_command_queue_properties, Priority),
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
    // CL_INVALID_QUEUE_PROPERTIES if they are valid but not supported by the device.
    if bits & !queue_properties(device) != 0 {
        return Err(ClError::INVALID_QUEUE_PROPERTIES);
    }
    let properties = QueueProperties {
        out_of_order: bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE != 0,
        profiling: bits & CL_QUEUE_PROFILING_ENABLE != 0,
        priority,
    };
    let queue = Queue::with_owner(device, properties, context.clone())?;
    Ok(handle::new(Arc::new(CommandQueue {
        handle: Handle::default(),
        context,
        queue,
        property_list,
    })))
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
            out.value::<cl_bitfield>(order | bit(properties.profiling, CL_QUEUE_PROFILING_ENABLE))
        }
        CL_QUEUE_PROPERTIES_ARRAY => out.list(&queue.property_list),
        // There are no queues on the device.
        CL_QUEUE_DEVICE_DEFAULT => out.value::<cl_command_queue>(std::ptr::null_mut()),
        // CL_INVALID_COMMAND_QUEUE if the queue is not valid for param_name: only queues
        // on the device have a size.
        CL_QUEUE_SIZE => Err(ClError::INVALID_COMMAND_QUEUE),
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
    // CL_INVALID_COMMAND_QUEUE if command_queue is not valid.
    handle::get(command_queue)?.queue.flush()
}

pub fn finish(command_queue: cl_command_queue) -> ClResult {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not valid.
    handle::get(command_queue)?.queue.finish()
}
