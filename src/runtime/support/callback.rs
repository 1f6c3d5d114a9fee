//! Threads that run the application's callbacks. They hold no locks, and a slow callback delays only others of its kind. There is
//! one thread for events and one for the ends of objects, started at first use.

use std::cell::Cell;
use std::ptr;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock};
use std::time::{Duration, Instant};

use crate::os::exit;
use crate::os::sync::Unpoisoned;

type Job = Box<dyn FnOnce() + Send>;

/// A thread that runs callbacks in the order in which they come.
pub struct Lane {
    name: &'static str,
    sender: OnceLock<Mutex<Sender<Job>>>,
    begun: AtomicU64,
    ended: Mutex<u64>,
    changed: Condvar,
}

/// Callbacks of events.
pub static EVENTS: Lane = Lane::new("caldera-callback");
/// Callbacks for the ends of objects.
pub static ENDS: Lane = Lane::new("caldera-ends");

/// The longest time that [`Lane::settle`] waits, since a callback may need something that its caller holds, such as a lock.
const PATIENCE: Duration = Duration::from_secs(1);

thread_local! {
    /// The lane that this thread serves.
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
        self.ended.lock().unpoisoned()
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
        let sender = sender.lock().unpoisoned();
        if let Err(unsent) = sender.send(job) {
            // The thread could not be started, so the callback runs here.
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

    /// Returns when all present jobs have run; at once if the caller is one of them. No lock may be held.
    pub fn settle(&self) {
        let begun = self.begun.load(Ordering::Relaxed);
        // At the end of the process the thread no longer runs.
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
            ended = waited.unpoisoned().0;
        }
    }
}

/// A callback of the application, called once.
pub type Callback = Box<dyn FnOnce() + Send>;
/// The application's function for errors that no call returns. It gets a message.
pub type Notify = Arc<dyn Fn(&str) + Send + Sync>;

/// Callbacks for the end of an object, called in reverse order of registration. They run on the thread for ends, because an
/// object may end while locks are held.
#[derive(Default)]
pub struct Callbacks(Mutex<Vec<Callback>>);

impl Callbacks {
    pub fn add(&self, callback: Callback) {
        let mut list = self.0.lock().unpoisoned();
        list.push(callback);
    }

    /// Those that there are, in the order in which they are called.
    fn take(&mut self) -> impl Iterator<Item = Callback> + use<> {
        let list = self.0.get_mut().unpoisoned();
        std::mem::take(list).into_iter().rev()
    }

    /// Calls them here, which is the thread for ends.
    pub fn call(mut self) {
        self.take().for_each(|callback| callback());
    }
}

impl Drop for Callbacks {
    fn drop(&mut self) {
        self.take().for_each(|callback| ENDS.run(callback));
    }
}
