//! Measurements of a device by kernels that run on it.

pub mod clock;
pub mod probe;
mod run;
pub mod trial;

use crate::runtime::gpu::device::Measures;
use crate::runtime::program::build;

/// The functions that devices get.
pub const MEASURES: Measures = Measures {
    probe: probe::found,
    clock: clock::find,
    opening: build::warm_up,
};
