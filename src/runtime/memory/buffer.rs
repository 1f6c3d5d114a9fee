//! Buffers and sub-buffers.
//!
//! A buffer is a range of a *storage*, the Vulkan buffer with memory; sub-buffers share their parent's. How the host accesses
//! the bytes depends on the storage: directly if host and device share memory; through the application's own memory for
//! CL_MEM_USE_HOST_PTR that could not be imported; through a mirror, host memory at the device's address, for SVM on devices
//! with memory of their own; otherwise through a staging buffer for each mapping.

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

use crate::os::memory::{Access, HostMemory, Pages};
use crate::os::sync::Unpoisoned;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::open::{Gpu, device_location};
use crate::runtime::memory::copies::Copies;
use crate::runtime::memory::import::{self, Outside};
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::memory::mapping::MapEntry;
use crate::runtime::memory::reach::Reach;
use crate::runtime::memory::storage::{
    Mirror, Storage, allocate, allocate_shared, allocation_failure, fill,
};
use crate::runtime::support::by_address::ByAddress;
use crate::runtime::support::callback::ENDS;
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk;
use crate::vk::caps::Kind;
use crate::vk::memory::Location;
use crate::vk::placed::By;
use crate::vk::texels::{Format, Table, Texels};

/// How many addresses are tried for an allocation with one address on host and device.
const MIRROR_ATTEMPTS: u32 = 16;
/// From this size on a mirror is imported: importing a smaller one costs more than copying it.
const IMPORTED_MIRROR: u64 = 256 << 10;

/// Where a buffer's bytes live, from CL_MEM_*_HOST_PTR.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Placement {
    /// Device memory.
    Default,
    /// CL_MEM_ALLOC_HOST_PTR: host memory that the device sees.
    HostAlloc,
    /// CL_MEM_USE_HOST_PTR: the application's own memory, of the buffer's size.
    HostPtr(HostMemory),
}

/// A buffer or sub-buffer (a range of another buffer's memory).
pub struct Buffer {
    size: u64,
    /// Bytes from the start of the storage.
    pub(super) offset: u64,
    parent: Option<(Arc<Buffer>, u64)>,
    /// The texel buffer of the image for which the buffer was made. Dropped before the storage.
    texels: OnceLock<Option<Texels>>,
    pub(super) storage: Arc<Storage>,
    /// The context's first device, which has `storage`.
    pub(super) device: Arc<Device>,
    /// The storages of the other devices, in a context of several devices.
    pub(super) copies: Option<Arc<Copies>>,
    /// The application's memory that the storage is a copy of (CL_MEM_USE_HOST_PTR); this buffer's part.
    pub(super) shadow: Option<HostMemory>,
    pub(super) mappings: Mutex<Vec<MapEntry>>,
    /// The staging buffer of the last mapping, for reuse.
    pub(super) spare: Mutex<Option<Arc<vk::memory::Buffer>>>,
    /// The batch that last kept this buffer alive.
    stamp: AtomicU64,
    /// Whether kernels may read and write it, if the application has said so.
    kernel_access: OnceLock<[bool; 2]>,
    /// The address under which the buffer is in [`Gpu::pinned`] or [`Gpu::closed`].
    pinned: OnceLock<usize>,
    on_destroy: Mutex<Vec<Box<dyn FnOnce() + Send>>>,
}

impl Buffer {
    /// Creates a buffer for the context's `devices`. `init` (CL_MEM_COPY_HOST_PTR) is copied before this returns; with
    /// `Placement::HostPtr` the initial contents are the application's. MEM_OBJECT_ALLOCATION_FAILURE if there is no memory;
    /// INVALID_BUFFER_SIZE if it is larger than the largest allocation.
    pub fn new(
        devices: &[Arc<Device>],
        size: u64,
        placement: Placement,
        init: Option<HostMemory>,
    ) -> ClResult<Arc<Buffer>> {
        let device = devices.first().ok_or(ClError::INVALID_CONTEXT)?;
        let gpu = device.gpu()?;
        if size == 0 || size > device.facts().max_alloc_size {
            return Err(ClError::INVALID_BUFFER_SIZE);
        }
        let mut shadow = None;
        let storage = match placement {
            Placement::HostPtr(host) => match import::host(gpu, host) {
                Some(storage) => storage,
                None => {
                    shadow = Some(host);
                    allocate(gpu, size, Location::Device)?
                }
            },
            // Only the buffer of a single device is a part of a slab: storages of several devices have it at the same offset.
            Placement::Default if devices.len() == 1 => allocate_shared(gpu, size)?,
            Placement::Default => allocate(gpu, size, device_location(&gpu.vk, size))?,
            Placement::HostAlloc => allocate(gpu, size, Location::HostCached)?,
        };
        if let Some(source) = shadow.or(init) {
            fill(gpu, &storage, source)?;
        }
        let host = storage
            .vk
            .mapped()
            .filter(|_| placement != Placement::Default);
        let pinned = host.map(|memory| memory.as_ptr() as usize + storage.base as usize);
        let application = matches!(placement, Placement::HostPtr(_)) && shadow.is_none();
        let buffer = Buffer::of(devices, size, storage, shadow, application)?;
        if let Some(address) = pinned {
            let weak = Arc::downgrade(&buffer);
            let _ = buffer.pinned.set(address);
            gpu.pinned.add(address, size, weak);
        }
        Ok(buffer)
    }

    /// `application`: the storage's memory is the application's.
    fn of(
        devices: &[Arc<Device>],
        size: u64,
        storage: Storage,
        shadow: Option<HostMemory>,
        application: bool,
    ) -> ClResult<Arc<Buffer>> {
        let device = devices.first().ok_or(ClError::INVALID_CONTEXT)?;
        let storage = Arc::new(storage);
        let copies = Copies::new(devices, &storage, application);
        Ok(Buffer::in_storage(device, size, storage, copies, shadow))
    }

    fn in_storage(
        device: &Arc<Device>,
        size: u64,
        storage: Arc<Storage>,
        copies: Option<Arc<Copies>>,
        shadow: Option<HostMemory>,
    ) -> Arc<Buffer> {
        Arc::new(Buffer {
            pinned: OnceLock::new(),
            size,
            offset: storage.base,
            parent: None,
            copies,
            storage,
            device: device.clone(),
            shadow,
            mappings: Mutex::default(),
            texels: OnceLock::new(),
            spare: Mutex::default(),
            stamp: AtomicU64::new(0),
            kernel_access: OnceLock::new(),
            on_destroy: Mutex::default(),
        })
    }

    /// A buffer with memory that was allocated elsewhere. INVALID_BUFFER_SIZE as for [`Buffer::new`], and errors of
    /// [`import::outside`].
    pub fn imported(device: &Arc<Device>, outside: &Outside, size: u64) -> ClResult<Arc<Buffer>> {
        if size == 0 || size > device.facts().max_alloc_size {
            return Err(ClError::INVALID_BUFFER_SIZE);
        }
        let storage = import::outside(device.gpu()?, outside, size)?;
        let devices = std::slice::from_ref(device);
        Buffer::of(devices, size, storage, None, false)
    }

    /// Device memory with pages of the host at the same address. `Access::All`: a mirror; mapping and unmapping copy between them.
    /// `Access::None`: the process has nothing else there. Errors of [`Buffer::attempt`].
    pub(in crate::runtime) fn mirrored(
        device: &Arc<Device>,
        size: u64,
        access: Access,
    ) -> ClResult<Arc<Buffer>> {
        let page = Pages::size_of_one() as u64;
        Buffer::attempt(device, size, |gpu, attempt| {
            let whole = size.next_multiple_of(page);
            let vk = match attempt {
                1.. if whole <= gpu.vk.caps().max_allocation => {
                    let replay = !attempt.is_multiple_of(2);
                    vk::memory::Buffer::alone(&gpu.vk, whole, page, Location::Device, replay)
                }
                _ => vk::memory::Buffer::aligned(&gpu.vk, whole, page),
            }?;
            let address = vk.address();
            let pages = match address.is_multiple_of(page) {
                true => Pages::at(address as usize, whole as usize, access),
                false => None,
            };
            let Some(pages) = pages else {
                return Ok(Err(vk));
            };
            let import = (whole >= IMPORTED_MIRROR && access == Access::All)
                .then(|| import::pages(gpu, pages.memory()))
                .flatten();
            let mut storage = Storage::new(vk, 0, Location::Device);
            storage.mirror = Some(Arc::new(Mirror {
                access,
                import: import.map(Arc::new),
                pages,
            }));
            Ok(Ok(storage))
        })
    }

    /// Host memory that the device and the host have at one address, which the host chooses. `reserve` reserves
    /// pages for a device address and a number of bytes. Errors of [`Buffer::attempt`].
    pub(in crate::runtime) fn placed(
        device: &Arc<Device>,
        size: u64,
        by: By,
        reserve: impl Fn(u64, u64) -> Option<Pages>,
    ) -> ClResult<Arc<Buffer>> {
        Buffer::attempt(device, size, |gpu, attempt| {
            let replay = attempt.is_multiple_of(2);
            let vk = vk::memory::Buffer::placed(&gpu.vk, size, by, replay, &reserve)?;
            Ok(match vk.mapped() {
                Some(_) => Ok(Storage::new(vk, 0, Location::HostCached)),
                None => Err(vk),
            })
        })
    }

    /// A buffer in what `make` makes at one of some attempts, which are numbered; it gives a buffer back whose address cannot be used.
    /// NVIDIA's driver gives memory low addresses, where a program that is not position-independent has its heap, but for those
    /// that can be had again. Of these another device of the process may have the same, so attempts are made with both.
    /// INVALID_BUFFER_SIZE and MEM_OBJECT_ALLOCATION_FAILURE as for [`Buffer::new`]; INVALID_OPERATION if the process uses the
    /// addresses that the device gives for something else.
    fn attempt(
        device: &Arc<Device>,
        size: u64,
        make: impl Fn(&Gpu, u32) -> vk::error::Result<Result<Storage, vk::memory::Buffer>>,
    ) -> ClResult<Arc<Buffer>> {
        if size == 0 || size > device.facts().max_alloc_size {
            return Err(ClError::INVALID_BUFFER_SIZE);
        }
        let gpu = device.gpu()?;
        // Buffers at unusable addresses are held meanwhile, so that the next one gets another address.
        let mut misplaced = Vec::new();
        for attempt in 0..MIRROR_ATTEMPTS {
            match make(gpu, attempt).map_err(allocation_failure)? {
                Ok(storage) => {
                    let devices = std::slice::from_ref(device);
                    return Buffer::of(devices, size, storage, None, false);
                }
                Err(vk) => {
                    let address = vk.address();
                    tracing::debug!("{size} bytes cannot be at the device's address {address:#x}");
                    misplaced.push(vk);
                }
            }
        }
        tracing::info!("no address of {size} bytes of memory is free in the process");
        Err(ClError::INVALID_OPERATION)
    }

    /// Host memory that all devices have at the host's address. INVALID_BUFFER_SIZE and OUT_OF_HOST_MEMORY as for
    /// [`Buffer::new`]; INVALID_OPERATION if a device cannot import it at that address.
    pub(in crate::runtime) fn common(devices: &[Arc<Device>], size: u64) -> ClResult<Arc<Buffer>> {
        let largest = devices.iter().map(|d| d.facts().max_alloc_size).min();
        if size == 0 || size > largest.unwrap_or(0) {
            return Err(ClError::INVALID_BUFFER_SIZE);
        }
        let whole = size.next_multiple_of(Pages::size_of_one() as u64);
        let pages = Pages::new(whole as usize).ok_or(ClError::OUT_OF_HOST_MEMORY)?;
        let address = pages.memory().as_ptr() as u64;
        let import = |device: &Arc<Device>| {
            let vk = import::pages(device.gpu()?, pages.memory());
            let vk = vk.filter(|vk| vk.address() == address);
            let vk = vk.ok_or(ClError::INVALID_OPERATION)?;
            Ok(Arc::new(Storage::new(vk, 0, Location::HostCached)))
        };
        let storages = devices.iter().map(import).collect::<ClResult<Vec<_>>>()?;
        let first = storages.first().ok_or(ClError::INVALID_CONTEXT)?.clone();
        let copies = Copies::common(devices, storages, pages);
        Ok(Buffer::in_storage(
            &devices[0],
            size,
            first,
            Some(copies),
            None,
        ))
    }

    /// A program's module data on one device: `bytes`, with the buffer's own device address
    /// added to the 64-bit words at `relocs` (byte offsets, `DeviceProgram::module_relocs`).
    pub fn module_data(
        device: &Arc<Device>,
        bytes: &[u8],
        relocs: &[u32],
    ) -> ClResult<Arc<Buffer>> {
        let devices = std::slice::from_ref(device);
        let buffer = Buffer::new(devices, bytes.len() as u64, Placement::Default, None)?;
        let mut bytes = bytes.to_vec();
        for &at in relocs {
            let at = at as usize;
            let word = bytes.get_mut(at..at + 8).ok_or(ClError::INVALID_BINARY)?;
            let value = word.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b));
            let address = value.wrapping_add(buffer.address(device)?);
            word.copy_from_slice(&address.to_le_bytes());
        }
        let gpu = device.gpu()?;
        HostMemory::with(&mut bytes, |source| fill(gpu, &buffer.storage, source))?;
        Ok(buffer)
    }

    /// `size` bytes from `offset` of `parent`, sharing its memory. The range and the
    /// offset's alignment are checked by the caller.
    pub fn sub_buffer(parent: &Arc<Buffer>, offset: u64, size: u64) -> Arc<Buffer> {
        Arc::new(Buffer {
            pinned: OnceLock::new(),
            size,
            offset: parent.offset + offset,
            parent: Some((parent.clone(), offset)),
            storage: parent.storage.clone(),
            device: parent.device.clone(),
            copies: parent.copies.clone(),
            shadow: parent
                .shadow
                .map(|s| s.slice(offset as usize, size as usize)),
            mappings: Mutex::default(),
            texels: OnceLock::new(),
            spare: Mutex::default(),
            stamp: AtomicU64::new(0),
            kernel_access: OnceLock::new(),
            on_destroy: Mutex::default(),
        })
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// Notes whether kernels may read and write it (CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY).
    pub fn set_kernel_access(&self, access: [bool; 2]) {
        let _ = self.kernel_access.set(access);
    }

    /// Whether kernels may read and write it.
    pub fn kernel_access(&self) -> [bool; 2] {
        self.kernel_access.get().copied().unwrap_or([true; 2])
    }

    /// The parent and the offset in it (CL_MEM_ASSOCIATED_MEMOBJECT, CL_MEM_OFFSET).
    pub fn parent(&self) -> Option<(&Arc<Buffer>, u64)> {
        self.parent.as_ref().map(|(p, o)| (p, *o))
    }

    /// The distance in bytes from the start of this buffer to that of the other one in memory that they share. `None` if they
    /// share none.
    pub fn distance(&self, other: &Buffer) -> Option<i128> {
        self.shares(other)
            .then(|| i128::from(other.offset) - i128::from(self.offset))
    }

    /// Whether both are parts of the same memory.
    pub fn shares(&self, other: &Buffer) -> bool {
        Arc::ptr_eq(&self.storage, &other.storage)
    }

    /// Whether a part of the region is mapped for writing.
    pub fn is_mapped_for_writing(&self, at: Layout, extent: Extent) -> bool {
        let overlaps = |m: &MapEntry| {
            m.flags.write && !m.is_abandoned() && at.overlaps(extent, &m.at, m.extent)
        };
        self.mappings.lock().unpoisoned().iter().any(overlaps)
    }

    /// Whether the buffer has a mapping with this pointer.
    pub fn is_mapped_at(&self, ptr: *mut u8) -> bool {
        self.mappings
            .lock()
            .unpoisoned()
            .iter()
            .any(|m| m.host.as_ptr() == ptr)
    }

    /// CL_MEM_MAP_COUNT.
    pub fn map_count(&self) -> u32 {
        let mappings = self.mappings.lock().unpoisoned();
        mappings.iter().filter(|m| !m.is_abandoned()).count() as u32
    }

    /// The memory on `device`, which must be one that the buffer was made for.
    pub(in crate::runtime) fn storage(&self, device: &Arc<Device>) -> ClResult<&Arc<Storage>> {
        match &self.copies {
            _ if Arc::ptr_eq(device, &self.device) => Ok(&self.storage),
            Some(copies) => copies.storage(device),
            // The buffer is an SVM allocation that this device cannot access.
            None if self.shared_address().is_some() => Err(ClError::INVALID_OPERATION),
            None => Err(ClError::INVALID_MEM_OBJECT),
        }
    }

    /// The buffer as a texel buffer of a format, created by the first call: a buffer belongs to one image. `None` if the device
    /// does not support it or is not the context's first.
    pub(in crate::runtime) fn texels(
        &self,
        device: &Arc<Device>,
        table: &Arc<Table>,
        format: Format,
        texel_size: u64,
    ) -> Option<&Texels> {
        if !Arc::ptr_eq(device, &self.device) {
            return None;
        }
        let made = self.texels.get_or_init(|| {
            let caps = self.storage.vk.device().caps();
            let count = self.size / texel_size;
            if !self.offset.is_multiple_of(caps.min_texel_align) || count > caps.max_texels {
                return None;
            }
            let size = count * texel_size;
            let texels = Texels::new(table, &self.storage.vk, format, self.offset, size);
            let failed = |error: &_| tracing::error!("no texel buffer: {error}");
            texels.inspect_err(failed).ok().flatten()
        });
        made.as_ref()
    }

    /// Called before a command on `device` uses a range of the storage: brings its bytes to the device.
    pub(in crate::runtime) fn acquire(
        &self,
        device: &Arc<Device>,
        start: u64,
        end: u64,
        write: bool,
    ) -> ClResult {
        match &self.copies {
            Some(copies) => copies.acquire(device, start, end, write),
            None => Ok(()),
        }
    }

    /// Called before ranges of the storage, in order, are overwritten on `device`: brings the bytes between them.
    pub(in crate::runtime) fn replace(
        &self,
        device: &Arc<Device>,
        written: impl Iterator<Item = (u64, u64)>,
    ) -> ClResult {
        match &self.copies {
            Some(copies) => copies.replace(device, written),
            None => Ok(()),
        }
    }

    /// Like [`Buffer::acquire`], for the whole storage.
    pub(in crate::runtime) fn acquire_all(&self, device: &Arc<Device>, write: bool) -> ClResult {
        self.acquire(device, self.offset, self.offset + self.size, write)
    }

    /// Whether the bytes are in device memory that the host cannot access.
    pub(in crate::runtime) fn is_device_memory(&self, device: &Arc<Device>) -> bool {
        let storage = self.storage(device);
        storage.is_ok_and(|storage| storage.vk.mapped().is_none())
    }

    /// The buffer's offset in the storage.
    pub(in crate::runtime) fn offset(&self) -> u64 {
        self.offset
    }

    /// The address of the first byte on a device.
    pub fn address(&self, device: &Arc<Device>) -> ClResult<u64> {
        Ok(self.storage(device)?.vk.address() + self.offset)
    }

    /// The host address of the first byte, if the host accesses the device's memory directly.
    pub fn host_address(&self, device: &Arc<Device>) -> Option<usize> {
        let memory = self.storage(device).ok()?.direct()?;
        Some(memory.as_ptr() as usize + self.offset as usize)
    }

    /// The address of the first byte, if host and device have the same one.
    pub(in crate::runtime) fn shared_address(&self) -> Option<usize> {
        let mirror = self.storage.mirror.as_ref().map(|m| m.pages.memory());
        let memory = mirror.or_else(|| self.storage.direct())?;
        let address = memory.as_ptr() as usize + self.offset as usize;
        let on_device = self.storage.vk.address() + self.offset;
        (address as u64 == on_device).then_some(address)
    }

    /// The address of the first byte on the device, if it is that of nothing else in the process.
    pub(super) fn claimed_address(&self) -> Option<usize> {
        let own = self.storage.vk.address() + self.offset;
        // A CPU's memory is the process's, whether or not Vulkan lets the host access it. No process has memory in the upper
        // half of the addresses, where some drivers put what is the device's.
        let caps = self.device.caps();
        let alone = caps.kind == Kind::Cpu && caps.device_address || own >> 63 == 1;
        let own = (alone && self.copies.is_none()).then_some(own as usize);
        self.shared_address().or(own)
    }

    /// Whether transfers from or to addresses in the buffer are copies between buffers.
    pub fn is_pinned(&self) -> bool {
        self.pinned.get().is_some()
    }

    /// From now on transfers from or to addresses in the buffer are copies between buffers, if the host must not do them.
    pub(super) fn pin(self: &Arc<Self>) -> ClResult {
        let Some(address) = self.claimed_address() else {
            return Ok(());
        };
        if self.storage.is_mirrored() || self.pinned.set(address).is_err() {
            return Ok(());
        }
        // Pages that are reserved for the address are not the memory.
        let is_hosts = self.storage.mirror.is_none() && self.shared_address().is_some();
        self.devices().iter().try_for_each(|device| {
            let gpu = device.gpu()?;
            let list = match is_hosts {
                true => &gpu.pinned,
                false => &gpu.closed,
            };
            let weak = Arc::downgrade(self);
            list.add(address, self.size, weak);
            Ok(())
        })
    }

    /// The devices that have memory of the buffer, or may get it.
    fn devices(&self) -> &[Arc<Device>] {
        match &self.copies {
            Some(copies) => copies.devices(),
            None => std::slice::from_ref(&self.device),
        }
    }

    /// From now on batches that use all of `reach` use the buffer.
    pub(super) fn join(&self, reach: &Arc<Reach>) {
        match &self.copies {
            Some(copies) => copies.made().for_each(|storage| storage.join(reach)),
            None => self.storage.join(reach),
        }
    }

    /// The context's first device that has the memory.
    pub(in crate::runtime) fn device(&self) -> &Arc<Device> {
        &self.device
    }

    /// Returns true at the first call for each `stamp`: the batch with that stamp does not keep the buffer alive yet.
    pub(in crate::runtime) fn stamp(&self, stamp: u64) -> bool {
        self.stamp.swap(stamp, Ordering::Relaxed) != stamp
    }

    /// Registers a callback (clSetMemObjectDestructorCallback). Callbacks run in reverse order of registration, after the last
    /// reference, also of a command, is gone and before the memory is freed.
    pub fn on_destroy(&self, callback: Box<dyn FnOnce() + Send>) {
        self.on_destroy.lock().unpoisoned().push(callback);
    }
}

/// The buffer in one of these lists that contains `size` bytes from `address`, and their offset in it.
pub(in crate::runtime) fn found_in(
    list: &ByAddress<dyn Any + Send + Sync>,
    address: usize,
    size: u64,
) -> Option<(Arc<Buffer>, u64)> {
    let (found, offset) = list.find(address, size)?;
    Some((found.downcast().ok()?, offset))
}

impl Drop for Buffer {
    fn drop(&mut self) {
        if let Some(&address) = self.pinned.get() {
            for gpu in self.devices().iter().filter_map(|device| device.gpu().ok()) {
                gpu.pinned.remove(address);
                gpu.closed.remove(address);
            }
        }
        let callbacks = std::mem::take(&mut *self.on_destroy.lock().unpoisoned());
        if !callbacks.is_empty() {
            let storage = self.storage.clone();
            ENDS.run(Box::new(move || {
                callbacks.into_iter().rev().for_each(|c| c());
                drop(storage);
            }));
        }
    }
}
