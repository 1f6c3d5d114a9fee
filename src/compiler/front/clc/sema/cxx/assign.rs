//! Assignment to objects of classes, compound assignment and subscripts, whose right operands may be lists in braces.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::Entity;
use super::super::tree::{Expr, ExprKind};
use super::super::types::QualTy;
use super::overload::Argument;
use crate::front::clc::syntax::ast::{self, BinaryOp, Initializer};
use crate::front::clc::syntax::cxx::{ast as cxx, operator_text};
use crate::source::SourceLoc;

impl Sema<'_> {
    /// Objects of a class that are assigned as bytes cannot be: it has constants or references.
    fn assignment_deleted(&self, ty: super::super::types::Ty) -> bool {
        let Some(id) = self.types.record_id(self.types.innermost(ty)) else {
            return false;
        };
        let mut fields = self.types.record(id).fields.iter().flatten();
        fields.any(|f| {
            f.ty.is_const
                || self.types.referent(f.ty.ty).is_some()
                || self.assignment_deleted(f.ty.ty)
        })
    }

    fn not_assigned(&mut self, target: &Operand, loc: SourceLoc) -> Operand {
        let shown = self.show_operand(target);
        let text = format!(
            "object of type {shown} cannot be assigned because its copy assignment operator is implicitly deleted"
        );
        self.error(loc, text);
        self.error_operand(loc)
    }

    pub(super) fn cxx_assign(
        &mut self,
        to: &ast::Expr,
        from: &ast::Expr,
        loc: SourceLoc,
    ) -> Operand {
        if let Some(written) = self.texel_assigned(to, from, loc) {
            return written;
        }
        let target = self.operand(to);
        let ty = self.operand_type(&target).ty;
        self.complete(ty, loc);
        let value = match list_of(from) {
            Some(init) => Operand::Value(self.list_value(ty, init, from.loc)),
            None => self.operand(from),
        };
        if self.has_error(&target) || self.has_error(&value) {
            return self.error_operand(loc);
        }
        let (a, b) = (to.begin(), from.begin());
        if let Some(class) = self.types.record_id(ty) {
            let from_ty = self.operand_type(&value).ty;
            let own = match self.member_entity(ty, "operator=") {
                Some(Entity::Functions(set)) => self.callees_of(set),
                _ => Vec::new(),
            };
            let has_own = !own.is_empty();
            let templates = own.into_iter().any(|callee| callee.template().is_some());
            let trivial = self.class(class).is_none_or(|c| c.trivial_copy);
            let same = from_ty == ty;
            if trivial && same && self.assignment_deleted(ty) {
                return self.not_assigned(&target, loc);
            }
            // What the class has beside is worse than its own assignment.
            if has_own && (!same || templates) || !trivial {
                if let Some(result) = self.overloaded(
                    "operator=",
                    vec![(target.clone(), a), (value.clone(), b)],
                    loc,
                ) {
                    return result;
                }
                if same {
                    return self.not_assigned(&target, loc);
                }
                if !trivial || has_own {
                    let text = "no viable overloaded '='";
                    self.error(loc, text);
                    return self.error_operand(loc);
                }
            }
        }
        // A temporary is assigned to as other objects of classes are.
        let target = match target {
            Operand::Value(Expr {
                kind: ExprKind::Load(place),
                ..
            }) if self.types.record_id(ty).is_some() => {
                let quals = QualTy {
                    space: place.space,
                    ..QualTy::plain(ty)
                };
                Operand::Place(place, quals)
            }
            other => other,
        };
        let a = self.stash(target, a);
        let b = self.stash(value, b);
        let result = self.assign(&a, &b, loc);
        self.updated(Operand::Value(result))
    }

    /// An operator of a class whose second operand is a list in braces; `None` where it is none.
    fn with_list(
        &mut self,
        name: &str,
        object: &Operand,
        begin: SourceLoc,
        list: &ast::Expr,
        loc: SourceLoc,
    ) -> Option<Operand> {
        let init = list_of(list).filter(|_| self.is_object(object))?;
        let args = vec![
            Argument::Operand(object.clone(), begin),
            Argument::List(self.expanded_list(init), list.loc),
        ];
        let result = self.overloaded_with(name, args, loc);
        Some(result.unwrap_or_else(|| {
            let sign = name.trim_start_matches("operator");
            self.error(loc, format!("no viable overloaded '{sign}'"));
            self.error_operand(loc)
        }))
    }

    pub(super) fn cxx_compound(
        &mut self,
        op: BinaryOp,
        to: &ast::Expr,
        from: &ast::Expr,
        loc: SourceLoc,
    ) -> Operand {
        let target = self.operand(to);
        let name = format!("operator{}=", operator_text(op));
        if let Some(result) = self.with_list(&name, &target, to.begin(), from, loc) {
            return result;
        }
        let mut value = self.operand(from);
        if self.has_error(&target) || self.has_error(&value) {
            return self.error_operand(loc);
        }
        let (a, b) = (to.begin(), from.begin());
        if self.is_object(&target) || self.is_object(&value) {
            let operands = vec![(target.clone(), a), (value.clone(), b)];
            if let Some(result) = self.overloaded(&name, operands, loc) {
                return result;
            }
            value = self.builtin_operand(value, b);
            let (x, y) = (self.operand_type(&target).ty, self.operand_type(&value).ty);
            let class = self.types.record_id(x).is_some() || self.types.record_id(y).is_some();
            if class || self.is_scoped(x) || self.is_scoped(y) || self.is_enum(x) {
                return self.no_operator(&target, &value, loc);
            }
        }
        let (a, b) = (self.stash(target, a), self.stash(value, b));
        let result = self.compound_assign(op, &a, &b, loc);
        self.updated(Operand::Value(result))
    }

    pub(super) fn cxx_index(
        &mut self,
        base: &ast::Expr,
        index: &ast::Expr,
        loc: SourceLoc,
    ) -> Operand {
        let mut object = self.operand(base);
        if let Some(result) = self.with_list("operator[]", &object, base.begin(), index, loc) {
            return result;
        }
        let mut at = self.operand(index);
        if self.has_error(&object) || self.has_error(&at) {
            return self.error_operand(loc);
        }
        let (a, b) = (base.begin(), index.begin());
        if self.is_object(&object) || self.is_object(&at) {
            let operands = vec![(object.clone(), a), (at.clone(), b)];
            if let Some(result) = self.overloaded("operator[]", operands, loc) {
                return result;
            }
            object = self.builtin_operand(object, a);
            at = self.builtin_operand(at, b);
        }
        let ty = self.operand_type(&object).ty;
        if let Some(to) = self.types.pointee(ty) {
            self.complete(to.ty, loc);
        }
        let (a, b) = (self.stash(object, a), self.stash(at, b));
        self.index(&a, &b, loc)
    }
}

/// The list in braces that an operand is.
pub(super) fn list_of(e: &ast::Expr) -> Option<&Initializer> {
    match &e.kind {
        ast::ExprKind::Cxx(inner) => match &**inner {
            cxx::Expr::List(init) => Some(init),
            _ => None,
        },
        _ => None,
    }
}
