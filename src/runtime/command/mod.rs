//! Commands: what a queue executes.

pub mod parts;
pub mod sequence;

use std::sync::Arc;
use std::task::Waker;

use crate::os::memory::HostMemory;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::dispatch::Launch;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::memory::mapping::Mapping;
use crate::runtime::record::pending_writes::Writers;
use crate::runtime::record::recording::Recording;
use crate::runtime::support::error::ClResult;
use crate::runtime::support::profile;
use crate::runtime::transfer::across;
pub use crate::runtime::transfer::across::End;
use crate::runtime::transfer::device_copy::{record_copy, record_fill, record_map};
use crate::runtime::transfer::host_transfer::Transfer;
use crate::runtime::transfer::pinned::Places;
use crate::runtime::transfer::route::{Route, SMALL};
use crate::vk::command::Scope;
use crate::vk::semaphore::Semaphore;
use sequence::Sequence;

/// A command. The API has checked its ranges.
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
    /// `pattern` of 1 to 128 bytes; rows are its multiples, and offset and pitches if its length is a power of two.
    Fill {
        dst: Arc<Buffer>,
        pattern: Vec<u8>,
        at: Layout,
        extent: Extent,
    },
    NdRange(Box<Launch>),
    Map(Arc<Mapping>),
    Unmap(Arc<Mapping>),
    /// Completes when its wait list, or without one everything before it, has completed.
    Marker,
    /// Like a marker. Everything enqueued behind it waits for it.
    Barrier,
    Migrate(Vec<Arc<Buffer>>),
    /// Acquires buffers with imported memory from other devices, or releases them.
    HandOver {
        buffers: Vec<Arc<Buffer>>,
        ours: bool,
    },
    /// Waits for semaphores that others share, or signals them.
    Semaphores {
        semaphores: Vec<Arc<Semaphore>>,
        signal: bool,
    },
    /// The commands of a command buffer.
    Sequence(Arc<Sequence>),
    /// A host function (clEnqueueNativeKernel), run on a thread of the queue, and the buffers
    /// in host memory that it may use.
    Native(
        Box<dyn FnOnce() -> ClResult + Send + Sync>,
        Vec<Arc<Buffer>>,
    ),
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

    /// Copies `size` bytes on the host, which waits for the devices that have them.
    pub fn across(to: End, from: End, size: u64) -> Command {
        let buffers = [&to, &from].into_iter().filter_map(End::buffer).collect();
        let run = move || across::copy(&to, &from, size);
        Command::Native(Box::new(run), buffers)
    }

    /// Whether the command uses the buffer's memory.
    pub(in crate::runtime) fn uses(&self, memory: &Buffer) -> bool {
        match self {
            Command::Read { src: buffer, .. }
            | Command::Write { dst: buffer, .. }
            | Command::Fill { dst: buffer, .. } => buffer.shares(memory),
            Command::Copy { src, dst, .. } => src.shares(memory) || dst.shares(memory),
            Command::NdRange(launch) => launch.uses(memory),
            Command::Sequence(sequence) => sequence.uses(memory),
            Command::Map(mapping) | Command::Unmap(mapping) => mapping.buffer.shares(memory),
            Command::Marker | Command::Barrier | Command::Semaphores { .. } => false,
            Command::Migrate(buffers)
            | Command::HandOver { buffers, .. }
            | Command::Native(_, buffers) => buffers.iter().any(|b| b.shares(memory)),
        }
    }

    /// Whether the host gets bytes by the command.
    pub(in crate::runtime) fn gives_host(&self) -> bool {
        match self {
            Command::Read { .. } | Command::Map(_) => true,
            Command::Copy { dst, .. } => dst.is_pinned(),
            _ => false,
        }
    }

    /// The command's name for people: the kernel's name, or the kind of command.
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
            Command::Semaphores { signal: true, .. } => "signal semaphores",
            Command::Semaphores { signal: false, .. } => "wait for semaphores",
            Command::Sequence(_) => "command buffer",
            Command::Native(..) => "native",
        }
    }

    /// Counts the command in a profile. `Some` if it is to be timed for it.
    pub(in crate::runtime) fn profiled(&self, device: &Device) -> Option<profile::Subject> {
        let bytes = match self {
            Command::NdRange(launch) => return launch.profiled(),
            Command::Read { extent, .. }
            | Command::Write { extent, .. }
            | Command::Copy { extent, .. }
            | Command::Fill { extent, .. } => Some(extent.iter().product()),
            Command::Map(mapping) | Command::Unmap(mapping) => {
                Some(mapping.extent.iter().product())
            }
            _ => None,
        };
        profile::other(self.name(), device.facts().place(), bytes)
    }

    /// The command as a copy between a buffer and application memory, if it is one.
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

    /// The command, with a transfer replaced by a copy between buffers if that is its route.
    pub(in crate::runtime) fn routed(self, device: &Arc<Device>) -> ClResult<Command> {
        let Some(transfer) = self.transfer() else {
            return Ok(self);
        };
        Ok(match transfer.when_enqueued(device)? {
            Route::Buffers(places) => Command::between(places, transfer.extent),
            _ => self,
        })
    }

    fn between([(src, src_at), (dst, dst_at)]: Places, extent: Extent) -> Command {
        Command::Copy {
            src,
            src_at,
            dst,
            dst_at,
            extent,
        }
    }

    /// Whether a kernel may enqueue others.
    fn may_enqueue(&self) -> bool {
        match self {
            Command::NdRange(launch) => launch.may_enqueue(),
            Command::Sequence(sequence) => sequence.may_enqueue(),
            _ => false,
        }
    }

    /// Whether the command runs as a job: a host function, launches whose kernels enqueue others, or a transfer of more bytes than are staged at once.
    pub(in crate::runtime) fn is_job(&self) -> bool {
        self.may_enqueue()
            || matches!(self, Command::Native(..))
            || self.has_route(|route| matches!(route, Route::Chunks))
    }

    /// Whether the pipelines that it needs exist or cannot be created. Otherwise `waker` is woken when that is so.
    pub(in crate::runtime) fn is_ready(&self, waker: &dyn Fn() -> Waker) -> bool {
        match self {
            Command::NdRange(launch) => launch.is_ready(waker),
            Command::Sequence(sequence) => sequence.is_ready(waker),
            _ => true,
        }
    }

    /// Whether all batches execute the same commands of Vulkan for it, with nothing of their own.
    fn repeats(&self) -> bool {
        match self {
            Command::NdRange(launch) => launch.repeats(),
            Command::Marker | Command::Copy { .. } | Command::Fill { .. } => true,
            _ => false,
        }
    }

    /// Notes that the command has failed, so what it would have mapped does not exist.
    pub(in crate::runtime) fn abandon(&self) {
        if let Command::Map(mapping) = self {
            mapping.abandon();
        }
    }

    /// The batches that write host memory, at their end, which this command makes the host use.
    pub(in crate::runtime) fn writers(&self) -> Writers {
        match (self.transfer(), self) {
            (Some(transfer), _) => transfer.writers(),
            (None, Command::Unmap(mapping)) => Transfer::of(mapping, false).writers(),
            _ => Writers::new(),
        }
    }

    /// The region that the command maps. Its bytes are there when its batch ends.
    pub(in crate::runtime) fn mapped(&self) -> Option<Transfer<'_>> {
        match self {
            Command::Map(mapping) => Some(Transfer::of(mapping, true)),
            _ => None,
        }
    }

    fn has_route(&self, which: impl FnOnce(&Route) -> bool) -> bool {
        self.transfer().is_some_and(|t| which(&t.staged()))
    }

    /// Whether the command takes a staging block of its own.
    pub(in crate::runtime) fn is_staged(&self) -> bool {
        self.has_route(|route| !matches!(route, Route::Piece))
    }

    /// Completes the command on the host, if it is a point in time or a transfer that the host can do at once. With
    /// `profiled`, points in time get timestamps and so are recorded. A transfer whose route is a copy between buffers becomes
    /// one here.
    pub(in crate::runtime) fn run_on_host(
        &mut self,
        device: &Arc<Device>,
        profiled: bool,
    ) -> ClResult<bool> {
        if let Some(transfer) = self.transfer() {
            return match transfer.when_recorded(device)? {
                Route::Host(memory) => transfer.copy_on_host(device, memory).map(|()| true),
                Route::Buffers(places) => {
                    *self = Command::between(places, transfer.extent);
                    Ok(false)
                }
                Route::Piece | Route::Block(_) | Route::Chunks => Ok(false),
            };
        }
        let staged = match self {
            Command::Map(mapping) => Transfer::within(mapping, true),
            Command::Unmap(mapping) => Transfer::within(mapping, false),
            _ => None,
        };
        if let Some(transfer) = staged
            && transfer.best_of_host(device).is_some()
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

    /// Does a small copy or fill on the host if the host reaches the memory and no batch uses it. That is faster than a
    /// submission.
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
                let Some(source) = read.reached_now(device)? else {
                    return Ok(false);
                };
                dst.acquire(device, start, start + to.length(*extent), true)?;
                read.copy_on_host(device, source)?;
                Ok(true)
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
    pub(in crate::runtime) fn record(&self, recording: &mut Recording) -> ClResult {
        if let Some(transfer) = self.transfer() {
            return transfer.record(recording);
        }
        match self {
            Command::Copy {
                src,
                src_at,
                dst,
                dst_at,
                extent,
            } => record_copy(recording, (src, *src_at), (dst, *dst_at), *extent),
            Command::Fill {
                dst,
                pattern,
                at,
                extent,
            } => record_fill(recording, dst, pattern, *at, *extent),
            Command::NdRange(launch) => launch.record(recording),
            Command::Sequence(sequence) => sequence.record(recording),
            Command::Map(mapping) => record_map(recording, mapping, true),
            Command::Unmap(mapping) => record_map(recording, mapping, false),
            Command::HandOver { buffers, ours } => {
                let all = buffers.iter().map(|buffer| (buffer, 0, u64::MAX, true));
                recording.touch(all, Scope::DEVICE)?;
                for buffer in buffers {
                    let storage = buffer.storage(&recording.device)?;
                    recording
                        .batch()?
                        .recorder
                        .hand_over(&storage.vk, storage.others, *ours);
                }
                Ok(())
            }
            Command::Semaphores { semaphores, signal } => {
                let batch = recording.batch()?;
                match signal {
                    true => batch.semaphores.signals.extend_from_slice(semaphores),
                    false => {
                        batch.semaphores.waits.extend_from_slice(semaphores);
                        // All that the queue executes later waits, too, in other submissions as well.
                        batch.recorder.barrier(Scope::DEVICE, Scope::DEVICE);
                    }
                }
                Ok(())
            }
            // These have no effect on the device, or are jobs, which are not recorded.
            Command::Marker
            | Command::Barrier
            | Command::Migrate(_)
            | Command::Native(..)
            | Command::Read { .. }
            | Command::Write { .. } => Ok(()),
        }
    }
}
