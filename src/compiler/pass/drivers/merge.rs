//! Bit merges by a constant mask that the driver's compiler does not know.
//!
//! LLVM's AVX-512 backend permutes the operands of `vpternlog` wrongly when a merge of the bits of
//! two values by a constant mask is itself selected lane by lane against one of the two (seen with LLVM
//! 15 and 19 in llvmpipe: `isnan(x) ? x : copysign(y, x)` loses bits of y). There the mask becomes
//! a value that only the host knows to be that constant: `(a & C) | (b & ~C)`, also by xor or add
//! or with fabs for one half, and `a ^ ((a ^ b) & C)` become `a ^ ((a ^ b) & (C ^ z))`, where z is
//! zero: the dimensions of the range, which are at most 3, shifted.

use super::Known;
use super::opaque::opaque_constant;
use crate::ir::builder::{Builder, mask};
use crate::ir::{BinOp, Bits, CastOp, Inst, Op, Type, UnOp, Value};

pub fn rewrite(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    let &[v] = &inst.results[..] else {
        return None;
    };
    let ty = b.ty(v);
    let (a, other, bits) = Merges { known, ty }.find(&inst.op)?;
    Some(vec![merge(b, a, other, bits, ty)])
}

struct Merges<'a> {
    known: &'a Known,
    ty: Type,
}

impl Merges<'_> {
    /// Which value the bits come from, which those of the mask come from, and the mask.
    fn find(&self, op: &Op) -> Option<(Value, Value, Bits)> {
        let Op::Binary(op @ (BinOp::Or | BinOp::Xor | BinOp::Add), x, y) = *op else {
            return None;
        };
        if !self.ty.scalar.is_int() {
            return None;
        }
        if let (Some((a, kept)), Some((b, taken))) = (self.masked(x), self.masked(y))
            && kept ^ taken == mask(self.ty.scalar.bits())
        {
            return Some((a, b, taken));
        }
        if op != BinOp::Xor {
            return None;
        }
        self.exchange(x, y).or_else(|| self.exchange(y, x))
    }

    /// `a ^ ((a ^ b) & C)`
    fn exchange(&self, a: Value, difference: Value) -> Option<(Value, Value, Bits)> {
        let (both, taken) = self.masked(difference)?;
        match self.known.binary(both, BinOp::Xor)? {
            [x, y] if x == a => Some((a, y, taken)),
            [x, y] if y == a => Some((a, x, taken)),
            _ => None,
        }
    }

    /// A value and the constant mask of it.
    fn masked(&self, v: Value) -> Option<(Value, Bits)> {
        match *self.known.op(v)? {
            Op::Binary(BinOp::And, x, y) => {
                match (self.known.constant(x), self.known.constant(y)) {
                    (_, Some(bits)) => Some((x, bits)),
                    (Some(bits), _) => Some((y, bits)),
                    _ => None,
                }
            }
            // The bits of fabs are all but the sign.
            Op::Cast(CastOp::Bitcast, x) => match self.known.op(x) {
                Some(&Op::Unary(UnOp::FAbs, _)) => Some((v, mask(self.ty.scalar.bits()) >> 1)),
                _ => None,
            },
            _ => None,
        }
    }
}

fn merge(b: &mut Builder, a: Value, other: Value, bits: Bits, ty: Type) -> Value {
    let mask = opaque_constant(b, bits, ty);
    let differing = b.binary(BinOp::Xor, a, other);
    let taken = b.binary(BinOp::And, differing, mask);
    b.binary(BinOp::Xor, a, taken)
}
