//! Shared virtual memory, on devices that have it, and commands on memory that applications know by its address.
//! cl_arm_shared_virtual_memory has the same functions; KIND is the type of their events.

use std::ffi::c_void;
use std::sync::Arc;

use super::enqueue_buffer::{check_migration, check_pattern, host, map_flags, unless_empty};
use super::event::wait_list;
use super::handle;
use super::pointer::{In, Out, SentHandle, UserData};
use super::queue::CommandQueue;
use super::raw::constants::*;
use super::raw::types::*;
use super::usm::allocated;
use crate::os::memory::HostMemory;
use crate::runtime::command::{Command, End};
use crate::runtime::context::Context;
use crate::runtime::memory::allocations::{Kind, Maker, is_alignment};
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::layout::Layout;
use crate::runtime::memory::{svm, usm};
use crate::runtime::support::error::{ClError, ClResult};

/// CL_INVALID_COMMAND_QUEUE if the queue is not valid; CL_INVALID_OPERATION if its device
/// does not support SVM.
fn svm_queue(command_queue: cl_command_queue) -> ClResult<Arc<CommandQueue>> {
    let queue = handle::get(command_queue)?;
    check_svm(&queue)?;
    Ok(queue)
}

/// CL_INVALID_OPERATION if the queue's device does not support SVM.
pub(super) fn check_svm(queue: &CommandQueue) -> ClResult {
    match svm::supported(queue.device()) {
        true => Ok(()),
        false => Err(ClError::INVALID_OPERATION),
    }
}

/// The allocation that holds `size` bytes from `pointer`, and the offset in it, if the host can map it.
/// CL_INVALID_VALUE if there is none.
fn allocation(
    queue: &CommandQueue,
    pointer: *const c_void,
    size: usize,
) -> ClResult<(Arc<Buffer>, u64)> {
    let mapped = |kind| matches!(kind, Kind::Coarse | Kind::Fine);
    let found = find(queue, pointer, size, mapped)?;
    found.ok_or(ClError::INVALID_VALUE)
}

/// The same of any `wanted` kind; `None` if there is none. CL_INVALID_OPERATION if the queue's device does not have it.
fn find(
    queue: &CommandQueue,
    pointer: *const c_void,
    size: usize,
    wanted: impl FnOnce(Kind) -> bool,
) -> ClResult<Option<(Arc<Buffer>, u64)>> {
    let Some((found, offset)) = queue.context.allocations.find(pointer as usize, size)? else {
        return Ok(None);
    };
    if !wanted(found.kind) {
        return Ok(None);
    }
    found.buffer.address(queue.device())?;
    Ok(Some((found.buffer.clone(), offset)))
}

/// NULL for everything that cannot be had: a context without SVM, or without the kind asked for,
/// flags that exclude each other, a size of zero or too large, an alignment that is no
/// power of two or larger than any type's.
pub fn svm_alloc(
    context: cl_context,
    flags: cl_svm_mem_flags,
    size: usize,
    alignment: cl_uint,
) -> ClResult<*mut c_void> {
    let context = handle::get(context)?;
    const ACCESS: cl_svm_mem_flags = CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY | CL_MEM_READ_ONLY;
    // Each device of the context must support what is asked for.
    let fine = context.devices.iter().all(|d| usm::has(d, Kind::Fine));
    let atomics = context.devices.iter().all(usm::has_host_atomics);
    let mut kinds = 0;
    if fine {
        kinds |= CL_MEM_SVM_FINE_GRAIN_BUFFER;
    }
    // They are nothing without fine grain.
    if atomics && flags & CL_MEM_SVM_FINE_GRAIN_BUFFER != 0 {
        kinds |= CL_MEM_SVM_ATOMICS;
    }
    if flags & !(ACCESS | kinds) != 0
        || (flags & ACCESS).count_ones() > 1
        || !is_alignment(alignment)
    {
        return Err(ClError::INVALID_VALUE);
    }
    let fine = flags & CL_MEM_SVM_FINE_GRAIN_BUFFER != 0;
    let kind = if fine { Kind::Fine } else { Kind::Coarse };
    allocated(&context, kind, None, size, 0, Vec::new(), Maker::Svm)
}

/// NULL, and what is no allocation of the context, is freed without effect.
pub fn svm_free(context: cl_context, svm_pointer: *mut c_void) -> ClResult {
    free(&*handle::get(context)?, svm_pointer as usize);
    Ok(())
}

fn free(context: &Context, address: usize) {
    context
        .allocations
        .free(address, |found| found.maker == Maker::Svm);
}

pub fn enqueue_svm_free<const KIND: cl_command_type>(
    command_queue: cl_command_queue,
    num_svm_pointers: cl_uint,
    svm_pointers: In<*mut c_void>,
    pfn_free_func: Option<extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void, *mut c_void)>,
    user_data: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = svm_queue(command_queue)?;
    // CL_INVALID_VALUE if num_svm_pointers is 0 and svm_pointers is not NULL, or the other
    // way round.
    let pointers = svm_pointers.list(num_svm_pointers, ClError::INVALID_VALUE)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let addresses: Vec<usize> = pointers.into_iter().map(|p| p as usize).collect();
    let (handle, user_data) = (SentHandle::new(command_queue), UserData::new(user_data));
    let context = queue.context.clone();
    let run = move || {
        let Some(function) = pfn_free_func else {
            addresses
                .iter()
                .for_each(|&address| free(&context, address));
            return Ok(());
        };
        let mut list: Vec<_> = addresses.iter().map(|&a| a as *mut c_void).collect();
        let (queue, count) = (handle.handle(), list.len() as cl_uint);
        function(queue, count, list.as_mut_ptr(), user_data.pointer());
        Ok(())
    };
    let command = Command::Native(Box::new(run), Vec::new());
    queue.enqueue(KIND, command, waits, false, event)
}

pub fn enqueue_svm_memcpy<const KIND: cl_command_type>(
    command_queue: cl_command_queue,
    blocking_copy: cl_bool,
    dst_ptr: *mut c_void,
    src_ptr: *const c_void,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = svm_queue(command_queue)?;
    let command = memcpy(&queue, dst_ptr, src_ptr, size)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let blocking = blocking_copy != 0;
    queue.enqueue(KIND, command, waits, blocking, event)
}

/// The command of clEnqueueSVMMemcpy. Nothing is copied from anywhere to anywhere.
pub(super) fn memcpy(
    queue: &CommandQueue,
    dst_ptr: *mut c_void,
    src_ptr: *const c_void,
    size: usize,
) -> ClResult<Command> {
    if size == 0 {
        return Ok(Command::Marker);
    }
    let copy = Copy::new(dst_ptr, src_ptr, size, |pointer| {
        let found = find(queue, pointer, size, |_| true)?;
        Ok(found.map(|(buffer, offset)| Place::Here(buffer, offset)))
    })?;
    copy.command()
}

/// A place of a copy.
pub(super) enum Place {
    /// The host's own memory.
    Host(HostMemory),
    /// In an allocation of the queue's device.
    Here(Arc<Buffer>, u64),
    /// In one of another device.
    Elsewhere(Arc<Buffer>, u64),
}

/// A copy between two places, known by their addresses.
pub(super) struct Copy {
    dst: Place,
    src: Place,
    size: usize,
    overlaps: bool,
}

impl Copy {
    /// CL_INVALID_VALUE if dst_ptr or src_ptr is NULL. Either may be the host's own memory. `find` finds allocations.
    pub fn new(
        dst_ptr: *mut c_void,
        src_ptr: *const c_void,
        size: usize,
        find: impl Fn(*const c_void) -> ClResult<Option<Place>>,
    ) -> ClResult<Copy> {
        let hosts = (host(dst_ptr, size)?, host(src_ptr, size)?);
        Ok(Copy {
            dst: find(dst_ptr)?.unwrap_or(Place::Host(hosts.0)),
            src: find(src_ptr)?.unwrap_or(Place::Host(hosts.1)),
            size,
            overlaps: (dst_ptr as usize).abs_diff(src_ptr as usize) < size,
        })
    }

    /// CL_MEM_COPY_OVERLAP if source and destination overlap.
    pub fn command(self) -> ClResult<Command> {
        if self.overlaps {
            return Err(ClError::MEM_COPY_OVERLAP);
        }
        let size = self.size as u64;
        let command = match (self.dst, self.src) {
            (Place::Here(dst, at), Place::Here(src, src_at)) => {
                Command::copy(&src, src_at, &dst, at, size)
            }
            (Place::Here(dst, at), Place::Host(from)) => Command::write(from, &dst, at),
            (Place::Host(to), Place::Here(src, at)) => Command::read(&src, at, to),
            (dst, src) => Command::across(dst.end(), src.end(), size),
        };
        Ok(unless_empty(self.size, command))
    }
}

impl Place {
    fn end(self) -> End {
        match self {
            Place::Host(memory) => End::Host(memory),
            Place::Here(buffer, at) | Place::Elsewhere(buffer, at) => End::Buffer(buffer, at),
        }
    }
}

pub fn enqueue_svm_mem_fill<const KIND: cl_command_type>(
    command_queue: cl_command_queue,
    svm_ptr: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = svm_queue(command_queue)?;
    let command = match svm_ptr.is_null() && size == 0 {
        true => check_pattern(pattern, pattern_size, 0, 0).map(|_| Command::Marker)?,
        false => fill(&queue, svm_ptr, pattern, pattern_size, size)?,
    };
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    queue.enqueue(KIND, command, waits, false, event)
}

/// A fill of an allocation. CL_INVALID_VALUE if the pointer is NULL or not aligned to pattern_size bytes, and for the
/// pattern and size as for buffers.
pub(super) fn fill(
    queue: &CommandQueue,
    pointer: *mut c_void,
    pattern: *const c_void,
    pattern_size: usize,
    size: usize,
) -> ClResult<Command> {
    let found = find(queue, pointer, size, |_| true)?;
    let (dst, offset) = found.ok_or(ClError::INVALID_VALUE)?;
    let pattern = check_pattern(pattern, pattern_size, pointer as usize, size)?;
    let fill = Command::fill(&dst, pattern.to_vec(), offset, size as u64);
    Ok(unless_empty(size, fill))
}

pub fn enqueue_svm_map<const KIND: cl_command_type>(
    command_queue: cl_command_queue,
    blocking_map: cl_bool,
    flags: cl_map_flags,
    svm_ptr: *mut c_void,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = svm_queue(command_queue)?;
    // CL_INVALID_VALUE if svm_ptr is NULL, size is zero, or flags are not valid.
    if size == 0 {
        return Err(ClError::INVALID_VALUE);
    }
    let (buffer, offset) = allocation(&queue, svm_ptr, size)?;
    let flags = map_flags(flags)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let mapping = buffer.map(
        queue.device(),
        flags,
        Layout::linear(offset),
        [size as u64, 1, 1],
    )?;
    let blocking = blocking_map != 0;
    let command = Command::Map(mapping);
    let done = queue.enqueue(KIND, command, waits, blocking, event);
    done.inspect_err(|_| {
        let _ = buffer.unmap(queue.device(), svm_ptr.cast());
    })
}

pub fn enqueue_svm_unmap<const KIND: cl_command_type>(
    command_queue: cl_command_queue,
    svm_ptr: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = svm_queue(command_queue)?;
    // CL_INVALID_VALUE if svm_ptr is NULL.
    let (buffer, _) = allocation(&queue, svm_ptr, 0)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    // What was not mapped is not an error.
    let command = match buffer.unmap(queue.device(), svm_ptr.cast()) {
        Ok(mapping) => Command::Unmap(mapping),
        Err(_) => Command::Migrate(vec![buffer]),
    };
    queue.enqueue(KIND, command, waits, false, event)
}

pub fn enqueue_svm_migrate_mem(
    command_queue: cl_command_queue,
    num_svm_pointers: cl_uint,
    svm_pointers: In<*const c_void>,
    sizes: In<usize>,
    flags: cl_mem_migration_flags,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = svm_queue(command_queue)?;
    // CL_INVALID_VALUE if num_svm_pointers is zero or svm_pointers is NULL, or a range is
    // not in an allocation. Without sizes, or with a size of 0, it is the whole allocation, or none for NULL.
    let pointers = svm_pointers.some(num_svm_pointers, ClError::INVALID_VALUE)?;
    let sizes = sizes.values(pointers.len())?;
    let sizes = sizes.unwrap_or_else(|| vec![0; pointers.len()]);
    let ranges = pointers.into_iter().zip(sizes);
    let ranges = ranges.filter(|(pointer, size)| !pointer.is_null() || *size != 0);
    let buffers = ranges.map(|(pointer, size)| {
        let found = find(&queue, pointer, size, |_| true)?;
        found.map(|found| found.0).ok_or(ClError::INVALID_VALUE)
    });
    let buffers = buffers.collect::<ClResult<Vec<_>>>()?;
    check_migration(flags)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let command = Command::Migrate(buffers);
    queue.enqueue(CL_COMMAND_SVM_MIGRATE_MEM, command, waits, false, event)
}
