//! Memory that work-items share, and barriers: races, reads of what was never written, barriers that not all work-items reach.
//!
//! Algorithm: beside each local object whose pointers are all known lies a shadow with a word for each granule, which is as large as
//! the smallest access. A word is 0, or says who has accessed the granule last, and how: from the highest bits, the number of barriers that
//! the work-item has passed, what it did, some bits of what it stored, its number in the group, or that it was several. An access takes the maximum of the word and of its
//! own, atomically. If the old word is of the same time and of another work-item, and neither have both read nor both done it atomically,
//! it is a race. A read of a granule whose word is 0 is one of what was never written. Maxima lose nothing that matters but atomic reads: what
//! is of a later time replaces all before, and writes replace reads. An exchange that compares reads, and changes if it was equal.
//!
//! Stores of one value by several are no race.
//!
//! Global arguments whose accesses have four bytes and more get shadows with two words for each four bytes: one of the same kind, which is about
//! work-items of a group, and one about groups, without a time.
//!
//! At a barrier each work-item adds the barrier's number to one of two sums, which take turns. Behind it the sum must have grown by
//! that number for each work-item of the group.
//!
//! Where work-items may order accesses in other ways (sub-group barriers, fences, atomics that order memory) races are not looked for.

use rustc_hash::FxHashMap;

use super::access::{Touched, unless};
use super::report::{Reporter, is_library, no_object};
use super::roots::{Arguments, Root};
use crate::check::{Kind, race};
use crate::ir::builder::Builder;
use crate::ir::util::walk;
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, FenceFlags, Function, Global, GlobalId, Inst, Op, Order,
    Region, Scalar, Scope, Space, Type, Unroll, Value, WorkItem,
};
use crate::kernel::{SHADOW_GRANULES, SPEC_LOCAL_SHADOWS};
use crate::pass::lower::initialize::Group;

/// What is known of a kernel's local memory before it is changed.
#[derive(Default)]
pub struct Use {
    /// By pointer to the beginning of a local argument, or by variable: the smallest access.
    granules: FxHashMap<Root, u32>,
    /// The numbers of local arguments.
    arguments: FxHashMap<Root, u32>,
    /// Of the pointers to the beginning of global arguments: the smallest access, and whether there are stores.
    pub global: FxHashMap<Root, (u32, bool)>,
    barriers: bool,
    /// Accesses may be ordered otherwise than by barriers.
    ordered: bool,
    /// Some pointers are not known.
    unknown: bool,
}

impl Use {
    /// Whether the argument of this pointer has a shadow: otherwise there is no race, or it would not be found.
    pub fn is_shadowed(&self, pointer: Value) -> bool {
        let found = self.global.get(&Root::Object(pointer));
        !self.ordered && found.is_some_and(|&(size, stores)| stores && size >= race::GRANULE)
    }

    /// `arguments`: the numbers of those that are pointers.
    pub fn of(func: &Function, body: &Region, roots: &[Root], arguments: &Arguments) -> Use {
        let mut found = Use::default();
        let local = |v: Value| {
            matches!(
                func.ty(v).scalar,
                Scalar::Ptr(Space::Local | Space::Generic)
            )
        };
        let root = |v: Value| roots.get(v.index()).copied().unwrap_or(Root::Unknown);
        walk(body, &mut |inst| {
            let mut access = |pointer: Value, size: u32, writes: bool| {
                let space = func.ty(pointer).scalar;
                if let (known @ Root::Object(_), Scalar::Ptr(Space::Global | Space::Generic)) =
                    (root(pointer), space)
                {
                    let entry = found.global.entry(known).or_insert((size, false));
                    *entry = (entry.0.min(1 << size.trailing_zeros()), entry.1 | writes);
                }
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
                } => access(*p, func.ty(inst.results[0]).scalar.size(), false),
                Op::Store {
                    addr: Addr::Ptr(p),
                    value,
                    ..
                } => {
                    access(*p, func.ty(*value).scalar.size(), true);
                    found.unknown |= local(*value);
                }
                Op::Atomic {
                    addr: Addr::Ptr(p),
                    args,
                    order,
                    ..
                } => {
                    let value = inst.results.first().or(args.first());
                    access(*p, value.map_or(4, |&v| func.ty(v).size()), true);
                    found.ordered |= *order != Order::Relaxed;
                }
                Op::Copy { to, from, size, .. } => {
                    access(*to, *size, true);
                    access(*from, *size, false);
                }
                Op::Zero { to, size, .. } => access(*to, *size, true),
                Op::GlobalAddr(_) => {
                    let number = arguments.get(&inst.results[0]);
                    let known = Root::Object(inst.results[0]);
                    found
                        .arguments
                        .extend(number.map(|&number| (known, number)));
                }
                Op::Barrier { scope, .. } if *scope == Scope::SubGroup => found.ordered = true,
                Op::Barrier { .. } => found.barriers = true,
                Op::Fence { .. } => found.ordered = true,
                // The address leaves what is known.
                Op::Cast(CastOp::PtrToInt, v) | Op::Compare(_, v, _) => found.unknown |= local(*v),
                Op::Call { args, .. } => found.unknown |= args.iter().any(|&v| local(v)),
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
    /// i32: the words of an argument's, fewer than there are granules where there is no room for them.
    words: Option<Value>,
}

/// An access as reports of races have it.
struct Seen {
    /// Where races are looked for.
    site: Option<u32>,
    object: Value,
    offset: Value,
    deed: u32,
    /// i32: some bits of what is stored, in the lowest [`race::VALUE`].
    value: Value,
}

/// What an access puts into a word.
struct Word {
    own: Value,
    several: Value,
    /// Bits of the number of who it is.
    bits: u32,
    /// bool: it is not too late for the time, if it has one.
    early: Option<Value>,
}

impl Word {
    /// `time`: i32, if the word has one; `who`: less than 2 to the power of `bits`, less 1.
    fn new(b: &mut Builder, seen: &Seen, time: Option<Value>, who: Value, bits: u32) -> Word {
        let shift = |b: &mut Builder, value: Value, by: u32| {
            let by = b.const_int(Type::I32, by.into());
            b.binary(BinOp::Shl, value, by)
        };
        let deed = i64::from(seen.deed) << (bits + race::VALUE);
        let mut rest = b.const_int(Type::I32, deed);
        let value = shift(b, seen.value, bits);
        rest = b.binary(BinOp::Or, rest, value);
        let mut early = None;
        if let Some(time) = time {
            let last = b.const_int(Type::I32, LAST);
            early = Some(b.compare(CmpOp::Ult, time, last));
            let time = b.binary(BinOp::UMin, time, last);
            let time = shift(b, time, bits + race::VALUE + race::DEED);
            rest = b.binary(BinOp::Or, rest, time);
        }
        let all = b.const_int(Type::I32, (1 << bits) - 1);
        Word {
            own: b.binary(BinOp::Or, rest, who),
            several: b.binary(BinOp::Or, rest, all),
            bits,
            early,
        }
    }

    /// Puts it into the word at `place`, reports a race, and gives what the word was.
    fn touch(
        &self,
        b: &mut Builder,
        reporter: &Reporter,
        seen: &Seen,
        place: Value,
        scope: Scope,
    ) -> Value {
        let old = atomic(b, AtomicOp::UMax, place, vec![self.own], scope);
        let Some(site) = seen.site else { return old };
        let differ = b.binary(BinOp::Xor, old, self.own);
        let zero = b.const_int(Type::I32, 0);
        let deeds = self.bits + race::VALUE;
        let now = match self.early {
            Some(early) => {
                let bound = b.const_int(Type::I32, 1 << (deeds + race::DEED));
                let now = b.compare(CmpOp::Ult, differ, bound);
                b.binary(BinOp::And, now, early)
            }
            None => b.compare(CmpOp::Ne, old, zero),
        };
        let mask = b.const_int(Type::I32, (1 << self.bits) - 1);
        let other = b.binary(BinOp::And, differ, mask);
        let other = b.compare(CmpOp::Ne, other, zero);
        let both = b.binary(BinOp::And, now, other);
        let report = |b: &mut Builder| {
            let mut word = b.cast(CastOp::ZExt, old, Type::I64);
            if self.early.is_none() {
                let groups = b.const_int(Type::I64, 1 << 32);
                word = b.binary(BinOp::Or, word, groups);
            }
            reporter.call(b, site, seen.object, [seen.offset, word]);
        };
        b.if_then(both, |b| {
            let allowed = self.allowed(b, seen.deed, old, differ);
            let then = b.yielding(|b| {
                let bound = b.const_int(Type::I32, 1 << deeds);
                let same = b.compare(CmpOp::Ult, differ, bound);
                let who = b.select(same, self.several, self.own);
                atomic(b, AtomicOp::UMax, place, vec![who], scope);
                Vec::new()
            });
            let otherwise = b.yielding(|b| {
                report(b);
                Vec::new()
            });
            b.insert0(Op::If(allowed, then, otherwise));
        });
        old
    }

    /// bool: what another did at the same time, which the old word says, is no race with `deed`. `differ`: in what the words differ.
    fn allowed(&self, b: &mut Builder, deed: u32, old: Value, differ: Value) -> Value {
        let place = |deed: u32| i64::from(deed) << (self.bits + race::VALUE);
        let below = |b: &mut Builder, value: Value, bound: i64| {
            let bound = b.const_int(Type::I32, bound);
            b.compare(CmpOp::Ult, value, bound)
        };
        let masked = |b: &mut Builder, mask: i64| {
            let mask = b.const_int(Type::I32, mask);
            b.binary(BinOp::And, old, mask)
        };
        match deed {
            // Several stores of one value are none.
            race::WRITTEN => below(b, differ, 1 << self.bits),
            race::CHANGED => {
                let plain = masked(b, place(race::READ & race::WRITTEN));
                below(b, plain, 1)
            }
            _ => {
                let did = masked(b, place((1 << race::DEED) - 1));
                let first_conflict = match deed {
                    race::READ => race::CHANGED,
                    _ => race::WRITTEN,
                };
                below(b, did, place(first_conflict))
            }
        }
    }
}

/// The places of the words of an access: `sizes` are those of a granule and of its words, bytes.
fn granules(
    b: &mut Builder,
    start: Value,
    offset: Value,
    (granule, words): (u32, i64),
    size: u32,
    touch: impl FnOnce(&mut Builder, Value),
) {
    let shift = b.const_int(Type::I64, granule.trailing_zeros().into());
    let first = b.binary(BinOp::LShr, offset, shift);
    let each_size = b.const_int(Type::I64, words);
    let first = b.binary(BinOp::Mul, first, each_size);
    let place = b.ptradd(start, first);
    let count = i64::from(size.div_ceil(granule));
    if count == 1 {
        return touch(b, place);
    }
    each(b, count * words, words, |b, at| {
        let place = b.ptradd(place, at);
        touch(b, place);
    });
}

/// The checks in a kernel.
pub struct Shared {
    /// Addresses (i64) of the shadows of global arguments, 0 for none.
    global: FxHashMap<Root, Value>,
    /// i32: the number of the group, from 1 on, where global memory is checked.
    group: Option<Value>,
    shadows: FxHashMap<Root, Shadow>,
    races: bool,
    /// i32 in private memory: how many barriers the work-item has passed, from 1 on.
    time: Value,
    /// The two sums, in local memory, and what they were, in private memory. Null without barriers.
    sums: Option<(Value, [Value; 2])>,
    /// i32: the work-item's number in its group, less than 2 to the power of [`race::ITEM`], less 1, and their number.
    item: Value,
    count: Value,
}

/// Bytes of the two sums.
const SUMS: u32 = 8;

/// The last time: what is behind is not looked at.
const LAST: i64 = (1 << (32 - race::DEED - race::VALUE - race::ITEM)) - 1;

/// i32: some bits of a value, the same for the same value.
fn digest(b: &mut Builder, value: Value) -> Value {
    let ty = b.ty(value);
    let bits = Type::vector(Scalar::int(ty.scalar.bits().max(8)), ty.lanes);
    let value = match ty.scalar {
        Scalar::Bool => b.cast(CastOp::BoolToInt, value, bits),
        Scalar::Ptr(_) => b.cast(CastOp::PtrToInt, value, bits),
        scalar if scalar.is_int() || scalar.is_float() => value,
        _ => return b.const_int(Type::I32, 0),
    };
    let mut all = b.const_int(Type::I32, 0);
    for word in b.words(value) {
        let factor = b.const_int(Type::I32, 0x9e37_79b1);
        all = b.binary(BinOp::Xor, all, word);
        all = b.binary(BinOp::Mul, all, factor);
    }
    let by = b.const_int(Type::I32, (32 - race::VALUE).into());
    b.binary(BinOp::LShr, all, by)
}

impl Shared {
    /// Code for the beginning of a kernel, whose objects get shadows of at most `room` bytes in all. `None` if there is nothing to check.
    pub fn begin(
        b: &mut Builder,
        found: &Use,
        globals: &mut Vec<Global>,
        mut room: u32,
        global: FxHashMap<Root, Value>,
    ) -> Option<Shared> {
        let mut roots: Vec<(Root, u32)> = found.granules.iter().map(|(&r, &g)| (r, g)).collect();
        roots.sort();
        if found.unknown {
            roots.clear();
        }
        let mut shadows = FxHashMap::default();
        let mut zeroed = Vec::new();
        let sums = found.barriers.then(|| room.checked_sub(SUMS)).flatten();
        room = sums.unwrap_or(room);
        for (root, granule) in roots {
            let mut words_known = None;
            let (start, count) = match found.arguments.get(&root) {
                Some(number) => {
                    let log = granule.trailing_zeros();
                    let id = SPEC_LOCAL_SHADOWS + number * SHADOW_GRANULES + log;
                    let start = local(b, globals, 4, Some(id));
                    let words = b.insert1(Op::Spec(id), Type::I32);
                    words_known = Some(words);
                    (start, words)
                }
                None => {
                    let Root::Global(id) = root else { continue };
                    let global = globals.get(id.index());
                    let global = global.filter(|g| g.space == Space::Local && !is_library(&g.name));
                    let words = global.map_or(0, |g| g.size.div_ceil(granule));
                    let rest = words.checked_mul(4).and_then(|size| room.checked_sub(size));
                    let (Some(rest), true) = (rest, words > 0) else {
                        continue;
                    };
                    room = rest;
                    let start = local(b, globals, words * 4, None);
                    (start, b.const_int(Type::I32, words.into()))
                }
            };
            zeroed.push((start, count));
            let shadow = Shadow {
                start,
                granule,
                words: words_known,
            };
            shadows.insert(root, shadow);
        }
        if shadows.is_empty() && !found.barriers && global.is_empty() {
            return None;
        }
        let members = Group::new(b);
        let most = b.const_int(Type::I32, (1 << race::ITEM) - 2);
        let item = b.binary(BinOp::UMin, members.item, most);
        let one = b.const_int(Type::I32, 1);
        let zero = b.const_int(Type::I32, 0);
        let time = variable(b, one);
        let sums = sums.map(|_| {
            let sums = local(b, globals, SUMS, None);
            let two = b.const_int(Type::I32, 2);
            zeroed.push((sums, two));
            (sums, [variable(b, zero), variable(b, zero)])
        });
        let any = !zeroed.is_empty();
        for (start, words) in zeroed {
            members.clear(b, start, Type::I32, words);
        }
        if any {
            let flags = FenceFlags {
                local: true,
                global: false,
            };
            b.barrier(flags, Scope::WorkGroup);
        }
        let group = (!global.is_empty()).then(|| group(b));
        Some(Shared {
            shadows,
            global,
            group,
            races: !found.ordered,
            time,
            sums,
            item,
            count: members.count,
        })
    }

    pub fn has(&self, root: Root) -> bool {
        self.shadows.contains_key(&root) || self.global.contains_key(&root)
    }

    /// Before an access at `offset` (i64) of an object.
    pub fn access(
        &self,
        b: &mut Builder,
        reporter: &mut Reporter,
        (root, object): (Root, Value),
        touched: Touched,
        offset: Value,
    ) {
        let Touched { size, deed, .. } = touched;
        let seen = Seen {
            site: self
                .races
                .then(|| reporter.site(touched.kind().race(), size, 0)),
            object,
            offset,
            deed,
            value: match (deed, touched.stored) {
                (race::WRITTEN, Some(value)) => digest(b, value),
                (race::WRITTEN, None) => {
                    let all = b.const_int(Type::I32, (1 << race::VALUE) - 1);
                    b.binary(BinOp::And, self.item, all)
                }
                _ => b.const_int(Type::I32, 0),
            },
        };
        let reporter_call = &*reporter;
        let time = b.load(self.time, Type::I32, 4);
        let of_item = Word::new(b, &seen, Some(time), self.item, race::ITEM);
        if let (Some(&shadow), Some(group)) = (self.global.get(&root), self.group) {
            let of_group = Word::new(b, &seen, None, group, race::GROUP);
            let zero = b.const_int(Type::I64, 0);
            let any = b.compare(CmpOp::Ne, shadow, zero);
            b.if_then(any, |b| {
                let start = b.cast(CastOp::IntToPtr, shadow, Type::ptr(Space::Global));
                granules(b, start, offset, (race::GRANULE, 8), size, |b, place| {
                    of_group.touch(b, reporter_call, &seen, place, Scope::Device);
                    let second = b.ptradd_const(place, 4);
                    of_item.touch(b, reporter_call, &seen, second, Scope::Device);
                });
            });
            return;
        }
        let Some(&Shadow {
            start,
            granule,
            words,
        }) = self.shadows.get(&root)
        else {
            return;
        };
        let undefined = (touched.reads).then(|| reporter.site(Kind::Undefined, size, 0));
        let reporter = &*reporter;
        let touch = |b: &mut Builder| {
            granules(b, start, offset, (granule, 4), size, |b, place| {
                let old = of_item.touch(b, reporter, &seen, place, Scope::WorkGroup);
                if let Some(site) = undefined {
                    let zero = b.const_int(Type::I32, 0);
                    let known = b.compare(CmpOp::Ne, old, zero);
                    unless(b, known, |b| {
                        let none = b.const_int(Type::I64, 0);
                        reporter.call(b, site, object, [offset, none]);
                    });
                }
            });
        };
        match words {
            None => touch(b),
            Some(words) => {
                let last = b.add_const(offset, i64::from(size) - 1);
                let shift = b.const_int(Type::I64, granule.trailing_zeros().into());
                let last = b.binary(BinOp::LShr, last, shift);
                let words = b.cast(CastOp::ZExt, words, Type::I64);
                let inside = b.compare(CmpOp::Ult, last, words);
                b.if_then(inside, touch);
            }
        }
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
        atomic(b, AtomicOp::Add, sum, vec![number], Scope::WorkGroup);
        if let Op::Barrier { flags, .. } = &mut inst.op {
            flags.local = true;
        }
        b.push(inst);
        let all = b.binary(BinOp::Mul, number, self.count);
        let [even, odd] = known.map(|place| b.load(place, Type::I32, 4));
        let before = b.select(turn, odd, even);
        let expected = b.binary(BinOp::Add, before, all);
        let found = atomic(b, AtomicOp::Load, sum, Vec::new(), Scope::WorkGroup);
        let right = b.compare(CmpOp::Eq, found, expected);
        unless(b, right, |b| {
            let zero = b.const_int(Type::I64, 0);
            let none = no_object(b);
            reporter.call(b, site, none, [zero; 2]);
        });
        let odd = b.select(turn, found, odd);
        let even = b.select(turn, even, found);
        b.store(known[0], even, 4);
        b.store(known[1], odd, 4);
        b.store(self.time, next, 4);
    }
}

fn atomic(b: &mut Builder, op: AtomicOp, place: Value, args: Vec<Value>, scope: Scope) -> Value {
    let place = Addr::Ptr(place);
    b.atomic(op, place, args, Type::I32, Order::Relaxed, scope)
}

/// The number of the group, from 1 on; those behind some four million share one.
fn group(b: &mut Builder) -> Value {
    let mut linear = b.const_int(Type::I32, 0);
    for d in [2, 1, 0] {
        let dim = b.const_int(Type::I32, d);
        let [count, id] = [WorkItem::NumGroups, WorkItem::GroupId].map(|what| {
            let wide = b.work_item(what, Some(dim));
            b.cast(CastOp::Trunc, wide, Type::I32)
        });
        linear = b.binary(BinOp::Mul, linear, count);
        linear = b.binary(BinOp::Add, linear, id);
    }
    let most = b.const_int(Type::I32, (1 << race::GROUP) - 3);
    let linear = b.binary(BinOp::UMin, linear, most);
    let one = b.const_int(Type::I32, 1);
    b.binary(BinOp::Add, linear, one)
}

/// A private variable of this value.
fn variable(b: &mut Builder, value: Value) -> Value {
    let variable = b.alloca(4, 4);
    b.store(variable, value, 4);
    variable
}

/// A pointer to a new variable in local memory, of so many bytes, or an array of so many elements as a specialization constant says.
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

/// For each multiple of `step` from 0 below `end`.
fn each(b: &mut Builder, end: i64, step: i64, body: impl FnOnce(&mut Builder, Value)) {
    let first = b.const_int(Type::I64, 0);
    let at = b.func.new_value(Type::I64);
    let body = b.region(vec![at], |b| {
        body(b, at);
        let step = b.const_int(Type::I64, step);
        let next = b.binary(BinOp::Add, at, step);
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
