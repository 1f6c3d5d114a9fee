//! The handle of an object, which the application uses.

use std::sync::atomic::{AtomicUsize, Ordering};

/// The handle that `api` has given to an object that others name. It is kept in the object, so that it needs no search.
#[derive(Debug, Default)]
pub struct Handle(AtomicUsize);

impl Handle {
    pub fn set(&self, handle: usize) {
        self.0.store(handle, Ordering::Release);
    }

    /// 0 if the object has no handle.
    pub fn get(&self) -> usize {
        self.0.load(Ordering::Acquire)
    }
}
