//! Command buffers (cl_khr_command_buffer): commands that are recorded once and enqueued many times.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard};

use super::enqueue_buffer::{copy_buffer, copy_buffer_rect, fill_buffer};
use super::enqueue_image::{copy_buffer_to_image, copy_image, copy_image_to_buffer, fill_image};
use super::enqueue_kernel::{kernel_of, launch};
use super::event::wait_list;
use super::info::{Info, Written};
use super::pointer::{In, Out};
use super::queue::CommandQueue;
use super::raw::constants::*;
use super::raw::types::*;
use super::{handle, svm};
use crate::os::sync::Unpoisoned;
use crate::runtime::command::Command;
use crate::runtime::command::sequence::Sequence;
use crate::runtime::launch::plan::NdRange;
use crate::runtime::program::kernel::Kernel;
use crate::runtime::support::error::{ClError, ClResult};

/// CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR; none is required.
pub const SUPPORTED_QUEUE_PROPERTIES: cl_command_queue_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

/// What a cl_command_buffer_khr stands for.
pub struct CommandBuffer {
    queue: Arc<CommandQueue>,
    /// CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR: the list as given, with its final 0.
    property_list: Vec<cl_command_buffer_properties_khr>,
    contents: Mutex<Contents>,
}

struct Contents {
    sequence: Arc<Mutex<Sequence>>,
    /// Launches that may reach memory that no argument names: they are made anew for each enqueue, since what there is
    /// changes. Their steps, with a kernel that has their arguments.
    reaching: Vec<(usize, Arc<Kernel>, NdRange)>,
    /// CL_COMMAND_BUFFER_STATE_KHR.
    state: cl_command_buffer_state_khr,
}

impl CommandBuffer {
    fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unpoisoned()
    }
}

pub fn create_command_buffer(
    num_queues: cl_uint,
    queues: In<cl_command_queue>,
    properties: In<cl_command_buffer_properties_khr>,
) -> ClResult<cl_command_buffer_khr> {
    // CL_INVALID_VALUE if num_queues is not one or queues is NULL.
    let queue = match (num_queues, queues.get()) {
        (1, Some(queue)) => handle::get(queue)?,
        _ => return Err(ClError::INVALID_VALUE),
    };
    let mut flags = None;
    for (name, value) in properties.properties() {
        // CL_INVALID_VALUE if a property is not valid or is given twice.
        if name != CL_COMMAND_BUFFER_FLAGS_KHR || flags.replace(value).is_some() {
            return Err(ClError::INVALID_VALUE);
        }
    }
    // CL_INVALID_PROPERTY for what no device supports: all flags are those of other extensions.
    if flags.unwrap_or_default() != 0 {
        return Err(ClError::INVALID_PROPERTY);
    }
    let in_order = !queue.queue.properties().out_of_order;
    Ok(handle::new(Arc::new(CommandBuffer {
        queue,
        property_list: properties.property_list(),
        contents: Mutex::new(Contents {
            sequence: Arc::new(Mutex::new(Sequence::new(in_order))),
            reaching: Vec::new(),
            state: CL_COMMAND_BUFFER_STATE_RECORDING_KHR,
        }),
    })))
}

pub fn retain_command_buffer(command_buffer: cl_command_buffer_khr) -> ClResult {
    handle::retain(command_buffer)
}

pub fn release_command_buffer(command_buffer: cl_command_buffer_khr) -> ClResult {
    handle::release(command_buffer)
}

pub fn finalize_command_buffer(command_buffer: cl_command_buffer_khr) -> ClResult {
    let buffer = handle::get(command_buffer)?;
    let mut contents = buffer.contents();
    // CL_INVALID_OPERATION if it has been finalized.
    if contents.state != CL_COMMAND_BUFFER_STATE_RECORDING_KHR {
        return Err(ClError::INVALID_OPERATION);
    }
    contents.state = CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR;
    Ok(())
}

/// The queue that a command buffer is enqueued to: its own, or one of the application's choice.
fn target(
    buffer: &CommandBuffer,
    num_queues: cl_uint,
    queues: In<cl_command_queue>,
) -> ClResult<Arc<CommandQueue>> {
    // CL_INVALID_VALUE if queues is NULL and num_queues is not zero, or the other way round; or if it is not as many as at
    // the creation.
    let given = queues.list(num_queues, ClError::INVALID_VALUE)?;
    let queue = match given[..] {
        [] => return Ok(buffer.queue.clone()),
        [queue] => handle::get(queue)?,
        _ => return Err(ClError::INVALID_VALUE),
    };
    // CL_INVALID_DEVICE, CL_INVALID_CONTEXT if device or context are others. All properties of queues are supported.
    if !Arc::ptr_eq(queue.device(), buffer.queue.device()) {
        return Err(ClError::INVALID_DEVICE);
    }
    queue.check_context(&buffer.queue.context)?;
    Ok(queue)
}

pub fn enqueue_command_buffer(
    num_queues: cl_uint,
    queues: In<cl_command_queue>,
    command_buffer: cl_command_buffer_khr,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let buffer = handle::get(command_buffer)?;
    let queue = target(&buffer, num_queues, queues)?;
    let contents = buffer.contents();
    // CL_INVALID_OPERATION if it has not been finalized.
    if contents.state != CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR {
        return Err(ClError::INVALID_OPERATION);
    }
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let renew = |(step, kernel, range): &(usize, Arc<Kernel>, NdRange)| {
        Ok((*step, kernel.launch(queue.device(), range)?))
    };
    let launches = contents
        .reaching
        .iter()
        .map(renew)
        .collect::<ClResult<Vec<_>>>()?;
    let sequence = contents.sequence.clone();
    drop(contents);
    for (step, launch) in launches {
        let old = sequence.lock().unpoisoned().renew(step, launch);
        drop(old);
    }
    let command = Command::Sequence(sequence);
    queue.enqueue(CL_COMMAND_COMMAND_BUFFER_KHR, command, waits, false, event)
}

/// What all commands of command buffers are given.
struct Given {
    command_buffer: cl_command_buffer_khr,
    command_queue: cl_command_queue,
    properties: In<cl_command_properties_khr>,
    waits: (cl_uint, In<cl_sync_point_khr>),
    sync_point: Out<cl_sync_point_khr>,
    mutable_handle: Out<cl_mutable_command_khr>,
}

impl Given {
    /// Adds something to the command buffer, with its queue and wait list, and returns its sync point.
    fn add(
        self,
        add: impl FnOnce(&CommandQueue, &mut Contents, &[cl_sync_point_khr]) -> ClResult<cl_uint>,
    ) -> ClResult {
        let buffer = handle::get(self.command_buffer)?;
        // CL_INVALID_COMMAND_QUEUE if command_queue is not NULL: there is one queue.
        if !self.command_queue.is_null() {
            return Err(ClError::INVALID_COMMAND_QUEUE);
        }
        let mut contents = buffer.contents();
        // CL_INVALID_OPERATION if it has been finalized.
        if contents.state != CL_COMMAND_BUFFER_STATE_RECORDING_KHR {
            return Err(ClError::INVALID_OPERATION);
        }
        // CL_INVALID_VALUE if a property is not valid, and there are none, or mutable_handle is not NULL.
        if !self.properties.properties().is_empty() || !self.mutable_handle.is_null() {
            return Err(ClError::INVALID_VALUE);
        }
        let (count, list) = self.waits;
        // CL_INVALID_SYNC_POINT_WAIT_LIST_KHR if one of list and length is NULL or zero and the other not.
        let waits = list.list(count, ClError::INVALID_SYNC_POINT_WAIT_LIST_KHR)?;
        self.sync_point
            .set(add(&buffer.queue, &mut contents, &waits)?);
        Ok(())
    }

    /// Adds a command.
    fn command(self, make: impl FnOnce(&CommandQueue) -> ClResult<Command>) -> ClResult {
        self.add(|queue, contents, waits| {
            let command = make(queue)?;
            contents.sequence.lock().unpoisoned().add(command, waits)
        })
    }
}

/// The functions that add commands: their own parameters stand between those that all have.
macro_rules! commands {
    ($($(#[$doc:meta])* $name:ident($($parameter:ident: $kind:ty),*) = $make:expr;)*) => {
        $(
            $(#[$doc])*
            pub fn $name(
                command_buffer: cl_command_buffer_khr,
                command_queue: cl_command_queue,
                properties: In<cl_command_properties_khr>,
                $($parameter: $kind,)*
                num_sync_points_in_wait_list: cl_uint,
                sync_point_wait_list: In<cl_sync_point_khr>,
                sync_point: Out<cl_sync_point_khr>,
                mutable_handle: Out<cl_mutable_command_khr>,
            ) -> ClResult {
                let given = Given {
                    command_buffer,
                    command_queue,
                    properties,
                    waits: (num_sync_points_in_wait_list, sync_point_wait_list),
                    sync_point,
                    mutable_handle,
                };
                let make: fn(Given, $($kind),*) -> ClResult = $make;
                make(given, $($parameter),*)
            }
        )*
    };
}

commands! {
    command_barrier_with_wait_list() = |given| {
        given.add(|_, contents, waits| contents.sequence.lock().unpoisoned().add_barrier(waits))
    };

    command_copy_buffer(
        src_buffer: cl_mem,
        dst_buffer: cl_mem,
        src_offset: usize,
        dst_offset: usize,
        size: usize
    ) = |given, src, dst, src_offset, dst_offset, size| {
        given.command(|queue| copy_buffer(queue, src, dst, src_offset, dst_offset, size))
    };

    command_copy_buffer_rect(
        src_buffer: cl_mem,
        dst_buffer: cl_mem,
        src_origin: In<usize>,
        dst_origin: In<usize>,
        region: In<usize>,
        src_row_pitch: usize,
        src_slice_pitch: usize,
        dst_row_pitch: usize,
        dst_slice_pitch: usize
    ) = |given, src, dst, src_origin, dst_origin, region, src_row, src_slice, dst_row, dst_slice| {
        given.command(|queue| {
            copy_buffer_rect(
                queue, src, dst, src_origin, dst_origin, region, src_row, src_slice, dst_row, dst_slice,
            )
        })
    };

    command_copy_buffer_to_image(
        src_buffer: cl_mem,
        dst_image: cl_mem,
        src_offset: usize,
        dst_origin: In<usize>,
        region: In<usize>
    ) = |given, src, dst, src_offset, dst_origin, region| {
        given.command(|queue| copy_buffer_to_image(queue, src, dst, src_offset, dst_origin, region))
    };

    command_copy_image(
        src_image: cl_mem,
        dst_image: cl_mem,
        src_origin: In<usize>,
        dst_origin: In<usize>,
        region: In<usize>
    ) = |given, src, dst, src_origin, dst_origin, region| {
        given.command(|queue| copy_image(queue, src, dst, src_origin, dst_origin, region))
    };

    command_copy_image_to_buffer(
        src_image: cl_mem,
        dst_buffer: cl_mem,
        src_origin: In<usize>,
        region: In<usize>,
        dst_offset: usize
    ) = |given, src, dst, src_origin, region, dst_offset| {
        given.command(|queue| copy_image_to_buffer(queue, src, dst, src_origin, region, dst_offset))
    };

    command_fill_buffer(
        buffer: cl_mem,
        pattern: *const c_void,
        pattern_size: usize,
        offset: usize,
        size: usize
    ) = |given, buffer, pattern, pattern_size, offset, size| {
        given.command(|queue| fill_buffer(queue, buffer, pattern, pattern_size, offset, size))
    };

    command_fill_image(
        image: cl_mem,
        fill_color: *const c_void,
        origin: In<usize>,
        region: In<usize>
    ) = |given, image, fill_color, origin, region| {
        given.command(|queue| fill_image(queue, image, fill_color, origin, region))
    };

    command_nd_range_kernel(
        kernel: cl_kernel,
        work_dim: cl_uint,
        global_work_offset: In<usize>,
        global_work_size: In<usize>,
        local_work_size: In<usize>
    ) = |given, kernel, work_dim, offset, global, local| {
        given.add(|queue, contents, waits| {
            let kernel = kernel_of(queue, kernel)?;
            let (command, ()) = launch(queue, &kernel, work_dim, (offset, global, local), || Ok(()))?;
            let range = match &command {
                Command::NdRange(launch) if launch.is_indirect() => Some(*launch.range()),
                _ => None,
            };
            let mut sequence = contents.sequence.lock().unpoisoned();
            let step = sequence.next_step();
            let sync_point = sequence.add(command, waits)?;
            let reaching = range.map(|range| (step, kernel.duplicate(), range));
            contents.reaching.extend(reaching);
            Ok(sync_point)
        })
    };

    /// CL_INVALID_OPERATION if source or destination is not in an allocation of the queue's device: the host would have a part
    /// in it.
    command_svm_memcpy(
        dst_ptr: *mut c_void,
        src_ptr: *const c_void,
        size: usize
    ) = |given, dst, src, size| {
        given.command(|queue| {
            svm::check_svm(queue)?;
            svm::memcpy(queue, dst, src, size)
        })
    };

    command_svm_mem_fill(
        svm_ptr: *mut c_void,
        pattern: *const c_void,
        pattern_size: usize,
        size: usize
    ) = |given, svm_ptr, pattern, pattern_size, size| {
        given.command(|queue| {
            svm::check_svm(queue)?;
            svm::fill(queue, svm_ptr, pattern, pattern_size, size)
        })
    };
}

pub fn get_command_buffer_info(
    command_buffer: cl_command_buffer_khr,
    param_name: cl_command_buffer_info_khr,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    let buffer = handle::get(command_buffer)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let written = match param_name {
        CL_COMMAND_BUFFER_NUM_QUEUES_KHR => out.value::<cl_uint>(1),
        CL_COMMAND_BUFFER_QUEUES_KHR => out.list(&[handle::of(&buffer.queue)]),
        CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR => {
            out.value(handle::reference_count(command_buffer)?)
        }
        CL_COMMAND_BUFFER_STATE_KHR => out.value(buffer.contents().state),
        CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR => out.list(&buffer.property_list),
        CL_COMMAND_BUFFER_CONTEXT_KHR => out.value(handle::of(&buffer.queue.context)),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}
