//! Expressions: which of them C++ has rules of its own for.

use super::super::Sema;
use super::super::convert::Context;
use super::super::expr_binary::common_space;
use super::super::operand::Operand;
use super::super::tree::{Expr, ExprKind, Place};
use super::super::types::{Prim, QualTy, Ty, TypeKind};
use super::overload::Argument;
use crate::front::clc::syntax::ast;
use crate::front::clc::syntax::cxx::ast::{self as cxx, FoldOp};
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// `None`: the rules are C's.
    pub fn cxx_operand(&mut self, e: &ast::Expr) -> Option<Operand> {
        use ast::ExprKind::*;
        let loc = e.loc;
        Some(match &e.kind {
            Analysed(number) => self.stashed(*number)?,
            Unary(op, inner) => self.cxx_unary(*op, inner, loc),
            PostInc(inner) => self.cxx_post(inner, false, loc),
            PostDec(inner) => self.cxx_post(inner, true, loc),
            Binary(op, a, b) => self.cxx_binary(*op, a, b, loc),
            Assign(None, to, from) => self.cxx_assign(to, from, loc),
            Assign(Some(op), to, from) => self.cxx_compound(*op, to, from, loc),
            Conditional(c, Some(a), b) => self.cxx_conditional(c, a, b, loc),
            Comma(a, b) => self.cxx_comma(a, b, loc),
            Index(base, index) => self.cxx_index(base, index, loc),
            Call(callee, args) => self.cxx_call(callee, args, loc),
            Member(base, name) => self.cxx_member(base, false, name, loc)?,
            Arrow(base, name) => self.cxx_member(base, true, name, loc)?,
            Cast(ty, inner) => {
                let to = self.named_only(ty);
                let operand = self.operand(inner);
                self.cast_to(operand, to, inner.begin(), loc)
            }
            CompoundLiteral(ty, init) => {
                let to = self.named_only(ty);
                self.complete(to, loc);
                self.class_of(to)?;
                let args = vec![Argument::List((**init).clone(), loc)];
                self.functional_cast(to, args, loc)
            }
            SizeofExpr(inner) | AlignofExpr(inner) => {
                let measures_size = matches!(e.kind, SizeofExpr(_));
                let operand = self.without_values(|s| s.operand(inner));
                let ty = self.operand_type(&operand).ty;
                self.measure(ty, measures_size, loc)
            }
            SizeofType(ty) | AlignofType(ty) => {
                let measures_size = matches!(e.kind, SizeofType(_));
                let ty = self.named_only(ty);
                self.measure(ty, measures_size, loc)
            }
            Offsetof(ty, _) => {
                let ty = self.type_name(ty).ty;
                self.complete(ty, loc);
                return None;
            }
            Cxx(inner) => self.own_expr(inner, loc),
            _ => return None,
        })
    }

    pub(super) fn measure(&mut self, ty: Ty, size: bool, loc: SourceLoc) -> Operand {
        let ty = self.types.referent(ty).map_or(ty, |r| r.ty);
        if self.types.is_error(ty) {
            return self.error_operand(loc);
        }
        self.complete(ty, loc);
        if !self.types.is_complete(ty) {
            let word = if size { "sizeof" } else { "alignof" };
            let shown = self.types.show(ty);
            let text = format!("invalid application of '{word}' to an incomplete type {shown}");
            self.error(loc, text);
            return self.error_operand(loc);
        }
        let value = match size {
            true => self.types.size(ty),
            false => self.types.align(ty),
        };
        Operand::Value(self.int_const(value as i64, Prim::ULong, loc))
    }

    pub(super) fn own_expr(&mut self, e: &cxx::Expr, loc: SourceLoc) -> Operand {
        match e {
            cxx::Expr::Name(name) => self.qualified(name, loc),
            cxx::Expr::Bool(value) => {
                Operand::Value(self.int_const(i64::from(*value), Prim::Bool, loc))
            }
            cxx::Expr::Nullptr => {
                let null = self.types.intern(TypeKind::Null);
                let to = QualTy::plain(null).in_space(self.features.default_pointee());
                let ty = self.types.pointer(to);
                Operand::Value(self.zero(ty, loc))
            }
            cxx::Expr::This => self.this_value(loc),
            cxx::Expr::Construct(ty, args) => {
                let deduced = self.deduced_name(ty);
                let Some(args) = self.analysed(args) else {
                    return self.error_operand(loc);
                };
                match deduced {
                    Some(template) => match self.deduced_class(template, &args, loc) {
                        Some(class) => self.constructed_value(class, args, false, loc),
                        None => self.error_operand(loc),
                    },
                    None => {
                        let ty = self.type_name(ty).ty;
                        self.functional_cast(ty, args, loc)
                    }
                }
            }
            cxx::Expr::ConstructList(ty, init) => {
                let deduced = self.deduced_name(ty);
                let init = match deduced {
                    Some(_) => self.analysed_init(init),
                    None => Some(self.expanded_list(init)),
                };
                let Some(init) = init else {
                    return self.error_operand(loc);
                };
                let args = vec![Argument::List(init.clone(), loc)];
                if let Some(template) = deduced {
                    let ast::Initializer::List(items, _) = init else {
                        return self.error_operand(loc);
                    };
                    let Some(given) = self.list_arguments(&items) else {
                        return self.error_operand(loc);
                    };
                    return match self.deduced_class(template, &given, loc) {
                        Some(class) => self.constructed_value(class, args, false, loc),
                        None => self.error_operand(loc),
                    };
                }
                let ty = self.type_name(ty).ty;
                self.functional_cast(ty, args, loc)
            }
            cxx::Expr::List(_) | cxx::Expr::Arguments(_) => {
                self.error(loc, "a list in braces is no expression here");
                self.error_operand(loc)
            }
            cxx::Expr::Cast(kind, ty, inner) => {
                let to = self.type_name(ty).ty;
                let operand = self.operand(inner);
                self.named_cast(*kind, operand, to, inner.begin(), loc)
            }
            cxx::Expr::SizeofPack(name) => match self.scopes.find(name).map(|s| s.entity) {
                Some(super::super::scope::Entity::Pack(pack)) => {
                    let count = self.x().packs[pack as usize].len();
                    Operand::Value(self.int_const(count as i64, Prim::ULong, loc))
                }
                _ => {
                    self.error(
                        loc,
                        format!("'{name}' does not refer to the name of a parameter pack"),
                    );
                    self.error_operand(loc)
                }
            },
            cxx::Expr::Fold {
                op,
                left,
                right,
                packs_left,
                packs,
            } => self.fold(*op, left.as_ref(), right.as_ref(), *packs_left, packs, loc),
            cxx::Expr::Expand(..) => {
                self.error(loc, "a pack cannot be expanded here");
                self.error_operand(loc)
            }
            cxx::Expr::Lambda(lambda) => self.lambda(lambda, loc),
            cxx::Expr::Member { base, arrow, name } => {
                let Some(object) = self.object_of(base, *arrow, loc) else {
                    return self.error_operand(loc);
                };
                match name.parts.last() {
                    Some(last) if last.args.is_none() => {
                        let object = match name.parts.len() {
                            1 => object,
                            _ => {
                                let ty = self.operand_type(&object).ty;
                                let of = self.member_scope(ty, name);
                                match self.object_as(object, of, loc) {
                                    Some(part) => part,
                                    None => return self.error_operand(loc),
                                }
                            }
                        };
                        let name = last.name.clone();
                        self.member_of_object(object, &name, base.begin(), loc)
                    }
                    _ => {
                        self.error(
                            loc,
                            "reference to non-static member function must be called",
                        );
                        self.error_operand(loc)
                    }
                }
            }
            cxx::Expr::Builtin(_) => {
                self.error(loc, "a function of OpenCL C can only be called");
                self.error_operand(loc)
            }
            cxx::Expr::PointedMember {
                base,
                arrow,
                member,
            } => self.pointed_member(base, *arrow, member, loc),
            cxx::Expr::UserLiteral(value, suffix) => self.user_literal(value, suffix, loc),
            cxx::Expr::Noexcept(e) => {
                let outer = self.x().throws.replace(false);
                self.without_values(|s| s.operand(e));
                let throws = std::mem::replace(&mut self.x().throws, outer);
                let value = i64::from(throws != Some(true));
                Operand::Value(self.int_const(value, Prim::Bool, loc))
            }
            cxx::Expr::New(new) => self.new_object(new, loc),
            cxx::Expr::Delete {
                global,
                array,
                operand,
            } => {
                let operand = self.operand(operand);
                self.delete_object(*global, *array, operand, loc)
            }
            cxx::Expr::Trait(name, types) => {
                let mut given = Vec::new();
                for (ty, packs) in types {
                    match packs.is_empty() {
                        true => given.push(self.type_with_quals(ty)),
                        false => self.expand(packs, loc, |s| given.push(s.type_with_quals(ty))),
                    }
                }
                self.type_trait(name, &given, loc)
            }
        }
    }

    pub(super) fn this_value(&mut self, loc: SourceLoc) -> Operand {
        let captured = self.captured_this(loc);
        if let Some(Operand::Place(place, quals)) = captured {
            return Operand::Value(self.address(place, quals, loc));
        }
        match self.this_pointer(loc) {
            // A value, which is no object that could be referred to.
            Some(pointer) => Operand::Value(self.as_value(pointer)),
            None => {
                self.error(
                    loc,
                    "invalid use of 'this' outside of a non-static member function",
                );
                self.error_operand(loc)
            }
        }
    }

    /// A value that is not taken for the object that it was read of.
    pub(super) fn as_value(&mut self, e: Expr) -> Expr {
        match e.kind {
            ExprKind::Load(_) if self.types.record_id(e.ty).is_none() => {
                let (ty, loc) = (e.ty, e.loc);
                Expr::new(ExprKind::StmtExpr(Vec::new(), Some(Box::new(e))), ty, loc)
            }
            _ => e,
        }
    }

    pub(super) fn cxx_comma(&mut self, a: &ast::Expr, b: &ast::Expr, loc: SourceLoc) -> Operand {
        let left = self.operand(a);
        let left_object = self.operand_type(&left).ty;
        if self.types.record_id(left_object).is_some() {
            let right = self.operand(b);
            let operands = vec![(left.clone(), a.begin()), (right.clone(), b.begin())];
            if let Some(result) = self.overloaded("operator,", operands, loc) {
                return result;
            }
            return self.comma_of(left, right, loc);
        }
        let right = self.operand(b);
        self.comma_of(left, right, loc)
    }

    pub(super) fn comma_of(&mut self, left: Operand, right: Operand, loc: SourceLoc) -> Operand {
        if let Operand::Function(..) = left {
            return Operand::Value(self.value_of(left));
        }
        let left = self.discarded(left);
        if self.is_error(&left) {
            return self.error_operand(loc);
        }
        match right {
            Operand::Place(place, quals) if !super::overload::is_lanes(&place) => {
                let place = Place { loc, ..place };
                let address = self.address(place.clone(), quals, loc);
                let ty = address.ty;
                let both = Expr::new(ExprKind::Comma(Box::new(left), Box::new(address)), ty, loc);
                self.deref(
                    both,
                    QualTy {
                        ty: place.ty,
                        ..quals
                    },
                    loc,
                )
            }
            other => {
                let right = self.value_of(other);
                if self.is_error(&right) {
                    return Operand::Value(right);
                }
                let ty = right.ty;
                // A temporary stays one.
                if let ExprKind::Load(place) = &right.kind
                    && self.temporary_of(place).is_some()
                    && let super::super::tree::PlaceKind::Deref(pair) = &place.kind
                    && let ExprKind::Comma(made, address) = &pair.kind
                {
                    let void = self.types.void();
                    let first = ExprKind::Comma(Box::new(left), made.clone());
                    let first = Expr::new(first, void, loc);
                    let pair_ty = pair.ty;
                    let pair = ExprKind::Comma(Box::new(first), address.clone());
                    let pair = Expr::new(pair, pair_ty, loc);
                    let place = Place {
                        kind: super::super::tree::PlaceKind::Deref(Box::new(pair)),
                        ..place.clone()
                    };
                    return Operand::Value(Expr::new(ExprKind::Load(place), ty, loc));
                }
                let kind = ExprKind::Comma(Box::new(left), Box::new(right));
                Operand::Value(Expr::new(kind, ty, loc))
            }
        }
    }

    /// A condition: converted to bool, by a class's conversion function if it has one.
    pub fn cxx_condition(&mut self, e: &ast::Expr) -> Expr {
        let operand = self.operand(e);
        let value = self.truth_of(operand, e.begin());
        self.full_expression(value)
    }

    pub(super) fn truth_of(&mut self, operand: Operand, loc: SourceLoc) -> Expr {
        let ty = self.operand_type(&operand).ty;
        if let Operand::Function(..) = operand {
            return self.value_of(operand);
        }
        if self.types.record_id(ty).is_some() {
            let bool = self.types.prim(Prim::Bool);
            let outer = std::mem::replace(&mut self.x().contextual, true);
            let found = self.conversion(&operand, bool);
            let value = match found {
                Some((id, _)) => self.call_cxx(id, Some(operand), Vec::new(), loc),
                None => {
                    let shown = self.types.show(ty);
                    self.error(
                        loc,
                        format!("value of type {shown} is not contextually convertible to 'bool'"),
                    );
                    self.error_operand(loc)
                }
            };
            self.x().contextual = outer;
            let ty = self.operand_type(&value).ty;
            if self.types.record_id(ty).is_some() {
                return self.error_expr(loc);
            }
            return self.value_of(value);
        }
        let operand = self.member_pointer_set(operand);
        let value = self.value_of(operand);
        if self.is_error(&value) {
            return value;
        }
        let scoped = self.is_scoped(value.ty);
        if !self.types.is_scalar(value.ty) || scoped {
            let text = self.types.show(value.ty);
            self.error(
                loc,
                format!("value of type {text} is not contextually convertible to 'bool'"),
            );
            return self.error_expr(loc);
        }
        value
    }

    pub(super) fn cxx_conditional(
        &mut self,
        c: &ast::Expr,
        a: &ast::Expr,
        b: &ast::Expr,
        loc: SourceLoc,
    ) -> Operand {
        let cond = self.operand(c);
        let cond_ty = self.operand_type(&cond).ty;
        let is_vector = self.types.vector(cond_ty).is_some();
        self.conditionally(1);
        let left = self.operand(a);
        let right = self.operand(b);
        self.conditionally(-1);
        let (x, y) = (self.operand_type(&left), self.operand_type(&right));
        if self.types.is_error(x.ty) || self.types.is_error(y.ty) || self.types.is_error(cond_ty) {
            return self.error_operand(loc);
        }
        let cond = match is_vector {
            true => self.value_of(cond),
            false => self.truth_of(cond, c.begin()),
        };
        if self.is_error(&cond) {
            return self.error_operand(loc);
        }
        if let (Operand::Place(p, _), Operand::Place(q, _)) = (&left, &right)
            && !is_vector
            && x.ty == y.ty
            && let Some(space) = common_space(x.space, y.space)
            && !super::overload::is_lanes(p)
            && !super::overload::is_lanes(q)
            && self.types.element(x.ty).is_none()
        {
            return self.conditional_object(cond, left, right, space, loc);
        }
        let is_class = self.types.record_id(x.ty).is_some() || self.types.record_id(y.ty).is_some();
        if is_class {
            return self.conditional_class(cond, (left, x.ty), (right, y.ty), loc);
        }
        if self.is_enum(x.ty) && x.ty == y.ty {
            let (left, right) = (self.value_of(left), self.value_of(right));
            let kind = ExprKind::Cond(Box::new(cond), Box::new(left), Box::new(right));
            return Operand::Value(Expr::new(kind, x.ty, loc));
        }
        let cond = Operand::Value(cond);
        let (c, a, b) = (
            self.stash(cond, c.begin()),
            self.stash(left, a.begin()),
            self.stash(right, b.begin()),
        );
        Operand::Value(self.conditional(&c, Some(&a), &b, loc))
    }

    /// One of two objects of a type; `space` has both.
    fn conditional_object(
        &mut self,
        cond: Expr,
        a: Operand,
        b: Operand,
        space: Space,
        loc: SourceLoc,
    ) -> Operand {
        let (Operand::Place(p, x), Operand::Place(q, y)) = (a, b) else {
            return self.error_operand(loc);
        };
        let quals = QualTy {
            space,
            is_const: x.is_const || y.is_const,
            is_volatile: x.is_volatile || y.is_volatile,
            ..x
        };
        let pointer = self.types.pointer(quals);
        let (a, b) = (self.address(p, x, loc), self.address(q, y, loc));
        let (a, b) = (self.convert(a, pointer), self.convert(b, pointer));
        let kind = ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b));
        let chosen = Expr::new(kind, pointer, loc);
        self.deref(chosen, quals, loc)
    }

    pub(super) fn conditional_class(
        &mut self,
        cond: Expr,
        (a, x): (Operand, Ty),
        (b, y): (Operand, Ty),
        loc: SourceLoc,
    ) -> Operand {
        let ty = if x == y {
            x
        } else {
            let (first, second) = (
                Argument::Operand(a.clone(), loc),
                Argument::Operand(b.clone(), loc),
            );
            match (self.cost(&first, y, true), self.cost(&second, x, true)) {
                (Some(_), None) => y,
                (None, Some(_)) => x,
                _ => {
                    let text = format!(
                        "incompatible operand types ({} and {})",
                        self.types.show(x),
                        self.types.show(y)
                    );
                    self.error(loc, text);
                    return self.error_operand(loc);
                }
            }
        };
        if let Some(class) = self
            .types
            .record_id(ty)
            .filter(|_| !self.copies_as_bytes(ty))
        {
            return self.conditional_temporary(cond, a, b, class, loc);
        }
        let plain = QualTy::plain(ty);
        let a = self.cxx_convert(a, plain, Context::Init, loc);
        let b = self.cxx_convert(b, plain, Context::Init, loc);
        if self.is_error(&a) || self.is_error(&b) {
            return self.error_operand(loc);
        }
        let kind = ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b));
        Operand::Value(Expr::new(kind, ty, loc))
    }

    /// One of two objects, constructed in one place.
    fn conditional_temporary(
        &mut self,
        cond: Expr,
        a: Operand,
        b: Operand,
        class: super::super::types::RecordId,
        loc: SourceLoc,
    ) -> Operand {
        let ty = self.record_type(class);
        let Some(object) = self.new_temporary(ty, loc) else {
            self.error(loc, "a temporary object at program scope is not supported");
            return self.error_operand(loc);
        };
        let mut made = Vec::new();
        self.conditionally(1);
        for operand in [a, b] {
            let args = vec![Argument::Operand(operand, loc)];
            made.extend(self.construct_at(object.clone(), class, args, true, false, loc));
        }
        self.conditionally(-1);
        let Ok([a, b]) = <[Expr; 2]>::try_from(made) else {
            return self.error_operand(loc);
        };
        let void = self.types.void();
        let (a, b) = (self.as_void(a, void), self.as_void(b, void));
        let kind = ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b));
        self.temporary_value(Expr::new(kind, void, loc), object, loc)
    }

    // ------------------------------------------------------------ casts

    // ------------------------------------------------------------ folds

    pub(super) fn fold(
        &mut self,
        op: FoldOp,
        left: Option<&ast::Expr>,
        right: Option<&ast::Expr>,
        packs_left: bool,
        packs: &[ast::Name],
        loc: SourceLoc,
    ) -> Operand {
        // Where the dots stand: behind the pack it is folded from the right.
        let (pattern, start, from_right) = match (left, right) {
            (Some(pattern), None) => (pattern, None, true),
            (None, Some(pattern)) => (pattern, None, false),
            (Some(a), Some(b)) => match packs_left {
                true => (a, Some(b), true),
                false => (b, Some(a), false),
            },
            (None, None) => return self.error_operand(loc),
        };
        let mut items = Vec::new();
        self.expand(packs, loc, |s| {
            let operand = s.operand(pattern);
            items.push((operand, pattern.begin()));
        });
        if let Some(start) = start {
            let operand = self.operand(start);
            match from_right {
                true => items.push((operand, start.begin())),
                false => items.insert(0, (operand, start.begin())),
            }
        }
        if items.is_empty() {
            return match op {
                FoldOp::Binary(ast::BinaryOp::LogAnd) => {
                    Operand::Value(self.int_const(1, Prim::Bool, loc))
                }
                FoldOp::Binary(ast::BinaryOp::LogOr) => {
                    Operand::Value(self.int_const(0, Prim::Bool, loc))
                }
                FoldOp::Comma => Operand::Value(self.nothing(loc)),
                _ => {
                    self.error(loc, "unary fold expression has empty expansion for operator with no fallback value");
                    self.error_operand(loc)
                }
            };
        }
        let apply = |s: &mut Self, a: (Operand, SourceLoc), b: (Operand, SourceLoc)| {
            let at = a.1;
            let result = match op {
                FoldOp::Binary(op) => s.binary_of(op, a, b, loc),
                FoldOp::Comma => s.comma_of(a.0, b.0, loc),
                FoldOp::Assign(op) => {
                    let (to, from) = (s.stash(a.0, a.1), s.stash(b.0, b.1));
                    match op {
                        None => s.cxx_assign(&to, &from, loc),
                        Some(op) => s.cxx_compound(op, &to, &from, loc),
                    }
                }
            };
            (result, at)
        };
        let folded = match from_right {
            true => {
                let last = items.pop();
                items.into_iter().rev().fold(last, |right, left| {
                    right.map(|right| apply(self, left, right))
                })
            }
            false => {
                let mut items = items.into_iter();
                let first = items.next();
                items.fold(first, |left, right| {
                    left.map(|left| apply(self, left, right))
                })
            }
        };
        match folded {
            Some((operand, _)) => operand,
            None => self.error_operand(loc),
        }
    }

    /// The arguments of `(arguments)` as an initialiser.
    pub(super) fn paren_arguments(&self, e: &ast::Expr) -> Option<Vec<ast::Expr>> {
        match &e.kind {
            ast::ExprKind::Cxx(inner) => match &**inner {
                cxx::Expr::Arguments(args) => Some(args.clone()),
                _ => None,
            },
            _ => None,
        }
    }
}
