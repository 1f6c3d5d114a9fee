//! Compound literals: objects made by an expression.

use super::Sema;
use super::operand::Operand;
use super::tree::{Expr, GlobalVar, Init, Place, PlaceKind};
use super::types::{QualTy, TypeKind};
use crate::front::clc::syntax::ast::{Initializer, TypeName};
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// `(type){...}`
    pub fn compound_literal(
        &mut self,
        name: &TypeName,
        init: &Initializer,
        loc: SourceLoc,
    ) -> Operand {
        let spec = self.type_name(name);
        if self.types.is_error(spec.ty) {
            return self.error_operand(loc);
        }
        let aggregate = matches!(
            self.types.kind(spec.ty),
            TypeKind::Array(..) | TypeKind::Record(_)
        );
        if self.cur.is_none() && aggregate {
            return self.static_literal(spec, init, loc);
        }
        let quals = spec.object(Space::Private);
        let Some((ty, made)) = self.local_initializer(quals, init, loc) else {
            return self.error_operand(loc);
        };
        let quals = QualTy { ty, ..quals };
        let align = self.types.align(ty);
        match (made, &mut self.cur) {
            (Init::Value(value), _) if !aggregate => Operand::Value(Expr { loc, ..*value }),
            (made, Some(f)) => {
                let id = f.new_local("".into(), quals, align, loc);
                let place = Place {
                    kind: PlaceKind::Literal(id, made),
                    ty,
                    space: Space::Private,
                    align,
                    is_volatile: quals.is_volatile,
                    loc,
                };
                Operand::Place(place, quals)
            }
            _ => self.error_operand(loc),
        }
    }

    fn static_literal(
        &mut self,
        spec: super::scope::Spec,
        init: &Initializer,
        loc: SourceLoc,
    ) -> Operand {
        let space = match spec.space {
            Some(space) => space,
            None => self.features.default_static().unwrap_or(Space::Constant),
        };
        let mut quals = spec.object(space);
        quals.is_const |= space == Space::Constant;
        let Some((ty, init)) = self.constant_initializer(quals, init, loc) else {
            return self.error_operand(loc);
        };
        let quals = QualTy { ty, ..quals };
        let global = GlobalVar {
            name: format!(".literal{}", self.globals.len()).into(),
            ty,
            space,
            align: self.types.align(ty),
            init: Some(init),
            external: false,
            once: false,
            defined: true,
            loc,
        };
        let id = self.new_global(global, quals);
        self.global_place(id, loc)
    }
}
