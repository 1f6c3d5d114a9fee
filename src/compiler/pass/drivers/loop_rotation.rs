//! Loops that test where a round begins, and may also end within it, test where it ends instead.
//!
//! NVIDIA's compiler of OpenCL rotates all loops so, its compiler of Vulkan those with one exit. The others take two
//! branches more in each round, which between barriers is a quarter of the time.
//!
//! Algorithm: the test stands in front of the loop and where a round goes on, there of the next round's values.
//!
//! Needs and keeps: what is emitted.

use rustc_hash::FxHashMap;
use smallvec::smallvec;

use crate::diag::Sink;
use crate::ir::util::{copy_region, each_continue, has_break};
use crate::ir::{Function, Inst, Module, Op, Region, Value};
use crate::pass::ssa::unroll::copies::{fresh, plain};
use crate::pass::ssa::{dce, effects};
use crate::pass::{Ctx, each_function};

/// Instructions that compute a test.
const MAX_TEST: usize = 8;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.keeps_loop_tests {
        return;
    }
    each_function(module, |func, _| {
        let Some(mut body) = func.body.take() else {
            return;
        };
        let any = region(func, &mut body);
        func.body = Some(body);
        if any {
            dce::remove_dead(func);
        }
    });
}

/// Rotates the loops of a region, inner ones first. Returns whether there was one.
fn region(func: &mut Function, around: &mut Region) -> bool {
    let mut any = false;
    for mut inst in std::mem::take(&mut around.insts) {
        for nested in inst.op.regions_mut() {
            any |= region(func, nested);
        }
        if let Op::Loop { init, body, .. } = &mut inst.op
            && let Some(test) = Test::of(body)
        {
            body.insts.remove(test.at);
            if let Some(Inst {
                op: Op::Continue(next),
                ..
            }) = body.insts.pop()
            {
                let (again, left) = test.copy(func, &next, &mut body.insts);
                let stay = Op::Yield(Vec::new());
                let exit = test.branch(again, vec![plain(smallvec![], stay)], Op::Break(left));
                body.insts.push(exit);
                body.insts.push(plain(smallvec![], Op::Continue(next)));
            }
            let (once, left) = test.copy(func, init, &mut around.insts);
            let rounds = fresh(func, &inst.results);
            let results = std::mem::replace(&mut inst.results, rounds.iter().copied().collect());
            let looped = vec![inst, plain(smallvec![], Op::Yield(rounds))];
            inst = test.branch(once, looped, Op::Yield(left));
            inst.results = results;
            any = true;
        }
        around.insts.push(inst);
    }
    any
}

/// What decides at the start of a round whether there is one.
struct Test {
    /// The place of its `if` in the body.
    at: usize,
    /// The parameters of the loop.
    params: Vec<Value>,
    /// What computes it of them. Yields the condition and what the loop is left with.
    region: Region,
    /// The condition where there is another round.
    stays: bool,
}

impl Test {
    /// That of a loop which it is good to rotate.
    fn of(body: &Region) -> Option<Test> {
        let is_pure = |inst: &&Inst| effects::is_pure(&inst.op);
        let at = body.insts.iter().take_while(is_pure).count();
        let (computes, [exit, rest @ ..]) = body.insts.split_at(at) else {
            return None;
        };
        let Op::If(cond, then, other) = &exit.op else {
            return None;
        };
        let (stays, left) = match (&then.insts[..], &other.insts[..]) {
            ([on], [out]) if on.op == Op::Yield(Vec::new()) => (true, out),
            ([out], [on]) if on.op == Op::Yield(Vec::new()) => (false, out),
            _ => return None,
        };
        let Op::Break(left) = &left.op else {
            return None;
        };
        let mut continues = 0;
        each_continue(body, &mut |_| continues += 1);
        let goes_on = matches!(rest.last()?.op, Op::Continue(_)) && continues == 1;
        let leaves =
            |inst: &Inst| matches!(inst.op, Op::If(..)) && inst.op.regions().any(has_break);
        if at > MAX_TEST || !goes_on || !rest.iter().any(leaves) {
            return None;
        }
        let mut insts = computes.to_vec();
        let yields = [cond].into_iter().chain(left).copied().collect();
        insts.push(plain(smallvec![], Op::Yield(yields)));
        let region = Region {
            params: Vec::new(),
            insts,
        };
        let params = body.params.clone();
        Some(Test {
            at,
            params,
            region,
            stays,
        })
    }

    /// Appends what computes it of these values. The condition, and what the loop is left with.
    fn copy(
        &self,
        func: &mut Function,
        values: &[Value],
        insts: &mut Vec<Inst>,
    ) -> (Value, Vec<Value>) {
        let params = self.params.iter().copied();
        let mut map: FxHashMap<Value, Value> = params.zip(values.iter().copied()).collect();
        insts.append(&mut copy_region(&self.region, func, &mut map).insts);
        match insts.pop() {
            Some(Inst {
                op: Op::Yield(values),
                ..
            }) => (values[0], values[1..].to_vec()),
            _ => unreachable!("the end of a test yields"),
        }
    }

    /// Goes on or leaves.
    fn branch(&self, cond: Value, on: Vec<Inst>, leave: Op) -> Inst {
        let region = |insts| {
            Box::new(Region {
                params: Vec::new(),
                insts,
            })
        };
        let (on, out) = (region(on), region(vec![plain(smallvec![], leave)]));
        let op = if self.stays {
            Op::If(cond, on, out)
        } else {
            Op::If(cond, out, on)
        };
        plain(smallvec![], op)
    }
}
