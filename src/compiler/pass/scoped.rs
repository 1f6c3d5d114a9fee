//! A map whose entries last until the end of the region in which they were made.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// Multiplies and rotates: keys are our own, so that nobody can make them collide on purpose, and
/// the passes hash every instruction.
#[derive(Default)]
pub struct QuickHasher(u64);

impl Hasher for QuickHasher {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }

    fn write_u8(&mut self, x: u8) {
        self.write_u64(x as u64);
    }

    fn write_u32(&mut self, x: u32) {
        self.write_u64(x as u64);
    }

    fn write_u64(&mut self, x: u64) {
        // The odd number next to 2^64 divided by the golden ratio.
        self.0 = (self.0.rotate_left(5) ^ x).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    }

    fn write_usize(&mut self, x: usize) {
        self.write_u64(x as u64);
    }

    fn finish(&self) -> u64 {
        // The table takes its place from the low bits, and these know the high ones only now.
        self.0 ^ self.0 >> 32
    }
}

/// A map for keys that come from the compiler.
pub type QuickMap<K, V> = HashMap<K, V, BuildHasherDefault<QuickHasher>>;

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
