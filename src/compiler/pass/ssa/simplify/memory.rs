//! Address arithmetic, and loads of what was just loaded or stored, or of constants.
//!
//! Each space has a list of the writes into it; what is known about an address counts as long
//! as no later write of its space may have changed it.

use super::{Rule, Simplifier, Step};
use crate::ir::{Addr, BinOp, Bits, CastOp, FastMath, Op, Space, Type, Value, Values, eval};
use crate::pass::ssa::alias::{Place, space_of};
use crate::pass::ssa::scoped::ScopedMap;

/// Later writes that are compared with a place: what is further back is not known any more.
const MAX_WRITES: usize = 64;

pub(super) struct Memory {
    /// The value at an address, and how many writes there were when it was there.
    known: ScopedMap<(Addr, Type), (Value, usize)>,
    /// By space; the generic one has all. `None`: anywhere.
    writes: [Vec<Option<Place>>; 5],
}

/// Whether none of these writes may change what is there.
fn is_left_alone(place: &Place, writes: &[Option<Place>]) -> bool {
    let apart = |w: &Option<Place>| w.is_some_and(|w| !w.may_overlap(place));
    writes.len() <= MAX_WRITES && writes.iter().rev().all(apart)
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory {
            known: ScopedMap::new(),
            writes: Default::default(),
        }
    }

    /// Something at a place, or anywhere.
    fn written(&mut self, space: Space, place: Option<Place>) {
        match space {
            Space::Constant => {}
            Space::Generic => {
                self.written_to(&[Space::Private, Space::Local, Space::Global], place)
            }
            space => self.written_to(&[space], place),
        }
    }

    fn written_to(&mut self, spaces: &[Space], place: Option<Place>) {
        for &space in spaces.iter().chain(&[Space::Generic]) {
            self.writes[space as usize].push(place);
        }
    }

    /// Code that is not looked at may have written anything.
    pub(super) fn forget(&mut self) {
        self.written(Space::Generic, None);
    }

    pub(super) fn open(&self) -> usize {
        self.known.open()
    }

    pub(super) fn close(&mut self, scope: usize) {
        self.known.close(scope);
    }
}

impl Simplifier<'_> {
    pub(super) fn ptradd(&mut self, p: Value, offset: Value, ty: Type) -> Rule {
        if self.bits(offset) == Some(0) {
            return Some(Step::Value(p));
        }
        // The conversion of space goes outwards, to the access, which drops it.
        if let Some(base) = self.cast(p, CastOp::SpaceCast) {
            let moved = self.emit(Op::PtrAdd(base, offset), self.ty(base));
            return Some(Step::Op(Op::Cast(CastOp::SpaceCast, moved)));
        }
        let wide = self.ty(offset) == Type::I64;
        // Constants go outwards, where they meet.
        if let Some(&Op::PtrAdd(base, inner)) = self.def(p)
            && let Some(c) = self.offset(inner)
        {
            if let Some(outer) = self.offset(offset) {
                let sum = self.constant(Type::I64, outer.wrapping_add(c) as u64);
                return Some(Step::Op(Op::PtrAdd(base, sum)));
            }
            if self.single_use(p) {
                let moved = self.emit(Op::PtrAdd(base, offset), ty);
                return Some(Step::Op(Op::PtrAdd(moved, inner)));
            }
        }
        if wide && let Some((x, c)) = self.binary_const(offset, BinOp::Add) {
            let moved = self.emit(Op::PtrAdd(p, x), ty);
            let c = self.constant(Type::I64, c);
            return Some(Step::Op(Op::PtrAdd(moved, c)));
        }
        None
    }

    /// A constant offset.
    fn offset(&self, v: Value) -> Option<i64> {
        let bits = self.bits(v)?;
        Some(eval::signed(self.ty(v).scalar, bits))
    }

    /// Loads, stores and everything else with an effect, and objects.
    pub(super) fn memory_op(&mut self, mut op: Op, results: Values) {
        self.strip_space_casts(&mut op);
        match op {
            Op::Load {
                addr,
                volatile: false,
                ..
            } => {
                let ty = self.ty(results[0]);
                if let Some(v) = self.table_entry(addr, ty) {
                    self.replace(results[0], v);
                    return;
                }
                let place = Place::new(addr, ty, self.b.func, &self.defs);
                let Memory { known, writes } = &mut self.memory;
                let writes = &writes[space_of(addr, self.b.func) as usize];
                let counts = |(_, at): (Value, usize)| is_left_alone(&place, &writes[at..]);
                match known.find((addr, ty), counts) {
                    Ok((v, _)) => {
                        self.replace(results[0], v);
                        return;
                    }
                    Err(place) => place.fill((results[0], writes.len())),
                }
            }
            // What is there is as good as any value.
            Op::Store {
                value,
                volatile: false,
                ..
            } if self.is_undef(value) => {
                return;
            }
            Op::Store {
                addr,
                value,
                volatile,
                ..
            } => {
                let ty = self.ty(value);
                let space = space_of(addr, self.b.func);
                let place = Place::new(addr, ty, self.b.func, &self.defs);
                self.memory.written(space, Some(place));
                if !volatile {
                    let writes = self.memory.writes[space as usize].len();
                    self.memory.known.insert((addr, ty), (value, writes));
                }
            }
            Op::Copy { to, .. } | Op::Zero { to, .. } => {
                let space = space_of(Addr::Ptr(to), self.b.func);
                self.memory.written(space, None);
            }
            // Others see and are seen at these: memory that is shared may change.
            Op::Atomic { .. } | Op::Fence { .. } | Op::Barrier { .. } => {
                self.memory.written_to(&[Space::Local, Space::Global], None);
            }
            Op::Call { .. } => self.memory.forget(),
            Op::Alloca { .. } => self.note(results[0], op.clone(), FastMath::default()),
            _ => {}
        }
        self.b.define(results, op);
    }

    /// What a constant variable holds at a constant offset.
    fn table_entry(&mut self, addr: Addr, ty: Type) -> Option<Value> {
        let Addr::Ptr(p) = addr else { return None };
        let (base, offset) = match *self.def(p)? {
            Op::PtrAdd(base, offset) => (base, u64::try_from(self.offset(offset)?).ok()?),
            _ => (p, 0),
        };
        let Op::GlobalAddr(g) = *self.def(base)? else {
            return None;
        };
        let global = &self.globals[g.index()];
        if global.space != Space::Constant || !global.defined || !global.relocs.is_empty() {
            return None;
        }
        if !ty.scalar.is_int() && !ty.scalar.is_float() {
            return None;
        }
        let size = ty.scalar.bits() as usize / 8;
        let len = size * usize::from(ty.lanes);
        let end = offset.checked_add(len as u64)?;
        let init = global.init.as_ref().filter(|_| end <= global.size.into())?;
        let bytes = init.get(offset, len);
        let bits: Vec<Bits> = bytes.chunks(size).map(little_endian).collect();
        let scalar = Type::scalar(ty.scalar);
        let lanes: Vec<Value> = bits.iter().map(|&b| self.constant(scalar, b)).collect();
        match lanes[..] {
            [one] => Some(one),
            _ => Some(self.emit(Op::Construct(lanes), ty)),
        }
    }

    /// Lets an access through a generic pointer use the pointer that it was made from.
    fn strip_space_casts(&mut self, op: &mut Op) {
        op.for_each_pointer_mut(|v| {
            while let Some(from) = self.cast(*v, CastOp::SpaceCast) {
                *v = from;
            }
        });
    }
}

fn little_endian(bytes: &[u8]) -> Bits {
    let shift = |bits, byte: &u8| bits << 8 | Bits::from(*byte);
    bytes.iter().rev().fold(0, shift)
}
