//! Memory of the application that is a buffer's, too: CL_MEM_ALLOC_HOST_PTR, and imported
//! CL_MEM_USE_HOST_PTR. Transfers between it and device memory are copies between two buffers,
//! which run at the speed of the bus, without staging.

use std::sync::Arc;

use crate::runtime::by_address::ByAddress;
use crate::runtime::command::{Command, Layout};
use crate::runtime::device::Device;

/// The transfer as a copy between buffers, where it can be one. `pinned` are the buffers in host
/// memory, by their addresses there.
pub(super) fn resolve(device: &Arc<Device>, pinned: &ByAddress, command: Command) -> Command {
    let Some(transfer) = command.transfer() else {
        return command;
    };
    // What the host copies faster it copies itself.
    if transfer.is_direct(device) {
        return command;
    }
    let host = transfer.host;
    let Some((host, offset)) = pinned.find(host.as_ptr() as usize, host.len() as u64) else {
        return command;
    };
    let extent = transfer.extent;
    let near = (transfer.buffer.clone(), transfer.buffer_at);
    let at = Layout {
        offset: transfer.host_at.offset + offset,
        ..transfer.host_at
    };
    let (src, dst) = match transfer.read {
        true => (near, (host, at)),
        false => ((host, at), near),
    };
    Command::Copy {
        src: src.0,
        src_at: src.1,
        dst: dst.0,
        dst_at: dst.1,
        extent,
    }
}
