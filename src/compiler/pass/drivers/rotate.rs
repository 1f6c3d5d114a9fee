//! Rotations of 64-bit integers by a constant, in halves where registers have 32 bits.
//!
//! Algorithm: an `or` (or sum) of the two shifts of one value becomes a rotation of the pair of its
//! halves: both words of the result are funnel shifts, which GPUs have as an instruction and
//! their compilers see in this form. NVIDIA's leaves the shifts of 64 bits as they are (1.6 times
//! the time on an H100).

use super::Known;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Bits, Inst, Op, Scalar, Type, Value};

pub fn rewrite(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let Op::Binary(BinOp::Or | BinOp::Xor | BinOp::Add, x, y) = inst.op else {
        return None;
    };
    if b.ty(x) != Type::I64 {
        return None;
    }
    let (a, left) = rotation(known, x, y)?;
    Some(vec![rotate(b, a, left)])
}

/// What is rotated, and by how many bits to the left (1 to 63).
fn rotation(known: &Known, x: Value, y: Value) -> Option<(Value, Bits)> {
    let (up, down) = match known.binary(x, BinOp::Shl) {
        Some(up) => (up, known.binary(y, BinOp::LShr)?),
        None => (known.binary(y, BinOp::Shl)?, known.binary(x, BinOp::LShr)?),
    };
    let ([a, left], [other, right]) = (up, down);
    let (left, right) = (known.constant(left)?, known.constant(right)?);
    (a == other && left.checked_add(right) == Some(64) && left % 64 != 0).then_some((a, left))
}

fn rotate(b: &mut Builder, a: Value, left: Bits) -> Value {
    let pair = Type::vector(Scalar::I32, 2);
    let words = b.bitcast(a, pair);
    let swapped = b.shuffle(words, words, vec![1, 0]);
    let (words, carried) = match left < 32 {
        true => (words, swapped),
        false => (swapped, words),
    };
    let left = (left % 32) as i64;
    if left == 0 {
        return b.bitcast(words, Type::I64);
    }
    let (up, down) = (b.const_int(pair, left), b.const_int(pair, 32 - left));
    let high = b.binary(BinOp::Shl, words, up);
    let low = b.binary(BinOp::LShr, carried, down);
    let both = b.binary(BinOp::Or, high, low);
    b.bitcast(both, Type::I64)
}
