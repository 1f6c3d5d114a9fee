//! Properties of memory objects, and memory that other APIs share (cl_khr_external_memory).

use std::ffi::c_void;
use std::sync::Arc;

use super::event::wait_list;
use super::handle;
use super::memory::{allocate, check_host_ptr};
use super::pointer::{In, Out, has_twins};
use super::raw::constants::*;
use super::raw::types::*;
use crate::runtime::command::Command;
use crate::runtime::context::Context;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::facts::DeviceFacts;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::import::Outside;
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk::peer::Handle;

type HandleRow = (
    cl_external_memory_handle_type_khr,
    Handle,
    fn(&DeviceFacts) -> bool,
);

/// The types of handles, and which devices can import them.
const HANDLES: [HandleRow; 2] = [
    (
        CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR,
        Handle::OpaqueFd,
        |f| f.imports_fd,
    ),
    (CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR, Handle::DmaBuf, |f| {
        f.imports_dma_buf
    }),
];

/// The types of handles that all of the devices can import.
pub fn handles<'a>(
    devices: impl Iterator<Item = &'a Arc<Device>> + Clone,
) -> Vec<cl_external_memory_handle_type_khr> {
    let by_all = |row: &&HandleRow| devices.clone().all(|device| (row.2)(device.facts()));
    HANDLES.iter().filter(by_all).map(|row| row.0).collect()
}

/// Properties whose value is a list.
const LISTS: &[cl_mem_properties] = &[CL_MEM_DEVICE_HANDLE_LIST_KHR];

/// What the properties of a new memory object say.
#[derive(Default)]
pub(super) struct Properties {
    /// The application queries its device address (cl_ext_buffer_device_address).
    pub addressed: bool,
    /// Its memory, and the device that imports it.
    pub external: Option<(Outside, Arc<Device>)>,
}

impl Properties {
    /// CL_INVALID_PROPERTY if a name or a value is not supported, or a name is there twice, or devices
    /// without a handle; CL_INVALID_DEVICE if a device is not one of the context or cannot import.
    pub fn new(context: &Context, list: In<cl_mem_properties>) -> ClResult<Properties> {
        let all = list.properties_with_lists(LISTS);
        let invalid = ClError::INVALID_PROPERTY;
        if has_twins(&all) {
            return Err(invalid);
        }
        let (mut addressed, mut memory, mut devices) = (false, None, None);
        for (name, value) in &all {
            let row = HANDLES.iter().find(|row| u64::from(row.0) == *name);
            match (*name, value[0], row) {
                // One object has one memory.
                (_, value, Some(row)) if memory.is_none() => {
                    let fd = descriptor(value).ok_or(invalid)?;
                    memory = Some((Outside::Fd(row.1, fd), row.2));
                }
                (CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, value @ 0..=1, _) => addressed = value != 0,
                (CL_MEM_DEVICE_HANDLE_LIST_KHR, ..) => devices = Some(&value[..value.len() - 1]),
                _ => return Err(invalid),
            }
        }
        let Some((memory, is_importer)) = memory else {
            return match devices {
                Some(_) => Err(invalid),
                None => Ok(Properties {
                    addressed,
                    external: None,
                }),
            };
        };
        let devices: Vec<Arc<Device>> = match devices {
            None => context.devices.clone(),
            Some(list) => {
                let of = |&id: &cl_mem_properties| {
                    let found = handle::get(id as usize as cl_device_id);
                    found.map_err(|_| ClError::INVALID_DEVICE)
                };
                list.iter().map(of).collect::<ClResult<_>>()?
            }
        };
        // A memory object has memory of one device: the context's first.
        let first = context.devices.first().ok_or(ClError::INVALID_CONTEXT)?;
        match &devices[..] {
            [device] if Arc::ptr_eq(device, first) && is_importer(device.facts()) => {
                Ok(Properties {
                    addressed,
                    external: Some((memory, device.clone())),
                })
            }
            _ => Err(ClError::INVALID_DEVICE),
        }
    }

    /// The memory of a new object: as [`allocate`], or what is imported. CL_INVALID_VALUE if flags are
    /// about host memory, or the handle cannot be imported.
    pub fn allocate(
        &self,
        context: &Context,
        flags: cl_mem_flags,
        size: usize,
        host_ptr: *mut c_void,
    ) -> ClResult<Arc<Buffer>> {
        let Some((memory, device)) = &self.external else {
            return allocate(context, flags, size, host_ptr);
        };
        const HOST: cl_mem_flags =
            CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR;
        if flags & HOST != 0 {
            return Err(ClError::INVALID_VALUE);
        }
        check_host_ptr(flags, host_ptr)?;
        Buffer::imported(device, memory, size as u64)
    }
}

/// The descriptor that is the value of a property: of 64 bits, which some fill with signs, some with zeros.
pub(super) fn descriptor(value: cl_properties) -> Option<i32> {
    let signed = i32::try_from(value.cast_signed()).ok();
    signed.or_else(|| u32::try_from(value).ok().map(u32::cast_signed))
}

/// CL_MEM_PROPERTIES: the list as it was given.
pub(super) fn property_list(list: In<cl_mem_properties>) -> Vec<cl_mem_properties> {
    list.property_list_with_lists(LISTS)
}

pub fn enqueue_acquire_external_mem_objects(
    command_queue: cl_command_queue,
    num_mem_objects: cl_uint,
    mem_objects: In<cl_mem>,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let waits = (num_events_in_wait_list, event_wait_list);
    hand_over(
        command_queue,
        (num_mem_objects, mem_objects),
        waits,
        event,
        true,
    )
}

pub fn enqueue_release_external_mem_objects(
    command_queue: cl_command_queue,
    num_mem_objects: cl_uint,
    mem_objects: In<cl_mem>,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let waits = (num_events_in_wait_list, event_wait_list);
    hand_over(
        command_queue,
        (num_mem_objects, mem_objects),
        waits,
        event,
        false,
    )
}

/// `ours`: acquires the objects; otherwise releases them.
fn hand_over(
    command_queue: cl_command_queue,
    objects: (cl_uint, In<cl_mem>),
    waits: (cl_uint, In<cl_event>),
    event: Out<cl_event>,
    ours: bool,
) -> ClResult {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not valid.
    let queue = handle::get(command_queue)?;
    // CL_INVALID_VALUE if num_mem_objects is zero and mem_objects is not NULL, or the other way round.
    let objects = objects.1.list(objects.0, ClError::INVALID_VALUE)?;
    // CL_INVALID_MEM_OBJECT if one is not valid, or its memory is not imported.
    let objects = handle::get_all(&objects)?;
    if objects.iter().any(|object| !object.external) {
        return Err(ClError::INVALID_MEM_OBJECT);
    }
    // CL_INVALID_COMMAND_QUEUE if an object's context has not the queue's device.
    let apart = |e| match e {
        ClError::INVALID_CONTEXT => ClError::INVALID_COMMAND_QUEUE,
        other => other,
    };
    let check = |object: &Arc<super::memory::Memory>| queue.check_context(&object.context);
    objects.iter().try_for_each(check).map_err(apart)?;
    let waits = wait_list(&queue, waits.0, waits.1)?;
    let kind = match ours {
        true => CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR,
        false => CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR,
    };
    let buffers: Vec<_> = objects.iter().map(|o| o.buffer.clone()).collect();
    let command = match buffers.is_empty() {
        true => Command::Marker,
        false => Command::HandOver { buffers, ours },
    };
    queue.enqueue(kind, command, waits, false, event)
}
