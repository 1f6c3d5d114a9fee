//! What programs on a device tell of it.

pub mod clock;
pub mod probe;

use crate::runtime::gpu::device::Measures;
use crate::runtime::program::build;

/// For all devices.
pub const MEASURES: Measures = Measures {
    probe: probe::found,
    clock: clock::find,
    opening: build::warm_up,
};
