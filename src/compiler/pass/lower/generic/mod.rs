//! Generic pointers become pointers into one space where that is known, else tagged integers.
//!
//! Algorithm: `flow` finds for each generic pointer the spaces that it may point into. Where it
//! is one, `infer` gives the pointer the type of that space (also between the other passes, so
//! that these see private objects that are passed by generic pointers). A pointer of unknown
//! origin, from memory or an integer, points into spaces whose pointers are made generic
//! somewhere in the module. What is left becomes a 64-bit word with the space in its top bits
//! (`ir::eval`), and every access a branch over the spaces that are possible (`tagged`).
//!
//! What a function that stayed a call takes or returns is of unknown origin, too.
//!
//! Establishes: Concrete.

mod flow;
mod infer;
mod tagged;

pub use infer::infer;

use self::flow::Spaces;
use crate::diag::Sink;
use crate::ir::util::walk;
use crate::ir::{CastOp, Function, Module, Op, Scalar, Space, Type};
use crate::pass::Ctx;
use crate::pass::ssa::mem2reg;

const GENERIC: Type = Type::ptr(Space::Generic);

pub fn run(module: &mut Module, _: &Ctx, _: &mut Sink) {
    for func in &mut module.funcs {
        infer(func);
    }
    let mut unknown = Spaces::of(Space::Global);
    for func in &module.funcs {
        unknown = unknown.with(made_generic(func));
    }
    for func in &mut module.funcs {
        if !has_generic(func) {
            continue;
        }
        infer::infer_with(func, unknown);
        tagged::lower(func, unknown);
        // Objects that only a generic pointer kept in memory.
        mem2reg::promote(func);
    }
}

fn has_generic(func: &Function) -> bool {
    func.values.contains(&GENERIC) || func.ret == Some(GENERIC)
}

/// The spaces whose pointers a function converts.
fn made_generic(func: &Function) -> Spaces {
    let mut spaces = Spaces::default();
    let Some(body) = &func.body else {
        return spaces;
    };
    walk(body, &mut |inst| {
        if let Op::Cast(CastOp::SpaceCast, v) = inst.op
            && let Scalar::Ptr(from) = func.ty(v).scalar
            && from != Space::Generic
        {
            spaces = spaces.with(Spaces::of(from));
        }
    });
    spaces
}
