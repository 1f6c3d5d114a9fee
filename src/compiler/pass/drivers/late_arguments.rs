//! Arguments are read where they are used first, for a driver that keeps them in registers from where they are read.
//!
//! NVIDIA's driver makes no pipeline of a kernel that reads some thousands of words of arguments in front of all else.
//!
//! Algorithm: reads at the top of a kernel, and what is converted of them, move down to the first instruction that uses
//! them, or that has a use inside it.
//!
//! Needs and keeps: what legalize leaves.

use crate::diag::Sink;
use crate::ir::util::walk;
use crate::ir::{Function, Global, Inst, Module, Op, Region, Value};
use crate::pass::{Ctx, each_function};

/// Bytes of arguments from which on they are moved: as many as the registers of a work-item hold.
const MANY: u32 = 1024;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if ctx.target.keeps_arguments {
        each_function(module, function);
    }
}

fn function(func: &mut Function, _: &[Global]) {
    let kernel = func.kernel.as_ref();
    let layout = kernel.and_then(|kernel| kernel.layout.as_ref());
    if layout.is_some_and(|layout| layout.block_size > MANY)
        && let Some(body) = &mut func.body
    {
        sink(body, func.values.len());
    }
}

fn sink(body: &mut Region, values: usize) {
    // By value: what yields it, until it is used.
    let mut waiting: Vec<Option<Inst>> = vec![None; values];
    for inst in std::mem::take(&mut body.insts) {
        let waits = match inst.op {
            Op::Arg { .. } => true,
            Op::Cast(_, v) => waiting[v.index()].is_some(),
            _ => false,
        };
        if waits {
            let place = inst.results[0].index();
            waiting[place] = Some(inst);
            continue;
        }
        let mut used = |v| place(v, &mut waiting, &mut body.insts);
        inst.op.for_each_operand(&mut used);
        for region in inst.op.regions() {
            walk(region, &mut |inst| inst.op.for_each_operand(&mut used));
        }
        body.insts.push(inst);
    }
}

/// Puts what yields the value here, if it still waits.
fn place(v: Value, waiting: &mut [Option<Inst>], insts: &mut Vec<Inst>) {
    if let Some(inst) = waiting[v.index()].take() {
        inst.op.for_each_operand(|v| place(v, waiting, insts));
        insts.push(inst);
    }
}
