//! Work-group sizes and dispatches of an NDRange: plain arithmetic.

/// The device limits that matter here.
#[derive(Debug, Clone, Copy)]
pub struct GroupLimits {
    pub max_size: [u32; 3],
    pub max_items: u32,
    pub subgroup: u32,
    /// Work-groups per dimension of one dispatch.
    pub max_count: [u32; 3],
}

/// Work-groups of one size: `count` groups from group `base` on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Region {
    pub local: [u32; 3],
    pub base: [u32; 3],
    pub count: [u32; 3],
}

impl Region {
    pub fn groups(&self) -> u64 {
        items(self.count.map(u64::from))
    }

    /// Parts of up to `most` groups, about equal, of whole rows and slices where these fit. `None` if there are more than
    /// `limit`.
    pub fn cut(&self, most: u64, limit: u64) -> Option<Vec<Region>> {
        let mut left = most.max(1);
        let sizes = self.count.map(|count| {
            let count = u64::from(count).max(1);
            let size = count.div_ceil(count.div_ceil(left));
            // Beyond a part of a row there is only one row.
            left = if size == count { left / count } else { 1 };
            size
        });
        let steps = |d: usize| u64::from(self.count[d]).div_ceil(sizes[d]);
        if steps(0).checked_mul(steps(1))?.checked_mul(steps(2))? > limit {
            return None;
        }
        let ranges = |d: usize| {
            let (count, size) = (self.count[d], sizes[d] as u32);
            let starts = (0..count).step_by(size as usize);
            starts.map(move |start| (self.base[d] + start, size.min(count - start)))
        };
        let mut parts = Vec::new();
        for z in ranges(2) {
            for y in ranges(1) {
                for x in ranges(0) {
                    parts.push(Region {
                        local: self.local,
                        base: [x.0, y.0, z.0],
                        count: [x.1, y.1, z.1],
                    });
                }
            }
        }
        Some(parts)
    }
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

/// Up to so many work-items a local size of their own gains nothing.
const FEW_ITEMS: u64 = 1 << 16;
/// Up to so many, groups are small: most of a larger one might be beyond the global size.
const VERY_FEW_ITEMS: u64 = 1024;

/// Work-items of a global size.
pub fn items(global: [u64; 3]) -> u64 {
    global.iter().fold(1, |n, &size| n.saturating_mul(size))
}

/// A work-group size for a kernel that can be launched with more work-items than `global`: one of
/// few, because each needs a pipeline. `None` where [`choose_local`] is better.
pub fn choose_guarded(global: [u64; 3], limits: &GroupLimits) -> Option<[u32; 3]> {
    let total = items(global);
    let divides = |local: [u32; 3]| (0..3).all(|d| global[d].is_multiple_of(local[d].into()));
    if total == 0 || total > FEW_ITEMS && divides(choose_local(global, limits)) {
        return None;
    }
    let dims = global.iter().filter(|&&size| size > 1).count();
    // Of very few a line, square or cube, whatever the sizes.
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
pub fn choose_local(global: [u64; 3], limits: &GroupLimits) -> [u32; 3] {
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

/// Number of work-groups, the incomplete ones at the ends included; `None` when it does
/// not fit 32 bits.
pub fn group_counts(global: [u64; 3], local: [u32; 3]) -> Option<[u32; 3]> {
    let mut counts = [0; 3];
    for d in 0..3 {
        counts[d] = u32::try_from(global[d].div_ceil(u64::from(local[d]))).ok()?;
    }
    Some(counts)
}

/// Splits `global` (no 0) into dispatches: up to two sizes per dimension, and no more
/// than `max_count` groups each. `None` when there are too many groups.
pub fn regions(global: [u64; 3], local: [u32; 3], max_count: [u32; 3]) -> Option<Vec<Region>> {
    let counts = group_counts(global, local)?;
    if (0..3).all(|d| counts[d] <= max_count[d] && global[d].is_multiple_of(local[d].into())) {
        return Some(vec![Region {
            local,
            base: [0; 3],
            count: counts,
        }]);
    }
    // Per dimension: (local size, base, count).
    let parts: Vec<Vec<(u32, u32, u32)>> = (0..3)
        .map(|d| {
            let size = u64::from(local[d]);
            let (full, rest) = ((global[d] / size) as u32, (global[d] % size) as u32);
            let step = max_count[d].max(1);
            let mut parts: Vec<_> = (0..full)
                .step_by(step as usize)
                .map(|base| (local[d], base, step.min(full - base)))
                .collect();
            if rest != 0 {
                parts.push((rest, full, 1));
            }
            parts
        })
        .collect();
    let mut regions = Vec::with_capacity(parts.iter().map(Vec::len).product());
    for z in &parts[2] {
        for y in &parts[1] {
            for x in &parts[0] {
                regions.push(Region {
                    local: [x.0, y.0, z.0],
                    base: [x.1, y.1, z.1],
                    count: [x.2, y.2, z.2],
                });
            }
        }
    }
    Some(regions)
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
            // A large prime cannot be divided: groups with a remainder.
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
            // Sizes of their own divide these.
            ([640, 480, 1], None),
            ([1 << 20, 1, 1], None),
            ([1_000_003, 1, 1], Some([256, 1, 1])),
            // What 32 bits cannot count.
            ([(1 << 32) + 1, 1, 1], None),
            ([0, 1, 1], None),
        ];
        for (global, local) in cases {
            assert_eq!(choose_guarded(*global, &LIMITS), *local, "{global:?}");
        }
    }

    #[test]
    fn parts_cover_every_group_once() {
        for (count, most, parts) in [
            ([10, 7, 3], 210, 1),
            ([10, 7, 3], 209, 2),
            ([10, 7, 3], 70, 3),
            ([10, 7, 3], 69, 6),
            ([10, 7, 3], 29, 12),
            ([10, 7, 3], 10, 21),
            ([10, 7, 3], 9, 42),
            ([10, 7, 3], 1, 210),
            ([1, 1, 1], 1, 1),
            ([1, 9, 1], 4, 3),
        ] {
            let region = Region {
                local: [2, 1, 1],
                base: [5, 0, 1],
                count,
            };
            let cut = region.cut(most, 210).unwrap();
            assert_eq!(cut.len(), parts, "{count:?} {most}");
            let mut hits = vec![0; region.groups() as usize];
            for part in cut {
                assert!(part.groups() <= most && part.local == region.local);
                for (x, y, z) in (0..part.count[0])
                    .flat_map(|x| (0..part.count[1]).map(move |y| (x, y)))
                    .flat_map(|(x, y)| (0..part.count[2]).map(move |z| (x, y, z)))
                {
                    let at = [x + part.base[0] - 5, y + part.base[1], z + part.base[2] - 1];
                    hits[(at[0] + count[0] * (at[1] + count[1] * at[2])) as usize] += 1;
                }
            }
            assert!(hits.iter().all(|&h| h == 1), "{count:?} {most}");
        }
        let many = Region {
            local: [1; 3],
            base: [0; 3],
            count: [u32::MAX; 3],
        };
        assert_eq!(many.cut(1, 1 << 16), None);
    }

    #[test]
    fn regions_cover_every_item_once() {
        for (global, local, max) in [
            ([10u64, 7, 3], [4u32, 3, 2], [65535u32; 3]),
            ([10, 7, 3], [4, 3, 2], [1, 2, 1]),
            ([8, 1, 1], [8, 1, 1], [65535; 3]),
            ([3, 1, 1], [8, 1, 1], [65535; 3]),
        ] {
            let mut hits = vec![0; global.iter().product::<u64>() as usize];
            for r in regions(global, local, max).unwrap() {
                assert!((0..3).all(|d| r.count[d] <= max[d]));
                let ids = |d: usize| {
                    (r.base[d]..r.base[d] + r.count[d]).flat_map(move |g| {
                        (0..r.local[d])
                            .map(move |l| u64::from(g) * u64::from(local[d]) + u64::from(l))
                    })
                };
                for z in ids(2) {
                    for y in ids(1) {
                        for x in ids(0) {
                            hits[(x + global[0] * (y + global[1] * z)) as usize] += 1;
                        }
                    }
                }
            }
            assert!(hits.iter().all(|&h| h == 1), "{global:?} {local:?}");
        }
        assert_eq!(regions([1 << 40, 1, 1], [1, 1, 1], [65535; 3]), None);
    }
}
