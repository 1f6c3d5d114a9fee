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

use smallvec::smallvec;

use super::accesses::{pointers, touched};
use super::alias::{Place, Pointer};
use super::cleanup;
use super::loop_accesses::{self, Access, Accesses, Computed, FirstRound, certain_accesses};
use super::pun::stored_bytes;
use super::unroll::copies::{define, plain};
use crate::diag::Sink;
use crate::ir::defs::Defs;
use crate::ir::util::walk_mut;
use crate::ir::{Addr, Function, Inst, Module, Op, Region, Scalar, Space, Type, Value};
use crate::pass::Ctx;

/// Places of a loop: each costs registers.
const MAX_PLACES: usize = 16;
/// Bytes of those that are only loaded.
const MAX_LOADED: u32 = 64;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    cleanup::behind(module, ctx, |func, body| {
        loop_accesses::any(body) && {
            let mut motion = Motion {
                pointers: pointers(func, &Defs::of(func, body)),
                func,
            };
            motion.region(body)
        }
    });
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
        } = Accesses::of(body, self.func, &self.pointers)?;
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

    /// The loop with these places in private objects.
    fn keep(&mut self, mut inst: Inst, places: &[Vec<Access>], insts: &mut Vec<Inst>) {
        let Op::Loop { init, body, .. } = &mut inst.op else {
            return;
        };
        let pointers: Vec<Value> = places.iter().map(|p| p[0].pointer).collect();
        let mut first = FirstRound::of(self.func, init, body, &pointers, insts);
        for place in places {
            let Access {
                place: Place { ty, .. },
                pointer,
                ..
            } = place[0];
            // A larger one may be known only where an access runs that not every round has.
            let align = place.iter().map(|a| a.align).min().unwrap_or(1);
            let memory = Addr::Ptr(first.value(pointer));
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
            copy(memory, Addr::Ptr(object), align, 16, &mut first.before);
            if place.iter().any(|a| a.stores) {
                copy(Addr::Ptr(object), memory, 16, align, &mut first.behind);
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
        first.enclose(self.func, inst, insts);
    }
}
