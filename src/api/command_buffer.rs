//! Command buffers (cl_khr_command_buffer, cl_khr_command_buffer_multi_device): commands that are recorded once and enqueued many
//! times.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard};

use super::enqueue_buffer::{copy_buffer, copy_buffer_rect, fill_buffer};
use super::enqueue_image::{copy_buffer_to_image, copy_image, copy_image_to_buffer, fill_image};
use super::enqueue_kernel::{Sizes, check_kernel, kernel_of, launch, nd_range};
use super::event::{ApiEvent, wait_list};
use super::info::{Info, Written};
use super::mutable_command::{MutableCommand, MutableProperties};
use super::pointer::{In, Out, SentHandle};
use super::queue::CommandQueue;
use super::raw::constants::*;
use super::raw::types::*;
use super::{handle, svm};
use crate::os::sync::Unpoisoned;
use crate::runtime::command::Command;
use crate::runtime::command::parts::{Parts, Place};
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::dispatch::Launch as Dispatch;
use crate::runtime::program::kernel::Kernel;
use crate::runtime::submit::event::Event;
use crate::runtime::submit::queue::Completion;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::handle::Handle;

/// CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR; none is required.
pub const SUPPORTED_QUEUE_PROPERTIES: cl_command_queue_properties =
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;

/// What a cl_command_buffer_khr stands for.
pub struct CommandBuffer {
    pub handle: Handle,
    /// They all are of one context.
    pub queues: Vec<Arc<CommandQueue>>,
    /// CL_COMMAND_BUFFER_MUTABLE_KHR.
    pub mutable: bool,
    /// CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR.
    one_device: bool,
    /// CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR: the list as given, with its final 0.
    property_list: Vec<cl_command_buffer_properties_khr>,
    contents: Mutex<Contents>,
}

pub(super) struct Contents {
    parts: Parts,
    pub launches: Vec<Launch>,
    /// The handles of mutable commands, which end with the command buffer.
    handles: Vec<SentHandle<_cl_mutable_command_khr>>,
    /// CL_COMMAND_BUFFER_STATE_KHR.
    pub state: cl_command_buffer_state_khr,
}

/// A launch of a command buffer, as what it was made from.
#[derive(Clone)]
pub(super) struct Launch {
    place: Place,
    /// With the launch's arguments.
    pub kernel: Arc<Kernel>,
    pub sizes: Sizes,
    /// Not all arguments are set, which mutable commands may do without until the command buffer is enqueued.
    deferred: bool,
    /// It may reach memory that no argument names, or queues of the device, so it is made anew for each enqueue: what there is changes.
    reaching: bool,
    /// Its program may have initialisers to wait for.
    begins: bool,
}

impl Launch {
    /// Makes the command of arguments and sizes, which may be set later if `defers`.
    pub fn make(&mut self, device: &Arc<Device>, defers: bool) -> ClResult<Command> {
        self.deferred = defers && self.kernel.check_args().is_err();
        let command = match self.deferred {
            true => nd_range(&self.kernel, device, &self.sizes).map(|_| Command::Marker)?,
            false => launch(device, &self.kernel, || Ok(self.sizes), || Ok(()))?.0,
        };
        self.begins = self.kernel.begins(device);
        let reaches = |launch: &Dispatch| launch.is_indirect() || launch.may_enqueue();
        self.reaching = matches!(&command, Command::NdRange(launch) if reaches(launch));
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
        let replace =
            |(launch, command): (Launch, Command)| self.parts.replace(launch.place, command);
        commands.into_iter().map(replace).collect()
    }

    /// The number of a launch's queue.
    pub fn queue_of(&self, launch: &Launch) -> usize {
        self.parts.queue_of(launch.place)
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
    let queues = queue_list(num_queues, queues)?;
    // CL_INVALID_VALUE if a property or its value is not valid, or it is given twice. All flags and assertions are supported.
    let known = [
        (
            CL_COMMAND_BUFFER_FLAGS_KHR,
            CL_COMMAND_BUFFER_MUTABLE_KHR
                | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR
                | CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR,
        ),
        (
            CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
            CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR,
        ),
    ];
    let [flags, _] = bitfields(properties, known)?;
    let is_set = |flag| flags.is_some_and(|flags| flags & flag != 0);
    let one_device = is_set(CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR);
    check_devices(one_device, &queues)?;
    let in_order = |queue: &Arc<CommandQueue>| !queue.queue.properties().out_of_order;
    let parts = Parts::new(queues.iter().map(in_order).collect());
    Ok(handle::new(Arc::new(CommandBuffer {
        handle: Handle::default(),
        queues,
        mutable: is_set(CL_COMMAND_BUFFER_MUTABLE_KHR),
        one_device,
        property_list: properties.property_list(),
        contents: Mutex::new(Contents {
            parts,
            launches: Vec::new(),
            handles: Vec::new(),
            state: CL_COMMAND_BUFFER_STATE_RECORDING_KHR,
        }),
    })))
}

/// The queues of a new command buffer. CL_INVALID_VALUE if there are none; CL_INVALID_COMMAND_QUEUE if one is not valid;
/// CL_INVALID_CONTEXT if they are not of one context.
fn queue_list(
    num_queues: cl_uint,
    queues: In<cl_command_queue>,
) -> ClResult<Vec<Arc<CommandQueue>>> {
    let queues = handle::get_all(&queues.some(num_queues, ClError::INVALID_VALUE)?)?;
    let context = &queues[0].context;
    queues
        .iter()
        .try_for_each(|queue| queue.check_context(context))?;
    Ok(queues)
}

/// CL_INCOMPATIBLE_COMMAND_QUEUE_KHR if there must be one device, since different ones wait for one another on the host.
fn check_devices(one: bool, queues: &[Arc<CommandQueue>]) -> ClResult {
    let same = |queue: &Arc<CommandQueue>| Arc::ptr_eq(queue.device(), queues[0].device());
    match one && !queues.iter().all(same) {
        true => Err(ClError::INCOMPATIBLE_COMMAND_QUEUE_KHR),
        false => Ok(()),
    }
}

/// The values of properties that are bit-fields. CL_INVALID_VALUE if another property or another bit is given, or one twice.
pub(super) fn bitfields<const N: usize>(
    properties: In<cl_properties>,
    known: [(cl_properties, cl_bitfield); N],
) -> ClResult<[Option<cl_bitfield>; N]> {
    let invalid = ClError::INVALID_VALUE;
    let pairs = properties.properties_among(&known.map(|row| row.0), &[]);
    let mut values = [None; N];
    for (name, value) in pairs.ok_or(invalid)? {
        for (row, slot) in known.iter().zip(&mut values) {
            if row.0 == name {
                *slot = Some(value[0]);
                if value[0] & !row.1 != 0 {
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
    contents.parts.finish();
    contents.settle();
    Ok(())
}

/// The queues that a command buffer is enqueued to: its own, or those of the application's choice.
fn targets(
    buffer: &CommandBuffer,
    num_queues: cl_uint,
    queues: In<cl_command_queue>,
) -> ClResult<Vec<Arc<CommandQueue>>> {
    // CL_INVALID_VALUE if queues is NULL and num_queues is not zero, or the other way round; or if it is not as many as at
    // the creation.
    let given = queues.list(num_queues, ClError::INVALID_VALUE)?;
    if given.is_empty() {
        return Ok(buffer.queues.clone());
    }
    if given.len() != buffer.queues.len() {
        return Err(ClError::INVALID_VALUE);
    }
    let queues = handle::get_all(&given)?;
    for (queue, own) in queues.iter().zip(&buffer.queues) {
        // CL_INVALID_DEVICE, CL_INVALID_CONTEXT if device or context are others. All properties of queues are supported.
        if !Arc::ptr_eq(queue.device(), own.device()) {
            return Err(ClError::INVALID_DEVICE);
        }
        queue.check_context(&own.context)?;
    }
    Ok(queues)
}

pub fn enqueue_command_buffer(
    num_queues: cl_uint,
    queues: In<cl_command_queue>,
    command_buffer: cl_command_buffer_khr,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    const KIND: cl_command_type = CL_COMMAND_COMMAND_BUFFER_KHR;
    let buffer = handle::get(command_buffer)?;
    let queues = targets(&buffer, num_queues, queues)?;
    let mut contents = buffer.contents();
    // CL_INVALID_OPERATION if it is not executable.
    if contents.state != CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR {
        return Err(ClError::INVALID_OPERATION);
    }
    let mut waits = wait_list(&queues[0], num_events_in_wait_list, event_wait_list)?;
    let mut begun: Vec<Arc<Event>> = Vec::new();
    for launch in contents.launches.iter().filter(|launch| launch.begins) {
        let device = queues[contents.queue_of(launch)].device();
        begun.extend(launch.kernel.begin(device)?);
    }
    waits.extend(begun.iter().cloned());
    let renew = |launch: &Launch| {
        let mut launch = launch.clone();
        let device = queues[contents.queue_of(&launch)].device();
        let command = launch.make(device, false)?;
        Ok((launch, command))
    };
    let reaching = contents.launches.iter().filter(|launch| launch.reaching);
    let renewed = reaching.map(renew).collect::<ClResult<Vec<_>>>()?;
    let old = contents.replace(renewed);
    let parts = contents.parts.parts().to_vec();
    drop(contents);
    drop(old);
    if let [queue] = &queues[..] {
        let part = parts.into_iter().next();
        let sequence = part.map_or_else(Arc::default, |part| part.sequence);
        return queue.enqueue(KIND, Command::Sequence(sequence), waits, false, event);
    }
    // A part waits for the parts before it by their events. What none of them waits for, the end does.
    let mut ended: Vec<Arc<Event>> = Vec::new();
    for part in &parts {
        let before = part.after.iter().map(|&at| ended[at].clone());
        let waits = match part.after.is_empty() {
            true => waits.clone(),
            false => before.chain(begun.iter().cloned()).collect(),
        };
        let command = Command::Sequence(part.sequence.clone());
        ended.extend(
            queues[part.queue]
                .queue
                .enqueue(command, waits, Completion::Event)?,
        );
    }
    if event.is_null() {
        return Ok(());
    }
    let waits = match ended.is_empty() {
        true => waits,
        false => ended.clone(),
    };
    let end = queues[0]
        .queue
        .enqueue(Command::Marker, waits, Completion::Event)?;
    if let Some(end) = end {
        let context = &queues[0].context;
        event.set(handle::new(ApiEvent::of_parts(context, KIND, end, ended)));
    }
    Ok(())
}

/// A copy of a command buffer, whose commands are those of other queues.
pub fn remap_command_buffer(
    command_buffer: cl_command_buffer_khr,
    automatic: cl_bool,
    num_queues: cl_uint,
    queues: In<cl_command_queue>,
    num_handles: cl_uint,
    handles: In<cl_mutable_command_khr>,
    handles_ret: Out<cl_mutable_command_khr>,
) -> ClResult<cl_command_buffer_khr> {
    let buffer = handle::get(command_buffer)?;
    let invalid = ClError::INVALID_VALUE;
    // CL_INVALID_OPERATION if Caldera is to choose the queues.
    if automatic != CL_FALSE {
        return Err(ClError::INVALID_OPERATION);
    }
    let queues = queue_list(num_queues, queues)?;
    // CL_INVALID_VALUE if there are not as many queues as at the creation.
    if queues.len() != buffer.queues.len() {
        return Err(invalid);
    }
    queues[0].check_context(&buffer.queues[0].context)?;
    check_devices(buffer.one_device, &queues)?;
    // CL_INVALID_VALUE if one of a list and its length is NULL or zero and the other not, or a handle is not the command buffer's.
    let handles = handles.list(num_handles, invalid)?;
    if handles_ret.is_null() != handles.is_empty() {
        return Err(invalid);
    }
    let handles = handle::get_all(&handles).map_err(|_| invalid)?;
    if !handles.iter().all(|command| command.is_of(&buffer)) {
        return Err(invalid);
    }
    let contents = buffer.contents();
    let mut parts = contents.parts.clone();
    let mut launches = contents.launches.clone();
    let state = contents.state;
    drop(contents);
    // The errors of commands on the devices that are new to them.
    let moved = |&at: &usize| !Arc::ptr_eq(queues[at].device(), buffer.queues[at].device());
    for at in (0..queues.len()).filter(moved) {
        parts.check_for(at, queues[at].device())?;
    }
    for launch in &mut launches {
        let at = parts.queue_of(launch.place);
        if moved(&at) {
            check_kernel(&queues[at], &launch.kernel)?;
            let command = launch.make(queues[at].device(), launch.deferred)?;
            parts.replace(launch.place, command);
        }
    }
    let copy = Arc::new(CommandBuffer {
        handle: Handle::default(),
        queues,
        mutable: buffer.mutable,
        one_device: buffer.one_device,
        property_list: buffer.property_list.clone(),
        contents: Mutex::new(Contents {
            parts,
            launches,
            handles: Vec::new(),
            state,
        }),
    });
    let new = |command: &Arc<MutableCommand>| {
        let new = handle::new(Arc::new(command.for_copy(&copy)));
        copy.contents().handles.push(SentHandle::new(new));
        new
    };
    handles_ret.set_all(&handles.iter().map(new).collect::<Vec<_>>());
    Ok(handle::new(copy))
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

/// Where something is added.
struct Target<'a> {
    buffer: &'a Arc<CommandBuffer>,
    contents: MutexGuard<'a, Contents>,
    /// The number of the queue.
    queue: usize,
    /// The sync points to wait for.
    waits: Vec<cl_sync_point_khr>,
}

impl Target<'_> {
    fn queue(&self) -> &Arc<CommandQueue> {
        &self.buffer.queues[self.queue]
    }
}

impl Given {
    /// Adds something to the command buffer, and returns its sync point. Properties and a handle are for launches alone.
    fn add(
        &self,
        mutable: bool,
        add: impl FnOnce(Target) -> ClResult<cl_sync_point_khr>,
    ) -> ClResult {
        let buffer = &handle::get(self.command_buffer)?;
        // CL_INVALID_COMMAND_QUEUE if command_queue is none of the command buffer's, or NULL where that has several.
        let is_given = |queue: &Arc<CommandQueue>| handle::of(queue) == self.command_queue;
        let queue = match (self.command_queue.is_null(), buffer.queues.len()) {
            (true, 1) => Some(0),
            (true, _) => None,
            (false, _) => buffer.queues.iter().position(is_given),
        };
        let queue = queue.ok_or(ClError::INVALID_COMMAND_QUEUE)?;
        let contents = buffer.contents();
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
        self.sync_point.set(add(Target {
            buffer,
            contents,
            queue,
            waits,
        })?);
        Ok(())
    }

    /// Adds a command.
    fn command(self, make: impl FnOnce(&CommandQueue) -> ClResult<Command>) -> ClResult {
        self.add(false, |mut to| {
            let command = make(to.queue())?;
            Ok(to.contents.parts.add(to.queue, command, &to.waits)?.1)
        })
    }

    /// Adds a launch.
    fn launch(self, kernel: cl_kernel, sizes: impl FnOnce() -> ClResult<Sizes>) -> ClResult {
        self.add(true, |mut to| {
            let properties = MutableProperties::new(self.properties)?;
            let kernel = kernel_of(to.queue(), kernel)?;
            let defers = to.buffer.mutable && properties.defers_arguments();
            // CL_INVALID_KERNEL_ARGS, if an argument has not been set, comes before errors of sizes.
            let sizes = sizes().or_else(|error| match defers {
                true => Err(error),
                false => kernel.check_args().and(Err(error)),
            })?;
            let mut launch = Launch {
                place: Place::default(),
                kernel: kernel.duplicate(),
                sizes,
                deferred: false,
                reaching: false,
                begins: false,
            };
            let command = launch.make(to.queue().device(), defers)?;
            let (place, sync_point) = to.contents.parts.add(to.queue, command, &to.waits)?;
            launch.place = place;
            if !self.mutable_handle.is_null() {
                let index = to.contents.launches.len();
                let command = MutableCommand::new(to.buffer, index, kernel, properties);
                let command = handle::new(Arc::new(command));
                to.contents.handles.push(SentHandle::new(command));
                self.mutable_handle.set(command);
            }
            to.contents.launches.push(launch);
            Ok(sync_point)
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
        given.add(false, |mut to| to.contents.parts.add_barrier(&to.waits))
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
        CL_COMMAND_BUFFER_NUM_QUEUES_KHR => out.value(buffer.queues.len() as cl_uint),
        CL_COMMAND_BUFFER_QUEUES_KHR => {
            out.list(&buffer.queues.iter().map(handle::of).collect::<Vec<_>>())
        }
        CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR => {
            out.value(handle::reference_count(command_buffer)?)
        }
        CL_COMMAND_BUFFER_STATE_KHR => out.value(buffer.contents().state),
        CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR => out.list(&buffer.property_list),
        CL_COMMAND_BUFFER_CONTEXT_KHR => out.value(handle::of(&buffer.queues[0].context)),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}
