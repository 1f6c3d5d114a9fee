//! The local size of a launch: checked if it is given, chosen if it is left open. No other file decides it.

use crate::compiler::kernel::KernelInfo;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::ndrange::items;
use crate::runtime::support::error::{ClError, ClResult};

/// The device limits that matter here.
#[derive(Debug, Clone, Copy)]
pub struct GroupLimits {
    pub max_size: [u32; 3],
    pub max_items: u32,
    pub subgroup: u32,
    /// The most work-groups of one dispatch per dimension.
    pub max_count: [u32; 3],
}

/// What a local size depends on.
pub struct LocalSizes<'a> {
    info: &'a KernelInfo,
    global: [u64; 3],
    pub limits: GroupLimits,
}

impl LocalSizes<'_> {
    pub fn new<'a>(device: &Device, info: &'a KernelInfo, global: [u64; 3]) -> LocalSizes<'a> {
        let facts = device.facts();
        LocalSizes {
            info,
            global,
            limits: GroupLimits {
                max_size: most_of_each(info, facts.max_work_item_sizes),
                max_items: facts.max_items_of(info),
                subgroup: facts.sub_group_of(info),
                max_count: facts.max_group_count,
            },
        }
    }

    /// The local size of an enqueue; `None` if the launch chooses it. `uniform`: all groups must have the same size.
    pub fn enqueued(&self, given: Option<[usize; 3]>, uniform: bool) -> ClResult<Option<[u32; 3]>> {
        if let Some(sizes) = given {
            return self.check(sizes, uniform).map(Some);
        }
        // CL_INVALID_WORK_GROUP_SIZE if work-groups must be uniform and the size that the kernel requires
        // does not divide global_work_size.
        let required = self.required().unwrap_or([1; 3]);
        if uniform && !self.divides(required.map(|n| n as usize)) {
            return Err(ClError::INVALID_WORK_GROUP_SIZE);
        }
        // A guarded kernel does not see its local size, so the launch may choose one that does not divide the global size.
        let open = self.global.contains(&0) || self.info.guarded;
        Ok((!open).then(|| self.suggested(uniform)))
    }

    fn divides(&self, sizes: [usize; 3]) -> bool {
        let mut pairs = sizes.into_iter().zip(self.global);
        pairs.all(|(size, global)| size != 0 && global.is_multiple_of(size as u64))
    }

    fn check(&self, sizes: [usize; 3], uniform: bool) -> ClResult<[u32; 3]> {
        let required = self.info.attributes.reqd_work_group_size;
        // CL_INVALID_WORK_GROUP_SIZE if the work-group must be uniform and does not divide
        // global_work_size, has no work-items or more than CL_KERNEL_WORK_GROUP_SIZE, or is not of the
        // size, or does not have the number of sub-groups, that the kernel requires, or is larger than it allows.
        let total = sizes.iter().try_fold(1, |n: usize, &s| n.checked_mul(s));
        if uniform && !self.divides(sizes)
            || total.is_none_or(|n| n == 0 || n > self.limits.max_items as usize)
            || required.is_some_and(|r| r.map(|n| n as usize) != sizes)
            || !total.is_some_and(|n| self.has_sub_groups(n))
            || !self.allows(sizes)
        {
            return Err(ClError::INVALID_WORK_GROUP_SIZE);
        }
        // CL_INVALID_WORK_ITEM_SIZE if a dimension exceeds CL_DEVICE_MAX_WORK_ITEM_SIZES.
        if (0..3).any(|d| sizes[d] > self.limits.max_size[d] as usize) {
            return Err(ClError::INVALID_WORK_ITEM_SIZE);
        }
        Ok(sizes.map(|size| size as u32))
    }

    /// The size that the kernel requires, or one with the number of sub-groups that it requires.
    fn required(&self) -> Option<[u32; 3]> {
        let attributes = &self.info.attributes;
        let count = attributes.reqd_sub_groups;
        let sub_groups = count.map(|count| [count.saturating_mul(self.limits.subgroup), 1, 1]);
        attributes.reqd_work_group_size.or(sub_groups)
    }

    /// Whether the kernel allows so many work-items in each dimension.
    fn allows(&self, sizes: [usize; 3]) -> bool {
        let most = self.info.attributes.max_work_group_size;
        most.is_none_or(|most| (0..3).all(|d| sizes[d] <= most[d] as usize))
    }

    /// Whether a group of so many work-items has as many sub-groups as the kernel requires.
    fn has_sub_groups(&self, items: usize) -> bool {
        let count = items.div_ceil(self.limits.subgroup.max(1) as usize);
        let required = self.info.attributes.reqd_sub_groups;
        required.is_none_or(|required| required as usize == count)
    }

    /// The local size for an application that leaves it open. With `uniform` it divides the global size, even if that makes it
    /// small.
    pub fn suggested(&self, uniform: bool) -> [u32; 3] {
        if let Some(required) = self.required() {
            return required;
        }
        let mut local = choose_local(self.global, &self.limits);
        if uniform {
            for (size, global) in local.iter_mut().zip(self.global) {
                let divides = |n: &u32| global.is_multiple_of(u64::from(*n));
                *size = (1..=*size).rev().find(divides).unwrap_or(1);
            }
        }
        local
    }

    /// The local size of a launch (given, required or chosen), and whether the launch is guarded. INVALID_WORK_GROUP_SIZE or
    /// INVALID_WORK_ITEM_SIZE if the kernel or the device does not allow the given size.
    pub fn of_launch(&self, given: Option<[u32; 3]>) -> ClResult<([u32; 3], bool)> {
        if given.is_none()
            && self.info.guarded
            && let Some(local) = choose_guarded(self.global, &self.limits)
        {
            return Ok((local, true));
        }
        let local = given.unwrap_or_else(|| self.suggested(false));
        let local = self.check(local.map(|n| n as usize), false)?;
        Ok((local, false))
    }
}

/// The most work-items in each dimension, of the device's limits.
fn most_of_each(info: &KernelInfo, limits: [u32; 3]) -> [u32; 3] {
    let asked = info.attributes.max_work_group_size.unwrap_or(limits);
    std::array::from_fn(|d| limits[d].min(asked[d]).max(1))
}

/// A group of about this many work-items keeps every known GPU busy.
const WANTED_ITEMS: u64 = 256;
/// A dividing size smaller than this is worse than one that leaves a remainder.
const ENOUGH_ITEMS: u64 = 32;

/// The largest divisor of `n` up to `max`, a multiple of `unit` if there is one.
fn divisor(n: u64, max: u64, unit: u64) -> u64 {
    let largest = |step: u64| {
        let steps = max / step;
        (1..=steps)
            .rev()
            .map(|k| k * step)
            .find(|&d| n.is_multiple_of(d))
    };
    largest(unit).or_else(|| largest(1)).unwrap_or(1)
}

/// Up to this many work-items, a local size that divides the global size gains nothing.
const FEW_ITEMS: u64 = 1 << 16;
/// Up to this many work-items, groups are small: most of a larger group might lie beyond the global size.
const VERY_FEW_ITEMS: u64 = 1024;

/// A local size for a kernel that can be launched with more work-items than `global`. It is one of few sizes, because each
/// needs a pipeline. `None` if [`choose_local`] is better.
fn choose_guarded(global: [u64; 3], limits: &GroupLimits) -> Option<[u32; 3]> {
    let total = items(global);
    let divides = |local: [u32; 3]| (0..3).all(|d| global[d].is_multiple_of(local[d].into()));
    if total == 0 || total > FEW_ITEMS && divides(choose_local(global, limits)) {
        return None;
    }
    let dims = global.iter().filter(|&&size| size > 1).count();
    // A line, square or cube for very few work-items, whatever the sizes.
    let edge = (total <= VERY_FEW_ITEMS).then(|| [64, 64, 8, 4][dims]);
    let row = if dims > 1 { 64 } else { WANTED_ITEMS };
    let mut left = limits.max_items.min(WANTED_ITEMS as u32);
    let mut local = [1; 3];
    for d in 0..3 {
        let size = match edge {
            Some(edge) if global[d] > 1 || dims + d == 0 => edge,
            Some(_) => 1,
            None => global[d].min(row).next_power_of_two() as u32,
        };
        local[d] = size.min(left).min(limits.max_size[d]).max(1);
        left = (left / local[d]).max(1);
    }
    let fits = |d: usize| {
        let padded = global[d].div_ceil(local[d].into());
        padded <= u64::from(limits.max_count[d].min(i32::MAX as u32 / local[d]))
    };
    (0..3).all(fits).then_some(local)
}

/// A work-group size for `global` when the application leaves the choice. It divides
/// `global` wherever a size that does is not too small.
fn choose_local(global: [u64; 3], limits: &GroupLimits) -> [u32; 3] {
    let wanted = WANTED_ITEMS.min(u64::from(limits.max_items));
    let unit = u64::from(limits.subgroup).max(1).min(wanted);
    let mut local = [1u64; 3];
    let mut left = wanted;
    for d in 0..3 {
        let max = left.min(u64::from(limits.max_size[d])).max(1);
        let want = if d == 0 { unit } else { 1 };
        local[d] = divisor(global[d], max, want.min(max));
        left = (left / local[d]).max(1);
    }
    if local.iter().product::<u64>() < ENOUGH_ITEMS.min(wanted).min(items(global)) {
        local = [1; 3];
        local[0] = unit.max(ENOUGH_ITEMS).min(wanted).min(global[0]).max(1);
        let rows = (wanted / local[0]).min(u64::from(limits.max_size[1]));
        local[1] = rows.min(global[1]).max(1);
    }
    local.map(|l| l as u32)
}

#[cfg(test)]
mod tests {
    use super::*;

    const LIMITS: GroupLimits = GroupLimits {
        max_size: [1024, 1024, 64],
        max_items: 1024,
        subgroup: 32,
        max_count: [65535; 3],
    };

    #[test]
    fn chosen_sizes_divide_where_they_can() {
        let cases: &[([u64; 3], [u32; 3])] = &[
            ([1 << 20, 1, 1], [256, 1, 1]),
            ([96, 1, 1], [96, 1, 1]),
            ([1000, 1, 1], [250, 1, 1]),
            ([640, 480, 1], [160, 1, 1]),
            ([16, 16, 16], [16, 16, 1]),
            ([1, 1, 1], [1, 1, 1]),
            ([7, 1, 1], [7, 1, 1]),
            // A large prime has no divisor, so some groups are incomplete.
            ([1_000_003, 1, 1], [32, 1, 1]),
        ];
        for (global, local) in cases {
            assert_eq!(choose_local(*global, &LIMITS), *local, "{global:?}");
        }
        let small = GroupLimits {
            max_items: 16,
            ..LIMITS
        };
        assert!(choose_local([1 << 20, 1, 1], &small)[0] <= 16);
    }

    #[test]
    fn guarded_sizes_are_few() {
        let cases: &[([u64; 3], Option<[u32; 3]>)] = &[
            ([1, 1, 1], Some([64, 1, 1])),
            ([12, 8, 1], Some([8, 8, 1])),
            ([1, 7, 5], Some([1, 8, 8])),
            ([11, 7, 5], Some([4, 4, 4])),
            ([1000, 1, 1], Some([64, 1, 1])),
            ([2000, 1, 1], Some([256, 1, 1])),
            ([100, 100, 1], Some([64, 4, 1])),
            ([3, 1000, 1], Some([4, 64, 1])),
            // These sizes have divisors of their own.
            ([640, 480, 1], None),
            ([1 << 20, 1, 1], None),
            ([1_000_003, 1, 1], Some([256, 1, 1])),
            // These sizes exceed 32 bits.
            ([(1 << 32) + 1, 1, 1], None),
            ([0, 1, 1], None),
        ];
        for (global, local) in cases {
            assert_eq!(choose_guarded(*global, &LIMITS), *local, "{global:?}");
        }
    }
}
