//! Casts: C's, functional ones and those with a name.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::tree::{Expr, ExprKind};
use super::super::types::{Prim, QualTy, Ty, TypeKind};
use super::overload::Argument;
use crate::front::clc::syntax::cxx::ast::CastKind;
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// `(type)e` and `type(e)`.
    pub(super) fn cast_to(
        &mut self,
        operand: Operand,
        to: Ty,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        let (operand, from) = match self.castable(operand, to, loc) {
            Ok(found) => found,
            Err(refused) => return *refused,
        };
        if self.types.is_void(to) {
            let e = self.discarded(operand);
            return Operand::Value(self.as_void(e, to));
        }
        if let TypeKind::Reference(of, is_rvalue) = *self.types.kind(to) {
            return self.cast_to_reference(operand, of, is_rvalue, true, loc);
        }
        self.complete(to, loc);
        if let Some(class) = self.types.record_id(to) {
            let args = vec![Argument::Operand(operand, begin)];
            return self.constructed_value(class, args, false, loc);
        }
        let mut operand = operand;
        if self.types.record_id(from).is_some() {
            let outer = std::mem::replace(&mut self.x().contextual, true);
            let found = self.conversion(&operand, to);
            self.x().contextual = outer;
            let Some((id, _)) = found else {
                let text = format!(
                    "cannot convert {} to {} without a conversion operator",
                    self.show_operand(&operand),
                    self.types.show(to)
                );
                self.error(loc, text);
                return self.error_operand(loc);
            };
            operand = self.call_cxx(id, Some(operand), Vec::new(), loc);
        }
        if let Some(related) = self.class_pointer_cast(&operand, to, loc) {
            return Operand::Value(related);
        }
        let value = self.value_of(operand);
        // Enumerations are integers to casts.
        let (target, is_enum) = match *self.types.kind(to) {
            TypeKind::Enum(_, prim) => (self.types.prim(prim), true),
            _ => (to, false),
        };
        let value = match *self.types.kind(value.ty) {
            TypeKind::Enum(_, prim) => {
                let ty = self.types.prim(prim);
                Expr { ty, ..value }
            }
            _ => value,
        };
        let shown = self.types.show(value.ty);
        let cast = self.explicit_cast(value, target, &shown, begin, loc);
        let cast = match is_enum && !self.is_error(&cast) {
            true => Expr { ty: to, ..cast },
            false => cast,
        };
        Operand::Value(self.as_value(cast))
    }

    /// What is cast, and its type, unless there have been errors or it is a function.
    fn castable(
        &mut self,
        operand: Operand,
        to: Ty,
        loc: SourceLoc,
    ) -> Result<(Operand, Ty), Box<Operand>> {
        let from = self.operand_type(&operand).ty;
        if let Operand::Function(..) = operand {
            return Err(Box::new(Operand::Value(self.value_of(operand))));
        }
        match self.types.is_error(from) || self.types.is_error(to) {
            true => Err(Box::new(self.error_operand(loc))),
            false => Ok((operand, from)),
        }
    }

    /// Between pointers to a class and its bases.
    pub(super) fn class_pointer_cast(
        &mut self,
        operand: &Operand,
        to: Ty,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let from = self.operand_type(operand).ty;
        let (a, b) = (self.types.pointee(from)?, self.types.pointee(to)?);
        self.complete(a.ty, loc);
        self.complete(b.ty, loc);
        let (x, y) = (self.types.record_id(a.ty)?, self.types.record_id(b.ty)?);
        if x == y || !(Sema::space_fits(a.space, b.space) || Sema::space_fits(b.space, a.space)) {
            return None;
        }
        if let Some((_, offset)) = self.base_at(x, y) {
            let e = self.value_of(operand.clone());
            return Some(self.base_pointer(e, b, offset, loc));
        }
        let (_, offset) = self.base_at(y, x)?;
        let e = self.value_of(operand.clone());
        Some(self.derived_pointer(e, b, offset, loc))
    }

    /// A pointer to a base as one to the class around it.
    pub(super) fn derived_pointer(
        &mut self,
        e: Expr,
        to: QualTy,
        offset: u64,
        loc: SourceLoc,
    ) -> Expr {
        let Some(from) = self.types.pointee(e.ty) else {
            return e;
        };
        let byte = self.types.prim(Prim::Char);
        let bytes = self.types.pointer(QualTy { ty: byte, ..from });
        let derived = self.types.pointer(QualTy { ty: to.ty, ..from });
        let e = Expr::new(ExprKind::Reinterpret(Box::new(e)), bytes, loc);
        let index = self.int_const(offset as i64, Prim::ULong, loc);
        let kind = ExprKind::PtrAdd {
            ptr: Box::new(e),
            index: Box::new(index),
            size: 1,
            negate: true,
        };
        let e = Expr::new(kind, bytes, loc);
        let e = Expr::new(ExprKind::Reinterpret(Box::new(e)), derived, loc);
        let to = self.types.pointer(to);
        self.convert(e, to)
    }

    /// An object as one that a reference of that type refers to.
    pub(super) fn cast_to_reference(
        &mut self,
        operand: Operand,
        of: QualTy,
        is_rvalue: bool,
        any: bool,
        loc: SourceLoc,
    ) -> Operand {
        self.complete(of.ty, loc);
        let quals = self.operand_type(&operand);
        let (place, from) = match operand {
            Operand::Place(place, quals) => (place, quals),
            Operand::Value(Expr {
                kind: ExprKind::Load(place),
                ..
            }) => {
                let space = place.space;
                (place, QualTy { space, ..quals })
            }
            other => {
                let value = self.value_of(other);
                match self.materialised(value, loc) {
                    Some(place) => (place, quals),
                    None => return self.error_operand(loc),
                }
            }
        };
        self.complete(from.ty, loc);
        if super::overload::is_lanes(&place) {
            self.error(loc, "a reference cannot bind to vector element");
            return self.error_operand(loc);
        }
        let spaces =
            Sema::space_fits(from.space, of.space) || any && Sema::space_fits(of.space, from.space);
        let related = from.ty == of.ty
            || self.related(from.ty, of.ty).is_some()
            || self.related(of.ty, from.ty).is_some()
            || any;
        if !spaces || !related {
            let text = format!(
                "cannot cast {} to reference of type {}",
                self.types.show_object(from),
                self.types.show_object(of)
            );
            self.error(loc, text);
            return self.error_operand(loc);
        }
        let address = self.address(place, from, loc);
        let ids = (self.types.record_id(from.ty), self.types.record_id(of.ty));
        let pointer = match ids {
            (Some(a), Some(b)) if a != b => match (self.base_at(a, b), self.base_at(b, a)) {
                (Some((_, offset)), _) => self.base_pointer(address, of, offset, loc),
                (_, Some((_, offset))) => self.derived_pointer(address, of, offset, loc),
                _ => {
                    let to = self.types.pointer(of);
                    self.convert(address, to)
                }
            },
            _ => {
                let to = self.types.pointer(of);
                self.convert(address, to)
            }
        };
        let object = self.deref(pointer, of, loc);
        match (is_rvalue, object) {
            (true, Operand::Place(place, _)) => {
                let ty = place.ty;
                Operand::Value(Expr::new(ExprKind::Load(place), ty, loc))
            }
            (_, object) => object,
        }
    }

    pub(super) fn named_cast(
        &mut self,
        kind: CastKind,
        operand: Operand,
        to: Ty,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        let (operand, from) = match self.castable(operand, to, loc) {
            Ok(found) => found,
            Err(refused) => return *refused,
        };
        let word = match kind {
            CastKind::Static => "static_cast",
            CastKind::Const => "const_cast",
            CastKind::Reinterpret => "reinterpret_cast",
            CastKind::Space => "addrspace_cast",
        };
        if let TypeKind::Reference(of, is_rvalue) = *self.types.kind(to) {
            let quals = self.operand_type(&operand);
            let same = of.ty == quals.ty;
            let fits = match kind {
                CastKind::Static => !quals.is_const || of.is_const,
                CastKind::Const => same && (of.space == quals.space || of.space == Space::Generic),
                CastKind::Reinterpret => !quals.is_const || of.is_const,
                // Pointers only.
                CastKind::Space => false,
            };
            if !fits {
                return self.bad_cast_of(word, &operand, to, loc);
            }
            let any = kind == CastKind::Reinterpret;
            return self.cast_to_reference(operand, of, is_rvalue, any, loc);
        }
        let decayed = match self.types.element(from) {
            Some(_) => {
                let value = self.value_of(operand.clone());
                value.ty
            }
            None => from,
        };
        let (a, b) = (self.types.pointee(decayed), self.types.pointee(to));
        let fits = match (kind, a, b) {
            (CastKind::Static, Some(a), Some(b)) => {
                let void = self.types.is_void(a.ty) || self.types.is_void(b.ty);
                let void = void || self.types.is_nullptr(from);
                self.complete(a.ty, loc);
                self.complete(b.ty, loc);
                let related =
                    self.related(a.ty, b.ty).is_some() || self.related(b.ty, a.ty).is_some();
                (void || related)
                    && Sema::space_fits(a.space, b.space)
                    && (!a.is_const || b.is_const)
            }
            (CastKind::Static, Some(_), None) => {
                self.types.scalar(to) == Some(Prim::Bool) || self.types.is_void(to)
            }
            (CastKind::Static, None, Some(_)) => {
                let value = self.value_of(operand.clone());
                self.is_null_constant(&value)
            }
            (CastKind::Static, None, None) => true,
            (CastKind::Const, Some(a), Some(b)) => a.ty == b.ty && a.space == b.space,
            (CastKind::Const, ..) => from == to,
            (CastKind::Reinterpret, Some(a), Some(b)) => {
                Sema::space_fits(a.space, b.space) && (!a.is_const || b.is_const)
            }
            (CastKind::Reinterpret, Some(_), None) => {
                self.types.is_integer(to) && self.types.size(to) >= 8
            }
            (CastKind::Reinterpret, None, Some(_)) => self.types.is_integer(from),
            (CastKind::Reinterpret, None, None) => {
                let vectors = self.types.vector(from).is_some() || self.types.vector(to).is_some();
                let scalar = self.types.arith(to).is_some();
                from == to && scalar || vectors && self.types.size(from) == self.types.size(to)
            }
            (CastKind::Space, Some(a), Some(b)) => {
                a.ty == b.ty
                    && (!a.is_const || b.is_const)
                    && (Sema::space_fits(a.space, b.space) || Sema::space_fits(b.space, a.space))
            }
            (CastKind::Space, ..) => false,
        };
        if !fits {
            return self.bad_cast_of(word, &operand, to, loc);
        }
        if kind == CastKind::Reinterpret && a.is_none() && b.is_none() && from != to {
            let value = self.value_of(operand);
            return Operand::Value(self.reinterpret(value, to, loc));
        }
        if kind == CastKind::Reinterpret
            && let (Some(_), Some(_)) = (a, b)
        {
            let value = self.value_of(operand);
            return Operand::Value(self.convert(value, to));
        }
        self.cast_to(operand, to, begin, loc)
    }

    pub(super) fn bad_cast_of(
        &mut self,
        word: &str,
        operand: &Operand,
        to: Ty,
        loc: SourceLoc,
    ) -> Operand {
        let (from, to) = (self.show_operand(operand), self.types.show(to));
        self.error(loc, format!("{word} from {from} to {to} is not allowed"));
        self.error_operand(loc)
    }
}
