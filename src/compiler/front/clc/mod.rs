//! OpenCL C to the IR.

pub mod assembly;
pub mod builtins;
pub mod lower;
pub mod pp;
pub mod sema;
pub mod syntax;
