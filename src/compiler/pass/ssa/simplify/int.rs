//! Integer, bool and select identities.

use super::{Rule, Simplifier, Step};
use crate::ir::builder::mask;
use crate::ir::{BinOp, Bits, CastOp, Op, TernOp, Type, UnOp, Value, eval};

impl Simplifier<'_> {
    pub(super) fn int_unary(&mut self, op: UnOp, a: Value, ty: Type) -> Rule {
        match op {
            UnOp::Neg => {
                if let Some(x) = self.unary(a, UnOp::Neg) {
                    return Some(Step::Value(x));
                }
                let (x, y) = self.binary(a, BinOp::Sub)?;
                Some(Step::Op(Op::Binary(BinOp::Sub, y, x)))
            }
            UnOp::Not => {
                if let Some(x) = self.unary(a, UnOp::Not) {
                    return Some(Step::Value(x));
                }
                match *self.def(a)? {
                    Op::Compare(cmp, x, y) => {
                        let inverse = cmp.inverse()?;
                        Some(Step::Op(Op::Compare(inverse, x, y)))
                    }
                    // Towards the leaves, where comparisons absorb it.
                    Op::Binary(op @ (BinOp::And | BinOp::Or), x, y)
                        if ty.scalar.bits() == 1 && self.absorbs_not(x) && self.absorbs_not(y) =>
                    {
                        let x = self.emit(Op::Unary(UnOp::Not, x), ty);
                        let y = self.emit(Op::Unary(UnOp::Not, y), ty);
                        let dual = match op {
                            BinOp::And => BinOp::Or,
                            _ => BinOp::And,
                        };
                        Some(Step::Op(Op::Binary(dual, x, y)))
                    }
                    _ => None,
                }
            }
            _ => None,
        }
    }

    fn absorbs_not(&self, v: Value) -> bool {
        match self.def(v) {
            Some(Op::Compare(op, ..)) => op.inverse().is_some(),
            Some(Op::Unary(UnOp::Not, _)) => true,
            _ => false,
        }
    }

    pub(super) fn int_binary(&mut self, op: BinOp, a: Value, b: Value, ty: Type) -> Rule {
        use BinOp::*;
        let width = ty.scalar.bits();
        let ones = mask(width);
        if let Some(c) = self.bits(b)
            && let Some(step) = self.int_binary_const(op, a, c, ty)
        {
            return Some(step);
        }
        if a == b {
            match op {
                And | Or | SMin | SMax | UMin | UMax => return Some(Step::Value(a)),
                Sub | Xor => return Some(Step::Op(Op::Const(0))),
                _ => {}
            }
        }
        let new = |op| Some(Step::Op(op));
        match op {
            Add => {
                // Constants go outwards, where they meet, but not into loops.
                for (inner, other) in [(a, b), (b, a)] {
                    if self.bits(other).is_none()
                        && let Some((x, c)) = self.binary_const(inner, Add)
                        && self.is_part(inner)
                    {
                        let sum = self.emit(Op::Binary(Add, x, other), ty);
                        let c = self.constant(ty, c);
                        return new(Op::Binary(Add, sum, c));
                    }
                    if let Some(x) = self.unary(inner, UnOp::Neg) {
                        return new(Op::Binary(Sub, other, x));
                    }
                    if let Some((x, y)) = self.binary(inner, Sub)
                        && y == other
                    {
                        return Some(Step::Value(x));
                    }
                }
                None
            }
            Sub => {
                if self.bits(a) == Some(0) {
                    return new(Op::Unary(UnOp::Neg, b));
                }
                if let Some(x) = self.unary(b, UnOp::Neg) {
                    return new(Op::Binary(Add, a, x));
                }
                if let Some((x, c)) = self.binary_const(b, And)
                    && x == a
                {
                    let rest = self.constant(ty, !c);
                    return new(Op::Binary(And, a, rest));
                }
                let (x, y) = self.binary(a, Add)?;
                match (x == b, y == b) {
                    (true, _) => Some(Step::Value(y)),
                    (_, true) => Some(Step::Value(x)),
                    _ => None,
                }
            }
            Shl | LShr | AShr if self.bits(a) == Some(0) => Some(Step::Value(a)),
            AShr if self.bits(a) == Some(ones) => Some(Step::Value(a)),
            And | Or if ty.scalar.bits() == 1 => {
                let (x, y) = match (self.unary(a, UnOp::Not), self.unary(b, UnOp::Not)) {
                    (Some(x), _) if x == b => (x, b),
                    (_, Some(y)) if y == a => (a, y),
                    _ => return None,
                };
                debug_assert_eq!(x, y);
                new(Op::Const((op == Or) as Bits))
            }
            _ => None,
        }
    }

    fn int_binary_const(&mut self, op: BinOp, a: Value, c: Bits, ty: Type) -> Rule {
        use BinOp::*;
        let width = ty.scalar.bits();
        let ones = mask(width);
        let same = Some(Step::Value(a));
        match (op, c) {
            (Add | Sub | Or | Xor | UMax, 0) | (SDiv | UDiv | Mul, 1) => return same,
            (Mul | And | UMin, 0) | (SRem | URem, 1) => return Some(Step::Op(Op::Const(0))),
            (And | UMin, c) if c == ones => return same,
            (Or | UMax, c) if c == ones => return Some(Step::Op(Op::Const(ones))),
            (Xor, c) if c == ones => return Some(Step::Op(Op::Unary(UnOp::Not, a))),
            (Mul, c) if c == ones => return Some(Step::Op(Op::Unary(UnOp::Neg, a))),
            (Shl | LShr | AShr, c) if c & (width as u64 - 1) == 0 => return same,
            _ => {}
        }
        // The constant of another operation with the same operands: `(a op c) inner`.
        let with = |s: &mut Self, op, x, c| {
            let c = s.constant(ty, c);
            Some(Step::Op(Op::Binary(op, x, c)))
        };
        if matches!(op, Add | Mul | And | Or | Xor)
            && let Some((x, inner)) = self.binary_const(a, op)
        {
            return with(self, op, x, eval::binary(op, ty.scalar, inner, c));
        }
        match op {
            Sub => with(self, Add, a, c.wrapping_neg()),
            Add => {
                // c - x: `c1 - x + c2`.
                let (c1, x) = self.binary(a, Sub)?;
                let c1 = self.bits(c1)?;
                let c = self.constant(ty, c1.wrapping_add(c));
                Some(Step::Op(Op::Binary(Sub, c, x)))
            }
            Mul => {
                if let Some((x, shift)) = self.binary_const(a, LShr)
                    && 1u64.checked_shl(shift as u32) == Some(c)
                {
                    return with(self, And, x, c.wrapping_neg());
                }
                if let Some((x, shift)) = self.binary_const(a, Shl) {
                    return with(self, Mul, x, c << (shift & (width as u64 - 1)));
                }
                // Element offsets: `(i + 1) * 4` and `i * 4` share the product.
                let (x, inner) = self.binary_const(a, Add)?;
                if !self.single_use(a) {
                    return None;
                }
                let factor = self.constant(ty, c);
                let product = self.emit(Op::Binary(Mul, x, factor), ty);
                with(self, Add, product, inner.wrapping_mul(c))
            }
            UDiv if c.is_power_of_two() => with(self, LShr, a, c.trailing_zeros() as Bits),
            URem if c.is_power_of_two() => with(self, And, a, c - 1),
            SMin | SMax | UMin | UMax => self.is_within(op, a, c).then_some(Step::Value(a)),
            And => {
                match self.possible_bits(a) {
                    bits if bits & c == 0 => return Some(Step::Op(Op::Const(0))),
                    bits if bits & !c == 0 => return same,
                    _ => {}
                }
                let low = c & (c + 1) == 0;
                let x = low.then(|| self.without_masks(a, c)).flatten()?;
                with(self, And, x, c)
            }
            Shl | LShr | AShr => {
                let amount = c & (width as u64 - 1);
                if amount != c {
                    return with(self, op, a, amount);
                }
                if op == LShr && self.possible_bits(a) >> amount == 0 {
                    return Some(Step::Op(Op::Const(0)));
                }
                // An extension of what has no sign.
                if op == AShr
                    && let Some((x, up)) = self.binary_const(a, Shl)
                    && up == amount
                    && self.possible_bits(x) >> (u64::from(width) - 1 - amount) == 0
                {
                    return Some(Step::Value(x));
                }
                if op == Shl
                    && let Some(x) = self.without_masks(a, ones >> amount)
                {
                    return with(self, Shl, x, amount);
                }
                if op == Shl
                    && let Some((x, inner)) = self.binary_const(a, LShr)
                    && inner == amount
                {
                    return with(self, And, x, ones << amount);
                }
                let (x, inner) = self.binary_const(a, op)?;
                let sum = (inner & (width as u64 - 1)) + amount;
                match (op, sum < width as u64) {
                    (_, true) => with(self, op, x, sum),
                    (AShr, false) => with(self, AShr, x, width as u64 - 1),
                    (_, false) => Some(Step::Op(Op::Const(0))),
                }
            }
            _ => None,
        }
    }

    pub(super) fn ternary(&mut self, op: TernOp, a: Value, b: Value, c: Value) -> Rule {
        match op {
            TernOp::BitSelect if a == b => Some(Step::Value(a)),
            TernOp::BitSelect => {
                let ones = mask(self.ty(c).scalar.bits());
                match self.bits(c)? {
                    0 => Some(Step::Value(a)),
                    c if c == ones => Some(Step::Value(b)),
                    _ => None,
                }
            }
            TernOp::Fma | TernOp::Mad => {
                let one = eval::from_f64(self.ty(a).scalar, 1.0);
                for (x, y) in [(a, b), (b, a)] {
                    if self.bits(y) == Some(one) {
                        return Some(Step::Op(Op::Binary(BinOp::FAdd, x, c)));
                    }
                }
                self.fma(op, a, b, c)
            }
        }
    }

    pub(super) fn select(&mut self, c: Value, a: Value, b: Value, ty: Type) -> Rule {
        if a == b {
            return Some(Step::Value(a));
        }
        if let Some(bits) = self.bits(c) {
            return Some(Step::Value(if bits != 0 { a } else { b }));
        }
        match (self.is_undef(a), self.is_undef(b)) {
            (true, _) => return Some(Step::Value(b)),
            (_, true) => return Some(Step::Value(a)),
            _ => {}
        }
        if let Some(c) = self.unary(c, UnOp::Not) {
            return Some(Step::Op(Op::Select(c, b, a)));
        }
        if let Some(&Op::Select(inner, x, _)) = self.def(a)
            && inner == c
        {
            return Some(Step::Op(Op::Select(c, x, b)));
        }
        if let Some(&Op::Select(inner, _, y)) = self.def(b)
            && inner == c
        {
            return Some(Step::Op(Op::Select(c, a, y)));
        }
        if self.ty(c).lanes != ty.lanes {
            return None;
        }
        let constants = (self.bits(a), self.bits(b));
        if ty.scalar.bits() == 1 {
            return match constants {
                (Some(1), Some(_)) => Some(Step::Value(c)),
                (Some(_), Some(_)) => Some(Step::Op(Op::Unary(UnOp::Not, c))),
                (Some(1), _) => Some(Step::Op(Op::Binary(BinOp::Or, c, b))),
                (_, Some(0)) => Some(Step::Op(Op::Binary(BinOp::And, c, a))),
                _ => None,
            };
        }
        match constants {
            (Some(1), Some(0)) if ty.scalar.is_int() => {
                Some(Step::Op(Op::Cast(CastOp::BoolToInt, c)))
            }
            (Some(0), Some(1)) if ty.scalar.is_int() => {
                let not = self.emit(Op::Unary(UnOp::Not, c), self.ty(c));
                Some(Step::Op(Op::Cast(CastOp::BoolToInt, not)))
            }
            _ => None,
        }
    }
}
