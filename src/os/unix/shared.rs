//! A file whose contents are memory of the process: what is stored there is in the file, however the process ends.

use std::fs::File;
use std::io;
use std::os::fd::AsRawFd;
use std::sync::atomic::AtomicU64;

/// Maps a file, which gets this length, for the rest of the process. Nothing may be stored in a range before
/// [`reserve`] has succeeded for it.
pub fn map(file: &File, bytes: usize) -> io::Result<&'static [AtomicU64]> {
    file.set_len(bytes as u64)?;
    let (access, flags) = (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED);
    // SAFETY: a new mapping of an open file, at an address that the system chooses.
    let address = unsafe {
        libc::mmap(
            std::ptr::null_mut(),
            bytes,
            access,
            flags,
            file.as_raw_fd(),
            0,
        )
    };
    if address == libc::MAP_FAILED {
        return Err(io::Error::last_os_error());
    }
    // SAFETY: the mapping has these bytes, begins with a page and is never taken away; words of other processes are
    // as good as those of other threads.
    Ok(unsafe { std::slice::from_raw_parts(address.cast::<AtomicU64>(), bytes / 8) })
}

/// Reserves blocks of the disk for a range of the file, in which nothing is stored yet. Without them storing would be the end of
/// the process.
#[cfg(not(target_vendor = "apple"))]
pub fn reserve(file: &File, from: usize, bytes: usize) -> io::Result<()> {
    let (from, bytes) = (from as libc::off_t, bytes as libc::off_t);
    // SAFETY: it touches no memory.
    match unsafe { libc::posix_fallocate(file.as_raw_fd(), from, bytes) } {
        0 => Ok(()),
        error => Err(io::Error::from_raw_os_error(error)),
    }
}

#[cfg(target_vendor = "apple")]
pub fn reserve(file: &File, from: usize, bytes: usize) -> io::Result<()> {
    std::os::unix::fs::FileExt::write_all_at(file, &vec![0; bytes], from as u64)
}
