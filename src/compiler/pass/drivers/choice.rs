//! Choices between bits in the forms that NVIDIA's compiler makes fewest instructions of.
//!
//! It makes two instructions of `a ^ (m & (a ^ b))` and one of `b ^ (~m & (a ^ b))`,
//! three of the majority `(a & b) | (c & (a | b))` and two of `(a & b) ^ (c & (a ^ b))` (H100,
//! driver 580): hash functions live on these.

use super::Known;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Inst, Op, UnOp, Value};

pub fn choice(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let (a, both, m) = find_choice(known, &inst.op)?;
    let other = b.unary(UnOp::Not, m);
    let taken = b.binary(BinOp::And, other, both);
    Some(vec![b.binary(BinOp::Xor, a, taken)])
}

pub fn majority(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let ((x, y), c, common) = find_majority(known, &inst.op)?;
    let differing = b.binary(BinOp::Xor, x, y);
    let taken = b.binary(BinOp::And, c, differing);
    Some(vec![b.binary(BinOp::Xor, common, taken)])
}

/// Of `a ^ (m & (a ^ b))`: b, `a ^ b` and m, which is no constant.
fn find_choice(known: &Known, op: &Op) -> Option<(Value, Value, Value)> {
    let Op::Binary(BinOp::Xor, x, y) = *op else {
        return None;
    };
    let operands = [(x, y), (y, x)].into_iter();
    operands
        .flat_map(|(a, taken)| chosen(known, a, taken))
        .next()
}

fn chosen(known: &Known, a: Value, taken: Value) -> Option<(Value, Value, Value)> {
    let [x, y] = known.binary(taken, BinOp::And)?;
    for (both, m) in [(x, y), (y, x)] {
        let constant = known.constant(m).is_some();
        if let Some([p, q]) = known.binary(both, BinOp::Xor)
            && (p == a || q == a)
            && !constant
        {
            return Some((if p == a { q } else { p }, both, m));
        }
    }
    None
}

/// Of `(a & b) | (c & (a | b))`: a and b, c, `a & b`.
fn find_majority(known: &Known, op: &Op) -> Option<((Value, Value), Value, Value)> {
    let Op::Binary(BinOp::Or, x, y) = *op else {
        return None;
    };
    for (common, rest) in [(x, y), (y, x)] {
        let ([a, b], [p, q]) = (
            known.binary(common, BinOp::And)?,
            known.binary(rest, BinOp::And)?,
        );
        for (either, c) in [(p, q), (q, p)] {
            if let Some(pair) = known.binary(either, BinOp::Or)
                && (pair == [a, b] || pair == [b, a])
            {
                return Some(((a, b), c, common));
            }
        }
    }
    None
}
