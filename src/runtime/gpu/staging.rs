//! Host memory that the device copies from and to: blocks from a pool, kept mapped.
//!
//! Argument blocks and small writes are carved from the queue's current small block;
//! transfers take whole large blocks. A block goes back to the pool when the last batch
//! that uses it has completed.

use std::ops::Deref;
use std::sync::{Arc, Mutex};

use crate::os::memory::HostMemory;
use crate::os::sync::Unpoisoned;
use crate::vk;
use crate::vk::descriptor::OFFSET_ALIGN;
use crate::vk::error::{Error, Result};
use crate::vk::memory::Location;

/// Bytes of a block for argument blocks and small writes.
pub const SMALL_BLOCK: u64 = 256 << 10;
/// Bytes of a block for a transfer of middling size.
pub const MEDIUM_BLOCK: u64 = 1 << 20;
/// Bytes of a block for one chunk of a large transfer.
pub const LARGE_BLOCK: u64 = 4 << 20;
/// The most bytes of idle blocks that a pool keeps.
const MAX_IDLE: u64 = 96 << 20;

/// Idle blocks of one device.
pub struct Pool {
    device: Arc<vk::device::Device>,
    idle: Mutex<Idle>,
}

#[derive(Default)]
struct Idle {
    blocks: Vec<vk::memory::Buffer>,
    bytes: u64,
}

/// Host-visible memory in use.
pub struct Block {
    buffer: Option<vk::memory::Buffer>,
    mapped: HostMemory,
    pool: Arc<Pool>,
}

impl Pool {
    pub fn new(device: &Arc<vk::device::Device>) -> Arc<Pool> {
        Arc::new(Pool {
            device: device.clone(),
            idle: Mutex::default(),
        })
    }

    /// A block of exactly `size` bytes.
    pub fn take(self: &Arc<Self>, size: u64) -> Result<Arc<Block>> {
        let mut idle = self.idle.lock().unpoisoned();
        let found = idle.blocks.iter().rposition(|b| b.size() == size);
        let buffer = match found {
            Some(i) => {
                idle.bytes -= size;
                idle.blocks.swap_remove(i)
            }
            None => {
                drop(idle);
                vk::memory::Buffer::new(&self.device, size, Location::HostCached)?
            }
        };
        let mapped = buffer.mapped().ok_or(Error::OutOfHostMemory)?;
        Ok(Arc::new(Block {
            buffer: Some(buffer),
            mapped,
            pool: self.clone(),
        }))
    }
}

impl Block {
    pub fn mapped(&self) -> HostMemory {
        self.mapped
    }
}

impl Deref for Block {
    type Target = vk::memory::Buffer;

    fn deref(&self) -> &vk::memory::Buffer {
        // Only `drop` takes the buffer.
        self.buffer.as_ref().expect("a block has a buffer")
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if let Some(buffer) = self.buffer.take() {
            let mut idle = self.pool.idle.lock().unpoisoned();
            if idle.bytes + buffer.size() <= MAX_IDLE {
                idle.bytes += buffer.size();
                idle.blocks.push(buffer);
            }
        }
    }
}

/// Carves small pieces from blocks.
#[derive(Default)]
pub struct Arena {
    block: Option<Arc<Block>>,
    used: u64,
}

/// A piece of a block.
pub struct Piece {
    pub block: Arc<Block>,
    pub offset: u64,
}

impl Arena {
    /// Takes `size` bytes, at most [`SMALL_BLOCK`], aligned as descriptors require.
    pub fn take(&mut self, pool: &Arc<Pool>, size: u64) -> Result<Piece> {
        let offset = self.used.next_multiple_of(OFFSET_ALIGN);
        match &self.block {
            Some(block) if offset + size <= block.size() => {
                self.used = offset + size;
                Ok(Piece {
                    block: block.clone(),
                    offset,
                })
            }
            _ => {
                let block = pool.take(SMALL_BLOCK)?;
                self.used = size;
                self.block = Some(block.clone());
                Ok(Piece { block, offset: 0 })
            }
        }
    }
}

impl Piece {
    pub fn write(&self, bytes: &[u8]) {
        self.block.mapped().write(self.offset as usize, bytes);
    }

    pub fn address(&self) -> u64 {
        self.block.address() + self.offset
    }
}
