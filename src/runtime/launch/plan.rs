//! Plans: what follows from the sizes of a launch alone.
//!
//! Applications launch a kernel many times with the same sizes, so a kernel keeps the plan of the last. The lists here
//! are short, so they lie in place ([`SmallVec`]).

use std::sync::Arc;

use smallvec::SmallVec;

use crate::compiler::kernel::{SPEC_LONG_IDS, SPEC_REPEAT_LOOPS, SysField};
use crate::os::sync::Unpoisoned;
use crate::runtime::launch::argument::put;
use crate::runtime::launch::device_kernel::DeviceKernel;
use crate::runtime::launch::local_size::LocalSizes;
use crate::runtime::launch::ndrange::{Region, group_counts, items, regions};
use crate::runtime::launch::pipelines::{Constants, Specialised, Variant};
use crate::runtime::launch::private_memory::Need;
use crate::runtime::support::error::{ClError, ClResult};

/// Up to this many work-items, loop bodies are repeated for drivers that limit rounds of loops. Larger launches seldom have
/// loops with many rounds, and llvmpipe takes as long for copies that are skipped.
const REPEATED_ITEMS: u64 = 64;

/// Drivers take seconds for kernels of more words.
const LARGE: usize = 1 << 18;

/// What a launch needs beside kernel and arguments; sizes in work-items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NdRange {
    pub dims: u32,
    /// Unused dimensions: offset 0, global 1, local 1.
    pub offset: [u64; 3],
    pub global: [u64; 3],
    /// `None`: Caldera chooses. It need not divide `global`.
    pub local: Option<[u32; 3]>,
}

impl NdRange {
    /// One work-item.
    pub const SINGLE: NdRange = NdRange {
        dims: 1,
        offset: [0; 3],
        global: [1; 3],
        local: Some([1; 3]),
    };

    /// A global id may need more than 32 bits. Half of these are left for the work-items of incomplete groups.
    fn has_long_ids(&self) -> bool {
        let long = |d: usize| self.offset[d].saturating_add(self.global[d]) > 1 << 31;
        (0..3).any(long)
    }
}

/// What follows from the sizes of a launch.
pub struct Plan {
    pub range: NdRange,
    pub constants: Constants,
    /// The part of the argument block with the fields of the runtime: its offset and bytes.
    pub system: (usize, SmallVec<[u8; 64]>),
    pub dispatches: Vec<Dispatch>,
    /// Memory for private and local objects, if the kernel has them in device memory.
    pub need: Option<Need>,
    /// The plan in whose place this one is used until its pipelines exist.
    stands_for: Option<Arc<Plan>>,
}

impl Plan {
    fn is_ready(&self) -> bool {
        let mut pipelines = self.dispatches.iter().map(|d| &d.pipeline);
        pipelines.all(|pipeline| pipeline.get().is_some())
    }
}

pub struct Dispatch {
    pub pipeline: Arc<Specialised>,
    pub region: Region,
}

impl DeviceKernel {
    /// The plan for these sizes. The last plan is reused if it has the same ones. Starts the creation of missing pipelines.
    /// OUT_OF_RESOURCES if the grid is too large; errors of the local size.
    pub fn plan(self: &Arc<Self>, range: &NdRange, constants: Constants) -> ClResult<Arc<Plan>> {
        let last = || self.last.lock().unpoisoned();
        if let Some(plan) = &mut *last()
            && plan.range == *range
            && plan.constants == constants
        {
            if let Some(wanted) = &plan.stands_for
                && wanted.is_ready()
            {
                *plan = wanted.clone();
            }
            return Ok(plan.clone());
        }
        let plan = Arc::new(self.new_plan(range, constants)?);
        *last() = Some(plan.clone());
        Ok(plan)
    }

    fn new_plan(self: &Arc<Self>, range: &NdRange, constants: Constants) -> ClResult<Plan> {
        let sizes = LocalSizes::new(&self.device, &self.info, range.global);
        let (local, guarded) = sizes.of_launch(range.local)?;
        let plan = self.plan_for(range, &constants, &sizes, local, guarded)?;
        let open = guarded || range.local.is_none() || !self.info.alone;
        if open || plan.is_ready() {
            return Ok(plan);
        }
        // The kernel cannot tell, so groups of a size that has a pipeline do until there is that of the given one.
        let Some(local) = self.stand_in(range, &constants, &sizes, local) else {
            return Ok(plan);
        };
        let stands_for = Some(Arc::new(plan));
        let plan = self.plan_for(range, &constants, &sizes, local, false)?;
        Ok(Plan { stands_for, ..plan })
    }

    /// A local size near `wanted` that divides the global size and whose pipeline exists, if such pipelines take long.
    fn stand_in(
        &self,
        range: &NdRange,
        constants: &Constants,
        sizes: &LocalSizes,
        wanted: [u32; 3],
    ) -> Option<[u32; 3]> {
        let global = range.global;
        let fits = |local: [u32; 3]| {
            let count = |d: usize| global[d] / u64::from(local[d]);
            (0..3).all(|d| global[d].is_multiple_of(u64::from(local[d])))
                && (0..3).all(|d| count(d) <= u64::from(sizes.limits.max_count[d]))
        };
        // Drivers that found one in their cache were quick and will not be with another.
        let large = self.info.spirv.len() > LARGE;
        let known = self.pipelines.read().unpoisoned();
        let usable = known.iter().filter(|p| {
            let v = &p.variant;
            (p.was_slow() || large && p.get().is_some())
                && !(v.base || v.guarded)
                && v.local == v.enqueued
                && fits(v.local)
                && v.constants
                    == self.specialisation(range, constants, self.need(v.local, constants).as_ref())
        });
        let size = |local: [u32; 3]| local.into_iter().product::<u32>();
        usable
            .map(|p| p.variant.local)
            .filter(|local| size(*local) >= sizes.limits.subgroup)
            .min_by_key(|local| size(*local).abs_diff(size(wanted)))
    }

    /// All specialization constants but sizes.
    fn specialisation(
        &self,
        range: &NdRange,
        constants: &Constants,
        need: Option<&Need>,
    ) -> Constants {
        let mut constants = constants.clone();
        if let Some(need) = need {
            need.specialise(&mut constants);
        }
        if self.device.target().limits_rounds {
            let few = items(range.global) <= REPEATED_ITEMS;
            constants.push((SPEC_REPEAT_LOOPS, few.into()));
        }
        if self.device.target().short_ids {
            constants.push((SPEC_LONG_IDS, range.has_long_ids().into()));
        }
        constants
    }

    fn plan_for(
        self: &Arc<Self>,
        range: &NdRange,
        constants: &Constants,
        sizes: &LocalSizes,
        local: [u32; 3],
        guarded: bool,
    ) -> ClResult<Plan> {
        let counts = group_counts(range.global, local).ok_or(ClError::OUT_OF_RESOURCES)?;
        let mut plan = Plan {
            range: *range,
            constants: constants.clone(),
            system: self.system(range, counts)?,
            dispatches: Vec::new(),
            need: self.need(local, constants),
            stands_for: None,
        };
        if range.global.contains(&0) {
            return Ok(plan);
        }
        let limits = &sizes.limits;
        let over = |d: usize| counts[d] > limits.max_count[d];
        let target = self.device.target();
        if (0..3).any(|d| over(d) && !target.splits_grids(d)) {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        let padded = |d: usize| u64::from(counts[d]) * u64::from(local[d]);
        let global = match guarded {
            true => [padded(0), padded(1), padded(2)],
            false => range.global,
        };
        let constants = self.specialisation(range, constants, plan.need.as_ref());
        let regions = regions(global, local, limits.max_count);
        for mut region in regions.ok_or(ClError::OUT_OF_RESOURCES)? {
            for d in (0..3).filter(|&d| over(d) && self.bases[d].is_none()) {
                // vkCmdDispatchBase does not reach beyond the limit, and the kernel without
                // the slot does not ask for its group.
                region.base[d] = 0;
            }
            let based = |d: usize| region.base[d] != 0 && self.bases[d].is_none();
            let base = plan.need.is_none() && (0..3).any(based);
            let pipeline = self.specialised(Variant {
                local: region.local,
                enqueued: local,
                constants: constants.clone(),
                base,
                guarded,
            });
            plan.dispatches.push(Dispatch { pipeline, region });
        }
        Ok(plan)
    }

    /// The device memory that groups of this size need for private and local objects.
    fn need(&self, local: [u32; 3], constants: &Constants) -> Option<Need> {
        let facts = self.device.facts();
        Need::of(
            &self.info,
            constants,
            local,
            facts.sub_group_of(&self.info),
            facts.max_scratch,
        )
    }

    /// The fields of the argument block that the runtime fills in: the offset of the first, and their bytes to the end.
    fn system(&self, range: &NdRange, counts: [u32; 3]) -> ClResult<(usize, SmallVec<[u8; 64]>)> {
        let info = &self.info;
        let first = info.sys.iter().map(|slot| slot.offset).min();
        let start = first.unwrap_or(info.block_size) as usize;
        let length = (info.block_size as usize).saturating_sub(start);
        let mut fields = SmallVec::from_elem(0, length);
        for slot in &info.sys {
            let value = match slot.field {
                SysField::GlobalOffset(d) => range.offset[usize::from(d)],
                SysField::GlobalSize(d) => range.global[usize::from(d)],
                SysField::NumGroups(d) => u64::from(counts[usize::from(d)]),
                SysField::Extent(d) => range.global[usize::from(d)],
                // Written for each dispatch.
                SysField::GroupBase(_) => 0,
                SysField::WorkDim => u64::from(range.dims),
                SysField::ModuleData => {
                    let data = self.module_data.as_ref();
                    let data = data.ok_or(ClError::INVALID_PROGRAM_EXECUTABLE)?;
                    data.address(&self.device)?
                }
                SysField::FenceWord => self.device.gpu()?.fence_word()?,
                // Written when the launch is recorded.
                SysField::PrintfBuffer
                | SysField::DeviceQueue
                | SysField::LaunchNumber
                | SysField::Scratch
                | SysField::GroupMemory
                | SysField::ScratchStride(_) => 0,
            };
            let size = slot.field.size() as usize;
            put(
                &mut fields,
                slot.offset as usize - start,
                &value.to_le_bytes()[..size],
            )?;
        }
        Ok((start, fields))
    }
}

#[cfg(test)]
mod tests {
    use std::thread;
    use std::time::{Duration, Instant};

    use super::*;
    use crate::runtime::tests::testing::{on_device, scale};

    #[test]
    fn slow_pipelines_serve_other_local_sizes() {
        on_device(|device| {
            let kernel = scale(device);
            let range = |global, local| NdRange {
                dims: 1,
                offset: [0; 3],
                global: [global, 1, 1],
                local: Some([local, 1, 1]),
            };
            let none = Constants::new();
            let plan = |local| kernel.plan(&range(256, local), none.clone()).unwrap();
            let until = |local: u32| {
                let start = Instant::now();
                while !plan(local).is_ready() || plan(local).dispatches[0].region.local[0] != local
                {
                    assert!(start.elapsed() < Duration::from_secs(100), "no pipeline");
                    thread::sleep(Duration::from_millis(1));
                }
                plan(local)
            };
            let stand_in = |global, constants: &Constants| {
                let sizes = LocalSizes::new(device, kernel.info(), [global, 1, 1]);
                kernel.stand_in(&range(global, 32), constants, &sizes, [32, 1, 1])
            };
            let first = until(64);
            assert_eq!(stand_in(256, &none), None, "it was quick");
            first.dispatches[0].pipeline.pretend_slow();
            assert_eq!(stand_in(256, &none), Some([64, 1, 1]));
            assert_eq!(stand_in(96, &none), None, "it does not divide");
            let other = Constants::from_iter([(1000, 1)]);
            assert_eq!(stand_in(256, &other), None, "it is of other constants");
            assert!(until(32).stands_for.is_none());
        });
    }
}
