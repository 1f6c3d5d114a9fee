//! File descriptors, by which APIs and processes share memory and semaphores.

use std::io;
use std::os::fd::{AsRawFd, FromRawFd, IntoRawFd, OwnedFd};

/// A descriptor, which is closed when it is dropped.
#[derive(Debug)]
pub struct Descriptor(OwnedFd);

impl Descriptor {
    /// `None` for the negative numbers that stand for none.
    ///
    /// # Safety
    /// Nobody else closes it.
    pub unsafe fn own(fd: i32) -> Option<Descriptor> {
        // SAFETY: a descriptor, which the caller leaves to us.
        (fd >= 0).then(|| Descriptor(unsafe { OwnedFd::from_raw_fd(fd) }))
    }

    /// Another descriptor of what `fd` is one of. An error if it is none.
    pub fn duplicate(fd: i32) -> io::Result<Descriptor> {
        // SAFETY: it touches no memory.
        let new = unsafe { libc::fcntl(fd, libc::F_DUPFD_CLOEXEC, 0) };
        // SAFETY: the new descriptor belongs to nobody yet.
        unsafe { Descriptor::own(new) }.ok_or_else(io::Error::last_os_error)
    }

    /// The number, of which this stays the owner.
    pub fn number(&self) -> i32 {
        self.0.as_raw_fd()
    }

    /// The number, for who closes it.
    pub fn leave(self) -> i32 {
        self.0.into_raw_fd()
    }

    /// Whether what it stands for has happened: it can be read.
    pub fn is_ready(&self) -> bool {
        let mut poll = libc::pollfd {
            fd: self.number(),
            events: libc::POLLIN,
            revents: 0,
        };
        // SAFETY: one structure, which lives through the call.
        unsafe { libc::poll(&mut poll, 1, 0) == 1 && poll.revents & libc::POLLIN != 0 }
    }
}

/// Bytes of a dma-buf, or of a file; `None` if `fd` tells none.
pub fn length(fd: i32) -> Option<u64> {
    // SAFETY: it touches no memory. Nobody reads a dma-buf by its position.
    let end = unsafe { libc::lseek(fd, 0, libc::SEEK_END) };
    u64::try_from(end).ok()
}
