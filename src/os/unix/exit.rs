//! The end of the process, and its children by fork.

/// exit() takes drivers apart before it ends other threads.
pub const TAKES_DRIVERS_APART: bool = true;

/// A number that no other thread has.
pub fn this_thread() -> usize {
    // SAFETY: plain query.
    unsafe { libc::pthread_self() as usize }
}

/// Has exit() call a function. `false` if it will not.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn at_exit(function: extern "C" fn()) -> bool {
    // SAFETY: the function may be called at any time.
    unsafe { libc::atexit(function) == 0 }
}

/// Other C libraries tell no handler what the process ends with.
#[cfg(not(all(target_os = "linux", target_env = "gnu")))]
pub fn leave() {}

#[cfg(all(target_os = "linux", target_env = "gnu"))]
pub use gnu::{at_exit, leave};

#[cfg(all(target_os = "linux", target_env = "gnu"))]
mod gnu {
    use std::ffi::{c_int, c_void};
    use std::sync::OnceLock;

    /// What the process ends with, when it does.
    static STATUS: OnceLock<c_int> = OnceLock::new();

    unsafe extern "C" {
        fn on_exit(function: extern "C" fn(c_int, *mut c_void), argument: *mut c_void) -> c_int;
    }

    extern "C" fn call(status: c_int, function: *mut c_void) {
        STATUS.get_or_init(|| status);
        // SAFETY: `at_exit` has given it a function of this type.
        let function = unsafe { std::mem::transmute::<*mut c_void, extern "C" fn()>(function) };
        function();
    }

    /// Has exit() call a function. `false` if it will not.
    pub fn at_exit(function: extern "C" fn()) -> bool {
        // SAFETY: the functions may be called at any time.
        unsafe { on_exit(call, function as *mut c_void) == 0 }
    }

    /// For handlers of exit(): ends the process without the handlers that were registered earlier, but with all that streams hold.
    pub fn leave() {
        if let Some(&status) = STATUS.get() {
            // SAFETY: exit() would do both in the end.
            unsafe {
                libc::fflush(std::ptr::null_mut());
                libc::_exit(status);
            }
        }
    }
}

/// Has fork call a function before, and one in the child. `false` if it will not.
pub fn at_fork(before: unsafe extern "C" fn(), in_child: unsafe extern "C" fn()) -> bool {
    // SAFETY: both may be called at any time; the one in the child only stores.
    unsafe { libc::pthread_atfork(Some(before), None, Some(in_child)) == 0 }
}
