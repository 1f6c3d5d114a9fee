//! Ops that SPIR-V for Vulkan lacks, or defines differently, become ops that it has.
//!
//! Algorithm: one rewrite, op by op; what an expansion produces is expanded again where
//! needed. Needs: NoPointers. Establishes: Legal (docs/ir.md lists what remains), integers of 8 and 16 bits apart.

use super::float_atomics::Word;
use super::{halves, narrow};
use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::rewrite;
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, Module, Op, Order, Scalar, Scope, TernOp, Type, UnOp,
    Value,
};
use crate::pass::{Ctx, each_function};
use crate::target::Target;

pub fn run(module: &mut Module, ctx: &Ctx, _sink: &mut Sink) {
    each_function(module, |func, _| {
        if !ctx.target.float16 {
            halves::as_integers(func);
        }
        rewrite(func, |b, inst| {
            let ty = inst.results.first().map(|&v| b.ty(v));
            match expand(b, &inst.op, ty, ctx.target) {
                Some(value) => vec![value],
                None => {
                    b.push(inst);
                    Vec::new()
                }
            }
        });
    });
}

/// The value that takes the place of `op`, or `None` if it is legal.
fn expand(b: &mut Builder, op: &Op, ty: Option<Type>, target: &Target) -> Option<Value> {
    let ty = ty?;
    match *op {
        Op::Unary(op, a) => unary(b, op, a, ty),
        Op::Binary(BinOp::FDiv, x, y) if target.narrow_fdiv && ty.scalar == Scalar::F32 => {
            Some(scaled_division(b, x, y, ty, target))
        }
        Op::Binary(op @ (BinOp::SDot4 | BinOp::UDot4 | BinOp::SuDot4), x, y)
            if !target.dot_product || ty.lanes > 1 =>
        {
            Some(dot_product(b, op, x, y, ty))
        }
        // In words it takes less.
        Op::Binary(op, ..) if narrow::saturates(op) && narrow::represented(ty, target) != ty => {
            None
        }
        Op::Binary(op, x, y) => binary(b, op, x, y, ty),
        Op::Ternary(TernOp::BitSelect, x, y, mask) => Some(bitselect(b, x, y, mask)),
        Op::Ternary(TernOp::Mad, x, y, z) if !target.fused_fma => {
            let product = b.binary(BinOp::FMul, x, y);
            Some(b.binary(BinOp::FAdd, product, z))
        }
        Op::Ternary(TernOp::Mad, x, y, z) => Some(b.ternary(TernOp::Fma, x, y, z)),
        // A scalar condition for a vector: SPIR-V wants one for each lane before 1.4.
        Op::Select(cond, x, y) if ty.lanes > 1 && b.ty(cond).lanes == 1 => {
            let conds = b.splat(cond, ty.lanes);
            Some(b.select(conds, x, y))
        }
        Op::Cast(CastOp::FpTrunc, a)
            if b.ty(a).scalar == Scalar::F64 && ty.scalar == Scalar::F16 =>
        {
            let single = rounded_to_odd(b, a);
            Some(b.cast(CastOp::FpTrunc, single, ty))
        }
        // Beyond the range of the type SPIR-V leaves the result open, and drivers saturate or cut; programs
        // count on the low bits, which most implementations of OpenCL give, by 32 bits.
        Op::Cast(CastOp::FpToSi | CastOp::FpToUi, a) if ty.scalar.bits() < 32 => {
            let word = b.cast(CastOp::FpToSi, a, Type::vector(Scalar::I32, ty.lanes));
            Some(b.cast(CastOp::Trunc, word, ty))
        }
        Op::Atomic {
            op,
            addr,
            ref args,
            order,
            scope,
        } => atomic(b, op, addr, args, order, scope, ty, target),
        _ => None,
    }
}

fn constant(b: &mut Builder, ty: Type, value: i64) -> Value {
    b.const_int(ty, value)
}

/// GLSL.std.450 and the bit instructions are for 32 bits only.
fn unary(b: &mut Builder, op: UnOp, a: Value, ty: Type) -> Option<Value> {
    if !matches!(
        op,
        UnOp::Popcount | UnOp::Clz | UnOp::Ctz | UnOp::BitReverse
    ) {
        return None;
    }
    let bits = ty.scalar.bits() as i64;
    let word = Type::vector(Scalar::I32, ty.lanes);
    if bits == 32 {
        return None;
    }
    if bits < 32 {
        let wide = b.cast(CastOp::ZExt, a, word);
        let value = match op {
            UnOp::Popcount => b.unary(op, wide),
            UnOp::Clz => {
                let n = b.unary(op, wide);
                let extra = constant(b, word, 32 - bits);
                b.binary(BinOp::Sub, n, extra)
            }
            UnOp::Ctz => {
                // A bit above the width stops the count there.
                let stop = constant(b, word, 1 << bits);
                let stopped = b.binary(BinOp::Or, wide, stop);
                b.unary(op, stopped)
            }
            _ => {
                let reversed = b.unary(op, wide);
                let by = constant(b, word, 32 - bits);
                b.binary(BinOp::LShr, reversed, by)
            }
        };
        return Some(b.cast(CastOp::Trunc, value, ty));
    }
    let (low, high) = halves(b, a);
    let (l, h) = (b.unary(op, low), b.unary(op, high));
    let word_result = match op {
        UnOp::Popcount => b.binary(BinOp::Add, l, h),
        UnOp::Clz => either(b, high, h, l),
        UnOp::Ctz => either(b, low, l, h),
        _ => {
            let (l, h) = (b.cast(CastOp::ZExt, l, ty), b.cast(CastOp::ZExt, h, ty));
            let by = constant(b, ty, 32);
            let top = b.binary(BinOp::Shl, l, by);
            return Some(b.binary(BinOp::Or, top, h));
        }
    };
    Some(b.cast(CastOp::ZExt, word_result, ty))
}

/// Beyond this divisor Vulkan promises nothing: its inverse may be subnormal, and flushed.
const LARGEST_DIVISOR: f64 = 85070591730234615865843651857942052864.0;

/// x / y as (x s) / (y s), with a power of two that brings y between the bounds of Vulkan's division.
fn scaled_division(b: &mut Builder, x: Value, y: Value, ty: Type, target: &Target) -> Value {
    let fast = std::mem::take(&mut b.fast);
    let size = b.unary(UnOp::FAbs, y);
    let mut scale = b.const_float(ty, 1.0);
    let mut unless = |b: &mut Builder, op, bound, instead| {
        let bound = b.const_float(ty, bound);
        let beyond = b.compare(op, size, bound);
        let instead = b.const_float(ty, instead);
        scale = b.select(beyond, instead, scale);
    };
    unless(b, CmpOp::FGt, LARGEST_DIVISOR, 0.25);
    // Elsewhere subnormal numbers count as zero.
    if target.denorm_preserve32 {
        unless(
            b,
            CmpOp::FLt,
            f64::from(f32::MIN_POSITIVE),
            f64::from(1 << 24),
        );
    }
    let (x, y) = (
        b.binary(BinOp::FMul, x, scale),
        b.binary(BinOp::FMul, y, scale),
    );
    let quotient = b.binary(BinOp::FDiv, x, y);
    b.fast = fast;
    quotient
}

/// Byte by byte.
fn dot_product(b: &mut Builder, op: BinOp, x: Value, y: Value, ty: Type) -> Value {
    let byte = |b: &mut Builder, v, i: i64, signed| {
        let (up, down) = (constant(b, ty, 24 - 8 * i), constant(b, ty, 24));
        let top = b.binary(BinOp::Shl, v, up);
        b.binary(if signed { BinOp::AShr } else { BinOp::LShr }, top, down)
    };
    let mut sum = b.zero_value(ty);
    for i in 0..4 {
        let left = byte(b, x, i, op != BinOp::UDot4);
        let right = byte(b, y, i, op == BinOp::SDot4);
        let product = b.binary(BinOp::Mul, left, right);
        sum = b.binary(BinOp::Add, sum, product);
    }
    sum
}

/// The count in the first half, or 32 more than that in the second if the first is zero.
fn either(b: &mut Builder, first: Value, count: Value, other: Value) -> Value {
    let ty = b.ty(first);
    let zero = b.zero_value(ty);
    let empty = b.compare(CmpOp::Eq, first, zero);
    let width = constant(b, ty, 32);
    let further = b.binary(BinOp::Add, other, width);
    b.select(empty, further, count)
}

/// Low and high 32 bits of each i64 lane.
fn halves(b: &mut Builder, a: Value) -> (Value, Value) {
    let ty = b.ty(a);
    let word = Type::vector(Scalar::I32, ty.lanes);
    let low = b.cast(CastOp::Trunc, a, word);
    let by = constant(b, ty, 32);
    let shifted = b.binary(BinOp::LShr, a, by);
    (low, b.cast(CastOp::Trunc, shifted, word))
}

fn binary(b: &mut Builder, op: BinOp, x: Value, y: Value, ty: Type) -> Option<Value> {
    let bits = ty.scalar.bits() as i64;
    Some(match op {
        // OpSRem is undefined in Vulkan for a negative operand.
        BinOp::SRem => {
            let quotient = b.binary(BinOp::SDiv, x, y);
            let product = b.binary(BinOp::Mul, quotient, y);
            b.binary(BinOp::Sub, x, product)
        }
        BinOp::SMulHi | BinOp::UMulHi if bits < 32 => {
            let word = Type::vector(Scalar::I32, ty.lanes);
            let signed = op == BinOp::SMulHi;
            let x = b.int_resize(x, Scalar::I32, signed);
            let y = b.int_resize(y, Scalar::I32, signed);
            let product = b.binary(BinOp::Mul, x, y);
            let by = constant(b, word, bits);
            let high = b.binary(BinOp::LShr, product, by);
            b.cast(CastOp::Trunc, high, ty)
        }
        BinOp::UMulHi if bits == 64 => umulhi64(b, x, y, ty),
        // hi(x * y) signed = unsigned - (x < 0 ? y : 0) - (y < 0 ? x : 0)
        BinOp::SMulHi if bits == 64 => {
            let high = umulhi64(b, x, y, ty);
            let by = constant(b, ty, 63);
            let (sx, sy) = (b.binary(BinOp::AShr, x, by), b.binary(BinOp::AShr, y, by));
            let (cx, cy) = (b.binary(BinOp::And, sx, y), b.binary(BinOp::And, sy, x));
            let once = b.binary(BinOp::Sub, high, cx);
            b.binary(BinOp::Sub, once, cy)
        }
        BinOp::UAddSat => {
            let sum = b.binary(BinOp::Add, x, y);
            let over = b.compare(CmpOp::Ult, sum, x);
            let max = constant(b, ty, -1);
            b.select(over, max, sum)
        }
        BinOp::USubSat => {
            let difference = b.binary(BinOp::Sub, x, y);
            let under = b.compare(CmpOp::Ult, x, y);
            let zero = b.zero_value(ty);
            b.select(under, zero, difference)
        }
        BinOp::SAddSat | BinOp::SSubSat => {
            // Overflow if the sign of the result differs from that of x, and y pushed that way.
            let add = op == BinOp::SAddSat;
            let raw = b.binary(if add { BinOp::Add } else { BinOp::Sub }, x, y);
            let against_x = b.binary(BinOp::Xor, x, raw);
            let other = if add { raw } else { x };
            let against_y = b.binary(BinOp::Xor, y, other);
            let both = b.binary(BinOp::And, against_x, against_y);
            let zero = b.zero_value(ty);
            let overflow = b.compare(CmpOp::Slt, both, zero);
            let by = constant(b, ty, bits - 1);
            let sign = b.binary(BinOp::AShr, x, by);
            let max = constant(b, ty, (u64::MAX >> (65 - bits)) as i64);
            let limit = b.binary(BinOp::Xor, sign, max);
            b.select(overflow, limit, raw)
        }
        _ => return None,
    })
}

/// High 64 bits of an unsigned product, from 32-bit halves.
/// The high half of the product of unsigned 64-bit integers.
pub fn umulhi64(b: &mut Builder, x: Value, y: Value, ty: Type) -> Value {
    let low_mask = constant(b, ty, 0xffff_ffff);
    let by = constant(b, ty, 32);
    let split = |b: &mut Builder, v| {
        (
            b.binary(BinOp::And, v, low_mask),
            b.binary(BinOp::LShr, v, by),
        )
    };
    let ((xl, xh), (yl, yh)) = (split(b, x), split(b, y));
    let ll = b.binary(BinOp::Mul, xl, yl);
    let hl = b.binary(BinOp::Mul, xh, yl);
    let lh = b.binary(BinOp::Mul, xl, yh);
    let hh = b.binary(BinOp::Mul, xh, yh);
    let (_, carry) = split(b, ll);
    let middle = b.binary(BinOp::Add, hl, carry);
    let (middle_low, middle_high) = split(b, middle);
    let middle = b.binary(BinOp::Add, lh, middle_low);
    let (_, top) = split(b, middle);
    let sum = b.binary(BinOp::Add, hh, middle_high);
    b.binary(BinOp::Add, sum, top)
}

fn bitselect(b: &mut Builder, x: Value, y: Value, mask: Value) -> Value {
    let ty = b.ty(x);
    let int = Type::vector(Scalar::int(ty.scalar.bits()), ty.lanes);
    let [x, y, mask] = [x, y, mask].map(|v| b.bitcast(v, int));
    let differing = b.binary(BinOp::Xor, x, y);
    let taken = b.binary(BinOp::And, differing, mask);
    let result = b.binary(BinOp::Xor, x, taken);
    b.bitcast(result, ty)
}

/// A double as f32 that becomes the right half: rounded to odd, so that the second rounding sees what
/// the first dropped. Not all devices round once.
pub fn rounded_to_odd(b: &mut Builder, a: Value) -> Value {
    let wide = b.ty(a);
    let single = Type::vector(Scalar::F32, wide.lanes);
    let int = Type::vector(Scalar::I32, wide.lanes);
    let near = b.cast(CastOp::FpTrunc, a, single);
    let back = b.cast(CastOp::FpExt, near, wide);
    let (size, exact_size) = (b.unary(UnOp::FAbs, back), b.unary(UnOp::FAbs, a));
    let larger = b.compare(CmpOp::FGt, size, exact_size);
    let inexact = b.compare(CmpOp::FNe, back, a);
    let bits = b.bitcast(near, int);
    let one = constant(b, int, 1);
    let below = b.binary(BinOp::Sub, bits, one);
    let towards_zero = b.select(larger, below, bits);
    let odd = b.binary(BinOp::Or, towards_zero, one);
    let rounded = b.select(inexact, odd, bits);
    b.bitcast(rounded, single)
}

/// Float atomics as integers: exchange and friends by their bits, arithmetic by a
/// compare-exchange loop where the device has no instruction.
#[allow(clippy::too_many_arguments)]
fn atomic(
    b: &mut Builder,
    op: AtomicOp,
    addr: Addr,
    args: &[Value],
    order: Order,
    scope: Scope,
    ty: Type,
    target: &Target,
) -> Option<Value> {
    if !ty.scalar.is_float() {
        return None;
    }
    let int = Type::scalar(Scalar::int(ty.scalar.bits()));
    if matches!(op, AtomicOp::Load | AtomicOp::Xchg | AtomicOp::CmpXchg) {
        let args = args.iter().map(|&v| b.bitcast(v, int)).collect();
        let old = b.atomic(op, addr, args, int, order, scope);
        return Some(b.bitcast(old, ty));
    }
    let device = matches!(addr, Addr::Device(_));
    let has_add = if device {
        target.float32_atomic_add
    } else {
        target.float32_local_atomic_add
    };
    if op == AtomicOp::FAdd && ty == Type::F32 && has_add {
        return None;
    }
    let word = Word::whole(addr, ty);
    Some(word.by_compare_exchange(b, op, args, order, scope))
}
