//! Semaphores (cl_khr_semaphore), and their handles (cl_khr_external_semaphore).
//!
//! A semaphore without handles is a matter of events ([`Local`]). One that is exported or imported is Vulkan's: the submission
//! that waits for it, or signals it, has been made when the enqueue returns, so that others may then do the opposite.

use std::ffi::c_void;
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::Duration;

use super::context::device_of;
use super::event::{ApiEvent, WaitList, wait_list};
use super::external::descriptor;
use super::handle;
use super::info::{Info, Written};
use super::pointer::{In, Out};
use super::queue::CommandQueue;
use super::raw::constants::*;
use super::raw::types::*;
use crate::os::descriptor::Descriptor;
use crate::os::sync::Unpoisoned;
use crate::runtime::command::Command;
use crate::runtime::context::Context;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::facts::DeviceFacts;
use crate::runtime::submit::event::{Event, Status};
use crate::runtime::submit::queue::Completion;
use crate::runtime::submit::semaphore::{self, Semaphore as Local};
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk::caps::External;
use crate::vk::semaphore::{Semaphore as Shared, SemaphoreHandle};

type HandleRow = (
    cl_external_semaphore_handle_type_khr,
    SemaphoreHandle,
    fn(&DeviceFacts) -> External,
);

/// The types of handles, and what a device can do with them.
const HANDLES: [HandleRow; 2] = [
    (
        CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
        SemaphoreHandle::OpaqueFd,
        |facts| facts.semaphore_opaque_fd,
    ),
    (
        CL_SEMAPHORE_HANDLE_SYNC_FD_KHR,
        SemaphoreHandle::SyncFd,
        |facts| facts.semaphore_sync_fd,
    ),
];

/// The types of handles with which all of the devices can do something.
pub fn handles<'a>(
    devices: impl Iterator<Item = &'a Arc<Device>> + Clone,
    able: impl Fn(External) -> bool,
) -> Vec<cl_external_semaphore_handle_type_khr> {
    let by_all = |row: &&HandleRow| devices.clone().all(|device| able((row.2)(device.facts())));
    HANDLES.iter().filter(by_all).map(|row| row.0).collect()
}

/// The types of semaphores.
pub const TYPES: [cl_semaphore_type_khr; 1] = [CL_SEMAPHORE_TYPE_BINARY_KHR];

/// What a cl_semaphore_khr stands for.
pub struct Semaphore {
    context: Arc<Context>,
    device: Arc<Device>,
    /// CL_SEMAPHORE_PROPERTIES_KHR: the list as given, with its final 0.
    property_list: Vec<cl_semaphore_properties_khr>,
    kind: Kind,
}

enum Kind {
    Local(Local),
    Shared {
        semaphore: Arc<Shared>,
        handle: SemaphoreHandle,
        exportable: bool,
        state: Mutex<State>,
    },
}

/// What is known of a shared semaphore.
#[derive(Default)]
struct State {
    /// The command that signals it, for which nothing here has waited since.
    signal: Option<Arc<Event>>,
    /// The sync file that it has been imported from, for which nothing has waited: `None` in it is one that has happened.
    imported: Option<Option<Descriptor>>,
}

impl State {
    fn is_signalled(&self) -> bool {
        let signal = self.signal.as_ref();
        let imported = self.imported.as_ref();
        signal.is_some_and(|event| event.tell_status() == Status::Complete)
            || imported.is_some_and(|fd| fd.as_ref().is_none_or(Descriptor::is_ready))
    }
}

impl Semaphore {
    fn is_signalled(&self) -> bool {
        match &self.kind {
            Kind::Local(local) => local.is_signalled(),
            Kind::Shared { state, .. } => state.lock().unpoisoned().is_signalled(),
        }
    }

    /// The semaphore of Vulkan, if it is one, and what is known of it.
    fn shared(&self) -> Option<(&Arc<Shared>, MutexGuard<'_, State>)> {
        match &self.kind {
            Kind::Local(_) => None,
            Kind::Shared {
                semaphore, state, ..
            } => Some((semaphore, state.lock().unpoisoned())),
        }
    }
}

impl State {
    /// CL_INVALID_VALUE if it is no descriptor.
    fn of_import(handle: SemaphoreHandle, fd: i32) -> ClResult<State> {
        let imported = match (handle, fd) {
            (SemaphoreHandle::SyncFd, -1) => Some(None),
            (_, fd) => {
                let copy = Descriptor::duplicate(fd).map_err(|_| ClError::INVALID_VALUE)?;
                Some(Some(copy)).filter(|_| handle == SemaphoreHandle::SyncFd)
            }
        };
        Ok(State {
            signal: None,
            imported,
        })
    }
}

pub fn create_semaphore_with_properties(
    context: cl_context,
    sema_props: In<cl_semaphore_properties_khr>,
) -> ClResult<cl_semaphore_khr> {
    const TYPE: cl_semaphore_properties_khr = CL_SEMAPHORE_TYPE_KHR as _;
    const DEVICES: cl_semaphore_properties_khr = CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR as _;
    const EXPORTS: cl_semaphore_properties_khr = CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR as _;
    let context = handle::get(context)?;
    // CL_INVALID_VALUE if sema_props is NULL.
    if sema_props.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    // CL_INVALID_PROPERTY if a property or a value is not supported, or a property is there twice.
    let invalid = ClError::INVALID_PROPERTY;
    let imports = HANDLES.map(|row| cl_semaphore_properties_khr::from(row.0));
    let known = [&[TYPE, DEVICES, EXPORTS], &imports[..]].concat();
    let all = sema_props.properties_among(&known, &[DEVICES, EXPORTS]);
    let all = all.ok_or(invalid)?;
    let value = |name| all.iter().find(|row| row.0 == name).map(|row| &row.1[..]);
    // CL_INVALID_VALUE without the type.
    let kind = value(TYPE).ok_or(ClError::INVALID_VALUE)?[0];
    if !TYPES.iter().any(|&known| u64::from(known) == kind) {
        return Err(invalid);
    }
    // CL_INVALID_DEVICE if there is not one device, of the context; CL_INVALID_PROPERTY if the context has several, and none
    // is given.
    let device = match (value(DEVICES), &context.devices[..]) {
        (None, [device]) => device.clone(),
        (None, _) => return Err(invalid),
        (Some(&[id, 0]), _) => device_of(&context, id as usize as cl_device_id)?,
        (Some(_), _) => return Err(ClError::INVALID_DEVICE),
    };
    let able = |row: &HandleRow| (row.2)(device.facts());
    let handle_of = |name: u64| HANDLES.iter().find(|row| u64::from(row.0) == name);
    let mut imported = all
        .iter()
        .filter_map(|(name, value)| Some((handle_of(*name)?, value[0])));
    let kind = match (imported.next(), imported.next(), value(EXPORTS)) {
        (None, _, None | Some([0])) => Kind::Local(Local::default()),
        // What was imported is not exported.
        (Some(_), _, Some(_)) => return Err(ClError::INVALID_OPERATION),
        // It has one payload.
        (Some(_), Some(_), None) => return Err(invalid),
        (Some((row, fd)), None, None) => {
            // CL_INVALID_DEVICE if the device cannot import such handles.
            if !able(row).imports {
                return Err(ClError::INVALID_DEVICE);
            }
            let fd = descriptor(fd).ok_or(ClError::INVALID_VALUE)?;
            let state = Mutex::new(State::of_import(row.1, fd)?);
            Kind::Shared {
                semaphore: semaphore::imported(&device, row.1, fd)?,
                handle: row.1,
                exportable: false,
                state,
            }
        }
        // CL_INVALID_VALUE if there is more than one type of handle.
        (None, _, Some(&[kind, 0])) => {
            let row = handle_of(kind).filter(|row| able(row).exports);
            let row = row.ok_or(invalid)?;
            Kind::Shared {
                semaphore: semaphore::exportable(&device, row.1)?,
                handle: row.1,
                exportable: true,
                state: Mutex::default(),
            }
        }
        (None, _, Some(_)) => return Err(ClError::INVALID_VALUE),
    };
    Ok(handle::new(Arc::new(Semaphore {
        context,
        device,
        property_list: sema_props.property_list_with_lists(&[DEVICES, EXPORTS]),
        kind,
    })))
}

pub fn retain_semaphore(sema_object: cl_semaphore_khr) -> ClResult {
    handle::retain(sema_object)
}

pub fn release_semaphore(sema_object: cl_semaphore_khr) -> ClResult {
    handle::release(sema_object)
}

/// The queue, semaphores and wait list of a command.
fn given(
    command_queue: cl_command_queue,
    semaphores: (cl_uint, In<cl_semaphore_khr>),
    waits: (cl_uint, In<cl_event>),
) -> ClResult<(Arc<CommandQueue>, Vec<Arc<Semaphore>>, WaitList)> {
    let queue = handle::get(command_queue)?;
    // CL_INVALID_VALUE if there are none.
    let semaphores = semaphores.1.some(semaphores.0, ClError::INVALID_VALUE)?;
    let semaphores = handle::get_all(&semaphores)?;
    for semaphore in &semaphores {
        // CL_INVALID_COMMAND_QUEUE if the queue's device is not the semaphore's; CL_INVALID_CONTEXT if only the contexts are not
        // the same.
        if !Arc::ptr_eq(&semaphore.device, queue.device()) {
            return Err(ClError::INVALID_COMMAND_QUEUE);
        }
        queue.check_context(&semaphore.context)?;
    }
    let waits = wait_list(&queue, waits.0, waits.1)?;
    // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if an event has failed.
    match (waits.iter()).any(|event| matches!(event.tell_status(), Status::Failed(_))) {
        true => Err(ClError::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST),
        false => Ok((queue, semaphores, waits)),
    }
}

/// Enqueues a command with the semaphores of Vulkan among those given. Returns when it is submitted, if there are any.
fn enqueue(
    queue: &Arc<CommandQueue>,
    kind: cl_command_type,
    semaphores: &[Arc<Semaphore>],
    mut waits: WaitList,
    event: Out<cl_event>,
) -> ClResult<Arc<Event>> {
    let signal = kind == CL_COMMAND_SEMAPHORE_SIGNAL_KHR;
    let shared: Vec<_> = semaphores
        .iter()
        .filter_map(|semaphore| Some(semaphore.shared()?.0.clone()))
        .collect();
    let command = match shared.is_empty() {
        true => Command::Marker,
        false => Command::Semaphores {
            semaphores: shared.clone(),
            signal,
        },
    };
    if waits.is_empty() && queue.queue.properties().out_of_order {
        // Without a wait list a marker waits for all before it, which may wait for this semaphore.
        let past = Event::user();
        past.set_user_status(Ok(()))?;
        waits.push(past);
    }
    let done = queue.queue.enqueue(command, waits, Completion::Event)?;
    let done = done.ok_or(ClError::OUT_OF_RESOURCES)?;
    if !event.is_null() {
        event.set(handle::new(ApiEvent::of_command(queue, kind, done.clone())));
    }
    let mut pause = Duration::from_micros(10);
    while !shared.is_empty() && done.tell_status() == Status::Queued {
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(1));
    }
    Ok(done)
}

pub fn enqueue_wait_semaphores(
    command_queue: cl_command_queue,
    num_sema_objects: cl_uint,
    sema_objects: In<cl_semaphore_khr>,
    _sema_payload_list: In<cl_semaphore_payload_khr>,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let (queue, semaphores, mut waits) = given(
        command_queue,
        (num_sema_objects, sema_objects),
        (num_events_in_wait_list, event_wait_list),
    )?;
    for semaphore in &semaphores {
        match &semaphore.kind {
            Kind::Local(local) => waits.push(local.wait()),
            Kind::Shared { state, .. } => *state.lock().unpoisoned() = State::default(),
        }
    }
    enqueue(
        &queue,
        CL_COMMAND_SEMAPHORE_WAIT_KHR,
        &semaphores,
        waits,
        event,
    )
    .map(drop)
}

pub fn enqueue_signal_semaphores(
    command_queue: cl_command_queue,
    num_sema_objects: cl_uint,
    sema_objects: In<cl_semaphore_khr>,
    _sema_payload_list: In<cl_semaphore_payload_khr>,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let (queue, semaphores, waits) = given(
        command_queue,
        (num_sema_objects, sema_objects),
        (num_events_in_wait_list, event_wait_list),
    )?;
    let done = enqueue(
        &queue,
        CL_COMMAND_SEMAPHORE_SIGNAL_KHR,
        &semaphores,
        waits,
        event,
    )?;
    for semaphore in &semaphores {
        match &semaphore.kind {
            Kind::Local(local) => local.signal(&done),
            Kind::Shared { state, .. } => state.lock().unpoisoned().signal = Some(done.clone()),
        }
    }
    Ok(())
}

pub fn get_semaphore_info(
    sema_object: cl_semaphore_khr,
    param_name: cl_semaphore_info_khr,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    let semaphore = handle::get(sema_object)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    const EXPORTS: cl_semaphore_info_khr = CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR as _;
    let export = match &semaphore.kind {
        Kind::Shared {
            handle,
            exportable: true,
            ..
        } => HANDLES.iter().find(|row| row.1 == *handle),
        _ => None,
    };
    let written = match param_name {
        CL_SEMAPHORE_CONTEXT_KHR => out.value(handle::of(&semaphore.context)),
        CL_SEMAPHORE_REFERENCE_COUNT_KHR => out.value(handle::reference_count(sema_object)?),
        CL_SEMAPHORE_PROPERTIES_KHR => out.list(&semaphore.property_list),
        CL_SEMAPHORE_TYPE_KHR => out.value(TYPES[0]),
        CL_SEMAPHORE_PAYLOAD_KHR => {
            out.value(cl_semaphore_payload_khr::from(semaphore.is_signalled()))
        }
        CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR => out.list(&[handle::of(&semaphore.device)]),
        EXPORTS => out.list(&export.map(|row| row.0).into_iter().collect::<Vec<_>>()),
        CL_SEMAPHORE_EXPORTABLE_KHR => out.flag(export.is_some()),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}

pub fn get_semaphore_handle_for_type(
    sema_object: cl_semaphore_khr,
    device: cl_device_id,
    handle_type: cl_external_semaphore_handle_type_khr,
    handle_size: usize,
    handle_ptr: *mut c_void,
    handle_size_ret: Out<usize>,
) -> ClResult {
    let semaphore = handle::get(sema_object)?;
    // CL_INVALID_DEVICE if the device is not valid, or not the semaphore's.
    if !Arc::ptr_eq(&handle::get(device)?, &semaphore.device) {
        return Err(ClError::INVALID_DEVICE);
    }
    // CL_INVALID_VALUE if the semaphore was not created for such handles.
    let invalid = ClError::INVALID_VALUE;
    let row = HANDLES.iter().find(|row| row.0 == handle_type);
    let row = row.ok_or(invalid)?;
    match &semaphore.kind {
        Kind::Shared {
            handle,
            exportable: true,
            ..
        } if *handle == row.1 => {}
        _ => return Err(invalid),
    }
    let out = Info::new(handle_size, handle_ptr, handle_size_ret);
    // No descriptor is made that the application does not get.
    if handle_ptr.is_null() || handle_size < size_of::<i32>() {
        return out.value(-1i32).map(Written::done);
    }
    let (shared, mut state) = semaphore.shared().ok_or(invalid)?;
    if row.1 == SemaphoreHandle::SyncFd {
        // It is a copy of a signal, which must be there, and is gone then as by a wait. The specification has no error for that.
        state.signal.take().ok_or(ClError::INVALID_OPERATION)?;
    }
    let fd = shared.export(row.1)?;
    out.value(fd.map_or(-1, Descriptor::leave))
        .map(Written::done)
}

pub fn re_import_semaphore_sync_fd(
    sema_object: cl_semaphore_khr,
    _reimport_props: In<cl_semaphore_reimport_properties_khr>,
    fd: i32,
) -> ClResult {
    // CL_INVALID_SEMAPHORE_KHR if it is not valid, or was not imported from a sync file.
    let semaphore = handle::get(sema_object)?;
    let Kind::Shared {
        semaphore: shared,
        handle: handle @ SemaphoreHandle::SyncFd,
        exportable: false,
        state,
    } = &semaphore.kind
    else {
        return Err(ClError::INVALID_SEMAPHORE_KHR);
    };
    let mut state = state.lock().unpoisoned();
    // CL_INVALID_VALUE if fd is not valid.
    let new = State::of_import(*handle, fd)?;
    shared
        .import(*handle, fd)
        .map_err(|_| ClError::INVALID_VALUE)?;
    *state = new;
    Ok(())
}
