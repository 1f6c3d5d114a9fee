//! Texel buffers: memory that the device reads as texels of a format. All texel buffers of a device are in one descriptor
//! set, the table. Kernels name them by their index in it.

use std::sync::{Arc, Mutex};

use crate::os::sync::Unpoisoned;

use ash::vk;
pub use ash::vk::Format;

use super::device::{Device, push_constants};
use super::error::Result;
use super::memory::Buffer;

/// The table and the pipeline layout of kernels that use it.
pub struct Table {
    pub(super) layout: vk::PipelineLayout,
    pub(super) set: vk::DescriptorSet,
    set_layout: vk::DescriptorSetLayout,
    pool: vk::DescriptorPool,
    slots: Mutex<Slots>,
    device: Arc<Device>,
}

struct Slots {
    free: Vec<u32>,
    /// Slots from this one on were never used.
    end: u32,
    count: u32,
}

/// A texel buffer in the table.
pub struct Texels {
    view: vk::BufferView,
    slot: u32,
    table: Arc<Table>,
}

impl Table {
    /// Creates the table for a device with [`super::caps::Caps::texel_buffers`]. `count` is the length that kernels declare.
    pub fn new(device: &Arc<Device>, count: u32) -> Result<Arc<Table>> {
        let kind = vk::DescriptorType::UNIFORM_TEXEL_BUFFER;
        let binding = [vk::DescriptorSetLayoutBinding::default()
            .descriptor_type(kind)
            .descriptor_count(count)
            .stage_flags(vk::ShaderStageFlags::COMPUTE)];
        let flags = [vk::DescriptorBindingFlags::UPDATE_AFTER_BIND
            | vk::DescriptorBindingFlags::UPDATE_UNUSED_WHILE_PENDING
            | vk::DescriptorBindingFlags::PARTIALLY_BOUND];
        let mut flags =
            vk::DescriptorSetLayoutBindingFlagsCreateInfo::default().binding_flags(&flags);
        let info = vk::DescriptorSetLayoutCreateInfo::default()
            .flags(vk::DescriptorSetLayoutCreateFlags::UPDATE_AFTER_BIND_POOL)
            .bindings(&binding)
            .push_next(&mut flags);
        let mut table = Table {
            layout: vk::PipelineLayout::null(),
            set: vk::DescriptorSet::null(),
            set_layout: vk::DescriptorSetLayout::null(),
            pool: vk::DescriptorPool::null(),
            slots: Mutex::new(Slots {
                free: Vec::new(),
                end: 0,
                count,
            }),
            device: device.clone(),
        };
        let raw = &device.raw;
        // SAFETY: the infos are valid for a device with the features; `table` owns the handles.
        unsafe {
            table.set_layout = device.check(raw.create_descriptor_set_layout(&info, None))?;
            let sets = [table.set_layout];
            let range = [push_constants(device.caps())];
            let info = vk::PipelineLayoutCreateInfo::default()
                .set_layouts(&sets)
                .push_constant_ranges(&range);
            table.layout = device.check(raw.create_pipeline_layout(&info, None))?;
            let size = [vk::DescriptorPoolSize {
                ty: kind,
                descriptor_count: count,
            }];
            let info = vk::DescriptorPoolCreateInfo::default()
                .flags(vk::DescriptorPoolCreateFlags::UPDATE_AFTER_BIND)
                .max_sets(1)
                .pool_sizes(&size);
            table.pool = device.check(raw.create_descriptor_pool(&info, None))?;
            let info = vk::DescriptorSetAllocateInfo::default()
                .descriptor_pool(table.pool)
                .set_layouts(&sets);
            table.set = device.check(raw.allocate_descriptor_sets(&info))?[0];
        }
        device.name(table.set_layout, || "texel buffers".into());
        device.name(table.pool, || "texel buffers".into());
        device.name(table.layout, || "layout of kernels with images".into());
        device.name(table.set, || "texel buffers".into());
        Ok(Arc::new(table))
    }

    fn slots(&self) -> std::sync::MutexGuard<'_, Slots> {
        self.slots.lock().unpoisoned()
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        let raw = &self.device.raw;
        // SAFETY: texel buffers keep the table, and the owner those until no submission uses them.
        unsafe {
            raw.destroy_descriptor_pool(self.pool, None);
            raw.destroy_pipeline_layout(self.layout, None);
            raw.destroy_descriptor_set_layout(self.set_layout, None);
        }
    }
}

impl Texels {
    /// Bytes of a buffer, which must outlive the result, as texels. The offset is a multiple of
    /// [`super::caps::Caps::min_texel_align`], the size of the texels', of which there are not more
    /// than [`super::caps::Caps::max_texels`]. `None` if the format cannot be had or the table is full.
    pub fn new(
        table: &Arc<Table>,
        buffer: &Buffer,
        format: Format,
        offset: u64,
        size: u64,
    ) -> Result<Option<Texels>> {
        let device = &table.device;
        let physical = device.physical();
        // SAFETY: the device belongs to the instance.
        let properties = unsafe {
            let instance = &physical.instance.raw;
            instance.get_physical_device_format_properties(physical.raw, format)
        };
        let needed = vk::FormatFeatureFlags::UNIFORM_TEXEL_BUFFER;
        if !properties.buffer_features.contains(needed) {
            return Ok(None);
        }
        let slot = {
            let mut slots = table.slots();
            let fresh = slots.end < slots.count;
            match slots.free.pop() {
                Some(slot) => slot,
                None if fresh => {
                    slots.end += 1;
                    slots.end - 1
                }
                None => return Ok(None),
            }
        };
        let mut texels = Texels {
            view: vk::BufferView::null(),
            slot,
            table: table.clone(),
        };
        let info = vk::BufferViewCreateInfo::default()
            .buffer(buffer.raw)
            .format(format)
            .offset(offset)
            .range(size);
        // SAFETY: the caller checked range and alignment; `texels` owns the handle.
        texels.view = device.check(unsafe { device.raw.create_buffer_view(&info, None) })?;
        device.name(texels.view, || format!("texels of slot {slot}"));
        let views = [texels.view];
        let write = vk::WriteDescriptorSet::default()
            .dst_set(table.set)
            .dst_array_element(slot)
            .descriptor_type(vk::DescriptorType::UNIFORM_TEXEL_BUFFER)
            .texel_buffer_view(&views);
        // Sets are externally synchronised.
        let _guard = table.slots();
        // SAFETY: nothing uses this slot: it was free.
        unsafe { device.raw.update_descriptor_sets(&[write], &[]) };
        Ok(Some(texels))
    }

    /// Its index in the table.
    pub fn slot(&self) -> u32 {
        self.slot
    }
}

impl Drop for Texels {
    fn drop(&mut self) {
        // SAFETY: the owner drops it when no submission uses it any more.
        unsafe { self.table.device.raw.destroy_buffer_view(self.view, None) };
        self.table.slots().free.push(self.slot);
    }
}
