//! Keeps in registers what a round of a loop stores or loads and the next one loads again.
//!
//! `x[i] = f(x[i - 1])` waits in each round for memory that it has just written, and a stencil along the loop loads most of its
//! points several times. Drivers' compilers do not look over the edges of rounds.
//!
//! Algorithm: what the first round loads for certain has an address that is a polynomial of the loop's parameters. With what the
//! round passes on in place of those it is the address of the next round. If the last access to that one which each round has
//! comes with the same type, and no store may come between, then its value becomes a parameter of the loop, whose first
//! value is loaded in front of it.
//!
//! Needs: the values that sroa made of private objects. Keeps the stage.

use rustc_hash::FxHashMap;

use super::accesses::{Address, Addresses};
use super::cleanup;
use super::loop_accesses::{self, Access, Accesses, Computed, FirstRound, certain_accesses};
use super::polynomial::{Known, Polynomial};
use super::pun::stored_bytes;
use super::unroll::copies::define;
use crate::diag::Sink;
use crate::ir::defs::Defs;
use crate::ir::util::{each_continue, each_continue_mut, has_continue, substitute};
use crate::ir::{Addr, Function, Inst, Module, Op, Region, Value};
use crate::pass::Ctx;

/// Bytes that a loop carries from round to round: each takes registers.
const MAX_CARRIED: u32 = 64;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    cleanup::behind(module, ctx, |func, body| {
        let mut plans = Vec::new();
        if loop_accesses::any(body) {
            let defs = Defs::of(func, body);
            plan(&Addresses::of(func, &defs), body, &mut plans);
        }
        let any = plans.iter().any(|plan| !plan.is_empty());
        if any {
            carry_out(func, body, &mut plans.into_iter());
        }
        any
    });
}

/// A load whose value the round before has.
struct Carried {
    load: Access,
    /// What the round before stored or loaded.
    value: Value,
}

/// What each loop carries, an outer loop before those inside it.
fn plan(addresses: &Addresses, region: &Region, plans: &mut Vec<Vec<Carried>>) {
    for inst in &region.insts {
        if let Op::Loop { body, .. } = &inst.op {
            plans.push(carried(addresses, body).unwrap_or_default());
        }
        inst.op.regions().for_each(|r| plan(addresses, r, plans));
    }
}

fn carried(addresses: &Addresses, body: &Region) -> Option<Vec<Carried>> {
    let func = addresses.polynomials.func;
    let loads = certain_accesses(body).into_iter().filter(|a| !a.stores);
    let loads: Vec<Value> = loads.map(|a| a.value).collect();
    let last = body.insts.iter().position(may_continue)?;
    if body.params.is_empty() || loads.is_empty() {
        return None;
    }
    let Accesses { all, meets, .. } = Accesses::of(body, func, &addresses.pointers)?;
    if meets {
        return None;
    }
    let of = |a: &Access| addresses.address(a.pointer, a.value);
    let places: Vec<Address> = all.iter().map(of).collect();
    let rounds = Rounds::of(addresses, body);
    let mut carried = Vec::new();
    let mut bytes = 0;
    for (at, load) in all.iter().enumerate() {
        if load.stores || !loads.contains(&load.value) {
            continue;
        }
        let next = rounds.next(load.pointer);
        if next.is_none() || next == places[at].polynomial {
            continue;
        }
        // In each round that another one follows.
        let found = (0..all.len()).rev().find(|&found| {
            let access = &all[found];
            let direct = !body.insts[access.at].op.is_control();
            let same = access.place.ty == load.place.ty && places[found].polynomial == next;
            direct && access.at < last && same
        });
        let Some(found) = found else {
            continue;
        };
        let Access {
            value, at: from, ..
        } = all[found];
        let disturbs = |store: usize| {
            all[store].at > from && places[store].may_overlap(&places[found])
                || all[store].at < load.at && places[store].may_overlap(&places[at])
        };
        let mut stores = (0..all.len()).filter(|&a| all[a].stores);
        let size = stored_bytes(load.place.ty);
        if bytes + size <= MAX_CARRIED && !stores.any(disturbs) {
            bytes += size;
            carried.push(Carried { load: *load, value });
        }
    }
    Some(carried)
}

/// Whether another round may follow from there.
fn may_continue(inst: &Inst) -> bool {
    match &inst.op {
        Op::Continue(_) => true,
        Op::Loop { .. } => false,
        op => op.regions().any(has_continue),
    }
}

/// What rounds of a loop pass on.
struct Rounds<'p> {
    addresses: &'p Addresses<'p>,
    computed: Computed,
    /// By where the next round starts: what a parameter is there.
    params: Vec<FxHashMap<Value, Option<Polynomial>>>,
}

impl<'p> Rounds<'p> {
    fn of(addresses: &'p Addresses, body: &'p Region) -> Rounds<'p> {
        let mut params = Vec::new();
        each_continue(body, &mut |values| {
            let next = values.iter().map(|&v| addresses.polynomials.of(v));
            params.push(body.params.iter().copied().zip(next).collect());
        });
        Rounds {
            addresses,
            computed: Computed::of(body),
            params,
        }
    }

    /// What a value of this round's parameters is in the next round.
    fn next(&self, v: Value) -> Option<Polynomial> {
        let mut nexts = self.params.iter().map(|params| {
            self.addresses
                .polynomials
                .with(v, &|v| match params.get(&v) {
                    Some(Some(next)) => Known::As(next),
                    None if self.computed.is_invariant(v) => Known::Itself,
                    _ => Known::Nothing,
                })
        });
        let next = nexts.next()??;
        nexts
            .all(|other| other.as_ref() == Some(&next))
            .then_some(next)
    }
}

fn carry_out(
    func: &mut Function,
    region: &mut Region,
    plans: &mut impl Iterator<Item = Vec<Carried>>,
) {
    for mut inst in std::mem::take(&mut region.insts) {
        let is_loop = matches!(inst.op, Op::Loop { .. });
        let plan = is_loop.then(|| plans.next()).flatten().unwrap_or_default();
        for nested in inst.op.regions_mut() {
            carry_out(func, nested, plans);
        }
        match plan.is_empty() {
            true => region.insts.push(inst),
            false => carry(func, inst, &plan, &mut region.insts),
        }
    }
}

/// Gives a loop the parameters of its plan.
fn carry(func: &mut Function, mut inst: Inst, plan: &[Carried], insts: &mut Vec<Inst>) {
    let Op::Loop { init, body, .. } = &mut inst.op else {
        return;
    };
    let pointers: Vec<Value> = plan.iter().map(|c| c.load.pointer).collect();
    let mut first = FirstRound::of(func, init, body, &pointers, insts);
    let mut map = FxHashMap::default();
    for Carried { load, .. } in plan {
        let op = Op::Load {
            addr: Addr::Ptr(first.value(load.pointer)),
            align: load.align,
            volatile: false,
        };
        let ty = func.ty(load.value);
        init.push(define(func, ty, op, &mut first.before));
        let param = func.new_value(ty);
        body.params.push(param);
        map.insert(load.value, param);
    }
    each_continue_mut(body, &mut |values| {
        values.extend(plan.iter().map(|c| c.value));
    });
    substitute(body, &map);
    first.enclose(func, inst, insts);
}
