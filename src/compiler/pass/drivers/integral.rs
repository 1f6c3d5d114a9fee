//! Rounding to integral values for drivers that do it wrongly where the processor cannot do it in one
//! instruction.
//!
//! llvmpipe asks the processor to round a vector of floats if its width is the processor's. Other vectors it
//! converts to integers and back, up to 2^24: doubles keep their fractions from there on, nearest is half added,
//! so that ties go anywhere, and zeros lose their sign. AVX-512 is what eight doubles take.
//! Of floor and ceil only those of f32 are made in that way.

use super::Known;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, CmpOp, Inst, Op, Scalar, Type, UnOp, Value};

pub fn rewrite(b: &mut Builder, _: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let Op::Unary(op, a) = inst.op else {
        return None;
    };
    Some(vec![rounded(b, op, a)?])
}

/// `op` of `a`; `None` where the driver's own is right.
fn rounded(b: &mut Builder, op: UnOp, a: Value) -> Option<Value> {
    let ty = b.ty(a);
    let digits = match (op, ty.scalar) {
        (UnOp::Floor | UnOp::Ceil | UnOp::FTrunc | UnOp::Rint, Scalar::F32) => 24,
        (UnOp::FTrunc | UnOp::Rint, Scalar::F64) => 53,
        _ => return None,
    };
    let fast = std::mem::take(&mut b.fast);
    let rounded = match op {
        UnOp::Floor | UnOp::Ceil => b.unary(op, a),
        _ => {
            let size = b.unary(UnOp::FAbs, a);
            match op {
                UnOp::FTrunc => b.unary(UnOp::Floor, size),
                _ => nearest(b, size, digits),
            }
        }
    };
    let signed = with_sign(b, rounded, a);
    b.fast = fast;
    Some(signed)
}

/// The sum with the least number whose unit is 1 is rounded to a whole one, ties to even.
fn nearest(b: &mut Builder, size: Value, digits: u32) -> Value {
    let ty = b.ty(size);
    let whole = b.const_float(ty, (1u64 << (digits - 1)) as f64);
    let raised = b.binary(BinOp::FAdd, size, whole);
    let rounded = b.binary(BinOp::FSub, raised, whole);
    // Also false for NaN.
    let fraction = b.compare(CmpOp::FLt, size, whole);
    b.select(fraction, rounded, size)
}

/// What `a` was rounded to, with its sign where that is zero, too.
fn with_sign(b: &mut Builder, rounded: Value, a: Value) -> Value {
    let ty = b.ty(a);
    let int = Type::vector(Scalar::int(ty.scalar.bits()), ty.lanes);
    let (bits, a) = (b.bitcast(rounded, int), b.bitcast(a, int));
    let mask = b.const_bits(int, 1 << (ty.scalar.bits() - 1));
    let sign = b.binary(BinOp::And, a, mask);
    let signed = b.binary(BinOp::Or, bits, sign);
    b.bitcast(signed, ty)
}
