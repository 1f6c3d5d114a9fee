//! Numbers of kernels become constants: their places among the kernels of the program.
//!
//! Needs: all kernels of the program. Establishes: no `kernel_number` op.

use crate::diag::Sink;
use crate::driver::kernel_ids;
use crate::ir::util::walk_mut;
use crate::ir::{Module, Op};
use crate::pass::Ctx;

pub fn run(module: &mut Module, _ctx: &Ctx, _sink: &mut Sink) {
    let kernels = kernel_ids(module);
    for body in module.funcs.iter_mut().filter_map(|f| f.body.as_mut()) {
        walk_mut(body, &mut |inst| {
            if let Op::KernelNumber(kernel) = inst.op {
                let place = kernels.iter().position(|k| *k == kernel);
                inst.op = Op::Const(place.unwrap_or(kernels.len()) as u64);
            }
        });
    }
}
