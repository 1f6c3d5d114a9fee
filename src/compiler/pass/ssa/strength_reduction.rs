//! Products of a loop's counter become sums that grow in each round.
//!
//! `a[i * stride + column]` multiplies in each round. GPUs add integers faster than they multiply them, and drivers' compilers,
//! which know neither whether the sum wraps nor that it is an index, leave the product.
//!
//! Algorithm: of loops with no loop inside. A counter is a parameter of 32 bits that grows by a constant: sums of 64 bits, which
//! GPUs take apart, gain nothing. What a round computes of it as
//! `base + scale * (counter + constant)`, with a base and a scale that the loop does not change, becomes a parameter of its own;
//! those that differ in the constant, as copies of a body do, follow from each other by one addition each. Integers wrap in both
//! forms alike.
//!
//! Needs: the values that sroa made of private objects. Keeps the stage.

use rustc_hash::FxHashMap;

use super::cleanup;
use super::unroll::copies::define;
use crate::diag::Sink;
use crate::ir::builder::mask;
use crate::ir::defs::Defs;
use crate::ir::util::{each_continue, each_continue_mut, has_continue, substitute, walk};
use crate::ir::{BinOp, Bits, Function, Inst, Module, Op, Region, Type, Value, eval};
use crate::pass::Ctx;

/// New parameters of a loop: each takes a register, as the base does that it has in it.
const MAX_SUMS: usize = 8;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    cleanup::behind(module, ctx, |func, body| {
        let mut plans = Vec::new();
        plan(func, body, &Defs::of(func, body), &mut plans);
        let any = plans.iter().any(|sums| !sums.is_empty());
        if any {
            carry_out(func, body, &mut plans.into_iter());
        }
        any
    });
}

/// What is computed of a counter.
#[derive(Clone, Copy, PartialEq)]
struct Form {
    base: Option<Value>,
    scale: Value,
    counter: Value,
}

/// Values of one form by the constants that are added to the counter, in order.
struct Sum {
    form: Form,
    /// By how much the counter grows.
    step: i64,
    values: Vec<(i64, Vec<Value>)>,
}

/// The sums of each loop that has no loop inside, in text order.
fn plan(func: &Function, region: &Region, defs: &Defs<&Inst>, plans: &mut Vec<Vec<Sum>>) {
    for inst in &region.insts {
        match &inst.op {
            Op::Loop { body, .. } if is_innermost(body) => plans.push(sums(func, body, defs)),
            op => op.regions().for_each(|r| plan(func, r, defs, plans)),
        }
    }
}

fn is_innermost(body: &Region) -> bool {
    let mut innermost = has_continue(body);
    walk(body, &mut |inst| {
        innermost &= !matches!(inst.op, Op::Loop { .. })
    });
    innermost
}

fn sums(func: &Function, body: &Region, defs: &Defs<&Inst>) -> Vec<Sum> {
    let mut finder = Finder {
        func,
        defs,
        steps: steps(func, body, defs),
        varying: FxHashMap::default(),
    };
    let mut sums: Vec<Sum> = Vec::new();
    if finder.steps.is_empty() {
        return sums;
    }
    finder.find(body);
    let mut found: Vec<(Value, Varying)> = finder.varying.drain().collect();
    // In the order of the text.
    found.sort_by_key(|(v, _)| v.index());
    for (v, varying) in found {
        let Varying::Scaled(form, constant) = varying else {
            continue;
        };
        let at = sums.iter().position(|sum| sum.form == form);
        let at = at.unwrap_or_else(|| {
            let step = finder.steps[&form.counter];
            let values = Vec::new();
            sums.push(Sum { form, step, values });
            sums.len() - 1
        });
        let values = &mut sums[at].values;
        match values.binary_search_by_key(&constant, |&(c, _)| c) {
            Ok(at) => values[at].1.push(v),
            Err(at) => values.insert(at, (constant, vec![v])),
        }
    }
    // Of sums that are in others nothing is left where nothing else needs them.
    sums.sort_by_key(|sum| sum.form.base.is_none());
    sums.truncate(MAX_SUMS);
    sums
}

/// The counters of a loop.
fn steps(func: &Function, body: &Region, defs: &Defs<&Inst>) -> FxHashMap<Value, i64> {
    let mut steps: FxHashMap<Value, Option<i64>> = FxHashMap::default();
    each_continue(body, &mut |values| {
        for (&param, &next) in body.params.iter().zip(values) {
            let ty = func.ty(param);
            let step = defs
                .plus_constant(next)
                .filter(|&(from, _)| ty == Type::I32 && from == param)
                .map(|(_, bits)| eval::signed(ty.scalar, bits));
            let known = *steps.entry(param).or_insert(step);
            steps.insert(param, known.filter(|_| known == step));
        }
    });
    let known = |(param, step): (Value, Option<i64>)| Some((param, step?));
    steps.into_iter().filter_map(known).collect()
}

/// A value that the loop computes.
#[derive(Clone, Copy)]
enum Varying {
    /// The counter and a constant.
    Counter(Value, i64),
    Scaled(Form, i64),
    Other,
}

struct Finder<'f> {
    func: &'f Function,
    defs: &'f Defs<&'f Inst>,
    steps: FxHashMap<Value, i64>,
    /// What the loop defines.
    varying: FxHashMap<Value, Varying>,
}

impl Finder<'_> {
    fn find(&mut self, body: &Region) {
        for &param in &body.params {
            let counts = self.steps.contains_key(&param);
            let varying = match counts {
                true => Varying::Counter(param, 0),
                false => Varying::Other,
            };
            self.varying.insert(param, varying);
        }
        walk(body, &mut |inst| {
            for &result in &inst.results {
                let varying = self.form(&inst.op, result);
                self.varying.insert(result, varying);
            }
        });
    }

    fn form(&self, op: &Op, result: Value) -> Varying {
        let Op::Binary(op @ (BinOp::Add | BinOp::Mul), a, b) = *op else {
            return Varying::Other;
        };
        let ty = self.func.ty(result);
        let (varying, other) = match (self.varying.get(&a), self.varying.get(&b)) {
            (Some(&varying), None) => (varying, b),
            (None, Some(&varying)) => (varying, a),
            _ => return Varying::Other,
        };
        let constant = self.defs.constant(other);
        let constant = constant.map(|bits| eval::signed(ty.scalar, bits));
        match (op, varying, constant) {
            (BinOp::Add, Varying::Counter(counter, c), Some(by)) => {
                Varying::Counter(counter, c.wrapping_add(by))
            }
            // A constant scale is a part of the address.
            (BinOp::Mul, Varying::Counter(counter, c), None) => {
                let form = Form {
                    base: None,
                    scale: other,
                    counter,
                };
                Varying::Scaled(form, c)
            }
            (BinOp::Add, Varying::Scaled(form @ Form { base: None, .. }, c), None) => {
                let base = Some(other);
                Varying::Scaled(Form { base, ..form }, c)
            }
            _ => Varying::Other,
        }
    }
}

fn carry_out(func: &mut Function, region: &mut Region, plans: &mut impl Iterator<Item = Vec<Sum>>) {
    for mut inst in std::mem::take(&mut region.insts) {
        match &mut inst.op {
            Op::Loop { init, body, .. } if is_innermost(body) => {
                for sum in plans.next().unwrap_or_default() {
                    add(func, &sum, init, body, &mut region.insts);
                }
            }
            op => op.regions_mut().for_each(|r| carry_out(func, r, plans)),
        }
        region.insts.push(inst);
    }
}

/// Gives a loop the parameter for a sum.
fn add(
    func: &mut Function,
    sum: &Sum,
    init: &mut Vec<Value>,
    body: &mut Region,
    before: &mut Vec<Inst>,
) {
    let Form {
        base,
        scale,
        counter,
    } = sum.form;
    let ty = func.ty(counter);
    let at = body.params.iter().position(|&p| p == counter);
    let (Some(at), [(first, _), ..]) = (at, &sum.values[..]) else {
        return;
    };
    let binary = |func: &mut Function, op, a, b, insts: &mut Vec<Inst>| {
        define(func, ty, Op::Binary(op, a, b), insts)
    };
    let times = |func: &mut Function, n: i64, insts: &mut Vec<Inst>| match n {
        1 => scale,
        n => {
            let n = define(
                func,
                ty,
                Op::Const(n as Bits & mask(ty.scalar.bits())),
                insts,
            );
            binary(func, BinOp::Mul, scale, n, insts)
        }
    };
    let start = binary(func, BinOp::Mul, scale, init[at], before);
    let distance = times(func, *first, before);
    let mut start = binary(func, BinOp::Add, start, distance, before);
    if let Some(base) = base {
        start = binary(func, BinOp::Add, base, start, before);
    }
    init.push(start);
    let param = func.new_value(ty);
    body.params.push(param);

    let mut insts = Vec::new();
    let mut map = FxHashMap::default();
    let (mut value, mut last) = (param, *first);
    let mut grow = |func: &mut Function, value, by: i64, insts: &mut Vec<Inst>| match by {
        0 => value,
        by => {
            let by = times(func, by, before);
            binary(func, BinOp::Add, value, by, insts)
        }
    };
    for (constant, old) in &sum.values {
        value = grow(func, value, constant.wrapping_sub(last), &mut insts);
        last = *constant;
        map.extend(old.iter().map(|&old| (old, value)));
    }
    let rest = first.wrapping_add(sum.step).wrapping_sub(last);
    let next = grow(func, value, rest, &mut insts);

    // Where the first of them is needed, behind an exit at the start.
    let needed = |inst: &Inst| {
        let mut needed = false;
        let mut look = |inst: &Inst| {
            needed |= matches!(inst.op, Op::Continue(_));
            inst.op.for_each_operand(|v| needed |= map.contains_key(&v));
        };
        look(inst);
        inst.op.regions().for_each(|r| walk(r, &mut look));
        needed
    };
    let place = body.insts.iter().position(needed).unwrap_or(0);
    substitute(body, &map);
    each_continue_mut(body, &mut |values| values.push(next));
    body.insts.splice(place..place, insts);
}
