//! Copies that the host makes between memory of different devices, or between its own. They wait for the devices.

use std::sync::Arc;

use crate::os::memory::HostMemory;
use crate::runtime::gpu::blocking_copy::copy_now;
use crate::runtime::gpu::staging::LARGE_BLOCK;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::fallible;
use crate::runtime::transfer::host_copy;

/// Where a copy begins or ends.
pub enum End {
    Host(HostMemory),
    /// In a buffer that one device has, from this offset on.
    Buffer(Arc<Buffer>, u64),
}

impl End {
    pub fn buffer(&self) -> Option<Arc<Buffer>> {
        match self {
            End::Host(_) => None,
            End::Buffer(buffer, _) => Some(buffer.clone()),
        }
    }

    /// The memory, if the host copies it as its own.
    fn memory(&self) -> ClResult<Option<HostMemory>> {
        Ok(match self {
            End::Host(memory) => Some(*memory),
            End::Buffer(buffer, at) => {
                let storage = buffer.storage(buffer.device())?;
                let start = (buffer.offset() + at) as usize;
                let part = |memory: HostMemory| memory.slice(start, memory.len() - start);
                storage.direct().map(part)
            }
        })
    }

    /// Copies between the place, `offset` bytes on, and `host`. With `read` the copy is from the place.
    fn transfer(&self, offset: u64, host: HostMemory, read: bool) -> ClResult {
        if let Some(memory) = self.memory()? {
            let part = memory.slice(offset as usize, host.len());
            match read {
                true => host_copy::copy(host, part),
                false => host_copy::copy(part, host),
            }
            return Ok(());
        }
        let End::Buffer(buffer, at) = self else {
            return Err(ClError::OUT_OF_RESOURCES);
        };
        let device = buffer.device();
        let storage = buffer.storage(device)?;
        let start = buffer.offset() + at + offset;
        copy_now(device.gpu()?, &storage.vk, start, host, read)?;
        if !read {
            storage.note_write(false);
        }
        Ok(())
    }
}

/// Copies `size` bytes.
pub fn copy(to: &End, from: &End, size: u64) -> ClResult {
    let whole = |memory: HostMemory| memory.slice(0, size as usize);
    if let Some(memory) = to.memory()? {
        return from.transfer(0, whole(memory), true);
    }
    if let Some(memory) = from.memory()? {
        return to.transfer(0, whole(memory), false);
    }
    let mut bytes = fallible::zeros(LARGE_BLOCK.min(size) as usize)?;
    HostMemory::with(&mut bytes, |block| {
        (0..size).step_by(LARGE_BLOCK as usize).try_for_each(|at| {
            let part = block.slice(0, LARGE_BLOCK.min(size - at) as usize);
            from.transfer(at, part, true)?;
            to.transfer(at, part, false)
        })
    })
}
