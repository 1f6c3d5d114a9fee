//! Spans: ranges of bytes that are contiguous on both sides of a copy.

use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::support::error::ClResult;
use crate::runtime::support::fallible;
use crate::vk::command::BufferCopy;

/// Bytes at `a` on one side and at `b` on the other.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span {
    pub a: u64,
    pub b: u64,
    pub len: u64,
}

impl Span {
    /// The span with its sides exchanged.
    pub fn turned(&self) -> Span {
        Span {
            a: self.b,
            b: self.a,
            len: self.len,
        }
    }

    /// Copies `a` to `b`.
    pub fn forth(&self) -> BufferCopy {
        BufferCopy {
            src_offset: self.a,
            dst_offset: self.b,
            size: self.len,
        }
    }

    /// Copies `b` to `a`.
    pub fn back(&self) -> BufferCopy {
        BufferCopy {
            src_offset: self.b,
            dst_offset: self.a,
            size: self.len,
        }
    }
}

/// The region with rows as long as possible: contiguous rows become one, and so do contiguous slices.
pub fn joined(a: Layout, b: Layout, [row, rows, slices]: Extent) -> Extent {
    let both = |pitch: fn(&Layout) -> u64, size| pitch(&a) == size && pitch(&b) == size;
    if rows > 1 && !both(|l| l.row_pitch, row) {
        return [row, rows, slices];
    }
    match both(|l| l.slice_pitch, row * rows) {
        true => [row * rows * slices, 1, 1],
        false => [row * rows, 1, slices],
    }
}

/// The spans of a region.
pub fn rows(a: Layout, b: Layout, extent: Extent) -> impl Iterator<Item = Span> {
    // Looping over the rows of a large volume takes longer than copying it.
    let [len, rows, slices] = joined(a, b, extent);
    let at = |l: Layout, y: u64, z: u64| l.offset + y * l.row_pitch + z * l.slice_pitch;
    let span = move |y, z| Span {
        a: at(a, y, z),
        b: at(b, y, z),
        len,
    };
    (0..slices).flat_map(move |z| (0..rows).map(move |y| span(y, z)))
}

/// The same as a list. OUT_OF_HOST_MEMORY if there are too many.
pub fn spans(a: Layout, b: Layout, extent: Extent) -> ClResult<Vec<Span>> {
    let [_, count, slices] = joined(a, b, extent);
    let mut spans = fallible::list((count * slices) as usize)?;
    spans.extend(rows(a, b, extent));
    Ok(spans)
}

/// Cuts spans into groups of at most `max` bytes.
pub fn chunks(spans: &[Span], max: u64) -> ClResult<Vec<Vec<Span>>> {
    let mut chunks = vec![Vec::new()];
    let mut left = max;
    for &span in spans {
        let mut span = span;
        while span.len > 0 {
            if left == 0 {
                fallible::push(&mut chunks, Vec::new())?;
                left = max;
            }
            let len = span.len.min(left);
            if let Some(chunk) = chunks.last_mut() {
                fallible::push(chunk, Span { len, ..span })?;
            }
            left -= len;
            span = Span {
                a: span.a + len,
                b: span.b + len,
                len: span.len - len,
            };
        }
    }
    Ok(chunks)
}

/// The first byte on side `a`, and the end of the last.
pub fn range_a(spans: &[Span]) -> (u64, u64) {
    let start = spans.iter().map(|s| s.a).min().unwrap_or(0);
    let end = spans.iter().map(|s| s.a + s.len).max().unwrap_or(0);
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn span(a: u64, b: u64, len: u64) -> Span {
        Span { a, b, len }
    }

    #[test]
    fn rows_that_touch_are_one_span() {
        let at = |offset, row_pitch, slice_pitch| Layout {
            offset,
            row_pitch,
            slice_pitch,
        };
        assert_eq!(
            spans(at(8, 16, 64), at(0, 16, 64), [16, 4, 2]).unwrap(),
            [span(8, 0, 128)]
        );
        assert_eq!(
            spans(at(0, 16, 128), at(0, 16, 64), [16, 4, 2]).unwrap(),
            [span(0, 0, 64), span(128, 64, 64)]
        );
        assert_eq!(
            spans(at(8, 16, 64), at(0, 8, 16), [8, 2, 2]).unwrap(),
            [
                span(8, 0, 8),
                span(24, 8, 8),
                span(72, 16, 8),
                span(88, 24, 8)
            ]
        );
        assert_eq!(
            spans(Layout::linear(5), Layout::linear(7), [9, 1, 1]).unwrap(),
            [span(5, 7, 9)]
        );
    }

    #[test]
    fn chunks_keep_every_byte() {
        assert_eq!(
            chunks(&[span(0, 100, 10), span(50, 200, 3)], 4).unwrap(),
            [
                vec![span(0, 100, 4)],
                vec![span(4, 104, 4)],
                vec![span(8, 108, 2), span(50, 200, 2)],
                vec![span(52, 202, 1)]
            ]
        );
    }
}
