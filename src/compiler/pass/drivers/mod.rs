//! What drivers' compilers mistake or do slowly becomes what they do right, for targets that have the flag.

pub mod conversions;
pub mod integral;
pub mod merge;
pub mod parity;
pub mod rotate;
pub mod rounds;
pub mod words;
pub mod zeros;
