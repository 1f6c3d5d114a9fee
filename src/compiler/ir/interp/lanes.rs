//! Values as bytes, and what an undefined value is.

use super::super::builder::mask;
use super::super::{Bits, Scalar, Type};
use super::memory::UNDEFINED;

/// One lane of an undefined value. Undefined memory reads as the same.
pub fn undefined(scalar: Scalar) -> Bits {
    u64::from_le_bytes([UNDEFINED; 8]) & mask(scalar.bits())
}

/// Bytes that a load or store of this type touches. The padding of a three-lane vector is not touched.
pub fn access_size(ty: Type) -> u64 {
    ty.scalar.size() as u64 * ty.lanes as u64
}

/// Lanes from their bytes in memory.
pub fn from_bytes(ty: Type, bytes: &[u8]) -> impl Iterator<Item = Bits> {
    let lanes = bytes.chunks_exact(ty.scalar.size() as usize);
    lanes.take(ty.lanes as usize).map(move |chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        u64::from_le_bytes(word) & mask(ty.scalar.bits())
    })
}

pub fn to_bytes(scalar: Scalar, lanes: &[Bits]) -> Vec<u8> {
    let size = scalar.size() as usize;
    let bytes = lanes
        .iter()
        .flat_map(|lane| lane.to_le_bytes().into_iter().take(size));
    bytes.collect()
}
