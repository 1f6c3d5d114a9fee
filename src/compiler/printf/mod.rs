//! printf (OpenCL C 6.15.14): what kernels write, and the text that it stands for.
//!
//! A kernel appends records to a buffer of 32-bit words (docs/abi.md): a header, then one
//! record per call, its format's id and the arguments' bytes. `pass::lower::printf` makes the
//! writes, [`records`] reads them back, [`text`] is what C's printf prints for one.

mod directive;
mod text;

use super::kernel::PrintfFormat;
pub use directive::{Directive, Length, Piece, pieces};
pub use text::text;

/// Words of the header.
pub const HEADER: u32 = 5;
/// Word: the next free word, counted by atomic addition; beyond the capacity when full.
pub const USED: u32 = 0;
/// Word: how many words there are, the header included.
pub const CAPACITY: u32 = 1;
/// Word: calls that found no room.
pub const DROPPED: u32 = 2;
/// Word: where the first of the words lies that were taken and are too few.
pub const END: u32 = 3;
/// Word: the [`Fault`]s of all work-items, bit by bit; 0 if there was none.
pub const FAULT: u32 = 4;

/// Bytes that a record has for the string of a `%s` that is no literal. The specification leaves such strings undefined;
/// other implementations print them.
pub const STRING: u32 = 128;

/// What makes the results of a kernel wrong.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[repr(u32)]
pub enum Fault {
    /// The driver left a loop that had not ended (`pass::drivers::rounds`).
    LoopCut = 1,
}

impl Fault {
    const ALL: [Fault; 1] = [Fault::LoopCut];

    /// The first of those in the word.
    pub fn of(word: u32) -> Option<Fault> {
        Fault::ALL.into_iter().find(|&f| word & f as u32 != 0)
    }

    pub fn text(self) -> &'static str {
        match self {
            Fault::LoopCut => "the driver stopped a kernel: it runs 65535 rounds of loops at most",
        }
    }
}

/// The header of an empty buffer of `capacity` words, whose records begin at word `start`.
pub fn header(capacity: u32, start: u32) -> [u32; HEADER as usize] {
    let mut header = [0; HEADER as usize];
    header[USED as usize] = start;
    header[CAPACITY as usize] = capacity;
    header[END as usize] = capacity;
    header
}

/// One executed printf.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Record {
    /// Index of the format.
    pub format: u32,
    /// The bytes of each argument.
    pub args: Vec<Vec<u8>>,
}

/// Bytes that a launch's buffer has in use, by its header.
pub fn used_bytes(header: [u32; HEADER as usize]) -> usize {
    header[USED as usize].min(header[END as usize]) as usize * 4
}

/// The records of a buffer from word `start` on, in the order in which their room was taken (for each work-item
/// the order of its calls). What is damaged ends them.
pub fn records(bytes: &[u8], start: u32, formats: &[PrintfFormat]) -> Vec<Record> {
    let word = |at: usize| {
        let bytes = bytes.get(at..at + 4)?;
        Some(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    };
    let header: Option<Vec<u32>> = (0..HEADER as usize).map(|i| word(4 * i)).collect();
    let end = header.map_or(0, |h| used_bytes([h[0], h[1], h[2], h[3], h[4]]));
    let mut at = start as usize * 4;
    let mut records = Vec::new();
    while at < end {
        let Some(id) = word(at) else { break };
        let Some(format) = formats.get(id as usize) else {
            break;
        };
        at += 4;
        let mut args = Vec::with_capacity(format.arg_sizes.len());
        for &size in &format.arg_sizes {
            let Some(arg) = bytes.get(at..at + size as usize) else {
                return records;
            };
            args.push(arg.to_vec());
            at += size as usize;
        }
        records.push(Record { format: id, args });
    }
    records
}
