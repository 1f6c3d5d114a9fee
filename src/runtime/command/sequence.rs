//! The commands of a command buffer (cl_khr_command_buffer), which are recorded each time that it is enqueued.

use std::sync::Arc;
use std::task::Waker;

use super::Command;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::record::recording::Recording;
use crate::runtime::support::error::{ClError, ClResult};

/// Commands in the order in which they were given. No host has a part in them: launches, copies and fills. An enqueue has a
/// sequence in common with its command buffer, so a change makes a copy, which has all other commands in common.
#[derive(Clone, Default)]
pub struct Sequence {
    steps: Vec<Step>,
    /// Each command waits for the one before it. Otherwise only sync points and barriers order them.
    in_order: bool,
    /// By number, from 1: the last step that has ended when the sync point has, if there is one before it.
    sync_points: Vec<Option<usize>>,
    /// The last step before a barrier: all behind wait for it.
    barrier: Option<usize>,
}

#[derive(Clone)]
struct Step {
    command: Arc<Command>,
    /// The last step for which it waits. Steps before that one may be waited for, too.
    after: Option<usize>,
}

impl Sequence {
    pub fn new(in_order: bool) -> Sequence {
        Sequence {
            in_order,
            ..Sequence::default()
        }
    }

    /// The step that the next command becomes.
    pub fn next_step(&self) -> usize {
        self.steps.len()
    }

    /// Adds a command that waits for sync points, and returns its own. INVALID_SYNC_POINT_WAIT_LIST_KHR if one of them is not the
    /// sequence's; INVALID_OPERATION if the host has a part in the command.
    pub fn add(&mut self, command: Command, waits: &[u32]) -> ClResult<u32> {
        let waits = self.last_of(waits)?;
        let after = waits.max(self.barrier);
        match command {
            // A marker has nothing to do, as a launch without work-items, but may become a launch.
            Command::Marker | Command::Copy { .. } | Command::Fill { .. } | Command::NdRange(_) => {
                let command = Arc::new(command);
                self.steps.push(Step { command, after });
                self.sync_point(self.last())
            }
            _ => Err(ClError::INVALID_OPERATION),
        }
    }

    /// Adds a barrier: all commands behind it wait for it. It may wait for all before it, whatever its wait list.
    pub fn add_barrier(&mut self, waits: &[u32]) -> ClResult<u32> {
        self.last_of(waits)?;
        self.barrier = self.last();
        self.sync_point(self.barrier)
    }

    fn last(&self) -> Option<usize> {
        self.steps.len().checked_sub(1)
    }

    fn sync_point(&mut self, step: Option<usize>) -> ClResult<u32> {
        self.sync_points.push(step);
        u32::try_from(self.sync_points.len()).map_err(|_| ClError::OUT_OF_RESOURCES)
    }

    /// The last step of some sync points.
    fn last_of(&self, points: &[u32]) -> ClResult<Option<usize>> {
        let step = |&point: &u32| {
            (point as usize)
                .checked_sub(1)
                .and_then(|i| self.sync_points.get(i))
        };
        let steps = points.iter().map(step).collect::<Option<Vec<_>>>();
        let steps = steps.ok_or(ClError::INVALID_SYNC_POINT_WAIT_LIST_KHR)?;
        Ok(steps.into_iter().copied().max().flatten())
    }

    /// Nothing more is added, so sync points are not needed.
    pub fn finish(&mut self) {
        self.sync_points = Vec::new();
    }

    /// Replaces the command of a step. Returns the old one: it may be the last to hold a buffer, which must not end under a lock.
    pub fn replace(&mut self, step: usize, command: Command) -> Option<Arc<Command>> {
        let step = self.steps.get_mut(step)?;
        Some(std::mem::replace(&mut step.command, Arc::new(command)))
    }

    /// Whether a command uses the buffer's memory.
    pub(in crate::runtime) fn uses(&self, memory: &Buffer) -> bool {
        self.steps.iter().any(|step| step.command.uses(memory))
    }

    /// As [`Command::is_ready`], of all.
    pub(in crate::runtime) fn is_ready(&self, waker: &dyn Fn() -> Waker) -> bool {
        self.steps.iter().all(|step| step.command.is_ready(waker))
    }

    /// Records the commands. In order, what they touch says where barriers are wanted, otherwise their wait lists say it.
    pub(in crate::runtime) fn record(&self, recording: &mut Recording) -> ClResult {
        let in_order = self.in_order;
        recording.ordered_as(!in_order, |recording| {
            // The first step behind the last barrier.
            let mut first = 0;
            for (place, step) in self.steps.iter().enumerate() {
                if !in_order && step.after.is_some_and(|last| last >= first) {
                    recording.force_barrier();
                    first = place;
                }
                step.command.record(recording)?;
            }
            Ok(())
        })
    }
}
