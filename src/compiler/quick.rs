//! A map for keys that come from the compiler itself.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

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
