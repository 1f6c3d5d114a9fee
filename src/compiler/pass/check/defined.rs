//! Reads of private memory that was never written.
//!
//! Algorithm: beside each private object whose address goes nowhere but to accesses lies a shadow of the same size, zeros at first,
//! into which each store stores ones, and each copy copies. A load whose shadow is not all ones is reported and gives zeros. Of what
//! becomes a value the shadow becomes one, too, and is a constant where the program cannot be wrong.
//!
//! A vector that is read only to replace lanes of it is not a read.

use rustc_hash::{FxHashMap, FxHashSet};

use super::access::unless;
use super::report::{LIBRARY, QUIET, Reporter};
use crate::check::{Kind, NO_OBJECT, Object};
use crate::ir::builder::Builder;
use crate::ir::util::{rewrite, walk};
use crate::ir::{Addr, BinOp, CastOp, CmpOp, Function, Inst, Op, Scalar, Type, Unroll, Value};
use crate::kernel::ArgAddress;

/// Bytes of the largest object that has a shadow: some drivers end loops of more rounds.
const LARGEST: u32 = 16 << 10;
/// Bytes that are filled without a loop.
const SMALL: u32 = 64;

pub fn run(func: &mut Function, reporter: &mut Reporter) {
    let objects = tracked(func);
    if objects.is_empty() {
        return;
    }
    let partial = only_replaced(func);
    let mut shadows = Shadows {
        objects,
        numbers: FxHashMap::default(),
        of: FxHashMap::default(),
    };
    reporter.begin();
    rewrite(func, |b, inst| {
        reporter.at(inst.loc);
        shadows.inst(b, inst, &partial, reporter)
    });
}

/// The objects whose addresses only accesses use, and pointers into them with their objects.
fn tracked(func: &Function) -> FxHashMap<Value, Value> {
    let mut objects: FxHashMap<Value, Value> = FxHashMap::default();
    let mut escaped: FxHashSet<Value> = FxHashSet::default();
    let Some(body) = &func.body else {
        return objects;
    };
    walk(body, &mut |inst| {
        let escape = |v: Value, escaped: &mut FxHashSet<Value>| {
            if let Some(&object) = objects.get(&v) {
                escaped.insert(object);
            }
        };
        match &inst.op {
            Op::Alloca { size, .. } if inst.loc != LIBRARY && *size <= LARGEST => {
                objects.insert(inst.results[0], inst.results[0]);
            }
            Op::PtrAdd(base, _) | Op::Cast(CastOp::SpaceCast, base) => {
                if let Some(&object) = objects.get(base) {
                    objects.insert(inst.results[0], object);
                }
            }
            Op::Load { .. } | Op::Copy { .. } | Op::Zero { .. } | Op::Compare(..) => {}
            Op::Store { value, .. } => escape(*value, &mut escaped),
            Op::Atomic { args, .. } => args.iter().for_each(|&v| escape(v, &mut escaped)),
            op => op.for_each_operand(|v| escape(v, &mut escaped)),
        }
    });
    objects.retain(|_, object| !escaped.contains(object));
    objects
}

/// The loaded vectors that are only used to replace lanes.
fn only_replaced(func: &Function) -> FxHashSet<Value> {
    let mut loaded = FxHashSet::default();
    let Some(body) = &func.body else {
        return loaded;
    };
    walk(body, &mut |inst| {
        if let Op::Load { .. } = inst.op
            && func.ty(inst.results[0]).lanes > 1
        {
            loaded.insert(inst.results[0]);
        }
    });
    walk(body, &mut |inst| match &inst.op {
        Op::Insert(_, scalar, _) => {
            loaded.remove(scalar);
        }
        Op::InsertDyn(_, scalar, lane) => {
            loaded.remove(scalar);
            loaded.remove(lane);
        }
        Op::Shuffle(a, b, lanes) => {
            // Some lanes of the old value stay where they are, others are new ones.
            let count = func.ty(*a).lanes;
            let kept = lanes.len() == usize::from(count)
                && (lanes.iter().enumerate())
                    .all(|(i, &l)| usize::from(l) == i || (l >= count && l != u8::MAX));
            if !kept {
                loaded.remove(a);
            }
            loaded.remove(b);
        }
        op => op.for_each_operand(|v| {
            loaded.remove(&v);
        }),
    });
    loaded
}

struct Shadows {
    /// By pointer.
    objects: FxHashMap<Value, Value>,
    /// By object: its number for reports.
    numbers: FxHashMap<Value, u32>,
    /// By pointer, the one into the shadow.
    of: FxHashMap<Value, Value>,
}

impl Shadows {
    fn inst(
        &mut self,
        b: &mut Builder,
        inst: Inst,
        partial: &FxHashSet<Value>,
        reporter: &mut Reporter,
    ) -> Vec<Value> {
        let (op, loc) = (inst.op.without_regions(), inst.loc);
        let result = inst.results.first().copied();
        b.push(inst);
        b.loc = QUIET;
        match op {
            Op::Alloca { size, align } => {
                if let Some(object) = result.filter(|v| self.objects.contains_key(v)) {
                    let shadow = b.alloca(size, align.max(4));
                    match zeros(size) {
                        Some(ty) => {
                            let zero = b.zero_value(ty);
                            b.store(shadow, zero, align.min(ty.size()));
                        }
                        None => b.zero(shadow, size, 1),
                    }
                    self.of.insert(object, shadow);
                    let number = reporter.object(Object {
                        name: String::new(),
                        place: loc,
                        space: ArgAddress::Private,
                        arg: None,
                        readable: size.into(),
                        writable: size.into(),
                    });
                    self.numbers.insert(object, number);
                }
            }
            Op::PtrAdd(base, bytes) => {
                if let (Some(&shadow), Some(pointer)) = (self.of.get(&base), result) {
                    let moved = b.ptradd(shadow, bytes);
                    self.of.insert(pointer, moved);
                }
            }
            Op::Cast(CastOp::SpaceCast, base) => {
                if let (Some(&shadow), Some(pointer)) = (self.of.get(&base), result) {
                    self.of.insert(pointer, shadow);
                }
            }
            Op::Store {
                addr: Addr::Ptr(to),
                value,
                align,
                ..
            } => {
                if let Some(&shadow) = self.of.get(&to) {
                    let ty = bits(b.ty(value));
                    let ones = b.const_int(ty, -1);
                    b.store(shadow, ones, align);
                }
            }
            Op::Load {
                addr: Addr::Ptr(from),
                align,
                ..
            } => {
                if let (Some(&shadow), Some(value)) = (self.of.get(&from), result) {
                    let ty = bits(b.ty(value));
                    let seen = b.load(shadow, ty, align);
                    if partial.contains(&value) {
                        return Vec::new();
                    }
                    let ones = b.const_int(ty, -1);
                    let equal = b.compare(CmpOp::Eq, seen, ones);
                    let defined = b.all(equal);
                    let object = self.objects.get(&from);
                    let known = object.and_then(|object| self.numbers.get(object));
                    let number = known.copied().unwrap_or(NO_OBJECT);
                    let site = reporter.site(Kind::Undefined, bits(ty).size(), 0);
                    unless(b, defined, |b| {
                        let zero = b.const_int(Type::I64, 0);
                        let number = b.const_int(Type::I32, number.into());
                        reporter.call(b, site, number, [zero; 2]);
                    });
                    let zeros = b.zero_value(b.ty(value));
                    return vec![b.select(defined, value, zeros)];
                }
            }
            Op::Atomic {
                addr: Addr::Ptr(p), ..
            } => {
                if let (Some(&shadow), Some(value)) = (self.of.get(&p), result) {
                    fill(b, shadow, b.ty(value).size(), 1);
                }
            }
            Op::Copy {
                to,
                from,
                size,
                align,
            } => match (self.of.get(&to), self.of.get(&from)) {
                (Some(&to), Some(&from)) => b.copy(to, from, size, align),
                (Some(&to), None) => fill(b, to, size, align),
                _ => {}
            },
            Op::Zero { to, size, align } => {
                if let Some(&shadow) = self.of.get(&to) {
                    fill(b, shadow, size, align);
                }
            }
            _ => {}
        }
        Vec::new()
    }
}

/// The integer type with the bits of this one in memory.
fn bits(ty: Type) -> Type {
    Type::vector(Scalar::int(8 * ty.scalar.size()), ty.lanes)
}

/// A type of so many bytes, if there is one: a variable of it becomes a value.
fn zeros(size: u32) -> Option<Type> {
    Some(match size {
        1 => Type::I8,
        2 => Type::I16,
        4 => Type::I32,
        8 => Type::I64,
        16 | 32 | 64 => Type::vector(Scalar::I32, (size / 4) as u8),
        _ => return None,
    })
}

/// Stores ones to bytes of a shadow.
fn fill(b: &mut Builder, to: Value, size: u32, align: u32) {
    let ty = match align >= 4 && size.is_multiple_of(4) {
        true => Type::I32,
        false => Type::I8,
    };
    let step = ty.size();
    let ones = b.const_int(ty, -1);
    if size / step <= SMALL / 4 {
        for at in (0..size).step_by(step as usize) {
            let place = b.ptradd_const(to, at.into());
            b.store(place, ones, step);
        }
        return;
    }
    let start = b.const_int(Type::I64, 0);
    let end = b.const_int(Type::I64, size.into());
    let param = b.func.new_value(Type::I64);
    b.push_region(vec![param]);
    let place = b.ptradd(to, param);
    b.store(place, ones, step);
    let step = b.const_int(Type::I64, step.into());
    let next = b.binary(BinOp::Add, param, step);
    let more = b.compare(CmpOp::Ult, next, end);
    b.if_then(more, |b| b.continue_(vec![next]));
    b.break_(Vec::new());
    let body = b.pop_region();
    b.insert0(Op::Loop {
        init: vec![start],
        body,
        unroll: Unroll::Never,
    });
}
