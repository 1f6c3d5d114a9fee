//! The shape of programs: which functions there are, which calls stay, and how control leaves regions.

pub mod budget;
pub mod inline;
pub mod nesting;
pub mod prelude;
pub mod single_exit;
pub mod symbols;
pub mod tails;
