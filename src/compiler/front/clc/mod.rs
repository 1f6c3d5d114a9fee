//! OpenCL C to the IR.

pub mod pp;
