//! Lets the runtime launch more work-items than there are: those beyond the global size return at once.
//!
//! Each local size needs a pipeline of its own. Where the application leaves it open and the kernel
//! cannot tell, groups of a few sizes then serve any global size.
//!
//! Algorithm: in front of a kernel whose work-items do nothing together and do not ask for their group,
//! if the specialization constant says so, a return where the id is not below the extent in each
//! dimension. In 32 bits: the runtime does not do it for larger grids.
//!
//! Needs: Ssa, `workitem` ops. Keeps it; says `guarded` in the kernel's layout, and `alone` of all kernels that cannot tell.

use std::collections::BTreeSet;

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::defs::Constants;
use crate::ir::util::{reachable, walk};
use crate::ir::{
    BinOp, CmpOp, FuncId, Function, Input, KernelLayout, Module, Op, Space, Type, WorkItem,
};
use crate::kernel::{ArgKind, SPEC_ENQUEUED_LOCAL_SIZE, SPEC_GUARD, SysField};
use crate::pass::Ctx;
use crate::pass::shape::inline;

/// Bytes of the extents.
const EXTENTS: u32 = 12;
/// Bytes that other fields than those for work-item functions may take: printf buffer, module data, dimensions.
const OTHERS: u32 = 20;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    let called = inline::call_counts(module);
    for (index, calls) in called.into_iter().enumerate() {
        let Some(kernel) = &module.funcs[index].kernel else {
            continue;
        };
        let Some(layout) = &kernel.layout else {
            continue;
        };
        let attributes = &kernel.attributes;
        let sized = attributes.reqd_work_group_size.is_some()
            || attributes.reqd_sub_groups.is_some()
            || attributes.max_work_group_size.is_some();
        if calls > 0 || sized || takes_local(layout) {
            continue;
        }
        let (block, room) = (layout.block_size, ctx.target.max_push_constants);
        let Some(fields) = fields(module, FuncId(index as u32)) else {
            continue;
        };
        layout_of(module, index, |layout| layout.alone = true);
        // Not where the extents may drive the argument block out of the push constants.
        if block <= room && block + fields + OTHERS + EXTENTS > room {
            continue;
        }
        guard(&mut module.funcs[index]);
        layout_of(module, index, |layout| layout.guarded = true);
    }
}

fn layout_of(module: &mut Module, index: usize, with: impl FnOnce(&mut KernelLayout)) {
    let kernel = module.funcs[index].kernel.as_mut();
    kernel.and_then(|k| k.layout.as_mut()).map(with);
}

fn takes_local(layout: &KernelLayout) -> bool {
    let local = |kind| matches!(kind, ArgKind::Local { .. } | ArgKind::LocalInFrame { .. });
    layout.args.iter().any(|arg| local(arg.kind))
}

/// Bytes that fields for work-item functions take at most; `None` if something in the kernel
/// depends on what a group is.
fn fields(module: &Module, kernel: FuncId) -> Option<u32> {
    use WorkItem::*;
    let mut alone = true;
    let mut offsets = BTreeSet::new();
    let mut sizes = BTreeSet::new();
    for id in reachable(module, kernel) {
        let Some(body) = &module.funcs[id.index()].body else {
            continue;
        };
        let constants = Constants::of(&module.funcs[id.index()], body);
        walk(body, &mut |inst| match inst.op {
            Op::WorkItem(what, dim) => {
                let known = dim.and_then(|d| constants.get(d));
                let dims = known.map_or(0..3, |d| d..d + 1);
                match what {
                    WorkDim => {}
                    GlobalSize | GlobalLinearId => sizes.extend(dims),
                    // With the base of the group.
                    GlobalId | GlobalOffset => offsets.extend(dims),
                    _ => alone = false,
                }
            }
            Op::GlobalAddr(id) => {
                let global = module.globals.get(id.index());
                alone &= global.is_some_and(|g| g.space != Space::Local);
            }
            Op::Barrier { .. } | Op::SubGroup(..) | Op::SubGroupReduce { .. } => alone = false,
            _ => {}
        });
    }
    alone.then(|| 12 * offsets.len() as u32 + 8 * sizes.len() as u32)
}

fn guard(func: &mut Function) {
    const IDS: [[Input; 2]; 3] = [
        [Input::GroupIdX, Input::LocalIdX],
        [Input::GroupIdY, Input::LocalIdY],
        [Input::GroupIdZ, Input::LocalIdZ],
    ];
    let Some(body) = func.body.take() else { return };
    let mut b = Builder::new(func);
    let word = |b: &mut Builder, op| b.insert1(op, Type::I32);
    let on = word(&mut b, Op::Spec(SPEC_GUARD));
    let zero = b.const_int(Type::I32, 0);
    let on = b.compare(CmpOp::Ne, on, zero);
    let mut outside = None;
    for (d, [group, local]) in IDS.into_iter().enumerate() {
        let group = word(&mut b, Op::Input(group));
        let size = word(&mut b, Op::Spec(SPEC_ENQUEUED_LOCAL_SIZE[d]));
        let local = word(&mut b, Op::Input(local));
        let start = b.binary(BinOp::Mul, group, size);
        let id = b.binary(BinOp::Add, start, local);
        let extent = word(&mut b, Op::Sys(SysField::Extent(d as u8)));
        let beyond = b.compare(CmpOp::Uge, id, extent);
        outside = Some(match outside {
            Some(before) => b.binary(BinOp::Or, before, beyond),
            None => beyond,
        });
    }
    if let Some(outside) = outside {
        let leave = b.binary(BinOp::And, on, outside);
        b.if_then(leave, |b| b.return_(None));
    }
    b.reserve(body.insts.len());
    for inst in body.insts {
        b.push(inst);
    }
    b.finish();
}
