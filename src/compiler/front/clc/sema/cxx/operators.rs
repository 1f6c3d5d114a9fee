//! Operators on objects of classes and enumerations.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::scope::Entity;
use super::super::tree::{Expr, ExprKind, Place, PlaceKind};
use super::super::types::{Prim, QualTy, Ty};
use super::Callee;
use super::overload::{Argument, Call, Choice};
use crate::front::clc::syntax::ast::{self, BinaryOp, Name, UnaryOp};
use crate::front::clc::syntax::cxx::{operator_text, unary_text};
use crate::source::SourceLoc;

impl Sema<'_> {
    /// An operand is of a class or enumeration: operators may be overloaded.
    pub(super) fn is_object(&mut self, operand: &Operand) -> bool {
        let ty = self.operand_type(operand).ty;
        self.types.record_id(ty).is_some() || self.is_enum(ty)
    }

    /// The call of an overloaded operator; `None` if there is none for these operands.
    pub(super) fn overloaded(
        &mut self,
        name: &str,
        operands: Vec<(Operand, SourceLoc)>,
        loc: SourceLoc,
    ) -> Option<Operand> {
        let operands = operands.into_iter();
        let args = operands.map(|(operand, at)| Argument::Operand(operand, at));
        self.overloaded_with(name, args.collect(), loc)
    }

    /// The same, with lists in braces behind the first operand.
    pub(super) fn overloaded_with(
        &mut self,
        name: &str,
        args: Vec<Argument>,
        loc: SourceLoc,
    ) -> Option<Operand> {
        let name: Name = name.into();
        let Argument::Operand(first, _) = &args[0] else {
            return None;
        };
        let first = first.clone();
        let ty = self.operand_type(&first).ty;
        self.complete(ty, loc);
        let member = match self.member_entity(ty, &name) {
            Some(Entity::Functions(set)) => self.callees_of(set),
            _ => Vec::new(),
        };
        let mut free = self.callees_named(&name);
        let is_method = |s: &Self, callee: &Callee| match callee {
            Callee::Fn(id) => s.cxx_fn(*id).is_some_and(|f| f.method.is_some()),
            Callee::Template(t) => s.xref().is_some_and(|x| {
                let parent = x.templates[*t as usize].parent;
                s.scopes.spaces[parent.0 as usize].class.is_some()
            }),
        };
        free.retain(|callee| !is_method(self, callee));
        if let Some(Entity::Functions(set)) =
            self.scopes.find_own(super::GLOBAL, &name).map(|s| s.entity)
        {
            for callee in self.callees_of(set) {
                if !free.contains(&callee) {
                    free.push(callee);
                }
            }
        }
        self.add_by_arguments(&name, &args, &mut free);
        let rest = &args[1..];
        let by_member = (!member.is_empty()).then(|| {
            let call = Call {
                object: Some(first.clone()),
                ..Call::of(&name, member.clone(), rest, loc)
            };
            self.quietly_chosen(&call)
        });
        // Enumerations alone do not become classes: a parameter has to be of the type of one.
        let types: Vec<Ty> = args
            .iter()
            .map(|a| self.argument_type(a).map_or(ty, |t| t.0.ty))
            .collect();
        let is_class = types.iter().any(|&ty| self.types.record_id(ty).is_some());
        let takes = |s: &Self, id| {
            let Some(f) = s.cxx_fn(id) else { return true };
            let bare = |ty| s.types.referent(ty).map_or(ty, |to| to.ty);
            let mut pairs = f.params.iter().zip(&types);
            is_class || pairs.any(|(p, &ty)| bare(p.ty.ty) == ty && s.is_enum(ty))
        };
        free.retain(|callee| !matches!(callee, Callee::Fn(id) if !takes(self, *id)));
        let by_free =
            (!free.is_empty()).then(|| self.quietly_chosen(&Call::of(&name, free, &args, loc)));
        let by_free = by_free.flatten().filter(|&id| takes(self, id));
        let compares = ["operator==", "operator!=", "operator<=", "operator>="];
        self.x().right_first = name.ends_with('=') && !compares.contains(&&*name);
        match (by_member.flatten(), by_free) {
            (Some(id), None) => Some(self.call_cxx(id, Some(first), rest.to_vec(), loc)),
            (None, Some(id)) => Some(self.call_cxx(id, None, args, loc)),
            (Some(a), Some(b)) => {
                // Members and others compete: the one whose arguments fit better.
                let total = |s: &mut Self, id, args: &[Argument]| -> u32 {
                    let params = s.cxx_fn(id).map(|f| f.params.clone()).unwrap_or_default();
                    let costs = args.iter().zip(&params);
                    let costs: Vec<u32> = costs
                        .map(|(arg, p)| s.cost(arg, p.ty.ty, true).unwrap_or(0))
                        .collect();
                    costs.into_iter().sum()
                };
                let (x, y) = (total(self, a, rest), total(self, b, &args));
                match x <= y {
                    true => Some(self.call_cxx(a, Some(first), rest.to_vec(), loc)),
                    false => Some(self.call_cxx(b, None, args, loc)),
                }
            }
            (None, None) => {
                self.x().right_first = false;
                None
            }
        }
    }

    /// The best candidate, if there is one.
    pub(super) fn quietly_chosen(&mut self, call: &Call) -> Option<super::super::tree::FnId> {
        match self.tried(|s| s.choose(call)) {
            Some(Choice::Function(id)) => Some(id),
            _ => None,
        }
    }

    /// Values of classes as the builtin operators take them, by conversion functions.
    pub(super) fn builtin_operand(&mut self, operand: Operand, loc: SourceLoc) -> Operand {
        let ty = self.operand_type(&operand).ty;
        let Some(class) = self.types.record_id(ty) else {
            return operand;
        };
        if self.xref().is_some_and(|x| x.contextual) {
            let bool = self.types.prim(Prim::Bool);
            return match self.conversion(&operand, bool) {
                Some((id, _)) => self.call_cxx(id, Some(operand), Vec::new(), loc),
                None => operand,
            };
        }
        // Those of bases are its own, too.
        let mut conversions = Vec::new();
        let mut classes = vec![class];
        while let Some(class) = classes.pop().and_then(|id| self.class(id)) {
            conversions.extend(&class.conversions);
            classes.extend(class.bases.iter().map(|b| b.class));
        }
        let mut found = None;
        for callee in conversions {
            let Callee::Fn(id) = callee else { continue };
            let Some(f) = self.cxx_fn(id) else { continue };
            let ret = self.types.referent(f.ret).map_or(f.ret, |r| r.ty);
            let builtin = self.types.arith(ret).is_some() || self.types.pointee(ret).is_some();
            if builtin && !f.is_explicit {
                if found.is_some() {
                    return operand;
                }
                found = Some(id);
            }
        }
        match found {
            Some(id) => self.call_cxx(id, Some(operand), Vec::new(), loc),
            None => operand,
        }
    }

    pub(super) fn no_operator(&mut self, a: &Operand, b: &Operand, loc: SourceLoc) -> Operand {
        let (a, b) = (self.show_operand(a), self.show_operand(b));
        Operand::Value(self.invalid_operands(&a, &b, loc))
    }

    pub(super) fn has_error(&mut self, operand: &Operand) -> bool {
        if let Operand::Function(..) = operand {
            return false;
        }
        let ty = self.operand_type(operand).ty;
        self.types.is_error(ty)
    }

    pub(super) fn cxx_binary(
        &mut self,
        op: BinaryOp,
        a: &ast::Expr,
        b: &ast::Expr,
        loc: SourceLoc,
    ) -> Operand {
        let left = self.operand(a);
        let logical = matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr);
        if logical {
            self.conditionally(1);
        }
        let right = self.operand(b);
        if logical {
            self.conditionally(-1);
        }
        self.binary_of(op, (left, a.begin()), (right, b.begin()), loc)
    }

    /// Enters or leaves what need not be evaluated.
    pub(super) fn conditionally(&mut self, by: isize) {
        if let Some(f) = &mut self.cur {
            f.cxx.conditional = f.cxx.conditional.saturating_add_signed(by);
        }
    }

    pub(super) fn binary_of(
        &mut self,
        op: BinaryOp,
        (left, a): (Operand, SourceLoc),
        (right, b): (Operand, SourceLoc),
        loc: SourceLoc,
    ) -> Operand {
        if self.has_error(&left) || self.has_error(&right) {
            return self.error_operand(loc);
        }
        let (mut left, mut right) = (left, right);
        let logical = matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr);
        if self.is_object(&left) || self.is_object(&right) {
            let name = format!("operator{}", operator_text(op));
            let operands = vec![(left.clone(), a), (right.clone(), b)];
            if let Some(result) = self.overloaded(&name, operands, loc) {
                return result;
            }
            let outer = std::mem::replace(&mut self.x().contextual, logical);
            left = self.builtin_operand(left, a);
            right = self.builtin_operand(right, b);
            self.x().contextual = outer;
            (left, right) = match logical {
                true => (
                    self.member_pointer_set(left),
                    self.member_pointer_set(right),
                ),
                false => self.common_member_pointers(left, right),
            };
            let (x, y) = (self.operand_type(&left).ty, self.operand_type(&right).ty);
            if self.types.record_id(x).is_some() || self.types.record_id(y).is_some() {
                return self.no_operator(&left, &right, loc);
            }
            let comparison = matches!(
                op,
                BinaryOp::Lt
                    | BinaryOp::Gt
                    | BinaryOp::Le
                    | BinaryOp::Ge
                    | BinaryOp::Eq
                    | BinaryOp::Ne
            );
            if (self.is_scoped(x) || self.is_scoped(y)) && !(comparison && x == y) {
                return self.no_operator(&left, &right, loc);
            }
        }
        let (a, b) = (self.stash(left, a), self.stash(right, b));
        let value = self.binary(op, &a, &b, loc);
        let truth = matches!(
            op,
            BinaryOp::Lt
                | BinaryOp::Gt
                | BinaryOp::Le
                | BinaryOp::Ge
                | BinaryOp::Eq
                | BinaryOp::Ne
                | BinaryOp::LogAnd
                | BinaryOp::LogOr
        );
        Operand::Value(if truth { self.as_bool(value) } else { value })
    }

    /// What C has as an int is a bool here.
    pub(super) fn as_bool(&mut self, e: Expr) -> Expr {
        if let Some(arith) = self.types.vector(e.ty)
            && self.opts.is_opencl_cxx()
        {
            let ty = self.types.of_arith(arith.with_prim(Prim::Bool));
            let loc = e.loc;
            return Expr::new(ExprKind::Convert(Box::new(e)), ty, loc);
        }
        if self.types.scalar(e.ty) != Some(Prim::Int) {
            return e;
        }
        let bool = self.types.prim(Prim::Bool);
        self.convert(e, bool)
    }

    pub(super) fn cxx_unary(&mut self, op: UnaryOp, inner: &ast::Expr, loc: SourceLoc) -> Operand {
        if op == UnaryOp::AddrOf {
            return self.cxx_address(inner, loc);
        }
        let operand = self.operand(inner);
        self.unary_of(op, operand, inner.begin(), loc)
    }

    fn unary_of(
        &mut self,
        op: UnaryOp,
        operand: Operand,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Operand {
        if self.has_error(&operand) {
            return self.error_operand(loc);
        }
        let mut operand = operand;
        if self.is_object(&operand) {
            let name = format!("operator{}", unary_text(op));
            if let Some(result) = self.overloaded(&name, vec![(operand.clone(), begin)], loc) {
                return result;
            }
            let outer = std::mem::replace(&mut self.x().contextual, op == UnaryOp::Not);
            operand = self.builtin_operand(operand, begin);
            self.x().contextual = outer;
            if op == UnaryOp::Not {
                operand = self.member_pointer_set(operand);
            }
            let ty = self.operand_type(&operand).ty;
            if self.types.record_id(ty).is_some() || self.is_scoped(ty) {
                let shown = self.types.show(ty);
                self.error(
                    loc,
                    format!("invalid argument type {shown} to unary expression"),
                );
                return self.error_operand(loc);
            }
        }
        let ty = self.operand_type(&operand).ty;
        if op == UnaryOp::Plus
            && (self.types.pointee(ty).is_some() || self.types.element(ty).is_some())
        {
            return Operand::Value(self.value_of(operand));
        }
        let e = self.stash(operand, begin);
        match op {
            UnaryOp::Deref => self.dereference(&e, loc),
            UnaryOp::PreInc => {
                let value = self.inc_dec(&e, false, false, loc);
                self.updated(value)
            }
            UnaryOp::PreDec => {
                let value = self.inc_dec(&e, true, false, loc);
                self.updated(value)
            }
            op => {
                let value = self.unary(op, &e, loc);
                Operand::Value(if op == UnaryOp::Not {
                    self.as_bool(value)
                } else {
                    value
                })
            }
        }
    }

    /// `e++` and `e--`.
    pub(super) fn cxx_post(&mut self, inner: &ast::Expr, negate: bool, loc: SourceLoc) -> Operand {
        let operand = self.operand(inner);
        if self.has_error(&operand) {
            return self.error_operand(loc);
        }
        let begin = inner.begin();
        if self.is_object(&operand) {
            let name = if negate { "operator--" } else { "operator++" };
            let zero = Operand::Value(self.int_const(0, Prim::Int, loc));
            let operands = vec![(operand.clone(), begin), (zero, loc)];
            if let Some(result) = self.overloaded(name, operands, loc) {
                return result;
            }
        }
        let e = self.stash(operand, begin);
        self.inc_dec(&e, negate, true, loc)
    }

    fn cxx_address(&mut self, inner: &ast::Expr, loc: SourceLoc) -> Operand {
        if let Some(pointer) = self.address_of_member(inner, loc) {
            return pointer;
        }
        let operand = self.operand(inner);
        if self.names_capture(inner) {
            self.error(inner.begin(), "taking address of a capture is not allowed");
            return self.error_operand(loc);
        }
        if let Operand::Function(..) = &operand {
            self.error(loc, "taking address of function is not allowed");
            return self.error_operand(loc);
        }
        if self.has_error(&operand) {
            return self.error_operand(loc);
        }
        let begin = inner.begin();
        let ty = self.operand_type(&operand).ty;
        if self.types.record_id(ty).is_some()
            && let Some(result) = self.overloaded("operator&", vec![(operand.clone(), begin)], loc)
        {
            return result;
        }
        let e = self.stash(operand, begin);
        self.address_operator(&e, loc)
    }

    /// The object that an assignment or increment has changed.
    pub(super) fn updated(&mut self, result: Operand) -> Operand {
        let Operand::Value(e) = result else {
            return result;
        };
        let place = match &e.kind {
            ExprKind::Assign(place, _)
            | ExprKind::CompoundAssign { place, .. }
            | ExprKind::PtrAssignAdd { place, .. }
            | ExprKind::IncDec {
                place, post: false, ..
            } => place,
            _ => return Operand::Value(e),
        };
        if place.is_volatile || super::overload::is_lanes(place) {
            return Operand::Value(e);
        }
        if !is_pure(place) {
            return self.updated_once(e);
        }
        let place = place.clone();
        let quals = QualTy {
            space: place.space,
            ..QualTy::plain(place.ty)
        };
        Operand::Place(self.place_behind(e, place), quals)
    }

    /// The same where the object must be reached only once: through a pointer that is kept.
    fn updated_once(&mut self, e: Expr) -> Operand {
        let loc = e.loc;
        let void = self.types.void();
        let (ExprKind::Assign(place, _)
        | ExprKind::CompoundAssign { place, .. }
        | ExprKind::PtrAssignAdd { place, .. }
        | ExprKind::IncDec { place, .. }) = &e.kind
        else {
            return Operand::Value(e);
        };
        let quals = QualTy::plain(place.ty).in_space(place.space);
        let pointer = self.types.pointer(quals);
        let Some(kept) = self.new_temporary(pointer, loc) else {
            return Operand::Value(e);
        };
        let mut change = e.clone();
        let address = self.address(place.clone(), quals, loc);
        let load = Expr::new(ExprKind::Load(kept.clone()), pointer, loc);
        if let ExprKind::Assign(place, _)
        | ExprKind::CompoundAssign { place, .. }
        | ExprKind::PtrAssignAdd { place, .. }
        | ExprKind::IncDec { place, .. } = &mut change.kind
        {
            place.kind = PlaceKind::Deref(Box::new(load.clone()));
        }
        let keep = ExprKind::Assign(kept, Box::new(address));
        let keep = Expr::new(keep, pointer, loc);
        let value = match &mut change.kind {
            ExprKind::Assign(_, value)
            | ExprKind::CompoundAssign { rhs: value, .. }
            | ExprKind::PtrAssignAdd { index: value, .. } => Some(value),
            _ => None,
        };
        let first = value.and_then(|value| self.kept_value(value));
        let both = ExprKind::Comma(Box::new(keep), Box::new(change));
        let mut both = Expr::new(both, void, loc);
        if let Some(first) = first {
            let kind = ExprKind::Comma(Box::new(first), Box::new(both));
            both = Expr::new(kind, void, loc);
        }
        let both = ExprKind::Comma(Box::new(both), Box::new(load));
        let both = Expr::new(both, pointer, loc);
        self.deref(both, quals, loc)
    }

    /// The right side of an assignment, which comes before the left one: kept in a variable, which takes its place.
    pub(super) fn kept_value(&mut self, value: &mut Expr) -> Option<Expr> {
        if matches!(value.kind, ExprKind::Const(_) | ExprKind::ConstVector(_)) {
            return None;
        }
        let (ty, loc) = (value.ty, value.loc);
        let kept = self.new_temporary(ty, loc)?;
        let load = Expr::new(ExprKind::Load(kept.clone()), ty, loc);
        let value = std::mem::replace(value, load);
        let void = self.types.void();
        let keep = Expr::new(ExprKind::Assign(kept, Box::new(value)), ty, loc);
        Some(self.as_void(keep, void))
    }

    /// A value without a use: what an object was reached by is evaluated, the object is not read.
    pub fn cxx_discarded(&mut self, place: Place) -> Expr {
        let loc = place.loc;
        if let PlaceKind::Deref(pointer) = place.kind {
            let e = match pointer.kind {
                ExprKind::Comma(first, last) if matches!(last.kind, ExprKind::AddrOf(_)) => *first,
                _ => *pointer,
            };
            let void = self.types.void();
            return match e.ty == void {
                true => e,
                false => self.as_void(e, void),
            };
        }
        if is_pure(&place) {
            return self.nothing(loc);
        }
        let quals = QualTy {
            space: place.space,
            ..QualTy::plain(place.ty)
        };
        if super::overload::is_lanes(&place) {
            let ty = place.ty;
            return Expr::new(ExprKind::Load(place), ty, loc);
        }
        let e = self.address(place, quals, loc);
        let void = self.types.void();
        self.as_void(e, void)
    }
}

/// Reaching the object has no effects and may be done twice.
pub(super) fn is_pure(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Local(_) | PlaceKind::Global(_) => true,
        PlaceKind::Field(base, _) => is_pure(base),
        PlaceKind::Index(base, index) => is_pure(base) && pure_value(index),
        PlaceKind::Deref(e) => pure_value(e),
        _ => false,
    }
}

pub(super) fn pure_value(e: &Expr) -> bool {
    match &e.kind {
        ExprKind::Const(_) => true,
        ExprKind::Load(place) => !place.is_volatile && is_pure(place),
        ExprKind::Convert(e) | ExprKind::Reinterpret(e) => pure_value(e),
        ExprKind::AddrOf(place) => is_pure(place),
        ExprKind::PtrAdd { ptr, index, .. } => pure_value(ptr) && pure_value(index),
        ExprKind::StmtExpr(stmts, Some(e)) => stmts.is_empty() && pure_value(e),
        _ => false,
    }
}
