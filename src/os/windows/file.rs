//! What the standard library does not tell of files: their owner's rights, locks, how they are opened. Files in a user's own
//! folders have rights of their folder, which others do not have, so that nothing need be asked or given.

use std::fs::{DirBuilder, File, Metadata, OpenOptions};
use std::io;
use std::mem::zeroed;
use std::os::windows::io::AsRawHandle;

use windows_sys::Win32::Foundation::{ERROR_IO_PENDING, ERROR_LOCK_VIOLATION};
use windows_sys::Win32::Storage::FileSystem::{
    LOCKFILE_EXCLUSIVE_LOCK, LOCKFILE_FAIL_IMMEDIATELY, LockFileEx,
};

/// There are no such groups.
pub fn groups() -> Vec<u32> {
    Vec::new()
}

/// Options for opening what may be no file. Pipes and devices have names of their own, where no folder is.
pub fn at_once(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// Options that create files which other users cannot read.
pub fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

/// A builder of folders which other users cannot enter.
pub fn private_folders() -> DirBuilder {
    DirBuilder::new()
}

pub fn is_own(_data: &Metadata) -> bool {
    true
}

pub fn is_open_to_others(_data: &Metadata) -> bool {
    false
}

/// As the rights of other systems say it: a group that nobody has, and all rights.
pub fn group_and_mode(_data: &Metadata) -> (u32, u32) {
    (0, 0o777)
}

/// Locks a file against other processes and other openings of it, until it is closed, also by the end of
/// the process. `false` if it is locked; an error where there are no such locks.
pub fn try_lock(file: &File) -> io::Result<bool> {
    // What is locked cannot be read by others, so it is a byte that no file has.
    let flags = LOCKFILE_EXCLUSIVE_LOCK | LOCKFILE_FAIL_IMMEDIATELY;
    // SAFETY: the handle is that of an open file, which waits for its operations; the structure lives through the call.
    let locked = unsafe {
        let mut at: windows_sys::Win32::System::IO::OVERLAPPED = zeroed();
        at.Anonymous.Anonymous.Offset = u32::MAX - 1;
        at.Anonymous.Anonymous.OffsetHigh = i32::MAX as u32;
        LockFileEx(file.as_raw_handle(), flags, 0, 1, 0, &mut at)
    };
    if locked != 0 {
        return Ok(true);
    }
    let error = io::Error::last_os_error();
    match error.raw_os_error().map(|code| code as u32) {
        Some(ERROR_LOCK_VIOLATION | ERROR_IO_PENDING) => Ok(false),
        _ => Err(error),
    }
}
