//! Host memory that host and device have at one address, for devices that give their own addresses to it: it is mapped where the
//! device has it, by the driver (VK_EXT_map_memory_placed), or by the host a second time, where the driver imports host memory.

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use ash::vk;

use super::device::Device;
use super::error::{Error, Result};
use super::memory::{Buffer, CANNOT_IMPORT, Location, Memory};
use crate::os::memory::{HostMemory, Pages, SharedPages};

/// Who maps the memory where it has to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum By {
    /// The driver, whose memory it is.
    Driver,
    /// The host, whose memory it is, and which has it elsewhere, too.
    Host,
}

/// Memory of a buffer, mapped in pages of the host's choice.
pub(super) struct Placed {
    memory: vk::DeviceMemory,
    /// The pages that were reserved for the mapping; `None` if they are not free.
    pages: Option<Pages>,
    /// What the device has imported; `None` if the memory is the driver's.
    imported: Option<SharedPages>,
}

impl Placed {
    /// Unmaps and frees the memory. Called when no submission uses it any more.
    pub fn free(self, device: &Device) {
        if let (Some(map), Some(_), None) = (&device.map, &self.pages, &self.imported) {
            let info = vk::MemoryUnmapInfoKHR::default()
                .flags(vk::MemoryUnmapFlagsKHR::RESERVE_EXT)
                .memory(self.memory);
            // SAFETY: the extension is enabled and the memory is mapped.
            let unmapped = unsafe { (map.fp().unmap_memory2_khr)(map.device(), &info) };
            if let Err(error) = unmapped.result() {
                tracing::error!("host memory is not unmapped: {error}");
            }
        }
        // SAFETY: the memory belongs to one buffer alone, which is gone.
        unsafe { device.raw.free_memory(self.memory, None) };
        // The pages, which the driver has left reserved, are given back here.
        drop((self.pages, self.imported));
    }
}

impl Buffer {
    /// `size` bytes of host memory, coherent and cached, contents undefined, mapped where `reserve` has reserved pages: it is given
    /// the buffer's device address and a number of bytes. It is not mapped if there are no pages. With `replay` the
    /// address is one of those that the driver keeps for being had again, if it has such.
    pub fn placed(
        device: &Arc<Device>,
        size: u64,
        by: By,
        replay: bool,
        reserve: impl FnOnce(u64, u64) -> Option<Pages>,
    ) -> Result<Buffer> {
        match by {
            By::Driver => Buffer::placed_by_driver(device, size, replay, reserve),
            By::Host => Buffer::placed_by_host(device, size, replay, reserve),
        }
    }

    /// The device imports the memory, and the host maps it once more.
    fn placed_by_host(
        device: &Arc<Device>,
        size: u64,
        replay: bool,
        reserve: impl FnOnce(u64, u64) -> Option<Pages>,
    ) -> Result<Buffer> {
        let page = Pages::size_of_one() as u64;
        // Pages of the host begin at no larger multiples.
        let align = device.caps().host_pointer_align;
        if align == 0 || !page.is_multiple_of(align) {
            return Err(CANNOT_IMPORT);
        }
        let whole = size.next_multiple_of(page);
        let imported = SharedPages::new(whole as usize).ok_or(Error::OutOfHostMemory)?;
        let mut buffer = Buffer::import(device, imported.memory(), replay)?;
        let memory = buffer.external_memory().ok_or(CANNOT_IMPORT)?;
        let pages = reserve(buffer.address(), whole).filter(|pages| imported.alias(pages));
        buffer.mapped = pages.as_ref().map(|p| p.memory().slice(0, size as usize));
        // From here on the buffer frees all of it.
        buffer.memory = Some(Memory::Placed(Placed {
            memory,
            pages,
            imported: Some(imported),
        }));
        Ok(buffer)
    }

    /// The driver allocates and maps the memory, if the device offers it ([`super::caps::Caps::placed_align`]).
    fn placed_by_driver(
        device: &Arc<Device>,
        size: u64,
        replay: bool,
        reserve: impl FnOnce(u64, u64) -> Option<Pages>,
    ) -> Result<Buffer> {
        let caps = device.caps();
        let align = caps.placed_align.max(Pages::size_of_one() as u64);
        let map = device.map.as_ref();
        let map = map.ok_or(Error::Other(vk::Result::ERROR_EXTENSION_NOT_PRESENT))?;
        let size = size.next_multiple_of(align);
        let mut buffer = Buffer::alone(device, size, align, Location::HostCached, replay)?;
        let memory = buffer.external_memory().ok_or(CANNOT_IMPORT)?;
        // SAFETY: the buffer is alive.
        let requirements = unsafe { device.raw.get_buffer_memory_requirements(buffer.raw) };
        let whole = requirements.size.next_multiple_of(align);
        let aligned = |pages: &Pages| (pages.memory().as_ptr() as u64).is_multiple_of(align);
        let Some(pages) = reserve(buffer.address(), whole).filter(aligned) else {
            return Ok(buffer);
        };
        let place = pages.memory().as_ptr().cast::<c_void>();
        let mut at = vk::MemoryMapPlacedInfoEXT::default().placed_address(place);
        let info = vk::MemoryMapInfoKHR::default()
            .flags(vk::MemoryMapFlags::PLACED_EXT)
            .memory(memory)
            .size(vk::WHOLE_SIZE)
            .push_next(&mut at);
        let mut mapped = ptr::null_mut();
        // SAFETY: the extension is enabled; the memory is not mapped, and the pages under the mapping are reserved for it.
        let result = unsafe { (map.fp().map_memory2_khr)(map.device(), &info, &mut mapped) };
        device.check(result.result())?;
        buffer.memory = Some(Memory::Placed(Placed {
            memory,
            pages: Some(pages),
            imported: None,
        }));
        if mapped == place {
            // SAFETY: the mapping has `size` bytes and lives as long as the buffer.
            buffer.mapped = Some(unsafe { HostMemory::new(mapped.cast(), size as usize) });
            buffer.cached = true;
        }
        Ok(buffer)
    }
}
