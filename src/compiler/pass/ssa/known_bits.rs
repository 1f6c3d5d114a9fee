//! Bits that are zero in each lane of a value, whatever is computed.

use crate::ir::builder::mask;
use crate::ir::{BinOp, Bits, CastOp, Op, Type, UnOp, Value};

/// Operations inside each other that are looked at.
const MAX_OPERATIONS: u32 = 4;

/// The bits of an integer that may be ones, by the types of values and what defines them.
pub fn possible_bits<'d>(
    v: Value,
    ty: &impl Fn(Value) -> Type,
    def: &impl Fn(Value) -> Option<&'d Op>,
) -> Bits {
    possible(v, ty, def, MAX_OPERATIONS)
}

fn possible<'d>(
    v: Value,
    ty: &impl Fn(Value) -> Type,
    def: &impl Fn(Value) -> Option<&'d Op>,
    most: u32,
) -> Bits {
    use BinOp::*;
    let width = ty(v).scalar.bits();
    let ones = mask(width);
    let sign = ones ^ ones >> 1;
    let op = match (def(v), most) {
        (Some(&Op::Const(bits)), _) => return bits,
        (Some(op), 1..) => op,
        _ => return ones,
    };
    let is = |v: Value| possible(v, ty, def, most - 1);
    let constant = |v: Value| match def(v) {
        Some(&Op::Const(bits)) => Some(bits),
        _ => None,
    };
    match *op {
        Op::Unary(UnOp::Popcount | UnOp::Clz | UnOp::Ctz, _) => up_to(width.into()),
        Op::Cast(CastOp::BoolToInt, _) => 1,
        Op::Cast(CastOp::ZExt, x) => is(x),
        Op::Cast(CastOp::Trunc, x) => is(x) & ones,
        Op::Cast(CastOp::SExt, x) => match is(x) {
            bits if bits >> (ty(x).scalar.bits() - 1) == 0 => bits,
            _ => ones,
        },
        Op::Splat(x) => is(x),
        Op::Construct(ref lanes) => lanes.iter().fold(0, |all, &lane| all | is(lane)),
        Op::Select(_, x, y) | Op::Binary(Or | Xor | UMax, x, y) => is(x) | is(y),
        Op::Binary(And, x, y) => is(x) & is(y),
        Op::Binary(op @ (Shl | LShr | AShr), x, by) => {
            let Some(by) = constant(by).map(|by| by & (Bits::from(width) - 1)) else {
                return ones;
            };
            match (op, is(x)) {
                (Shl, x) => x << by & ones,
                (AShr, x) if x & sign != 0 => ones,
                (_, x) => x >> by,
            }
        }
        Op::Binary(Add, x, y) => is(x).checked_add(is(y)).map_or(ones, up_to) & ones,
        Op::Binary(Mul, x, y) => is(x).checked_mul(is(y)).map_or(ones, up_to) & ones,
        Op::Binary(op @ (UDiv | URem), x, c) => match (op, constant(c)) {
            (_, None | Some(0)) => ones,
            (UDiv, Some(c)) => up_to(is(x) / c),
            (_, Some(c)) => up_to(is(x).min(c - 1)),
        },
        Op::Binary(UMin, x, y) => up_to(is(x).min(is(y))),
        Op::Binary(op @ (SMin | SMax), x, y) => match (op, is(x), is(y)) {
            (SMax, x, y) if (x | y) & sign == 0 => x | y,
            (SMin, x, y) if (x | y) & sign == 0 => up_to(x.min(y)),
            // Not below the other.
            (SMax, x, _) if constant(y).is_some_and(|c| c & sign != 0) && x & sign == 0 => x,
            (SMax, x, y) if x & y & sign == 0 => ones ^ sign,
            _ => ones,
        },
        _ => ones,
    }
}

/// The bits of numbers from zero to the greatest.
fn up_to(greatest: Bits) -> Bits {
    match greatest {
        0 => 0,
        _ => mask(Bits::BITS - greatest.leading_zeros()),
    }
}
