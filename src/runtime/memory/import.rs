//! Memory that the application or another Vulkan device has allocated.

use crate::os::descriptor::length;
use crate::os::hardware_buffer::HardwareBuffer;
use crate::os::memory::HostMemory;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::memory::storage::Storage;
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk;
use crate::vk::command::Others;
use crate::vk::memory::Location;
use crate::vk::peer::{Handle, import_fd, import_hardware_buffer};

/// A storage of the pages around `host`, if the device can import them.
pub(in crate::runtime) fn host(gpu: &Gpu, host: HostMemory) -> Option<Storage> {
    let align = gpu.vk.caps().host_pointer_align as usize;
    if align == 0 {
        return None;
    }
    let start = host.as_ptr() as usize;
    let base = start % align;
    // Kernels assume alignments relative to the buffer's start.
    if !base.is_multiple_of(128) {
        return None;
    }
    let whole = host.pages(align);
    pages(gpu, whole).map(|vk| Storage::new(vk, base as u64, Location::Device))
}

/// A buffer of whole pages, if the device can import them.
pub(in crate::runtime) fn pages(gpu: &Gpu, pages: HostMemory) -> Option<vk::memory::Buffer> {
    let align = gpu.vk.caps().host_pointer_align as usize;
    let bounds = pages.as_ptr() as usize | pages.len();
    if align == 0 || !bounds.is_multiple_of(align) {
        return None;
    }
    match vk::memory::Buffer::import(&gpu.vk, pages, false) {
        Ok(vk) => Some(vk),
        Err(error) => {
            tracing::debug!("host memory is copied, not imported: {error}");
            None
        }
    }
}

/// Memory that a buffer is to have.
pub enum Outside {
    /// Another Vulkan device's, or a dma-buf: a kind of file descriptor, and the descriptor.
    Fd(Handle, i32),
    HardwareBuffer(HardwareBuffer),
    /// The process' own.
    Host(HostMemory),
}

/// A storage of memory from outside. If this succeeds, it owns a descriptor. INVALID_BUFFER_SIZE if the memory has less than `size`
/// bytes, where it tells; INVALID_VALUE if it cannot be imported, INVALID_OPERATION if the process' own cannot.
pub(in crate::runtime) fn outside(gpu: &Gpu, outside: &Outside, size: u64) -> ClResult<Storage> {
    // The size is rounded up because fills write whole words.
    let whole = size.next_multiple_of(4);
    let (made, others) = match *outside {
        Outside::Fd(handle, fd) => {
            if handle == Handle::DmaBuf && length(fd).is_some_and(|length| size > length) {
                return Err(ClError::INVALID_BUFFER_SIZE);
            }
            (import_fd(&gpu.vk, handle, fd, whole), handle.others())
        }
        Outside::HardwareBuffer(buffer) if size > buffer.size() => {
            return Err(ClError::INVALID_BUFFER_SIZE);
        }
        Outside::HardwareBuffer(buffer) => {
            (import_hardware_buffer(&gpu.vk, buffer), Others::Foreign)
        }
        Outside::Host(memory) => {
            let storage = memory.is_mapped().then(|| host(gpu, memory)).flatten();
            return storage.ok_or(ClError::INVALID_OPERATION);
        }
    };
    let vk = made.map_err(|error| {
        tracing::debug!(%error, "memory is not imported");
        ClError::INVALID_VALUE
    })?;
    let mut storage = Storage::new(vk, 0, Location::Device);
    storage.others = others;
    Ok(storage)
}
