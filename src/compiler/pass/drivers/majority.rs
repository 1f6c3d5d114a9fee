//! Majorities of bits in the form that NVIDIA's compiler makes fewest instructions of.
//!
//! It makes two instructions of `(a & b) | (c & (a | b))` or `(a & b) ^ (c & (a ^ b))`, and of other forms where rounds share a part, and one
//! of `b ^ ((a ^ b) & (c ^ b))` (H100, driver 580): hash functions live on these.

use super::Known;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Inst, Op, Value};

pub fn rewrite(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let (x, y, z) = find(known, &inst.op)?;
    let differing = [x, z].map(|v| b.binary(BinOp::Xor, v, y));
    let both = b.binary(BinOp::And, differing[0], differing[1]);
    Some(vec![b.binary(BinOp::Xor, both, y)])
}

/// Of `(a & b) | (c & (a | b))`, `(a & b) | (c & (a ^ b))` and `(a & b) | (a & c) | (b & c)`, or, but for the first, the same
/// with `^` for `|`: a, b and c.
fn find(known: &Known, op: &Op) -> Option<(Value, Value, Value)> {
    let Op::Binary(outer @ (BinOp::Or | BinOp::Xor), x, y) = *op else {
        return None;
    };
    let both = |v| known.binary(v, BinOp::And);
    for (common, rest) in [(x, y), (y, x)] {
        let Some([a, b]) = both(common) else {
            continue;
        };
        let same = |pair: [Value; 2]| pair == [a, b] || pair == [b, a];
        if let Some([p, q]) = both(rest) {
            for (either, c) in [(p, q), (q, p)] {
                let xor = known.binary(either, BinOp::Xor);
                let or = known
                    .binary(either, BinOp::Or)
                    .filter(|_| outer == BinOp::Or);
                if xor.or(or).is_some_and(same) {
                    return Some((a, b, c));
                }
            }
        }
        if let Some([p, q]) = known.binary(rest, outer)
            && let (Some(p), Some(q)) = (both(p), both(q))
            && let Some(c) = third([a, b], p, q)
        {
            return Some((a, b, c));
        }
    }
    None
}

/// What two pairs have beside a and b, if they are a and it, and b and it.
fn third([a, b]: [Value; 2], p: [Value; 2], q: [Value; 2]) -> Option<Value> {
    let beside = |pair: [Value; 2], v| match pair {
        [x, c] | [c, x] if x == v => Some(c),
        _ => None,
    };
    let with = |p, q| beside(p, a).filter(|&c| beside(q, b) == Some(c));
    with(p, q).or_else(|| with(q, p))
}
