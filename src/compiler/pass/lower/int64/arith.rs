//! Arithmetic, comparisons and shifts of pairs.

use super::divide::quotient;
use super::{Pair, word};
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Bits, CastOp, CmpOp, Type, UnOp, Value};

/// 2^32 as an amount to shift by: beyond a word.
const WORD: i64 = 32;

fn constant(b: &mut Builder, like: Value, n: i64) -> Value {
    b.const_int(b.ty(like), n)
}

/// 1 where the condition holds, else 0.
fn one_if(b: &mut Builder, cond: Value, like: Value) -> Value {
    b.cast(CastOp::BoolToInt, cond, b.ty(like))
}

pub fn zero(b: &mut Builder, like: Pair) -> Pair {
    let low = constant(b, like.low, 0);
    Pair { low, high: low }
}

/// All ones where a word is negative, else zero.
pub fn sign(b: &mut Builder, word: Value) -> Value {
    let by = constant(b, word, WORD - 1);
    b.binary(BinOp::AShr, word, by)
}

pub fn unary(b: &mut Builder, op: UnOp, x: Pair) -> Pair {
    match op {
        UnOp::Neg => {
            let zero = zero(b, x);
            sub(b, zero, x)
        }
        // `legalize` leaves no other on 64 bits.
        _ => x.map(|v| b.unary(op, v)),
    }
}

pub fn add(b: &mut Builder, x: Pair, y: Pair) -> Pair {
    let low = b.binary(BinOp::Add, x.low, y.low);
    let carries = b.compare(CmpOp::Ult, low, x.low);
    let carry = one_if(b, carries, low);
    let high = b.binary(BinOp::Add, x.high, y.high);
    let high = b.binary(BinOp::Add, high, carry);
    Pair { low, high }
}

pub fn sub(b: &mut Builder, x: Pair, y: Pair) -> Pair {
    let low = b.binary(BinOp::Sub, x.low, y.low);
    let borrows = b.compare(CmpOp::Ult, x.low, y.low);
    let borrow = one_if(b, borrows, low);
    let high = b.binary(BinOp::Sub, x.high, y.high);
    let high = b.binary(BinOp::Sub, high, borrow);
    Pair { low, high }
}

pub fn mul(b: &mut Builder, x: Pair, y: Pair) -> Pair {
    let low = b.binary(BinOp::Mul, x.low, y.low);
    let high = b.binary(BinOp::UMulHi, x.low, y.low);
    let left = b.binary(BinOp::Mul, x.high, y.low);
    let right = b.binary(BinOp::Mul, x.low, y.high);
    let high = b.binary(BinOp::Add, high, left);
    let high = b.binary(BinOp::Add, high, right);
    Pair { low, high }
}

/// `by`: the bits of `y`, if it is a constant, which simplification puts there.
pub fn binary(b: &mut Builder, op: BinOp, x: Pair, y: Pair, by: Option<Bits>) -> Pair {
    use BinOp::*;
    match op {
        Add => add(b, x, y),
        Sub => sub(b, x, y),
        Mul => match by {
            Some(by) if by.is_power_of_two() => shift_by(b, Shl, x, by.trailing_zeros().into()),
            _ => mul(b, x, y),
        },
        Shl | LShr | AShr => match by {
            Some(by) => shift_by(b, op, x, by as i64 % (2 * WORD)),
            None => shift(b, op, x, y.low),
        },
        UDiv | SDiv => quotient(b, x, y, op == SDiv),
        URem => {
            let quotient = quotient(b, x, y, false);
            let product = mul(b, quotient, y);
            sub(b, x, product)
        }
        SMin | SMax | UMin | UMax => {
            let less = match op {
                SMin => CmpOp::Slt,
                SMax => CmpOp::Sgt,
                UMin => CmpOp::Ult,
                _ => CmpOp::Ugt,
            };
            let first = compare(b, less, x, y);
            x.zip(y, |x, y| b.select(first, x, y))
        }
        // And, or, xor: `legalize` leaves no other on 64 bits.
        _ => x.zip(y, |x, y| b.binary(op, x, y)),
    }
}

pub fn compare(b: &mut Builder, op: CmpOp, x: Pair, y: Pair) -> Value {
    use CmpOp::*;
    let (of_high, of_low) = match op {
        Eq | Ne => {
            let of = x.zip(y, |x, y| b.compare(op, x, y));
            let both = match op {
                Eq => BinOp::And,
                _ => BinOp::Or,
            };
            return b.binary(both, of.low, of.high);
        }
        Slt => (Slt, Ult),
        Sle => (Slt, Ule),
        Sgt => (Sgt, Ugt),
        Sge => (Sgt, Uge),
        Ult => (Ult, Ult),
        Ule => (Ult, Ule),
        Ugt => (Ugt, Ugt),
        // Those of floats are not of integers.
        _ => (Ugt, Uge),
    };
    let high = b.compare(of_high, x.high, y.high);
    let low = b.compare(of_low, x.low, y.low);
    let equal = b.compare(Eq, x.high, y.high);
    let low = b.binary(BinOp::And, equal, low);
    b.binary(BinOp::Or, high, low)
}

/// By 0 to 63 bits.
fn shift_by(b: &mut Builder, op: BinOp, x: Pair, by: i64) -> Pair {
    let by_bits = |b: &mut Builder, op, v, n| match n {
        0 => v,
        _ => {
            let n = constant(b, v, n);
            b.binary(op, v, n)
        }
    };
    let (left, beyond) = (op == BinOp::Shl, by >= WORD);
    // The word that bits come from, and the one that they go to.
    let (from, to) = match left {
        true => (x.low, x.high),
        false => (x.high, x.low),
    };
    let filled = match op {
        BinOp::AShr => sign(b, x.high),
        _ => constant(b, x.low, 0),
    };
    let (from, to) = match beyond {
        true => (filled, by_bits(b, op, from, by - WORD)),
        false if by == 0 => return x,
        false => {
            let back = match left {
                true => BinOp::LShr,
                false => BinOp::Shl,
            };
            let crossing = by_bits(b, back, from, WORD - by);
            let within = match left {
                true => BinOp::Shl,
                false => BinOp::LShr,
            };
            let to = by_bits(b, within, to, by);
            (by_bits(b, op, from, by), b.binary(BinOp::Or, to, crossing))
        }
    };
    match left {
        true => Pair {
            low: from,
            high: to,
        },
        false => Pair {
            low: to,
            high: from,
        },
    }
}

/// By an amount that counts modulo 64.
pub fn shift(b: &mut Builder, op: BinOp, x: Pair, by: Value) -> Pair {
    let left = op == BinOp::Shl;
    let (from, to, back, within) = match left {
        true => (x.low, x.high, BinOp::LShr, BinOp::Shl),
        false => (x.high, x.low, BinOp::Shl, BinOp::LShr),
    };
    // Amounts of words count modulo 32. The bits that cross go in two steps: 32 is no amount.
    let [one, width] = [1, WORD].map(|n| constant(b, by, n));
    let rest = b.unary(UnOp::Not, by);
    let crossing = b.binary(back, from, one);
    let crossing = b.binary(back, crossing, rest);
    let shifted = b.binary(op, from, by);
    let to = b.binary(within, to, by);
    let to = b.binary(BinOp::Or, to, crossing);
    let beyond = b.binary(BinOp::And, by, width);
    let zero = constant(b, by, 0);
    let beyond = b.compare(CmpOp::Ne, beyond, zero);
    let filled = match op {
        BinOp::AShr => sign(b, x.high),
        _ => zero,
    };
    let from = b.select(beyond, filled, shifted);
    let to = b.select(beyond, shifted, to);
    match left {
        true => Pair {
            low: from,
            high: to,
        },
        false => Pair {
            low: to,
            high: from,
        },
    }
}

/// Negated where the sign, all ones or zero, says so.
pub fn with_sign(b: &mut Builder, x: Pair, sign: Value) -> Pair {
    let flipped = x.map(|v| b.binary(BinOp::Xor, v, sign));
    let sign = Pair {
        low: sign,
        high: sign,
    };
    sub(b, flipped, sign)
}

/// A word with zeros or its sign above.
pub fn extended(b: &mut Builder, low: Value, signed: bool) -> Pair {
    let high = match signed {
        true => sign(b, low),
        false => constant(b, low, 0),
    };
    Pair { low, high }
}

/// The same lanes of 64 bits.
pub fn constant_like(b: &mut Builder, like: Pair, bits: Bits) -> Pair {
    let ty: Type = word(b.ty(like.low));
    Pair::constant(b, ty, bits)
}
