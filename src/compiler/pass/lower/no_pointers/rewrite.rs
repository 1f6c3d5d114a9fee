//! Rewrites one function: every op that makes or uses a pointer.

use super::access::{Base, Cells, index};
use super::frames::Frames;
use super::layout::{Access, stored};
use super::linear::{Defs, Linear, definitions};
use super::roots::{Reach, Root, Roots};
use super::{Objects, lowered, scratch};
use crate::ir::builder::Builder;
use crate::ir::data::ModuleData;
use crate::ir::util;
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, Function, GlobalId, Inst, Op, Space, Type, Value,
    space_of,
};
use crate::kernel::SysField;
use crate::pass::lower::float_atomics::Word;
use crate::pass::lower::narrow;
use crate::pass::ssa::dce;
use crate::target::Target;
use rustc_hash::FxHashMap;
use smallvec::smallvec;
use std::cell::Cell;

/// A variable that the function uses and that has no place, if there is one.
#[allow(clippy::too_many_arguments)]
pub(super) fn run(
    func: &mut Function,
    roots: &Roots,
    frames: &Frames,
    index: usize,
    objects: Objects,
    scratch: FxHashMap<Reach, scratch::Cells>,
    data: &ModuleData,
    target: &Target,
) -> Option<GlobalId> {
    let defs = definitions(func);
    let types = func.values.clone();
    for ty in &mut func.values {
        *ty = lowered(*ty);
    }
    func.objects = objects.list.clone();
    let rewriter = Rewriter {
        roots,
        frames,
        index,
        objects,
        scratch,
        data,
        target,
        defs,
        types,
        placeless: Cell::new(None),
    };
    util::rewrite(func, |b, inst| {
        rewriter.inst(b, inst);
        Vec::new()
    });
    // Offsets of pointers that are objects now: the rules of cleanup count uses.
    dce::remove_dead(func);
    rewriter.placeless.get()
}

struct Rewriter<'a> {
    roots: &'a Roots,
    frames: &'a Frames,
    index: usize,
    objects: Objects,
    /// The variables that lie in device memory.
    scratch: FxHashMap<Reach, scratch::Cells>,
    data: &'a ModuleData,
    target: &'a Target,
    defs: Defs,
    /// Before lowering.
    types: Vec<Type>,
    /// A variable of device memory that is not in the module's data.
    placeless: Cell<Option<GlobalId>>,
}

impl Rewriter<'_> {
    fn space(&self, v: Value) -> Option<Space> {
        self.types.get(v.index()).and_then(|&ty| space_of(ty))
    }

    fn is_small(&self, v: Value) -> bool {
        matches!(self.space(v), Some(Space::Private | Space::Local))
    }

    fn inst(&self, b: &mut Builder, mut inst: Inst) {
        match inst.op {
            Op::Alloca { .. } => {
                if let Some(&(id, words)) = self.objects.zeroed.get(&inst.results[0]) {
                    let zero = b.const_int(Type::I32, 0);
                    for word in 0..words {
                        let index = b.const_int(Type::I32, word.into());
                        b.store_to(Addr::Object(id, index), zero, Type::I32.size(), false);
                    }
                }
                let offset = self
                    .frames
                    .private
                    .get(&(self.index, inst.results[0]))
                    .copied();
                inst.op = Op::Const(offset.unwrap_or(0) as u64);
            }
            Op::GlobalAddr(g) if self.is_small(inst.results[0]) => {
                let offset = self.frames.local.get(&g).copied().unwrap_or(0);
                inst.op = match self.frames.local_args.get(&g) {
                    Some(&spec_id) => Op::Spec(spec_id),
                    None => Op::Const(offset as u64),
                };
            }
            Op::GlobalAddr(g) => {
                let offset = self.data.offsets.get(g.index()).copied().flatten();
                if offset.is_none() {
                    self.placeless.set(Some(g));
                }
                let base = b.insert1(Op::Sys(SysField::ModuleData), Type::I64);
                let offset = b.const_int(Type::I64, offset.unwrap_or(0).into());
                inst.op = Op::Binary(BinOp::Add, base, offset);
            }
            Op::PtrAdd(base, bytes) => {
                let width = b.ty(base).scalar;
                let bytes = b.int_resize(bytes, width, true);
                inst.op = Op::Binary(BinOp::Add, base, bytes);
            }
            Op::Cast(CastOp::PtrToInt, a) if self.is_small(a) => {
                inst.op = Op::Cast(CastOp::ZExt, a)
            }
            Op::Cast(CastOp::IntToPtr, a) if self.is_small(inst.results[0]) => {
                inst.op = Op::Cast(CastOp::Trunc, a);
            }
            // Named spaces of equal width only: generic pointers are gone.
            Op::Cast(CastOp::PtrToInt | CastOp::IntToPtr | CastOp::SpaceCast, a) => {
                inst.op = Op::Cast(CastOp::Bitcast, a);
            }
            Op::Compare(op @ (CmpOp::Eq | CmpOp::Ne), x, y) => {
                // A pointer to a known object is not null and not one to another object.
                if let Some(equal) = self.known_equality(x, y) {
                    inst.op = Op::Const((equal == (op == CmpOp::Eq)) as u64);
                }
            }
            Op::Load {
                addr: Addr::Ptr(p),
                align,
                volatile,
            } => {
                return self.load(b, inst.results[0], p, align, volatile);
            }
            Op::Store {
                addr: Addr::Ptr(p),
                value,
                align,
                volatile,
            } => {
                return self.store(b, value, p, align, volatile);
            }
            Op::Atomic {
                op,
                addr: Addr::Ptr(p),
                ref args,
                order,
                scope,
            } => {
                if self.space(p) == Some(Space::Private) {
                    return self.private_atomic(b, &inst.results, op, p, args);
                }
                let ty = inst
                    .results
                    .first()
                    .or(args.first())
                    .map_or(Type::I32, |&v| b.ty(v));
                let cells = self.cells(b, p, Access::atomic(ty, op));
                if ty == Type::F16 || matches!(cells.base, Base::Part(..)) {
                    let word = cells.word(b);
                    let old = match args[..] {
                        [] => word.load(b, ty, order, scope),
                        _ => word.by_compare_exchange(b, op, args, order, scope),
                    };
                    if let Some(&result) = inst.results.first() {
                        b.define(smallvec![result], Op::Cast(CastOp::Bitcast, old));
                    }
                    return;
                }
                let addr = cells.addr0(b);
                let atomic = |args| Op::Atomic {
                    op,
                    addr,
                    args,
                    order,
                    scope,
                };
                if cells.cell == ty {
                    inst.op = atomic(args.clone());
                } else if matches!(op, AtomicOp::FAdd | AtomicOp::FMin | AtomicOp::FMax) {
                    let word = Word::whole(addr, ty);
                    let old = word.by_compare_exchange(b, op, args, order, scope);
                    b.define(inst.results, Op::Cast(CastOp::Bitcast, old));
                    return;
                } else {
                    // A float that is only moved, in an object of words.
                    let cast = |&v: &Value| b.cast(CastOp::Bitcast, v, cells.cell);
                    let args = args.iter().map(cast).collect();
                    let types = vec![cells.cell; inst.results.len()];
                    let words = b.insert(atomic(args), &types);
                    for (&result, &word) in inst.results.iter().zip(&words) {
                        b.define(smallvec![result], Op::Cast(CastOp::Bitcast, word));
                    }
                    return;
                }
            }
            _ => {}
        }
        b.push(inst);
    }

    fn known_equality(&self, x: Value, y: Value) -> Option<bool> {
        let object = |v: Value| match self.roots.object(v) {
            Some(Reach::One(root)) => Some(root),
            _ => None,
        };
        match (object(x), object(y)) {
            (None, None) => None,
            (Some(a), Some(b)) if a == b => None,
            _ => Some(false),
        }
    }

    /// The memory behind `p`, as cells fit for an access.
    fn cells(&self, b: &mut Builder, p: Value, access: Access) -> Cells {
        let Access {
            ty,
            align,
            volatile,
            ..
        } = access;
        let scalar = ty.scalar.size();
        let reach = self.roots.reach(p);
        let sum = || match reach {
            Some(Reach::One(Root::Alloca(_) | Root::Global(_))) => Linear::of(p, &self.defs),
            _ => Linear::of(p, &Defs::default()),
        };
        if let Some(&place) = reach.and_then(|r| self.scratch.get(&r)) {
            let (unit, cell) = (scalar.min(align), place.cell);
            let part = unit < cell.scalar.size();
            return Cells {
                base: match part {
                    true => Base::ScratchPart(place, p),
                    false => Base::Scratch(place, index(b, cell, p, &sum())),
                },
                cell: if part { int_cell(unit) } else { cell },
                align: if part { unit } else { cell.size() },
                volatile,
            };
        }
        match reach.and_then(|r| self.objects.find(r, &access)) {
            Some(id) => {
                let cell = self.objects.list[id.index()].elem;
                let unit = scalar.min(align);
                if unit < cell.scalar.size() && !self.is_of_words(ty, align, cell) {
                    return Cells {
                        base: Base::Part(id, p, cell),
                        cell: int_cell(unit),
                        align: unit,
                        volatile,
                    };
                }
                Cells {
                    base: Base::Object(id, index(b, cell, p, &sum())),
                    cell,
                    align: cell.size(),
                    volatile,
                }
            }
            None => {
                let cell = if align >= scalar { ty } else { int_cell(align) };
                Cells {
                    base: Base::Device(p),
                    cell,
                    align,
                    volatile,
                }
            }
        }
    }

    /// Several narrow lanes that are whole cells, where these are words because the target has nothing narrower.
    fn is_of_words(&self, ty: Type, align: u32, cell: Type) -> bool {
        let size = u32::from(ty.lanes) * ty.scalar.size();
        let words = cell == Type::I32 && align >= cell.size() && size.is_multiple_of(cell.size());
        words && narrow::lacks(ty, self.target)
    }

    fn load(&self, b: &mut Builder, result: Value, p: Value, align: u32, volatile: bool) {
        let memory = stored(self.types[result.index()]);
        let value = self
            .cells(b, p, Access::plain(memory, align, volatile))
            .load(b, memory);
        let as_stored = self.types[result.index()];
        let op = if as_stored.scalar == crate::ir::Scalar::Bool {
            let zero = b.zero_value(memory);
            Op::Compare(CmpOp::Ne, value, zero)
        } else if self.is_small(result) {
            Op::Cast(CastOp::Trunc, value)
        } else {
            Op::Cast(CastOp::Bitcast, value)
        };
        b.define(smallvec![result], op);
    }

    fn store(&self, b: &mut Builder, value: Value, p: Value, align: u32, volatile: bool) {
        let memory = self
            .types
            .get(value.index())
            .map_or(b.ty(value), |&ty| stored(ty));
        let value = if b.ty(value).scalar == crate::ir::Scalar::Bool {
            b.cast(CastOp::BoolToInt, value, memory)
        } else if self.is_small(value) {
            b.cast(CastOp::ZExt, value, memory)
        } else {
            value
        };
        self.cells(b, p, Access::plain(memory, align, volatile))
            .store(b, value);
    }

    /// Private memory has one reader and writer: plain operations do.
    fn private_atomic(
        &self,
        b: &mut Builder,
        results: &[Value],
        op: AtomicOp,
        p: Value,
        args: &[Value],
    ) {
        let ty = results
            .first()
            .or(args.first())
            .map_or(Type::I32, |&v| b.ty(v));
        let old = self
            .cells(b, p, Access::plain(ty, ty.size(), false))
            .load(b, ty);
        if let Some(&result) = results.first() {
            b.define(smallvec![result], Op::Cast(CastOp::Bitcast, old));
        }
        let new = match (op, op.binary()) {
            (_, Some(binary)) => b.binary(binary, old, args[0]),
            (AtomicOp::Load, _) => return,
            (AtomicOp::CmpXchg, _) => {
                let hit = b.compare(CmpOp::Eq, old, args[0]);
                b.select(hit, args[1], old)
            }
            _ => args[0],
        };
        self.cells(b, p, Access::plain(ty, ty.size(), false))
            .store(b, new);
    }
}

fn int_cell(bytes: u32) -> Type {
    Type::scalar(crate::ir::Scalar::int(bytes.max(1) * 8))
}
