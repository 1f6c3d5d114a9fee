//! Token stream to syntax tree.

pub mod ast;
