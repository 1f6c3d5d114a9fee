//! Memory objects in memory that the application has from elsewhere (cl_arm_import_memory).

use std::ffi::c_void;
use std::sync::Arc;

use super::handle;
use super::memory::{HOST_ACCESS, KERNEL_ACCESS, Memory, check_flags, with_default_access};
use super::pointer::{In, bytes, hardware_buffer, has_twins, host_memory};
use super::raw::constants::*;
use super::raw::types::*;
use crate::os::descriptor::Descriptor;
use crate::runtime::gpu::facts::DeviceFacts;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::import::Outside;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;
use crate::vk::peer;

type Import = fn(*mut c_void, usize) -> ClResult<(Outside, usize)>;

type TypeRow = (cl_import_properties_arm, fn(&DeviceFacts) -> bool, Import);

/// The values of CL_IMPORT_TYPE_ARM, which devices take them, and how the memory and its size are read.
const TYPES: [TypeRow; 3] = [
    (CL_IMPORT_TYPE_HOST_ARM, |f| f.host_ptr_align != 0, host),
    (CL_IMPORT_TYPE_DMA_BUF_ARM, |f| f.imports_dma_buf, dma_buf),
    (
        CL_IMPORT_TYPE_ANDROID_HARDWARE_BUFFER_ARM,
        |f| f.imports_hardware_buffer,
        android,
    ),
];

fn host(memory: *mut c_void, size: usize) -> ClResult<(Outside, usize)> {
    let memory = host_memory(memory, size).ok_or(ClError::INVALID_VALUE)?;
    Ok((Outside::Host(memory), size))
}

/// `memory` points to a descriptor, which stays the application's.
fn dma_buf(memory: *mut c_void, size: usize) -> ClResult<(Outside, usize)> {
    let fd = bytes(memory, size_of::<i32>()).and_then(|bytes| bytes.try_into().ok());
    let fd = i32::from_ne_bytes(fd.ok_or(ClError::INVALID_VALUE)?);
    Ok((Outside::Fd(peer::Handle::DmaBuf, fd), size))
}

fn android(memory: *mut c_void, size: usize) -> ClResult<(Outside, usize)> {
    // Images have no layout that kernels know.
    let buffer = hardware_buffer(memory).ok_or(ClError::INVALID_OPERATION)?;
    let size = match size {
        CL_IMPORT_MEMORY_WHOLE_ALLOCATION_ARM => buffer.size() as usize,
        size => size,
    };
    Ok((Outside::HardwareBuffer(buffer), size))
}

pub fn import_memory(
    context: cl_context,
    flags: cl_mem_flags,
    properties: In<cl_import_properties_arm>,
    memory: *mut c_void,
    size: usize,
) -> ClResult<cl_mem> {
    // CL_INVALID_CONTEXT on invalid context.
    let context = handle::get(context)?;
    // CL_INVALID_VALUE on invalid flag input. CL_MEM_USE_HOST_PTR is ignored.
    let flags = flags & !CL_MEM_USE_HOST_PTR;
    check_flags(flags)?;
    if flags & !(KERNEL_ACCESS | HOST_ACCESS) != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_PROPERTY when invalid properties or combination of properties are passed.
    let invalid = ClError::INVALID_PROPERTY;
    let all = properties.properties();
    if has_twins(&all) {
        return Err(invalid);
    }
    let given = |name| all.iter().find(|row| row.0 == name).map(|row| row.1);
    let kind = given(CL_IMPORT_TYPE_ARM).unwrap_or(CL_IMPORT_TYPE_HOST_ARM);
    let device = context.devices.first().ok_or(ClError::INVALID_CONTEXT)?;
    let row = TYPES.iter().find(|row| row.0 == kind);
    let &(_, is_taken, import) = row.ok_or(invalid)?;
    if !is_taken(device.facts()) {
        return Err(invalid);
    }
    for &(name, value) in &all {
        match (name, kind) {
            (CL_IMPORT_TYPE_ARM, _) => {}
            // Memory that the host changes behind its caches is the application's to see to.
            (CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM, CL_IMPORT_TYPE_DMA_BUF_ARM)
                if value == 0 => {}
            // CL_INVALID_VALUE if an out-of-range plane or layer index is passed: there is one.
            (
                CL_IMPORT_ANDROID_HARDWARE_BUFFER_PLANE_INDEX_ARM
                | CL_IMPORT_ANDROID_HARDWARE_BUFFER_LAYER_INDEX_ARM,
                CL_IMPORT_TYPE_ANDROID_HARDWARE_BUFFER_ARM,
            ) => match value {
                0 => {}
                _ => return Err(ClError::INVALID_VALUE),
            },
            _ => return Err(invalid),
        }
    }
    // CL_INVALID_VALUE if memory is NULL.
    if memory.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_OPERATION: the memory is one device's, and is never copied to others.
    let [device] = &context.devices[..] else {
        return Err(ClError::INVALID_OPERATION);
    };
    // CL_INVALID_BUFFER_SIZE when size is 0, or greater than the size of the allocation.
    let largest = device.facts().max_alloc_size;
    let whole = kind == CL_IMPORT_TYPE_ANDROID_HARDWARE_BUFFER_ARM
        && size == CL_IMPORT_MEMORY_WHOLE_ALLOCATION_ARM;
    if size == 0 || size as u64 > largest && !whole {
        return Err(ClError::INVALID_BUFFER_SIZE);
    }
    let (outside, size) = import(memory, size)?;
    let buffer = match outside {
        Outside::Fd(kind, fd) => {
            // The driver takes over a descriptor of its own.
            let own = Descriptor::duplicate(fd).map_err(|_| ClError::INVALID_VALUE)?;
            let outside = Outside::Fd(kind, own.number());
            let buffer = Buffer::imported(device, &outside, size as u64)?;
            let _ = own.leave();
            buffer
        }
        other => Buffer::imported(device, &other, size as u64)?,
    };
    Ok(handle::new(Arc::new(Memory {
        handle: Handle::default(),
        context,
        buffer,
        image: None,
        pipe: None,
        external: false,
        addressed: false,
        flags: with_default_access(flags),
        host_ptr: 0,
        properties: Vec::new(),
        parent: None,
    })))
}
