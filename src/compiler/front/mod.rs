//! Front ends: source languages to the IR.

pub mod clc;
pub mod spirv;
