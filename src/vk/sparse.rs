//! Buffers larger than one allocation of device memory: their memory is bound in pieces (sparse binding), and they have
//! one address range.

use std::sync::Arc;

use ash::vk;

use super::device::{Device, Priority};
use super::error::{Error, Result};
use super::fault;
use super::memory::{Buffer, Memory};

/// Bytes of a piece. Large enough that a buffer has few pieces, small enough that the driver finds memory for each.
const PIECE: u64 = 1 << 30;

impl Buffer {
    /// `size` bytes of device memory, contents undefined. The device must offer it
    /// ([`super::caps::Caps::sparse`]).
    pub fn sparse(device: &Arc<Device>, size: u64) -> Result<Buffer> {
        device.with_spares_freed(|| device.reserve(size))?;
        let flags = vk::BufferCreateFlags::SPARSE_BINDING;
        let mut buffer = Buffer::unbound(device, size, flags, "large buffer")?;
        // SAFETY: the buffer is alive.
        let requirements = unsafe { device.raw.get_buffer_memory_requirements(buffer.raw) };
        let caps = device.caps();
        let local = vk::MemoryPropertyFlags::DEVICE_LOCAL;
        let memory_type = caps
            .memory_type(requirements.memory_type_bits, local)
            .ok_or(Error::OutOfDeviceMemory)?;
        let align = requirements.alignment.max(1);
        let piece = PIECE.min(caps.max_allocation) / align * align;
        if piece == 0 {
            return Err(Error::OutOfDeviceMemory);
        }
        let mut flags =
            vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let mut binds = Vec::new();
        let mut pieces = Vec::new();
        let mut offset = 0;
        let mut result = Ok(());
        while offset < requirements.size && result.is_ok() {
            let size = piece.min(requirements.size - offset);
            let info = vk::MemoryAllocateInfo::default()
                .allocation_size(size)
                .memory_type_index(memory_type)
                .push_next(&mut flags);
            // SAFETY: the info is valid, the type is one of the buffer's.
            let allocate = || device.check(unsafe { device.raw.allocate_memory(&info, None) });
            match fault::inject(fault::Kind::Allocate).and_then(|()| allocate()) {
                Ok(memory) => {
                    device.name(memory, || "piece of a large buffer".into());
                    pieces.push(memory);
                    binds.push(
                        vk::SparseMemoryBind::default()
                            .resource_offset(offset)
                            .size(size)
                            .memory(memory),
                    );
                    offset += size;
                }
                Err(error) => result = Err(error),
            }
        }
        // Stored after an error as well, so that the buffer frees the pieces.
        buffer.memory = Some(Memory::Pieces(pieces));
        result?;
        device.bind_sparse(buffer.raw, &binds)?;
        buffer.query_address();
        Ok(buffer)
    }
}

impl Device {
    /// Binds memory to a sparse buffer and waits for completion.
    fn bind_sparse(&self, buffer: vk::Buffer, binds: &[vk::SparseMemoryBind]) -> Result {
        let buffers = [vk::SparseBufferMemoryBindInfo::default()
            .buffer(buffer)
            .binds(binds)];
        let info = [vk::BindSparseInfo::default().buffer_binds(&buffers)];
        let fence_info = vk::FenceCreateInfo::default();
        // SAFETY: the info is valid.
        let fence = self.check(unsafe { self.raw.create_fence(&fence_info, None) })?;
        let queue = self.lock_queue(self.pick_queue(Priority::default()));
        // SAFETY: the queue is locked and of a family that binds; all handles are alive, and
        // the buffer is not in use. The fence goes when nothing uses it any more.
        unsafe {
            let submitted = self.check(self.raw.queue_bind_sparse(*queue, &info, fence));
            drop(queue);
            let waited = submitted
                .and_then(|()| self.check(self.raw.wait_for_fences(&[fence], true, u64::MAX)));
            self.raw.destroy_fence(fence, None);
            waited
        }
    }
}
