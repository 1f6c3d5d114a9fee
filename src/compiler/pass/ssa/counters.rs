//! Counters of 64 bits become such of 32 where those hold all their values.
//!
//! `size_t` and `long` count loops whose bounds are integers of 32 bits. Registers of GPUs have 32 bits: products of such counters are
//! sequences of instructions, and devices may have no 64-bit integers at all.
//!
//! Algorithm: a parameter of a loop that starts at a value of 32 bits, and grows by a small one in each round, is compared
//! with a bound of 32 bits in front of all that continues. So it is never more than the bound and one step. If that has 32
//! bits, too, the parameter is what a new one of 32 bits is extended to, and cleanup makes the comparison one of 32 bits.
//!
//! Needs: the values that sroa made of private objects. Keeps the stage.

use crate::diag::Sink;
use crate::ir::defs::Defs;
use crate::ir::util::{each_continue, has_continue};
use crate::ir::{BinOp, CastOp, CmpOp, Function, Inst, Module, Op, Region, Type, Value, WorkItem};
use crate::pass::Ctx;
use crate::pass::ssa::cleanup;
use crate::pass::ssa::unroll::copies::{define, plain};
use rustc_hash::FxHashMap;
use smallvec::smallvec;
use std::ops::RangeInclusive;

/// Work-items of a work-group in a dimension, on any device.
const MAX_LOCAL_SIZE: i64 = 1 << 16;
/// Conditions that are looked at of those that have to hold together.
const MAX_CONDITIONS: u32 = 8;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    cleanup::behind(module, ctx, |func, body| {
        let mut finder = Finder {
            func,
            defs: Defs::of(func, body),
            counters: FxHashMap::default(),
            steps: FxHashMap::default(),
        };
        finder.region(body);
        let Finder {
            counters, steps, ..
        } = finder;
        let any = !counters.is_empty();
        if any {
            let mut narrower = Narrower {
                func,
                counters,
                steps,
                loops: Vec::new(),
            };
            narrower.region(body);
        }
        any
    });
}

struct Finder<'f> {
    func: &'f Function,
    defs: Defs<&'f Inst>,
    /// How each counter is made of its 32 bits.
    counters: FxHashMap<Value, CastOp>,
    /// What is added to a counter, by the sum.
    steps: FxHashMap<Value, Value>,
}

impl Finder<'_> {
    /// Finds the counters of all loops inside.
    fn region(&mut self, region: &Region) {
        for inst in &region.insts {
            if let Op::Loop { init, body, .. } = &inst.op {
                for (at, param) in body.params.iter().enumerate() {
                    let mut steps = Vec::new();
                    if self.func.ty(*param) == Type::I64
                        && self.steps(body, *param, at, &mut steps)
                        && let Some(extension) = self.extension(body, *param, init[at], &steps)
                    {
                        self.counters.insert(*param, extension);
                        self.steps.extend(steps);
                    }
                }
            }
            for nested in inst.op.regions() {
                self.region(nested);
            }
        }
    }

    fn extension(
        &self,
        body: &Region,
        counter: Value,
        init: Value,
        steps: &[(Value, Value)],
    ) -> Option<CastOp> {
        let first = self.range(init)?;
        let mut step = 0;
        for (_, added) in steps {
            let range = self.range(*added)?;
            if *range.start() < 0 {
                return None;
            }
            step = step.max(*range.end());
        }
        let rises = *first.start() >= 0;
        let (cond, stay) = check(body)?;
        let most = self.most(cond, stay, counter, rises, MAX_CONDITIONS)?;
        // Behind the last round it may be a step more.
        let last = most.checked_add(step)?.max(*first.end());
        if last <= i32::MAX.into() {
            return Some(CastOp::SExt);
        }
        (rises && last <= u32::MAX.into()).then_some(CastOp::ZExt)
    }

    /// The sums that continue, each with what it adds to the parameter. Whether there is nothing else.
    fn steps(
        &self,
        region: &Region,
        param: Value,
        at: usize,
        steps: &mut Vec<(Value, Value)>,
    ) -> bool {
        let mut sums = true;
        each_continue(region, &mut |values| {
            let sum = self.defs.binary(values[at], BinOp::Add);
            let step = sum.and_then(|(a, b)| match (a == param, b == param) {
                (true, false) => Some(b),
                (false, true) => Some(a),
                _ => None,
            });
            steps.extend(step.map(|step| (values[at], step)));
            sums &= step.is_some();
        });
        sums
    }

    /// The most that a counter is where a condition is `stay`, if that tells. `rises`: it is never negative.
    fn most(
        &self,
        cond: Value,
        stay: bool,
        counter: Value,
        rises: bool,
        conditions: u32,
    ) -> Option<i64> {
        let both = match stay {
            true => BinOp::And,
            false => BinOp::Or,
        };
        if let Some((a, b)) = self.defs.binary(cond, both) {
            let half = conditions / 2;
            let of = |v| (half > 0).then(|| self.most(v, stay, counter, rises, half))?;
            return of(a).or_else(|| of(b));
        }
        let Some(&Op::Compare(op, a, b)) = self.defs.op(cond) else {
            return None;
        };
        let op = if stay { op } else { op.inverse()? };
        let (op, bound) = match (a == counter, b == counter) {
            (true, false) => (op, b),
            (false, true) => (op.swapped(), a),
            _ => return None,
        };
        let bound = self.range(bound)?;
        // As unsigned numbers negative ones are large.
        let unsigned = rises && *bound.start() >= 0;
        match op {
            CmpOp::Slt => Some(bound.end() - 1),
            CmpOp::Sle => Some(*bound.end()),
            CmpOp::Ult if unsigned => Some(bound.end() - 1),
            CmpOp::Ule if unsigned => Some(*bound.end()),
            _ => None,
        }
    }

    /// What a 64-bit value may be, if that has 32 bits.
    fn range(&self, v: Value) -> Option<RangeInclusive<i64>> {
        let is_word = |x| self.func.ty(x) == Type::I32;
        match *self.defs.op(v)? {
            Op::Const(bits) => {
                let number = bits as i64;
                let fits = (i64::from(i32::MIN)..=u32::MAX.into()).contains(&number);
                fits.then_some(number..=number)
            }
            Op::Cast(CastOp::SExt, x) if is_word(x) => Some(i32::MIN.into()..=i32::MAX.into()),
            Op::Cast(CastOp::ZExt, x) if is_word(x) => Some(0..=u32::MAX.into()),
            Op::WorkItem(WorkItem::LocalId, _) => Some(0..=MAX_LOCAL_SIZE - 1),
            Op::WorkItem(WorkItem::LocalSize | WorkItem::EnqueuedLocalSize, _) => {
                Some(0..=MAX_LOCAL_SIZE)
            }
            Op::WorkItem(WorkItem::NumGroups | WorkItem::GroupId, _) => Some(0..=u32::MAX.into()),
            _ => None,
        }
    }
}

/// The condition of the `if` in front of all else that may continue, and what it is where something does.
fn check(body: &Region) -> Option<(Value, bool)> {
    let first = body.insts.iter().find(|inst| inst.op.is_control())?;
    let Op::If(cond, then, other) = &first.op else {
        return None;
    };
    let leaves = |region: &Region| {
        let last = region.insts.last().map(|inst| &inst.op);
        matches!(last, Some(Op::Break(_) | Op::Return(_))) && !has_continue(region)
    };
    match (leaves(then), leaves(other)) {
        (true, false) => Some((*cond, false)),
        (false, true) => Some((*cond, true)),
        _ => None,
    }
}

struct Narrower<'f> {
    func: &'f mut Function,
    counters: FxHashMap<Value, CastOp>,
    steps: FxHashMap<Value, Value>,
    /// Of each loop around, the places of its counters among the parameters, and their 32 bits.
    loops: Vec<Vec<(usize, Value)>>,
}

impl Narrower<'_> {
    fn region(&mut self, region: &mut Region) {
        for mut inst in std::mem::take(&mut region.insts) {
            match &mut inst.op {
                Op::Loop { init, body, .. } => {
                    let extensions = self.params(init, body, &mut region.insts);
                    self.region(body);
                    self.loops.pop();
                    body.insts.splice(..0, extensions);
                }
                Op::Continue(values) => {
                    let counters = self.loops.last().into_iter().flatten();
                    for &(at, word) in counters {
                        let Some(&step) = self.steps.get(&values[at]) else {
                            continue;
                        };
                        let cut = Op::Cast(CastOp::Trunc, step);
                        let step = define(self.func, Type::I32, cut, &mut region.insts);
                        let sum = Op::Binary(BinOp::Add, word, step);
                        values[at] = define(self.func, Type::I32, sum, &mut region.insts);
                    }
                }
                op => {
                    for nested in op.regions_mut() {
                        self.region(nested);
                    }
                }
            }
            region.insts.push(inst);
        }
    }

    /// Gives a loop parameters of 32 bits, whose first values go to `before`. Returns what makes the counters of them.
    fn params(
        &mut self,
        init: &mut [Value],
        body: &mut Region,
        before: &mut Vec<Inst>,
    ) -> Vec<Inst> {
        let mut words = Vec::new();
        let mut extensions = Vec::new();
        for (at, param) in body.params.iter_mut().enumerate() {
            let Some(&extension) = self.counters.get(param) else {
                continue;
            };
            let cut = Op::Cast(CastOp::Trunc, init[at]);
            init[at] = define(self.func, Type::I32, cut, before);
            let word = self.func.new_value(Type::I32);
            let counter = std::mem::replace(param, word);
            extensions.push(plain(smallvec![counter], Op::Cast(extension, word)));
            words.push((at, word));
        }
        self.loops.push(words);
        extensions
    }
}
