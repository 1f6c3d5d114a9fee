//! `_Generic` (C11 6.5.1.1), which clang has in every language.

use super::Sema;
use super::operand::Operand;
use crate::front::clc::syntax::ast;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// The operand beside the type of the value of `e`, which itself is not computed.
    pub(super) fn selection(
        &mut self,
        e: &ast::Expr,
        associations: &[ast::Association],
        loc: SourceLoc,
    ) -> Operand {
        let operand = self.unevaluated(e);
        let value = self.value_of(operand);
        if self.is_error(&value) {
            return Operand::Value(value);
        }
        let (mut chosen, mut default) = (None, None);
        let mut seen = Vec::new();
        for association in associations {
            let Some(name) = &association.ty else {
                if default.replace(&association.value).is_some() {
                    self.error(association.loc, "duplicate default generic association");
                    return self.error_operand(loc);
                }
                continue;
            };
            let ty = self.type_name(name).ty;
            if self.types.is_error(ty) {
                return self.error_operand(loc);
            }
            if seen.contains(&ty) {
                let shown = self.types.show(ty);
                let text = format!(
                    "type {shown} in generic association compatible with previously specified type"
                );
                self.error(association.loc, text);
                return self.error_operand(loc);
            }
            seen.push(ty);
            if ty == value.ty {
                chosen = Some(&association.value);
            }
        }
        match chosen.or(default) {
            Some(chosen) => self.operand(chosen),
            None => {
                let shown = self.types.show(value.ty);
                let text = format!(
                    "controlling expression type {shown} not compatible with any generic association type"
                );
                self.error(e.begin(), text);
                self.error_operand(loc)
            }
        }
    }
}
