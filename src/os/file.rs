//! What the standard library does not tell of files: their owner's rights, locks, how they are opened.

use std::fs::File;
use std::io;
use std::os::fd::{AsRawFd, FromRawFd, OwnedFd};

/// Flags of open(): neither wait for the other end of a pipe, nor take a terminal as the session's.
pub const AT_ONCE: i32 = libc::O_NONBLOCK | libc::O_NOCTTY;

/// The user whose rights this process has.
pub fn user() -> u32 {
    // SAFETY: plain query, which cannot fail.
    unsafe { libc::geteuid() }
}

/// The groups whose rights this process has.
pub fn groups() -> Vec<u32> {
    // SAFETY: a query that is given no memory tells how many there are; the second has memory for that many, and
    // the third cannot fail.
    unsafe {
        let count = libc::getgroups(0, std::ptr::null_mut()).max(0);
        let mut groups = vec![0; count as usize];
        let count = libc::getgroups(count, groups.as_mut_ptr()).max(0);
        groups.truncate(count as usize);
        groups.push(libc::getegid());
        groups
    }
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

/// Another descriptor of what `fd` is one of. An error if it is none.
pub fn duplicate(fd: i32) -> io::Result<OwnedFd> {
    // SAFETY: it touches no memory; the new descriptor belongs to nobody yet.
    unsafe {
        match libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 0) {
            -1 => Err(io::Error::last_os_error()),
            new => Ok(OwnedFd::from_raw_fd(new)),
        }
    }
}

/// Whether what a descriptor stands for has happened: it can be read.
pub fn is_ready(fd: &OwnedFd) -> bool {
    let mut poll = libc::pollfd {
        fd: fd.as_raw_fd(),
        events: libc::POLLIN,
        revents: 0,
    };
    // SAFETY: one structure, which lives through the call.
    unsafe { libc::poll(&mut poll, 1, 0) == 1 && poll.revents & libc::POLLIN != 0 }
}

/// Bytes of a dma-buf, or of a file; `None` if `fd` tells none.
pub fn length(fd: i32) -> Option<u64> {
    // SAFETY: it touches no memory. Nobody reads a dma-buf by its position.
    let end = unsafe { libc::lseek(fd, 0, libc::SEEK_END) };
    u64::try_from(end).ok()
}
