//! The end of the process: exit() takes drivers apart while our threads still run, so these stop
//! before it does.
//!
//! A thread of ours works between [`enter`] and the drop of what that returns. The handler of
//! exit, which runs before those of the drivers because it was registered after they were
//! loaded, closes the door and waits a little for who is inside. Then it does what others have
//! left for the end.

use std::process::id;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering};
use std::sync::{Mutex, Once, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

use super::device;

/// How long exit waits for a thread that is, say, in an application's callback.
const PATIENCE: Duration = Duration::from_millis(500);
/// How long for one that makes a pipeline, in code of the driver that comes to an end.
const LONG_PATIENCE: Duration = Duration::from_secs(60);

static INSIDE: RwLock<()> = RwLock::new(());
static LONG: AtomicUsize = AtomicUsize::new(0);
/// The process that registered the handler.
static PROCESS: AtomicU32 = AtomicU32::new(0);
static EXITING: AtomicBool = AtomicBool::new(false);
static LAST: Mutex<Vec<fn()>> = Mutex::new(Vec::new());

/// A thread may use Vulkan while it holds this.
pub type Inside = RwLockReadGuard<'static, ()>;

/// Begins a piece of a background thread's work. Never returns when the process exits: take no
/// lock before it.
pub fn enter() -> Inside {
    let inside = INSIDE.read().unwrap_or_else(PoisonError::into_inner);
    if !EXITING.load(Ordering::Acquire) {
        return inside;
    }
    drop(inside);
    loop {
        std::thread::park();
    }
}

/// As [`Inside`], and exit waits long for it.
pub struct ToEnd {
    _inside: Inside,
}

/// As [`enter`], for a piece of work that exit cannot cut short.
pub fn enter_to_end() -> ToEnd {
    let inside = enter();
    LONG.fetch_add(1, Ordering::AcqRel);
    ToEnd { _inside: inside }
}

impl Drop for ToEnd {
    fn drop(&mut self) {
        LONG.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Has `function` called at the end of the process, when our threads have stopped.
pub fn at_end(function: fn()) {
    let mut last = LAST.lock().unwrap_or_else(PoisonError::into_inner);
    last.push(function);
    drop(last);
    watch();
}

/// Registers the handler. Called when a device has been opened.
pub(super) fn watch() {
    static ONCE: Once = Once::new();
    ONCE.call_once(register);
}

/// Once more, when a kernel has run: what a driver's compiler registers at its first use is to come
/// after us, too.
pub fn watch_after_work() {
    static ONCE: Once = Once::new();
    ONCE.call_once(register);
}

fn register() {
    unsafe extern "C" {
        safe fn atexit(handler: extern "C" fn()) -> std::ffi::c_int;
    }
    PROCESS.store(id(), Ordering::Relaxed);
    if atexit(close) != 0 {
        tracing::debug!("no handler for the end of the process");
    }
}

extern "C" fn close() {
    // A child of fork has neither our threads nor the driver's, and locks that nobody will open.
    if EXITING.swap(true, Ordering::AcqRel) || PROCESS.load(Ordering::Relaxed) != id() {
        return;
    }
    let start = Instant::now();
    let patience = || match LONG.load(Ordering::Acquire) {
        0 => PATIENCE,
        _ => LONG_PATIENCE,
    };
    while INSIDE.try_write().is_err() && start.elapsed() < patience() {
        std::thread::sleep(Duration::from_millis(1));
    }
    device::finish_cpus();
    let last = std::mem::take(&mut *LAST.lock().unwrap_or_else(PoisonError::into_inner));
    last.iter().for_each(|function| function());
}
