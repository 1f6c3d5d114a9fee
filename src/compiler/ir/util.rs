//! Walking, copying and rewriting regions.

use std::collections::BTreeSet;

use super::builder::Builder;
use super::{FuncId, Function, Inst, Module, Op, Region, Value, Values};
use rustc_hash::FxHashMap;

/// Calls `f` on every instruction, in text order: an instruction before those inside it.
pub fn walk<'r>(region: &'r Region, f: &mut impl FnMut(&'r Inst)) {
    for inst in &region.insts {
        f(inst);
        for nested in inst.op.regions() {
            walk(nested, f);
        }
    }
}

/// Of a loop of which nothing is known: how often what is in it counts.
pub const EXPECTED_ROUNDS: u32 = 8;

/// As [`walk`], with the number of loops around each instruction, beside `loops` around the region.
pub fn walk_loops<'r>(region: &'r Region, loops: u32, f: &mut impl FnMut(&'r Inst, u32)) {
    for inst in &region.insts {
        f(inst, loops);
        let inside = loops + u32::from(matches!(inst.op, Op::Loop { .. }));
        for nested in inst.op.regions() {
            walk_loops(nested, inside, f);
        }
    }
}

/// As [`walk`], to change instructions; what `f` puts inside an instruction is visited too.
pub fn walk_mut(region: &mut Region, f: &mut impl FnMut(&mut Inst)) {
    for inst in &mut region.insts {
        f(inst);
        for nested in inst.op.regions_mut() {
            walk_mut(nested, f);
        }
    }
}

/// How often each value of the function is an operand, by value index.
pub fn use_counts(func: &Function) -> Vec<u32> {
    let mut counts = vec![0; func.values.len()];
    if let Some(body) = &func.body {
        walk(body, &mut |inst| {
            inst.op.for_each_operand(|v| counts[v.index()] += 1);
        });
    }
    counts
}

/// Replaces operands in `region` and all inside it by `map`.
pub fn substitute(region: &mut Region, map: &FxHashMap<Value, Value>) {
    if !map.is_empty() {
        walk_mut(region, &mut |inst| {
            inst.op.for_each_operand_mut(|v| replace(v, map));
        });
    }
}

fn replace(v: &mut Value, map: &FxHashMap<Value, Value>) {
    if let Some(new) = map.get(v) {
        *v = *new;
    }
}

/// A copy of `region`, which is in function `from`, for function `to`: with `args` for the parameters
/// of `from` and new values for all others.
pub fn clone_region(region: &Region, from: &Function, args: &[Value], to: &mut Function) -> Region {
    move_region(region.clone(), from, args, to)
}

/// The same of a region that `from` has no more.
pub fn move_region(
    mut region: Region,
    from: &Function,
    args: &[Value],
    to: &mut Function,
) -> Region {
    let first = to.values.len() as u32;
    let mut names: Vec<Value> = (first..).map(Value).take(from.values.len()).collect();
    to.values.extend_from_slice(&from.values);
    for (param, &arg) in from.params.iter().zip(args) {
        names[param.index()] = arg;
    }
    rename(&mut region, &names);
    region
}

fn rename(region: &mut Region, names: &[Value]) {
    let new = |v: &mut Value| *v = names[v.index()];
    region.params.iter_mut().for_each(new);
    for inst in &mut region.insts {
        inst.results.iter_mut().for_each(new);
        inst.op.for_each_operand_mut(new);
        for nested in inst.op.regions_mut() {
            rename(nested, names);
        }
    }
}

/// Copies `region` inside `func` with new values for all that it defines. `map` gives the values for
/// what the region uses from outside, and afterwards also for what it defines. Values without an
/// entry are kept.
pub fn copy_region(
    region: &Region,
    func: &mut Function,
    map: &mut FxHashMap<Value, Value>,
) -> Region {
    let fresh = |values: &[Value], func: &mut Function| -> Values {
        let fresh = values.iter().map(|&v| func.new_value(func.ty(v)));
        fresh.collect()
    };
    let params = fresh(&region.params, func).to_vec();
    map.extend(region.params.iter().copied().zip(params.iter().copied()));
    let mut insts = Vec::with_capacity(region.insts.len());
    for inst in &region.insts {
        let mut op = inst.op.without_regions();
        op.for_each_operand_mut(|v| replace(v, map));
        for (new, nested) in op.regions_mut().zip(inst.op.regions()) {
            **new = copy_region(nested, func, map);
        }
        let results = fresh(&inst.results, func);
        map.extend(inst.results.iter().copied().zip(results.iter().copied()));
        insts.push(Inst {
            results,
            op,
            fast: inst.fast,
            loc: inst.loc,
        });
    }
    Region { params, insts }
}

/// What the region yields, if that is its end.
pub fn yielded(region: &Region) -> Option<&[Value]> {
    match &region.insts.last()?.op {
        Op::Yield(values) => Some(values),
        _ => None,
    }
}

/// [`yielded`], to change it.
pub fn yielded_mut(region: &mut Region) -> Option<&mut Vec<Value>> {
    match &mut region.insts.last_mut()?.op {
        Op::Yield(values) => Some(values),
        _ => None,
    }
}

/// The end of the region does not yield: control leaves the if around it by break, continue or return.
pub fn always_leaves(region: &Region) -> bool {
    match region.insts.last() {
        Some(last) => !matches!(last.op, Op::Yield(_)),
        None => false,
    }
}

/// Some `break` in `region` refers to the loop or switch around it.
pub fn has_break(region: &Region) -> bool {
    leaves(region, &|op| matches!(op, Op::Break(_)), true)
}

/// Calls `f` with what each `continue` of the loop around `region` passes on.
pub fn each_continue<'r>(region: &'r Region, f: &mut impl FnMut(&'r [Value])) {
    for inst in &region.insts {
        match &inst.op {
            Op::Continue(values) => f(values),
            Op::Loop { .. } => {}
            op => op.regions().for_each(|r| each_continue(r, f)),
        }
    }
}

/// As [`each_continue`], to change it.
pub fn each_continue_mut(region: &mut Region, f: &mut impl FnMut(&mut Vec<Value>)) {
    for inst in &mut region.insts {
        match &mut inst.op {
            Op::Continue(values) => f(values),
            Op::Loop { .. } => {}
            op => op.regions_mut().for_each(|r| each_continue_mut(r, f)),
        }
    }
}

/// Some `continue` in `region` refers to the loop around it.
pub fn has_continue(region: &Region) -> bool {
    leaves(region, &|op| matches!(op, Op::Continue(_)), false)
}

fn leaves(region: &Region, wanted: &impl Fn(&Op) -> bool, switch_catches: bool) -> bool {
    // Backwards: the terminator is what matters, the rest is looked at for ifs and switches.
    region.insts.iter().rev().any(|inst| match &inst.op {
        Op::Switch { .. } if switch_catches => false,
        op @ (Op::If(..) | Op::Switch { .. }) => {
            op.regions().any(|r| leaves(r, wanted, switch_catches))
        }
        op => wanted(op),
    })
}

/// Some `return` is inside `region`, at any depth.
pub fn has_return(region: &Region) -> bool {
    region.insts.iter().rev().any(|inst| match &inst.op {
        Op::Return(_) => true,
        op => op.regions().any(has_return),
    })
}

/// Rebuilds the body of `func`, giving every instruction to `f`, which appends what takes its
/// place: the instruction itself (`b.push(inst)`), nothing, or others. It returns values to use
/// from now on in place of the results, or none when the results stay defined. Operands
/// are already replaced and nested regions already rebuilt when `f` sees an instruction.
/// The builder's place and flags are the instruction's.
pub fn rewrite(func: &mut Function, mut f: impl FnMut(&mut Builder, Inst) -> Vec<Value>) {
    let Some(body) = func.body.take() else {
        return;
    };
    let mut builder = Builder::new(func);
    // By old value; new ones are not replaced.
    let mut map: Vec<Value> = (0..builder.func.values.len() as u32).map(Value).collect();
    rewrite_region(&mut builder, body, &mut map, &mut f);
    builder.finish();
}

fn rewrite_region(
    b: &mut Builder,
    region: Region,
    map: &mut [Value],
    f: &mut impl FnMut(&mut Builder, Inst) -> Vec<Value>,
) {
    b.reserve(region.insts.len());
    for mut inst in region.insts {
        inst.op.for_each_operand_mut(|v| {
            if let Some(new) = map.get(v.index()) {
                *v = *new;
            }
        });
        for nested in inst.op.regions_mut() {
            let old = std::mem::take(nested);
            b.push_region(old.params.clone());
            rewrite_region(b, *old, map, f);
            *nested = b.pop_region();
        }
        (b.loc, b.fast) = (inst.loc, inst.fast);
        let results = inst.results.clone();
        let new = f(b, inst);
        for (old, new) in results.into_iter().zip(new) {
            if let Some(entry) = map.get_mut(old.index()) {
                *entry = new;
            }
        }
    }
}

/// The function and all that it calls, themselves or through others.
pub fn reachable(module: &Module, from: FuncId) -> BTreeSet<FuncId> {
    let mut seen = BTreeSet::from([from]);
    let mut todo = vec![from];
    while let Some(f) = todo.pop() {
        let Some(body) = &module.funcs[f.index()].body else {
            continue;
        };
        walk(body, &mut |inst| {
            if let Op::Call { callee, .. } = inst.op
                && seen.insert(callee)
            {
                todo.push(callee);
            }
        });
    }
    seen
}
