//! Pipes: not supported.

use std::ffi::c_void;

use super::handle;
use super::pointer::{In, Out};
use super::raw::types::*;
use crate::runtime::support::error::{ClError, ClResult};

pub fn create_pipe(
    context: cl_context,
    _flags: cl_mem_flags,
    _pipe_packet_size: cl_uint,
    _pipe_max_packets: cl_uint,
    _properties: In<cl_pipe_properties>,
) -> ClResult<cl_mem> {
    // CL_INVALID_CONTEXT if context is not valid.
    handle::get(context)?;
    // CL_INVALID_OPERATION if no devices in context support pipes.
    Err(ClError::INVALID_OPERATION)
}

pub fn get_pipe_info(
    pipe: cl_mem,
    _param_name: cl_pipe_info,
    _param_value_size: usize,
    _param_value: *mut c_void,
    _param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_MEM_OBJECT if pipe is not a valid pipe object: no memory object is one.
    handle::get(pipe)?;
    Err(ClError::INVALID_MEM_OBJECT)
}
