//! Moves stores behind the loads that follow them.
//!
//! Copies of a loop's body load, compute and store in turn. A driver's compiler that does not know that the next load is of another
//! place waits for it behind the store, so that of several rounds one load at a time is on its way.
//!
//! Algorithm: of each sequence without branches. A store waits until a load comes that may be of the same place, or something that meets
//! other work-items or is no plain access, and then stands behind the last load that came before that. Stores keep their order. Those
//! to private memory, of which drivers' compilers know all, stay.
//!
//! Needs: the values that sroa made of private objects. Keeps the stage.

use rustc_hash::FxHashMap;

use super::accesses::{Address, Addresses, touched};
use super::alias::space_of;
use super::effects;
use super::pun::stored_bytes;
use crate::diag::Sink;
use crate::ir::defs::Defs;
use crate::ir::util::walk;
use crate::ir::{Addr, Inst, Module, Op, Region, Space};
use crate::pass::{Ctx, each_function};

/// Bytes of the values that wait: each takes registers.
const MAX_WAITING: u32 = 64;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.paired_registers {
        return;
    }
    each_function(module, |func, _| {
        let Some(mut body) = func.body.take() else {
            return;
        };
        let mut plan = Vec::new();
        if has_store_and_load(&body) {
            let defs = Defs::of(func, &body);
            plan_region(&Addresses::of(func, &defs), &body, &mut plan);
        }
        if plan.iter().any(|moves| !moves.is_empty()) {
            carry_out(&mut body, &mut plan.into_iter());
        }
        func.body = Some(body);
    });
}

fn has_store_and_load(body: &Region) -> bool {
    let (mut stores, mut loads) = (false, false);
    walk(body, &mut |inst| {
        stores |= matches!(inst.op, Op::Store { .. });
        // Loads in front of all stores wait for none.
        loads |= stores && matches!(inst.op, Op::Load { .. });
    });
    loads
}

/// A store of a region, and the instruction behind which it comes.
type Move = (usize, usize);

/// The moves of a region, and of those in it.
fn plan_region(addresses: &Addresses, region: &Region, plan: &mut Vec<Vec<Move>>) {
    plan.push(moves(addresses, region));
    for inst in &region.insts {
        inst.op
            .regions()
            .for_each(|r| plan_region(addresses, r, plan));
    }
}

struct Waiting {
    store: usize,
    address: Address,
    bytes: u32,
    /// The last load that came.
    behind: Option<usize>,
}

fn moves(addresses: &Addresses, region: &Region) -> Vec<Move> {
    let mut moves = Vec::new();
    let mut waiting: Vec<Waiting> = Vec::new();
    let mut settle = |waiting: &mut Vec<Waiting>, count: usize| {
        let settled = waiting.drain(..count.min(waiting.len()));
        moves.extend(settled.filter_map(|w| Some((w.store, w.behind?))));
    };
    for (at, inst) in region.insts.iter().enumerate() {
        let Some(access) = touched(inst) else {
            if !effects::is_pure(&inst.op) && !matches!(inst.op, Op::Alloca { .. }) {
                settle(&mut waiting, usize::MAX);
            }
            continue;
        };
        if waiting.is_empty() && !access.stores {
            continue;
        }
        let address = addresses.address(access.pointer, access.value);
        // Stores may overlap: they keep their order.
        let overlapping = waiting
            .iter()
            .rposition(|w| !access.stores && w.address.may_overlap(&address));
        settle(&mut waiting, overlapping.map_or(0, |last| last + 1));
        if space_of(Addr::Ptr(access.pointer), addresses.polynomials.func) == Space::Private {
            continue;
        }
        if !access.stores {
            waiting.iter_mut().for_each(|w| w.behind = Some(at));
            continue;
        }
        let bytes = stored_bytes(addresses.polynomials.func.ty(access.value));
        while !waiting.is_empty()
            && waiting.iter().map(|w| w.bytes).sum::<u32>() + bytes > MAX_WAITING
        {
            settle(&mut waiting, 1);
        }
        waiting.push(Waiting {
            store: at,
            address,
            bytes,
            behind: None,
        });
    }
    settle(&mut waiting, usize::MAX);
    moves
}

fn carry_out(region: &mut Region, plan: &mut impl Iterator<Item = Vec<Move>>) {
    let moves = plan.next().unwrap_or_default();
    for inst in &mut region.insts {
        inst.op.regions_mut().for_each(|r| carry_out(r, plan));
    }
    if moves.is_empty() {
        return;
    }
    let mut insts: Vec<Option<Inst>> = region.insts.drain(..).map(Some).collect();
    let mut behind: FxHashMap<usize, Vec<Inst>> = FxHashMap::default();
    for (store, at) in moves {
        behind.entry(at).or_default().extend(insts[store].take());
    }
    for (at, inst) in insts.into_iter().enumerate() {
        region.insts.extend(inst);
        region
            .insts
            .extend(behind.remove(&at).into_iter().flatten());
    }
}
