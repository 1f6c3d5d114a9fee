//! A profile of the process for `caldera run --profile`, where CALDERA_PROFILE names a folder (docs/profile.md): what
//! each kernel and transfer costs, builds, pipelines and what drivers tell of them. What is recorded is stored in a mapped
//! file, so that it is there however the process ends.

pub mod format;

use std::collections::HashMap;
use std::fs::File;
use std::io;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};

use crate::config;
use crate::os::sync::Unpoisoned;
use crate::os::time::{monotonic_ns, process_ns};
use crate::os::{exit, shared};
use crate::runtime::support::files;
use crate::runtime::support::trace::Profile;
use format::{AMOUNT, CALLS, CELL, CELL_BYTES, Cell, Class, NS, Record, Span, TIMED};

/// Cells of a file.
const CELLS: usize = 1 << 20;
/// Cells whose blocks are reserved together.
const STEP: usize = 1 << 14;

/// Each key may have one timed command more in so many periods of its pace, so that those of rare ones are timed, too.
const OWN: u64 = 10;
/// The most commands of which one is timed.
const RAREST: u32 = 4096;
/// Transfers of so many bytes are always timed.
const LARGE: u64 = 64 << 10;

struct Recorder {
    file: File,
    words: &'static [AtomicU64],
    /// The next free cell.
    next: AtomicUsize,
    /// Cells before this one may be written.
    reserved: AtomicUsize,
    growing: Mutex<()>,
    texts: Mutex<HashMap<String, u32>>,
    keys: Mutex<HashMap<(Class, u32, u32), &'static Key>>,
    pipelines: AtomicU32,
}

static RECORDER: LazyLock<Option<Recorder>> = LazyLock::new(|| {
    let folder = config::get().profile.as_ref()?;
    let path = folder.join(format!("{}.profile", std::process::id()));
    match Recorder::new(&path) {
        Ok(recorder) => Some(recorder),
        Err(error) => {
            tracing::error!(?path, %error, "CALDERA_PROFILE: no profile is written");
            None
        }
    }
});

/// The recorder, where a profile is written. A child of fork shares its parent's file, and writes nothing.
fn recorder() -> Option<&'static Recorder> {
    RECORDER.as_ref().filter(|_| !exit::is_forked())
}

pub fn is_on() -> bool {
    recorder().is_some()
}

impl Recorder {
    fn new(path: &std::path::Path) -> io::Result<Recorder> {
        let file = files::create_file(path)?;
        let words = shared::map(&file, CELLS * CELL_BYTES)?;
        let recorder = Recorder {
            file,
            words,
            next: AtomicUsize::new(0),
            reserved: AtomicUsize::new(0),
            growing: Mutex::new(()),
            texts: Mutex::default(),
            keys: Mutex::default(),
            pipelines: AtomicU32::new(1),
        };
        let program = std::env::current_exe().unwrap_or_default();
        let name = program.file_name().unwrap_or_default().to_string_lossy();
        let process = Record::Process {
            id: std::process::id(),
            start: monotonic_ns(),
            name: recorder.text(&name),
        };
        recorder.write(&process);
        Ok(recorder)
    }

    /// Takes free cells; `None` if the file is full.
    fn take(&self, count: usize) -> Option<usize> {
        let at = self.next.fetch_add(count, Ordering::Relaxed);
        let end = at.checked_add(count).filter(|&end| end <= CELLS)?;
        if end > self.reserved.load(Ordering::Acquire) {
            let _growing = self.growing.lock().unpoisoned();
            let reserved = self.reserved.load(Ordering::Acquire);
            if end > reserved {
                let more = (end - reserved)
                    .next_multiple_of(STEP)
                    .min(CELLS - reserved);
                let (from, bytes) = (reserved * CELL_BYTES, more * CELL_BYTES);
                if let Err(error) = shared::reserve(&self.file, from, bytes) {
                    tracing::debug!(%error, "the profile is full");
                    self.next.store(CELLS, Ordering::Relaxed);
                    return None;
                }
                self.reserved.store(reserved + more, Ordering::Release);
            }
        }
        Some(at)
    }

    /// The words of a cell.
    fn cell(&self, number: usize) -> &'static [AtomicU64] {
        &self.words[number * CELL..][..CELL]
    }

    /// Stores a record; the number of its first cell.
    fn write(&self, record: &Record) -> Option<usize> {
        let cells = record.cells();
        let at = self.take(cells.len())?;
        for (number, cell) in (at..).zip(&cells) {
            self.store(number, cell);
        }
        Some(at)
    }

    fn store(&self, number: usize, cell: &Cell) {
        let words = self.cell(number);
        for (word, value) in words.iter().zip(cell).skip(1) {
            word.store(*value, Ordering::Relaxed);
        }
        words[0].store(cell[0], Ordering::Release);
    }

    /// The number of a text.
    fn text(&self, text: &str) -> u32 {
        let mut texts = self.texts.lock().unpoisoned();
        if let Some(number) = texts.get(text) {
            return *number;
        }
        let number = texts.len() as u32 + 1;
        texts.insert(text.into(), number);
        self.write(&Record::Text {
            number,
            text: text.into(),
        });
        number
    }

    fn key(&self, class: Class, name: &str, (device, on_cpu): Place) -> Option<&'static Key> {
        let (name, device) = (self.text(name), self.text(device));
        let mut keys = self.keys.lock().unpoisoned();
        if let Some(key) = keys.get(&(class, name, device)) {
            return Some(key);
        }
        let cell = self.write(&Record::Key {
            number: 0,
            class,
            name,
            device,
            calls: 0,
            timed: 0,
            ns: 0,
            amount: 0,
        })?;
        let pace = if on_cpu { &ON_CPU } else { &ON_GPU };
        // As long as the file is mapped. There are as many as the process has kernels of different names.
        let key: &'static Key = Box::leak(Box::new(Key {
            number: cell as u32,
            words: self.cell(cell),
            skip: AtomicU32::new(0),
            pace,
            budget: Budget::new(OWN * pace.all.period, pace.at_once),
            every: AtomicU32::new(1),
        }));
        keys.insert((class, name, device), key);
        Some(key)
    }
}

/// A device's name, and whether its driver is one for CPUs.
pub type Place<'a> = (&'a str, bool);

/// A kernel on a device, or a kind of other commands.
pub struct Key {
    number: u32,
    words: &'static [AtomicU64],
    /// So many commands go untimed before the next that is timed.
    skip: AtomicU32,
    budget: Budget,
    pace: &'static Pace,
    /// One of so many is timed.
    every: AtomicU32,
}

/// What may be timed.
struct Budget {
    /// Nanoseconds for each command.
    period: u64,
    /// When it was last looked at.
    last: AtomicU64,
    /// Nanoseconds that have passed and in which none was timed.
    credit: AtomicU64,
    /// The most of them.
    most: u64,
}

/// How many commands are timed on a kind of drivers.
struct Pace {
    /// Nanoseconds, in which periods are counted.
    clock: fn() -> u64,
    /// Of all keys together.
    all: Budget,
    /// So many of each budget after a time without.
    at_once: u64,
}

impl Pace {
    const fn new(clock: fn() -> u64, period: u64, at_once: u64) -> Pace {
        Pace {
            clock,
            all: Budget::new(period, at_once),
            at_once,
        }
    }
}

static ON_GPU: Pace = Pace::new(monotonic_ns, 1_000_000, 256);
/// Here the time is the processors', which are the device's, too: one costs 30 to 90 us of it.
static ON_CPU: Pace = Pace::new(process_ns, 4_000_000, 32);

impl Budget {
    const fn new(period: u64, credit: u64) -> Budget {
        Budget {
            period,
            last: AtomicU64::new(0),
            credit: AtomicU64::new(credit * period),
            most: credit * period,
        }
    }

    /// How many commands may be timed now.
    fn left(&self, now: u64) -> u64 {
        let passed = now.saturating_sub(self.last.swap(now, Ordering::Relaxed));
        let credit = self.credit.load(Ordering::Relaxed);
        let credit = credit.saturating_add(passed).min(self.most);
        self.credit.store(credit, Ordering::Relaxed);
        credit / self.period
    }

    fn spend(&self) {
        let credit = self.credit.load(Ordering::Relaxed);
        let left = credit.saturating_sub(self.period);
        self.credit.store(left, Ordering::Relaxed);
    }
}

impl Key {
    /// Counts a command; whether it is to be timed. Threads that race here time one more or less.
    fn count(&self, bytes: u64) -> bool {
        self.words[CALLS].fetch_add(1, Ordering::Relaxed);
        if bytes > 0 {
            self.words[AMOUNT].fetch_add(bytes, Ordering::Relaxed);
        }
        if bytes >= LARGE {
            return true;
        }
        let skip = self.skip.load(Ordering::Relaxed);
        if skip > 0 {
            self.skip.store(skip - 1, Ordering::Relaxed);
            return false;
        }
        let now = (self.pace.clock)();
        let left = [&self.budget, &self.pace.all].map(|budget| budget.left(now));
        let every = self.every.load(Ordering::Relaxed);
        let every = match left {
            [0, 0] => (every * 2).min(RAREST),
            [own, shared] if own > 4 || shared > 4 => (every / 2).max(1),
            _ => every,
        };
        match left[0] {
            0 => self.pace.all.spend(),
            _ => self.budget.spend(),
        }
        self.every.store(every, Ordering::Relaxed);
        // Between none and twice as many, so that no rhythm of the application is met.
        let random = (now ^ now >> 7).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40;
        let skip = random as u32 % (2 * every - 1);
        self.skip.store(skip, Ordering::Relaxed);
        true
    }

    fn add(&self, ns: u64) {
        self.words[TIMED].fetch_add(1, Ordering::Relaxed);
        self.words[NS].fetch_add(ns, Ordering::Relaxed);
    }
}

/// A command that is timed, until it ends.
#[derive(Clone, Copy)]
pub struct Subject {
    key: &'static Key,
    local: [u32; 3],
    amount: u64,
}

/// The key of a kernel on a device, if a profile is written.
pub fn kernel(name: &str, device: Place) -> Option<&'static Key> {
    recorder()?.key(Class::Kernel, name, device)
}

/// Counts a launch. `Some` if it is to be timed.
pub fn launch(key: &'static Key, local: [u32; 3], items: u64) -> Option<Subject> {
    key.count(0).then_some(Subject {
        key,
        local,
        amount: items,
    })
}

/// Counts another command; bytes are a transfer's. `Some` if it is to be timed.
pub fn other(name: &str, device: Place, bytes: Option<u64>) -> Option<Subject> {
    let class = match bytes {
        Some(_) => Class::Transfer,
        None => Class::Other,
    };
    let key = recorder()?.key(class, name, device)?;
    let amount = bytes.unwrap_or(0);
    key.count(amount).then_some(Subject {
        key,
        local: [0; 3],
        amount,
    })
}

/// A timed command has ended.
pub fn ended(queue: u64, subject: &Subject, profile: &Profile) {
    let Some(recorder) = recorder() else { return };
    subject.key.add(profile.end.saturating_sub(profile.start));
    recorder.write(&Record::Command {
        queue: queue as u32,
        key: subject.key.number,
        queued: profile.queued,
        submit: profile.submit,
        start: profile.start,
        end: profile.end,
        local: subject.local,
        amount: subject.amount,
    });
}

pub fn queue(number: u64, device: &str, out_of_order: bool) {
    if let Some(recorder) = recorder() {
        recorder.write(&Record::Queue {
            number: number as u32,
            device: recorder.text(device),
            out_of_order,
        });
    }
}

/// A time in which the host waits, until it is dropped.
pub struct Wait {
    key: &'static Key,
    start: u64,
}

/// Begins one; `None` where no profile is written.
pub fn wait() -> Option<Wait> {
    static KEY: LazyLock<Option<&'static Key>> =
        LazyLock::new(|| recorder()?.key(Class::Wait, "wait", ("host", false)));
    is_on().then_some(())?;
    Some(Wait {
        key: (*KEY)?,
        start: monotonic_ns(),
    })
}

impl Drop for Wait {
    fn drop(&mut self) {
        self.key.words[CALLS].fetch_add(1, Ordering::Relaxed);
        self.key.add(monotonic_ns().saturating_sub(self.start));
    }
}

/// The start of a build or pipeline, if a profile is written.
pub fn start() -> Option<u64> {
    is_on().then(monotonic_ns)
}

/// A build that began at `start` has ended.
pub fn built(start: Option<u64>, kind: &str, cached: bool) {
    let what = if cached { Span::Cached } else { Span::Compiled };
    span(start, what, kind, [0; 3], &[]);
}

/// A pipeline that began at `start` is there; what the driver tells of it.
pub fn pipeline(start: Option<u64>, kernel: &str, local: [u32; 3], statistics: &[(String, f64)]) {
    span(start, Span::Pipeline, kernel, local, statistics);
}

fn span(start: Option<u64>, what: Span, name: &str, local: [u32; 3], statistics: &[(String, f64)]) {
    let (Some(start), Some(recorder)) = (start, recorder()) else {
        return;
    };
    let number = recorder.pipelines.fetch_add(1, Ordering::Relaxed);
    recorder.write(&Record::Span {
        what,
        name: recorder.text(name),
        start,
        end: monotonic_ns(),
        local,
        number,
    });
    for (name, value) in statistics {
        recorder.write(&Record::Statistic {
            pipeline: number,
            name: recorder.text(name),
            value: *value,
        });
    }
}
