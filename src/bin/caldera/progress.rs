//! A line at the terminal for the person who waits for many files: which of them it is. It comes when the work takes longer than a
//! moment, and is gone when it is over. Nothing is written where standard error is no terminal.

use std::io::IsTerminal;
use std::time::{Duration, Instant};

use super::output;

/// How long nobody asks what a program is doing.
const MOMENT: Duration = Duration::from_millis(500);

pub struct Progress {
    start: Instant,
    count: usize,
    seen: bool,
    shown: bool,
}

impl Progress {
    /// Of `count` pieces of work.
    pub fn new(count: usize) -> Progress {
        Progress {
            start: Instant::now(),
            count,
            seen: count > 1 && std::io::stderr().is_terminal(),
            shown: false,
        }
    }

    /// The piece of this number, from 0, begins.
    pub fn begin(&mut self, number: usize, name: &str) {
        if self.seen && self.start.elapsed() > MOMENT {
            output::tell(&format!("\r{} of {}: {name}\x1b[K", number + 1, self.count));
            self.shown = true;
        }
    }

    /// Takes the line away, for other text or for the end.
    pub fn clear(&mut self) {
        if std::mem::take(&mut self.shown) {
            output::tell("\r\x1b[K");
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        self.clear();
    }
}
