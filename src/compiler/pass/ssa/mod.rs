//! Values: variables become values, and what is known of them makes the code smaller.

pub mod cleanup;
pub mod counters;
pub mod dce;
pub mod effects;
pub mod fences;
pub mod hoist;
pub mod mem2reg;
pub mod params;
pub mod pun;
mod scoped;
pub mod simplify;
pub mod sroa;
pub mod store_motion;
pub mod unroll;
