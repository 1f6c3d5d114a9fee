//! Comparisons.

use super::{Rule, Simplifier, Step};
use crate::ir::builder::mask;
use crate::ir::{BinOp, Bits, CastOp, CmpOp, Op, Scalar, Type, UnOp, Value, eval};

/// Operations inside each other of one condition.
const MAX_TRUTHS: u32 = 4;

/// Operations inside each other of a float whose sign is asked for.
const MAX_OPERATIONS: u32 = 4;

impl Simplifier<'_> {
    pub(super) fn compare(&mut self, op: CmpOp, a: Value, b: Value) -> Rule {
        use CmpOp::*;
        if self.goes_right(a, b) {
            return Some(Step::Op(Op::Compare(op.swapped(), b, a)));
        }
        if a == b {
            let truth = match op {
                Eq | Sle | Sge | Ule | Uge => 1,
                Ne | Slt | Sgt | Ult | Ugt | FLt | FGt | FLtGt => 0,
                FEq | FNe | FLe | FGe | FOrd => return None,
            };
            return Some(Step::Op(Op::Const(truth)));
        }
        if self.ty(a).scalar.is_float() {
            let step = self.compare_floats(op, a, b);
            return step.or_else(|| self.compare_singles(op, a, b));
        }
        if let Some(c) = self.bits(b) {
            return self.compare_const(op, a, c);
        }
        // Both extended from the same type, which keeps the order.
        let (Some(&Op::Cast(ext, x)), Some(&Op::Cast(other, y))) = (self.def(a), self.def(b))
        else {
            return None;
        };
        if ext != other || self.ty(x) != self.ty(y) {
            return None;
        }
        match ext {
            CastOp::ZExt => Some(Step::Op(Op::Compare(op.unsigned(), x, y))),
            CastOp::SExt => Some(Step::Op(Op::Compare(op, x, y))),
            _ => None,
        }
    }

    /// With a constant, by signs. NVIDIA's compiler, to which absolute values are not below zero, forgets that they may be NaN.
    fn compare_floats(&mut self, op: CmpOp, a: Value, b: Value) -> Rule {
        use CmpOp::*;
        let c = self.bits(b)?;
        if let Some(x) = self.unary(a, UnOp::FNeg) {
            let c = self.negated_constant(b)?;
            return Some(Step::Op(Op::Compare(op.swapped(), x, c)));
        }
        let c = eval::to_f64(self.ty(b).scalar, c);
        let (may_equal, below) = (c == 0.0, c < 0.0);
        if !(may_equal || below) || !self.is_not_below_zero(a, MAX_OPERATIONS) {
            return None;
        }
        match op {
            FLt => Some(Step::Op(Op::Const(0))),
            FLe | FEq if below => Some(Step::Op(Op::Const(0))),
            FNe if below => Some(Step::Op(Op::Const(1))),
            FGe if self.b.fast.no_nan => Some(Step::Op(Op::Const(1))),
            FGe => Some(Step::Op(Op::Compare(FEq, a, a))),
            FGt | FLtGt if below => Some(Step::Op(Op::Compare(FGe, a, b))),
            _ => None,
        }
    }

    /// A float is NaN, a zero of either sign or above. `most`: how many operations back to look.
    fn is_not_below_zero(&self, v: Value, most: u32) -> bool {
        if let Some(c) = self.bits(v) {
            return eval::to_f64(self.ty(v).scalar, c) >= 0.0;
        }
        let Some(rest) = most.checked_sub(1) else {
            return false;
        };
        let is = |v: Value| self.is_not_below_zero(v, rest);
        match self.def(v) {
            Some(Op::Unary(UnOp::FAbs | UnOp::Sqrt | UnOp::NativeExp2, _)) => true,
            Some(&Op::Unary(UnOp::Floor | UnOp::Ceil | UnOp::FTrunc | UnOp::Rint, x)) => is(x),
            Some(&Op::Binary(BinOp::FMul, x, y)) => x == y || is(x) && is(y),
            Some(&Op::Binary(BinOp::FAdd | BinOp::FMin | BinOp::FMax, x, y)) => is(x) && is(y),
            Some(&Op::Select(_, x, y)) => is(x) && is(y),
            Some(&Op::Cast(CastOp::FpExt | CastOp::FpTrunc, x)) => is(x),
            Some(Op::Cast(CastOp::UiToFp, _)) => true,
            _ => false,
        }
    }

    /// Doubles that are floats are compared as floats.
    fn compare_singles(&mut self, op: CmpOp, a: Value, b: Value) -> Rule {
        use CmpOp::*;
        let ty = self.ty(a);
        if ty.scalar != Scalar::F64 {
            return None;
        }
        // A constant stands right.
        let single = Type::vector(Scalar::F32, ty.lanes);
        let x = self.single(a, single)?;
        if let Some(y) = self.single(b, single) {
            return Some(Step::Op(Op::Compare(op, x, y)));
        }
        let c = f64::from_bits(self.bits(b)?);
        // Between two floats: the one on that side takes its place.
        let near = c as f32;
        if near.is_nan() || near.is_subnormal() {
            return None;
        }
        let (op, c) = match op {
            FLt | FLe if f64::from(near) < c => (FLe, near),
            FLt | FLe => (FLe, near.next_down()),
            FGt | FGe if f64::from(near) > c => (FGe, near),
            FGt | FGe => (FGe, near.next_up()),
            FEq => return Some(Step::Op(Op::Const(0))),
            FNe => return Some(Step::Op(Op::Const(1))),
            _ => return None,
        };
        // Some devices take it for zero.
        if c.is_subnormal() {
            return None;
        }
        let c = self.constant(single, c.to_bits().into());
        Some(Step::Op(Op::Compare(op, x, c)))
    }

    fn compare_const(&mut self, op: CmpOp, a: Value, c: Bits) -> Rule {
        use CmpOp::*;
        let ty = self.ty(a);
        let with = |s: &mut Self, op, x: Value, c| {
            let c = s.constant(s.ty(x), c);
            Some(Step::Op(Op::Compare(op, x, c)))
        };
        match (op, c) {
            (Ult, 0) => return Some(Step::Op(Op::Const(0))),
            (Uge, 0) => return Some(Step::Op(Op::Const(1))),
            (Ugt, 0) => return with(self, Ne, a, 0),
            (Ule, 0) | (Ult, 1) => return with(self, Eq, a, 0),
            (Uge, 1) => return with(self, Ne, a, 0),
            _ => {}
        }
        let equality = matches!(op, Eq | Ne);
        if ty.scalar.bits() == 1 && equality {
            return Some(self.bool_or_not(a, (op == Eq) == (c == 1)));
        }
        if let Some(truth) = self.decided(op, a, c) {
            return Some(Step::Op(Op::Const(truth.into())));
        }
        match *self.def(a)? {
            Op::Cast(CastOp::BoolToInt, x) => {
                let truth = |bit| eval::compare(op, ty.scalar, bit, c);
                Some(match (truth(0), truth(1)) {
                    (false, true) => Step::Value(x),
                    (true, false) => self.bool_or_not(x, false),
                    (same, _) => Step::Op(Op::Const(same as Bits)),
                })
            }
            Op::Binary(BinOp::And | BinOp::Or | BinOp::Xor, ..) if equality && c == 0 => {
                let truth = self.truth(a, MAX_TRUTHS)?;
                Some(self.bool_or_not(truth, op == Ne))
            }
            Op::Select(cond, x, y) if self.ty(cond).lanes == ty.lanes => {
                let (x, y) = (self.bits(x)?, self.bits(y)?);
                let truth = |bits| eval::compare(op, ty.scalar, bits, c);
                Some(match (truth(x), truth(y)) {
                    (true, false) => Step::Value(cond),
                    (false, true) => self.bool_or_not(cond, false),
                    (same, _) => Step::Op(Op::Const(same as Bits)),
                })
            }
            Op::Cast(CastOp::ZExt, x) => {
                let narrow = self.ty(x).scalar;
                // Signed order is unsigned order here, if the constant is not negative.
                let fits = c <= mask(narrow.bits());
                fits.then(|| with(self, op.unsigned(), x, c)).flatten()
            }
            Op::Cast(CastOp::SExt, x) => {
                let narrow = self.ty(x).scalar;
                let cut = c & mask(narrow.bits());
                let fits = eval::cast(CastOp::SExt, narrow, ty.scalar, cut) == c;
                fits.then(|| with(self, op, x, cut)).flatten()
            }
            Op::Binary(BinOp::Add, x, y) if equality => {
                let y = self.bits(y)?;
                with(self, op, x, c.wrapping_sub(y))
            }
            Op::Binary(BinOp::Sub | BinOp::Xor, x, y) if equality && c == 0 => {
                Some(Step::Op(Op::Compare(op, x, y)))
            }
            Op::Unary(UnOp::Not, x) if equality => with(self, op, x, !c),
            Op::Unary(UnOp::Neg, x) if equality => with(self, op, x, c.wrapping_neg()),
            _ => None,
        }
    }

    /// Is a value not zero that combines truths as integers, `(a < b) & (c < d)`? Operations inside others are `most`.
    fn truth(&mut self, v: Value, most: u32) -> Option<Value> {
        match *self.def(v)? {
            Op::Cast(CastOp::BoolToInt, x) => Some(x),
            Op::Binary(op @ (BinOp::And | BinOp::Or | BinOp::Xor), x, y) if most > 0 => {
                let (x, y) = (self.truth(x, most - 1)?, self.truth(y, most - 1)?);
                Some(self.emit(Op::Binary(op, x, y), self.ty(x)))
            }
            _ => None,
        }
    }

    fn bool_or_not(&self, v: Value, plain: bool) -> Step {
        match plain {
            true => Step::Value(v),
            false => Step::Op(Op::Unary(UnOp::Not, v)),
        }
    }
}
