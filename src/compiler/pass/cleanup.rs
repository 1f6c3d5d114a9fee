//! Promotes, simplifies, prunes and removes dead code until nothing changes, for a few rounds.
//!
//! The one pass that the pipeline runs again and again. Each round is linear in the size of the
//! function; one that changes nothing from which more could follow is the last.
//!
//! Needs: any stage, and keeps it.

use super::{Ctx, dce, each_function, generic, mem2reg, params, simplify};
use crate::compiler::diag::Sink;
use crate::compiler::ir::{Function, Global, Module, Region, Type, Value};
use crate::compiler::target::Target;

/// What is not found by then is left to the driver's compiler.
const MAX_ROUNDS: u32 = 4;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    each_function(module, |func, globals| clean(func, globals, ctx.target));
}

/// One function of a module with these global variables.
pub fn clean(func: &mut Function, globals: &[Global], target: &Target) {
    for _ in 0..MAX_ROUNDS {
        // A generic pointer into one space is no obstacle to promotion then.
        let inferred = generic::infer(func);
        // An address that escaped only into dead code no longer does.
        let promoted = mem2reg::promote(func);
        let simplified = simplify::simplify(func, globals, target);
        let pruned = params::prune(func);
        // Rules look at how often values are used.
        let shrunk = dce::remove_dead(func);
        if !(inferred || promoted || simplified || pruned || shrunk) {
            break;
        }
    }
    renumber(func);
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
