//! `libcaldera.so`, the shared library that OpenCL's loader opens: the entry points of [`caldera::api`] and what they need.
//!
//! It is a package of its own since cargo does no link-time optimization for a library that Rust's programs link, too.

extern crate caldera;
