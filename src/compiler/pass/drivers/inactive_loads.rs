//! Loads that only some work-items execute, for a driver that loads for the others, too.
//!
//! llvmpipe loads once where it knows that all work-items of a sub-group have the same address, also in a branch or a round that
//! none of them executes: the process ends where that address is null or beyond its buffer. Where the addresses may differ it loads
//! for those that are active.
//!
//! Algorithm: addresses in branches and loops, and behind those that return, get zero added, of which the driver knows no more than that it depends on the
//! work-item: bits of its number in its sub-group, of which the host gives none.
//!
//! Needs and keeps: what legalize leaves.

use super::opaque::opaque_constant;
use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::has_return;
use crate::ir::{
    Addr, BinOp, CastOp, Function, Global, Input, Inst, Module, Op, Region, Type, Value,
};
use crate::pass::ssa::unroll::copies::define;
use crate::pass::{Ctx, each_function};

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    let target = ctx.target;
    if target.reads_inactive_addresses && target.storage_buffers == 0 && target.subgroups {
        each_function(module, function);
    }
}

fn function(func: &mut Function, _: &[Global]) {
    let Some(mut body) = func.body.take() else {
        return;
    };
    let (mut start, zero) = zero(func);
    // Nobody knows from where other functions are called.
    let conditional = func.kernel.is_none();
    if region(func, &mut body, conditional, zero) {
        start.append(&mut body.insts);
        body.insts = start;
    }
    func.body = Some(body);
}

/// A zero that may differ from work-item to work-item, and what computes it.
fn zero(func: &mut Function) -> (Vec<Inst>, Value) {
    let mut b = Builder::new(func);
    let none = opaque_constant(&mut b, 0, Type::I32);
    let number = b.insert1(Op::Input(Input::SubGroupLocalId), Type::I32);
    let word = b.binary(BinOp::And, number, none);
    let zero = b.cast(CastOp::ZExt, word, Type::I64);
    (b.take_behind(0), zero)
}

/// Whether there is such a load in the region, or inside it.
fn region(func: &mut Function, region: &mut Region, mut conditional: bool, zero: Value) -> bool {
    let mut any = false;
    for mut inst in std::mem::take(&mut region.insts) {
        for nested in inst.op.regions_mut() {
            any |= self::region(func, nested, true, zero);
            // Some have ended then.
            conditional |= has_return(nested);
        }
        if let Op::Load {
            addr: Addr::Device(address),
            ..
        } = &mut inst.op
            && conditional
        {
            let sum = Op::Binary(BinOp::Add, *address, zero);
            *address = define(func, Type::I64, sum, &mut region.insts);
            any = true;
        }
        region.insts.push(inst);
    }
    any
}
