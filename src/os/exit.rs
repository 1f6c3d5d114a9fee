//! The end of the process: exit() takes drivers apart while our threads still run, so these stop
//! before it does.
//!
//! A thread of ours works between [`enter`] and the drop of what that returns, or with a
//! [`Promise`] that was made before it was started. The handler of exit, which runs before those of
//! the drivers because it was registered after they were loaded, closes the door and waits a little
//! for who is inside or promised. Then it does what others have left for the end. What the
//! application calls even later, in destructors, does without our threads, and fails on GPUs, whose
//! drivers are gone by then: new calls of its other threads stop, and those that have begun ([`begin_call`]) come to their end
//! first. A child of fork has neither our threads nor the driver's, and locks that nobody
//! will open: for it, it is over, too. Its exit() must not take the driver of a GPU apart, with which the parent works: NVIDIA's (580.159) crashes
//! there, and the parent's then waits for ever. So it ends in our handler.

use std::cell::Cell;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, Once, OnceLock};
use std::time::{Duration, Instant};

use super::system::exit as system;
use crate::os::sync::Unpoisoned;

/// How long exit waits for a thread that is, say, in an application's callback.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long for one that makes a pipeline, in code of the driver that comes to an end.
const LONG_PATIENCE: Duration = Duration::from_secs(60);
/// The same of a fork, which goes on afterwards.
const FORK_PATIENCE: Duration = Duration::from_millis(500);
const LONG_FORK_PATIENCE: Duration = Duration::from_secs(10);

/// Threads of ours that work.
static INSIDE: AtomicUsize = AtomicUsize::new(0);
/// Promises.
static LONG: AtomicUsize = AtomicUsize::new(0);
static SHORT: AtomicUsize = AtomicUsize::new(0);
/// This process is a child of the one that opened the devices.
static FORKED: AtomicBool = AtomicBool::new(false);
static EXITING: AtomicBool = AtomicBool::new(false);
/// A device with a driver for a GPU has been opened.
static GPUS: AtomicBool = AtomicBool::new(false);
static OVER: AtomicBool = AtomicBool::new(false);
/// The thread that exits.
static LEAVER: AtomicUsize = AtomicUsize::new(0);
/// Waits for the drivers' own threads.
static DRIVERS: OnceLock<fn()> = OnceLock::new();
/// The same before a fork, without locks.
static BEFORE_FORK: OnceLock<fn()> = OnceLock::new();
/// Held while a handler of exit is registered, for which the C library has a lock.
static REGISTERING: Mutex<()> = Mutex::new(());
static LAST: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

/// A cache line for a count, so that threads which count in different ones do not disturb each other.
#[repr(align(64))]
struct Line(AtomicUsize);

/// The application's threads that are in a call and not waiting. A thread counts in one line.
static CALLING: [Line; 64] = [const { Line(AtomicUsize::new(0)) }; 64];

thread_local! {
    /// How many calls the thread is in: callbacks call, too.
    static DEPTH: Cell<usize> = const { Cell::new(0) };
    /// The thread's line and one; 0 before its first call.
    static LINE: Cell<usize> = const { Cell::new(0) };
    /// How many of [`INSIDE`] are this thread.
    static OURS: Cell<usize> = const { Cell::new(0) };
}

/// A thread of ours may use Vulkan while it holds this.
pub struct Inside(());

/// Begins a piece of a background thread's work. Never returns when the process exits: take no
/// lock before it.
pub fn enter() -> Inside {
    INSIDE.fetch_add(1, Ordering::SeqCst);
    OURS.set(OURS.get() + 1);
    let inside = Inside(());
    if !EXITING.load(Ordering::SeqCst) {
        return inside;
    }
    drop(inside);
    loop {
        std::thread::park();
    }
}

impl Drop for Inside {
    fn drop(&mut self) {
        OURS.set(OURS.get() - 1);
        INSIDE.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The thread's count of calls.
fn calling() -> &'static AtomicUsize {
    static THREADS: AtomicUsize = AtomicUsize::new(0);
    let mut line = LINE.get();
    if line == 0 {
        line = THREADS.fetch_add(1, Ordering::Relaxed) % CALLING.len() + 1;
        LINE.set(line);
    }
    &CALLING[line - 1].0
}

/// A call of the application: the end of drivers of GPUs waits for it, if not for long.
pub struct Call(());

/// Begins a call, which may use Vulkan if [`is_over`], asked after this, allows it.
pub fn begin_call() -> Call {
    let depth = DEPTH.get();
    DEPTH.set(depth + 1);
    if depth == 0 {
        calling().fetch_add(1, Ordering::SeqCst);
    }
    Call(())
}

impl Drop for Call {
    fn drop(&mut self) {
        let depth = DEPTH.get() - 1;
        DEPTH.set(depth);
        if depth == 0 {
            calling().fetch_sub(1, Ordering::SeqCst);
        }
    }
}

/// Calls `wait`, in which the end of the process does not wait for the thread: what comes may never come.
pub fn idle<T>(wait: impl FnOnce() -> T) -> T {
    if DEPTH.get() == 0 {
        return wait();
    }
    calling().fetch_sub(1, Ordering::SeqCst);
    let result = wait();
    calling().fetch_add(1, Ordering::SeqCst);
    is_over();
    result
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

    /// For work on this thread, which may have begun when the process exits.
    pub fn here() -> Promise {
        LONG.fetch_add(1, Ordering::SeqCst);
        Promise { long: true }
    }

    /// What exit cannot cut short has come to its end.
    pub fn shorten(&mut self) {
        if std::mem::take(&mut self.long) {
            SHORT.fetch_add(1, Ordering::SeqCst);
            LONG.fetch_sub(1, Ordering::SeqCst);
        }
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
/// takes no lock that is held: a child that exits takes the driver apart, for which it wants the locks that the driver's
/// threads held when it was made.
pub fn finish_drivers(finish: fn(), before_fork: fn(), gpu: bool) {
    GPUS.fetch_or(gpu && system::TAKES_DRIVERS_APART, Ordering::Relaxed);
    BEFORE_FORK.get_or_init(|| before_fork);
    DRIVERS.get_or_init(|| finish);
    watch();
}

/// The process has come to where drivers of GPUs are taken apart, or is a child of fork: the caller must not
/// use Vulkan any more. Only the thread that exits hears of the former, others stop here.
pub fn is_over() -> bool {
    if !OVER.load(Ordering::SeqCst) {
        return false;
    }
    if is_forked() || system::this_thread() == LEAVER.load(Ordering::Relaxed) {
        return true;
    }
    step_out();
    loop {
        std::thread::park();
    }
}

/// The thread does not count any more.
fn step_out() {
    if DEPTH.replace(0) > 0 {
        calling().fetch_sub(1, Ordering::SeqCst);
    }
    INSIDE.fetch_sub(OURS.replace(0), Ordering::SeqCst);
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
        if !system::at_fork(before_fork, forked) {
            tracing::debug!("no handler for children");
        }
    });
}

/// Once more, when a kernel has run: what a driver's compiler registers at its first use is to come
/// after us, too.
pub fn watch_after_work() {
    static ONCE: Once = Once::new();
    ONCE.call_once(register);
}

fn register() {
    let _registering = REGISTERING.lock().unpoisoned();
    if !system::at_exit(close) {
        tracing::debug!("no handler for the end of the process");
    }
}

/// Threads that make pipelines hold the driver's locks, too, and submit what has waited for these when they are done.
/// Those of queues end what has run; while a GPU works they may wait for long, but hold no such lock.
unsafe extern "C" fn before_fork() {
    if is_forked() || has_begun() {
        return;
    }
    wait_while(&promised, FORK_PATIENCE, LONG_FORK_PATIENCE);
    if let Some(wait) = BEFORE_FORK.get() {
        wait();
    }
    if !GPUS.load(Ordering::Relaxed) {
        wait_while(&others_inside, FORK_PATIENCE, FORK_PATIENCE);
    }
    drop(REGISTERING.lock().unpoisoned());
}

unsafe extern "C" fn forked() {
    FORKED.store(true, Ordering::Relaxed);
    OVER.store(true, Ordering::Relaxed);
}

extern "C" fn close() {
    if is_forked() && GPUS.load(Ordering::Relaxed) {
        system::leave();
    }
    if EXITING.swap(true, Ordering::SeqCst) || is_forked() {
        return;
    }
    let working = || promised() || others_inside();
    wait_while(&working, PATIENCE, LONG_PATIENCE);
    if let Some(finish) = DRIVERS.get() {
        finish();
    }
    let last = std::mem::take(&mut *LAST.lock().unpoisoned());
    last.iter().rev().for_each(|function| function());
    if GPUS.load(Ordering::Relaxed) {
        LEAVER.store(system::this_thread(), Ordering::Relaxed);
        OVER.store(true, Ordering::SeqCst);
        step_out();
        let calls = || (CALLING.iter()).any(|line| line.0.load(Ordering::SeqCst) > 0);
        wait_while(&|| calls() || working(), PATIENCE, LONG_PATIENCE);
    }
}

/// But for this thread, which may be in a callback of the application.
fn others_inside() -> bool {
    INSIDE.load(Ordering::SeqCst) > OURS.get()
}

fn promised() -> bool {
    LONG.load(Ordering::SeqCst) + SHORT.load(Ordering::SeqCst) > 0
}

/// Waits for at most `long`, and `short` after the last pipeline was made.
fn wait_while(busy: &dyn Fn() -> bool, short: Duration, long: Duration) {
    let start = Instant::now();
    let mut made = start;
    while busy() && made.elapsed() < short && start.elapsed() < long {
        if LONG.load(Ordering::SeqCst) > 0 {
            made = Instant::now();
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}
