//! Divisions of 64-bit integers by 32-bit ones, and those by constants by multiplications.
//!
//! GPUs divide 64-bit integers by code that their drivers' compilers put in. That of Mesa divides bit by bit: 784
//! instructions on RDNA3, where `lower::int64`'s takes 262 and is left early by small numbers; on NVIDIA's chips before
//! Volta its register allocator fails on some of it. There divisions by constants stay: compilers multiply instead.
//! Where the integers are pairs of words, those are multiplications here.
//!
//! NVIDIA's own compiler (580, H100) must not have any. Of two divisions by the same constant, or with the same divisor, the second has the
//! first one's result, and other 64-bit values of a function with a division get wrong high words. Signed words it divides
//! by a constant as floats, in 14 instructions with two conversions back, which are slow, and unsigned ones by a multiplication.

use super::Known;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Bits, CastOp, CmpOp, Inst, Op, Scalar, TernOp, Type, UnOp, Value, eval};
use crate::pass::lower::int64::{Pair, divide};
use crate::pass::lower::legalize::umulhi64;
use rustc_hash::FxHashMap;

/// Quotients by the division and its operands: remainders share them.
pub type Quotients = FxHashMap<(BinOp, Value, Value), Value>;

/// Divisions by what is no constant, by those of words.
pub fn by_values(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    divided(b, known, inst, Scalar::I64, |b, op, x, y, constant| {
        let pairs = [x, y].map(|v| Pair::of(b, v));
        let by_words = |b: &mut Builder| divide::quotient(b, pairs[0], pairs[1], op == BinOp::SDiv);
        constant.is_none().then(|| by_words(b).joined(b))
    })
}

/// Divisions by constants, by multiplications.
pub fn by_constants(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    divided(b, known, inst, Scalar::I64, |b, op, x, y, constant| {
        Some(by_constant(b, op, x, y, constant?))
    })
}

/// Divisions of signed words by constants, by multiplications.
pub fn signed_words(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    divided(b, known, inst, Scalar::I32, |b, op, x, _, constant| {
        let divisor = eval::signed(Scalar::I32, constant?);
        (op == BinOp::SDiv).then(|| signed_word(b, x, divisor))?
    })
}

pub fn all(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    divided(b, known, inst, Scalar::I64, |b, op, x, y, constant| {
        Some(match (constant, op) {
            (Some(constant), _) => by_constant(b, op, x, y, constant),
            (None, BinOp::SDiv) => signed(b, x, y, by_reciprocal),
            (None, _) => by_reciprocal(b, x, y),
        })
    })
}

/// What takes the place of a division of such integers: `quotient` is given UDiv or SDiv, the operands, and
/// the divisor if that is a constant. `legalize` leaves no remainders of signed integers.
fn divided(
    b: &mut Builder,
    known: &mut Known,
    inst: &Inst,
    scalar: Scalar,
    quotient: impl FnOnce(&mut Builder, BinOp, Value, Value, Option<Bits>) -> Option<Value>,
) -> Option<Vec<Value>> {
    let Op::Binary(op @ (BinOp::UDiv | BinOp::SDiv | BinOp::URem), x, y) = inst.op else {
        return None;
    };
    if b.ty(x).scalar != scalar {
        return None;
    }
    let division = match op {
        BinOp::SDiv => op,
        _ => BinOp::UDiv,
    };
    let key = (division, x, y);
    let shared = known.quotients.get(&key).copied();
    let quotient = match shared.filter(|&v| b.is_visible(v)) {
        Some(quotient) => quotient,
        None => quotient(b, division, x, y, known.constant(y))?,
    };
    known.quotients.insert(key, quotient);
    if op != BinOp::URem {
        return Some(vec![quotient]);
    }
    let product = b.binary(BinOp::Mul, quotient, y);
    Some(vec![b.binary(BinOp::Sub, x, product)])
}

/// The quotient of two signed integers by that of their sizes.
fn signed(
    b: &mut Builder,
    x: Value,
    y: Value,
    unsigned: impl FnOnce(&mut Builder, Value, Value) -> Value,
) -> Value {
    let most = b.const_int(b.ty(x), 63);
    let signs = [x, y].map(|v| b.binary(BinOp::AShr, v, most));
    let with_sign = |b: &mut Builder, v, sign| {
        let flipped = b.binary(BinOp::Xor, v, sign);
        b.binary(BinOp::Sub, flipped, sign)
    };
    let sizes = [with_sign(b, x, signs[0]), with_sign(b, y, signs[1])];
    let quotient = unsigned(b, sizes[0], sizes[1]);
    let sign = b.binary(BinOp::Xor, signs[0], signs[1]);
    with_sign(b, quotient, sign)
}

/// x / y of unsigned integers.
///
/// Algorithm: 2^64 / y begins as the quotient of floats, too small by at most two millionths and one. Two steps of Newton's
/// method, which stay below, leave it less than 1.4 too small, so that the quotient is two too small at most.
fn by_reciprocal(b: &mut Builder, x: Value, y: Value) -> Value {
    let ty = b.ty(x);
    if ty.lanes > 1 {
        return long_division(b, x, y);
    }
    // Most numbers are small.
    let [zero, by] = [0, 32].map(|n| b.const_int(ty, n));
    let both = b.binary(BinOp::Or, x, y);
    let high = b.binary(BinOp::LShr, both, by);
    let small = b.compare(CmpOp::Eq, high, zero);
    let quotient = b.if_else(
        small,
        &[ty],
        |b| {
            let [x, y] = [x, y].map(|v| b.cast(CastOp::Trunc, v, Type::I32));
            let quotient = b.binary(BinOp::UDiv, x, y);
            vec![b.cast(CastOp::ZExt, quotient, ty)]
        },
        |b| vec![long_division(b, x, y)],
    );
    quotient[0]
}

fn long_division(b: &mut Builder, x: Value, y: Value) -> Value {
    let ty = b.ty(x);
    let float = Type::vector(Scalar::F32, ty.lanes);
    let [two_32, below_two_64, two_less_32] = [
        4_294_967_296.0,
        18_446_744_073_709_551_616.0 * (1.0 - 1.0 / 1_048_576.0),
        1.0 / 4_294_967_296.0,
    ]
    .map(|v| b.const_float(float, v));
    let [zero, one] = [0, 1].map(|n| b.const_int(ty, n));

    let Pair { low, high } = Pair::of(b, y);
    let [low, high] = [low, high].map(|v| b.cast(CastOp::UiToFp, v, float));
    let divisor = b.ternary(TernOp::Fma, high, two_32, low);
    let one_float = b.const_float(float, 1.0);
    let inverse = b.binary(BinOp::FDiv, one_float, divisor);
    let scaled = b.binary(BinOp::FMul, inverse, below_two_64);
    let high = b.binary(BinOp::FMul, scaled, two_less_32);
    let high = b.unary(UnOp::FTrunc, high);
    let taken = b.unary(UnOp::FNeg, high);
    let low = b.ternary(TernOp::Fma, taken, two_32, scaled);
    let word = Type::vector(Scalar::I32, ty.lanes);
    let [low, high] = [low, high].map(|v| b.cast(CastOp::FpToUi, v, word));
    let mut inverse = Pair { low, high }.joined(b);

    let negative = b.unary(UnOp::Neg, y);
    for _ in 0..2 {
        let missing = b.binary(BinOp::Mul, negative, inverse);
        let step = umulhi64(b, inverse, missing, ty);
        inverse = b.binary(BinOp::Add, inverse, step);
    }
    let mut quotient = umulhi64(b, x, inverse, ty);
    let product = b.binary(BinOp::Mul, quotient, y);
    let mut rest = b.binary(BinOp::Sub, x, product);
    for _ in 0..2 {
        let more = b.compare(CmpOp::Uge, rest, y);
        let [taken, added] = [y, one].map(|v| b.select(more, v, zero));
        rest = b.binary(BinOp::Sub, rest, taken);
        quotient = b.binary(BinOp::Add, quotient, added);
    }
    quotient
}

fn by_constant(b: &mut Builder, op: BinOp, x: Value, y: Value, divisor: Bits) -> Value {
    match op {
        BinOp::SDiv => signed(b, x, y, |b, x, _| {
            by_multiplier(b, x, (divisor as i64).unsigned_abs(), 63)
        }),
        _ => by_multiplier(b, x, divisor, 64),
    }
}

/// x / y of unsigned integers, of which x has at most `bits` bits or is 2^`bits`.
///
/// Algorithm: Granlund and Montgomery, Division by Invariant Integers using Multiplication. With m the integer above
/// 2^(64+s) / y, the quotient is m x >> 64 + s if m y - 2^(64+s) is less than 2^(64+s-bits).
fn by_multiplier(b: &mut Builder, x: Value, divisor: Bits, bits: u32) -> Value {
    let ty = b.ty(x);
    let shifted = |b: &mut Builder, x, by: u32| {
        let by = b.const_int(ty, by.into());
        b.binary(BinOp::LShr, x, by)
    };
    let zeros = divisor.trailing_zeros();
    if divisor == 0 || divisor.is_power_of_two() {
        return shifted(b, x, zeros % u64::BITS);
    }
    if divisor.leading_zeros() == 0 {
        let y = b.const_bits(ty, divisor);
        let once = b.compare(CmpOp::Uge, x, y);
        return b.cast(CastOp::BoolToInt, once, ty);
    }
    let fitting = [0, zeros]
        .into_iter()
        .find_map(|zeros| Some((zeros, multiplier(divisor >> zeros, 64, bits - zeros)?)));
    if let Some((before, (multiplier, behind))) = fitting {
        let x = shifted(b, x, before);
        let multiplier = b.const_bits(ty, multiplier);
        let product = umulhi64(b, x, multiplier, ty);
        return shifted(b, product, behind);
    }
    // It has 65 bits: x is added, halved so that nothing is carried out.
    let s = u64::BITS - divisor.leading_zeros();
    let multiplier = b.const_bits(ty, above(divisor, 64 + s).0 as u64);
    let product = umulhi64(b, x, multiplier, ty);
    let rest = b.binary(BinOp::Sub, x, product);
    let half = shifted(b, rest, 1);
    let sum = b.binary(BinOp::Add, half, product);
    shifted(b, sum, s - 1)
}

/// The integer above 2^power / divisor, and by how much its product with the divisor is above 2^power.
fn above(divisor: u64, power: u32) -> (u128, u128) {
    let power = 1u128 << power;
    let multiplier = power / u128::from(divisor) + 1;
    (multiplier, multiplier * u128::from(divisor) - power)
}

/// m and the least s for numbers of at most `bits` bits, where m has `width` bits or less.
fn multiplier(divisor: u64, width: u32, bits: u32) -> Option<(u64, u32)> {
    (0..u64::BITS - divisor.leading_zeros()).find_map(|s| {
        let (multiplier, excess) = above(divisor, width + s);
        let fits = multiplier >> width == 0 && excess < 1 << (width + s - bits);
        fits.then_some((multiplier as u64, s))
    })
}

/// x / divisor of signed words, where it is no power of two, rounded down and one more for numbers below zero.
fn signed_word(b: &mut Builder, x: Value, divisor: i64) -> Option<Value> {
    let size = divisor.unsigned_abs();
    if size == 0 || size.is_power_of_two() {
        return None;
    }
    let ty = b.ty(x);
    let (multiplier, behind) = multiplier(size, 32, 31)?;
    let factor = b.const_bits(ty, multiplier);
    let mut product = b.binary(BinOp::SMulHi, x, factor);
    if multiplier >> 31 != 0 {
        // As a signed word the factor is 2^32 less.
        product = b.binary(BinOp::Add, product, x);
    }
    let [behind, most] = [behind, 31].map(|by| b.const_int(ty, by.into()));
    let quotient = b.binary(BinOp::AShr, product, behind);
    let sign = b.binary(BinOp::LShr, product, most);
    let quotient = b.binary(BinOp::Add, quotient, sign);
    Some(match divisor < 0 {
        true => b.unary(UnOp::Neg, quotient),
        false => quotient,
    })
}
