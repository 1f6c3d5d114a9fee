//! Unified shared memory (cl_intel_unified_shared_memory; docs/usm.md).

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use super::context::device_of;
use super::enqueue_buffer::{check_migration, unless_empty};
use super::event::wait_list;
use super::handle;
use super::info::{Info, Written};
use super::pointer::{In, Out};
use super::queue::CommandQueue;
use super::raw::constants::*;
use super::raw::types::*;
use super::svm::{Copy, Place, fill};
use crate::runtime::command::Command;
use crate::runtime::context::Context;
use crate::runtime::gpu::device::Device;
use crate::runtime::memory::allocations::{Allocation, Kind, Maker, is_alignment};
use crate::runtime::memory::usm;
use crate::runtime::submit::users;
use crate::runtime::support::error::{ClError, ClResult};

type Capabilities = cl_device_unified_shared_memory_capabilities_intel;

/// CL_DEVICE_*_MEM_CAPABILITIES_INTEL.
pub(super) fn capabilities(device: &Arc<Device>, name: cl_device_info) -> Capabilities {
    const OWN: cl_uint =
        CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL | CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL;
    // Vulkan orders no atomics of the host: drivers may.
    let atomic = match usm::has_host_atomics(device) {
        true => CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL,
        false => 0,
    };
    let both = OWN | CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL | atomic;
    let methods = usm::methods(device);
    let (has, able) = match name {
        CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL => (methods.host.is_some(), both),
        CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL => (methods.device.is_some(), OWN),
        CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL => (methods.cross, both),
        // CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL: the device sees no memory that is not made for it.
        _ => (false, 0),
    };
    if has { able.into() } else { 0 }
}

/// The allocation functions. CL_INVALID_CONTEXT, CL_INVALID_DEVICE if context or device is not valid; the other
/// errors are those of the specification, in its order.
fn allocate(
    kind: Kind,
    context: cl_context,
    device: cl_device_id,
    properties: In<cl_mem_properties_intel>,
    size: usize,
    alignment: cl_uint,
) -> ClResult<*mut c_void> {
    let context = handle::get(context)?;
    let optional = kind == Kind::Host || (kind == Kind::Shared && device.is_null());
    let device = match optional {
        true => None,
        false => Some(device_of(&context, device)?),
    };
    // CL_INVALID_OPERATION if the device, or every device of the context, lacks the kind.
    let named = device.iter();
    let all = context.devices.iter().filter(|_| device.is_none());
    let able: Vec<_> = named.chain(all).filter(|d| usm::has(d, kind)).collect();
    if able.is_empty() {
        return Err(ClError::INVALID_OPERATION);
    }
    // CL_INVALID_VALUE if alignment is not zero or a power of two, or greater than the size of the largest data type.
    if !is_alignment(alignment) {
        return Err(ClError::INVALID_VALUE);
    }
    let flags = flags(kind, properties)?;
    // CL_INVALID_BUFFER_SIZE if size is zero or greater than CL_DEVICE_MAX_MEM_ALLOC_SIZE.
    let largest = able.iter().map(|d| d.facts().max_alloc_size).min();
    if size == 0 || size as u64 > largest.unwrap_or(0) {
        return Err(ClError::INVALID_BUFFER_SIZE);
    }
    allocated(&context, kind, device, size, flags, Vec::new(), Maker::Usm)
}

/// A new allocation, which only its maker's functions free. CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES if there is no memory.
pub(super) fn allocated(
    context: &Context,
    kind: Kind,
    device: Option<Arc<Device>>,
    size: usize,
    flags: u64,
    properties: Vec<u64>,
    maker: Maker,
) -> ClResult<*mut c_void> {
    let made = usm::allocate(kind, &context.devices, device.as_ref(), size as u64);
    let added = made.and_then(|buffer| {
        context.allocations.add(Allocation {
            kind,
            maker,
            buffer,
            device,
            flags,
            properties,
        })
    });
    let address = added.map_err(|error| match error {
        ClError::OUT_OF_HOST_MEMORY => error,
        _ => ClError::OUT_OF_RESOURCES,
    })?;
    Ok(address as *mut c_void)
}

/// CL_MEM_ALLOC_FLAGS_INTEL. CL_INVALID_PROPERTY if a name or value is not supported, or a name is there twice.
fn flags(
    kind: Kind,
    properties: In<cl_mem_properties_intel>,
) -> ClResult<cl_mem_alloc_flags_intel> {
    const PLACEMENT: cl_mem_alloc_flags_intel =
        CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL | CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL;
    let known = match kind {
        Kind::Shared => CL_MEM_ALLOC_WRITE_COMBINED_INTEL | PLACEMENT,
        _ => CL_MEM_ALLOC_WRITE_COMBINED_INTEL,
    };
    match properties.properties()[..] {
        [] => Ok(0),
        [(CL_MEM_ALLOC_FLAGS_INTEL, flags)]
            if flags & !known == 0 && flags & PLACEMENT != PLACEMENT =>
        {
            Ok(flags)
        }
        _ => Err(ClError::INVALID_PROPERTY),
    }
}

pub fn host_mem_alloc_intel(
    context: cl_context,
    properties: In<cl_mem_properties_intel>,
    size: usize,
    alignment: cl_uint,
) -> ClResult<*mut c_void> {
    let none = ptr::null_mut();
    allocate(Kind::Host, context, none, properties, size, alignment)
}

pub fn device_mem_alloc_intel(
    context: cl_context,
    device: cl_device_id,
    properties: In<cl_mem_properties_intel>,
    size: usize,
    alignment: cl_uint,
) -> ClResult<*mut c_void> {
    allocate(Kind::Device, context, device, properties, size, alignment)
}

pub fn shared_mem_alloc_intel(
    context: cl_context,
    device: cl_device_id,
    properties: In<cl_mem_properties_intel>,
    size: usize,
    alignment: cl_uint,
) -> ClResult<*mut c_void> {
    allocate(Kind::Shared, context, device, properties, size, alignment)
}

/// Frees an allocation. Commands that use it keep its memory until they have ended. CL_INVALID_VALUE if ptr is neither
/// NULL nor what an allocation function has returned.
fn free(context: &Context, ptr: *mut c_void) -> ClResult<Option<Arc<Allocation>>> {
    if ptr.is_null() {
        return Ok(None);
    }
    let usm = |found: &Allocation| found.maker == Maker::Usm;
    let freed = context.allocations.free(ptr as usize, usm);
    freed.map(Some).ok_or(ClError::INVALID_VALUE)
}

pub fn mem_free_intel(context: cl_context, ptr: *mut c_void) -> ClResult {
    free(&*handle::get(context)?, ptr).map(drop)
}

pub fn mem_blocking_free_intel(context: cl_context, ptr: *mut c_void) -> ClResult {
    let context = handle::get(context)?;
    if let Some(freed) = free(&context, ptr)? {
        users::wait_for(&freed.buffer, &context.devices);
    }
    Ok(())
}

pub fn get_mem_alloc_info_intel(
    context: cl_context,
    ptr: *const c_void,
    param_name: cl_mem_info_intel,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    let context = handle::get(context)?;
    let found = context.allocations.find(ptr as usize, 0)?;
    let found = found.filter(|(allocation, _)| allocation.maker == Maker::Usm);
    let found = found.as_ref();
    let kind = found.map(|(allocation, _)| allocation.kind);
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    // CL_INVALID_VALUE if param_name is not valid.
    let written = match param_name.into() {
        TYPE => out.value(match kind {
            Some(Kind::Host) => CL_MEM_TYPE_HOST_INTEL,
            Some(Kind::Device) => CL_MEM_TYPE_DEVICE_INTEL,
            Some(Kind::Shared) => CL_MEM_TYPE_SHARED_INTEL,
            Some(Kind::Coarse | Kind::Fine) | None => CL_MEM_TYPE_UNKNOWN_INTEL,
        }),
        BASE => out.value(found.map_or(0, |(_, offset)| ptr as usize - *offset as usize)),
        SIZE => out.value(found.map_or(0, |(found, _)| found.buffer.size() as usize)),
        DEVICE => {
            let device = found.and_then(|(found, _)| found.device.as_ref());
            out.value(device.map_or(ptr::null_mut(), handle::of))
        }
        CL_MEM_ALLOC_FLAGS_INTEL => out.value(found.map_or(0, |(found, _)| found.flags)),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}

// The registry has the names of queries and of properties as different types.
const TYPE: cl_mem_properties_intel = CL_MEM_ALLOC_TYPE_INTEL as _;
const BASE: cl_mem_properties_intel = CL_MEM_ALLOC_BASE_PTR_INTEL as _;
const SIZE: cl_mem_properties_intel = CL_MEM_ALLOC_SIZE_INTEL as _;
const DEVICE: cl_mem_properties_intel = CL_MEM_ALLOC_DEVICE_INTEL as _;

pub fn enqueue_memset_intel(
    command_queue: cl_command_queue,
    dst_ptr: *mut c_void,
    value: cl_int,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    // As memset: the value's lowest byte.
    let byte = value as u8;
    let pattern = (&raw const byte).cast();
    let (count, waits) = (num_events_in_wait_list, event_wait_list);
    enqueue_mem_fill_intel(
        command_queue,
        dst_ptr,
        pattern,
        1,
        size,
        count,
        waits,
        event,
    )
}

pub fn enqueue_mem_fill_intel(
    command_queue: cl_command_queue,
    dst_ptr: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    // CL_INVALID_VALUE if dst_ptr is no allocation's.
    let command = fill(&queue, dst_ptr, pattern, pattern_size, size)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    queue.enqueue(CL_COMMAND_MEMFILL_INTEL, command, waits, false, event)
}

pub fn enqueue_memcpy_intel(
    command_queue: cl_command_queue,
    blocking: cl_bool,
    dst_ptr: *mut c_void,
    src_ptr: *const c_void,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    let copy = Copy::new(dst_ptr, src_ptr, size, |ptr| place(&queue, ptr, size))?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let command = copy.command()?;
    queue.enqueue(
        CL_COMMAND_MEMCPY_INTEL,
        command,
        waits,
        blocking != 0,
        event,
    )
}

/// The allocation that holds `size` bytes from `pointer`, on whatever device of the context. CL_INVALID_VALUE if it ends
/// before.
fn place(queue: &CommandQueue, pointer: *const c_void, size: usize) -> ClResult<Option<Place>> {
    let found = queue.context.allocations.find(pointer as usize, size)?;
    Ok(found.map(|(found, offset)| {
        let buffer = found.buffer.clone();
        match buffer.address(queue.device()) {
            Ok(_) => Place::Here(buffer, offset),
            Err(_) => Place::Elsewhere(buffer, offset),
        }
    }))
}

/// The command of a hint about a range. CL_INVALID_VALUE if ptr is NULL, or in an allocation that ends before the range does.
fn hint(queue: &CommandQueue, ptr: *const c_void, size: usize) -> ClResult<Command> {
    let found = queue.context.allocations.find(ptr as usize, size)?;
    if ptr.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    // What is no allocation, or another device's, does not migrate.
    let buffers = found.map(|(found, _)| found.buffer.clone());
    let here = buffers
        .into_iter()
        .filter(|b| b.address(queue.device()).is_ok());
    Ok(Command::Migrate(here.collect()))
}

pub fn enqueue_migrate_mem_intel(
    command_queue: cl_command_queue,
    ptr: *const c_void,
    size: usize,
    flags: cl_mem_migration_flags,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    let command = unless_empty(size, hint(&queue, ptr, size)?);
    check_migration(flags)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    queue.enqueue(CL_COMMAND_MIGRATEMEM_INTEL, command, waits, false, event)
}

pub fn enqueue_mem_advise_intel(
    command_queue: cl_command_queue,
    ptr: *const c_void,
    size: usize,
    advice: cl_mem_advice_intel,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    hint(&queue, ptr, size)?;
    // CL_INVALID_VALUE if advice is not supported: there is none but no advice.
    if advice != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let command = Command::Migrate(Vec::new());
    queue.enqueue(CL_COMMAND_MEMADVISE_INTEL, command, waits, false, event)
}
