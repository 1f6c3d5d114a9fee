//! Random numbers, the same on every run and machine.

/// A linear congruential generator, or decisions that a fuzzer makes.
pub struct Rng {
    state: u64,
    /// Used up first, from the end.
    given: Option<Vec<u8>>,
}

impl Rng {
    pub fn new(seed: u64) -> Rng {
        Rng {
            state: seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1,
            given: None,
        }
    }

    /// A byte for each small decision; behind them numbers that are always the same.
    pub fn given(bytes: &[u8]) -> Rng {
        Rng {
            given: Some(bytes.iter().rev().copied().collect()),
            ..Rng::new(0)
        }
    }

    /// No decision is left of those that were given: what is generated should end soon.
    pub fn spent(&self) -> bool {
        self.given.as_ref().is_some_and(Vec::is_empty)
    }

    /// 31 bits.
    pub fn next(&mut self) -> u64 {
        if let Some(byte) = self.given.as_mut().and_then(Vec::pop) {
            return u64::from(byte);
        }
        self.state = self
            .state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        self.state >> 33
    }

    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }

    pub fn pick<'a, T: ?Sized>(&mut self, from: &[&'a T]) -> &'a T {
        from[self.below(from.len())]
    }
}
