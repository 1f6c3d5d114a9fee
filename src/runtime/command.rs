//! Commands: what a queue executes.

use std::sync::Arc;

use crate::runtime::arguments::Launch;
use crate::runtime::memory::{Buffer, HostMemory, Mapping};

/// Where a (rectangular) region lies in a buffer or in host memory: byte offset of its
/// first byte, bytes from row to row and from slice to slice.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Layout {
    pub offset: u64,
    pub row_pitch: u64,
    pub slice_pitch: u64,
}

/// Bytes per row, rows, slices; none is 0.
pub type Extent = [u64; 3];

/// One command. Ranges are checked before (by `api`).
pub enum Command {
    Read {
        src: Arc<Buffer>,
        src_at: Layout,
        dst: HostMemory,
        dst_at: Layout,
        extent: Extent,
    },
    Write {
        src: HostMemory,
        src_at: Layout,
        dst: Arc<Buffer>,
        dst_at: Layout,
        extent: Extent,
    },
    Copy {
        src: Arc<Buffer>,
        src_at: Layout,
        dst: Arc<Buffer>,
        dst_at: Layout,
        extent: Extent,
    },
    /// `pattern` of 1 to 128 bytes, a power of two; `offset` and `size` its multiples.
    Fill {
        dst: Arc<Buffer>,
        pattern: Vec<u8>,
        offset: u64,
        size: u64,
    },
    NdRange(Launch),
    Map(Arc<Mapping>),
    Unmap(Arc<Mapping>),
    /// Completes when what it waits for (its wait list, or everything before) has.
    Marker,
    /// As a marker, and everything enqueued behind waits for it.
    Barrier,
    Migrate(Vec<Arc<Buffer>>),
    /// A host function (clEnqueueNativeKernel), run on a thread of the queue.
    Native(Box<dyn FnOnce() + Send>),
}

impl Layout {
    /// A contiguous range at `offset`.
    pub fn linear(offset: u64) -> Layout {
        Layout {
            offset,
            row_pitch: 0,
            slice_pitch: 0,
        }
    }
}

impl Command {
    /// Reads `dst.len()` bytes at `offset`.
    pub fn read(src: &Arc<Buffer>, offset: u64, dst: HostMemory) -> Command {
        Command::Read {
            src: src.clone(),
            src_at: Layout::linear(offset),
            extent: [dst.len() as u64, 1, 1],
            dst,
            dst_at: Layout::linear(0),
        }
    }

    /// Writes `src.len()` bytes at `offset`.
    pub fn write(src: HostMemory, dst: &Arc<Buffer>, offset: u64) -> Command {
        Command::Write {
            src_at: Layout::linear(0),
            extent: [src.len() as u64, 1, 1],
            src,
            dst: dst.clone(),
            dst_at: Layout::linear(offset),
        }
    }

    /// Copies `size` bytes.
    pub fn copy(
        src: &Arc<Buffer>,
        src_offset: u64,
        dst: &Arc<Buffer>,
        dst_offset: u64,
        size: u64,
    ) -> Command {
        Command::Copy {
            src: src.clone(),
            src_at: Layout::linear(src_offset),
            dst: dst.clone(),
            dst_at: Layout::linear(dst_offset),
            extent: [size, 1, 1],
        }
    }
}
