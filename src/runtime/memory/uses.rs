//! Which batches use memory: for each queue the last one.

use std::sync::{Arc, Mutex};

use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::progress::Progress;

/// For each queue, the last batch that uses something.
#[derive(Default)]
pub struct Uses(Mutex<Vec<(Arc<Progress>, u64)>>);

impl Uses {
    /// Notes that batch `value` of a queue uses it.
    pub fn note(&self, progress: &Arc<Progress>, value: u64) {
        let mut uses = self.0.lock().unpoisoned();
        match uses.iter_mut().find(|u| Arc::ptr_eq(&u.0, progress)) {
            Some(entry) => entry.1 = value,
            None => {
                uses.retain(|u| !u.0.reached(u.1));
                uses.push((progress.clone(), value));
            }
        }
    }

    /// Whether all batches that use it have completed.
    pub fn are_over(&self) -> bool {
        let mut uses = self.0.lock().unpoisoned();
        uses.retain(|u| !u.0.reached(u.1));
        uses.is_empty()
    }

    /// The last batch of a queue that uses it; 0 if none does.
    pub fn last(&self, progress: &Arc<Progress>) -> u64 {
        let uses = self.0.lock().unpoisoned();
        let of_queue = uses.iter().find(|u| Arc::ptr_eq(&u.0, progress));
        of_queue.map_or(0, |u| u.1)
    }
}
