//! A trace of the process for Perfetto and Chrome's trace viewer, where `CALDERA_TRACE` names a
//! file: API calls, builds and pipelines on the threads that made them; commands from their
//! enqueueing to their end, and the time that they ran on the device, on a track per queue.
//!
//! The file is the viewers' JSON array, an event a line, times in microseconds of
//! CLOCK_MONOTONIC. It is complete when the process exits. Each event is written at once, so that they
//! are there if the application crashes: both viewers read an array without its end. Where it cannot be written, it ends: that is said
//! once, and nothing else changes for the application.

use std::cell::Cell;
use std::fs::File;
use std::io::{self, ErrorKind, Write};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{LazyLock, Mutex};

use crate::config;
use crate::os::exit;
use crate::os::messages::{Priority, tell};
use crate::os::sync::Unpoisoned;
use crate::os::time::monotonic_ns;

/// Profiling times in nanoseconds on the host's monotonic clock:
/// queued <= submit <= start <= end <= complete.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Profile {
    pub queued: u64,
    pub submit: u64,
    pub start: u64,
    pub end: u64,
    /// The end of all that the command's kernel has enqueued.
    pub complete: u64,
}

/// Tracks of queues have this number and higher ones; those of threads have lower ones.
const QUEUE_TRACKS: u64 = 1 << 20;

/// The open file; `None` once it is complete, or could not be written.
type Output = Mutex<Option<File>>;

static OUTPUT: LazyLock<Option<Output>> = LazyLock::new(|| {
    let path = config::get().trace.as_ref()?;
    match File::create(path) {
        Ok(mut file) => {
            let head = format!("[\n{}", track(0, "process_name", "Caldera"));
            if let Err(error) = file.write_all(head.as_bytes()) {
                failed(&error);
                return None;
            }
            exit::at_end(complete);
            Some(Mutex::new(Some(file)))
        }
        Err(error) => {
            failed(&error);
            None
        }
    }
});

/// Says why there is no trace, or no more of it. Who has closed a pipe knows.
fn failed(error: &io::Error) {
    if error.kind() != ErrorKind::BrokenPipe
        && let Some(path) = &config::get().trace
    {
        let text = format!("caldera: the trace {}: {error}", path.display());
        tell(Priority::Error, &text);
    }
}

/// Whether a trace is written. A child of fork does not write one, since it would write into its parent's.
pub fn is_on() -> bool {
    OUTPUT.is_some() && !exit::is_forked()
}

/// Writes one event.
fn emit(event: &str) {
    if is_on()
        && let Some(output) = &*OUTPUT
    {
        let mut output = output.lock().unpoisoned();
        if let Some(file) = output.as_mut()
            && let Err(error) = file.write_all(format!(",\n{event}").as_bytes())
        {
            *output = None;
            failed(&error);
        }
    }
}

fn complete() {
    if let Some(output) = &*OUTPUT
        && let Some(mut file) = output.lock().unpoisoned().take()
        && let Err(error) = file.write_all(b"\n]\n")
    {
        failed(&error);
    }
}

/// A JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            c if c < ' ' => out.push_str(&format!("\\u{:04x}", c as u32)),
            c => out.push(c),
        }
    }
    out + "\""
}

/// The event that names the process (`kind` process_name) or a track (thread_name).
fn track(track: u64, kind: &str, name: &str) -> String {
    let (pid, name) = (std::process::id(), quoted(name));
    format!(r#"{{"ph":"M","pid":{pid},"tid":{track},"name":"{kind}","args":{{"name":{name}}}}}"#)
}

/// The calling thread's track, named at its first event.
fn thread_track() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    thread_local!(static TRACK: Cell<u64> = const { Cell::new(0) });
    TRACK.with(|own| {
        if own.get() == 0 {
            own.set(NEXT.fetch_add(1, Ordering::Relaxed));
            let thread = std::thread::current();
            let name = thread.name().unwrap_or("application");
            emit(&track(own.get(), "thread_name", name));
        }
        own.get()
    })
}

/// Names the track of a queue.
pub fn name_queue(queue: u64, device: &str) {
    if is_on() {
        let name = format!("queue {queue} on {device}");
        emit(&track(QUEUE_TRACKS + queue, "thread_name", &name));
    }
}

fn us(ns: u64) -> String {
    format!("{}.{:03}", ns / 1000, ns % 1000)
}

fn slice(track: u64, category: &str, name: &str, start: u64, end: u64) -> String {
    let (pid, name) = (std::process::id(), quoted(name));
    let (start, length) = (us(start), us(end.saturating_sub(start)));
    format!(
        r#"{{"ph":"X","pid":{pid},"tid":{track},"cat":"{category}","name":{name},"ts":{start},"dur":{length}}}"#
    )
}

/// What the calling thread does until this is dropped.
pub struct Span {
    category: &'static str,
    name: String,
    start: u64,
}

/// Begins a span; `None` where no trace is written.
pub fn span(category: &'static str, name: impl FnOnce() -> String) -> Option<Span> {
    is_on().then(|| Span {
        category,
        name: name(),
        start: monotonic_ns(),
    })
}

impl Drop for Span {
    fn drop(&mut self) {
        let end = monotonic_ns();
        let track = thread_track();
        emit(&slice(track, self.category, &self.name, self.start, end));
    }
}

/// A command that has ended. From enqueueing to end it is an asynchronous event, since many
/// commands are under way at once; so is its run in a queue whose commands may `overlap`.
pub fn command(queue: u64, name: &str, profile: &Profile, overlap: bool) {
    if !is_on() {
        return;
    }
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let id = NEXT.fetch_add(1, Ordering::Relaxed);
    let (pid, track, quoted) = (std::process::id(), QUEUE_TRACKS + queue, quoted(name));
    let async_event = |category: &str, phase: char, at: u64| {
        emit(&format!(
            r#"{{"ph":"{phase}","pid":{pid},"tid":{track},"cat":"{category}","id":{id},"name":{quoted},"ts":{}}}"#,
            us(at)
        ));
    };
    async_event("queue", 'b', profile.queued);
    async_event("queue", 'n', profile.submit);
    async_event("queue", 'e', profile.end);
    if overlap {
        async_event("device", 'b', profile.start);
        async_event("device", 'e', profile.end);
    } else {
        emit(&slice(track, "device", name, profile.start, profile.end));
    }
}
