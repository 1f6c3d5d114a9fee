//! Command buffers (cl_khr_command_buffer): commands that are recorded once and enqueued many times.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard};

use super::enqueue_buffer::{copy_buffer, copy_buffer_rect, fill_buffer};
use super::enqueue_image::{copy_buffer_to_image, copy_image, copy_image_to_buffer, fill_image};
use super::enqueue_kernel::{Sizes, kernel_of, launch, nd_range};
use super::event::wait_list;
use super::info::{Info, Written};
use super::mutable_command::{MutableCommand, MutableProperties};
use super::pointer::{In, Out, SentHandle};
use super::queue::CommandQueue;
use super::raw::constants::*;
use super::raw::types::*;
use super::{handle, svm};
use crate::os::sync::Unpoisoned;
use crate::runtime::command::Command;
use crate::runtime::command::sequence::Sequence;
use crate::runtime::gpu::device::Device;
use crate::runtime::program::kernel::Kernel;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;

/// CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR; none is required.
pub const SUPPORTED_QUEUE_PROPERTIES: cl_command_queue_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

/// What a cl_command_buffer_khr stands for.
pub struct CommandBuffer {
    pub handle: Handle,
    pub queue: Arc<CommandQueue>,
    /// CL_COMMAND_BUFFER_MUTABLE_KHR.
    pub mutable: bool,
    /// CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR: the list as given, with its final 0.
    property_list: Vec<cl_command_buffer_properties_khr>,
    contents: Mutex<Contents>,
}

pub(super) struct Contents {
    sequence: Arc<Sequence>,
    pub launches: Vec<Launch>,
    /// The handles of mutable commands, which end with the command buffer.
    handles: Vec<SentHandle<_cl_mutable_command_khr>>,
    /// CL_COMMAND_BUFFER_STATE_KHR.
    pub state: cl_command_buffer_state_khr,
}

/// A launch of a command buffer, as what it was made from.
#[derive(Clone)]
pub(super) struct Launch {
    step: usize,
    /// With the launch's arguments.
    pub kernel: Arc<Kernel>,
    pub sizes: Sizes,
    /// Not all arguments are set, which mutable commands may do without until the command buffer is enqueued.
    deferred: bool,
    /// It may reach memory that no argument names, so it is made anew for each enqueue: what there is changes.
    reaching: bool,
}

impl Launch {
    /// Makes the command of arguments and sizes, which may be set later if `defers`.
    pub fn make(&mut self, device: &Arc<Device>, defers: bool) -> ClResult<Command> {
        self.deferred = defers && self.kernel.check_args().is_err();
        let command = match self.deferred {
            true => nd_range(&self.kernel, device, &self.sizes).map(|_| Command::Marker)?,
            false => launch(device, &self.kernel, || Ok(self.sizes), || Ok(()))?.0,
        };
        self.reaching = matches!(&command, Command::NdRange(launch) if launch.is_indirect());
        Ok(command)
    }
}

impl CommandBuffer {
    pub(super) fn contents(&self) -> MutexGuard<'_, Contents> {
        self.contents.lock().unpoisoned()
    }
}

impl Drop for CommandBuffer {
    fn drop(&mut self) {
        for command in self.contents().handles.drain(..) {
            // It has no other reference: there is no function for that.
            let _ = handle::release(command.handle());
        }
    }
}

impl Contents {
    /// Replaces commands. Returns the old ones, which must not end under the lock of the contents.
    #[must_use]
    pub fn replace(&mut self, commands: Vec<(Launch, Command)>) -> Vec<Option<Arc<Command>>> {
        let sequence = Arc::make_mut(&mut self.sequence);
        let replace = |(launch, command): (Launch, Command)| sequence.replace(launch.step, command);
        commands.into_iter().map(replace).collect()
    }

    /// The state behind the end of recording.
    pub fn settle(&mut self) {
        self.state = match self.launches.iter().any(|launch| launch.deferred) {
            true => CL_COMMAND_BUFFER_STATE_FINALIZED_KHR,
            false => CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR,
        };
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
    // CL_INVALID_VALUE if a property or its value is not valid, or it is given twice. All flags and assertions are supported.
    let known = [
        (
            CL_COMMAND_BUFFER_FLAGS_KHR,
            CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR,
        ),
        (
            CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
            CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR,
        ),
    ];
    let [flags, _] = bitfields(properties, known)?;
    let in_order = !queue.queue.properties().out_of_order;
    Ok(handle::new(Arc::new(CommandBuffer {
        handle: Handle::default(),
        queue,
        mutable: flags.is_some_and(|flags| flags & CL_COMMAND_BUFFER_MUTABLE_KHR != 0),
        property_list: properties.property_list(),
        contents: Mutex::new(Contents {
            sequence: Arc::new(Sequence::new(in_order)),
            launches: Vec::new(),
            handles: Vec::new(),
            state: CL_COMMAND_BUFFER_STATE_RECORDING_KHR,
        }),
    })))
}

/// The values of properties that are bit-fields. CL_INVALID_VALUE if another property or another bit is given, or one twice.
pub(super) fn bitfields<const N: usize>(
    properties: In<cl_properties>,
    known: [(cl_properties, cl_bitfield); N],
) -> ClResult<[Option<cl_bitfield>; N]> {
    let invalid = ClError::INVALID_VALUE;
    let pairs = properties.properties_among(&known.map(|row| row.0));
    let mut values = [None; N];
    for (name, value) in pairs.ok_or(invalid)? {
        for (row, slot) in known.iter().zip(&mut values) {
            if row.0 == name {
                *slot = Some(value);
                if value & !row.1 != 0 {
                    return Err(invalid);
                }
            }
        }
    }
    Ok(values)
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
    Arc::make_mut(&mut contents.sequence).finish();
    contents.settle();
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
    let mut contents = buffer.contents();
    // CL_INVALID_OPERATION if it is not executable.
    if contents.state != CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR {
        return Err(ClError::INVALID_OPERATION);
    }
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    let renew = |launch: &Launch| {
        let mut launch = launch.clone();
        let command = launch.make(queue.device(), false)?;
        Ok((launch, command))
    };
    let reaching = contents.launches.iter().filter(|launch| launch.reaching);
    let renewed = reaching.map(renew).collect::<ClResult<Vec<_>>>()?;
    let old = contents.replace(renewed);
    let command = Command::Sequence(contents.sequence.clone());
    drop(contents);
    drop(old);
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
    /// Adds something to the command buffer, with its sync points to wait for, and returns its own. Properties and a handle are for
    /// launches alone.
    fn add<T>(
        &self,
        mutable: bool,
        add: impl FnOnce(&Arc<CommandBuffer>, &mut Contents, &[cl_sync_point_khr]) -> ClResult<T>,
    ) -> ClResult<T> {
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
        if !mutable {
            bitfields(self.properties, [])?;
            if !self.mutable_handle.is_null() {
                return Err(ClError::INVALID_VALUE);
            }
        }
        let (count, list) = self.waits;
        // CL_INVALID_SYNC_POINT_WAIT_LIST_KHR if one of list and length is NULL or zero and the other not.
        let waits = list.list(count, ClError::INVALID_SYNC_POINT_WAIT_LIST_KHR)?;
        add(&buffer, &mut contents, &waits)
    }

    /// Adds a command.
    fn command(self, make: impl FnOnce(&CommandQueue) -> ClResult<Command>) -> ClResult {
        let sync_point = self.add(false, |buffer, contents, waits| {
            let command = make(&buffer.queue)?;
            Arc::make_mut(&mut contents.sequence).add(command, waits)
        })?;
        self.sync_point.set(sync_point);
        Ok(())
    }

    /// Adds a launch.
    fn launch(self, kernel: cl_kernel, sizes: impl FnOnce() -> ClResult<Sizes>) -> ClResult {
        self.add(true, |buffer, contents, waits| {
            let properties = MutableProperties::new(self.properties)?;
            let device = buffer.queue.device();
            let kernel = kernel_of(&buffer.queue, kernel)?;
            let defers = buffer.mutable && properties.defers_arguments();
            // CL_INVALID_KERNEL_ARGS, if an argument has not been set, comes before errors of sizes.
            let sizes = sizes().or_else(|error| match defers {
                true => Err(error),
                false => kernel.check_args().and(Err(error)),
            })?;
            let mut launch = Launch {
                step: contents.sequence.next_step(),
                kernel: kernel.duplicate(),
                sizes,
                deferred: false,
                reaching: false,
            };
            let command = launch.make(device, defers)?;
            let sync_point = Arc::make_mut(&mut contents.sequence).add(command, waits)?;
            if !self.mutable_handle.is_null() {
                let index = contents.launches.len();
                let command = MutableCommand::new(buffer, index, kernel, properties);
                let command = handle::new(Arc::new(command));
                contents.handles.push(SentHandle::new(command));
                self.mutable_handle.set(command);
            }
            contents.launches.push(launch);
            self.sync_point.set(sync_point);
            Ok(())
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
        let sync_point = given.add(false, |_, contents, waits| {
            Arc::make_mut(&mut contents.sequence).add_barrier(waits)
        })?;
        given.sync_point.set(sync_point);
        Ok(())
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
        given.launch(kernel, || Sizes::new(work_dim, offset, global, local))
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
