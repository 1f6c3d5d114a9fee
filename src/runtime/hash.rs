//! Hashes for checksums and cache keys: fast and stable, not made against attackers (who
//! could write the cache directory could do worse). Eight bytes at a time are mixed by
//! a multiplication and a shift that brings the high bits down. And the hasher of tables
//! that are keyed by a number.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// A table keyed by addresses or running numbers.
pub type ByNumber<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Hashes one number: the low bits of addresses are equal, the high ones of running numbers;
/// a multiplication and a rotation spread what is between.
#[derive(Default)]
pub struct NumberHasher(u64);

impl Hasher for NumberHasher {
    fn finish(&self) -> u64 {
        self.0
    }
    fn write(&mut self, bytes: &[u8]) {
        for &b in bytes {
            self.write_u64(u64::from(b));
        }
    }
    fn write_u64(&mut self, n: u64) {
        self.0 = (self.0 ^ n)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .rotate_left(26);
    }
    fn write_usize(&mut self, n: usize) {
        self.write_u64(n as u64);
    }
}

/// A 64-bit hash.
pub fn hash(seed: u64, bytes: &[u8]) -> u64 {
    let mix = |h: u64, word: u64| {
        let h = (h ^ word).wrapping_mul(0x9fb2_1c65_1e98_df25);
        h ^ (h >> 32)
    };
    let mut h = mix(seed, bytes.len() as u64);
    let mut chunks = bytes.chunks_exact(8);
    for chunk in &mut chunks {
        h = mix(h, u64::from_le_bytes(chunk.try_into().unwrap_or_default()));
    }
    let mut last = [0; 8];
    let rest = chunks.remainder();
    last[..rest.len()].copy_from_slice(rest);
    mix(mix(h, u64::from_le_bytes(last)), seed)
}

/// 128 bits of hash as 32 hexadecimal digits.
pub fn digest(bytes: &[u8]) -> String {
    let [a, b] = [0x243f_6a88_85a3_08d3, 0x1319_8a2e_0370_7344].map(|seed| hash(seed, bytes));
    format!("{a:016x}{b:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every bit of the input and its length counts.
    #[test]
    fn small_changes_change_the_hash() {
        let mut seen = std::collections::HashSet::new();
        for len in 0..40 {
            let mut bytes = vec![0u8; len];
            assert!(seen.insert(hash(1, &bytes)));
            for bit in 0..len * 8 {
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(seen.insert(hash(1, &bytes)), "{len} {bit}");
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
    }
}
