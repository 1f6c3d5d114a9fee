//! The end of the process: exit() takes drivers apart while our threads still run, so these stop
//! before it does.
//!
//! A thread of ours works between [`enter`] and the drop of what that returns. The handler of
//! exit, which runs before those of the drivers because it was registered after they were
//! loaded, closes the door and waits a little for who is inside. Then it does what others have
//! left for the end.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, PoisonError, RwLock, RwLockReadGuard};
use std::time::{Duration, Instant};

/// How long exit waits for a thread that is, say, in an application's callback.
const PATIENCE: Duration = Duration::from_millis(500);

static INSIDE: RwLock<()> = RwLock::new(());
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
    unsafe extern "C" {
        safe fn atexit(handler: extern "C" fn()) -> std::ffi::c_int;
    }
    ONCE.call_once(|| {
        if atexit(close) != 0 {
            tracing::debug!("no handler for the end of the process");
        }
    });
}

extern "C" fn close() {
    EXITING.store(true, Ordering::Release);
    let start = Instant::now();
    while INSIDE.try_write().is_err() && start.elapsed() < PATIENCE {
        std::thread::sleep(Duration::from_millis(1));
    }
    let last = std::mem::take(&mut *LAST.lock().unwrap_or_else(PoisonError::into_inner));
    last.iter().for_each(|function| function());
}
