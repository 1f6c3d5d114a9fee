//! Absolute values of what a driver takes for positive, though it may be -0.0.
//!
//! Mesa's compilers know of roots, squares, choices and so on that they are not below zero, and take what is not below zero for its absolute
//! value, the sign of a zero too.
//!
//! Algorithm: the sign bit is cleared as an integer's.

use super::{Known, on_bits};
use crate::ir::builder::{Builder, mask};
use crate::ir::util::yielded;
use crate::ir::{BinOp, CastOp, Inst, Op, TernOp, UnOp, Value};

pub fn absolutes(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let Op::Unary(UnOp::FAbs, x) = inst.op else {
        return None;
    };
    if inst.fast.no_signed_zero || !known.is_not_negative(x) {
        return None;
    }
    let magnitude = mask(b.ty(x).scalar.bits() - 1);
    Some(vec![on_bits(b, BinOp::And, x, magnitude)])
}

/// What a driver may know not to be below zero, of floats. Constants and what functions return count, whatever they are.
pub fn is_not_negative(op: &Op, known: &Known) -> bool {
    let is = |v: Value| known.is_not_negative(v);
    match op {
        Op::Const(_) | Op::Call { .. } => true,
        Op::Unary(UnOp::Sqrt | UnOp::FAbs | UnOp::NativeExp2 | UnOp::NativeRsqrt, _) => true,
        Op::Unary(UnOp::Floor | UnOp::Ceil | UnOp::FTrunc | UnOp::Rint, x) => is(*x),
        Op::Unary(..) => false,
        Op::Binary(BinOp::FMax, x, y) => is(*x) || is(*y),
        Op::Binary(BinOp::FMul, x, y) if x == y => true,
        Op::Binary(BinOp::FMul | BinOp::FAdd | BinOp::FDiv | BinOp::FMin, x, y) => is(*x) && is(*y),
        Op::Ternary(TernOp::Fma | TernOp::Mad, x, y, z) => (x == y || is(*x) && is(*y)) && is(*z),
        Op::Select(_, x, y) => is(*x) && is(*y),
        Op::If(_, then, other) => match (yielded(then), yielded(other)) {
            (Some(then), Some(other)) => then.iter().chain(other).any(|&v| is(v)),
            _ => false,
        },
        Op::Cast(CastOp::UiToFp, _) => true,
        Op::Cast(CastOp::FpExt | CastOp::FpTrunc, x) => is(*x),
        Op::Construct(lanes) => lanes.iter().any(|&v| is(v)),
        Op::Splat(x) | Op::Extract(x, _) => is(*x),
        _ => false,
    }
}
