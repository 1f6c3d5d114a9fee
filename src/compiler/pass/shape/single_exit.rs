//! Gives functions one return, at the end of their body, so that `inline` can splice them.
//!
//! Algorithm. First the code behind an `if` with one returning branch moves into the other
//! branch, which leaves returns at the ends of an if-tree; these become yields and the value
//! comes out as a result (`tails`). Where that is not enough the body goes into a plain scope (`switch`
//! without cases) and each return becomes a break of it; a return inside loops or switches
//! leaves them one by one with a flag (a cascade: a loop cannot be left through another one).
//!
//! Functions that stay calls keep their returns inside loops, and kernels the ones outside:
//! drivers run a return out of a callee's loops faster than a cascade, and a cascade faster
//! than a return out of an entry point's loops (docs/pointers.md has the measurement).
//!
//! Needs: Lowered. Establishes: every function that must be inlined has a single exit.

use smallvec::smallvec;

use super::inline;
use super::prelude::{self, Prelude};
use super::tails::{self, Exit};
use crate::diag::Sink;
use crate::ir::util::{has_return, walk};
use crate::ir::{Function, Inst, Module, Op, Region, Type, Value};
use crate::pass::Ctx;

/// Early returns that become nested ifs; more of them share a scope, to bound the nesting.
const MAX_NESTED_RETURNS: u32 = 16;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    let called = inline::call_counts(module);
    for (func, calls) in module.funcs.iter_mut().zip(called) {
        let Some(mut body) = func.body.take() else {
            continue;
        };
        if func.kernel.is_some() && calls == 0 {
            // Else `early_returns` looks at it first.
            if !ctx.target.loses_ended_items {
                leave_loops(func, &mut body);
            }
        } else if !ends_in_its_only_return(&body)
            && (!returns_in_loops(&body) || inline::must(func, ctx.target))
        {
            close(func, &mut body);
        }
        func.body = Some(body);
    }
}

/// The body has one return at its end, or none at all.
pub fn ends_in_its_only_return(body: &Region) -> bool {
    let Some((_, rest)) = body.insts.split_last() else {
        return true;
    };
    let nested = |inst: &Inst| inst.op.regions().any(has_return);
    !rest.iter().any(nested)
}

fn returns_in_loops(region: &Region) -> bool {
    let mut found = false;
    walk(region, &mut |inst| {
        if let Op::Loop { body, .. } = &inst.op {
            found |= has_return(body);
        }
    });
    found
}

/// Puts a kernel's returns outside its loops.
pub fn leave_loops(func: &mut Function, body: &mut Region) {
    if returns_in_loops(body) {
        cascade(func, body, Leave::Function);
    }
}

/// Makes the end of the body its only return.
pub fn close(func: &mut Function, body: &mut Region) {
    let insts = std::mem::take(&mut body.insts);
    body.insts = tails::sink_rest(insts, Exit::Return, MAX_NESTED_RETURNS);
    if tails::at_ends(&body.insts, Exit::Return) {
        let types: Vec<Type> = func.ret.into_iter().collect();
        tails::to_yields(func, &mut body.insts, Exit::Return, &types);
    } else {
        cascade(func, body, Leave::Scope);
        let scope = std::mem::take(body);
        let selector = func.new_value(Type::I32);
        let results = func.ret.map(|ty| func.new_value(ty));
        let op = Op::Switch {
            selector,
            cases: Vec::new(),
            default: Box::new(scope),
        };
        body.insts = vec![
            prelude::inst(smallvec![selector], Op::Const(0)),
            prelude::inst(results.into_iter().collect(), op),
            prelude::inst(smallvec![], Op::Yield(results.into_iter().collect())),
        ];
    }
    if let Some(last) = body.insts.last_mut()
        && let Op::Yield(values) = &last.op
    {
        last.op = Op::Return(values.first().copied());
    }
}

/// What a return becomes.
#[derive(Clone, Copy, PartialEq)]
enum Leave {
    /// It stays a return: it is outside the loops of a kernel.
    Function,
    /// A break of the scope around the function's body.
    Scope,
    /// A break of the loop or switch around with its results, the flag and the value.
    Flagged,
}

/// Replaces returns by breaks from loop to loop out to `leave`.
fn cascade(func: &mut Function, body: &mut Region, leave: Leave) {
    let mut cascade = Cascade {
        func,
        prelude: Prelude::default(),
        results: Vec::new(),
    };
    cascade.region(body, leave, true);
    cascade.prelude.install(body);
}

struct Cascade<'a> {
    func: &'a mut Function,
    /// Constants at the function's start. The passes behind recognise an exit flag that is the same constant everywhere.
    prelude: Prelude,
    /// The result types that the enclosing loops and switches had before flag and value were added.
    results: Vec<Vec<Type>>,
}

impl Cascade<'_> {
    /// `direct`: a yield here belongs to the scope, loop or switch that `leave` means.
    fn region(&mut self, region: &mut Region, leave: Leave, direct: bool) {
        let insts = std::mem::take(&mut region.insts);
        for mut inst in insts {
            let returns = inst.op.regions().any(has_return);
            match &mut inst.op {
                // An `if` without a return is visited as well: its breaks of the enclosing loop need the flag.
                Op::If(_, then, other) => {
                    self.region(then, leave, false);
                    self.region(other, leave, false);
                    region.insts.push(inst);
                }
                Op::Switch { cases, default, .. } if returns && leave == Leave::Function => {
                    for r in cases.iter_mut().map(|c| &mut c.1).chain([default]) {
                        self.region(r, leave, false);
                    }
                    region.insts.push(inst);
                }
                Op::Switch { .. } | Op::Loop { .. } if returns => {
                    self.breakable(inst, leave, &mut region.insts);
                }
                _ => {
                    self.terminator(&mut inst, leave, direct);
                    region.insts.push(inst);
                }
            }
        }
    }

    /// Rewrites a loop or switch that contains a return: flag and value become results.
    fn breakable(&mut self, mut inst: Inst, leave: Leave, out: &mut Vec<Inst>) {
        let results = inst.results.iter().map(|&v| self.func.ty(v)).collect();
        self.results.push(results);
        for r in inst.op.regions_mut() {
            self.region(r, Leave::Flagged, true);
        }
        self.results.pop();
        let flag = self.func.new_value(Type::BOOL);
        let value = self.func.ret.map(|ty| self.func.new_value(ty));
        inst.results.push(flag);
        inst.results.extend(value);
        out.push(inst);
        let [then, other] = [Op::Return(value), Op::Yield(vec![])].map(|end| {
            let mut end = prelude::inst(smallvec![], end);
            self.terminator(&mut end, leave, false);
            Box::new(Region {
                params: Vec::new(),
                insts: vec![end],
            })
        });
        out.push(prelude::inst(smallvec![], Op::If(flag, then, other)));
    }

    fn terminator(&mut self, inst: &mut Inst, leave: Leave, direct: bool) {
        match (&mut inst.op, leave) {
            (&mut Op::Return(value), Leave::Scope) => {
                let values = value.into_iter().collect();
                inst.op = match direct {
                    true => Op::Yield(values),
                    false => Op::Break(values),
                };
            }
            (&mut Op::Return(value), Leave::Flagged) => {
                let own = self.results.last().cloned().unwrap_or_default();
                let own = own.into_iter().map(|ty| self.prelude.undef(self.func, ty));
                let mut values: Vec<Value> = own.collect();
                values.push(self.prelude.bool(self.func, true));
                values.extend(value);
                inst.op = Op::Break(values);
            }
            (Op::Break(values), Leave::Flagged) => self.no_return(values),
            (Op::Yield(values), Leave::Flagged) if direct => self.no_return(values),
            _ => {}
        }
    }

    /// Adds flag and value to an exit that is not a return.
    fn no_return(&mut self, values: &mut Vec<Value>) {
        values.push(self.prelude.bool(self.func, false));
        if let Some(ty) = self.func.ret {
            values.push(self.prelude.undef(self.func, ty));
        }
    }
}
