//! Images: not supported (CL_DEVICE_IMAGE_SUPPORT is CL_FALSE).

use std::ffi::c_void;

use super::handle;
use super::pointer::{In, Out};
use super::raw::constants::*;
use super::raw::types::*;
use crate::runtime::error::{ClError, ClResult};

/// CL_INVALID_CONTEXT if context is not valid; CL_INVALID_OPERATION if there are no
/// devices in it that support images.
fn no_image(context: cl_context) -> ClResult<cl_mem> {
    handle::get(context)?;
    Err(ClError::INVALID_OPERATION)
}

/// A memory object in the place of an image. CL_INVALID_MEM_OBJECT if it is not valid,
/// or not an image: none is.
fn not_an_image<T>(memobj: cl_mem) -> ClResult<T> {
    handle::get(memobj)?;
    Err(ClError::INVALID_MEM_OBJECT)
}

/// CL_INVALID_COMMAND_QUEUE if the queue is not valid, then the images'.
fn command<T>(command_queue: cl_command_queue, image: cl_mem) -> ClResult<T> {
    handle::get(command_queue)?;
    not_an_image(image)
}

pub fn create_image(
    context: cl_context,
    _flags: cl_mem_flags,
    _image_format: In<cl_image_format>,
    _image_desc: In<cl_image_desc>,
    _host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    no_image(context)
}

pub fn create_image_with_properties(
    context: cl_context,
    _properties: In<cl_mem_properties>,
    _flags: cl_mem_flags,
    _image_format: In<cl_image_format>,
    _image_desc: In<cl_image_desc>,
    _host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    no_image(context)
}

pub fn create_image_2d(
    context: cl_context,
    _flags: cl_mem_flags,
    _image_format: In<cl_image_format>,
    _image_width: usize,
    _image_height: usize,
    _image_row_pitch: usize,
    _host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    no_image(context)
}

pub fn create_image_3d(
    context: cl_context,
    _flags: cl_mem_flags,
    _image_format: In<cl_image_format>,
    _image_width: usize,
    _image_height: usize,
    _image_depth: usize,
    _image_row_pitch: usize,
    _image_slice_pitch: usize,
    _host_ptr: *mut c_void,
) -> ClResult<cl_mem> {
    no_image(context)
}

/// There are none, which is an answer.
pub fn get_supported_image_formats(
    context: cl_context,
    _flags: cl_mem_flags,
    image_type: cl_mem_object_type,
    num_entries: cl_uint,
    image_formats: Out<cl_image_format>,
    num_image_formats: Out<cl_uint>,
) -> ClResult {
    // CL_INVALID_CONTEXT if context is not valid.
    handle::get(context)?;
    // CL_INVALID_VALUE if image_type is not valid, or num_entries is 0 and image_formats
    // is not NULL.
    let images = CL_MEM_OBJECT_IMAGE2D..=CL_MEM_OBJECT_IMAGE1D_BUFFER;
    if !images.contains(&image_type) || (num_entries == 0 && !image_formats.is_null()) {
        return Err(ClError::INVALID_VALUE);
    }
    num_image_formats.set(0);
    Ok(())
}

pub fn get_image_info(
    image: cl_mem,
    _param_name: cl_image_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: Out<usize>,
) -> ClResult {
    not_an_image(image)
}

pub fn enqueue_read_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    _blocking_read: cl_bool,
    _origin: In<usize>,
    _region: In<usize>,
    _row_pitch: usize,
    _slice_pitch: usize,
    _ptr: *mut c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    command(command_queue, image)
}

pub fn enqueue_write_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    _blocking_write: cl_bool,
    _origin: In<usize>,
    _region: In<usize>,
    _input_row_pitch: usize,
    _input_slice_pitch: usize,
    _ptr: *const c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    command(command_queue, image)
}

pub fn enqueue_copy_image(
    command_queue: cl_command_queue,
    src_image: cl_mem,
    _dst_image: cl_mem,
    _src_origin: In<usize>,
    _dst_origin: In<usize>,
    _region: In<usize>,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    command(command_queue, src_image)
}

pub fn enqueue_copy_image_to_buffer(
    command_queue: cl_command_queue,
    src_image: cl_mem,
    _dst_buffer: cl_mem,
    _src_origin: In<usize>,
    _region: In<usize>,
    _dst_offset: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    command(command_queue, src_image)
}

pub fn enqueue_copy_buffer_to_image(
    command_queue: cl_command_queue,
    _src_buffer: cl_mem,
    dst_image: cl_mem,
    _src_offset: usize,
    _dst_origin: In<usize>,
    _region: In<usize>,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    command(command_queue, dst_image)
}

pub fn enqueue_fill_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    _fill_color: *const c_void,
    _origin: In<usize>,
    _region: In<usize>,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    command(command_queue, image)
}

pub fn enqueue_map_image(
    command_queue: cl_command_queue,
    image: cl_mem,
    _blocking_map: cl_bool,
    _map_flags: cl_map_flags,
    _origin: In<usize>,
    _region: In<usize>,
    _image_row_pitch: Out<usize>,
    _image_slice_pitch: Out<usize>,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult<*mut c_void> {
    command(command_queue, image)
}
