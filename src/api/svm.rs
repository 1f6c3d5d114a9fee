//! Shared virtual memory: not supported.

use std::ffi::c_void;

use super::handle;
use super::pointer::{In, Out};
use super::raw::types::*;
use crate::runtime::error::{ClError, ClResult};

/// CL_INVALID_COMMAND_QUEUE if the queue is not valid; CL_INVALID_OPERATION if its device
/// does not support SVM.
fn unsupported(command_queue: cl_command_queue) -> ClResult {
    handle::get(command_queue)?;
    Err(ClError::INVALID_OPERATION)
}

/// NULL if no device in context supports SVM.
pub fn svm_alloc(
    context: cl_context,
    _flags: cl_svm_mem_flags,
    _size: usize,
    _alignment: cl_uint,
) -> ClResult<*mut c_void> {
    handle::get(context)?;
    Ok(std::ptr::null_mut())
}

/// NULL is freed without effect, and there are no other pointers.
pub fn svm_free(_context: cl_context, _svm_pointer: *mut c_void) -> ClResult {
    Ok(())
}

pub fn enqueue_svm_free(
    command_queue: cl_command_queue,
    _num_svm_pointers: cl_uint,
    _svm_pointers: In<*mut c_void>,
    _pfn_free_func: Option<extern "C" fn(cl_command_queue, cl_uint, *mut *mut c_void, *mut c_void)>,
    _user_data: *mut c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    unsupported(command_queue)
}

pub fn enqueue_svm_memcpy(
    command_queue: cl_command_queue,
    _blocking_copy: cl_bool,
    _dst_ptr: *mut c_void,
    _src_ptr: *const c_void,
    _size: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    unsupported(command_queue)
}

pub fn enqueue_svm_mem_fill(
    command_queue: cl_command_queue,
    _svm_ptr: *mut c_void,
    _pattern: *const c_void,
    _pattern_size: usize,
    _size: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    unsupported(command_queue)
}

pub fn enqueue_svm_map(
    command_queue: cl_command_queue,
    _blocking_map: cl_bool,
    _flags: cl_map_flags,
    _svm_ptr: *mut c_void,
    _size: usize,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    unsupported(command_queue)
}

pub fn enqueue_svm_unmap(
    command_queue: cl_command_queue,
    _svm_ptr: *mut c_void,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    unsupported(command_queue)
}

pub fn enqueue_svm_migrate_mem(
    command_queue: cl_command_queue,
    _num_svm_pointers: cl_uint,
    _svm_pointers: In<*const c_void>,
    _sizes: In<usize>,
    _flags: cl_mem_migration_flags,
    _num_events_in_wait_list: cl_uint,
    _event_wait_list: In<cl_event>,
    _event: Out<cl_event>,
) -> ClResult {
    unsupported(command_queue)
}
