//! Computes once, in front of a branch, what several of its regions compute.
//!
//! A switch over the place of a byte in a block, as kernels of digests have it, moves the same words in each of its cases.
//! Once for each case and copy that is tens of thousands of instructions and calls, and drivers take long for them.
//!
//! Algorithm: inner branches first. The pure instructions of a branch's regions, and calls of functions
//! that are pure, are numbered: those that compute the same of the same get one number. What has been
//! numbered in several regions moves in front of the branch, if much code goes and the longest way through the branch
//! stays about as long. An instruction's operands are in all regions in which it is itself, so they move, too.
//! Small branches stay as they are: drivers know best what to compute without its condition.
//!
//! Needs: the values that sroa made of private objects. Keeps the stage.

use super::effects;
use super::numbers::{Numbers, Replaced};
use crate::diag::Sink;
use crate::ir::{Function, Inst, Module, Op, Region, Type, Value};
use crate::pass::shape::inline;
use crate::pass::{Ctx, each_function};
use rustc_hash::FxHashMap;

/// Instructions, those of callees included, that must go.
const MIN_SAVED: usize = 256;
/// What moves may be more than what moves of the longest region by one in so many instructions.
const LONGER: usize = 8;
/// Of what moves, regions need one in so many on average.
const NEEDED: usize = 3;

pub fn run(module: &mut Module, _: &Ctx, sink: &mut Sink) {
    let Some(costs) = costs(module, sink) else {
        return;
    };
    each_function(module, |func, _| hoist(func, &costs));
}

fn hoist(func: &mut Function, costs: &[Option<usize>]) {
    let Some(mut body) = func.body.take() else {
        return;
    };
    let mut hoist = Hoist {
        types: &func.values,
        costs,
        regions: 0,
        region_of: vec![0; func.values.len()],
        number_of: FxHashMap::default(),
        new: Replaced::default(),
    };
    hoist.region(&mut body);
    hoist.new.carry_out(&mut body);
    func.body = Some(body);
}

/// By function: the instructions of a call, if the function is pure and ends. `None` after reporting recursion.
fn costs(module: &Module, sink: &mut Sink) -> Option<Vec<Option<usize>>> {
    let mut costs = vec![None; module.funcs.len()];
    for id in inline::callees_first(module, sink)? {
        let body = module.funcs[id.index()].body.as_ref();
        costs[id.index()] = body.and_then(|body| cost_of(body, &costs));
    }
    Some(costs)
}

fn cost_of(region: &Region, costs: &[Option<usize>]) -> Option<usize> {
    let mut sum = 0_usize;
    for inst in &region.insts {
        sum = sum.saturating_add(match &inst.op {
            Op::If(..) | Op::Switch { .. } => 1,
            Op::Yield(_) | Op::Break(_) | Op::Return(_) => 0,
            op => cost(op, costs)?,
        });
        for nested in inst.op.regions() {
            sum = sum.saturating_add(cost_of(nested, costs)?);
        }
    }
    Some(sum)
}

/// What a pure instruction costs.
fn cost(op: &Op, costs: &[Option<usize>]) -> Option<usize> {
    match op {
        Op::Const(_) | Op::Undef => Some(0),
        Op::Call { callee, .. } => costs[callee.index()],
        op => effects::is_pure(op).then_some(1),
    }
}

struct Hoist<'f> {
    types: &'f [Type],
    costs: &'f [Option<usize>],
    /// How many regions have been numbered.
    regions: u32,
    /// By value: the last region that was numbered and defines it.
    region_of: Vec<u32>,
    /// By value: its number, if its instruction may move.
    number_of: FxHashMap<Value, usize>,
    new: Replaced,
}

/// The numbers of a branch.
#[derive(Default)]
struct Branch {
    /// With the cost of each.
    numbers: Numbers<usize>,
    /// For each region its numbers, in order.
    of: Vec<Vec<usize>>,
}

impl Hoist<'_> {
    fn region(&mut self, region: &mut Region) {
        let mut insts = Vec::new();
        for (at, inst) in region.insts.iter_mut().enumerate() {
            for nested in inst.op.regions_mut() {
                self.region(nested);
            }
            if matches!(inst.op, Op::If(..) | Op::Switch { .. }) && self.may_save(&inst.op) {
                let moved = self.branch(&mut inst.op);
                if !moved.is_empty() {
                    insts.push((at, moved));
                }
            }
        }
        for (at, moved) in insts.into_iter().rev() {
            region.insts.splice(at..at, moved);
        }
    }

    /// Whether so much may go that numbering is worthwhile.
    fn may_save(&self, branch: &Op) -> bool {
        let (mut sum, mut most) = (0_usize, 0);
        for region in branch.regions() {
            let costs = region.insts.iter().filter_map(|i| cost(&i.op, self.costs));
            let cost = costs.fold(0, usize::saturating_add);
            (sum, most) = (sum.saturating_add(cost), most.max(cost));
        }
        sum - most >= MIN_SAVED
    }

    /// Takes out of the branch what moves.
    fn branch(&mut self, branch: &mut Op) -> Vec<Inst> {
        let mut known = Branch::default();
        for region in branch.regions_mut() {
            self.number(region, &mut known);
        }
        let Some(least) = known.least() else {
            return Vec::new();
        };
        let numbers = &known.numbers.all;
        let moves = |&n: &usize| numbers[n].places >= least;
        let mut moved: Vec<Option<Inst>> = Vec::new();
        moved.resize_with(numbers.len(), || None);
        for region in branch.regions_mut() {
            region.insts.retain_mut(|inst| {
                let result = inst.results.first();
                let Some(&n) = result
                    .and_then(|v| self.number_of.get(v))
                    .filter(|n| moves(n))
                else {
                    return true;
                };
                let number = &numbers[n];
                if inst.results[0] == number.result {
                    moved[n] = Some(Inst {
                        results: std::mem::take(&mut inst.results),
                        op: number.op.clone(),
                        fast: inst.fast,
                        loc: inst.loc,
                    });
                } else {
                    self.new.insert(inst.results[0], number.result);
                }
                false
            });
        }
        moved.into_iter().flatten().collect()
    }

    /// Numbers the instructions of a region of a branch.
    fn number(&mut self, region: &Region, known: &mut Branch) {
        self.regions += 1;
        let mut of = Vec::new();
        for inst in &region.insts {
            for v in &inst.results {
                self.region_of[v.index()] = self.regions;
                self.number_of.remove(v);
            }
            let (&[result], Some(cost)) = (&inst.results[..], cost(&inst.op, self.costs)) else {
                continue;
            };
            let mut op = inst.op.clone();
            let mut seen = true;
            op.for_each_operand_mut(|v| {
                *v = self.new.resolve(*v);
                if self.region_of[v.index()] == self.regions {
                    match self.number_of.get(v) {
                        Some(&n) => *v = known.numbers.all[n].result,
                        None => seen = false,
                    }
                }
            });
            if !seen {
                continue;
            }
            let numbers = &mut known.numbers;
            let Some(n) = numbers.find(op, result, inst.fast, self.types, Some(cost)) else {
                continue;
            };
            self.number_of.insert(result, n);
            if numbers.all[n].count_at(self.regions as usize) {
                of.push(n);
            }
        }
        known.of.push(of);
    }
}

impl Branch {
    /// What is in at least so many regions moves; nothing moves where that does not pay.
    fn least(&self) -> Option<usize> {
        let doubled = std::iter::successors(Some(2), |n| Some(n * 2));
        let mut candidates = doubled.take_while(|&n| n <= self.of.len());
        candidates.find(|&least| self.pays(least))
    }

    fn pays(&self, least: usize) -> bool {
        let numbers = &self.numbers.all;
        let moves = |n: &usize| numbers[*n].places >= least;
        let cost = |n: usize| numbers[n].data;
        let moved: usize = (0..numbers.len()).filter(moves).map(cost).sum();
        let of_region = |of: &Vec<usize>| of.iter().copied().filter(moves).map(cost).sum::<usize>();
        let (mut sum, mut longest) = (0, 0);
        for region in self.of.iter().map(of_region) {
            (sum, longest) = (sum + region, longest.max(region));
        }
        moved <= longest + longest / LONGER
            && moved * self.of.len() <= sum * NEEDED
            && sum >= moved + MIN_SAVED
    }
}
