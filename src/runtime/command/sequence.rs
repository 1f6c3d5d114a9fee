//! The commands of a command buffer (cl_khr_command_buffer), which each enqueue executes.

use std::sync::Arc;
use std::task::Waker;

use super::Command;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::dispatch::Launch;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::record::recording::Recording;
use crate::runtime::record::replay::Replays;
use crate::runtime::support::error::{ClError, ClResult};

/// Commands of a queue in the order in which they were given: launches, copies and fills. The host has a part in them only where a
/// kernel may enqueue others. An enqueue has a sequence in common with its command buffer, so a change makes a copy, which has all other commands in common.
#[derive(Clone, Default)]
pub struct Sequence {
    steps: Vec<Step>,
    /// Each command waits for the one before it. Otherwise only sync points and barriers order them.
    in_order: bool,
    replays: Replays,
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
            steps: Vec::new(),
            in_order,
            replays: Replays::default(),
        }
    }

    /// INVALID_OPERATION if the host has a part in the command.
    pub fn check(command: &Command) -> ClResult {
        match command {
            // A marker has nothing to do, as a launch without work-items, but may become a launch.
            Command::Marker | Command::Copy { .. } | Command::Fill { .. } | Command::NdRange(_) => {
                Ok(())
            }
            _ => Err(ClError::INVALID_OPERATION),
        }
    }

    /// Adds a command that passes [`Self::check`] and waits for steps up to one. Returns its own.
    pub fn add(&mut self, command: Command, after: Option<usize>) -> usize {
        self.replays = Replays::default();
        let command = Arc::new(command);
        self.steps.push(Step { command, after });
        self.steps.len() - 1
    }

    pub fn last(&self) -> Option<usize> {
        self.steps.len().checked_sub(1)
    }

    /// Replaces the command of a step. Returns the old one: it may be the last to hold a buffer, which must not end under a lock.
    pub fn replace(&mut self, step: usize, command: Command) -> Option<Arc<Command>> {
        self.replays = Replays::default();
        let step = self.steps.get_mut(step)?;
        Some(std::mem::replace(&mut step.command, Arc::new(command)))
    }

    /// Whether a device can run the copies and fills. MISALIGNED_SUB_BUFFER_OFFSET; errors of memory that it cannot have.
    pub fn check_for(&self, device: &Arc<Device>) -> ClResult {
        let align = u64::from(device.facts().mem_base_align_bits / 8).max(1);
        let check = |buffer: &Arc<Buffer>| {
            if buffer.parent().is_some() && !buffer.offset().is_multiple_of(align) {
                return Err(ClError::MISALIGNED_SUB_BUFFER_OFFSET);
            }
            buffer.storage(device).map(drop)
        };
        self.steps.iter().try_for_each(|step| match &*step.command {
            Command::Copy { src, dst, .. } => check(src).and_then(|()| check(dst)),
            Command::Fill { dst, .. } => check(dst),
            _ => Ok(()),
        })
    }

    /// Whether a kernel may enqueue others, for which the host must look.
    pub(in crate::runtime) fn may_enqueue(&self) -> bool {
        self.steps.iter().any(|step| step.command.may_enqueue())
    }

    /// Its commands as sequences that are run one behind the other: a launch that may enqueue kernels is one of its own.
    pub(in crate::runtime) fn stages(&self) -> Vec<Sequence> {
        let mut stages: Vec<Sequence> = Vec::new();
        let (mut begin, mut alone) = (0, true);
        for (place, step) in self.steps.iter().enumerate() {
            let parent = step.command.may_enqueue();
            if alone || parent {
                begin = place;
                stages.push(Sequence::new(self.in_order));
            }
            alone = parent;
            if let Some(stage) = stages.last_mut() {
                let command = step.command.clone();
                let after = step.after.and_then(|last| last.checked_sub(begin));
                stage.steps.push(Step { command, after });
            }
        }
        stages
    }

    /// The launch that it consists of, if that may enqueue kernels.
    pub(in crate::runtime) fn parent(&self) -> Option<Launch> {
        match &self.steps.first()?.command.as_ref() {
            Command::NdRange(launch) if launch.may_enqueue() => Some(Launch::clone(launch)),
            _ => None,
        }
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
        let steps = |recording: &mut Recording| self.record_steps(recording);
        match self.steps.iter().all(|step| step.command.repeats()) {
            true => self.replays.record(recording, !self.in_order, steps),
            false => recording.ordered_as(!self.in_order, steps),
        }
    }

    fn record_steps(&self, recording: &mut Recording) -> ClResult {
        // The first step behind the last barrier.
        let mut first = 0;
        for (place, step) in self.steps.iter().enumerate() {
            if !self.in_order && step.after.is_some_and(|last| last >= first) {
                recording.force_barrier();
                first = place;
            }
            step.command.record(recording)?;
        }
        Ok(())
    }
}
