//! Recording of commands: batches, the order of commands, and the objects that they keep alive.

pub mod batch;
mod hazard;
pub mod pending_writes;
pub mod recording;
pub mod replay;
pub mod scratch;
