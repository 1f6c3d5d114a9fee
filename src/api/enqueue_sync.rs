//! Markers and barriers.

use super::event::wait_list;
use super::handle;
use super::pointer::{In, Out};
use super::raw::constants::*;
use super::raw::types::*;
use crate::runtime::command::Command;
use crate::runtime::support::error::{ClError, ClResult};

fn enqueue(
    kind: cl_command_type,
    command: Command,
    command_queue: cl_command_queue,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    // CL_INVALID_COMMAND_QUEUE if command_queue is not valid.
    let queue = handle::get(command_queue)?;
    let waits = wait_list(&queue, num_events_in_wait_list, event_wait_list)?;
    queue.enqueue(kind, command, waits, false, event)
}

pub fn enqueue_marker_with_wait_list(
    command_queue: cl_command_queue,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let (count, list) = (num_events_in_wait_list, event_wait_list);
    enqueue(
        CL_COMMAND_MARKER,
        Command::Marker,
        command_queue,
        count,
        list,
        event,
    )
}

pub fn enqueue_barrier_with_wait_list(
    command_queue: cl_command_queue,
    num_events_in_wait_list: cl_uint,
    event_wait_list: In<cl_event>,
    event: Out<cl_event>,
) -> ClResult {
    let (count, list) = (num_events_in_wait_list, event_wait_list);
    enqueue(
        CL_COMMAND_BARRIER,
        Command::Barrier,
        command_queue,
        count,
        list,
        event,
    )
}

pub fn enqueue_marker(command_queue: cl_command_queue, event: Out<cl_event>) -> ClResult {
    handle::get(command_queue)?;
    // CL_INVALID_VALUE if event is NULL.
    if event.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    enqueue_marker_with_wait_list(command_queue, 0, In::NULL, event)
}

pub fn enqueue_barrier(command_queue: cl_command_queue) -> ClResult {
    enqueue_barrier_with_wait_list(command_queue, 0, In::NULL, Out::NULL)
}

/// What is enqueued behind waits for the events.
pub fn enqueue_wait_for_events(
    command_queue: cl_command_queue,
    num_events: cl_uint,
    event_list: In<cl_event>,
) -> ClResult {
    handle::get(command_queue)?;
    // CL_INVALID_VALUE if num_events is zero or event_list is NULL; CL_INVALID_EVENT if
    // the events are not valid.
    let events = event_list.some(num_events, ClError::INVALID_VALUE)?;
    handle::get_all(&events)?;
    enqueue_barrier_with_wait_list(command_queue, num_events, event_list, Out::NULL)
}
