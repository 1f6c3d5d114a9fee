//! Splits private objects into the pieces that are accessed, and promotes these.
//!
//! Algorithm: `uses` collects the accesses at constant offsets of every object whose address goes
//! nowhere else. Accesses of the same bytes make a piece; accesses that overlap make a
//! vector, of which each is some lanes; a copy between two objects lets both have the same
//! pieces (`pieces`). `rewrite` gives each piece an object of its own and turns copies into loads
//! and stores, small ones between other memory too. `mem2reg` promotes the pieces.
//!
//! Needs: Lowered, and offsets folded. Establishes: Ssa.

mod pieces;
mod rewrite;
mod uses;

use super::{dce, mem2reg, params};
use crate::diag::Sink;
use crate::ir::{Function, Module};
use crate::pass::{Ctx, each_function};

pub fn run(module: &mut Module, _: &Ctx, _: &mut Sink) {
    each_function(module, |func, _| {
        split(func);
        // Again where addresses of objects were in pieces: without these the objects are values, too.
        let mut again = true;
        while again {
            again = mem2reg::promote(func);
            if again {
                params::prune(func);
            }
            dce::remove_dead(func);
        }
    });
}

fn split(func: &mut Function) {
    let Some(body) = &func.body else { return };
    let mut uses = uses::Uses::find(func, body);
    let pieces = pieces::choose(&mut uses);
    rewrite::rewrite(func, uses, pieces);
}
