//! Syntax tree to typed tree.

pub mod tree;
pub mod types;
