//! Chooses functions that stay calls where inlining as usual would make too much code.
//!
//! Algorithm: one walk, callees before callers, counts the instructions of each function with its
//! calls inlined. If the module is beyond the target's budget, functions that would be large, and are
//! called from several places, stay calls: those above a limit, which halves until what is left fits the
//! goal. Last of all every function does.
//!
//! Needs: Lowered, in front of `single_exit`, which treats what stays a call differently.

use super::inline;
use crate::diag::Sink;
use crate::ir::{FuncId, Inline, Module};
use crate::pass::Ctx;
use crate::target::Target;

/// Where the budget does not suffice, inlined code may take 1/16 of it: code with calls takes longer to run and to compile.
const SHARE: usize = 16;

pub fn run(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    let Some(order) = inline::callees_first(module, sink) else {
        return;
    };
    let budget = ctx.target.max_inlined as usize;
    let estimate = Estimate::new(module, order, ctx.target);
    if estimate.kept(usize::MAX).0 <= budget {
        return;
    }
    let mut limit = budget;
    let kept = loop {
        limit /= 2;
        let (total, kept) = estimate.kept(limit);
        if total <= budget / SHARE || limit == 0 {
            break kept;
        }
    };
    for id in kept {
        module.funcs[id.index()].inline = Inline::OverBudget;
    }
}

/// What the estimate needs of a function.
struct Known {
    id: FuncId,
    /// Its own instructions, without those of its callees.
    size: usize,
    callees: Vec<FuncId>,
    calls: u32,
    /// It is inlined whatever its size ([`inline::must`]).
    must: bool,
    /// It is marked to stay a call, whatever its size.
    apart: bool,
    /// SPIR-V cannot express a call of it, so it is always inlined.
    fixed: bool,
}

struct Estimate {
    /// Callees before callers.
    funcs: Vec<Known>,
    /// Function numbers are below this.
    count: usize,
}

impl Estimate {
    fn new(module: &Module, order: Vec<FuncId>, target: &Target) -> Estimate {
        let calls = inline::call_counts(module);
        let known = |id: FuncId| {
            let func = &module.funcs[id.index()];
            let must = inline::must(func, target);
            Known {
                id,
                size: func.values.len(),
                callees: inline::callees(func),
                calls: calls[id.index()],
                must,
                apart: !must && matches!(func.inline, Inline::Never | Inline::Late),
                fixed: !inline::may_stay(func, target),
            }
        };
        Estimate {
            funcs: order.into_iter().map(known).collect(),
            count: module.funcs.len(),
        }
    }

    /// Counts the instructions of all functions if those larger than `limit` stay calls. Also returns the functions
    /// that stay calls only because of the limit.
    fn kept(&self, limit: usize) -> (usize, Vec<FuncId>) {
        // By function number: the instructions that a call of it adds.
        let mut adds = vec![1_usize; self.count];
        let (mut total, mut kept) = (0_usize, Vec::new());
        for func in &self.funcs {
            let inside = func.callees.iter().map(|c| adds[c.index()]);
            let size = inside.fold(func.size, usize::saturating_add);
            let alone = func.calls == 0 || func.apart;
            let large = size > limit && (func.calls > 1 || limit == 0) && !func.fixed && !alone;
            let shared = !func.must && func.calls > 1 && size > inline::SMALL;
            if large {
                kept.push(func.id);
            }
            match alone || large || shared {
                true => total = total.saturating_add(size),
                false => adds[func.id.index()] = size,
            }
        }
        (total, kept)
    }
}
