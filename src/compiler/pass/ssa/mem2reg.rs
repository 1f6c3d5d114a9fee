//! Promotes private objects to SSA values.
//!
//! Algorithm: objects that only whole loads and stores use are variables. One walk keeps the
//! current value of each; regions make dominance plain, so no dominator tree is needed. A
//! first walk finds which variables each if, switch and loop assigns: these become results, and
//! for a loop also parameters, which every yield, break and continue passes. What turns out
//! to be unchanged or unused goes again (`params`, `dce`).
//!
//! Needs: Lowered. Establishes: no object is left that is only loaded and stored whole.

use super::pun::{can_reinterpret, reinterpret, stored_bytes};
use super::{dce, params};
use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::scopes::Scopes;
use crate::ir::util::walk;
use crate::ir::{Addr, FastMath, Function, Inst, Module, Op, Region, Type, Value};
use crate::pass::{Ctx, each_function};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

pub fn run(module: &mut Module, _: &Ctx, _: &mut Sink) {
    each_function(module, |func, _| {
        if promote(func) {
            params::prune(func);
            dce::remove_dead(func);
        }
    });
}

/// Promotes what can be promoted. Returns whether there was anything.
pub fn promote(func: &mut Function) -> bool {
    let Some(body) = func.body.take() else {
        return false;
    };
    let vars = Variables::find(func, &body);
    if vars.types.is_empty() {
        func.body = Some(body);
        return false;
    }
    let assigned = Assigned::find(&vars, &body);
    let mut promoter = Promoter {
        env: vec![None; vars.types.len()],
        b: Builder::new(func),
        vars,
        assigned,
        next_control: 0,
        loaded: FxHashMap::default(),
        prelude: Vec::new(),
        undefs: FxHashMap::default(),
    };
    promoter.b.reserve(body.insts.len());
    for inst in body.insts {
        promoter.inst(inst, Scopes::default());
    }
    let Promoter { b, mut prelude, .. } = promoter;
    b.finish();
    if let Some(body) = &mut func.body {
        prelude.append(&mut body.insts);
        body.insts = prelude;
    }
    true
}

/// The promotable objects of a function.
struct Variables {
    /// By value index: the variable whose address this is.
    by_address: Vec<Option<u32>>,
    /// The type in which each variable's value is kept.
    types: Vec<Type>,
}

impl Variables {
    fn find(func: &Function, body: &Region) -> Variables {
        #[derive(Clone, Copy)]
        enum Candidate {
            /// No address of an object.
            None,
            Unused {
                size: u32,
            },
            As(Type),
            Escapes,
        }
        let mut candidates = vec![Candidate::None; func.values.len()];
        let access = |candidates: &mut Vec<Candidate>, at: Value, ty: Type| {
            let entry = &mut candidates[at.index()];
            *entry = match *entry {
                Candidate::None => Candidate::None,
                Candidate::Unused { size } if stored_bytes(ty) <= size => Candidate::As(ty),
                Candidate::As(first) if can_reinterpret(first, ty) => return,
                _ => Candidate::Escapes,
            };
        };
        walk(body, &mut |inst| {
            let mut escape = |v: Value| {
                let entry = &mut candidates[v.index()];
                if !matches!(entry, Candidate::None) {
                    *entry = Candidate::Escapes;
                }
            };
            match inst.op {
                Op::Alloca { size, .. } => {
                    candidates[inst.results[0].index()] = Candidate::Unused { size }
                }
                Op::Load {
                    addr: Addr::Ptr(at),
                    volatile: false,
                    ..
                } => access(&mut candidates, at, func.ty(inst.results[0])),
                Op::Store {
                    addr: Addr::Ptr(at),
                    value,
                    volatile: false,
                    ..
                } => {
                    escape(value);
                    access(&mut candidates, at, func.ty(value));
                }
                ref op => op.for_each_operand(escape),
            }
        });
        let mut types = Vec::new();
        let by_address = candidates.iter().map(|candidate| {
            let ty = match *candidate {
                Candidate::Unused { .. } => Type::I32,
                Candidate::As(ty) => ty,
                Candidate::None | Candidate::Escapes => return None,
            };
            types.push(ty);
            Some(types.len() as u32 - 1)
        });
        Variables {
            by_address: by_address.collect(),
            types,
        }
    }

    fn at(&self, address: Value) -> Option<u32> {
        self.by_address.get(address.index()).copied().flatten()
    }
}

/// For each if, switch and loop, in text order, the variables from outside that are assigned inside.
#[derive(Default)]
struct Assigned {
    by_control: Vec<Vec<u32>>,
    /// The number of control instructions before each variable.
    declared: Vec<usize>,
    /// Assigned in the control instructions being walked, innermost last.
    open: Vec<u32>,
}

impl Assigned {
    fn find(vars: &Variables, body: &Region) -> Vec<Vec<u32>> {
        let mut this = Assigned {
            declared: vec![0; vars.types.len()],
            ..Assigned::default()
        };
        this.region(vars, body);
        this.by_control
    }

    fn region(&mut self, vars: &Variables, region: &Region) {
        for inst in &region.insts {
            match &inst.op {
                Op::Alloca { .. } => {
                    if let Some(var) = vars.at(inst.results[0]) {
                        self.declared[var as usize] = self.by_control.len();
                    }
                }
                Op::Store { addr, .. } => self.open.extend(vars.at(addr.value())),
                op if op.is_control() => self.control(vars, op),
                _ => {}
            }
        }
    }

    fn control(&mut self, vars: &Variables, op: &Op) {
        let (control, start) = (self.by_control.len(), self.open.len());
        self.by_control.push(Vec::new());
        for region in op.regions() {
            self.region(vars, region);
        }
        let mut list = self.open.split_off(start);
        list.retain(|&var| self.declared[var as usize] <= control);
        list.sort_unstable();
        list.dedup();
        self.open.extend(&list);
        self.by_control[control] = list;
    }
}

struct Promoter<'a> {
    b: Builder<'a>,
    vars: Variables,
    /// The current value of each variable; `None` while it is undefined.
    env: Vec<Option<Value>>,
    assigned: Vec<Vec<u32>>,
    next_control: usize,
    /// Results of loads to the values that they read.
    loaded: FxHashMap<Value, Value>,
    /// Undefined values, at the start of the function.
    prelude: Vec<Inst>,
    undefs: FxHashMap<Type, Value>,
}

impl Promoter<'_> {
    fn inst(&mut self, mut inst: Inst, scopes: Scopes<usize>) {
        inst.op.for_each_operand_mut(|v| {
            if let Some(new) = self.loaded.get(v) {
                *v = *new;
            }
        });
        (self.b.loc, self.b.fast) = (inst.loc, FastMath::default());
        let target = scopes.target(&inst.op);
        match &mut inst.op {
            Op::Alloca { .. } => {
                if let Some(var) = self.vars.at(inst.results[0]) {
                    self.env[var as usize] = None;
                    return;
                }
            }
            Op::Load { addr, .. } => {
                if let Some(var) = self.vars.at(addr.value()) {
                    let value = self.current(var);
                    let ty = self.b.ty(inst.results[0]);
                    let value = reinterpret(&mut self.b, value, ty);
                    self.loaded.insert(inst.results[0], value);
                    return;
                }
            }
            Op::Store { addr, value, .. } => {
                if let Some(var) = self.vars.at(addr.value()) {
                    let ty = self.vars.types[var as usize];
                    self.env[var as usize] = Some(reinterpret(&mut self.b, *value, ty));
                    return;
                }
            }
            Op::If(..) | Op::Switch { .. } | Op::Loop { .. } => {
                self.control(&mut inst, scopes);
            }
            Op::Yield(values) | Op::Break(values) | Op::Continue(values) => {
                self.pass(target, values);
            }
            _ => {}
        }
        self.b.push(inst);
    }

    fn control(&mut self, inst: &mut Inst, scopes: Scopes<usize>) {
        let this = self.next_control;
        self.next_control += 1;
        let list = self.assigned[this].clone();
        let inside = scopes.inside(&inst.op, this);
        if let Op::Loop { init, body, .. } = &mut inst.op {
            self.pass(Some(this), init);
            for &var in &list {
                let param = self.b.func.new_value(self.vars.types[var as usize]);
                body.params.push(param);
                self.env[var as usize] = Some(param);
            }
        }
        let before: Vec<Option<Value>> = list.iter().map(|&v| self.env[v as usize]).collect();
        for region in inst.op.regions_mut() {
            for (&var, &value) in list.iter().zip(&before) {
                self.env[var as usize] = value;
            }
            let old = std::mem::take(region);
            self.b.push_region(old.params);
            self.b.reserve(old.insts.len());
            for inst in old.insts {
                self.inst(inst, inside);
            }
            *region = self.b.pop_region();
        }
        for &var in &list {
            let result = self.b.func.new_value(self.vars.types[var as usize]);
            inst.results.push(result);
            self.env[var as usize] = Some(result);
        }
    }

    /// Appends the values of the variables that `control` assigns.
    fn pass(&mut self, control: Option<usize>, values: &mut Vec<Value>) {
        let Some(control) = control else { return };
        for i in 0..self.assigned[control].len() {
            let var = self.assigned[control][i];
            values.push(self.current(var));
        }
    }

    fn current(&mut self, var: u32) -> Value {
        let ty = self.vars.types[var as usize];
        self.env[var as usize].unwrap_or_else(|| {
            *self.undefs.entry(ty).or_insert_with(|| {
                let undef = self.b.func.new_value(ty);
                self.prelude.push(Inst {
                    results: smallvec![undef],
                    op: Op::Undef,
                    fast: FastMath::default(),
                    loc: Default::default(),
                });
                undef
            })
        })
    }
}
