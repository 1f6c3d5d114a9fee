//! Locks that a panic leaves usable: what they guard is changed in steps that each leave it right.

use std::sync::PoisonError;

/// The result of a lock, a wait, or of taking what a lock guards.
pub trait Unpoisoned {
    type Value;

    /// The value, also if a thread panicked while it had the lock.
    fn unpoisoned(self) -> Self::Value;
}

impl<T> Unpoisoned for Result<T, PoisonError<T>> {
    type Value = T;

    fn unpoisoned(self) -> T {
        self.unwrap_or_else(PoisonError::into_inner)
    }
}
