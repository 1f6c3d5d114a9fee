//! The processor, for devices that run on it: its clock and its caches.

use std::hint::black_box;
use std::time::Instant;

use super::system::processor as system;

/// A cache of data: the last, which all that goes to memory passes through.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DataCache {
    /// Bytes.
    pub size: u64,
    /// Bytes of a line.
    pub line: u32,
}

/// MHz of the fastest processor, by the operating system, else an estimate. Never 0.
pub fn clock() -> u32 {
    system::clock().unwrap_or_else(estimate)
}

/// The last cache, if anybody tells.
pub fn cache() -> Option<DataCache> {
    system::cache()
}

pub(super) fn plausible(mhz: f64) -> Option<u32> {
    let mhz = mhz.round();
    (1.0..1e6).contains(&mhz).then_some(mhz as u32)
}

/// Of a chain of multiplications and ORs, each of which waits for the one before and which no compiler joins: that
/// takes 4 cycles on most processors. The shortest of some times, since others interrupt.
fn estimate() -> u32 {
    const STEPS: u32 = 20_000;
    const CYCLES: f64 = 4.0;
    let chain = || {
        let start = Instant::now();
        let mut x = black_box(1u64);
        for _ in 0..STEPS {
            x = x.wrapping_mul(x | 5);
        }
        black_box(x);
        start.elapsed().as_secs_f64()
    };
    let shortest = (0..20).map(|_| chain()).fold(f64::INFINITY, f64::min);
    plausible(f64::from(STEPS) * CYCLES / shortest / 1e6).unwrap_or(1)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An unoptimised build takes longer for a step, no build less than a cycle.
    #[test]
    fn estimates_are_of_the_right_size() {
        let (estimated, real) = (estimate(), clock());
        assert!(
            estimated >= real / 64 && estimated <= real * 4,
            "{estimated} of {real}"
        );
    }
}
