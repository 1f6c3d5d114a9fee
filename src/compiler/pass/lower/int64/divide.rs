//! Division of pairs, by 32-bit divisions.
//!
//! Algorithm: long division in digits of 16 bits, as Knuth describes it (The Art of Computer Programming, volume 2,
//! 4.3.1, algorithm D). If the divisor is one word, the quotient's high word is a division of words, and its low word one of two
//! words by one. Else the quotient is one word: the same division by the divisor's highest 32 bits, of half the
//! dividend, estimates it, one too large at most.

use super::Pair;
use super::arith::{compare, mul, sign, sub, with_sign};
use crate::ir::builder::Builder;
use crate::ir::{BinOp, CastOp, CmpOp, Type, UnOp, Value};

/// x / y. Any value where y is zero.
pub fn quotient(b: &mut Builder, x: Pair, y: Pair, signed: bool) -> Pair {
    if !signed {
        return unsigned(b, x, y);
    }
    let signs = [x.high, y.high].map(|high| sign(b, high));
    let [x, y] = [(x, signs[0]), (y, signs[1])].map(|(v, sign)| with_sign(b, v, sign));
    let quotient = unsigned(b, x, y);
    let sign = b.binary(BinOp::Xor, signs[0], signs[1]);
    with_sign(b, quotient, sign)
}

fn unsigned(b: &mut Builder, x: Pair, y: Pair) -> Pair {
    let ty = b.ty(x.low);
    if ty != Type::I32 {
        return long_division(b, x, y);
    }
    // Most numbers are small.
    let zero = b.zero_value(ty);
    let high = b.binary(BinOp::Or, x.high, y.high);
    let small = b.compare(CmpOp::Eq, high, zero);
    let words = b.if_else(
        small,
        &[ty, ty],
        |b| vec![b.binary(BinOp::UDiv, x.low, y.low), zero],
        |b| {
            let quotient = long_division(b, x, y);
            vec![quotient.low, quotient.high]
        },
    );
    Pair {
        low: words[0],
        high: words[1],
    }
}

fn long_division(b: &mut Builder, x: Pair, y: Pair) -> Pair {
    let ty = b.ty(x.low);
    let [zero, one, most] = [0, 1, 31].map(|n| b.const_int(ty, n));
    let one_word = b.compare(CmpOp::Eq, y.high, zero);
    let high = b.binary(BinOp::UDiv, x.high, y.low);
    let product = b.binary(BinOp::Mul, high, y.low);
    let rest = b.binary(BinOp::Sub, x.high, product);

    let bits = b.unary(UnOp::Clz, y.high);
    let left = b.unary(UnOp::Not, bits);
    let crossing = b.binary(BinOp::LShr, y.low, one);
    let crossing = b.binary(BinOp::LShr, crossing, left);
    let top = b.binary(BinOp::Shl, y.high, bits);
    let top = b.binary(BinOp::Or, top, crossing);
    let half_low = b.binary(BinOp::LShr, x.low, one);
    let half_crossing = b.binary(BinOp::Shl, x.high, most);
    let half = Pair {
        low: b.binary(BinOp::Or, half_low, half_crossing),
        high: b.binary(BinOp::LShr, x.high, one),
    };

    let dividend = Pair {
        low: b.select(one_word, x.low, half.low),
        high: b.select(one_word, rest, half.high),
    };
    let divisor = b.select(one_word, y.low, top);
    let digits = two_by_one(b, dividend, divisor);

    // At most one too large, unless it is zero; one less is at most one too small.
    let estimate = b.binary(BinOp::LShr, digits, left);
    let positive = b.compare(CmpOp::Ne, estimate, zero);
    let less = b.cast(CastOp::BoolToInt, positive, ty);
    let estimate = b.binary(BinOp::Sub, estimate, less);
    let estimated = Pair {
        low: estimate,
        high: zero,
    };
    let product = mul(b, estimated, y);
    let rest = sub(b, x, product);
    let fits = compare(b, CmpOp::Uge, rest, y);
    let more = b.cast(CastOp::BoolToInt, fits, ty);
    let estimate = b.binary(BinOp::Add, estimate, more);
    Pair {
        low: b.select(one_word, digits, estimate),
        high: b.select(one_word, high, zero),
    }
}

/// Two words by a word that is larger than the high one of them.
fn two_by_one(b: &mut Builder, x: Pair, y: Value) -> Value {
    let ty = b.ty(y);
    let [one, digit, low_digit] = [1, 16, 0xffff].map(|n| b.const_int(ty, n));
    // The divisor's highest bit is set, so that estimates of digits are two too large at most.
    let bits = b.unary(UnOp::Clz, y);
    let left = b.unary(UnOp::Not, bits);
    let y = b.binary(BinOp::Shl, y, bits);
    let crossing = b.binary(BinOp::LShr, x.low, one);
    let crossing = b.binary(BinOp::LShr, crossing, left);
    let high = b.binary(BinOp::Shl, x.high, bits);
    let high = b.binary(BinOp::Or, high, crossing);
    let low = b.binary(BinOp::Shl, x.low, bits);
    let split = |b: &mut Builder, v| {
        (
            b.binary(BinOp::LShr, v, digit),
            b.binary(BinOp::And, v, low_digit),
        )
    };
    let (y_high, y_low) = split(b, y);
    let (low_first, low_second) = split(b, low);

    // A digit of the quotient, and what is left of `rest` with the next digit of the dividend.
    let step = |b: &mut Builder, rest, next| {
        let mut quotient = b.binary(BinOp::UDiv, rest, y_high);
        let product = b.binary(BinOp::Mul, quotient, y_high);
        let mut left = b.binary(BinOp::Sub, rest, product);
        for _ in 0..2 {
            let (beyond, _) = split(b, quotient);
            let zero = b.zero_value(ty);
            let beyond = b.compare(CmpOp::Ne, beyond, zero);
            let product = b.binary(BinOp::Mul, quotient, y_low);
            let shifted = b.binary(BinOp::Shl, left, digit);
            let least = b.binary(BinOp::Or, shifted, next);
            let larger = b.compare(CmpOp::Ugt, product, least);
            let too_large = b.binary(BinOp::Or, beyond, larger);
            let (whole, _) = split(b, left);
            let comparable = b.compare(CmpOp::Eq, whole, zero);
            let too_large = b.binary(BinOp::And, too_large, comparable);
            let less = b.cast(CastOp::BoolToInt, too_large, ty);
            quotient = b.binary(BinOp::Sub, quotient, less);
            let more = b.select(too_large, y_high, zero);
            left = b.binary(BinOp::Add, left, more);
        }
        let shifted = b.binary(BinOp::Shl, rest, digit);
        let all = b.binary(BinOp::Or, shifted, next);
        let product = b.binary(BinOp::Mul, quotient, y);
        (quotient, b.binary(BinOp::Sub, all, product))
    };
    let (first, rest) = step(b, high, low_first);
    let (second, _) = step(b, rest, low_second);
    let first = b.binary(BinOp::Shl, first, digit);
    b.binary(BinOp::Add, first, second)
}
