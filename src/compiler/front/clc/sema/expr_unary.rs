//! Unary operators, ++ and --, sizeof and its kin.

use super::Sema;
use super::operand::Operand;
use super::queries::Arith;
use super::scope::Spec;
use super::tree::{Expr, ExprKind, PlaceKind, UnOp};
use super::types::{Prim, QualTy, Ty, TypeKind};
use crate::front::clc::syntax::ast::{self, Designator, UnaryOp};
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// `+ - ~ !`
    pub fn unary(&mut self, op: UnaryOp, inner: &ast::Expr, loc: SourceLoc) -> Expr {
        if let (UnaryOp::Minus, ast::ExprKind::Number(text)) = (op, &inner.kind)
            && let Some(least) = self.least_long(text, loc)
        {
            return least;
        }
        let e = self.expr(inner);
        let shown = self.types.show(e.ty);
        if self.is_error(&e) {
            return e;
        }
        if op == UnaryOp::Not {
            return self.logical_not(e, &shown, loc);
        }
        let e = self.promote(e);
        let arith = self.types.arith(e.ty);
        let allowed = match op {
            UnaryOp::BitNot => arith.is_some_and(|a| !a.prim.is_float()),
            _ => arith.is_some_and(|a| a.prim != Prim::Half || self.features.fp16),
        };
        if !allowed {
            self.error(
                loc,
                format!("invalid argument type {shown} to unary expression"),
            );
            return self.error_expr(loc);
        }
        let ty = e.ty;
        match op {
            UnaryOp::Minus => self.negate(e, ty, loc),
            UnaryOp::BitNot => {
                let kind = ExprKind::Unary(UnOp::BitNot, Box::new(e));
                self.folded(Expr::new(kind, ty, loc))
            }
            _ => Expr { loc, ..e },
        }
    }

    fn negate(&mut self, e: Expr, ty: Ty, loc: SourceLoc) -> Expr {
        let kind = ExprKind::Unary(UnOp::Neg, Box::new(e));
        self.folded(Expr::new(kind, ty, loc))
    }

    /// An operation on one literal is a literal.
    fn folded(&mut self, e: Expr) -> Expr {
        let ExprKind::Unary(_, inner) = &e.kind else {
            return e;
        };
        if !matches!(inner.kind, ExprKind::Const(_)) {
            return e;
        }
        match self.evaluate(&e) {
            Some(super::consts::Value::Lanes(lanes)) => {
                Expr::new(ExprKind::Const(lanes[0]), e.ty, e.loc)
            }
            _ => e,
        }
    }

    fn logical_not(&mut self, e: Expr, shown: &str, loc: SourceLoc) -> Expr {
        let ty = match self.types.arith(e.ty) {
            Some(arith) if arith.is_vector() => self.types.of_arith(arith.truth()),
            _ if self.types.is_scalar(e.ty) => self.types.int(),
            _ => {
                self.error(
                    loc,
                    format!("invalid argument type {shown} to unary expression"),
                );
                return self.error_expr(loc);
            }
        };
        Expr::new(ExprKind::LogNot(Box::new(e)), ty, loc)
    }

    /// `*e`
    pub fn dereference(&mut self, inner: &ast::Expr, loc: SourceLoc) -> Operand {
        let operand = self.operand(inner);
        if let Operand::Function(..) = operand {
            return operand;
        }
        let e = self.value_of(operand);
        let shown = self.types.show(e.ty);
        match self.types.pointee(e.ty) {
            Some(to) if !self.types.is_nullptr(e.ty) => self.deref(e, to, loc),
            None if self.is_error(&e) => Operand::Value(e),
            _ => {
                self.error(
                    loc,
                    format!("indirection requires pointer operand ({shown} invalid)"),
                );
                self.error_operand(loc)
            }
        }
    }

    /// `&e`
    pub fn address_operator(&mut self, inner: &ast::Expr, loc: SourceLoc) -> Operand {
        let operand = self.operand(inner);
        let (place, quals) = match operand {
            Operand::Place(place, quals) => (place, quals),
            Operand::Function(..) => {
                self.error(loc, "taking address of function is not allowed");
                return self.error_operand(loc);
            }
            Operand::Value(e) => {
                if !self.is_error(&e) {
                    let text = self.types.show(e.ty);
                    self.error(
                        loc,
                        format!("cannot take the address of an rvalue of type {text}"),
                    );
                }
                return self.error_operand(loc);
            }
        };
        match place.kind {
            PlaceKind::Lanes(..) | PlaceKind::Lane(..) => {
                self.error(loc, "address of vector element requested");
                return self.error_operand(loc);
            }
            PlaceKind::Temp(_) => {
                let text = self.types.show(place.ty);
                self.error(
                    loc,
                    format!("cannot take the address of an rvalue of type {text}"),
                );
                return self.error_operand(loc);
            }
            // `&*p` is p.
            PlaceKind::Deref(pointer) if self.types.pointee(pointer.ty) == Some(quals) => {
                return Operand::Value(Expr { loc, ..*pointer });
            }
            _ => {}
        }
        if self.types.is_parameter_only(place.ty) || *self.types.kind(place.ty) == TypeKind::Sampler
        {
            let text = self.types.show(place.ty);
            self.error(loc, format!("pointer to type {text} is invalid in OpenCL"));
            return self.error_operand(loc);
        }
        // An array's const lies in its elements.
        let ty = self.types.pointer(QualTy {
            is_restrict: false,
            ..quals
        });
        self.note_address(&place);
        Operand::Value(Expr::new(ExprKind::AddrOf(place), ty, loc))
    }

    /// `++` and `--`
    pub fn inc_dec(
        &mut self,
        inner: &ast::Expr,
        negate: bool,
        post: bool,
        loc: SourceLoc,
    ) -> Operand {
        let operand = self.operand(inner);
        let Some((place, _)) = self.modifiable(operand, inner, loc) else {
            return self.error_operand(loc);
        };
        let ty = place.ty;
        let refused = |sema: &mut Self| {
            let text = sema.types.show(ty);
            let word = if negate { "decrement" } else { "increment" };
            sema.error(loc, format!("cannot {word} value of type {text}"));
            sema.error_operand(loc)
        };
        // C++17's rules, also of scoped enumerations and others.
        let is_flag = ty == self.types.prim(Prim::Bool);
        if self.cxx.is_some() && (is_flag || matches!(self.types.kind(ty), TypeKind::Enum(..))) {
            let text = self.types.show(ty);
            let word = if negate { "decrement" } else { "increment" };
            self.error(loc, format!("cannot {word} expression of type {text}"));
            return self.error_operand(loc);
        }
        let size = match (self.types.pointee(ty), self.types.arith(ty)) {
            (Some(to), _) => match self.pointee_size(to.ty, loc) {
                Some(size) => size,
                None => return self.error_operand(loc),
            },
            // The specification forbids float scalars, too, but all compilers take them.
            (_, Some(arith)) if arith.prim.is_float() && arith.lanes > 1 => return refused(self),
            (_, Some(arith)) if arith.prim != Prim::Half || self.features.fp16 => 0,
            _ => return refused(self),
        };
        let value_ty = match *self.types.kind(ty) {
            TypeKind::Enum(_, prim) => self.types.prim(prim),
            _ => ty,
        };
        let kind = ExprKind::IncDec {
            place,
            size,
            negate,
            post,
        };
        Operand::Value(Expr::new(kind, value_ty, loc))
    }

    /// The step of a pointer; reports types without a size.
    pub fn pointee_size(&mut self, ty: Ty, loc: SourceLoc) -> Option<u64> {
        if self.types.is_void(ty) {
            return Some(1);
        }
        if !self.types.is_complete(ty) {
            let text = self.types.show(ty);
            self.error(
                loc,
                format!("arithmetic on a pointer to an incomplete type {text}"),
            );
            return None;
        }
        Some(self.types.size(ty))
    }

    /// sizeof, alignof, vec_step, offsetof: constants of type size_t (vec_step: int).
    pub fn size_query(&mut self, e: &ast::Expr) -> Expr {
        use ast::ExprKind::*;
        let loc = e.loc;
        let (spec, what) = match &e.kind {
            SizeofExpr(inner) | AlignofExpr(inner) => {
                let operand = self.unevaluated(inner);
                let is_size = matches!(e.kind, SizeofExpr(_));
                let ty = self.operand_type(&operand).ty;
                if let (Operand::Place(place, _), false) = (&operand, is_size) {
                    return self.size_const(place.align, loc);
                }
                (Spec::plain(ty), if is_size { "sizeof" } else { "alignof" })
            }
            SizeofType(name) => (self.type_name(name), "sizeof"),
            AlignofType(name) => (self.type_name(name), "alignof"),
            VecStepType(name) => (self.type_name(name), "vec_step"),
            Offsetof(name, path) => {
                let ty = self.type_name(name).ty;
                return self.offset_of(ty, path, loc);
            }
            _ => return self.error_expr(loc),
        };
        let ty = spec.ty;
        if self.types.is_error(ty) {
            return self.error_expr(loc);
        }
        if what == "vec_step" {
            return self.vec_step(ty, loc);
        }
        if !self.types.is_complete(ty) {
            let text = self.types.show(ty);
            let message = match self.types.is_function(ty) {
                true => format!("invalid application of '{what}' to a function type"),
                false if self.types.is_void(ty) => {
                    format!("invalid application of '{what}' to a void type")
                }
                false => format!("invalid application of '{what}' to an incomplete type {text}"),
            };
            self.error(loc, message);
            return self.error_expr(loc);
        }
        let value = match what {
            "sizeof" => self.types.size(ty),
            _ => self.types.align_of(spec.object(Space::Private)),
        };
        self.size_const(value, loc)
    }

    fn size_const(&mut self, value: u64, loc: SourceLoc) -> Expr {
        let ty = self.types.size_t();
        self.constant(value, ty, loc)
    }

    /// Lanes of a type; 4 for three (OpenCL C 6.15.13).
    pub fn vec_step(&mut self, ty: Ty, loc: SourceLoc) -> Expr {
        let lanes = match self.types.arith(ty) {
            Some(Arith { lanes: 3, .. }) => 4,
            Some(arith) => arith.lanes as i64,
            None if self.types.is_void(ty) => 1,
            None => {
                let text = self.types.show(ty);
                self.error(
                    loc,
                    format!("'vec_step' requires built-in scalar or vector type, {text} invalid"),
                );
                return self.error_expr(loc);
            }
        };
        self.int_const(lanes, Prim::Int, loc)
    }

    fn offset_of(&mut self, ty: Ty, path: &[Designator], loc: SourceLoc) -> Expr {
        let (mut ty, mut offset) = (ty, 0u64);
        for step in path {
            if self.types.is_error(ty) {
                return self.error_expr(loc);
            }
            match step {
                Designator::Field(name, at) => {
                    let found = match self.types.record_id(ty) {
                        Some(id) => self.find_field(id, name),
                        None => None,
                    };
                    let Some((field_offset, field)) = found else {
                        let text = self.types.show(ty);
                        self.error(*at, format!("no member named '{name}' in {text}"));
                        return self.error_expr(loc);
                    };
                    offset = offset.wrapping_add(field_offset);
                    ty = field.ty;
                }
                Designator::Index(index) => {
                    let value = self.expr(index);
                    let index_value = self.integer_constant(&value);
                    match (self.types.element(ty), index_value) {
                        (Some((elem, _)), Some(i)) => {
                            let step = self.types.size(elem.ty).wrapping_mul(i);
                            offset = offset.wrapping_add(step);
                            ty = elem.ty;
                        }
                        _ => {
                            self.error(index.begin(), "offsetof requires a constant array index");
                            return self.error_expr(loc);
                        }
                    }
                }
                Designator::Range(first, _) => {
                    self.error(first.begin(), "offsetof requires a constant array index");
                    return self.error_expr(loc);
                }
            }
        }
        self.size_const(offset, loc)
    }
}
