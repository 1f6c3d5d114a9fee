//! Conversions from and to pairs. Those between pairs and floats are exact up to one rounding.

use super::arith::{extended, shift, sign, with_sign};
use super::{New, Pair, Splitter, is_wide, word};
use crate::ir::builder::Builder;
use crate::ir::{BinOp, CastOp, CmpOp, FastMath, Scalar, Type, UnOp, Value};
use crate::pass::drivers::conversions::by_signed;
use crate::target::Target;

/// 2^32.
const WORD: f64 = 4294967296.0;

impl Splitter<'_> {
    pub(super) fn cast(&mut self, op: CastOp, a: Value, ty: Type) -> New {
        let pair = self.pairs.get(&a).copied();
        let b = &mut self.b;
        let from = b.ty(a);
        // What may be assumed of the conversion does not hold of its steps.
        b.fast = FastMath::default();
        match (op, pair) {
            (CastOp::Bitcast, _) => {
                let words = match pair {
                    Some(pair) => words_of_pair(b, pair),
                    None => b.words(a),
                };
                match is_wide(ty) {
                    true => New::Pair(pair_of(b, &words)),
                    false => New::Value(b.from_words(&words, ty)),
                }
            }
            (CastOp::Trunc, Some(pair)) => New::Value(b.int_resize(pair.low, ty.scalar, false)),
            (CastOp::ZExt | CastOp::SExt, _) => {
                let signed = op == CastOp::SExt;
                let low = b.int_resize(a, Scalar::I32, signed);
                New::Pair(extended(b, low, signed))
            }
            (CastOp::FpToSi | CastOp::FpToUi, _) => {
                New::Pair(from_float(b, a, from, op == CastOp::FpToSi))
            }
            (_, Some(pair)) => {
                let signed = op == CastOp::SiToFp;
                New::Value(to_float(b, pair, ty, signed, self.target))
            }
            // Bool to integer.
            (_, None) => {
                let low = b.cast(op, a, word(ty));
                New::Pair(extended(b, low, false))
            }
        }
    }
}

/// Out of range any value.
fn from_float(b: &mut Builder, a: Value, from: Type, signed: bool) -> Pair {
    let words = Type::vector(Scalar::I32, from.lanes);
    if from.scalar == Scalar::F16 {
        let op = match signed {
            true => CastOp::FpToSi,
            false => CastOp::FpToUi,
        };
        let low = b.cast(op, a, words);
        return extended(b, low, signed);
    }
    // Each step is exact.
    let [up, down] = [WORD, 1.0 / WORD].map(|f| b.const_float(from, f));
    let size = match signed {
        true => b.unary(UnOp::FAbs, a),
        false => a,
    };
    let scaled = b.binary(BinOp::FMul, size, down);
    let high = b.cast(CastOp::FpToUi, scaled, words);
    let whole = b.cast(CastOp::UiToFp, high, from);
    let back = b.binary(BinOp::FMul, whole, up);
    let rest = b.binary(BinOp::FSub, size, back);
    let low = b.cast(CastOp::FpToUi, rest, words);
    let pair = Pair { low, high };
    if !signed {
        return pair;
    }
    let float_zero = b.zero_value(from);
    let negative = b.compare(CmpOp::FLt, a, float_zero);
    let [ones, zeros] = [-1, 0].map(|n| b.const_int(words, n));
    let sign = b.select(negative, ones, zeros);
    with_sign(b, pair, sign)
}

fn to_float(b: &mut Builder, x: Pair, to: Type, signed: bool, target: &Target) -> Value {
    match to.scalar {
        Scalar::F64 => {
            // Both are exact, so only their sum rounds.
            let high = match signed {
                true => b.cast(CastOp::SiToFp, x.high, to),
                false => b.cast(CastOp::UiToFp, x.high, to),
            };
            let low = b.cast(CastOp::UiToFp, x.low, to);
            let up = b.const_float(to, WORD);
            let high = b.binary(BinOp::FMul, high, up);
            b.binary(BinOp::FAdd, high, low)
        }
        Scalar::F16 => {
            // What a float does not represent is beyond all halves.
            let single = to_single(b, x, Type::vector(Scalar::F32, to.lanes), signed, target);
            b.cast(CastOp::FpTrunc, single, to)
        }
        _ => to_single(b, x, to, signed, target),
    }
}

/// From the highest 32 of its bits, of which the last is set if any below is: of a number of two words that has far more
/// digits than a float.
fn to_single(b: &mut Builder, x: Pair, to: Type, signed: bool, target: &Target) -> Value {
    let negative = signed.then(|| sign(b, x.high));
    let x = match negative {
        Some(sign) => with_sign(b, x, sign),
        None => x,
    };
    let ty = b.ty(x.high);
    let [zero, one] = [0, 1].map(|n| b.const_int(ty, n));
    let bits = b.unary(UnOp::Clz, x.high);
    let shifted = shift(b, BinOp::Shl, x, bits);
    let below = b.compare(CmpOp::Ne, shifted.low, zero);
    let sticky = b.select(below, one, zero);
    let digits = b.binary(BinOp::Or, shifted.high, sticky);
    let small = b.compare(CmpOp::Eq, x.high, zero);
    let digits = b.select(small, x.low, digits);
    let value = match target.rounds_unsigned_twice {
        true => by_signed(b, digits, to),
        false => b.cast(CastOp::UiToFp, digits, to),
    };
    // 2^(32 - bits), as the bits of a float, or 1.
    let [largest, digit_bits, unit] = [127 + 32, 23, 127].map(|n| b.const_int(ty, n));
    let exponent = b.binary(BinOp::Sub, largest, bits);
    let exponent = b.select(small, unit, exponent);
    let scale = b.binary(BinOp::Shl, exponent, digit_bits);
    let scale = b.bitcast(scale, to);
    let value = b.binary(BinOp::FMul, value, scale);
    let Some(sign) = negative else { return value };
    let is_negative = b.compare(CmpOp::Ne, sign, zero);
    let opposite = b.unary(UnOp::FNeg, value);
    b.select(is_negative, opposite, value)
}

fn words_of_pair(b: &mut Builder, pair: Pair) -> Vec<Value> {
    let [low, high] = [pair.low, pair.high].map(|v| b.lanes(v));
    low.into_iter()
        .zip(high)
        .flat_map(|(l, h)| [l, h])
        .collect()
}

fn pair_of(b: &mut Builder, words: &[Value]) -> Pair {
    let mut each = |first: usize| {
        let lanes = words.iter().copied().skip(first).step_by(2).collect();
        b.construct(lanes)
    };
    Pair {
        low: each(0),
        high: each(1),
    }
}
