//! Pointers to data members.
//!
//! Their type is a scoped enumeration that no program can name; its values are offsets plus one, so
//! that zero is the null pointer and copies, comparisons, constants and template arguments need nothing.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::{Entity, Spec};
use super::super::tree::{BinOp, Expr, ExprKind};
use super::super::types::{Prim, QualTy, RecordId, Ty, TypeKind};
use super::types::spell_name;
use crate::front::clc::syntax::ast::{self, Name};
use crate::front::clc::syntax::cxx::ast as cxx;
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// The type that `class::*` makes of a member's type.
    pub fn member_pointer_to(&mut self, to: Spec, class: &cxx::QName, loc: SourceLoc) -> Spec {
        let of = self.named_type(class).ty;
        if self.types.is_error(of) || self.types.is_error(to.ty) {
            return Spec::plain(self.types.error());
        }
        let Some(id) = self.types.record_id(of) else {
            let text = format!(
                "'{}' does not point into a class: {} is none",
                spell_name(class),
                self.types.show(of)
            );
            self.error(loc, text);
            return Spec::plain(self.types.error());
        };
        let refused = match self.types.kind(to.ty) {
            TypeKind::Function(_) => "pointers to functions are not allowed",
            TypeKind::Reference(..) => "a pointer to a member of reference type",
            _ => return Spec::plain(self.member_pointer(id, to.object(Space::Private))),
        };
        self.error(loc, refused);
        Spec::plain(self.types.error())
    }

    fn member_pointer(&mut self, class: RecordId, to: QualTy) -> Ty {
        let to = to.in_space(Space::Private);
        let known = &self.x().member_pointers;
        if let Some((&ty, _)) = known.iter().find(|row| *row.1 == (class, to)) {
            return ty;
        }
        let of = self.record_type(class);
        let mut name = format!("{} {}::*", self.types.spell(to.ty), self.types.spell(of));
        if to.is_const {
            name.insert_str(0, "const ");
        }
        // Local classes may have equal names.
        let mut ty = self
            .types
            .intern(TypeKind::Enum(name.clone().into(), Prim::Long));
        while self.member_pointer_of(ty).is_some() {
            name.push('\'');
            ty = self
                .types
                .intern(TypeKind::Enum(name.clone().into(), Prim::Long));
        }
        let x = self.x();
        x.scoped.insert(ty);
        x.member_pointers.insert(ty, (class, to));
        ty
    }

    /// The class that such a pointer points into, and what to.
    pub(super) fn member_pointer_of(&self, ty: Ty) -> Option<(RecordId, QualTy)> {
        self.xref()?.member_pointers.get(&ty).copied()
    }

    /// `&class::member`; `None` if it is no such pointer.
    pub(super) fn address_of_member(&mut self, e: &ast::Expr, loc: SourceLoc) -> Option<Operand> {
        let ast::ExprKind::Cxx(inner) = &e.kind else {
            return None;
        };
        let cxx::Expr::Name(name) = &**inner else {
            return None;
        };
        let mut class = name.clone();
        let last = class.parts.pop().filter(|last| last.args.is_none())?;
        let scope = match class.parts.is_empty() {
            true => None,
            false => self.tried(|s| s.named_type(&class).ty),
        };
        let mut id = self.types.record_id(scope?)?;
        let ty = self.record_type(id);
        self.complete(ty, loc);
        while !self.has_own_field(id, &last.name) {
            let bases = self.class(id)?.bases.clone();
            let of_base = |s: &Self, b: RecordId| {
                let ty = s.class(b).map(|c| c.space);
                ty.is_some_and(|space| s.scopes.find_in(space, &last.name).is_some())
            };
            id = bases.iter().find(|b| of_base(self, b.class))?.class;
        }
        let member = self.types.record(id).members.get(&last.name).copied()?;
        let space = self.class(id)?.space;
        self.check_access(space, &last.name, loc);
        let ty = self.member_pointer(id, member.ty);
        let value = ExprKind::Const(member.offset + 1);
        Some(Operand::Value(Expr::new(value, ty, loc)))
    }

    fn has_own_field(&self, class: RecordId, name: &Name) -> bool {
        let own = self.class(class).map(|c| c.space);
        let found = own.and_then(|space| self.scopes.find_own(space, name));
        found.is_some_and(|s| matches!(s.entity, Entity::Field(_)))
            && self.types.record(class).members.contains_key(name)
    }

    /// `object.*pointer` and `pointer->*pointer`.
    pub(super) fn pointed_member(
        &mut self,
        base: &ast::Expr,
        arrow: bool,
        member: &ast::Expr,
        loc: SourceLoc,
    ) -> Operand {
        let left = self.operand(base);
        let right = self.operand(member);
        if arrow {
            let operands = vec![
                (left.clone(), base.begin()),
                (right.clone(), member.begin()),
            ];
            if let Some(result) = self.overloaded("operator->*", operands, loc) {
                return result;
            }
        }
        let stashed = self.stash(left, base.begin());
        let object = match arrow {
            true => self.dereference(&stashed, loc),
            false => self.operand(&stashed),
        };
        let pointer = self.value_of(right);
        if self.has_error(&object) || self.is_error(&pointer) {
            return self.error_operand(loc);
        }
        let object = match object {
            Operand::Value(value) => match self.materialised(value, loc) {
                Some(place) => {
                    let quals = QualTy::plain(place.ty);
                    Operand::Place(place, quals)
                }
                None => return self.error_operand(loc),
            },
            other => other,
        };
        let from = self.operand_type(&object);
        let fits = self.member_pointer_of(pointer.ty).filter(|(class, _)| {
            let of = self.types.record_id(from.ty);
            of.is_some_and(|of| of == *class || self.base_at(of, *class).is_some())
        });
        let Some((class, to)) = fits else {
            let text = format!(
                "{} is no pointer to a member of {}",
                self.types.show(pointer.ty),
                self.types.show(from.ty)
            );
            self.error(member.begin(), text);
            return self.error_operand(loc);
        };
        let ty = self.record_type(class);
        let whole = QualTy { ty, ..from };
        let Some(address) = self.object_pointer(object, whole, loc) else {
            return self.error_operand(loc);
        };
        if let Some(offset) = self.integer_constant(&pointer).filter(|&at| at > 0) {
            let (place, quals) = self.part_at(address, whole, offset - 1, to, loc);
            return Operand::Place(place, quals);
        }
        let long = self.types.prim(Prim::Long);
        let index = Expr::new(ExprKind::Convert(Box::new(pointer)), long, loc);
        let one = self.int_const(1, Prim::Long, loc);
        let kind = ExprKind::Binary(BinOp::Sub, Box::new(index), Box::new(one));
        let index = Expr::new(kind, long, loc);
        let part = whole.part(to);
        let address = self.bytes_on(address, index, part, loc);
        self.deref(address, part, loc)
    }

    /// What an implicit conversion from or to such a pointer gives, if there is one.
    pub(super) fn member_pointer_converted(&mut self, e: &Expr, to: Ty) -> Option<Expr> {
        let loc = e.loc;
        if self.types.scalar(to) == Some(Prim::Bool) {
            self.member_pointer_of(e.ty)?;
            return Some(Expr::new(ExprKind::Convert(Box::new(e.clone())), to, loc));
        }
        let (derived, pointee) = self.member_pointer_of(to)?;
        if self.is_null_constant(e) {
            return Some(self.zero(to, loc));
        }
        let (base, from) = self.member_pointer_of(e.ty)?;
        let fits = from.ty == pointee.ty && (pointee.is_const || !from.is_const);
        let offset = match base == derived {
            true => Some(0),
            false => self.base_at(derived, base).map(|found| found.1),
        };
        let offset = offset.filter(|_| fits)?;
        let long = self.types.prim(Prim::Long);
        let moved = |at: &Expr, offset: Expr| {
            let at = Expr::new(ExprKind::Convert(Box::new(at.clone())), long, loc);
            ExprKind::Binary(BinOp::Add, Box::new(at), Box::new(offset))
        };
        if offset == 0 {
            return Some(Expr::new(ExprKind::Convert(Box::new(e.clone())), to, loc));
        }
        // Null stays null.
        let bool = self.types.prim(Prim::Bool);
        let is_set = Expr::new(ExprKind::Convert(Box::new(e.clone())), bool, loc);
        let offset = self.int_const(offset as i64, Prim::Long, loc);
        let moved = Expr::new(moved(e, offset), long, loc);
        let zero = self.int_const(0, Prim::Long, loc);
        let kind = ExprKind::Cond(Box::new(is_set), Box::new(moved), Box::new(zero));
        let value = Expr::new(kind, long, loc);
        Some(Expr::new(ExprKind::Convert(Box::new(value)), to, loc))
    }

    /// The value of a pointer to a member as a condition; other operands as they are.
    pub(super) fn member_pointer_set(&mut self, operand: Operand) -> Operand {
        let ty = self.operand_type(&operand).ty;
        if self.member_pointer_of(ty).is_none() {
            return operand;
        }
        let e = self.value_of(operand);
        let bool = self.types.prim(Prim::Bool);
        let set = self.member_pointer_converted(&e, bool);
        Operand::Value(set.unwrap_or(e))
    }

    /// Two such pointers, or one and null, as values of one type.
    pub(super) fn common_member_pointers(&mut self, a: Operand, b: Operand) -> (Operand, Operand) {
        let (x, y) = (self.operand_type(&a).ty, self.operand_type(&b).ty);
        let known = |s: &Self, ty| s.member_pointer_of(ty).is_some();
        if x == y || !known(self, x) && !known(self, y) {
            return (a, b);
        }
        let (p, q) = (self.value_of(a.clone()), self.value_of(b.clone()));
        if let Some(q) = self
            .member_pointer_converted(&q, x)
            .filter(|_| known(self, x))
        {
            return (a, Operand::Value(q));
        }
        match self
            .member_pointer_converted(&p, y)
            .filter(|_| known(self, y))
        {
            Some(p) => (Operand::Value(p), b),
            None => (a, b),
        }
    }
}
