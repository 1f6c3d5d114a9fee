//! Conversions. The main work is narrowing: work-item ids are 64 bits wide, and what is cut off
//! to 32 bits at the end is computed with 32 bits from the start.

use super::{Rule, Simplifier, Step};
use crate::ir::builder::mask;
use crate::ir::{BinOp, CastOp, Op, Scalar, Type, UnOp, Value, eval};

/// Operations behind each other that narrowing goes through.
const MAX_NARROWED: u32 = 8;

impl Simplifier<'_> {
    pub(super) fn cast_rules(&mut self, op: CastOp, a: Value, ty: Type) -> Rule {
        let from = self.ty(a);
        let cast = |op, x| Some(Step::Op(Op::Cast(op, x)));
        let inner = match self.def(a) {
            Some(&Op::Cast(inner, x)) => Some((inner, x)),
            _ => None,
        };
        match (op, inner) {
            (CastOp::Trunc, _) => {
                // Operations of narrow integers would become words again.
                let stays = self.target.mistakes_narrow_integers && ty.scalar.bits() < 32;
                let most = if stays { 0 } else { MAX_NARROWED };
                if let Some(narrow) = self.narrow(a, ty.scalar, most) {
                    return Some(Step::Value(narrow));
                }
                cast(op, self.without_masks(a, mask(ty.scalar.bits()))?)
            }
            (CastOp::ZExt, Some((CastOp::Trunc, x))) if self.ty(x) == ty => {
                let bits = self.constant(ty, mask(from.scalar.bits()));
                Some(Step::Op(Op::Binary(BinOp::And, x, bits)))
            }
            (CastOp::ZExt, Some((inner @ (CastOp::ZExt | CastOp::BoolToInt), x))) => cast(inner, x),
            (CastOp::SExt, Some((inner, x)))
                if matches!(inner, CastOp::ZExt | CastOp::SExt | CastOp::BoolToInt) =>
            {
                cast(inner, x)
            }
            // Accesses at constant distances have one address then.
            (CastOp::ZExt | CastOp::SExt, _) if ty == Type::I64 && self.target.int64 => {
                let (x, c) = self.binary_const(a, BinOp::Add)?;
                if c >> self.defs.zeros_below(x).min(31) != 0 {
                    return None;
                }
                let wide = self.emit(Op::Cast(op, x), ty);
                let c = self.constant(ty, c);
                Some(Step::Op(Op::Binary(BinOp::Add, wide, c)))
            }
            // NVIDIA's compiler gives the half 1 * 2^-24 for a vote that is converted.
            (CastOp::SiToFp | CastOp::UiToFp, Some((CastOp::BoolToInt, x))) => {
                let [one, zero] =
                    [1, 0].map(|n| eval::cast(CastOp::UiToFp, from.scalar, ty.scalar, n));
                let (one, zero) = (self.constant(ty, one), self.constant(ty, zero));
                Some(Step::Op(Op::Select(x, one, zero)))
            }
            (CastOp::SiToFp, Some((CastOp::SExt, x))) => cast(CastOp::SiToFp, x),
            (CastOp::SiToFp | CastOp::UiToFp, Some((CastOp::ZExt, x))) => cast(CastOp::UiToFp, x),
            (CastOp::FpExt, Some((CastOp::FpExt, x))) => cast(CastOp::FpExt, x),
            (CastOp::FpTrunc, Some((CastOp::FpExt, x))) if self.ty(x) == ty => Some(Step::Value(x)),
            (CastOp::FpTrunc, _) if from.scalar == Scalar::F64 && ty.scalar == Scalar::F32 => {
                Some(Step::Op(self.in_single(a, ty)?))
            }
            (CastOp::Bitcast, _) if from == ty => Some(Step::Value(a)),
            (CastOp::Bitcast, Some((CastOp::Bitcast, x))) => cast(CastOp::Bitcast, x),
            (CastOp::SpaceCast, _) if from == ty => Some(Step::Value(a)),
            (CastOp::SpaceCast, Some((CastOp::SpaceCast, x)))
            | (CastOp::PtrToInt, Some((CastOp::IntToPtr, x)))
            | (CastOp::IntToPtr, Some((CastOp::PtrToInt, x)))
                if self.ty(x) == ty =>
            {
                Some(Step::Value(x))
            }
            _ => None,
        }
    }

    /// What is computed in double from floats and rounded to float at the end, in float: sums and products, since no result in double
    /// lies so near to the middle of two floats that its own rounding could matter, and what is exact.
    /// Not quotients, which Vulkan does not round correctly in float.
    fn in_single(&mut self, v: Value, ty: Type) -> Option<Op> {
        use BinOp::*;
        match *self.def(v)? {
            Op::Unary(
                op @ (UnOp::FNeg
                | UnOp::FAbs
                | UnOp::Floor
                | UnOp::Ceil
                | UnOp::FTrunc
                | UnOp::Rint),
                x,
            ) => Some(Op::Unary(op, self.single(x, ty)?)),
            Op::Binary(op @ (FAdd | FSub | FMul | FMin | FMax), x, y) => {
                let (x, y) = (self.single(x, ty)?, self.single(y, ty)?);
                Some(Op::Binary(op, x, y))
            }
            Op::Select(c, x, y) => {
                let (x, y) = (self.single(x, ty)?, self.single(y, ty)?);
                Some(Op::Select(c, x, y))
            }
            _ => None,
        }
    }

    /// A double that is known to be a float, as a float. Not a constant that is zero where float has no subnormal numbers.
    pub(super) fn single(&mut self, v: Value, ty: Type) -> Option<Value> {
        if let Some(c) = self.bits(v) {
            let x = eval::exact_single(c)?;
            return Some(self.constant(ty, x.to_bits().into()));
        }
        let x = self.cast(v, CastOp::FpExt)?;
        Some(match self.ty(x) == ty {
            true => x,
            false => self.emit(Op::Cast(CastOp::FpExt, x), ty),
        })
    }

    /// The low bits of an integer as a narrower one, unless only a `trunc` of it can give them.
    fn narrow(&mut self, v: Value, to: Scalar, depth: u32) -> Option<Value> {
        use BinOp::*;
        let from = self.ty(v);
        let ty = Type::vector(to, from.lanes);
        let op = self.def(v)?.clone();
        if let Op::Cast(op @ (CastOp::ZExt | CastOp::SExt | CastOp::Trunc | CastOp::BoolToInt), x) =
            op
        {
            let x_bits = self.ty(x).scalar.bits();
            return Some(match op {
                CastOp::BoolToInt => self.emit(Op::Cast(op, x), ty),
                _ if x_bits < to.bits() => self.emit(Op::Cast(op, x), ty),
                _ if x_bits == to.bits() => x,
                _ => self.emit(Op::Cast(CastOp::Trunc, x), ty),
            });
        }
        if depth == 0 || !self.single_use(v) {
            return None;
        }
        match op {
            Op::Unary(op @ (UnOp::Neg | UnOp::Not), x) => {
                let x = self.low_bits(x, ty, depth);
                Some(self.emit(Op::Unary(op, x), ty))
            }
            Op::Binary(op @ (Add | Sub | Mul | And | Or | Xor), x, y) => {
                let x = self.low_bits(x, ty, depth);
                let y = self.low_bits(y, ty, depth);
                Some(self.emit(Op::Binary(op, x, y), ty))
            }
            Op::Binary(op @ (Shl | LShr | AShr), x, amount) => {
                let amount = self.bits(amount)? & (from.scalar.bits() as u64 - 1);
                // Bits that come down from above must be known.
                let source = match op {
                    LShr => Some(self.cast(x, CastOp::ZExt)?),
                    AShr => Some(self.cast(x, CastOp::SExt)?),
                    _ => None,
                };
                if source.is_some_and(|s| self.ty(s).scalar.bits() > to.bits()) {
                    return None;
                }
                let width = to.bits() as u64;
                if amount >= width && op != AShr {
                    return Some(self.constant(ty, 0));
                }
                let x = self.low_bits(x, ty, depth);
                let amount = self.constant(ty, amount.min(width - 1));
                Some(self.emit(Op::Binary(op, x, amount), ty))
            }
            Op::Select(c, x, y) => {
                let x = self.low_bits(x, ty, depth);
                let y = self.low_bits(y, ty, depth);
                Some(self.emit(Op::Select(c, x, y), ty))
            }
            _ => None,
        }
    }

    fn low_bits(&mut self, v: Value, ty: Type, depth: u32) -> Value {
        match self.narrow(v, ty.scalar, depth - 1) {
            Some(v) => v,
            None => self.emit(Op::Cast(CastOp::Trunc, v), ty),
        }
    }
}
