//! Masks and extensions that another mask makes needless: `((a & 255) + b) & 255`.

use super::Simplifier;
use crate::ir::builder::mask;
use crate::ir::{BinOp, Bits, CastOp, Op, UnOp, Value};

/// Operations inside each other.
const MAX_OPERATIONS: u32 = 8;

impl Simplifier<'_> {
    /// A value that has the same bits in `low`, the lowest ones, without masks on the way, if there are such masks.
    pub(super) fn without_masks(&mut self, v: Value, low: Bits) -> Option<Value> {
        self.low_part(v, low, MAX_OPERATIONS)
    }

    fn low_part(&mut self, v: Value, low: Bits, most: u32) -> Option<Value> {
        use BinOp::*;
        let ty = self.ty(v);
        let op = self.def(v)?.clone();
        if let Some(x) = self.unmasked(&op, low).filter(|&x| self.ty(x) == ty) {
            return Some(self.low_part(x, low, most).unwrap_or(x));
        }
        if most == 0 || !self.is_part(v) {
            return None;
        }
        let both = |s: &mut Self, x, y| {
            let parts = (s.low_part(x, low, most - 1), s.low_part(y, low, most - 1));
            match parts {
                (None, None) => None,
                (a, b) => Some((a.unwrap_or(x), b.unwrap_or(y))),
            }
        };
        let new = match op {
            Op::Binary(op @ (And | Or | Xor | Add | Sub | Mul), x, y) => {
                let (x, y) = both(self, x, y)?;
                Op::Binary(op, x, y)
            }
            Op::Select(c, x, y) => {
                let (x, y) = both(self, x, y)?;
                Op::Select(c, x, y)
            }
            Op::Binary(Shl, x, by) => {
                let amount = self.bits(by).filter(|&by| by < ty.scalar.bits().into())?;
                Op::Binary(Shl, self.low_part(x, low >> amount, most - 1)?, by)
            }
            Op::Unary(op @ (UnOp::Neg | UnOp::Not), x) => {
                Op::Unary(op, self.low_part(x, low, most - 1)?)
            }
            _ => return None,
        };
        Some(self.emit(new, ty))
    }

    /// What a mask or an extension is of, if it changes no bit of `low`.
    fn unmasked(&self, op: &Op, low: Bits) -> Option<Value> {
        match *op {
            Op::Binary(BinOp::And, x, c) => {
                let zeros = match self.binary_const(x, BinOp::Shl) {
                    Some((_, by)) if by < u64::from(self.ty(x).scalar.bits()) => (1 << by) - 1,
                    _ => 0,
                };
                ((self.bits(c)? | zeros) & low == low).then_some(x)
            }
            Op::Cast(CastOp::SExt | CastOp::ZExt, narrow) => {
                let x = self.cast(narrow, CastOp::Trunc)?;
                let kept = mask(self.ty(narrow).scalar.bits());
                (kept & low == low).then_some(x)
            }
            Op::Binary(BinOp::AShr, shifted, by) => {
                let (x, up) = self.binary_const(shifted, BinOp::Shl)?;
                let bits = u64::from(self.ty(x).scalar.bits());
                let extends = self.bits(by) == Some(up) && up < bits;
                (extends && mask((bits - up) as u32) & low == low).then_some(x)
            }
            _ => None,
        }
    }
}
