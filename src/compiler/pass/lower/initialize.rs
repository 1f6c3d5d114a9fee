//! Private and local memory that is zero when a kernel starts (cl_khr_initialize_memory; local memory also by an option of
//! OpenCL C++). Nothing where the target and the options do not ask for it.
//!
//! Algorithm: a store of zeros stands behind each private object; where the object is accessed as a whole, it is one of that
//! type, so that the object still becomes a value. The work-items of a group clear the local objects of their kernel
//! together, in front of all but the addresses of local arguments, and meet at a barrier.
//!
//! Objects of library functions are left out: those write what they read.
//!
//! Needs: Lowered, inlined, kernels without parameters; `is_library` names. Keeps it.

use rustc_hash::FxHashMap;

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::{reachable, rewrite, walk};
use crate::ir::{
    Addr, BinOp, CastOp, CmpOp, FenceFlags, FuncId, Function, Global, GlobalId, Module, Op, Scope,
    Space, Type, Unroll, Value, WorkItem,
};
use crate::kernel::SPEC_LOCAL_BYTES;
use crate::pass::Ctx;
use crate::pass::check::report::{LIBRARY, is_library};
use crate::pass::ssa::pun::stored_bytes;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if ctx.target.initialize_private {
        for func in module.funcs.iter_mut().filter(|f| !is_library(&f.name)) {
            private(func);
        }
    }
    if ctx.target.initialize_local || ctx.options.zero_local {
        for index in 0..module.funcs.len() {
            if module.funcs[index].kernel.is_some() {
                local(module, FuncId(index as u32));
            }
        }
    }
}

/// Zeros behind each private object.
fn private(func: &mut Function) {
    let Some(body) = &func.body else { return };
    // By object: the type of the first access to its beginning.
    let mut types: FxHashMap<Value, Option<Type>> = FxHashMap::default();
    walk(body, &mut |inst| {
        let access = match &inst.op {
            Op::Alloca { .. } => {
                types.insert(inst.results[0], None);
                return;
            }
            Op::Load {
                addr: Addr::Ptr(p), ..
            } => (*p, inst.results[0]),
            Op::Store {
                addr: Addr::Ptr(p),
                value,
                ..
            } => (*p, *value),
            _ => return,
        };
        if let Some(ty) = types.get_mut(&access.0) {
            ty.get_or_insert(func.ty(access.1));
        }
    });
    rewrite(func, |b, inst| {
        let found = match inst.op {
            Op::Alloca { size, align } => Some((inst.results[0], size, align)),
            _ => None,
        };
        b.push(inst);
        if let Some((object, size, align)) = found {
            b.loc = LIBRARY;
            let ty = types.get(&object).copied().flatten();
            match ty.filter(|&ty| stored_bytes(ty) == size) {
                Some(ty) => {
                    let zero = b.zero_value(ty);
                    b.store(object, zero, align);
                }
                None => b.zero(object, size, align),
            }
        }
        Vec::new()
    });
}

/// Clears the local objects that a kernel reaches.
fn local(module: &mut Module, kernel: FuncId) {
    let mut used = std::collections::BTreeSet::new();
    for id in reachable(module, kernel) {
        let Some(body) = &module.funcs[id.index()].body else {
            continue;
        };
        walk(body, &mut |inst| {
            if let Op::GlobalAddr(id) = inst.op {
                used.insert(id);
            }
        });
    }
    let globals = &module.globals;
    let is_cleared = |id: &GlobalId| {
        let global = globals.get(id.index());
        global.is_some_and(|g| g.space == Space::Local && g.size > 0 && !is_library(&g.name))
    };
    used.retain(is_cleared);
    let func = &mut module.funcs[kernel.index()];
    let Some(body) = func.body.take() else { return };
    // The addresses of local arguments, which later passes know by these instructions.
    let mut arguments = FxHashMap::default();
    let mut behind = 0;
    for (index, inst) in body.insts.iter().enumerate() {
        if let Op::GlobalAddr(id) = inst.op
            && globals[id.index()].spec_len.is_some()
        {
            arguments.insert(id, inst.results[0]);
            behind = index + 1;
        }
    }
    let mut b = Builder::new(func);
    let mut insts = body.insts.into_iter();
    insts.by_ref().take(behind).for_each(|inst| b.push(inst));
    b.loc = LIBRARY;
    if !used.is_empty() {
        let group = Group::new(&mut b);
        for id in used {
            let start = match arguments.get(&id) {
                Some(&start) => start,
                None => b.global_addr(id, Space::Local),
            };
            let (ty, count) = elements(&mut b, &globals[id.index()]);
            group.clear(&mut b, start, ty, count);
        }
        let flags = FenceFlags {
            local: true,
            global: false,
        };
        b.barrier(flags, Scope::WorkGroup);
    }
    insts.for_each(|inst| b.push(inst));
    b.finish();
}

/// The widest type that a local object is an array of, and its length, i32.
fn elements(b: &mut Builder, global: &Global) -> (Type, Value) {
    let even = |n: u32| global.size.is_multiple_of(n) && global.align >= n;
    let types = [(4, Type::I32), (2, Type::I16)];
    let found = types.into_iter().find(|&(n, _)| even(n));
    let (size, ty) = found.unwrap_or((1, Type::I8));
    let count = match global.spec_len {
        Some(id) => {
            let bytes = b.insert1(Op::Spec(SPEC_LOCAL_BYTES + id), Type::I32);
            let by = b.const_int(Type::I32, size.trailing_zeros().into());
            b.binary(BinOp::LShr, bytes, by)
        }
        None => b.const_int(Type::I32, (global.size / size).into()),
    };
    (ty, count)
}

/// A work-item in its group.
pub struct Group {
    /// i32: its number.
    pub item: Value,
    /// i32: how many there are.
    pub count: Value,
}

impl Group {
    pub fn new(b: &mut Builder) -> Group {
        let item = b.work_item(WorkItem::LocalLinearId, None);
        let item = b.cast(CastOp::Trunc, item, Type::I32);
        let mut count = b.const_int(Type::I32, 1);
        for d in 0..3 {
            let dim = b.const_int(Type::I32, d);
            let size = b.work_item(WorkItem::LocalSize, Some(dim));
            let size = b.cast(CastOp::Trunc, size, Type::I32);
            count = b.binary(BinOp::Mul, count, size);
        }
        Group { item, count }
    }

    /// The work-items clear so many (i32) integers of a type together.
    pub fn clear(&self, b: &mut Builder, start: Value, ty: Type, elements: Value) {
        let at = b.func.new_value(Type::I32);
        let body = b.region(vec![at], |b| {
            let end = b.compare(CmpOp::Uge, at, elements);
            b.if_then(end, |b| b.break_(Vec::new()));
            let wide = b.cast(CastOp::ZExt, at, Type::I64);
            let by = b.const_int(Type::I64, ty.size().trailing_zeros().into());
            let offset = b.binary(BinOp::Shl, wide, by);
            let place = b.ptradd(start, offset);
            let zero = b.zero_value(ty);
            b.store(place, zero, ty.size());
            let next = b.binary(BinOp::Add, at, self.count);
            b.continue_(vec![next]);
        });
        b.insert0(Op::Loop {
            init: vec![self.item],
            body,
            unroll: Unroll::Never,
        });
    }
}
