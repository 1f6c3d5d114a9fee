//! The end of the process, and its children by fork.

/// exit() takes drivers apart before it ends other threads.
pub const TAKES_DRIVERS_APART: bool = true;

/// A number that no other thread has.
pub fn this_thread() -> usize {
    // SAFETY: plain query.
    unsafe { libc::pthread_self() as usize }
}

/// Has exit() call a function. `false` if it will not.
pub fn at_exit(function: extern "C" fn()) -> bool {
    // SAFETY: the function may be called at any time.
    unsafe { libc::atexit(function) == 0 }
}

/// Has fork call a function before, and one in the child. `false` if it will not.
pub fn at_fork(before: unsafe extern "C" fn(), in_child: unsafe extern "C" fn()) -> bool {
    // SAFETY: both may be called at any time; the one in the child only stores.
    unsafe { libc::pthread_atfork(Some(before), None, Some(in_child)) == 0 }
}
