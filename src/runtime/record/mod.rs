//! What recording commands needs: the batch, the order of its commands, what it keeps alive.

pub(in crate::runtime) mod batch;
pub(in crate::runtime) mod hazard;
pub(in crate::runtime) mod pending_writes;
