//! Commands: what a queue executes.

use std::sync::Arc;

use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::gpu::staging::LARGE_BLOCK;
use crate::runtime::launch::device_kernel::Launch;
use crate::runtime::memory::buffer::{Buffer, HostMemory, Mapping};
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::submit::engine::{Core, State};
use crate::runtime::support::error::ClResult;
use crate::runtime::support::fallible;
use crate::runtime::transfer::pinned;
use crate::runtime::transfer::rectangles;
use crate::runtime::transfer::staged::{SMALL, Span, Transfer, copy, joined, range_a, spans};
use crate::vk::command::Scope;

/// One command. Ranges are checked before (by `api`).
pub enum Command {
    Read {
        src: Arc<Buffer>,
        src_at: Layout,
        dst: HostMemory,
        dst_at: Layout,
        extent: Extent,
    },
    Write {
        src: HostMemory,
        src_at: Layout,
        dst: Arc<Buffer>,
        dst_at: Layout,
        extent: Extent,
    },
    Copy {
        src: Arc<Buffer>,
        src_at: Layout,
        dst: Arc<Buffer>,
        dst_at: Layout,
        extent: Extent,
    },
    /// `pattern` of 1 to 128 bytes, a power of two; offset, pitches and rows its multiples.
    Fill {
        dst: Arc<Buffer>,
        pattern: Vec<u8>,
        at: Layout,
        extent: Extent,
    },
    NdRange(Box<Launch>),
    Map(Arc<Mapping>),
    Unmap(Arc<Mapping>),
    /// Completes when what it waits for (its wait list, or everything before) has.
    Marker,
    /// As a marker, and everything enqueued behind waits for it.
    Barrier,
    Migrate(Vec<Arc<Buffer>>),
    /// Takes buffers with imported memory from what else uses it, or hands them to it.
    HandOver {
        buffers: Vec<Arc<Buffer>>,
        ours: bool,
    },
    /// A host function (clEnqueueNativeKernel), run on a thread of the queue, and the buffers
    /// in host memory that it may use.
    Native(Box<dyn FnOnce() + Send>, Vec<Arc<Buffer>>),
}

impl Command {
    /// Reads `dst.len()` bytes at `offset`.
    pub fn read(src: &Arc<Buffer>, offset: u64, dst: HostMemory) -> Command {
        Command::Read {
            src: src.clone(),
            src_at: Layout::linear(offset),
            extent: [dst.len() as u64, 1, 1],
            dst,
            dst_at: Layout::linear(0),
        }
    }

    /// Writes `src.len()` bytes at `offset`.
    pub fn write(src: HostMemory, dst: &Arc<Buffer>, offset: u64) -> Command {
        Command::Write {
            src_at: Layout::linear(0),
            extent: [src.len() as u64, 1, 1],
            src,
            dst: dst.clone(),
            dst_at: Layout::linear(offset),
        }
    }

    /// Copies `size` bytes.
    pub fn copy(
        src: &Arc<Buffer>,
        src_offset: u64,
        dst: &Arc<Buffer>,
        dst_offset: u64,
        size: u64,
    ) -> Command {
        Command::Copy {
            src: src.clone(),
            src_at: Layout::linear(src_offset),
            dst: dst.clone(),
            dst_at: Layout::linear(dst_offset),
            extent: [size, 1, 1],
        }
    }

    /// Fills `size` bytes at `offset`.
    pub fn fill(dst: &Arc<Buffer>, pattern: Vec<u8>, offset: u64, size: u64) -> Command {
        Command::Fill {
            dst: dst.clone(),
            pattern,
            at: Layout::linear(offset),
            extent: [size, 1, 1],
        }
    }

    /// What people call it: the kernel, or the kind of command.
    pub fn name(&self) -> &str {
        match self {
            Command::Read { .. } => "read",
            Command::Write { .. } => "write",
            Command::Copy { .. } => "copy",
            Command::Fill { .. } => "fill",
            Command::NdRange(launch) => launch.name(),
            Command::Map(_) => "map",
            Command::Unmap(_) => "unmap",
            Command::Marker => "marker",
            Command::Barrier => "barrier",
            Command::Migrate(_) => "migrate",
            Command::HandOver { ours: true, .. } => "acquire",
            Command::HandOver { ours: false, .. } => "release",
            Command::Native(..) => "native",
        }
    }

    /// The copy between buffer and application memory that the command is, if it is one.
    pub(in crate::runtime) fn transfer(&self) -> Option<Transfer<'_>> {
        match self {
            Command::Read {
                src,
                src_at,
                dst,
                dst_at,
                extent,
            } => Some(Transfer {
                buffer: src,
                buffer_at: *src_at,
                host: *dst,
                host_at: *dst_at,
                extent: *extent,
                read: true,
            }),
            Command::Write {
                src,
                src_at,
                dst,
                dst_at,
                extent,
            } => Some(Transfer {
                buffer: dst,
                buffer_at: *dst_at,
                host: *src,
                host_at: *src_at,
                extent: *extent,
                read: false,
            }),
            Command::Map(mapping) => Transfer::of_mapping(mapping, true),
            Command::Unmap(mapping) => Transfer::of_mapping(mapping, false),
            _ => None,
        }
    }

    /// A transfer as a copy between buffers, where the application's memory is a buffer's, too, and the device
    /// copies faster than the host.
    pub(in crate::runtime) fn between_buffers(self, device: &Arc<Device>) -> ClResult<Command> {
        let gpu = device.gpu()?;
        let transfer = self.transfer().filter(|t| !t.is_direct(device));
        let copy = transfer.and_then(|t| Command::of_places(gpu, &t, |_| true));
        Ok(copy.unwrap_or(self))
    }

    /// The same of a transfer that the host was to do, if a batch uses the memory.
    pub(in crate::runtime) fn behind_batches(
        &self,
        device: &Arc<Device>,
    ) -> ClResult<Option<Command>> {
        let busy = |host: &Buffer| host.storage(device).is_ok_and(|storage| !storage.is_idle());
        let gpu = device.gpu()?;
        Ok(self
            .transfer()
            .and_then(|t| Command::of_places(gpu, &t, busy)))
    }

    fn of_places(
        gpu: &Gpu,
        transfer: &Transfer,
        wanted: impl FnOnce(&Buffer) -> bool,
    ) -> Option<Command> {
        let [(src, src_at), (dst, dst_at)] = pinned::places(gpu, transfer, wanted)?;
        Some(Command::Copy {
            src,
            src_at,
            dst,
            dst_at,
            extent: transfer.extent,
        })
    }

    /// Needs a thread of its own: a host function, or more bytes than are staged at once.
    pub(in crate::runtime) fn is_job(&self) -> bool {
        matches!(self, Command::Native(..))
            || self.transfer().is_some_and(|t| t.bytes() > LARGE_BLOCK)
    }

    /// It has failed: what it would have made is not there.
    pub(in crate::runtime) fn abandon(&self) {
        if let Command::Map(mapping) = self {
            mapping.abandon();
        }
    }

    /// The batches whose ends write memory that the command makes the host use.
    pub(in crate::runtime) fn posts_under_way(&self) -> Vec<(Arc<Core>, u64)> {
        match (self.transfer(), self) {
            (Some(transfer), _) => transfer.posts_under_way(),
            (None, Command::Unmap(mapping)) => Transfer::of(mapping, false).posts_under_way(),
            _ => Vec::new(),
        }
    }

    /// It has been recorded, or needs no recording: what it maps is not there before the last batch ends.
    pub(in crate::runtime) fn note_mapping(&self, core: &Arc<Core>, state: &mut State) {
        let Command::Map(mapping) = self else {
            return;
        };
        let recorded = state.batch.as_mut().filter(|batch| !batch.is_empty());
        if let Some(batch) = recorded.or(state.flight.back_mut()) {
            let pending = Transfer::of(mapping, true).will_write(core, batch.value);
            batch.pending.push(pending);
        }
    }

    /// Takes a staging block of its own.
    pub(in crate::runtime) fn is_staged(&self) -> bool {
        self.transfer().is_some_and(|t| t.bytes() > SMALL)
    }

    /// Does the command on the host, if it can be done there at once or is nothing but a
    /// point in time. With `profiled` such points get timestamps, that is, are recorded.
    pub(in crate::runtime) fn run_on_host(
        &self,
        device: &Arc<Device>,
        profiled: bool,
    ) -> ClResult<bool> {
        if let Some(transfer) = self.transfer() {
            return transfer.run_direct(device);
        }
        let staged = match self {
            Command::Map(mapping) => Transfer::within(mapping, true),
            Command::Unmap(mapping) => Transfer::within(mapping, false),
            _ => None,
        };
        if let Some(transfer) = staged
            && transfer.is_direct(device)
            && transfer.run_direct(device)?
        {
            return Ok(true);
        }
        match self {
            Command::Map(mapping) => mapping.begin()?,
            Command::Migrate(buffers) => {
                buffers
                    .iter()
                    .try_for_each(|b| b.acquire_all(device, false))?;
            }
            _ => {}
        }
        Ok(!profiled
            && match self {
                Command::Marker | Command::Barrier | Command::Migrate(_) => true,
                Command::Map(m) => !m.moves(true),
                Command::Unmap(m) => !m.moves(false),
                _ => false,
            })
    }

    /// Does a small copy or fill on the host, where it reaches the memory and no batch uses it: sooner
    /// done than by a submission of its own.
    pub(in crate::runtime) fn run_in_step(&self, device: &Arc<Device>) -> ClResult<bool> {
        let small = |extent: &Extent| extent.iter().product::<u64>() <= SMALL;
        let (dst, dst_at, extent) = match self {
            Command::Copy {
                dst,
                dst_at,
                extent,
                ..
            } => (dst, dst_at, extent),
            Command::Fill {
                dst, at, extent, ..
            } => (dst, at, extent),
            _ => return Ok(false),
        };
        let storage = dst.storage(device)?;
        let Some(memory) = storage.reachable().filter(|_| small(extent)) else {
            return Ok(false);
        };
        let transfer = |buffer, buffer_at, host, host_at, read| Transfer {
            buffer,
            buffer_at,
            host,
            host_at,
            extent: *extent,
            read,
        };
        match self {
            Command::Copy { src, src_at, .. } if storage.is_idle() => {
                let start = dst.offset() + dst_at.offset;
                let to = Layout {
                    offset: start,
                    ..*dst_at
                };
                let read = transfer(src, *src_at, memory, to, true);
                if !read.can_run_direct(device)? {
                    return Ok(false);
                }
                dst.acquire(device, start, start + to.length(*extent), true)?;
                read.run_direct(device)
            }
            Command::Fill { pattern, .. } => {
                // The same row again and again.
                let mut row = pattern.repeat(extent[0] as usize / pattern.len());
                HostMemory::with(&mut row, |row| {
                    transfer(dst, *dst_at, row, Layout::linear(0), false).run_direct(device)
                })
            }
            _ => Ok(false),
        }
    }

    /// Records the command into the current batch.
    pub(in crate::runtime) fn record(&mut self, core: &Arc<Core>, state: &mut State) -> ClResult {
        if let Some(transfer) = self.transfer() {
            return transfer.record(core, state);
        }
        match self {
            Command::Copy {
                src,
                src_at,
                dst,
                dst_at,
                extent,
            } => record_copy(core, state, (src, *src_at), (dst, *dst_at), *extent),
            Command::Fill {
                dst,
                pattern,
                at,
                extent,
            } => record_fill(core, state, dst, pattern, *at, *extent),
            Command::NdRange(launch) => launch.record(core, state),
            Command::Map(mapping) => record_map(core, state, mapping, true),
            Command::Unmap(mapping) => record_map(core, state, mapping, false),
            Command::HandOver { buffers, ours } => {
                let all = buffers.iter().map(|buffer| (buffer, 0, u64::MAX, true));
                core.touch(state, all, Scope::DEVICE)?;
                for buffer in buffers {
                    let storage = buffer.storage(&core.device)?;
                    state.batch()?.recorder.hand_over(&storage.vk, *ours);
                }
                Ok(())
            }
            // Without effect on the device, or jobs, which are not recorded.
            Command::Marker
            | Command::Barrier
            | Command::Migrate(_)
            | Command::Native(..)
            | Command::Read { .. }
            | Command::Write { .. } => Ok(()),
        }
    }
}

fn record_copy(
    core: &Arc<Core>,
    state: &mut State,
    (src, mut src_at): (&Arc<Buffer>, Layout),
    (dst, mut dst_at): (&Arc<Buffer>, Layout),
    extent: Extent,
) -> ClResult {
    src_at.offset += src.offset();
    dst_at.offset += dst.offset();
    if rectangles::copy_large(
        core,
        state,
        (src, src_at),
        (dst, dst_at),
        joined(src_at, dst_at, extent),
    )? {
        return Ok(());
    }
    let from = spans(src_at, dst_at, extent)?;
    let to = fallible::collect(from.iter().map(Span::turned))?;
    let (src_range, dst_range) = (range_a(&from), range_a(&to));
    let touched = [
        (src, src_range.0, src_range.1, false),
        (dst, dst_range.0, dst_range.1, true),
    ];
    core.touch(state, touched, Scope::TRANSFER)?;
    let regions = fallible::collect(from.iter().map(Span::forth))?;
    let (src, dst) = (src.storage(&core.device)?, dst.storage(&core.device)?);
    copy(&mut state.batch()?.recorder, &src.vk, &dst.vk, &regions);
    Ok(())
}

/// Fills a box. Whole words in a row go to vkCmdFillBuffer, everything else to a program.
fn record_fill(
    core: &Arc<Core>,
    state: &mut State,
    dst: &Arc<Buffer>,
    pattern: &[u8],
    mut at: Layout,
    extent: Extent,
) -> ClResult {
    at.offset += dst.offset();
    let extent = joined(at, at, extent);
    let [size, rows, slices] = extent;
    let words = at.offset.is_multiple_of(4) && size.is_multiple_of(4);
    if pattern.len() > 4 || rows * slices > 1 || !words {
        return rectangles::fill(core, state, dst, pattern, at, extent);
    }
    let end = at.offset + size;
    core.touch(state, [(dst, at.offset, end, true)], Scope::TRANSFER)?;
    let storage = dst.storage(&core.device)?;
    let mut word = [0; 4];
    word.copy_from_slice(&pattern.repeat(4 / pattern.len()));
    let recorder = &mut state.batch()?.recorder;
    recorder.fill(&storage.vk, at.offset, size, u32::from_le_bytes(word));
    Ok(())
}

/// Copies between a buffer and the staging buffer of a mapping.
fn record_map(core: &Arc<Core>, state: &mut State, mapping: &Mapping, read: bool) -> ClResult {
    let Some((staging, host_at, keep)) = mapping.staging() else {
        return Ok(());
    };
    if !mapping.moves(read) {
        return Ok(());
    }
    let mut at = mapping.at;
    at.offset += mapping.buffer.offset();
    let spans = spans(at, host_at, mapping.extent)?;
    let (start, end) = range_a(&spans);
    let touched = [(&mapping.buffer, start, end, !read)];
    core.touch(state, touched, Scope::TRANSFER)?;
    let storage = mapping.buffer.storage(&core.device)?;
    let batch = state.batch()?;
    batch.host_reads |= read;
    batch.keep(keep);
    let recorder = &mut batch.recorder;
    if read {
        let regions = fallible::collect(spans.iter().map(Span::forth))?;
        copy(recorder, &storage.vk, staging, &regions);
    } else {
        let regions = fallible::collect(spans.iter().map(Span::back))?;
        copy(recorder, staging, &storage.vk, &regions);
    }
    Ok(())
}
