//! Buffers, sub-buffers and mappings.

use std::sync::Arc;

use crate::runtime::device::Device;
use crate::runtime::error::{ClError, ClResult};
pub use crate::vk::host::HostMemory;

/// Where a buffer's bytes live, from CL_MEM_*_HOST_PTR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Device memory.
    Default,
    /// CL_MEM_ALLOC_HOST_PTR: host memory that the device sees.
    HostAlloc,
    /// CL_MEM_USE_HOST_PTR: the application's own memory, of the buffer's size.
    HostPtr(HostMemory),
}

/// What a kernel, and the host, may do with a buffer is checked by `api`; the engine
/// needs only the map flags.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapFlags {
    pub read: bool,
    pub write: bool,
    /// CL_MAP_WRITE_INVALIDATE_REGION: `write` without the old contents.
    pub invalidate: bool,
}

/// A buffer or sub-buffer (a range of another buffer's memory).
pub struct Buffer {
    size: u64,
    parent: Option<(Arc<Buffer>, u64)>,
}

impl Buffer {
    /// `devices` are the context's. `init` (CL_MEM_COPY_HOST_PTR) is copied before this
    /// returns; with `Placement::HostPtr` the initial contents are the application's.
    /// MEM_OBJECT_ALLOCATION_FAILURE when there is no memory, INVALID_BUFFER_SIZE when
    /// larger than the largest allocation.
    pub fn new(
        devices: &[Arc<Device>],
        size: u64,
        placement: Placement,
        init: Option<HostMemory>,
    ) -> ClResult<Arc<Buffer>> {
        let _ = (devices, size, placement, init);
        Err(ClError::MEM_OBJECT_ALLOCATION_FAILURE)
    }

    /// A program's module data on one device: `bytes`, with the buffer's own device address
    /// added to the 64-bit words at `relocs` (byte offsets, `DeviceProgram::module_relocs`).
    pub fn module_data(
        device: &Arc<Device>,
        bytes: &[u8],
        relocs: &[u32],
    ) -> ClResult<Arc<Buffer>> {
        let _ = (device, bytes, relocs);
        Err(ClError::MEM_OBJECT_ALLOCATION_FAILURE)
    }

    /// `size` bytes from `offset` of `parent`, sharing its memory. The range and the
    /// offset's alignment are checked by the caller.
    pub fn sub_buffer(parent: &Arc<Buffer>, offset: u64, size: u64) -> Arc<Buffer> {
        Arc::new(Buffer {
            size,
            parent: Some((parent.clone(), offset)),
        })
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// The parent and the offset in it (CL_MEM_ASSOCIATED_MEMOBJECT, CL_MEM_OFFSET).
    pub fn parent(&self) -> Option<(&Arc<Buffer>, u64)> {
        self.parent.as_ref().map(|(p, o)| (p, *o))
    }

    /// CL_MEM_MAP_COUNT.
    pub fn map_count(&self) -> u32 {
        0
    }

    /// Reserves host memory for a mapping of `size` bytes at `offset`; the pointer to
    /// return is `Mapping::host`. Enqueue [`super::command::Command::Map`] with it.
    /// MAP_FAILURE when there is no memory.
    pub fn map(
        self: &Arc<Self>,
        flags: MapFlags,
        offset: u64,
        size: u64,
    ) -> ClResult<Arc<Mapping>> {
        let _ = (flags, offset, size);
        Err(ClError::MAP_FAILURE)
    }

    /// The mapping whose pointer is `ptr`, ended: it no longer counts. Enqueue
    /// [`super::command::Command::Unmap`] with it. INVALID_VALUE when there is none.
    pub fn unmap(&self, ptr: *mut u8) -> ClResult<Arc<Mapping>> {
        let _ = ptr;
        Err(ClError::INVALID_VALUE)
    }

    /// clSetMemObjectDestructorCallback: run in reverse order of registration, after the
    /// last reference, commands included, is gone and before the memory is freed.
    pub fn on_destroy(&self, callback: Box<dyn FnOnce() + Send>) {
        let _ = callback;
    }
}

/// One clEnqueueMapBuffer that has not been unmapped.
pub struct Mapping {
    pub host: HostMemory,
    pub flags: MapFlags,
    /// Offset in the buffer.
    pub offset: u64,
    pub buffer: Arc<Buffer>,
}
