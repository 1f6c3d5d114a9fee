//! Copies and fills by the device. Some are Vulkan commands, others kernels of the runtime (rectangles.rs).

use std::sync::Arc;

use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::layout::{Extent, Layout};
use crate::runtime::memory::mapping::Mapping;
use crate::runtime::record::recording::Recording;
use crate::runtime::support::error::ClResult;
use crate::runtime::support::fallible;
use crate::runtime::transfer::rectangles;
use crate::runtime::transfer::spans::{Span, joined, range_a, spans};
use crate::vk;
use crate::vk::command::{BufferCopy, Recorder, Scope};

/// Records a copy between buffers.
pub fn record_copy(
    recording: &mut Recording,
    (src, mut src_at): (&Arc<Buffer>, Layout),
    (dst, mut dst_at): (&Arc<Buffer>, Layout),
    extent: Extent,
) -> ClResult {
    src_at.offset += src.offset();
    dst_at.offset += dst.offset();
    if rectangles::copy_large(
        recording,
        (src, src_at),
        (dst, dst_at),
        joined(src_at, dst_at, extent),
    )? {
        return Ok(());
    }
    let from = spans(src_at, dst_at, extent)?;
    let to = fallible::collect(from.iter().map(Span::turned))?;
    let (src_range, dst_range) = (range_a(&from), range_a(&to));
    let touched = [
        (src, src_range.0, src_range.1, false),
        (dst, dst_range.0, dst_range.1, true),
    ];
    recording.touch(touched, Scope::TRANSFER)?;
    let regions = fallible::collect(from.iter().map(Span::forth))?;
    let (src, dst) = (
        src.storage(&recording.device)?,
        dst.storage(&recording.device)?,
    );
    copy(&mut recording.batch()?.recorder, &src.vk, &dst.vk, &regions);
    Ok(())
}

/// Fills a rectangle. vkCmdFillBuffer fills whole words in one row, a kernel everything else.
pub fn record_fill(
    recording: &mut Recording,
    dst: &Arc<Buffer>,
    pattern: &[u8],
    mut at: Layout,
    extent: Extent,
) -> ClResult {
    at.offset += dst.offset();
    if !pattern.len().is_power_of_two() {
        // Each byte of the pattern is a rectangle of a byte a row.
        let row = extent[0] / pattern.len() as u64;
        for (z, k) in (0..extent[2]).flat_map(|z| (0..pattern.len()).map(move |k| (z, k))) {
            let at = Layout {
                offset: at.offset + z * at.slice_pitch + k as u64,
                row_pitch: pattern.len() as u64,
                slice_pitch: at.row_pitch,
            };
            rectangles::fill(recording, dst, &pattern[k..=k], at, [1, row, extent[1]])?;
        }
        return Ok(());
    }
    let extent = joined(at, at, extent);
    let [size, rows, slices] = extent;
    let words = at.offset.is_multiple_of(4) && size.is_multiple_of(4);
    if pattern.len() > 4 || rows * slices > 1 || !words {
        return rectangles::fill(recording, dst, pattern, at, extent);
    }
    let end = at.offset + size;
    recording.touch([(dst, at.offset, end, true)], Scope::TRANSFER)?;
    let storage = dst.storage(&recording.device)?;
    let mut word = [0; 4];
    word.copy_from_slice(&pattern.repeat(4 / pattern.len()));
    let recorder = &mut recording.batch()?.recorder;
    recorder.fill(&storage.vk, at.offset, size, u32::from_le_bytes(word));
    Ok(())
}

/// Copies between a buffer and the staging buffer of a mapping.
pub fn record_map(recording: &mut Recording, mapping: &Mapping, read: bool) -> ClResult {
    let Some((staging, host_at, keep)) = mapping.staging() else {
        return Ok(());
    };
    if !mapping.moves(read) {
        return Ok(());
    }
    let mut at = mapping.at;
    at.offset += mapping.buffer.offset();
    let spans = spans(at, host_at, mapping.extent)?;
    let (start, end) = range_a(&spans);
    let touched = [(&mapping.buffer, start, end, !read)];
    recording.touch(touched, Scope::TRANSFER)?;
    let storage = mapping.buffer.storage(&recording.device)?;
    let batch = recording.batch()?;
    batch.host_reads |= read;
    batch.keep(keep);
    let recorder = &mut batch.recorder;
    if read {
        let regions = fallible::collect(spans.iter().map(Span::forth))?;
        copy(recorder, &storage.vk, staging, &regions);
    } else {
        let regions = fallible::collect(spans.iter().map(Span::back))?;
        copy(recorder, staging, &storage.vk, &regions);
    }
    Ok(())
}

/// The most regions of a copy command.
const REGIONS: usize = 4096;

/// Records a copy of any number of regions.
pub fn copy(
    recorder: &mut Recorder,
    src: &vk::memory::Buffer,
    dst: &vk::memory::Buffer,
    regions: &[BufferCopy],
) {
    for part in regions.chunks(REGIONS) {
        recorder.copy(src, dst, part);
    }
}
