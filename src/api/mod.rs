//! The C boundary: handles to objects, argument checks, error codes. Each file beside
//! this one has the functions of one kind of object; `entry` makes the C functions around
//! them, from the list in `raw::entry_points`.

// The signatures are OpenCL's.
#![allow(clippy::too_many_arguments)]

pub mod client;
pub mod command_buffer;
pub mod context;
pub mod device;
pub mod device_info;
pub mod enqueue_buffer;
pub mod enqueue_image;
pub mod enqueue_kernel;
pub mod enqueue_sync;
pub mod entry;
pub mod event;
pub mod extensions;
pub mod external;
pub mod handle;
pub mod image;
pub mod import;
pub mod info;
pub mod kernel;
pub mod memory;
pub mod mutable_command;
pub mod pipe;
pub mod platform;
pub mod pointer;
pub mod program;
pub mod queue;
pub mod raw;
pub mod rect;
pub mod sampler;
pub mod semaphore;
pub mod sub_group;
pub mod svm;
pub mod texts;
pub mod unified_svm;
pub mod usm;

use entry::{Dispatch, slot_count};
use raw::entry_points::ROWS;

/// The functions behind the entry points.
mod inner {
    pub use super::command_buffer::*;
    pub use super::context::*;
    pub use super::device::*;
    pub use super::device_info::*;
    pub use super::enqueue_buffer::*;
    pub use super::enqueue_image::*;
    pub use super::enqueue_kernel::*;
    pub use super::enqueue_sync::*;
    pub use super::event::*;
    pub use super::external::*;
    pub use super::image::*;
    pub use super::import::*;
    pub use super::kernel::*;
    pub use super::memory::*;
    pub use super::mutable_command::*;
    pub use super::pipe::*;
    pub use super::platform::*;
    pub use super::program::*;
    pub use super::queue::*;
    pub use super::sampler::*;
    pub use super::semaphore::*;
    pub use super::sub_group::*;
    pub use super::svm::*;
    pub use super::unified_svm::*;
    pub use super::usm::*;
}

pub type IcdDispatch = Dispatch<{ slot_count(ROWS) }>;

/// What every handle points to.
pub static DISPATCH: IcdDispatch = Dispatch::new(ROWS);
