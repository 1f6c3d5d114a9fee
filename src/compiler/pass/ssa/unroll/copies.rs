//! Copies of a loop's body in sequence.

use smallvec::smallvec;

use crate::ir::util::copy_region;
use crate::ir::{FastMath, Function, Inst, Op, Region, Type, Value, Values};
use crate::pass::shape::tails::{self, Exit};
use crate::source::SourceLoc;
use rustc_hash::FxHashMap;

/// Ifs one in the other that continues may make.
const MAX_TAILS: u32 = 8;

/// Brings a body into the form that copies need: it continues at the ends of its tree of ifs. Its private objects go
/// to `before`, one for all rounds. Returns whether that was possible.
pub fn straighten(body: &mut Region, before: &mut Vec<Inst>) -> bool {
    let insts = std::mem::take(&mut body.insts);
    let is_alloca = |inst: &Inst| matches!(inst.op, Op::Alloca { .. });
    let (mut allocas, rest): (Vec<Inst>, _) = insts.into_iter().partition(is_alloca);
    before.append(&mut allocas);
    body.insts = tails::sink_rest(rest, Exit::Continue, MAX_TAILS);
    tails::at_ends(&body.insts, Exit::Continue)
}

/// `count` copies of a straightened body, each changed by `adapt`, and the values that the last one passes on. The first
/// copy gets the values `first`. The body is consumed.
pub fn copies(
    func: &mut Function,
    first: &[Value],
    body: &mut Region,
    count: usize,
    mut adapt: impl FnMut(usize, &mut [Inst]),
) -> (Vec<Inst>, Option<Vec<Value>>) {
    let types: Vec<Type> = body.params.iter().map(|&v| func.ty(v)).collect();
    tails::to_yields(func, &mut body.insts, Exit::Continue, &types);
    let params = std::mem::take(&mut body.params);
    let mut map = FxHashMap::default();
    let mut values = first.to_vec();
    let mut insts = Vec::new();
    for i in 0..count {
        map.extend(params.iter().copied().zip(values));
        let mut copy = copy_region(body, func, &mut map).insts;
        adapt(i, &mut copy);
        match copy.pop() {
            Some(Inst {
                op: Op::Yield(next),
                ..
            }) => {
                values = next;
                insts.append(&mut copy);
            }
            end => {
                insts.append(&mut copy);
                insts.extend(end);
                return (insts, None);
            }
        }
    }
    (insts, Some(values))
}

/// New values of the types of others.
pub fn fresh(func: &mut Function, like: &[Value]) -> Vec<Value> {
    like.iter().map(|&v| func.new_value(func.ty(v))).collect()
}

/// The result of a new instruction at the end of `insts`.
pub fn define(func: &mut Function, ty: Type, op: Op, insts: &mut Vec<Inst>) -> Value {
    let v = func.new_value(ty);
    insts.push(plain(smallvec![v], op));
    v
}

/// An instruction without flags and place.
pub fn plain(results: Values, op: Op) -> Inst {
    Inst {
        results,
        op,
        fast: FastMath::default(),
        loc: SourceLoc::default(),
    }
}
