//! The conditional operator on scalars, pointers, records and vectors (OpenCL C 6.5.9).

use super::Sema;
use super::expr_binary::{Sides, common_space};
use super::queries::Arith;
use super::tree::{Expr, ExprKind};
use super::types::{Prim, QualTy, TypeKind};
use crate::front::clc::syntax::ast;
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    pub fn conditional(
        &mut self,
        cond: &ast::Expr,
        a: Option<&ast::Expr>,
        b: &ast::Expr,
        loc: SourceLoc,
    ) -> Expr {
        let cond_begin = cond.begin();
        let cond = self.expr(cond);
        let Some(a) = a else {
            return self.conditional_without_middle(cond, b, cond_begin, loc);
        };
        let sides = self.sides(a, b);
        self.conditional_of(cond, sides, cond_begin, loc)
    }

    /// `cond ?: b`: the condition is evaluated once and is the value if it is not 0.
    fn conditional_without_middle(
        &mut self,
        cond: Expr,
        b: &ast::Expr,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Expr {
        let ty = cond.ty;
        let temporary = match self.types.is_error(ty) {
            true => None,
            false => self.new_temporary(ty, begin),
        };
        let Some(place) = temporary else {
            // A constant has no side effects.
            let sides = self.sides_of(cond.clone(), b);
            return self.conditional_of(cond, sides, begin, loc);
        };
        let kept = Expr::new(ExprKind::Assign(place.clone(), Box::new(cond)), ty, begin);
        let value = Expr::new(ExprKind::Load(place), ty, begin);
        let sides = self.sides_of(value.clone(), b);
        let chosen = self.conditional_of(value, sides, begin, loc);
        let ty = chosen.ty;
        Expr::new(ExprKind::Comma(Box::new(kept), Box::new(chosen)), ty, loc)
    }

    fn conditional_of(
        &mut self,
        cond: Expr,
        sides: Option<Sides>,
        cond_begin: SourceLoc,
        loc: SourceLoc,
    ) -> Expr {
        let shown = self.types.show(cond.ty);
        let Some(sides) = sides.filter(|_| !self.is_error(&cond)) else {
            return self.error_expr(loc);
        };
        let is_block = |e: &Expr| matches!(self.types.kind(e.ty), TypeKind::Block(_));
        if is_block(&sides.a) || is_block(&sides.b) {
            let text = "block type cannot be used as expression in ternary expression in OpenCL C";
            self.error(loc, text);
            return self.error_expr(loc);
        }
        if let Some(lanes) = self.types.vector(cond.ty) {
            return self.vector_select(cond, lanes, sides, &shown, loc);
        }
        if self.types.scalar(cond.ty).is_some_and(Prim::is_float) {
            self.error(
                cond_begin,
                format!("used type {shown} where floating point type is not allowed"),
            );
            return self.error_expr(loc);
        }
        if !self.types.is_scalar(cond.ty) {
            self.error(
                cond_begin,
                format!("used type {shown} where arithmetic or pointer type is required"),
            );
            return self.error_expr(loc);
        }
        let Some((a, b)) = self.arms(sides, loc) else {
            return self.error_expr(loc);
        };
        let ty = a.ty;
        let kind = ExprKind::Cond(Box::new(cond), Box::new(a), Box::new(b));
        Expr::new(kind, ty, loc)
    }

    /// Both arms in their common type.
    fn arms(&mut self, sides: Sides, loc: SourceLoc) -> Option<(Expr, Expr)> {
        let (ta, tb) = (sides.a.ty, sides.b.ty);
        let one_of = ta == tb && !self.types.is_parameter_only(ta);
        if one_of && self.types.scalar(ta).is_none() {
            return Some((sides.a, sides.b));
        }
        if self.types.arith(ta).is_some() && self.types.arith(tb).is_some() {
            return self.common(sides, false, loc).map(|(a, b, _)| (a, b));
        }
        if self.types.is_void(ta) || self.types.is_void(tb) {
            let void = self.types.void();
            return Some((self.as_void(sides.a, void), self.as_void(sides.b, void)));
        }
        let (a, b) = self.at_common_base(sides.a, sides.b, loc)?;
        let sides = Sides { a, b, ..sides };
        let (ta, tb) = (sides.a.ty, sides.b.ty);
        let (pa, pb) = (self.types.pointee(ta), self.types.pointee(tb));
        let ty = match (pa, pb) {
            (Some(_), _) if self.is_null_constant(&sides.b) => ta,
            (_, Some(_)) if self.is_null_constant(&sides.a) => tb,
            (Some(to_a), Some(to_b)) => self.common_pointer(to_a, to_b, &sides, loc)?,
            (Some(_), None) if self.types.is_integer(tb) => {
                self.warn_pointer_mix(&sides, loc);
                ta
            }
            (None, Some(_)) if self.types.is_integer(ta) => {
                self.warn_pointer_mix(&sides, loc);
                tb
            }
            _ => {
                self.error(
                    loc,
                    format!(
                        "incompatible operand types ({} and {})",
                        sides.shown_a, sides.shown_b
                    ),
                );
                return None;
            }
        };
        Some((self.convert(sides.a, ty), self.convert(sides.b, ty)))
    }

    pub fn as_void(&self, e: Expr, void: super::types::Ty) -> Expr {
        let loc = e.loc;
        if self.types.is_void(e.ty) {
            return e;
        }
        Expr::new(ExprKind::Convert(Box::new(e)), void, loc)
    }

    fn warn_pointer_mix(&mut self, sides: &Sides, loc: SourceLoc) {
        self.sink.warning(
            loc,
            format!(
                "pointer/integer type mismatch in conditional expression ({} and {})",
                sides.shown_a, sides.shown_b
            ),
        );
    }

    fn common_pointer(
        &mut self,
        a: QualTy,
        b: QualTy,
        sides: &Sides,
        loc: SourceLoc,
    ) -> Option<super::types::Ty> {
        let (shown_a, shown_b) = (&sides.shown_a, &sides.shown_b);
        // With a generic address space, in C both pointers may be converted to it.
        let generic = self.features.generic
            && self.cxx.is_none()
            && Sema::space_fits(a.space, Space::Generic)
            && Sema::space_fits(b.space, Space::Generic);
        let common = common_space(a.space, b.space).or(generic.then_some(Space::Generic));
        let unlike = |s: &mut Self| {
            let text = format!("incompatible operand types ({shown_a} and {shown_b})");
            s.error(loc, text);
        };
        let Some(space) = common else {
            if self.cxx.is_some() {
                unlike(self);
                return None;
            }
            self.error(
                loc,
                format!(
                    "conditional operator with the second and third operands of type  ({shown_a} and \
                     {shown_b}) which are pointers to non-overlapping address spaces"
                ),
            );
            return None;
        };
        let ty = if a.ty == b.ty || self.types.is_void(a.ty) {
            a.ty
        } else if self.types.is_void(b.ty) {
            b.ty
        } else if self.cxx.is_some() {
            let Some(common) = self.composite(a, b) else {
                unlike(self);
                return None;
            };
            return Some(self.types.pointer(common));
        } else {
            self.sink.warning(
                loc,
                format!("pointer type mismatch ({shown_a} and {shown_b})"),
            );
            self.types.void()
        };
        Some(self.types.pointer(QualTy {
            ty,
            space,
            is_const: a.is_const || b.is_const,
            is_volatile: a.is_volatile || b.is_volatile,
            is_restrict: false,
            aligned: a.aligned.min(b.aligned),
        }))
    }

    /// Lane by lane: the condition's sign bit chooses.
    fn vector_select(
        &mut self,
        cond: Expr,
        lanes: Arith,
        sides: Sides,
        shown: &str,
        loc: SourceLoc,
    ) -> Expr {
        if lanes.prim.is_float() {
            self.error(
                loc,
                format!("used type {shown} where floating point type is not allowed"),
            );
            return self.error_expr(loc);
        }
        let Some((a, b, common)) = self.common(sides, false, loc) else {
            return self.error_expr(loc);
        };
        let result = Arith {
            prim: common.prim,
            lanes: if common.is_vector() {
                common.lanes
            } else {
                lanes.lanes
            },
        };
        let ty = self.types.of_arith(result);
        let problem = if result.lanes != lanes.lanes {
            "do not have the same number of elements"
        } else if result.prim.size() != lanes.prim.size() {
            "do not have elements of the same size"
        } else {
            let a = Box::new(self.convert(a, ty));
            let b = Box::new(self.convert(b, ty));
            return Expr::new(ExprKind::VecSelect(Box::new(cond), a, b), ty, loc);
        };
        let text = self.types.show(ty);
        self.error(
            loc,
            format!("vector condition type {shown} and result type {text} {problem}"),
        );
        self.error_expr(loc)
    }
}
