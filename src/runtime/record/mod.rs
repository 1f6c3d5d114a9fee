//! What recording commands needs: the batch, the order of its commands, what it keeps alive.

pub mod batch;
mod hazard;
pub mod pending_writes;
pub mod recording;
pub mod scratch;
