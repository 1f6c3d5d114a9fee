//! The end of the process: exit() takes drivers apart while our threads still run, so these stop
//! before it does.
//!
//! A thread of ours works between [`enter`] and the drop of what that returns, or with a
//! [`Promise`] that was made before it was started. The handler of exit, which runs before those of
//! the drivers because it was registered after they were loaded, closes the door and waits a little
//! for who is inside or promised. Then it does what others have left for the end. What the
//! application calls even later, in destructors, does without our threads, and fails on GPUs, whose
//! drivers are gone by then. A child of fork has neither our threads nor the driver's, and locks that nobody
//! will open: for it, it is over, too.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, Once, OnceLock, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use crate::os::sync::Unpoisoned;

/// How long exit waits for a thread that is, say, in an application's callback.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long for one that makes a pipeline, in code of the driver that comes to an end.
const LONG_PATIENCE: Duration = Duration::from_secs(60);

/// Longer than calls take that do not wait.
const GRACE: Duration = Duration::from_millis(2);

static INSIDE: RwLock<()> = RwLock::new(());
/// Promises.
static LONG: AtomicUsize = AtomicUsize::new(0);
static SHORT: AtomicUsize = AtomicUsize::new(0);
/// This process is a child of the one that opened the devices.
static FORKED: AtomicBool = AtomicBool::new(false);
static EXITING: AtomicBool = AtomicBool::new(false);
/// A device with a driver for a GPU has been opened.
static GPUS: AtomicBool = AtomicBool::new(false);
static OVER: AtomicBool = AtomicBool::new(false);
/// The thread that exits, by its pthread_self.
static LEAVER: AtomicUsize = AtomicUsize::new(0);
/// Waits for the drivers' own threads.
static DRIVERS: OnceLock<fn()> = OnceLock::new();
/// The same before a fork, for a short time.
static BEFORE_FORK: OnceLock<fn()> = OnceLock::new();
static LAST: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

/// A thread may use Vulkan while it holds this.
pub type Inside = RwLockReadGuard<'static, ()>;

/// Begins a piece of a background thread's work. Never returns when the process exits: take no
/// lock before it.
pub fn enter() -> Inside {
    let inside = INSIDE.read().unpoisoned();
    if !EXITING.load(Ordering::Acquire) {
        return inside;
    }
    drop(inside);
    loop {
        std::thread::park();
    }
}

/// Work on another thread that exit waits for, begun or not.
pub struct Promise {
    long: bool,
}

impl Promise {
    fn count(long: bool) -> &'static AtomicUsize {
        if long { &LONG } else { &SHORT }
    }

    /// `long`: exit cannot cut it short. `None` when the process exits: the work is to be done here.
    pub fn new(long: bool) -> Option<Promise> {
        Promise::count(long).fetch_add(1, Ordering::SeqCst);
        let promise = Promise { long };
        (!EXITING.load(Ordering::SeqCst)).then_some(promise)
    }

    /// The work under the promise, which ends when all that the work holds has been dropped.
    pub fn keep(self, work: impl FnOnce() + Send + 'static) -> impl FnOnce() + Send + 'static {
        move || {
            let _promise = self;
            work();
        }
    }
}

impl Drop for Promise {
    fn drop(&mut self) {
        Promise::count(self.long).fetch_sub(1, Ordering::SeqCst);
    }
}

/// The process exits: threads of ours have stopped, or soon will.
pub fn has_begun() -> bool {
    EXITING.load(Ordering::Relaxed)
}

/// Has `function` called at the end of the process, when our threads have stopped; the last given is called first, so
/// that what is written to is closed behind those that write.
pub fn at_end(function: fn()) {
    let mut last = LAST.lock().unpoisoned();
    last.push(function);
    drop(last);
    watch();
}

/// Has exit wait for drivers, by `finish`, before what [`at_end`] was given. Called when a device has been
/// opened; `gpu` if its driver does not work once it has been taken apart, which those of CPUs do. `before_fork`
/// waits for a short time: a child that exits takes the driver apart, for which it wants the locks that the driver's threads
/// held when it was made.
pub fn finish_drivers(finish: fn(), before_fork: fn(), gpu: bool) {
    GPUS.fetch_or(gpu, Ordering::Relaxed);
    BEFORE_FORK.get_or_init(|| before_fork);
    DRIVERS.get_or_init(|| finish);
    watch();
}

/// The process has come to where drivers of GPUs are taken apart, or is a child of fork: the caller must not
/// use Vulkan any more. Only the thread that exits hears of the former, others stop here.
pub fn is_over() -> bool {
    if !OVER.load(Ordering::Relaxed) {
        return false;
    }
    if is_forked() {
        return true;
    }
    while this_thread() != LEAVER.load(Ordering::Relaxed) {
        std::thread::park();
    }
    true
}

/// This process is a child of the one that opened the devices.
pub fn is_forked() -> bool {
    FORKED.load(Ordering::Relaxed)
}

/// Registers the handlers.
fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        register();
        // SAFETY: the one handler waits for what others do, the other only stores.
        if unsafe { libc::pthread_atfork(Some(before_fork), None, Some(forked)) } != 0 {
            tracing::debug!("no handler for children");
        }
    });
}

fn this_thread() -> usize {
    // SAFETY: plain query.
    unsafe { libc::pthread_self() as usize }
}

/// Once more, when a kernel has run: what a driver's compiler registers at its first use is to come
/// after us, too.
pub fn watch_after_work() {
    static ONCE: Once = Once::new();
    ONCE.call_once(register);
}

fn register() {
    // SAFETY: the handler may be called at any time.
    if unsafe { libc::atexit(close) } != 0 {
        tracing::debug!("no handler for the end of the process");
    }
}

unsafe extern "C" fn before_fork() {
    if let Some(wait) = BEFORE_FORK.get().filter(|_| !is_forked()) {
        wait();
    }
}

unsafe extern "C" fn forked() {
    FORKED.store(true, Ordering::Relaxed);
    OVER.store(true, Ordering::Relaxed);
}

extern "C" fn close() {
    if EXITING.swap(true, Ordering::SeqCst) || is_forked() {
        return;
    }
    let start = Instant::now();
    let patience = || match LONG.load(Ordering::SeqCst) {
        0 => PATIENCE,
        _ => LONG_PATIENCE,
    };
    let promised = || LONG.load(Ordering::SeqCst) + SHORT.load(Ordering::SeqCst) > 0;
    while (promised() || INSIDE.try_write().is_err()) && start.elapsed() < patience() {
        std::thread::sleep(Duration::from_millis(1));
    }
    if let Some(finish) = DRIVERS.get() {
        finish();
    }
    let last = std::mem::take(&mut *LAST.lock().unpoisoned());
    last.iter().rev().for_each(|function| function());
    if GPUS.load(Ordering::Relaxed) {
        LEAVER.store(this_thread(), Ordering::Relaxed);
        OVER.store(true, Ordering::SeqCst);
        // For calls of the application's other threads that have begun.
        std::thread::sleep(GRACE);
    }
}
