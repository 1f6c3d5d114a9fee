//! The recording of one queue: the batch into which its commands are recorded, and the hazards that order them. It does not
//! depend on the engine, nor on what happens to a batch later.

use std::sync::{Arc, Weak};

use crate::os::memory::HostMemory;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::gpu::progress::Progress;
use crate::runtime::gpu::staging::{Arena, Piece};
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::reach::{Generation, Reach};
use crate::runtime::memory::storage::{Resource, Storage};
use crate::runtime::record::batch::{BATCH, Batch, HostCopy};
use crate::runtime::record::hazard::{Touch, Tracker};
use crate::runtime::record::pending_writes::{BatchOwner, PendingWrites};
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk::command::{Recorder, Scope};
use crate::vk::sync::Timestamps;

/// The most ended batches that are kept for reuse.
const SPARE: usize = 16;

/// The recording of a queue, under the queue's lock.
pub struct Recording {
    pub device: Arc<Device>,
    progress: Arc<Progress>,
    /// Distinguishes batches of different queues in stamps.
    queue: u64,
    /// Only events and barriers order the commands.
    out_of_order: bool,
    /// The queue, which ends the batches.
    owner: Weak<dyn BatchOwner>,
    /// The value of the current or the next batch.
    pub value: u64,
    batch: Option<Batch>,
    spare: Vec<Batch>,
    hazards: Tracker,
    arena: Arena,
    touches: Vec<Touch>,
    /// What commands touch, if they are recorded for all batches: each of these notes it.
    noted: Option<Vec<Touched>>,
}

/// A range of a buffer's storage, and whether it is written.
pub type Touched = (Arc<Buffer>, u64, u64, bool);

impl Recording {
    pub fn new(
        device: &Arc<Device>,
        progress: &Arc<Progress>,
        queue: u64,
        out_of_order: bool,
        owner: Weak<dyn BatchOwner>,
    ) -> Recording {
        Recording {
            device: device.clone(),
            progress: progress.clone(),
            queue,
            out_of_order,
            owner,
            value: progress.timeline.start() + 1,
            batch: None,
            spare: Vec::new(),
            hazards: Tracker::default(),
            arena: Arena::default(),
            touches: Vec::new(),
            noted: None,
        }
    }

    /// A recording that batches execute as often as they like, of commands for the same device.
    pub(super) fn for_replay(&self, out_of_order: bool) -> ClResult<Recording> {
        let owner = self.owner.clone();
        let mut inner = Recording::new(
            &self.device,
            &self.progress,
            self.queue,
            out_of_order,
            owner,
        );
        let mut batch = Batch::new(Recorder::secondary(&self.gpu()?.vk)?);
        batch.recorder.begin()?;
        inner.batch = Some(batch);
        inner.noted = Some(Vec::new());
        Ok(inner)
    }

    /// What [`Self::for_replay`] has recorded: the commands, what they need, and what they touch.
    pub(super) fn into_replay(self) -> ClResult<(Recorder, Vec<Resource>, Vec<Touched>)> {
        let batch = self.batch.ok_or(ClError::OUT_OF_RESOURCES)?;
        let (recorder, kept) = batch.into_replay()?;
        Ok((recorder, kept, self.noted.unwrap_or_default()))
    }

    pub fn gpu(&self) -> ClResult<&Gpu> {
        self.device.gpu()
    }

    /// Starts a batch if there is none.
    pub fn begin(&mut self) -> ClResult {
        if self.batch.is_some() {
            return Ok(());
        }
        let mut batch = match self.spare.pop() {
            Some(batch) => batch,
            None => Batch::new(Recorder::new(&self.gpu()?.vk)?),
        };
        batch.recorder.begin()?;
        batch.value = self.value;
        self.batch = Some(batch);
        Ok(())
    }

    /// The current batch. Commands are recorded only if there is one.
    pub fn batch(&mut self) -> ClResult<&mut Batch> {
        self.batch.as_mut().ok_or(ClError::OUT_OF_RESOURCES)
    }

    /// The current batch, if there is one.
    pub fn open(&self) -> Option<&Batch> {
        self.batch.as_ref()
    }

    /// Whether the current batch has commands.
    pub fn has_commands(&self) -> bool {
        self.batch.as_ref().is_some_and(|batch| batch.count > 0)
    }

    /// Takes the current batch out of the recording.
    pub fn take(&mut self) -> Option<Batch> {
        self.batch.take()
    }

    /// Ends the recording of a batch that was taken out, so that it can be submitted.
    pub fn end(&mut self, batch: &mut Batch) -> ClResult {
        if batch.host_reads {
            let mut from = self.hazards.used();
            from.transfer = true;
            from.compute = true;
            batch.recorder.barrier(from, Scope::HOST);
        }
        Ok(batch.recorder.end()?)
    }

    /// Takes back an ended batch for reuse.
    pub fn give_back(&mut self, mut batch: Batch) {
        batch.reset();
        if self.spare.len() < SPARE {
            self.spare.push(batch);
        }
    }

    /// The next command gets a barrier, whatever it touches.
    pub fn force_barrier(&mut self) {
        self.hazards.force();
    }

    /// Records commands that are ordered by what they touch, or (`out_of_order`) only by the barriers that are forced between
    /// them, whatever the queue is.
    pub fn ordered_as(
        &mut self,
        out_of_order: bool,
        record: impl FnOnce(&mut Recording) -> ClResult,
    ) -> ClResult {
        let queue = self.out_of_order;
        // What touches nothing that is known is ordered behind, and before, all that the queue orders.
        let apart = out_of_order && !queue;
        if apart {
            self.barrier();
        }
        self.out_of_order = out_of_order;
        let result = record(self);
        self.out_of_order = queue;
        if apart {
            self.force_barrier();
        }
        result
    }

    /// Records a barrier, unless there is no work since the last one.
    pub fn barrier(&mut self) {
        let from = Some(self.hazards.take()).filter(|s| *s != Scope::default());
        self.record_barrier(from);
    }

    fn record_barrier(&mut self, from: Option<Scope>) {
        if let (Some(from), Some(batch)) = (from, &mut self.batch) {
            batch.recorder.barrier(from, Scope::DEVICE);
            if let Some(scratch) = &mut batch.scratch {
                scratch.reuse();
            }
        }
    }

    /// Called before a command that touches `buffers` (range of each in its storage, and whether it is written). Orders it behind
    /// the commands with which it conflicts, and keeps the buffers alive.
    pub fn touch<'a>(
        &mut self,
        buffers: impl IntoIterator<Item = (&'a Arc<Buffer>, u64, u64, bool)>,
        scope: Scope,
    ) -> ClResult {
        self.touches.clear();
        for (buffer, start, end, write) in buffers {
            if self.noted.is_none() {
                buffer.acquire(&self.device, start, end, write)?;
            }
            let storage = buffer.storage(&self.device)?;
            self.touches.push(Touch {
                storage: storage.id,
                start,
                end,
                write,
            });
            if let Some(noted) = &mut self.noted {
                noted.push((buffer.clone(), start, end, write));
            } else if let Some(batch) = &mut self.batch {
                keep_buffer(batch, &self.progress, self.queue, buffer, storage, write);
            }
        }
        // An out-of-order queue orders nothing but by events and barriers.
        if self.out_of_order {
            self.touches.clear();
        }
        let from = self.hazards.add(&self.touches, scope);
        self.record_barrier(from);
        Ok(())
    }

    /// Called for a command that may use all of `reach` without naming it: notes the use and keeps what is freed meanwhile.
    pub fn use_all(&mut self, reach: &Reach, generation: Arc<Generation>) -> ClResult {
        let batch = self.batch.as_mut().ok_or(ClError::OUT_OF_RESOURCES)?;
        reach.uses.note(&self.progress, batch.value);
        batch.host_reads |= reach.is_visible();
        batch.keep_generation(generation);
        Ok(())
    }

    /// Whether the batch has timestamps left for a command.
    pub fn can_time(&self) -> bool {
        let used = self.batch.as_ref().map_or(0, |batch| batch.queries);
        used + 2 <= 2 * BATCH
    }

    /// Records a timestamp before a command (`None`) and after it (the result of the first call).
    pub fn timestamp(&mut self, started: Option<u32>) -> ClResult<u32> {
        let gpu = self.device.gpu()?;
        let batch = self.batch.as_mut().ok_or(ClError::OUT_OF_RESOURCES)?;
        let pool = match &batch.timestamps {
            Some(pool) => pool,
            None => (batch.timestamps).insert(Timestamps::new(&gpu.vk, 2 * BATCH)?),
        };
        if batch.queries == 0 {
            batch.recorder.reset_timestamps(pool);
        }
        let index = started.map_or(batch.queries, |i| i + 1);
        batch.recorder.timestamp(pool, index, started.is_some());
        batch.queries = batch.queries.max(index + 1);
        Ok(index)
    }

    /// Host memory of a small size that lives as long as the current batch.
    pub fn piece(&mut self, size: u64) -> ClResult<Piece> {
        let piece = self.arena.take(&self.device.gpu()?.pool, size)?;
        let batch = self.batch.as_mut().ok_or(ClError::OUT_OF_RESOURCES)?;
        if !batch
            .arena_block
            .as_ref()
            .is_some_and(|b| Arc::ptr_eq(b, &piece.block))
        {
            batch.keep(piece.block.clone());
            batch.arena_block = Some(piece.block.clone());
        }
        Ok(piece)
    }

    /// Copies bytes to the application's memory when the batch has completed.
    pub fn copy_at_end(&mut self, copy: HostCopy) -> ClResult {
        let rows = copy.pieces.iter().map(|piece| piece.1);
        let pending = self.pending_writes(self.value, copy.pieces.len(), rows);
        let batch = self.batch()?;
        batch.pending.push(pending);
        batch.host_reads = true;
        batch.host_copies.push(copy);
        Ok(())
    }

    /// Notes that batch `value` will write these rows of the application's memory.
    pub fn pending_writes(
        &self,
        value: u64,
        count: usize,
        rows: impl Iterator<Item = HostMemory>,
    ) -> PendingWrites {
        PendingWrites::new(&self.owner, self.queue, value, count, rows)
    }
}

fn keep_buffer(
    batch: &mut Batch,
    progress: &Arc<Progress>,
    queue: u64,
    buffer: &Arc<Buffer>,
    storage: &Storage,
    write: bool,
) {
    if write {
        batch.host_reads |= storage.note_write(batch.host_reads);
    }
    if buffer.stamp(queue << 40 | batch.value) {
        batch.keep(buffer.clone());
        storage.note_use(progress, batch.value);
    }
}
