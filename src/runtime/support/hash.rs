//! Digests for checksums and cache keys: BLAKE3. No two inputs with the same digest are known, so equal digests count as equal
//! inputs. And the hasher of tables that are keyed by a number.

use std::collections::HashMap;
use std::fmt;
use std::hash::{BuildHasherDefault, Hasher};

/// A table keyed by addresses or running numbers.
pub type ByNumber<K, V> = HashMap<K, V, BuildHasherDefault<NumberHasher>>;

/// Hashes one number. The low bits of addresses are equal, and so are the high bits of running numbers. A multiplication and a
/// rotation spread the others.
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

/// A digest: 256 bits that identify an input.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    pub fn of(bytes: &[u8]) -> Digest {
        Digest(*blake3::hash(bytes).as_bytes())
    }
}

/// 64 hexadecimal digits.
impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&blake3::Hash::from_bytes(self.0).to_hex())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Values of BLAKE3's official test vectors, whose input repeats the bytes 0 to 250.
    #[test]
    fn digests_are_those_of_the_test_vectors() {
        let table = [
            (
                0,
                "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262",
            ),
            (
                1,
                "2d3adedff11b61f14c886e35afa036736dcd87a74d27b5c1510225d0f592e213",
            ),
            (
                1024,
                "42214739f095a406f3fc83deb889744ac00df831c10daa55189b5d121c855af7",
            ),
            (
                102400,
                "bc3e3d41a1146b069abffad3c0d44860cf664390afce4d9661f7902e7943e085",
            ),
        ];
        for (len, expected) in table {
            let input: Vec<u8> = (0..len).map(|i| (i % 251) as u8).collect();
            assert_eq!(Digest::of(&input).to_string(), expected, "{len} bytes");
        }
    }

    /// Every bit and the length of the input change the digest. So do changes of several bits at the ends of neighbouring words, which
    /// a hash by arithmetic on words may not notice.
    #[test]
    fn small_changes_change_the_digest() {
        let mut seen = std::collections::HashSet::new();
        for len in 0..40 {
            let mut bytes = vec![0u8; len];
            assert!(seen.insert(Digest::of(&bytes)));
            for bit in 0..len * 8 {
                bytes[bit / 8] ^= 1 << (bit % 8);
                assert!(seen.insert(Digest::of(&bytes)), "{len} {bit}");
                bytes[bit / 8] ^= 1 << (bit % 8);
            }
        }
        for changes in 1..1u32 << 12 {
            let mut bytes = *b"the last bytes of half words";
            for half in 0..4 {
                bytes[4 * half + 3] ^= ((changes >> (3 * half) & 7) << 5) as u8;
            }
            assert!(seen.insert(Digest::of(&bytes)), "{changes:b}");
        }
    }
}
