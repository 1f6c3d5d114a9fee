//! Moving bytes between host and device.
//!
//! A transfer is a list of spans: runs of bytes contiguous on both sides. Where the host
//! reaches the device's memory and nothing on the device uses it, spans are copied at
//! once. Small transfers are staged through a block: a write fills it before recording, a
//! read empties it when its batch has completed. Large ones are jobs that keep a few
//! blocks in flight, so that the host copies one while the device copies the others.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::channel;

use crate::compiler::parallel::processors;
use crate::os::exit::Promise;
use crate::os::memory::HostMemory;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::staging::{Block, LARGE_BLOCK, MEDIUM_BLOCK};
use crate::runtime::memory::buffer::{Buffer, Mapping, Via};
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::memory::storage::Storage;
use crate::runtime::record::batch::Post;
use crate::runtime::record::pending_writes::{self, Pending};
use crate::runtime::submit::engine::{Core, State};
use crate::runtime::submit::jobs::Order;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::fallible;
use crate::runtime::support::threads;
use crate::runtime::transfer::host_copy;
use crate::vk;
use crate::vk::command::{BufferCopy, Recorder, Scope};

/// Transfers up to this size share a block.
pub(in crate::runtime) const SMALL: u64 = 64 << 10;
/// Bytes that the host reads from device memory over the bus sooner than the device could be asked.
const READ_OVER_BUS: u64 = 8 << 10;
/// Bytes that the host writes there sooner than it could copy them to where the device reads them.
const WRITE_OVER_BUS: u64 = 1 << 20;
/// The same where the device reads them as they lie.
const SHARED_OVER_BUS: u64 = 256 << 10;
/// Bytes that a row costs beside its own: lines of the bus are read whole.
const LINE: u64 = 64;
/// Blocks that a thread of a large transfer keeps in flight.
const WINDOW: usize = 2;

/// Bytes at `a` on one side and at `b` on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::runtime) struct Span {
    pub a: u64,
    pub b: u64,
    pub len: u64,
}

impl Span {
    /// As seen from the other side.
    pub fn turned(&self) -> Span {
        Span {
            a: self.b,
            b: self.a,
            len: self.len,
        }
    }

    /// Copies `a` to `b`.
    pub fn forth(&self) -> BufferCopy {
        BufferCopy {
            src_offset: self.a,
            dst_offset: self.b,
            size: self.len,
        }
    }

    /// Copies `b` to `a`.
    pub fn back(&self) -> BufferCopy {
        BufferCopy {
            src_offset: self.b,
            dst_offset: self.a,
            size: self.len,
        }
    }
}

/// The region as rows that are as long as possible: of whole rows, slices; of whole slices, one.
pub(in crate::runtime) fn joined(a: Layout, b: Layout, [row, rows, slices]: Extent) -> Extent {
    let both = |pitch: fn(&Layout) -> u64, size| pitch(&a) == size && pitch(&b) == size;
    if rows > 1 && !both(|l| l.row_pitch, row) {
        return [row, rows, slices];
    }
    match both(|l| l.slice_pitch, row * rows) {
        true => [row * rows * slices, 1, 1],
        false => [row * rows, 1, slices],
    }
}

/// The spans of a region.
fn rows(a: Layout, b: Layout, extent: Extent) -> impl Iterator<Item = Span> {
    // A loop over the rows of a large volume takes longer than its copy.
    let [len, rows, slices] = joined(a, b, extent);
    let at = |l: Layout, y: u64, z: u64| l.offset + y * l.row_pitch + z * l.slice_pitch;
    let span = move |y, z| Span {
        a: at(a, y, z),
        b: at(b, y, z),
        len,
    };
    (0..slices).flat_map(move |z| (0..rows).map(move |y| span(y, z)))
}

/// The same as a list. OUT_OF_HOST_MEMORY if there are too many.
pub(in crate::runtime) fn spans(a: Layout, b: Layout, extent: Extent) -> ClResult<Vec<Span>> {
    let [_, count, slices] = joined(a, b, extent);
    let mut spans = fallible::list((count * slices) as usize)?;
    spans.extend(rows(a, b, extent));
    Ok(spans)
}

/// Cuts spans into groups of at most `max` bytes.
fn chunks(spans: &[Span], max: u64) -> ClResult<Vec<Vec<Span>>> {
    let mut chunks = vec![Vec::new()];
    let mut left = max;
    for &span in spans {
        let mut span = span;
        while span.len > 0 {
            if left == 0 {
                fallible::push(&mut chunks, Vec::new())?;
                left = max;
            }
            let len = span.len.min(left);
            if let Some(chunk) = chunks.last_mut() {
                fallible::push(chunk, Span { len, ..span })?;
            }
            left -= len;
            span = Span {
                a: span.a + len,
                b: span.b + len,
                len: span.len - len,
            };
        }
    }
    Ok(chunks)
}

/// First and one past the last byte on side `a`.
pub(in crate::runtime) fn range_a(spans: &[Span]) -> (u64, u64) {
    let start = spans.iter().map(|s| s.a).min().unwrap_or(0);
    let end = spans.iter().map(|s| s.a + s.len).max().unwrap_or(0);
    (start, end)
}

/// A copy between a buffer and application memory.
pub(in crate::runtime) struct Transfer<'a> {
    pub buffer: &'a Arc<Buffer>,
    pub buffer_at: Layout,
    pub host: HostMemory,
    pub host_at: Layout,
    pub extent: Extent,
    /// From the buffer to the host.
    pub read: bool,
}

impl<'a> Transfer<'a> {
    /// What (un)mapping memory that only the host copies has to copy.
    pub fn of_mapping(mapping: &'a Mapping, read: bool) -> Option<Transfer<'a>> {
        let host_copies = matches!(mapping.via, Via::Shadow);
        Transfer::within(mapping, read).filter(|_| host_copies)
    }

    /// What (un)mapping has to copy between a buffer and the memory that the application sees.
    pub fn within(mapping: &'a Mapping, read: bool) -> Option<Transfer<'a>> {
        let moves = mapping.moves(read);
        moves.then(|| Transfer::of(mapping, read))
    }

    /// The same, whether anything is copied or not.
    pub fn of(mapping: &'a Mapping, read: bool) -> Transfer<'a> {
        Transfer {
            buffer: &mapping.buffer,
            buffer_at: mapping.at,
            host: mapping.host,
            host_at: mapping.host_at(),
            extent: mapping.extent,
            read,
        }
    }

    /// How many runs of bytes there are in the application's memory, and these.
    fn host_rows(&self) -> (usize, impl Iterator<Item = HostMemory>) {
        let (at, host) = (self.storage_at(), self.host);
        let [_, rows_of_slice, slices] = joined(at, self.host_at, self.extent);
        let spans = rows(at, self.host_at, self.extent);
        let rows = spans.map(move |span| host.slice(span.b as usize, span.len as usize));
        ((rows_of_slice * slices) as usize, rows)
    }

    /// The batches whose ends write the application's memory.
    pub fn posts_under_way(&self) -> Vec<(Arc<Core>, u64)> {
        let (count, rows) = self.host_rows();
        pending_writes::under_way(count, rows)
    }

    /// Batch `value` of `core` is going to write it.
    pub fn will_write(&self, core: &Arc<Core>, value: u64) -> Pending {
        let (count, rows) = self.host_rows();
        Pending::new(core, value, count, rows)
    }

    pub fn bytes(&self) -> u64 {
        self.extent.iter().product()
    }

    /// `a` in the storage, `b` in the application's memory.
    fn spans(&self) -> ClResult<Vec<Span>> {
        spans(self.storage_at(), self.host_at, self.extent)
    }

    fn storage_at(&self) -> Layout {
        let mut at = self.buffer_at;
        at.offset += self.buffer.offset();
        at
    }

    /// Small enough for the host to copy it over the bus.
    fn is_small(&self) -> bool {
        let [row, rows, slices] = self.extent;
        match self.read {
            true => (row + LINE) * rows * slices <= READ_OVER_BUS + LINE,
            false => self.bytes() <= WRITE_OVER_BUS,
        }
    }

    /// The buffer's storage where the host copies faster than the device.
    fn reached(&self, storage: &Storage) -> Option<HostMemory> {
        let over_bus = || match self.read {
            true => storage.readable(),
            false => storage.reachable(),
        };
        (storage.direct()).or_else(|| over_bus().filter(|_| self.is_small()))
    }

    /// The host had better copy than a device that sees the host's memory, unless a batch uses the
    /// buffer.
    pub fn is_direct(&self, device: &Arc<Device>) -> bool {
        let small = self.bytes() <= SHARED_OVER_BUS;
        let best = |storage: &Arc<Storage>| {
            storage.direct().is_some() || small && self.reached(storage).is_some()
        };
        self.buffer.storage(device).is_ok_and(best)
    }

    /// Whether [`Transfer::run_direct`] will copy.
    pub fn can_run_direct(&self, device: &Arc<Device>) -> ClResult<bool> {
        let storage = self.buffer.storage(device)?;
        Ok(self.reached(storage).is_some() && storage.is_idle())
    }

    /// Copies on the host, if the memory allows it and no batch uses it.
    pub fn run_direct(&self, device: &Arc<Device>) -> ClResult<bool> {
        let storage = self.buffer.storage(device)?;
        let reached = self.reached(storage);
        let over_bus = storage.reachable().is_some() && storage.direct().is_none();
        if over_bus && self.read && self.is_small() && storage.is_idle() {
            storage.expect_reads();
        }
        match reached {
            Some(memory) if storage.is_idle() => {
                self.acquire(device)?;
                self.copy_direct(memory, storage.direct().is_some());
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// The device has the buffer's part. What will be written is not copied from other devices: where the
    /// application's memory is the storage, that would undo what the host has done there.
    fn acquire(&self, device: &Arc<Device>) -> ClResult {
        let at = self.storage_at();
        if self.read {
            let end = at.offset + at.length(self.extent);
            return self.buffer.acquire(device, at.offset, end, false);
        }
        let written = rows(at, self.host_at, self.extent).map(|span| (span.a, span.a + span.len));
        self.buffer.replace(device, written)
    }

    /// `cached`: the host reads the storage through its caches.
    fn copy_direct(&self, memory: HostMemory, cached: bool) {
        for span in rows(self.storage_at(), self.host_at, self.extent) {
            let (near, far) = (
                memory.slice(span.a as usize, span.len as usize),
                self.host.slice(span.b as usize, span.len as usize),
            );
            match (self.read, cached) {
                (true, true) => far.copy_from(near),
                (true, false) => far.copy_from_uncached(near),
                (false, _) => near.copy_from(far),
            }
        }
    }

    /// Records a transfer that fits one block.
    pub fn record(&self, core: &Arc<Core>, state: &mut State) -> ClResult {
        let gpu = core.gpu()?;
        let bytes = self.bytes();
        let (block, offset) = if bytes <= SMALL {
            let piece = state.piece(gpu, bytes)?;
            (piece.block, piece.offset)
        } else {
            let size = if bytes <= MEDIUM_BLOCK {
                MEDIUM_BLOCK
            } else {
                LARGE_BLOCK
            };
            let block = gpu.pool.take(size)?;
            state.batch()?.keep_block(&block);
            (block, 0)
        };
        let spans = self.spans()?;
        let pieces = self.pieces(&spans, offset)?;
        if !self.read {
            fill_block(&block, &pieces, host_copy::copy);
        }
        self.record_chunk(core, state, &spans, &block, offset)?;
        if self.read {
            state.batch()?.post(core, Post { block, pieces });
        }
        Ok(())
    }

    /// Where the spans lie in a block, from `offset` on, and in the application's memory.
    fn pieces(&self, spans: &[Span], mut offset: u64) -> ClResult<Pieces> {
        let piece = |span: &Span| {
            let host = self.host.slice(span.b as usize, span.len as usize);
            offset += span.len;
            (offset - span.len, host)
        };
        fallible::collect(spans.iter().map(piece))
    }

    /// Records the copy between the buffer and a block.
    fn record_chunk(
        &self,
        core: &Arc<Core>,
        state: &mut State,
        spans: &[Span],
        block: &Block,
        mut offset: u64,
    ) -> ClResult {
        let mut regions = fallible::list(spans.len())?;
        for span in spans {
            let (src_offset, dst_offset) = match self.read {
                true => (span.a, offset),
                false => (offset, span.a),
            };
            regions.push(BufferCopy {
                src_offset,
                dst_offset,
                size: span.len,
            });
            offset += span.len;
        }
        let (start, end) = range_a(spans);
        let touched = [(self.buffer, start, end, !self.read)];
        core.touch(state, touched, Scope::TRANSFER)?;
        let storage = self.buffer.storage(&core.device)?;
        let batch = state.batch()?;
        batch.host_reads |= self.read;
        match self.read {
            true => copy(&mut batch.recorder, &storage.vk, block, &regions),
            false => copy(&mut batch.recorder, block, &storage.vk, &regions),
        }
        Ok(())
    }

    /// Runs as a job, in chunks or directly.
    pub fn run(&self, core: &Arc<Core>, order: &Order) -> ClResult {
        let storage = self.buffer.storage(&core.device)?;
        if let Some(memory) = storage.direct() {
            order.wait(core)?;
            // What could not be submitted, which has a later value, never uses it.
            core.wait(storage.last_use(&core.progress).min(core.last()));
            self.acquire(&core.device)?;
            self.copy_direct(memory, true);
            return Ok(());
        }
        order.on_device(core)?;
        let chunks = chunks(&self.spans()?, LARGE_BLOCK)?;
        let helpers = helpers().min(chunks.len()) - 1;
        let shared = Arc::new((chunks, AtomicUsize::new(0)));
        let (done, results) = channel();
        let mut started = 0;
        for _ in 0..helpers {
            let (core, shared, done) = (core.clone(), shared.clone(), done.clone());
            let (buffer, read) = (self.buffer.clone(), self.read);
            let (buffer_at, host_at, extent) = (self.buffer_at, self.host_at, self.extent);
            let host = self.host;
            let Some(promise) = Promise::new(false) else {
                break;
            };
            let work = move || {
                let transfer = Transfer {
                    buffer: &buffer,
                    buffer_at,
                    host,
                    host_at,
                    extent,
                    read,
                };
                let result = transfer.run_chunks(&core, &shared.0, &shared.1);
                // Before the command ends.
                drop(buffer);
                let _ = done.send(result);
            };
            started += usize::from(threads::start(promise.keep(work)).is_ok());
        }
        drop(done);
        let own = self.run_chunks(core, &shared.0, &shared.1);
        // Ends when all have ended, by a panic, too, which is none of the results.
        let results: Vec<ClResult> = results.iter().collect();
        match results.len() == started {
            true => results.into_iter().fold(own, Result::and),
            false => Err(ClError::OUT_OF_RESOURCES),
        }
    }

    /// Moves chunks, as they come, until there is none left. Any number of threads may.
    fn run_chunks(&self, core: &Arc<Core>, chunks: &[Vec<Span>], next: &AtomicUsize) -> ClResult {
        let gpu = core.gpu()?;
        let mut window: VecDeque<InFlight> = VecDeque::new();
        let drain = |chunk: InFlight| -> ClResult {
            core.wait(chunk.value);
            if core.is_lost() {
                return Err(ClError::OUT_OF_RESOURCES);
            }
            if self.read {
                empty_block(&chunk.block, &chunk.pieces, HostMemory::copy_from);
            }
            Ok(())
        };
        while let Some(chunk) = chunks.get(next.fetch_add(1, Ordering::Relaxed)) {
            if window.len() >= WINDOW
                && let Some(entry) = window.pop_front()
            {
                drain(entry)?;
            }
            let block = gpu.pool.take(LARGE_BLOCK)?;
            let pieces = self.pieces(chunk, 0)?;
            if !self.read {
                // Before the lock is taken: this is the slow part.
                fill_block(&block, &pieces, HostMemory::copy_from);
            }
            let value = core.record_job(|state| {
                self.record_chunk(core, state, chunk, &block, 0)?;
                state.batch()?.keep_block(&block);
                Ok(())
            })?;
            window.push_back(InFlight {
                value,
                block,
                pieces,
            });
        }
        window.into_iter().try_for_each(drain)
    }
}

/// Threads that share a large transfer: one core copies far slower than the bus.
fn helpers() -> usize {
    (processors() / 2).clamp(1, 4)
}

/// A chunk of a large transfer, until batch `value` has completed.
struct InFlight {
    value: u64,
    block: Arc<Block>,
    pieces: Pieces,
}

/// Offsets in a block, and the application memory that belongs there.
pub(in crate::runtime) type Pieces = Vec<(u64, HostMemory)>;

/// Regions per copy command.
const REGIONS: usize = 4096;

/// Records a copy of any number of regions.
pub(in crate::runtime) fn copy(
    recorder: &mut Recorder,
    src: &vk::memory::Buffer,
    dst: &vk::memory::Buffer,
    regions: &[BufferCopy],
) {
    for part in regions.chunks(REGIONS) {
        recorder.copy(src, dst, part);
    }
}

/// How the host copies the second to the first.
type Copy = fn(HostMemory, HostMemory);

/// Copies what the device has read to where it belongs.
pub(in crate::runtime) fn empty_block(block: &Block, pieces: &[(u64, HostMemory)], copy: Copy) {
    for (offset, host) in pieces {
        copy(*host, block.mapped().slice(*offset as usize, host.len()));
    }
}

fn fill_block(block: &Block, pieces: &[(u64, HostMemory)], copy: Copy) {
    for (offset, host) in pieces {
        copy(block.mapped().slice(*offset as usize, host.len()), *host);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(a: u64, b: u64, len: u64) -> Span {
        Span { a, b, len }
    }

    #[test]
    fn rows_that_touch_are_one_span() {
        let at = |offset, row_pitch, slice_pitch| Layout {
            offset,
            row_pitch,
            slice_pitch,
        };
        assert_eq!(
            spans(at(8, 16, 64), at(0, 16, 64), [16, 4, 2]).unwrap(),
            [span(8, 0, 128)]
        );
        assert_eq!(
            spans(at(0, 16, 128), at(0, 16, 64), [16, 4, 2]).unwrap(),
            [span(0, 0, 64), span(128, 64, 64)]
        );
        assert_eq!(
            spans(at(8, 16, 64), at(0, 8, 16), [8, 2, 2]).unwrap(),
            [
                span(8, 0, 8),
                span(24, 8, 8),
                span(72, 16, 8),
                span(88, 24, 8)
            ]
        );
        assert_eq!(
            spans(Layout::linear(5), Layout::linear(7), [9, 1, 1]).unwrap(),
            [span(5, 7, 9)]
        );
    }

    #[test]
    fn chunks_keep_every_byte() {
        assert_eq!(
            chunks(&[span(0, 100, 10), span(50, 200, 3)], 4).unwrap(),
            [
                vec![span(0, 100, 4)],
                vec![span(4, 104, 4)],
                vec![span(8, 108, 2), span(50, 200, 2)],
                vec![span(52, 202, 1)]
            ]
        );
    }
}
