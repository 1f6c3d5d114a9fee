//! Work-item functions become what Vulkan gives: invocation ids, specialization
//! constants and fields of the argument block (docs/abi.md).
//!
//! Algorithm: one rewrite. Ids are computed in 64 bits, since a grid may have more
//! work-items than 32 bits count; simplification narrows what a kernel truncates.
//! With `short_ids` a global id is chosen, by a specialization constant, from one of 64 and one of 32 bits.
//! A group id includes the base of its dispatch, so that a launch may be split.
//! Needs: dimension operands may be any value. Establishes: no `workitem` op.

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::defs::Constants;
use crate::ir::util::rewrite;
use crate::ir::{BinOp, CmpOp, Input, Module, Op, Scalar, Type, Value, WorkItem};
use crate::kernel::{SPEC_ENQUEUED_LOCAL_SIZE, SPEC_LOCAL_SIZE, SPEC_LONG_IDS, SysField};
use crate::pass::{Ctx, each_function};

pub fn run(module: &mut Module, ctx: &Ctx, _sink: &mut Sink) {
    let form = Form {
        split: [0, 1, 2].map(|d| ctx.target.splits_grids(d)),
        short: ctx.target.short_ids,
    };
    each_function(module, |func, _| {
        let mut constants = Constants::default();
        rewrite(func, |b, inst| {
            if let Op::WorkItem(what, dim) = inst.op {
                let dim = dim.map(|d| (d, constants.get(d)));
                return vec![expand(b, form, what, dim)];
            }
            constants.note(&inst);
            b.push(inst);
            Vec::new()
        });
    });
}

#[derive(Clone, Copy)]
struct Form {
    /// The dimensions in which group ids have a base.
    split: [bool; 3],
    /// [`Target::short_ids`](crate::target::Target::short_ids).
    short: bool,
}

/// `dim`: the operand and, if it is a constant, its value.
fn expand(b: &mut Builder, form: Form, what: WorkItem, dim: Option<(Value, Option<u64>)>) -> Value {
    match dim {
        None => simple(b, form, what),
        Some((_, Some(d))) if d < 3 => in_dim(b, form, what, d as usize),
        Some((_, Some(_))) => out_of_range(b, what),
        // A dimension known only at run time: choose among the three and the fallback.
        Some((d, None)) => {
            let mut value = out_of_range(b, what);
            for i in (0..3).rev() {
                let this = in_dim(b, form, what, i);
                let index = b.const_int(Type::I32, i as i64);
                let hit = b.compare(CmpOp::Eq, d, index);
                value = b.select(hit, this, value);
            }
            value
        }
    }
}

/// What the function returns for a dimension of 3 or more (OpenCL C 6.15.1).
fn out_of_range(b: &mut Builder, what: WorkItem) -> Value {
    use WorkItem::*;
    let one = matches!(what, GlobalSize | LocalSize | EnqueuedLocalSize | NumGroups);
    b.const_int(Type::I64, one as i64)
}

const LOCAL_ID: [Input; 3] = [Input::LocalIdX, Input::LocalIdY, Input::LocalIdZ];
const GROUP_ID: [Input; 3] = [Input::GroupIdX, Input::GroupIdY, Input::GroupIdZ];

fn in_dim(b: &mut Builder, form: Form, what: WorkItem, d: usize) -> Value {
    use WorkItem::*;
    match what {
        GlobalSize => sys(b, SysField::GlobalSize(d as u8)),
        GlobalOffset => sys(b, SysField::GlobalOffset(d as u8)),
        NumGroups => {
            let n = sys(b, SysField::NumGroups(d as u8));
            wide(b, n)
        }
        LocalSize => spec(b, SPEC_LOCAL_SIZE[d]),
        EnqueuedLocalSize => spec(b, SPEC_ENQUEUED_LOCAL_SIZE[d]),
        LocalId => input(b, LOCAL_ID[d]),
        GroupId => {
            let group = group_id(b, form, d);
            wide(b, group)
        }
        _ => {
            let long = global_id(b, form, d, Scalar::I64);
            if !form.short {
                return long;
            }
            let short = global_id(b, form, d, Scalar::I32);
            let short = wide(b, short);
            let flag = b.insert1(Op::Spec(SPEC_LONG_IDS), Type::I32);
            let zero = b.const_int(Type::I32, 0);
            let is_long = b.compare(CmpOp::Ne, flag, zero);
            b.select(is_long, long, short)
        }
    }
}

/// Counts fit 32 bits, so the sum does.
fn group_id(b: &mut Builder, form: Form, d: usize) -> Value {
    let id = b.insert1(Op::Input(GROUP_ID[d]), Type::I32);
    if !form.split[d] {
        return id;
    }
    let base = sys(b, SysField::GroupBase(d as u8));
    b.binary(BinOp::Add, id, base)
}

fn global_id(b: &mut Builder, form: Form, d: usize, bits: Scalar) -> Value {
    let id = id_without_offset(b, form, d, bits);
    let offset = sys(b, SysField::GlobalOffset(d as u8));
    let offset = b.int_resize(offset, bits, false);
    b.binary(BinOp::Add, id, offset)
}

/// In so many bits.
fn id_without_offset(b: &mut Builder, form: Form, d: usize, bits: Scalar) -> Value {
    let group = group_id(b, form, d);
    let size = b.insert1(Op::Spec(SPEC_ENQUEUED_LOCAL_SIZE[d]), Type::I32);
    let local = word(b, LOCAL_ID[d]);
    let [group, size, local] = [group, size, local].map(|v| b.int_resize(v, bits, false));
    let base = b.binary(BinOp::Mul, group, size);
    b.binary(BinOp::Add, base, local)
}

fn simple(b: &mut Builder, form: Form, what: WorkItem) -> Value {
    use WorkItem::*;
    match what {
        WorkDim => sys(b, SysField::WorkDim),
        GlobalLinearId => {
            let size = [
                sys(b, SysField::GlobalSize(0)),
                sys(b, SysField::GlobalSize(1)),
            ];
            let id = [0, 1, 2].map(|d| id_without_offset(b, form, d, Scalar::I64));
            linear(b, id, size)
        }
        LocalLinearId => {
            let size = [spec(b, SPEC_LOCAL_SIZE[0]), spec(b, SPEC_LOCAL_SIZE[1])];
            let id = LOCAL_ID.map(|i| input(b, i));
            linear(b, id, size)
        }
        SubGroupLocalId => word(b, Input::SubGroupLocalId),
        SubGroupId => word(b, Input::SubGroupId),
        NumSubGroups => word(b, Input::NumSubGroups),
        // All but the last are full.
        SubGroupSize => {
            let max = word(b, Input::SubGroupSize);
            let id = word(b, Input::SubGroupId);
            let before = b.binary(BinOp::Mul, id, max);
            let items = group_items(b, SPEC_LOCAL_SIZE);
            let rest = b.binary(BinOp::Sub, items, before);
            b.binary(BinOp::UMin, rest, max)
        }
        EnqueuedNumSubGroups => {
            let max = word(b, Input::SubGroupSize);
            let items = group_items(b, SPEC_ENQUEUED_LOCAL_SIZE);
            let one = b.const_int(Type::I32, 1);
            let last = b.binary(BinOp::Sub, max, one);
            let rounded = b.binary(BinOp::Add, items, last);
            b.binary(BinOp::UDiv, rounded, max)
        }
        _ => word(b, Input::SubGroupSize),
    }
}

fn word(b: &mut Builder, what: Input) -> Value {
    b.insert1(Op::Input(what), Type::I32)
}

/// i32: the product of the sizes.
fn group_items(b: &mut Builder, ids: [u32; 3]) -> Value {
    let [x, y, z] = ids.map(|id| b.insert1(Op::Spec(id), Type::I32));
    let plane = b.binary(BinOp::Mul, x, y);
    b.binary(BinOp::Mul, plane, z)
}

/// `(z * size_y + y) * size_x + x`
fn linear(b: &mut Builder, [x, y, z]: [Value; 3], [size_x, size_y]: [Value; 2]) -> Value {
    let rows = b.binary(BinOp::Mul, z, size_y);
    let row = b.binary(BinOp::Add, rows, y);
    let start = b.binary(BinOp::Mul, row, size_x);
    b.binary(BinOp::Add, start, x)
}

fn sys(b: &mut Builder, field: SysField) -> Value {
    let ty = if field.size() == 8 {
        Type::I64
    } else {
        Type::I32
    };
    b.insert1(Op::Sys(field), ty)
}

fn spec(b: &mut Builder, id: u32) -> Value {
    let v = b.insert1(Op::Spec(id), Type::I32);
    wide(b, v)
}

fn input(b: &mut Builder, what: Input) -> Value {
    let v = b.insert1(Op::Input(what), Type::I32);
    wide(b, v)
}

fn wide(b: &mut Builder, v: Value) -> Value {
    b.int_resize(v, Scalar::I64, false)
}
