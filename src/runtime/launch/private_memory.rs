//! Device memory for private objects that are too large for the driver, and for local ones where it is slow at local memory
//! (docs/abi.md, "Scratch").
//!
//! A batch has one buffer (record/scratch.rs). A dispatch that needs more than all of it is cut. Released buffers are
//! kept for the next batch as all large ones are (vk/spare.rs).

use std::sync::Arc;

use smallvec::SmallVec;

use crate::compiler::kernel::{
    GROUP_ALIGN, KernelInfo, SPEC_GROUP_MEMORY, SPEC_SCRATCH_LANES, SPEC_SCRATCH_SIZE, SysField,
    group_bytes,
};
use crate::runtime::gpu::facts::DeviceFacts;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::launch::argument::put;
use crate::runtime::launch::ndrange::{Region, items};
use crate::runtime::launch::pipelines::Constants;
use crate::runtime::record::batch::Batch;
use crate::runtime::record::scratch::Scratch;
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk::command::Scope;
use crate::vk::memory::{Buffer, Location};

/// Parts that a region is cut into at most. From half as many on they get more memory.
const MAX_PARTS: u64 = 1 << 16;
/// Bytes of the smallest buffer: from this on they are kept.
const SMALLEST: u64 = 8 << 20;

/// What the work-items and groups of a kernel take.
#[derive(Debug, Clone, Copy)]
pub struct Need {
    /// Bytes of a work-item, and those of a group for its local memory.
    size: u64,
    group: u64,
    /// Logarithm of those that share a block.
    lanes: u32,
}

impl Need {
    /// Of a kernel with `local` work-items in a group and these constants of arguments. Blocks have as many as a sub-group,
    /// so that its accesses are side by side, but no more than a group, and one if the group would otherwise not have room
    /// in `most` bytes.
    pub fn of(
        info: &KernelInfo,
        constants: &Constants,
        local: [u32; 3],
        sub_group: u32,
        most: u64,
    ) -> Option<Need> {
        let size = u64::from(info.scratch_size);
        let memory = group_bytes(info.group_memory, constants.iter().copied());
        let group = items(local.map(u64::from)).max(1);
        let shared = group.min(u64::from(sub_group.max(1)));
        let need = Need {
            size,
            group: memory,
            lanes: shared.ilog2(),
        };
        let lanes = match need.bytes(group) > most {
            true => 0,
            false => need.lanes,
        };
        (size + memory > 0).then_some(Need { lanes, ..need })
    }

    pub fn specialise(&self, constants: &mut Constants) {
        if self.size > 0 {
            constants.push((SPEC_SCRATCH_SIZE, self.size as u32));
            constants.push((SPEC_SCRATCH_LANES, self.lanes));
        }
        if self.group > 0 {
            constants.push((SPEC_GROUP_MEMORY, self.group as u32));
        }
    }

    /// Of so many work-items, without their groups'.
    fn bytes(&self, items: u64) -> u64 {
        let whole = items.checked_next_multiple_of(1 << self.lanes);
        whole.unwrap_or(u64::MAX).saturating_mul(self.size)
    }

    fn of_groups(&self, region: &Region, groups: u64) -> u64 {
        let own = self.of_items(region, groups);
        own.saturating_add(groups.saturating_mul(self.group))
    }

    /// Of the work-items of so many groups: behind it the groups' own begins.
    fn of_items(&self, region: &Region, groups: u64) -> u64 {
        let group = items(region.local.map(u64::from));
        let bytes = self.bytes(groups.saturating_mul(group));
        let whole = bytes.checked_next_multiple_of(GROUP_ALIGN.into());
        whole.unwrap_or(u64::MAX)
    }

    /// Groups of a region for which `bytes` are enough, one at least.
    fn groups_in(&self, region: &Region, bytes: u64) -> u64 {
        let items = items(region.local.map(u64::from)).max(1);
        let each = items.saturating_mul(self.size).saturating_add(self.group);
        // The last block may not be full.
        let spare = match items.is_multiple_of(1 << self.lanes) {
            true => 0,
            false => ((1 << self.lanes) - 1) * self.size,
        };
        (bytes.saturating_sub(spare) / each.max(1)).max(1)
    }
}

/// Sees to it that a batch has memory for the regions of a launch: for all of them, or what a launch gets, or for a
/// group. OUT_OF_RESOURCES if there is not even that.
pub fn reserve(
    gpu: &Gpu,
    facts: &DeviceFacts,
    batch: &mut Batch,
    need: &Need,
    regions: impl Iterator<Item = Region>,
) -> ClResult {
    let (mut all, mut least) = (0u64, 0);
    for region in regions {
        all = all.saturating_add(need.of_groups(&region, region.groups()));
        least = least.max(need.of_groups(&region, 1));
    }
    let few_parts = (all / (MAX_PARTS / 2)).min(facts.max_scratch);
    let most = facts.scratch_size.max(few_parts).max(least);
    let wanted = all.min(most);
    if batch.scratch.as_ref().is_some_and(|s| s.size() >= wanted) {
        return Ok(());
    }
    // Few sizes, so that a kept one is found.
    let rounded = wanted.max(SMALLEST).checked_next_power_of_two();
    let mut size = rounded.unwrap_or(wanted).min(most);
    let buffer = loop {
        match Buffer::new(&gpu.vk, size, Location::Device) {
            Ok(buffer) => break Arc::new(buffer),
            Err(error) if size == least => {
                tracing::error!(
                    "no {size} bytes for the private and local memory of work-items: {error}"
                );
                return Err(error.into());
            }
            // The launch is cut into more parts.
            Err(_) => size = (size / 2).max(least),
        }
    };
    batch.keep(buffer.clone());
    batch.scratch = Some(Scratch::new(buffer));
    Ok(())
}

/// Mostly one.
pub type Parts = SmallVec<[Region; 1]>;

/// Cuts a region into parts for each of which there is memory, and that can be behind each other. OUT_OF_RESOURCES if
/// they are too many.
pub fn parts(batch: &Batch, need: &Need, region: &Region) -> ClResult<Parts> {
    let size = batch.scratch.as_ref().map_or(0, |s| s.size());
    let parts = region.cut(need.groups_in(region, size), MAX_PARTS);
    if parts.is_none() {
        let (groups, bytes) = (region.groups(), need.of_groups(region, 1));
        tracing::error!(
            "{groups} work-groups with {bytes} bytes of private and local memory each are too many for {size} bytes"
        );
    }
    parts
        .map(SmallVec::from_vec)
        .ok_or(ClError::OUT_OF_RESOURCES)
}

/// Where a kernel's fields are in the argument block.
pub struct Slots {
    address: Option<usize>,
    groups: Option<usize>,
    strides: [Option<usize>; 2],
}

impl Slots {
    pub fn of(slot: impl Fn(SysField) -> Option<usize>) -> Slots {
        Slots {
            address: slot(SysField::Scratch),
            groups: slot(SysField::GroupMemory),
            strides: [1, 2].map(|d| slot(SysField::ScratchStride(d))),
        }
    }

    /// Takes memory for a part and tells its kernel.
    pub fn fill(
        &self,
        batch: &mut Batch,
        need: &Need,
        part: &Region,
        block: &mut [u8],
    ) -> ClResult {
        let scratch = batch.scratch.as_mut().ok_or(ClError::OUT_OF_RESOURCES)?;
        let (address, full) = scratch.take(need.of_groups(part, part.groups()));
        if full {
            batch.recorder.barrier(Scope::COMPUTE, Scope::COMPUTE);
        }
        let strides = [part.count[0], part.count[0].wrapping_mul(part.count[1])];
        for (at, word) in self.strides.into_iter().zip(strides) {
            if let Some(at) = at {
                put(block, at, &word.to_le_bytes())?;
            }
        }
        let groups = address + need.of_items(part, part.groups());
        for (at, address) in [(self.address, address), (self.groups, groups)] {
            if let Some(at) = at {
                put(block, at, &address.to_le_bytes())?;
            }
        }
        Ok(())
    }
}
