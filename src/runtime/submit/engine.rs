//! The engine of one queue: held commands, the batch being recorded, batches in flight,
//! and their end.
//!
//! * Every command enters `pending`. [`Core::advance`] takes from it what may run: in
//!   order, or any that is ready. A command is ready when everything that it waits for is
//!   submitted or done; the device does the rest of the waiting (barriers within the
//!   queue, [`crate::vk::sync::Timeline`] between queues).
//! * Ready commands are recorded into the current batch. Commands that need the host
//!   (native functions, transfers too large to stage at once) become jobs: they stay at
//!   their place in `pending`, and so hold back what is behind, until they have ended.
//! * A command that fails takes with it what has it for a prerequisite: in order, all that is behind it;
//!   else markers and barriers for everything, and what is behind those barriers. So does what is enqueued
//!   later, until the application has heard of a failure.
//! * A batch is submitted by a flush, or when it has as many commands as a threshold that
//!   starts at 1 on an idle queue and doubles up to [`BATCH`]: the device starts at once,
//!   long streams pay for few submissions. While [`DEPTH`] batches are in flight, more would
//!   only split the stream (the device pauses between two submissions): what is recorded then
//!   goes out when the first of them has completed.
//! * An event ends with its batch. Where the application waits for a read with more commands behind it, batches end
//!   behind such reads from then on, so that the device works on while the host uses what it has read.
//! * Batches are retired in order by whoever notices first: a waiting thread, a status
//!   query, or the queue's own thread. The latter naps while the queue is in use, so that
//!   a submission costs no wake-up.
//! * Lock order: retire lock, then state, then event or storage. Nothing waits for the
//!   device under the state lock, and other queues are only called without it.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, Weak};
use std::task::{Wake, Waker};

use tracing::Level;

use crate::os::sync::Unpoisoned;
use crate::os::time::monotonic_ns;
use crate::runtime::command::Command;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::gpu::progress::Progress;
use crate::runtime::memory::storage::Resource;
use crate::runtime::record::batch::BATCH;
use crate::runtime::record::pending_writes::{BatchOwner, Writers};
use crate::runtime::record::recording::Recording;
use crate::runtime::submit::event::{COMMANDS, Event, Stage};
use crate::runtime::submit::jobs::{self, Job};
use crate::runtime::submit::retire;
use crate::runtime::submit::submission::{Attached, Ending, Submitted, Timing};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::{profile, trace};
use crate::vk::device::{Priority, QueueIndex};

/// CL_QUEUE_PROPERTIES and CL_QUEUE_PRIORITY_KHR.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QueueProperties {
    pub out_of_order: bool,
    pub profiling: bool,
    pub priority: Priority,
}

/// Bytes of staging blocks in flight beyond which transfers wait for earlier ones.
const STAGED: u64 = 64 << 20;

/// The commands of a batch where batches end at reads.
const SHORT: u32 = 8;

/// A command that has not been recorded.
pub(super) struct Held {
    pub(super) id: u64,
    /// `None` while it runs as a job.
    pub(super) command: Option<Command>,
    /// Everything behind it waits for it.
    pub(super) barrier: bool,
    /// It waits for everything before it.
    pub(super) after_all: bool,
    pub(super) waits: Vec<Arc<Event>>,
    pub(super) event: Option<Arc<Event>>,
    /// A command on which it depends has failed, so it fails too.
    pub(super) doomed: bool,
}

/// Which future commands depend on a command that has failed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Doomed {
    None,
    /// Those that wait for everything before them.
    AfterAll,
    All,
}

/// The state of the queue, under its lock.
pub(super) struct State {
    pub(super) pending: VecDeque<Held>,
    pub(super) next_id: u64,
    pub(super) recording: Recording,
    /// What ends with the current batch.
    pub(super) attached: Attached,
    pub(super) flight: VecDeque<Submitted>,
    pub(super) ending: Option<Ending>,
    /// Empty lists for reuse.
    pub(super) spare: Vec<Attached>,
    /// Events of batches that could not be submitted.
    pub(super) failed: Vec<(Arc<Event>, ClError)>,
    pub(super) threshold: u32,
    /// For so many more batches: they end behind a read whose event the application has ([`Core::notice_wait`]).
    pub(super) ends_at_reads: u32,
    /// The host has waited for everything before the next command.
    pub(super) in_step: bool,
    /// The last barrier is in this batch, or in an earlier one if this has nothing in it.
    pub(super) barrier: u64,
    /// Submit as soon as fewer than [`DEPTH`] batches are in flight.
    pub(super) submit_soon: bool,
    pub(super) staged: u64,
    /// The error of a command without an event that failed when it was recorded later. The next call that waits returns it.
    pub(super) unreported: Option<ClError>,
    /// Set when a command has failed, until the application knows of it ([`Core::heard`]).
    pub(super) doomed: Doomed,
    pub(super) thread: bool,
    pub(super) parked: bool,
    pub(super) closed: bool,
    /// Kept until the queue is closed and all of it has ended. `itself` is set when the queue is closed.
    pub(super) owner: Option<Resource>,
    pub(super) itself: Option<Arc<Core>>,
}

/// A queue's engine, shared by the handle, events, and the queue's thread.
pub struct Core {
    pub(super) device: Arc<Device>,
    pub(super) properties: QueueProperties,
    pub(super) progress: Arc<Progress>,
    pub(super) queue: QueueIndex,
    /// Distinguishes batches of different queues in stamps.
    pub(super) id: u64,
    pub(super) state: Mutex<State>,
    /// Signalled when commands have left `pending`.
    pub(super) left: Condvar,
    /// Signalled when there is work for the queue's thread.
    pub(super) work: Condvar,
    pub(super) retiring: Mutex<()>,
    /// The value of the last batch that has ended, host parts included.
    pub(super) retired: AtomicU64,
    pub(super) lost: AtomicBool,
    /// A kernel has reported a fault ([`Self::check_faults`]).
    pub(super) faulted: AtomicBool,
    /// Every command has an event, and its times are reported ([`Event::report`]).
    pub(super) watched: bool,
    /// Commands are counted in a profile, which has some of them timed.
    pub(super) profiled: bool,
    /// Commands have times, because the application or the trace wants them.
    timed: bool,
}

/// Whether a held command can start.
enum Ready {
    /// It cannot start yet.
    No,
    /// It fails, because an event in its wait list or a command on which it depends has failed.
    Failed,
    /// It can run as a job. The job waits on the device for these batches of other queues, and on the host for these writers.
    Job(Vec<(Arc<Core>, u64)>, Writers),
    /// It can be recorded behind these batches of other queues. The flag says whether it needs a barrier in this queue.
    Record(Vec<(Arc<Core>, u64)>, bool),
}

/// Work to be done when the state lock is released.
#[derive(Default)]
pub(super) struct After {
    pub(super) kicks: Vec<Arc<Core>>,
    pub(super) flushes: Vec<Arc<Core>>,
    pub(super) jobs: Vec<Job>,
    pub(super) wake: bool,
    pub(super) failed: bool,
    /// The id of the command that is being enqueued. `error` is why it could not be recorded, for the enqueue to return.
    own: Option<u64>,
    error: Option<ClError>,
}

/// Lets queues look at their pending commands again. No lock may be held. Returns all queues that have done so, also those
/// that became ready because of the others.
pub(super) fn kick(mut cores: Vec<Arc<Core>>) -> Vec<Arc<Core>> {
    let mut kicked = Vec::new();
    while let Some(core) = cores.pop() {
        cores.extend(core.process(None).0);
        kicked.push(core);
    }
    kicked
}

impl Core {
    pub fn new(
        device: &Arc<Device>,
        properties: QueueProperties,
        owner: Option<Resource>,
    ) -> ClResult<Arc<Core>> {
        static IDS: AtomicU64 = AtomicU64::new(1);
        let gpu = device.gpu()?;
        let progress = Arc::new(Progress::new(&gpu.vk)?);
        let retired = progress.timeline.start();
        let id = IDS.fetch_add(1, Ordering::Relaxed);
        trace::name_queue(id, &device.facts().name);
        let profiled = owner.is_some() && profile::is_on();
        if profiled {
            profile::queue(id, &device.facts().name, properties.out_of_order);
        }
        let watched = trace::is_on() || tracing::enabled!(target: COMMANDS, Level::DEBUG);
        let core = Arc::new_cyclic(|core: &Weak<Core>| Core {
            device: device.clone(),
            properties,
            progress: progress.clone(),
            queue: gpu.vk.pick_queue(properties.priority),
            id,
            state: Mutex::new(State {
                pending: VecDeque::new(),
                next_id: 1,
                recording: Recording::new(
                    device,
                    &progress,
                    id,
                    properties.out_of_order,
                    core.clone(),
                ),
                attached: Attached::default(),
                flight: VecDeque::new(),
                ending: None,
                spare: Vec::new(),
                failed: Vec::new(),
                threshold: 1,
                ends_at_reads: 0,
                in_step: true,
                barrier: retired,
                submit_soon: false,
                staged: 0,
                unreported: None,
                doomed: Doomed::None,
                thread: false,
                parked: false,
                closed: false,
                owner,
                itself: None,
            }),
            left: Condvar::new(),
            work: Condvar::new(),
            retiring: Mutex::new(()),
            retired: AtomicU64::new(retired),
            lost: AtomicBool::new(false),
            faulted: AtomicBool::new(false),
            watched,
            profiled,
            timed: properties.profiling || watched && device.facts().profiling,
        });
        retire::remember(&core);
        Ok(core)
    }

    pub(super) fn gpu(&self) -> ClResult<&Gpu> {
        self.device.gpu()
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unpoisoned()
    }

    /// The host time, if something asks for it later; else 0.
    pub(super) fn now(&self) -> u64 {
        match self.timed || self.profiled {
            true => monotonic_ns(),
            false => 0,
        }
    }

    pub fn is_lost(&self) -> bool {
        self.lost.load(Ordering::Relaxed)
    }

    /// Enqueues a command, which may start at once. If it is a job that may start and `inline` is set, the job runs on this thread.
    pub fn enqueue(
        self: &Arc<Self>,
        command: Command,
        waits: Vec<Arc<Event>>,
        event: Option<Arc<Event>>,
        inline: bool,
    ) -> ClResult {
        if self.is_lost() {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        for wait in &waits {
            // A device cannot wait for another device, so the host does.
            let foreign = wait
                .core()
                .is_some_and(|c| !Arc::ptr_eq(&c.device, &self.device));
            if foreign || wait.stage() == Stage::Held {
                wait.watch(self);
            }
        }
        let mut state = self.lock();
        let id = state.next_id;
        state.next_id += 1;
        let after_all = waits.is_empty() && matches!(command, Command::Barrier | Command::Marker);
        let mut held = Held {
            id,
            barrier: matches!(command, Command::Barrier),
            after_all,
            command: Some(command),
            waits,
            event,
            doomed: match state.doomed {
                Doomed::None => false,
                Doomed::AfterAll => after_all,
                Doomed::All => true,
            },
        };
        let mut after = After {
            own: Some(id),
            ..After::default()
        };
        if state.pending.is_empty() {
            // The command is first, so it may start; it is held only if it cannot.
            let ready = self.readiness(&state, &held, true, &mut after.flushes);
            match self.start(&mut state, &mut held, ready, &mut after) {
                true => state.pending.push_back(held),
                false => drop(held),
            }
        } else {
            state.pending.push_back(held);
            self.advance(&mut state, &mut after);
        }
        drop(state);
        let error = after.error;
        if after.has_work() {
            let (cores, job) = self.settle(after, inline.then_some(id));
            kick(cores);
            if let Some(job) = job {
                jobs::run(self, job);
            }
        }
        error.map_or(Ok(()), Err)
    }

    /// Records the commands that can be recorded. Returns the queues to kick, and the job `mine` if the caller is to run it; other
    /// jobs run on threads.
    pub(super) fn process(self: &Arc<Self>, mine: Option<u64>) -> (Vec<Arc<Core>>, Option<Job>) {
        let mut after = After::default();
        let closed = {
            let mut state = self.lock();
            self.advance(&mut state, &mut after);
            state.closed
        };
        if closed {
            // Nothing else will flush this queue.
            after.flushes.push(self.clone());
        }
        let left = self.settle(after, mine);
        if closed {
            self.let_go();
        }
        left
    }

    /// Does the work that `advance` left for the time without the lock.
    fn settle(
        self: &Arc<Self>,
        mut after: After,
        mine: Option<u64>,
    ) -> (Vec<Arc<Core>>, Option<Job>) {
        // From here on errors belong to other commands than the enqueued one.
        after.own = None;
        let mut own = None;
        loop {
            for job in std::mem::take(&mut after.jobs) {
                if Some(job.id) == mine {
                    own = Some(job);
                } else {
                    self.spawn(job);
                }
            }
            if std::mem::take(&mut after.wake) {
                self.wake();
            }
            if std::mem::take(&mut after.failed) {
                self.end_failed();
            }
            if after.flushes.is_empty() {
                return (after.kicks, own);
            }
            for core in std::mem::take(&mut after.flushes) {
                core.flush();
            }
            self.advance(&mut self.lock(), &mut after);
        }
    }

    /// Starts the commands of `pending` that can start.
    fn advance(self: &Arc<Self>, state: &mut State, after: &mut After) {
        let mut i = 0;
        while i < state.pending.len() {
            let ready = self.readiness(state, &state.pending[i], i == 0, &mut after.flushes);
            if !matches!(ready, Ready::No)
                && let Some(mut held) = state.pending.remove(i)
            {
                if !self.start(state, &mut held, ready, after) {
                    self.left.notify_all();
                    continue;
                }
                state.pending.insert(i, held);
            }
            if !self.properties.out_of_order || state.pending[i].barrier {
                break;
            }
            i += 1;
        }
    }

    /// Starts a command, which is not in `pending`, as `ready` says. Returns true if it must stay in `pending`. Its error goes to
    /// its event and to `after`.
    fn start(
        self: &Arc<Self>,
        state: &mut State,
        held: &mut Held,
        ready: Ready,
        after: &mut After,
    ) -> bool {
        let doomed = state.doomed;
        let alone = !state.recording.has_commands();
        let mut refused = false;
        let error = match ready {
            Ready::No => return true,
            Ready::Job(waits, writers) => {
                if let Some(command) = held.command.take() {
                    after.jobs.push(Job {
                        id: held.id,
                        command,
                        waits,
                        after: std::mem::take(&mut held.waits),
                        writers,
                        event: held.event.clone(),
                    });
                }
                return true;
            }
            Ready::Failed => ClError::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
            Ready::Record(waits, barrier) => {
                match self.record(state, held, waits, barrier, after) {
                    Ok(()) => return false,
                    Err(error) => {
                        after.failed = true;
                        refused = after.own == Some(held.id);
                        if refused {
                            after.error = Some(error);
                        } else if held.event.is_none() {
                            state.unreported = Some(error);
                        }
                        error
                    }
                }
            }
        };
        if let Some(command) = &held.command {
            command.abandon();
        }
        if !refused {
            state.fail(held.id, !self.properties.out_of_order || held.barrier);
        } else if alone {
            // The enqueue fails, so this command counts as not enqueued and no other fails with it.
            state.doomed = doomed;
        }
        after.finish(held.event.take(), Err(error));
        false
    }

    /// Called when the application knows that a command has failed: commands that it enqueues from now on run.
    pub(super) fn heard(&self) {
        self.lock().doomed = Doomed::None;
    }

    /// Whether `held` can start. `first`: no command is pending before it. Queues that must be flushed because it waits for their
    /// commands are added to `flushes`.
    fn readiness(
        self: &Arc<Self>,
        state: &State,
        held: &Held,
        first: bool,
        flushes: &mut Vec<Arc<Core>>,
    ) -> Ready {
        let Some(command) = &held.command else {
            return Ready::No;
        };
        if held.after_all && !first {
            return Ready::No;
        }
        if held.doomed {
            return Ready::Failed;
        }
        let mut waits = Vec::new();
        let mut barrier = false;
        let mut ready = true;
        for event in &held.waits {
            let own = event.core().is_some_and(|c| Arc::ptr_eq(c, self));
            match (event.stage(), event.core()) {
                (Stage::Done(Ok(())), _) => {}
                (Stage::Done(Err(_)), _) => return Ready::Failed,
                (Stage::Recorded(_) | Stage::Submitted(_), Some(_)) if own => {
                    barrier |= self.properties.out_of_order;
                }
                (Stage::Submitted(value), Some(core)) => {
                    match Arc::ptr_eq(&core.device, &self.device) {
                        true => waits.push((core.clone(), value)),
                        false => ready = false,
                    }
                }
                (Stage::Recorded(_), Some(core)) => {
                    flushes.push(core.clone());
                    ready = false;
                }
                _ => ready = false,
            }
        }
        ready &= command.is_ready(&|| Waker::from(self.clone()));
        if !ready {
            return Ready::No;
        }
        let writers = command.writers();
        let staged = state.staged > STAGED && command.is_staged();
        match command.is_job() || staged || !writers.is_empty() {
            true => Ready::Job(waits, writers),
            false => Ready::Record(waits, barrier),
        }
    }

    /// Records a command into the current batch.
    fn record(
        self: &Arc<Self>,
        state: &mut State,
        held: &mut Held,
        waits: Vec<(Arc<Core>, u64)>,
        barrier: bool,
        after: &mut After,
    ) -> ClResult {
        let Some(command) = &mut held.command else {
            return Ok(());
        };
        let read = held.event.is_some() && command.gives_host();
        if !read && state.ends_at_reads > 0 && state.recording.open().is_some_and(|b| b.read_last) {
            state.ends_at_reads -= 1;
            after.wake |= self.submit(state)?;
        }
        self.add_waits(state, waits)?;
        if barrier || matches!(command, Command::Barrier) {
            state.recording.force_barrier();
        }
        if matches!(command, Command::Barrier) {
            state.barrier = state.recording.value;
        }
        let wanted = |event: &Arc<Event>| event.is_profiled() && self.device.facts().profiling;
        let profiled = held.event.as_ref().is_some_and(|e| self.timed || wanted(e));
        let start = if profiled { monotonic_ns() } else { 0 };
        // If the host has waited for everything before, it is likely to wait for this command, too.
        let in_step = std::mem::take(&mut state.in_step)
            && state.flight.is_empty()
            && !state.recording.has_commands();
        let small = in_step && command.run_in_step(&self.device)?;
        if small || command.run_on_host(&self.device, profiled)? {
            let timing = match profiled {
                true => Timing::Host(start, monotonic_ns()),
                false => Timing::Unknown,
            };
            note_mapping(command, state);
            // The command is dropped before its event ends, since it may have the last reference to an object.
            held.command = None;
            self.attach(state, held.event.as_ref(), timing, after);
            return Ok(());
        }
        let semaphores = matches!(command, Command::Semaphores { .. });
        if semaphores && state.recording.has_commands() {
            // What was recorded before does not wait.
            self.submit(state)?;
        }
        state.recording.begin()?;
        let mut timing = Timing::Unknown;
        if profiled {
            // Times of commands that overlap would not say how long each takes.
            if !self.properties.out_of_order {
                state.recording.barrier();
            }
            let first = state.recording.timestamp(None)?;
            command.record(&mut state.recording)?;
            state.recording.timestamp(Some(first))?;
            timing = Timing::Queries(first);
        } else {
            command.record(&mut state.recording)?;
        }
        note_mapping(command, state);
        if let (true, Some(event)) = (read, &held.event) {
            event.is_read_at(state.recording.batch()?.count);
        }
        self.attach(state, held.event.as_ref(), timing, after);
        let batch = state.recording.batch()?;
        batch.count += 1;
        batch.read_last = read;
        // Others may use semaphores only when the submission with them has been made.
        let full = batch.count >= BATCH || batch.staged > STAGED / 8 || semaphores;
        let count = batch.count;
        // The host waits for reads, so what it enqueues behind them shall be with the device before that has nothing to do.
        let soon = state.ends_at_reads > 0 && count >= SHORT;
        if full || count >= state.threshold || soon {
            match soon {
                true => state.ends_at_reads -= 1,
                false => state.threshold = (state.threshold * 2).min(BATCH),
            }
            after.wake |= self.submit_when_useful(state, full)?;
        }
        Ok(())
    }

    /// The current batch waits for `waits` and ends after them, host parts included. Commands already recorded go out in an earlier
    /// batch.
    pub(super) fn add_waits(
        &self,
        state: &mut State,
        mut waits: Vec<(Arc<Core>, u64)>,
    ) -> ClResult {
        waits.retain(|w| !w.0.has_retired(w.1));
        if waits.is_empty() {
            return Ok(());
        }
        let on_device = |w: &(Arc<Core>, u64)| !w.0.progress.reached(w.1);
        if waits.iter().any(on_device) && state.recording.has_commands() {
            self.submit(state)?;
        }
        state.recording.begin()?;
        let batch = state.recording.batch()?;
        for (core, value) in waits {
            if !core.progress.reached(value) {
                add(&mut batch.waits, core.progress.clone(), value);
            }
            add(&mut state.attached.after, core, value);
        }
        Ok(())
    }

    /// Whether batch `value` has ended, host parts included.
    pub(super) fn has_retired(&self, value: u64) -> bool {
        value <= self.retired.load(Ordering::Acquire) || self.progress.is_lost()
    }
}

/// Notes the mapping of a command that was recorded or needed no recording. Its bytes are there when the last batch has ended.
fn note_mapping(command: &Command, state: &mut State) {
    let Some(mapped) = command.mapped() else {
        return;
    };
    let recorded = state.has_recorded();
    let value = match state.flight.back() {
        _ if recorded => state.recording.value,
        Some(last) => last.batch.value,
        None => return,
    };
    let pending = mapped.will_write(&state.recording, value);
    let batch = match recorded {
        true => state.recording.batch().ok(),
        false => state.flight.back_mut().map(|last| &mut last.batch),
    };
    if let Some(batch) = batch {
        batch.pending.push(pending);
    }
}

/// Wakes the queue when an object for which a command waits may exist.
impl Wake for Core {
    fn wake(self: Arc<Self>) {
        kick(vec![self]);
    }
}

impl BatchOwner for Core {
    fn wait_for_end(self: Arc<Self>, value: u64) {
        // A batch that could not be submitted never writes, and its value may never be reached.
        self.wait(value.min(self.last()));
        self.retire();
    }
}

/// Adds a wait for `value`. The list has one wait for each object, the latest.
fn add<T>(waits: &mut Vec<(Arc<T>, u64)>, of: Arc<T>, value: u64) {
    match waits.iter_mut().find(|known| Arc::ptr_eq(&known.0, &of)) {
        Some(known) => known.1 = known.1.max(value),
        None => waits.push((of, value)),
    }
}

impl State {
    /// Command `id` has failed, and with it the commands behind it that depend on it. If it `bars` them, all of them do.
    pub(super) fn fail(&mut self, id: u64, bars: bool) {
        for held in self.pending.iter_mut().filter(|held| held.id > id) {
            held.doomed |= bars || held.after_all;
        }
        let doomed = if bars { Doomed::All } else { Doomed::AfterAll };
        self.doomed = self.doomed.max(doomed);
    }
}

impl After {
    fn has_work(&self) -> bool {
        self.wake
            || self.failed
            || !(self.kicks.is_empty() && self.flushes.is_empty() && self.jobs.is_empty())
    }

    fn finish(&mut self, event: Option<Arc<Event>>, result: ClResult) {
        if let Some(event) = event {
            self.kicks
                .extend(event.finish(result, None).unwrap_or_default());
        }
    }
}
