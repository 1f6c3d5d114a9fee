//! Questions about types that the compiler answers: `__is_same` and its kin, what `<type_traits>` is made of.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::types::{Prim, Ty, TypeKind};
use super::overload::Argument;
use crate::source::SourceLoc;

impl Sema<'_> {
    pub(super) fn type_trait(&mut self, name: &str, types: &[Ty], loc: SourceLoc) -> Operand {
        let quals = std::mem::take(&mut self.x().trait_quals);
        if types.iter().any(|&ty| self.types.is_error(ty)) {
            return self.error_operand(loc);
        }
        let quals_of = |i: usize| quals.get(i).copied().unwrap_or_default();
        for &ty in types {
            self.complete(ty, loc);
        }
        let answer = match (name, types) {
            ("__is_same" | "__is_same_as", &[a, b]) => Some(a == b && quals_of(0) == quals_of(1)),
            ("__is_base_of", &[a, b]) => {
                Some(self.types.record_id(a).is_some() && self.related(b, a).is_some())
            }
            ("__is_convertible" | "__is_convertible_to", &[a, b]) => Some(self.converts(a, b, loc)),
            ("__is_constructible" | "__is_nothrow_constructible", &[to, ref from @ ..]) => {
                Some(self.constructs(to, from, loc))
            }
            (name, &[ty]) => self.unary_trait(name, ty, quals_of(0), loc),
            _ => None,
        };
        match answer {
            Some(answer) => Operand::Value(self.int_const(i64::from(answer), Prim::Bool, loc)),
            None => {
                self.error(loc, format!("'{name}' is not supported"));
                self.error_operand(loc)
            }
        }
    }

    fn unary_trait(
        &mut self,
        name: &str,
        ty: Ty,
        quals: (bool, bool),
        loc: SourceLoc,
    ) -> Option<bool> {
        let scalar = self.types.scalar(ty).filter(|_| !self.is_enum(ty));
        let class = self.class_of(ty).cloned();
        let is_union = class
            .as_ref()
            .is_some_and(|c| c.key == crate::front::clc::syntax::cxx::ast::ClassKey::Union);
        Some(match name {
            "__is_const" => quals.0,
            "__is_volatile" => quals.1,
            "__is_void" => self.types.is_void(ty),
            "__is_integral" => scalar.is_some_and(|p| !p.is_float()),
            "__is_floating_point" => scalar.is_some_and(Prim::is_float),
            "__is_vector" => self.types.vector(ty).is_some(),
            "__is_arithmetic" => scalar.is_some(),
            "__is_signed" => scalar.is_some_and(Prim::is_signed),
            "__is_unsigned" => scalar.is_some_and(|p| !p.is_signed()),
            "__is_pointer" => self.types.pointee(ty).is_some() && !self.types.is_nullptr(ty),
            "__is_array" => self.types.element(ty).is_some(),
            "__is_enum" => self.is_enum(ty),
            "__is_scoped_enum" => self.is_scoped(ty),
            "__is_union" => is_union,
            "__is_class" => self.types.record_id(ty).is_some() && !is_union,
            "__is_reference" => self.types.referent(ty).is_some(),
            "__is_lvalue_reference" => matches!(self.types.kind(ty), TypeKind::Reference(_, false)),
            "__is_rvalue_reference" => matches!(self.types.kind(ty), TypeKind::Reference(_, true)),
            "__is_function" => self.types.is_function(ty),
            "__is_empty" => class.is_some_and(|_| self.types.leaf_bytes(ty) == 0 && !is_union),
            "__is_polymorphic" | "__is_abstract" | "__has_virtual_destructor" => false,
            "__is_final" => class.is_some_and(|c| c.is_final),
            "__is_aggregate" => {
                self.types.element(ty).is_some() || class.is_some_and(|c| c.is_aggregate)
            }
            "__is_literal_type" => true,
            "__is_trivially_copyable" | "__is_trivially_destructible" => {
                self.types.referent(ty).is_none()
                    && match class {
                        Some(c) if name == "__is_trivially_destructible" => c.trivial_destroy,
                        _ => self.copies_as_bytes(ty),
                    }
            }
            "__is_trivial" | "__is_pod" => match class {
                Some(c) => c.trivial_copy && c.trivial_destroy && c.trivial_default,
                None => true,
            },
            "__is_standard_layout" => match class {
                Some(c) => c.bases.iter().all(|b| {
                    let of = self.types.record(b.class);
                    of.leaf == 0
                }),
                None => true,
            },
            "__is_trivially_constructible" => class.is_none_or(|c| c.trivial_default),
            "__is_constructible" => self.constructs(ty, &[], loc),
            _ => return None,
        })
    }

    /// A value of a type, as an argument.
    fn some_value(&mut self, ty: Ty, loc: SourceLoc) -> Argument {
        let operand = match *self.types.kind(ty) {
            TypeKind::Reference(to, is_rvalue) => {
                let pointer = self.types.pointer(to);
                let at = self.zero(pointer, loc);
                match (is_rvalue, self.deref(at, to, loc)) {
                    (true, Operand::Place(place, _)) => {
                        let ty = place.ty;
                        let kind = super::super::tree::ExprKind::Load(place);
                        Operand::Value(super::super::tree::Expr::new(kind, ty, loc))
                    }
                    (_, object) => object,
                }
            }
            _ => {
                // No constant: that could be a null pointer.
                let kind = super::super::tree::ExprKind::Const(1);
                Operand::Value(super::super::tree::Expr::new(kind, ty, loc))
            }
        };
        Argument::Operand(operand, loc)
    }

    fn converts(&mut self, from: Ty, to: Ty, loc: SourceLoc) -> bool {
        if self.types.is_void(to) {
            return self.types.is_void(from);
        }
        let arg = self.some_value(from, loc);
        self.cost(&arg, to, true).is_some()
    }

    fn constructs(&mut self, to: Ty, from: &[Ty], loc: SourceLoc) -> bool {
        if let Some(class) = self.types.record_id(to) {
            let args: Vec<Argument> = from.iter().map(|&ty| self.some_value(ty, loc)).collect();
            if self.cur.is_none() {
                return self.with_function(|s| s.makes(class, args, loc));
            }
            return self.makes(class, args, loc);
        }
        match from {
            [] => true,
            [from] => self.converts(*from, to, loc),
            _ => false,
        }
    }

    fn makes(
        &mut self,
        class: super::super::types::RecordId,
        args: Vec<Argument>,
        loc: SourceLoc,
    ) -> bool {
        let made =
            self.without_values(|s| s.tried(|s| s.constructed_value(class, args, false, loc)));
        made.is_some()
    }
}
