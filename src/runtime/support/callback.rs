//! The threads that run application callbacks: no lock is held there, and a slow callback holds up nothing
//! but others of its kind. One for events and one for the ends of objects per process, started on first use.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use crate::os::exit;

type Job = Box<dyn FnOnce() + Send>;

/// A thread that runs callbacks in the order in which they come.
pub struct Lane {
    name: &'static str,
    sender: OnceLock<Mutex<Sender<Job>>>,
    begun: AtomicU64,
    ended: Mutex<u64>,
    changed: Condvar,
}

/// What has happened to commands.
pub static EVENTS: Lane = Lane::new("caldera-callback");
/// Objects are gone.
pub static ENDS: Lane = Lane::new("caldera-ends");

/// How long [`Lane::settle`] waits, for callbacks that need what their caller keeps from them, a lock, say.
const PATIENCE: Duration = Duration::from_secs(1);

thread_local! {
    /// The lane whose thread this is.
    static OWN: Cell<*const Lane> = const { Cell::new(ptr::null()) };
}

impl Lane {
    const fn new(name: &'static str) -> Lane {
        Lane {
            name,
            sender: OnceLock::new(),
            begun: AtomicU64::new(0),
            ended: Mutex::new(0),
            changed: Condvar::new(),
        }
    }

    fn ended(&self) -> MutexGuard<'_, u64> {
        self.ended.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Runs `job` on the thread.
    pub fn run(&'static self, job: Job) {
        self.begun.fetch_add(1, Ordering::Relaxed);
        let sender = self.sender.get_or_init(|| {
            let (sender, jobs) = channel::<Job>();
            let started = std::thread::Builder::new()
                .name(self.name.into())
                .spawn(move || {
                    OWN.set(self);
                    for job in jobs {
                        let _inside = exit::enter();
                        self.call(job);
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
            self.call(unsent.0);
        }
    }

    fn call(&self, job: Job) {
        // A callback that panics must not end the thread.
        let _ = std::panic::catch_unwind(std::panic::AssertUnwindSafe(job));
        *self.ended() += 1;
        self.changed.notify_all();
    }

    /// Returns when the jobs that there are have run, to whoever is none of them. No lock may be held.
    pub fn settle(&self) {
        let begun = self.begun.load(Ordering::Relaxed);
        // At the end of the process the thread has stopped.
        if begun == 0 || ptr::eq(OWN.get(), self) || exit::has_begun() {
            return;
        }
        let end = Instant::now() + PATIENCE;
        let mut ended = self.ended();
        while *ended < begun {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return;
            }
            let waited = self.changed.wait_timeout(ended, left);
            ended = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

/// A function that the application wants to be called once.
pub type Callback = Box<dyn FnOnce() + Send>;
/// The application's function for errors behind the calls: gets a message.
pub type Notify = Arc<dyn Fn(&str) + Send + Sync>;

/// Callbacks for the end of an object, run in reverse order of registration by the thread for that: an
/// object may end under locks.
#[derive(Default)]
pub struct Callbacks(Mutex<Vec<Callback>>);

impl Callbacks {
    pub fn add(&self, callback: Callback) {
        let mut list = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        list.push(callback);
    }
}

impl Drop for Callbacks {
    fn drop(&mut self) {
        let list = self.0.get_mut().unwrap_or_else(PoisonError::into_inner);
        for callback in std::mem::take(list).into_iter().rev() {
            ENDS.run(callback);
        }
    }
}
