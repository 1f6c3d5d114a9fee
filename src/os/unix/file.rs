//! What the standard library does not tell of files: their owner's rights, locks, how they are opened.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, OpenOptionsExt};

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

/// Options that let an opening neither wait for the other end of a pipe, nor take a terminal as the session's.
pub fn at_once(options: &mut OpenOptions) -> &mut OpenOptions {
    options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY)
}

/// Options that create files which other users cannot read.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options.mode(0o600)
}

/// A builder of folders which other users cannot enter.
pub fn private_folders() -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700);
    builder
}

/// Whether a file or folder belongs to this process' user.
pub fn is_own(data: &Metadata) -> bool {
    data.uid() == user()
}

/// Whether others may write a file.
pub fn is_open_to_others(data: &Metadata) -> bool {
    data.mode() & 0o022 != 0
}

/// The group of a file, and the rights of its owner, its group and others, three bits each.
pub fn group_and_mode(data: &Metadata) -> (u32, u32) {
    (data.gid(), data.mode() & 0o777)
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
