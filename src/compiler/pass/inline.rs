//! Inlines calls and drops the functions that no kernel reaches.
//!
//! Algorithm: callees before callers, so that each body is copied in its final form; a copy is
//! spliced into the caller's instruction list and its return value takes the call's place. A body
//! that will be copied several times is cleaned up before: what is dead in it would be copied too.
//!
//! Functions with pointers to private, local or generic memory are inlined, unless `budget` says otherwise: in the
//! caller every access then knows its object. So are functions that take images, which are then known as
//! arguments of the kernel, called kernels, which have an interface of their own in SPIR-V, and functions that
//! return a vector too wide for SPIR-V. Of the others, those that are small or called once, if they leave no loop
//! by a return.
//!
//! Needs: `single_exit`. Establishes: no call passes an image; every function is a kernel or called.

use super::{Ctx, cleanup, side_by_side, single_exit};
use crate::compiler::diag::Sink;
use crate::compiler::ir::util::{clone_region, walk, walk_mut};
use crate::compiler::ir::{
    FuncId, Function, Inline, Inst, Module, Op, Region, Scalar, Space, Value,
};
use crate::compiler::quick::QuickMap;

/// Instructions of a function that is inlined at every call.
pub(super) const SMALL: usize = 60;
/// Values of one function, and of all, above which inlining gives up with an error.
const MAX_VALUES: usize = 1 << 22;
const MAX_TOTAL: usize = 1 << 24;

pub fn run(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    let Some(order) = callees_first(module, sink) else {
        return;
    };
    let calls = call_counts(module);
    let mut inlined = vec![false; module.funcs.len()];
    let mut funcs: Vec<Option<Function>> = std::mem::take(&mut module.funcs)
        .into_iter()
        .map(Some)
        .collect();
    for (wave, size) in waves(&funcs, order) {
        if let Some(name) = too_large(&wave, &funcs, &inlined) {
            sink.general_error(format!("'{name}' is too large after inlining its calls"));
            break;
        }
        let taken: Vec<_> = wave
            .into_iter()
            .filter_map(|id| Some((id, funcs[id.index()].take()?)))
            .collect();
        let done = side_by_side(size, taken, |(id, mut func)| {
            let mut inline = false;
            if let Some(mut body) = func.body.take() {
                let mut inliner = Inliner {
                    func: &mut func,
                    funcs: &funcs,
                    inlined: &inlined,
                    map: QuickMap::default(),
                };
                inliner.region(&mut body);
                let calls = calls[id.index()];
                inline = must(&func) || worthwhile(&func, &body, calls);
                func.body = Some(body);
                if inline && calls > 1 {
                    cleanup::clean(&mut func, &module.globals, ctx.target);
                }
            }
            (id, func, inline)
        });
        for (id, func, inline) in done {
            inlined[id.index()] = inline;
            funcs[id.index()] = Some(func);
        }
    }
    module.funcs = funcs.into_iter().flatten().collect();
    drop_uncalled(module);
}

/// The largest function of a group, if it or all functions had too many values with the calls of the
/// group inlined: copies of copies grow exponentially, and memory would be gone before time.
fn too_large(wave: &[FuncId], funcs: &[Option<Function>], inlined: &[bool]) -> Option<String> {
    let size = |id: &FuncId| funcs[id.index()].as_ref().map_or(0, |f| f.values.len());
    let copied = |callee: &FuncId| inlined[callee.index()];
    let grown = |id: &FuncId| {
        let callees = funcs[id.index()].as_ref().map_or_else(Vec::new, callees);
        let copies: usize = callees.iter().filter(|c| copied(c)).map(size).sum();
        size(id) + copies
    };
    let sizes: Vec<(usize, FuncId)> = wave.iter().map(|id| (grown(id), *id)).collect();
    let &(most, largest) = sizes.iter().max()?;
    let now: usize = funcs.iter().flatten().map(|f| f.values.len()).sum();
    let total = now + sizes.iter().map(|s| s.0).sum::<usize>();
    if most <= MAX_VALUES && total <= MAX_TOTAL {
        return None;
    }
    Some(funcs[largest.index()].as_ref()?.name.to_string())
}

/// The function is inlined wherever it is called.
pub fn must(func: &Function) -> bool {
    let object = |s: Scalar| {
        matches!(
            s,
            Scalar::Ptr(Space::Private | Space::Local | Space::Generic)
        )
    };
    let wanted = func.inline == Inline::Always || any_type(func, object);
    !may_stay(func) || wanted && func.inline != Inline::Kept
}

/// A call of the function can be written in SPIR-V.
pub fn may_stay(func: &Function) -> bool {
    func.kernel.is_none()
        && !any_type(func, |s| s == Scalar::Image)
        && func.ret.is_none_or(|ty| ty.lanes <= 4)
}

/// Of a parameter, or the result.
fn any_type(func: &Function, is: impl Fn(Scalar) -> bool) -> bool {
    let mut types = func.params.iter().map(|&v| func.ty(v)).chain(func.ret);
    types.any(|ty| is(ty.scalar))
}

fn worthwhile(func: &Function, body: &Region, calls: u32) -> bool {
    let mut size = 0;
    walk(body, &mut |_| size += 1);
    !matches!(func.inline, Inline::Never | Inline::Late | Inline::Kept)
        && (calls == 1 || size <= SMALL)
        && single_exit::ends_in_its_only_return(body)
}

/// The functions in groups, each of which calls only functions of those before, and how many
/// instructions a group has with all calls inlined.
fn waves(funcs: &[Option<Function>], order: Vec<FuncId>) -> Vec<(Vec<FuncId>, usize)> {
    let mut waves: Vec<(Vec<FuncId>, usize)> = Vec::new();
    // By function: its wave, and its instructions.
    let mut known = vec![(0, 0); funcs.len()];
    for id in order {
        let Some(func) = &funcs[id.index()] else {
            continue;
        };
        let (mut wave, mut size) = (0, func.values.len());
        for callee in callees(func) {
            let (callee_wave, callee_size) = known[callee.index()];
            wave = wave.max(callee_wave + 1);
            size = size.saturating_add(callee_size);
        }
        known[id.index()] = (wave, size);
        if waves.len() <= wave {
            waves.resize(wave + 1, (Vec::new(), 0));
        }
        waves[wave].0.push(id);
        waves[wave].1 = waves[wave].1.saturating_add(size);
    }
    waves
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

pub(super) fn callees(func: &Function) -> Vec<FuncId> {
    let mut found = Vec::new();
    if let Some(body) = &func.body {
        walk(body, &mut |inst| {
            if let Op::Call(callee, _) = inst.op {
                found.push(callee);
            }
        });
    }
    found
}

/// The functions that kernels reach, callees before callers. `None` after reporting recursion.
pub(super) fn callees_first(module: &Module, sink: &mut Sink) -> Option<Vec<FuncId>> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        No,
        Open,
        Done,
    }
    let mut seen = vec![Seen::No; module.funcs.len()];
    let mut order = Vec::new();
    let kernels = (0..module.funcs.len()).filter(|&i| module.funcs[i].kernel.is_some());
    for kernel in kernels {
        // A stack of functions with the callees that are still to visit.
        let mut stack: Vec<(FuncId, Vec<FuncId>)> = Vec::new();
        let mut next = Some(FuncId(kernel as u32));
        loop {
            if let Some(id) = next.take() {
                let func = &module.funcs[id.index()];
                match seen[id.index()] {
                    Seen::Done => {}
                    Seen::Open => {
                        sink.general_error(format!("recursion is not allowed: '{}'", func.name));
                        return None;
                    }
                    Seen::No => {
                        seen[id.index()] = Seen::Open;
                        stack.push((id, callees(func)));
                    }
                }
            }
            match stack.last_mut() {
                None => break,
                Some((_, callees)) if !callees.is_empty() => next = callees.pop(),
                Some((id, _)) => {
                    seen[id.index()] = Seen::Done;
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
    /// Results of inlined calls to the values that they returned.
    map: QuickMap<Value, Value>,
}

impl Inliner<'_> {
    fn region(&mut self, region: &mut Region) {
        let insts = std::mem::take(&mut region.insts);
        region.insts.reserve(insts.len());
        for mut inst in insts {
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
            if let Op::Call(callee, args) = &inst.op
                && self.inlined[callee.index()]
                && let Some(callee) = &self.funcs[callee.index()]
                && let Some(body) = &callee.body
            {
                let mut copy = clone_region(body, callee, args, self.func);
                match copy.insts.pop() {
                    Some(Inst {
                        op: Op::Return(value),
                        ..
                    }) => {
                        self.map.extend(inst.results.iter().copied().zip(value));
                        region.insts.append(&mut copy.insts);
                    }
                    // The callee never returns, and so what follows the call never runs.
                    end => {
                        region.insts.append(&mut copy.insts);
                        region.insts.extend(end);
                        return;
                    }
                }
            } else {
                region.insts.push(inst);
            }
        }
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
                if let Op::Call(callee, _) = &mut inst.op {
                    callee.0 = ids[callee.index()];
                }
            });
        }
    }
}
