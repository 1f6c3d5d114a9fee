//! Storages: the memory of buffers, who uses it, and how the host sees it.

use std::any::Any;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};

use crate::os::memory::{Access, HostMemory, Pages, reads_uncached};
use crate::runtime::gpu::blocking_copy::copy_now;
use crate::runtime::gpu::open::{Gpu, device_location};
use crate::runtime::gpu::progress::Progress;
use crate::runtime::gpu::slabs::{self, Part};
use crate::runtime::memory::reach::Reach;
use crate::runtime::memory::uses::Uses;
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk;
use crate::vk::command::Others;
use crate::vk::memory::Location;

/// After the host has read a buffer itself, this many batches make their writes visible to it.
const EXPECTED: u32 = 8;

/// Something that must stay alive while it is used.
pub type Resource = Arc<dyn Any + Send + Sync>;

/// The memory behind a buffer and its sub-buffers.
pub struct Storage {
    pub vk: Arc<vk::memory::Buffer>,
    location: Location,
    /// Unique in the process. Hazard tracking uses it.
    pub id: u64,
    /// Where the buffer's first byte lies in `vk`: not 0 for imported memory and parts of a slab.
    pub base: u64,
    /// The part of a slab that `vk` is, if it is one.
    _part: Option<Part>,
    pub mirror: Option<Arc<Mirror>>,
    /// To whom imported memory is handed over.
    pub others: Others,
    uses: Uses,
    /// Kernels may use the memory without naming it, too.
    reach: OnceLock<Arc<Reach>>,
    /// The device has written bytes that the host does not see yet, in memory that the host can access.
    hidden: AtomicBool,
    /// How many more batches that write make their writes visible.
    expected: AtomicU32,
}

/// Pages of the host at the storage's device address: the SVM allocation as the host sees it, or, if they cannot be accessed, what
/// keeps others from that address.
pub struct Mirror {
    pub access: Access,
    /// The pages as a buffer, if the device copies from and to them. Dropped before them.
    pub import: Option<Arc<vk::memory::Buffer>>,
    pub pages: Pages,
}

pub fn allocation_failure(error: vk::error::Error) -> ClError {
    match error {
        vk::error::Error::OutOfHostMemory => ClError::OUT_OF_HOST_MEMORY,
        vk::error::Error::DeviceLost => ClError::OUT_OF_RESOURCES,
        _ => ClError::MEM_OBJECT_ALLOCATION_FAILURE,
    }
}

impl Storage {
    pub fn new(vk: vk::memory::Buffer, base: u64, location: Location) -> Storage {
        Storage::with(Arc::new(vk), base, location, None)
    }

    fn with(
        vk: Arc<vk::memory::Buffer>,
        base: u64,
        location: Location,
        part: Option<Part>,
    ) -> Storage {
        static IDS: AtomicU64 = AtomicU64::new(1);
        Storage {
            vk,
            location,
            id: IDS.fetch_add(1, Ordering::Relaxed),
            base,
            _part: part,
            mirror: None,
            others: Others::Same,
            uses: Uses::default(),
            reach: OnceLock::new(),
            hidden: AtomicBool::new(false),
            expected: AtomicU32::new(0),
        }
    }

    /// A storage of the same size and kind on another device.
    pub fn like(&self, gpu: &Gpu) -> ClResult<Storage> {
        let size = self.vk.size();
        let location = match self.location {
            Location::HostCached => Location::HostCached,
            _ => device_location(&gpu.vk, size),
        };
        allocate(gpu, size, location)
    }

    /// Whether the host accesses a copy of the memory at the device's address.
    pub fn is_mirrored(&self) -> bool {
        let mirror = self.mirror.as_ref();
        mirror.is_some_and(|mirror| mirror.access == Access::All)
    }

    /// The memory, if the host reads and writes it as fast as its own.
    pub fn direct(&self) -> Option<HostMemory> {
        self.vk.mapped().filter(|_| self.vk.cached())
    }

    /// The memory, if the host can write it.
    pub fn reachable(&self) -> Option<HostMemory> {
        self.vk.mapped()
    }

    /// The memory, if the host can read a little of it slowly and sees its contents.
    pub fn readable(&self) -> Option<HostMemory> {
        let hidden = self.hidden.load(Ordering::Acquire);
        self.reachable().filter(|_| !hidden && reads_uncached())
    }

    /// Called when the host reads the memory over the bus, or would have: batches make their writes visible from now on.
    pub fn expect_reads(&self) {
        self.expected.store(EXPECTED, Ordering::Relaxed);
    }

    /// Notes a write by the device. Returns whether the batch must make it visible to the host, which costs a batch 2 us on an
    /// H100. `visible`: it does so in any case.
    pub fn note_write(&self, visible: bool) -> bool {
        if self.vk.mapped().is_none() || self.vk.cached() {
            return self.vk.cached();
        }
        let expected = self.expected.load(Ordering::Relaxed);
        let seen = visible || expected > 0;
        if seen && !visible {
            self.expected.store(expected - 1, Ordering::Relaxed);
        }
        self.hidden.store(!seen, Ordering::Release);
        seen
    }

    /// Notes that batch `value` of a queue uses the memory.
    pub fn note_use(&self, progress: &Arc<Progress>, value: u64) {
        self.uses.note(progress, value);
    }

    /// From now on batches that use all of `reach` use the memory.
    pub fn join(&self, reach: &Arc<Reach>) {
        reach.extend(self.vk.mapped().is_some());
        let _ = self.reach.set(reach.clone());
    }

    /// Whether all batches that use the memory have completed.
    pub fn is_idle(&self) -> bool {
        self.uses.are_over() && self.reach.get().is_none_or(|reach| reach.uses.are_over())
    }

    /// The last batch of a queue that uses the memory; 0 if none does.
    pub fn last_use(&self, progress: &Arc<Progress>) -> u64 {
        let reached = self
            .reach
            .get()
            .map_or(0, |reach| reach.uses.last(progress));
        self.uses.last(progress).max(reached)
    }
}

pub fn allocate(gpu: &Gpu, size: u64, location: Location) -> ClResult<Storage> {
    // Copies and fills use whole words, and vector loads may reach the end of the last vector.
    let made = vk::memory::Buffer::new(&gpu.vk, size.next_multiple_of(16), location);
    made.map(|vk| Storage::new(vk, 0, location))
        .map_err(allocation_failure)
}

/// Device memory for a buffer of one device. A small buffer gets a part of a slab.
pub fn allocate_shared(gpu: &Gpu, size: u64) -> ClResult<Storage> {
    let location = device_location(&gpu.vk, size);
    if size > slabs::LARGEST {
        return allocate(gpu, size, location);
    }
    let part = gpu.slabs.take(size).map_err(allocation_failure)?;
    let (vk, base) = (part.buffer().clone(), part.offset());
    Ok(Storage::with(vk, base, location, Some(part)))
}

/// Copies initial contents and waits for the copy.
pub fn fill(gpu: &Gpu, storage: &Storage, source: HostMemory) -> ClResult {
    match storage.vk.mapped() {
        Some(memory) => {
            memory
                .slice(storage.base as usize, source.len())
                .copy_from(source);
            Ok(())
        }
        None => copy_now(gpu, &storage.vk, storage.base, source, false),
    }
}
