//! Jobs: commands that the host executes or takes part in. A job runs on a thread of its own, or on the application's thread if
//! that waits for it. Until the job has ended the command keeps its place in the queue, and in an in-order queue nothing behind
//! it starts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::os::exit::Promise;
use crate::os::time::monotonic_ns;
use crate::runtime::command::Command;
use crate::runtime::command::sequence::Sequence;
use crate::runtime::record::pending_writes::{BatchOwner, Writers};
use crate::runtime::record::recording::Recording;
use crate::runtime::submit::engine::{Core, kick};
use crate::runtime::submit::event::{Event, Times};
use crate::runtime::submit::submission::Attached;
use crate::runtime::submit::{children, large_transfer};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::threads;

/// A command that runs as a job.
pub(super) struct Job {
    pub id: u64,
    pub command: Command,
    pub waits: Vec<(Arc<Core>, u64)>,
    /// The wait list, for jobs that must wait on the host.
    pub after: Vec<Arc<Event>>,
    /// Batches that write host memory which the job uses.
    pub writers: Writers,
    pub event: Option<Arc<Event>>,
}

impl Core {
    /// Runs a job on a thread.
    pub(super) fn spawn(self: &Arc<Self>, job: Job) {
        let core = self.clone();
        let (id, event) = (job.id, job.event.clone());
        let Some(promise) = Promise::new(false) else {
            return run(self, job);
        };
        let work = move || run(&core, job);
        if threads::start(promise.keep(work)).is_err() {
            self.job_done(id, event.as_ref(), Err(ClError::OUT_OF_RESOURCES), None);
        }
    }

    /// Records a part of a job and submits it. Returns the batch's value.
    pub(super) fn record_job(
        self: &Arc<Self>,
        mut record: impl FnMut(&mut Recording, &mut Attached) -> ClResult,
    ) -> ClResult<u64> {
        let mut submit = || {
            let mut state = self.lock();
            state.recording.begin()?;
            let inner = &mut *state;
            record(&mut inner.recording, &mut inner.attached)?;
            let batch = state.recording.batch()?;
            batch.count += 1;
            Ok((batch.value, self.submit(&mut state)?))
        };
        match submit() {
            Ok((value, wake)) => {
                if wake {
                    self.wake();
                }
                Ok(value)
            }
            Err(error) => {
                self.end_failed();
                Err(error)
            }
        }
    }

    /// Ends a job. `times` are those on the host.
    pub(super) fn job_done(
        self: &Arc<Self>,
        id: u64,
        event: Option<&Arc<Event>>,
        result: ClResult,
        times: Option<Times>,
    ) {
        if result.is_err() {
            self.lock().fail(id, !self.properties.out_of_order);
        }
        let mut kicks = vec![self.clone()];
        if let Some(event) = event {
            kicks.extend(event.finish(result, times).unwrap_or_default());
        }
        // Behind the event, for who waits until the queue is empty looks at it next.
        self.lock().pending.retain(|h| h.id != id);
        self.left.notify_all();
        kick(kicks);
    }
}

/// Runs a job to its end on the calling thread.
pub(super) fn run(core: &Arc<Core>, job: Job) {
    let start = monotonic_ns();
    let Job {
        id,
        command,
        waits,
        after,
        writers,
        event,
    } = job;
    let order = Order { waits, after };
    for (owner, value) in writers {
        owner.wait_for_end(value);
    }
    let mut times = None;
    let result = match command {
        Command::NdRange(mut launch) if launch.may_enqueue() => {
            let done = children::run(core, &mut launch, &order);
            done.map(|family| times = Some(family))
        }
        Command::Sequence(sequence) if sequence.may_enqueue() => {
            run_stages(core, &sequence, &order)
        }
        Command::Native(function, buffers) => order.wait(core).and_then(|()| {
            let device = &core.device;
            buffers
                .iter()
                .try_for_each(|b| b.acquire_all(device, true))?;
            let caught = catch_unwind(AssertUnwindSafe(function));
            caught.unwrap_or(Err(ClError::OUT_OF_RESOURCES))
        }),
        other => {
            let result = match other.transfer() {
                Some(transfer) => large_transfer::run(core, &transfer, &order),
                None => order.record(core, |recording| other.record(recording)),
            };
            result.inspect_err(|_| other.abandon())
        }
    };
    let times = times.unwrap_or_else(|| Times::new(start, monotonic_ns()));
    // Ends the job's batches, so that they drop what they have kept alive.
    core.retire();
    core.job_done(id, event.as_ref(), result, Some(times));
}

/// Runs a command buffer with kernels that may enqueue others: each stage when the one before has ended.
fn run_stages(core: &Arc<Core>, sequence: &Sequence, order: &Order) -> ClResult {
    for stage in sequence.stages() {
        match stage.parent() {
            Some(mut launch) => {
                children::run(core, &mut launch, order)?;
            }
            None => order.record(core, |recording| stage.record(recording))?,
        }
    }
    Ok(())
}

/// What a job must wait for, on the device and on the host.
pub(super) struct Order {
    pub(super) waits: Vec<(Arc<Core>, u64)>,
    after: Vec<Arc<Event>>,
}

impl Order {
    /// Waits on the host for the events and for everything before, of which an out-of-order queue has what is before its last barrier.
    pub(super) fn wait(&self, core: &Arc<Core>) -> ClResult {
        for event in &self.after {
            event
                .wait()
                .map_err(|_| ClError::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)?;
        }
        let before = match core.properties.out_of_order {
            true => core.lock().barrier,
            false => u64::MAX,
        };
        if !core.has_retired(before) {
            core.clone().wait_for_end(before);
        }
        if core.is_lost() {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        core.check_faults()
    }

    /// Lets the device wait before what is recorded from now on.
    pub(super) fn on_device(&self, core: &Arc<Core>) -> ClResult {
        let added = core.add_waits(&mut core.lock(), self.waits.clone());
        added.inspect_err(|_| core.end_failed())
    }

    /// Records a command that is no transfer and waits for its end.
    fn record(
        &self,
        core: &Arc<Core>,
        mut record: impl FnMut(&mut Recording) -> ClResult,
    ) -> ClResult {
        self.on_device(core)?;
        let value = core.record_job(|recording, _| record(recording))?;
        core.wait(value);
        match core.is_lost() {
            true => Err(ClError::OUT_OF_RESOURCES),
            false => Ok(()),
        }
    }
}
