//! Binary operators: usual arithmetic conversions, vectors with scalars, pointers.

use super::Sema;
use super::queries::Arith;
use super::tree::{BinOp, CmpOp, Expr, ExprKind};
use super::types::{Prim, QualTy, Ty, TypeKind};
use crate::front::clc::syntax::ast::{self, BinaryOp};
use crate::ir::Space;
use crate::source::SourceLoc;

/// Both operands as values, with their types as diagnostics show them.
pub struct Sides {
    pub a: Expr,
    pub b: Expr,
    pub shown_a: String,
    pub shown_b: String,
}

pub fn arith_op(op: BinaryOp) -> Option<BinOp> {
    Some(match op {
        BinaryOp::Add => BinOp::Add,
        BinaryOp::Sub => BinOp::Sub,
        BinaryOp::Mul => BinOp::Mul,
        BinaryOp::Div => BinOp::Div,
        BinaryOp::Rem => BinOp::Rem,
        BinaryOp::Shl => BinOp::Shl,
        BinaryOp::Shr => BinOp::Shr,
        BinaryOp::And => BinOp::And,
        BinaryOp::Or => BinOp::Or,
        BinaryOp::Xor => BinOp::Xor,
        _ => return None,
    })
}

fn compare_op(op: BinaryOp) -> Option<CmpOp> {
    Some(match op {
        BinaryOp::Lt => CmpOp::Lt,
        BinaryOp::Gt => CmpOp::Gt,
        BinaryOp::Le => CmpOp::Le,
        BinaryOp::Ge => CmpOp::Ge,
        BinaryOp::Eq => CmpOp::Eq,
        BinaryOp::Ne => CmpOp::Ne,
        _ => return None,
    })
}

/// The common type of two scalars (C99 6.3.1.8).
fn usual(a: Prim, b: Prim) -> Prim {
    if a.is_float() || b.is_float() {
        return match (a.is_float(), b.is_float()) {
            (true, true) if a.size() >= b.size() => a,
            (true, false) => a,
            _ => b,
        };
    }
    let (a, b) = (a.promoted(), b.promoted());
    // At equal size the unsigned one.
    if a.rank() >= b.rank() { a } else { b }
}

impl Sema<'_> {
    pub fn sides(&mut self, a: &ast::Expr, b: &ast::Expr) -> Option<Sides> {
        let a = self.expr(a);
        self.sides_of(a, b)
    }

    /// The same, with the left side already analysed.
    pub fn sides_of(&mut self, a: Expr, b: &ast::Expr) -> Option<Sides> {
        let b = self.expr(b);
        let (shown_a, shown_b) = (self.types.show(a.ty), self.types.show(b.ty));
        let bad = self.is_error(&a) || self.is_error(&b);
        (!bad).then_some(Sides {
            a,
            b,
            shown_a,
            shown_b,
        })
    }

    pub fn binary(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, loc: SourceLoc) -> Expr {
        let Some(sides) = self.sides(a, b) else {
            return self.error_expr(loc);
        };
        if matches!(op, BinaryOp::LogAnd | BinaryOp::LogOr) {
            return self.logical(op == BinaryOp::LogAnd, sides, loc);
        }
        if let Some(op) = compare_op(op) {
            return self.comparison(op, sides, loc);
        }
        let Some(op) = arith_op(op) else {
            return self.error_expr(loc);
        };
        match op {
            BinOp::Shl | BinOp::Shr => self.shift(op, sides, loc),
            BinOp::Add | BinOp::Sub if self.has_pointer(&sides) => {
                self.pointer_arithmetic(op, sides, loc)
            }
            _ => self.arithmetic(op, sides, loc),
        }
    }

    fn has_pointer(&self, sides: &Sides) -> bool {
        self.types.pointee(sides.a.ty).is_some() || self.types.pointee(sides.b.ty).is_some()
    }

    fn arithmetic(&mut self, op: BinOp, sides: Sides, loc: SourceLoc) -> Expr {
        let integers_only = !matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div);
        let Some((a, b, common)) = self.common(sides, integers_only, loc) else {
            return self.error_expr(loc);
        };
        self.warn_division(op, &b, common, loc);
        let ty = self.types.of_arith(common);
        Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, loc)
    }

    pub fn warn_division(&mut self, op: BinOp, b: &Expr, common: Arith, loc: SourceLoc) {
        if common.prim.is_float() || !matches!(b.kind, ExprKind::Const(0)) {
            return;
        }
        match op {
            BinOp::Div => self.sink.warning(loc, "division by zero is undefined"),
            BinOp::Rem => self.sink.warning(loc, "remainder by zero is undefined"),
            _ => {}
        }
    }

    /// The usual arithmetic conversions; reports operands that have none.
    pub fn common(
        &mut self,
        sides: Sides,
        integers_only: bool,
        loc: SourceLoc,
    ) -> Option<(Expr, Expr, Arith)> {
        let Sides {
            a,
            b,
            shown_a,
            shown_b,
        } = sides;
        let (left, right) = match (self.types.arith(a.ty), self.types.arith(b.ty)) {
            (Some(left), Some(right)) => (left, right),
            (left, right) => {
                let vector = left.or(right).is_some_and(Arith::is_vector);
                if vector {
                    self.error(
                        loc,
                        format!("cannot convert between vector and non-scalar values ({shown_a} and {shown_b})"),
                    );
                } else {
                    self.invalid_operands(&shown_a, &shown_b, loc);
                }
                return None;
            }
        };
        let half = |x: Arith| x.prim == Prim::Half;
        let bad_half = (half(left) || half(right)) && !self.features.fp16;
        let bad_float = integers_only && (left.prim.is_float() || right.prim.is_float());
        if bad_half || bad_float {
            self.invalid_operands(&shown_a, &shown_b, loc);
            return None;
        }
        let common = match (left.is_vector(), right.is_vector()) {
            (false, false) => Arith {
                prim: usual(left.prim, right.prim),
                lanes: 1,
            },
            (true, true) if left == right => left,
            (true, true) => {
                self.error(
                    loc,
                    format!("implicit conversions between vector types ({shown_a} and {shown_b}) are not permitted"),
                );
                return None;
            }
            (left_is_vector, _) => {
                let (vector, scalar) = if left_is_vector {
                    (left, right)
                } else {
                    (right, left)
                };
                if scalar.prim.rank() > vector.prim.rank() {
                    let (vector_text, scalar_text) = if left_is_vector {
                        (shown_a, shown_b)
                    } else {
                        (shown_b, shown_a)
                    };
                    self.error(
                        loc,
                        format!(
                            "scalar operand type has greater rank than the type of the vector \
                             element. ({vector_text} and {scalar_text})"
                        ),
                    );
                    return None;
                }
                vector
            }
        };
        let ty = self.types.of_arith(common);
        let a = self.convert(a, ty);
        let b = self.convert(b, ty);
        Some((a, b, common))
    }

    fn shift(&mut self, op: BinOp, sides: Sides, loc: SourceLoc) -> Expr {
        match self.shift_operands(sides, loc) {
            Some((a, b)) => {
                let ty = a.ty;
                Expr::new(ExprKind::Binary(op, Box::new(a), Box::new(b)), ty, loc)
            }
            None => self.error_expr(loc),
        }
    }

    /// Promoted operands of a shift; the amount has as many lanes as the value.
    pub fn shift_operands(&mut self, sides: Sides, loc: SourceLoc) -> Option<(Expr, Expr)> {
        let int = |a: Option<Arith>| a.filter(|a| !a.prim.is_float());
        let (left, right) = match (
            int(self.types.arith(sides.a.ty)),
            int(self.types.arith(sides.b.ty)),
        ) {
            (Some(left), Some(right)) => (left, right),
            _ => {
                self.invalid_operands(&sides.shown_a, &sides.shown_b, loc);
                return None;
            }
        };
        if right.is_vector() && !left.is_vector() {
            let (a, b) = (sides.shown_a, sides.shown_b);
            self.error(
                loc,
                format!("requested shift is a vector of type {b} but the first operand is not a vector ({a})"),
            );
            return None;
        }
        if right.is_vector() && left.lanes != right.lanes {
            let (a, b) = (sides.shown_a, sides.shown_b);
            self.error(
                loc,
                format!("vector operands do not have the same number of elements ({a} and {b})"),
            );
            return None;
        }
        let a = self.promote(sides.a);
        let b = match right.is_vector() {
            true => sides.b,
            false => {
                let amount = self.promote(sides.b);
                let prim = self.types.scalar(amount.ty).unwrap_or(Prim::Int);
                let ty = self.types.of_arith(left.with_prim(prim));
                self.convert(amount, ty)
            }
        };
        Some((a, b))
    }

    fn logical(&mut self, and: bool, sides: Sides, loc: SourceLoc) -> Expr {
        let is_vector = self
            .types
            .vector(sides.a.ty)
            .or(self.types.vector(sides.b.ty));
        if is_vector.is_some() {
            let Some((a, b, common)) = self.common(sides, false, loc) else {
                return self.error_expr(loc);
            };
            let ty = self.types.of_arith(common.truth());
            let (a, b) = (Box::new(a), Box::new(b));
            let kind = match and {
                true => ExprKind::VecLogAnd(a, b),
                false => ExprKind::VecLogOr(a, b),
            };
            return Expr::new(kind, ty, loc);
        }
        if !self.types.is_scalar(sides.a.ty) || !self.types.is_scalar(sides.b.ty) {
            return self.invalid_operands(&sides.shown_a, &sides.shown_b, loc);
        }
        let ty = self.types.int();
        let (a, b) = (Box::new(sides.a), Box::new(sides.b));
        let kind = match and {
            true => ExprKind::LogAnd(a, b),
            false => ExprKind::LogOr(a, b),
        };
        Expr::new(kind, ty, loc)
    }

    fn comparison(&mut self, op: CmpOp, sides: Sides, loc: SourceLoc) -> Expr {
        if self.has_pointer(&sides) {
            return self.pointer_comparison(op, sides, loc);
        }
        if sides.a.ty == sides.b.ty
            && matches!(op, CmpOp::Eq | CmpOp::Ne)
            && self.is_opaque(sides.a.ty)
        {
            let ty = self.types.int();
            let kind = ExprKind::Compare(op, Box::new(sides.a), Box::new(sides.b));
            return Expr::new(kind, ty, loc);
        }
        let Some((a, b, common)) = self.common(sides, false, loc) else {
            return self.error_expr(loc);
        };
        let ty = self.types.of_arith(common.truth());
        Expr::new(ExprKind::Compare(op, Box::new(a), Box::new(b)), ty, loc)
    }

    /// Handles that may be compared for equality.
    fn is_opaque(&self, ty: Ty) -> bool {
        matches!(
            self.types.kind(ty),
            TypeKind::Event | TypeKind::Queue | TypeKind::DeviceEvent
        )
    }

    fn pointer_comparison(&mut self, op: CmpOp, sides: Sides, loc: SourceLoc) -> Expr {
        let Sides {
            a,
            b,
            shown_a,
            shown_b,
        } = sides;
        let ty = self.types.int();
        let Some((a, b)) = self.at_common_base(a, b, loc) else {
            return self.error_expr(loc);
        };
        let null = self.is_null_constant(&a) || self.is_null_constant(&b);
        if self.cxx.is_some() && null && !matches!(op, CmpOp::Eq | CmpOp::Ne) {
            let text =
                format!("ordered comparison between pointer and zero ({shown_a} and {shown_b})");
            self.error(loc, text);
            return self.error_expr(loc);
        }
        let common = match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (Some(_), Some(_)) if self.is_null_constant(&a) => b.ty,
            (Some(_), Some(_)) if self.is_null_constant(&b) => a.ty,
            (Some(to_a), Some(to_b)) => {
                let Some(space) = common_space(to_a.space, to_b.space) else {
                    self.error(
                        loc,
                        format!(
                            "comparison between  ({shown_a} and {shown_b}) which are pointers to \
                             non-overlapping address spaces"
                        ),
                    );
                    return self.error_expr(loc);
                };
                if to_a.ty != to_b.ty
                    && !self.types.is_void(to_a.ty)
                    && !self.types.is_void(to_b.ty)
                {
                    let text =
                        format!("comparison of distinct pointer types ({shown_a} and {shown_b})");
                    match self.cxx.is_some() {
                        true if self.composite(to_a, to_b).is_none() => {
                            self.error(loc, text);
                            return self.error_expr(loc);
                        }
                        true => {}
                        false => self.sink.warning(loc, text),
                    }
                }
                self.types.pointer(to_a.in_space(space))
            }
            (pointer_a, _) => {
                let (pointer, other) = match pointer_a {
                    Some(_) => (&a, &b),
                    None => (&b, &a),
                };
                if !self.types.is_integer(other.ty) {
                    return self.invalid_operands(&shown_a, &shown_b, loc);
                }
                if !self.is_null_constant(other) {
                    let text =
                        format!("comparison between pointer and integer ({shown_a} and {shown_b})");
                    if self.cxx.is_some() {
                        self.error(loc, text);
                        return self.error_expr(loc);
                    }
                    self.sink.warning(loc, text);
                }
                pointer.ty
            }
        };
        let a = self.convert(a, common);
        let b = self.convert(b, common);
        Expr::new(ExprKind::Compare(op, Box::new(a), Box::new(b)), ty, loc)
    }

    fn pointer_arithmetic(&mut self, op: BinOp, sides: Sides, loc: SourceLoc) -> Expr {
        let Sides {
            a,
            b,
            shown_a,
            shown_b,
        } = sides;
        if self.types.is_nullptr(a.ty) || self.types.is_nullptr(b.ty) {
            return self.invalid_operands(&shown_a, &shown_b, loc);
        }
        let Some((a, b)) = self.at_common_base(a, b, loc) else {
            return self.error_expr(loc);
        };
        match (self.types.pointee(a.ty), self.types.pointee(b.ty)) {
            (Some(to_a), Some(to_b)) if op == BinOp::Sub => {
                self.pointer_difference(a, b, to_a, to_b, &shown_a, &shown_b, loc)
            }
            (Some(_), None) if self.types.is_integer(b.ty) => {
                self.pointer_add(a, b, op == BinOp::Sub, loc)
            }
            (None, Some(_)) if op == BinOp::Add && self.types.is_integer(a.ty) => {
                self.pointer_add(b, a, false, loc)
            }
            _ => self.invalid_operands(&shown_a, &shown_b, loc),
        }
    }

    pub fn pointer_add(&mut self, ptr: Expr, index: Expr, negate: bool, loc: SourceLoc) -> Expr {
        let Some(to) = self.types.pointee(ptr.ty) else {
            return self.error_expr(loc);
        };
        let Some(size) = self.pointee_size(to.ty, loc) else {
            return self.error_expr(loc);
        };
        let ty = ptr.ty;
        let index = self.promote(index);
        let kind = ExprKind::PtrAdd {
            ptr: Box::new(ptr),
            index: Box::new(index),
            size,
            negate,
        };
        Expr::new(kind, ty, loc)
    }

    #[allow(clippy::too_many_arguments)]
    fn pointer_difference(
        &mut self,
        a: Expr,
        b: Expr,
        to_a: QualTy,
        to_b: QualTy,
        shown_a: &str,
        shown_b: &str,
        loc: SourceLoc,
    ) -> Expr {
        if to_a.ty != to_b.ty {
            self.error(
                loc,
                format!("{shown_a} and {shown_b} are not pointers to compatible types"),
            );
            return self.error_expr(loc);
        }
        let Some(space) = common_space(to_a.space, to_b.space) else {
            self.error(
                loc,
                format!(
                    "arithmetic operation with operands of type  ({shown_a} and {shown_b}) which \
                     are pointers to non-overlapping address spaces"
                ),
            );
            return self.error_expr(loc);
        };
        let Some(size) = self.pointee_size(to_a.ty, loc) else {
            return self.error_expr(loc);
        };
        let common = self.types.pointer(to_a.in_space(space));
        let a = Box::new(self.convert(a, common));
        let b = Box::new(self.convert(b, common));
        let ty = self.types.prim(Prim::Long);
        let size = size.max(1);
        Expr::new(ExprKind::PtrDiff { a, b, size }, ty, loc)
    }
}

/// The space in which pointers to both can be compared.
pub fn common_space(a: Space, b: Space) -> Option<Space> {
    if Sema::space_fits(a, b) {
        Some(b)
    } else if Sema::space_fits(b, a) {
        Some(a)
    } else {
        None
    }
}
