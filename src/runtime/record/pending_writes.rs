//! Memory of the application that the host is going to write when a batch has completed: the targets of reads
//! through staging blocks. The device knows nothing of it, so its order does not hold there: a command for which
//! the host reads or writes the same memory waits for such a batch's end ([`under_way`]). Whether it depends on
//! that read does not matter: without that, what the application gets is undefined.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use crate::os::memory::HostMemory;
use crate::runtime::submit::engine::Core;

/// Where a range begins, and a number that tells it from others.
type Key = (usize, u64);

struct Range {
    end: usize,
    core: Weak<Core>,
    /// The batch.
    value: u64,
}

/// All ranges of the process.
struct Ranges {
    by_start: BTreeMap<Key, Range>,
    next_id: u64,
    /// Bytes of the longest since there were none.
    longest: usize,
}

static RANGES: Mutex<Ranges> = Mutex::new(Ranges {
    by_start: BTreeMap::new(),
    next_id: 0,
    longest: 0,
});
/// There are any.
static ANY: AtomicBool = AtomicBool::new(false);

/// Rows of a region that are told apart; of more, all between the first and the last counts.
const ROWS: usize = 64;

fn lock() -> MutexGuard<'static, Ranges> {
    RANGES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ranges that will be written, until it is dropped.
pub(in crate::runtime) struct Pending(Vec<Key>);

impl Pending {
    /// Batch `value` of `core` writes these rows.
    pub fn new(
        core: &Arc<Core>,
        value: u64,
        count: usize,
        rows: impl Iterator<Item = HostMemory>,
    ) -> Pending {
        let mut keys = Vec::new();
        let mut ranges = lock();
        ANY.store(true, Ordering::Release);
        apart(count, rows, |start, end| {
            let key = (start, ranges.next_id);
            ranges.next_id += 1;
            ranges.longest = ranges.longest.max(end - start);
            let core = Arc::downgrade(core);
            ranges.by_start.insert(key, Range { end, core, value });
            keys.push(key);
        });
        Pending(keys)
    }
}

impl Drop for Pending {
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

/// Calls `with` for the rows, or for all of them together where they are many.
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

/// The batches that are going to write something of these rows: of each queue the last.
pub(in crate::runtime) fn under_way(
    count: usize,
    rows: impl Iterator<Item = HostMemory>,
) -> Vec<(Arc<Core>, u64)> {
    let mut found: Vec<(Arc<Core>, u64)> = Vec::new();
    if !ANY.load(Ordering::Acquire) {
        return found;
    }
    let ranges = lock();
    apart(count, rows, |start, end| {
        let first = start.saturating_sub(ranges.longest);
        let near = ranges.by_start.range((first, 0)..(end, 0));
        for (_, range) in near.filter(|(_, range)| range.end > start) {
            let Some(core) = range.core.upgrade() else {
                continue;
            };
            match found
                .iter_mut()
                .find(|(known, _)| Arc::ptr_eq(known, &core))
            {
                Some(known) => known.1 = known.1.max(range.value),
                None => found.push((core, range.value)),
            }
        }
    });
    drop(ranges);
    found
}
