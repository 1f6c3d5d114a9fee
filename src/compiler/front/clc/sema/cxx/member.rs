//! Members of objects, with and without the object written.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::Entity;
use super::super::types::{QualTy, RecordId, Ty};
use crate::front::clc::syntax::ast::{self, Name};
use crate::source::SourceLoc;

/// The member of a lambda that has the `this` of the function around it.
pub(super) const CAPTURED_THIS: &str = "(this)";

impl Sema<'_> {
    /// What a name means as a member of a type.
    pub(super) fn member_entity(&self, ty: Ty, name: &str) -> Option<Entity> {
        let class = self.class_of(ty)?;
        let found = self.scopes.find_in(class.space, name)?;
        Some(found.entity)
    }

    /// The object before `.` or, by `operator->` if need be, before `->`.
    pub(super) fn object_of(
        &mut self,
        base: &ast::Expr,
        arrow: bool,
        loc: SourceLoc,
    ) -> Option<Operand> {
        let mut operand = self.operand(base);
        if !arrow {
            let ty = self.operand_type(&operand).ty;
            if let Operand::Function(..) = operand {
                self.value_of(operand);
                return None;
            }
            return (!self.types.is_error(ty)).then_some(operand);
        }
        for _ in 0..64 {
            let ty = self.operand_type(&operand).ty;
            if self.types.is_error(ty) {
                return None;
            }
            if self.types.record_id(ty).is_some() {
                self.complete(ty, loc);
                let errors = self.sink.error_count();
                let shown = self.show_operand(&operand);
                let args = vec![(operand, base.begin())];
                let Some(pointer) = self.overloaded("operator->", args, loc) else {
                    if self.sink.error_count() == errors {
                        let text = format!("member reference type {shown} is not a pointer");
                        self.error(loc, text);
                    }
                    return None;
                };
                operand = pointer;
                continue;
            }
            let shown = self.show_operand(&operand);
            let pointer = self.value_of(operand);
            let Some(to) = self.types.pointee(pointer.ty) else {
                if !self.is_error(&pointer) {
                    self.error(
                        loc,
                        format!("member reference type {shown} is not a pointer"),
                    );
                }
                return None;
            };
            return Some(self.deref(pointer, to, loc));
        }
        None
    }

    /// `base.name` of what is no call; `None` if C has the rules.
    pub(super) fn cxx_member(
        &mut self,
        base: &ast::Expr,
        arrow: bool,
        name: &Name,
        loc: SourceLoc,
    ) -> Option<Operand> {
        let Some(object) = self.object_of(base, arrow, loc) else {
            return Some(self.error_operand(loc));
        };
        Some(self.member_of_object(object, name, base.begin(), loc))
    }

    pub(super) fn member_of_object(
        &mut self,
        object: Operand,
        name: &Name,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        let ty = self.operand_type(&object).ty;
        self.complete(ty, loc);
        let Some(class) = self.class_of(ty) else {
            let base = self.stash(object, begin);
            return self.member(&base, name, loc);
        };
        let space = class.space;
        match self.member_entity(ty, name) {
            Some(Entity::Field(_)) => {
                if let Some(id) = self.types.record_id(ty) {
                    self.check_member(id, name, loc);
                }
                self.object_field(object, name, begin, loc)
            }
            Some(Entity::Global(id)) => {
                self.check_access(space, name, loc);
                self.global_place(id, loc)
            }
            Some(Entity::EnumConst(value, ty)) => Operand::Value(self.constant_of(value, ty, loc)),
            Some(Entity::Functions(_)) => {
                let text = "reference to non-static member function must be called";
                self.error(loc, text);
                self.error_operand(loc)
            }
            _ => {
                let base = self.stash(object, begin);
                self.member(&base, name, loc)
            }
        }
    }

    /// A data member; one that is a reference is what it refers to.
    fn object_field(
        &mut self,
        object: Operand,
        name: &Name,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        let is_value = match &object {
            Operand::Value(e) => {
                self.xvalue(e).is_some() || matches!(e.kind, super::super::tree::ExprKind::Load(_))
            }
            _ => false,
        };
        // Of an object that is about to end.
        let object = match object {
            Operand::Value(super::super::tree::Expr {
                kind: super::super::tree::ExprKind::Load(place),
                ..
            }) => {
                let quals = QualTy::plain(place.ty).in_space(place.space);
                Operand::Place(place, quals)
            }
            other => other,
        };
        let ty = self.operand_type(&object).ty;
        let class = self.types.record_id(ty);
        let member = class.and_then(|id| self.types.record(id).members.get(name));
        let own_const = member.filter(|m| m.is_mutable).map(|m| m.ty.is_const);
        let base = self.stash(object, begin);
        let mut found = self.member(&base, name, loc);
        if let (Operand::Place(_, quals), Some(is_const)) = (&mut found, own_const)
            && quals.space != crate::ir::Space::Constant
        {
            quals.is_const = is_const;
        }
        let found = match found {
            Operand::Place(place, quals) if self.types.referent(quals.ty).is_some() => {
                let Some(to) = self.types.referent(quals.ty) else {
                    return self.error_operand(loc);
                };
                let pointer = self.types.pointer(to);
                let place = super::super::tree::Place {
                    ty: pointer,
                    ..place
                };
                let load = super::super::tree::ExprKind::Load(place);
                let load = super::super::tree::Expr::new(load, pointer, loc);
                return self.deref(load, to, loc);
            }
            other => other,
        };
        match (found, is_value) {
            (Operand::Place(place, _), true) if self.types.element(place.ty).is_none() => {
                let ty = place.ty;
                let load = super::super::tree::ExprKind::Load(place);
                Operand::Value(super::super::tree::Expr::new(load, ty, loc))
            }
            (found, _) => found,
        }
    }

    /// A member's name alone: of `*this`.
    pub(super) fn implicit_member(
        &mut self,
        class: RecordId,
        name: &Name,
        loc: SourceLoc,
    ) -> Operand {
        let Some((place, quals)) = self.this_object(loc) else {
            if self.xref().is_some_and(|x| x.unevaluated > 0) {
                // `decltype(member)`, `decltype(Class::member)`
                let own: Name = name.rsplit("::").next().unwrap_or(name).into();
                if let Some(member) = self.types.record(class).members.get(&own).copied() {
                    let e = self.zero(member.ty.ty, loc);
                    return Operand::Value(e);
                }
            }
            let text = format!("invalid use of member '{name}' in static member function");
            self.error(loc, text);
            return self.error_operand(loc);
        };
        let own = self.types.record_id(quals.ty);
        let reaches = own.is_some_and(|own| own == class || self.base_at(own, class).is_some());
        if let Some(own) = own.filter(|_| reaches) {
            self.check_inherited(own, class, name, loc);
        }
        let object = match reaches {
            true => Some(Operand::Place(place, quals)),
            false => self.captured_this(loc),
        };
        match object {
            Some(object) => {
                let object = self.part_of_class(object, class, loc);
                let found = self.object_field(object, name, loc, loc);
                match self.class(class).is_some_and(|c| c.copies.contains(name)) {
                    true => self.in_private(found, loc),
                    false => found,
                }
            }
            None => {
                let text =
                    format!("'this' cannot be implicitly captured in this context for '{name}'");
                self.error(loc, text);
                self.error_operand(loc)
            }
        }
    }

    /// The base of an object that has the member: a class derived from it may have another of that name.
    fn part_of_class(&mut self, object: Operand, class: RecordId, loc: SourceLoc) -> Operand {
        let Operand::Place(place, quals) = object else {
            return object;
        };
        let own = self.types.record_id(quals.ty).filter(|own| *own != class);
        match own.and_then(|own| self.base_at(own, class)) {
            Some((_, offset)) => {
                let base = QualTy::plain(self.record_type(class));
                let (place, quals) = self.part_of(place, quals, offset, base, loc);
                Operand::Place(place, quals)
            }
            None => Operand::Place(place, quals),
        }
    }

    /// The same object, known to lie in private memory.
    fn in_private(&mut self, object: Operand, loc: SourceLoc) -> Operand {
        let Operand::Place(place, quals) = object else {
            return object;
        };
        let of = quals.in_space(crate::ir::Space::Private);
        let pointer = self.types.pointer(of);
        let address = self.address(place, quals, loc);
        let address = self.convert(address, pointer);
        self.deref(address, of, loc)
    }

    /// In a lambda: the object that the function around it is a member of.
    pub(super) fn captured_this(&mut self, loc: SourceLoc) -> Option<Operand> {
        let mut object = self.this_object(loc)?;
        let name: Name = CAPTURED_THIS.into();
        let mut captured = false;
        // A lambda may stand in a lambda.
        while let Some(id) = self.types.record_id(object.1.ty)
            && self.types.record(id).members.contains_key(&name)
        {
            captured = true;
            let object_of = Operand::Place(object.0, object.1);
            let member = self.object_field(object_of, &name, loc, loc);
            let ty = self.operand_type(&member).ty;
            let found = match self.types.pointee(ty) {
                Some(to) => {
                    let pointer = self.value_of(member);
                    self.deref(pointer, to, loc)
                }
                None => member,
            };
            let Operand::Place(place, quals) = found else {
                return None;
            };
            object = (place, quals);
        }
        captured.then_some(Operand::Place(object.0, object.1))
    }
}
