//! Memory of the application that is a buffer's, too: CL_MEM_ALLOC_HOST_PTR, and imported
//! CL_MEM_USE_HOST_PTR. Transfers between it and device memory are copies between two buffers,
//! which run at the speed of the bus, without staging.

use std::sync::Arc;

use crate::runtime::gpu::open::Gpu;
use crate::runtime::memory::buffer::{Buffer, pinned_at};
use crate::runtime::memory::layout::Layout;
use crate::runtime::transfer::host_transfer::Transfer;

/// Two places of the same extent, from the first to the second.
pub type Places = [(Arc<Buffer>, Layout); 2];

/// The transfer as a copy between buffers, if the application's memory is a buffer's that is `wanted`.
pub fn places(
    gpu: &Gpu,
    transfer: &Transfer,
    wanted: impl FnOnce(&Buffer) -> bool,
) -> Option<Places> {
    let host = transfer.host;
    let (host, offset) = pinned_at(gpu, host.as_ptr() as usize, host.len() as u64)?;
    if !wanted(&host) {
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
