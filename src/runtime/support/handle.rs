//! What the application calls an object.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The handle that `api` has given an object that others can name: kept with it, so that nobody has to look for it.
#[derive(Debug, Default)]
pub struct Handle(AtomicUsize);

impl Handle {
    pub fn set(&self, handle: usize) {
        self.0.store(handle, Ordering::Release);
    }

    /// 0 if it has none.
    pub fn get(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}
