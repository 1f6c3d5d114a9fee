//! Loops over bytes of memory, where their number is known only when they run.

use super::builder::Builder;
use super::{BinOp, CmpOp, Scalar, Type, Value};

impl Builder<'_> {
    /// Copies `size` bytes, an integer, between objects that do not overlap.
    pub fn copy_bytes(&mut self, to: Value, from: Value, size: Value) {
        let size = self.int_resize(size, Scalar::I64, false);
        self.for_bytes(size, |b, i| b.copy_byte(to, from, i));
    }

    /// The same between places that may overlap: from the end if `backward`.
    pub fn move_bytes(&mut self, to: Value, from: Value, size: Value, backward: Value) {
        let size = self.int_resize(size, Scalar::I64, false);
        let last = self.add_const(size, -1);
        self.for_bytes(size, |b, i| {
            let mirrored = b.binary(BinOp::Sub, last, i);
            let i = b.select(backward, mirrored, i);
            b.copy_byte(to, from, i);
        });
    }

    /// Stores `byte` to `size` bytes.
    pub fn set_bytes(&mut self, to: Value, byte: Value, size: Value) {
        let size = self.int_resize(size, Scalar::I64, false);
        self.for_bytes(size, |b, i| {
            let to = b.ptradd(to, i);
            b.store(to, byte, 1);
        });
    }

    fn copy_byte(&mut self, to: Value, from: Value, i: Value) {
        let (to, from) = (self.ptradd(to, i), self.ptradd(from, i));
        let byte = self.load(from, Type::I8, 1);
        self.store(to, byte, 1);
    }

    /// A loop over the offsets below `size`, an i64.
    fn for_bytes(&mut self, size: Value, body: impl FnOnce(&mut Builder, Value)) {
        let zero = self.zero_value(Type::I64);
        self.loop_(vec![zero], &[], |b, params| {
            let i = params[0];
            let more = b.compare(CmpOp::Ult, i, size);
            let leave = |b: &mut Builder| {
                b.break_(Vec::new());
                Vec::new()
            };
            b.if_else(more, &[], |_| Vec::new(), leave);
            body(b, i);
            let next = b.add_const(i, 1);
            b.continue_(vec![next]);
        });
    }
}
