//! Has work-items that return in front of a barrier of the work-group take part in it, for drivers that otherwise lose the others.
//!
//! OpenCL has all work-items of a group meet a barrier, but programs return in front of it where they are beyond the end of their data,
//! and GPUs take it that way.
//!
//! Algorithm: of kernels before mem2reg, whose variables are objects. A variable says that the work-item is alive; what returns ends it
//! instead. Barriers, and the branches and loops around them, are executed by all. Of what lies between them the accesses to shared
//! memory, and all that depends on them, are in branches of those that are alive. It is done where what the branches and loops around
//! barriers depend on is computed without such accesses, so that those that have ended go the same way.
//!
//! Needs: Lowered, behind `inline`. Keeps it.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

use crate::diag::Sink;
use crate::ir::defs::Defs;
use crate::ir::util::{has_break, has_continue, has_return, substitute, use_counts, walk};
use crate::ir::{Addr, CmpOp, Function, Inst, Module, Op, Region, Space, Type, Value};
use crate::pass::Ctx;
use crate::pass::shape::prelude::{self, Prelude};
use crate::pass::shape::single_exit;
use crate::pass::ssa::effects::is_pure;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.loses_ended_items {
        return;
    }
    // Of calls that wait nothing is known. Checks tell of such returns.
    let waits = |f: &Function| f.kernel.is_none() && f.body.as_ref().is_some_and(has_barrier);
    let delays = !ctx.target.check && !module.funcs.iter().any(waits);
    for func in module.funcs.iter_mut().filter(|f| f.kernel.is_some()) {
        let body = func.body.as_ref();
        let early = body.filter(|b| delays && returns_in_front_of_barrier(b, &mut false));
        let control = early.and_then(|body| control(func, body));
        let control = control.map(|control| (control, use_counts(func)));
        let Some(mut body) = func.body.take() else {
            continue;
        };
        match control {
            Some((control, uses)) => delay(func, &mut body, &control, &uses),
            None => single_exit::leave_loops(func, &mut body),
        }
        func.body = Some(body);
    }
}

fn has_barrier(region: &Region) -> bool {
    region.insts.iter().any(waits)
}

/// It is a barrier of the work-group, or has one inside.
fn waits(inst: &Inst) -> bool {
    inst.op.is_work_group_barrier() || inst.op.regions().any(has_barrier)
}

fn returns_in_front_of_barrier(region: &Region, returned: &mut bool) -> bool {
    region.insts.iter().any(|inst| {
        *returned |= matches!(inst.op, Op::Return(_));
        let again =
            matches!(&inst.op, Op::Loop { body, .. } if has_return(body) && has_barrier(body));
        let inside = inst
            .op
            .regions()
            .any(|r| returns_in_front_of_barrier(r, returned));
        again || inside || *returned && inst.op.is_work_group_barrier()
    })
}

/// All execute it: barriers are in it, or it leaves a loop that has them.
fn is_control(inst: &Inst) -> bool {
    let leaves = |op: &Op| op.regions().any(|r| has_break(r) || has_continue(r));
    match &inst.op {
        op @ Op::If(..) => waits(inst) || leaves(op),
        Op::Switch { .. } => waits(inst) || inst.op.regions().any(has_continue),
        _ => waits(inst),
    }
}

/// The variables on which the branches and loops around barriers depend. `None`: some depend on what only the living compute.
fn control(func: &Function, body: &Region) -> Option<FxHashSet<Value>> {
    let mut asked = Control {
        func,
        defs: Defs::of(func, body),
        stored: FxHashMap::default(),
        escaped: FxHashSet::default(),
        conditions: Vec::new(),
        seen: FxHashSet::default(),
        variables: FxHashSet::default(),
    };
    let known = asked.level(body, true);
    let conditions = std::mem::take(&mut asked.conditions);
    (known && conditions.into_iter().all(|v| asked.is_known(v))).then_some(asked.variables)
}

struct Control<'f> {
    func: &'f Function,
    defs: Defs<&'f Inst>,
    /// By variable, what all store there.
    stored: FxHashMap<Value, Vec<Value>>,
    /// Pointers of which there is more than loads, and stores that all execute.
    escaped: FxHashSet<Value>,
    conditions: Vec<Value>,
    seen: FxHashSet<Value>,
    variables: FxHashSet<Value>,
}

impl<'f> Control<'f> {
    fn level(&mut self, region: &'f Region, top: bool) -> bool {
        region
            .insts
            .iter()
            .enumerate()
            .all(|(at, inst)| match &inst.op {
                Op::Return(_) => top && at + 1 == region.insts.len(),
                Op::If(c, ..) if is_control(inst) => self.branch(inst, Some(*c)),
                Op::Switch { selector, .. } if is_control(inst) => {
                    self.branch(inst, Some(*selector))
                }
                Op::Loop { .. } if is_control(inst) => self.branch(inst, None),
                &Op::Store {
                    addr: Addr::Ptr(to),
                    value,
                    volatile: false,
                    ..
                } => {
                    self.stored.entry(to).or_default().push(value);
                    self.escaped.insert(value);
                    true
                }
                Op::Load { .. } => true,
                op => {
                    op.for_each_operand(|v| _ = self.escaped.insert(v));
                    for nested in op.regions() {
                        walk(nested, &mut |inst| match inst.op {
                            Op::Load { .. } => {}
                            _ => inst.op.for_each_operand(|v| _ = self.escaped.insert(v)),
                        });
                    }
                    inst.results.is_empty() || !op.regions().any(has_return)
                }
            })
    }

    fn branch(&mut self, inst: &'f Inst, condition: Option<Value>) -> bool {
        self.conditions.extend(condition);
        inst.op
            .regions()
            .all(|r| r.params.is_empty() && self.level(r, false))
    }

    /// All compute it, whether they are alive or not.
    fn is_known(&mut self, v: Value) -> bool {
        if !self.seen.insert(v) {
            return true;
        }
        let Some(op) = self.defs.op(v) else {
            return self.func.params.contains(&v);
        };
        match *op {
            Op::Load {
                addr: Addr::Ptr(from),
                volatile: false,
                ..
            } => {
                let variable = matches!(self.defs.op(from), Some(Op::Alloca { .. }));
                if !variable || self.escaped.contains(&from) {
                    return false;
                }
                self.variables.insert(from);
                let stored = self.stored.get(&from).cloned().unwrap_or_default();
                stored.into_iter().all(|v| self.is_known(v))
            }
            ref op if is_pure(op) => {
                let mut operands = Vec::new();
                op.for_each_operand(|v| operands.push(v));
                operands.into_iter().all(|v| self.is_known(v))
            }
            _ => false,
        }
    }
}

fn delay(func: &mut Function, body: &mut Region, control: &FxHashSet<Value>, uses: &[u32]) {
    let alive = func.new_value(Type::ptr(Space::Private));
    let mut variables = FxHashSet::default();
    walk(body, &mut |inst| {
        if let Op::Alloca { .. } = inst.op {
            variables.extend(&inst.results);
        }
    });
    let mut delayed = Delayed {
        func,
        prelude: Prelude::default(),
        control,
        variables,
        uses,
        alive,
        late: false,
        group: Vec::new(),
        inside: FxHashSet::default(),
    };
    let (size, align) = (4, 4);
    delayed
        .prelude
        .push(prelude::inst(smallvec![alive], Op::Alloca { size, align }));
    let starts = delayed.set_alive(true);
    delayed.prelude.push(starts);
    delayed.level(body);
    delayed.prelude.install(body);
}

struct Delayed<'f> {
    func: &'f mut Function,
    prelude: Prelude,
    control: &'f FxHashSet<Value>,
    /// Addresses of objects: others may depend on what only the living compute.
    variables: FxHashSet<Value>,
    /// Of the body as it was.
    uses: &'f [u32],
    alive: Value,
    /// Some may have ended.
    late: bool,
    /// What waits for a branch of the living, and what it defines.
    group: Vec<Inst>,
    inside: FxHashSet<Value>,
}

impl Delayed<'_> {
    fn level(&mut self, region: &mut Region) {
        let mut out = Vec::new();
        for mut inst in std::mem::take(&mut region.insts) {
            if inst.op.is_terminator() || is_control(&inst) {
                self.flush(&mut out);
                self.late |= matches!(&inst.op, Op::Loop { body, .. } if has_return(body));
                inst.op.regions_mut().for_each(|r| self.level(r));
                out.push(inst);
            } else if inst.op.regions().any(has_return) {
                self.flush(&mut out);
                self.late = true;
                self.end(inst, &mut out);
            } else if !self.late || self.all_execute(&inst, &mut out) {
                out.push(inst);
            } else {
                self.inside.extend(&inst.results);
                self.group.push(inst);
            }
        }
        self.flush(&mut out);
        region.insts = out;
    }

    /// Not only the living. What it must not overtake is behind it then.
    fn all_execute(&mut self, inst: &Inst, out: &mut Vec<Inst>) -> bool {
        let variable = match inst.op {
            Op::Load {
                addr: Addr::Ptr(v), ..
            }
            | Op::Store {
                addr: Addr::Ptr(v), ..
            } => Some(v),
            _ => None,
        };
        if variable.is_some_and(|v| self.control.contains(&v)) {
            if matches!(inst.op, Op::Store { .. }) {
                self.flush(out);
            }
            return true;
        }
        let mut depends = false;
        inst.op
            .for_each_operand(|v| depends |= self.inside.contains(&v));
        let own = variable.is_some_and(|v| self.variables.contains(&v));
        let alone = is_pure(&inst.op) || matches!(inst.op, Op::Alloca { .. });
        !depends && (alone || own && self.group.is_empty())
    }

    fn set_alive(&mut self, alive: bool) -> Inst {
        let value = self
            .prelude
            .constant(self.func, Type::I32, Some(alive.into()));
        let op = Op::Store {
            addr: Addr::Ptr(self.alive),
            value,
            align: 4,
            volatile: false,
        };
        prelude::inst(smallvec![], op)
    }

    /// A branch of the living, whose results are these values; the others get any.
    fn if_alive(
        &mut self,
        insts: Vec<Inst>,
        results: Vec<Value>,
        yields: Vec<Value>,
        out: &mut Vec<Inst>,
    ) {
        let [word, condition] = [Type::I32, Type::BOOL].map(|ty| self.func.new_value(ty));
        let zero = self.prelude.constant(self.func, Type::I32, Some(0));
        let load = Op::Load {
            addr: Addr::Ptr(self.alive),
            align: 4,
            volatile: false,
        };
        out.push(prelude::inst(smallvec![word], load));
        out.push(prelude::inst(
            smallvec![condition],
            Op::Compare(CmpOp::Ne, word, zero),
        ));
        let any = results
            .iter()
            .map(|&v| self.prelude.undef(self.func, self.func.ty(v)))
            .collect();
        let [then, other] = [(insts, yields), (Vec::new(), any)].map(|(mut insts, values)| {
            insts.push(prelude::inst(smallvec![], Op::Yield(values)));
            Box::new(Region {
                params: Vec::new(),
                insts,
            })
        });
        out.push(prelude::inst(
            results.into(),
            Op::If(condition, then, other),
        ));
    }

    fn flush(&mut self, out: &mut Vec<Inst>) {
        self.inside.clear();
        let mut region = Region {
            params: Vec::new(),
            insts: std::mem::take(&mut self.group),
        };
        if region.insts.is_empty() {
            return;
        }
        let mut here: FxHashMap<Value, u32> = FxHashMap::default();
        walk(&region, &mut |inst| {
            inst.op
                .for_each_operand(|v| *here.entry(v).or_default() += 1)
        });
        let mut renamed = FxHashMap::default();
        let (mut results, mut yields) = (Vec::new(), Vec::new());
        for v in region.insts.iter_mut().flat_map(|inst| &mut inst.results) {
            if self.uses[v.index()] > here.get(v).copied().unwrap_or(0) {
                let new = self.func.new_value(self.func.ty(*v));
                renamed.insert(*v, new);
                results.push(*v);
                yields.push(new);
                *v = new;
            }
        }
        substitute(&mut region, &renamed);
        self.if_alive(region.insts, results, yields, out);
    }

    /// What returns ends the work-item.
    fn end(&mut self, inst: Inst, out: &mut Vec<Inst>) {
        let insts = vec![
            self.set_alive(false),
            inst,
            self.set_alive(true),
            prelude::inst(smallvec![], Op::Return(None)),
        ];
        let mut region = Region {
            params: Vec::new(),
            insts,
        };
        single_exit::close(self.func, &mut region);
        region.insts.pop();
        self.if_alive(region.insts, Vec::new(), Vec::new(), out);
    }
}
