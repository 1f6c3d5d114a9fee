//! Pipes (docs/pipes.md).

use std::ffi::c_void;
use std::sync::Arc;

use super::handle;
use super::info::{Info, Written};
use super::memory::{Memory, with_default_access};
use super::pointer::{In, Out};
use super::raw::constants::*;
use super::raw::types::*;
use crate::compiler::pipe::{MAX_PACKET_SIZE, Pipe};
use crate::os::memory::HostMemory;
use crate::runtime::memory::buffer::{Buffer, Placement};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::fallible;
use crate::runtime::support::handle::Handle;

pub fn create_pipe(
    context: cl_context,
    flags: cl_mem_flags,
    pipe_packet_size: cl_uint,
    pipe_max_packets: cl_uint,
    properties: In<cl_pipe_properties>,
) -> ClResult<cl_mem> {
    // CL_INVALID_CONTEXT if context is not valid.
    let context = handle::get(context)?;
    // CL_INVALID_VALUE if flags are others than these, or properties is not NULL.
    const KNOWN: cl_mem_flags = CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS;
    if flags & !KNOWN != 0 || !properties.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_PIPE_SIZE if pipe_packet_size is 0 or exceeds CL_DEVICE_PIPE_MAX_PACKET_SIZE, or pipe_max_packets is 0.
    if pipe_packet_size == 0 || pipe_packet_size > MAX_PACKET_SIZE || pipe_max_packets == 0 {
        return Err(ClError::INVALID_PIPE_SIZE);
    }
    let pipe = Pipe {
        packet_size: pipe_packet_size,
        max_packets: pipe_max_packets,
    };
    // CL_MEM_OBJECT_ALLOCATION_FAILURE if there is a failure to allocate memory.
    let failure = ClError::MEM_OBJECT_ALLOCATION_FAILURE;
    let largest = context.devices.iter().map(|d| d.facts().max_alloc_size);
    let largest = largest.min().unwrap_or(0);
    let size = pipe.size().filter(|&size| size <= largest);
    let size = size.ok_or(failure)?;
    let mut state = fallible::zeros::<u8>(pipe.state_size() as usize)?;
    for (to, word) in state.chunks_exact_mut(4).zip(pipe.header()) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    let create = |state| Buffer::new(&context.devices, size, Placement::Default, Some(state));
    let buffer = HostMemory::with(&mut state, create)?;
    Ok(handle::new(Arc::new(Memory {
        handle: Handle::default(),
        buffer,
        image: None,
        pipe: Some(pipe),
        external: false,
        addressed: false,
        flags: match flags {
            0 => KNOWN,
            flags => with_default_access(flags),
        },
        host_ptr: 0,
        properties: Vec::new(),
        parent: None,
        context,
    })))
}

pub fn get_pipe_info(
    pipe: cl_mem,
    param_name: cl_pipe_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_MEM_OBJECT if pipe is not a valid pipe object.
    let pipe = handle::get(pipe)?.pipe.ok_or(ClError::INVALID_MEM_OBJECT)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let written = match param_name {
        CL_PIPE_PACKET_SIZE => out.value(pipe.packet_size),
        CL_PIPE_MAX_PACKETS => out.value(pipe.max_packets),
        CL_PIPE_PROPERTIES => out.list::<cl_pipe_properties>(&[]),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}
