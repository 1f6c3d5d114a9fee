//! Recording: a command buffer in a pool of its own, which is reset and used again.

use std::sync::Arc;

use ash::vk;
pub use ash::vk::BufferCopy;

use super::descriptor::{MemoryRange, Pools};
use super::device::Device;
use super::error::Result;
use super::memory::Buffer;
use super::pipeline::Pipeline;
use super::storage_buffers::BoundMemory;
use super::sync::Timestamps;
use super::texels::Table;

/// A command buffer. The caller keeps what is recorded alive until the submission has completed.
pub struct Recorder {
    pool: vk::CommandPool,
    raw: vk::CommandBuffer,
    /// The layout of the pipeline bound last.
    layout: vk::PipelineLayout,
    /// The descriptor set bound last.
    set: vk::DescriptorSet,
    /// The push constants that are known to be set, from offset 0 on. All layouts have the same range, so binding another
    /// pipeline keeps them.
    pushed: Vec<u8>,
    descriptors: Pools,
    /// Others execute it, as often as they like ([`Recorder::execute`]). It is not submitted by itself.
    secondary: bool,
    device: Arc<Device>,
}

/// Devices that share memory with this one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Others {
    /// Of the same driver, for the same GPU.
    Same,
    /// Any. Needs VK_EXT_queue_family_foreign.
    Foreign,
}

/// Stages that touch memory, and how, for barriers.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Scope {
    pub compute: bool,
    pub transfer: bool,
    pub host: bool,
}

impl Scope {
    pub const COMPUTE: Scope = Scope {
        compute: true,
        transfer: false,
        host: false,
    };
    pub const TRANSFER: Scope = Scope {
        compute: false,
        transfer: true,
        host: false,
    };
    pub const DEVICE: Scope = Scope {
        compute: true,
        transfer: true,
        host: false,
    };
    pub const HOST: Scope = Scope {
        compute: false,
        transfer: false,
        host: true,
    };

    fn stages(self) -> vk::PipelineStageFlags {
        let mut stages = vk::PipelineStageFlags::empty();
        for (on, stage) in [
            (self.compute, vk::PipelineStageFlags::COMPUTE_SHADER),
            (self.transfer, vk::PipelineStageFlags::TRANSFER),
            (self.host, vk::PipelineStageFlags::HOST),
        ] {
            if on {
                stages |= stage;
            }
        }
        stages
    }

    fn access(self, read: bool, write: bool) -> vk::AccessFlags {
        let mut access = vk::AccessFlags::empty();
        for (on, r, w) in [
            (
                self.compute,
                vk::AccessFlags::SHADER_READ,
                vk::AccessFlags::SHADER_WRITE,
            ),
            (
                self.transfer,
                vk::AccessFlags::TRANSFER_READ,
                vk::AccessFlags::TRANSFER_WRITE,
            ),
            (
                self.host,
                vk::AccessFlags::HOST_READ,
                vk::AccessFlags::HOST_WRITE,
            ),
        ] {
            if on && read {
                access |= r;
            }
            if on && write {
                access |= w;
            }
        }
        access
    }
}

impl Recorder {
    pub fn new(device: &Arc<Device>) -> Result<Recorder> {
        Recorder::of_level(device, false)
    }

    /// One that is recorded once and executed by others.
    pub fn secondary(device: &Arc<Device>) -> Result<Recorder> {
        Recorder::of_level(device, true)
    }

    fn of_level(device: &Arc<Device>, secondary: bool) -> Result<Recorder> {
        let (flags, level) = match secondary {
            false => (
                vk::CommandPoolCreateFlags::TRANSIENT,
                vk::CommandBufferLevel::PRIMARY,
            ),
            true => (
                vk::CommandPoolCreateFlags::empty(),
                vk::CommandBufferLevel::SECONDARY,
            ),
        };
        let info = vk::CommandPoolCreateInfo::default()
            .flags(flags)
            .queue_family_index(device.caps().queue_family.unwrap_or(0));
        // SAFETY: the family is the one that the device was created with.
        let pool = device.check(unsafe { device.raw.create_command_pool(&info, None) })?;
        let mut recorder = Recorder {
            pool,
            raw: vk::CommandBuffer::null(),
            layout: device.layout,
            set: vk::DescriptorSet::null(),
            pushed: Vec::new(),
            descriptors: Pools::new(device),
            secondary,
            device: device.clone(),
        };
        let info = vk::CommandBufferAllocateInfo::default()
            .command_pool(pool)
            .level(level)
            .command_buffer_count(1);
        // SAFETY: the pool is alive and used by nobody else.
        recorder.raw = device.check(unsafe { device.raw.allocate_command_buffers(&info) })?[0];
        device.name(recorder.pool, || "batches of a queue".into());
        device.name(recorder.raw, || "batch".into());
        Ok(recorder)
    }

    pub(super) fn raw(&self) -> vk::CommandBuffer {
        self.raw
    }

    /// Begins a new recording. What was recorded before must not be in use.
    pub fn begin(&mut self) -> Result {
        let inherited = vk::CommandBufferInheritanceInfo::default();
        let info = vk::CommandBufferBeginInfo::default()
            .inheritance_info(&inherited)
            .flags(match self.secondary {
                false => vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT,
                true => vk::CommandBufferUsageFlags::SIMULTANEOUS_USE,
            });
        self.descriptors.reset()?;
        self.set = vk::DescriptorSet::null();
        self.pushed.clear();
        // SAFETY: nobody else has the pool; the caller waited for its last use.
        unsafe {
            self.device.check(
                self.device
                    .raw
                    .reset_command_pool(self.pool, vk::CommandPoolResetFlags::empty()),
            )?;
            self.device
                .check(self.device.raw.begin_command_buffer(self.raw, &info))
        }
    }

    pub fn end(&mut self) -> Result {
        // SAFETY: recording was begun.
        self.device
            .check(unsafe { self.device.raw.end_command_buffer(self.raw) })
    }

    /// Executes what a secondary recorder has recorded. Nothing is bound behind it.
    pub fn execute(&mut self, other: &Recorder) {
        self.set = vk::DescriptorSet::null();
        self.pushed.clear();
        // SAFETY: recording; the other one is ended, of the same family, and made for simultaneous use.
        unsafe { self.device.raw.cmd_execute_commands(self.raw, &[other.raw]) };
    }

    /// Records a barrier: what `to` does afterwards sees what `from` did before.
    pub fn barrier(&mut self, from: Scope, to: Scope) {
        let barrier = [vk::MemoryBarrier::default()
            .src_access_mask(from.access(false, true))
            .dst_access_mask(to.access(true, !to.host))];
        // SAFETY: recording; masks match the stages.
        unsafe {
            self.device.raw.cmd_pipeline_barrier(
                self.raw,
                from.stages(),
                to.stages(),
                vk::DependencyFlags::empty(),
                &barrier,
                &[],
                &[],
            )
        };
    }

    /// Acquires a buffer whose memory other devices share from them (`ours`), or releases it to them.
    pub fn hand_over(&mut self, buffer: &Buffer, others: Others, ours: bool) {
        let own = self.device.caps().queue_family.unwrap_or(0);
        let other = match others {
            Others::Same => vk::QUEUE_FAMILY_EXTERNAL,
            Others::Foreign => vk::QUEUE_FAMILY_FOREIGN_EXT,
        };
        let (from, to) = match ours {
            true => (other, own),
            false => (own, other),
        };
        let scope = Scope::DEVICE;
        let (here, none) = (scope.access(true, true), vk::AccessFlags::empty());
        let barrier = [vk::BufferMemoryBarrier::default()
            .src_access_mask(if ours { none } else { here })
            .dst_access_mask(if ours { here } else { none })
            .src_queue_family_index(from)
            .dst_queue_family_index(to)
            .buffer(buffer.raw)
            .size(vk::WHOLE_SIZE)];
        // SAFETY: recording; masks match the stages.
        unsafe {
            self.device.raw.cmd_pipeline_barrier(
                self.raw,
                scope.stages(),
                scope.stages(),
                vk::DependencyFlags::empty(),
                &[],
                &barrier,
                &[],
            )
        };
    }

    /// Copies between buffers. Regions are inside and, within one buffer, do not overlap.
    pub fn copy(&mut self, src: &Buffer, dst: &Buffer, regions: &[BufferCopy]) {
        // SAFETY: recording; the caller checked the ranges.
        unsafe {
            self.device
                .raw
                .cmd_copy_buffer(self.raw, src.raw, dst.raw, regions)
        };
    }

    /// Fills with a repeated word; `offset` and `size` are multiples of 4.
    pub fn fill(&mut self, dst: &Buffer, offset: u64, size: u64, word: u32) {
        // SAFETY: recording; the caller checked range and alignment.
        unsafe {
            self.device
                .raw
                .cmd_fill_buffer(self.raw, dst.raw, offset, size, word)
        };
    }

    pub fn bind(&mut self, pipeline: &Pipeline) {
        self.layout = pipeline.layout;
        // SAFETY: recording; the pipeline is alive.
        unsafe {
            self.device.raw.cmd_bind_pipeline(
                self.raw,
                vk::PipelineBindPoint::COMPUTE,
                pipeline.raw,
            )
        };
    }

    /// Gives the bound pipeline, one of [`super::pipeline::Interface::Memory`], the memory at each of
    /// its bindings.
    pub fn bind_memory(&mut self, memory: &[MemoryRange]) -> Result {
        let set = self.descriptors.set(memory)?;
        self.bind_set(self.layout, set);
        Ok(())
    }

    /// Gives the pipeline bound next, one of [`super::pipeline::Interface::Texels`], the table.
    pub fn bind_texels(&mut self, table: &Table) {
        self.bind_set(table.layout, table.set);
    }

    /// Gives the kernel bound next the memory that there is.
    pub fn bind_storage_buffers(&mut self, memory: &BoundMemory) {
        self.bind_set(self.device.layout, memory.raw());
    }

    fn bind_set(&mut self, layout: vk::PipelineLayout, set: vk::DescriptorSet) {
        if self.set == set {
            return;
        }
        self.set = set;
        // SAFETY: recording; the set has the layout's, and lives as long as the recording.
        unsafe {
            self.device.raw.cmd_bind_descriptor_sets(
                self.raw,
                vk::PipelineBindPoint::COMPUTE,
                layout,
                0,
                &[set],
                &[],
            )
        };
    }

    /// Sets push constants from offset 0; a multiple of 4 bytes, at most
    /// [`Device::push_constants`].
    pub fn push(&mut self, bytes: &[u8]) {
        if self.pushed.starts_with(bytes) {
            return;
        }
        let known = bytes.len().min(self.pushed.len());
        self.pushed[..known].copy_from_slice(&bytes[..known]);
        self.pushed.extend_from_slice(&bytes[known..]);
        // SAFETY: recording; the layout is that of the bound pipeline.
        unsafe {
            self.device.raw.cmd_push_constants(
                self.raw,
                self.layout,
                vk::ShaderStageFlags::COMPUTE,
                0,
                bytes,
            )
        };
    }

    /// Runs work-groups `base` to `base + count`. A base other than 0 needs a pipeline made for it.
    pub fn dispatch(&mut self, base: [u32; 3], count: [u32; 3]) {
        let raw = &self.device.raw;
        // SAFETY: recording; a pipeline is bound; the caller kept to the device's limits.
        unsafe {
            if base == [0; 3] {
                raw.cmd_dispatch(self.raw, count[0], count[1], count[2]);
            } else {
                (self.device.group.cmd_dispatch_base_khr)(
                    self.raw, base[0], base[1], base[2], count[0], count[1], count[2],
                );
            }
        }
    }

    pub fn reset_timestamps(&mut self, pool: &Timestamps) {
        // SAFETY: recording; the pool is not in use.
        unsafe {
            self.device
                .raw
                .cmd_reset_query_pool(self.raw, pool.raw, 0, pool.count())
        };
    }

    /// Writes a timestamp: when earlier commands have started (`end` is false), or when all have ended.
    pub fn timestamp(&mut self, pool: &Timestamps, index: u32, end: bool) {
        let stage = if end {
            vk::PipelineStageFlags::BOTTOM_OF_PIPE
        } else {
            vk::PipelineStageFlags::TOP_OF_PIPE
        };
        // SAFETY: recording; the pool was reset and `index` is inside.
        unsafe {
            self.device
                .raw
                .cmd_write_timestamp(self.raw, stage, pool.raw, index)
        };
    }
}

impl Drop for Recorder {
    fn drop(&mut self) {
        // SAFETY: the owner drops it when the submission has completed.
        unsafe { self.device.raw.destroy_command_pool(self.pool, None) };
    }
}
