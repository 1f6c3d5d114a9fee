//! A line at the terminal while programs and pipelines are built under `caldera run`, for the person who waits: it comes when that takes
//! longer than a moment, counts, and is gone when it is over. Elsewhere nothing is written.

use std::io::IsTerminal;
use std::sync::{LazyLock, Mutex, MutexGuard};
use std::time::{Duration, Instant};

use crate::config;
use crate::os::messages::{Messages, Priority};
use crate::os::sync::Unpoisoned;
use crate::runtime::support::threads;

/// How long nobody asks what a program is doing.
const MOMENT: Duration = Duration::from_secs(1);
const STEP: Duration = Duration::from_millis(200);

#[derive(Default)]
struct Builds {
    running: usize,
    done: usize,
    /// Since when some have run, one behind the other.
    start: Option<Instant>,
    watched: bool,
    /// The line is at the terminal.
    shown: bool,
}

static BUILDS: LazyLock<Mutex<Builds>> = LazyLock::new(Mutex::default);

/// Somebody waits, and sees the line.
static SEEN: LazyLock<bool> =
    LazyLock::new(|| config::get().report && std::io::stderr().is_terminal());

fn lock() -> MutexGuard<'static, Builds> {
    BUILDS.lock().unpoisoned()
}

/// A build, as long as it lives.
pub struct Building(());

/// Begins a build. `None` where nobody sees it.
pub fn begin() -> Option<Building> {
    if !*SEEN {
        return None;
    }
    let mut builds = lock();
    builds.running += 1;
    builds.start.get_or_insert_with(Instant::now);
    let watched = std::mem::replace(&mut builds.watched, true);
    drop(builds);
    if !watched && threads::start(watch).is_err() {
        lock().watched = false;
    }
    Some(Building(()))
}

impl Drop for Building {
    /// The last one takes the line away itself, as the process may end next.
    fn drop(&mut self) {
        let mut builds = lock();
        builds.running -= 1;
        builds.done += 1;
        if builds.running == 0 && std::mem::take(&mut builds.shown) {
            write("\r\x1b[K");
        }
    }
}

/// Shows the line until there are no builds.
fn watch() {
    loop {
        std::thread::sleep(STEP);
        let mut builds = lock();
        if builds.running == 0 {
            *builds = Builds::default();
            return;
        }
        let time = builds.start.map_or(Duration::ZERO, |start| start.elapsed());
        if time > MOMENT {
            let (done, all) = (builds.done, builds.done + builds.running);
            let seconds = time.as_secs();
            write(&format!(
                "\rcaldera: building for the device: {done} of {all}, {seconds} s\x1b[K"
            ));
            builds.shown = true;
        }
    }
}

/// Writes to the terminal. There is nobody to tell of a failure.
fn write(text: &str) {
    let _ = std::io::Write::write_all(&mut Messages(Priority::Info), text.as_bytes());
}
