//! Application memory that belongs to a buffer, too: CL_MEM_ALLOC_HOST_PTR, and imported CL_MEM_USE_HOST_PTR. Transfers between it
//! and device memory are copies between two buffers, which run at the speed of the bus and need no staging.

use std::sync::Arc;

use crate::runtime::gpu::open::Gpu;
use crate::runtime::memory::buffer::{Buffer, pinned_at};
use crate::runtime::memory::layout::Layout;
use crate::runtime::transfer::host_transfer::Transfer;

/// Source and destination of a copy.
pub type Places = [(Arc<Buffer>, Layout); 2];

/// The transfer as a copy between buffers, if the application's memory belongs to a buffer that `wanted` accepts.
pub fn places(
    gpu: &Gpu,
    transfer: &Transfer,
    wanted: impl FnOnce(&Buffer) -> bool,
) -> Option<Places> {
    let host = transfer.host;
    let (host, offset) = pinned_at(gpu, host.as_ptr() as usize, host.len() as u64)?;
    // What is unmapped where another device had mapped it: the host has written to the buffer's own memory, to which a copy
    // within the buffer would first bring the bytes that it had before.
    if !wanted(&host) || host.distance(transfer.buffer).is_some() {
        return None;
    }
    let near = (transfer.buffer.clone(), transfer.buffer_at);
    let at = Layout {
        offset: transfer.host_at.offset + offset,
        ..transfer.host_at
    };
    Some(match transfer.read {
        true => [near, (host, at)],
        false => [(host, at), near],
    })
}
