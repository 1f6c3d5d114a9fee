//! Chooses functions that stay calls where inlining as usual would make too much code.
//!
//! Algorithm: one walk, callees before callers, counts the instructions of each function with its
//! calls inlined. If the module is beyond the target's budget, functions that would be large, and are
//! called from several places, stay calls: those above a limit, which halves until what is left fits the
//! goal. Last of all every function does. Functions that load images from objects of their callers, as lambdas do,
//! and what calls them, are inlined always: images are arguments of kernels.
//!
//! Needs: Lowered, in front of `single_exit`, which treats what stays a call differently.

use super::inline;
use crate::diag::Sink;
use crate::ir::util::walk;
use crate::ir::{FuncId, Function, Inline, Module, Op, Scalar, Type};
use crate::pass::Ctx;
use crate::target::Target;
use rustc_hash::FxHashSet;

/// Where the budget does not suffice, inlined code may take 1/16 of it: code with calls takes longer to run and to compile.
const SHARE: usize = 16;

pub fn run(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    let Some(order) = inline::callees_first(module, sink) else {
        return;
    };
    let loads = load_images(module, &order);
    for &id in &loads {
        module.funcs[id.index()].inline = Inline::Always;
    }
    let budget = ctx.target.max_inlined as usize;
    let estimate = Estimate::new(module, order, &loads, ctx.target);
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

/// The functions that load images, or call such.
fn load_images(module: &Module, order: &[FuncId]) -> FxHashSet<FuncId> {
    let image = Type::scalar(Scalar::Image);
    let has_images = |f: &Function| f.params.iter().any(|&v| f.ty(v) == image);
    let mut found = FxHashSet::default();
    if !module.funcs.iter().any(has_images) {
        return found;
    }
    for &id in order {
        let func = &module.funcs[id.index()];
        let Some(body) = func.body.as_ref().filter(|_| func.kernel.is_none()) else {
            continue;
        };
        let mut loads = false;
        walk(body, &mut |inst| match inst.op {
            Op::Load { .. } => loads |= func.ty(inst.results[0]) == image,
            Op::Call { callee, .. } => loads |= found.contains(&callee),
            _ => {}
        });
        if loads {
            found.insert(id);
        }
    }
    found
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
    /// It is always inlined, since SPIR-V cannot express a call of it.
    fixed: bool,
}

struct Estimate {
    /// Callees before callers.
    funcs: Vec<Known>,
    /// Function numbers are below this.
    count: usize,
}

impl Estimate {
    fn new(
        module: &Module,
        order: Vec<FuncId>,
        load_images: &FxHashSet<FuncId>,
        target: &Target,
    ) -> Estimate {
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
                fixed: !inline::may_stay(func, target) || load_images.contains(&id),
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
