//! Events: a point on a queue's timeline, or a user event.
//!
//! An event goes Held (waits for something) -> Recorded (in a batch that is not submitted)
//! -> Submitted -> Done, never back. Queues that hold commands behind an event are woken
//! when it is recorded, because from then on the device can do the waiting, and when it
//! is done. Application callbacks run on the callback thread.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};

use crate::os::exit;
use crate::os::sync::Unpoisoned;
use crate::runtime::submit::engine::{Core, kick};
use crate::runtime::submit::retire::{self, LOOK_AGAIN};
use crate::runtime::support::callback::{ENDS, EVENTS};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::profile::Subject;
use crate::runtime::support::trace::Profile;
use crate::runtime::support::{profile, trace};

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

/// The stage that an event has reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Stage {
    Held,
    /// In the batch with this value, which is not submitted yet.
    Recorded(u64),
    Submitted(u64),
    Done(ClResult),
}

/// The target of log lines about commands.
pub(super) const COMMANDS: &str = "caldera::command";

/// When a command ran, ns on the host's clock.
#[derive(Debug, Clone, Copy)]
pub(super) struct Times {
    pub start: u64,
    pub end: u64,
    /// The end of all that the command's kernel has enqueued.
    pub complete: u64,
}

impl Times {
    pub fn new(start: u64, end: u64) -> Times {
        Times {
            start,
            end,
            complete: end,
        }
    }
}

type Callback = Box<dyn FnOnce(Status) + Send>;

struct State {
    stage: Stage,
    /// The command is the first of its batch, so it starts when the batch before has completed. The start of other commands is
    /// not known.
    leads: bool,
    /// Its place in its batch, if the command gives the host something.
    read_at: Option<u32>,
    profile: Profile,
    callbacks: Vec<(Status, Callback)>,
    /// Queues with commands that wait for this event.
    watchers: Vec<Weak<Core>>,
}

/// An event.
pub struct Event {
    /// The queue's engine; `None` for a user event.
    core: Option<Arc<Core>>,
    state: Mutex<State>,
    changed: Condvar,
    /// Callbacks or watchers need the event's end soon.
    urgent: AtomicBool,
    /// The name of the command, if the command is reported when it ends.
    name: Option<Box<str>>,
    /// The same for a profile.
    profiled: Option<Subject>,
}

impl Status {
    /// Position in the sequence of statuses. An error counts as the end.
    fn rank(self) -> u8 {
        match self {
            Status::Queued => 0,
            Status::Submitted => 1,
            Status::Running => 2,
            Status::Complete | Status::Failed(_) => 3,
        }
    }
}

impl Event {
    fn with(
        core: Option<Arc<Core>>,
        name: Option<Box<str>>,
        profiled: Option<Subject>,
    ) -> Arc<Event> {
        let queued = core.as_ref().map_or(0, |core| core.now());
        Arc::new(Event {
            core,
            state: Mutex::new(State {
                stage: Stage::Held,
                leads: false,
                read_at: None,
                profile: Profile {
                    queued,
                    ..Profile::default()
                },
                callbacks: Vec::new(),
                watchers: Vec::new(),
            }),
            changed: Condvar::new(),
            urgent: AtomicBool::new(false),
            name,
            profiled,
        })
    }

    /// A user event, status CL_SUBMITTED.
    pub fn user() -> Arc<Event> {
        Event::with(None, None, None)
    }

    /// A command's event. With a name, or for a profile, the command is reported when it ends.
    pub(super) fn of(
        core: &Arc<Core>,
        name: Option<&str>,
        profiled: Option<Subject>,
    ) -> Arc<Event> {
        Event::with(Some(core.clone()), name.map(Box::from), profiled)
    }

    /// Whether a profile wants its times.
    pub(super) fn is_profiled(&self) -> bool {
        self.profiled.is_some()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unpoisoned()
    }

    pub fn is_user(&self) -> bool {
        self.core.is_none()
    }

    pub(super) fn core(&self) -> Option<&Arc<Core>> {
        self.core.as_ref()
    }

    pub(super) fn stage(&self) -> Stage {
        self.lock().stage
    }

    /// The batch that the command is in, if it is in one.
    #[cfg(test)]
    pub fn batch(&self) -> Option<u64> {
        match self.stage() {
            Stage::Recorded(value) | Stage::Submitted(value) => Some(value),
            _ => None,
        }
    }

    pub(super) fn is_urgent(&self) -> bool {
        self.urgent.load(Ordering::Relaxed)
    }

    pub(in crate::runtime) fn status(&self) -> Status {
        let Some(core) = &self.core else {
            return match self.stage() {
                Stage::Done(Ok(())) => Status::Complete,
                Stage::Done(Err(e)) => Status::Failed(e),
                _ => Status::Submitted,
            };
        };
        // At the end of the process, events that have not ended stay as they are.
        let over = exit::is_over();
        if let Stage::Submitted(value) = self.stage()
            && !over
            && core.progress.reached(value)
        {
            core.retire();
        }
        let state = self.lock();
        match state.stage {
            Stage::Held | Stage::Recorded(_) => Status::Queued,
            Stage::Submitted(value)
                if !over && state.leads && core.progress.reached(value.saturating_sub(1)) =>
            {
                Status::Running
            }
            Stage::Submitted(_) => Status::Submitted,
            Stage::Done(Ok(())) => Status::Complete,
            Stage::Done(Err(e)) => Status::Failed(e),
        }
    }

    /// The status for the application. If it is an error, the application knows of the failure from now on.
    pub fn tell_status(&self) -> Status {
        let status = self.status();
        if let (Status::Failed(_), Some(core)) = (status, &self.core) {
            core.heard();
        }
        status
    }

    /// clSetUserEventStatus with CL_COMPLETE (`Ok`) or an error. Commands that waited for the event go on. INVALID_OPERATION if it
    /// was set before; INVALID_EVENT on a command's event.
    pub fn set_user_status(&self, result: ClResult) -> ClResult {
        if self.core.is_some() {
            return Err(ClError::INVALID_EVENT);
        }
        if let Stage::Done(_) = self.stage() {
            return Err(ClError::INVALID_OPERATION);
        }
        match self.finish(result, None) {
            Some(watchers) => {
                let failed = kick(watchers);
                if result.is_err() {
                    // The application has caused the failure, so it knows of it.
                    failed.iter().for_each(|core| core.heard());
                }
                Ok(())
            }
            None => Err(ClError::INVALID_OPERATION),
        }
    }

    /// Calls `callback` on the callback thread when the status is `at` (Submitted, Running or Complete) or later, with `at` or the
    /// error. If it is so already, the callback is called as well.
    pub fn on_status(&self, at: Status, callback: Box<dyn FnOnce(Status) + Send>) {
        let now = self.status();
        let mut state = self.lock();
        let reached = match state.stage {
            Stage::Done(Err(e)) => Some(Status::Failed(e)),
            Stage::Done(Ok(())) => Some(at),
            _ => (now.rank() >= at.rank()).then_some(at),
        };
        match reached {
            Some(status) => EVENTS.run(Box::new(move || callback(status))),
            None => {
                state.callbacks.push((at, callback));
                self.urgent.store(true, Ordering::Relaxed);
                drop(state);
                if let Some(core) = &self.core {
                    core.wake();
                }
            }
        }
    }

    /// Kicks `core` when the event is recorded or done. A kick may be spurious.
    pub(super) fn watch(&self, core: &Arc<Core>) {
        let mut state = self.lock();
        if let Stage::Done(_) = state.stage {
            return;
        }
        state.watchers.push(Arc::downgrade(core));
        self.urgent.store(true, Ordering::Relaxed);
        drop(state);
        if let Some(of) = &self.core {
            of.wake();
        }
    }

    /// Held -> Recorded. Returns the queues to kick. `leads`: the command is the first of its batch.
    pub(super) fn recorded(&self, value: u64, leads: bool) -> Vec<Arc<Core>> {
        let mut state = self.lock();
        state.stage = Stage::Recorded(value);
        state.leads = leads;
        self.changed.notify_all();
        state.watchers.iter().filter_map(Weak::upgrade).collect()
    }

    /// The command gives the host something, and is command `place` of its batch.
    pub(super) fn is_read_at(&self, place: u32) {
        self.lock().read_at = Some(place);
    }

    /// The application waits for the event.
    fn notice_wait(&self) {
        let (stage, read_at) = {
            let state = self.lock();
            (state.stage, state.read_at)
        };
        if let (Stage::Recorded(value) | Stage::Submitted(value), Some(place), Some(core)) =
            (stage, read_at, &self.core)
        {
            core.notice_wait(value, place);
        }
    }

    /// The host has executed the command from `start` on. For the command's times it counts as submitted then, although its event
    /// may end with a batch that is submitted later.
    pub(super) fn begun_by_host(&self, start: u64) {
        self.lock().profile.submit = start;
    }

    /// Recorded -> Submitted at host time `now`.
    pub(super) fn submitted(&self, value: u64, now: u64) {
        let mut state = self.lock();
        state.stage = Stage::Submitted(value);
        if state.profile.submit == 0 {
            state.profile.submit = now;
        }
        self.changed.notify_all();
        let mut i = 0;
        while i < state.callbacks.len() {
            if state.callbacks[i].0 == Status::Submitted {
                let (at, callback) = state.callbacks.swap_remove(i);
                EVENTS.run(Box::new(move || callback(at)));
            } else {
                i += 1;
            }
        }
    }

    /// -> Done. Returns the queues to kick; `None` if it was done before.
    pub(super) fn finish(&self, result: ClResult, times: Option<Times>) -> Option<Vec<Arc<Core>>> {
        let mut state = self.lock();
        if let Stage::Done(_) = state.stage {
            return None;
        }
        state.stage = Stage::Done(result);
        if let Some(times) = times {
            // Device times were converted and may be a little off. The order of the times must hold.
            let profile = &mut state.profile;
            profile.submit = profile.submit.max(profile.queued);
            profile.start = times.start.max(profile.submit);
            profile.end = times.end.max(profile.start);
            profile.complete = times.complete.max(profile.end);
        }
        let callbacks = std::mem::take(&mut state.callbacks);
        let watchers = std::mem::take(&mut state.watchers);
        self.changed.notify_all();
        let profile = state.profile;
        drop(state);
        self.report(result, &profile);
        let mut callbacks = callbacks;
        callbacks.sort_by_key(|c| c.0.rank());
        for (at, callback) in callbacks {
            let status = result.map_or_else(Status::Failed, |()| at);
            EVENTS.run(Box::new(move || callback(status)));
        }
        Some(watchers.iter().filter_map(Weak::upgrade).collect())
    }

    /// Reports the command to log, trace and profile, if its queue is watched.
    fn report(&self, result: ClResult, profile: &Profile) {
        if let (Some(subject), Some(core), Ok(())) = (&self.profiled, &self.core, result)
            && profile.end != 0
        {
            profile::ended(core.id, subject, profile);
        }
        let (Some(name), Some(core)) = (&self.name, &self.core) else {
            return;
        };
        let us = |from: u64, to: u64| to.saturating_sub(from) as f64 / 1000.0;
        let (waited, ran) = (
            us(profile.queued, profile.start),
            us(profile.start, profile.end),
        );
        match result {
            Err(error) => tracing::debug!(target: COMMANDS, queue = core.id, %error, "{name}"),
            // A command without times was only a point in the queue.
            Ok(()) if profile.end == 0 => {
                tracing::debug!(target: COMMANDS, queue = core.id, "{name}")
            }
            Ok(()) => {
                tracing::debug!(target: COMMANDS, queue = core.id, waited_us = waited, ran_us = ran, "{name}");
                trace::command(core.id, name, profile, core.properties.out_of_order);
            }
        }
    }

    /// Flushes the queue if the event needs it, and waits for the event's end.
    pub(super) fn wait(&self) -> ClResult {
        loop {
            let stage = self.stage();
            match (stage, &self.core) {
                (Stage::Done(result), _) => return result,
                (Stage::Recorded(_), Some(core)) => core.flush(),
                (Stage::Submitted(value), Some(core)) => {
                    core.wait(value);
                    core.retire();
                }
                _ => {
                    let late = exit::idle(|| {
                        let mut state = self.lock();
                        let mut late = false;
                        while state.stage == stage && !late {
                            let waited = self.changed.wait_timeout(state, LOOK_AGAIN);
                            let (changed, timeout) = waited.unpoisoned();
                            state = changed;
                            late = timeout.timed_out();
                        }
                        late
                    });
                    if late {
                        retire::look_again();
                    }
                }
            }
        }
    }

    /// Flushes queues if the events need it, and waits for all events. EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST if one failed.
    pub fn wait_all(events: &[Arc<Event>]) -> ClResult {
        let _waits = profile::wait();
        for event in events {
            event.notice_wait();
            if let (Stage::Recorded(_), Some(core)) = (event.stage(), &event.core) {
                core.flush();
            }
        }
        let mut result = Ok(());
        for event in events {
            if event.wait().is_err() {
                if let Some(core) = &event.core {
                    core.heard();
                }
                result = Err(ClError::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
            }
        }
        ENDS.settle();
        result
    }

    /// Start and end, if the command has ended and was timed.
    pub(super) fn times(&self) -> Option<(u64, u64)> {
        let state = self.lock();
        let known = matches!(state.stage, Stage::Done(_)) && state.profile.end > 0;
        known.then_some((state.profile.start, state.profile.end))
    }

    /// PROFILING_INFO_NOT_AVAILABLE if the queue does not profile, or the event is a user event, has failed or is not complete.
    pub fn profile(&self) -> ClResult<Profile> {
        let profiling = self.core.as_ref().is_some_and(|c| c.properties.profiling);
        if profiling && self.status() == Status::Complete {
            Ok(self.lock().profile)
        } else {
            Err(ClError::PROFILING_INFO_NOT_AVAILABLE)
        }
    }
}
