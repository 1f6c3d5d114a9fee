//! Refuses what nests more deeply than the driver can follow: llvmpipe computes something wrong from 80
//! levels on, or crashes.
//!
//! Drivers nest what follows an exit of a switch or of the function; exits of loops stay flat, and loops
//! have levels of their own.
//!
//! Needs: Legal. Keeps it.

use super::Ctx;
use crate::compiler::diag::Sink;
use crate::compiler::ir::util::{has_break, has_return};
use crate::compiler::ir::{Module, Op, Region};

pub fn run(module: &mut Module, ctx: &Ctx, sink: &mut Sink) {
    let most = ctx.target.max_nesting;
    if most == 0 {
        return;
    }
    for func in &module.funcs {
        let levels = func.body.as_ref().map_or(0, |body| levels(body, 0, false));
        if levels > most {
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
            // Leaves the function or, if breaks do that, a switch.
            let exits = |r: &Region| has_return(r) || leaves_switch && has_break(r);
            level += u32::from(exits(then) || exits(other));
        }
    }
    deepest.max(level)
}
