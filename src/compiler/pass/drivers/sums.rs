//! Constants of sums that are rotated.
//!
//! NIR, which Mesa's drivers share, makes `(u << n) + (c << n)` of `(u + c) << n`, for addresses. Of a sum that is rotated the
//! other shift needs `u + c` as well: an instruction more in each round of MD4 or MD5. Constants stand outermost behind
//! `pass::ssa::simplify`, so they go inwards here.
//!
//! Algorithm: where both shifts are all that uses `(p + q) + c`, and nothing else uses `p + q`, the two sums become
//! `q + c` and `p + (q + c)`, in their places. Of 32 bits: others are addresses, or rotated in halves (`rotate`).
//!
//! Needs and keeps: what is emitted. No cleanup may follow, which would undo it.

use crate::diag::Sink;
use crate::ir::defs::Defs;
use crate::ir::util::{use_counts, walk, walk_mut};
use crate::ir::{BinOp, Function, Inst, Module, Op, Scalar, Value};
use crate::pass::{Ctx, each_function};
use rustc_hash::FxHashMap;

const WIDTH: u64 = 32;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.distributes_shifts {
        return;
    }
    each_function(module, |func, _| {
        let summands = found(func);
        if let Some(body) = &mut func.body {
            walk_mut(body, &mut |inst| {
                if let Some([x, y]) = (inst.results.first()).and_then(|v| summands.get(v)) {
                    inst.op = Op::Binary(BinOp::Add, *x, *y);
                }
            });
        }
    });
}

/// The new summands of sums.
fn found(func: &Function) -> FxHashMap<Value, [Value; 2]> {
    let mut summands = FxHashMap::default();
    let Some(body) = &func.body else {
        return summands;
    };
    let (defs, uses) = (Defs::of(func, body), use_counts(func));
    let mut places = vec![0; func.values.len()];
    let mut place = 0;
    walk(body, &mut |inst| {
        place += 1;
        for v in &inst.results {
            places[v.index()] = place;
        }
        let Some(sum) = rotated(func, &defs, inst) else {
            return;
        };
        if let Some((inner, c)) = defs.binary(sum, BinOp::Add)
            && defs.constant(c).is_some()
            && let Some((p, q)) = defs.binary(inner, BinOp::Add)
            && (uses[sum.index()], uses[inner.index()]) == (2, 1)
            // Both are seen at the sum, so the one in front is at the other, too.
            && places[c.index()] < places[inner.index()]
        {
            summands.insert(inner, [q, c]);
            summands.insert(sum, [p, inner]);
        }
    });
    summands
}

/// What the instruction rotates, of 32 bits.
fn rotated(func: &Function, defs: &Defs<&Inst>, inst: &Inst) -> Option<Value> {
    let Op::Binary(BinOp::Or | BinOp::Xor | BinOp::Add, x, y) = inst.op else {
        return None;
    };
    if func.ty(x).scalar != Scalar::I32 {
        return None;
    }
    let shifts = |x, y| Some((defs.binary(x, BinOp::Shl)?, defs.binary(y, BinOp::LShr)?));
    let ((a, left), (other, right)) = shifts(x, y).or_else(|| shifts(y, x))?;
    let whole = defs.constant(left)?.checked_add(defs.constant(right)?) == Some(WIDTH);
    (a == other && whole).then_some(a)
}
