//! Copies between host and device that are waited for: initial contents, and contents that another device lacks.

use std::collections::VecDeque;
use std::sync::Arc;

use crate::os::memory::HostMemory;
use crate::runtime::gpu::open::Gpu;
use crate::runtime::gpu::progress::Progress;
use crate::runtime::gpu::staging::{Block, LARGE_BLOCK, MEDIUM_BLOCK};
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk;
use crate::vk::command::{BufferCopy, Recorder, Scope};
use crate::vk::device::Priority;

/// The most blocks in flight.
const WINDOW: usize = 2;

/// Copies between device memory, from `offset` on, and host memory, by submissions of its own, and waits for them. With
/// `read` the copy is from the device.
pub fn copy_now(
    gpu: &Gpu,
    buffer: &vk::memory::Buffer,
    offset: u64,
    host: HostMemory,
    read: bool,
) -> ClResult {
    let progress = Progress::new(&gpu.vk)?;
    let queue = gpu.vk.pick_queue(Priority::default());
    let mut window: VecDeque<(u64, Arc<Block>, Recorder, HostMemory)> = VecDeque::new();
    let mut value = progress.timeline.start();
    let whole = host.len() as u64;
    let size = match whole {
        0..=MEDIUM_BLOCK => MEDIUM_BLOCK,
        _ => LARGE_BLOCK,
    };
    let finish = |(value, block, _, host): (u64, Arc<Block>, Recorder, HostMemory)| {
        progress.wait(value);
        if read && !progress.is_lost() {
            host.copy_from(block.mapped().slice(0, host.len()));
        }
    };
    let result = (0..whole).step_by(size as usize).try_for_each(|start| {
        if window.len() >= WINDOW
            && let Some(oldest) = window.pop_front()
        {
            finish(oldest);
        }
        let len = size.min(whole - start);
        let block = gpu.pool.take(size)?;
        let part = host.slice(start as usize, len as usize);
        let mut recorder = Recorder::new(&gpu.vk)?;
        recorder.begin()?;
        let region = |src_offset, dst_offset| BufferCopy {
            src_offset,
            dst_offset,
            size: len,
        };
        if read {
            recorder.barrier(Scope::DEVICE, Scope::DEVICE);
            recorder.copy(buffer, &block, &[region(offset + start, 0)]);
            recorder.barrier(Scope::TRANSFER, Scope::HOST);
        } else {
            block.mapped().copy_from(part);
            recorder.copy(&block, buffer, &[region(0, offset + start)]);
        }
        recorder.end()?;
        gpu.vk
            .submit(queue, &recorder, &[], (&progress.timeline, value + 1))?;
        value += 1;
        window.push_back((value, block, recorder, part));
        Ok(())
    });
    // Waits after an error as well: the blocks are in use until then.
    window.into_iter().for_each(finish);
    match progress.is_lost() {
        true => Err(ClError::OUT_OF_RESOURCES),
        false => result,
    }
}
