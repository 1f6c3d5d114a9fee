//! Kernel arguments: their values, and the block in which a kernel gets them.

use std::sync::{Arc, Weak};

use smallvec::SmallVec;

use crate::compiler::check::Range;
use crate::compiler::kernel::{ArgAccess, ArgKind, FETCHED, LocalFrame};
use crate::runtime::launch::device_kernel::DeviceKernel;
use crate::runtime::launch::pipelines::Constants;
use crate::runtime::launch::ranges::{self, Ranges};
use crate::runtime::memory::allocations::Allocations;
use crate::runtime::memory::buffer::Buffer;
use crate::runtime::memory::image::Image;
use crate::runtime::support::error::{ClError, ClResult};
use crate::vk::texels::Texels;

/// The value of a kernel argument, as clSetKernelArg leaves it. Size and kind are
/// checked against `ArgInfo` when it is set (`api`).
#[derive(Clone)]
pub enum ArgValue {
    Unset,
    /// The bytes of a value; for a pointer argument, a device address.
    Bytes(SmallVec<[u8; 16]>),
    /// Bytes of a local argument.
    Local(usize),
    /// A null pointer.
    Null,
    /// The buffer that the pointer points into, and the offset there. The reference is weak: a kernel does not keep memory
    /// objects alive, but a launch does.
    Buffer(Weak<Buffer>, u64),
    /// A pointer into whatever allocation of the context is there when the kernel is launched.
    Address(u64),
    Image(Weak<Image>),
    /// The bits of a sampler (`kernel::sampler_bits`).
    Sampler(u32),
}

impl ArgValue {
    pub fn bytes(bytes: &[u8]) -> ArgValue {
        ArgValue::Bytes(SmallVec::from_slice(bytes))
    }

    pub fn buffer(buffer: &Arc<Buffer>) -> ArgValue {
        ArgValue::pointer(buffer, 0)
    }

    /// A pointer into an SVM allocation.
    pub fn pointer(buffer: &Arc<Buffer>, offset: u64) -> ArgValue {
        ArgValue::Buffer(Arc::downgrade(buffer), offset)
    }

    pub fn image(image: &Arc<Image>) -> ArgValue {
        ArgValue::Image(Arc::downgrade(image))
    }

    /// The argument is not set, or its memory object has been released.
    pub fn is_missing(&self) -> bool {
        match self {
            ArgValue::Unset => true,
            ArgValue::Buffer(buffer, _) => buffer.strong_count() == 0,
            ArgValue::Image(image) => image.strong_count() == 0,
            ArgValue::Bytes(_)
            | ArgValue::Local(_)
            | ArgValue::Null
            | ArgValue::Address(_)
            | ArgValue::Sampler(_) => false,
        }
    }
}

/// Writes into an argument block.
pub fn put(block: &mut [u8], start: usize, bytes: &[u8]) -> ClResult {
    let slot = block.get_mut(start..start + bytes.len());
    slot.ok_or(ClError::INVALID_KERNEL_ARGS)?
        .copy_from_slice(bytes);
    Ok(())
}

/// The argument block of a launch while it is written.
pub struct Fill<'a> {
    pub kernel: &'a DeviceKernel,
    pub block: SmallVec<[u8; 128]>,
    pub buffers: SmallVec<[(Arc<Buffer>, bool); 4]>,
    /// Where addresses are looked up.
    pub allocations: Option<&'a Allocations>,
    /// The kernel uses an address at which no allocation is known.
    pub unknown: bool,
    /// What a checked kernel may use.
    pub ranges: Ranges,
}

impl Fill<'_> {
    fn put(&mut self, offset: u32, bytes: &[u8]) -> ClResult {
        put(&mut self.block, offset as usize, bytes)
    }

    /// Notes what an argument points to, for a checked kernel.
    fn range(&mut self, number: usize, buffer: &Buffer, offset: u64) {
        if !self.kernel.checks.is_empty() {
            let range = Range {
                offset,
                ..ranges::of(buffer)
            };
            self.ranges.arguments.push((number as u32, range));
        }
    }

    /// The same of an address that is in no known allocation.
    fn unknown_range(&mut self, number: usize, address: u64) {
        if !self.kernel.checks.is_empty() && address != 0 {
            let range = ranges::of_unknown(address, self.allocations);
            self.ranges.arguments.push((number as u32, range));
        }
    }

    /// The same of a local argument.
    fn local_range(&mut self, number: usize, size: u64) {
        if !self.kernel.checks.is_empty() {
            let range = (number as u32, ranges::all(size));
            self.ranges.arguments.push(range);
        }
    }

    /// Writes the arguments into the block. Returns the specialization constants that they determine.
    pub fn arguments(&mut self, args: &[ArgValue]) -> ClResult<Constants> {
        let (info, device) = (&self.kernel.info, &self.kernel.device);
        if args.len() != info.args.len() {
            return Err(ClError::INVALID_KERNEL_ARGS);
        }
        let mut locals = SmallVec::<[_; 2]>::new();
        let mut constants = Constants::new();
        for (number, (arg, value)) in info.args.iter().zip(args).enumerate() {
            match (arg.kind, value) {
                (_, ArgValue::Unset) => return Err(ClError::INVALID_KERNEL_ARGS),
                (ArgKind::Unused { .. }, value) if value.is_missing() => {
                    return Err(ClError::INVALID_KERNEL_ARGS);
                }
                (ArgKind::Unused { .. }, _) => {}
                (ArgKind::Value { offset, size }, ArgValue::Bytes(bytes)) => {
                    self.put(offset, &bytes[..bytes.len().min(size as usize)])?;
                }
                (
                    ArgKind::Pointer {
                        offset,
                        reads,
                        writes,
                    },
                    ArgValue::Bytes(bytes),
                ) => {
                    self.put(offset, &bytes[..bytes.len().min(8)])?;
                    self.unknown |= reads || writes;
                    let address = bytes.iter().rev().fold(0, |v, &b| v << 8 | u64::from(b));
                    self.unknown_range(number, address);
                }
                (
                    ArgKind::Pointer {
                        offset,
                        reads,
                        writes,
                    },
                    ArgValue::Address(address),
                ) => {
                    self.put(offset, &address.to_le_bytes())?;
                    let found = |all: &Allocations| all.find(*address as usize, 0).ok().flatten();
                    match self.allocations.and_then(found) {
                        _ if !(reads || writes) => {}
                        Some((allocation, _)) => {
                            let buffer = &allocation.buffer;
                            let start = buffer.address(device)?;
                            self.range(number, buffer, address.wrapping_sub(start));
                            self.buffers.push((buffer.clone(), writes));
                        }
                        None => {
                            self.unknown = true;
                            self.unknown_range(number, *address);
                        }
                    }
                }
                // The block is zero already.
                (ArgKind::Pointer { .. }, ArgValue::Null) => {}
                (
                    ArgKind::Pointer {
                        offset,
                        reads,
                        writes,
                    },
                    ArgValue::Buffer(buffer, at),
                ) => {
                    let buffer = buffer.upgrade().ok_or(ClError::INVALID_KERNEL_ARGS)?;
                    self.put(offset, &(buffer.address(device)? + at).to_le_bytes())?;
                    self.range(number, &buffer, *at);
                    if reads || writes {
                        self.buffers.push((buffer, writes));
                    }
                }
                (ArgKind::Image { offset, spec_id }, ArgValue::Image(image)) => {
                    let image = image.upgrade().ok_or(ClError::INVALID_KERNEL_ARGS)?;
                    image.buffer.storage(device)?;
                    let writes = arg.param.access != ArgAccess::ReadOnly;
                    let table = self.kernel.table.as_ref().filter(|_| !writes);
                    let texels = table.and_then(|table| image.texels(device, table));
                    let slot = texels.map(Texels::slot);
                    self.put(offset, &image.record(device, slot)?.to_bytes())?;
                    let fetched = slot.map_or(0, |_| FETCHED);
                    constants.push((spec_id, image.format.constant() | fetched));
                    self.buffers.push((image.buffer.clone(), writes));
                }
                (ArgKind::Sampler { spec_id }, ArgValue::Sampler(bits)) => {
                    constants.push((spec_id, *bits));
                }
                (
                    kind @ (ArgKind::Local { .. } | ArgKind::LocalInFrame { .. }),
                    ArgValue::Local(bytes),
                ) => {
                    locals.push((kind, *bytes as u64));
                    self.local_range(number, *bytes as u64);
                }
                _ => return Err(ClError::INVALID_KERNEL_ARGS),
            }
        }
        let constant = |id, value| constants.push((id, value));
        let local_bytes = LocalFrame::place_locals(info.local_frame, locals, constant)
            .and_then(|bytes| bytes.checked_add(u64::from(info.local_size)))
            .ok_or(ClError::OUT_OF_RESOURCES)?;
        if local_bytes > device.facts().local_mem_size {
            return Err(ClError::OUT_OF_RESOURCES);
        }
        if !self.kernel.checks.is_empty() {
            let room = device.facts().local_mem_size - local_bytes;
            ranges::local_shadows(&self.ranges, info, room, &mut constants);
        }
        Ok(constants)
    }
}
