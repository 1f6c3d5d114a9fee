//! Transfers: copies between a buffer and application memory, and those that the host does itself (route.rs chooses).

use std::sync::Arc;

use crate::os::memory::HostMemory;
use crate::runtime::gpu::device::Device;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::memory::mapping::{MapBacking, Mapping};
use crate::runtime::record::pending_writes::{self, PendingWrites, Writers};
use crate::runtime::record::recording::Recording;
use crate::runtime::support::error::ClResult;
use crate::runtime::transfer::spans::{Span, joined, rows, spans};

/// A copy between a buffer and application memory.
pub struct Transfer<'a> {
    pub buffer: &'a Arc<Buffer>,
    pub buffer_at: Layout,
    pub host: HostMemory,
    pub host_at: Layout,
    pub extent: Extent,
    /// The direction: from the buffer to the host.
    pub read: bool,
}

impl<'a> Transfer<'a> {
    /// The copy that mapping or unmapping does, if only the host copies the mapping's memory.
    pub fn of_mapping(mapping: &'a Mapping, read: bool) -> Option<Transfer<'a>> {
        let host_copies = matches!(mapping.backing, MapBacking::Shadow);
        Transfer::within(mapping, read).filter(|_| host_copies)
    }

    /// The copy that mapping or unmapping does between a buffer and the memory that the application sees.
    pub fn within(mapping: &'a Mapping, read: bool) -> Option<Transfer<'a>> {
        let moves = mapping.moves(read);
        moves.then(|| Transfer::of(mapping, read))
    }

    /// The same, even if there is nothing to copy.
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

    /// The number of contiguous ranges in the application's memory, and the ranges.
    fn host_rows(&self) -> (usize, impl Iterator<Item = HostMemory>) {
        let (at, host) = (self.storage_at(), self.host);
        let [_, rows_of_slice, slices] = joined(at, self.host_at, self.extent);
        let spans = rows(at, self.host_at, self.extent);
        let rows = spans.map(move |span| host.slice(span.b as usize, span.len as usize));
        ((rows_of_slice * slices) as usize, rows)
    }

    /// The batches that write the application's memory at their end.
    pub fn writers(&self) -> Writers {
        let (count, rows) = self.host_rows();
        pending_writes::under_way(count, rows)
    }

    /// Notes that batch `value` of the queue will write the application's memory.
    pub fn will_write(&self, recording: &Recording, value: u64) -> PendingWrites {
        let (count, rows) = self.host_rows();
        recording.pending_writes(value, count, rows)
    }

    pub fn bytes(&self) -> u64 {
        self.extent.iter().product()
    }

    /// Spans with `a` in the storage and `b` in the application's memory.
    pub fn spans(&self) -> ClResult<Vec<Span>> {
        spans(self.storage_at(), self.host_at, self.extent)
    }

    pub fn storage_at(&self) -> Layout {
        let mut at = self.buffer_at;
        at.offset += self.buffer.offset();
        at
    }

    /// Copies on the host, if the host reaches the memory and no batch uses it. Returns whether it did.
    pub fn run_direct(&self, device: &Arc<Device>) -> ClResult<bool> {
        match self.reached_now(device)? {
            Some(memory) => self.copy_on_host(device, memory).map(|()| true),
            None => Ok(false),
        }
    }

    /// Copies on the host, to or from the memory of the buffer's storage.
    pub fn copy_on_host(&self, device: &Arc<Device>, memory: HostMemory) -> ClResult {
        let cached = self.buffer.storage(device)?.direct().is_some();
        self.acquire(device)?;
        self.copy_direct(memory, cached);
        Ok(())
    }

    /// Brings the buffer's part to the device. Bytes that will be overwritten are not copied from other devices: if the application's
    /// memory is the storage, that would overwrite what the host has written there.
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
}
