//! What the rounds of a loop load and store, and what may move in front of the first of them.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

use super::accesses::{Touched, place, touched};
use super::alias::{Place, Pointer};
use super::effects;
use super::unroll::copies::{fresh, plain};
use super::unroll::size;
use crate::ir::util::{copy_region, has_break, has_continue, has_return, walk};
use crate::ir::{Function, Inst, Op, Region, Value};

/// Instructions in front of the first exit, which are copied.
const MAX_HEADER: usize = 32;
/// Accesses of a loop, which are compared with each other.
const MAX_ACCESSES: usize = 256;

/// Whether a loop accesses memory in each round.
pub fn any(region: &Region) -> bool {
    let mut any = false;
    walk(region, &mut |inst| {
        if let Op::Loop { body, .. } = &inst.op {
            let access = |inst: &Inst| matches!(inst.op, Op::Load { .. } | Op::Store { .. });
            any |= body.insts.iter().any(access);
        }
    });
    any
}

#[derive(Clone, Copy)]
pub struct Access {
    pub place: Place,
    /// The pointer as it is.
    pub pointer: Value,
    /// What is loaded or stored.
    pub value: Value,
    pub align: u32,
    pub stores: bool,
    /// The instruction of the body that it is, or that it is in.
    pub at: usize,
}

/// What a body does with memory.
#[derive(Default)]
pub struct Accesses {
    /// In text order.
    pub all: Vec<Access>,
    /// Something else touches memory, perhaps that of other work-items.
    pub meets: bool,
    /// It may return.
    pub leaves: bool,
}

impl Accesses {
    /// `None` if there are many.
    pub fn of(body: &Region, func: &Function, pointers: &[Pointer]) -> Option<Accesses> {
        let mut accesses = Accesses::default();
        for (at, inst) in body.insts.iter().enumerate() {
            accesses.note(inst, at, func, pointers);
            for nested in inst.op.regions() {
                walk(nested, &mut |inst| accesses.note(inst, at, func, pointers));
            }
        }
        (accesses.all.len() <= MAX_ACCESSES).then_some(accesses)
    }

    fn note(&mut self, inst: &Inst, at: usize, func: &Function, pointers: &[Pointer]) {
        let Some(Touched {
            pointer,
            value,
            align,
            stores,
        }) = touched(inst)
        else {
            let harmless = matches!(inst.op, Op::Printf(..) | Op::Alloca { .. });
            self.meets |= !harmless && effects::has_effect(&inst.op);
            self.leaves |= matches!(inst.op, Op::Return(_));
            return;
        };
        self.all.push(Access {
            place: place(pointer, value, func, pointers),
            pointer,
            value,
            align,
            stores,
            at,
        });
    }
}

/// The accesses of the first round, if there is one.
pub fn certain_accesses(body: &Region) -> Vec<Touched> {
    let exit = header(body).map(|header| header.at);
    let may_leave = |inst: &Inst| {
        let inside = |r: &Region| has_break(r) || has_return(r) || has_continue(r);
        !matches!(inst.op, Op::Loop { .. }) && inst.op.regions().any(inside)
    };
    let insts = body.insts.iter().enumerate();
    let certain = insts.take_while(|&(at, inst)| Some(at) == exit || !may_leave(inst));
    certain.filter_map(|(_, inst)| touched(inst)).collect()
}

/// What a loop's body defines that differs from round to round.
pub struct Computed {
    /// Parameters, and results that differ from round to round.
    varying: FxHashSet<Value>,
}

impl Computed {
    pub fn of(body: &Region) -> Computed {
        let mut varying: FxHashSet<Value> = body.params.iter().copied().collect();
        walk(body, &mut |inst| {
            let mut varies = !effects::is_pure(&inst.op);
            inst.op.for_each_operand(|v| varies |= varying.contains(&v));
            if varies {
                varying.extend(&inst.results);
            }
            for nested in inst.op.regions() {
                varying.extend(&nested.params);
            }
        });
        Computed { varying }
    }

    pub fn is_invariant(&self, v: Value) -> bool {
        !self.varying.contains(&v)
    }
}

/// The instructions of a body that compute these values of pure ones, in order.
fn needed(body: &Region, values: &[Value]) -> Vec<Inst> {
    let mut all = Vec::new();
    walk(body, &mut |inst| {
        if effects::is_pure(&inst.op) {
            all.push(inst);
        }
    });
    let mut needed: FxHashSet<Value> = values.iter().copied().collect();
    let mut insts = Vec::new();
    for inst in all.into_iter().rev() {
        if inst.results.iter().any(|v| needed.contains(v)) {
            inst.op.for_each_operand(|v| {
                needed.insert(v);
            });
            insts.push(inst.clone());
        }
    }
    insts.reverse();
    insts
}

/// The exit of a loop in front of which nothing happens.
struct Header {
    /// Its place in the body.
    at: usize,
    /// Its condition where the loop goes on.
    stay: bool,
}

/// The exit in front of which a body only computes and loads.
fn header(body: &Region) -> Option<Header> {
    let mut so_far = 0;
    let before = body.insts.iter().take_while(|inst| {
        so_far += 1 + inst.op.regions().map(size).sum::<usize>();
        so_far <= MAX_HEADER && happens_nothing(inst)
    });
    let at = before.count();
    let Op::If(_, then, other) = &body.insts.get(at)?.op else {
        return None;
    };
    let stays = |r: &Region| matches!(&r.insts[..], [Inst { op: Op::Yield(values), .. }] if values.is_empty());
    let leaves = |r: &Region| match &r.insts[..] {
        [
            insts @ ..,
            Inst {
                op: Op::Break(_), ..
            },
        ] => insts.iter().all(|inst| effects::is_pure(&inst.op)),
        _ => false,
    };
    match (stays(then), stays(other)) {
        (true, false) if leaves(other) => Some(Header { at, stay: true }),
        (false, true) if leaves(then) => Some(Header { at, stay: false }),
        _ => None,
    }
}

/// Whether an instruction only computes and loads, and goes on behind itself.
fn happens_nothing(inst: &Inst) -> bool {
    let inside = |inst: &Inst| matches!(inst.op, Op::Yield(_)) || happens_nothing(inst);
    match &inst.op {
        Op::If(_, then, other) => [then, other]
            .iter()
            .all(|region| region.insts.iter().all(inside)),
        Op::Load { volatile, .. } => !volatile,
        op => effects::is_pure(op),
    }
}

/// A loop that gets code in front of its first round, and behind its last one, that does not run if it has no round.
pub struct FirstRound {
    /// The condition of the header, where the loop goes on, and what the loop gives where it does not.
    guard: Option<(Value, bool, Region)>,
    /// In front of the loop.
    pub before: Vec<Inst>,
    pub behind: Vec<Inst>,
    /// Of values that `before` computes as the first round does.
    first: FxHashMap<Value, Value>,
}

impl FirstRound {
    /// Of a loop whose first round computes `values` of its parameters and of what it does not change. The condition
    /// goes to `insts`.
    pub fn of(
        func: &mut Function,
        init: &[Value],
        body: &Region,
        values: &[Value],
        insts: &mut Vec<Inst>,
    ) -> FirstRound {
        let guard = header(body).map(|header| guard(func, &header, init, body, insts));
        let mut first = first_values(init, body);
        let computing = Region {
            params: Vec::new(),
            insts: needed(body, values),
        };
        let before = copy_region(&computing, func, &mut first).insts;
        FirstRound {
            guard,
            before,
            behind: Vec::new(),
            first,
        }
    }

    pub fn value(&self, v: Value) -> Value {
        self.first.get(&v).copied().unwrap_or(v)
    }

    /// Puts the loop, with what is around it, behind `insts`.
    pub fn enclose(mut self, func: &mut Function, mut inst: Inst, insts: &mut Vec<Inst>) {
        let Some((cond, stay, other)) = self.guard else {
            insts.append(&mut self.before);
            insts.push(inst);
            insts.append(&mut self.behind);
            return;
        };
        let values = fresh(func, &inst.results);
        let results = std::mem::replace(&mut inst.results, values.iter().copied().collect());
        let mut around = self.before;
        around.push(inst);
        around.append(&mut self.behind);
        around.push(plain(smallvec![], Op::Yield(values)));
        let rounds = Box::new(Region {
            params: Vec::new(),
            insts: around,
        });
        let other = Box::new(other);
        insts.push(plain(
            results,
            match stay {
                true => Op::If(cond, rounds, other),
                false => Op::If(cond, other, rounds),
            },
        ));
    }
}

fn first_values(init: &[Value], body: &Region) -> FxHashMap<Value, Value> {
    let params = body.params.iter().copied();
    params.zip(init.iter().copied()).collect()
}

/// The condition of the header for the first round, where the loop goes on, and what the loop gives where it does not.
fn guard(
    func: &mut Function,
    header: &Header,
    init: &[Value],
    body: &Region,
    insts: &mut Vec<Inst>,
) -> (Value, bool, Region) {
    let head = Region {
        params: Vec::new(),
        insts: body.insts[..=header.at].to_vec(),
    };
    let mut head = copy_region(&head, func, &mut first_values(init, body)).insts;
    let exit = head.pop().map(|inst| inst.op);
    insts.append(&mut head);
    let Some(Op::If(cond, then, other)) = exit else {
        unreachable!("a header ends with an if");
    };
    let mut leave = if header.stay { *other } else { *then };
    if let Some(Inst { op, .. }) = leave.insts.last_mut()
        && let Op::Break(values) = op
    {
        *op = Op::Yield(std::mem::take(values));
    }
    (cond, header.stay, leave)
}
