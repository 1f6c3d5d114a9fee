//! Floating-point identities, as far as the flags of the instruction allow, and contraction.

use super::{Rule, Simplifier, Step};
use crate::ir::{BinOp, Op, Scalar, TernOp, Type, UnOp, Value, eval};

impl Simplifier<'_> {
    pub(super) fn float_unary(&mut self, op: UnOp, a: Value) -> Rule {
        match op {
            UnOp::FNeg => match self.unary(a, UnOp::FNeg) {
                Some(x) => Some(Step::Value(x)),
                None => Some(Step::Op(self.negated_product(a)?)),
            },
            UnOp::FAbs if self.unary(a, UnOp::FAbs).is_some() => Some(Step::Value(a)),
            UnOp::FAbs => {
                let x = self.unary(a, UnOp::FNeg)?;
                Some(Step::Op(Op::Unary(UnOp::FAbs, x)))
            }
            _ => None,
        }
    }

    pub(super) fn float_binary(&mut self, op: BinOp, a: Value, b: Value, ty: Type) -> Rule {
        use BinOp::*;
        let fast = self.b.fast;
        let new = |op| Some(Step::Op(op));
        if let Some(step) = self.float_const(op, a, b, ty) {
            return Some(step);
        }
        let (neg_a, neg_b) = (self.unary(a, UnOp::FNeg), self.unary(b, UnOp::FNeg));
        match op {
            FAdd => match (neg_a, neg_b) {
                (_, Some(y)) => new(Op::Binary(FSub, a, y)),
                (Some(x), _) => new(Op::Binary(FSub, b, x)),
                _ => self.contract(a, b, false, ty),
            },
            FSub => {
                if let Some(y) = neg_b {
                    return new(Op::Binary(FAdd, a, y));
                }
                if a == b && fast.no_nan && fast.no_inf {
                    return new(Op::Const(0));
                }
                self.contract(a, b, true, ty)
            }
            FMul | FDiv => match (neg_a, neg_b) {
                (Some(x), Some(y)) => new(Op::Binary(op, x, y)),
                _ => self.reciprocal_root(op, a, b, ty),
            },
            FMin | FMax if a == b => Some(Step::Value(a)),
            _ => None,
        }
    }

    /// `1 / sqrt(x)` of floats, whose root may be wrong by 3 ulp and whose quotient by 2.5, is within the 2 ulp of `rsqrt(x)`.
    fn reciprocal_root(&mut self, op: BinOp, a: Value, b: Value, ty: Type) -> Rule {
        let x = self.unary(b, UnOp::Sqrt)?;
        let one = self.bits(a).map(|bits| eval::to_f64(ty.scalar, bits)) == Some(1.0);
        let contract = self.b.fast.contract && self.flags(b).contract;
        let applies = op == BinOp::FDiv && ty.scalar == Scalar::F32 && one && contract;
        applies.then_some(Step::Op(Op::Unary(UnOp::NativeRsqrt, x)))
    }

    /// The negation of a product or quotient with a constant, which takes the sign.
    fn negated_product(&mut self, v: Value) -> Option<Op> {
        let Op::Binary(op @ (BinOp::FMul | BinOp::FDiv), x, y) = *self.def(v)? else {
            return None;
        };
        if !self.single_use(v) || self.flags(v) != self.b.fast {
            return None;
        }
        match (self.negated_constant(x), self.negated_constant(y)) {
            (_, Some(y)) => Some(Op::Binary(op, x, y)),
            (Some(x), _) => Some(Op::Binary(op, x, y)),
            _ => None,
        }
    }

    pub(super) fn negated_constant(&mut self, v: Value) -> Option<Value> {
        let (ty, c) = (self.ty(v), self.bits(v)?);
        Some(self.constant(ty, eval::unary(UnOp::FNeg, ty.scalar, c)))
    }

    /// Of `x * y + c`: two signs cancel out, and a constant takes one.
    pub(super) fn fma(&mut self, op: TernOp, x: Value, y: Value, c: Value) -> Rule {
        let (neg_x, neg_y) = (self.unary(x, UnOp::FNeg), self.unary(y, UnOp::FNeg));
        let (x, y) = match (neg_x, neg_y) {
            (Some(x), Some(y)) => (x, y),
            (Some(x), None) => (x, self.negated_constant(y)?),
            (None, Some(y)) => (self.negated_constant(x)?, y),
            (None, None) => return None,
        };
        Some(Step::Op(Op::Ternary(op, x, y, c)))
    }

    /// With a constant; commutative operations have it on the right.
    fn float_const(&mut self, op: BinOp, a: Value, b: Value, ty: Type) -> Rule {
        use BinOp::*;
        let (fast, scalar) = (self.b.fast, ty.scalar);
        let (plus0, minus0) = (0, eval::from_f64(scalar, -0.0));
        let neg = |x| Some(Step::Op(Op::Unary(UnOp::FNeg, x)));
        if op == FSub
            && let Some(c) = self.bits(a)
            && (c == minus0 || c == plus0 && fast.no_signed_zero)
        {
            return neg(b);
        }
        let c = self.bits(b)?;
        let same = Some(Step::Value(a));
        let x = eval::to_f64(scalar, c);
        match op {
            FAdd if c == minus0 || c == plus0 && fast.no_signed_zero => same,
            FSub if c == plus0 || c == minus0 && fast.no_signed_zero => same,
            FMul | FDiv if x == 1.0 => same,
            FMul | FDiv if x == -1.0 => neg(a),
            FMul if x == 0.0 && fast.no_nan && fast.no_signed_zero => {
                Some(Step::Op(Op::Const(plus0)))
            }
            FMul | FDiv if self.unary(a, UnOp::FNeg).is_some() => {
                let a = self.unary(a, UnOp::FNeg)?;
                let c = self.negated_constant(b)?;
                Some(Step::Op(Op::Binary(op, a, c)))
            }
            FDiv if fast.reassoc && x != 0.0 || has_exact_reciprocal(scalar, c) => {
                let c = self.constant(ty, eval::from_f64(scalar, 1.0 / x));
                Some(Step::Op(Op::Binary(FMul, a, c)))
            }
            FAdd | FMul if fast.reassoc => {
                let (x, inner) = self.binary_const(a, op)?;
                if !self.flags(a).reassoc {
                    return None;
                }
                let c = self.constant(ty, eval::binary(op, scalar, inner, c));
                Some(Step::Op(Op::Binary(op, x, c)))
            }
            _ => None,
        }
    }

    /// `x * y + c` in one instruction. Only where it is fused: else it would be slower than the two.
    fn contract(&mut self, a: Value, b: Value, subtract: bool, ty: Type) -> Rule {
        // What is added to itself or subtracted from itself is needed in any case.
        if !self.b.fast.contract || !self.target.fused_fma || a == b {
            return None;
        }
        let product = |s: &Self, v: Value| {
            let (x, y) = s.binary(v, BinOp::FMul)?;
            (s.flags(v).contract && s.single_use(v)).then_some((x, y))
        };
        let negated = |s: &mut Self, v: Value| s.emit(Op::Unary(UnOp::FNeg, v), ty);
        let (x, y, c) = match (product(self, a), product(self, b)) {
            (Some((x, y)), _) if subtract => (x, y, negated(self, b)),
            (Some((x, y)), _) => (x, y, b),
            (_, Some((x, y))) if subtract => (negated(self, x), y, a),
            (_, Some((x, y))) => (x, y, a),
            _ => return None,
        };
        Some(Step::Op(Op::Ternary(TernOp::Fma, x, y, c)))
    }
}

/// A power of two whose reciprocal is a normal number too.
fn has_exact_reciprocal(scalar: Scalar, c: u64) -> bool {
    let (x, mantissa) = match scalar {
        Scalar::F16 => (eval::to_f64(scalar, c), 10),
        Scalar::F32 => (eval::to_f64(scalar, c), 23),
        _ => (f64::from_bits(c), 52),
    };
    let limit = match scalar {
        Scalar::F16 => 14,
        Scalar::F32 => 126,
        _ => 1022,
    };
    let power_of_two = c & ((1 << mantissa) - 1) == 0;
    power_of_two && x != 0.0 && (-limit..=limit).contains(&exponent(x))
}

/// Of a normal number.
fn exponent(x: f64) -> i64 {
    (x.to_bits() >> 52 & 0x7ff) as i64 - 1023
}
