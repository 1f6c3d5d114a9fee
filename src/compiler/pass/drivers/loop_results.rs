//! Values that leave loops, for a driver that forgets them.
//!
//! SwiftShader keeps one value of an instruction for all work-items of a vector and does not mask it: what a work-item that has
//! left a loop computed in its last round is lost in the next round of the others. It masks phis at the head of a loop.
//! llvmpipe of Mesa 23 loads in the last round, where only what is behind the loop wants it, when the work-item has left.
//!
//! Algorithm: a loop that breaks with a value of its body goes on instead, for one more round that begins by leaving: the
//! values, and that it leaves, are parameters of the loop.
//!
//! Needs and keeps: what is emitted.

use rustc_hash::FxHashSet;
use smallvec::smallvec;

use crate::diag::Sink;
use crate::ir::util::walk;
use crate::ir::{Function, Inst, Module, Op, Region, Type, Value};
use crate::pass::ssa::unroll::copies::{define, fresh, plain};
use crate::pass::{Ctx, each_function};

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    let forgotten: fn(&Op) -> bool = match ctx.target {
        t if t.forgets_last_rounds => |_| true,
        t if t.forgets_last_loads => |op| matches!(op, Op::Load { .. }),
        _ => return,
    };
    each_function(module, |func, _| {
        if let Some(mut body) = func.body.take() {
            loops(func, &mut body, forgotten);
            func.body = Some(body);
        }
    });
}

/// Changes the loops of a region, inner ones first. `forgotten`: of what kind are values that the driver forgets.
fn loops(func: &mut Function, region: &mut Region, forgotten: fn(&Op) -> bool) {
    for mut inst in std::mem::take(&mut region.insts) {
        for nested in inst.op.regions_mut() {
            loops(func, nested, forgotten);
        }
        let Inst { op, results, .. } = &mut inst;
        if let Op::Loop { init, body, .. } = op
            && leaves_with_own(body, forgotten)
        {
            let before = &mut region.insts;
            let [no, yes] = [0, 1].map(|bit| define(func, Type::BOOL, Op::Const(bit), before));
            let leaves = func.new_value(Type::BOOL);
            let kept = fresh(func, results);
            let none = results
                .iter()
                .map(|&v| define(func, func.ty(v), Op::Undef, before));
            let none: Vec<Value> = none.collect();
            init.push(no);
            init.extend(none);
            let params = body.params.clone();
            ends(body, false, &mut |op| match op {
                Op::Break(values) => {
                    let mut next = params.clone();
                    next.push(yes);
                    next.extend_from_slice(values);
                    *op = Op::Continue(next);
                }
                Op::Continue(values) => {
                    values.push(no);
                    values.extend_from_slice(&kept);
                }
                _ => {}
            });
            body.params.push(leaves);
            body.params.extend_from_slice(&kept);
            let arm = |op| {
                let insts = vec![plain(smallvec![], op)];
                Box::new(Region {
                    params: Vec::new(),
                    insts,
                })
            };
            let (out, on) = (arm(Op::Break(kept)), arm(Op::Yield(Vec::new())));
            body.insts
                .insert(0, plain(smallvec![], Op::If(leaves, out, on)));
        }
        region.insts.push(inst);
    }
}

/// Whether a loop is left with a value that a round has computed, or put together of such, of that kind.
fn leaves_with_own(body: &mut Region, forgotten: fn(&Op) -> bool) -> bool {
    let mut own = FxHashSet::default();
    walk(body, &mut |inst| {
        let moves = matches!(
            inst.op,
            Op::Cast(..) | Op::Construct(..) | Op::Splat(..) | Op::Extract(..) | Op::Insert(..)
        );
        let mut of_own = false;
        inst.op.for_each_operand(|v| of_own |= own.contains(&v));
        if forgotten(&inst.op) || moves && of_own {
            own.extend(inst.results.iter().copied());
        }
    });
    let mut found = false;
    ends(body, false, &mut |op| {
        if let Op::Break(values) = op {
            found |= values.iter().any(|v| own.contains(v));
        }
    });
    found
}

/// Gives `f` what ends rounds of the loop with this body: its breaks and continues. A break in a switch (`caught`) is the switch's.
fn ends(region: &mut Region, caught: bool, f: &mut impl FnMut(&mut Op)) {
    for inst in &mut region.insts {
        match &mut inst.op {
            Op::Loop { .. } => {}
            Op::Break(_) if caught => {}
            op @ (Op::Break(_) | Op::Continue(_)) => f(op),
            op => {
                let caught = caught || matches!(op, Op::Switch { .. });
                op.regions_mut().for_each(|nested| ends(nested, caught, f));
            }
        }
    }
}
