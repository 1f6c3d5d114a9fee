//! What the finished IR says of a kernel: [`KernelInfo`].
//!
//! Fields that the runtime fills in get their places behind the arguments; arguments that
//! are never read become `Unused`; pointers learn whether the kernel reads or writes through
//! them, by following each argument's address through integer operations to the accesses.

use std::collections::{BTreeMap, BTreeSet, HashSet};
use std::sync::Arc;

use crate::check::reports;
use crate::ir::defs::Defs;
use crate::ir::flow::{self, Analysis, Facts};
use crate::ir::util::{reachable, walk};
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, FuncId, Function, Input, Inst, KernelLayout, Len, Module,
    Object, Op, Scalar, Scope, Space, Value,
};
use crate::kernel::{
    ArgInfo, ArgKind, BlockMode, KernelAttributes, KernelInfo, SPEC_LOCAL_FRAME, SPEC_LOCAL_VIEWS,
    SysField, SysSlot,
};
use crate::target::Target;
use rustc_hash::FxHashMap;

/// A kernel's argument block: the arguments, and behind them the fields that the runtime fills in.
pub struct Block {
    /// Bytes.
    pub size: u32,
    pub mode: BlockMode,
    pub sys: Vec<SysSlot>,
}

impl Block {
    pub fn of(module: &Module, kernel: FuncId, layout: &KernelLayout, target: &Target) -> Block {
        let (mut used, mut doubles) = (BTreeSet::new(), false);
        for_each_inst(module, kernel, |func, inst| {
            if let Op::Sys(field) = inst.op {
                used.insert(field);
            }
            doubles |= inst
                .results
                .iter()
                .any(|&v| func.ty(v).scalar == Scalar::F64);
        });
        // Drivers compare doubles for many operations, and see what was pushed through any copy.
        let in_memory = doubles && target.mistakes_pushed_doubles;
        let mut size = layout.block_size;
        let place = |field: SysField| {
            let offset = size.next_multiple_of(field.size());
            size = offset + field.size();
            SysSlot { field, offset }
        };
        let sys = used.into_iter().map(place).collect();
        let mode = match size <= target.max_push_constants && !in_memory {
            true => BlockMode::Push,
            false => BlockMode::Indirect,
        };
        Block { size, mode, sys }
    }
}

/// Bytes of a kernel's objects.
#[derive(Default)]
pub struct ObjectSizes {
    /// For a work-item, scratch included.
    pub private: u32,
    /// For a work-group, without local arguments.
    pub local: u32,
}

impl ObjectSizes {
    pub fn of(module: &Module, kernel: FuncId, layout: &KernelLayout) -> ObjectSizes {
        let mut sizes = ObjectSizes::default();
        let mut shared = BTreeSet::new();
        let functions = reachable(module, kernel);
        let objects = functions
            .iter()
            .flat_map(|f| &module.funcs[f.index()].objects);
        for object in objects {
            let (sum, size) = match (object.space, object.len) {
                (Space::Private, Len::Const(n)) => (&mut sizes.private, bytes(n, object)),
                (Space::Local | Space::Global, Len::Const(n)) => {
                    (&mut sizes.local, bytes(n, object))
                }
                (Space::Local | Space::Global, Len::Spec(id)) if is_frame(id) => {
                    let frame = layout.local_frame.map_or(0, |frame| frame.size);
                    (&mut sizes.local, frame)
                }
                _ => continue,
            };
            let own = object.space == Space::Private && object.global.is_none();
            if own || shared.insert(object.global) {
                *sum = sum.saturating_add(size);
            }
        }
        sizes.private = sizes.private.saturating_add(layout.scratch_size);
        sizes
    }
}

/// Describes an emitted kernel. The module has been through all passes.
pub fn reflect(
    module: &Module,
    kernel: FuncId,
    attributes: &KernelAttributes,
    layout: &KernelLayout,
    block: Block,
    target: &Target,
    spirv: Arc<[u32]>,
) -> KernelInfo {
    let func = &module.funcs[kernel.index()];
    // What is read, to its end.
    let mut used_args = BTreeMap::new();
    let (mut uses_barrier, mut uses_sub_groups) = (false, false);
    for_each_inst(module, kernel, |func, inst| match inst.op {
        Op::Arg { offset } => {
            let size = inst.results.first().map_or(0, |&v| func.ty(v).size());
            let end = used_args.entry(offset).or_insert(offset);
            *end = (*end).max(offset.saturating_add(size));
        }
        Op::Barrier { scope, .. } => {
            uses_barrier = true;
            uses_sub_groups |= scope == Scope::SubGroup;
        }
        Op::SubGroup(..)
        | Op::SubGroupReduce { .. }
        | Op::Input(
            Input::SubGroupSize | Input::SubGroupLocalId | Input::SubGroupId | Input::NumSubGroups,
        ) => uses_sub_groups = true,
        _ => {}
    });
    let pointers = layout.args.iter().filter_map(|arg| match arg.kind {
        ArgKind::Pointer { offset, .. } => Some(offset),
        _ => None,
    });
    let pointers = pointers.collect();
    let accesses = Accesses::of(module, func, &pointers, target);
    let mut indirect = accesses.indirect;
    let mut writes_module_data = accesses.writes(MODULE_DATA);
    let mut lengths = FxHashMap::default();
    for id in reachable(module, kernel) {
        let callee = &module.funcs[id.index()];
        if id != kernel {
            let inside = Accesses::of(module, callee, &pointers, target);
            indirect |= inside.indirect;
            writes_module_data |= inside.writes(MODULE_DATA);
        }
        for object in &callee.objects {
            if let (Space::Local | Space::Global, Len::Spec(id)) = (object.space, object.len) {
                lengths.insert(id, object.elem.size());
            }
        }
    }
    let any_used = |offset, size: u32| {
        let mut before_end = used_args.range(..offset + size.max(1));
        before_end.any(|(_, &end)| end > offset)
    };
    let used = |kind| match kind {
        ArgKind::Pointer { offset, .. } if any_used(offset, 8) => ArgKind::Pointer {
            offset,
            reads: accesses.reads(offset),
            writes: accesses.writes(offset),
        },
        ArgKind::Pointer { .. } => ArgKind::Unused { size: 8 },
        ArgKind::Value { offset, size } if !any_used(offset, size) => ArgKind::Unused { size },
        ArgKind::Local { spec_id, .. } => match lengths.get(&spec_id) {
            Some(&elem_size) => ArgKind::Local { spec_id, elem_size },
            None => ArgKind::Unused { size: 0 },
        },
        other => other,
    };
    let args = layout.args.iter().map(|arg| ArgInfo {
        param: arg.param.clone(),
        kind: used(arg.kind),
    });
    let sizes = ObjectSizes::of(module, kernel, layout);
    KernelInfo {
        name: func.name.clone(),
        spirv,
        args: args.collect(),
        sys: block.sys,
        block_size: block.size,
        block_mode: block.mode,
        local_size: sizes.local,
        local_frame: layout.local_frame,
        private_size: sizes.private,
        scratch_size: layout.scratch_size,
        group_memory: layout.group_memory,
        attributes: attributes.clone(),
        uses_barrier,
        uses_sub_groups,
        alone: layout.alone,
        guarded: layout.guarded,
        writes_module_data,
        indirect,
    }
}

/// Calls `f` with each instruction of a kernel and of the functions that it calls.
fn for_each_inst(module: &Module, kernel: FuncId, mut f: impl FnMut(&Function, &Inst)) {
    for id in reachable(module, kernel) {
        let func = &module.funcs[id.index()];
        if let Some(body) = &func.body {
            walk(body, &mut |inst| f(func, inst));
        }
    }
}

/// The size of `count` elements. Saturates, since no device has that much memory.
fn bytes(count: u32, object: &Object) -> u32 {
    count.saturating_mul(object.elem.size())
}

/// Whether a local object whose length is this specialization constant is the local frame.
fn is_frame(spec_id: u32) -> bool {
    spec_id == SPEC_LOCAL_FRAME || SPEC_LOCAL_VIEWS.contains(&spec_id)
}

/// Which arguments' addresses reach which accesses. An argument is named by its offset in the block.
struct Accesses {
    sets: Sets,
    reads: Origins,
    writes: Origins,
    /// Some accessed address does not come from a known origin alone.
    indirect: bool,
}

/// Names the module data buffer, where arguments are named by their offsets.
const MODULE_DATA: u32 = u32::MAX;
/// What is accounted for elsewhere: the printf buffer, the word of fences, local memory, and what a caller passes.
const ELSEWHERE: u32 = u32::MAX - 1;
/// Names what may be an address and was loaded or passed as an integer.
const UNKNOWN: u32 = u32::MAX - 2;

/// No address is below this, so a smaller constant is not one.
const SMALL: u64 = 4096;

impl Accesses {
    /// `pointers`: the offsets of pointer arguments.
    fn of(module: &Module, func: &Function, pointers: &BTreeSet<u32>, target: &Target) -> Accesses {
        let mut all = Accesses {
            sets: Sets::new(),
            reads: Origins::default(),
            writes: Origins::default(),
            indirect: false,
        };
        let Some(body) = &func.body else { return all };
        let mut sets = Sets::new();
        let [unknown, elsewhere] = [UNKNOWN, ELSEWHERE].map(|origin| sets.place([origin].into()));
        let mut derived = Derived {
            func,
            pointers,
            sets,
            unknown,
            address: match target.int64 {
                true => Scalar::I64,
                false => Scalar::I32,
            },
            defs: Defs::of(func, body),
        };
        let origins = flow::solve(&mut derived, func, body, &elsewhere);
        all.sets = derived.sets;
        walk(body, &mut |inst| match &inst.op {
            // It says where an address is, and does not access it.
            Op::Call { callee, .. } if reports(&module.funcs[callee.index()].name) => {}
            op => all.note(op, &origins),
        });
        all
    }

    fn note(&mut self, op: &Op, origins: &[Set]) {
        let from = |v: &Value| origins[v.index()];
        match op {
            Op::Load { addr, .. } => self.device(addr, origins, true, false),
            Op::Store { addr, value, .. } => {
                self.device(addr, origins, false, true);
                self.access(from(value), true, true);
            }
            Op::Atomic { op, addr, args, .. } => {
                self.device(addr, origins, true, *op != AtomicOp::Load);
                args.iter().for_each(|v| self.access(from(v), true, true));
            }
            // Accesses of a callee are not analysed: it is assumed to read and write through every pointer.
            Op::Call { args, .. } => args.iter().for_each(|v| self.access(from(v), true, true)),
            _ => {}
        }
    }

    fn device(&mut self, addr: &Addr, origins: &[Set], reads: bool, writes: bool) {
        if let Addr::Device(a) = addr {
            let set = origins[a.index()];
            self.indirect |= set == Set::EMPTY || self.sets.contains(set, UNKNOWN);
            self.access(set, reads, writes);
        }
    }

    fn access(&mut self, origins: Set, reads: bool, writes: bool) {
        let accessed = [(reads, &mut self.reads), (writes, &mut self.writes)];
        for (_, all) in accessed.into_iter().filter(|(does, _)| *does) {
            if all.sets.insert(origins) {
                all.origins.extend(&self.sets.all[origins.0 as usize]);
            }
        }
    }

    fn reads(&self, origin: u32) -> bool {
        self.reads.origins.contains(&origin)
    }

    fn writes(&self, origin: u32) -> bool {
        self.writes.origins.contains(&origin)
    }
}

/// A cache for unions of sets, since the same unions recur.
#[derive(Default)]
struct Origins {
    sets: HashSet<Set>,
    origins: BTreeSet<u32>,
}

/// A set of origins, as an index into [`Sets`].
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
struct Set(u32);

impl Set {
    const EMPTY: Set = Set(0);
}

/// All sets, each stored once: a function has many values and few distinct sets.
struct Sets {
    all: Vec<BTreeSet<u32>>,
    places: BTreeMap<BTreeSet<u32>, Set>,
    unions: FxHashMap<(Set, Set), Set>,
}

impl Sets {
    fn new() -> Sets {
        let mut sets = Sets {
            all: Vec::new(),
            places: BTreeMap::new(),
            unions: FxHashMap::default(),
        };
        sets.place(BTreeSet::new());
        sets
    }

    fn place(&mut self, set: BTreeSet<u32>) -> Set {
        if let Some(&place) = self.places.get(&set) {
            return place;
        }
        let place = Set(self.all.len() as u32);
        self.all.push(set.clone());
        self.places.insert(set, place);
        place
    }

    fn union(&mut self, a: Set, b: Set) -> Set {
        if a == b || b == Set::EMPTY {
            return a;
        }
        if a == Set::EMPTY {
            return b;
        }
        if let Some(&known) = self.unions.get(&(a, b)) {
            return known;
        }
        let union = &self.all[a.0 as usize] | &self.all[b.0 as usize];
        let place = self.place(union);
        self.unions.insert((a, b), place);
        place
    }

    fn contains(&self, set: Set, origin: u32) -> bool {
        self.all[set.0 as usize].contains(&origin)
    }
}

/// Which arguments an address is computed from.
struct Derived<'a> {
    func: &'a Function,
    pointers: &'a BTreeSet<u32>,
    sets: Sets,
    /// The set that has only [`UNKNOWN`].
    unknown: Set,
    /// What an address consists of.
    address: Scalar,
    defs: Defs<&'a Inst>,
}

impl Analysis for Derived<'_> {
    type Fact = Set;

    /// Only integers of 32 bits or more can carry an address.
    fn concerns(&self, v: Value) -> bool {
        let scalar = self.func.ty(v).scalar;
        scalar.is_int() && scalar.bits() >= 32
    }

    fn join(&mut self, _: Value, set: &mut Set, more: &Set) -> bool {
        let old = *set;
        *set = self.sets.union(old, *more);
        *set != old
    }

    fn transfer(&mut self, inst: &Inst, facts: &mut Facts<Set>) {
        let from = match &inst.op {
            Op::Sys(SysField::ModuleData) => return self.source(inst, MODULE_DATA, facts),
            Op::Sys(
                SysField::PrintfBuffer
                | SysField::FenceWord
                | SysField::DeviceQueue
                | SysField::GroupMemory,
            ) => {
                return self.source(inst, ELSEWHERE, facts);
            }
            // Of a pair, either word.
            Op::Arg { offset } if self.pointers.contains(&(offset & !7)) => {
                return self.source(inst, offset & !7, facts);
            }
            // An address that is stored counts as read and written, so loaded addresses need not be followed.
            Op::Arg { .. } | Op::Load { .. } | Op::Atomic { .. } => {
                return self.source(inst, UNKNOWN, facts);
            }
            // Masking with a small constant gives an offset within a word, which is not an address.
            Op::Binary(BinOp::And, a, b) if self.is_small(*a) || self.is_small(*b) => return,
            // If only one operand comes from known origins, it is the address and the other one an index.
            Op::Binary(_, a, b) => {
                let (a, b) = (*facts.get(*a), *facts.get(*b));
                let known = |set: Set| set != Set::EMPTY && set != self.unknown;
                match (known(a), known(b)) {
                    (true, false) => a,
                    (false, true) => b,
                    _ => self.sets.union(a, b),
                }
            }
            op => {
                if matches!(op, Op::Call { .. }) {
                    self.source(inst, UNKNOWN, facts);
                }
                let mut from = Set::EMPTY;
                op.for_each_operand(|v| from = self.sets.union(from, *facts.get(v)));
                from
            }
        };
        for &v in &inst.results {
            if self.concerns(v) {
                facts.add(self, v, &from);
            }
        }
        // Two words that were loaded may form an address.
        if let Op::Cast(CastOp::Bitcast, v) = inst.op
            && self.func.ty(v).lanes > 1
            && *facts.get(inst.results[0]) == Set::EMPTY
        {
            self.source(inst, UNKNOWN, facts);
        }
    }
}

impl Derived<'_> {
    /// Notes that the results of `inst` that may be addresses come from `origin`.
    fn source(&mut self, inst: &Inst, origin: u32, facts: &mut Facts<Set>) {
        let set = self.sets.place([origin].into());
        for &v in &inst.results {
            let scalar = self.func.ty(v).scalar;
            if scalar == Scalar::I64 || scalar == self.address {
                facts.add(self, v, &set);
            }
        }
    }

    /// Whether the value is a constant too small to be an address.
    fn is_small(&self, v: Value) -> bool {
        self.defs.constant(v).is_some_and(|bits| bits < SMALL)
    }
}

#[cfg(test)]
mod tests {
    use crate::back::kernel;
    use crate::ir::FuncId;
    use crate::ir::parse::parse;
    use crate::target::Target;

    #[test]
    fn module_data_that_a_callee_writes_is_written() {
        let text = "func f0 \"set\"() never {
            v0: i64 = sys module_data
            v1: i32 = const 1
            store device v0, v1 align 4
            return
        }
        kernel f1 \"k\"()
            layout block 0
        {
            call f0()
            return
        }";
        let module = parse(text).expect("valid text");
        let info = kernel(&module, &Target::MIN, FuncId(1), None);
        assert!(info.is_some_and(|info| info.writes_module_data));
    }
}
