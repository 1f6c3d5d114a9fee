//! What a checked kernel may use (docs/check.md): what its arguments point to, and, where it searches the objects of pointers from
//! memory, all objects that it may reach.

use std::sync::Arc;

use crate::compiler::check::{Checks, Range, race};
use crate::compiler::kernel::{
    ArgAddress, ArgKind, KernelInfo, SHADOW_GRANULES, SPEC_LOCAL_SHADOWS,
};
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::device_kernel::DeviceKernel;
use crate::runtime::launch::pipelines::Constants;
use crate::runtime::memory::allocations::Allocations;
use crate::runtime::memory::buffer;
use crate::runtime::record::recording::Recording;
use crate::runtime::support::error::ClResult;
use crate::vk::command::Scope;
use crate::vk::memory::{Buffer, Location};

/// Bytes of the shadows of a launch at most.
const SHADOWS: u64 = 1 << 30;
/// Bytes that may lie between two variables.
const ALIGNMENT: u64 = 16;
/// Bytes of a word of a shadow.
const WORD: u64 = 4;

/// What a launch may use.
#[derive(Default, Clone)]
pub struct Ranges {
    /// By number of argument.
    pub arguments: Vec<(u32, Range)>,
    /// Addresses and objects; in `Range::offset` there is nothing.
    live: Vec<(u64, Range)>,
    /// Addresses and bytes of allocations that have been freed, oldest first.
    freed: Vec<(u64, u64)>,
}

/// All of so many bytes.
pub fn all(size: u64) -> Range {
    Range {
        readable: size,
        writable: size,
        ..Range::default()
    }
}

/// What a kernel may do with a buffer.
pub fn of(buffer: &buffer::Buffer) -> Range {
    let [reads, writes] = buffer.kernel_access();
    let size = |allowed| if allowed { buffer.size() } else { 0 };
    Range {
        readable: size(reads),
        writable: size(writes),
        ..Range::default()
    }
}

/// What an address points to that is given for an argument and is in no live allocation.
pub fn of_unknown(address: u64, allocations: Option<&Allocations>) -> Range {
    let both = allocations.map(|all| (all.live(), all.freed()));
    let (live, freed) = both.unwrap_or_default();
    of_address(address, &live, &freed)
}

/// The end of a live allocation is a pointer of that one. Others point to nothing, if their memory has been freed, else to anything.
fn of_address(address: u64, live: &[(u64, u64)], freed: &[(u64, u64)]) -> Range {
    if let Some(&(_, size)) = live.iter().find(|&&(at, size)| at + size == address) {
        return Range {
            offset: size,
            ..all(size)
        };
    }
    match { freed.iter() }.any(|&(at, size)| address.wrapping_sub(at) < size) {
        true => Range::default(),
        false => all(u64::MAX),
    }
}

/// The specialization constants of the shadows of local arguments, which share `room` bytes: where that is less than they need, the
/// ends of the arguments have none.
pub(super) fn local_shadows(
    ranges: &Ranges,
    info: &KernelInfo,
    room: u64,
    constants: &mut Constants,
) {
    let is_local = |number: u32| {
        let arg = info.args.get(number as usize);
        arg.is_some_and(|arg| arg.param.address == ArgAddress::Local)
    };
    let locals = ranges.arguments.iter().filter(|(n, _)| is_local(*n));
    let mut left = locals.clone().count() as u64;
    let mut room = room.saturating_sub(ALIGNMENT * left) / WORD;
    for (number, range) in locals {
        let share = room / left.max(1);
        for log in 0..SHADOW_GRANULES {
            // There is no array without elements.
            let words = range.readable.div_ceil(1 << log).min(share).max(1);
            let id = SPEC_LOCAL_SHADOWS + number * SHADOW_GRANULES + log;
            constants.push((id, u32::try_from(words).unwrap_or(u32::MAX)));
        }
        room -= share.min(range.readable);
        left -= 1;
    }
}

impl Ranges {
    /// Adds the buffers that sub-buffers are parts of.
    pub fn add<'b>(
        &mut self,
        device: &Arc<Device>,
        buffers: impl IntoIterator<Item = &'b Arc<buffer::Buffer>>,
    ) -> ClResult {
        for buffer in buffers {
            let mut whole = buffer;
            while let Some((parent, _)) = whole.parent() {
                whole = parent;
            }
            self.live.push((whole.address(device)?, of(whole)));
        }
        Ok(())
    }

    /// Accesses that search their object are not checked: a kernel on the device has given the pointers.
    pub fn add_all(&mut self) {
        self.live = vec![(0, all(u64::MAX))];
    }

    /// Adds all allocations of a context that have addresses.
    pub fn add_allocations(&mut self, allocations: &Allocations) {
        let live = allocations.live();
        self.live
            .extend(live.iter().map(|&(at, size)| (at, all(size))));
        self.freed = allocations.freed();
    }

    /// What an argument points to.
    pub fn of_argument(&self, number: u32) -> Range {
        let found = self.arguments.iter().find(|(n, _)| *n == number);
        found.map_or(Range::default(), |(_, range)| *range)
    }

    /// The same with shadows for the arguments that the kernel writes, cleared, in which it looks for races on global memory. Without
    /// those that need too much memory.
    pub(in crate::runtime) fn shadowed(
        &self,
        kernel: &DeviceKernel,
        recording: &mut Recording,
    ) -> ClResult<Ranges> {
        let mut ranges = self.clone();
        if !kernel.checks.races {
            return Ok(ranges);
        }
        let args = &kernel.info().args;
        let writes = |number: u32| {
            let arg = args.get(number as usize);
            arg.is_some_and(|a| matches!(a.kind, ArgKind::Pointer { writes: true, .. }))
        };
        let mut total = 0u64;
        let mut places = Vec::new();
        for (number, range) in &mut ranges.arguments {
            let whole = range.readable.max(range.writable);
            let bytes = whole.div_ceil(race::GRANULE.into()).saturating_mul(8);
            if writes(*number) && total.saturating_add(bytes) <= SHADOWS {
                places.push((range, total));
                total += bytes;
            }
        }
        if total == 0 {
            return Ok(ranges);
        }
        let device = recording.device.clone();
        let batch = recording.batch()?;
        let last = batch.shadows.take().filter(|b| b.size() >= total);
        let buffer = match last {
            Some(last) => {
                // The launches before have reported.
                batch.recorder.barrier(Scope::COMPUTE, Scope::TRANSFER);
                last
            }
            None => {
                let Ok(made) = Buffer::new(&device.gpu()?.vk, total, Location::Device) else {
                    return Ok(ranges);
                };
                let made = Arc::new(made);
                batch.keep(made.clone());
                made
            }
        };
        for (range, at) in places {
            range.shadow = buffer.address() + at;
        }
        batch.recorder.fill(&buffer, 0, total, 0);
        batch.recorder.barrier(Scope::TRANSFER, Scope::COMPUTE);
        batch.shadows = Some(buffer);
        Ok(ranges)
    }

    /// What follows the header of the printf buffer.
    pub fn bytes(&self, checks: &Checks, header: Vec<u8>) -> Vec<u8> {
        let mut bytes = header;
        bytes.resize(4 * checks.live() as usize, 0);
        for (number, range) in &self.arguments {
            let at = 4 * checks.arg_word(*number) as usize;
            let words = range.words().into_iter().flat_map(u64::to_le_bytes);
            if let Some(place) = bytes.get_mut(at..at + 4 * Range::WORDS as usize) {
                place
                    .iter_mut()
                    .zip(words)
                    .for_each(|(to, from)| *to = from);
            }
        }
        if checks.searches {
            let mut live = self.live.clone();
            live.sort_by_key(|(at, range)| (*at, std::cmp::Reverse(range.words())));
            live.dedup_by_key(|(at, _)| *at);
            bytes.extend((live.len() as u64).to_le_bytes());
            for (at, range) in live {
                let words = [at, range.readable, range.writable];
                bytes.extend(words.into_iter().flat_map(u64::to_le_bytes));
            }
        }
        bytes
    }

    /// What there is about an address that belongs to no object.
    pub fn describe(&self, address: u64) -> Option<String> {
        let mut freed = self.freed.iter().rev();
        if let Some((at, size)) = freed.find(|(at, size)| address.wrapping_sub(*at) < *size) {
            let offset = address - at;
            return Some(format!("offset {offset} of freed memory of {size} bytes"));
        }
        if self.live.is_empty() {
            return None;
        }
        let before = self.live.iter().filter(|(at, _)| *at <= address);
        let (at, range) = before.max_by_key(|(at, _)| *at)?;
        let size = range.readable.max(range.writable);
        let offset = address - at;
        (offset / 2 < size).then(|| format!("offset {offset} of an object of {size} bytes"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ends_of_allocations_are_theirs() {
        let (live, freed) = ([(4096, 256)], [(4352, 64), (8192, 64)]);
        let range = |address| of_address(address, &live, &freed);
        let end = Range {
            offset: 256,
            ..all(256)
        };
        assert_eq!(range(4352), end);
        assert_eq!(range(4353), Range::default());
        assert_eq!(range(8192), Range::default());
        assert_eq!(range(8256), all(u64::MAX));
    }
}
