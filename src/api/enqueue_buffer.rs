//! Transfers between host and buffers, copies, fills, maps and migrations.

use std::ffi::c_void;
use std::sync::Arc;

use super::event::{WaitList, wait_list};
use super::handle;
use super::memory::Memory;
use super::pointer::{In, Out, bytes, host_memory};
use super::queue::CommandQueue;
use super::raw::constants::*;
use super::raw::types::*;
use super::rect::{self, Rect};
use crate::os::memory::HostMemory;
use crate::runtime::command::Command;
use crate::runtime::memory::image::Image;
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::memory::mapping::MapFlags;
use crate::runtime::support::error::{ClError, ClResult};

/// Flags of objects that the host may not read, or not write.
pub(super) const NO_READ: cl_mem_flags = CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS;
pub(super) const NO_WRITE: cl_mem_flags =
    CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS | CL_MEM_IMMUTABLE_EXT;

/// A memory object of a command. CL_INVALID_MEM_OBJECT if it is not valid; CL_INVALID_CONTEXT if it is not of the queue's
/// context.
fn memory_of(queue: &CommandQueue, memobj: cl_mem) -> ClResult<Arc<Memory>> {
    let memory = handle::get(memobj)?;
    queue.check_context(&memory.context)?;
    Ok(memory)
}

/// The same of a buffer.
pub(super) fn buffer_of(queue: &CommandQueue, buffer: cl_mem) -> ClResult<Arc<Memory>> {
    let memory = memory_of(queue, buffer)?;
    memory.check_buffer()?;
    Ok(memory)
}

/// The same of an image, which [`Memory::image`] then is.
pub(super) fn image_of(queue: &CommandQueue, image: cl_mem) -> ClResult<(Arc<Memory>, Arc<Image>)> {
    let memory = memory_of(queue, image)?;
    let image = memory.image.clone().ok_or(ClError::INVALID_MEM_OBJECT)?;
    Ok((memory, image))
}

/// Queue and buffer of a command. CL_INVALID_COMMAND_QUEUE if the queue is not valid; errors of [`buffer_of`].
pub(super) fn queue_and_buffer(
    command_queue: cl_command_queue,
    buffer: cl_mem,
) -> ClResult<(Arc<CommandQueue>, Arc<Memory>)> {
    let queue = handle::get(command_queue)?;
    let memory = buffer_of(&queue, buffer)?;
    Ok((queue, memory))
}

/// The same of an image.
pub(super) fn queue_and_image(
    command_queue: cl_command_queue,
    image: cl_mem,
) -> ClResult<(Arc<CommandQueue>, Arc<Memory>, Arc<Image>)> {
    let queue = handle::get(command_queue)?;
    let (memory, image) = image_of(&queue, image)?;
    Ok((queue, memory, image))
}

/// CL_INVALID_VALUE if `size` bytes from `offset` are not in the buffer.
pub(super) fn check_range(buffer: &Memory, offset: usize, size: usize) -> ClResult {
    match offset.checked_add(size) {
        Some(end) if end as u64 <= buffer.buffer.size() => Ok(()),
        _ => Err(ClError::INVALID_VALUE),
    }
}

/// The host memory of a transfer. CL_INVALID_VALUE if ptr is NULL.
pub(super) fn host(pointer: *const c_void, size: usize) -> ClResult<HostMemory> {
    host_memory(pointer, size).ok_or(ClError::INVALID_VALUE)
}

/// A command on no bytes becomes a marker: it waits and has an event.
pub(super) fn unless_empty(size: usize, command: Command) -> Command {
    match size {
        0 => Command::Marker,
        _ => command,
    }
}

pub fn enqueue_read_buffer(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    blocking_read: cl_bool,
    offset: usize,
    size: usize,
    ptr: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let (queue, buffer) = queue_and_buffer(command_queue, buffer)?;
    check_range(&buffer, offset, size)?;
    let to = host(ptr, size)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    buffer.check_alignment(queue.device())?;
    // CL_INVALID_OPERATION if the host may not read the buffer.
    buffer.check_host_access(NO_READ)?;
    let command = unless_empty(size, Command::read(&buffer.buffer, offset as u64, to));
    queue.enqueue(
        CL_COMMAND_READ_BUFFER,
        command,
        waits,
        blocking_read != 0,
        event,
    )
}

pub fn enqueue_write_buffer(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    blocking_write: cl_bool,
    offset: usize,
    size: usize,
    ptr: *const c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let (queue, buffer) = queue_and_buffer(command_queue, buffer)?;
    check_range(&buffer, offset, size)?;
    let from = host(ptr, size)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    buffer.check_alignment(queue.device())?;
    // CL_INVALID_OPERATION if the host may not write the buffer.
    buffer.check_host_access(NO_WRITE)?;
    let command = unless_empty(size, Command::write(from, &buffer.buffer, offset as u64));
    queue.enqueue(
        CL_COMMAND_WRITE_BUFFER,
        command,
        waits,
        blocking_write != 0,
        event,
    )
}

pub fn enqueue_read_buffer_rect(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    blocking_read: cl_bool,
    buffer_origin: In<usize>,
    host_origin: In<usize>,
    region: In<usize>,
    buffer_row_pitch: usize,
    buffer_slice_pitch: usize,
    host_row_pitch: usize,
    host_slice_pitch: usize,
    ptr: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let (queue, buffer) = queue_and_buffer(command_queue, buffer)?;
    let region = rect::region(region)?;
    let from = Rect::new(buffer_origin, region, buffer_row_pitch, buffer_slice_pitch)?;
    from.check_inside(buffer.buffer.size())?;
    let to = Rect::new(host_origin, region, host_row_pitch, host_slice_pitch)?;
    let dst = host(ptr, to.end as usize)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    buffer.check_alignment(queue.device())?;
    buffer.check_host_access(NO_READ)?;
    let command = Command::Read {
        src: buffer.buffer.clone(),
        src_at: from.layout,
        dst,
        dst_at: to.layout,
        extent: region,
    };
    queue.enqueue(
        CL_COMMAND_READ_BUFFER_RECT,
        command,
        waits,
        blocking_read != 0,
        event,
    )
}

pub fn enqueue_write_buffer_rect(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    blocking_write: cl_bool,
    buffer_origin: In<usize>,
    host_origin: In<usize>,
    region: In<usize>,
    buffer_row_pitch: usize,
    buffer_slice_pitch: usize,
    host_row_pitch: usize,
    host_slice_pitch: usize,
    ptr: *const c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let (queue, buffer) = queue_and_buffer(command_queue, buffer)?;
    let region = rect::region(region)?;
    let to = Rect::new(buffer_origin, region, buffer_row_pitch, buffer_slice_pitch)?;
    to.check_inside(buffer.buffer.size())?;
    let from = Rect::new(host_origin, region, host_row_pitch, host_slice_pitch)?;
    let src = host(ptr, from.end as usize)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    buffer.check_alignment(queue.device())?;
    buffer.check_host_access(NO_WRITE)?;
    let command = Command::Write {
        src,
        src_at: from.layout,
        dst: buffer.buffer.clone(),
        dst_at: to.layout,
        extent: region,
    };
    queue.enqueue(
        CL_COMMAND_WRITE_BUFFER_RECT,
        command,
        waits,
        blocking_write != 0,
        event,
    )
}

/// The offset of `dst` from `src` in memory that both share, also as parts of one SVM allocation. `None` if they share none.
fn distance(src: &Arc<Memory>, dst: &Arc<Memory>) -> Option<i128> {
    src.buffer.distance(&dst.buffer)
}

/// The command of clEnqueueCopyBuffer.
pub(super) fn copy_buffer(
    queue: &CommandQueue,
    src_buffer: cl_mem,
    dst_buffer: cl_mem,
    src_offset: usize,
    dst_offset: usize,
    size: usize,
) -> ClResult<Command> {
    let src = buffer_of(queue, src_buffer)?;
    let dst = buffer_of(queue, dst_buffer)?;
    src.check_alignment(queue.device())?;
    dst.check_target(queue.device())?;
    check_range(&src, src_offset, size)?;
    check_range(&dst, dst_offset, size)?;
    // CL_MEM_COPY_OVERLAP if source and destination are the same memory and overlap.
    let apart = distance(&src, &dst).map(|d| d + dst_offset as i128 - src_offset as i128);
    if apart.is_some_and(|apart| apart.unsigned_abs() < size as u128) {
        return Err(ClError::MEM_COPY_OVERLAP);
    }
    let (from, to) = (src_offset as u64, dst_offset as u64);
    let copy = Command::copy(&src.buffer, from, &dst.buffer, to, size as u64);
    Ok(unless_empty(size, copy))
}

pub fn enqueue_copy_buffer(
    command_queue: cl_command_queue,
    src_buffer: cl_mem,
    dst_buffer: cl_mem,
    src_offset: usize,
    dst_offset: usize,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    let command = copy_buffer(&queue, src_buffer, dst_buffer, src_offset, dst_offset, size)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    queue.enqueue(CL_COMMAND_COPY_BUFFER, command, waits, false, event)
}

/// A copy between rectangles, of `extent` bytes. CL_MEM_COPY_OVERLAP if they are the same memory and overlap. Of images over
/// the buffer that they are copied to or from, the specification does not say so; Vulkan has no such copies.
pub(super) fn copy_rect(
    (src, from): (&Arc<Memory>, &Rect),
    (dst, to): (&Arc<Memory>, &Rect),
    extent: Extent,
) -> ClResult<Command> {
    if distance(src, dst).is_some_and(|apart| rect::overlap(from, to, extent, apart)) {
        return Err(ClError::MEM_COPY_OVERLAP);
    }
    Ok(Command::Copy {
        src: src.buffer.clone(),
        src_at: from.layout,
        dst: dst.buffer.clone(),
        dst_at: to.layout,
        extent,
    })
}

/// The command of clEnqueueCopyBufferRect.
pub(super) fn copy_buffer_rect(
    queue: &CommandQueue,
    src_buffer: cl_mem,
    dst_buffer: cl_mem,
    src_origin: In<usize>,
    dst_origin: In<usize>,
    region: In<usize>,
    src_row_pitch: usize,
    src_slice_pitch: usize,
    dst_row_pitch: usize,
    dst_slice_pitch: usize,
) -> ClResult<Command> {
    let src = buffer_of(queue, src_buffer)?;
    let dst = buffer_of(queue, dst_buffer)?;
    src.check_alignment(queue.device())?;
    dst.check_target(queue.device())?;
    let region = rect::region(region)?;
    let from = Rect::new(src_origin, region, src_row_pitch, src_slice_pitch)?;
    from.check_inside(src.buffer.size())?;
    let to = Rect::new(dst_origin, region, dst_row_pitch, dst_slice_pitch)?;
    to.check_inside(dst.buffer.size())?;
    // CL_INVALID_VALUE if source and destination are the same buffer object and their
    // pitches are not equal.
    if Arc::ptr_eq(&src, &dst) && !from.same_pitches(&to) {
        return Err(ClError::INVALID_VALUE);
    }
    copy_rect((&src, &from), (&dst, &to), region)
}

pub fn enqueue_copy_buffer_rect(
    command_queue: cl_command_queue,
    src_buffer: cl_mem,
    dst_buffer: cl_mem,
    src_origin: In<usize>,
    dst_origin: In<usize>,
    region: In<usize>,
    src_row_pitch: usize,
    src_slice_pitch: usize,
    dst_row_pitch: usize,
    dst_slice_pitch: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    let command = copy_buffer_rect(
        &queue,
        src_buffer,
        dst_buffer,
        src_origin,
        dst_origin,
        region,
        src_row_pitch,
        src_slice_pitch,
        dst_row_pitch,
        dst_slice_pitch,
    )?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    queue.enqueue(CL_COMMAND_COPY_BUFFER_RECT, command, waits, false, event)
}

/// The pattern of a fill. CL_INVALID_VALUE if it is NULL, its size is not a power of two up
/// to 128, or where the fill starts, or its size, is not a multiple of that.
pub(super) fn check_pattern<'a>(
    pattern: *const c_void,
    pattern_size: usize,
    start: usize,
    size: usize,
) -> ClResult<&'a [u8]> {
    if !pattern_size.is_power_of_two()
        || pattern_size > 128
        || !start.is_multiple_of(pattern_size)
        || !size.is_multiple_of(pattern_size)
    {
        return Err(ClError::INVALID_VALUE);
    }
    bytes(pattern, pattern_size).ok_or(ClError::INVALID_VALUE)
}

/// The command of clEnqueueFillBuffer.
pub(super) fn fill_buffer(
    queue: &CommandQueue,
    buffer: cl_mem,
    pattern: *const c_void,
    pattern_size: usize,
    offset: usize,
    size: usize,
) -> ClResult<Command> {
    let buffer = buffer_of(queue, buffer)?;
    check_range(&buffer, offset, size)?;
    let pattern = check_pattern(pattern, pattern_size, offset, size)?;
    buffer.check_target(queue.device())?;
    let fill = Command::fill(&buffer.buffer, pattern.to_vec(), offset as u64, size as u64);
    Ok(unless_empty(size, fill))
}

pub fn enqueue_fill_buffer(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    pattern: *const c_void,
    pattern_size: usize,
    offset: usize,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    let command = fill_buffer(&queue, buffer, pattern, pattern_size, offset, size)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    queue.enqueue(CL_COMMAND_FILL_BUFFER, command, waits, false, event)
}

pub fn enqueue_map_buffer(
    command_queue: cl_command_queue,
    buffer: cl_mem,
    blocking_map: cl_bool,
    map_flags: cl_map_flags,
    offset: usize,
    size: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult<*mut c_void> {
    let (queue, buffer) = queue_and_buffer(command_queue, buffer)?;
    check_range(&buffer, offset, size)?;
    // CL_INVALID_VALUE if size is zero.
    if size == 0 {
        return Err(ClError::INVALID_VALUE);
    }
    let flags = self::map_flags(map_flags)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let at = Layout::linear(offset as u64);
    let map = Map {
        command_type: CL_COMMAND_MAP_BUFFER,
        flags,
        at,
        extent: [size as u64, 1, 1],
        blocking: blocking_map != 0,
    };
    map.enqueue(&queue, &buffer, waits, event)
}

/// CL_INVALID_VALUE if map_flags are not valid: some of read and write, or
/// CL_MAP_WRITE_INVALIDATE_REGION alone.
pub(super) fn map_flags(flags: cl_map_flags) -> ClResult<MapFlags> {
    let read_write = flags & (CL_MAP_READ | CL_MAP_WRITE) != 0;
    let invalidate = flags & CL_MAP_WRITE_INVALIDATE_REGION != 0;
    let known = CL_MAP_READ | CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION;
    if flags & !known != 0 || (read_write && invalidate) {
        return Err(ClError::INVALID_VALUE);
    }
    Ok(MapFlags {
        read: flags & CL_MAP_READ != 0,
        write: invalidate || flags & CL_MAP_WRITE != 0,
        invalidate,
    })
}

/// What a map command is, beside its memory object.
pub(super) struct Map {
    pub command_type: cl_command_type,
    pub flags: MapFlags,
    pub at: Layout,
    pub extent: Extent,
    pub blocking: bool,
}

impl Map {
    /// CL_MISALIGNED_SUB_BUFFER_OFFSET; CL_INVALID_OPERATION if the host may not do what the
    /// flags say; CL_MAP_FAILURE if there is a failure to map the region.
    pub fn enqueue(
        self,
        queue: &Arc<CommandQueue>,
        memory: &Memory,
        waits: WaitList,
        event: Out<cl_event>,
    ) -> ClResult<*mut c_void> {
        memory.check_alignment(queue.device())?;
        if self.flags.read {
            memory.check_host_access(NO_READ)?;
        }
        if self.flags.write {
            memory.check_host_access(NO_WRITE)?;
            // CL_INVALID_OPERATION if mapping would lead to overlapping regions being mapped
            // for writing.
            if memory.buffer.is_mapped_for_writing(self.at, self.extent) {
                return Err(ClError::INVALID_OPERATION);
            }
        }
        let mapping = (memory.buffer).map(queue.device(), self.flags, self.at, self.extent)?;
        let pointer = mapping.host.as_ptr();
        let command = Command::Map(mapping);
        let done = queue.enqueue(self.command_type, command, waits, self.blocking, event);
        if let Err(error) = done {
            let _ = memory.buffer.unmap(queue.device(), pointer);
            return Err(error);
        }
        Ok(pointer.cast())
    }
}

pub fn enqueue_unmap_mem_object(
    command_queue: cl_command_queue,
    memobj: cl_mem,
    mapped_ptr: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    let memory = handle::get(memobj)?;
    // CL_INVALID_VALUE if mapped_ptr is not a pointer returned by clEnqueueMapBuffer or
    // clEnqueueMapImage for memobj.
    if !memory.buffer.is_mapped_at(mapped_ptr.cast()) {
        return Err(ClError::INVALID_VALUE);
    }
    queue.check_context(&memory.context)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let mapping = memory.buffer.unmap(queue.device(), mapped_ptr.cast())?;
    queue.enqueue(
        CL_COMMAND_UNMAP_MEM_OBJECT,
        Command::Unmap(mapping),
        waits,
        false,
        event,
    )
}

/// CL_INVALID_VALUE if flags are not valid.
pub(super) fn check_migration(flags: cl_mem_migration_flags) -> ClResult {
    match flags & !(CL_MIGRATE_MEM_OBJECT_HOST | CL_MIGRATE_MEM_OBJECT_CONTENT_UNDEFINED) {
        0 => Ok(()),
        _ => Err(ClError::INVALID_VALUE),
    }
}

pub fn enqueue_migrate_mem_objects(
    command_queue: cl_command_queue,
    num_mem_objects: cl_uint,
    mem_objects: In<cl_mem>,
    flags: cl_mem_migration_flags,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not valid.
    let queue = handle::get(command_queue)?;
    // CL_INVALID_VALUE if num_mem_objects is zero or mem_objects is NULL.
    let objects = mem_objects.some(num_mem_objects, ClError::INVALID_VALUE)?;
    // CL_INVALID_MEM_OBJECT if one is not valid; CL_INVALID_CONTEXT if it is of another
    // context.
    let objects = handle::get_all(&objects)?;
    objects
        .iter()
        .try_for_each(|o| queue.check_context(&o.context))?;
    check_migration(flags)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let buffers = objects.iter().map(|o| o.buffer.clone()).collect();
    let command = Command::Migrate(buffers);
    queue.enqueue(CL_COMMAND_MIGRATE_MEM_OBJECTS, command, waits, false, event)
}
