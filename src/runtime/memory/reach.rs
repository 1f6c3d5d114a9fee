//! What kernels reach that follow pointers in memory: all allocations of a context that have addresses, as one thing.
//!
//! Such a launch counts as a use of each of them, but it names none: it notes its batch once, in a [`Reach`] that the storages of
//! all allocations share. So its cost does not depend on how many there are. What is freed while such launches have not ended goes
//! with them: a launch holds the [`Generation`] that was the latest when it was enqueued. A free puts the buffer into the latest
//! generation, which ends there and is held by all earlier ones, so it is dropped when the last of these launches has ended.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use crate::os::sync::Unpoisoned;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::uses::Uses;

/// The launches between two frees.
#[derive(Default)]
pub struct Generation(Mutex<Freed>);

/// What goes with a generation.
#[derive(Default)]
struct Freed {
    _buffer: Option<Arc<Buffer>>,
    next: Option<Arc<Generation>>,
}

impl Drop for Generation {
    fn drop(&mut self) {
        // One after the other: a chain of many generations that ends at once would need much stack.
        let mut next = std::mem::take(&mut *self.0.lock().unpoisoned()).next;
        while let Some(generation) = next {
            next = Arc::into_inner(generation)
                .and_then(|last| std::mem::take(&mut *last.0.lock().unpoisoned()).next);
        }
    }
}

/// The allocations of a context as kernels reach them by pointers in memory.
#[derive(Default)]
pub struct Reach {
    /// The batches with such launches.
    pub uses: Uses,
    latest: Mutex<Arc<Generation>>,
    /// There is, or was, an allocation.
    any: AtomicBool,
    /// The host sees the memory of one.
    visible: AtomicBool,
}

impl Reach {
    /// Notes that there is an allocation, and whether the host sees its memory.
    pub fn extend(&self, visible: bool) {
        self.any.store(true, Ordering::Release);
        self.visible.fetch_or(visible, Ordering::Release);
    }

    /// What a launch that is being enqueued holds until it has ended; `None` if there is nothing to reach.
    pub fn enter(&self) -> Option<Arc<Generation>> {
        let any = self.any.load(Ordering::Acquire);
        any.then(|| self.latest.lock().unpoisoned().clone())
    }

    /// Whether the host reads what these launches write, so that batches make it visible.
    pub fn is_visible(&self) -> bool {
        self.visible.load(Ordering::Acquire)
    }

    /// Drops a buffer that has been freed, at once or when the launches that may use it have ended.
    pub fn free(&self, buffer: Arc<Buffer>) {
        let mut latest = self.latest.lock().unpoisoned();
        // Launches hold it, or the generation before does.
        if Arc::strong_count(&latest) > 1 {
            let next = Arc::new(Generation::default());
            *latest.0.lock().unpoisoned() = Freed {
                _buffer: Some(buffer),
                next: Some(next.clone()),
            };
            *latest = next;
            return;
        }
        drop(latest);
        drop(buffer);
    }
}
