//! Values: variables become values, and what is known of them makes the code smaller.

mod accesses;
mod alias;
pub mod cleanup;
pub mod counters;
pub mod dce;
pub mod dead_stores;
pub mod effects;
pub mod fences;
pub mod hoist;
pub mod hoist_addresses;
pub mod invariant_sums;
pub mod known_bits;
mod loop_accesses;
pub mod mem2reg;
mod numbers;
pub mod params;
mod polynomial;
pub mod predictive_commoning;
pub mod pun;
pub mod pure_calls;
mod scoped;
pub mod simplify;
pub mod sroa;
pub mod store_motion;
pub mod store_sinking;
pub mod strength_reduction;
pub mod unroll;
