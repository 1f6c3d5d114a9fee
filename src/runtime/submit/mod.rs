//! Queues: what is enqueued, recorded and submitted, and how it ends.

mod engine;
pub mod event;
mod jobs;
mod large_transfer;
pub mod queue;
mod retire;
mod submission;
