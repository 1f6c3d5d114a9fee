//! Submission of the current batch.

use std::sync::Arc;

use crate::runtime::record::batch::Batch;
use crate::runtime::submit::engine::{After, Core, State};
use crate::runtime::submit::event::{Event, Times};
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk::error::Error;

/// The most batches in flight. Two keep the device busy while the host prepares the next.
pub const DEPTH: usize = 2;

/// How many batches end behind reads before the application has to wait for one again with more commands behind it.
const READS: u32 = 8;

/// When the command of an event ran.
pub enum Timing {
    Unknown,
    /// At the times of this timestamp query and the next.
    Queries(u32),
    /// On the host, at these times.
    Host(u64, u64),
}

/// What ends together with a batch.
#[derive(Default)]
pub struct Attached {
    pub events: Vec<(Arc<Event>, Timing)>,
    /// Batches of other queues that must end before this one does.
    pub after: Vec<(Arc<Core>, u64)>,
}

/// A batch in flight.
pub struct Submitted {
    pub batch: Batch,
    pub attached: Attached,
}

/// A completed batch whose host parts are being done.
pub struct Ending {
    pub value: u64,
    /// Events of commands that came meanwhile and are points in time.
    pub events: Vec<(Arc<Event>, Timing)>,
}

impl State {
    /// Whether there is a batch with something to execute, or with events or batches of other queues that end with it.
    pub(super) fn has_recorded(&self) -> bool {
        let waited_for = !self.attached.events.is_empty() || !self.attached.after.is_empty();
        let open = self.recording.open();
        open.is_some_and(|batch| waited_for || !batch.is_empty())
    }
}

impl Core {
    /// Attaches an event to the current batch; to the last batch in flight if nothing is recorded; or ends it if there is none.
    pub(super) fn attach(
        &self,
        state: &mut State,
        event: Option<&Arc<Event>>,
        timing: Timing,
        after: &mut After,
    ) {
        let Some(event) = event else {
            return;
        };
        if let Timing::Host(start, _) = timing {
            event.begun_by_host(start);
        }
        let gpu_time = matches!(timing, Timing::Queries(_));
        if state.recording.open().is_some() && (gpu_time || state.has_recorded()) {
            let leads = !state.recording.has_commands() && state.attached.events.is_empty();
            let value = state.recording.value;
            after.kicks.extend(event.recorded(value, leads));
            state.attached.events.push((event.clone(), timing));
            return;
        }
        let now = self.now();
        let last = state.flight.back_mut();
        let last = last.map(|last| (last.batch.value, &mut last.attached.events));
        let ending = state.ending.as_mut();
        match last.or(ending.map(|ending| (ending.value, &mut ending.events))) {
            Some((value, events)) => {
                after.kicks.extend(event.recorded(value, false));
                event.submitted(value, now);
                events.push((event.clone(), timing));
            }
            None => {
                event.submitted(0, now);
                let times = match timing {
                    Timing::Host(start, end) => Some(Times::new(start, end)),
                    _ => None,
                };
                after
                    .kicks
                    .extend(event.finish(self.check_faults(), times).unwrap_or_default());
            }
        }
    }

    /// Submits the current batch. If the device has enough to do and the batch is not `full`, [`Core::retire`] submits it later.
    /// Returns true if the queue's thread must be woken.
    pub(super) fn submit_when_useful(&self, state: &mut State, full: bool) -> ClResult<bool> {
        if full || state.flight.len() < DEPTH {
            return self.submit(state);
        }
        state.submit_soon = true;
        Ok(!state.thread)
    }

    /// Submits the current batch if it is not empty. Returns true if the queue's thread must be woken. After an error the caller
    /// calls [`Core::end_failed`].
    pub(super) fn submit(&self, state: &mut State) -> ClResult<bool> {
        state.submit_soon = false;
        if !state.has_recorded() {
            return Ok(false);
        }
        let Some(mut batch) = state.recording.take() else {
            return Ok(false);
        };
        let now = self.now();
        let ended = state.recording.end(&mut batch);
        let waits: Vec<_> = batch.waits.iter().map(|w| (&w.0.timeline, w.1)).collect();
        let signal = (&self.progress.timeline, batch.value);
        let result = ended.and_then(|()| {
            let gpu = self.gpu()?;
            let others = &batch.semaphores;
            let vk = &gpu.vk;
            let submitted = vk.submit_with(self.queue, &batch.recorder, &waits, signal, others);
            gpu.boost.submitted(vk.physical());
            submitted.map_err(|e| {
                if e == Error::DeviceLost {
                    self.progress.set_lost();
                }
                ClError::from(e)
            })
        });
        let next = state.spare.pop().unwrap_or_default();
        let mut attached = std::mem::replace(&mut state.attached, next);
        if let Err(error) = result {
            // Nothing of the batch runs, and the next batch takes its value.
            if batch.count as usize > attached.events.len() {
                state.unreported = Some(error);
            }
            let events = attached.events.drain(..);
            state.failed.extend(events.map(|(event, _)| (event, error)));
            state.recording.force_barrier();
            state.fail(0, !self.properties.out_of_order);
            return Err(error);
        }
        let mut urgent = !state.thread;
        for (event, _) in &attached.events {
            event.submitted(batch.value, now);
            urgent |= event.is_urgent();
        }
        state.recording.value += 1;
        state.staged += batch.staged;
        state.flight.push_back(Submitted { batch, attached });
        Ok(urgent || state.parked)
    }

    /// The application waits for the event of a read, which is command `place` of batch `value`.
    pub(super) fn notice_wait(&self, value: u64, place: u32) {
        let mut state = self.lock();
        let behind = |of: u64, count: u32| of > value || of == value && count > place + 1;
        let flight = state.flight.back().map(|last| &last.batch);
        let more = flight.is_some_and(|last| behind(last.value, last.count))
            || state
                .recording
                .open()
                .is_some_and(|batch| batch.count > 0 && behind(state.recording.value, batch.count));
        if more {
            state.ends_at_reads = READS;
        }
    }
}
