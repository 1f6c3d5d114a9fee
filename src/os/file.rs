//! What the standard library does not tell of files: their owner's rights, locks, how they are opened.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;

/// Flags of open(): neither wait for the other end of a pipe, nor take a terminal as the session's.
pub const AT_ONCE: i32 = libc::O_NONBLOCK | libc::O_NOCTTY;

/// The user whose rights this process has.
pub fn user() -> u32 {
    // SAFETY: plain query, which cannot fail.
    unsafe { libc::geteuid() }
}

/// Locks a file against other processes and other openings of it, until it is closed, also by the end of
/// the process. `false` if it is locked; an error where there are no such locks.
pub fn try_lock(file: &File) -> io::Result<bool> {
    // SAFETY: the descriptor is that of an open file.
    if unsafe { libc::flock(file.as_raw_fd(), libc::LOCK_EX | libc::LOCK_NB) } == 0 {
        return Ok(true);
    }
    let error = io::Error::last_os_error();
    match error.kind() {
        io::ErrorKind::WouldBlock => Ok(false),
        _ => Err(error),
    }
}
