//! What OpenCL has and SPIR-V for Vulkan or the target lacks becomes what they have.

pub mod float_atomics;
pub mod generic;
pub mod guard;
pub mod halves;
pub mod initialize;
pub mod int64;
pub mod kernel_abi;
pub mod kernel_number;
pub mod legalize;
pub mod narrow;
pub mod no_pointers;
pub mod printf;
pub mod seq_cst;
pub mod split_vectors;
pub mod storage_buffers;
pub mod workitem;
