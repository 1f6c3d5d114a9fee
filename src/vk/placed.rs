//! Host memory that host and device have at one address, for devices that give their own addresses to it: it is mapped where the
//! device has it (VK_EXT_map_memory_placed).

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use ash::vk;

use super::device::Device;
use super::error::{Error, Result};
use super::fault;
use super::memory::{Buffer, Memory};
use super::memory_types::HOST_REACHED;
use crate::os::memory::{HostMemory, Pages};

/// Memory of a buffer, mapped in pages of the host's choice.
pub(super) struct Placed {
    memory: vk::DeviceMemory,
    /// The pages that were reserved for the mapping; `None` if they are not free.
    pages: Option<Pages>,
}

impl Placed {
    /// Unmaps and frees the memory. Called when no submission uses it any more.
    pub fn free(self, device: &Device) {
        if let (Some(map), Some(_)) = (&device.map, &self.pages) {
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
        drop(self.pages);
    }
}

impl Buffer {
    /// `size` bytes of host memory, coherent and cached, contents undefined, mapped where `reserve` has reserved pages: it is given
    /// the buffer's device address and a number of bytes. It is not mapped if there are no pages. The device must offer it
    /// ([`super::caps::Caps::placed_align`]).
    pub fn placed(
        device: &Arc<Device>,
        size: u64,
        reserve: impl FnOnce(u64, u64) -> Option<Pages>,
    ) -> Result<Buffer> {
        let caps = device.caps();
        let align = caps.placed_align.max(Pages::size_of_one() as u64);
        let map = device.map.as_ref();
        let map = map.ok_or(Error::Other(vk::Result::ERROR_EXTENSION_NOT_PRESENT))?;
        let size = size.next_multiple_of(align);
        let flags = vk::BufferCreateFlags::empty();
        let mut buffer = Buffer::unbound(device, size, flags, "placed buffer")?;
        // SAFETY: the buffer is alive.
        let requirements = unsafe { device.raw.get_buffer_memory_requirements(buffer.raw) };
        let wanted = HOST_REACHED | vk::MemoryPropertyFlags::HOST_CACHED;
        let memory_type = caps
            .memory_type(requirements.memory_type_bits, wanted)
            .ok_or(Error::OutOfHostMemory)?;
        let mut flags =
            vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let whole = requirements.size.next_multiple_of(align);
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(whole)
            .memory_type_index(memory_type)
            .push_next(&mut flags);
        fault::inject(fault::Kind::Allocate)?;
        // SAFETY: the info is valid, the type is one of the buffer's.
        let memory = device.check(unsafe { device.raw.allocate_memory(&info, None) })?;
        device.name(memory, || "placed memory".into());
        // From here on the buffer frees it.
        let unmapped = Placed {
            memory,
            pages: None,
        };
        buffer.memory = Some(Memory::Placed(unmapped));
        // SAFETY: the memory is as large as the buffer requires, and of one of its types.
        device.check(unsafe { device.raw.bind_buffer_memory(buffer.raw, memory, 0) })?;
        buffer.query_address();
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
        }));
        if mapped == place {
            // SAFETY: the mapping has `size` bytes and lives as long as the buffer.
            buffer.mapped = Some(unsafe { HostMemory::new(mapped.cast(), size as usize) });
            buffer.cached = true;
        }
        Ok(buffer)
    }
}
