//! Memory objects: buffers and their mappings, images, shared virtual and unified shared memory.

pub mod allocations;
pub mod buffer;
pub(in crate::runtime) mod copies;
pub mod image;
pub mod import;
pub mod layout;
pub mod mapping;
pub mod reach;
pub(in crate::runtime) mod storage;
pub mod svm;
pub(in crate::runtime) mod uses;
pub mod usm;
