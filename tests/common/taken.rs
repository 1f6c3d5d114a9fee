//! What a check has taken already: targets often make the same of a file.

use std::collections::BTreeSet;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Mutex;

/// By digest.
pub struct Taken(Mutex<BTreeSet<u64>>);

impl Taken {
    pub const fn new() -> Taken {
        Taken(Mutex::new(BTreeSet::new()))
    }

    /// The defect that `check` finds in something that was not taken before.
    pub fn or(&self, what: &impl Hash, check: impl FnOnce() -> Option<String>) -> Option<String> {
        let mut digest = DefaultHasher::new();
        what.hash(&mut digest);
        let digest = digest.finish();
        let taken = || self.0.lock().expect("nothing panics with it");
        if taken().contains(&digest) {
            return None;
        }
        let defect = check();
        if defect.is_none() {
            taken().insert(digest);
        }
        defect
    }
}
