//! Batches: what is recorded between two submissions, and what it keeps alive.

use std::any::Any;
use std::sync::Arc;

use crate::runtime::gpu::open::Gpu;
use crate::runtime::gpu::progress::Progress;
use crate::runtime::gpu::staging::{Block, Piece};
use crate::runtime::launch::device_kernel::DeviceKernel;
use crate::runtime::launch::printf::Printed;
use crate::runtime::launch::private_memory::Scratch;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::storage::Storage;
use crate::runtime::record::hazard::Touch;
use crate::runtime::record::pending_writes::Pending;
use crate::runtime::submit::engine::{After, Core, State};
use crate::runtime::submit::event::Event;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::transfer::staged::Pieces;
use crate::vk::command::{Recorder, Scope};
use crate::vk::error::Error;
use crate::vk::pipeline::Pipeline;
use crate::vk::sync::Timestamps;

/// Commands per batch at most.
pub(in crate::runtime) const BATCH: u32 = 256;

/// Batches in flight that keep the device busy while the host prepares the next.
pub(in crate::runtime) const DEPTH: usize = 2;

/// What a batch keeps alive.
pub(in crate::runtime) type Keep = Arc<dyn Any + Send + Sync>;

/// Host copies when a batch has completed: from a block to application memory.
pub(in crate::runtime) struct Post {
    pub block: Arc<Block>,
    /// (offset in the block, destination)
    pub pieces: Pieces,
}

/// A batch that is completing: its host parts are under way.
pub(in crate::runtime) struct Ending {
    pub value: u64,
    /// Of commands that came meanwhile and are points in time.
    pub events: Vec<(Arc<Event>, When)>,
}

/// When the command of an event ran.
pub(in crate::runtime) enum When {
    Unknown,
    /// Timestamp queries at this index and the next.
    Queries(u32),
    /// On the host, from and to these times.
    Host(u64, u64),
}

/// Work between two submissions.
pub(in crate::runtime) struct Batch {
    pub(in crate::runtime) recorder: Recorder,
    pub(in crate::runtime) value: u64,
    /// Commands recorded.
    pub(in crate::runtime) count: u32,
    pub(in crate::runtime) events: Vec<(Arc<Event>, When)>,
    pub(in crate::runtime) keep: Vec<Keep>,
    pub(in crate::runtime) posts: Vec<Post>,
    /// Memory of the host that is written until the batch has ended.
    pub(in crate::runtime) pending: Vec<Pending>,
    pub(in crate::runtime) printed: Vec<Printed>,
    pub(in crate::runtime) waits: Vec<(Arc<Progress>, u64)>,
    /// Batches of other queues that end before this one does.
    pub(in crate::runtime) after: Vec<(Arc<Core>, u64)>,
    pub(in crate::runtime) timestamps: Option<Timestamps>,
    pub(in crate::runtime) queries: u32,
    /// The pipeline bound last.
    pub(in crate::runtime) bound: Option<Arc<Pipeline>>,
    /// The kernel and the arena block kept last.
    pub(in crate::runtime) kernel: Option<Arc<DeviceKernel>>,
    pub(in crate::runtime) small: Option<Arc<Block>>,
    /// Memory of launches that need it.
    pub(in crate::runtime) scratch: Option<Scratch>,
    /// The host will read what the batch writes.
    pub(in crate::runtime) host_reads: bool,
    /// Bytes of large staging blocks.
    pub(in crate::runtime) staged: u64,
}

impl Core {
    /// Makes sure that there is a batch to record into.
    pub(in crate::runtime) fn begin(&self, state: &mut State) -> ClResult {
        if state.batch.is_some() {
            return Ok(());
        }
        let mut batch = match state.free.pop() {
            Some(batch) => batch,
            None => {
                let gpu = self.gpu()?;
                Batch {
                    recorder: Recorder::new(&gpu.vk)?,
                    value: 0,
                    count: 0,
                    events: Vec::new(),
                    keep: Vec::new(),
                    posts: Vec::new(),
                    pending: Vec::new(),
                    printed: Vec::new(),
                    waits: Vec::new(),
                    after: Vec::new(),
                    timestamps: None,
                    queries: 0,
                    bound: None,
                    kernel: None,
                    small: None,
                    scratch: None,
                    host_reads: false,
                    staged: 0,
                }
            }
        };
        batch.recorder.begin()?;
        batch.value = state.value;
        state.batch = Some(batch);
        Ok(())
    }

    /// Records a barrier if the touched ranges need one (`None`: in any case).
    pub(in crate::runtime) fn order(&self, state: &mut State, touches: Option<(&[Touch], Scope)>) {
        let from = match touches {
            Some((touches, scope)) => state.hazards.add(touches, scope),
            None => Some(state.hazards.take()).filter(|s| *s != Scope::default()),
        };
        if let (Some(from), Some(batch)) = (from, &mut state.batch) {
            batch.recorder.barrier(from, Scope::DEVICE);
            if let Some(scratch) = &mut batch.scratch {
                scratch.reuse();
            }
        }
    }

    /// Before a command that touches `buffers` (range of each in its storage, written):
    /// orders it behind what it conflicts with and keeps the buffers alive.
    pub(in crate::runtime) fn touch<'a>(
        &self,
        state: &mut State,
        buffers: impl IntoIterator<Item = (&'a Arc<Buffer>, u64, u64, bool)>,
        scope: Scope,
    ) -> ClResult {
        let mut touches = std::mem::take(&mut state.scratch);
        touches.clear();
        for (buffer, start, end, write) in buffers {
            buffer.acquire(&self.device, start, end, write)?;
            let storage = buffer.storage(&self.device)?;
            touches.push(Touch {
                storage: storage.id,
                start,
                end,
                write,
            });
            self.keep_buffer(state, buffer, storage, write);
        }
        // An out-of-order queue orders nothing but by events and barriers.
        if self.properties.out_of_order {
            touches.clear();
        }
        self.order(state, Some((&touches, scope)));
        state.scratch = touches;
        Ok(())
    }

    fn keep_buffer(&self, state: &mut State, buffer: &Arc<Buffer>, storage: &Storage, write: bool) {
        let Some(batch) = &mut state.batch else {
            return;
        };
        if write {
            batch.host_reads |= storage.note_write(batch.host_reads);
        }
        if buffer.stamp(self.id << 40 | batch.value) {
            batch.keep.push(buffer.clone());
            storage.note_use(&self.progress, batch.value);
        }
    }

    /// Two timestamps around a command: starts with `None`, ends with what that returned.
    pub(in crate::runtime) fn timestamp(
        &self,
        state: &mut State,
        started: Option<u32>,
    ) -> ClResult<u32> {
        let gpu = self.gpu()?;
        let Some(batch) = &mut state.batch else {
            return Err(ClError::OUT_OF_RESOURCES);
        };
        if batch.timestamps.is_none() {
            batch.timestamps = Some(Timestamps::new(&gpu.vk, 2 * BATCH)?);
        }
        if let Some(pool) = &batch.timestamps {
            if batch.queries == 0 {
                batch.recorder.reset_timestamps(pool);
            }
            let index = started.map_or(batch.queries, |i| i + 1);
            batch.recorder.timestamp(pool, index, started.is_some());
            batch.queries = batch.queries.max(index + 1);
            return Ok(index);
        }
        Err(ClError::OUT_OF_RESOURCES)
    }

    /// Gives an event its place: with the current batch, or with the last one in flight
    /// when nothing is recorded, or at the end when there is none.
    pub(in crate::runtime) fn attach(
        &self,
        state: &mut State,
        event: Option<&Arc<Event>>,
        when: When,
        after: &mut After,
    ) {
        let Some(event) = event else {
            return;
        };
        let gpu_time = matches!(when, When::Queries(_));
        if let Some(batch) = &mut state.batch
            && (gpu_time || !batch.is_empty())
        {
            let leads = batch.count == 0 && batch.events.is_empty();
            after.kicks.extend(event.recorded(batch.value, leads));
            batch.events.push((event.clone(), when));
            return;
        }
        let now = self.now();
        let last = state.flight.back_mut();
        let last = last.map(|batch| (batch.value, &mut batch.events));
        let ending = state.ending.as_mut();
        match last.or(ending.map(|ending| (ending.value, &mut ending.events))) {
            Some((value, events)) => {
                after.kicks.extend(event.recorded(value, false));
                event.submitted(value, now);
                events.push((event.clone(), when));
            }
            None => {
                event.submitted(0, now);
                let times = match when {
                    When::Host(start, end) => Some((start, end)),
                    _ => None,
                };
                after.kicks.extend(
                    event
                        .finish(self.check_stopped(), times)
                        .unwrap_or_default(),
                );
            }
        }
    }

    /// Submits, or, if the device has enough to do and the batch is not `full`, leaves that to
    /// [`Core::retire`]. `true` when the queue's thread must be woken.
    pub(in crate::runtime) fn submit_when_useful(
        &self,
        state: &mut State,
        full: bool,
    ) -> ClResult<bool> {
        if full || state.flight.len() < DEPTH {
            return self.submit(state);
        }
        state.submit_soon = true;
        Ok(!state.thread)
    }

    /// Submits the current batch, if there is one with anything in it. `true` when the
    /// queue's thread must be woken. After an error [`Core::end_failed`] is due.
    pub(in crate::runtime) fn submit(&self, state: &mut State) -> ClResult<bool> {
        state.submit_soon = false;
        let Some(mut batch) = state.batch.take() else {
            return Ok(false);
        };
        if batch.is_empty() {
            state.batch = Some(batch);
            return Ok(false);
        }
        if batch.host_reads {
            let mut from = state.hazards.used();
            from.transfer = true;
            from.compute = true;
            batch.recorder.barrier(from, Scope::HOST);
        }
        let waits: Vec<_> = batch.waits.iter().map(|w| (&w.0.timeline, w.1)).collect();
        let signal = (&self.progress.timeline, batch.value);
        let now = self.now();
        let result = self.gpu().and_then(|gpu| {
            let ended = batch.recorder.end();
            let submitted =
                ended.and_then(|()| gpu.vk.submit(self.queue, &batch.recorder, &waits, signal));
            submitted.map_err(|e| {
                if e == Error::DeviceLost {
                    self.progress.set_lost();
                }
                ClError::from(e)
            })
        });
        if let Err(error) = result {
            // Nothing of it runs; the next batch takes its value.
            if batch.count as usize > batch.events.len() {
                state.unreported = Some(error);
            }
            let events = batch.events.drain(..);
            state.failed.extend(events.map(|(event, _)| (event, error)));
            state.hazards.force();
            state.fail(0, !self.properties.out_of_order);
            return Err(error);
        }
        let mut urgent = !state.thread;
        for (event, _) in &batch.events {
            event.submitted(batch.value, now);
            urgent |= event.is_urgent();
        }
        state.value += 1;
        state.staged += batch.staged;
        state.flight.push_back(batch);
        Ok(urgent || state.parked)
    }
}

impl State {
    /// The batch being recorded. Commands are recorded only when there is one.
    pub(in crate::runtime) fn batch(&mut self) -> ClResult<&mut Batch> {
        self.batch.as_mut().ok_or(ClError::OUT_OF_RESOURCES)
    }

    /// A small piece of host memory that lives as long as the current batch.
    pub(in crate::runtime) fn piece(&mut self, gpu: &Gpu, size: u64) -> ClResult<Piece> {
        let piece = self.arena.take(&gpu.pool, size)?;
        let batch = self.batch()?;
        if !batch
            .small
            .as_ref()
            .is_some_and(|b| Arc::ptr_eq(b, &piece.block))
        {
            batch.keep.push(piece.block.clone());
            batch.small = Some(piece.block.clone());
        }
        Ok(piece)
    }
}

impl Batch {
    /// Nothing is in it, and nothing waits for it.
    pub fn is_empty(&self) -> bool {
        self.count == 0
            && self.events.is_empty()
            && self.posts.is_empty()
            && self.keep.is_empty()
            && self.after.is_empty()
    }

    pub fn keep(&mut self, keep: Keep) {
        self.keep.push(keep);
    }

    /// Keeps a staging block that no other batch has.
    pub fn keep_block(&mut self, block: &Arc<Block>) {
        self.staged += block.size();
        self.keep.push(block.clone());
    }

    /// Keeps a kernel, which is often the one before.
    pub fn keep_kernel(&mut self, kernel: &Arc<DeviceKernel>) {
        if !self.kernel.as_ref().is_some_and(|k| Arc::ptr_eq(k, kernel)) {
            self.keep.push(kernel.clone());
            self.kernel = Some(kernel.clone());
        }
    }

    pub fn post(&mut self, core: &Arc<Core>, post: Post) {
        let pieces = post.pieces.iter().map(|piece| piece.1);
        self.pending
            .push(Pending::new(core, self.value, pieces.len(), pieces));
        self.host_reads = true;
        self.posts.push(post);
    }

    /// What a launch prints is written out when the batch has completed.
    pub fn print(&mut self, printed: Printed) {
        self.host_reads = true;
        self.staged += printed.size();
        self.printed.push(printed);
    }

    pub fn bind(&mut self, pipeline: &Arc<Pipeline>) {
        if !self
            .bound
            .as_ref()
            .is_some_and(|b| Arc::ptr_eq(b, pipeline))
        {
            self.recorder.bind(pipeline);
            self.bound = Some(pipeline.clone());
        }
    }
}
