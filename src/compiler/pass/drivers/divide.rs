//! 64-bit divisions by 32-bit ones.
//!
//! GPUs divide 64-bit integers by code that their drivers' compilers put in. That of Mesa divides bit by bit: 784
//! instructions on RDNA3, where `lower::int64`'s takes 262 and is left early by small numbers; on NVIDIA's chips before
//! Volta its register allocator fails on some of it. There divisions by constants stay: compilers multiply instead.
//!
//! NVIDIA's own compiler (580, H100) must not have any. Of two divisions by the same constant, or with the same divisor, the second has the
//! first one's result, and other 64-bit values of a function with a division get wrong high words.

use super::Known;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Inst, Op, Scalar, Value};
use crate::pass::lower::int64::{Pair, divide::quotient};

/// Divisions by what is no constant.
pub fn by_values(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    match inst.op {
        Op::Binary(_, _, y) if known.constant(y).is_none() => all(b, known, inst),
        _ => None,
    }
}

pub fn all(b: &mut Builder, _: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let Op::Binary(op @ (BinOp::UDiv | BinOp::SDiv | BinOp::URem), x, y) = inst.op else {
        return None;
    };
    if b.ty(x).scalar != Scalar::I64 {
        return None;
    }
    let pairs = [x, y].map(|v| Pair::of(b, v));
    let quotient = quotient(b, pairs[0], pairs[1], op == BinOp::SDiv).joined(b);
    if op != BinOp::URem {
        return Some(vec![quotient]);
    }
    let product = b.binary(BinOp::Mul, quotient, y);
    Some(vec![b.binary(BinOp::Sub, x, product)])
}
