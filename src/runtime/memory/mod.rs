//! Memory objects: buffers and their mappings, images, shared virtual memory.

pub mod buffer;
pub(in crate::runtime) mod by_address;
pub(in crate::runtime) mod copies;
pub mod image;
pub(in crate::runtime) mod import;
pub(in crate::runtime) mod storage;
pub mod svm;
