//! Conversions: arithmetic, scalar to vector, pointers; implicit ones with their diagnostics.

use super::Sema;
use super::cxx::is_outside;
use super::operand::Operand;
use super::queries::Arith;
use super::tree::{Expr, ExprKind, UnOp};
use super::types::{Prim, QualTy, Ty, TypeKind};
use crate::ir::Space;
use crate::source::SourceLoc;

/// Where an implicit conversion takes place; says how diagnostics word it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Context {
    Assign,
    Pass,
    Return,
    Init,
}

impl Context {
    /// `assigning to X from Y` and the like; `incompatible` is put before the type word.
    fn phrase(self, from: &str, to: &str, incompatible: &str) -> String {
        match self {
            Context::Assign => format!("assigning to {to} from {incompatible}{from}"),
            Context::Pass => format!("passing {from} to parameter of {incompatible}type {to}"),
            Context::Return => {
                format!("returning {from} from a function with {incompatible}result type {to}")
            }
            Context::Init => {
                format!("initializing {to} with an expression of {incompatible}type {from}")
            }
        }
    }

    fn incompatible(self, from: &str, to: &str) -> String {
        match self {
            Context::Assign => format!("assigning to {to} from incompatible type {from}"),
            _ => self.phrase(from, to, "incompatible "),
        }
    }

    fn address_space(self, from: &str, to: &str) -> String {
        match self {
            Context::Assign => format!("assigning {from} to {to}"),
            _ => self.phrase(from, to, ""),
        }
    }
}

/// The result of judging an implicit conversion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fit {
    Ok,
    Incompatible,
    IntToPointer,
    PointerToInt,
    PointerTypes,
    Discards,
    AddressSpace,
    NestedAddressSpace,
}

impl Sema<'_> {
    /// Whether it is a null pointer constant: an integer constant zero, or one cast to `void *`; in C++ the
    /// literal zero, or a `std::nullptr_t`.
    pub fn is_null_constant(&self, e: &Expr) -> bool {
        let zero = matches!(e.kind, ExprKind::Const(0));
        if self.cxx.is_some() {
            let literal = zero && self.types.scalar(e.ty) != Some(Prim::Bool);
            return literal && self.types.is_integer(e.ty) || self.types.is_nullptr(e.ty);
        }
        match self.types.pointee(e.ty) {
            Some(to) => zero && self.types.is_void(to.ty),
            None => zero && self.types.is_integer(e.ty),
        }
    }

    /// An integer constant expression whose value is zero, which stands for no event and no queue.
    pub fn is_zero_constant(&self, e: &Expr) -> bool {
        self.types.is_integer(e.ty) && self.integer_constant(e) == Some(0)
    }

    /// `Space` of a pointer may become another without a cast.
    pub fn space_fits(from: Space, to: Space) -> bool {
        from == to || to == Space::Generic && from != Space::Constant
    }

    /// Judges the implicit conversion of a value.
    pub fn fit(&self, e: &Expr, to: Ty) -> Fit {
        let types = &self.types;
        if e.ty == to || types.is_error(e.ty) || types.is_error(to) {
            return Fit::Ok;
        }
        match (types.kind(e.ty), types.kind(to)) {
            (TypeKind::Pointer(a), TypeKind::Pointer(b)) => {
                if self.is_null_constant(e) {
                    Fit::Ok
                } else {
                    self.pointer_fit(*a, *b)
                }
            }
            (TypeKind::Pointer(_), TypeKind::Scalar(Prim::Bool)) => match types.is_nullptr(e.ty) {
                // Only direct-initialisation converts it.
                true => Fit::Incompatible,
                false => Fit::Ok,
            },
            (TypeKind::Pointer(_), _) if types.is_integer(to) => Fit::PointerToInt,
            (_, TypeKind::Pointer(_)) if types.is_integer(e.ty) => {
                if self.is_null_constant(e) {
                    Fit::Ok
                } else {
                    Fit::IntToPointer
                }
            }
            (_, TypeKind::Sampler) if types.is_integer(e.ty) => Fit::Ok,
            (_, TypeKind::Event | TypeKind::Queue) if self.is_zero_constant(e) => Fit::Ok,
            (_, TypeKind::Atomic(p)) if types.is_integer(e.ty) || p.is_float() => {
                match types.scalar(e.ty) {
                    Some(_) => Fit::Ok,
                    None => Fit::Incompatible,
                }
            }
            _ => match (types.arith(e.ty), types.arith(to)) {
                (Some(from), Some(to)) if !from.is_vector() && self.half_allows(from, to) => {
                    Fit::Ok
                }
                (Some(from), Some(to)) if from == to => Fit::Ok,
                _ => Fit::Incompatible,
            },
        }
    }

    /// Without cl_khr_fp16 there is no conversion from or to half.
    fn half_allows(&self, from: Arith, to: Arith) -> bool {
        self.features.fp16 || (from.prim != Prim::Half && to.prim != Prim::Half)
    }

    fn pointer_fit(&self, from: QualTy, to: QualTy) -> Fit {
        if !Sema::space_fits(from.space, to.space) {
            return Fit::AddressSpace;
        }
        let types = &self.types;
        let compatible = from.ty == to.ty || types.is_void(from.ty) || types.is_void(to.ty);
        if !compatible {
            if self.cxx.is_some() && self.adds_qualifiers(from, to) {
                return Fit::Ok;
            }
            return match (types.pointee(from.ty), types.pointee(to.ty)) {
                (Some(a), Some(b)) if a.space != b.space => Fit::NestedAddressSpace,
                (Some(a), Some(b)) if a.ty == b.ty => Fit::Discards,
                _ => Fit::PointerTypes,
            };
        }
        // Constant memory is const in any case.
        let drops_const = from.is_const && !to.is_const && to.space != Space::Constant;
        if drops_const || from.is_volatile && !to.is_volatile {
            return Fit::Discards;
        }
        Fit::Ok
    }

    /// C++: the types differ only in qualifiers that the second has in addition, and all pointers on the
    /// way to them are constants. Those of arrays are their elements'.
    pub fn adds_qualifiers(&self, from: QualTy, to: QualTy) -> bool {
        if from.is_const && !to.is_const || from.is_volatile && !to.is_volatile {
            return false;
        }
        let types = &self.types;
        let pointees = (types.pointee(from.ty), types.pointee(to.ty));
        match (types.element(from.ty), types.element(to.ty)) {
            _ if from.ty == to.ty => true,
            (Some((a, n)), Some((b, m))) => n == m && self.adds_qualifiers(a, b),
            _ => match pointees {
                (Some(a), Some(b)) => {
                    a.space == b.space && to.is_const && self.adds_qualifiers(a, b)
                }
                _ => false,
            },
        }
    }

    /// Converts as in an assignment; reports what C forbids. `to` is the object's type (for the
    /// wording), `loc` where clang puts the caret.
    pub fn convert_implicitly(
        &mut self,
        op: Operand,
        to: QualTy,
        context: Context,
        loc: SourceLoc,
    ) -> Expr {
        if self.cxx.is_some() {
            return self.cxx_convert(op, to, context, loc);
        }
        let shown = self.show_operand(&op);
        let e = self.value_of(op);
        let fit = self.fit(&e, to.ty);
        if fit != Fit::Ok {
            let target = match context {
                Context::Assign | Context::Init => self.types.show_object(to),
                Context::Pass | Context::Return => self.types.show(to.ty),
            };
            if !self.report_fit(fit, context, &shown, &target, loc) {
                return self.error_expr(e.loc);
            }
        }
        self.convert(e, to.ty)
    }

    /// Reports the problem. Returns whether the conversion is made nevertheless.
    fn report_fit(
        &mut self,
        fit: Fit,
        context: Context,
        from: &str,
        to: &str,
        loc: SourceLoc,
    ) -> bool {
        let plain = context.phrase(from, to, "");
        // C forbids those of pointers, too, but drivers whose clang is older than 16 warn, and programs count on it.
        let warning = match fit {
            Fit::Ok => return true,
            Fit::IntToPointer => format!("incompatible integer to pointer conversion {plain}"),
            Fit::PointerToInt => format!("incompatible pointer to integer conversion {plain}"),
            Fit::PointerTypes => format!("incompatible pointer types {plain}"),
            Fit::Discards => format!("{plain} discards qualifiers"),
            Fit::Incompatible => {
                self.error(loc, context.incompatible(from, to));
                return false;
            }
            Fit::AddressSpace | Fit::NestedAddressSpace => {
                let text = context.address_space(from, to);
                let what = match fit {
                    Fit::AddressSpace => "pointer",
                    _ => "nested pointer",
                };
                self.error(loc, format!("{text} changes address space of {what}"));
                return false;
            }
        };
        self.sink.warning(loc, warning);
        true
    }

    /// Converts a value to a type; the conversion is known to be allowed.
    pub fn convert(&mut self, e: Expr, to: Ty) -> Expr {
        if e.ty == to || self.is_error(&e) {
            return e;
        }
        let loc = e.loc;
        if self.types.is_error(to) {
            return self.error_expr(loc);
        }
        if let (TypeKind::Atomic(prim), Some(_)) = (self.types.kind(to), self.types.arith(e.ty)) {
            // An atomic object has the representation of its value.
            let value = self.types.prim(*prim);
            let e = self.convert(e, value);
            return Expr { ty: to, ..e };
        }
        match (self.types.arith(e.ty), self.types.arith(to)) {
            (Some(from), Some(target)) if from.lanes == target.lanes => {
                self.convert_arith(e, from, to, target)
            }
            (Some(from), Some(target)) if !from.is_vector() => self.splat(e, from, to, target),
            _ => self.convert_pointer(e, to),
        }
    }

    fn convert_arith(&mut self, e: Expr, from: Arith, to: Ty, target: Arith) -> Expr {
        let loc = e.loc;
        if from == target {
            // An enumeration and its integer type.
            return Expr { ty: to, ..e };
        }
        if let ExprKind::Const(bits) = e.kind
            // In C++ it may have to be a constant, which it is not.
            && !(self.cxx.is_some() && is_outside(from.prim, target.prim, bits))
        {
            let bits = super::consts::convert_bits(from.prim, target.prim, bits);
            return Expr::new(ExprKind::Const(bits), to, loc);
        }
        Expr::new(ExprKind::Convert(Box::new(e)), to, loc)
    }

    /// A scalar in all lanes; true is all ones in each.
    fn splat(&mut self, e: Expr, from: Arith, to: Ty, target: Arith) -> Expr {
        let loc = e.loc;
        let lane = self.types.prim(target.prim);
        let e = if from.prim == Prim::Bool {
            let int = self.types.int();
            let as_int = self.convert(e, int);
            let negated = ExprKind::Unary(UnOp::Neg, Box::new(as_int));
            Expr::new(negated, int, loc)
        } else {
            e
        };
        let e = self.convert(e, lane);
        if let ExprKind::Const(bits) = e.kind {
            return Expr::new(ExprKind::Const(bits), to, loc);
        }
        Expr::new(ExprKind::Splat(Box::new(e)), to, loc)
    }

    /// Between pointers, integers and opaque types.
    fn convert_pointer(&mut self, e: Expr, to: Ty) -> Expr {
        let loc = e.loc;
        if let ExprKind::Const(bits) = e.kind
            && (bits == 0 || self.types.pointee(e.ty).is_none())
            && !self.types.scalar(e.ty).is_some_and(Prim::is_float)
        {
            let from = self.types.scalar(e.ty).unwrap_or(Prim::ULong);
            let prim = self.types.scalar(to).unwrap_or(Prim::ULong);
            let bits = super::consts::convert_bits(from, prim, bits);
            return Expr::new(ExprKind::Const(bits), to, loc);
        }
        if let (Some(a), Some(b)) = (self.types.pointee(e.ty), self.types.pointee(to))
            && a.space == b.space
        {
            return Expr::new(ExprKind::Reinterpret(Box::new(e)), to, loc);
        }
        Expr::new(ExprKind::Convert(Box::new(e)), to, loc)
    }

    /// The integer promotions of a scalar; vectors stay.
    pub fn promote(&mut self, e: Expr) -> Expr {
        match self.types.scalar(e.ty) {
            Some(prim) => {
                let ty = self.types.prim(prim.promoted());
                self.convert(e, ty)
            }
            None => e,
        }
    }
}
