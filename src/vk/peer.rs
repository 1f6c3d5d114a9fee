//! Memory of one device that another one sees, too: exported as a file descriptor, and imported.
//!
//! Vulkan lets an opaque descriptor into a device of the same driver and GPU only (its UUIDs tell), a dma-buf into any device that
//! finds a type of memory for it.

use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};
use std::sync::Arc;

use ash::vk;

use super::caps::{Caps, External};
use super::command::Others;
use super::device::Device;
use super::error::Result;
use super::memory::{Buffer, CANNOT_IMPORT};

/// The kinds of handles, the best first.
pub const HANDLES: [Handle; 2] = [Handle::OpaqueFd, Handle::DmaBuf];

/// A kind of handle to memory.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Handle {
    OpaqueFd,
    DmaBuf,
}

impl Handle {
    fn flags(self) -> vk::ExternalMemoryHandleTypeFlags {
        match self {
            Handle::OpaqueFd => vk::ExternalMemoryHandleTypeFlags::OPAQUE_FD,
            Handle::DmaBuf => vk::ExternalMemoryHandleTypeFlags::DMA_BUF_EXT,
        }
    }

    /// To whom memory is handed over that is shared by this kind.
    pub fn others(self) -> Others {
        match self {
            Handle::OpaqueFd => Others::Same,
            Handle::DmaBuf => Others::Foreign,
        }
    }

    fn of(self, caps: &Caps) -> External {
        match self {
            Handle::OpaqueFd => caps.opaque_fd,
            Handle::DmaBuf => caps.dma_buf,
        }
    }

    /// Whether the drivers say that memory of `owner` may be shared with `other`, which need not take it.
    pub fn joins(self, owner: &Caps, other: &Caps) -> bool {
        let same = (owner.driver_uuid, owner.device_uuid) == (other.driver_uuid, other.device_uuid);
        let [from, to] = [owner, other].map(|caps| self.of(caps));
        let plain = !from.dedicated && !to.dedicated;
        (same || self != Handle::OpaqueFd) && plain && from.exports && to.imports
    }
}

/// Memory of `owner`, of `size` bytes, as a buffer of its own and one of `other`'s. An error if the drivers do not share it.
pub fn share(
    owner: &Arc<Device>,
    other: &Arc<Device>,
    size: u64,
    handle: Handle,
) -> Result<[Buffer; 2]> {
    let functions = (&owner.memory_fd, &other.memory_fd);
    let (Some(export), Some(import)) = functions else {
        return Err(CANNOT_IMPORT);
    };
    if !handle.joins(owner.caps(), other.caps()) {
        return Err(CANNOT_IMPORT);
    }
    let mut chain = vk::ExportMemoryAllocateInfo::default().handle_types(handle.flags());
    // The device's own, that is; a CPU's is also the host's.
    let own = |flags: vk::MemoryPropertyFlags| {
        let visible = flags.contains(vk::MemoryPropertyFlags::HOST_VISIBLE);
        flags
            .contains(vk::MemoryPropertyFlags::DEVICE_LOCAL)
            .then_some(visible)
    };
    let any = (u32::MAX, None);
    let (ours, (index, bytes)) =
        Buffer::external(owner, size, handle.flags(), any, own, &mut chain)?;
    let ours = ours.bound()?;
    let memory = ours.external_memory().ok_or(CANNOT_IMPORT)?;
    let info = vk::MemoryGetFdInfoKHR::default()
        .memory(memory)
        .handle_type(handle.flags());
    // SAFETY: the extension is enabled, and the memory was allocated for such handles. The descriptor is ours.
    let fd = unsafe {
        let fd = owner.check(export.get_memory_fd(&info))?;
        OwnedFd::from_raw_fd(fd)
    };
    let types = match handle {
        // The same device has the same types, and demands the one that was exported.
        Handle::OpaqueFd => 1 << index,
        Handle::DmaBuf => {
            let mut properties = vk::MemoryFdPropertiesKHR::default();
            // SAFETY: the extension is enabled, and the descriptor is of that kind.
            other.check(unsafe {
                import.get_memory_fd_properties(handle.flags(), fd.as_raw_fd(), &mut properties)
            })?;
            properties.memory_type_bits
        }
    };
    let mut chain = vk::ImportMemoryFdInfoKHR::default()
        .handle_type(handle.flags())
        .fd(fd.as_raw_fd());
    let types = (types, Some(bytes));
    let all = |_| Some(());
    let (theirs, _) = Buffer::external(other, size, handle.flags(), types, all, &mut chain)?;
    // The import owns it now.
    let _ = fd.into_raw_fd();
    Ok([ours, theirs.bound()?])
}
