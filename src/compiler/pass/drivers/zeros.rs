//! Constant zeros in a form that the driver's compiler does not mistake.
//!
//! llvmpipe takes quotients of a constant zero, and of Mesa 22 also products with one, for that zero, without looking
//! at the other operand: also where it is NaN, infinite or negative, or zero itself below it. Quotients by one are undefined
//! to it, and become the other operand. Sums with one and differences to one are the other operand, and what is subtracted from one
//! that operand's negation, also where the operand is a zero of either sign. A choice of -0.0 or 1.0 is the truth as a number to Mesa,
//! so that its zero is positive, and one of 0.0 or -1.0 that number's negation. All this it does lane by lane.
//!
//! Algorithm: such a zero, or a vector with one, becomes a value that only the host knows; in quotients so does all that is no other constant.

use super::Known;
use super::opaque::{opaque, opaque_constant};
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Bits, Inst, Op, Scalar, TernOp, Type, Value, eval};

pub fn quotients(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if let Op::Binary(BinOp::FDiv, x, y) = &mut inst.op {
        if !inst.fast.no_nan {
            hide_possible_zero(b, known, x);
        }
        if !inst.fast.no_nan || !inst.fast.no_inf {
            hide_possible_zero(b, known, y);
        }
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

pub fn sums(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if inst.fast.no_signed_zero {
        return None;
    }
    match &mut inst.op {
        Op::Binary(BinOp::FAdd | BinOp::FSub, x, y) => {
            hide_zero(b, known, x);
            hide_zero(b, known, y);
        }
        Op::Ternary(TernOp::Fma | TernOp::Mad, _, _, x) => hide_zero(b, known, x),
        // The driver puts functions where they are called.
        Op::Call { args, .. } => {
            for arg in args {
                hide_zero(b, known, arg);
            }
        }
        _ => {}
    }
    None
}

/// Floats, and integers of their bits: to the driver they are the same.
pub fn choices(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if let Op::Select(_, x, y) = &mut inst.op
        && !inst.fast.no_signed_zero
    {
        let ty = b.ty(*x);
        let float = match ty.scalar.bits() {
            16 => Scalar::F16,
            32 => Scalar::F32,
            64 => Scalar::F64,
            _ => return None,
        };
        let mistaken = |lane| match [*x, *y].map(|v| known.lane(v, lane)) {
            [Some(x), Some(y)] => zero_or_one(float, x, y) || zero_or_one(float, y, x),
            _ => false,
        };
        if (0..ty.lanes).any(mistaken) {
            *x = opaque(b, *x);
        }
    }
    None
}

/// A zero, and a one of the other sign.
fn zero_or_one(float: Scalar, zero: Bits, one: Bits) -> bool {
    let sign = 1 << (float.bits() - 1);
    is_zero(float, zero) && eval::to_f64(float, one).abs() == 1.0 && (zero ^ one) & sign != 0
}

/// The driver finds zeros that are not known here, too, behind its own loops and functions.
fn hide_possible_zero(b: &mut Builder, known: &Known, v: &mut Value) {
    let scalar = b.ty(*v).scalar;
    let possible = |lane| known.constant(lane).is_none_or(|c| is_zero(scalar, c));
    if known.any_lane(*v, possible) {
        *v = opaque(b, *v);
    }
}

fn hide_zero(b: &mut Builder, known: &Known, v: &mut Value) {
    let ty = b.ty(*v);
    if !ty.scalar.is_float() {
        return;
    }
    // What a function makes of constants the driver finds out.
    let zero = |lane| match known.op(lane) {
        Some(&Op::Const(bits)) => is_zero(ty.scalar, bits),
        Some(Op::Call { args, .. }) => args.iter().all(|arg| known.constant(*arg).is_some()),
        _ => false,
    };
    if !known.any_lane(*v, zero) {
        return;
    }
    *v = match known.op(*v) {
        Some(&Op::Const(bits)) => {
            let int = Type {
                scalar: Scalar::int(ty.scalar.bits()),
                ..ty
            };
            let zero = opaque_constant(b, bits, int);
            b.bitcast(zero, ty)
        }
        _ => opaque(b, *v),
    };
}

/// Of either sign.
fn is_zero(float: Scalar, bits: Bits) -> bool {
    bits & !(1 << (float.bits() - 1)) == 0
}
