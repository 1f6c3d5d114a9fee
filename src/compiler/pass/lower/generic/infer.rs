//! Gives generic pointers the type of the only space into which they point.
//!
//! Algorithm: values change their types; then a walk makes the operands fit. Conversions between
//! equal types vanish, those to another space give null, and a conversion goes in where a
//! pointer is still to be generic: where it is stored, compared with one of another space,
//! passed on, or its bits are looked at.

use super::flow::{self, Spaces};
use super::{GENERIC, has_generic};
use crate::ir::builder::Builder;
use crate::ir::scopes::Scopes;
use crate::ir::{Addr, CastOp, FastMath, Function, Inst, Op, Region, Space, Type, Value, space_of};
use rustc_hash::FxHashMap;

/// Infers spaces from the function alone. Returns whether a type changed.
pub fn infer(func: &mut Function) -> bool {
    infer_with(func, Spaces::ALL)
}

/// `unknown` is where pointers of unknown origin point.
pub(super) fn infer_with(func: &mut Function, unknown: Spaces) -> bool {
    if !has_generic(func) {
        return false;
    }
    let Some(body) = func.body.take() else {
        return false;
    };
    let sets = flow::find(func, &body, unknown);
    let old = func.values.clone();
    retype(func, &body, &sets);
    if func.values == old {
        func.body = Some(body);
        return false;
    }
    let mut infer = Infer {
        b: Builder::new(func),
        sets,
        old,
        same: FxHashMap::default(),
        wanted: Vec::new(),
    };
    infer.insts(body.insts, Scopes::default());
    infer.b.finish();
    true
}

fn retype(func: &mut Function, region: &Region, sets: &[Spaces]) {
    let mut one = |v: Value| {
        if let Some(space) = sets[v.index()].single() {
            func.values[v.index()] = Type::ptr(space);
        }
    };
    region.params.iter().for_each(|&v| one(v));
    for inst in &region.insts {
        // What a callee returns, or an atomic exchanges, is as its operands are.
        if !matches!(inst.op, Op::Call { .. } | Op::Atomic { .. }) {
            inst.results.iter().for_each(|&v| one(v));
        }
    }
    for inst in &region.insts {
        for nested in inst.op.regions() {
            retype(func, nested, sets);
        }
    }
}

/// The types that terminators have to give to a control instruction.
struct Wanted {
    results: Vec<Type>,
    /// Of a loop.
    params: Vec<Type>,
}

struct Infer<'a> {
    b: Builder<'a>,
    /// By value: where it may point.
    sets: Vec<Spaces>,
    /// Types by value, before.
    old: Vec<Type>,
    /// Conversions that are none any more, with what they converted.
    same: FxHashMap<Value, Value>,
    /// Of the control instructions around, from the outermost in.
    wanted: Vec<Wanted>,
}

impl Infer<'_> {
    fn types(&self, values: &[Value]) -> Vec<Type> {
        values.iter().map(|&v| self.b.ty(v)).collect()
    }

    /// A pointer as one of the given type.
    fn fit(&mut self, v: Value, ty: Type) -> Value {
        let v = self.resolve(v);
        match self.b.ty(v) == ty {
            true => v,
            false => self.b.cast(CastOp::SpaceCast, v, ty),
        }
    }

    fn fit_all(&mut self, values: &mut [Value], types: &[Type]) {
        for (v, &ty) in values.iter_mut().zip(types) {
            *v = self.fit(*v, ty);
        }
    }

    fn resolve(&self, v: Value) -> Value {
        self.same.get(&v).copied().unwrap_or(v)
    }

    fn resolve_address(&self, addr: &mut Addr) {
        if let Addr::Ptr(p) = addr {
            *p = self.resolve(*p);
        }
    }

    /// The value with the type that it had.
    fn as_before(&mut self, v: Value) -> Value {
        match self.old.get(v.index()) {
            Some(&GENERIC) => self.fit(v, GENERIC),
            _ => self.resolve(v),
        }
    }

    fn insts(&mut self, insts: Vec<Inst>, scopes: Scopes<usize>) {
        for mut inst in insts {
            (self.b.loc, self.b.fast) = (inst.loc, FastMath::default());
            if let Op::Cast(CastOp::SpaceCast, v) = inst.op
                && !self.converts(v, &mut inst)
            {
                continue;
            }
            self.operands(&mut inst, scopes);
            self.b.push(inst);
        }
    }

    /// Something is left of a conversion of `from`.
    fn converts(&mut self, from: Value, inst: &mut Inst) -> bool {
        let (from, to) = (self.resolve(from), inst.results[0]);
        let global = |s| matches!(s, Space::Global | Space::Constant);
        match (space_of(self.b.ty(from)), space_of(self.b.ty(to))) {
            (a, b) if a == b => {
                self.same.insert(to, from);
                return false;
            }
            (Some(Space::Generic), _) | (_, Some(Space::Generic)) => {}
            (Some(a), Some(b)) if global(a) && global(b) => {}
            _ => inst.op = Op::Const(0),
        }
        true
    }

    fn operands(&mut self, inst: &mut Inst, scopes: Scopes<usize>) {
        let target = scopes.target(&inst.op);
        let results = self.types(&inst.results);
        match &mut inst.op {
            Op::If(..) | Op::Switch { .. } | Op::Loop { .. } => {
                self.control(&mut inst.op, results, scopes);
            }
            Op::Yield(values) | Op::Break(values) => self.pass(target, values, |w| &mut w.results),
            Op::Continue(values) => self.pass(target, values, |w| &mut w.params),
            Op::Select(cond, a, b) => {
                *cond = self.resolve(*cond);
                *a = self.fit(*a, results[0]);
                *b = self.fit(*b, results[0]);
            }
            Op::Compare(_, a, b) => {
                // Null is compared in the other's space.
                let null = |v: Value| self.sets.get(v.index()) == Some(&Spaces::default());
                let (a_null, b_null) = (null(*a), null(*b));
                let [x, y] = [*a, *b].map(|v| self.b.ty(self.resolve(v)));
                if !x.scalar.is_ptr() || x == y {
                    (*a, *b) = (self.resolve(*a), self.resolve(*b));
                } else {
                    let ty = match (a_null && x == GENERIC, b_null && y == GENERIC) {
                        (true, _) => y,
                        (_, true) => x,
                        _ => GENERIC,
                    };
                    (*a, *b) = (self.fit(*a, ty), self.fit(*b, ty));
                }
            }
            // Addresses serve as they are, what is stored does not.
            Op::Store { addr, value, .. } => {
                self.resolve_address(addr);
                *value = self.as_before(*value);
            }
            Op::Atomic { addr, args, .. } => {
                self.resolve_address(addr);
                for v in args {
                    *v = self.as_before(*v);
                }
            }
            // A parameter, or what a call returns, keeps its type.
            Op::PtrAdd(base, offset) => {
                *base = self.fit(*base, results[0]);
                *offset = self.resolve(*offset);
            }
            op @ (Op::Load { .. }
            | Op::Copy { .. }
            | Op::Zero { .. }
            | Op::Cast(CastOp::SpaceCast, _)) => {
                op.for_each_operand_mut(|v| *v = self.resolve(*v));
            }
            op => op.for_each_operand_mut(|v| *v = self.as_before(*v)),
        }
    }

    /// Gives `values` the types that a control instruction wants.
    fn pass(
        &mut self,
        target: Option<usize>,
        values: &mut [Value],
        types: impl Fn(&mut Wanted) -> &mut Vec<Type>,
    ) {
        let Some(target) = target else { return };
        let wanted = std::mem::take(types(&mut self.wanted[target]));
        self.fit_all(values, &wanted);
        *types(&mut self.wanted[target]) = wanted;
    }

    fn control(&mut self, op: &mut Op, results: Vec<Type>, scopes: Scopes<usize>) {
        let mut wanted = Wanted {
            results,
            params: Vec::new(),
        };
        match op {
            Op::If(cond, ..) => *cond = self.resolve(*cond),
            Op::Loop { init, body, .. } => {
                wanted.params = self.types(&body.params);
                self.fit_all(init, &wanted.params);
            }
            _ => {}
        }
        let inside = scopes.inside(op, self.wanted.len());
        self.wanted.push(wanted);
        for region in op.regions_mut() {
            let old = std::mem::take(region);
            self.b.push_region(old.params);
            self.insts(old.insts, inside);
            *region = self.b.pop_region();
        }
        self.wanted.pop();
    }
}
