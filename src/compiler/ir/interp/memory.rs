//! Memory of the interpreter: buffers at made-up addresses, arenas for local and private
//! objects, and the record of who touched which byte.

use std::collections::HashMap;

use super::super::Space;
use super::super::data::ModuleData;
use crate::kernel::FIRST_STORAGE_BUFFER;
use crate::printf;

/// What memory holds before anything is stored, in each byte. [`super::lanes::undefined`] is its
/// equal for values, so that a promoted variable reads the same.
pub const UNDEFINED: u8 = 0xa5;

/// The high word of addresses in the first buffer, as where memory consists of storage buffers.
const FIRST: u64 = FIRST_STORAGE_BUFFER as u64;

/// Bytes between neighbours, so that a step over the end is seen.
const GAP: u64 = 16;

/// Global memory: buffer n lies at address n + FIRST << 32.
#[derive(Debug, Clone, Default)]
pub struct Memory {
    buffers: Vec<Vec<u8>>,
    module_data: Option<u64>,
    printf_buffer: Option<u64>,
    fence_word: Option<u64>,
    scratch: Option<u64>,
}

impl Memory {
    /// Adds a buffer (smaller than 4 GiB) and gives its address.
    pub fn add(&mut self, bytes: Vec<u8>) -> u64 {
        let address = (FIRST + self.buffers.len() as u64) << 32;
        self.buffers.push(bytes);
        address
    }

    /// The bytes of a buffer by its address; none for an address that no buffer starts at.
    pub fn bytes(&self, address: u64) -> &[u8] {
        let index = (address >> 32).wrapping_sub(FIRST) as usize;
        self.buffers.get(index).map_or(&[], |b| b)
    }

    /// The module data buffer, made and relocated at the first launch.
    pub(super) fn module_data(&mut self, data: &ModuleData) -> u64 {
        if let Some(address) = self.module_data {
            return address;
        }
        let address = self.add(data.bytes.clone());
        self.module_data = Some(address);
        let bytes = self.buffers.last_mut().map_or(&mut [][..], |b| b);
        for &at in &data.relocs {
            let word = &mut bytes[at as usize..at as usize + 8];
            let mut value = [0; 8];
            value.copy_from_slice(word);
            let value = u64::from_le_bytes(value).wrapping_add(address);
            word.copy_from_slice(&value.to_le_bytes());
        }
        address
    }

    /// The buffer that lowered printf writes to.
    pub fn printf_buffer(&mut self) -> u64 {
        const WORDS: u32 = 4096;
        match self.printf_buffer {
            Some(address) => address,
            None => {
                let mut bytes: Vec<u8> = printf::header(WORDS, printf::HEADER)
                    .into_iter()
                    .flat_map(u32::to_le_bytes)
                    .collect();
                bytes.resize(4 * WORDS as usize, UNDEFINED);
                let address = self.add(bytes);
                self.printf_buffer = Some(address);
                address
            }
        }
    }

    pub(super) fn fence_word(&mut self) -> u64 {
        let address = match self.fence_word {
            Some(address) => address,
            None => self.add(vec![0; 4]),
        };
        self.fence_word = Some(address);
        address
    }

    /// Scratch of `size` bytes, the same buffer for each launch.
    pub(super) fn scratch(&mut self, size: u64) -> u64 {
        let address = match self.scratch {
            Some(address) => address,
            None => self.add(Vec::new()),
        };
        self.scratch = Some(address);
        let index = ((address >> 32) - FIRST) as usize;
        self.buffers[index] = vec![UNDEFINED; size as usize];
        address
    }

    /// The next launch prints to a buffer of its own.
    pub(super) fn forget_printed(&mut self) {
        self.printf_buffer = None;
    }

    /// What lowered printf wrote.
    pub(super) fn printed(&self) -> &[u8] {
        self.printf_buffer
            .map_or(&[], |address| self.bytes(address))
    }

    pub(super) fn slice(&mut self, address: u64, size: u64) -> Option<&mut [u8]> {
        let index = (address >> 32).checked_sub(FIRST)? as usize;
        let start = (address & 0xffff_ffff) as usize;
        let buffer = self.buffers.get_mut(index)?;
        buffer.get_mut(start..start.checked_add(size as usize)?)
    }
}

/// Objects at offsets, the first not at 0, which is the null pointer.
#[derive(Debug, Default)]
pub struct Arena {
    bytes: Vec<u8>,
    /// Start and end of each object, ascending.
    objects: Vec<(u64, u64)>,
}

impl Arena {
    /// A new object with undefined contents.
    pub fn add(&mut self, size: u32, align: u32) -> u64 {
        let start = (self.bytes.len() as u64 + GAP).next_multiple_of(align.max(1) as u64);
        let end = start + size as u64;
        self.bytes.resize(end as usize, UNDEFINED);
        self.objects.push((start, end));
        start
    }

    pub fn slice(&mut self, address: u64, size: u64) -> Option<&mut [u8]> {
        let behind = self.objects.partition_point(|o| o.0 <= address);
        let (_, end) = *self.objects.get(behind.checked_sub(1)?)?;
        if address.checked_add(size)? > end {
            return None;
        }
        self.bytes
            .get_mut(address as usize..(address + size) as usize)
    }

    /// How many objects there are, for [`Arena::truncate`].
    pub fn len(&self) -> usize {
        self.objects.len()
    }

    /// Ends the life of all objects but the first `len`.
    pub fn truncate(&mut self, len: usize) {
        self.objects.truncate(len);
        let end = self.objects.last().map_or(0, |o| o.1);
        self.bytes.truncate(end as usize);
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    Read,
    Write,
    Atomic,
}

/// Who touched a byte since the last barrier. `u32::MAX` in `readers` and `atomics` is several items.
#[derive(Debug, Clone, Copy, Default)]
struct Touched {
    reader: Option<u32>,
    writer: Option<u32>,
    atomic: Option<u32>,
}

const SEVERAL: u32 = u32::MAX;

/// Accesses of a group's items to local and global memory since the last barrier.
#[derive(Debug, Default)]
pub struct Races {
    local: HashMap<u64, Touched>,
    global: HashMap<u64, Touched>,
}

impl Races {
    /// A barrier orders the memory.
    pub fn synchronize(&mut self, local: bool, global: bool) {
        if local {
            self.local.clear();
        }
        if global {
            self.global.clear();
        }
    }

    /// Records an access of work-item `item` (its local linear id); the other item if they race. Two
    /// accesses race when one is a plain write, or an atomic and the other a plain write.
    pub fn record(
        &mut self,
        space: Space,
        address: u64,
        size: u64,
        access: Access,
        item: u32,
    ) -> Result<(), u32> {
        let map = match space {
            Space::Local => &mut self.local,
            Space::Global => &mut self.global,
            _ => return Ok(()),
        };
        for byte in address..address + size {
            let touched = map.entry(byte).or_default();
            let other = |who: Option<u32>| who.filter(|&w| w != item);
            let mut rival = other(touched.writer);
            if access == Access::Write {
                rival = rival.or(other(touched.reader)).or(other(touched.atomic));
            }
            if let Some(rival) = rival {
                return Err(rival);
            }
            let place = match access {
                Access::Read => &mut touched.reader,
                Access::Write => &mut touched.writer,
                Access::Atomic => &mut touched.atomic,
            };
            *place = Some(if other(*place).is_some() {
                SEVERAL
            } else {
                item
            });
        }
        Ok(())
    }
}
