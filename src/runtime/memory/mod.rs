//! Memory objects: buffers and their mappings, images, shared virtual memory.

pub mod buffer;
pub(in crate::runtime) mod copies;
pub mod image;
pub mod import;
pub mod layout;
pub mod mapping;
pub(in crate::runtime) mod storage;
pub mod svm;
