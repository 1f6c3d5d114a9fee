//! Control with a known way, scopes with few breaks as ifs, and small ifs as selects.

use super::Simplifier;
use crate::ir::util::{always_leaves, has_break, has_continue, yielded, yielded_mut};
use crate::ir::{Addr, BinOp, CmpOp, Inst, Op, Region, Scalar, Type, UnOp, Unroll, Value, Values};
use crate::pass::shape::tails::{self, Exit};
use crate::pass::ssa::effects;

/// Ifs one in the other that breaks of a scope may make.
const MAX_TAILS: u32 = 4;

/// Instructions of both branches that may run in any case instead of under the condition.
const MAX_SPECULATED: usize = 4;

impl Simplifier<'_> {
    /// The operands of `op` are resolved already.
    pub(super) fn control(&mut self, op: Op, results: Values) {
        match op {
            Op::If(cond, then, other) => self.if_(cond, then, other, results),
            Op::Switch {
                selector,
                cases,
                default,
            } => self.switch(selector, cases, default, results),
            Op::Loop { init, body, unroll } => self.loop_(init, body, unroll, results),
            _ => {}
        }
    }

    /// Rebuilds a region.
    fn region(&mut self, region: Region) -> Box<Region> {
        let scopes = self.scopes();
        let region = self.open_region(region);
        self.close(scopes);
        region
    }

    /// The scopes of what is known, for [`Self::close`].
    fn scopes(&self) -> [usize; 2] {
        [self.known.open(), self.memory.open()]
    }

    fn close(&mut self, [known, memory]: [usize; 2]) {
        self.known.close(known);
        self.memory.close(memory);
    }

    /// Rebuilds a region; what is known in it stays known.
    fn open_region(&mut self, region: Region) -> Box<Region> {
        self.b.push_region(region.params);
        if let Some(values) = self.insts(region.insts) {
            self.b.yield_(values);
        }
        self.b.pop_region()
    }

    /// Rebuilds a region in the place of its instruction, at the end of the open region.
    fn splice(&mut self, region: Region, results: &[Value]) {
        if let Some(values) = self.insts(region.insts) {
            self.replace_all(results, &values);
        }
    }

    fn replace_all(&mut self, old: &[Value], new: &[Value]) {
        for (&old, &new) in old.iter().zip(new) {
            self.replace(old, new);
        }
    }

    fn if_(&mut self, cond: Value, then: Box<Region>, other: Box<Region>, results: Values) {
        if let Some(bits) = self.bits(cond) {
            let taken = if bits != 0 { then } else { other };
            return self.splice(*taken, &results);
        }
        if let Some(cond) = self.unary(cond, UnOp::Not) {
            return self.if_(cond, other, then, results);
        }
        // Inside, the condition is known.
        let place = (self.b.loc, self.b.fast);
        let then = self.region_under(cond, 1, *then);
        let other = self.region_under(cond, 0, *other);
        (self.b.loc, self.b.fast) = place;
        self.finish_if(cond, then, other, results);
    }

    fn region_under(&mut self, cond: Value, truth: u64, region: Region) -> Box<Region> {
        let constant = self.constant(Type::BOOL, truth);
        self.replace(cond, constant);
        let region = self.region(region);
        self.replace(cond, cond);
        region
    }

    /// An `if` with rebuilt branches.
    fn finish_if(
        &mut self,
        cond: Value,
        mut then: Box<Region>,
        mut other: Box<Region>,
        mut results: Values,
    ) {
        let stores = self.common_stores(&mut then, &mut other, &mut results);
        self.branch(cond, then, other, results);
        let place = (self.b.loc, self.b.fast);
        for mut store in stores {
            store.op.for_each_operand_mut(|v| *v = self.resolve(*v));
            self.b.loc = store.loc;
            self.memory_op(store.op, store.results);
        }
        (self.b.loc, self.b.fast) = place;
    }

    /// Takes what both branches store at their ends to one place, which may then follow them: what is stored becomes a result.
    fn common_stores(
        &mut self,
        then: &mut Region,
        other: &mut Region,
        results: &mut Values,
    ) -> Vec<Inst> {
        let mut stores = Vec::new();
        while let (Some((a, of_then)), Some((b, of_other))) = (last_store(then), last_store(other))
            && a == b
            && self.ty(of_then) == self.ty(of_other)
        {
            let result = self.b.func.new_value(self.ty(of_then));
            results.push(result);
            take_store(other, of_other);
            let mut store = take_store(then, of_then);
            if let Op::Store { value, .. } = &mut store.op {
                *value = result;
            }
            stores.push(store);
        }
        stores.reverse();
        stores
    }

    /// An `if` of which all that is in both branches has been taken out.
    fn branch(
        &mut self,
        cond: Value,
        mut then: Box<Region>,
        mut other: Box<Region>,
        results: Values,
    ) {
        let speculated = then.insts.len() + other.insts.len() - 2;
        if speculated <= MAX_SPECULATED
            && self.can_speculate(&then)
            && self.can_speculate(&other)
            && results.iter().all(|&v| selectable(self.ty(v)))
        {
            let a = self.hoist(&mut then);
            let b = self.hoist(&mut other);
            for (i, &result) in results.iter().enumerate() {
                let v = self.emit(Op::Select(cond, a[i], b[i]), self.ty(result));
                self.replace(result, v);
            }
            return;
        }
        let left = always_leaves(&then) && always_leaves(&other);
        let both = [&then, &other].map(|branch| yielded(branch).unwrap_or_default());
        let yields = results.iter().zip(both[0]).zip(both[1]);
        let constants: Vec<_> = yields
            .map(|((&result, &a), &b)| (result, a, b))
            .filter(|&(_, a, b)| self.bits(a).is_some() && self.bits(b).is_some())
            .collect();
        self.b.define(results, Op::If(cond, then, other));
        // Constants that tell which branch was taken are the condition.
        for (result, a, b) in constants {
            let v = self.emit(Op::Select(cond, a, b), self.ty(result));
            self.replace(result, v);
        }
        if left {
            self.b.unreachable();
        }
    }

    /// The region yields and may run without its condition.
    fn can_speculate(&self, region: &Region) -> bool {
        let Some((last, insts)) = region.insts.split_last() else {
            return false;
        };
        matches!(last.op, Op::Yield(_)) && insts.iter().all(|i| is_cheap(&i.op))
    }

    /// Moves the instructions of a region into the open one. What it yields.
    fn hoist(&mut self, region: &mut Box<Region>) -> Vec<Value> {
        let insts = std::mem::take(&mut region.insts);
        for inst in insts {
            match inst.op {
                Op::Yield(values) => return values,
                _ => self.b.push(inst),
            }
        }
        Vec::new()
    }

    fn switch(
        &mut self,
        selector: Value,
        mut cases: Vec<(Vec<u64>, Box<Region>)>,
        default: Box<Region>,
        results: Values,
    ) {
        if let Some(bits) = self.bits(selector) {
            let taken = cases.iter().position(|(values, _)| values.contains(&bits));
            let region = match taken {
                Some(i) => cases.swap_remove(i).1,
                None => default,
            };
            return self.scope(*region, results);
        }
        if cases.is_empty() {
            return self.scope(*default, results);
        }
        let place = (self.b.loc, self.b.fast);
        for (_, region) in &mut cases {
            *region = yield_at_end(self.region(std::mem::take(&mut **region)));
        }
        let mut default = yield_at_end(self.region(*default));
        (self.b.loc, self.b.fast) = place;
        if let [(values, _)] = &cases[..]
            && let &[value] = &values[..]
            && !has_break(&cases[0].1)
            && !has_break(&default)
        {
            let value = self.constant(self.ty(selector), value);
            let cond = self.emit(Op::Compare(CmpOp::Eq, selector, value), Type::BOOL);
            let then = std::mem::take(&mut cases[0].1);
            return self.finish_if(cond, then, std::mem::take(&mut default), results);
        }
        let left = cases.iter().map(|c| &c.1).chain([&default]).all(|r| {
            let ends = |i: &Inst| matches!(i.op, Op::Yield(_) | Op::Break(_));
            !r.insts.last().is_none_or(ends) && !has_break(r)
        });
        let op = Op::Switch {
            selector,
            cases,
            default,
        };
        self.b.define(results, op);
        if left {
            self.b.unreachable();
        }
    }

    /// A switch that always takes this region.
    fn scope(&mut self, mut region: Region, results: Values) {
        if tails::can_sink(&region.insts, Exit::Break, MAX_TAILS) {
            region.insts = tails::sink_rest(region.insts, Exit::Break, MAX_TAILS);
            if tails::at_ends(&region.insts, Exit::Break) {
                let types: Vec<Type> = results.iter().map(|&v| self.ty(v)).collect();
                tails::to_yields(self.b.func, &mut region.insts, Exit::Break, &types);
                return self.splice(region, &results);
            }
        }
        let place = (self.b.loc, self.b.fast);
        let scopes = self.scopes();
        let region = yield_at_end(self.open_region(region));
        (self.b.loc, self.b.fast) = place;
        if !has_break(&region) {
            if let Some(values) = yielded(&region) {
                self.replace_all(&results, values);
            }
            for inst in region.insts {
                if !matches!(inst.op, Op::Yield(_)) {
                    self.b.push(inst);
                }
            }
            return;
        }
        self.close(scopes);
        let selector = self.constant(Type::I32, 0);
        let op = Op::Switch {
            selector,
            cases: Vec::new(),
            default: region,
        };
        self.b.define(results, op);
    }

    fn loop_(&mut self, init: Vec<Value>, mut body: Box<Region>, unroll: Unroll, results: Values) {
        if !has_continue(&body) {
            // One round: a scope.
            self.replace_all(&body.params, &init);
            body.params.clear();
            return self.scope(*body, results);
        }
        // What earlier rounds wrote is not known in the first walk over the body.
        self.memory.forget();
        let place = (self.b.loc, self.b.fast);
        self.loops += 1;
        let body = self.region(*body);
        self.loops -= 1;
        self.again |= !has_continue(&body);
        (self.b.loc, self.b.fast) = place;
        let left = !has_break(&body);
        self.b.define(results, Op::Loop { init, body, unroll });
        if left {
            self.b.unreachable();
        }
    }
}

/// Where a branch stores at its end, and what.
fn last_store(branch: &Region) -> Option<((Addr, u32), Value)> {
    match branch.insts[..] {
        [
            ..,
            Inst {
                op:
                    Op::Store {
                        addr,
                        value,
                        align,
                        volatile: false,
                    },
                ..
            },
            Inst {
                op: Op::Yield(_), ..
            },
        ] => Some(((addr, align), value)),
        _ => None,
    }
}

/// Takes that store out of the branch, which yields `value` then.
fn take_store(branch: &mut Region, value: Value) -> Inst {
    if let Some(values) = yielded_mut(branch) {
        values.push(value);
    }
    branch.insts.remove(branch.insts.len() - 2)
}

/// A region of a switch, where a break at the end is a yield.
fn yield_at_end(mut region: Box<Region>) -> Box<Region> {
    if let Some(last) = region.insts.last_mut()
        && let Op::Break(values) = &mut last.op
    {
        last.op = Op::Yield(std::mem::take(values));
    }
    region
}

/// Values that a select may choose from.
fn selectable(ty: Type) -> bool {
    !matches!(ty.scalar, Scalar::Image | Scalar::Event)
}

/// Costs no more than the branch around it.
fn is_cheap(op: &Op) -> bool {
    use BinOp::*;
    match op {
        Op::Unary(op, _) => matches!(
            op,
            UnOp::Neg | UnOp::Not | UnOp::FNeg | UnOp::FAbs | UnOp::Floor | UnOp::Ceil
        ),
        Op::Binary(op, ..) => !matches!(op, SDiv | UDiv | SRem | URem | FDiv | NativePow),
        op => effects::is_pure(op),
    }
}
