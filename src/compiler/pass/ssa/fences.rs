//! Fences and barriers of the device become those of the work-group, where no other group could tell, and barriers that
//! follow each other are one.
//!
//! `mem_fence(CLK_GLOBAL_MEM_FENCE)` is of the device here, as programs expect that pass data between work-groups with it. Those have
//! an atomic or volatile access that says when the data is there; without one nothing orders what another group sees, whatever
//! the fence (OpenCL C 3.0, 6.15.12.6). On a GPU a fence of the device waits for memory.
//!
//! Algorithm: a function keeps its scopes if it, or anything in the module while it calls functions, has an atomic access or a
//! volatile one outside of private and local memory. A barrier joins the one before it in its region if they have one scope and all between
//! is pure: macros and conditions that are constant leave such rows of them.
//! Needs: pointers whose address space is known. Keeps the stage.

use crate::diag::Sink;
use crate::ir::util::{walk, walk_mut};
use crate::ir::{Addr, Function, Inst, Module, Op, Scalar, Scope, Space};
use crate::pass::Ctx;
use crate::pass::ssa::effects::is_pure;

pub fn run(module: &mut Module, _: &Ctx, _: &mut Sink) {
    narrow(module);
    for body in module.funcs.iter_mut().filter_map(|f| f.body.as_mut()) {
        join(&mut body.insts);
    }
}

fn join(insts: &mut Vec<Inst>) {
    let mut last: Option<(Scope, usize)> = None;
    let mut joined = Vec::new();
    for at in 0..insts.len() {
        for region in insts[at].op.regions_mut() {
            join(&mut region.insts);
        }
        match &insts[at].op {
            &Op::Barrier { flags, scope } => match last {
                Some((of, first)) if of == scope => {
                    if let Op::Barrier { flags: all, .. } = &mut insts[first].op {
                        all.local |= flags.local;
                        all.global |= flags.global;
                    }
                    joined.push(at);
                }
                _ => last = Some((scope, at)),
            },
            op if is_pure(op) => {}
            _ => last = None,
        }
    }
    let (mut at, mut joined) = (0, joined.into_iter().peekable());
    insts.retain(|_| {
        at += 1;
        joined.next_if_eq(&(at - 1)).is_none()
    });
}

fn narrow(module: &mut Module) {
    let found: Vec<Found> = module.funcs.iter().map(Found::of).collect();
    if found.iter().all(|found| !found.of_device) {
        return;
    }
    let tells = found.iter().any(|found| found.tells);
    for (func, found) in module.funcs.iter_mut().zip(&found) {
        let keeps = match found.calls {
            true => tells,
            false => found.tells,
        };
        let Some(body) = func.body.as_mut().filter(|_| found.of_device && !keeps) else {
            continue;
        };
        walk_mut(body, &mut |inst| {
            if let Op::Fence { scope, .. } | Op::Barrier { scope, .. } = &mut inst.op
                && *scope == Scope::Device
            {
                *scope = Scope::WorkGroup;
            }
        });
    }
}

/// What a function has.
#[derive(Default)]
struct Found {
    /// A fence or barrier of the device.
    of_device: bool,
    /// An access by which another group can tell when something has been written.
    tells: bool,
    calls: bool,
}

impl Found {
    fn of(func: &Function) -> Found {
        let mut found = Found::default();
        let Some(body) = &func.body else {
            return found;
        };
        walk(body, &mut |inst| match &inst.op {
            Op::Fence { scope, .. } | Op::Barrier { scope, .. } => {
                found.of_device |= *scope == Scope::Device;
            }
            Op::Atomic { .. } => found.tells = true,
            Op::Load {
                addr,
                volatile: true,
                ..
            }
            | Op::Store {
                addr,
                volatile: true,
                ..
            } => found.tells |= !is_own(func, addr),
            Op::Call { pure: false, .. } => found.calls = true,
            _ => {}
        });
        found
    }
}

/// The memory is a work-item's or work-group's.
fn is_own(func: &Function, addr: &Addr) -> bool {
    let Addr::Ptr(pointer) = addr else {
        return false;
    };
    let scalar = func.ty(*pointer).scalar;
    matches!(scalar, Scalar::Ptr(Space::Private | Space::Local))
}
