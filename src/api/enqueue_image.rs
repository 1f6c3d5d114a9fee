//! Commands on images: on rectangles of the buffers that images are.

use std::ffi::c_void;
use std::sync::Arc;

use super::enqueue_buffer::{
    Map, NO_READ, NO_WRITE, buffer_of, check_range, copy_rect, host, image_of, map_flags,
    queue_and_image,
};
use super::event::wait_list;
use super::handle;
use super::memory::Memory;
use super::pointer::{In, Out, bytes};
use super::queue::CommandQueue;
use super::raw::constants::*;
use super::raw::types::*;
use super::rect::{self, Rect, three};
use crate::runtime::command::Command;
use crate::runtime::memory::image::{Image, Kind, Shape};
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::support::error::{ClError, ClResult};

/// A region of an image. For a mipmapped image, origin names the level.
struct Part {
    /// The shape of the level.
    shape: Shape,
    /// The layout in the image's buffer.
    layout: Layout,
}

impl Part {
    /// CL_INVALID_VALUE if origin is NULL or the region is out of bounds; CL_INVALID_MIP_LEVEL if there is
    /// no such level. What a kind of image does not have is 0 in origin and 1 in region, which its extent says.
    fn new(image: &Image, origin: In<usize>, region: Extent) -> ClResult<Part> {
        let mut at = three(origin)?;
        let mut level = 0;
        if image.shape.levels > 1 {
            // The level is the coordinate behind the others, of which a layer is one.
            let behind = match image.shape.kind {
                Kind::D1 | Kind::Buffer => 1,
                Kind::Array1D | Kind::D2 => 2,
                Kind::Array2D | Kind::D3 => 3,
            };
            let values = (origin.values(behind + 1)?).ok_or(ClError::INVALID_VALUE)?;
            level = values[behind] as u64;
            if level >= u64::from(image.shape.levels) {
                return Err(ClError::INVALID_MIP_LEVEL);
            }
            at[behind.min(2)..].fill(0);
            if behind > 2 {
                at[2] = values[2] as u64;
            }
        }
        let (shape, _) = image.shape.level(level as u32);
        let extent = shape.extent();
        let inside = |i: usize| {
            let end = at[i].checked_add(region[i]);
            end.is_some_and(|end| end <= extent[i])
        };
        if !(0..3).all(inside) {
            return Err(ClError::INVALID_VALUE);
        }
        let layout = image.layout(level as u32, at);
        let layout = layout.ok_or(ClError::INVALID_VALUE)?;
        Ok(Part { shape, layout })
    }

    /// The region as a rectangle; `extent` in bytes.
    fn rect(self, extent: Extent) -> Rect {
        Rect {
            end: self.layout.offset + self.layout.length(extent),
            layout: self.layout,
        }
    }
}

/// The size of a region in bytes. CL_INVALID_VALUE if a row ends at a texel that shares a byte with the one behind it.
fn byte_extent(image: &Image, [width, rows, slices]: Extent) -> ClResult<Extent> {
    let row = image.format.row_size(width);
    Ok([row.ok_or(ClError::INVALID_VALUE)?, rows, slices])
}

/// A region as application memory has it; `extent` in bytes. CL_INVALID_VALUE if pitches do
/// not fit, or there is a slice pitch for an image without slices.
fn host_layout(
    image: &Image,
    extent: Extent,
    row_pitch: usize,
    slice_pitch: usize,
) -> ClResult<Layout> {
    let kind = image.shape.kind;
    let pitch = |given: usize, least: u64| match given as u64 {
        0 => Ok(least),
        given if given < least => Err(ClError::INVALID_VALUE),
        given => Ok(given),
    };
    if slice_pitch != 0 && !kind.has_slices() {
        return Err(ClError::INVALID_VALUE);
    }
    let row_pitch = pitch(row_pitch, extent[0])?;
    // The rows of a 1D array are its layers.
    if !kind.has_height() {
        let row_pitch = pitch(slice_pitch, row_pitch)?;
        return Ok(Layout {
            offset: 0,
            row_pitch,
            slice_pitch: row_pitch.saturating_mul(extent[1]),
        });
    }
    let slice_pitch = pitch(slice_pitch, row_pitch.saturating_mul(extent[1]))?;
    Ok(Layout {
        offset: 0,
        row_pitch,
        slice_pitch,
    })
}

/// Bytes of application memory behind a layout. CL_INVALID_VALUE if more than addressable.
fn host_size(layout: &Layout, extent: Extent) -> ClResult<usize> {
    let rows = (extent[1] - 1).checked_mul(layout.row_pitch);
    let slices = (extent[2] - 1).checked_mul(layout.slice_pitch);
    let size = (|| rows?.checked_add(slices?)?.checked_add(extent[0]))();
    size.filter(|&size| size <= isize::MAX as u64)
        .map(|size| size as usize)
        .ok_or(ClError::INVALID_VALUE)
}

pub fn enqueue_read_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    blocking_read: cl_bool,
    origin: In<usize>,
    region: In<usize>,
    row_pitch: usize,
    slice_pitch: usize,
    ptr: *mut c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let (queue, memory, image) = queue_and_image(command_queue, image)?;
    let region = rect::region(region)?;
    let part = Part::new(&image, origin, region)?;
    let extent = byte_extent(&image, region)?;
    let dst_at = host_layout(&image, extent, row_pitch, slice_pitch)?;
    let dst = host(ptr, host_size(&dst_at, extent)?)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    memory.check_alignment(queue.device())?;
    memory.check_host_access(NO_READ)?;
    let command = Command::Read {
        src: memory.buffer.clone(),
        src_at: part.layout,
        dst,
        dst_at,
        extent,
    };
    let blocking = blocking_read != 0;
    queue.enqueue(CL_COMMAND_READ_IMAGE, command, waits, blocking, event)
}

pub fn enqueue_write_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    blocking_write: cl_bool,
    origin: In<usize>,
    region: In<usize>,
    input_row_pitch: usize,
    input_slice_pitch: usize,
    ptr: *const c_void,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let (queue, memory, image) = queue_and_image(command_queue, image)?;
    let region = rect::region(region)?;
    let part = Part::new(&image, origin, region)?;
    let extent = byte_extent(&image, region)?;
    let src_at = host_layout(&image, extent, input_row_pitch, input_slice_pitch)?;
    let src = host(ptr, host_size(&src_at, extent)?)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    memory.check_alignment(queue.device())?;
    memory.check_host_access(NO_WRITE)?;
    let command = Command::Write {
        src,
        src_at,
        dst: memory.buffer.clone(),
        dst_at: part.layout,
        extent,
    };
    let blocking = blocking_write != 0;
    queue.enqueue(CL_COMMAND_WRITE_IMAGE, command, waits, blocking, event)
}

/// The command of clEnqueueCopyImage.
pub(super) fn copy_image(
    queue: &CommandQueue,
    src_image: cl_mem,
    dst_image: cl_mem,
    src_origin: In<usize>,
    dst_origin: In<usize>,
    region: In<usize>,
) -> ClResult<Command> {
    let (src, src_image) = image_of(queue, src_image)?;
    let (dst, dst_image) = image_of(queue, dst_image)?;
    // CL_IMAGE_FORMAT_MISMATCH if they do not have the same format.
    if src_image.format != dst_image.format {
        return Err(ClError::IMAGE_FORMAT_MISMATCH);
    }
    let region = rect::region(region)?;
    let from = Part::new(&src_image, src_origin, region)?;
    let to = Part::new(&dst_image, dst_origin, region)?;
    src.check_alignment(queue.device())?;
    dst.check_target(queue.device())?;
    let extent = byte_extent(&src_image, region)?;
    let (from, to) = (from.rect(extent), to.rect(extent));
    copy_rect((&src, &from), (&dst, &to), extent)
}

pub fn enqueue_copy_image(
    command_queue: cl_command_queue,
    src_image: cl_mem,
    dst_image: cl_mem,
    src_origin: In<usize>,
    dst_origin: In<usize>,
    region: In<usize>,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    let command = copy_image(&queue, src_image, dst_image, src_origin, dst_origin, region)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    queue.enqueue(CL_COMMAND_COPY_IMAGE, command, waits, false, event)
}

/// A region packed in a buffer. CL_INVALID_VALUE if it is out of bounds.
fn packed(buffer: &Memory, offset: usize, extent: Extent) -> ClResult<Rect> {
    let [row, rows, slices] = extent;
    let size = row * rows * slices;
    check_range(buffer, offset, size as usize)?;
    Ok(Rect {
        layout: Layout {
            offset: offset as u64,
            row_pitch: row,
            slice_pitch: row * rows,
        },
        end: offset as u64 + size,
    })
}

/// CL_INVALID_MEM_OBJECT if the image is a 1D image over the buffer.
fn check_apart(memory: &Memory, image: &Image, buffer: &Arc<Memory>) -> ClResult {
    let of = memory.parent.as_ref().map(|(parent, _)| parent);
    let over = of.is_some_and(|parent| Arc::ptr_eq(parent, buffer));
    match over && image.shape.kind == Kind::Buffer {
        true => Err(ClError::INVALID_MEM_OBJECT),
        false => Ok(()),
    }
}

/// The command of clEnqueueCopyImageToBuffer.
pub(super) fn copy_image_to_buffer(
    queue: &CommandQueue,
    src_image: cl_mem,
    dst_buffer: cl_mem,
    src_origin: In<usize>,
    region: In<usize>,
    dst_offset: usize,
) -> ClResult<Command> {
    let (src, image) = image_of(queue, src_image)?;
    let dst = buffer_of(queue, dst_buffer)?;
    check_apart(&src, &image, &dst)?;
    let region = rect::region(region)?;
    let part = Part::new(&image, src_origin, region)?;
    let extent = byte_extent(&image, region)?;
    let from = part.rect(extent);
    let to = packed(&dst, dst_offset, extent)?;
    src.check_alignment(queue.device())?;
    dst.check_target(queue.device())?;
    copy_rect((&src, &from), (&dst, &to), extent)
}

pub fn enqueue_copy_image_to_buffer(
    command_queue: cl_command_queue,
    src_image: cl_mem,
    dst_buffer: cl_mem,
    src_origin: In<usize>,
    region: In<usize>,
    dst_offset: usize,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    let command = copy_image_to_buffer(
        &queue, src_image, dst_buffer, src_origin, region, dst_offset,
    )?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    queue.enqueue(
        CL_COMMAND_COPY_IMAGE_TO_BUFFER,
        command,
        waits,
        false,
        event,
    )
}

/// The command of clEnqueueCopyBufferToImage.
pub(super) fn copy_buffer_to_image(
    queue: &CommandQueue,
    src_buffer: cl_mem,
    dst_image: cl_mem,
    src_offset: usize,
    dst_origin: In<usize>,
    region: In<usize>,
) -> ClResult<Command> {
    let src = buffer_of(queue, src_buffer)?;
    let (dst, image) = image_of(queue, dst_image)?;
    check_apart(&dst, &image, &src)?;
    let region = rect::region(region)?;
    let part = Part::new(&image, dst_origin, region)?;
    let extent = byte_extent(&image, region)?;
    let from = packed(&src, src_offset, extent)?;
    let to = part.rect(extent);
    src.check_alignment(queue.device())?;
    dst.check_target(queue.device())?;
    copy_rect((&src, &from), (&dst, &to), extent)
}

pub fn enqueue_copy_buffer_to_image(
    command_queue: cl_command_queue,
    src_buffer: cl_mem,
    dst_image: cl_mem,
    src_offset: usize,
    dst_origin: In<usize>,
    region: In<usize>,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    let command = copy_buffer_to_image(
        &queue, src_buffer, dst_image, src_offset, dst_origin, region,
    )?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    queue.enqueue(
        CL_COMMAND_COPY_BUFFER_TO_IMAGE,
        command,
        waits,
        false,
        event,
    )
}

/// The command of clEnqueueFillImage.
pub(super) fn fill_image(
    queue: &CommandQueue,
    image: cl_mem,
    fill_color: *const c_void,
    origin: In<usize>,
    region: In<usize>,
) -> ClResult<Command> {
    let (memory, image) = image_of(queue, image)?;
    // CL_INVALID_VALUE if fill_color is NULL. It is one float for a depth image.
    let numbers = if image.format.is_depth() { 1 } else { 4 };
    let given = bytes(fill_color, numbers * 4).ok_or(ClError::INVALID_VALUE)?;
    let mut color = [0; 4];
    for (to, from) in color.iter_mut().zip(given.chunks_exact(4)) {
        *to = from.try_into().map_or(0, u32::from_ne_bytes);
    }
    let region = rect::region(region)?;
    let part = Part::new(&image, origin, region)?;
    memory.check_target(queue.device())?;
    Ok(Command::Fill {
        dst: memory.buffer.clone(),
        pattern: image.format.texel(color),
        at: part.layout,
        extent: byte_extent(&image, region)?,
    })
}

pub fn enqueue_fill_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    fill_color: *const c_void,
    origin: In<usize>,
    region: In<usize>,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let queue = handle::get(command_queue)?;
    let command = fill_image(&queue, image, fill_color, origin, region)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    queue.enqueue(CL_COMMAND_FILL_IMAGE, command, waits, false, event)
}

pub fn enqueue_map_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    blocking_map: cl_bool,
    map_flags: cl_map_flags,
    origin: In<usize>,
    region: In<usize>,
    image_row_pitch: Out<usize>,
    image_slice_pitch: Out<usize>,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult<*mut c_void> {
    let (queue, memory, image) = queue_and_image(command_queue, image)?;
    let region = rect::region(region)?;
    let part = Part::new(&image, origin, region)?;
    let flags = self::map_flags(map_flags)?;
    // CL_INVALID_OPERATION if it is to be written and is immutable.
    if map_flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION) != 0 {
        memory.check_host_access(CL_MEM_IMMUTABLE_EXT)?;
    }
    // CL_INVALID_VALUE if image_row_pitch is NULL, or image_slice_pitch for a 3D image or an
    // array.
    let has_slices = image.shape.kind.has_slices();
    if image_row_pitch.is_null() || (has_slices && image_slice_pitch.is_null()) {
        return Err(ClError::INVALID_VALUE);
    }
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let map = Map {
        command_type: CL_COMMAND_MAP_IMAGE,
        flags,
        at: part.layout,
        extent: byte_extent(&image, region)?,
        blocking: blocking_map != 0,
    };
    let pointer = map.enqueue(&queue, &memory, waits, event)?;
    image_row_pitch.set(part.shape.row_pitch as usize);
    image_slice_pitch.set(if has_slices {
        part.shape.slice_pitch as usize
    } else {
        0
    });
    Ok(pointer)
}
