//! Queues: what is enqueued, submitted, and how it ends.

pub(in crate::runtime) mod engine;
pub mod event;
pub(in crate::runtime) mod jobs;
pub mod queue;
pub(in crate::runtime) mod retire;
