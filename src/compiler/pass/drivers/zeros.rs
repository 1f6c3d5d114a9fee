//! Constant zeros in a form that the driver's compiler does not mistake.
//!
//! llvmpipe takes quotients of a constant zero, and of Mesa 22 also products with one, for that zero, without looking
//! at the other operand: also where it is NaN, infinite or negative, or zero itself below it. Quotients by one are undefined
//! to it, and become the other operand. Sums with one and differences to one are the other operand, and what is subtracted from one
//! that operand's negation, also where the operand is a zero of either sign. A choice of -0.0 or 1.0 is the truth as a number to Mesa,
//! so that its zero is positive, and one of 0.0 or -1.0 that number's negation. All this it does lane by lane. To NVIDIA's compiler a choice
//! of -0.0 or -1.0 is an integer's, too.
//!
//! Algorithm: such a zero, or a vector with one, becomes a value that only the host knows, and so does what functions make of constants, which may
//! be one; in quotients so does all that is no other constant.

use super::Known;
use super::opaque::{opaque, opaque_constant};
use crate::ir::builder::Builder;
use crate::ir::util::yielded_mut;
use crate::ir::{Addr, BinOp, Bits, Inst, Op, Scalar, Space, TernOp, Type, Value, eval};

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
        // The driver puts functions where they are called, and the first round of a loop in front of it.
        Op::Call { args: values, .. } | Op::Loop { init: values, .. } => {
            for v in values {
                hide_zero(b, known, v);
            }
        }
        // It finds out what is in private objects, whose scalars may be integers.
        Op::Store {
            addr: Addr::Object(object, _),
            value,
            ..
        } if b.func.objects[object.index()].space == Space::Private
            && (b.ty(*value).scalar.is_float() || known.constant(*value) == Some(0)) =>
        {
            hide_zero_bits(b, known, value);
        }
        _ => {}
    }
    None
}

/// Floats, and integers of their bits: to the driver they are the same. It makes choices of branches, too.
pub fn choices(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if inst.fast.no_signed_zero {
        return None;
    }
    match &mut inst.op {
        Op::Select(_, x, y) => {
            let any = |_| true;
            if is_mistaken(b, known, *x, *y, any) {
                *x = hidden(b, known, *x);
            } else if is_mistaken(b, known, *y, *x, any) {
                *y = hidden(b, known, *y);
            }
        }
        Op::If(_, then, other) => {
            let (Some(then), Some(other)) = (yielded_mut(then), yielded_mut(other)) else {
                return None;
            };
            for (x, y) in then.iter_mut().zip(other) {
                let found = |lane| known.is_of_constants(lane);
                let values = (*x, *y);
                for (constant, other) in [(x, values.1), (y, values.0)] {
                    if known.constant(*constant).is_some()
                        && is_mistaken(b, known, *constant, other, found)
                    {
                        *constant = hidden(b, known, *constant);
                    }
                }
            }
        }
        _ => {}
    }
    None
}

/// In a lane there is a constant that the driver takes for one of the other sign beside what `y` has there, or beside what it may find
/// there: `may_find` tells of what.
fn is_mistaken(
    b: &Builder,
    known: &Known,
    x: Value,
    y: Value,
    may_find: impl Fn(Value) -> bool,
) -> bool {
    let ty = b.ty(x);
    let float = match ty.scalar.bits() {
        16 => Scalar::F16,
        32 => Scalar::F32,
        64 => Scalar::F64,
        _ => return false,
    };
    let (found, is_float) = (known.any_lane(y, may_find), ty.scalar.is_float());
    (0..ty.lanes).any(|i| match (known.lane(x, i), known.lane(y, i)) {
        (None, _) => false,
        (Some(x), Some(y)) => zero_or_one(float, x, y) || zero_or_one(float, y, x),
        // Integers are rarely such a one.
        (Some(0), None) if !is_float => false,
        (Some(x), None) => found && (is_zero(float, x) || is_one(float, x)),
    })
}

/// A zero that is not +0.0 beside 1.0, and a one.
fn zero_or_one(float: Scalar, zero: Bits, one: Bits) -> bool {
    let sign = 1 << (float.bits() - 1);
    is_zero(float, zero) && is_one(float, one) && (zero | one) & sign != 0
}

/// Of either sign.
fn is_one(float: Scalar, bits: Bits) -> bool {
    eval::to_f64(float, bits).abs() == 1.0
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
    if b.ty(*v).scalar.is_float() {
        hide_zero_bits(b, known, v);
    }
}

fn hide_zero_bits(b: &mut Builder, known: &Known, v: &mut Value) {
    let scalar = b.ty(*v).scalar;
    let zero = |lane| match known.constant(lane) {
        Some(bits) => is_zero(scalar, bits),
        None => known.is_of_constants(lane),
    };
    if known.any_lane(*v, zero) {
        *v = hidden(b, known, *v);
    }
}

fn hidden(b: &mut Builder, known: &Known, v: Value) -> Value {
    let Some(bits) = known.constant(v) else {
        return opaque(b, v);
    };
    let ty = b.ty(v);
    let int = Type {
        scalar: Scalar::int(ty.scalar.bits()),
        ..ty
    };
    let constant = opaque_constant(b, bits, int);
    b.bitcast(constant, ty)
}

/// Of either sign.
fn is_zero(float: Scalar, bits: Bits) -> bool {
    bits & !(1 << (float.bits() - 1)) == 0
}
