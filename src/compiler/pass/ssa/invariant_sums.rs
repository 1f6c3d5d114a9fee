//! In sums of a loop what the loop does not change is added up first.
//!
//! The address of `b[p * n + column]` is `(b + 4 * (p * n)) + 4 * column`. Drivers' compilers move sums in front of a loop that does not change
//! them, but do not bring `b` and the column together, so that each round adds a pair of registers more than it must.
//!
//! Algorithm: the additions that make one sum of 64 bits, each of which only the next one uses, have terms. What is defined in fewer
//! loops comes first, constants last, if more additions are in fewer loops then. Each new sum takes a pair of registers for as
//! long as the loop runs, so there are few.
//!
//! Needs: addresses that are integers. Keeps the stage.

use rustc_hash::{FxHashMap, FxHashSet};

use super::unroll::copies::define;
use crate::diag::Sink;
use crate::ir::defs::Defs;
use crate::ir::util::use_counts;
use crate::ir::{BinOp, Function, Inst, Module, Op, Region, Type, Value};
use crate::pass::{Ctx, each_function};

/// Sums of a function that take registers of their own.
const MAX_SUMS: usize = 4;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    // Elsewhere such an address is one instruction.
    if !ctx.target.paired_registers {
        return;
    }
    each_function(module, |func, _| {
        let uses = use_counts(func);
        let Some(mut body) = func.body.take() else {
            return;
        };
        let plan = plan(func, &body, &uses);
        if !plan.is_empty() {
            carry_out(func, &mut body, &plan);
        }
        func.body = Some(body);
    });
}

/// The terms of sums, in the order in which they are to be added.
type Plan = FxHashMap<Value, Vec<Value>>;

struct Sums<'r> {
    defs: Defs<&'r Inst>,
    uses: &'r [u32],
    /// The number of loops around each definition.
    around: Vec<u32>,
    /// Of these, how many loops change the value.
    loops: Vec<u32>,
}

fn plan(func: &Function, body: &Region, uses: &[u32]) -> Plan {
    let mut sums = Sums {
        defs: Defs::of(func, body),
        uses,
        around: vec![0; func.values.len()],
        loops: vec![0; func.values.len()],
    };
    let mut additions = Vec::new();
    sums.note(func, body, 0, &mut additions);
    let mut parts = FxHashSet::default();
    for &sum in &additions {
        if let Some((a, b)) = sums.defs.binary(sum, BinOp::Add) {
            parts.extend([a, b].into_iter().filter(|&term| sums.is_part(term, sum)));
        }
    }
    let mut plan = Plan::default();
    let mut kept: Vec<Vec<Value>> = Vec::new();
    for &sum in additions.iter().filter(|sum| !parts.contains(sum)) {
        let mut terms = Vec::new();
        let before = sums.terms(sum, sum, &mut terms);
        let rank = |v: &Value| (sums.defs.constant(*v).is_some(), sums.loops[v.index()]);
        terms.sort_by_key(rank);
        let varying: Vec<u32> = terms
            .iter()
            .map(rank)
            .filter(|r| !r.0)
            .map(|r| r.1)
            .collect();
        if varying.iter().skip(1).sum::<u32>() >= before {
            continue;
        }
        let inside = sums.loops[sum.index()];
        let mut invariant: Vec<Value> = terms
            .iter()
            .filter(|t| rank(t) < (false, inside))
            .copied()
            .collect();
        invariant.sort_unstable();
        if !kept.contains(&invariant) {
            if kept.len() == MAX_SUMS {
                continue;
            }
            kept.push(invariant);
        }
        plan.insert(sum, terms);
    }
    plan
}

impl Sums<'_> {
    /// Notes which loops change values, and collects the additions of 64 bits in loops.
    fn note(&mut self, func: &Function, region: &Region, loops: u32, additions: &mut Vec<Value>) {
        for param in &region.params {
            self.around[param.index()] = loops;
            self.loops[param.index()] = loops;
        }
        for inst in &region.insts {
            let changed = match &inst.op {
                Op::Const(_) | Op::Binary(..) | Op::Cast(..) => {
                    let mut changed = 0;
                    inst.op
                        .for_each_operand(|v| changed = changed.max(self.loops[v.index()]));
                    changed
                }
                _ => loops,
            };
            for result in &inst.results {
                self.around[result.index()] = loops;
                self.loops[result.index()] = changed;
            }
            if let (Op::Binary(BinOp::Add, ..), &[sum]) = (&inst.op, &inst.results[..])
                && func.ty(sum) == Type::I64
                && loops > 0
            {
                additions.push(sum);
            }
            let inside = loops + u32::from(matches!(inst.op, Op::Loop { .. }));
            for nested in inst.op.regions() {
                self.note(func, nested, inside, additions);
            }
        }
    }

    /// Is this term an addition that belongs to the sum?
    fn is_part(&self, term: Value, sum: Value) -> bool {
        self.uses[term.index()] == 1
            && self.around[term.index()] == self.around[sum.index()]
            && self.loops[term.index()] == self.loops[sum.index()]
            && self.defs.binary(term, BinOp::Add).is_some()
    }

    /// Collects the terms of a sum. Returns its additions, each as often as there are loops that change it.
    fn terms(&self, value: Value, sum: Value, terms: &mut Vec<Value>) -> u32 {
        let parts = self.defs.binary(value, BinOp::Add);
        match parts.filter(|_| value == sum || self.is_part(value, sum)) {
            Some((a, b)) => {
                let from = terms.len();
                let inner = self.terms(a, sum, terms) + self.terms(b, sum, terms);
                let varying = terms[from..]
                    .iter()
                    .filter(|&&t| self.defs.constant(t).is_none());
                let constant = [a, b].iter().any(|&t| self.defs.constant(t).is_some());
                let own = varying.map(|t| self.loops[t.index()]).max().unwrap_or(0);
                inner + if constant { 0 } else { own }
            }
            None => {
                terms.push(value);
                0
            }
        }
    }
}

fn carry_out(func: &mut Function, region: &mut Region, plan: &Plan) {
    for mut inst in std::mem::take(&mut region.insts) {
        for nested in inst.op.regions_mut() {
            carry_out(func, nested, plan);
        }
        let terms = inst.results.first().and_then(|sum| plan.get(sum));
        if let Some([first, between @ .., last]) = terms.map(|terms| &terms[..]) {
            let mut sum = *first;
            for &term in between {
                sum = define(
                    func,
                    Type::I64,
                    Op::Binary(BinOp::Add, sum, term),
                    &mut region.insts,
                );
            }
            inst.op = Op::Binary(BinOp::Add, sum, *last);
        }
        region.insts.push(inst);
    }
}
