//! A map whose entries last until the end of the region in which they were made.

use std::collections::hash_map::Entry;
use std::hash::Hash;

use rustc_hash::FxHashMap;

pub struct ScopedMap<K, V> {
    map: FxHashMap<K, V>,
    /// What each insertion replaced, oldest first.
    undo: Vec<(K, Option<V>)>,
}

/// Where a value goes that was not found.
pub struct Place<'m, K, V> {
    entry: Entry<'m, K, V>,
    undo: &'m mut Vec<(K, Option<V>)>,
}

impl<K: Copy, V: Copy> Place<'_, K, V> {
    pub fn fill(self, value: V) {
        let key = *self.entry.key();
        let old = match self.entry {
            Entry::Occupied(mut entry) => Some(entry.insert(value)),
            Entry::Vacant(entry) => {
                entry.insert(value);
                None
            }
        };
        self.undo.push((key, old));
    }
}

impl<K: Copy + Eq + Hash, V: Copy> ScopedMap<K, V> {
    pub fn new() -> Self {
        ScopedMap {
            map: FxHashMap::default(),
            undo: Vec::new(),
        }
    }

    /// The value of this key if `counts` says so of it, else its place.
    pub fn find(&mut self, key: K, counts: impl Fn(V) -> bool) -> Result<V, Place<'_, K, V>> {
        match self.map.entry(key) {
            Entry::Occupied(entry) if counts(*entry.get()) => Ok(*entry.get()),
            entry => Err(Place {
                entry,
                undo: &mut self.undo,
            }),
        }
    }

    pub fn insert(&mut self, key: K, value: V) {
        if let Err(place) = self.find(key, |_| false) {
            place.fill(value);
        }
    }

    /// Opens a scope; what it returns closes it. One that is not closed is a part of that around.
    pub fn open(&self) -> usize {
        self.undo.len()
    }

    pub fn close(&mut self, scope: usize) {
        for (key, old) in self.undo.drain(scope..).rev() {
            match old {
                Some(old) => self.map.insert(key, old),
                None => self.map.remove(&key),
            };
        }
    }
}
