//! Loads and stores of device memory become as wide as llvmpipe has them: of 32 and 64 bits.
//!
//! llvmpipe gathers words for all lanes at once, but bytes and halves by a branch for each lane, for
//! which LLVM takes time that grows with the square of their number: 280 vectors of 16 chars took minutes.
//! Components of vectors it loads and stores one by one, for which that time grows in the same way: 60
//! stores of 16 ints took 0.7 s, the same in 64 bits take 0.1 s.
//!
//! Algorithm: a narrow load becomes one of the word, or the two words, in which it lies, shifted by what the
//! address is beyond a word. Only words with a byte of the value are loaded, and memory ends with a
//! whole word. A narrow store that is known to be of whole words is one; others stay. Pairs of words whose
//! address is known to be a multiple of 8 become one 64-bit component.

use super::Known;
use crate::ir::builder::Builder;
use crate::ir::{Addr, BinOp, CastOp, Inst, Op, Scalar, Type, Value};

pub fn rewrite(b: &mut Builder, _: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    match inst.op {
        Op::Load {
            addr: Addr::Device(address),
            align,
            volatile: false,
        } => {
            let value = load(b, address, b.ty(inst.results[0]), align)?;
            Some(vec![value])
        }
        Op::Store {
            addr: Addr::Device(address),
            value,
            align,
            volatile: false,
        } => {
            let ty = whole(b.ty(value), align)?;
            let value = b.bitcast(value, ty);
            b.store_to(Addr::Device(address), value, align, false);
            Some(Vec::new())
        }
        _ => None,
    }
}

fn is_narrow(ty: Type) -> bool {
    matches!(ty.scalar, Scalar::I8 | Scalar::I16 | Scalar::F16)
}

/// Loads that the driver makes of one.
pub fn accesses(ty: Type, align: u32) -> u32 {
    let size = size(ty);
    let lanes = |ty: Type| u32::from(ty.lanes);
    match align {
        4.. => whole(ty, align)
            .map_or(lanes(ty), lanes)
            .min(size.div_ceil(4).max(1)),
        _ if size == 1 || size == 2 && align == 2 => 1,
        _ if is_narrow(ty) && size <= 5 => 2,
        _ => lanes(ty),
    }
}

/// Bytes of all lanes.
pub fn size(ty: Type) -> u32 {
    u32::from(ty.lanes) * ty.scalar.size()
}

/// The type of whole components that a store of `ty` is: larger than its own and fewer.
fn whole(ty: Type, align: u32) -> Option<Type> {
    let size = size(ty);
    let bits = match align {
        8.. if size.is_multiple_of(8) => 64,
        4.. if size.is_multiple_of(4) => 32,
        2.. if size == 2 => 16,
        _ => return None,
    };
    let lanes = (size * 8 / bits) as u8;
    (bits > ty.scalar.bits()).then(|| Type::vector(Scalar::int(bits), lanes))
}

fn load(b: &mut Builder, address: Value, ty: Type, align: u32) -> Option<Value> {
    if !is_narrow(ty) {
        let wide = whole(ty, align)?;
        let value = b.load_from(Addr::Device(address), wide, align, false);
        return Some(b.bitcast(value, ty));
    }
    let size = size(ty);
    let word = |b: &mut Builder, at| b.load_from(Addr::Device(at), Type::I32, 4, false);
    if align >= 4 {
        let bits = match size {
            5.. => {
                let two = match align {
                    8.. => Type::I64,
                    _ => Type::vector(Scalar::I32, 2),
                };
                let value = b.load_from(Addr::Device(address), two, align, false);
                b.bitcast(value, Type::vector(Scalar::I32, 2))
            }
            _ => word(b, address),
        };
        return Some(first_lanes(b, bits, ty));
    }
    if size > 5 {
        return None;
    }
    let i64s = Type::I64;
    let three = b.const_int(i64s, 3);
    let beyond = b.binary(BinOp::And, address, three);
    let start = b.binary(BinOp::Sub, address, beyond);
    let low = word(b, start);
    let shift = b.binary(BinOp::Shl, beyond, three);
    let shift = b.int_resize(shift, Scalar::I32, false);
    let bits = if size == 1 || size == 2 && align >= 2 {
        b.binary(BinOp::LShr, low, shift)
    } else {
        let rest = b.const_int(i64s, i64::from(size) - 1);
        let last = b.binary(BinOp::Add, address, rest);
        let mask = b.const_int(i64s, !3);
        let last = b.binary(BinOp::And, last, mask);
        let high = word(b, last);
        shifted(b, low, high, shift)
    };
    Some(first_lanes(b, bits, ty))
}

/// The word that begins `shift` bits, less than 32, behind the start of `low`.
pub fn shifted(b: &mut Builder, low: Value, high: Value, shift: Value) -> Value {
    let low = b.binary(BinOp::LShr, low, shift);
    // By 32 - shift in two steps: 32 is no amount to shift by.
    let [one, most] = [1, 31].map(|n| b.const_int(Type::I32, n));
    let high = b.binary(BinOp::Shl, high, one);
    let left = b.binary(BinOp::Xor, shift, most);
    let high = b.binary(BinOp::Shl, high, left);
    b.binary(BinOp::Or, low, high)
}

/// The value whose bits are the lowest of one or two words.
fn first_lanes(b: &mut Builder, words: Value, ty: Type) -> Value {
    let width = ty.scalar.bits();
    if ty.lanes == 1 {
        let int = Type::scalar(Scalar::int(width));
        let value = b.cast(CastOp::Trunc, words, int);
        return b.bitcast(value, ty);
    }
    let lanes = b.ty(words).lanes * (32 / width) as u8;
    let all = b.bitcast(words, Type::vector(ty.scalar, lanes));
    match lanes == ty.lanes {
        true => all,
        false => b.shuffle(all, all, (0..ty.lanes).collect()),
    }
}
