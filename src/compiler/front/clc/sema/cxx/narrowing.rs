//! What lists and enumerations may not lose of a value.

use super::super::Sema;
use super::super::consts::convert_bits;
use super::super::operand::Operand;
use super::super::tree::Expr;
use super::super::types::{Prim, Ty};
use crate::source::SourceLoc;

/// The value of an integer constant, given with 64 bits, that another type does not have.
fn narrowed_value(bits: u64, from: Prim, to: Prim) -> Option<i128> {
    let widest = |prim: Prim| match prim.is_signed() {
        true => Prim::Long,
        false => Prim::ULong,
    };
    let wide = |bits: u64, prim: Prim| match prim.is_signed() {
        true => i128::from(bits as i64),
        false => i128::from(bits),
    };
    let there = convert_bits(widest(from), to, bits);
    // A float is compared as an integer of the type that it comes from.
    let through = if to.is_float() { from } else { to };
    let back = convert_bits(to, widest(through), there);
    let value = wide(bits, from);
    (wide(back, through) != value).then_some(value)
}

impl Sema<'_> {
    /// A list may not change a constant's value or make an integer of a float.
    pub fn narrowing(&mut self, operand: &Operand, to: Ty, loc: SourceLoc) {
        let from = self.operand_type(operand).ty;
        let (Some(a), Some(b)) = (self.types.scalar(from), self.types.scalar(to)) else {
            return;
        };
        let narrows = match (a.is_float(), b.is_float()) {
            (true, false) => true,
            (true, true) => a.size() > b.size(),
            (false, true) => a != Prim::Bool,
            (false, false) => {
                b != a
                    && (b.size() < a.size()
                        || b.size() == a.size() && a.is_signed() != b.is_signed()
                        || a.is_signed() && !b.is_signed())
            }
        };
        // What is chosen does not depend on it.
        if !narrows || self.xref().is_some_and(|x| x.ranking) {
            return;
        }
        let e = self.value_of(operand.clone());
        if a.is_float() && b.is_float() && self.evaluate(&e).is_some() {
            return;
        }
        if !a.is_float()
            && let Some(bits) = self.integer_constant(&e)
        {
            if let Some(value) = narrowed_value(bits, a, b) {
                let text = format!(
                    "constant expression evaluates to {value} which cannot be narrowed to type {}",
                    self.types.show(to)
                );
                self.error(loc, text);
            }
            return;
        }
        let (from, to) = (self.types.show(from), self.types.show(to));
        let text = match a.is_float() && !b.is_float() {
            true => format!("type {from} cannot be narrowed to {to} in initializer list"),
            false => format!(
                "non-constant-expression cannot be narrowed from type {from} to {to} in initializer list"
            ),
        };
        self.error(loc, text);
    }

    /// The value of an enumerator fits the type that the enumeration says.
    pub(super) fn check_enumerator(&mut self, e: &Expr, value: i64, prim: Prim) {
        let of = self.types.scalar(e.ty).unwrap_or(Prim::Int);
        if let Some(value) = narrowed_value(value as u64, of, prim) {
            let ty = self.types.prim(prim);
            let shown = self.types.show(ty);
            let text = format!(
                "enumerator value evaluates to {value}, which cannot be narrowed to type {shown}"
            );
            self.error(e.loc, text);
        }
    }
}
