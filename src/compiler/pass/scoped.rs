//! A map whose entries last until the end of the region in which they were made.

use std::hash::Hash;

use crate::compiler::quick::QuickMap;

pub struct ScopedMap<K, V> {
    map: QuickMap<K, V>,
    /// What each insertion replaced, oldest first.
    undo: Vec<(K, Option<V>)>,
}

impl<K: Copy + Eq + Hash, V: Copy> ScopedMap<K, V> {
    pub fn new() -> Self {
        ScopedMap {
            map: QuickMap::default(),
            undo: Vec::new(),
        }
    }

    pub fn get(&self, key: &K) -> Option<V> {
        self.map.get(key).copied()
    }

    pub fn insert(&mut self, key: K, value: V) {
        let old = self.map.insert(key, value);
        self.undo.push((key, old));
    }

    /// Opens a scope; what it returns closes it.
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
