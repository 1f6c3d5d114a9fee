//! Application memory that belongs to a buffer, too: CL_MEM_ALLOC_HOST_PTR, imported CL_MEM_USE_HOST_PTR, and allocations with one
//! address for host and device. Transfers between it
//! and device memory are copies between two buffers, which run at the speed of the bus and need no staging.

use std::any::Any;
use std::sync::Arc;

use crate::runtime::gpu::open::Gpu;
use crate::runtime::memory::buffer::{Buffer, found_in};
use crate::runtime::memory::layout::Layout;
use crate::runtime::support::by_address::ByAddress;
use crate::runtime::transfer::host_transfer::Transfer;

/// Source and destination of a copy.
pub type Places = [(Arc<Buffer>, Layout); 2];

/// The transfer as a copy between buffers, if the application's memory belongs to a buffer that `wanted` accepts.
pub fn places(
    gpu: &Gpu,
    transfer: &Transfer,
    wanted: impl FnOnce(&Buffer) -> bool,
) -> Option<Places> {
    let (host, offset) = found(&gpu.pinned, transfer)?;
    // What is unmapped where another device had mapped it: the host has written to the buffer's own memory, to which a copy
    // within the buffer would first bring the bytes that it had before.
    let apart = host.distance(transfer.buffer).is_none();
    (wanted(&host) && apart).then(|| between(transfer, host, offset))
}

/// The same, if the host must not access that memory.
pub fn closed_places(gpu: &Gpu, transfer: &Transfer) -> Option<Places> {
    let (host, offset) = found(&gpu.closed, transfer)?;
    Some(between(transfer, host, offset))
}

fn found(
    list: &ByAddress<dyn Any + Send + Sync>,
    transfer: &Transfer,
) -> Option<(Arc<Buffer>, u64)> {
    found_in(
        list,
        transfer.host.as_ptr() as usize,
        transfer.host.len() as u64,
    )
}

fn between(transfer: &Transfer, host: Arc<Buffer>, offset: u64) -> Places {
    let near = (transfer.buffer.clone(), transfer.buffer_at);
    let at = Layout {
        offset: transfer.host_at.offset + offset,
        ..transfer.host_at
    };
    match transfer.read {
        true => [near, (host, at)],
        false => [(host, at), near],
    }
}
