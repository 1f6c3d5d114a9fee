//! Buffers with their memory: suballocated by gpu-allocator, or imported host memory.

use std::sync::Arc;

use ash::vk;
use gpu_allocator::vulkan::{Allocation, AllocationCreateDesc, AllocationScheme};
use gpu_allocator::{AllocationError, MemoryLocation};

use super::device::Device;
use super::error::{Error, Result};
use super::fault;
use super::memory_types::HOST_REACHED;
use super::placed::Placed;
use super::spare::Spare;
use super::storage_buffers::Part;
use crate::os::memory::HostMemory;

/// Every buffer starts at a multiple of this: the largest OpenCL type has 128 bytes, and
/// memory transactions are no longer than 256.
pub(super) const ALIGN: u64 = 256;

/// What memory a buffer gets.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Location {
    /// The device's own.
    Device,
    /// The host's, cached, for reading back and for mapping.
    HostCached,
    /// Written by the host once, read by the device: device-local where the host can reach it.
    Upload,
}

pub(super) enum Memory {
    Managed(Allocation),
    /// Imported or exported, or of no other buffer.
    External(vk::DeviceMemory),
    /// Where the device has no addresses.
    Part(Part),
    Placed(Placed),
    /// Of a sparse buffer.
    Pieces(Vec<vk::DeviceMemory>),
}

pub const CANNOT_IMPORT: Error = Error::Other(vk::Result::ERROR_INVALID_EXTERNAL_HANDLE);

/// A buffer with memory, device address and, where host-visible, a lasting mapping.
pub struct Buffer {
    pub(super) raw: vk::Buffer,
    pub(super) memory: Option<Memory>,
    address: u64,
    size: u64,
    pub(super) mapped: Option<HostMemory>,
    pub(super) cached: bool,
    device: Arc<Device>,
}

/// What all buffers are used for.
pub(super) fn usage(addresses: bool) -> vk::BufferUsageFlags {
    let usage = vk::BufferUsageFlags::STORAGE_BUFFER
        | vk::BufferUsageFlags::UNIFORM_BUFFER
        | vk::BufferUsageFlags::UNIFORM_TEXEL_BUFFER
        | vk::BufferUsageFlags::TRANSFER_SRC
        | vk::BufferUsageFlags::TRANSFER_DST;
    match addresses {
        true => usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS,
        false => usage,
    }
}

impl Buffer {
    /// `size` bytes, not 0, contents undefined.
    pub fn new(device: &Arc<Device>, size: u64, location: Location) -> Result<Buffer> {
        let caps = device.caps();
        if size > caps.max_allocation && caps.sparse && location == Location::Device {
            return Buffer::sparse(device, size);
        }
        if location == Location::Device
            && let Some(spare) = Buffer::spare(device, size, 1)
        {
            return Ok(spare);
        }
        let flags = vk::BufferCreateFlags::empty();
        let mut buffer = Buffer::unbound(device, size, flags, &format!("{location:?} buffer"))?;
        buffer.allocate(location, ALIGN, AllocationScheme::GpuAllocatorManaged)?;
        Ok(buffer)
    }

    /// Device memory at a multiple of `align` bytes.
    pub fn aligned(device: &Arc<Device>, size: u64, align: u64) -> Result<Buffer> {
        let caps = device.caps();
        if size > caps.max_allocation && caps.sparse {
            return Buffer::sparse(device, size);
        }
        if let Some(spare) = Buffer::spare(device, size, align) {
            return Ok(spare);
        }
        let flags = vk::BufferCreateFlags::empty();
        let mut buffer = Buffer::unbound(device, size, flags, "shared buffer")?;
        let scheme = AllocationScheme::GpuAllocatorManaged;
        buffer.allocate(Location::Device, align.max(ALIGN), scheme)?;
        Ok(buffer)
    }

    /// Memory of no other buffer, the device's or else the host's, in multiples of `align` bytes, at an address that has nothing to do with those of others, not
    /// mapped. With `replay` it is one of those that the driver keeps for being had again, if it has such.
    pub fn alone(
        device: &Arc<Device>,
        size: u64,
        align: u64,
        location: Location,
        replay: bool,
    ) -> Result<Buffer> {
        let (created, allocated) = device.caps().replay_flags(replay);
        let mut buffer = Buffer::unbound(device, size, created, "buffer apart")?;
        // SAFETY: the buffer is alive.
        let requirements = unsafe { device.raw.get_buffer_memory_requirements(buffer.raw) };
        let (wanted, none) = match location {
            Location::Device => (
                vk::MemoryPropertyFlags::DEVICE_LOCAL,
                Error::OutOfDeviceMemory,
            ),
            _ => (
                HOST_REACHED | vk::MemoryPropertyFlags::HOST_CACHED,
                Error::OutOfHostMemory,
            ),
        };
        let memory_type = device
            .caps()
            .memory_type(requirements.memory_type_bits, wanted)
            .ok_or(none)?;
        let mut flags = vk::MemoryAllocateFlagsInfo::default()
            .flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS | allocated);
        let whole = requirements.size.next_multiple_of(align);
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(whole)
            .memory_type_index(memory_type)
            .push_next(&mut flags);
        let attempt = || {
            fault::inject(fault::Kind::Allocate)?;
            if location == Location::Device {
                device.reserve(whole)?;
            }
            // SAFETY: the info is valid, the type is one of the buffer's.
            device.check(unsafe { device.raw.allocate_memory(&info, None) })
        };
        let memory = device.with_spares_freed(attempt)?;
        device.name(memory, || format!("{location:?} memory apart"));
        // From here on the buffer frees it.
        buffer.memory = Some(Memory::External(memory));
        buffer.bound()
    }

    /// Without memory.
    pub(super) fn unbound(
        device: &Arc<Device>,
        size: u64,
        flags: vk::BufferCreateFlags,
        name: &str,
    ) -> Result<Buffer> {
        let info = vk::BufferCreateInfo::default()
            .flags(flags)
            .size(size)
            .usage(usage(device.caps().device_address));
        // SAFETY: the info is valid; the result owns the handle.
        let raw = device.check(unsafe { device.raw.create_buffer(&info, None) })?;
        device.name(raw, || format!("{name} of {size} bytes"));
        Ok(Buffer::with(device, raw, None, 0, size))
    }

    /// Of parts that belong together; the host does not see it.
    pub(super) fn with(
        device: &Arc<Device>,
        raw: vk::Buffer,
        memory: Option<Memory>,
        address: u64,
        size: u64,
    ) -> Buffer {
        Buffer {
            raw,
            memory,
            address,
            size,
            mapped: None,
            cached: false,
            device: device.clone(),
        }
    }

    /// Gets memory from the allocator.
    fn allocate(&mut self, location: Location, align: u64, scheme: AllocationScheme) -> Result {
        let device = self.device.clone();
        // SAFETY: the buffer is alive.
        let mut requirements = unsafe { device.raw.get_buffer_memory_requirements(self.raw) };
        requirements.alignment = requirements.alignment.max(align);
        if device.caps().storage_buffers > 0 {
            return self.take_part(&requirements, location);
        }
        let desc = AllocationCreateDesc {
            name: "buffer",
            requirements,
            location: match location {
                Location::Device => MemoryLocation::GpuOnly,
                Location::HostCached => MemoryLocation::GpuToCpu,
                Location::Upload => MemoryLocation::CpuToGpu,
            },
            linear: true,
            allocation_scheme: scheme,
        };
        let attempt = || {
            fault::inject(fault::Kind::Allocate)?;
            if location == Location::Device {
                device.reserve(requirements.size)?;
            }
            let mut guard = device.lock_allocator();
            let allocator = guard.as_mut().ok_or(Error::DeviceLost)?;
            let allocation = allocator.allocate(&desc).map_err(|e| match e {
                AllocationError::FailedToMap(_) => Error::OutOfHostMemory,
                _ => Error::OutOfDeviceMemory,
            })?;
            // Under the lock: other buffers have parts of the same.
            // SAFETY: the allocation is alive.
            device.name(unsafe { allocation.memory() }, || {
                format!("{location:?} memory")
            });
            Ok(allocation)
        };
        let allocation = device.with_spares_freed(attempt)?;
        let properties = allocation.memory_properties();
        if properties.contains(vk::MemoryPropertyFlags::HOST_COHERENT) {
            self.cached = properties.contains(vk::MemoryPropertyFlags::HOST_CACHED);
            self.mapped = allocation.mapped_ptr().map(|p| {
                // SAFETY: the allocation has `size` mapped bytes and lives as long as the buffer.
                unsafe { HostMemory::new(p.as_ptr().cast(), self.size as usize) }
            });
        }
        // SAFETY: the allocation is alive.
        let (memory, offset) = (unsafe { allocation.memory() }, allocation.offset());
        self.memory = Some(Memory::Managed(allocation));
        // SAFETY: the allocation fulfils the buffer's requirements.
        device.check(unsafe { device.raw.bind_buffer_memory(self.raw, memory, offset) })?;
        self.query_address();
        Ok(())
    }

    /// Gets a part of a storage buffer.
    fn take_part(&mut self, requirements: &vk::MemoryRequirements, location: Location) -> Result {
        let device = self.device.clone();
        fault::inject(fault::Kind::Allocate)?;
        let part = device.storage.take(&device, requirements, location)?;
        let (memory, offset) = part.memory();
        (self.address, self.mapped) = (part.address(), part.mapped(self.size));
        self.cached = part.is_cached();
        self.memory = Some(Memory::Part(part));
        // SAFETY: the part fulfils the buffer's requirements.
        device.check(unsafe { device.raw.bind_buffer_memory(self.raw, memory, offset) })
    }

    /// A buffer whose memory is `host` itself. Pointer and length must be multiples of
    /// [`super::caps::Caps::host_pointer_align`], which must not be 0. With `replay` the driver gives it one of the addresses
    /// that it keeps for being had again, if it has such.
    pub fn import(device: &Arc<Device>, host: HostMemory, replay: bool) -> Result<Buffer> {
        const HANDLE: vk::ExternalMemoryHandleTypeFlags =
            vk::ExternalMemoryHandleTypeFlags::HOST_ALLOCATION_EXT;
        let functions = device.host_memory.as_ref().ok_or(CANNOT_IMPORT)?;
        let mut properties = vk::MemoryHostPointerPropertiesEXT::default();
        // SAFETY: the extension is enabled, and `host` vouches for the memory.
        let result = unsafe {
            (functions.fp().get_memory_host_pointer_properties_ext)(
                device.raw.handle(),
                HANDLE,
                host.as_ptr().cast(),
                &mut properties,
            )
        };
        device.check(result.result())?;
        let mut import = vk::ImportMemoryHostPointerInfoEXT::default()
            .handle_type(HANDLE)
            .host_pointer(host.as_ptr().cast());
        let size = host.len() as u64;
        let types = properties.memory_type_bits;
        // Cached ones first.
        let rank = |flags: vk::MemoryPropertyFlags| {
            let order = !flags.contains(vk::MemoryPropertyFlags::HOST_CACHED);
            flags
                .contains(vk::MemoryPropertyFlags::HOST_COHERENT)
                .then_some(order)
        };
        let types = (types, Some(size));
        let made = Buffer::external(device, size, HANDLE, types, rank, &mut import, replay)?;
        let mut buffer = made.0.bound()?;
        buffer.mapped = Some(host);
        buffer.cached = true;
        Ok(buffer)
    }

    /// A buffer with memory that `chain` imports or makes exportable: of the types (a bit each) that `rank` takes the first
    /// that works. An import says how many bytes the memory has, if that is known. Returns the type and the bytes, too. The
    /// buffer is not bound yet ([`Buffer::bound`]), but has taken over what it imports.
    pub(super) fn external<R: Ord>(
        device: &Arc<Device>,
        size: u64,
        handle: vk::ExternalMemoryHandleTypeFlags,
        (types, bytes): (u32, Option<u64>),
        rank: impl Fn(vk::MemoryPropertyFlags) -> Option<R>,
        chain: &mut (impl vk::ExtendsMemoryAllocateInfo + Copy),
        replay: bool,
    ) -> Result<(Buffer, (u32, u64))> {
        let (created, allocated) = device.caps().replay_flags(replay);
        let flags = vk::MemoryAllocateFlags::DEVICE_ADDRESS | allocated;
        let mut external = vk::ExternalMemoryBufferCreateInfo::default().handle_types(handle);
        let info = vk::BufferCreateInfo::default()
            .flags(created)
            .size(size)
            .usage(usage(device.caps().device_address))
            .push_next(&mut external);
        // SAFETY: the info is valid; the result owns the handle.
        let raw = device.check(unsafe { device.raw.create_buffer(&info, None) })?;
        device.name(raw, || format!("external buffer of {size} bytes"));
        let mut buffer = Buffer::with(device, raw, None, 0, size);
        // SAFETY: the buffer is alive.
        let requirements = unsafe { device.raw.get_buffer_memory_requirements(raw) };
        let allocated = bytes.unwrap_or(requirements.size);
        if requirements.size > allocated {
            return Err(CANNOT_IMPORT);
        }
        let possible = types & requirements.memory_type_bits;
        let mut error = CANNOT_IMPORT;
        for index in device.caps().ranked_memory_types(possible, rank) {
            let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(flags);
            let mut chain = *chain;
            let allocate = vk::MemoryAllocateInfo::default()
                .allocation_size(allocated)
                .memory_type_index(index)
                .push_next(&mut flags)
                .push_next(&mut chain);
            // SAFETY: the caller vouches for the handle; the type is one of the buffer's.
            let attempt = || device.check(unsafe { device.raw.allocate_memory(&allocate, None) });
            match fault::inject(fault::Kind::Allocate).and_then(|()| attempt()) {
                Ok(memory) => {
                    buffer.memory = Some(Memory::External(memory));
                    device.name(memory, || "external memory".into());
                    return Ok((buffer, (index, allocated)));
                }
                Err(why) => error = why,
            }
        }
        Err(error)
    }

    /// The memory, if it is [`Memory::External`].
    pub(super) fn external_memory(&self) -> Option<vk::DeviceMemory> {
        match self.memory {
            Some(Memory::External(memory)) => Some(memory),
            _ => None,
        }
    }

    /// Binds [`Memory::External`].
    pub(super) fn bound(mut self) -> Result<Buffer> {
        let device = self.device.clone();
        let memory = self.external_memory().ok_or(CANNOT_IMPORT)?;
        // SAFETY: the type was chosen from the buffer's requirements; nothing is bound yet.
        device.check(unsafe { device.raw.bind_buffer_memory(self.raw, memory, 0) })?;
        self.query_address();
        Ok(self)
    }

    pub(super) fn query_address(&mut self) {
        let info = vk::BufferDeviceAddressInfo::default().buffer(self.raw);
        // SAFETY: the buffer has memory and the device-address usage.
        self.address = unsafe {
            (self.device.address.get_buffer_device_address_khr)(self.device.raw.handle(), &info)
        };
    }

    pub fn device(&self) -> &Arc<Device> {
        &self.device
    }

    pub fn address(&self) -> u64 {
        self.address
    }

    /// Bytes.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The memory as the host sees it, coherent; `None` when it does not.
    pub fn mapped(&self) -> Option<HostMemory> {
        self.mapped
    }

    /// The host reads the mapping through its caches, that is, fast.
    pub fn cached(&self) -> bool {
        self.cached
    }
}

impl Drop for Buffer {
    fn drop(&mut self) {
        let memory = match self.memory.take() {
            Some(Memory::Managed(allocation)) if self.is_spare() => {
                self.device.keep_spare(Spare {
                    raw: self.raw,
                    allocation,
                    address: self.address,
                    size: self.size,
                });
                return;
            }
            other => other,
        };
        // SAFETY: the owner drops it when no submission uses it any more.
        unsafe { self.device.raw.destroy_buffer(self.raw, None) };
        match memory {
            Some(Memory::Managed(allocation)) => {
                self.device.free(allocation);
            }
            // SAFETY: as above; the memory belongs to this buffer alone.
            Some(Memory::External(memory)) => unsafe { self.device.raw.free_memory(memory, None) },
            Some(Memory::Part(part)) => self.device.storage.free(&self.device, part),
            Some(Memory::Placed(placed)) => placed.free(&self.device),
            Some(Memory::Pieces(pieces)) => {
                for memory in pieces {
                    // SAFETY: as above.
                    unsafe { self.device.raw.free_memory(memory, None) };
                }
            }
            None => {}
        }
    }
}
