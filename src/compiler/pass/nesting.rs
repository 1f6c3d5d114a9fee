//! Refuses what nests more deeply than the driver can follow: llvmpipe computes something wrong from 80
//! levels on, or crashes.
//!
//! Drivers nest what follows an exit of a switch or of the function; exits of loops stay flat, and loops
//! have levels of their own.
//!
//! Needs: Legal. Keeps it.

use super::Ctx;
use crate::compiler::diag::Sink;
use crate::compiler::ir::util::has_return;
use crate::compiler::ir::{Inst, Module, Op, Region};

pub fn run(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    let most = ctx.target.max_nesting;
    for func in &module.funcs {
        let levels = func.body.as_ref().map_or(0, |body| levels(body, 0, false));
        if most > 0 && levels > most {
            sink.general_error(format!(
                "'{}' nests {levels} levels of control flow, the device's driver can follow {most}",
                func.name
            ));
        }
    }
}

/// The deepest level in a region at level `level`; `leaves_switch`: its breaks leave a switch.
fn levels(region: &Region, level: u32, leaves_switch: bool) -> u32 {
    let (mut level, mut deepest) = (level, level);
    for inst in &region.insts {
        let (inside, switch) = match inst.op {
            Op::Loop { .. } => (level, false),
            Op::Switch { .. } => (level + 1, true),
            _ => (level + 1, leaves_switch),
        };
        for nested in inst.op.regions() {
            deepest = deepest.max(levels(nested, inside, switch));
        }
        if let Op::If(_, then, other) = &inst.op {
            let exits = [then, other].iter().any(|r| exits(r, leaves_switch));
            level += u32::from(exits);
        }
    }
    deepest.max(level)
}

/// Something in the region leaves the function or, if its breaks do that, a switch.
fn exits(region: &Region, leaves_switch: bool) -> bool {
    let breaks = |inst: &Inst| match &inst.op {
        Op::Break(_) => true,
        Op::If(_, then, other) => exits(then, true) || exits(other, true),
        _ => false,
    };
    has_return(region) || leaves_switch && region.insts.iter().any(breaks)
}
