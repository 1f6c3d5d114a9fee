//! Transfers through staging blocks. A write fills a block before it is recorded; a read empties one when its batch has completed.

use crate::os::memory::HostMemory;
use crate::runtime::gpu::staging::Block;
use crate::runtime::record::batch::{HostCopy, Pieces};
use crate::runtime::record::recording::Recording;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::fallible;
use crate::runtime::transfer::device_copy::copy;
use crate::runtime::transfer::host_copy;
use crate::runtime::transfer::host_transfer::Transfer;
use crate::runtime::transfer::route::Route;
use crate::runtime::transfer::spans::{Span, range_a};
use crate::vk::command::{BufferCopy, Scope};

impl Transfer<'_> {
    /// Records a transfer that fits one block.
    pub fn record(&self, recording: &mut Recording) -> ClResult {
        let (block, offset) = match self.staged() {
            Route::Piece => {
                let piece = recording.piece(self.bytes())?;
                (piece.block, piece.offset)
            }
            Route::Block(size) => {
                let block = recording.gpu()?.pool.take(size)?;
                recording.batch()?.keep_block(&block);
                (block, 0)
            }
            // A larger transfer is not recorded by one command.
            Route::Host(_) | Route::Buffers(_) | Route::Chunks => {
                return Err(ClError::OUT_OF_RESOURCES);
            }
        };
        let spans = self.spans()?;
        let pieces = self.pieces(&spans, offset)?;
        if !self.read {
            fill_block(&block, &pieces, host_copy::copy);
        }
        self.record_chunk(recording, &spans, &block, offset)?;
        if self.read {
            recording.copy_at_end(HostCopy { block, pieces })?;
        }
        Ok(())
    }

    /// The spans, with their places in a block from `offset` on and in the application's memory.
    pub fn pieces(&self, spans: &[Span], mut offset: u64) -> ClResult<Pieces> {
        let piece = |span: &Span| {
            let host = self.host.slice(span.b as usize, span.len as usize);
            offset += span.len;
            (offset - span.len, host)
        };
        fallible::collect(spans.iter().map(piece))
    }

    /// Records the copy between the buffer and a block.
    pub fn record_chunk(
        &self,
        recording: &mut Recording,
        spans: &[Span],
        block: &Block,
        mut offset: u64,
    ) -> ClResult {
        let mut regions = fallible::list(spans.len())?;
        for span in spans {
            let (src_offset, dst_offset) = match self.read {
                true => (span.a, offset),
                false => (offset, span.a),
            };
            regions.push(BufferCopy {
                src_offset,
                dst_offset,
                size: span.len,
            });
            offset += span.len;
        }
        let (start, end) = range_a(spans);
        let touched = [(self.buffer, start, end, !self.read)];
        recording.touch(touched, Scope::TRANSFER)?;
        let storage = self.buffer.storage(&recording.device)?;
        let batch = recording.batch()?;
        batch.host_reads |= self.read;
        match self.read {
            true => copy(&mut batch.recorder, &storage.vk, block, &regions),
            false => copy(&mut batch.recorder, block, &storage.vk, &regions),
        }
        Ok(())
    }
}

/// A function with which the host copies from the second memory to the first.
type Copy = fn(HostMemory, HostMemory);

/// Copies the bytes that the device has read to the application's memory.
pub fn empty_block(block: &Block, pieces: &[(u64, HostMemory)], copy: Copy) {
    for (offset, host) in pieces {
        copy(*host, block.mapped().slice(*offset as usize, host.len()));
    }
}

pub fn fill_block(block: &Block, pieces: &[(u64, HostMemory)], copy: Copy) {
    for (offset, host) in pieces {
        copy(block.mapped().slice(*offset as usize, host.len()), *host);
    }
}
