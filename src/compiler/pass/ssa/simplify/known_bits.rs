//! Comparisons and choices that bits which are zero decide.

use super::Simplifier;
use crate::ir::builder::mask;
use crate::ir::{BinOp, Bits, CmpOp, Value, eval};
use crate::pass::ssa::known_bits;

impl Simplifier<'_> {
    /// The bits of an integer that may be ones.
    pub(super) fn possible_bits(&self, v: Value) -> Bits {
        known_bits::possible_bits(v, &|v| self.ty(v), &|v| self.def(v))
    }

    /// What a comparison with a constant gives for all values that its operand may have.
    pub(super) fn decided(&self, op: CmpOp, a: Value, c: Bits) -> Option<bool> {
        let scalar = self.ty(a).scalar;
        let possible = self.possible_bits(a);
        if matches!(op, CmpOp::Eq | CmpOp::Ne) {
            return (c & !possible != 0).then_some(op == CmpOp::Ne);
        }
        let signed = op != op.unsigned();
        if possible == mask(scalar.bits()) || signed && possible >> (scalar.bits() - 1) != 0 {
            return None;
        }
        // The order is that of the least and of the greatest that there may be.
        let [least, greatest] = [0, possible].map(|x| eval::compare(op, scalar, x, c));
        (least == greatest).then_some(least)
    }

    /// Whether the least or greatest of a value and a constant is the value.
    pub(super) fn is_within(&self, op: BinOp, a: Value, c: Bits) -> bool {
        let above = match op {
            BinOp::SMin => CmpOp::Sle,
            BinOp::SMax => CmpOp::Sge,
            BinOp::UMin => CmpOp::Ule,
            BinOp::UMax => CmpOp::Uge,
            _ => return false,
        };
        self.decided(above, a, c) == Some(true)
    }
}
