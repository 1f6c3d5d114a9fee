//! Copies from the memory of one device to that of another, which are waited for.
//!
//! Both devices copy, by pieces: the one that has the bytes writes the next piece to a slot while the other reads the one before from
//! another slot. [`Way`] has what slots can be. Of what the drivers offer the fastest is taken, by a trial that also compares
//! the bytes.

use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use crate::os::memory::{HostMemory, Pages};
use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::blocking_copy::copy_now;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::gpu::progress::Progress;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::fallible;
use crate::vk::command::{BufferCopy, Others, Recorder, Scope};
use crate::vk::device::{Device, Priority, QueueIndex};
use crate::vk::error::{Error, Result};
use crate::vk::memory::{Buffer, CANNOT_IMPORT, Location};
use crate::vk::peer::{HANDLES, Handle, share};

/// Bytes of a slot.
const SLOT: u64 = 4 << 20;
/// Slots of a link: one is read while another one is written, and the writer has two more to go on with.
const SLOTS: usize = 4;
/// Up to this size bytes are one piece. A submission takes as long as some 0.5 MB over the bus.
const SMALL: u64 = 1 << 20;
/// How many pieces there are at least in larger copies: the reader begins when the first one is there.
const PIECES: u64 = 8;
/// Bytes of a trial: each slot is used.
const TRIAL: u64 = SLOTS as u64 * SMALL;
/// How often they are copied, of which the fastest counts. The first one makes the slots.
const ROUNDS: u32 = 4;

/// What the slots of a link are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::runtime) enum Way {
    /// Memory of the device that reads, which the other one sees, too.
    Reader(Handle),
    /// Memory of the device that writes.
    Writer(Handle),
    /// Host memory that both see.
    Host,
    /// Host memory of each; the host copies.
    Staged,
}

impl Way {
    /// All but the last.
    pub fn shared() -> impl Iterator<Item = Way> {
        let near = HANDLES.into_iter().map(Way::Reader);
        let far = HANDLES.into_iter().map(Way::Writer);
        near.chain(far).chain([Way::Host])
    }

    /// Whether the drivers say that it may work.
    pub fn is_offered(self, writer: &Device, reader: &Device) -> bool {
        let (writer, reader) = (writer.caps(), reader.caps());
        match self {
            Way::Reader(handle) => handle.joins(reader, writer),
            Way::Writer(handle) => handle.joins(writer, reader),
            Way::Host => {
                let aligns = [writer, reader].map(|caps| caps.host_pointer_align);
                aligns.into_iter().all(|n| n != 0 && SLOT.is_multiple_of(n))
            }
            Way::Staged => true,
        }
    }

    /// To whom a device hands the slot's memory over when it has written it.
    fn others(self) -> Option<Others> {
        match self {
            Way::Reader(handle) | Way::Writer(handle) => Some(handle.others()),
            Way::Host | Way::Staged => None,
        }
    }
}

/// The links to a device, made when they are first used.
#[derive(Default)]
pub struct Links(Mutex<Vec<Incoming>>);

/// The link from one device.
struct Incoming {
    writer: Arc<Device>,
    link: Arc<Mutex<Link>>,
}

/// The way from one device to another. Used by one copy at a time.
pub(in crate::runtime) struct Link {
    way: Way,
    writer: Side,
    reader: Side,
    slots: Vec<Slot>,
}

/// One of the devices.
struct Side {
    device: Arc<Device>,
    queue: QueueIndex,
    progress: Progress,
    /// The value of the last submission.
    value: u64,
}

/// The buffers go before the memory that they have imported.
struct Slot {
    recorders: [Recorder; 2],
    writer: Buffer,
    reader: Buffer,
    _pages: Option<Pages>,
}

impl Side {
    fn new(device: &Arc<Device>) -> ClResult<Side> {
        let progress = Progress::new(device)?;
        Ok(Side {
            device: device.clone(),
            queue: device.pick_queue(Priority::default()),
            value: progress.timeline.start(),
            progress,
        })
    }

    fn submit(&mut self, recorder: &mut Recorder) -> ClResult {
        recorder.end()?;
        let signal = (&self.progress.timeline, self.value + 1);
        self.device.submit(self.queue, recorder, &[], signal)?;
        self.value += 1;
        Ok(())
    }

    /// Waits for a submission. OUT_OF_RESOURCES if the device is lost.
    fn wait(&self, value: u64) -> ClResult {
        self.progress.wait(value);
        match self.progress.is_lost() {
            true => Err(ClError::OUT_OF_RESOURCES),
            false => Ok(()),
        }
    }
}

impl Slot {
    fn new(way: Way, writer: &Arc<Device>, reader: &Arc<Device>) -> Result<Slot> {
        if !way.is_offered(writer, reader) {
            return Err(CANNOT_IMPORT);
        }
        let mut pages = None;
        let [near, far] = match way {
            Way::Reader(handle) => {
                let [far, near] = share(reader, writer, SLOT, handle)?;
                [near, far]
            }
            Way::Writer(handle) => share(writer, reader, SLOT, handle)?,
            Way::Host => {
                let [a, b] = [writer, reader].map(|device| device.caps().host_pointer_align);
                let align = a.max(b);
                let memory = Pages::new((SLOT + align) as usize).ok_or(Error::OutOfHostMemory)?;
                let start = memory.memory().as_ptr() as usize;
                let skip = start.next_multiple_of(align as usize) - start;
                let part = memory.memory().slice(skip, SLOT as usize);
                pages = Some(memory);
                [
                    Buffer::import(writer, part, false)?,
                    Buffer::import(reader, part, false)?,
                ]
            }
            Way::Staged => [
                Buffer::new(writer, SLOT, Location::HostCached)?,
                Buffer::new(reader, SLOT, Location::HostCached)?,
            ],
        };
        Ok(Slot {
            recorders: [Recorder::new(writer)?, Recorder::new(reader)?],
            writer: near,
            reader: far,
            _pages: pages,
        })
    }
}

impl Link {
    pub fn new(way: Way, writer: &Arc<Device>, reader: &Arc<Device>) -> ClResult<Link> {
        Ok(Link {
            way,
            slots: vec![Slot::new(way, writer, reader)?],
            writer: Side::new(writer)?,
            reader: Side::new(reader)?,
        })
    }

    /// Copies ranges of `from` to the same places in `to`.
    pub fn copy(&mut self, from: &Buffer, to: &Buffer, ranges: &[[u64; 2]]) -> ClResult {
        let result = self.copy_pieces(from, to, &pieces(ranges));
        // After an error as well: what was submitted uses the slots and both buffers.
        let ends = [&self.writer, &self.reader].map(|side| side.wait(side.value));
        result.and(ends[0]).and(ends[1])
    }

    fn copy_pieces(&mut self, from: &Buffer, to: &Buffer, pieces: &[Vec<BufferCopy>]) -> ClResult {
        // There is one. Without memory for more it goes on with few.
        while self.slots.len() < pieces.len().min(SLOTS) {
            match Slot::new(self.way, &self.writer.device, &self.reader.device) {
                Ok(slot) => self.slots.push(slot),
                Err(_) => break,
            }
        }
        let slots = self.slots.len();
        let before = [self.writer.value, self.reader.value];
        let written = |piece: usize| before[0] + piece as u64 + 1;
        let read = |piece: usize| before[1] + piece as u64 + 1;
        let mut next = 0;
        for piece in 0..pieces.len() {
            // The writer goes on while there are free slots. Of those of other pieces at least one is free soon.
            while next < pieces.len() {
                let free = next < slots || self.reader.progress.reached(read(next - slots));
                if !free && next > piece {
                    break;
                }
                if !free {
                    self.reader.wait(read(next - slots))?;
                }
                self.write(from, next, &pieces[next])?;
                next += 1;
            }
            self.writer.wait(written(piece))?;
            self.read(to, piece, &pieces[piece])?;
        }
        Ok(())
    }

    /// Submits the copy of a piece to its slot.
    fn write(&mut self, from: &Buffer, piece: usize, regions: &[BufferCopy]) -> ClResult {
        let count = self.slots.len();
        let slot = &mut self.slots[piece % count];
        let recorder = &mut slot.recorders[0];
        recorder.begin()?;
        recorder.barrier(Scope::DEVICE, Scope::DEVICE);
        match self.way.others() {
            Some(others) => {
                recorder.hand_over(&slot.writer, others, true);
                recorder.copy(from, &slot.writer, regions);
                recorder.hand_over(&slot.writer, others, false);
            }
            None => {
                recorder.copy(from, &slot.writer, regions);
                recorder.barrier(Scope::TRANSFER, Scope::HOST);
            }
        }
        self.writer.submit(recorder)
    }

    /// Submits the copy of a piece from its slot, which has been written.
    fn read(&mut self, to: &Buffer, piece: usize, regions: &[BufferCopy]) -> ClResult {
        let count = self.slots.len();
        let slot = &mut self.slots[piece % count];
        if self.way == Way::Staged
            && let (Some(src), Some(dst)) = (slot.writer.mapped(), slot.reader.mapped())
        {
            let bytes: u64 = regions.iter().map(|region| region.size).sum();
            dst.copy_from(src.slice(0, bytes as usize));
        }
        let back = |region: &BufferCopy| BufferCopy {
            src_offset: region.dst_offset,
            dst_offset: region.src_offset,
            size: region.size,
        };
        let regions: Vec<BufferCopy> = regions.iter().map(back).collect();
        let recorder = &mut slot.recorders[1];
        recorder.begin()?;
        match self.way.others() {
            Some(others) => {
                recorder.hand_over(&slot.reader, others, true);
                recorder.copy(&slot.reader, to, &regions);
                recorder.hand_over(&slot.reader, others, false);
            }
            None => recorder.copy(&slot.reader, to, &regions),
        }
        self.reader.submit(recorder)
    }
}

/// The pieces of ranges, each as the copies to its slot.
fn pieces(ranges: &[[u64; 2]]) -> Vec<Vec<BufferCopy>> {
    let total: u64 = ranges.iter().map(|[start, end]| end - start).sum();
    let size = match total {
        0..=SMALL => SMALL,
        _ => (total.div_ceil(PIECES).next_multiple_of(64 << 10)).clamp(SMALL, SLOT),
    };
    let mut pieces = Vec::new();
    let mut piece: Vec<BufferCopy> = Vec::new();
    let mut used = 0;
    for &[start, end] in ranges {
        let mut at = start;
        while at < end {
            if used == size {
                pieces.push(std::mem::take(&mut piece));
                used = 0;
            }
            let len = (end - at).min(size - used);
            piece.push(BufferCopy {
                src_offset: at,
                dst_offset: used,
                size: len,
            });
            at += len;
            used += len;
        }
    }
    if used > 0 {
        pieces.push(piece);
    }
    pieces
}

/// The link of a way, if it works, and the time of a trial.
pub(in crate::runtime) fn tried(way: Way, from: &Gpu, to: &Gpu) -> ClResult<(Link, Duration)> {
    let mut link = Link::new(way, &from.vk, &to.vk)?;
    let src = Buffer::new(&from.vk, TRIAL, Location::Device)?;
    let dst = Buffer::new(&to.vk, TRIAL, Location::Device)?;
    let mut bytes = fallible::zeros(TRIAL as usize)?;
    // No piece is like another one.
    for (number, word) in bytes.chunks_exact_mut(4).enumerate() {
        word.copy_from_slice(&(number as u32).wrapping_mul(0x9e37_79b9).to_le_bytes());
    }
    HostMemory::with(&mut bytes, |host| copy_now(from, &src, 0, host, false))?;
    let mut time = Duration::MAX;
    for _ in 0..ROUNDS {
        let start = Instant::now();
        link.copy(&src, &dst, &[[0, TRIAL]])?;
        time = time.min(start.elapsed());
    }
    let mut got = fallible::zeros(TRIAL as usize)?;
    HostMemory::with(&mut got, |host| copy_now(to, &dst, 0, host, true))?;
    match got == bytes {
        true => Ok((link, time)),
        false => Err(ClError::INVALID_OPERATION),
    }
}

/// The best link from one device to another.
fn best(from: &Gpu, to: &Gpu) -> ClResult<Link> {
    let names = [from, to].map(|gpu| gpu.vk.caps().name.as_str());
    let mut best: Option<(Link, Duration)> = None;
    for way in Way::shared().filter(|way| way.is_offered(&from.vk, &to.vk)) {
        match tried(way, from, to) {
            Ok((link, time)) => {
                tracing::debug!(from = names[0], to = names[1], ?way, ?time, "a link works");
                if best.as_ref().is_none_or(|other| time < other.1) {
                    best = Some((link, time));
                }
            }
            Err(error) => tracing::debug!(from = names[0], to = names[1], ?way, ?error, "no link"),
        }
    }
    let link = match best {
        Some((link, _)) => link,
        None => Link::new(Way::Staged, &from.vk, &to.vk)?,
    };
    tracing::debug!(from = names[0], to = names[1], way = ?link.way, "link");
    Ok(link)
}

/// Copies ranges from the memory of one device to the same places in that of another, and waits.
pub fn copy_between(
    (from, src): (&Gpu, &Buffer),
    (to, dst): (&Gpu, &Buffer),
    ranges: &[[u64; 2]],
) -> ClResult {
    let mut links = to.links.0.lock().unpoisoned();
    let known = links.iter().find(|row| Arc::ptr_eq(&row.writer, &from.vk));
    let link = match known {
        Some(known) => known.link.clone(),
        None => {
            let link = Arc::new(Mutex::new(best(from, to)?));
            links.push(Incoming {
                writer: from.vk.clone(),
                link: link.clone(),
            });
            link
        }
    };
    drop(links);
    link.lock().unpoisoned().copy(src, dst, ranges)
}
