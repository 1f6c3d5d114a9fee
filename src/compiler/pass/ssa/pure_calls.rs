//! Marks the calls of functions whose result depends on the arguments alone: most of the library's. Equal ones are one then, those that
//! nothing needs go, and accesses in front of them are known behind them.
//!
//! `p.x * cos(a) - p.y * sin(a), p.x * sin(a) + p.y * cos(a)` calls what computes sine and cosine four times, and neither the compiler of
//! NVIDIA's OpenCL nor that of its Vulkan joins what is inlined with its branches.
//!
//! Algorithm: a function is pure unless an instruction of it is not, where those that access its own objects are; functions that
//! call one that is not are not either, until nothing changes.
//!
//! Needs: the scalars that mem2reg made of variables. Keeps the stage.

use super::effects;
use crate::diag::Sink;
use crate::ir::util::{walk, walk_mut};
use crate::ir::{Addr, CastOp, Function, Module, Op, Scalar, Space, Value};
use crate::pass::Ctx;

pub fn run(module: &mut Module, _: &Ctx, _: &mut Sink) {
    let mut pure = vec![true; module.funcs.len()];
    loop {
        let now: Vec<bool> = module.funcs.iter().map(|f| is_pure(f, &pure)).collect();
        if now == pure {
            break;
        }
        pure = now;
    }
    for body in module.funcs.iter_mut().filter_map(|f| f.body.as_mut()) {
        walk_mut(body, &mut |inst| {
            if let Op::Call {
                callee,
                pure: is_pure,
                ..
            } = &mut inst.op
            {
                *is_pure = pure[callee.index()];
            }
        });
    }
}

/// If functions are pure as `pure` says.
fn is_pure(func: &Function, pure: &[bool]) -> bool {
    let Some(body) = &func.body else {
        return false;
    };
    let space = |p: Value| match func.ty(p).scalar {
        Scalar::Ptr(space) => Some(space),
        _ => None,
    };
    // Without private objects of the caller all of them are its own.
    let given = |p: &Value| matches!(space(*p), Some(Space::Private | Space::Generic));
    let is_own = |p: Value| space(p) == Some(Space::Private);
    let mut all = !func.params.iter().any(given);
    walk(body, &mut |inst| {
        all &= match inst.op {
            Op::Call { callee, .. } => pure[callee.index()],
            Op::Cast(CastOp::IntToPtr, _) => false,
            Op::Alloca { .. } => true,
            Op::Load {
                addr: Addr::Ptr(p),
                volatile: false,
                ..
            } => is_own(p) || space(p) == Some(Space::Constant),
            Op::Store {
                addr: Addr::Ptr(p),
                volatile: false,
                ..
            }
            | Op::Zero { to: p, .. } => is_own(p),
            Op::Copy { to, from, .. } => {
                is_own(to) && (is_own(from) || space(from) == Some(Space::Constant))
            }
            ref op => op.is_control() || op.is_terminator() || effects::is_pure(op),
        };
    });
    all
}
