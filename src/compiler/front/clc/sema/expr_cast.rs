//! Casts, vector literals, as_type.

use super::Sema;
use super::expr_call::Argument;
use super::queries::Arith;
use super::tree::{Expr, ExprKind};
use super::types::{Prim, QualTy, Ty, TypeKind};
use crate::front::clc::syntax::ast;
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// `(type)e`
    pub fn cast(&mut self, name: &ast::TypeName, inner: &ast::Expr, loc: SourceLoc) -> Expr {
        let to = self.type_name(name).ty;
        let operand = self.operand(inner);
        if self.types.is_void(to) {
            let e = self.discarded(operand);
            return if self.is_error(&e) {
                e
            } else {
                self.as_void(e, to)
            };
        }
        let e = self.value_of(operand);
        let shown = self.types.show(e.ty);
        if self.is_error(&e) || self.types.is_error(to) {
            return self.error_expr(loc);
        }
        let begin = inner.begin();
        self.explicit_cast(e, to, &shown, begin, loc)
    }

    pub fn explicit_cast(
        &mut self,
        e: Expr,
        to: Ty,
        shown: &str,
        begin: SourceLoc,
        loc: SourceLoc,
    ) -> Expr {
        let target = self.types.show(to);
        if e.ty == to {
            return Expr { loc, ..e };
        }
        let message = match (self.types.arith(e.ty), self.types.arith(to)) {
            (Some(from), Some(into)) => match (from.is_vector(), into.is_vector()) {
                (true, _) if from == into => return self.converted(e, to, loc),
                (false, _) if self.half_cast_allowed(from, into) => {
                    return self.converted(e, to, loc);
                }
                (true, true) => {
                    format!("invalid conversion between ext-vector type {target} and {shown}")
                }
                (true, false) => format!(
                    "invalid conversion between vector type {shown} and scalar type {target}"
                ),
                (false, _) => format!(
                    "casting to or from type 'half' requires cl_khr_fp16 ({shown} to {target})"
                ),
            },
            _ => match (self.types.pointee(e.ty), self.types.pointee(to)) {
                (Some(from), Some(into)) => {
                    let null = self.is_null_constant(&e);
                    let overlap = Sema::space_fits(from.space, into.space)
                        || Sema::space_fits(into.space, from.space);
                    if overlap || null {
                        self.warn_nested_spaces(from.ty, into.ty, shown, &target, loc);
                        return self.converted(e, to, loc);
                    }
                    format!("casting {shown} to type {target} changes address space of pointer")
                }
                (Some(_), None) if self.types.is_integer(to) => {
                    if self.types.size(to) < 8 && self.types.scalar(to) != Some(Prim::Bool) {
                        self.sink.warning(
                            loc,
                            format!("cast to smaller integer type {target} from {shown}"),
                        );
                    }
                    return self.converted(e, to, loc);
                }
                (None, Some(_)) if self.types.is_integer(e.ty) => {
                    return self.converted(e, to, loc);
                }
                _ if *self.types.kind(to) == TypeKind::Event && self.is_zero_constant(&e) => {
                    return self.converted(e, to, loc);
                }
                _ => self.bad_cast(&e, to, shown, &target),
            },
        };
        let at = if message.starts_with("operand") {
            begin
        } else {
            loc
        };
        self.error(at, message);
        self.error_expr(loc)
    }

    /// `to_global` and its kin, and `get_fence`, which take pointers to any type (OpenCL C
    /// specification, "Address Space Qualifier Functions"). `None` for other names.
    pub fn space_query(
        &mut self,
        name: &str,
        arguments: &[Argument],
        loc: SourceLoc,
    ) -> Option<Expr> {
        let space = match name {
            "to_global" => Space::Global,
            "to_local" | "get_fence" => Space::Local,
            "to_private" => Space::Private,
            _ => return None,
        };
        let [(operand, at)] = arguments else {
            return None;
        };
        if !self.features.generic {
            return None;
        }
        let e = self.value_of(operand.clone());
        let shown = self.types.show(e.ty);
        let pointee = self.types.pointee(e.ty);
        let Some(pointee) = pointee.filter(|p| Sema::space_fits(p.space, Space::Generic)) else {
            let message = format!("'{name}' takes a pointer that may be generic, not {shown}");
            self.error(*at, message);
            return Some(self.error_expr(loc));
        };
        let mut pointer = |space| self.types.pointer(QualTy { space, ..pointee });
        let (generic, named) = (pointer(Space::Generic), pointer(space));
        let e = self.converted(e, generic, loc);
        let e = self.converted(e, named, loc);
        if name != "get_fence" {
            return Some(e);
        }
        let flags = self.types.prim(Prim::UInt);
        let [local, global] =
            [1, 2].map(|flag| Box::new(Expr::new(ExprKind::Const(flag), flags, loc)));
        let kind = ExprKind::Cond(Box::new(e), local, global);
        Some(Expr::new(kind, flags, loc))
    }

    fn half_cast_allowed(&self, from: Arith, to: Arith) -> bool {
        self.features.fp16 || (from.prim != Prim::Half && to.prim != Prim::Half)
    }

    fn bad_cast(&self, e: &Expr, to: Ty, shown: &str, target: &str) -> String {
        let scalar = |ty| self.types.is_scalar(ty) || self.types.vector(ty).is_some();
        match self.types.kind(to) {
            TypeKind::Array(..) | TypeKind::Record(_) => {
                format!("used type {target} where arithmetic or pointer type is required")
            }
            _ if !scalar(e.ty) => {
                format!("operand of type {shown} where arithmetic or pointer type is required")
            }
            _ => format!("operand of type {shown} cannot be cast to type {target}"),
        }
    }

    /// Spaces of inner pointers must agree: their representations differ.
    fn warn_nested_spaces(&mut self, a: Ty, b: Ty, shown: &str, target: &str, loc: SourceLoc) {
        if let (Some(a), Some(b)) = (self.types.pointee(a), self.types.pointee(b))
            && a.space != b.space
        {
            self.sink.warning(
                loc,
                format!(
                    "casting {shown} to type {target} discards qualifiers in nested pointer types"
                ),
            );
        }
    }

    fn converted(&mut self, e: Expr, to: Ty, loc: SourceLoc) -> Expr {
        let e = self.convert(e, to);
        Expr { loc, ..e }
    }

    /// `(float4)(a, b, ...)`
    pub fn vector_literal(
        &mut self,
        name: &ast::TypeName,
        parts: &[ast::Expr],
        loc: SourceLoc,
    ) -> Expr {
        let to = self.type_name(name).ty;
        if self.types.vector(to).is_none() {
            // An ordinary cast of a comma expression.
            return self.cast_of_comma(to, parts, loc);
        }
        let mut values = Vec::new();
        let mut bad = false;
        for part in parts {
            let e = self.expr(part);
            bad |= self.is_error(&e);
            values.push((e, part.begin()));
        }
        if bad {
            return self.error_expr(loc);
        }
        self.vector_from(to, values, "operand", loc)
    }

    fn cast_of_comma(&mut self, to: Ty, parts: &[ast::Expr], loc: SourceLoc) -> Expr {
        let mut values: Vec<Expr> = parts.iter().map(|p| self.expr(p)).collect();
        let bad = self.types.is_error(to) || values.iter().any(|e| self.is_error(e));
        let Some(last) = values.pop().filter(|_| !bad) else {
            return self.error_expr(loc);
        };
        let shown = self.types.show(last.ty);
        let at = last.loc;
        let last = if self.types.is_void(to) {
            self.as_void(last, to)
        } else {
            self.explicit_cast(last, to, &shown, at, loc)
        };
        let fold = |right: Expr, left: Expr| {
            let ty = right.ty;
            Expr::new(ExprKind::Comma(Box::new(left), Box::new(right)), ty, loc)
        };
        values.into_iter().rev().fold(last, fold)
    }

    /// A vector out of scalars and vectors of its element type. `what`: "operand" or
    /// "initialization", for the diagnostics.
    pub fn vector_from(
        &mut self,
        to: Ty,
        parts: Vec<(Expr, SourceLoc)>,
        what: &str,
        loc: SourceLoc,
    ) -> Expr {
        let Some(of) = self.types.vector(to) else {
            return self.error_expr(loc);
        };
        let lane = self.types.prim(of.prim);
        let mut lanes = 0u32;
        let mut values = Vec::new();
        for (e, at) in parts {
            if self.is_error(&e) {
                return self.error_expr(loc);
            }
            let Some(part) = self.types.arith(e.ty) else {
                let (from, into) = (self.types.show(e.ty), self.types.show(lane));
                self.error(
                    at,
                    format!("initializing {into} with an expression of incompatible type {from}"),
                );
                return self.error_expr(loc);
            };
            if part.is_vector() && part.prim != of.prim {
                let (from, into) = (self.types.show(e.ty), self.types.show(lane));
                self.error(
                    at,
                    format!("initializing {into} with an expression of incompatible type {from}"),
                );
                return self.error_expr(loc);
            }
            lanes += part.lanes as u32;
            let e = if part.is_vector() {
                e
            } else {
                self.convert(e, lane)
            };
            values.push(e);
        }
        if lanes != of.lanes as u32 {
            let word = if lanes > of.lanes as u32 {
                "excess"
            } else {
                "too few"
            };
            let message = format!(
                "{word} elements in vector {what} (expected {} elements, have {lanes})",
                of.lanes
            );
            self.error(loc, message);
            return self.error_expr(loc);
        }
        if values.len() == 1 {
            return match values.pop() {
                Some(e) => Expr { loc, ..e },
                None => self.error_expr(loc),
            };
        }
        let constants: Option<Vec<u64>> = values
            .iter()
            .map(|e| match e.kind {
                ExprKind::Const(bits) if e.ty == lane => Some(bits),
                _ => None,
            })
            .collect();
        let kind = match constants {
            Some(lanes) => ExprKind::ConstVector(lanes),
            None => ExprKind::VectorLit(values),
        };
        Expr::new(kind, to, loc)
    }

    /// `as_type(e)`: the same bits (OpenCL C 6.4.4.2).
    pub fn reinterpret(&mut self, e: Expr, to: Ty, loc: SourceLoc) -> Expr {
        if self.is_error(&e) || self.types.is_error(to) {
            return self.error_expr(loc);
        }
        let castable = |ty: Ty| {
            let handles = [TypeKind::ReserveId, TypeKind::Queue, TypeKind::DeviceEvent];
            handles.contains(self.types.kind(ty))
                || self.types.arith(ty).is_some_and(|a| {
                    a.prim != Prim::Bool && (a.prim != Prim::Half || self.features.fp16)
                })
        };
        let (from_text, to_text) = (self.types.show(e.ty), self.types.show(to));
        if self.types.size(e.ty) != self.types.size(to) {
            self.error(
                loc,
                format!("invalid reinterpretation: sizes of {to_text} and {from_text} must match"),
            );
            return self.error_expr(loc);
        }
        if !castable(e.ty) || !castable(to) {
            self.error(
                loc,
                format!("invalid reinterpretation of {from_text} as {to_text}"),
            );
            return self.error_expr(loc);
        }
        if e.ty == to {
            return e;
        }
        Expr::new(ExprKind::Reinterpret(Box::new(e)), to, loc)
    }
}
