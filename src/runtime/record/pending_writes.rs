//! Application memory that the host will write when a batch has completed: the targets of reads through staging blocks. The
//! device does not know of these writes, so its order does not cover them. A command for which the host reads or writes the same
//! memory waits until such a batch has ended ([`under_way`]), whether or not it depends on that read: without the wait, the
//! application would get undefined bytes.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, Weak};

use crate::os::memory::HostMemory;
use crate::os::sync::Unpoisoned;

/// The start of a range, and a number that makes the key unique.
type Key = (usize, u64);

/// Submits batches and ends them: a queue.
pub trait BatchOwner: Send + Sync {
    /// Returns when batch `value` has ended, host parts included, or never will.
    fn wait_for_end(self: Arc<Self>, value: u64);
}

/// A batch: its owner, the number of the queue, its value.
struct Writer {
    owner: Weak<dyn BatchOwner>,
    queue: u64,
    value: u64,
}

/// Batches, at most one for each queue: the last.
pub type Writers = Vec<(Arc<dyn BatchOwner>, u64)>;

struct Range {
    end: usize,
    writer: Writer,
}

/// The pending ranges of all queues of the process.
struct Ranges {
    by_start: BTreeMap<Key, Range>,
    next_id: u64,
    /// The longest range since the list was last empty, in bytes.
    longest: usize,
}

static RANGES: Mutex<Ranges> = Mutex::new(Ranges {
    by_start: BTreeMap::new(),
    next_id: 0,
    longest: 0,
});
/// Whether there are pending ranges.
static ANY: AtomicBool = AtomicBool::new(false);

/// The most rows of a region that are entered one by one. A region with more is entered as one range.
const ROWS: usize = 64;

fn lock() -> MutexGuard<'static, Ranges> {
    RANGES.lock().unpoisoned()
}

/// Ranges that will be written. They are pending until this is dropped.
pub struct PendingWrites(Vec<Key>);

impl PendingWrites {
    /// Notes that batch `value` of a queue will write these rows.
    pub fn new(
        owner: &Weak<dyn BatchOwner>,
        queue: u64,
        value: u64,
        count: usize,
        rows: impl Iterator<Item = HostMemory>,
    ) -> PendingWrites {
        let mut keys = Vec::new();
        let mut ranges = lock();
        ANY.store(true, Ordering::Release);
        apart(count, rows, |start, end| {
            let key = (start, ranges.next_id);
            ranges.next_id += 1;
            ranges.longest = ranges.longest.max(end - start);
            let writer = Writer {
                owner: owner.clone(),
                queue,
                value,
            };
            ranges.by_start.insert(key, Range { end, writer });
            keys.push(key);
        });
        PendingWrites(keys)
    }
}

impl Drop for PendingWrites {
    fn drop(&mut self) {
        let mut ranges = lock();
        for key in &self.0 {
            ranges.by_start.remove(key);
        }
        if ranges.by_start.is_empty() {
            ranges.longest = 0;
            ANY.store(false, Ordering::Release);
        }
    }
}

/// Calls `with` for each row, or once for the range of all of them if there are many.
fn apart(count: usize, rows: impl Iterator<Item = HostMemory>, mut with: impl FnMut(usize, usize)) {
    let ranges = rows.map(|row| {
        let start = row.as_ptr() as usize;
        (start, start + row.len())
    });
    match count > ROWS {
        true => ranges
            .reduce(|a, b| (a.0.min(b.0), a.1.max(b.1)))
            .into_iter()
            .for_each(|(start, end)| with(start, end)),
        false => ranges.for_each(|(start, end)| with(start, end)),
    }
}

/// The batches that will write some of these rows.
pub fn under_way(count: usize, rows: impl Iterator<Item = HostMemory>) -> Writers {
    if !ANY.load(Ordering::Acquire) {
        return Writers::new();
    }
    // By number of the queue.
    let mut found: Vec<(u64, Arc<dyn BatchOwner>, u64)> = Vec::new();
    let ranges = lock();
    apart(count, rows, |start, end| {
        let first = start.saturating_sub(ranges.longest);
        let near = ranges.by_start.range((first, 0)..(end, 0));
        for (_, range) in near.filter(|(_, range)| range.end > start) {
            let writer = &range.writer;
            match found.iter_mut().find(|known| known.0 == writer.queue) {
                Some(known) => known.2 = known.2.max(writer.value),
                None => {
                    let owner = writer.owner.upgrade();
                    found.extend(owner.map(|owner| (writer.queue, owner, writer.value)));
                }
            }
        }
    });
    drop(ranges);
    let found = found.into_iter();
    found.map(|(_, owner, value)| (owner, value)).collect()
}
