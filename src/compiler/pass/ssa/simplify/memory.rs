//! Address arithmetic, and loads of what was just loaded or stored, or of constants.
//!
//! Each space has a count of the writes into it; what is known about an address counts as long
//! as its space's count stands.

use super::{Rule, Simplifier, Step};
use crate::ir::{Addr, BinOp, Bits, CastOp, Op, Scalar, Space, Type, Value, Values, eval};
use crate::pass::ssa::scoped::ScopedMap;

pub(super) struct Memory {
    /// The value at an address, and the count of writes when it was there.
    known: ScopedMap<(Addr, Type), (Value, u32)>,
    /// By space; the generic one counts all writes.
    writes: [u32; 5],
}

impl Memory {
    pub(super) fn new() -> Memory {
        Memory {
            known: ScopedMap::new(),
            writes: [0; 5],
        }
    }

    fn written(&mut self, space: Space) {
        match space {
            Space::Constant => {}
            Space::Generic => self.written_to(&[Space::Private, Space::Local, Space::Global]),
            space => self.written_to(&[space]),
        }
    }

    fn written_to(&mut self, spaces: &[Space]) {
        for &space in spaces.iter().chain(&[Space::Generic]) {
            self.writes[space as usize] += 1;
        }
    }

    /// Code that is not looked at may have written anything.
    pub(super) fn forget(&mut self) {
        self.written(Space::Generic);
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
                let space = self.space(addr) as usize;
                let writes = self.memory.writes[space];
                match self
                    .memory
                    .known
                    .find((addr, ty), |known| known.1 == writes)
                {
                    Ok((v, _)) => {
                        self.replace(results[0], v);
                        return;
                    }
                    Err(place) => place.fill((results[0], writes)),
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
                let space = self.space(addr);
                self.memory.written(space);
                if !volatile {
                    let writes = self.memory.writes[space as usize];
                    let key = (addr, self.ty(value));
                    self.memory.known.insert(key, (value, writes));
                }
            }
            Op::Copy { to, .. } | Op::Zero { to, .. } => {
                let space = self.space(Addr::Ptr(to));
                self.memory.written(space);
            }
            // Others see and are seen at these: memory that is shared may change.
            Op::Atomic { .. } | Op::Fence { .. } | Op::Barrier { .. } => {
                self.memory.written_to(&[Space::Local, Space::Global]);
            }
            Op::Call(..) => self.memory.forget(),
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

    fn space(&self, addr: Addr) -> Space {
        match addr {
            Addr::Ptr(v) => match self.ty(v).scalar {
                Scalar::Ptr(space) => space,
                _ => Space::Generic,
            },
            Addr::Device(_) => Space::Global,
            Addr::Scratch(_) => Space::Private,
            Addr::Object(o, _) => self.b.func.objects[o.index()].space,
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
