//! Large copies within device memory: a kernel of our own, since copy commands of discrete GPUs
//! may run at a quarter of the memory's speed (an H100: 380 GB/s, the kernel 1400).

use std::sync::Arc;

use crate::compiler::options::Options;
use crate::runtime::arguments::{ArgValue, DeviceKernel, Launch, NdRange};
use crate::runtime::build::{self, Source};
use crate::runtime::device::Device;
use crate::runtime::engine::{Core, State};
use crate::runtime::error::ClResult;
use crate::runtime::memory::Buffer;

const SOURCE: &str = "kernel void copy(global uint4 *to, global const uint4 *from) {
    size_t i = get_global_id(0);
    to[i] = from[i];
}
";

/// Bytes from which a launch is faster than a copy command.
const LARGE: u64 = 256 << 10;
/// Bytes that a work-item copies, and of which all offsets are multiples.
const UNIT: u64 = 16;
const GROUP: u32 = 256;

/// Makes the kernel; `None` where that fails, which is logged.
pub(super) fn make(device: &Arc<Device>) -> Option<Arc<DeviceKernel>> {
    let source = Source {
        text: SOURCE,
        headers: &[],
    };
    let (program, log) = build::compile(&source, &Options::default(), device.target());
    let made = program.and_then(|mut program| program.kernels.pop());
    let kernel = made.map(|info| DeviceKernel::new(device, Arc::new(info), None, [].into()));
    match kernel {
        Some(Ok(kernel)) => Some(kernel),
        other => {
            let error = other.and_then(Result::err);
            tracing::error!(?error, log, "no kernel for copies");
            None
        }
    }
}

/// Records a copy of `size` bytes between places (buffer, offset) that do not overlap, or as many
/// of them as are whole work-groups: returns how many.
pub(super) fn record(
    core: &Arc<Core>,
    state: &mut State,
    (src, src_offset): (&Arc<Buffer>, u64),
    (dst, dst_offset): (&Arc<Buffer>, u64),
    size: u64,
) -> ClResult<u64> {
    let size = size / (UNIT * u64::from(GROUP)) * (UNIT * u64::from(GROUP));
    let aligned = |buffer: &Buffer, offset: u64| (buffer.address() + offset).is_multiple_of(UNIT);
    let device = &core.device;
    if size < LARGE
        || !aligned(src, src_offset)
        || !aligned(dst, dst_offset)
        || [src, dst].iter().any(|buffer| !buffer.is_device_memory())
        || !device.is_discrete()
    {
        return Ok(0);
    }
    let Some(kernel) = device.copier() else {
        return Ok(0);
    };
    let (from, to) = (
        Buffer::sub_buffer(src, src_offset, size),
        Buffer::sub_buffer(dst, dst_offset, size),
    );
    launch(kernel, &from, &to)?.record(core, state)?;
    Ok(size)
}

/// The launch that copies all of `from`, whole work-groups.
pub(super) fn launch(
    kernel: &Arc<DeviceKernel>,
    from: &Arc<Buffer>,
    to: &Arc<Buffer>,
) -> ClResult<Box<Launch>> {
    let args = [ArgValue::buffer(to), ArgValue::buffer(from)];
    let range = NdRange {
        dims: 1,
        offset: [0; 3],
        global: [from.size() / UNIT, 1, 1],
        local: Some([GROUP, 1, 1]),
    };
    kernel.launch(&args, &range)
}
