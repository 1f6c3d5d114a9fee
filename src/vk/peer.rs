//! Memory of one device that another one sees, too: exported as a file descriptor, and imported; and memory that others have
//! exported or allocated.
//!
//! Vulkan lets an opaque descriptor into a device of the same driver and GPU only (its UUIDs tell), a dma-buf into any device that
//! finds a type of memory for it.

use std::sync::Arc;

use ash::vk;

use super::caps::{Caps, External};
use super::command::Others;
use super::device::Device;
use super::error::Result;
use super::memory::{Buffer, CANNOT_IMPORT};
use crate::os::descriptor::Descriptor;
use crate::os::hardware_buffer::HardwareBuffer;

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

/// A buffer in memory that another device has exported, or a dma-buf: an allocation of what a buffer of `size` bytes takes. Takes
/// the descriptor over if it succeeds.
pub fn import_fd(device: &Arc<Device>, handle: Handle, fd: i32, size: u64) -> Result<Buffer> {
    if !handle.of(device.caps()).imports {
        return Err(CANNOT_IMPORT);
    }
    let types = match handle {
        // Nobody tells.
        Handle::OpaqueFd => u32::MAX,
        Handle::DmaBuf => types_of(device, handle, fd)?,
    };
    let mut chain = vk::ImportMemoryFdInfoKHR::default()
        .handle_type(handle.flags())
        .fd(fd);
    // The device's own first.
    let rank = |flags: vk::MemoryPropertyFlags| {
        let own = flags.contains(vk::MemoryPropertyFlags::DEVICE_LOCAL);
        let visible = flags.contains(vk::MemoryPropertyFlags::HOST_VISIBLE);
        Some((!own, visible))
    };
    let types = (types, None);
    let made = Buffer::external(device, size, handle.flags(), types, rank, &mut chain, false)?;
    made.0.bound()
}

/// A buffer in the memory of Android's, which it keeps alive.
pub fn import_hardware_buffer(device: &Arc<Device>, outside: HardwareBuffer) -> Result<Buffer> {
    const HANDLE: vk::ExternalMemoryHandleTypeFlags =
        vk::ExternalMemoryHandleTypeFlags::ANDROID_HARDWARE_BUFFER_ANDROID;
    let functions = device.hardware_buffer.as_ref().ok_or(CANNOT_IMPORT)?;
    let mut properties = vk::AndroidHardwareBufferPropertiesANDROID::default();
    // SAFETY: the extension is enabled, and the buffer is alive.
    device.check(unsafe {
        functions.get_android_hardware_buffer_properties(outside.pointer().cast(), &mut properties)
    })?;
    let mut chain =
        vk::ImportAndroidHardwareBufferInfoANDROID::default().buffer(outside.pointer().cast());
    let memory = (
        properties.memory_type_bits,
        Some(properties.allocation_size),
    );
    let all = |_| Some(());
    let made = Buffer::external(
        device,
        outside.size(),
        HANDLE,
        memory,
        all,
        &mut chain,
        false,
    )?;
    made.0.bound()
}

/// The types of memory that a device finds for a descriptor.
fn types_of(device: &Arc<Device>, handle: Handle, fd: i32) -> Result<u32> {
    let functions = device.memory_fd.as_ref().ok_or(CANNOT_IMPORT)?;
    let mut properties = vk::MemoryFdPropertiesKHR::default();
    // SAFETY: the extension is enabled. The driver refuses what is no such descriptor.
    device.check(unsafe {
        functions.get_memory_fd_properties(handle.flags(), fd, &mut properties)
    })?;
    Ok(properties.memory_type_bits)
}

/// Memory of `owner`, of `size` bytes, as a buffer of its own and one of `other`'s. An error if the drivers do not share it.
pub fn share(
    owner: &Arc<Device>,
    other: &Arc<Device>,
    size: u64,
    handle: Handle,
) -> Result<[Buffer; 2]> {
    let export = owner.memory_fd.as_ref().ok_or(CANNOT_IMPORT)?;
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
        Buffer::external(owner, size, handle.flags(), any, own, &mut chain, false)?;
    let ours = ours.bound()?;
    let memory = ours.external_memory().ok_or(CANNOT_IMPORT)?;
    let info = vk::MemoryGetFdInfoKHR::default()
        .memory(memory)
        .handle_type(handle.flags());
    // SAFETY: the extension is enabled, and the memory was allocated for such handles. The descriptor is ours.
    let fd = unsafe {
        let fd = owner.check(export.get_memory_fd(&info))?;
        Descriptor::own(fd).ok_or(CANNOT_IMPORT)?
    };
    let types = match handle {
        // The same device has the same types, and demands the one that was exported.
        Handle::OpaqueFd => 1 << index,
        Handle::DmaBuf => types_of(other, handle, fd.number())?,
    };
    let mut chain = vk::ImportMemoryFdInfoKHR::default()
        .handle_type(handle.flags())
        .fd(fd.number());
    let types = (types, Some(bytes));
    let all = |_| Some(());
    let (theirs, _) = Buffer::external(other, size, handle.flags(), types, all, &mut chain, false)?;
    // The import owns it now.
    let _ = fd.leave();
    Ok([ours, theirs.bound()?])
}
