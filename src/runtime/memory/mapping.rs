//! Mappings: the host's access to a region of a buffer.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::os::memory::HostMemory;
use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::device::Device;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::memory::storage::{Mirror, Resource};
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk;
use crate::vk::memory::Location;

/// The map flags. `api` checks what kernels and host may do with a buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct MapFlags {
    pub read: bool,
    pub write: bool,
    /// CL_MAP_WRITE_INVALIDATE_REGION: `write` without the old contents.
    pub invalidate: bool,
}

/// A mapping (clEnqueueMapBuffer) that has not been unmapped.
pub struct Mapping {
    pub host: HostMemory,
    pub flags: MapFlags,
    /// The layout of the mapped region in the buffer. The host memory has the same pitches.
    pub at: Layout,
    pub extent: Extent,
    pub buffer: Arc<Buffer>,
    pub(in crate::runtime) backing: MapBacking,
    /// The device of the queue that mapped it.
    device: Arc<Device>,
    /// Set if the command that maps it has failed: the host memory has no contents, and unmapping copies nothing back.
    abandoned: Arc<AtomicBool>,
    /// Keeps the host memory of another device than the one that unmaps.
    _held: Option<Arc<vk::memory::Buffer>>,
}

/// What the buffer keeps of a mapping, without a reference back.
pub(super) struct MapEntry {
    pub(super) host: HostMemory,
    pub(super) flags: MapFlags,
    pub(super) at: Layout,
    pub(super) extent: Extent,
    pub(super) backing: MapBacking,
    pub(super) device: Arc<Device>,
    pub(super) abandoned: Arc<AtomicBool>,
}

/// The kind of the mapping's host memory, which decides what mapping and unmapping copy.
#[derive(Clone)]
pub(in crate::runtime) enum MapBacking {
    /// Nothing: `host` is the storage's own memory.
    Direct,
    /// `host` is this buffer's memory.
    Staging(Arc<vk::memory::Buffer>),
    /// `host` lies at this offset of a mirror that the device copies from and to.
    Mirror(Arc<Mirror>, u64),
    /// `host` is memory that only the host copies: the application's (CL_MEM_USE_HOST_PTR), or a mirror.
    Shadow,
}

impl Mapping {
    /// The layout of the region in `host`.
    pub(in crate::runtime) fn host_at(&self) -> Layout {
        Layout {
            offset: 0,
            ..self.at
        }
    }

    /// The buffer that mapping and unmapping copy to and from on the device, the region's layout in it, and an object to keep
    /// alive meanwhile.
    pub(in crate::runtime) fn staging(&self) -> Option<(&vk::memory::Buffer, Layout, Resource)> {
        match &self.backing {
            MapBacking::Staging(buffer) => Some((buffer, self.host_at(), buffer.clone())),
            MapBacking::Mirror(mirror, offset) => {
                let at = Layout {
                    offset: *offset,
                    ..self.at
                };
                Some((mirror.import.as_ref()?, at, mirror.clone()))
            }
            MapBacking::Direct | MapBacking::Shadow => None,
        }
    }

    /// Whether mapping (`read`) or unmapping copies bytes.
    pub(in crate::runtime) fn moves(&self, read: bool) -> bool {
        let needed = if read {
            self.flags.read || !self.flags.invalidate
        } else {
            self.flags.write
        };
        needed
            && !matches!(self.backing, MapBacking::Direct)
            && !self.abandoned.load(Ordering::Relaxed)
    }

    /// Notes that the command that maps it has failed.
    pub(in crate::runtime) fn abandon(&self) {
        self.abandoned.store(true, Ordering::Relaxed);
    }

    /// Called when the command begins: brings the bytes to the memory that the host is going to use.
    pub(in crate::runtime) fn begin(&self) -> ClResult {
        if !matches!(self.backing, MapBacking::Direct) {
            return Ok(());
        }
        let start = self.buffer.offset + self.at.offset;
        let end = start + self.at.length(self.extent);
        self.buffer
            .acquire(&self.device, start, end, self.flags.write)
    }
}

impl MapEntry {
    pub(super) fn is_abandoned(&self) -> bool {
        self.abandoned.load(Ordering::Relaxed)
    }
}

impl Buffer {
    /// Reserves host memory for a mapping of a region by a device's queue; the pointer to return
    /// is `Mapping::host`. Enqueue [`crate::runtime::command::Command::Map`] with it.
    /// MAP_FAILURE when there is no memory.
    pub fn map(
        self: &Arc<Self>,
        device: &Arc<Device>,
        flags: MapFlags,
        at: Layout,
        extent: Extent,
    ) -> ClResult<Arc<Mapping>> {
        let (offset, size) = (at.offset, at.length(extent));
        // The pointer must point into the application's memory.
        let application = self.copies.as_ref().is_some_and(|c| c.application);
        let elsewhere = application && !Arc::ptr_eq(device, &self.device);
        let in_storage = |memory: HostMemory| {
            let start = (self.offset + offset) as usize;
            memory.slice(start, size as usize)
        };
        let (host, backing) = if let Some(shadow) = self.shadow {
            (
                shadow.slice(offset as usize, size as usize),
                MapBacking::Shadow,
            )
        } else if let Some(mirror) = &self.storage.mirror {
            let start = self.offset + offset;
            let backing = match mirror.import {
                Some(_) => MapBacking::Mirror(mirror.clone(), start),
                None => MapBacking::Shadow,
            };
            let pages = mirror.pages.memory();
            (pages.slice(start as usize, size as usize), backing)
        } else if elsewhere && let Some(memory) = self.storage.direct() {
            (in_storage(memory), MapBacking::Shadow)
        } else if let Some(memory) = self.storage(device)?.direct() {
            (in_storage(memory), MapBacking::Direct)
        } else {
            let staging = self.staging(device, size)?;
            let memory = staging.mapped().ok_or(ClError::MAP_FAILURE)?;
            (memory.slice(0, size as usize), MapBacking::Staging(staging))
        };
        let abandoned = Arc::default();
        let entry = MapEntry {
            host,
            flags,
            at,
            extent,
            backing: backing.clone(),
            device: device.clone(),
            abandoned: Arc::clone(&abandoned),
        };
        self.mappings.lock().unpoisoned().push(entry);
        Ok(Arc::new(Mapping {
            host,
            flags,
            at,
            extent,
            buffer: self.clone(),
            backing,
            device: device.clone(),
            abandoned,
            _held: None,
        }))
    }

    fn staging(&self, device: &Arc<Device>, size: u64) -> ClResult<Arc<vk::memory::Buffer>> {
        if Arc::ptr_eq(device, &self.device)
            && let Some(spare) = self.spare.lock().unpoisoned().take()
            && spare.size() >= size
            && Arc::strong_count(&spare) == 1
        {
            return Ok(spare);
        }
        let vk = &device.gpu()?.vk;
        let made = vk::memory::Buffer::new(vk, size, Location::HostCached);
        made.map(Arc::new).map_err(|_| ClError::MAP_FAILURE)
    }

    /// Ends the mapping whose pointer is `ptr`; it no longer counts. Enqueue [`crate::runtime::command::Command::Unmap`] with the
    /// result on a queue of `device`. INVALID_VALUE if there is no such mapping.
    pub fn unmap(self: &Arc<Self>, device: &Arc<Device>, ptr: *mut u8) -> ClResult<Arc<Mapping>> {
        let mut mappings = self.mappings.lock().unpoisoned();
        let found = mappings.iter().rposition(|m| m.host.as_ptr() == ptr);
        let index = found.ok_or(ClError::INVALID_VALUE)?;
        let entry = mappings.remove(index);
        drop(mappings);
        let (backing, held) = match entry.backing {
            // This device does not see the other device's staging buffer, so the host copies.
            MapBacking::Staging(staging) if !Arc::ptr_eq(&entry.device, device) => {
                (MapBacking::Shadow, Some(staging))
            }
            backing => (backing, None),
        };
        if let MapBacking::Staging(staging) = &backing
            && Arc::ptr_eq(device, &self.device)
        {
            *self.spare.lock().unpoisoned() = Some(staging.clone());
        }
        Ok(Arc::new(Mapping {
            host: entry.host,
            flags: entry.flags,
            at: entry.at,
            extent: entry.extent,
            buffer: self.clone(),
            backing,
            device: entry.device,
            abandoned: entry.abandoned,
            _held: held,
        }))
    }
}
