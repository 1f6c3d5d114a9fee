//! What the finished IR says of each kernel: completes [`KernelInfo`].
//!
//! Fields that the runtime fills in get their places behind the arguments; arguments that
//! are never read become `Unused`; pointers learn whether the kernel reads or writes through
//! them, by following each argument's address through integer operations to the accesses.

use std::collections::BTreeSet;

use crate::compiler::ir::util::{reachable, walk};
use crate::compiler::ir::{
    Addr, AtomicOp, CastOp, FuncId, Function, Input, Len, Module, Op, Region, Scalar, Scope, Space,
    Value,
};
use crate::compiler::kernel::{
    ArgKind, BlockMode, KernelInfo, SPEC_LOCAL_FRAME, SysField, SysSlot,
};
use crate::compiler::quick::QuickMap;
use crate::compiler::target::Target;

/// Completes the info of every kernel. The module has been through all passes.
pub fn reflect(module: &mut Module, target: &Target) {
    for index in 0..module.funcs.len() {
        let id = FuncId(index as u32);
        let Some(mut info) = module.funcs[index]
            .kernel
            .as_mut()
            .and_then(|k| k.info.take())
        else {
            continue;
        };
        complete(&mut info, module, id, target);
        if let Some(kernel) = &mut module.funcs[index].kernel {
            kernel.info = Some(info);
        }
    }
}

fn complete(info: &mut KernelInfo, module: &Module, kernel: FuncId, target: &Target) {
    let mut sys = BTreeSet::new();
    let mut used_args = BTreeSet::new();
    let mut locals = BTreeSet::new();
    let mut use_of = QuickMap::default();
    for f in reachable(module, kernel) {
        let func = &module.funcs[f.index()];
        let Some(body) = &func.body else { continue };
        walk(body, &mut |inst| match inst.op {
            Op::Sys(field) => {
                sys.insert(field);
            }
            Op::Arg { offset } => {
                used_args.insert(offset);
            }
            Op::Barrier { scope, .. } => {
                info.uses_barrier = true;
                info.uses_sub_groups |= scope == Scope::SubGroup;
            }
            Op::SubGroup(..)
            | Op::SubGroupReduce { .. }
            | Op::Input(
                Input::SubGroupSize
                | Input::SubGroupLocalId
                | Input::SubGroupId
                | Input::NumSubGroups,
            ) => info.uses_sub_groups = true,
            _ => {}
        });
        for object in &func.objects {
            match (object.space, object.len) {
                (Space::Private, Len::Const(n)) => info.private_size += n * object.elem.size(),
                (Space::Local, Len::Const(n)) => {
                    let first = locals.insert(object.global);
                    info.local_size += if first { n * object.elem.size() } else { 0 };
                }
                (Space::Local, Len::Spec(SPEC_LOCAL_FRAME)) => {
                    let first = locals.insert(object.global);
                    let size = info.local_frame.map_or(0, |frame| frame.size);
                    info.local_size += if first { size } else { 0 };
                }
                (Space::Local, Len::Spec(id)) => {
                    use_of.insert(id, object.elem.size());
                }
                _ => {}
            }
        }
    }
    let pointers = info.args.iter().filter_map(|arg| match arg.kind {
        ArgKind::Pointer { offset, .. } => Some(offset),
        _ => None,
    });
    let pointers = pointers.collect();
    let accesses = Accesses::of(&module.funcs[kernel.index()], &pointers);
    let mut callees = reachable(module, kernel)
        .into_iter()
        .filter(|&f| f != kernel);
    info.indirect = accesses.indirect
        || callees.any(|f| Accesses::of(&module.funcs[f.index()], &pointers).indirect);
    info.writes_module_data = accesses.writes.contains(&MODULE_DATA);
    for arg in &mut info.args {
        arg.kind = match arg.kind {
            ArgKind::Pointer { offset, .. } if used_args.contains(&offset) => {
                let (reads, writes) = accesses.of_arg(offset);
                ArgKind::Pointer {
                    offset,
                    reads,
                    writes,
                }
            }
            ArgKind::Pointer { .. } => ArgKind::Unused { size: 8 },
            ArgKind::Value { offset, size } => {
                let inside = used_args
                    .range(offset..offset + size.max(1))
                    .next()
                    .is_some();
                if inside {
                    arg.kind
                } else {
                    ArgKind::Unused { size }
                }
            }
            ArgKind::Local { spec_id, .. } => match use_of.get(&spec_id) {
                Some(&elem_size) => ArgKind::Local { spec_id, elem_size },
                None => ArgKind::Unused { size: 0 },
            },
            unused => unused,
        };
    }
    place_sys(info, &sys, target);
}

fn place_sys(info: &mut KernelInfo, used: &BTreeSet<SysField>, target: &Target) {
    for &field in used {
        let offset = info.block_size.next_multiple_of(field.size());
        info.sys.push(SysSlot { field, offset });
        info.block_size = offset + field.size();
    }
    let fits = info.block_size <= target.max_push_constants;
    info.block_mode = if fits {
        BlockMode::Push
    } else {
        BlockMode::Indirect
    };
}

/// Which arguments' addresses reach which accesses. Arguments are known by their offset.
#[derive(Default)]
struct Accesses {
    reads: BTreeSet<u32>,
    writes: BTreeSet<u32>,
    /// Some address has none of the known origins, or may have another.
    indirect: bool,
}

type Origins = QuickMap<Value, BTreeSet<u32>>;

/// Stands for the module data buffer where arguments stand by their offsets.
const MODULE_DATA: u32 = u32::MAX;
/// What is accounted for elsewhere: the printf buffer, and what a caller passes.
const ELSEWHERE: u32 = u32::MAX - 1;
/// An address, if it is one, from memory or an integer argument.
const UNKNOWN: u32 = u32::MAX - 2;

/// Results and, of a loop, parameters of a construct that is being walked, and whether Break leaves it.
type Around = (Vec<Value>, Option<Vec<Value>>, bool);

impl Accesses {
    /// `pointers`: the offsets of pointer arguments.
    fn of(func: &Function, pointers: &BTreeSet<u32>) -> Accesses {
        let mut all = Accesses::default();
        let Some(body) = &func.body else { return all };
        let mut origins = Origins::default();
        for &param in &func.params {
            origins.insert(param, [ELSEWHERE].into());
        }
        let mut size = usize::MAX;
        // Loops carry addresses round: repeat until nothing is added.
        while size != total(&origins) {
            size = total(&origins);
            flow(body, func, pointers, &mut origins, &mut Vec::new());
        }
        walk(body, &mut |inst| all.note(&inst.op, &origins));
        all
    }

    fn note(&mut self, op: &Op, origins: &Origins) {
        let from = |v: &Value| origins.get(v).cloned().unwrap_or_default();
        if let Op::Load { addr, .. } | Op::Store { addr, .. } | Op::Atomic { addr, .. } = op
            && let Addr::Device(a) = addr
        {
            let known = origins.get(a).is_some_and(|set| !set.contains(&UNKNOWN));
            self.indirect |= !known;
        }
        match op {
            Op::Load {
                addr: Addr::Device(a),
                ..
            } => self.reads.extend(from(a)),
            Op::Store { addr, value, .. } => {
                if let Addr::Device(a) = addr {
                    self.writes.extend(from(a));
                }
                self.both(from(value));
            }
            Op::Atomic { op, addr, args, .. } => {
                if let Addr::Device(a) = addr {
                    if *op == AtomicOp::Load {
                        self.reads.extend(from(a))
                    } else {
                        self.both(from(a))
                    }
                }
                args.iter().for_each(|v| self.both(from(v)));
            }
            // What a callee does with an address is not followed.
            Op::Call(_, args) => args.iter().for_each(|v| self.both(from(v))),
            _ => {}
        }
    }

    fn both(&mut self, origins: BTreeSet<u32>) {
        self.reads.extend(&origins);
        self.writes.extend(&origins);
    }

    fn of_arg(&self, offset: u32) -> (bool, bool) {
        (self.reads.contains(&offset), self.writes.contains(&offset))
    }
}

fn total(origins: &Origins) -> usize {
    origins.values().map(|s| s.len() + 1).sum()
}

/// One round of propagation. `around`: results and parameters of the enclosing constructs.
fn flow(
    region: &Region,
    func: &Function,
    pointers: &BTreeSet<u32>,
    origins: &mut Origins,
    around: &mut Vec<Around>,
) {
    let join = |origins: &mut Origins, to: Value, from: &[Value]| {
        // Only what can carry an address.
        let scalar = func.ty(to).scalar;
        if !scalar.is_int() || scalar.bits() < 32 {
            return;
        }
        let mut all: BTreeSet<u32> = BTreeSet::new();
        for v in from {
            if let Some(s) = origins.get(v) {
                all.extend(s);
            }
        }
        if !all.is_empty() {
            origins.entry(to).or_default().extend(all);
        }
    };
    let pairwise = |origins: &mut Origins, to: &[Value], from: &[Value]| {
        for (&to, &from) in to.iter().zip(from) {
            join(origins, to, &[from]);
        }
    };
    for inst in &region.insts {
        let source = |origins: &mut Origins, origin: u32| {
            for &v in &inst.results {
                if func.ty(v).scalar == Scalar::I64 {
                    origins.entry(v).or_default().insert(origin);
                }
            }
        };
        match &inst.op {
            Op::Sys(SysField::ModuleData) => source(origins, MODULE_DATA),
            Op::Sys(SysField::PrintfBuffer) => source(origins, ELSEWHERE),
            Op::Arg { offset } if pointers.contains(offset) => source(origins, *offset),
            Op::Arg { .. } => source(origins, UNKNOWN),
            Op::If(..) | Op::Switch { .. } | Op::Loop { .. } => {
                let mut params = None;
                if let Op::Loop { init, body, .. } = &inst.op {
                    pairwise(origins, &body.params, init);
                    params = Some(body.params.clone());
                }
                let breakable = !matches!(inst.op, Op::If(..));
                around.push((inst.results.to_vec(), params, breakable));
                for nested in inst.op.regions() {
                    flow(nested, func, pointers, origins, around);
                }
                around.pop();
            }
            Op::Yield(values) => {
                if let Some((results, ..)) = around.last() {
                    pairwise(origins, &results.clone(), values);
                }
            }
            Op::Break(values) => {
                if let Some((results, ..)) = around.iter().rev().find(|a| a.2) {
                    pairwise(origins, &results.clone(), values);
                }
            }
            Op::Continue(values) => {
                if let Some(params) = around.iter().rev().find_map(|a| a.1.clone()) {
                    pairwise(origins, &params, values);
                }
            }
            // A stored address counts as fully used: what a loaded one is does not matter.
            Op::Load { .. } | Op::Atomic { .. } => source(origins, UNKNOWN),
            // Two words that were loaded.
            Op::Cast(CastOp::Bitcast, v) if func.ty(*v).lanes > 1 => {
                join(origins, inst.results[0], &[*v]);
                if !origins.contains_key(&inst.results[0]) {
                    source(origins, UNKNOWN);
                }
            }
            // An index is no address beside one.
            Op::Binary(_, a, b) => {
                let known = |v: &&Value| {
                    let set = origins.get(*v);
                    set.is_some_and(|set| set.iter().any(|&o| o != UNKNOWN))
                };
                let from: Vec<Value> = [a, b].into_iter().filter(known).copied().collect();
                match from.is_empty() {
                    true => join(origins, inst.results[0], &[*a, *b]),
                    false => join(origins, inst.results[0], &from),
                }
            }
            op => {
                if matches!(op, Op::Call(..)) {
                    source(origins, UNKNOWN);
                }
                let mut operands = Vec::new();
                op.for_each_operand(|v| operands.push(v));
                for &result in &inst.results {
                    join(origins, result, &operands);
                }
            }
        }
    }
}
