//! Where messages for developers go: standard error, or the system's log on Android, whose applications have none.

#[cfg(target_os = "android")]
use std::ffi::{c_char, c_int};
use std::io;

/// How much a message matters, as Android's log numbers it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Priority {
    Verbose = 2,
    Debug = 3,
    Info = 4,
    Warn = 5,
    Error = 6,
}

/// A writer that takes whole messages.
pub struct Messages(pub Priority);

/// Writes a message that ends with its line.
pub fn tell(priority: Priority, message: &str) {
    // Nobody to tell of a failure.
    let _ = io::Write::write_all(&mut Messages(priority), format!("{message}\n").as_bytes());
}

#[cfg(not(target_os = "android"))]
impl io::Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        io::stderr().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        io::stderr().flush()
    }
}

#[cfg(target_os = "android")]
#[link(name = "log")]
unsafe extern "C" {
    fn __android_log_write(priority: c_int, tag: *const c_char, text: *const c_char) -> c_int;
}

/// What the log takes of one message, less its header.
#[cfg(target_os = "android")]
const LONGEST: usize = 4000;

#[cfg(target_os = "android")]
impl io::Write for Messages {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let text = String::from_utf8_lossy(bytes).replace('\0', " ");
        let pieces = text
            .lines()
            .flat_map(|line| line.as_bytes().chunks(LONGEST));
        for piece in pieces.filter_map(|piece| std::ffi::CString::new(piece).ok()) {
            // SAFETY: both texts end with a zero byte; the function copies them.
            unsafe { __android_log_write(self.0 as c_int, c"caldera".as_ptr(), piece.as_ptr()) };
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
