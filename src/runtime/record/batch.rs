//! Batches: the commands recorded between two submissions, and the objects that these keep alive.

use std::any::Any;
use std::sync::Arc;

use crate::os::memory::HostMemory;
use crate::runtime::gpu::progress::Progress;
use crate::runtime::gpu::staging::Block;
use crate::runtime::memory::reach::Generation;
use crate::runtime::memory::storage::Resource;
use crate::runtime::record::pending_writes::PendingWrites;
use crate::runtime::record::replay::Replay;
use crate::runtime::record::scratch::Scratch;
use crate::runtime::support::error::ClResult;
use crate::vk::command::Recorder;
use crate::vk::memory::Buffer;
use crate::vk::pipeline::Pipeline;
use crate::vk::semaphore::Semaphores;
use crate::vk::storage_buffers::BoundMemory;
use crate::vk::sync::Timestamps;

/// The most commands of a batch.
pub const BATCH: u32 = 256;

/// Offsets in a block, each with the application memory to which it belongs.
pub type Pieces = Vec<(u64, HostMemory)>;

/// A copy by the host, when a batch has completed, from a block to application memory.
pub struct HostCopy {
    pub block: Arc<Block>,
    /// (offset in the block, destination)
    pub pieces: Pieces,
}

/// Other work for the host when a batch has completed.
pub type HostWork = Box<dyn FnOnce() -> ClResult + Send>;

/// The commands between two submissions.
pub struct Batch {
    pub recorder: Recorder,
    /// The value of the queue's timeline when the batch has completed.
    pub value: u64,
    /// The number of commands recorded.
    pub count: u32,
    kept: Vec<Resource>,
    pub host_copies: Vec<HostCopy>,
    pub host_work: Vec<HostWork>,
    /// Host memory that is written before the batch ends.
    pub pending: Vec<PendingWrites>,
    pub waits: Vec<(Arc<Progress>, u64)>,
    /// Semaphores that others share.
    pub semaphores: Semaphores,
    pub timestamps: Option<Timestamps>,
    /// The number of timestamps written.
    pub queries: u32,
    /// The pipeline bound last.
    bound: Option<Arc<Pipeline>>,
    /// The descriptors of storage buffers that were bound last.
    memory: Option<Arc<BoundMemory>>,
    /// The address of the kernel that was last kept alive.
    kernel: usize,
    /// What was last kept for commands that follow pointers in memory.
    generation: Option<Arc<Generation>>,
    /// The arena block that was last kept alive.
    pub(super) arena_block: Option<Arc<Block>>,
    /// Memory for private objects of launches.
    pub scratch: Option<Scratch>,
    /// Memory for the shadows of checked launches, which take turns (`launch::ranges`).
    pub shadows: Option<Arc<Buffer>>,
    /// The last command gives the host something, and the application has its event.
    pub read_last: bool,
    /// The host will read what the batch writes, so its writes are made visible.
    pub host_reads: bool,
    /// Bytes of large staging blocks.
    pub staged: u64,
}

impl Batch {
    pub(super) fn new(recorder: Recorder) -> Batch {
        Batch {
            recorder,
            value: 0,
            count: 0,
            kept: Vec::new(),
            host_copies: Vec::new(),
            host_work: Vec::new(),
            pending: Vec::new(),
            waits: Vec::new(),
            semaphores: Semaphores::default(),
            timestamps: None,
            queries: 0,
            bound: None,
            memory: None,
            kernel: 0,
            generation: None,
            arena_block: None,
            scratch: None,
            shadows: None,
            read_last: false,
            host_reads: false,
            staged: 0,
        }
    }

    /// Whether the batch has nothing to execute or to end.
    pub fn is_empty(&self) -> bool {
        self.count == 0
            && self.host_copies.is_empty()
            && self.kept.is_empty()
            && self.semaphores.is_empty()
    }

    pub fn keep(&mut self, resource: Resource) {
        self.kept.push(resource);
    }

    /// Keeps a staging block alive that no other batch uses.
    pub fn keep_block(&mut self, block: &Arc<Block>) {
        self.staged += block.size();
        self.kept.push(block.clone());
    }

    /// Keeps a kernel alive. It is often the same as for the command before.
    pub fn keep_kernel<T: Any + Send + Sync>(&mut self, kernel: &Arc<T>) {
        let address = Arc::as_ptr(kernel).addr();
        if self.kernel != address {
            self.kept.push(kernel.clone());
            self.kernel = address;
        }
    }

    /// Keeps what may be freed while commands reach it. It is often the same as for the command before.
    pub fn keep_generation(&mut self, generation: Arc<Generation>) {
        if !self
            .generation
            .as_ref()
            .is_some_and(|last| Arc::ptr_eq(last, &generation))
        {
            self.kept.extend(
                self.generation
                    .replace(generation)
                    .map(|last| last as Resource),
            );
        }
    }

    pub fn has_kernels(&self) -> bool {
        self.kernel != 0
    }

    /// Adds work for the host when the batch has completed, before its events end. The work reads `size` bytes that the device
    /// has written.
    pub fn add_host_work(&mut self, size: u64, work: HostWork) {
        self.host_reads = true;
        self.staged += size;
        self.host_work.push(work);
    }

    /// Gives the kernel that is bound next its memory, where it reaches it by descriptors.
    pub fn bind_storage_buffers(&mut self, memory: BoundMemory) {
        self.recorder.bind_storage_buffers(&memory);
        if !self.memory.as_ref().is_some_and(|known| known.is(&memory)) {
            let memory = Arc::new(memory);
            self.kept.push(memory.clone());
            self.memory = Some(memory);
        }
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

    /// Executes what has been recorded for all batches, and keeps it alive.
    pub(super) fn execute(&mut self, replay: &Arc<Replay>) {
        self.recorder.execute(replay.recorder());
        self.bound = None;
        self.memory = None;
        self.keep(replay.clone());
    }

    /// The commands, ended, and what they need.
    pub(super) fn into_replay(mut self) -> ClResult<(Recorder, Vec<Resource>)> {
        self.recorder.end()?;
        Ok((self.recorder, self.kept))
    }

    /// Drops what the batch has kept alive.
    pub fn release(&mut self) {
        self.kept.clear();
        self.bound = None;
        self.memory = None;
        self.kernel = 0;
        self.generation = None;
        self.arena_block = None;
        self.scratch = None;
        self.shadows = None;
    }

    /// Prepares an ended batch for reuse.
    pub(super) fn reset(&mut self) {
        self.release();
        self.waits.clear();
        self.semaphores = Semaphores::default();
        self.count = 0;
        self.queries = 0;
        self.host_reads = false;
        self.staged = 0;
    }
}
