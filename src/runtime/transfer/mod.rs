//! Copies and fills: how bytes get from one place to another.

pub(in crate::runtime) mod host_copy;
pub(in crate::runtime) mod pinned;
pub(in crate::runtime) mod rectangles;
pub(in crate::runtime) mod staged;
