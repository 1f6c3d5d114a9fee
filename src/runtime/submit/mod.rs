//! Queues: how commands are enqueued, recorded and submitted, and how they end.

mod children;
mod engine;
pub mod event;
mod jobs;
mod large_transfer;
pub mod queue;
mod retire;
pub mod semaphore;
mod submission;
pub mod users;
