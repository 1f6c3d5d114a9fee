//! Threads with large stacks: recursion over deeply nested (but accepted) sources needs more than
//! is usual.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use std::thread::{Builder, Scope, ScopedJoinHandle, available_parallelism};

const STACK_BYTES: usize = 256 << 20;

/// How many processors this process may use. Asked once: the answer is read from files.
pub fn processors() -> usize {
    static COUNT: OnceLock<usize> = OnceLock::new();
    *COUNT.get_or_init(|| available_parallelism().map_or(1, |n| n.get()))
}

/// Locks, also after a panic: what a lock guards here is never half changed.
pub fn lock<T: ?Sized>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Starts `f` on a thread with a large stack.
pub fn spawn<'s, T: Send + 's>(
    scope: &'s Scope<'s, '_>,
    f: impl FnOnce() -> T + Send + 's,
) -> std::io::Result<ScopedJoinHandle<'s, T>> {
    Builder::new()
        .name("caldera-compiler".into())
        .stack_size(STACK_BYTES)
        .spawn_scoped(scope, f)
}

/// `f` of each item, in order, computed by this thread and up to `others` more: as many as start.
pub fn in_parallel<I: Send, T: Send>(
    items: Vec<I>,
    others: usize,
    f: impl Fn(I) -> T + Sync,
) -> Vec<T> {
    let slots: Vec<_> = items
        .into_iter()
        .map(|item| (Mutex::new(Some(item)), Mutex::new(None)))
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some((item, result)) = slots.get(next.fetch_add(1, Ordering::Relaxed)) {
            let item = lock(item).take();
            let made = item.map(&f);
            *lock(result) = made;
        }
    };
    std::thread::scope(|scope| {
        let started: Vec<_> = (0..others).map_while(|_| spawn(scope, work).ok()).collect();
        work();
        for thread in started {
            if let Err(panic) = thread.join() {
                resume_unwind(panic);
            }
        }
    });
    slots
        .into_iter()
        .filter_map(|(_, result)| lock(&result).take())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::in_parallel;

    #[test]
    fn results_come_in_order() {
        for others in [0, 1, 7] {
            let squares = in_parallel((0..100).collect(), others, |i: u64| i * i);
            assert!(squares.into_iter().eq((0..100).map(|i| i * i)));
        }
    }

    #[test]
    #[should_panic(expected = "the third")]
    fn a_panic_comes_through() {
        in_parallel(vec![1, 2, 3], 2, |i| assert!(i != 3, "the third"));
    }
}
