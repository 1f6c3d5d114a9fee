//! Copies and fills of rectangles by kernels of the runtime (shaders/memory.wgsl). Vulkan's commands cannot do some of them (fills
//! with more than a word, many rows at once) and do others slowly: copy commands of discrete GPUs may reach a quarter of the
//! memory's speed. (An H100 copies 380 GB/s by command, 1400 GB/s by kernel.)

use std::sync::Arc;

use crate::runtime::gpu::internal_kernels::{GROUP, GROUP_OF_WORDS, InternalKernel, group_rows};
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::record::recording::Recording;
use crate::runtime::support::error::ClResult;
use crate::vk;
use crate::vk::command::Scope;
use crate::vk::descriptor::{MemoryRange, OFFSET_ALIGN};

/// From this size on a kernel is faster than a copy command.
const LARGE: u64 = 256 << 10;
/// Bytes to which a pattern is repeated: in push constants, and in memory for larger patterns.
const BITS: usize = 16;
const PATTERN: u64 = 128;
/// The most groups of a dispatch in each direction: one less than every device allows, since a row of words may need one more.
const GROUPS: u64 = 65534;

/// A rectangle of units: its size in units, rows and slices, and its layouts in units from the start of a Vulkan buffer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Area {
    size: Extent,
    dst: Place,
    src: Place,
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
struct Place {
    at: u64,
    row: u64,
    slice: u64,
}

impl Place {
    fn new(layout: Layout, unit: u64) -> Place {
        Place {
            at: layout.offset / unit,
            row: layout.row_pitch / unit,
            slice: layout.slice_pitch / unit,
        }
    }

    /// The index of the unit at a position.
    fn unit(self, [x, y, z]: Extent) -> u64 {
        self.at + x + y * self.row + z * self.slice
    }

    /// The layout of a part that begins at a position.
    fn from(self, position: Extent) -> Place {
        Place {
            at: self.unit(position),
            ..self
        }
    }

    /// The number of units from the first to the end of the last.
    fn span(self, [row, rows, slices]: Extent) -> u64 {
        row + (rows - 1) * self.row + (slices - 1) * self.slice
    }
}

impl Area {
    /// The part of a given size that begins at a position.
    fn part(self, position: Extent, size: Extent) -> Area {
        Area {
            size,
            dst: self.dst.from(position),
            src: self.src.from(position),
        }
    }

    /// Splits a long single row into rows that fill work-groups, and the rest.
    fn folded(self, group_rows: u64) -> Vec<Area> {
        let row = u64::from(GROUP);
        let [units, rows, slices] = self.size;
        let whole = units / row;
        if rows * slices != 1 || whole < group_rows {
            return vec![self];
        }
        let fold = |place: Place| Place { row, ..place };
        let mut parts = vec![Area {
            size: [row, whole, 1],
            dst: fold(self.dst),
            src: fold(self.src),
        }];
        if units > whole * row {
            parts.push(self.part([whole * row, 0, 0], [units - whole * row, 1, 1]));
        }
        parts
    }

    /// Splits a rectangle into parts whose spans on both sides have at most `range` units. Each part is one dispatch.
    fn cut(self, range: u64, group_rows: u64, parts: &mut Vec<Area>) {
        let groups = [u64::from(GROUP), group_rows, 1];
        let fits = self.dst.span(self.size) <= range && self.src.span(self.size) <= range;
        let counted = (0..3).all(|d| self.size[d].div_ceil(groups[d]) <= GROUPS);
        if fits && counted {
            return parts.push(self);
        }
        // Splits a direction with too many groups, else slices before rows before units.
        let long = (0..3).find(|&d| self.size[d].div_ceil(groups[d]) > GROUPS);
        let d = long.unwrap_or_else(|| (0..3).rfind(|&d| self.size[d] > 1).unwrap_or(0));
        let (mut first, mut second, mut at) = (self.size, self.size, [0; 3]);
        first[d] = self.size[d] / 2;
        second[d] -= first[d];
        at[d] = first[d];
        self.part([0; 3], first).cut(range, group_rows, parts);
        self.part(at, second).cut(range, group_rows, parts);
    }
}

/// Whether offsets and sizes of a rectangle are multiples of it, and the pitches if there are several rows or slices.
fn divides(unit: u64, at: Layout, [row, rows, slices]: Extent) -> bool {
    let whole = |n: u64| n.is_multiple_of(unit);
    whole(at.offset)
        && whole(row)
        && (rows == 1 || whole(at.row_pitch))
        && (slices == 1 || whole(at.slice_pitch))
}

/// Records dispatches for an area of units of `unit` bytes. The caller has ordered them behind earlier accesses. `src` is memory to
/// copy, or a pattern.
fn dispatch(
    recording: &mut Recording,
    (kernel, unit): (InternalKernel, u64),
    dst: &vk::memory::Buffer,
    src: Source,
    area: Area,
) -> ClResult {
    let gpu = recording.gpu()?;
    let pipeline = gpu.kernels.get(&gpu.vk, kernel)?.clone();
    let limit = gpu.vk.caps().max_storage_range - OFFSET_ALIGN;
    let mut parts = Vec::new();
    let group_rows = u64::from(group_rows(gpu.vk.caps()));
    for part in area.folded(group_rows) {
        part.cut(limit / unit, group_rows, &mut parts);
    }
    let batch = recording.batch()?;
    batch.bind(&pipeline);
    for part in parts {
        // Descriptors have aligned offsets; the kernel adds the rest.
        let bind = |binding, buffer, place: &mut Place| {
            let start = place.at * unit;
            let offset = start / OFFSET_ALIGN * OFFSET_ALIGN;
            place.at = (start - offset) / unit;
            // Ranges are whole words, even for a kernel that works on bytes.
            let size = (start - offset + place.span(part.size) * unit).next_multiple_of(4);
            MemoryRange {
                binding,
                buffer,
                offset,
                size,
            }
        };
        let (mut to, mut from) = (part.dst, part.src);
        let target = bind(0, dst, &mut to);
        let mut memory = vec![target];
        let mut pattern = [0; BITS];
        match src {
            Source::Memory(buffer) => memory.push(bind(1, buffer, &mut from)),
            Source::Bits(bits) => pattern = bits,
            Source::Pattern(buffer, offset) => memory.push(MemoryRange {
                binding: 2,
                buffer,
                offset,
                size: PATTERN,
            }),
        }
        batch.recorder.bind_memory(&memory)?;
        let [row, rows, slices] = part.size;
        let numbers = [
            to.at, to.row, to.slice, from.at, from.row, from.slice, row, rows,
        ];
        // These values are within a descriptor's range. Pitches of a single row or slice have no effect.
        let numbers = numbers.map(|n| (n as u32).to_le_bytes());
        let block = [numbers.as_flattened(), &pattern].concat();
        batch.recorder.push(&block);
        let across = match kernel {
            InternalKernel::Fill1 => (row / 4 + 2).div_ceil(u64::from(GROUP_OF_WORDS)),
            _ => row.div_ceil(u64::from(GROUP)),
        };
        let groups = [
            across as u32,
            rows.div_ceil(group_rows) as u32,
            slices as u32,
        ];
        batch.recorder.dispatch([0; 3], groups);
    }
    Ok(())
}

#[derive(Clone, Copy)]
enum Source<'a> {
    Memory(&'a vk::memory::Buffer),
    /// A repeated pattern.
    Bits([u8; BITS]),
    /// [`PATTERN`] bytes at an offset.
    Pattern(&'a vk::memory::Buffer, u64),
}

/// Records a copy between rectangles that do not overlap, if a kernel is better for it than a copy command. Offsets are from the
/// starts of the storages.
pub fn copy_large(
    recording: &mut Recording,
    src: (&Arc<Buffer>, Layout),
    dst: (&Arc<Buffer>, Layout),
    extent: Extent,
) -> ClResult<bool> {
    let slow = recording.device.is_discrete()
        && extent.iter().product::<u64>() >= LARGE
        && [src.0, dst.0]
            .iter()
            .all(|buffer| buffer.is_device_memory(&recording.device));
    match slow {
        true => copy(recording, src, dst, extent),
        false => Ok(false),
    }
}

/// Records a copy between rectangles that do not overlap, if they consist of whole words.
pub fn copy(
    recording: &mut Recording,
    (src, src_at): (&Arc<Buffer>, Layout),
    (dst, dst_at): (&Arc<Buffer>, Layout),
    extent: Extent,
) -> ClResult<bool> {
    let aligned = |unit| divides(unit, src_at, extent) && divides(unit, dst_at, extent);
    let kernels = [(InternalKernel::Copy16, 16), (InternalKernel::Copy4, 4)];
    let Some((kernel, unit)) = kernels.into_iter().find(|p| aligned(p.1)) else {
        return Ok(false);
    };
    let end = |at: Layout| at.offset + at.length(extent);
    let touched = [
        (src, src_at.offset, end(src_at), false),
        (dst, dst_at.offset, end(dst_at), true),
    ];
    recording.touch(touched, Scope::COMPUTE)?;
    let area = Area {
        size: [extent[0] / unit, extent[1], extent[2]],
        dst: Place::new(dst_at, unit),
        src: Place::new(src_at, unit),
    };
    let (src, dst) = (
        src.storage(&recording.device)?,
        dst.storage(&recording.device)?,
    );
    let source = Source::Memory(&src.vk);
    dispatch(recording, (kernel, unit), &dst.vk, source, area)?;
    Ok(true)
}

/// Records a fill with a pattern of 1 to 128 bytes, a power of two. Rows are multiples of the pattern. The offset is from the start of
/// the storage.
pub fn fill(
    recording: &mut Recording,
    dst: &Arc<Buffer>,
    pattern: &[u8],
    at: Layout,
    extent: Extent,
) -> ClResult {
    let kernels = [(InternalKernel::Fill16, 16), (InternalKernel::Fill4, 4)];
    let found = kernels.into_iter().find(|p| divides(p.1, at, extent));
    let (kernel, unit) = match pattern.len() <= BITS {
        true => found.unwrap_or((InternalKernel::Fill1, 1)),
        false => (InternalKernel::Tile16, 16),
    };
    // The kernel works on whole words and writes back the other bytes of the first and last.
    let start = at.offset / 4 * 4;
    let end = (at.offset + at.length(extent)).next_multiple_of(4);
    recording.touch([(dst, start, end, true)], Scope::COMPUTE)?;
    let area = Area {
        size: [extent[0] / unit, extent[1], extent[2]],
        dst: Place::new(at, unit),
        // Every row starts with the start of the pattern.
        src: Place::default(),
    };
    let storage = dst.storage(&recording.device)?;
    let fill = |recording: &mut Recording, source| {
        dispatch(recording, (kernel, unit), &storage.vk, source, area)
    };
    if pattern.len() <= BITS {
        let mut bits = [0; BITS];
        bits.copy_from_slice(&pattern.repeat(BITS / pattern.len()));
        return fill(recording, Source::Bits(bits));
    }
    let piece = recording.piece(PATTERN)?;
    piece.write(&pattern.repeat(PATTERN as usize / pattern.len()));
    fill(recording, Source::Pattern(&piece.block, piece.offset))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runtime::command::Command;
    use std::sync::Weak;

    use crate::runtime::gpu::progress::Progress;
    use crate::runtime::record::pending_writes::BatchOwner;
    use crate::runtime::tests::testing::{
        IN_ORDER, buffer, go, on_device, pattern, queue, read, write,
    };

    fn area(size: Extent, row: u64, slice: u64) -> Area {
        let place = Place { at: 3, row, slice };
        Area {
            size,
            dst: place,
            src: place,
        }
    }

    /// All units of the parts, in order.
    fn units(parts: &[Area]) -> Vec<u64> {
        let mut all = Vec::new();
        for part in parts {
            for z in 0..part.size[2] {
                for y in 0..part.size[1] {
                    all.extend((0..part.size[0]).map(|x| part.dst.unit([x, y, z])));
                }
            }
        }
        all.sort();
        all
    }

    #[test]
    fn parts_are_the_whole_and_small_enough() {
        for whole in [
            area([1000, 1, 1], 0, 0),
            area([7, 5, 3], 9, 50),
            area([70000, 3, 2], 70001, 300000),
        ] {
            for (range, rows) in [(64, 4), (1000, 4), (100_000, 4), (100_000, 2)] {
                let mut parts = Vec::new();
                for part in whole.folded(rows) {
                    part.cut(range, rows, &mut parts);
                }
                assert!(parts.iter().all(|p| p.dst.span(p.size) <= range));
                assert!(units(&parts) == units(&[whole]), "{whole:?} {range}");
            }
        }
        let mut parts = Vec::new();
        area([1, 1, 200_000], 1, 1).cut(u64::MAX, 4, &mut parts);
        assert!(parts.iter().all(|p| p.size[2] <= GROUPS));
    }

    /// The bytes of a rectangle in memory, row by row.
    fn places(at: Layout, [row, rows, slices]: Extent) -> Vec<usize> {
        let start = |y, z| (at.offset + y * at.row_pitch + z * at.slice_pitch) as usize;
        let lines = (0..slices).flat_map(|z| (0..rows).map(move |y| start(y, z)));
        lines.flat_map(|at| at..at + row as usize).collect()
    }

    fn at(offset: u64, row_pitch: u64, slice_pitch: u64) -> Layout {
        Layout {
            offset,
            row_pitch,
            slice_pitch,
        }
    }

    const SIZE: usize = 1 << 20;

    /// Batches that the test ends itself.
    struct Nobody;

    impl BatchOwner for Nobody {
        fn wait_for_end(self: Arc<Self>, _: u64) {}
    }

    #[test]
    fn rectangles_are_filled() {
        on_device(|device| {
            let q = queue(device, IN_ORDER);
            let a = buffer(device, SIZE as u64);
            for (bytes, layout, extent) in [
                (1, at(5, 0, 0), [7, 1, 1]),
                (1, at(5, 0, 0), [100_003, 1, 1]),
                (1, at(6, 1, 40), [1, 3, 5]),
                (2, at(1026, 514, 10_000), [510, 16, 3]),
                (4, at(12, 260, 8000), [252, 30, 4]),
                (8, at(24, 264, 8000), [256, 30, 4]),
                (16, at(48, 4096, 0), [4080, 100, 1]),
                (16, at(16, 0, 0), [SIZE as u64 - 32, 1, 1]),
                (64, at(192, 320, 0), [256, 9, 1]),
                (128, at(128, 0, 0), [128 * 1001, 1, 1]),
            ] {
                let (mut wanted, color) = (pattern(SIZE), &pattern(200)[40..][..bytes]);
                write(&q, &a, 0, &wanted);
                let fill = Command::Fill {
                    dst: a.clone(),
                    pattern: color.to_vec(),
                    at: layout,
                    extent,
                };
                go(&q, fill);
                let row = extent[0] as usize;
                for (i, place) in places(layout, extent).into_iter().enumerate() {
                    wanted[place] = color[i % row % bytes];
                }
                assert!(
                    read(&q, &a, 0, SIZE) == wanted,
                    "{bytes} {layout:?} {extent:?}"
                );
            }
        });
    }

    #[test]
    fn rectangles_are_copied() {
        on_device(|device| {
            let q = queue(device, IN_ORDER);
            let gpu = device.gpu().unwrap();
            let progress = Arc::new(Progress::new(&gpu.vk).unwrap());
            let owner: Weak<Nobody> = Weak::new();
            let mut recording = Recording::new(device, &progress, 0, false, owner);
            let (a, b) = (buffer(device, SIZE as u64), buffer(device, SIZE as u64));
            let data = pattern(SIZE);
            write(&q, &a, 0, &data);
            for (from, to, extent, possible) in [
                (at(4096, 0, 0), at(65552, 0, 0), [512 << 10, 1, 1], true),
                (at(16, 512, 9600), at(32, 256, 2560), [240, 10, 7], true),
                (at(4, 20, 400), at(8, 12, 36), [12, 3, 20], true),
                (at(2, 0, 0), at(4, 0, 0), [64, 1, 1], false),
            ] {
                let mut wanted = vec![7; SIZE];
                write(&q, &b, 0, &wanted);
                q.finish().unwrap();
                recording.begin().unwrap();
                let done = copy(&mut recording, (&a, from), (&b, to), extent);
                assert_eq!(done, Ok(possible));
                let mut batch = recording.take().unwrap();
                recording.end(&mut batch).unwrap();
                let (lane, signal) = (
                    gpu.vk.pick_queue(vk::device::Priority::default()),
                    (&progress.timeline, batch.value),
                );
                gpu.vk.submit(lane, &batch.recorder, &[], signal).unwrap();
                progress.wait(batch.value);
                recording.give_back(batch);
                recording.value += 1;
                if possible {
                    let pairs = places(from, extent).into_iter().zip(places(to, extent));
                    pairs.for_each(|(from, to)| wanted[to] = data[from]);
                }
                assert!(
                    read(&q, &b, 0, SIZE) == wanted,
                    "{from:?} {to:?} {extent:?}"
                );
            }
        });
    }
}
