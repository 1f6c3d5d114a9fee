//! Threads for work that must not block the application: ends of queues, transfers, pipelines. A thread that has finished its work
//! waits a while for more. Creating one takes some 20 us, and NVIDIA's driver (580) keeps data for every thread that has called
//! it: after 40000 threads, exit() took 80 s.

use std::collections::VecDeque;
use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Condvar, Mutex, MutexGuard};
use std::thread::Builder;
use std::time::Duration;

use crate::os::sync::Unpoisoned;

pub use crate::os::exit::{begin_call, is_forked, is_over};

/// How long a thread waits for work before it ends.
const STAY: Duration = Duration::from_secs(10);

type Work = Box<dyn FnOnce() + Send>;

/// Work that no thread has taken, and the idle threads.
struct Pool {
    next_id: u64,
    work: VecDeque<(u64, Work)>,
    idle: usize,
}

static POOL: Mutex<Pool> = Mutex::new(Pool {
    next_id: 0,
    work: VecDeque::new(),
    idle: 0,
});
static CHANGED: Condvar = Condvar::new();

fn lock() -> MutexGuard<'static, Pool> {
    POOL.lock().unpoisoned()
}

/// Runs `work` on another thread. If no thread can be started, gives an error and drops `work`.
pub fn start(work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let mut pool = lock();
    let id = pool.next_id;
    pool.next_id += 1;
    pool.work.push_back((id, Box::new(work)));
    if pool.idle >= pool.work.len() {
        drop(pool);
        CHANGED.notify_one();
        return Ok(());
    }
    drop(pool);
    let Err(error) = Builder::new().name("caldera".into()).spawn(serve) else {
        return Ok(());
    };
    // Another thread may have taken the work by now.
    let mut pool = lock();
    let index = pool.work.iter().position(|row| row.0 == id);
    let untaken = index.and_then(|index| pool.work.remove(index));
    drop(pool);
    untaken.map_or(Ok(()), |_| Err(error))
}

fn serve() {
    while let Some(work) = next() {
        // Dropping the work tells those who wait for it.
        let _ = catch_unwind(AssertUnwindSafe(work));
    }
}

/// The next work; `None` when there has been none for a while.
fn next() -> Option<Work> {
    let mut pool = lock();
    let mut late = false;
    loop {
        if let Some((_, work)) = pool.work.pop_front() {
            return Some(work);
        }
        if late {
            return None;
        }
        pool.idle += 1;
        let waited = CHANGED.wait_timeout(pool, STAY);
        let (woken, timeout) = waited.unpoisoned();
        pool = woken;
        pool.idle -= 1;
        late = timeout.timed_out();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;
    use std::thread::current;

    /// All work runs, even if parts of it wait for each other, and panics end no thread.
    #[test]
    fn work_is_done_at_once() {
        let (send, results) = channel();
        for round in 0..50 {
            let mut gates = Vec::new();
            for _ in 0..8 {
                let (open, gate) = channel::<()>();
                gates.push(open);
                let send = send.clone();
                let work = move || {
                    // It opens only when all eight have been started.
                    let _ = gate.recv();
                    let _ = send.send(current().id());
                    if round % 10 == 0 {
                        std::panic::resume_unwind(Box::new(()));
                    }
                };
                start(work).expect("a thread");
            }
            drop(gates);
            let mut ids: Vec<_> = results.iter().take(8).map(|id| format!("{id:?}")).collect();
            ids.sort();
            ids.dedup();
            assert!(!ids.is_empty());
        }
    }
}
