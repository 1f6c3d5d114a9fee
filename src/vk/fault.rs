//! Injects faults for tests: with `CALDERA_FAULT=KIND:N` the N-th call of a kind fails.

use std::sync::LazyLock;
use std::sync::atomic::{AtomicI64, Ordering};

use crate::config;

use super::error::{Error, Result};

/// The calls that can be made to fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// Memory of a buffer: out of memory.
    Allocate,
    /// A pipeline: out of memory.
    Pipeline,
    /// A submission: the device is lost.
    Submit,
}

const KINDS: [(&str, Kind, Error); 3] = [
    ("allocate", Kind::Allocate, Error::OutOfDeviceMemory),
    ("pipeline", Kind::Pipeline, Error::OutOfHostMemory),
    ("submit", Kind::Submit, Error::DeviceLost),
];

/// The kind of call that fails, and how many such calls still succeed before.
struct Fault {
    kind: Kind,
    error: Error,
    left: AtomicI64,
}

static FAULT: LazyLock<Option<Fault>> = LazyLock::new(|| {
    let (name, count) = config::get().fault.as_ref()?;
    let &(_, kind, error) = KINDS.iter().find(|k| k.0 == name)?;
    let left = AtomicI64::new(*count);
    Some(Fault { kind, error, left })
});

/// Called before each call of a kind. Returns the error with which the call ends, if it is to fail.
pub(super) fn inject(kind: Kind) -> Result {
    match &*FAULT {
        Some(fault) if fault.kind == kind && fault.left.fetch_sub(1, Ordering::Relaxed) == 1 => {
            tracing::info!(?kind, "fails on purpose");
            Err(fault.error)
        }
        _ => Ok(()),
    }
}
