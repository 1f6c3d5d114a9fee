//! What a program is told by others that stands in for another one.

use std::io;
use std::process::{Child, ExitStatus};
use std::ptr;
use std::sync::atomic::{AtomicI32, Ordering};

use libc::{c_int, c_void, siginfo_t};

const SIGNALS: [c_int; 6] = [
    libc::SIGHUP,
    libc::SIGINT,
    libc::SIGQUIT,
    libc::SIGUSR1,
    libc::SIGUSR2,
    libc::SIGTERM,
];

/// The other program's process; 0 before and after its time.
static CHILD: AtomicI32 = AtomicI32::new(0);
/// A signal that came before it.
static EARLY: AtomicI32 = AtomicI32::new(0);

extern "C" fn pass_on(signal: c_int, info: *const siginfo_t, _: *mut c_void) {
    // SAFETY: the kernel gives a handler with SA_SIGINFO what it knows of the signal.
    let of_kernel = unsafe { (*info).si_code } > 0;
    match CHILD.load(Ordering::SeqCst) {
        0 => EARLY.store(signal, Ordering::SeqCst),
        // A terminal's keys, or its end, are signals to both.
        _ if of_kernel => {}
        child => send(child, signal),
    }
}

fn send(process: c_int, signal: c_int) {
    // SAFETY: `process` is a child that has not been waited for, so that its number is its own.
    unsafe { libc::kill(process, signal) };
}

/// From here on signals that would end this process are for the child that will be made, but those that are
/// ignored: they are so there, too.
pub fn pass_signals_on() {
    let handler: extern "C" fn(c_int, *const siginfo_t, *mut c_void) = pass_on;
    for signal in SIGNALS {
        // SAFETY: structures of the C library, of which zeros are a valid value; the handler does what handlers may.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            if libc::sigaction(signal, ptr::null(), &mut action) == 0
                && action.sa_sigaction != libc::SIG_IGN
            {
                action.sa_sigaction = handler as usize;
                action.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART;
                libc::sigemptyset(&mut action.sa_mask);
                libc::sigaction(signal, &action, ptr::null_mut());
            }
        }
    }
}

/// Waits for the child's end and passes signals on to it until then.
pub fn wait_as_stand_in(mut child: Child) -> io::Result<ExitStatus> {
    let id = child.id();
    CHILD.store(id as c_int, Ordering::SeqCst);
    match EARLY.swap(0, Ordering::SeqCst) {
        0 => {}
        signal => send(id as c_int, signal),
    }
    // Ended, and left for `wait`.
    let options = libc::WEXITED | libc::WNOWAIT;
    // SAFETY: a child of ours, which nobody else waits for, and a structure of the C library.
    while unsafe { libc::waitid(libc::P_PID, id, &mut std::mem::zeroed(), options) } != 0
        && io::Error::last_os_error().kind() == io::ErrorKind::Interrupted
    {}
    // Its number is its own until `wait`.
    CHILD.store(0, Ordering::SeqCst);
    child.wait()
}

/// The signal that has ended a process.
pub fn ended_by(status: ExitStatus) -> Option<i32> {
    std::os::unix::process::ExitStatusExt::signal(&status)
}
