//! The least and greatest of numbers of which one is negated.
//!
//! NVIDIA's compiler takes the least or greatest of three words at once and forgets negations among the inner two: `max(max(x, -x), y)` is
//! `max(x, y)` (H200, driver 580; its OpenCL, too).
//!
//! Algorithm: the greatest of a number and its negation is a choice by its sign, for which GPUs have an instruction; of others nothing
//! is known of the negation.

use super::Known;
use super::opaque::opaque;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, CmpOp, Inst, Op, Scalar, UnOp, Value};

pub fn rewrite(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let Op::Binary(op @ (BinOp::SMin | BinOp::SMax), x, y) = &mut inst.op else {
        return None;
    };
    let ty = b.ty(*x);
    if ty.scalar != Scalar::I32 {
        return None;
    }
    let (op, values) = (*op, [*x, *y]);
    for (operand, other) in [(x, values[1]), (y, values[0])] {
        let Some(&Op::Unary(UnOp::Neg, of)) = known.op(*operand) else {
            continue;
        };
        if of != other {
            *operand = opaque(b, *operand);
            continue;
        }
        let zero = b.const_int(ty, 0);
        let below = b.compare(CmpOp::Slt, of, zero);
        return Some(vec![match op {
            BinOp::SMax => b.select(below, *operand, of),
            _ => b.select(below, of, *operand),
        }]);
    }
    None
}
