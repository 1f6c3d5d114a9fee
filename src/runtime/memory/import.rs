//! Memory that the application or another Vulkan device has allocated.

use crate::os::memory::HostMemory;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::memory::storage::Storage;
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk;
use crate::vk::memory::Location;

/// A storage of the pages around `host`, if the device can import them.
pub fn host(gpu: &Gpu, host: HostMemory) -> Option<Storage> {
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
pub fn pages(gpu: &Gpu, pages: HostMemory) -> Option<vk::memory::Buffer> {
    let align = gpu.vk.caps().host_pointer_align as usize;
    let bounds = pages.as_ptr() as usize | pages.len();
    if align == 0 || !bounds.is_multiple_of(align) {
        return None;
    }
    match vk::memory::Buffer::import(&gpu.vk, pages) {
        Ok(vk) => Some(vk),
        Err(error) => {
            tracing::debug!("host memory is copied, not imported: {error}");
            None
        }
    }
}

/// A storage of memory that another Vulkan device has exported. INVALID_VALUE if it cannot be imported.
pub fn descriptor(gpu: &Gpu, fd: i32, size: u64) -> ClResult<Storage> {
    // The size is rounded up because fills write whole words.
    let made = vk::memory::Buffer::import_fd(&gpu.vk, fd, size.next_multiple_of(4));
    let vk = made.map_err(|error| {
        tracing::debug!(%error, "a file descriptor is not imported");
        ClError::INVALID_VALUE
    })?;
    Ok(Storage::new(vk, 0, Location::Device))
}
