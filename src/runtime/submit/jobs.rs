//! Jobs: commands that need the host on the way, run by a thread of their own or, where the application waits for
//! one at once, by its. Until a job has ended its place in the queue is taken, and in order nothing behind it
//! starts.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use crate::os::exit::Promise;
use crate::os::time::monotonic_ns;
use crate::runtime::command::Command;
use crate::runtime::record::pending_writes::Writers;
use crate::runtime::record::recording::Recording;
use crate::runtime::submit::engine::{Core, kick};
use crate::runtime::submit::event::Event;
use crate::runtime::submit::large_transfer;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::threads;

/// A command that runs on a thread.
pub(super) struct Job {
    pub id: u64,
    pub command: Command,
    pub waits: Vec<(Arc<Core>, u64)>,
    /// The wait list, for jobs that need the host's view of it.
    pub after: Vec<Arc<Event>>,
    /// Batches that write memory of the host which the job uses.
    pub writers: Writers,
    pub event: Option<Arc<Event>>,
}

impl Core {
    /// Has a job run by a thread.
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

    /// Records a piece of a job and submits it; the batch's value.
    pub(super) fn record_job(
        self: &Arc<Self>,
        mut record: impl FnMut(&mut Recording) -> ClResult,
    ) -> ClResult<u64> {
        let mut submit = || {
            let mut state = self.lock();
            state.recording.begin()?;
            record(&mut state.recording)?;
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

    /// A job has ended: `times` are its start and end on the host.
    pub(super) fn job_done(
        self: &Arc<Self>,
        id: u64,
        event: Option<&Arc<Event>>,
        result: ClResult,
        times: Option<(u64, u64)>,
    ) {
        {
            let mut state = self.lock();
            state.pending.retain(|h| h.id != id);
            if result.is_err() {
                state.fail(id, !self.properties.out_of_order);
            }
            self.left.notify_all();
        }
        let mut kicks = vec![self.clone()];
        if let Some(event) = event {
            kicks.extend(event.finish(result, times).unwrap_or_default());
        }
        kick(kicks);
    }
}

/// Runs a job to its end, on the calling thread.
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
    let result = match command {
        Command::Native(function, buffers) => order.wait(core).and_then(|()| {
            let device = &core.device;
            buffers
                .iter()
                .try_for_each(|b| b.acquire_all(device, true))?;
            let caught = catch_unwind(AssertUnwindSafe(function));
            caught.map_err(|_| ClError::OUT_OF_RESOURCES)
        }),
        mut other => {
            let result = match other.transfer() {
                Some(transfer) => large_transfer::run(core, &transfer, &order),
                None => order.record(core, |recording| other.record(recording)),
            };
            result.inspect_err(|_| other.abandon())
        }
    };
    let times = (start, monotonic_ns());
    // What its batches have kept.
    core.retire();
    core.job_done(id, event.as_ref(), result, Some(times));
}

/// What a job has to wait for, as the device sees it and as the host does.
pub(super) struct Order {
    pub(super) waits: Vec<(Arc<Core>, u64)>,
    after: Vec<Arc<Event>>,
}

impl Order {
    /// Waits on the host: for the events, and in order for everything before.
    pub(super) fn wait(&self, core: &Arc<Core>) -> ClResult {
        for event in &self.after {
            event
                .wait()
                .map_err(|_| ClError::EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST)?;
        }
        if !core.properties.out_of_order {
            let last = core.last();
            core.wait(last);
            core.retire();
        }
        if core.is_lost() {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        core.check_faults()
    }

    /// What is recorded from now on waits on the device.
    pub(super) fn on_device(&self, core: &Arc<Core>) -> ClResult {
        let added = core.add_waits(&mut core.lock(), self.waits.clone());
        added.inspect_err(|_| core.end_failed())
    }

    /// Has a command that is no transfer recorded, and waits for its end.
    fn record(&self, core: &Arc<Core>, record: impl FnMut(&mut Recording) -> ClResult) -> ClResult {
        self.on_device(core)?;
        let value = core.record_job(record)?;
        core.wait(value);
        match core.is_lost() {
            true => Err(ClError::OUT_OF_RESOURCES),
            false => Ok(()),
        }
    }
}
