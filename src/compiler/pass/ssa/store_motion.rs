//! Keeps in a register what each round of a loop loads from one place in memory, and perhaps stores there again.
//!
//! `for (...) sum[i] += x[j] * y[i]` writes to memory in each round, and loads what is the same in all, which a driver keeps: it does not
//! know of what else may be there.
//!
//! Algorithm: inner loops first. A place, an address that the loop does not change and a type, qualifies if no other access of
//! the loop may change it, nothing in the loop meets other work-items (which change no constant memory), and its first round stores
//! there for certain, or loads, if no round stores. The
//! place becomes a private object, loaded in front of the loop and stored behind it, which the cleanup makes a value. A
//! loop that may have no round, because its first instruction is its exit, comes into an `if` with that condition, as nothing
//! must be accessed then.
//!
//! Needs: the values that sroa made of private objects. Keeps the stage.

use std::cell::OnceCell;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

use super::alias::{Place, Pointer, space_of};
use super::pun::stored_bytes;
use super::unroll::copies::{define, fresh, plain};
use super::unroll::size;
use super::{cleanup, effects};
use crate::diag::Sink;
use crate::ir::defs::Defs;
use crate::ir::util::{copy_region, has_break, has_continue, has_return, walk, walk_mut};
use crate::ir::{Addr, Function, Inst, Module, Op, Region, Scalar, Space, Type, Value};
use crate::pass::{Ctx, each_function};

/// Places of a loop: each costs registers.
const MAX_PLACES: usize = 16;
/// Bytes of those that are only loaded.
const MAX_LOADED: u32 = 64;
/// Instructions in front of the first exit, which are copied.
const MAX_HEADER: usize = 32;
/// Accesses of a loop, which are compared with each other.
const MAX_ACCESSES: usize = 256;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    each_function(module, |func, globals| {
        let Some(mut body) = func.body.take() else {
            return;
        };
        let mut any = false;
        if accesses_in_loops(&body) {
            let mut motion = Motion {
                pointers: pointers(func, &body),
                func,
            };
            any = motion.region(&mut body);
        }
        func.body = Some(body);
        if any {
            cleanup::clean(func, globals, ctx.target);
        }
    });
}

fn accesses_in_loops(region: &Region) -> bool {
    let mut any = false;
    walk(region, &mut |inst| {
        if let Op::Loop { body, .. } = &inst.op {
            let access = |inst: &Inst| matches!(inst.op, Op::Load { .. } | Op::Store { .. });
            any |= body.insts.iter().any(access);
        }
    });
    any
}

fn pointers(func: &Function, body: &Region) -> Vec<Pointer> {
    let defs = Defs::of(func, body);
    let values = (0..func.values.len() as u32).map(Value);
    values.map(|v| Pointer::of(v, func, &defs)).collect()
}

#[derive(Clone, Copy)]
struct Access {
    place: Place,
    /// The pointer as it is.
    pointer: Value,
    align: u32,
    stores: bool,
}

/// What a body does with memory.
#[derive(Default)]
struct Accesses {
    all: Vec<Access>,
    /// Something else touches memory, perhaps that of other work-items.
    meets: bool,
    /// It may return.
    leaves: bool,
}

/// The exit of a loop in front of which nothing happens.
struct Header {
    /// Its place in the body.
    at: usize,
    /// Its condition where the loop goes on.
    stay: bool,
}

struct Motion<'f> {
    func: &'f mut Function,
    /// By value.
    pointers: Vec<Pointer>,
}

impl Motion<'_> {
    /// Returns whether anything moved.
    fn region(&mut self, region: &mut Region) -> bool {
        let mut any = false;
        if !region.insts.iter().any(|inst| inst.op.is_control()) {
            return false;
        }
        for mut inst in std::mem::take(&mut region.insts) {
            for nested in inst.op.regions_mut() {
                any |= self.region(nested);
            }
            match self.places(&inst.op) {
                Some(places) => {
                    self.keep(inst, &places, &mut region.insts);
                    any = true;
                }
                None => region.insts.push(inst),
            }
        }
        any
    }

    /// The accesses of a loop by place, of the places that can be kept.
    fn places(&self, op: &Op) -> Option<Vec<Vec<Access>>> {
        let Op::Loop { body, .. } = op else {
            return None;
        };
        let Accesses {
            all: accesses,
            meets,
            leaves,
        } = self.accesses(body)?;
        let computed = OnceCell::new();
        let mut places: Vec<Vec<Access>> = Vec::new();
        let mut loaded = 0;
        for certain in certain_accesses(body) {
            let place = accesses
                .iter()
                .find(|a| a.pointer == certain.pointer)?
                .place;
            let of_place = accesses.iter().filter(|a| a.place == place);
            let stores = of_place.clone().any(|a| a.stores);
            if places.iter().any(|p| p[0].place == place) || stores && !certain.stores {
                continue;
            }
            let alone = |a: &Access| {
                a.place == place || !(a.stores || stores) || !a.place.may_overlap(&place)
            };
            let hidden = !stores && (!meets || place.is_constant()) || !meets && !leaves;
            let bytes = if stores { 0 } else { stored_bytes(place.ty) };
            if hidden
                && loaded + bytes <= MAX_LOADED
                && accesses.iter().all(alone)
                && computed
                    .get_or_init(|| Computed::of(body))
                    .is_invariant(certain.pointer)
            {
                loaded += bytes;
                places.push(of_place.copied().collect());
            }
        }
        places.truncate(MAX_PLACES);
        (!places.is_empty()).then_some(places)
    }

    /// `None` if there are many.
    fn accesses(&self, body: &Region) -> Option<Accesses> {
        let mut accesses = Accesses::default();
        walk(body, &mut |inst| {
            let Some(Touched {
                pointer,
                value,
                align,
                stores,
            }) = touched(inst)
            else {
                let harmless = matches!(inst.op, Op::Printf(..) | Op::Alloca { .. });
                accesses.meets |= !harmless && effects::has_effect(&inst.op);
                accesses.leaves |= matches!(inst.op, Op::Return(_));
                return;
            };
            let known = self.pointers.get(pointer.index()).copied();
            let known = known.unwrap_or(Pointer::unknown(pointer));
            let space = space_of(Addr::Ptr(pointer), self.func);
            accesses.all.push(Access {
                place: Place::through(known, self.func.ty(value), space),
                pointer,
                align,
                stores,
            });
        });
        (accesses.all.len() <= MAX_ACCESSES).then_some(accesses)
    }

    /// The loop with these places in private objects.
    fn keep(&mut self, mut inst: Inst, places: &[Vec<Access>], insts: &mut Vec<Inst>) {
        let results = std::mem::take(&mut inst.results);
        let Op::Loop { init, body, .. } = &mut inst.op else {
            return;
        };
        let guard = header(body).map(|header| self.guard(&header, init, body, insts));

        let pointers: Vec<Value> = places.iter().map(|p| p[0].pointer).collect();
        let mut map = FxHashMap::default();
        let computing = Region {
            params: Vec::new(),
            insts: Computed::of(body).needed(&pointers),
        };
        let mut around = copy_region(&computing, self.func, &mut map).insts;
        let mut behind = Vec::new();
        for place in places {
            let Access {
                place: Place { ty, .. },
                pointer,
                ..
            } = place[0];
            // A larger one may be known only where an access runs that not every round has.
            let align = place.iter().map(|a| a.align).min().unwrap_or(1);
            let memory = Addr::Ptr(map.get(&pointer).copied().unwrap_or(pointer));
            let size = stored_bytes(ty).next_multiple_of(4);
            let pointer_type = Type::scalar(Scalar::Ptr(Space::Private));
            let object = define(
                self.func,
                pointer_type,
                Op::Alloca { size, align: 16 },
                insts,
            );
            let mut copy = |from: Addr, to: Addr, from_align, to_align, insts: &mut Vec<Inst>| {
                let load = Op::Load {
                    addr: from,
                    align: from_align,
                    volatile: false,
                };
                let value = define(self.func, ty, load, insts);
                let store = Op::Store {
                    addr: to,
                    value,
                    align: to_align,
                    volatile: false,
                };
                insts.push(plain(smallvec![], store));
            };
            copy(memory, Addr::Ptr(object), align, 16, &mut around);
            if place.iter().any(|a| a.stores) {
                copy(Addr::Ptr(object), memory, 16, align, &mut behind);
            }
            walk_mut(body, &mut |inst| {
                // Another type at the same address is another place.
                let of_place = touched(inst).is_some_and(|access| {
                    self.func.ty(access.value) == ty
                        && place.iter().any(|a| a.pointer == access.pointer)
                });
                if of_place {
                    inst.op.for_each_pointer_mut(|p| *p = object);
                }
            });
        }
        let Some((cond, stay, other)) = guard else {
            inst.results = results;
            insts.append(&mut around);
            insts.push(inst);
            insts.append(&mut behind);
            return;
        };
        inst.results = fresh(self.func, &results).into_iter().collect();
        let values = inst.results.to_vec();
        around.push(inst);
        around.append(&mut behind);
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

    /// The condition of the header for the first round, where the loop goes on, and what the loop gives where it does not.
    fn guard(
        &mut self,
        header: &Header,
        init: &[Value],
        body: &Region,
        insts: &mut Vec<Inst>,
    ) -> (Value, bool, Region) {
        let mut map: FxHashMap<Value, Value> = body
            .params
            .iter()
            .copied()
            .zip(init.iter().copied())
            .collect();
        let head = Region {
            params: Vec::new(),
            insts: body.insts[..=header.at].to_vec(),
        };
        let mut head = copy_region(&head, self.func, &mut map).insts;
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
}

/// What a loop's body defines.
struct Computed<'r> {
    body: &'r Region,
    /// Parameters, and results that differ from round to round.
    varying: FxHashSet<Value>,
}

impl<'r> Computed<'r> {
    fn of(body: &'r Region) -> Computed<'r> {
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
        Computed { body, varying }
    }

    fn is_invariant(&self, v: Value) -> bool {
        !self.varying.contains(&v)
    }

    /// The instructions of the body that compute these invariant values, in order.
    fn needed(&self, values: &[Value]) -> Vec<Inst> {
        let mut all = Vec::new();
        walk(self.body, &mut |inst| {
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

/// The accesses of the first round, if there is one.
fn certain_accesses(body: &Region) -> Vec<Touched> {
    let exit = header(body).map(|header| header.at);
    let may_leave = |inst: &Inst| {
        let inside = |r: &Region| has_break(r) || has_return(r) || has_continue(r);
        !matches!(inst.op, Op::Loop { .. }) && inst.op.regions().any(inside)
    };
    let insts = body.insts.iter().enumerate();
    let certain = insts.take_while(|&(at, inst)| Some(at) == exit || !may_leave(inst));
    certain.filter_map(|(_, inst)| touched(inst)).collect()
}

/// What a load or store does.
struct Touched {
    pointer: Value,
    /// What is loaded or stored.
    value: Value,
    align: u32,
    stores: bool,
}

/// Of an access that is not volatile.
fn touched(inst: &Inst) -> Option<Touched> {
    let (addr, value, align, stores) = match inst.op {
        Op::Load {
            addr,
            align,
            volatile: false,
        } => (addr, inst.results[0], align, false),
        Op::Store {
            addr,
            value,
            align,
            volatile: false,
        } => (addr, value, align, true),
        _ => return None,
    };
    let Addr::Ptr(pointer) = addr else {
        return None;
    };
    Some(Touched {
        pointer,
        value,
        align,
        stores,
    })
}
