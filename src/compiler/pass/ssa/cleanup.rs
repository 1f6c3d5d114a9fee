//! Promotes, simplifies, prunes and removes dead code until nothing changes, for a few rounds.
//!
//! The one pass that the pipeline runs again and again. Each round is linear in the size of the
//! function; one that changes nothing from which more could follow is the last.
//!
//! Needs: any stage, and keeps it.

use super::{dce, mem2reg, params, simplify};
use crate::diag::Sink;
use crate::ir::util::walk;
use crate::ir::{Function, Global, Module, Op, Region, Type, Value};
use crate::pass::lower::generic;
use crate::pass::{Ctx, each_function};
use crate::target::Target;

/// A bound on compile time: the driver's compiler simplifies the rest.
const MAX_ROUNDS: u32 = 4;
/// Values of a function that is walked over again only if passes changed one of [`SMALL_CHANGE`].
const LARGE: usize = 16 << 10;
const SMALL_CHANGE: usize = 128;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    each_function(module, |func, globals| clean(func, globals, ctx.target));
}

/// Runs a pass on the body of each function, and cleans up those that it says it has changed.
pub fn behind(
    module: &mut Module,
    ctx: &Ctx,
    pass: impl Fn(&mut Function, &mut Region) -> bool + Sync,
) {
    each_function(module, |func, globals| {
        let Some(mut body) = func.body.take() else {
            return;
        };
        let any = pass(func, &mut body);
        func.body = Some(body);
        if any {
            clean(func, globals, ctx.target);
        }
    });
}

/// For use behind passes that may have changed little.
pub fn run_where_changed(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    each_function(module, |func, globals| {
        if func.values.len() < LARGE || changed(func) * SMALL_CHANGE > func.values.len() {
            clean(func, globals, ctx.target);
        }
    });
}

/// Definitions that do not follow the one before: places where something was put in or taken out
/// since [`renumber`].
fn changed(func: &Function) -> usize {
    let (mut next, mut count) = (func.params.len(), 0);
    let mut define = |v: &Value| {
        count += usize::from(v.index() != next);
        next = v.index() + 1;
    };
    if let Some(body) = &func.body {
        each_definition(body, &mut define);
    }
    count
}

fn each_definition(region: &Region, f: &mut impl FnMut(&Value)) {
    region.params.iter().for_each(&mut *f);
    for inst in &region.insts {
        inst.results.iter().for_each(&mut *f);
        for nested in inst.op.regions() {
            each_definition(nested, f);
        }
    }
}

/// One function of a module with these global variables.
pub fn clean(func: &mut Function, globals: &[Global], target: &Target) {
    promote(func, true);
    // No pass of the rounds makes one.
    let objects = has_objects(func);
    for _ in 0..MAX_ROUNDS {
        let simplified = simplify::simplify(func, globals, target);
        let pruned = params::prune(func);
        // Rules look at how often values are used.
        let shrunk = dce::remove_dead(func);
        // An address that escaped only into dead code no longer does.
        let promoted = promote(func, objects);
        if !(simplified || pruned || shrunk || promoted) {
            break;
        }
    }
    renumber(func);
}

fn has_objects(func: &Function) -> bool {
    let mut found = false;
    if let Some(body) = &func.body {
        walk(body, &mut |inst| {
            found |= matches!(inst.op, Op::Alloca { .. })
        });
    }
    found
}

/// Returns whether anything changed. `objects`: the function may have private objects.
fn promote(func: &mut Function, objects: bool) -> bool {
    // A generic pointer into one space is no obstacle to promotion; what a promoted pointer
    // points to is seen next.
    let once = |func: &mut Function| generic::infer(func) | (objects && mem2reg::promote(func));
    (0..MAX_ROUNDS).take_while(|_| once(func)).count() > 0
}

/// Numbers the values in the order of their definition, without holes.
fn renumber(func: &mut Function) {
    let Some(mut body) = func.body.take() else {
        return;
    };
    let mut renumber = Renumber {
        new: vec![Value(0); func.values.len()],
        types: Vec::new(),
        old_types: std::mem::take(&mut func.values),
    };
    renumber.define(&mut func.params);
    renumber.region(&mut body);
    func.values = renumber.types;
    func.body = Some(body);
}

struct Renumber {
    /// By old value.
    new: Vec<Value>,
    types: Vec<Type>,
    old_types: Vec<Type>,
}

impl Renumber {
    fn define(&mut self, values: &mut [Value]) {
        for v in values {
            let new = Value(self.types.len() as u32);
            self.types.push(self.old_types[v.index()]);
            self.new[v.index()] = new;
            *v = new;
        }
    }

    fn region(&mut self, region: &mut Region) {
        self.define(&mut region.params);
        for inst in &mut region.insts {
            inst.op.for_each_operand_mut(|v| *v = self.new[v.index()]);
            let mut results = std::mem::take(&mut inst.results);
            self.define(&mut results);
            for nested in inst.op.regions_mut() {
                self.region(nested);
            }
            inst.results = results;
        }
    }
}
