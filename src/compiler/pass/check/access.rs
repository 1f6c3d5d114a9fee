//! Checks of accesses and divisions in one function.
//!
//! Algorithm: beside each pointer into a known object goes its offset there, an i64, through selects and what regions pass. In front
//! of an access the offset is compared with the object's bounds, of an argument those that the launch gives, and the address with
//! the access's alignment. What is wrong is reported and not done: a load then gives zeros. Where constants show that all is right,
//! there is no code.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use super::report::{QUIET, Reporter};
use super::roots::{Arguments, Root, is_pointer};
use super::shared::Shared;
use crate::check::{Kind, NO_OBJECT, NULL_OFFSET};
use crate::ir::builder::Builder;
use crate::ir::defs::Constants;
use crate::ir::scopes::Scopes;
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, GlobalId, Inst, Op, Region, Scope, Space, Type, Value,
};
use crate::kernel::SysField;

/// An offset in an object.
#[derive(Debug, Clone, Copy)]
struct Offset {
    /// i64.
    value: Option<Value>,
    plus: i64,
}

/// The bounds of an object: bytes from its beginning that can be read and written.
#[derive(Debug, Clone, Copy)]
pub enum Bounds {
    Constant {
        readable: u64,
        writable: u64,
    },
    /// i64 both.
    Values {
        readable: Value,
        writable: Value,
    },
}

/// An object of the function.
#[derive(Debug, Clone, Copy)]
pub struct Known {
    /// Its number among those of the program.
    pub id: u32,
    pub bounds: Bounds,
    /// Of its beginning, bytes.
    pub align: u32,
}

/// What the function's pointers point into.
pub struct Objects {
    pub roots: Vec<Root>,
    pub arguments: Arguments,
    /// The pointers that integers are.
    pub integers: FxHashMap<Value, Value>,
    pub own: FxHashMap<Value, Known>,
    pub globals: FxHashMap<GlobalId, Known>,
}

/// An access through a pointer.
#[derive(Clone, Copy)]
pub struct Touched {
    pub pointer: Value,
    pub kind: Kind,
    /// Bytes.
    pub size: u32,
    /// What it reads must have been written. Copies may take along what is between members.
    pub reads: bool,
    /// What it stores, if that is a value.
    pub stored: Option<Value>,
}

impl Touched {
    /// An access that moves bytes, whatever they are.
    fn bytes(pointer: Value, kind: Kind, size: u32) -> Touched {
        Touched {
            pointer,
            kind,
            size,
            reads: false,
            stored: None,
        }
    }
}

/// A checked pointer of an access.
struct Checked {
    /// bool: the access is right.
    right: Value,
    /// What a report has, if it has not been made: site, object; offset, address.
    report: Option<(u32, Value, [Value; 2])>,
}

pub struct Instrument<'a, 'f> {
    pub b: Builder<'f>,
    pub reporter: &'a mut Reporter,
    pub objects: &'a Objects,
    /// What is checked of local memory and barriers.
    shared: Option<Shared>,
    offsets: FxHashMap<Value, Offset>,
    /// The objects of pointers to one of several.
    several: FxHashMap<Value, Chosen>,
    pub(super) constants: Constants,
}

/// An object that is chosen at run time: its number, i32, and its bounds, i64.
#[derive(Debug, Clone, Copy)]
struct Chosen {
    id: Value,
    readable: Value,
    writable: Value,
}

/// Positions of values that pass pointers into known objects, and whether these are one of several.
type Tracked = SmallVec<[(usize, bool); 2]>;

/// What a control instruction passes.
#[derive(Clone, Default)]
struct Frame {
    results: Tracked,
    params: Tracked,
}

impl<'a, 'f> Instrument<'a, 'f> {
    pub fn new(
        b: Builder<'f>,
        reporter: &'a mut Reporter,
        objects: &'a Objects,
        shared: Option<Shared>,
    ) -> Self {
        Instrument {
            b,
            reporter,
            objects,
            shared,
            offsets: FxHashMap::default(),
            several: FxHashMap::default(),
            constants: Constants::default(),
        }
    }

    /// The body, to the builder's open region.
    pub fn body(&mut self, body: Region) {
        let mut frames = Vec::new();
        self.region(body, Scopes::default(), &mut frames);
    }

    /// Notes where an argument points to in its object.
    pub fn starts_at(&mut self, pointer: Value, offset: Value) {
        let offset = Offset {
            value: Some(offset),
            plus: 0,
        };
        self.offsets.insert(pointer, offset);
    }

    fn region(&mut self, region: Region, scopes: Scopes<usize>, frames: &mut Vec<Frame>) {
        self.b.reserve(region.insts.len());
        for inst in region.insts {
            self.b.loc = inst.loc;
            self.b.fast = inst.fast;
            self.reporter.at(inst.loc);
            self.constants.note(&inst);
            match &inst.op {
                Op::If(..) | Op::Switch { .. } | Op::Loop { .. } => {
                    self.control(inst, scopes, frames);
                }
                Op::Yield(_) | Op::Break(_) | Op::Continue(_) => self.pass_on(inst, scopes, frames),
                Op::PtrAdd(base, bytes) if self.is_known(inst.results[0]) => {
                    let (base, bytes, result) = (*base, *bytes, inst.results[0]);
                    self.b.push(inst);
                    let offset = self.offset(base);
                    let moved = self.moved(offset, bytes);
                    self.set(result, base, moved);
                }
                Op::Cast(CastOp::SpaceCast, from) if self.is_known(inst.results[0]) => {
                    let offset = self.offset(*from);
                    self.set(inst.results[0], *from, offset);
                    self.b.push(inst);
                }
                Op::Cast(CastOp::IntToPtr, from) if self.is_known(inst.results[0]) => {
                    if let Some(&pointer) = self.objects.integers.get(from) {
                        let offset = self.offset(pointer);
                        self.set(inst.results[0], pointer, offset);
                    }
                    self.b.push(inst);
                }
                Op::Select(condition, a, b) if self.is_known(inst.results[0]) => {
                    let result = [inst.results[0]];
                    let tracked = self.tracked(&result);
                    let [a, b] = [*a, *b].map(|v| self.given(&[v], &tracked));
                    let condition = *condition;
                    let chosen = a.into_iter().zip(b);
                    let chosen: Vec<Value> = chosen
                        .map(|(a, b)| self.b.select(condition, a, b))
                        .collect();
                    self.bind(&result, &tracked, &chosen);
                    self.b.push(inst);
                }
                Op::Load { .. }
                | Op::Store { .. }
                | Op::Atomic { .. }
                | Op::Copy { .. }
                | Op::Zero { .. } => self.access(inst),
                Op::Binary(BinOp::SDiv | BinOp::UDiv | BinOp::SRem | BinOp::URem, _, divisor) => {
                    let divisor = *divisor;
                    self.division(inst, divisor);
                }
                Op::Barrier { scope, .. } if *scope != Scope::SubGroup && self.shared.is_some() => {
                    if let Some(shared) = &self.shared {
                        shared.barrier(&mut self.b, self.reporter, inst);
                    }
                }
                _ => self.b.push(inst),
            }
        }
    }

    fn root(&self, v: Value) -> Root {
        let roots = &self.objects.roots;
        roots.get(v.index()).copied().unwrap_or(Root::Unknown)
    }

    fn is_known(&self, v: Value) -> bool {
        let known = |root| matches!(root, Root::Object(_) | Root::Global(_) | Root::Several);
        is_pointer(self.b.ty(v)) && known(self.root(v))
    }

    /// A pointer points into the object of another one.
    fn set(&mut self, pointer: Value, from: Value, offset: Offset) {
        self.offsets.insert(pointer, offset);
        if self.root(pointer) == Root::Several {
            let chosen = self.chosen(from);
            self.several.insert(pointer, chosen);
        }
    }

    fn tracked(&self, values: &[Value]) -> Tracked {
        let all = values.iter().enumerate();
        all.filter(|(_, v)| self.is_known(**v))
            .map(|(index, &v)| (index, self.root(v) == Root::Several))
            .collect()
    }

    /// New values beside the tracked ones of `values`.
    fn receive(&mut self, values: &[Value], tracked: &Tracked) -> Vec<Value> {
        let types = tracked.iter().flat_map(|&(_, several)| {
            let object = [Type::I32, Type::I64, Type::I64];
            std::iter::once(Type::I64).chain(object.into_iter().filter(move |_| several))
        });
        let new: Vec<Value> = types.map(|ty| self.b.func.new_value(ty)).collect();
        self.bind(values, tracked, &new);
        new
    }

    /// Notes what belongs to the tracked ones of `values`.
    fn bind(&mut self, values: &[Value], tracked: &Tracked, new: &[Value]) {
        let mut new = new.iter().copied();
        for &(index, several) in tracked {
            let Some(value) = new.next() else { return };
            let offset = Offset {
                value: Some(value),
                plus: 0,
            };
            self.offsets.insert(values[index], offset);
            if several
                && let (Some(id), Some(readable), Some(writable)) =
                    (new.next(), new.next(), new.next())
            {
                let chosen = Chosen {
                    id,
                    readable,
                    writable,
                };
                self.several.insert(values[index], chosen);
            }
        }
    }

    /// What belongs to the tracked ones of `values`.
    fn given(&mut self, values: &[Value], tracked: &Tracked) -> Vec<Value> {
        let mut all = Vec::new();
        for &(index, several) in tracked {
            let v = values[index];
            let offset = self.offset(v);
            all.push(self.whole(offset));
            if several {
                let chosen = self.chosen(v);
                all.extend([chosen.id, chosen.readable, chosen.writable]);
            }
        }
        all
    }

    /// Appends what belongs to the tracked ones.
    fn give(&mut self, values: &mut Vec<Value>, tracked: &Tracked) {
        let more = self.given(values, tracked);
        values.extend(more);
    }

    /// The object of a pointer as values; null is in one without bytes.
    fn chosen(&mut self, v: Value) -> Chosen {
        if let Some(&chosen) = self.several.get(&v) {
            return chosen;
        }
        let known = self.known(v);
        let (id, bounds) = match known {
            Some(known) => (known.id, known.bounds),
            None => {
                let none = Bounds::Constant {
                    readable: 0,
                    writable: 0,
                };
                (NO_OBJECT, none)
            }
        };
        let id = self.b.const_int(Type::I32, id.into());
        let [readable, writable] = self.limits(bounds);
        Chosen {
            id,
            readable,
            writable,
        }
    }

    /// Bounds as values.
    fn limits(&mut self, bounds: Bounds) -> [Value; 2] {
        match bounds {
            Bounds::Values { readable, writable } => [readable, writable],
            Bounds::Constant { readable, writable } => {
                [readable, writable].map(|n| self.b.const_int(Type::I64, n as i64))
            }
        }
    }

    fn control(&mut self, mut inst: Inst, scopes: Scopes<usize>, frames: &mut Vec<Frame>) {
        let mut frame = Frame {
            results: self.tracked(&inst.results),
            params: Tracked::new(),
        };
        if let Op::Loop { init, body, .. } = &mut inst.op {
            frame.params = self.tracked(&body.params);
            self.give(init, &frame.params);
            let params = body.params.clone();
            body.params.extend(self.receive(&params, &frame.params));
        }
        let scopes = scopes.inside(&inst.op, frames.len());
        let results = frame.results.clone();
        frames.push(frame);
        for nested in inst.op.regions_mut() {
            let old = std::mem::take(nested);
            self.b.push_region(old.params.clone());
            self.region(*old, scopes, frames);
            *nested = self.b.pop_region();
        }
        frames.pop();
        let known = inst.results.clone();
        inst.results.extend(self.receive(&known, &results));
        self.b.push(inst);
    }

    fn pass_on(&mut self, mut inst: Inst, scopes: Scopes<usize>, frames: &[Frame]) {
        let frame = scopes.target(&inst.op).and_then(|index| frames.get(index));
        if let Some(frame) = frame {
            match &mut inst.op {
                Op::Continue(values) => self.give(values, &frame.params),
                Op::Yield(values) | Op::Break(values) => self.give(values, &frame.results),
                _ => {}
            }
        }
        self.b.push(inst);
    }

    /// Where a pointer into a known object points to; null is far outside.
    fn offset(&self, v: Value) -> Offset {
        let start = match self.root(v) {
            Root::Object(_) | Root::Global(_) => 0,
            Root::Null | Root::Several | Root::Unknown => NULL_OFFSET,
        };
        let known = self.offsets.get(&v).copied();
        known.unwrap_or(Offset {
            value: None,
            plus: start,
        })
    }

    fn moved(&mut self, offset: Offset, bytes: Value) -> Offset {
        let ty = self.b.ty(bytes);
        if let Some(bits) = self.constants.get(bytes) {
            let signed = match ty == Type::I64 {
                true => bits as i64,
                false => i64::from(bits as i32),
            };
            return Offset {
                value: offset.value,
                plus: offset.plus.wrapping_add(signed),
            };
        }
        let wide = self.b.int_resize(bytes, Type::I64.scalar, true);
        let value = match offset.value {
            Some(value) => self.b.binary(BinOp::Add, value, wide),
            None => wide,
        };
        Offset {
            value: Some(value),
            plus: offset.plus,
        }
    }

    fn whole(&mut self, offset: Offset) -> Value {
        match offset.value {
            Some(value) => self.b.add_const(value, offset.plus),
            None => self.b.const_int(Type::I64, offset.plus),
        }
    }

    fn known(&self, pointer: Value) -> Option<Known> {
        match self.root(pointer) {
            Root::Object(v) => self.objects.own.get(&v).copied(),
            Root::Global(id) => self.objects.globals.get(&id).copied(),
            Root::Null | Root::Several | Root::Unknown => None,
        }
    }

    fn access(&mut self, mut inst: Inst) {
        let mut checked = SmallVec::<[Checked; 2]>::new();
        let mut touched = SmallVec::<[Touched; 2]>::new();
        let quiet = inst.loc == QUIET;
        match &inst.op {
            Op::Load {
                addr: Addr::Ptr(p),
                align,
                volatile,
            } => {
                let ty = self.b.ty(inst.results[0]);
                touched.push(Touched {
                    pointer: *p,
                    kind: relaxed(*volatile, Kind::Load),
                    size: accessed(ty),
                    reads: true,
                    stored: None,
                });
                checked.extend(self.pointer(*p, Kind::Load, accessed(ty), *align));
            }
            Op::Store {
                addr: Addr::Ptr(p),
                value,
                align,
                volatile,
            } => {
                let ty = self.b.ty(*value);
                touched.push(Touched {
                    pointer: *p,
                    kind: relaxed(*volatile, Kind::Store),
                    size: accessed(ty),
                    reads: false,
                    stored: Some(*value),
                });
                checked.extend(self.pointer(*p, Kind::Store, accessed(ty), *align));
            }
            Op::Atomic {
                op,
                addr: Addr::Ptr(p),
                args,
                ..
            } => {
                let value = inst.results.first().or(args.first());
                let size = value.map_or(4, |&v| self.b.ty(v).size());
                let kind = match op {
                    AtomicOp::Load => Kind::Load,
                    AtomicOp::Store => Kind::Store,
                    _ => Kind::Atomic,
                };
                let reads = !matches!(op, AtomicOp::Store | AtomicOp::Xchg);
                touched.push(Touched {
                    pointer: *p,
                    kind: Kind::Atomic,
                    size,
                    reads,
                    stored: None,
                });
                checked.extend(self.pointer(*p, kind, size, size));
            }
            Op::Copy {
                to,
                from,
                size,
                align,
            } => {
                touched.push(Touched::bytes(*from, Kind::Load, *size));
                touched.push(Touched::bytes(*to, Kind::Store, *size));
                checked.extend(self.pointer(*from, Kind::Load, *size, *align));
                checked.extend(self.pointer(*to, Kind::Store, *size, *align));
            }
            Op::Zero { to, size, align } => {
                touched.push(Touched::bytes(*to, Kind::Store, *size));
                checked.extend(self.pointer(*to, Kind::Store, *size, *align));
            }
            _ => {}
        }
        let Some(first) = checked.first() else {
            self.touch(&touched);
            return self.b.push(inst);
        };
        let mut right = first.right;
        for more in &checked[1..] {
            right = self.b.binary(BinOp::And, right, more.right);
        }
        if self.reporter.redirects {
            self.redirect(&mut inst.op, right);
        }
        let results = std::mem::take(&mut inst.results);
        let types: SmallVec<[Type; 1]> = results.iter().map(|&v| self.b.ty(v)).collect();
        inst.results = types.iter().map(|&ty| self.b.func.new_value(ty)).collect();
        let done = inst.results.to_vec();
        self.b.push_region(Vec::new());
        self.touch(&touched);
        self.b.push(inst);
        self.b.yield_(done);
        let then = self.b.pop_region();
        self.b.push_region(Vec::new());
        let single = checked.len() == 1;
        for wrong in checked {
            let Some((site, object, numbers)) = wrong.report else {
                continue;
            };
            let report = |b: &mut Builder| self.reporter.call(b, site, object, numbers);
            match single {
                true => report(&mut self.b),
                false => unless(&mut self.b, wrong.right, report),
            }
        }
        // What is beside a shadow counts as written.
        let otherwise = if quiet { -1 } else { 0 };
        let values = types.iter().map(|&ty| match ty.scalar.is_int() {
            true => self.b.const_int(ty, otherwise),
            false => self.b.zero_value(ty),
        });
        let zeros = values.collect();
        self.b.yield_(zeros);
        let otherwise = self.b.pop_region();
        self.b.define(results, Op::If(right, then, otherwise));
    }

    /// Pointers to global memory of accesses that are not done become others, since drivers look at those as well.
    fn redirect(&mut self, op: &mut Op, right: Value) {
        let b = &mut self.b;
        op.for_each_pointer_mut(|pointer| {
            let ty = b.ty(*pointer);
            if [Space::Global, Space::Constant]
                .map(Type::ptr)
                .contains(&ty)
            {
                let safe = b.insert1(Op::Sys(SysField::PrintfBuffer), Type::I64);
                let safe = b.cast(CastOp::IntToPtr, safe, ty);
                *pointer = b.select(right, *pointer, safe);
            }
        });
    }

    /// Before accesses that are inside of their objects: notes those to local and global memory.
    fn touch(&mut self, accesses: &[Touched]) {
        for &touched in accesses {
            let pointer = touched.pointer;
            let Some(known) = self.known(pointer) else {
                continue;
            };
            let (root, offset) = (self.root(pointer), self.offset(pointer));
            if self.shared.as_ref().is_some_and(|s| s.has(root)) {
                let offset = self.whole(offset);
                let id = self.b.const_int(Type::I32, known.id.into());
                if let Some(shared) = &self.shared {
                    shared.access(&mut self.b, self.reporter, (root, id), touched, offset);
                }
            }
        }
    }

    /// The check of an access of `size` bytes, which are not 0. `None` if it is right in any case, or its object not known.
    fn pointer(&mut self, pointer: Value, kind: Kind, size: u32, align: u32) -> Option<Checked> {
        let (id, bounds, known_align) = match (self.known(pointer), self.root(pointer)) {
            (Some(known), _) => {
                let id = self.b.const_int(Type::I32, known.id.into());
                (id, known.bounds, known.align)
            }
            (None, Root::Several | Root::Null) => {
                let Chosen {
                    id,
                    readable,
                    writable,
                } = self.chosen(pointer);
                (id, Bounds::Values { readable, writable }, 1)
            }
            _ => return self.search(pointer, kind, size, align),
        };
        let offset = self.offset(pointer);
        let Type { scalar, .. } = self.b.ty(pointer);
        let space = match scalar {
            crate::ir::Scalar::Ptr(space) => space,
            _ => return None,
        };
        let address = matches!(space, Space::Global | Space::Constant);
        let size64 = u64::from(size);
        // The address is a multiple of it, if it is in the object.
        let aligned = align <= 1
            || (offset.value.is_none()
                && align <= known_align
                && offset.plus.rem_euclid(align.into()) == 0);
        let mut right = match bounds {
            Bounds::Constant { readable, writable } => {
                let last = limit(kind, readable, writable).checked_sub(size64);
                match (last, offset.value) {
                    (Some(last), None) if (0..=last as i64).contains(&offset.plus) && aligned => {
                        return None;
                    }
                    (Some(last), _) => {
                        let at = self.whole(offset);
                        let last = self.b.const_int(Type::I64, last as i64);
                        self.b.compare(CmpOp::Ule, at, last)
                    }
                    (None, _) => self.b.const_bool(false),
                }
            }
            Bounds::Values { readable, writable } => {
                let limit = limit(kind, readable, writable);
                let at = self.whole(offset);
                let inside = self.b.compare(CmpOp::Ult, at, limit);
                let rest = self.b.binary(BinOp::Sub, limit, at);
                let size = self.b.const_int(Type::I64, size.into());
                let fits = self.b.compare(CmpOp::Uge, rest, size);
                self.b.binary(BinOp::And, inside, fits)
            }
        };
        let zero = self.b.const_int(Type::I64, 0);
        let at = match address {
            true => self.b.cast(CastOp::PtrToInt, pointer, Type::I64),
            false => zero,
        };
        if !aligned {
            let place = match address {
                true => at,
                false => self.whole(offset),
            };
            let mask = self.b.const_int(Type::I64, i64::from(align) - 1);
            let low = self.b.binary(BinOp::And, place, mask);
            let even = self.b.compare(CmpOp::Eq, low, zero);
            right = self.b.binary(BinOp::And, right, even);
        }
        let offset = self.whole(offset);
        let quiet = self.b.loc == QUIET;
        let site = (!quiet).then(|| self.reporter.site(kind, size, align));
        let numbers = [offset, at];
        Some(Checked {
            right,
            report: site.map(|site| (site, id, numbers)),
        })
    }

    /// The check of an access through a pointer into global memory whose object is not known: it is searched among all that the
    /// launch may use.
    fn search(&mut self, pointer: Value, kind: Kind, size: u32, align: u32) -> Option<Checked> {
        let global = [Space::Global, Space::Constant].map(Type::ptr);
        // Images and pipes find their own places.
        if !global.contains(&self.b.ty(pointer)) || self.reporter.in_library() {
            return None;
        }
        let site = self.reporter.site(kind, size, align);
        let address = self.b.cast(CastOp::PtrToInt, pointer, Type::I64);
        let right = self
            .reporter
            .search(&mut self.b, site, address, size, align, kind);
        Some(Checked {
            right,
            report: None,
        })
    }
}

/// What a load or store is to other work-items: volatile ones are atomic in all that programs do with them, such as loops that end with an
/// exchange.
fn relaxed(volatile: bool, kind: Kind) -> Kind {
    match volatile {
        true => Kind::Atomic,
        false => kind,
    }
}

/// Bytes that a load or store of a type touches: the fourth lane of three is not.
fn accessed(ty: Type) -> u32 {
    ty.scalar.size() * u32::from(ty.lanes)
}

/// Does something where a condition is false.
pub fn unless(b: &mut Builder, condition: Value, wrong: impl FnOnce(&mut Builder)) {
    let right = b.yielding(|_| Vec::new());
    let wrong = b.yielding(|b| {
        wrong(b);
        Vec::new()
    });
    b.define(smallvec![], Op::If(condition, right, wrong));
}

/// The bound that an access has.
fn limit<T>(kind: Kind, readable: T, writable: T) -> T {
    match kind {
        Kind::Load => readable,
        _ => writable,
    }
}
