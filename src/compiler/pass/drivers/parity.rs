//! Lowest bits in a form that the driver's compiler does not mistake.
//!
//! NVIDIA's compiler takes the lowest bit of a value computed from a 64-bit division for 1 where it knows that
//! it multiplies by 0 or 1: `(x / 12 & 1) * 9` is always 9, also with a remainder, or `x / 12 ^ y`
//! instead, or as float (H100, driver 580). The bit itself, comparisons and shifts of it are right.
//!
//! Algorithm: in functions where such a quotient may be at hand, a value that is 0 or 1 and masks another
//! gets a zero that only the host knows added: `x & 1` becomes `x & (1 ^ z)`. So does `x << 63 >> 63`, which is the same.

use super::Known;
use super::opaque::opaque;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Bits, CastOp, Function, Inst, Op, Value};

pub fn rewrite(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let &[v] = &inst.results[..] else {
        return None;
    };
    if is_made_a_bit(&inst.op, known, b.func) {
        known.bits.insert(v);
    }
    if let Op::Binary(BinOp::And, x, y) = &mut inst.op
        && let Some(bit) = [y, x].into_iter().find(|v| is_bit(**v, known, b.func))
    {
        *bit = opaque(b, *bit);
    }
    if let Op::Binary(BinOp::LShr, raised, n) = inst.op
        && let Some([x, by]) = known.binary(raised, BinOp::Shl)
        && is_top(by, x, known, b.func)
        && is_top(n, x, known, b.func)
    {
        let one = b.const_int(b.ty(x), 1);
        inst.op = Op::Binary(BinOp::And, x, opaque(b, one));
    }
    None
}

/// The integer constant.
fn is(v: Value, bits: Bits, known: &Known, func: &Function) -> bool {
    func.ty(v).scalar.is_int() && known.constant(v) == Some(bits)
}

/// The driver's compiler knows that it is 0 or 1.
fn is_bit(v: Value, known: &Known, func: &Function) -> bool {
    is(v, 1, known, func) || known.bits.contains(&v)
}

/// The number of the highest bit.
fn is_top(n: Value, of: Value, known: &Known, func: &Function) -> bool {
    let bits = func.ty(of).scalar.bits();
    is(n, Bits::from(bits) - 1, known, func)
}

/// The driver's compiler knows that the result of `op` is 0 or 1.
fn is_made_a_bit(op: &Op, known: &Known, func: &Function) -> bool {
    let is_bit = |v| is_bit(v, known, func);
    match *op {
        Op::Binary(BinOp::LShr, x, n) => is_top(n, x, known, func),
        Op::Binary(BinOp::And, x, y) => is_bit(x) || is_bit(y),
        Op::Binary(BinOp::Or | BinOp::Xor, x, y) => is_bit(x) && is_bit(y),
        Op::Binary(BinOp::Sub, x, y) => is(x, 1, known, func) && is_bit(y),
        Op::Cast(CastOp::ZExt | CastOp::Trunc, x) => func.ty(x).scalar.bits() == 1 || is_bit(x),
        Op::Select(_, x, y) => {
            let known = |v| is(v, 0, known, func) || is(v, 1, known, func);
            known(x) && known(y)
        }
        _ => false,
    }
}
