//! Tests of the queues on a real device.

mod engine;
mod peers;
mod speed;
pub mod testing;
