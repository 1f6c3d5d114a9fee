//! Buffers found by an address in them, the host's or the device's. They are not kept alive.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, Weak};

use crate::runtime::memory::buffer::Buffer;

type Map = BTreeMap<usize, Weak<Buffer>>;

/// Buffers by the address of their first byte.
#[derive(Default)]
pub struct ByAddress {
    buffers: RwLock<Map>,
    any: AtomicBool,
}

impl ByAddress {
    fn read(&self) -> RwLockReadGuard<'_, Map> {
        self.buffers.read().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut Map)) {
        let mut buffers = self.buffers.write().unwrap_or_else(PoisonError::into_inner);
        change(&mut buffers);
        self.any.store(!buffers.is_empty(), Ordering::Release);
    }

    /// From now on the buffer is found, until it is gone.
    pub fn add(&self, address: usize, buffer: &Arc<Buffer>) {
        self.change(|buffers| {
            buffers.insert(address, Arc::downgrade(buffer));
        });
    }

    /// Forgets buffers that are gone.
    pub fn prune(&self) {
        self.change(|buffers| buffers.retain(|_, buffer| buffer.strong_count() > 0));
    }

    /// The buffer at `address` is gone.
    pub(in crate::runtime) fn remove(&self, address: usize) {
        // Another may be there by now.
        let gone = |buffers: &Map| buffers.get(&address).is_some_and(|b| b.strong_count() == 0);
        self.change(|buffers| {
            if gone(buffers) {
                buffers.remove(&address);
            }
        });
    }

    /// The buffer that has `size` bytes from `address`, and where in it they are.
    pub fn find(&self, address: usize, size: u64) -> Option<(Arc<Buffer>, u64)> {
        if !self.any.load(Ordering::Acquire) {
            return None;
        }
        let buffers = self.read();
        let (start, buffer) = buffers.range(..=address).next_back()?;
        let buffer = buffer.upgrade()?;
        let offset = (address - start) as u64;
        (offset.checked_add(size)? <= buffer.size()).then_some((buffer, offset))
    }

    /// All of them.
    pub fn all(&self) -> Vec<Arc<Buffer>> {
        match self.any.load(Ordering::Acquire) {
            true => self.read().values().filter_map(Weak::upgrade).collect(),
            false => Vec::new(),
        }
    }
}
