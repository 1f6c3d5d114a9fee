//! Quotients of floats that a division of doubles rounds correctly, by floats.
//!
//! `1.0 / x` of a float that becomes a float, and division under -cl-fp32-correctly-rounded-divide-sqrt, are divisions of doubles, since
//! Vulkan lets a quotient of floats be wrong by 2.5 ulp. GPUs divide doubles by dozens of instructions, each of which takes twice to 64
//! times as long as one of floats.
//!
//! Algorithm: a step of Newton's method makes of Vulkan's reciprocal the float that is nearest to 1 / y, for all but 56 significands of
//! y. A remainder, which fma computes exactly, corrects a quotient by it, and another one makes that the nearest float (Markstein,
//! "Computation of elementary functions on the IBM RISC System/6000", 1990). For 51 of the 56 that is so, too, with every dividend and
//! every reciprocal that is wrong by four ulp at most; the other five are near two. Nothing on the way may leave the range of floats: those
//! five, sizes that could, zero, infinities and NaN are divided as doubles.

use super::Known;
use crate::ir::builder::Builder;
use crate::ir::{
    BinOp, CastOp, CmpOp, FastMath, Inst, Op, Scalar, TernOp, Type, UnOp, Value, eval,
};

/// Sizes that are divided as floats: from 1 / RANGE to RANGE. Quotients are within its square, remainders above 2^-107.
const RANGE: f64 = (1_u64 << 60) as f64;
/// The digits of a float behind the point, and those of divisors from which on the nearest reciprocal may be missed.
const DIGITS: i64 = 0x7f_ffff;
const NEAR_TWO: i64 = 0x7f_fff0;

pub fn rewrite(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let Op::Cast(CastOp::FpTrunc, quotient) = inst.op else {
        return None;
    };
    let ty = b.ty(*inst.results.first()?);
    let [x, y] = known.binary(quotient, BinOp::FDiv)?;
    if ty.scalar != Scalar::F32 || b.ty(x).scalar != Scalar::F64 {
        return None;
    }
    // The digits that remainders have must not be lost.
    b.fast = FastMath::default();
    let (x, y) = (single(b, known, x)?, single(b, known, y)?);
    if ty.lanes == 1 {
        return Some(vec![divided(b, x, y)]);
    }
    let lanes = (0..ty.lanes).map(|lane| {
        let [x, y] = [x, y].map(|v| b.extract(v, lane));
        divided(b, x, y)
    });
    let lanes: Vec<Value> = lanes.collect();
    Some(vec![b.construct(lanes)])
}

/// A double that is a float, as a float.
fn single(b: &mut Builder, known: &Known, v: Value) -> Option<Value> {
    let ty = Type::vector(Scalar::F32, b.ty(v).lanes);
    match *known.op(v)? {
        Op::Const(bits) => Some(b.const_float(ty, eval::exact_single(bits)?.into())),
        Op::Cast(CastOp::FpExt, x) if b.ty(x) == ty => Some(x),
        _ => None,
    }
}

fn divided(b: &mut Builder, x: Value, y: Value) -> Value {
    let bits = b.bitcast(y, Type::I32);
    let [all, near_two] = [DIGITS, NEAR_TWO].map(|digits| b.const_int(Type::I32, digits));
    let digits = b.binary(BinOp::And, bits, all);
    let less = b.compare(CmpOp::Ult, digits, near_two);
    let in_range = [x, y].map(|v| is_in_range(b, v));
    let both = b.binary(BinOp::And, in_range[0], in_range[1]);
    let quick = b.binary(BinOp::And, both, less);
    let quotient = b.if_else(
        quick,
        &[Type::F32],
        |b| vec![by_reciprocal(b, x, y)],
        |b| {
            let [x, y] = [x, y].map(|v| b.cast(CastOp::FpExt, v, Type::F64));
            let quotient = b.binary(BinOp::FDiv, x, y);
            vec![b.cast(CastOp::FpTrunc, quotient, Type::F32)]
        },
    );
    quotient[0]
}

fn is_in_range(b: &mut Builder, v: Value) -> Value {
    let size = b.unary(UnOp::FAbs, v);
    let [least, most] = [RANGE.recip(), RANGE].map(|x| b.const_float(Type::F32, x));
    let [above, below] =
        [(CmpOp::FGe, least), (CmpOp::FLe, most)].map(|(op, limit)| b.compare(op, size, limit));
    b.binary(BinOp::And, above, below)
}

fn by_reciprocal(b: &mut Builder, x: Value, y: Value) -> Value {
    let fma = |b: &mut Builder, x, y, z| b.ternary(TernOp::Fma, x, y, z);
    let minus = b.unary(UnOp::FNeg, y);
    let one = b.const_float(Type::F32, 1.0);
    let reciprocal = b.binary(BinOp::FDiv, one, y);
    let error = fma(b, minus, reciprocal, one);
    let reciprocal = fma(b, reciprocal, error, reciprocal);
    let mut quotient = b.binary(BinOp::FMul, x, reciprocal);
    for _ in 0..2 {
        let remainder = fma(b, minus, quotient, x);
        quotient = fma(b, remainder, reciprocal, quotient);
    }
    quotient
}
