//! Local memory and barriers: races between barriers, reads of what was never written, barriers that not all work-items reach.
//!
//! Algorithm: beside each local object whose pointers are all known lies a shadow with a word for each granule, which is as large as
//! the smallest access. A word is 0, or says who has accessed the granule last, and how: from the highest bits, the number of barriers that
//! the work-item has passed, what it did, its number in the group, or that it was several. An access takes the maximum of the word and of its
//! own, atomically. If the old word is of the same time and of another work-item, and not both have read or changed it atomically,
//! it is a race. A read of a granule whose word is 0 is one of what was never written. Maxima lose nothing that matters: what is of
//! a later time replaces all before, and writes replace reads.
//!
//! At a barrier each work-item adds the barrier's number to one of two sums, which take turns. Behind it the sum must have grown by
//! that number for each work-item of the group.
//!
//! Where work-items may order accesses in other ways (sub-group barriers, fences, atomics that order memory) races are not looked for.

use rustc_hash::FxHashMap;

use super::access::{Touched, unless};
use super::report::{Reporter, is_library, no_object};
use super::roots::Root;
use crate::check::{Kind, race};
use crate::ir::builder::Builder;
use crate::ir::util::walk;
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, FenceFlags, Function, Global, GlobalId, Inst, Op, Order,
    Region, Scalar, Scope, Space, Type, Unroll, Value, WorkItem,
};

/// What is known of a kernel's local memory before it is changed.
#[derive(Default)]
pub struct Use {
    /// By pointer to the beginning of a local argument, or by variable: the smallest access.
    granules: FxHashMap<Root, u32>,
    /// The local arguments, and the variables that they are.
    arguments: FxHashMap<Root, GlobalId>,
    barriers: bool,
    /// Accesses may be ordered otherwise than by barriers.
    ordered: bool,
    /// Some pointers are not known.
    unknown: bool,
}

impl Use {
    /// `arguments`: the specialization constants of local arguments.
    pub fn of(
        func: &Function,
        body: &Region,
        roots: &[Root],
        arguments: &FxHashMap<GlobalId, u32>,
    ) -> Use {
        let mut found = Use::default();
        let local = |v: Value| {
            matches!(
                func.ty(v).scalar,
                Scalar::Ptr(Space::Local | Space::Generic)
            )
        };
        let root = |v: Value| roots.get(v.index()).copied().unwrap_or(Root::Unknown);
        walk(body, &mut |inst| {
            let mut access = |pointer: Value, size: u32| {
                if !local(pointer) {
                    return;
                }
                match root(pointer) {
                    Root::Several | Root::Unknown => found.unknown = true,
                    Root::Null => {}
                    known => {
                        let granule = found.granules.entry(known).or_insert(16);
                        // The largest power of two in it.
                        *granule = (*granule).min(1 << size.trailing_zeros().min(4));
                    }
                }
            };
            match &inst.op {
                Op::Load {
                    addr: Addr::Ptr(p), ..
                } => access(*p, func.ty(inst.results[0]).scalar.size()),
                Op::Store {
                    addr: Addr::Ptr(p),
                    value,
                    ..
                } => {
                    access(*p, func.ty(*value).scalar.size());
                    found.unknown |= local(*value);
                }
                Op::Atomic {
                    addr: Addr::Ptr(p),
                    args,
                    order,
                    ..
                } => {
                    let value = inst.results.first().or(args.first());
                    access(*p, value.map_or(4, |&v| func.ty(v).size()));
                    found.ordered |= *order != Order::Relaxed;
                }
                Op::Copy { to, from, size, .. } => {
                    access(*to, *size);
                    access(*from, *size);
                }
                Op::Zero { to, size, .. } => access(*to, *size),
                Op::GlobalAddr(id) if arguments.contains_key(id) => {
                    found.arguments.insert(Root::Object(inst.results[0]), *id);
                }
                Op::Barrier { scope, .. } if *scope == Scope::SubGroup => found.ordered = true,
                Op::Barrier { .. } => found.barriers = true,
                Op::Fence { .. } => found.ordered = true,
                // The address leaves what is known.
                Op::Cast(CastOp::PtrToInt, v) | Op::Compare(_, v, _) => found.unknown |= local(*v),
                Op::Call(_, args) => found.unknown |= args.iter().any(|&v| local(v)),
                _ => {}
            }
        });
        found
    }
}

/// The shadow of an object.
#[derive(Clone, Copy)]
struct Shadow {
    /// ptr<local>
    start: Value,
    /// Bytes of a granule, a power of two.
    granule: u32,
}

/// The checks in a kernel.
pub struct Shared {
    shadows: FxHashMap<Root, Shadow>,
    races: bool,
    /// i32 in private memory: how many barriers the work-item has passed, from 1 on.
    time: Value,
    /// The two sums, in local memory, and what they were, in private memory. Null without barriers.
    sums: Option<(Value, [Value; 2])>,
    /// i32: the work-item's number in its group, less than [`race::SEVERAL`], and their number.
    item: Value,
    count: Value,
}

/// What an access does, as the words of shadows say it.
fn deed(kind: Kind) -> u32 {
    match kind {
        Kind::Load => race::READ,
        Kind::Atomic => race::CHANGED,
        _ => race::WRITTEN,
    }
}

impl Shared {
    /// Code for the beginning of a kernel, whose objects get shadows of at most `room` bytes in all. `None` if there is nothing to check.
    pub fn begin(
        b: &mut Builder,
        found: &Use,
        globals: &mut Vec<Global>,
        mut room: u32,
    ) -> Option<Shared> {
        let mut roots: Vec<(Root, u32)> = found.granules.iter().map(|(&r, &g)| (r, g)).collect();
        roots.sort();
        if found.unknown {
            roots.clear();
        }
        let mut shadows = FxHashMap::default();
        let mut zeroed = Vec::new();
        for (root, granule) in roots {
            let global = match root {
                Root::Global(id) => globals.get(id.index()),
                root => (found.arguments.get(&root)).and_then(|id| globals.get(id.index())),
            };
            let Some(global) = global.filter(|g| g.space == Space::Local && !is_library(&g.name))
            else {
                continue;
            };
            let granule = match global.spec_len {
                Some(_) => granule.min(1 << global.size.trailing_zeros()),
                None => granule,
            };
            let words = global.size.div_ceil(granule);
            if global.spec_len.is_none() {
                let Some(rest) = words.checked_mul(4).and_then(|size| room.checked_sub(size))
                else {
                    continue;
                };
                room = rest;
            }
            let spec_len = global.spec_len;
            let start = local(b, globals, words * 4, spec_len);
            let count = b.const_int(Type::I32, words.into());
            let count = match spec_len {
                Some(id) => {
                    let elements = b.insert1(Op::Spec(id), Type::I32);
                    b.binary(BinOp::Mul, elements, count)
                }
                None => count,
            };
            zeroed.push((start, count));
            shadows.insert(root, Shadow { start, granule });
        }
        if shadows.is_empty() && !found.barriers {
            return None;
        }
        let linear = b.work_item(WorkItem::LocalLinearId, None);
        let linear = b.cast(CastOp::Trunc, linear, Type::I32);
        let most = b.const_int(Type::I32, i64::from(race::SEVERAL) - 1);
        let item = b.binary(BinOp::UMin, linear, most);
        let mut count = b.const_int(Type::I32, 1);
        for d in 0..3 {
            let dim = b.const_int(Type::I32, d);
            let size = b.work_item(WorkItem::LocalSize, Some(dim));
            let size = b.cast(CastOp::Trunc, size, Type::I32);
            count = b.binary(BinOp::Mul, count, size);
        }
        let one = b.const_int(Type::I32, 1);
        let zero = b.const_int(Type::I32, 0);
        let time = variable(b, one);
        let sums = found.barriers.then(|| {
            let sums = local(b, globals, 8, None);
            let two = b.const_int(Type::I32, 2);
            zeroed.push((sums, two));
            (sums, [variable(b, zero), variable(b, zero)])
        });
        for (start, words) in zeroed {
            clear(b, start, words, linear, count);
        }
        let flags = FenceFlags {
            local: true,
            global: false,
        };
        b.barrier(flags, Scope::WorkGroup);
        Some(Shared {
            shadows,
            races: !found.ordered,
            time,
            sums,
            item,
            count,
        })
    }

    pub fn has(&self, root: Root) -> bool {
        self.shadows.contains_key(&root)
    }

    /// Before an access at `offset` (i64) of an object.
    pub fn access(
        &self,
        b: &mut Builder,
        reporter: &mut Reporter,
        root: Root,
        object: Value,
        touched: Touched,
        offset: Value,
    ) {
        let Touched { kind, size, .. } = touched;
        let Some(&Shadow { start, granule }) = self.shadows.get(&root) else {
            return;
        };
        let shift = b.const_int(Type::I64, granule.trailing_zeros().into());
        let first = b.binary(BinOp::LShr, offset, shift);
        let two = b.const_int(Type::I64, 2);
        let first = b.binary(BinOp::Shl, first, two);
        let place = b.ptradd(start, first);
        let time = b.load(self.time, Type::I32, 4);
        let by = b.const_int(Type::I32, race::TIME.into());
        let time = b.binary(BinOp::Shl, time, by);
        let did = b.const_int(Type::I32, (deed(kind) << race::DEED).into());
        let time = b.binary(BinOp::Or, time, did);
        let own = b.binary(BinOp::Or, time, self.item);
        let several = b.const_int(Type::I32, race::SEVERAL.into());
        let several = b.binary(BinOp::Or, time, several);
        let undefined = touched
            .reads
            .then(|| reporter.site(Kind::Undefined, size, 0));
        let site = self.races.then(|| reporter.site(kind.race(), size, 0));
        let count = size.div_ceil(granule);
        let step = |b: &mut Builder, place: Value| {
            let old = atomic(b, AtomicOp::UMax, place, vec![own]);
            let zero64 = b.const_int(Type::I64, 0);
            if let Some(site) = undefined {
                let zero = b.const_int(Type::I32, 0);
                let known = b.compare(CmpOp::Ne, old, zero);
                unless(b, known, |b| {
                    let size = b.const_int(Type::I64, size.into());
                    reporter.call(b, site, object, [offset, size, size, zero64]);
                });
            }
            let Some(site) = site else { return };
            let differ = b.binary(BinOp::Xor, old, own);
            let bound = b.const_int(Type::I32, 1 << race::TIME);
            let now = b.compare(CmpOp::Ult, differ, bound);
            let mask = b.const_int(Type::I32, race::SEVERAL.into());
            let other = b.binary(BinOp::And, differ, mask);
            let zero = b.const_int(Type::I32, 0);
            let other = b.compare(CmpOp::Ne, other, zero);
            let both = b.binary(BinOp::And, now, other);
            b.if_then(both, |b| {
                let report = |b: &mut Builder| {
                    let seen = b.cast(CastOp::ZExt, old, Type::I64);
                    let size = b.const_int(Type::I64, size.into());
                    reporter.call(b, site, object, [offset, size, size, seen]);
                };
                if deed(kind) == race::WRITTEN {
                    return report(b);
                }
                let bound = b.const_int(Type::I32, 1 << race::DEED);
                let same = b.compare(CmpOp::Ult, differ, bound);
                let then = b.yielding(|b| {
                    atomic(b, AtomicOp::UMax, place, vec![several]);
                    Vec::new()
                });
                let otherwise = b.yielding(|b| {
                    report(b);
                    Vec::new()
                });
                b.insert0(Op::If(same, then, otherwise));
            });
        };
        if count == 1 {
            return step(b, place);
        }
        let zero = b.const_int(Type::I64, 0);
        each(b, zero, i64::from(count) * 4, |b, at| {
            let place = b.ptradd(place, at);
            step(b, place);
        });
    }

    /// A barrier of the group, of which `inst` is one.
    pub fn barrier(&self, b: &mut Builder, reporter: &mut Reporter, mut inst: Inst) {
        let one = b.const_int(Type::I32, 1);
        let time = b.load(self.time, Type::I32, 4);
        let next = b.binary(BinOp::Add, time, one);
        let Some((sums, known)) = self.sums else {
            b.push(inst);
            return b.store(self.time, next, 4);
        };
        let site = reporter.site(Kind::Barrier, 0, 0);
        // Sums of different barriers are different in all likelihood.
        let number = (site + 1).wrapping_mul(0x9e37_79b1) | 1;
        let number = b.const_int(Type::I32, number.into());
        let turn = b.binary(BinOp::And, time, one);
        let two = b.const_int(Type::I32, 2);
        let offset = b.binary(BinOp::Shl, turn, two);
        let sum = b.ptradd(sums, offset);
        let zero = b.const_int(Type::I32, 0);
        let turn = b.compare(CmpOp::Ne, turn, zero);
        atomic(b, AtomicOp::Add, sum, vec![number]);
        if let Op::Barrier { flags, .. } = &mut inst.op {
            flags.local = true;
        }
        b.push(inst);
        let all = b.binary(BinOp::Mul, number, self.count);
        let [even, odd] = known.map(|place| b.load(place, Type::I32, 4));
        let before = b.select(turn, odd, even);
        let expected = b.binary(BinOp::Add, before, all);
        let found = atomic(b, AtomicOp::Load, sum, Vec::new());
        let right = b.compare(CmpOp::Eq, found, expected);
        unless(b, right, |b| {
            let zero = b.const_int(Type::I64, 0);
            let none = no_object(b);
            reporter.call(b, site, none, [zero; 4]);
        });
        let odd = b.select(turn, found, odd);
        let even = b.select(turn, even, found);
        b.store(known[0], even, 4);
        b.store(known[1], odd, 4);
        b.store(self.time, next, 4);
    }
}

fn atomic(b: &mut Builder, op: AtomicOp, place: Value, args: Vec<Value>) -> Value {
    let place = Addr::Ptr(place);
    b.atomic(op, place, args, Type::I32, Order::Relaxed, Scope::WorkGroup)
}

/// A private variable of this value.
fn variable(b: &mut Builder, value: Value) -> Value {
    let variable = b.alloca(4, 4);
    b.store(variable, value, 4);
    variable
}

/// A pointer to a new variable in local memory, of so many bytes, or an array of as many elements as a local argument.
fn local(b: &mut Builder, globals: &mut Vec<Global>, size: u32, spec_len: Option<u32>) -> Value {
    let id = GlobalId(globals.len() as u32);
    globals.push(Global {
        name: "check.shadow".into(),
        space: Space::Local,
        size,
        spec_len,
        align: 4,
        init: None,
        relocs: Vec::new(),
        external: false,
        once: false,
        defined: true,
    });
    b.global_addr(id, Space::Local)
}

/// For each multiple of 4 from `first` (i64) below `end`.
fn each(b: &mut Builder, first: Value, end: i64, body: impl FnOnce(&mut Builder, Value)) {
    let at = b.func.new_value(Type::I64);
    let body = b.region(vec![at], |b| {
        body(b, at);
        let four = b.const_int(Type::I64, 4);
        let next = b.binary(BinOp::Add, at, four);
        let end = b.const_int(Type::I64, end);
        let more = b.compare(CmpOp::Slt, next, end);
        b.if_then(more, |b| b.continue_(vec![next]));
        b.break_(Vec::new());
    });
    b.insert0(Op::Loop {
        init: vec![first],
        body,
        unroll: Unroll::Never,
    });
}

/// The work-items clear so many words together.
fn clear(b: &mut Builder, start: Value, words: Value, linear: Value, count: Value) {
    let at = b.func.new_value(Type::I32);
    let body = b.region(vec![at], |b| {
        let more = b.compare(CmpOp::Ult, at, words);
        unless(b, more, |b| b.break_(Vec::new()));
        let wide = b.cast(CastOp::ZExt, at, Type::I64);
        let two = b.const_int(Type::I64, 2);
        let offset = b.binary(BinOp::Shl, wide, two);
        let place = b.ptradd(start, offset);
        let zero = b.const_int(Type::I32, 0);
        b.store(place, zero, 4);
        let next = b.binary(BinOp::Add, at, count);
        b.continue_(vec![next]);
    });
    b.insert0(Op::Loop {
        init: vec![linear],
        body,
        unroll: Unroll::Never,
    });
}

/// Local memory that a kernel has without shadows, bytes: its variables'.
pub fn used(body: &Region, globals: &[Global]) -> u32 {
    let mut ids = std::collections::BTreeSet::new();
    walk(body, &mut |inst| {
        if let Op::GlobalAddr(id) = inst.op {
            ids.insert(id);
        }
    });
    let sizes = ids.iter().filter_map(|id| globals.get(id.index()));
    let local = sizes.filter(|g| g.space == Space::Local && g.spec_len.is_none());
    local.fold(0, |sum, g| sum.saturating_add(g.size))
}
