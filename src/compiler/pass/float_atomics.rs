//! Float atomics by compare-exchange: those that compute, and all of 16 bits, which lie in a word
//! of integers beside other things.

use crate::compiler::ir::builder::Builder;
use crate::compiler::ir::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, Op, Order, Scalar, Scope, Type, UnOp, Value,
};

/// The integer in memory that a float is, or is a part of.
#[derive(Clone, Copy)]
pub struct Word {
    pub addr: Addr,
    pub ty: Type,
    /// Bits in front of a part, of the word's type.
    pub shift: Option<Value>,
}

impl Word {
    /// A float that has the word for itself.
    pub fn whole(addr: Addr, float: Type) -> Word {
        Word {
            addr,
            ty: Type::scalar(Scalar::int(float.scalar.bits())),
            shift: None,
        }
    }

    /// The float of type `ty` in the bits of the word.
    fn get(&self, b: &mut Builder, bits: Value, ty: Type) -> Value {
        let Some(shift) = self.shift else {
            return b.bitcast(bits, ty);
        };
        let low = b.binary(BinOp::LShr, bits, shift);
        let int = Type::scalar(Scalar::int(ty.scalar.bits()));
        let part = b.cast(CastOp::Trunc, low, int);
        b.bitcast(part, ty)
    }

    /// The bits of the word with the float in them.
    fn set(&self, b: &mut Builder, bits: Value, float: Value) -> Value {
        let Some(shift) = self.shift else {
            return b.bitcast(float, self.ty);
        };
        let width = b.ty(float).scalar.bits();
        let part = b.bitcast(float, Type::scalar(Scalar::int(width)));
        let part = b.cast(CastOp::ZExt, part, self.ty);
        let part = b.binary(BinOp::Shl, part, shift);
        let mask = b.const_bits(self.ty, (1u64 << width) - 1);
        let mask = b.binary(BinOp::Shl, mask, shift);
        let others = b.unary(UnOp::Not, mask);
        let others = b.binary(BinOp::And, bits, others);
        b.binary(BinOp::Or, others, part)
    }

    /// An atomic load of the float.
    pub fn load(&self, b: &mut Builder, ty: Type, order: Order, scope: Scope) -> Value {
        let bits = b.atomic(AtomicOp::Load, self.addr, Vec::new(), self.ty, order, scope);
        self.get(b, bits, ty)
    }

    /// `store`, `xchg`, `fadd`, `fmin` or `fmax` of `value`: tried until no other came between.
    /// Gives the float that was there.
    pub fn by_compare_exchange(
        &self,
        b: &mut Builder,
        op: AtomicOp,
        value: Value,
        order: Order,
        scope: Scope,
    ) -> Value {
        let (addr, int, ty) = (self.addr, self.ty, b.ty(value));
        let start = b.atomic(AtomicOp::Load, addr, Vec::new(), int, Order::Relaxed, scope);
        let result = b.loop_(vec![start], &[int], |b, params| {
            let old = params[0];
            let mut combine = |op| {
                let float = self.get(b, old, ty);
                b.binary(op, float, value)
            };
            let new = match op {
                AtomicOp::FAdd => combine(BinOp::FAdd),
                AtomicOp::FMin => combine(BinOp::FMin),
                AtomicOp::FMax => combine(BinOp::FMax),
                _ => value,
            };
            let new = self.set(b, old, new);
            let seen = b.atomic(AtomicOp::CmpXchg, addr, vec![old, new], int, order, scope);
            let done = b.compare(CmpOp::Eq, seen, old);
            let stop = b.region(Vec::new(), |b| b.break_(vec![seen]));
            let again = b.yielding(|_| Vec::new());
            b.insert(Op::If(done, stop, again), &[]);
            b.continue_(vec![seen]);
        });
        self.get(b, result[0], ty)
    }
}
