//! Rectangular regions: rows of bytes, a pitch apart, in slices, another pitch apart.

use super::pointer::In;
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::support::error::{ClError, ClResult};

/// A region in a buffer or in host memory.
pub struct Rect {
    pub layout: Layout,
    /// Byte behind the last one.
    pub end: u64,
}

pub(super) fn three(list: In<usize>) -> ClResult<[u64; 3]> {
    let values = list.three(3, 0).ok_or(ClError::INVALID_VALUE)?;
    Ok(values.map(|n| n as u64))
}

/// Bytes per row, rows, slices. CL_INVALID_VALUE if region is NULL or any element zero.
pub fn region(region: In<usize>) -> ClResult<Extent> {
    let extent = three(region)?;
    match extent.contains(&0) {
        true => Err(ClError::INVALID_VALUE),
        false => Ok(extent),
    }
}

impl Rect {
    /// CL_INVALID_VALUE if origin is NULL, or the pitches do not fit the region: a pitch of
    /// 0 means rows, or slices, without gaps.
    pub fn new(
        origin: In<usize>,
        region: Extent,
        row_pitch: usize,
        slice_pitch: usize,
    ) -> ClResult<Rect> {
        let origin = three(origin)?;
        let invalid = ClError::INVALID_VALUE;
        let row_pitch = match row_pitch as u64 {
            0 => region[0],
            pitch if pitch < region[0] => return Err(invalid),
            pitch => pitch,
        };
        let packed = row_pitch.checked_mul(region[1]).ok_or(invalid)?;
        let slice_pitch = match slice_pitch as u64 {
            0 => packed,
            pitch if pitch < packed || pitch % row_pitch != 0 => return Err(invalid),
            pitch => pitch,
        };
        let at = |x: u64, y: u64, z: u64| {
            let rows = y.checked_mul(row_pitch)?;
            let slices = z.checked_mul(slice_pitch)?;
            x.checked_add(rows)?.checked_add(slices)
        };
        let offset = at(origin[0], origin[1], origin[2]).ok_or(invalid)?;
        let last = at(region[0], region[1] - 1, region[2] - 1).ok_or(invalid)?;
        // More is not addressable.
        let end = offset
            .checked_add(last)
            .filter(|&end| end <= isize::MAX as u64);
        Ok(Rect {
            layout: Layout {
                offset,
                row_pitch,
                slice_pitch,
            },
            end: end.ok_or(invalid)?,
        })
    }

    /// CL_INVALID_VALUE if the region is out of bounds.
    pub fn check_inside(&self, size: u64) -> ClResult {
        match self.end <= size {
            true => Ok(()),
            false => Err(ClError::INVALID_VALUE),
        }
    }

    pub fn same_pitches(&self, other: &Rect) -> bool {
        let pitches = |r: &Rect| (r.layout.row_pitch, r.layout.slice_pitch);
        pitches(self) == pitches(other)
    }
}

/// Whether two regions of one memory have a byte in common; `apart` is the start of
/// the destination's buffer minus that of the source's. Exact for equal pitches; else all
/// between first and last byte counts.
///
/// With equal pitches, a byte of both exists if for some difference of slices `dz` and
/// rows `dy` the rows meet: `|delta - dz * slice - dy * row| < width`. As rows lie within
/// slices, only the differences next to the quotients can do.
pub fn overlap(src: &Rect, dst: &Rect, region: Extent, apart: i128) -> bool {
    let delta = apart + i128::from(dst.layout.offset) - i128::from(src.layout.offset);
    if !src.same_pitches(dst) {
        let src_length = i128::from(src.end - src.layout.offset);
        let dst_length = i128::from(dst.end - dst.layout.offset);
        return delta < src_length && -delta < dst_length;
    }
    let [width, rows, slices] = region.map(i128::from);
    let row = i128::from(src.layout.row_pitch);
    let slice = i128::from(src.layout.slice_pitch);
    let near = |quotient: i128, count: i128| {
        (quotient - 1..=quotient + 1).filter(move |d| d.abs() < count)
    };
    near(delta.div_euclid(slice), slices).any(|dz| {
        let rest = delta - dz * slice;
        near(rest.div_euclid(row), rows).any(|dy| (rest - dy * row).abs() < width)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes_of(rect: &Rect, region: Extent) -> std::collections::HashSet<u64> {
        let mut set = std::collections::HashSet::new();
        for z in 0..region[2] {
            for y in 0..region[1] {
                for x in 0..region[0] {
                    let l = rect.layout;
                    set.insert(l.offset + z * l.slice_pitch + y * l.row_pitch + x);
                }
            }
        }
        set
    }

    /// Against the sets of bytes themselves.
    #[test]
    fn overlap_is_exact() {
        let rect = |offset, row_pitch, slice_pitch| Rect {
            layout: Layout {
                offset,
                row_pitch,
                slice_pitch,
            },
            end: 0,
        };
        for region in [[2, 2, 2], [3, 1, 2], [4, 2, 1], [1, 3, 2]] {
            for (row, slices) in [(4, 2), (4, 3), (5, 3), (6, 4)] {
                if slices < region[1] {
                    continue;
                }
                let src = rect(40, row, row * slices);
                for offset in 0..90 {
                    let dst = rect(offset, row, row * slices);
                    let expected = !bytes_of(&src, region).is_disjoint(&bytes_of(&dst, region));
                    let found = overlap(&src, &dst, region, 0);
                    assert_eq!(found, expected, "{region:?} {row} {slices} {offset}");
                }
            }
        }
    }
}
