//! Operations on constants, lane by lane with the interpreter's arithmetic.

use super::{Rule, Simplifier, Step};
use crate::ir::{BinOp, Bits, CastOp, Op, Type, Value, eval};

impl Simplifier<'_> {
    pub(super) fn fold(&mut self, op: &Op, ty: Type) -> Rule {
        let n = ty.lanes as usize;
        let lanes = match *op {
            Op::Unary(op, a) if eval::is_exact(op) => {
                let a = self.lanes(a)?;
                a.iter().map(|&a| eval::unary(op, ty.scalar, a)).collect()
            }
            Op::Binary(op, a, b) if op != BinOp::NativePow => {
                let (a, b) = (self.lanes(a)?, self.lanes(b)?);
                let lane = |i: usize| eval::binary(op, ty.scalar, a[i], b[i]);
                (0..n).map(lane).collect()
            }
            Op::Ternary(op, a, b, c) => {
                let (a, b, c) = (self.lanes(a)?, self.lanes(b)?, self.lanes(c)?);
                let lane = |i: usize| eval::ternary(op, ty.scalar, a[i], b[i], c[i]);
                (0..n).map(lane).collect()
            }
            Op::Select(c, a, b) => {
                let (c, a, b) = (self.lanes(c)?, self.lanes(a)?, self.lanes(b)?);
                let lane = |i: usize| if c[i % c.len()] != 0 { a[i] } else { b[i] };
                (0..n).map(lane).collect()
            }
            Op::Compare(op, a, b) => {
                let of = self.ty(a).scalar;
                let (a, b) = (self.lanes(a)?, self.lanes(b)?);
                let lane = |i: usize| eval::compare(op, of, a[i], b[i]) as Bits;
                (0..n).map(lane).collect()
            }
            Op::Cast(op, a) => {
                let from = self.ty(a);
                let a = self.lanes(a)?;
                match op {
                    CastOp::Bitcast => eval::bitcast(from, ty, &a),
                    _ => a
                        .iter()
                        .map(|&a| eval::cast(op, from.scalar, ty.scalar, a))
                        .collect(),
                }
            }
            Op::Splat(a) => return self.bits(a).map(|bits| Step::Op(Op::Const(bits))),
            Op::Construct(ref values) => {
                let first = self.bits(values[0])?;
                let same = values.iter().all(|&v| self.bits(v) == Some(first));
                return same.then_some(Step::Op(Op::Const(first)));
            }
            Op::Any(a) => vec![self.lanes(a)?.iter().any(|&b| b != 0) as Bits],
            Op::All(a) => vec![self.lanes(a)?.iter().all(|&b| b != 0) as Bits],
            _ => return None,
        };
        Some(self.vector_of(&lanes, ty))
    }

    /// What is computed of choices of constants by one condition, and of constants, is a choice of its results.
    pub(super) fn fold_choice(&mut self, op: &Op, ty: Type) -> Rule {
        if !matches!(
            op,
            Op::Unary(..) | Op::Binary(..) | Op::Ternary(..) | Op::Compare(..) | Op::Cast(..)
        ) {
            return None;
        }
        let mut cond = None;
        op.for_each_operand(|v| {
            if let Some(&Op::Select(c, ..)) = self.def(v) {
                cond = Some(c);
            }
        });
        let cond = cond?;
        if ![1, ty.lanes].contains(&self.ty(cond).lanes) {
            return None;
        }
        let chosen = self.of_choice(op, ty, cond, true)?;
        let other = self.of_choice(op, ty, cond, false)?;
        Some(Step::Op(Op::Select(cond, chosen, other)))
    }

    /// The constant that it is where the condition is `truth`.
    fn of_choice(&mut self, op: &Op, ty: Type, cond: Value, truth: bool) -> Option<Value> {
        let mut op = op.clone();
        op.for_each_operand_mut(|v| match self.def(*v) {
            Some(&Op::Select(c, x, y)) if c == cond => *v = if truth { x } else { y },
            _ => {}
        });
        Some(match self.fold(&op, ty)? {
            Step::Value(v) => v,
            Step::Op(op) => self.emit(op, ty),
        })
    }

    /// The lanes of a constant.
    fn lanes(&self, v: Value) -> Option<Vec<Bits>> {
        match self.def(v)? {
            Op::Const(bits) => Some(vec![*bits; self.ty(v).lanes as usize]),
            Op::Construct(values) => values.iter().map(|&v| self.bits(v)).collect(),
            _ => None,
        }
    }

    fn vector_of(&mut self, lanes: &[Bits], ty: Type) -> Step {
        if lanes.iter().all(|&bits| bits == lanes[0]) {
            return Step::Op(Op::Const(lanes[0]));
        }
        let element = ty.element();
        let values = lanes.iter().map(|&bits| self.constant(element, bits));
        Step::Op(Op::Construct(values.collect()))
    }
}
