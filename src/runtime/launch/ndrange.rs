//! Work-group sizes and dispatches of an NDRange: plain arithmetic.

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

    /// Cuts the region into parts of up to `most` groups and about equal size, of whole rows and slices if these fit. `None` if
    /// there are more than `limit` parts.
    pub fn cut(&self, most: u64, limit: u64) -> Option<Vec<Region>> {
        let mut left = most.max(1);
        let sizes = self.count.map(|count| {
            let count = u64::from(count).max(1);
            let size = count.div_ceil(count.div_ceil(left));
            // If a part is less than a row, it has one row.
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

/// Work-items of a global size.
pub fn items(global: [u64; 3]) -> u64 {
    global.iter().fold(1, |n, &size| n.saturating_mul(size))
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
