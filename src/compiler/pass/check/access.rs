//! Checks of accesses through pointers.
//!
//! In front of an access the offset in the object is compared with the object's bounds, of an argument those that the launch gives, and the
//! address with the access's alignment. What is wrong is reported and not done: a load then gives zeros. Where constants show that
//! all is right, there is no code.

use smallvec::{SmallVec, smallvec};

use super::instrument::{Bounds, Chosen, Instrument};
use super::report::QUIET;
use super::roots::Root;
use crate::check::{Kind, race};
use crate::ir::builder::Builder;
use crate::ir::{Addr, AtomicOp, BinOp, CastOp, CmpOp, Inst, Op, Space, Type, Value};
use crate::kernel::SysField;

/// An access through a pointer.
#[derive(Clone, Copy)]
pub struct Touched {
    pub pointer: Value,
    /// What it does, as the words of shadows say it ([`race`]).
    pub deed: u32,
    /// Bytes.
    pub size: u32,
    /// What it reads must have been written. Copies may take along what is between members.
    pub reads: bool,
    /// What it stores, if that is a value.
    pub stored: Option<Value>,
}

impl Touched {
    /// An access that moves bytes, whatever they are.
    fn bytes(pointer: Value, deed: u32, size: u32) -> Touched {
        Touched {
            pointer,
            deed,
            size,
            reads: false,
            stored: None,
        }
    }

    pub fn kind(&self) -> Kind {
        match self.deed {
            race::READ => Kind::Load,
            race::WRITTEN => Kind::Store,
            _ => Kind::Atomic,
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

impl Instrument<'_, '_> {
    /// An access, behind its checks. Volatile ones are atomic in all that programs do with them, such as loops that end with an exchange.
    pub(super) fn access(&mut self, mut inst: Inst) {
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
                    deed: match volatile {
                        true => race::ATOMICALLY_READ,
                        false => race::READ,
                    },
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
                    deed: match volatile {
                        true => race::CHANGED,
                        false => race::WRITTEN,
                    },
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
                    deed: match op {
                        AtomicOp::Load | AtomicOp::CmpXchg => race::ATOMICALLY_READ,
                        _ => race::CHANGED,
                    },
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
                touched.push(Touched::bytes(*from, race::READ, *size));
                touched.push(Touched::bytes(*to, race::WRITTEN, *size));
                checked.extend(self.pointer(*from, Kind::Load, *size, *align));
                checked.extend(self.pointer(*to, Kind::Store, *size, *align));
            }
            Op::Zero { to, size, align } => {
                touched.push(Touched::bytes(*to, race::WRITTEN, *size));
                checked.extend(self.pointer(*to, Kind::Store, *size, *align));
            }
            _ => {}
        }
        let Some(first) = checked.first() else {
            return self.perform(inst, &touched);
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
        self.perform(inst, &touched);
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

    /// An access that is inside of its objects, beside notes of what it does.
    fn perform(&mut self, inst: Inst, touched: &[Touched]) {
        self.touch(touched);
        let exchange = match (&inst.op, &inst.results[..]) {
            (
                Op::Atomic {
                    op: AtomicOp::CmpXchg,
                    args,
                    ..
                },
                &[old],
            ) => Some((old, args[0])),
            _ => None,
        };
        self.b.push(inst);
        if let Some((old, expected)) = exchange {
            let changes = |&access: &Touched| Touched {
                deed: race::CHANGED,
                reads: false,
                ..access
            };
            let changed: SmallVec<[Touched; 2]> = touched.iter().map(changes).collect();
            let equal = self.b.compare(CmpOp::Eq, old, expected);
            self.b.push_region(Vec::new());
            self.touch(&changed);
            self.b.yield_(Vec::new());
            let then = self.b.pop_region();
            let otherwise = self.b.yielding(|_| Vec::new());
            self.b.insert0(Op::If(equal, then, otherwise));
        }
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
            (Some(known), _) if known.is_pipe => return None,
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
