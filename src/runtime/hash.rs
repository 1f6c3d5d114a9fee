//! Hashes for checksums and cache keys: fast and stable, not made against attackers (who
//! could write the cache directory could do worse). Eight bytes at a time are mixed by
//! a multiplication and a shift that brings the high bits down.

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
