//! User-defined literals: calls of `operator""suffix`.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::Entity;
use super::super::types::Prim;
use super::Callee;
use crate::front::clc::syntax::ast::{Expr, ExprKind, Name};
use crate::front::clc::syntax::cxx::ast::{self as cxx, TemplateArg};
use crate::source::SourceLoc;

impl Sema<'_> {
    pub(super) fn user_literal(&mut self, value: &Expr, suffix: &str, loc: SourceLoc) -> Operand {
        let name: Name = format!("operator\"\"{suffix}").into();
        let found = self.scopes.find(&name).map(|s| s.entity);
        let Some(Entity::Functions(set)) = found else {
            let text = format!("no matching literal operator for call to '{name}'");
            self.error(loc, text);
            return self.error_operand(loc);
        };
        let callees = self.callees_of(set);
        let first = |s: &Self, callee: &Callee| match callee {
            Callee::Fn(id) => s.cxx_fn(*id)?.params.first().map(|p| p.ty.ty),
            Callee::Template(_) => None,
        };
        let types: Vec<_> = callees.iter().filter_map(|c| first(self, c)).collect();
        let call =
            |callee: ExprKind, args| ExprKind::Call(Box::new(Expr { kind: callee, loc }), args);
        let kind = match &value.kind {
            ExprKind::Number(text) => {
                let operand = self.operand(value);
                let ty = self.operand_type(&operand).ty;
                let is_float = self.types.scalar(ty).is_some_and(Prim::is_float);
                let cooked = types.iter().any(|&ty| {
                    let prim = self.types.scalar(ty);
                    prim.is_some_and(|p| p.is_float() == is_float)
                });
                let spelled = Expr {
                    kind: ExprKind::Str(vec![format!("\"{text}\"").into()]),
                    loc,
                };
                if cooked {
                    let prim = if is_float { Prim::Double } else { Prim::ULong };
                    let prim = if is_float && !self.features.fp64 {
                        Prim::Float
                    } else {
                        prim
                    };
                    let to = self.types.prim(prim);
                    let value = self.value_of(operand);
                    let value = self.convert(value, to);
                    let arg = self.stash(Operand::Value(value), loc);
                    call(ExprKind::Ident(name), vec![arg])
                } else if types.is_empty() {
                    let arg = |c: char| {
                        let kind = ExprKind::Char(format!("'{c}'").into());
                        TemplateArg::Expr(Expr { kind, loc })
                    };
                    let args = Some(text.chars().map(arg).collect());
                    let part = cxx::NamePart { name, args, loc };
                    let name = cxx::Expr::Name(cxx::QName::of(part));
                    call(ExprKind::Cxx(Box::new(name)), Vec::new())
                } else {
                    call(ExprKind::Ident(name), vec![spelled])
                }
            }
            ExprKind::Str(_) => {
                let operand = self.operand(value);
                let ty = self.operand_type(&operand).ty;
                let length = self.types.element(ty).and_then(|e| e.1).unwrap_or(1) - 1;
                let text = self.stash(operand, loc);
                let length = self.int_const(length as i64, Prim::ULong, loc);
                let length = self.stash(Operand::Value(length), loc);
                call(ExprKind::Ident(name), vec![text, length])
            }
            _ => {
                let operand = self.operand(value);
                let value = self.value_of(operand);
                let char = self.types.prim(Prim::Char);
                let value = self.convert(value, char);
                let arg = self.stash(Operand::Value(value), loc);
                call(ExprKind::Ident(name), vec![arg])
            }
        };
        self.operand(&Expr { kind, loc })
    }
}
