//! Queues on the device, and the memory through which the kernels of one command of the host enqueue kernels
//! (docs/device_queues.md).

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, Weak};

use smallvec::SmallVec;

use crate::compiler::device_queue::{
    EVENT_WORDS, EVENTS, FREE_EVENTS, MAX_EVENTS, QUEUE_ENTRIES, QUEUE_TABLE, QUEUE_WORDS, RECORDS,
    event, header, kind, ndrange, record,
};
use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::gpu::staging::Block;
use crate::runtime::launch::argument::ArgValue;
use crate::runtime::launch::dispatch::Launch;
use crate::runtime::record::recording::Recording;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::fallible;

/// A queue on a device.
pub struct DeviceQueue {
    /// What kernels know it by.
    pub id: u64,
    pub device: Arc<Device>,
    /// Bytes of what a command's kernels may have enqueued to it and the runtime has not taken.
    pub size: u32,
    /// The object of the API.
    pub object: OnceLock<Weak<dyn Any + Send + Sync>>,
}

/// The queues on the devices of a context.
#[derive(Default)]
pub struct DeviceQueues {
    all: Mutex<Vec<Weak<DeviceQueue>>>,
    defaults: Mutex<Vec<Weak<DeviceQueue>>>,
}

impl DeviceQueues {
    /// OUT_OF_RESOURCES if the device has as many as it may have.
    pub fn create(&self, device: &Arc<Device>, size: u32) -> ClResult<Arc<DeviceQueue>> {
        static IDS: AtomicU64 = AtomicU64::new(1);
        let mut all = self.all.lock().unpoisoned();
        all.retain(|queue| queue.strong_count() > 0);
        let of_device = all.iter().filter_map(Weak::upgrade);
        let count = of_device.filter(|q| Arc::ptr_eq(&q.device, device)).count();
        if count >= QUEUE_ENTRIES as usize {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        let queue = Arc::new(DeviceQueue {
            id: IDS.fetch_add(1, Ordering::Relaxed),
            device: device.clone(),
            size,
            object: OnceLock::new(),
        });
        all.push(Arc::downgrade(&queue));
        Ok(queue)
    }

    fn of(&self, device: &Arc<Device>) -> Vec<Arc<DeviceQueue>> {
        let all = self.all.lock().unpoisoned();
        let alive = all.iter().filter_map(Weak::upgrade);
        alive.filter(|q| Arc::ptr_eq(&q.device, device)).collect()
    }

    /// The device's default queue.
    pub fn default_of(&self, device: &Arc<Device>) -> Option<Arc<DeviceQueue>> {
        let defaults = self.defaults.lock().unpoisoned();
        let mut alive = defaults.iter().filter_map(Weak::upgrade);
        alive.find(|q| Arc::ptr_eq(&q.device, device))
    }

    /// Makes a queue its device's default.
    pub fn set_default(&self, queue: &Arc<DeviceQueue>) {
        let mut defaults = self.defaults.lock().unpoisoned();
        let other = |q: &Weak<DeviceQueue>| {
            let known = q.upgrade();
            known.is_some_and(|q| !Arc::ptr_eq(&q.device, &queue.device))
        };
        defaults.retain(other);
        defaults.push(Arc::downgrade(queue));
    }

    /// What a launch on the device may use; `make` creates the launch of a block.
    pub fn for_launch(&self, device: &Arc<Device>, sizes: GroupSizes, make: MakeChild) -> Children {
        Children {
            sizes,
            queues: self.of(device),
            default: self.default_of(device).map_or(0, |queue| queue.id),
            make,
        }
    }
}

/// Creates the launch of the block's kernel that a record names; `None` if it has no work-items.
pub type MakeChild = Box<dyn Fn(&Enqueued) -> ClResult<Option<Box<Launch>>> + Send + Sync>;

/// What a launch needs to enqueue kernels.
pub struct Children {
    queues: Vec<Arc<DeviceQueue>>,
    default: u64,
    sizes: GroupSizes,
    pub make: MakeChild,
}

/// Sizes of groups that kernels may ask for.
pub struct GroupSizes {
    pub most: u32,
    pub preferred: u32,
    pub sub_group: u32,
    pub most_of_each: [u32; 3],
}

/// A record that kernels have written.
pub struct Record {
    /// The launch that has enqueued it.
    pub parent: u32,
    /// The event that it ends.
    pub event: Option<u32>,
    pub waits: SmallVec<[u32; 4]>,
    pub asks: Asks,
}

pub enum Asks {
    Kernel(Enqueued),
    Marker,
    /// That this kernel of the program copies the event's times to an address.
    Times {
        kernel: u32,
        to: u64,
    },
}

/// A block that was enqueued.
pub struct Enqueued {
    /// Its kernel's place in the program.
    pub kernel: u32,
    pub dims: u32,
    pub offset: [u64; 3],
    pub global: [u64; 3],
    pub local: Option<[u64; 3]>,
    /// Of the kernel, in order.
    pub args: Vec<ArgValue>,
}

/// The memory. While kernels run the host does not look at it.
pub struct QueueMemory {
    block: Arc<Block>,
    /// The events that the kernels may take, the last ones first.
    free: Vec<u32>,
    /// Those that they have taken.
    taken: Vec<u32>,
}

impl QueueMemory {
    pub(in crate::runtime) fn new(gpu: &Gpu, children: &Children) -> ClResult<QueueMemory> {
        let sizes = &children.sizes;
        let queues = children.queues.iter().take(QUEUE_ENTRIES as usize);
        let rooms: Vec<(u64, u32)> = queues.map(|q| (q.id, q.size / 4)).collect();
        let records: u64 = rooms.iter().map(|&(_, words)| u64::from(words)).sum();
        let size = 4 * (u64::from(RECORDS) + records);
        let memory = QueueMemory {
            block: gpu.pool.take(size.next_multiple_of(64 << 10))?,
            free: (0..MAX_EVENTS).rev().collect(),
            taken: Vec::new(),
        };
        memory.put(header::QUEUES, rooms.len() as u32);
        memory.put_wide(header::DEFAULT_QUEUE, children.default);
        memory.put(header::MAX_GROUP, sizes.most);
        memory.put(header::PREFERRED_MULTIPLE, sizes.preferred);
        memory.put(header::SUB_GROUP, sizes.sub_group.max(1));
        for (word, most) in header::MAX_ITEMS.into_iter().zip(sizes.most_of_each) {
            memory.put(word, most);
        }
        for (entry, &(id, words)) in (QUEUE_TABLE..).step_by(QUEUE_WORDS as usize).zip(&rooms) {
            memory.put_wide(entry, id);
            memory.put(entry + 3, words);
        }
        memory.put_free_events();
        memory.put_empty();
        Ok(memory)
    }

    /// Its address on the device.
    pub fn address(&self) -> u64 {
        self.block.address()
    }

    /// The current batch uses it, and the host looks at it behind the batch.
    pub(in crate::runtime) fn keep_for(&self, recording: &mut Recording) -> ClResult {
        let batch = recording.batch()?;
        batch.keep(self.block.clone());
        batch.host_reads = true;
        Ok(())
    }

    fn get(&self, word: u32) -> u32 {
        let mut bytes = [0; 4];
        self.block.mapped().read(4 * word as usize, &mut bytes);
        u32::from_le_bytes(bytes)
    }

    fn put(&self, word: u32, value: u32) {
        let bytes = value.to_le_bytes();
        self.block.mapped().write(4 * word as usize, &bytes);
    }

    fn put_wide(&self, word: u32, value: u64) {
        let bytes = value.to_le_bytes();
        self.block.mapped().write(4 * word as usize, &bytes);
    }

    /// No records.
    fn put_empty(&self) {
        self.put(header::USED, RECORDS);
        for queue in 0..self.get(header::QUEUES) {
            self.put(QUEUE_TABLE + QUEUE_WORDS * queue + 2, 0);
        }
    }

    fn put_free_events(&self) {
        let words: Vec<u8> = (self.free.iter().rev())
            .flat_map(|e| e.to_le_bytes())
            .collect();
        let at = 4 * FREE_EVENTS as usize;
        self.block.mapped().write(at, &words);
        self.put(header::FREE, self.free.len() as u32);
        self.put(header::TAKEN, 0);
    }

    /// Takes what kernels have enqueued since the last call. OUT_OF_RESOURCES if it is not what the library's functions write.
    pub fn take_records(&mut self) -> ClResult<Vec<Record>> {
        let room = (self.block.size() / 4) as u32;
        let end = self.get(header::USED).min(room);
        let length = 4 * end.saturating_sub(RECORDS) as usize;
        let mut bytes = fallible::zeros::<u8>(length)?;
        let at = 4 * RECORDS as usize;
        self.block.mapped().read(at, &mut bytes);
        let mut records = Vec::new();
        let mut rest = &bytes[..];
        while !rest.is_empty() {
            let size = word(rest, record::SIZE).ok_or(ClError::OUT_OF_RESOURCES)?;
            let bytes = (size as usize).saturating_mul(4);
            let valid = size >= record::WORDS && bytes <= rest.len();
            let (one, next) = rest.split_at(if valid { bytes } else { 0 });
            records.push(Record::read(one).ok_or(ClError::OUT_OF_RESOURCES)?);
            rest = next;
        }
        self.put_empty();
        let taken = self.get(header::TAKEN).min(self.free.len() as u32);
        let rest = self.free.len() - taken as usize;
        self.taken.extend(self.free.drain(rest..));
        if taken > 0 {
            self.put_free_events();
        }
        Ok(records)
    }

    /// Frees events that kernels have released, but for those that are still `needed`.
    pub fn free_events(&mut self, needed: impl Fn(u32) -> bool) {
        let taken = std::mem::take(&mut self.taken);
        let before = taken.len();
        let held = |&event: &u32| {
            let references = self.get(EVENTS + EVENT_WORDS * event + event::REFERENCES);
            references as i32 > 0 || needed(event)
        };
        let (held, free): (Vec<u32>, Vec<u32>) = taken.into_iter().partition(held);
        self.taken = held;
        if self.taken.len() < before {
            self.free.extend(free);
            self.put_free_events();
        }
    }

    /// The launch that copies the times of an event.
    pub fn times_of(&self, event: u32, kernel: u32, to: u64) -> Enqueued {
        let times = 4 * (EVENTS + EVENT_WORDS * event + event::TIMES);
        let from = self.address() + u64::from(times);
        Enqueued {
            kernel,
            dims: 1,
            offset: [0; 3],
            global: [1; 3],
            local: Some([1; 3]),
            args: [from, to].map(|a| ArgValue::bytes(&a.to_le_bytes())).into(),
        }
    }

    /// `None` while it has not ended.
    pub fn event_result(&self, event: u32) -> Option<ClResult> {
        if event >= MAX_EVENTS {
            return Some(Err(ClError::INVALID_EVENT));
        }
        match self.get(EVENTS + EVENT_WORDS * event + event::STATUS) as i32 {
            0 => Some(Ok(())),
            status if status < 0 => Some(Err(
                ClError::from_code(status).unwrap_or(ClError::OUT_OF_RESOURCES)
            )),
            _ => None,
        }
    }

    /// `times`: from start to end, and to the end of all that it has enqueued, ns.
    pub fn end_event(&self, event: u32, result: ClResult, times: [u64; 2]) {
        let at = EVENTS + EVENT_WORDS * event;
        self.put_wide(at + event::TIMES, times[0]);
        self.put_wide(at + event::TIMES + 2, times[1]);
        let status = result.err().map_or(0, ClError::code);
        self.put(at + event::STATUS, status as u32);
    }
}

fn word(bytes: &[u8], index: u32) -> Option<u32> {
    let at = 4 * index as usize;
    let word = bytes.get(at..at + 4)?;
    Some(u32::from_le_bytes(word.try_into().ok()?))
}

fn three(bytes: &[u8], offset: u32) -> Option<[u64; 3]> {
    let at = record::RANGE + offset / 4;
    let one = |d: u32| {
        let low = word(bytes, at + 2 * d)?;
        let high = word(bytes, at + 2 * d + 1)?;
        Some(u64::from(high) << 32 | u64::from(low))
    };
    Some([one(0)?, one(1)?, one(2)?])
}

impl Record {
    fn read(bytes: &[u8]) -> Option<Record> {
        let at = |index| word(bytes, index);
        let list = |start: u32, count: u32| {
            let start = 4 * start as usize;
            let words = bytes.get(start..start.checked_add(4 * count as usize)?)?;
            let words = words.chunks_exact(4).map(|w| w.try_into().ok());
            words
                .map(|w| w.map(u32::from_le_bytes))
                .collect::<Option<SmallVec<[u32; 4]>>>()
        };
        let (waits, locals) = (at(record::WAITS)?, at(record::LOCALS)?);
        let first = |event: u32| event.checked_sub(1);
        let asks = match at(record::KIND)? {
            kind::KERNEL => {
                let sizes = record::WORDS.checked_add(waits)?;
                let captured = sizes.checked_add(locals)?.next_multiple_of(2) as usize;
                let length = at(record::CAPTURED)? as usize;
                let dims = at(record::RANGE + ndrange::DIMENSIONS / 4)?;
                let used = |size: [u64; 3], unused| {
                    let mut size = size;
                    size[(dims as usize).min(3)..].fill(unused);
                    size
                };
                let local = used(three(bytes, ndrange::LOCAL)?, 1);
                Asks::Kernel(Enqueued {
                    kernel: at(record::KERNEL)?,
                    dims: (1..=3).contains(&dims).then_some(dims)?,
                    offset: used(three(bytes, ndrange::OFFSET)?, 0),
                    global: used(three(bytes, ndrange::GLOBAL)?, 1),
                    local: (local[0] != 0).then_some(local),
                    args: {
                        let captured = bytes.get(4 * captured..4 * captured + length)?;
                        let locals = list(sizes, locals)?.into_iter();
                        let locals = locals.map(|size| ArgValue::Local(size as usize));
                        std::iter::once(ArgValue::bytes(captured))
                            .chain(locals)
                            .collect()
                    },
                })
            }
            kind::MARKER => Asks::Marker,
            kind::TIMES => {
                let (low, high) = (at(record::RANGE)?, at(record::RANGE + 1)?);
                Asks::Times {
                    kernel: at(record::KERNEL)?,
                    to: u64::from(high) << 32 | u64::from(low),
                }
            }
            _ => return None,
        };
        Some(Record {
            parent: at(record::PARENT)?,
            event: first(at(record::EVENT)?),
            // What is no event is one that nobody has.
            waits: list(record::WORDS, waits)?
                .iter()
                .map(|&e| first(e).unwrap_or(MAX_EVENTS))
                .collect(),
            asks,
        })
    }
}
