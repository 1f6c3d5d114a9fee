//! What the command writes. A closed pipe is no failure: who reads `caldera info | head -1` has what he wants.

use std::io::{self, ErrorKind, Write};

use super::Failure;

/// Writes to standard output.
pub fn print(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    check(written, "standard output")
}

/// Writes a file, which may be a pipe.
pub fn write(path: &str, bytes: &[u8]) -> Result<(), Failure> {
    check(std::fs::write(path, bytes), path)
}

fn check(written: io::Result<()>, to: &str) -> Result<(), Failure> {
    match written {
        Err(e) if e.kind() != ErrorKind::BrokenPipe => Err(Failure::Failed(format!("{to}: {e}"))),
        _ => Ok(()),
    }
}

/// Writes to standard error, as far as that can be written.
pub fn tell(text: &str) {
    let _ = io::stderr().write_all(text.as_bytes());
}
