//! Lowest bits in a form that the driver's compiler does not mistake.
//!
//! NVIDIA's compiler takes the lowest bit of what comes of a 64-bit division for 1 where it knows that
//! it multiplies by 0 or 1: `(x / 12 & 1) * 9` is always 9, also with a remainder, or `x / 12 ^ y`
//! instead, or as float (H100, driver 580). The bit itself, comparisons and shifts of it are right.
//!
//! Algorithm: in functions where such a quotient may be at hand, a value that is 0 or 1 and masks another
//! gets a zero that only the host knows added: `x & 1` becomes `x & (1 ^ z)`. So does `x << 63 >> 63`, which is the same.

use super::Seen;
use super::veil::veiled;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Bits, CastOp, Function, Inst, Op, Value};

pub fn rewrite(b: &mut Builder, seen: &mut Seen, inst: &mut Inst) -> Option<Vec<Value>> {
    let &[v] = &inst.results[..] else {
        return None;
    };
    if is_made_a_bit(&inst.op, seen, b.func) {
        seen.bits.insert(v, ());
    }
    if let Op::Binary(BinOp::And, x, y) = &mut inst.op
        && let Some(bit) = [y, x].into_iter().find(|v| is_bit(**v, seen, b.func))
    {
        *bit = veiled(b, *bit);
    }
    if let Op::Binary(BinOp::LShr, raised, n) = inst.op
        && let Some([x, by]) = seen.binary(raised, BinOp::Shl)
        && is_top(by, x, seen, b.func)
        && is_top(n, x, seen, b.func)
    {
        let one = b.const_int(b.ty(x), 1);
        inst.op = Op::Binary(BinOp::And, x, veiled(b, one));
    }
    None
}

/// The integer constant.
fn is(v: Value, bits: Bits, seen: &Seen, func: &Function) -> bool {
    func.ty(v).scalar.is_int() && seen.constant(v) == Some(bits)
}

/// The driver's compiler knows that it is 0 or 1.
fn is_bit(v: Value, seen: &Seen, func: &Function) -> bool {
    is(v, 1, seen, func) || seen.bits.contains_key(&v)
}

/// The number of the highest bit.
fn is_top(n: Value, of: Value, seen: &Seen, func: &Function) -> bool {
    let bits = func.ty(of).scalar.bits();
    is(n, Bits::from(bits) - 1, seen, func)
}

/// The same of what `op` gives.
fn is_made_a_bit(op: &Op, seen: &Seen, func: &Function) -> bool {
    let is_bit = |v| is_bit(v, seen, func);
    match *op {
        Op::Binary(BinOp::LShr, x, n) => is_top(n, x, seen, func),
        Op::Binary(BinOp::And, x, y) => is_bit(x) || is_bit(y),
        Op::Binary(BinOp::Or | BinOp::Xor, x, y) => is_bit(x) && is_bit(y),
        Op::Binary(BinOp::Sub, x, y) => is(x, 1, seen, func) && is_bit(y),
        Op::Cast(CastOp::ZExt | CastOp::Trunc, x) => func.ty(x).scalar.bits() == 1 || is_bit(x),
        Op::Select(_, x, y) => {
            let known = |v| is(v, 0, seen, func) || is(v, 1, seen, func);
            known(x) && known(y)
        }
        _ => false,
    }
}
