//! Events: a point on a queue's timeline, or a user event.

use std::sync::Arc;

use crate::runtime::error::{ClError, ClResult};

/// Execution status (CL_QUEUED 3, CL_SUBMITTED 2, CL_RUNNING 1, CL_COMPLETE 0).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
    Queued,
    Submitted,
    Running,
    Complete,
    /// Ended abnormally.
    Failed(ClError),
}

/// Profiling times in nanoseconds on the host's monotonic clock:
/// queued <= submit <= start <= end = complete.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Profile {
    pub queued: u64,
    pub submit: u64,
    pub start: u64,
    pub end: u64,
}

/// An event.
pub struct Event {}

impl Event {
    /// A user event, status CL_SUBMITTED.
    pub fn user() -> Arc<Event> {
        Arc::new(Event {})
    }

    pub fn is_user(&self) -> bool {
        true
    }

    pub fn status(&self) -> Status {
        Status::Submitted
    }

    /// clSetUserEventStatus with CL_COMPLETE (`Ok`) or an error. INVALID_OPERATION when
    /// it was set before, INVALID_EVENT on a command's event. What waited for it goes on.
    pub fn set_user_status(&self, result: ClResult) -> ClResult {
        let _ = result;
        Err(ClError::INVALID_OPERATION)
    }

    /// Runs `callback` on the callback thread once the status is `at` (Submitted, Running
    /// or Complete) or beyond, with `at`, or the error. Also when it is so already.
    pub fn on_status(&self, at: Status, callback: Box<dyn FnOnce(Status) + Send>) {
        let _ = (at, callback);
    }

    /// Flushes what the events need and waits for all of them.
    /// EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when one failed.
    pub fn wait_all(events: &[Arc<Event>]) -> ClResult {
        let _ = events;
        Err(ClError::OUT_OF_RESOURCES)
    }

    /// PROFILING_INFO_NOT_AVAILABLE when the queue does not profile, the event is a user
    /// event, has failed or is not complete.
    pub fn profile(&self) -> ClResult<Profile> {
        Err(ClError::PROFILING_INFO_NOT_AVAILABLE)
    }
}
