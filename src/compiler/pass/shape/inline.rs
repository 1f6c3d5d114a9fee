//! Inlines calls and drops the functions that no kernel reaches.
//!
//! Algorithm: callees before callers, so that each body is copied in its final form; a copy is
//! spliced into the caller's instruction list and its return value takes the call's place. A body
//! that will be copied several times is cleaned up before: what is dead in it would be copied too.
//! One that is called once is not copied: it moves into its caller, when that is inlined, with what it calls in turn.
//!
//! Functions with pointers to private, local or generic memory are inlined, unless `budget` says otherwise: in the
//! caller every access then knows its object. So are functions that take images, which are then known as
//! arguments of the kernel, called kernels, which have an interface of their own in SPIR-V, and functions that
//! return a vector too wide for SPIR-V. Of the others, those that are small or called once, if they leave no loop
//! by a return.
//!
//! Needs: `single_exit`. Establishes: no call passes an image; every function is a kernel or called.

use super::single_exit;
use crate::diag::Sink;
use crate::ir::util::{clone_region, move_region, walk, walk_mut};
use crate::ir::{
    FuncId, Function, Inline, Inst, Module, Op, Region, Scalar, Space, Type, Value, Values,
};
use crate::pass::ssa::cleanup;
use crate::pass::{Ctx, side_by_side};
use crate::target::Target;
use rustc_hash::FxHashMap;

/// Instructions of a function that is inlined at every call.
pub(in crate::pass) const SMALL: usize = 60;
/// If one function, or all of them together, have more values than this, inlining ends with an error.
const MAX_VALUES: usize = 1 << 22;
const MAX_TOTAL: usize = 1 << 24;

/// Regions nest no deeper than this: passes recurse over them.
const MAX_DEPTH: usize = 10_000;

pub fn run(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    let Some(order) = callees_first(module, sink) else {
        return;
    };
    let calls = call_counts(module);
    let mut plan = Plan::new(module, &calls, ctx.target);
    let mut funcs: Vec<Option<Function>> = std::mem::take(&mut module.funcs)
        .into_iter()
        .map(Some)
        .collect();
    for (wave, size) in plan.waves(&funcs, order) {
        if let Some((name, why)) = plan.too_large(&wave, &funcs) {
            sink.general_error(format!("'{name}' {why} after inlining its calls"));
            break;
        }
        let taken: Vec<_> = wave
            .into_iter()
            .filter_map(|id| {
                Some((
                    id,
                    funcs[id.index()].take()?,
                    plan.take_moved(id, &mut funcs),
                ))
            })
            .collect();
        let inlined = &plan.inlined;
        let done = side_by_side(size, taken, |(id, mut func, moved)| {
            let mut inline = false;
            if let Some(mut body) = func.body.take() {
                let mut inliner = Inliner {
                    func: &mut func,
                    funcs: &funcs,
                    inlined,
                    moved,
                    map: FxHashMap::default(),
                };
                inliner.region(&mut body);
                let calls = calls[id.index()];
                inline = must(&func, ctx.target) || worthwhile(&func, &body, calls);
                func.body = Some(body);
                if inline && calls > 1 {
                    cleanup::clean(&mut func, &module.globals, ctx.target);
                }
            }
            (id, func, inline)
        });
        for (id, func, inline) in done {
            plan.inlined[id.index()] = inline;
            funcs[id.index()] = Some(func);
        }
    }
    // An empty function takes the place of each that has moved, since nothing calls it any more.
    let gone = || Function::new(String::new(), &[], None);
    module.funcs = funcs.into_iter().map(|f| f.unwrap_or_else(gone)).collect();
    drop_uncalled(module);
}

/// What inlining decides before it starts. The lists are indexed by function number.
struct Plan {
    /// What the function calls, and how deeply nested the region of the call is.
    callees: Vec<Vec<(FuncId, usize)>>,
    /// How deeply the function's regions nest.
    depths: Vec<usize>,
    /// The function has one call and moves into that caller.
    moves: Vec<bool>,
    /// The function is inlined at each call. Set once its body is in its final form.
    inlined: Vec<bool>,
    /// Values of all functions, copies included.
    total: usize,
}

impl Plan {
    fn new(module: &Module, calls: &[u32], target: &Target) -> Plan {
        let moves = |(func, &calls): (&Function, &u32)| {
            let body = func
                .body
                .as_ref()
                .filter(|_| func.kernel.is_none() && calls == 1);
            body.is_some_and(|body| must(func, target) || worthwhile(func, body, calls))
        };
        let mut plan = Plan {
            callees: Vec::new(),
            depths: Vec::new(),
            moves: module.funcs.iter().zip(calls).map(moves).collect(),
            inlined: vec![false; module.funcs.len()],
            total: module.funcs.iter().map(|f| f.values.len()).sum(),
        };
        for func in &module.funcs {
            let (mut callees, mut depth) = (Vec::new(), 0);
            if let Some(body) = &func.body {
                walk_levels(body, 0, &mut |inst, level| {
                    depth = depth.max(level);
                    if let Op::Call { callee, .. } = inst.op {
                        callees.push((callee, level));
                    }
                });
            }
            plan.callees.push(callees);
            plan.depths.push(depth);
        }
        plan
    }

    /// Groups of functions that do not move. A group calls only functions of earlier groups, so its members can be
    /// inlined into in parallel. Each has its number of instructions with all calls inlined.
    fn waves(&self, funcs: &[Option<Function>], order: Vec<FuncId>) -> Vec<(Vec<FuncId>, usize)> {
        let mut waves: Vec<(Vec<FuncId>, usize)> = Vec::new();
        // By function number: its group, and its instructions.
        let mut known = vec![(0, 0); funcs.len()];
        for id in order {
            let Some(func) = &funcs[id.index()] else {
                continue;
            };
            let (mut wave, mut size) = (0, func.values.len());
            for (callee, _) in &self.callees[id.index()] {
                let (callee_wave, callee_size): (usize, usize) = known[callee.index()];
                let apart = usize::from(!self.moves[callee.index()]);
                wave = wave.max(callee_wave + apart);
                size = size.saturating_add(callee_size);
            }
            known[id.index()] = (wave, size);
            if self.moves[id.index()] {
                continue;
            }
            if waves.len() <= wave {
                waves.resize(wave + 1, (Vec::new(), 0));
            }
            waves[wave].0.push(id);
            waves[wave].1 = waves[wave].1.saturating_add(size);
        }
        waves
    }

    /// Takes the functions that move into this one, directly or through others, out of the list.
    fn take_moved(
        &self,
        id: FuncId,
        funcs: &mut [Option<Function>],
    ) -> FxHashMap<FuncId, Function> {
        let (mut moved, mut work) = (FxHashMap::default(), vec![id]);
        while let Some(id) = work.pop() {
            for &(callee, _) in &self.callees[id.index()] {
                if self.moves[callee.index()]
                    && let Some(func) = funcs[callee.index()].take()
                {
                    moved.insert(callee, func);
                    work.push(callee);
                }
            }
        }
        moved
    }

    /// Finds a function of the group that would be too large with its calls inlined, and says in what way. If the values
    /// of one function or of all are too many, it names the largest function. Copies of copies grow exponentially, so this
    /// is checked before memory runs out.
    fn too_large(
        &mut self,
        wave: &[FuncId],
        funcs: &[Option<Function>],
    ) -> Option<(String, &'static str)> {
        let name = |id: FuncId| funcs[id.index()].as_ref().map(|f| f.name.clone());
        let size = |id: FuncId| funcs[id.index()].as_ref().map_or(0, |f| f.values.len());
        let (mut most, mut largest) = (0, wave.first().copied()?);
        for &id in wave {
            let (mut own, mut copies, mut depth) = (0, 0, 0);
            // Each entry has the nesting level of its call.
            let mut work = vec![(id, 0)];
            while let Some((id, level)) = work.pop() {
                own += size(id);
                depth = depth.max(level + self.depths[id.index()]);
                for &(callee, inner) in &self.callees[id.index()] {
                    if self.moves[callee.index()] {
                        work.push((callee, level + inner));
                    } else if self.inlined[callee.index()] {
                        copies += size(callee);
                        depth = depth.max(level + inner + self.depths[callee.index()]);
                    }
                }
            }
            self.total += copies;
            if depth > MAX_DEPTH {
                return Some((name(id)?, "nests too deeply"));
            }
            self.depths[id.index()] = depth;
            if own + copies > most {
                (most, largest) = (own + copies, id);
            }
        }
        match most <= MAX_VALUES && self.total <= MAX_TOTAL {
            true => None,
            false => Some((name(largest)?, "is too large")),
        }
    }
}

/// Like [`walk`], and also passes the nesting level of each instruction's region.
fn walk_levels<'r>(region: &'r Region, level: usize, f: &mut impl FnMut(&'r Inst, usize)) {
    for inst in &region.insts {
        f(inst, level);
        for nested in inst.op.regions() {
            walk_levels(nested, level + 1, f);
        }
    }
}

/// Whether the function must be inlined at every call.
pub fn must(func: &Function, target: &Target) -> bool {
    let object = |s: Scalar| {
        matches!(
            s,
            Scalar::Ptr(Space::Private | Space::Local | Space::Generic)
        )
    };
    let wanted = func.inline == Inline::Always || any_type(func, object);
    !may_stay(func, target) || wanted && func.inline != Inline::OverBudget
}

/// Whether SPIR-V can express a call of the function.
pub fn may_stay(func: &Function, target: &Target) -> bool {
    // Without 64-bit integers each lane of one is a pair of words.
    let lanes = |ty: Type| match ty.scalar {
        Scalar::I64 if !target.int64 => 2 * ty.lanes,
        _ => ty.lanes,
    };
    func.kernel.is_none()
        && !any_type(func, |s| s == Scalar::Image)
        && func.ret.is_none_or(|ty| lanes(ty) <= 4)
}

/// Whether a parameter or the result has a scalar type for which `is` holds.
fn any_type(func: &Function, is: impl Fn(Scalar) -> bool) -> bool {
    let mut types = func.params.iter().map(|&v| func.ty(v)).chain(func.ret);
    types.any(|ty| is(ty.scalar))
}

fn worthwhile(func: &Function, body: &Region, calls: u32) -> bool {
    let mut size = 0;
    walk(body, &mut |_| size += 1);
    !matches!(
        func.inline,
        Inline::Never | Inline::Late | Inline::OverBudget
    ) && (calls == 1 || size <= SMALL)
        && single_exit::ends_in_its_only_return(body)
}

/// Call sites of each function.
pub fn call_counts(module: &Module) -> Vec<u32> {
    let mut counts = vec![0; module.funcs.len()];
    for func in &module.funcs {
        for callee in callees(func) {
            counts[callee.index()] += 1;
        }
    }
    counts
}

pub(in crate::pass) fn callees(func: &Function) -> Vec<FuncId> {
    let mut found = Vec::new();
    if let Some(body) = &func.body {
        walk(body, &mut |inst| {
            if let Op::Call { callee, .. } = inst.op {
                found.push(callee);
            }
        });
    }
    found
}

/// The functions that kernels reach, callees before callers. `None` after reporting recursion.
pub(in crate::pass) fn callees_first(module: &Module, sink: &mut Sink) -> Option<Vec<FuncId>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Visit {
        Unvisited,
        Active,
        Done,
    }
    let mut visits = vec![Visit::Unvisited; module.funcs.len()];
    let mut order = Vec::new();
    let kernels = (0..module.funcs.len()).filter(|&i| module.funcs[i].kernel.is_some());
    for kernel in kernels {
        // The stack of the depth-first walk: a function, and its callees that are still to be visited.
        let mut stack: Vec<(FuncId, Vec<FuncId>)> = Vec::new();
        let mut next = Some(FuncId(kernel as u32));
        loop {
            if let Some(id) = next.take() {
                let func = &module.funcs[id.index()];
                match visits[id.index()] {
                    Visit::Done => {}
                    Visit::Active => {
                        sink.general_error(format!("recursion is not allowed: '{}'", func.name));
                        return None;
                    }
                    Visit::Unvisited => {
                        visits[id.index()] = Visit::Active;
                        stack.push((id, callees(func)));
                    }
                }
            }
            match stack.last_mut() {
                None => break,
                Some((_, callees)) if !callees.is_empty() => next = callees.pop(),
                Some((id, _)) => {
                    visits[id.index()] = Visit::Done;
                    order.push(*id);
                    stack.pop();
                }
            }
        }
    }
    Some(order)
}

struct Inliner<'a> {
    func: &'a mut Function,
    funcs: &'a [Option<Function>],
    inlined: &'a [bool],
    /// The callees that move, each into its only call.
    moved: FxHashMap<FuncId, Function>,
    /// Maps results of inlined calls to the values that the callee returned.
    map: FxHashMap<Value, Value>,
}

/// A list of instructions that is being spliced.
struct Source {
    insts: std::vec::IntoIter<Inst>,
    /// If the list is the body of a callee: the results of the call.
    call: Option<Values>,
}

impl Inliner<'_> {
    fn region(&mut self, region: &mut Region) {
        let insts = std::mem::take(&mut region.insts);
        region.insts.reserve(insts.len());
        // A stack of our own instead of recursion: a chain of bodies that move may be long.
        let mut sources = vec![Source {
            insts: insts.into_iter(),
            call: None,
        }];
        while let Some(source) = sources.last_mut() {
            let Some(mut inst) = source.insts.next() else {
                sources.pop();
                continue;
            };
            if !self.map.is_empty() {
                inst.op.for_each_operand_mut(|v| {
                    if let Some(new) = self.map.get(v) {
                        *v = *new;
                    }
                });
            }
            for nested in inst.op.regions_mut() {
                self.region(nested);
            }
            if source.call.is_some() && source.insts.len() == 0 {
                let results = source.call.take();
                if !self.end(results, inst, region) {
                    return;
                }
                continue;
            }
            let Op::Call { callee, args, .. } = &inst.op else {
                region.insts.push(inst);
                continue;
            };
            if let Some(mut callee) = self.moved.remove(callee)
                && let Some(body) = callee.body.take()
            {
                let body = move_region(body, &callee, args, self.func);
                sources.push(Source {
                    insts: body.insts.into_iter(),
                    call: Some(inst.results),
                });
            } else if self.inlined[callee.index()]
                && let Some(callee) = &self.funcs[callee.index()]
                && let Some(body) = &callee.body
            {
                let mut copy = clone_region(body, callee, args, self.func);
                let end = copy.insts.pop();
                region.insts.append(&mut copy.insts);
                let end = end.map(|end| self.end(Some(inst.results), end, region));
                if end == Some(false) {
                    return;
                }
            } else {
                region.insts.push(inst);
            }
        }
    }

    /// Handles the end of a callee's body. Returns false if the callee never returns, so that what follows the call is dead.
    fn end(&mut self, results: Option<Values>, end: Inst, region: &mut Region) -> bool {
        let Op::Return(value) = end.op else {
            region.insts.push(end);
            return false;
        };
        self.map.extend(results.into_iter().flatten().zip(value));
        true
    }
}

/// Drops functions that are neither kernels nor called from one, and renumbers the others.
fn drop_uncalled(module: &mut Module) {
    let mut used: Vec<bool> = module.funcs.iter().map(|f| f.kernel.is_some()).collect();
    let mut work: Vec<usize> = (0..used.len()).filter(|&i| used[i]).collect();
    while let Some(i) = work.pop() {
        for callee in callees(&module.funcs[i]) {
            if !std::mem::replace(&mut used[callee.index()], true) {
                work.push(callee.index());
            }
        }
    }
    let mut next = 0;
    let ids: Vec<u32> = used
        .iter()
        .map(|&u| {
            let id = next;
            next += u as u32;
            id
        })
        .collect();
    let mut keep = used.iter();
    module.funcs.retain(|_| keep.next() == Some(&true));
    for func in &mut module.funcs {
        if let Some(body) = &mut func.body {
            walk_mut(body, &mut |inst| {
                if let Op::Call { callee, .. } = &mut inst.op {
                    callee.0 = ids[callee.index()];
                }
            });
        }
    }
}
