//! Which bytes of which private object each instruction uses.

use std::collections::BTreeSet;

use crate::ir::defs::Constants;
use crate::ir::util::walk;
use crate::ir::{Addr, BinOp, Function, Inst, Op, Region, Type, Value, eval};
use crate::pass::ssa::pun::stored_bytes;
use rustc_hash::FxHashMap;

/// A byte of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Place {
    /// Index into [`Uses::objects`].
    pub object: usize,
    pub offset: u32,
}

/// An alloca.
pub(super) struct Object {
    pub size: u32,
    /// Its address goes nowhere but to the accesses known here.
    pub known: bool,
    /// Loads and stores: offset and type.
    pub accesses: BTreeSet<(u32, Type)>,
    /// Bytes of copies and zeros: start and end. They do not make pieces, but must not cut one.
    pub ranges: BTreeSet<(u32, u32)>,
    /// The scalars that are accessed at an offset from the object's start known only at run time.
    pub lanes: BTreeSet<Type>,
}

/// A copy between two objects.
#[derive(Clone, Copy)]
pub(super) struct CopyUse {
    pub to: Place,
    pub from: Place,
    pub size: u32,
}

pub(super) struct Uses {
    pub objects: Vec<Object>,
    pub copies: Vec<CopyUse>,
    /// By address value.
    pub places: FxHashMap<Value, Place>,
    /// Addresses at a variable offset in bytes from the start of an object.
    pub variable: FxHashMap<Value, (usize, Value)>,
    /// Products: for lane indices from byte offsets.
    pub scaled: FxHashMap<Value, (Value, u64)>,
    constants: Constants,
}

impl Uses {
    pub fn find(func: &Function, body: &Region) -> Uses {
        let mut uses = Uses {
            objects: Vec::new(),
            copies: Vec::new(),
            places: FxHashMap::default(),
            variable: FxHashMap::default(),
            scaled: FxHashMap::default(),
            constants: Constants::of(func, body),
        };
        walk(body, &mut |inst| uses.inst(func, inst));
        uses
    }

    fn inst(&mut self, func: &Function, inst: &Inst) {
        match inst.op {
            Op::Binary(op @ (BinOp::Mul | BinOp::Shl), x, c) => {
                if let Some(c) = self.constant(func, c) {
                    let factor = match op {
                        BinOp::Mul => c as u64,
                        _ => 1u64.checked_shl(c as u32).unwrap_or(0),
                    };
                    self.scaled.insert(inst.results[0], (x, factor));
                }
            }
            Op::Alloca { size, .. } => {
                let object = self.objects.len();
                self.places
                    .insert(inst.results[0], Place { object, offset: 0 });
                self.objects.push(Object {
                    size,
                    known: true,
                    accesses: BTreeSet::new(),
                    ranges: BTreeSet::new(),
                    lanes: BTreeSet::new(),
                });
            }
            Op::PtrAdd(base, offset) => self.ptradd(func, inst.results[0], base, offset),
            Op::Load {
                addr: Addr::Ptr(p),
                volatile: false,
                ..
            } => self.access(p, func.ty(inst.results[0])),
            Op::Store {
                addr: Addr::Ptr(p),
                value,
                volatile: false,
                ..
            } => {
                self.escape(value);
                self.access(p, func.ty(value));
            }
            Op::Zero { to, size, .. } => {
                self.range(to, size);
            }
            Op::Copy { to, from, size, .. } => {
                if let (Some(to), Some(from)) = (self.range(to, size), self.range(from, size)) {
                    match to.object == from.object {
                        true => self.objects[to.object].known = false,
                        false => self.copies.push(CopyUse { to, from, size }),
                    }
                }
            }
            ref op => op.for_each_operand(|v| self.escape(v)),
        }
    }

    /// What an integer is, if it is a constant.
    fn constant(&self, func: &Function, v: Value) -> Option<i64> {
        let (bits, ty) = (self.constants.get(v)?, func.ty(v));
        let is_int = ty.lanes == 1 && ty.scalar.is_int();
        is_int.then(|| eval::signed(ty.scalar, bits))
    }

    fn ptradd(&mut self, func: &Function, result: Value, base: Value, offset: Value) {
        let Some(&place) = self.places.get(&base) else {
            self.escape(base);
            return;
        };
        let size = self.objects[place.object].size;
        match self.constant(func, offset) {
            Some(c) => match u32::try_from(c + place.offset as i64) {
                Ok(offset) if offset <= size => {
                    self.places.insert(result, Place { offset, ..place });
                }
                _ => self.escape(base),
            },
            None if place.offset == 0 => {
                self.variable.insert(result, (place.object, offset));
            }
            None => self.escape(base),
        }
    }

    fn access(&mut self, at: Value, ty: Type) {
        if let Some(&(object, _)) = self.variable.get(&at) {
            match ty.lanes {
                1 => self.objects[object].lanes.insert(ty),
                _ => std::mem::replace(&mut self.objects[object].known, false),
            };
        } else if let Some(place) = self.range_of(at, stored_bytes(ty)) {
            self.objects[place.object]
                .accesses
                .insert((place.offset, ty));
        }
    }

    fn range(&mut self, at: Value, size: u32) -> Option<Place> {
        if self.variable.contains_key(&at) {
            self.escape(at);
        }
        let place = self.range_of(at, size)?;
        let end = place.offset + size;
        self.objects[place.object]
            .ranges
            .insert((place.offset, end));
        Some(place)
    }

    /// The place of `size` bytes inside an object.
    fn range_of(&mut self, at: Value, size: u32) -> Option<Place> {
        let place = *self.places.get(&at)?;
        let object = &mut self.objects[place.object];
        if place.offset as u64 + size as u64 > object.size as u64 {
            object.known = false;
        }
        Some(place)
    }

    fn escape(&mut self, v: Value) {
        let object = match (self.places.get(&v), self.variable.get(&v)) {
            (Some(place), _) => place.object,
            (_, Some(&(object, _))) => object,
            _ => return,
        };
        self.objects[object].known = false;
    }
}
