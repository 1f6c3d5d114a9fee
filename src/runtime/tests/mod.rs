//! Tests of the queues on a real device.

mod engine;
mod speed;
pub mod testing;
