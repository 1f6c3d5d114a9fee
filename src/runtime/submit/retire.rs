//! The end of batches: waiting, retiring, the queue's thread, device loss.

use std::collections::VecDeque;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, MutexGuard, Once, Weak};
use std::time::Duration;

use crate::os::exit;
use crate::os::sync::Unpoisoned;
use crate::runtime::submit::engine::{Core, Held, State, kick};
use crate::runtime::submit::event::{COMMANDS, Event, Times};
use crate::runtime::submit::submission::{Ending, Submitted, Timing};
use crate::runtime::support::callback::ENDS;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::{profile, threads};
use crate::runtime::transfer::host_copy;
use crate::runtime::transfer::staged::empty_block;

/// How long a wait for held commands lasts before [`look_again`].
pub(super) const LOOK_AGAIN: Duration = Duration::from_secs(2);

/// How often the queue's thread looks for work, and how often it does so without finding any before it parks.
const NAP: Duration = Duration::from_millis(2);
const NAPS: u32 = 50;

/// What the queue's thread did in one step.
#[derive(PartialEq)]
enum Step {
    Worked,
    Idle,
    Leave,
}

/// All queues, for the end of the process.
static QUEUES: Mutex<Vec<Weak<Core>>> = Mutex::new(Vec::new());

/// Registers the queue for the end of the process: batches that the device has completed then end, so that destructors of the
/// application can query their events.
pub(super) fn remember(core: &Arc<Core>) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| exit::at_end(end_all));
    let mut queues = QUEUES.lock().unpoisoned();
    if queues.len() == queues.capacity() {
        queues.retain(|queue| queue.strong_count() > 0);
    }
    queues.push(Arc::downgrade(core));
}

/// The queues that there are.
pub(super) fn queues() -> Vec<Arc<Core>> {
    let queues = QUEUES.lock().unpoisoned();
    queues.iter().filter_map(Weak::upgrade).collect()
}

/// Called after a long wait for a held command, without a lock. Checks again whether commands can start, in case that a wake-up was
/// lost: those of all queues, since one may wait for the others' commands.
pub(super) fn look_again() {
    for core in queues() {
        let held = || core.lock().pending.len();
        let (before, id) = (held(), core.id);
        if before == 0 {
            continue;
        }
        tracing::debug!(target: COMMANDS, queue = id, held = before, "waiting for held commands");
        kick(vec![core.clone()]);
        if held() < before {
            tracing::error!(target: COMMANDS, queue = id, "a command could run and was held");
        }
    }
}

fn end_all() {
    let queues = std::mem::take(&mut *QUEUES.lock().unpoisoned());
    for core in queues.iter().filter_map(Weak::upgrade) {
        // The lock may be held by a thread that no longer runs, or by this one.
        let Ok(_order) = core.retiring.try_lock() else {
            continue;
        };
        while core.state.try_lock().is_ok()
            && let Ok(Some(batch)) = core.next_to_end(u64::MAX)
        {
            core.end(batch, &mut Vec::new());
        }
    }
}

impl Core {
    /// Submits the current batch.
    pub fn flush(self: &Arc<Self>) {
        let wake = self.submit(&mut self.lock());
        self.after_submit(wake);
    }

    /// Makes sure that the current batch is submitted: now, or when the device has less to do.
    pub fn flush_soon(self: &Arc<Self>) {
        let wake = self.submit_when_useful(&mut self.lock(), false);
        self.after_submit(wake);
    }

    fn after_submit(self: &Arc<Self>, wake: ClResult<bool>) {
        match wake {
            Ok(true) => self.wake(),
            Ok(false) => {}
            Err(_) => self.end_failed(),
        }
    }

    /// Ends the events of batches that could not be submitted.
    pub(super) fn end_failed(self: &Arc<Self>) {
        let failed = std::mem::take(&mut self.lock().failed);
        let mut kicks = Vec::new();
        for (event, error) in failed {
            kicks.extend(event.finish(Err(error), None).unwrap_or_default());
        }
        kick(kicks);
        self.check_lost();
    }

    /// Waits until batch `value` has completed on the device.
    pub fn wait(self: &Arc<Self>, value: u64) {
        let mut state = self.lock();
        let more = state.ends_at_reads > 0
            && state
                .flight
                .back()
                .is_some_and(|last| last.batch.value > value);
        if !more {
            // The application waits for each command, so the next one is submitted at once.
            state.threshold = 1;
            state.in_step = true;
        }
        if !self.progress.reached(value) {
            // Starts the next batch while the device works. An error appears again when the batch is used.
            let _ = state.recording.begin();
        }
        drop(state);
        self.progress.wait(value);
        self.check_lost();
    }

    /// Returns when everything enqueued before has ended.
    pub fn finish(self: &Arc<Self>) -> ClResult {
        let _waits = profile::wait();
        self.flush();
        let last = self.wait_for_held(|_| true).recording.value - 1;
        let last = last.max(self.last());
        self.wait(last);
        self.retire();
        self.heard();
        ENDS.settle();
        if self.is_lost() || self.faulted.swap(false, Ordering::Relaxed) {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        self.report()
    }

    /// Returns when none of the commands that are pending now and `wanted` is held any more.
    pub(super) fn wait_for_held(
        self: &Arc<Self>,
        wanted: impl Fn(&Held) -> bool,
    ) -> MutexGuard<'_, State> {
        let mut state = self.lock();
        let until = state.next_id;
        while state.pending.iter().any(|h| h.id < until && wanted(h)) {
            let late = exit::idle(|| {
                let waited = self.left.wait_timeout(state, LOOK_AGAIN);
                waited.unpoisoned().1.timed_out()
            });
            if late {
                look_again();
            }
            state = self.lock();
        }
        state
    }

    /// Returns the error of an earlier command without an event, and clears it.
    pub(super) fn report(&self) -> ClResult {
        let unreported = self.lock().unreported.take();
        unreported.map_or(Ok(()), Err)
    }

    /// Gives an error after a fault: results of the kernel are wrong, so all that follows fails until clFinish has returned the error.
    pub(super) fn check_faults(&self) -> ClResult {
        match self.faulted.load(Ordering::Relaxed) {
            true => Err(ClError::OUT_OF_RESOURCES),
            false => Ok(()),
        }
    }

    /// Submits the current batch and returns the value of the last batch submitted.
    pub(super) fn last(self: &Arc<Self>) -> u64 {
        self.flush();
        self.lock().recording.value - 1
    }

    /// Ends the batches that have completed, in order.
    pub fn retire(self: &Arc<Self>) {
        self.retire_to(u64::MAX);
    }

    /// Ends completed batches up to batch `last`.
    fn retire_to(self: &Arc<Self>, last: u64) {
        let mut kicks = Vec::new();
        loop {
            let order = self.retiring.lock().unpoisoned();
            match self.next_to_end(last) {
                Ok(None) => break,
                Ok(Some(batch)) => self.end(batch, &mut kicks),
                Err(others) => {
                    // The other queues may wait for earlier batches of this one, so the lock is released.
                    drop(order);
                    for (core, value) in others {
                        core.retire_to(value);
                    }
                }
            }
        }
        let wake = {
            let mut state = self.lock();
            match state.submit_soon {
                true => self.submit_when_useful(&mut state, false),
                false => Ok(false),
            }
        };
        self.after_submit(wake);
        self.check_lost();
        kick(kicks);
        self.let_go();
    }

    /// Takes the first batch in flight if it has completed and is not behind `last`. `Err` has batches of other queues for which it
    /// waited and that have not ended.
    fn next_to_end(&self, last: u64) -> Result<Option<Submitted>, Vec<(Arc<Core>, u64)>> {
        let mut state = self.lock();
        let complete = |first: &&Submitted| {
            first.batch.value <= last && self.progress.reached(first.batch.value)
        };
        let Some(first) = state.flight.front().filter(complete) else {
            return Ok(None);
        };
        let mut others = first.attached.after.clone();
        others.retain(|(core, value)| !core.has_retired(*value));
        if !others.is_empty() {
            return Err(others);
        }
        state.ending = Some(Ending {
            value: first.batch.value,
            events: Vec::new(),
        });
        let first = state.flight.pop_front();
        if state.flight.is_empty()
            && let Ok(gpu) = self.gpu()
        {
            gpu.boost.ended();
        }
        Ok(first)
    }

    /// Does what follows a batch's completion: host copies, times, events, release of objects.
    fn end(self: &Arc<Self>, ended: Submitted, kicks: &mut Vec<Arc<Core>>) {
        let Submitted {
            mut batch,
            mut attached,
        } = ended;
        let lost = self.progress.is_lost();
        let result = if lost {
            Err(ClError::OUT_OF_RESOURCES)
        } else {
            for copy in batch.host_copies.drain(..) {
                empty_block(&copy.block, &copy.pieces, host_copy::copy);
            }
            for work in batch.host_work.drain(..) {
                if work().is_err() {
                    self.faulted.store(true, Ordering::Relaxed);
                }
            }
            if batch.has_kernels() {
                exit::watch_after_work();
            }
            self.check_faults()
        };
        let times = match &batch.timestamps {
            Some(pool) if !lost => pool.read(batch.queries).unwrap_or_default(),
            _ => Vec::new(),
        };
        let gpu = self.gpu().ok();
        let host = |index: u32| {
            let time = times.get(index as usize).copied().unwrap_or(0);
            gpu.map_or(time, |g| g.host_time(time))
        };
        // Objects are released before the events end, because the application may wait for the objects' destructors.
        batch.release();
        let mut finish = |(event, timing): (Arc<Event>, Timing)| {
            let times = match timing {
                Timing::Unknown => None,
                Timing::Queries(first) => Some(Times::new(host(first), host(first + 1))),
                Timing::Host(start, end) => Some(Times::new(start, end)),
            };
            kicks.extend(event.finish(result, times).unwrap_or_default());
        };
        batch.pending.clear();
        attached.events.drain(..).for_each(&mut finish);
        let ending = self.lock().ending.take();
        let late = ending.into_iter().flat_map(|ending| ending.events);
        late.for_each(finish);
        self.retired.store(batch.value, Ordering::Release);
        attached.after.clear();
        let mut state = self.lock();
        state.staged -= batch.staged;
        state.spare.push(attached);
        state.recording.give_back(batch);
    }

    /// Wakes the queue's thread so that it ends batches soon. Starts the thread if there is none.
    pub fn wake(self: &Arc<Self>) {
        let start = {
            let mut state = self.lock();
            let start = !state.thread && !state.flight.is_empty();
            state.thread |= start;
            start
        };
        if start {
            let core = self.clone();
            if threads::start(move || core.thread()).is_err() {
                // Without a thread, threads that wait still end the batches.
                self.lock().thread = false;
            }
        } else {
            self.work.notify_all();
        }
    }

    /// The queue's thread. It ends batches if no other thread does, and returns when the queue is closed and empty.
    fn thread(self: Arc<Self>) {
        let mut core = Some(self);
        let mut naps = 0;
        loop {
            let inside = exit::enter();
            let Some(this) = &core else {
                return;
            };
            let step = this.step(naps);
            if step == Step::Leave {
                // This may drop the last reference.
                core = None;
                continue;
            }
            drop(inside);
            naps = match step {
                Step::Idle => this.idle(naps),
                _ => 0,
            };
        }
    }

    /// Ends the first batch in flight, or checks whether the thread may return. After a nap without work it submits commands that
    /// were recorded but not flushed.
    fn step(self: &Arc<Self>, naps: u32) -> Step {
        let value = {
            let mut state = self.lock();
            match state.flight.front() {
                Some(front) => front.batch.value,
                None if state.closed && state.pending.is_empty() => {
                    state.thread = false;
                    return Step::Leave;
                }
                None => {
                    if naps > 0 {
                        // The next command is submitted at once.
                        state.threshold = 1;
                        if self.submit(&mut state).is_err() {
                            drop(state);
                            self.end_failed();
                        }
                    }
                    return Step::Idle;
                }
            }
        };
        self.progress.wait_idly(value);
        self.retire();
        Step::Worked
    }

    /// Waits for work, at first by a nap. Returns the number of naps without work.
    fn idle(&self, naps: u32) -> u32 {
        let mut state = self.lock();
        if !state.flight.is_empty() || (state.closed && state.pending.is_empty()) {
            return 0;
        }
        if naps < NAPS && !state.closed {
            let wait = self.work.wait_timeout(state, NAP);
            let (_state, nap) = wait.unpoisoned();
            return if nap.timed_out() { naps + 1 } else { 0 };
        }
        state.parked = true;
        let wait = self.work.wait(state);
        wait.unpoisoned().parked = false;
        0
    }

    /// The handle is gone, so no more commands come.
    pub fn close(self: &Arc<Self>) {
        {
            let mut state = self.lock();
            state.closed = true;
            // Nothing else keeps the queue alive, so it keeps itself until its commands have ended.
            state.itself = Some(self.clone());
        }
        self.flush();
        self.wake();
        self.let_go();
    }

    /// Drops all that the queue keeps alive if it is closed and all its commands have ended.
    pub(super) fn let_go(&self) {
        let mut state = self.lock();
        let ended = state.flight.is_empty() && state.ending.is_none();
        let idle = state.closed && state.pending.is_empty() && ended;
        let kept = idle.then(|| (state.owner.take(), state.itself.take()));
        drop(state);
        if kept.is_some() {
            // Lets the queue's thread return.
            self.work.notify_all();
        }
        drop(kept);
    }

    /// After a device loss: ends all commands with an error. Later calls do nothing.
    pub(super) fn check_lost(self: &Arc<Self>) {
        if !self.progress.is_lost() || self.lost.swap(true, Ordering::Relaxed) {
            return;
        }
        let (batches, pending) = {
            let mut state = self.lock();
            let mut batches: Vec<_> = state.flight.drain(..).collect();
            let attached = std::mem::take(&mut state.attached);
            let recorded = state.recording.take();
            batches.extend(recorded.map(|batch| Submitted { batch, attached }));
            // Jobs end by themselves.
            let (jobs, pending): (VecDeque<_>, VecDeque<_>) = std::mem::take(&mut state.pending)
                .into_iter()
                .partition(|h| h.command.is_none());
            state.pending = jobs;
            self.left.notify_all();
            (batches, pending)
        };
        let events = batches
            .iter()
            .flat_map(|b| b.attached.events.iter().map(|e| e.0.clone()))
            .chain(pending.iter().filter_map(|h| h.event.clone()));
        let mut kicks = Vec::new();
        for event in events {
            let finished = event.finish(Err(ClError::OUT_OF_RESOURCES), None);
            kicks.extend(finished.unwrap_or_default());
        }
        // The device may still use the memory of these batches, so they are never freed.
        std::mem::forget(batches);
        kick(kicks);
        self.let_go();
    }
}
