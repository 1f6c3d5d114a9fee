//! How bytes get between a buffer and the application's memory: decided here and nowhere else.
//!
//! | asked | the first that applies |
//! |---|---|
//! | when enqueued | between buffers, where the host must not access one; the host, where it does it best; between buffers; staged |
//! | when recorded | between buffers, where a batch uses the application's memory as a buffer; the host, where it reaches the buffer, which no batch uses; between buffers; staged |
//! | by a job | the host, where the buffer's memory is its own; in chunks |
//!
//! Memory that the device reaches is never staged: the host would write there when the batch has completed, after the commands of the
//! device that come behind.
//!
//! The host is faster than a device that would have to be asked, up to some size: in device memory over the bus
//! (docs/runtime.md).

use std::sync::Arc;

use crate::os::memory::HostMemory;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::staging::{LARGE_BLOCK, MEDIUM_BLOCK};
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::storage::Storage;
use crate::runtime::support::error::ClResult;
use crate::runtime::transfer::host_transfer::Transfer;
use crate::runtime::transfer::pinned::{self, Places};

/// Transfers up to this size share a staging block.
pub const SMALL: u64 = 64 << 10;
/// Up to this size, the host reads from device memory over the bus faster than through the device.
const READ_OVER_BUS: u64 = 8 << 10;
/// Up to this size, the host writes device memory over the bus faster than through a staging block.
const WRITE_OVER_BUS: u64 = 1 << 20;
/// The same for writes on a device that can read the application's memory directly.
const SHARED_OVER_BUS: u64 = 256 << 10;
/// The cost of a row beside its bytes, in bytes: the bus transfers whole lines.
const LINE: u64 = 64;

/// The route of a transfer's bytes.
pub enum Route {
    /// The host copies from or to the memory of the buffer's storage.
    Host(HostMemory),
    /// The device copies between two buffers, one of which is the application's memory.
    Buffers(Places),
    /// Through a piece of a staging block.
    Piece,
    /// Through a staging block of this size.
    Block(u64),
    /// Through several blocks, by a job.
    Chunks,
}

impl Transfer<'_> {
    /// The route through staging blocks, by size.
    pub fn staged(&self) -> Route {
        match self.bytes() {
            bytes if bytes <= SMALL => Route::Piece,
            bytes if bytes <= MEDIUM_BLOCK => Route::Block(MEDIUM_BLOCK),
            bytes if bytes <= LARGE_BLOCK => Route::Block(LARGE_BLOCK),
            _ => Route::Chunks,
        }
    }

    /// The route of a transfer that is being enqueued.
    pub fn when_enqueued(&self, device: &Arc<Device>) -> ClResult<Route> {
        let gpu = device.gpu()?;
        if let Some(places) = pinned::closed_places(gpu, self) {
            return Ok(Route::Buffers(places));
        }
        if let Some(memory) = self.best_of_host(device) {
            return Ok(Route::Host(memory));
        }
        let places = pinned::places(gpu, self, |_| true);
        Ok(places.map_or_else(|| self.staged(), Route::Buffers))
    }

    /// The route of a transfer that is being recorded.
    pub fn when_recorded(&self, device: &Arc<Device>) -> ClResult<Route> {
        let busy = |host: &Buffer| host.storage(device).is_ok_and(|storage| !storage.is_idle());
        if let Some(places) = pinned::places(device.gpu()?, self, busy) {
            return Ok(Route::Buffers(places));
        }
        if let Some(memory) = self.reached_now(device)? {
            return Ok(Route::Host(memory));
        }
        let places = pinned::places(device.gpu()?, self, |_| true);
        Ok(places.map_or_else(|| self.staged(), Route::Buffers))
    }

    /// The route of a job, which waits until nothing uses the memory.
    pub fn of_job(&self, device: &Arc<Device>) -> ClResult<Route> {
        let direct = self.buffer.storage(device)?.direct();
        Ok(direct.map_or(Route::Chunks, Route::Host))
    }

    /// Whether the transfer is small enough for the host to copy it over the bus.
    fn is_small(&self) -> bool {
        let [row, rows, slices] = self.extent;
        match self.read {
            true => (row + LINE) * rows * slices <= READ_OVER_BUS + LINE,
            false => self.bytes() <= WRITE_OVER_BUS,
        }
    }

    /// The buffer's storage, if the host copies faster than the device.
    fn reached(&self, storage: &Storage) -> Option<HostMemory> {
        let over_bus = || match self.read {
            true => storage.readable(),
            false => storage.reachable(),
        };
        (storage.direct()).or_else(|| over_bus().filter(|_| self.is_small()))
    }

    /// The buffer's storage, if the host copies faster even than a device that accesses the host's memory, provided that no batch uses
    /// the buffer.
    pub fn best_of_host(&self, device: &Arc<Device>) -> Option<HostMemory> {
        let storage = self.buffer.storage(device).ok()?;
        let small = self.bytes() <= SHARED_OVER_BUS;
        (storage.direct()).or_else(|| self.reached(storage).filter(|_| small))
    }

    /// The buffer's storage, if the host copies faster than the device and no batch uses the buffer.
    pub fn reached_now(&self, device: &Arc<Device>) -> ClResult<Option<HostMemory>> {
        let storage = self.buffer.storage(device)?;
        let reached = self.reached(storage);
        let over_bus = storage.reachable().is_some() && storage.direct().is_none();
        let expected = over_bus && self.read && self.is_small();
        let idle = (expected || reached.is_some()) && storage.is_idle();
        if expected && idle {
            storage.expect_reads();
        }
        Ok(reached.filter(|_| idle))
    }
}
