//! Atomics by compare-exchange: those of floats that compute, and all of what is a part of a wider word of
//! integers: halves, and 32 bits where others of the object have 64.

use crate::ir::builder::Builder;
use crate::ir::{
    Addr, AtomicOp, BinOp, CastOp, CmpOp, Op, Order, Scalar, Scope, Type, UnOp, Value,
};

/// The integer in memory that a value is, or is a part of.
#[derive(Clone, Copy)]
pub struct Word {
    pub addr: Addr,
    pub ty: Type,
    /// Bits in front of a part, of the word's type.
    pub shift: Option<Value>,
}

impl Word {
    /// A value that has the word for itself.
    pub fn whole(addr: Addr, ty: Type) -> Word {
        Word {
            addr,
            ty: Type::scalar(Scalar::int(ty.scalar.bits())),
            shift: None,
        }
    }

    /// The value of type `ty` in the bits of the word.
    fn get(&self, b: &mut Builder, bits: Value, ty: Type) -> Value {
        let Some(shift) = self.shift else {
            return b.bitcast(bits, ty);
        };
        let low = b.binary(BinOp::LShr, bits, shift);
        let int = Type::scalar(Scalar::int(ty.scalar.bits()));
        let part = b.cast(CastOp::Trunc, low, int);
        b.bitcast(part, ty)
    }

    /// The bits of the word with the value in them.
    fn set(&self, b: &mut Builder, bits: Value, value: Value) -> Value {
        let Some(shift) = self.shift else {
            return b.bitcast(value, self.ty);
        };
        let width = b.ty(value).scalar.bits();
        let part = b.bitcast(value, Type::scalar(Scalar::int(width)));
        let part = b.cast(CastOp::ZExt, part, self.ty);
        let part = b.binary(BinOp::Shl, part, shift);
        let mask = b.const_bits(self.ty, (1u64 << width) - 1);
        let mask = b.binary(BinOp::Shl, mask, shift);
        let others = b.unary(UnOp::Not, mask);
        let others = b.binary(BinOp::And, bits, others);
        b.binary(BinOp::Or, others, part)
    }

    /// An atomic load of the value. One that is sequentially consistent is `add 0` (`pass::lower::seq_cst`).
    pub fn load(&self, b: &mut Builder, ty: Type, order: Order, scope: Scope) -> Value {
        let (op, order, args) = match order {
            Order::SeqCst => (AtomicOp::Add, Order::AcqRel, vec![b.zero_value(self.ty)]),
            _ => (AtomicOp::Load, order, Vec::new()),
        };
        let bits = b.atomic(op, self.addr, args, self.ty, order, scope);
        self.get(b, bits, ty)
    }

    /// An atomic other than `load`: tried until no other came between. Gives the value that was there.
    pub fn by_compare_exchange(
        &self,
        b: &mut Builder,
        op: AtomicOp,
        args: &[Value],
        order: Order,
        scope: Scope,
    ) -> Value {
        let (addr, int, ty) = (self.addr, self.ty, b.ty(args[0]));
        // Where a comparison fails, this may be all that the atomic does.
        let first = match op {
            AtomicOp::CmpXchg => order,
            _ => Order::Relaxed,
        };
        let start = b.atomic(AtomicOp::Load, addr, Vec::new(), int, first, scope);
        let result = b.loop_(vec![start], &[int], |b, params| {
            let old = params[0];
            let new = match (op, op.binary()) {
                (_, Some(binary)) => {
                    let value = self.get(b, old, ty);
                    b.binary(binary, value, args[0])
                }
                (AtomicOp::CmpXchg, _) => {
                    self.leave_unless_equal(b, old, args[0]);
                    args[1]
                }
                _ => args[0],
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

    /// Leaves the loop with `bits` if the value in them has not the bits of `expected`.
    fn leave_unless_equal(&self, b: &mut Builder, bits: Value, expected: Value) {
        let int = Type::scalar(Scalar::int(b.ty(expected).scalar.bits()));
        let (value, expected) = (self.get(b, bits, int), b.bitcast(expected, int));
        let differs = b.compare(CmpOp::Ne, value, expected);
        let stop = b.region(Vec::new(), |b| b.break_(vec![bits]));
        let go_on = b.yielding(|_| Vec::new());
        b.insert(Op::If(differs, stop, go_on), &[]);
    }
}
