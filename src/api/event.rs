//! Events: waiting, user events, callbacks, profiling, and the lists that clEnqueue* take.

use std::ffi::c_void;
use std::sync::{Arc, Weak};

use super::handle;
use super::info::{Info, Written};
use super::pointer::{In, Out, SentHandle, UserData};
use super::queue::CommandQueue;
use super::raw::constants::*;
use super::raw::types::*;
use crate::runtime::context::Context;
use crate::runtime::submit::event::{Event, Status};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::trace::Profile;

/// The object behind a cl_event.
pub struct ApiEvent {
    context: Arc<Context>,
    /// `None` for a user event, or one of several queues. An event does not keep its queue alive.
    queue: Option<Weak<CommandQueue>>,
    command_type: cl_command_type,
    event: Arc<Event>,
    /// What must have ended before `event`, if it stands for commands of several queues.
    parts: Vec<Arc<Event>>,
}

impl ApiEvent {
    pub fn of_command(
        queue: &Arc<CommandQueue>,
        command_type: cl_command_type,
        event: Arc<Event>,
    ) -> Arc<ApiEvent> {
        Arc::new(ApiEvent {
            context: queue.context.clone(),
            queue: Some(Arc::downgrade(queue)),
            command_type,
            event,
            parts: Vec::new(),
        })
    }

    /// The event of commands of several queues, which `end` has waited for.
    pub fn of_parts(
        context: &Arc<Context>,
        command_type: cl_command_type,
        end: Arc<Event>,
        parts: Vec<Arc<Event>>,
    ) -> Arc<ApiEvent> {
        Arc::new(ApiEvent {
            context: context.clone(),
            queue: None,
            command_type,
            event: end,
            parts,
        })
    }

    /// Of parts, the status of that which is furthest, until all have ended.
    fn status(&self) -> Status {
        let all = self.event.tell_status();
        if !matches!(all, Status::Queued | Status::Submitted) {
            return all;
        }
        let further = |status, part: &Arc<Event>| match (status, part.tell_status()) {
            (Status::Running, _) => Status::Running,
            (status, Status::Queued) => status,
            (_, Status::Submitted) => Status::Submitted,
            _ => Status::Running,
        };
        self.parts.iter().fold(all, further)
    }

    /// Of parts, the first times and the last end.
    fn profile(&self) -> ClResult<Profile> {
        let end = self.event.profile()?;
        let parts = self.parts.iter().map(|part| part.profile());
        let parts = parts.collect::<ClResult<Vec<Profile>>>()?;
        let both = |a: Profile, b: &Profile| Profile {
            queued: a.queued.min(b.queued),
            submit: a.submit.min(b.submit),
            start: a.start.min(b.start),
            end: a.end.max(b.end),
            complete: a.complete.max(b.complete),
        };
        Ok(parts.iter().fold(end, both))
    }
}

pub type WaitList = Vec<Arc<Event>>;

/// num_events_in_wait_list and event_wait_list of a clEnqueue* function.
pub fn wait_list(queue: &CommandQueue, count: cl_uint, list: In<cl_event>) -> ClResult<WaitList> {
    // CL_INVALID_EVENT_WAIT_LIST if event_wait_list is NULL and num_events_in_wait_list is
    // greater than zero, or the other way round, or events in it are not valid.
    let invalid = ClError::INVALID_EVENT_WAIT_LIST;
    let events = list.list(count, invalid)?;
    if events.is_empty() {
        return Ok(WaitList::new());
    }
    let mut same_context = Ok(());
    let event = |&handle: &cl_event| {
        let object = handle::get(handle).map_err(|_| invalid)?;
        same_context = same_context.and(queue.check_context(&object.context));
        Ok(object.event.clone())
    };
    let waits = events.iter().map(event).collect::<ClResult<WaitList>>()?;
    // CL_INVALID_CONTEXT if queue and events are not of the same context.
    same_context.map(|()| waits)
}

fn status_code(status: Status) -> cl_int {
    match status {
        Status::Queued => CL_QUEUED,
        Status::Submitted => CL_SUBMITTED,
        Status::Running => CL_RUNNING,
        Status::Complete => CL_COMPLETE,
        Status::Failed(error) => error.code(),
    }
}

pub fn wait_for_events(num_events: cl_uint, event_list: In<cl_event>) -> ClResult {
    // CL_INVALID_VALUE if num_events is zero or event_list is NULL.
    let events = event_list.some(num_events, ClError::INVALID_VALUE)?;
    // CL_INVALID_EVENT if events are not valid.
    let events = handle::get_all(&events)?;
    // CL_INVALID_CONTEXT if they do not belong to the same context.
    let same = |e: &Arc<ApiEvent>| Arc::ptr_eq(&e.context, &events[0].context);
    if !events.iter().all(same) {
        return Err(ClError::INVALID_CONTEXT);
    }
    // CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if one of them failed.
    let events: WaitList = events.iter().map(|e| e.event.clone()).collect();
    Event::wait_all(&events)
}

pub fn create_user_event(context: cl_context) -> ClResult<cl_event> {
    // CL_INVALID_CONTEXT if context is not valid.
    let context = handle::get(context)?;
    Ok(handle::new(Arc::new(ApiEvent {
        context,
        queue: None,
        command_type: CL_COMMAND_USER,
        event: Event::user(),
        parts: Vec::new(),
    })))
}

pub fn set_user_event_status(event: cl_event, execution_status: cl_int) -> ClResult {
    // CL_INVALID_EVENT if event is not a valid user event.
    let event = handle::get(event)?;
    if !event.event.is_user() {
        return Err(ClError::INVALID_EVENT);
    }
    // CL_INVALID_VALUE if execution_status is not CL_COMPLETE or a negative integer.
    let result = match execution_status {
        CL_COMPLETE => Ok(()),
        code => Err(ClError::from_code(code).ok_or(ClError::INVALID_VALUE)?),
    };
    // CL_INVALID_OPERATION if the status has been changed before.
    event.event.set_user_status(result)
}

pub fn set_event_callback(
    event: cl_event,
    command_exec_callback_type: cl_int,
    pfn_notify: Option<extern "C" fn(cl_event, cl_int, *mut c_void)>,
    user_data: *mut c_void,
) -> ClResult {
    // CL_INVALID_EVENT if event is not valid.
    let object = handle::get(event)?;
    // CL_INVALID_VALUE if pfn_event_notify is NULL, or command_exec_callback_type is not
    // CL_SUBMITTED, CL_RUNNING or CL_COMPLETE.
    let function = pfn_notify.ok_or(ClError::INVALID_VALUE)?;
    let at = match command_exec_callback_type {
        CL_SUBMITTED => Status::Submitted,
        CL_RUNNING => Status::Running,
        CL_COMPLETE => Status::Complete,
        _ => return Err(ClError::INVALID_VALUE),
    };
    // Applications may release the event at once, so the callback gets a handle of its own.
    handle::retain(event)?;
    let (handle, user_data) = (SentHandle::new(event), UserData::new(user_data));
    let callback = move |status| {
        function(handle.handle(), status_code(status), user_data.pointer());
        let _ = handle::release(handle.handle());
    };
    object.event.on_status(at, Box::new(callback));
    Ok(())
}

pub fn retain_event(event: cl_event) -> ClResult {
    handle::retain(event)
}

pub fn release_event(event: cl_event) -> ClResult {
    handle::release(event)
}

pub fn get_event_info(
    event: cl_event,
    param_name: cl_event_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_EVENT if event is not valid.
    let object = handle::get(event)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let written = match param_name {
        CL_EVENT_COMMAND_QUEUE => {
            let queue = object.queue.as_ref().and_then(Weak::upgrade);
            out.value(queue.map_or(std::ptr::null_mut(), |queue| handle::of(&queue)))
        }
        CL_EVENT_CONTEXT => out.value(handle::of(&object.context)),
        CL_EVENT_COMMAND_TYPE => out.value(object.command_type),
        CL_EVENT_COMMAND_EXECUTION_STATUS => out.value(status_code(object.status())),
        CL_EVENT_REFERENCE_COUNT => out.value(handle::reference_count(event)?),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}

pub fn get_event_profiling_info(
    event: cl_event,
    param_name: cl_profiling_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_EVENT if event is not valid.
    let object = handle::get(event)?;
    // CL_PROFILING_INFO_NOT_AVAILABLE if the queue does not profile, the command is not
    // complete, or event is a user event.
    let profile = object.profile()?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let written = match param_name {
        CL_PROFILING_COMMAND_QUEUED => out.value(profile.queued),
        CL_PROFILING_COMMAND_SUBMIT => out.value(profile.submit),
        CL_PROFILING_COMMAND_START => out.value(profile.start),
        // There are no child commands, so the command is complete at its end.
        CL_PROFILING_COMMAND_END => out.value(profile.end),
        CL_PROFILING_COMMAND_COMPLETE => out.value(profile.complete),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}
