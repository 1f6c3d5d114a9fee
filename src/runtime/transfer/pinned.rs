//! Memory of the application that is a buffer's, too: CL_MEM_ALLOC_HOST_PTR, and imported
//! CL_MEM_USE_HOST_PTR. Transfers between it and device memory are copies between two buffers,
//! which run at the speed of the bus, without staging.

use std::sync::Arc;

use crate::runtime::command::{Command, Layout};
use crate::runtime::gpu::device::Device;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::by_address::ByAddress;
use crate::runtime::transfer::staged::Transfer;

/// The transfer as a copy between buffers, where it can be one. `pinned` are the buffers in host
/// memory, by their addresses there.
pub(in crate::runtime) fn resolve(
    device: &Arc<Device>,
    pinned: &ByAddress,
    command: Command,
) -> Command {
    let Some(transfer) = command.transfer() else {
        return command;
    };
    // What the host copies faster it copies itself.
    match transfer.is_direct(device) {
        true => command,
        false => as_copy(pinned, &transfer, |_| true).unwrap_or(command),
    }
}

/// The same of a transfer that the host was to do, if a batch uses the memory.
pub(in crate::runtime) fn in_use(
    device: &Arc<Device>,
    pinned: &ByAddress,
    command: &Command,
) -> Option<Command> {
    let busy = |host: &Buffer| host.storage(device).is_ok_and(|storage| !storage.is_idle());
    as_copy(pinned, &command.transfer()?, busy)
}

fn as_copy(
    pinned: &ByAddress,
    transfer: &Transfer,
    wanted: impl FnOnce(&Buffer) -> bool,
) -> Option<Command> {
    let host = transfer.host;
    let (host, offset) = pinned.find(host.as_ptr() as usize, host.len() as u64)?;
    if !wanted(&host) {
        return None;
    }
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
    Some(Command::Copy {
        src: src.0,
        src_at: src.1,
        dst: dst.0,
        dst_at: dst.1,
        extent,
    })
}
