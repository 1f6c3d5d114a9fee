//! Kernel launches.

use std::ffi::c_void;
use std::sync::Arc;

use super::event::wait_list;
use super::handle;
use super::pointer::{In, Out, bytes};
use super::queue::CommandQueue;
use super::raw::constants::*;
use super::raw::types::*;
use crate::compiler::kernel::KernelAttributes;
use crate::runtime::command::Command;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::plan::NdRange;
use crate::runtime::program::kernel::Kernel;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::fallible;

/// Queue and kernel. CL_INVALID_COMMAND_QUEUE, CL_INVALID_KERNEL if they are not valid;
/// CL_INVALID_PROGRAM_EXECUTABLE if there is none for the queue's device;
/// CL_INVALID_CONTEXT if they are not of the same context.
fn queue_and_kernel(
    command_queue: cl_command_queue,
    kernel: cl_kernel,
) -> ClResult<(Arc<CommandQueue>, Arc<Kernel>)> {
    let queue = handle::get(command_queue)?;
    let kernel = kernel_of(&queue, kernel)?;
    Ok((queue, kernel))
}

/// The kernel of a command; the errors of [`queue_and_kernel`] but for the queue's.
pub(super) fn kernel_of(queue: &CommandQueue, kernel: cl_kernel) -> ClResult<Arc<Kernel>> {
    let kernel = handle::get(kernel)?;
    check_kernel(queue, &kernel)?;
    Ok(kernel)
}

/// The same of a valid kernel.
pub(super) fn check_kernel(queue: &CommandQueue, kernel: &Kernel) -> ClResult {
    let info = kernel.info_for(queue.device());
    info.ok_or(ClError::INVALID_PROGRAM_EXECUTABLE)?;
    queue.check_context(&kernel.program.context)
}

/// Sizes as the application gives them; unused dimensions: offset 0, others 1.
#[derive(Clone, Copy)]
pub(super) struct Sizes {
    pub dims: cl_uint,
    pub offset: Option<[usize; 3]>,
    pub global: Option<[usize; 3]>,
    pub local: Option<[usize; 3]>,
}

impl Sizes {
    /// CL_INVALID_WORK_DIMENSION if work_dim is not valid.
    pub fn new(
        work_dim: cl_uint,
        global_work_offset: In<usize>,
        global_work_size: In<usize>,
        local_work_size: In<usize>,
    ) -> ClResult<Sizes> {
        if !(1..=3).contains(&work_dim) {
            return Err(ClError::INVALID_WORK_DIMENSION);
        }
        let dims = work_dim as usize;
        Ok(Sizes {
            dims: work_dim,
            offset: global_work_offset.three(dims, 0),
            global: global_work_size.three(dims, 1),
            local: local_work_size.three(dims, 1),
        })
    }
}

/// The sizes of a launch; `None` when there is no work-item in it.
pub(super) fn nd_range(
    kernel: &Kernel,
    device: &Arc<Device>,
    sizes: &Sizes,
) -> ClResult<Option<NdRange>> {
    let dims = sizes.dims as usize;
    // A NULL global_work_size is one of zeros, from OpenCL 2.1 on.
    let global = sizes.global.unwrap_or_default();
    let offset = sizes.offset.unwrap_or_default();
    let mut range = NdRange {
        dims: sizes.dims,
        offset: offset.map(|n| n as u64),
        global: global.map(|n| n as u64),
        local: None,
    };
    // CL_INVALID_GLOBAL_OFFSET if size and offset exceed what size_t can represent.
    if (0..dims).any(|d| global[d].checked_add(offset[d]).is_none()) {
        return Err(ClError::INVALID_GLOBAL_OFFSET);
    }
    range.local = kernel.enqueued_local_size(device, range.global, sizes.local)?;
    Ok((!range.global.contains(&0)).then_some(range))
}

pub fn enqueue_nd_range_kernel(
    command_queue: cl_command_queue,
    kernel: cl_kernel,
    work_dim: cl_uint,
    global_work_offset: In<usize>,
    global_work_size: In<usize>,
    local_work_size: In<usize>,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let (queue, kernel) = queue_and_kernel(command_queue, kernel)?;
    let sizes = || {
        Sizes::new(
            work_dim,
            global_work_offset,
            global_work_size,
            local_work_size,
        )
    };
    let waits = || wait_list(&queue, num_events_in_wait_list, event_wait_list);
    let (command, mut waits) = launch(queue.device(), &kernel, sizes, waits)?;
    waits.extend(kernel.begin(queue.device())?);
    queue.enqueue(CL_COMMAND_NDRANGE_KERNEL, command, waits, false, event)
}

/// The command of a launch, and its wait list.
pub(super) fn launch<W>(
    device: &Arc<Device>,
    kernel: &Kernel,
    sizes: impl FnOnce() -> ClResult<Sizes>,
    waits: impl FnOnce() -> ClResult<W>,
) -> ClResult<(Command, W)> {
    let made = || {
        let range = nd_range(kernel, device, &sizes()?)?;
        let waits = waits()?;
        let command = match range {
            Some(range) => Command::NdRange(kernel.launch(device, &range)?),
            // The command succeeds when its event dependencies are satisfied.
            None => kernel.check_args().map(|()| Command::Marker)?,
        };
        Ok((command, waits))
    };
    // CL_INVALID_KERNEL_ARGS, if an argument has not been set, comes before all other errors. A launch checks that by itself.
    let unset_first = |error: ClError| kernel.check_args().and(Err(error));
    made().or_else(unset_first)
}

pub fn enqueue_task(
    command_queue: cl_command_queue,
    kernel: cl_kernel,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    // As clEnqueueNDRangeKernel with one work-item.
    let (queue, kernel) = queue_and_kernel(command_queue, kernel)?;
    kernel.check_args()?;
    let attributes = kernel.info_for(queue.device()).map(|i| &i.attributes);
    let sized = |a: &KernelAttributes| {
        a.reqd_work_group_size.is_some_and(|r| r != [1; 3])
            || a.reqd_sub_groups.is_some_and(|n| n != 1)
    };
    if attributes.is_some_and(sized) {
        return Err(ClError::INVALID_WORK_GROUP_SIZE);
    }
    let mut waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let command = Command::NdRange(kernel.launch(queue.device(), &NdRange::SINGLE)?);
    waits.extend(kernel.begin(queue.device())?);
    queue.enqueue(CL_COMMAND_TASK, command, waits, false, event)
}

pub fn enqueue_native_kernel(
    command_queue: cl_command_queue,
    user_func: Option<extern "C" fn(*mut c_void)>,
    args: *mut c_void,
    cb_args: usize,
    num_mem_objects: cl_uint,
    mem_list: In<cl_mem>,
    args_mem_loc: In<*const c_void>,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not valid.
    let queue = handle::get(command_queue)?;
    let invalid = ClError::INVALID_VALUE;
    // CL_INVALID_VALUE if user_func is NULL; if args is NULL and cb_args or num_mem_objects
    // are greater than 0; if args is not NULL and cb_args is 0.
    let function = user_func.ok_or(invalid)?;
    if args.is_null() != (cb_args == 0) || (args.is_null() && num_mem_objects > 0) {
        return Err(invalid);
    }
    // CL_INVALID_VALUE if num_mem_objects is greater than 0 and mem_list or args_mem_loc are
    // NULL, or the other way round.
    let objects = mem_list.list(num_mem_objects, invalid)?;
    let places = args_mem_loc.list(num_mem_objects, invalid)?;
    // CL_INVALID_OPERATION if the device cannot execute native kernels.
    if !queue.device().facts().native_kernels {
        return Err(ClError::INVALID_OPERATION);
    }
    // A list of words, because the arguments must be aligned.
    let mut block = fallible::zeros::<u64>(cb_args.div_ceil(size_of::<u64>()))?;
    let mut copied = fallible::copy(bytes(args, cb_args).unwrap_or_default())?;
    let mut kept = Vec::new();
    for (object, place) in objects.into_iter().zip(places) {
        // CL_INVALID_MEM_OBJECT if an object is neither NULL nor a valid buffer.
        let mut address = 0;
        if !object.is_null() {
            let memory = handle::get(object)?;
            memory.check_buffer()?;
            queue.check_context(&memory.context)?;
            let found = memory.buffer.host_address(queue.device());
            address = found.ok_or(ClError::MEM_OBJECT_ALLOCATION_FAILURE)?;
            kept.push(memory);
        }
        let at = (place as usize).wrapping_sub(args as usize);
        let slot = copied.get_mut(at..at.wrapping_add(size_of::<usize>()));
        slot.ok_or(invalid)?.copy_from_slice(&address.to_ne_bytes());
    }
    for (word, bytes) in block.iter_mut().zip(copied.chunks(size_of::<u64>())) {
        let mut padded = [0; size_of::<u64>()];
        padded[..bytes.len()].copy_from_slice(bytes);
        *word = u64::from_ne_bytes(padded);
    }
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let buffers = kept.iter().map(|memory| memory.buffer.clone()).collect();
    let run = move || {
        let args = match block.is_empty() {
            true => std::ptr::null_mut(),
            false => block.as_mut_ptr().cast(),
        };
        function(args);
        drop(kept);
        Ok(())
    };
    let command = Command::Native(Box::new(run), buffers);
    queue.enqueue(CL_COMMAND_NATIVE_KERNEL, command, waits, false, event)
}

pub fn get_kernel_suggested_local_work_size(
    command_queue: cl_command_queue,
    kernel: cl_kernel,
    work_dim: cl_uint,
    global_work_offset: In<usize>,
    global_work_size: In<usize>,
    suggested_local_work_size: Out<usize>,
) -> ClResult {
    let (queue, kernel) = queue_and_kernel(command_queue, kernel)?;
    let device = queue.device();
    kernel.check_args()?;
    let sizes = Sizes::new(work_dim, global_work_offset, global_work_size, In::NULL)?;
    let range = nd_range(&kernel, device, &sizes)?;
    // CL_INVALID_GLOBAL_WORK_SIZE if global_work_size is NULL or any of its values zero.
    let range = range.ok_or(ClError::INVALID_GLOBAL_WORK_SIZE)?;
    // CL_INVALID_VALUE if suggested_local_work_size is NULL.
    if suggested_local_work_size.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    // Launches of kernels that cannot tell take groups that reach beyond the global size, which an application
    // must not.
    let local = match range.local {
        Some(local) => local,
        None => kernel.suggested_local_size(device, range.global)?,
    };
    let local = local.map(|n| n as usize);
    suggested_local_work_size.set_all(&local[..work_dim as usize]);
    Ok(())
}
