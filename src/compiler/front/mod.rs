//! Source languages.

pub mod clc;
