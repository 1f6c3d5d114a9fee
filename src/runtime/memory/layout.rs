//! Layouts of regions in memory: where their rows and slices are.

/// The layout of a (rectangular) region in a buffer or host memory: byte offset of its first byte, row pitch, slice pitch.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    pub offset: u64,
    pub row_pitch: u64,
    pub slice_pitch: u64,
}

/// Bytes per row, rows, slices; none is 0.
pub type Extent = [u64; 3];

impl Layout {
    /// A contiguous range at `offset`.
    pub fn linear(offset: u64) -> Layout {
        Layout {
            offset,
            row_pitch: 0,
            slice_pitch: 0,
        }
    }

    /// The position of the first byte: byte, row, slice.
    fn origin(&self) -> [u64; 3] {
        let or_endless = |pitch: u64| if pitch == 0 { u64::MAX } else { pitch };
        let (row, slice) = (or_endless(self.row_pitch), or_endless(self.slice_pitch));
        let (z, in_slice) = (self.offset / slice, self.offset % slice);
        [in_slice % row, in_slice / row, z]
    }

    /// Whether a region shares bytes with one of another layout in the same memory. If their pitches differ, each counts as all
    /// bytes from its first to its last.
    pub fn overlaps(&self, extent: Extent, other: &Layout, other_extent: Extent) -> bool {
        let same = (self.row_pitch, self.slice_pitch) == (other.row_pitch, other.slice_pitch);
        let meet = |a: u64, len_a: u64, b: u64, len_b: u64| a < b + len_b && b < a + len_a;
        if !same {
            let lengths = (self.length(extent), other.length(other_extent));
            return meet(self.offset, lengths.0, other.offset, lengths.1);
        }
        let (a, b) = (self.origin(), other.origin());
        (0..3).all(|d| meet(a[d], extent[d], b[d], other_extent[d]))
    }

    /// Bytes from the first byte of a region to the end of its last.
    pub fn length(&self, [bytes, rows, slices]: Extent) -> u64 {
        bytes + (rows - 1) * self.row_pitch + (slices - 1) * self.slice_pitch
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Regions of 4 bytes, 2 rows and 2 slices in rows of 16 bytes and slices of 4 rows.
    #[test]
    fn regions_overlap_where_they_share_a_byte() {
        let extent = [4, 2, 2];
        let at = |x: u64, y: u64, z: u64| Layout {
            offset: x + 16 * y + 64 * z,
            row_pitch: 16,
            slice_pitch: 64,
        };
        let bytes = |l: Layout| -> Vec<u64> {
            let row = |y: u64, z: u64| (0..4).map(move |x| l.offset + x + 16 * y + 64 * z);
            let slice = move |z: u64| (0..2).flat_map(move |y| row(y, z));
            (0..2).flat_map(slice).collect()
        };
        let a = at(5, 1, 1);
        for i in 0..12 * 3 * 3 {
            let b = at(i % 12, i / 12 % 3, i / 36);
            let shared = bytes(a).iter().any(|byte| bytes(b).contains(byte));
            assert_eq!(a.overlaps(extent, &b, extent), shared, "{b:?}");
        }
        // Without pitches, or with different ones, regions count as ranges.
        let (line, size) = (Layout::linear(100), [8, 1, 1]);
        assert!(line.overlaps(size, &Layout::linear(107), size));
        assert!(!line.overlaps(size, &Layout::linear(108), size));
        assert!(a.overlaps(extent, &line, size) && !at(0, 0, 2).overlaps(extent, &line, size));
    }
}
