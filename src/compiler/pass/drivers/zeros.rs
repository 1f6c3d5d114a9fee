//! Constant zeros in a form that the driver's compiler does not mistake.
//!
//! llvmpipe takes quotients of a constant zero, and of Mesa 22 also products with one, for that zero, without looking
//! at the other operand: also where it is NaN, infinite or negative, or zero itself below it.
//!
//! Algorithm: such a zero becomes one that only the host knows.

use super::Known;
use super::opaque::opaque_constant;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Inst, Op, Scalar, TernOp, Type, Value};

pub fn quotients(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if let Op::Binary(BinOp::FDiv, x, _) = &mut inst.op
        && !inst.fast.no_nan
    {
        hide_zero(b, known, x);
    }
    None
}

pub fn products(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if let Op::Binary(BinOp::FMul, x, y) | Op::Ternary(TernOp::Fma | TernOp::Mad, x, y, _) =
        &mut inst.op
        && !inst.fast.no_nan
    {
        hide_zero(b, known, x);
        hide_zero(b, known, y);
    }
    None
}

fn hide_zero(b: &mut Builder, known: &Known, v: &mut Value) {
    let ty = b.ty(*v);
    let Some(bits) = known.constant(*v) else {
        return;
    };
    if ty.scalar.is_float() && bits & !(1 << (ty.scalar.bits() - 1)) == 0 {
        let int = Type {
            scalar: Scalar::int(ty.scalar.bits()),
            ..ty
        };
        let zero = opaque_constant(b, bits, int);
        *v = b.bitcast(zero, ty);
    }
}
