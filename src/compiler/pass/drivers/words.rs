//! Narrow loads and stores of device memory become those of 32-bit words.
//!
//! llvmpipe gathers words for all lanes at once, but bytes and halves by a branch for each lane, for
//! which LLVM takes time that grows with the square of their number: 280 vectors of 16 chars took minutes.
//!
//! Algorithm: a load becomes one of the word, or the two words, in which it lies, shifted by what the
//! address is beyond a word. Only words with a byte of the value are loaded, and memory ends with a
//! whole word. A store that is known to be of whole words is one; others stay.

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
            let ty = b.ty(inst.results[0]);
            let value = is_narrow(ty).then(|| load(b, address, ty, align));
            Some(vec![value.flatten()?])
        }
        Op::Store {
            addr: Addr::Device(address),
            value,
            align,
            volatile: false,
        } if is_narrow(b.ty(value)) => {
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

/// Bytes of all lanes.
fn size(ty: Type) -> u32 {
    u32::from(ty.lanes) * ty.scalar.size()
}

/// The type of words, or the half of one, that a store of `ty` is.
fn whole(ty: Type, align: u32) -> Option<Type> {
    match size(ty) {
        2 if ty.lanes > 1 && align >= 2 => Some(Type::scalar(Scalar::I16)),
        4 if align >= 4 => Some(Type::I32),
        8 if align >= 4 => Some(Type::vector(Scalar::I32, 2)),
        _ => None,
    }
}

fn load(b: &mut Builder, address: Value, ty: Type, align: u32) -> Option<Value> {
    let size = size(ty);
    let word = |b: &mut Builder, at| b.load_from(Addr::Device(at), Type::I32, 4, false);
    if align >= 4 {
        let bits = match size {
            5.. => {
                let two = Type::vector(Scalar::I32, 2);
                b.load_from(Addr::Device(address), two, align, false)
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
    let one_word = size == 1 || size == 2 && align >= 2;
    let bits = if one_word {
        let shift = b.int_resize(shift, Scalar::I32, false);
        b.binary(BinOp::LShr, low, shift)
    } else {
        let rest = b.const_int(i64s, i64::from(size) - 1);
        let last = b.binary(BinOp::Add, address, rest);
        let mask = b.const_int(i64s, !3);
        let last = b.binary(BinOp::And, last, mask);
        let high = word(b, last);
        let [low, high] = [low, high].map(|v| b.int_resize(v, Scalar::I64, false));
        let width = b.const_int(i64s, 32);
        let high = b.binary(BinOp::Shl, high, width);
        let both = b.binary(BinOp::Or, low, high);
        let both = b.binary(BinOp::LShr, both, shift);
        b.int_resize(both, Scalar::I32, false)
    };
    Some(first_lanes(b, bits, ty))
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
