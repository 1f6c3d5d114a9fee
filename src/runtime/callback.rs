//! The thread that runs application callbacks: no lock is held there, and a slow callback
//! holds up nothing but other callbacks. One per process, started on first use.

use std::sync::mpsc::{Sender, channel};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::vk::exit;

type Job = Box<dyn FnOnce() + Send>;

static THREAD: OnceLock<Mutex<Sender<Job>>> = OnceLock::new();

/// Runs `job` on the callback thread, in the order of the calls.
pub fn run(job: Job) {
    let sender = THREAD.get_or_init(|| {
        let (sender, jobs) = channel::<Job>();
        let started = std::thread::Builder::new()
            .name("caldera-callback".into())
            .spawn(move || {
                for job in jobs {
                    let _inside = exit::enter();
                    // A callback that panics must not end the thread.
                    let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
                }
            });
        if let Err(error) = started {
            tracing::error!("no callback thread: {error}");
        }
        Mutex::new(sender)
    });
    let sender = sender.lock().unwrap_or_else(PoisonError::into_inner);
    if let Err(unsent) = sender.send(job) {
        // The thread could not be started: better here than never.
        drop(sender);
        (unsent.0)();
    }
}
