//! Descriptors of memory for programs that are not made by Caldera's compiler and so do not reach
//! memory by address: one set of three bindings, from pools that belong to a recording.

use std::sync::Arc;

use ash::vk;

use super::device::Device;
use super::error::Result;
use super::memory::Buffer;

/// The number of sets in a pool.
const SETS: u32 = 64;

/// The types of the bindings, by number: memory to write, memory to read, and a few bytes to read.
const BINDINGS: [vk::DescriptorType; 3] = [
    vk::DescriptorType::STORAGE_BUFFER,
    vk::DescriptorType::STORAGE_BUFFER,
    vk::DescriptorType::UNIFORM_BUFFER,
];

/// Bytes of a buffer for a binding. The offset is a multiple of [`OFFSET_ALIGN`].
#[derive(Clone, Copy)]
pub struct MemoryRange<'a> {
    pub binding: u32,
    pub buffer: &'a Buffer,
    pub offset: u64,
    /// Not 0, at most [`super::caps::Caps::max_storage_range`].
    pub size: u64,
}

/// The largest alignment of offsets that Vulkan lets a device ask for.
pub const OFFSET_ALIGN: u64 = 256;

/// The pipeline layout with these bindings.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct MemoryLayout {
    pub layout: vk::PipelineLayout,
    pub set: vk::DescriptorSetLayout,
}

impl MemoryLayout {
    pub fn new(
        device: &ash::Device,
        push_constants: &[vk::PushConstantRange],
    ) -> std::result::Result<MemoryLayout, vk::Result> {
        let bindings: Vec<_> = (0u32..)
            .zip(BINDINGS)
            .map(|(binding, kind)| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding)
                    .descriptor_type(kind)
                    .descriptor_count(1)
                    .stage_flags(vk::ShaderStageFlags::COMPUTE)
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: the info is valid.
        let set = unsafe { device.create_descriptor_set_layout(&info, None) }?;
        let sets = [set];
        let info = vk::PipelineLayoutCreateInfo::default()
            .set_layouts(&sets)
            .push_constant_ranges(push_constants);
        // SAFETY: the info is valid; the set layout is destroyed with the other, or here.
        match unsafe { device.create_pipeline_layout(&info, None) } {
            Ok(layout) => Ok(MemoryLayout { layout, set }),
            Err(error) => {
                // SAFETY: nobody has it.
                unsafe { device.destroy_descriptor_set_layout(set, None) };
                Err(error)
            }
        }
    }

    pub fn destroy(self, device: &ash::Device) {
        // SAFETY: the owner calls it when nothing uses them any more.
        unsafe {
            device.destroy_pipeline_layout(self.layout, None);
            device.destroy_descriptor_set_layout(self.set, None);
        }
    }
}

/// The sets of one recording.
pub(super) struct Pools {
    pools: Vec<vk::DescriptorPool>,
    /// Sets taken since the last reset.
    taken: u32,
    device: Arc<Device>,
}

impl Pools {
    pub fn new(device: &Arc<Device>) -> Pools {
        Pools {
            pools: Vec::new(),
            taken: 0,
            device: device.clone(),
        }
    }

    /// Takes back all sets. None may be in use.
    pub fn reset(&mut self) -> Result {
        let used = self.taken.div_ceil(SETS) as usize;
        for &pool in &self.pools[..used] {
            let flags = vk::DescriptorPoolResetFlags::empty();
            // SAFETY: the caller waited for their last use.
            let done = unsafe { self.device.raw.reset_descriptor_pool(pool, flags) };
            self.device.check(done)?;
        }
        self.taken = 0;
        Ok(())
    }

    /// A set with this memory, until the next reset.
    pub fn set(&mut self, memory: &[MemoryRange]) -> Result<vk::DescriptorSet> {
        let raw = &self.device.raw;
        let index = (self.taken / SETS) as usize;
        if index == self.pools.len() {
            let sizes = BINDINGS.map(|kind| vk::DescriptorPoolSize {
                ty: kind,
                descriptor_count: SETS,
            });
            let info = vk::DescriptorPoolCreateInfo::default()
                .max_sets(SETS)
                .pool_sizes(&sizes);
            // SAFETY: the info is valid.
            let pool = unsafe { raw.create_descriptor_pool(&info, None) };
            let pool = self.device.check(pool)?;
            self.device.name(pool, || "memory of a batch".into());
            self.pools.push(pool);
        }
        let layouts = [self.device.memory.set];
        let info = vk::DescriptorSetAllocateInfo::default()
            .descriptor_pool(self.pools[index])
            .set_layouts(&layouts);
        // SAFETY: `taken` is below the number of sets in the pool.
        let set = self
            .device
            .check(unsafe { raw.allocate_descriptor_sets(&info) })?[0];
        self.taken += 1;
        self.device
            .name(set, || "memory of a program's launch".into());
        for range in memory {
            let buffer = [vk::DescriptorBufferInfo {
                buffer: range.buffer.raw,
                offset: range.offset,
                range: range.size,
            }];
            let write = vk::WriteDescriptorSet::default()
                .dst_set(set)
                .dst_binding(range.binding)
                .descriptor_type(BINDINGS[range.binding as usize])
                .buffer_info(&buffer);
            // SAFETY: the set is new; the caller checked the range and keeps the buffer.
            unsafe { raw.update_descriptor_sets(&[write], &[]) };
        }
        Ok(set)
    }
}

impl Drop for Pools {
    fn drop(&mut self) {
        for &pool in &self.pools {
            // SAFETY: the owner drops it when the submission has completed.
            unsafe { self.device.raw.destroy_descriptor_pool(pool, None) };
        }
    }
}
