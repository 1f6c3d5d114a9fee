//! What has no value though it can be computed: where a constant is asked for it is none.

use super::super::Sema;
use super::super::consts::{Value, convert_bits};
use super::super::tree::{BinOp, Expr, ExprKind, UnOp};
use super::super::types::Prim;
use super::evaluate::Machine;
use crate::ir::eval;

impl Sema<'_> {
    /// Does something where the language asks for a constant, or not.
    pub(super) fn strictly<T>(&mut self, strict: bool, act: impl FnOnce(&mut Self) -> T) -> T {
        let outer = std::mem::replace(&mut self.x().strict, strict);
        let done = act(self);
        self.x().strict = outer;
        done
    }

    /// An expression that could be computed has no value, and a constant is asked for.
    pub(super) fn lacks_value(&mut self, e: &Expr) -> bool {
        if !self.x().strict || !computes(e) {
            return false;
        }
        let mut machine = Machine::new(self);
        machine.expr(self, e).is_none() && machine.undefined
    }

    /// An operation whose operands are constants has no value.
    pub(super) fn is_undefined(&self, e: &Expr) -> bool {
        let lanes = |e: &Expr| match self.evaluate(e) {
            Some(Value::Lanes(lanes)) => lanes,
            _ => Vec::new(),
        };
        let prim = |e: &Expr| self.types.arith(e.ty).map(|a| a.prim);
        let Some(to) = prim(e) else { return false };
        match &e.kind {
            ExprKind::Binary(op, a, b) if to.is_float() => {
                let is_zero = |&bits: &u64| eval::to_f64(to.ir(), bits) == 0.0;
                prim(a) == prim(b) && *op == BinOp::Div && lanes(b).iter().any(is_zero)
            }
            // Narrower ones are computed as int.
            ExprKind::Binary(op, a, b) if to.is_signed() && to.size() >= 4 => {
                let mut pairs = lanes(a).into_iter().zip(lanes(b));
                pairs.any(|(a, b)| {
                    let (a, b) = (signed(to, a), signed(to, b));
                    match op {
                        BinOp::Add => !fits(to, a + b),
                        BinOp::Sub => !fits(to, a - b),
                        BinOp::Mul => !fits(to, a * b),
                        BinOp::Div | BinOp::Rem => b == 0 || !fits(to, a / b),
                        BinOp::Shl => a < 0,
                        _ => false,
                    }
                })
            }
            ExprKind::Unary(UnOp::Neg, a) if to.is_signed() => {
                lanes(a).iter().any(|&a| !fits(to, -signed(to, a)))
            }
            ExprKind::Convert(a) => {
                let from = prim(a);
                from.is_some_and(|from| lanes(a).iter().any(|&bits| is_outside(from, to, bits)))
            }
            _ => false,
        }
    }
}

/// A float that the integer type has not.
pub fn is_outside(from: Prim, to: Prim, bits: u64) -> bool {
    if !from.is_float() || to.is_float() || to == Prim::Bool {
        return false;
    }
    let value = eval::to_f64(from.ir(), bits).trunc();
    let end = 2f64.powi(to.size() as i32 * 8 - i32::from(to.is_signed()));
    let least = if to.is_signed() { -end } else { 0.0 };
    !(value >= least && value < end)
}

/// A lane as a number.
fn signed(prim: Prim, bits: u64) -> i128 {
    i128::from(convert_bits(prim, Prim::Long, bits) as i64)
}

fn fits(prim: Prim, value: i128) -> bool {
    let half = 1i128 << (prim.size() * 8 - 1);
    (-half..half).contains(&value)
}

/// There is an operation in it that may have no value.
fn computes(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Binary(..) | ExprKind::Unary(UnOp::Neg, _) => true,
        ExprKind::PtrAdd { .. } | ExprKind::PtrDiff { .. } => true,
        // Others have been folded.
        ExprKind::Convert(a) if matches!(a.kind, ExprKind::Const(_)) => true,
        ExprKind::Convert(a)
        | ExprKind::Unary(_, a)
        | ExprKind::LogNot(a)
        | ExprKind::Splat(a)
        | ExprKind::Swizzle(a, _) => computes(a),
        ExprKind::Compare(_, a, b)
        | ExprKind::LogAnd(a, b)
        | ExprKind::LogOr(a, b)
        | ExprKind::Comma(a, b) => computes(a) || computes(b),
        ExprKind::Cond(a, b, c) => computes(a) || computes(b) || computes(c),
        _ => false,
    }
}
