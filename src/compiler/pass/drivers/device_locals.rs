//! Local memory lies in device memory.
//!
//! llvmpipe makes branches for each lane of an access to local memory, some 40 basic blocks a load, and a gather of a
//! load from an address. It then splits the kernel into a coroutine, which takes LLVM time with the square of the
//! blocks: a kernel with 500 such loads took 26 s, and takes one.
//!
//! Algorithm: each local object of a kernel gets a place in the memory that the work-group has in a buffer, at its
//! number in the dispatch. Objects of constant size come first; where those of local arguments lie follows from
//! their specialization constants. Accesses get addresses, and what orders local memory orders device memory, too.
//! The objects stay as what the kernel has, in the global space. Kernels that call functions with local objects keep
//! theirs, and so do those with no more than `max_local_accesses`.
//!
//! Needs: NoPointers. Keeps it.

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::{reachable, rewrite, walk};
use crate::ir::{
    Addr, BinOp, CastOp, FuncId, Function, Inst, KernelLayout, Len, Module, Object, ObjectId, Op,
    Space, Type, Value,
};
use crate::kernel::{ArgKind, GROUP_ALIGN, SPEC_GROUP_MEMORY, SysField};
use crate::pass::Ctx;
use crate::pass::lower::no_pointers::{add_bases, group_number};

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    let target = ctx.target;
    // Of checked kernels, the lengths of some objects are no argument's.
    if target.max_local_accesses == u32::MAX || target.storage_buffers > 0 || target.check {
        return;
    }
    let layout = |func: &Function| func.kernel.as_ref().and_then(|k| k.layout.clone());
    // Scratch has made kernels ready to be cut.
    let mut layouts = module.funcs.iter().filter_map(layout);
    let cut = layouts.any(|layout| layout.scratch_size > 0);
    let chosen = |&id: &FuncId| {
        let func = &module.funcs[id.index()];
        let calls = reachable(module, id);
        let mut callees = calls.iter().filter(|f| **f != id);
        layout(func).is_some()
            && callees.all(|f| !has_locals(&module.funcs[f.index()]))
            && has_locals(func)
            && accesses(func) > target.max_local_accesses
    };
    let all = (0..module.funcs.len() as u32).map(FuncId);
    let kernels: Vec<FuncId> = all.filter(chosen).collect();
    for &id in &kernels {
        let others = reachable(module, id).into_iter().filter(|f| *f != id);
        let others: Vec<FuncId> = others.collect();
        if !cut {
            add_bases(&mut module.funcs[id.index()], target);
            for f in others {
                add_bases(&mut module.funcs[f.index()], target);
            }
        }
        let func = &mut module.funcs[id.index()];
        let Some(layout) = layout(func) else { continue };
        let places = Places::of(&func.objects, &layout);
        if let Some(layout) = func.kernel.as_mut().and_then(|k| k.layout.as_mut()) {
            layout.group_memory = places.fixed;
        }
        move_objects(func, &places);
    }
}

fn is_local(object: &Object) -> bool {
    object.space == Space::Local
}

fn has_locals(func: &Function) -> bool {
    func.objects.iter().any(is_local)
}

/// Lanes that the function loads and stores in local memory.
fn accesses(func: &Function) -> u32 {
    let mut sum = 0;
    let mut add = |addr: Addr, value: Option<&Value>| {
        if let (Addr::Object(o, _), Some(&v)) = (addr, value)
            && is_local(&func.objects[o.index()])
        {
            sum += u32::from(func.ty(v).lanes);
        }
    };
    if let Some(body) = &func.body {
        walk(body, &mut |inst| match &inst.op {
            Op::Load { addr, .. } => add(*addr, inst.results.first()),
            Op::Store { addr, value, .. } => add(*addr, Some(value)),
            _ => {}
        });
    }
    sum
}

/// Where objects lie in a group's memory.
struct Places {
    /// Bytes at the start for objects of constant size: the offset of each object, or of that which it is, too.
    constant: Vec<Option<u32>>,
    end: u32,
    /// `KernelInfo::group_memory`.
    fixed: u32,
}

impl Places {
    fn of(objects: &[Object], layout: &KernelLayout) -> Places {
        let mut places = Places {
            constant: vec![None; objects.len()],
            end: 0,
            fixed: 0,
        };
        let mut rounded = 1;
        for (i, object) in objects.iter().enumerate().filter(|o| is_local(o.1)) {
            match (object.len, first_of(objects, i)) {
                (Len::Const(_), first) if first < i => places.constant[i] = places.constant[first],
                (Len::Const(n), _) => {
                    places.constant[i] = Some(places.end);
                    let size = n.saturating_mul(object.elem.size());
                    let end = places.end.saturating_add(size);
                    places.end = end.checked_next_multiple_of(GROUP_ALIGN).unwrap_or(end);
                }
                (Len::Spec(_), _) => rounded += 1,
            }
        }
        // Arguments in the frame are rounded, too.
        let local = |kind| matches!(kind, ArgKind::Local { .. } | ArgKind::LocalInFrame { .. });
        rounded += layout.args.iter().filter(|arg| local(arg.kind)).count() as u32;
        let frame = layout.local_frame.map_or(0, |frame| frame.size);
        places.fixed = places
            .end
            .saturating_add(frame)
            .saturating_add(rounded.saturating_mul(GROUP_ALIGN));
        places
    }
}

/// The first of the objects that are the same memory.
fn first_of(objects: &[Object], index: usize) -> usize {
    let object = &objects[index];
    let same = |o: &Object| is_local(o) && o.global.is_some() && o.global == object.global;
    let first = objects.iter().position(same);
    first.map_or(index, |first| first.min(index))
}

fn move_objects(func: &mut Function, places: &Places) {
    let Some(body) = func.body.take() else { return };
    let objects = func.objects.clone();
    let mut b = Builder::new(func);
    let group = group_number(&mut b);
    let size = b.insert1(Op::Spec(SPEC_GROUP_MEMORY), Type::I32);
    let [group, size] = [group, size].map(|v| b.cast(CastOp::ZExt, v, Type::I64));
    let before = b.binary(BinOp::Mul, group, size);
    let memory = b.insert1(Op::Sys(SysField::GroupMemory), Type::I64);
    let start = b.binary(BinOp::Add, memory, before);
    // i32: bytes behind the start.
    let mut end = b.const_int(Type::I32, places.end.into());
    let mut offsets: Vec<Option<Value>> = vec![None; objects.len()];
    for (i, object) in objects.iter().enumerate().filter(|o| is_local(o.1)) {
        let first = first_of(&objects, i);
        offsets[i] = match (object.len, places.constant[i]) {
            _ if first < i => offsets[first],
            (Len::Spec(id), _) => {
                let at = end;
                let n = b.insert1(Op::Spec(id), Type::I32);
                let elem = b.const_int(Type::I32, object.elem.size().into());
                let bytes = b.binary(BinOp::Mul, n, elem);
                let last = b.const_int(Type::I32, i64::from(GROUP_ALIGN) - 1);
                let mask = b.const_int(Type::I32, -i64::from(GROUP_ALIGN));
                let behind = b.binary(BinOp::Add, at, bytes);
                let behind = b.binary(BinOp::Add, behind, last);
                end = b.binary(BinOp::And, behind, mask);
                Some(at)
            }
            (_, offset) => offset.map(|offset| b.const_int(Type::I32, offset.into())),
        };
    }
    body.insts.into_iter().for_each(|inst| b.push(inst));
    b.finish();
    rewrite(func, |b, mut inst| {
        let place = |b: &mut Builder, o: ObjectId, index: Value, ty: Type| {
            let elem = objects[o.index()].elem;
            let offset = offsets[o.index()]?;
            // A lane of an element with several is counted by lanes.
            let step = match ty.lanes == elem.lanes {
                true => elem.size(),
                false => elem.scalar.size(),
            };
            let step = b.const_int(Type::I32, step.into());
            let bytes = b.binary(BinOp::Mul, index, step);
            let bytes = b.binary(BinOp::Add, offset, bytes);
            let bytes = b.cast(CastOp::ZExt, bytes, Type::I64);
            Some(Addr::Device(b.binary(BinOp::Add, start, bytes)))
        };
        let ty = accessed(b, &inst);
        match &mut inst.op {
            Op::Load { addr, .. } | Op::Store { addr, .. } | Op::Atomic { addr, .. } => {
                if let (Addr::Object(o, index), Some(ty)) = (*addr, ty)
                    && let Some(device) = place(b, o, index, ty)
                {
                    *addr = device;
                }
            }
            Op::Barrier { flags, .. } | Op::Fence { flags, .. } => flags.global |= flags.local,
            _ => {}
        }
        b.push(inst);
        Vec::new()
    });
    for object in func.objects.iter_mut().filter(|o| is_local(o)) {
        object.space = Space::Global;
    }
}

/// The type that an instruction loads, stores or changes in memory.
fn accessed(b: &Builder, inst: &Inst) -> Option<Type> {
    let value = match &inst.op {
        Op::Store { value, .. } => Some(value),
        Op::Atomic { args, .. } => inst.results.first().or(args.first()),
        _ => inst.results.first(),
    };
    value.map(|&v| b.ty(v))
}
