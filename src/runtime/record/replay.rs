//! Commands that are recorded once for all batches that have them (cl_khr_command_buffer): a secondary command buffer of Vulkan,
//! which each of these executes. Drivers take longer to record a dispatch than to run a small one.

use std::sync::{Arc, Mutex};

use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::device::Device;
use crate::runtime::memory::storage::Resource;
use crate::runtime::record::recording::{Recording, Touched};
use crate::runtime::support::error::ClResult;
use crate::vk::command::{Recorder, Scope};

/// What has been recorded.
pub struct Replay {
    device: Arc<Device>,
    recorder: Recorder,
    /// What the commands need besides the buffers.
    _kept: Vec<Resource>,
    touched: Vec<Touched>,
}

impl Replay {
    fn new(
        recording: &Recording,
        out_of_order: bool,
        record: impl FnOnce(&mut Recording) -> ClResult,
    ) -> ClResult<Replay> {
        let mut inner = recording.for_replay(out_of_order)?;
        record(&mut inner)?;
        let (recorder, kept, mut touched) = inner.into_replay()?;
        let key = |&(ref buffer, start, end, write): &Touched| {
            (Arc::as_ptr(buffer).addr(), start, end, write)
        };
        touched.sort_unstable_by_key(key);
        touched.dedup_by_key(|touched| key(touched));
        Ok(Replay {
            device: recording.device.clone(),
            recorder,
            _kept: kept,
            touched,
        })
    }

    pub(super) fn recorder(&self) -> &Recorder {
        &self.recorder
    }

    /// Has the batch execute the commands behind what they conflict with.
    fn execute(self: &Arc<Self>, recording: &mut Recording) -> ClResult {
        let touched = self.touched.iter();
        let touched = touched.map(|&(ref buffer, start, end, write)| (buffer, start, end, write));
        recording.touch(touched, Scope::DEVICE)?;
        recording.batch()?.execute(self);
        Ok(())
    }
}

/// Whether commands have been recorded for all batches.
#[derive(Default)]
enum State {
    #[default]
    New,
    /// Once in a batch of its own: many are never enqueued again.
    Enqueued,
    Recorded(Arc<Replay>),
}

/// What is kept of commands for when they are enqueued again. A copy has nothing.
#[derive(Default)]
pub struct Replays(Mutex<State>);

impl Clone for Replays {
    fn clone(&self) -> Replays {
        Replays::default()
    }
}

impl Replays {
    /// Records the commands, in the order of what they touch or (`out_of_order`) only of the barriers that `record` forces. They do the
    /// same each time on a device.
    pub fn record(
        &self,
        recording: &mut Recording,
        out_of_order: bool,
        record: impl Fn(&mut Recording) -> ClResult,
    ) -> ClResult {
        match self.replay(recording, out_of_order, &record)? {
            Some(replay) => replay.execute(recording),
            None => recording.ordered_as(out_of_order, record),
        }
    }

    /// What to execute; `None` if the commands are recorded into the batch: the first time, and on another device.
    fn replay(
        &self,
        recording: &Recording,
        out_of_order: bool,
        record: impl Fn(&mut Recording) -> ClResult,
    ) -> ClResult<Option<Arc<Replay>>> {
        let mut state = self.0.lock().unpoisoned();
        match &*state {
            State::New => {
                *state = State::Enqueued;
                Ok(None)
            }
            State::Enqueued => {
                let replay = Arc::new(Replay::new(recording, out_of_order, record)?);
                *state = State::Recorded(replay.clone());
                Ok(Some(replay))
            }
            State::Recorded(replay) => {
                let same = Arc::ptr_eq(&replay.device, &recording.device);
                Ok(same.then(|| replay.clone()))
            }
        }
    }
}
