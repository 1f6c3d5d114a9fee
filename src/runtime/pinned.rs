//! Memory of the application that is a buffer's, too: CL_MEM_ALLOC_HOST_PTR, and imported
//! CL_MEM_USE_HOST_PTR. Transfers between it and device memory are copies between two buffers,
//! which run at the speed of the bus, without staging.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockWriteGuard, Weak};

use crate::runtime::command::{Command, Layout};
use crate::runtime::memory::{Buffer, HostMemory};

/// The buffers in host memory of one device.
#[derive(Default)]
pub struct Pinned {
    /// By the address of the first byte.
    buffers: RwLock<BTreeMap<usize, Weak<Buffer>>>,
    any: AtomicBool,
}

impl Pinned {
    fn write(&self) -> RwLockWriteGuard<'_, BTreeMap<usize, Weak<Buffer>>> {
        self.buffers.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// From now on the host's memory at `address` is known to be the buffer's.
    pub(super) fn add(&self, address: usize, buffer: &Arc<Buffer>) {
        self.write().insert(address, Arc::downgrade(buffer));
        self.any.store(true, Ordering::Release);
    }

    /// The buffer whose memory began at `address` is gone.
    pub(super) fn remove(&self, address: usize) {
        let mut buffers = self.write();
        // Another may have that memory by now.
        if buffers.get(&address).is_some_and(|b| b.strong_count() == 0) {
            buffers.remove(&address);
        }
        self.any.store(!buffers.is_empty(), Ordering::Release);
    }

    /// The buffer that has all of `memory`, and where in it that is.
    fn find(&self, memory: HostMemory) -> Option<(Arc<Buffer>, u64)> {
        if !self.any.load(Ordering::Acquire) {
            return None;
        }
        let buffers = self.buffers.read().unwrap_or_else(PoisonError::into_inner);
        let (start, buffer) = buffers.range(..=memory.as_ptr() as usize).next_back()?;
        let buffer = buffer.upgrade()?;
        let offset = (memory.as_ptr() as usize - start) as u64;
        (offset + memory.len() as u64 <= buffer.size()).then_some((buffer, offset))
    }

    /// The transfer as a copy between buffers, where it can be one.
    pub(super) fn resolve(&self, command: Command) -> Command {
        let Some(transfer) = command.transfer() else {
            return command;
        };
        // What the host reaches directly it copies itself.
        if transfer.buffer.is_direct() {
            return command;
        }
        let Some((host, offset)) = self.find(transfer.host) else {
            return command;
        };
        let extent = transfer.extent;
        let near = (transfer.buffer.clone(), transfer.buffer_at);
        let at = Layout {
            offset: transfer.host_at.offset + offset,
            ..transfer.host_at
        };
        let (src, dst) = match transfer.read {
            true => (near, (host, at)),
            false => ((host, at), near),
        };
        Command::Copy {
            src: src.0,
            src_at: src.1,
            dst: dst.0,
            dst_at: dst.1,
            extent,
        }
    }
}
