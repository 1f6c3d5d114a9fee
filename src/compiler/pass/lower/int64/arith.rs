//! Arithmetic, comparisons and shifts of pairs.

use super::Pair;
use super::divide::quotient;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Bits, CastOp, CmpOp, UnOp, Value};

/// Bits.
const WORD: i64 = 32;

fn constant(b: &mut Builder, like: Value, n: i64) -> Value {
    b.const_int(b.ty(like), n)
}

/// All ones where a word is negative, else zero.
pub fn sign(b: &mut Builder, word: Value) -> Value {
    let by = constant(b, word, WORD - 1);
    b.binary(BinOp::AShr, word, by)
}

pub fn unary(b: &mut Builder, op: UnOp, x: Pair) -> Pair {
    match op {
        UnOp::Neg => {
            let zero = Pair::constant(b, b.ty(x.low), 0);
            sub(b, zero, x)
        }
        // `legalize` leaves no other on 64 bits.
        _ => x.map(|v| b.unary(op, v)),
    }
}

pub fn add(b: &mut Builder, x: Pair, y: Pair) -> Pair {
    let low = b.binary(BinOp::Add, x.low, y.low);
    let carries = b.compare(CmpOp::Ult, low, x.low);
    with_carry(b, BinOp::Add, x, y, low, carries)
}

pub fn sub(b: &mut Builder, x: Pair, y: Pair) -> Pair {
    let low = b.binary(BinOp::Sub, x.low, y.low);
    let borrows = b.compare(CmpOp::Ult, x.low, y.low);
    with_carry(b, BinOp::Sub, x, y, low, borrows)
}

/// The low word, and the high ones added or subtracted, with one more where `carries`.
fn with_carry(b: &mut Builder, op: BinOp, x: Pair, y: Pair, low: Value, carries: Value) -> Pair {
    let carry = b.cast(CastOp::BoolToInt, carries, b.ty(low));
    let high = b.binary(op, x.high, y.high);
    let high = b.binary(op, high, carry);
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

/// A shift of pairs: bits go from one word to the other, the low one for `Shl`.
struct Shift {
    op: BinOp,
    from: Value,
    to: Value,
    /// What the other word and the bits that cross are shifted by.
    within: BinOp,
    across: BinOp,
    /// What takes the place of a word that is shifted out.
    filled: Value,
}

impl Shift {
    fn new(b: &mut Builder, op: BinOp, x: Pair) -> Shift {
        let (from, to, within, across) = match op {
            BinOp::Shl => (x.low, x.high, BinOp::Shl, BinOp::LShr),
            _ => (x.high, x.low, BinOp::LShr, BinOp::Shl),
        };
        Shift {
            op,
            from,
            to,
            within,
            across,
            filled: match op {
                BinOp::AShr => sign(b, x.high),
                _ => constant(b, x.low, 0),
            },
        }
    }

    fn done(&self, from: Value, to: Value) -> Pair {
        let (low, high) = match self.op {
            BinOp::Shl => (from, to),
            _ => (to, from),
        };
        Pair { low, high }
    }
}

/// By 0 to 63 bits.
fn shift_by(b: &mut Builder, op: BinOp, x: Pair, by: i64) -> Pair {
    if by == 0 {
        return x;
    }
    let s = Shift::new(b, op, x);
    let mut by_bits = |op, v, n| match n {
        0 => v,
        _ => {
            let n = constant(b, v, n);
            b.binary(op, v, n)
        }
    };
    if by >= WORD {
        let to = by_bits(op, s.from, by - WORD);
        return s.done(s.filled, to);
    }
    let crossing = by_bits(s.across, s.from, WORD - by);
    let to = by_bits(s.within, s.to, by);
    let from = by_bits(op, s.from, by);
    s.done(from, b.binary(BinOp::Or, to, crossing))
}

/// By an amount that counts modulo 64.
pub fn shift(b: &mut Builder, op: BinOp, x: Pair, by: Value) -> Pair {
    let s = Shift::new(b, op, x);
    // Amounts of words count modulo 32. The bits that cross go in two steps: 32 is no amount.
    let [zero, one, width] = [0, 1, WORD].map(|n| constant(b, by, n));
    let rest = b.unary(UnOp::Not, by);
    let crossing = b.binary(s.across, s.from, one);
    let crossing = b.binary(s.across, crossing, rest);
    let shifted = b.binary(op, s.from, by);
    let to = b.binary(s.within, s.to, by);
    let to = b.binary(BinOp::Or, to, crossing);
    let beyond = b.binary(BinOp::And, by, width);
    let beyond = b.compare(CmpOp::Ne, beyond, zero);
    let from = b.select(beyond, s.filled, shifted);
    let to = b.select(beyond, shifted, to);
    s.done(from, to)
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
