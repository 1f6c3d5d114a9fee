//! Private objects that are too large for drivers lie in device memory (docs/pointers.md).
//!
//! Algorithm: of the private objects of a kernel and of what it calls the largest are chosen, until the others have no
//! more than `max_private` bytes. They get offsets in the work-item's scratch as in a frame: the frame itself first, then
//! those of a function behind those of all that may call it. Each function that uses one computes at its start where its
//! cells begin.

use std::collections::BTreeSet;

use super::frames::{Frames, callers_first};
use super::layout::{Accesses, key};
use super::roots::{Reach, Root, Roots};
use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::{reachable, rewrite};
use crate::ir::{BinOp, CastOp, FuncId, Function, Input, Module, Op, Scalar, Space, Type, Value};
use crate::kernel::{
    SCRATCH_ALIGN, SPEC_LOCAL_SIZE, SPEC_SCRATCH_LANES, SPEC_SCRATCH_SIZE, SysField,
};
use crate::pass::shape::inline;
use crate::target::Target;
use rustc_hash::FxHashMap;

/// Where objects lie in a work-item's scratch.
#[derive(Default)]
pub struct Scratch {
    offsets: FxHashMap<(usize, Reach), u32>,
    /// Bytes of a work-item, of kernels by number.
    sizes: FxHashMap<usize, u32>,
}

/// The cells of an object, to a function that uses it.
#[derive(Debug, Clone, Copy)]
pub struct Cells {
    pub cell: Type,
    /// i64: address of the first cell.
    pub start: Value,
    /// i64: logarithm of the bytes from a cell to the next.
    pub step: Value,
}

impl Cells {
    /// The address of a cell (i32).
    pub fn address(&self, b: &mut Builder, index: Value) -> Value {
        let index = b.int_resize(index, Scalar::I64, true);
        let offset = b.binary(BinOp::Shl, index, self.step);
        b.binary(BinOp::Add, self.start, offset)
    }

    /// The address of what is `offset` bytes (i32) behind the object's start.
    pub fn address_of_part(&self, b: &mut Builder, offset: Value) -> Value {
        let size = i64::from(self.cell.size());
        let log = b.const_int(Type::I32, size.trailing_zeros().into());
        let index = b.binary(BinOp::AShr, offset, log);
        let cell = self.address(b, index);
        let inside = b.const_int(Type::I32, size - 1);
        let inside = b.binary(BinOp::And, offset, inside);
        let inside = b.int_resize(inside, Scalar::I64, false);
        b.binary(BinOp::Add, cell, inside)
    }
}

impl Scratch {
    /// Private memory beyond `max_scratch` is an error.
    pub fn place(
        module: &Module,
        roots: &[Roots],
        frames: &Frames,
        target: &Target,
        sink: &mut Sink,
    ) -> Scratch {
        let mut scratch = Scratch::default();
        let mut chosen = BTreeSet::new();
        let mut starts = FxHashMap::default();
        let frame = Reach::Frame(Space::Private);
        for (index, func) in module.funcs.iter().enumerate() {
            let Some(kernel) = &func.kernel else { continue };
            let mut objects = BTreeSet::new();
            for f in reachable(module, FuncId(index as u32)) {
                let private = private_objects(&roots[f.index()], frames);
                objects.extend(private.map(|(size, reach)| (size, key(f.index(), reach))));
            }
            let total: u64 = objects.iter().map(|o| u64::from(o.0)).sum();
            let items: u64 = kernel
                .attributes
                .reqd_work_group_size
                .map_or(1, |size| size.iter().map(|&n| u64::from(n)).product());
            let most = match total > u64::from(target.max_private) {
                true => u64::from(target.max_scratch) / items.max(1),
                false => i32::MAX as u64,
            };
            if total > most {
                sink.general_error(format!(
                    "a work-item of kernel '{}' has {total} bytes of private memory, for which the device has no room: \
                     {most} at most",
                    func.name
                ));
            }
            let mut left = total;
            for &(size, object) in objects.iter().rev() {
                if left > u64::from(target.max_private) {
                    left -= u64::from(size);
                    chosen.insert(object);
                }
            }
            if objects.iter().any(|o| o.1 == key(index, frame)) {
                starts.insert(index, frames.private_size());
            }
        }
        if chosen.is_empty() || sink.has_errors() {
            return Scratch::default();
        }
        if chosen.contains(&key(usize::MAX, frame)) {
            scratch.offsets.insert(key(usize::MAX, frame), 0);
        } else {
            starts.clear();
        }
        let mut ends = FxHashMap::default();
        for index in callers_first(&module.funcs) {
            let mut end = starts.get(&index).copied().unwrap_or(0);
            for (size, reach) in private_objects(&roots[index], frames) {
                let object = key(index, reach);
                if reach != frame && chosen.contains(&object) {
                    scratch.offsets.insert(object, end);
                    end = (end + size).next_multiple_of(SCRATCH_ALIGN);
                }
            }
            ends.insert(index, end);
            for callee in inline::callees(&module.funcs[index]) {
                let start: &mut u32 = starts.entry(callee.index()).or_default();
                *start = end.max(*start);
            }
        }
        for (index, func) in module.funcs.iter().enumerate() {
            if func.kernel.is_some() {
                let funcs = reachable(module, FuncId(index as u32));
                let end = funcs.iter().filter_map(|f| ends.get(&f.index()));
                scratch.sizes.insert(index, end.copied().max().unwrap_or(0));
            }
        }
        scratch
    }

    /// Bytes of a work-item of a kernel.
    pub fn size(&self, kernel: usize) -> u32 {
        self.sizes.get(&kernel).copied().unwrap_or(0)
    }

    pub fn contains(&self, index: usize, reach: Reach) -> bool {
        self.offsets.contains_key(&key(index, reach))
    }

    /// Puts in front of function `index` what finds its objects in scratch.
    pub fn enter(
        &self,
        func: &mut Function,
        index: usize,
        roots: &Roots,
        accesses: &Accesses,
        target: &Target,
    ) -> FxHashMap<Reach, Cells> {
        let mut cells = FxHashMap::default();
        if self.offsets.is_empty() {
            return cells;
        }
        add_bases(func, target);
        let mine = roots.accessed.iter().copied();
        let mine: Vec<Reach> = mine.filter(|&reach| self.contains(index, reach)).collect();
        let Some(body) = func.body.take_if(|_| !mine.is_empty()) else {
            return cells;
        };
        let mut b = Builder::new(func);
        let item = item_number(&mut b);
        let lanes = b.insert1(Op::Spec(SPEC_SCRATCH_LANES), Type::I32);
        let size = b.insert1(Op::Spec(SPEC_SCRATCH_SIZE), Type::I32);
        let one = b.const_int(Type::I32, 1);
        let count = b.binary(BinOp::Shl, one, lanes);
        let mask = b.binary(BinOp::Sub, count, one);
        let lane = b.binary(BinOp::And, item, mask);
        let block = b.binary(BinOp::LShr, item, lanes);
        let [lane, block, size, lanes] =
            [lane, block, size, lanes].map(|v| b.cast(CastOp::ZExt, v, Type::I64));
        let scratch = b.insert1(Op::Sys(SysField::Scratch), Type::I64);
        let before = b.binary(BinOp::Mul, block, size);
        for reach in mine {
            let cell = accesses.scratch_cell(index, reach);
            let log = b.const_int(Type::I64, cell.size().trailing_zeros().into());
            let offset = self.offsets[&key(index, reach)];
            let offset = b.const_int(Type::I64, offset.into());
            let offset = b.binary(BinOp::Add, before, offset);
            let offset = b.binary(BinOp::Shl, offset, lanes);
            let own = b.binary(BinOp::Shl, lane, log);
            let offset = b.binary(BinOp::Add, offset, own);
            let start = b.binary(BinOp::Add, scratch, offset);
            let step = b.binary(BinOp::Add, lanes, log);
            cells.insert(reach, Cells { cell, start, step });
        }
        body.insts.into_iter().for_each(|inst| b.push(inst));
        b.finish();
        cells
    }
}

/// Bytes of the private objects that a function accesses, without those of its callees.
fn private_objects<'a>(
    roots: &'a Roots,
    frames: &'a Frames,
) -> impl Iterator<Item = (u32, Reach)> + 'a {
    roots.accessed.iter().filter_map(|&reach| match reach {
        Reach::One(Root::Alloca(v)) => Some((roots.allocas[&v].0, reach)),
        Reach::Frame(Space::Private) => Some((frames.private_size(), reach)),
        _ => None,
    })
}

/// Group ids get the base of the dispatch where they have none so far: launches with scratch are cut, and a number in
/// the dispatch is what WorkgroupId is without the base of vkCmdDispatchBase.
pub fn add_bases(func: &mut Function, target: &Target) {
    rewrite(func, |b, inst| {
        let group = [Input::GroupIdX, Input::GroupIdY, Input::GroupIdZ];
        let dim = group
            .iter()
            .position(|&id| matches!(inst.op, Op::Input(input) if input == id));
        match dim.filter(|&d| !target.splits_grids(d)) {
            Some(d) => {
                let id = b.insert1(inst.op, Type::I32);
                let base = b.insert1(Op::Sys(SysField::GroupBase(d as u8)), Type::I32);
                vec![b.binary(BinOp::Add, id, base)]
            }
            None => {
                b.push(inst);
                Vec::new()
            }
        }
    });
}

/// The group's number in its dispatch.
pub fn group_number(b: &mut Builder) -> Value {
    let group = [Input::GroupIdX, Input::GroupIdY, Input::GroupIdZ];
    let group = group.map(|id| b.insert1(Op::Input(id), Type::I32));
    let stride = [1, 2].map(|d| b.insert1(Op::Sys(SysField::ScratchStride(d)), Type::I32));
    let rows = add_product(b, group[0], group[1], stride[0]);
    add_product(b, rows, group[2], stride[1])
}

fn add_product(b: &mut Builder, sum: Value, x: Value, y: Value) -> Value {
    let product = b.binary(BinOp::Mul, x, y);
    b.binary(BinOp::Add, sum, product)
}

/// The work-item's number in its dispatch.
fn item_number(b: &mut Builder) -> Value {
    let word = |b: &mut Builder, op| b.insert1(op, Type::I32);
    let size = SPEC_LOCAL_SIZE.map(|id| word(b, Op::Spec(id)));
    let inputs = |b: &mut Builder, ids: [Input; 3]| ids.map(|id| word(b, Op::Input(id)));
    let id = inputs(b, [Input::LocalIdX, Input::LocalIdY, Input::LocalIdZ]);
    let group = group_number(b);
    let row = add_product(b, id[1], id[2], size[1]);
    let local = add_product(b, id[0], row, size[0]);
    let items = b.binary(BinOp::Mul, size[0], size[1]);
    let items = b.binary(BinOp::Mul, items, size[2]);
    let before = b.binary(BinOp::Mul, group, items);
    b.binary(BinOp::Add, before, local)
}
