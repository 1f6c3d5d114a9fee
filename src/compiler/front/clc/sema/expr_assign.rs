//! Assignments: what may be assigned to, plain and compound forms.

use super::Sema;
use super::convert::Context;
use super::expr_binary::{Sides, arith_op};
use super::operand::Operand;
use super::tree::{BinOp, Expr, ExprKind, Place, PlaceKind};
use super::types::{Prim, QualTy, TypeKind};
use crate::front::clc::syntax::ast::{self, BinaryOp};
use crate::source::SourceLoc;

impl Sema<'_> {
    /// The place of an l-value that may change; reports why not otherwise.
    pub fn modifiable(
        &mut self,
        op: Operand,
        e: &ast::Expr,
        loc: SourceLoc,
    ) -> Option<(Place, QualTy)> {
        let (place, quals) = match op {
            Operand::Place(place, quals) => (place, quals),
            Operand::Value(value) => {
                if !self.is_error(&value) {
                    self.error(loc, "expression is not assignable");
                }
                return None;
            }
            Operand::Function(..) => {
                let text = "non-object type is not assignable";
                self.error(loc, text);
                return None;
            }
        };
        if let PlaceKind::Lanes(_, lanes) = &place.kind
            && (1..lanes.len()).any(|i| lanes[..i].contains(&lanes[i]))
        {
            self.error(
                loc,
                "vector is not assignable (contains duplicate components)",
            );
            return None;
        }
        if holds_temporary(&place) {
            self.error(loc, "expression is not assignable");
            return None;
        }
        if self.types.element(place.ty).is_some() {
            let text = self.types.show_object(quals);
            self.error(loc, format!("array type {text} is not assignable"));
            return None;
        }
        if quals.is_const {
            self.report_const(e, quals, loc);
            return None;
        }
        match self.types.kind(place.ty) {
            TypeKind::Error => return None,
            TypeKind::Void => {
                self.error(loc, "incomplete type 'void' is not assignable");
                return None;
            }
            TypeKind::Image(_) | TypeKind::Pipe(..) | TypeKind::Sampler => {
                self.error(loc, "expression is not assignable");
                return None;
            }
            TypeKind::Atomic(_) => {
                self.error(
                    loc,
                    "atomic types have no operators, only the atomic functions",
                );
                return None;
            }
            TypeKind::Record(_) if self.has_const_member(&place) => {
                let text = self.types.show_object(quals);
                self.error(
                    loc,
                    format!(
                        "cannot assign to variable of type {text} with const-qualified data member"
                    ),
                );
                return None;
            }
            TypeKind::Scalar(Prim::Half) if !self.features.fp16 => {
                let text = self.types.show_object(quals);
                self.error(
                    loc,
                    format!(
                        "assigning directly to pointer to type {text} requires cl_khr_fp16. Use \
                         vector data store builtin functions instead"
                    ),
                );
                return None;
            }
            _ => {}
        }
        self.warn_bounds(&place);
        Some((place, quals))
    }

    fn has_const_member(&self, place: &Place) -> bool {
        let id = self.types.record_id(place.ty);
        id.is_some_and(|id| self.types.record(id).has_const)
    }

    fn report_const(&mut self, e: &ast::Expr, quals: QualTy, loc: SourceLoc) {
        let text = self.types.show_object(quals);
        let text = text.replace("__private ", "");
        match &e.bare().kind {
            ast::ExprKind::Ident(name) => {
                self.error(
                    loc,
                    format!("cannot assign to variable '{name}' with const-qualified type {text}"),
                );
                if let Some(symbol) = self.scopes.find(name) {
                    self.sink
                        .note(symbol.loc, format!("variable '{name}' declared const here"));
                }
            }
            _ => self.error(loc, "read-only variable is not assignable"),
        }
    }

    /// `to = from`
    pub fn assign(&mut self, to: &ast::Expr, from: &ast::Expr, loc: SourceLoc) -> Expr {
        let target = self.operand(to);
        let value = self.operand(from);
        let Some((place, quals)) = self.modifiable(target, to, loc) else {
            return self.error_expr(loc);
        };
        let value = self.convert_implicitly(value, quals, Context::Assign, loc);
        if self.is_error(&value) {
            return self.error_expr(loc);
        }
        let ty = value.ty;
        let (place, value) = self.drop_dead_lanes(place, value);
        Expr::new(ExprKind::Assign(place, Box::new(value)), ty, loc)
    }

    /// `.hi` of three lanes has one that does not exist: what is written to it is dropped.
    fn drop_dead_lanes(&mut self, mut place: Place, value: Expr) -> (Place, Expr) {
        let PlaceKind::Lanes(vector, lanes) = &mut place.kind else {
            return (place, value);
        };
        let Some(of) = self.types.arith(vector.ty) else {
            return (place, value);
        };
        let live: Vec<u8> = (0..lanes.len() as u8)
            .filter(|&i| lanes[i as usize] < of.lanes)
            .collect();
        if live.len() == lanes.len() {
            return (place, value);
        }
        *lanes = live.iter().map(|&i| lanes[i as usize]).collect();
        let arith = super::Arith {
            prim: of.prim,
            lanes: live.len() as u8,
        };
        let ty = self.types.of_arith(arith);
        place.ty = ty;
        let loc = value.loc;
        let value = match self.types.vector(value.ty) {
            Some(_) => Expr::new(ExprKind::Swizzle(Box::new(value), live), ty, loc),
            None => value,
        };
        (place, value)
    }

    /// `to op= from`
    pub fn compound_assign(
        &mut self,
        op: BinaryOp,
        to: &ast::Expr,
        from: &ast::Expr,
        loc: SourceLoc,
    ) -> Expr {
        let target = self.operand(to);
        let value = self.operand(from);
        let shown_target = self.show_operand(&target);
        let Some((place, _)) = self.modifiable(target, to, loc) else {
            return self.error_expr(loc);
        };
        let value = self.value_of(value);
        let (shown_a, shown_b) = (self.types.show(place.ty), self.types.show(value.ty));
        let Some(op) = arith_op(op).filter(|_| !self.is_error(&value)) else {
            return self.error_expr(loc);
        };
        if self.types.pointee(place.ty).is_some() {
            return self.pointer_compound(op, place, value, &shown_a, &shown_b, loc);
        }
        // A stand-in for the value of the place while the types are worked out.
        let held = match *self.types.kind(place.ty) {
            TypeKind::Enum(_, prim) => self.types.prim(prim),
            _ => place.ty,
        };
        let sides = Sides {
            a: Expr::new(ExprKind::Const(1), held, loc),
            b: value,
            shown_a: shown_a.clone(),
            shown_b: shown_b.clone(),
        };
        let operands = match op {
            BinOp::Shl | BinOp::Shr => self
                .shift_operands(sides, loc)
                .map(|(a, b)| (self.types.arith(a.ty), b)),
            _ => {
                let floats = matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div);
                self.common(sides, !floats, loc)
                    .map(|(_, b, common)| (Some(common), b))
            }
        };
        let Some((Some(common), rhs)) = operands else {
            return self.error_expr(loc);
        };
        self.warn_division(op, &rhs, common, loc);
        let lanes = self.types.arith(held).map_or(1, |a| a.lanes);
        if common.lanes != lanes {
            let compute = self.types.of_arith(common);
            let text = self.types.show(compute);
            self.error(
                loc,
                format!("assigning to {shown_target} from incompatible type {text}"),
            );
            return self.error_expr(loc);
        }
        let compute_ty = self.types.of_arith(common);
        let (place, rhs) = self.drop_dead_lanes(place, rhs);
        let compute_ty = if place.ty == held || self.types.vector(held).is_none() {
            compute_ty
        } else {
            place.ty
        };
        let ty = match self.types.kind(place.ty) {
            TypeKind::Enum(..) => held,
            _ => place.ty,
        };
        let kind = ExprKind::CompoundAssign {
            place,
            op,
            compute_ty,
            rhs: Box::new(rhs),
        };
        Expr::new(kind, ty, loc)
    }

    fn pointer_compound(
        &mut self,
        op: BinOp,
        place: Place,
        value: Expr,
        shown_a: &str,
        shown_b: &str,
        loc: SourceLoc,
    ) -> Expr {
        let steps = matches!(op, BinOp::Add | BinOp::Sub) && self.types.is_integer(value.ty);
        let Some(to) = self.types.pointee(place.ty).filter(|_| steps) else {
            return self.invalid_operands(shown_a, shown_b, loc);
        };
        let Some(size) = self.pointee_size(to.ty, loc) else {
            return self.error_expr(loc);
        };
        let index = Box::new(self.promote(value));
        let ty = place.ty;
        let kind = ExprKind::PtrAssignAdd {
            place,
            index,
            size,
            negate: op == BinOp::Sub,
        };
        Expr::new(kind, ty, loc)
    }
}

/// The place is a value, or a part of one, that is no object.
fn holds_temporary(place: &Place) -> bool {
    match &place.kind {
        PlaceKind::Temp(_) => true,
        PlaceKind::Field(base, _)
        | PlaceKind::Index(base, _)
        | PlaceKind::Lanes(base, _)
        | PlaceKind::Lane(base, _) => holds_temporary(base),
        _ => false,
    }
}
