//! Halves as integers of 16 bits, for devices without arithmetic of them: what then remains of halves, loads,
//! stores and conversions, is computed from their bits.
//!
//! Vulkan allows conversions there, but llvmpipe's compiler calls a function that is not there for a float of
//! a half where the processor has no F16C, and offers no shaderFloat16.

use super::legalize::rounded_to_odd;
use crate::ir::builder::Builder;
use crate::ir::util::rewrite;
use crate::ir::{BinOp, CastOp, CmpOp, Function, Op, Scalar, Type, UnOp, Value};

/// A half's exponent as that of an f32: of infinity and NaN this twice.
const MORE_EXPONENT: i64 = 112 << 23;

pub fn as_integers(func: &mut Function) {
    let elements = func.objects.iter_mut().map(|object| &mut object.elem);
    let types = func.values.iter_mut().chain(&mut func.ret).chain(elements);
    let mut any = false;
    for ty in types.filter(|ty| ty.scalar == Scalar::F16) {
        ty.scalar = Scalar::I16;
        any = true;
    }
    if !any {
        return;
    }
    rewrite(func, |b, inst| {
        if let (Op::Cast(op, a), &[result]) = (&inst.op, &inst.results[..]) {
            let (from, to) = (b.ty(*a), b.ty(result));
            match op {
                CastOp::FpExt if from.scalar == Scalar::I16 => return vec![wider(b, *a, to)],
                CastOp::FpTrunc if to.scalar == Scalar::I16 => return vec![half(b, *a, to)],
                CastOp::Bitcast if from == to => return vec![*a],
                _ => {}
            }
        }
        b.push(inst);
        Vec::new()
    });
}

/// A half as f32 or f64.
fn wider(b: &mut Builder, half: Value, ty: Type) -> Value {
    let fast = std::mem::take(&mut b.fast);
    let int = Type::vector(Scalar::I32, ty.lanes);
    let single = Type::vector(Scalar::F32, ty.lanes);
    let bits = b.cast(CastOp::ZExt, half, int);
    let (size, sign) = (
        with(b, BinOp::And, bits, 0x7fff),
        with(b, BinOp::And, bits, 0x8000),
    );
    let raised = with(b, BinOp::Shl, size, 13);
    let normal = with(b, BinOp::Add, raised, MORE_EXPONENT);
    let special = with(b, BinOp::Add, normal, MORE_EXPONENT);
    // A count of units of 2^-24, which is normal as f32.
    let units = b.cast(CastOp::UiToFp, size, single);
    let unit = b.const_float(single, 1.0 / f64::from(1 << 24));
    let small = b.binary(BinOp::FMul, units, unit);
    let small = b.bitcast(small, int);
    let is_small = compared(b, CmpOp::Ult, size, 0x400);
    let is_special = compared(b, CmpOp::Uge, size, 0x7c00);
    let finite = b.select(is_small, small, normal);
    let size = b.select(is_special, special, finite);
    let sign = with(b, BinOp::Shl, sign, 16);
    let float = b.binary(BinOp::Or, size, sign);
    let float = b.bitcast(float, single);
    b.fast = fast;
    match ty.scalar {
        Scalar::F64 => b.cast(CastOp::FpExt, float, ty),
        _ => float,
    }
}

/// The half nearest to an f32 or f64, ties to even.
fn half(b: &mut Builder, a: Value, ty: Type) -> Value {
    let fast = std::mem::take(&mut b.fast);
    let a = match b.ty(a).scalar {
        Scalar::F64 => rounded_to_odd(b, a),
        _ => a,
    };
    let int = Type::vector(Scalar::I32, ty.lanes);
    let bits = b.bitcast(a, int);
    let size = with(b, BinOp::And, bits, 0x7fff_ffff);
    // A carry goes into the exponent.
    let lowered = with(b, BinOp::Sub, size, MORE_EXPONENT);
    let more = b.round_bits(lowered, 13);
    let normal = with(b, BinOp::LShr, more, 13);
    let normal = with(b, BinOp::UMin, normal, 0x7c00);
    // The sum with 1/2 is rounded to units of 2^-24.
    let float = b.unary(UnOp::FAbs, a);
    let ty32 = b.ty(a);
    let one_half = b.const_float(ty32, 0.5);
    let sum = b.binary(BinOp::FAdd, float, one_half);
    let sum = b.bitcast(sum, int);
    let small = with(b, BinOp::Sub, sum, 126 << 23);
    let is_small = compared(b, CmpOp::Ult, size, 113 << 23);
    let is_nan = compared(b, CmpOp::Ugt, size, 255 << 23);
    let nan = b.const_int(int, 0x7e00);
    let number = b.select(is_small, small, normal);
    let size = b.select(is_nan, nan, number);
    let sign = with(b, BinOp::LShr, bits, 16);
    let sign = with(b, BinOp::And, sign, 0x8000);
    let half = b.binary(BinOp::Or, size, sign);
    b.fast = fast;
    b.cast(CastOp::Trunc, half, ty)
}

/// `op` of a value and a constant of its type.
fn with(b: &mut Builder, op: BinOp, a: Value, constant: i64) -> Value {
    let constant = b.const_int(b.ty(a), constant);
    b.binary(op, a, constant)
}

fn compared(b: &mut Builder, op: CmpOp, a: Value, constant: i64) -> Value {
    let constant = b.const_int(b.ty(a), constant);
    b.compare(op, a, constant)
}
