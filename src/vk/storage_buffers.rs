//! Device memory as storage buffers, for devices without buffer device addresses (docs/devices.md).
//!
//! Memory is allocated in blocks, each a storage buffer as a whole. Buffers are parts of blocks, and their addresses have the
//! block's number in the high word and an offset in the low one. Kernels get all blocks as an array of descriptors. A set of
//! descriptors is never changed, since submissions may use it: another one is made when blocks come or go.

use std::ops::Range;
use std::sync::{Arc, Mutex, MutexGuard};

use ash::vk;
use range_alloc::RangeAllocator;

use crate::os::memory::HostMemory;
use crate::os::sync::Unpoisoned;

use super::caps::Caps;
use super::device::Device;
use super::error::{Error, Result};
use super::memory::{ALIGN, Location};
use super::memory_types::HOST_REACHED;

/// Bytes of the first block. Each one is twice as large as that before, up to the largest.
const FIRST_BLOCK: u64 = 16 << 20;
const LARGEST_BLOCK: u64 = 256 << 20;
/// With fewer storage buffers than this all blocks are as large as can be.
const FEW: u32 = 16;

/// Memory that is a storage buffer.
struct Block {
    memory: vk::DeviceMemory,
    raw: vk::Buffer,
    /// Its number in the array.
    number: usize,
    /// Of its first byte.
    address: u64,
    memory_type: u32,
    size: u64,
    /// The host's view, if it has one.
    mapped: Option<HostMemory>,
    cached: bool,
}

/// A part of a block.
pub(super) struct Part {
    block: Arc<Block>,
    /// What was taken, which may begin before the part does.
    taken: Range<u64>,
    offset: u64,
}

impl Part {
    pub fn memory(&self) -> (vk::DeviceMemory, u64) {
        (self.block.memory, self.offset)
    }

    pub fn address(&self) -> u64 {
        self.block.address + self.offset
    }

    /// The host reads it through its caches.
    pub fn is_cached(&self) -> bool {
        self.block.cached
    }

    /// `size` bytes as the host sees them.
    pub fn mapped(&self, size: u64) -> Option<HostMemory> {
        let all = self.block.mapped?;
        Some(all.slice(self.offset as usize, size as usize))
    }
}

/// Descriptors of all blocks at one time.
struct Set {
    raw: vk::DescriptorSet,
    pool: vk::DescriptorPool,
    blocks: Vec<Arc<Block>>,
}

/// The descriptors that kernels need. Whoever records kernels keeps it until they have completed.
pub struct BoundMemory {
    set: Option<Arc<Set>>,
    device: Arc<Device>,
}

impl BoundMemory {
    pub(super) fn raw(&self) -> vk::DescriptorSet {
        self.set.as_ref().map_or_else(Default::default, |s| s.raw)
    }

    /// Whether it is of the same blocks.
    pub fn is(&self, other: &BoundMemory) -> bool {
        self.raw() == other.raw()
    }
}

impl Drop for BoundMemory {
    fn drop(&mut self) {
        if let Some(set) = self.set.take() {
            self.device.storage.free_set(&self.device.raw, set);
        }
    }
}

/// The blocks of a device.
#[derive(Default)]
pub(super) struct StorageBuffers {
    /// Null where the device has addresses.
    pub layout: vk::DescriptorSetLayout,
    /// The high word of addresses in the first of them.
    first: u32,
    table: Mutex<Table>,
}

#[derive(Default)]
struct Table {
    /// By number, with what is free in each.
    blocks: Vec<Option<(Arc<Block>, RangeAllocator<u64>)>>,
    /// Of these blocks.
    set: Option<Arc<Set>>,
}

/// The layout of the array; null where the device has addresses.
pub(super) fn layout(
    device: &ash::Device,
    caps: &Caps,
) -> std::result::Result<vk::DescriptorSetLayout, vk::Result> {
    if caps.storage_buffers == 0 {
        return Ok(vk::DescriptorSetLayout::null());
    }
    let bindings = [vk::DescriptorSetLayoutBinding::default()
        .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
        .descriptor_count(caps.storage_buffers)
        .stage_flags(vk::ShaderStageFlags::COMPUTE)];
    let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
    // SAFETY: the info is valid.
    unsafe { device.create_descriptor_set_layout(&info, None) }
}

/// The order in which memory types are taken for a location; `None` for those that cannot be.
fn rank(location: Location, flags: vk::MemoryPropertyFlags) -> Option<[bool; 2]> {
    let lacks = |wanted| !flags.contains(wanted);
    let local = lacks(vk::MemoryPropertyFlags::DEVICE_LOCAL);
    let cached = lacks(vk::MemoryPropertyFlags::HOST_CACHED);
    match location {
        Location::Device => Some([local, false]),
        _ if lacks(HOST_REACHED) => None,
        Location::HostCached => Some([cached, local]),
        Location::Upload => Some([local, cached]),
    }
}

impl StorageBuffers {
    pub fn new(layout: vk::DescriptorSetLayout, first: u32) -> StorageBuffers {
        StorageBuffers {
            layout,
            first,
            table: Mutex::default(),
        }
    }

    fn table(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unpoisoned()
    }

    /// Memory that fulfils these requirements.
    pub fn take(
        &self,
        device: &Device,
        requirements: &vk::MemoryRequirements,
        location: Location,
    ) -> Result<Part> {
        let align = requirements.alignment.max(ALIGN);
        let size = requirements.size.next_multiple_of(ALIGN);
        // Parts begin at multiples of ALIGN; others begin somewhere in what is taken.
        let taken = size + (align - ALIGN);
        let types = requirements.memory_type_bits;
        let rank = |flags| rank(location, flags);
        let mut table = self.table();
        let mut error = Error::OutOfDeviceMemory;
        for memory_type in device.caps().ranked_memory_types(types, rank) {
            let known = table.blocks.iter_mut().flatten();
            for (block, free) in known.filter(|(block, _)| block.memory_type == memory_type) {
                if let Ok(taken) = free.allocate_range(taken) {
                    return Ok(part(block, taken, align));
                }
            }
            match table.add(device, taken, memory_type) {
                Ok((block, free)) => {
                    if let Ok(taken) = free.allocate_range(taken) {
                        return Ok(part(block, taken, align));
                    }
                }
                Err(why) => error = why,
            }
        }
        Err(error)
    }

    /// Takes a part back that no submission uses any more. Of the blocks that it leaves empty one is kept.
    pub fn free(&self, device: &Device, part: Part) {
        let Part { block, taken, .. } = part;
        let mut table = self.table();
        let is_empty = |entry: &Option<(Arc<Block>, RangeAllocator<u64>)>| {
            entry.as_ref().is_some_and(|(_, free)| free.is_empty())
        };
        let others = table.blocks.iter().any(is_empty);
        let entry = &mut table.blocks[block.number];
        if let Some((_, free)) = entry {
            free.free_range(taken);
        }
        let mut freed = None;
        let mut set = None;
        if is_empty(entry) && (others || block.size > LARGEST_BLOCK) {
            freed = entry.take().map(|(block, _)| block);
            set = table.set.take();
        }
        drop(table);
        for block in freed.into_iter().chain([block]) {
            free_block(&device.raw, block);
        }
        if let Some(set) = set {
            self.free_set(&device.raw, set);
        }
    }

    fn free_set(&self, device: &ash::Device, set: Arc<Set>) {
        let Some(set) = Arc::into_inner(set) else {
            return;
        };
        // SAFETY: nobody has the set any more.
        unsafe { device.destroy_descriptor_pool(set.pool, None) };
        for block in set.blocks {
            free_block(device, block);
        }
    }

    /// Frees everything. Nobody may have parts or sets.
    pub fn destroy(&self, device: &ash::Device) {
        let mut table = std::mem::take(&mut *self.table());
        if let Some(set) = table.set.take() {
            self.free_set(device, set);
        }
        for (block, _) in table.blocks.into_iter().flatten() {
            free_block(device, block);
        }
        // SAFETY: as above.
        unsafe { device.destroy_descriptor_set_layout(self.layout, None) };
    }
}

fn part(block: &Arc<Block>, taken: Range<u64>, align: u64) -> Part {
    Part {
        block: block.clone(),
        offset: taken.start.next_multiple_of(align),
        taken,
    }
}

/// Frees a block unless somebody else has it.
fn free_block(device: &ash::Device, block: Arc<Block>) {
    if let Some(block) = Arc::into_inner(block) {
        // SAFETY: all buffers in it and all sets with it are gone.
        unsafe {
            device.destroy_buffer(block.raw, None);
            device.free_memory(block.memory, None);
        }
    }
}

impl Table {
    /// Adds a block of at least `size` bytes.
    fn add(
        &mut self,
        device: &Device,
        size: u64,
        memory_type: u32,
    ) -> Result<&mut (Arc<Block>, RangeAllocator<u64>)> {
        let caps = device.caps();
        let unused = self.blocks.iter().position(Option::is_none);
        let number = unused.unwrap_or(self.blocks.len());
        if number as u32 >= caps.storage_buffers || size > caps.max_storage_range {
            return Err(Error::OutOfDeviceMemory);
        }
        let largest = LARGEST_BLOCK.min(caps.max_storage_range);
        let usual = match caps.storage_buffers < FEW {
            true => largest,
            false => largest.min(FIRST_BLOCK << number.min(8)),
        };
        let made = Block::new(device, usual.max(size), number, memory_type);
        let block = match made {
            Err(Error::OutOfDeviceMemory) if size < usual => {
                Block::new(device, size, number, memory_type)
            }
            made => made,
        }?;
        if let Some(set) = self.set.take() {
            device.storage.free_set(&device.raw, set);
        }
        let free = RangeAllocator::new(0..block.size);
        if number == self.blocks.len() {
            self.blocks.push(None);
        }
        Ok(self.blocks[number].insert((Arc::new(block), free)))
    }

    /// The descriptors of the blocks.
    fn set(&mut self, device: &Device) -> Result<Arc<Set>> {
        if let Some(set) = &self.set {
            return Ok(set.clone());
        }
        if self.blocks.iter().flatten().next().is_none() {
            // A kernel that uses no memory needs valid descriptors, too.
            let rank = |flags| rank(Location::Device, flags);
            let mut types = device.caps().ranked_memory_types(u32::MAX, rank);
            let memory_type = types.next().ok_or(Error::OutOfDeviceMemory)?;
            self.add(device, ALIGN, memory_type)?;
        }
        let blocks = self.blocks.iter().flatten();
        let mut set = Set {
            raw: vk::DescriptorSet::null(),
            pool: vk::DescriptorPool::null(),
            blocks: blocks.map(|(block, _)| block.clone()).collect(),
        };
        let made = set.make(device);
        let set = Arc::new(set);
        if let Err(error) = made {
            device.storage.free_set(&device.raw, set);
            return Err(error);
        }
        self.set = Some(set.clone());
        Ok(set)
    }
}

impl Set {
    /// Makes the descriptors. Numbers that no block has get one that there is.
    fn make(&mut self, device: &Device) -> Result {
        let count = device.caps().storage_buffers;
        let sizes = [vk::DescriptorPoolSize {
            ty: vk::DescriptorType::STORAGE_BUFFER,
            descriptor_count: count,
        }];
        let info = vk::DescriptorPoolCreateInfo::default()
            .max_sets(1)
            .pool_sizes(&sizes);
        // SAFETY: the info is valid.
        self.pool = device.check(unsafe { device.raw.create_descriptor_pool(&info, None) })?;
        device.name(self.pool, || "storage buffers".into());
        let layouts = [device.storage.layout];
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(self.pool)
            .set_layouts(&layouts);
        // SAFETY: the pool has room for this set.
        self.raw = device.check(unsafe { device.raw.allocate_descriptor_sets(&info) })?[0];
        device.name(self.raw, || "storage buffers".into());
        let mut infos = vec![
            vk::DescriptorBufferInfo {
                buffer: self.blocks[0].raw,
                offset: 0,
                range: self.blocks[0].size,
            };
            count as usize
        ];
        for block in &self.blocks {
            infos[block.number].buffer = block.raw;
            infos[block.number].range = block.size;
        }
        let write = vk::WriteDescriptorSet::default()
            .dst_set(self.raw)
            .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
            .buffer_info(&infos);
        // SAFETY: the set is new; it keeps the blocks.
        unsafe { device.raw.update_descriptor_sets(&[write], &[]) };
        Ok(())
    }
}

impl Block {
    fn new(device: &Device, size: u64, number: usize, memory_type: u32) -> Result<Block> {
        let info = vk::BufferCreateInfo::default()
            .size(size)
            .usage(super::memory::usage(false));
        // SAFETY: the info is valid.
        let raw = device.check(unsafe { device.raw.create_buffer(&info, None) })?;
        let mut block = Block {
            memory: vk::DeviceMemory::null(),
            raw,
            number,
            address: (u64::from(device.storage.first) + number as u64) << 32,
            memory_type,
            size,
            mapped: None,
            cached: false,
        };
        let made = block.allocate(device);
        if let Err(error) = made {
            free_block(&device.raw, Arc::new(block));
            return Err(error);
        }
        device.name(raw, || format!("storage buffer {number}"));
        Ok(block)
    }

    fn allocate(&mut self, device: &Device) -> Result {
        // SAFETY: the buffer is alive.
        let requirements = unsafe { device.raw.get_buffer_memory_requirements(self.raw) };
        let (flags, _) = device.caps().memory_types[self.memory_type as usize];
        if flags.contains(vk::MemoryPropertyFlags::DEVICE_LOCAL) {
            device.reserve(requirements.size)?;
        }
        let info = vk::MemoryAllocateInfo::default()
            .allocation_size(requirements.size)
            .memory_type_index(self.memory_type);
        // SAFETY: the type is one of those of all buffers with this usage.
        self.memory = device.check(unsafe { device.raw.allocate_memory(&info, None) })?;
        device.name(self.memory, || "block of memory".into());
        // SAFETY: the memory fulfils the buffer's requirements; nobody else has it.
        device.check(unsafe { device.raw.bind_buffer_memory(self.raw, self.memory, 0) })?;
        if flags.contains(HOST_REACHED) {
            self.cached = flags.contains(vk::MemoryPropertyFlags::HOST_CACHED);
            let flags = vk::MemoryMapFlags::empty();
            let raw = &device.raw;
            // SAFETY: the memory is visible and not mapped; it stays mapped until it is freed.
            self.mapped = Some(unsafe {
                let all = raw.map_memory(self.memory, 0, vk::WHOLE_SIZE, flags);
                HostMemory::new(device.check(all)?.cast(), self.size as usize)
            });
        }
        Ok(())
    }
}

impl Device {
    /// What kernels need bound; `None` where they reach memory by address.
    pub fn bound_memory(self: &Arc<Self>) -> Result<Option<BoundMemory>> {
        if self.caps().storage_buffers == 0 {
            return Ok(None);
        }
        let set = self.storage.table().set(self)?;
        Ok(Some(BoundMemory {
            set: Some(set),
            device: self.clone(),
        }))
    }
}
