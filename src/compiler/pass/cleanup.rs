//! Simplifies, prunes and removes dead code until nothing changes, for a few rounds.
//!
//! The one pass that the pipeline runs again and again. Each round is linear in the size of the
//! function; a round that changes nothing is the last one.
//!
//! Needs: any stage, and keeps it.

use super::{Ctx, dce, params, simplify};
use crate::compiler::diag::Sink;
use crate::compiler::ir::Module;

/// What is not found by then is left to the driver's compiler.
const MAX_ROUNDS: u32 = 4;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    for func in &mut module.funcs {
        for _ in 0..MAX_ROUNDS {
            let simplified = simplify::simplify(func, ctx.target);
            let pruned = params::prune(func);
            dce::remove_dead(func);
            if !simplified && !pruned {
                break;
            }
        }
    }
}
