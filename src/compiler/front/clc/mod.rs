//! OpenCL C.

pub mod builtins;
pub mod sema;
pub mod syntax;
