//! Implicit conversions as C++ has them, and references.

use super::super::Sema;
use super::super::convert::{Context, Fit};
use super::super::expr_binary::common_space;
use super::super::operand::{Operand, align_at};
use super::super::tree::{Expr, ExprKind, FnId, LocalId, Place, PlaceKind};
use super::super::types::{QualTy, RecordId, Ty, TypeKind};
use super::overload::{Argument, is_lanes};
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// The value of a type that initialises, is assigned, passed or returned. For a reference it is
    /// the pointer.
    pub fn cxx_convert(
        &mut self,
        operand: Operand,
        to: QualTy,
        context: Context,
        loc: SourceLoc,
    ) -> Expr {
        let from = self.operand_type(&operand).ty;
        if let Operand::Function(..) = operand {
            return self.value_of(operand);
        }
        if self.types.is_error(from) || self.types.is_error(to.ty) {
            return self.error_expr(loc);
        }
        if let TypeKind::Reference(of, is_rvalue) = *self.types.kind(to.ty) {
            return self.bind_reference(operand, of, is_rvalue, context, loc);
        }
        self.complete(to.ty, loc);
        if let Some(class) = self.types.record_id(to.ty) {
            return self.class_value(class, operand, context, loc);
        }
        if self.types.record_id(from).is_some() {
            self.complete(from, loc);
            let Some((function, _)) = self.conversion(&operand, to.ty) else {
                return self.mismatch(&operand, to, context, loc);
            };
            let value = self.call_conversion(function, operand, loc);
            return self.cxx_convert(value, to, context, loc);
        }
        let shown = operand.clone();
        let e = self.value_of(operand);
        if self.is_error(&e) || e.ty == to.ty {
            return e;
        }
        if let Some(pointer) = self.member_pointer_converted(&e, to.ty) {
            return pointer;
        }
        if self.is_scoped(e.ty) || self.is_enum(to.ty) {
            return self.mismatch(&shown, to, context, loc);
        }
        if let (Some(a), Some(b)) = (self.types.pointee(e.ty), self.types.pointee(to.ty))
            && !self.is_null_constant(&e)
            && let (Some(x), Some(y)) = (self.types.record_id(a.ty), self.types.record_id(b.ty))
            && x != y
        {
            self.complete(a.ty, loc);
            let fits = Sema::space_fits(a.space, b.space) && (!a.is_const || b.is_const);
            return match self.base_at(x, y).filter(|_| fits) {
                Some(_) if !self.check_base(x, y, loc) => self.error_expr(loc),
                Some((_, offset)) => self.base_pointer(e, b, offset, loc),
                None => self.mismatch(&shown, to, context, loc),
            };
        }
        let to_void = self
            .types
            .pointee(to.ty)
            .is_some_and(|b| self.types.is_void(b.ty));
        let fit = self.fit(&e, to.ty);
        let allowed = match fit {
            Fit::Ok => {
                let from_void = self
                    .types
                    .pointee(e.ty)
                    .is_some_and(|a| self.types.is_void(a.ty));
                let other = self.types.pointee(to.ty).is_some() && !to_void;
                !(from_void && other && !self.is_null_constant(&e))
            }
            _ => false,
        };
        match allowed {
            true => self.convert(e, to.ty),
            false => self.mismatch(&shown, to, context, loc),
        }
    }

    /// Pointers to a class and to a base of it, as pointers to the base. `None`: the base is out of reach, which is reported.
    pub fn at_common_base(&mut self, a: Expr, b: Expr, loc: SourceLoc) -> Option<(Expr, Expr)> {
        let (Some(p), Some(q)) = (self.types.pointee(a.ty), self.types.pointee(b.ty)) else {
            return Some((a, b));
        };
        if p.ty == q.ty || self.cxx.is_none() {
            return Some((a, b));
        }
        if self.types.record_id(p.ty).is_some() && self.types.record_id(q.ty).is_some() {
            self.complete(p.ty, loc);
            self.complete(q.ty, loc);
        }
        if self.related(p.ty, q.ty).is_some() {
            let base = QualTy { ty: q.ty, ..p };
            return Some((self.pointer_to_base(a, base, loc)?, b));
        }
        if self.related(q.ty, p.ty).is_some() {
            let base = QualTy { ty: p.ty, ..q };
            return Some((a, self.pointer_to_base(b, base, loc)?));
        }
        Some((a, b))
    }

    /// What pointers to `a` and `b` both become pointers to without a cast: with the qualifiers of both, and constant where that is
    /// needed below the first level, from which on the address spaces are the same.
    pub fn composite(&mut self, a: QualTy, b: QualTy) -> Option<QualTy> {
        let space = common_space(a.space, b.space)?;
        let both = QualTy {
            space,
            is_const: a.is_const || b.is_const,
            is_volatile: a.is_volatile || b.is_volatile,
            is_restrict: false,
            aligned: a.aligned.min(b.aligned),
            ..a
        };
        if a.ty == b.ty {
            return Some(both);
        }
        let (p, q) = (self.types.pointee(a.ty)?, self.types.pointee(b.ty)?);
        if p.space != q.space {
            return None;
        }
        let inner = self.composite(p, q)?;
        Some(QualTy {
            ty: self.types.pointer(inner),
            is_const: true,
            ..both
        })
    }

    fn pointer_to_base(&mut self, e: Expr, base: QualTy, loc: SourceLoc) -> Option<Expr> {
        let to = QualTy::plain(self.types.pointer(base));
        let e = self.cxx_convert(Operand::Value(e), to, Context::Pass, loc);
        (!self.is_error(&e)).then_some(e)
    }

    /// A pointer to a class as one to its base.
    pub(super) fn base_pointer(
        &mut self,
        e: Expr,
        to: QualTy,
        offset: u64,
        loc: SourceLoc,
    ) -> Expr {
        let Some(from) = self.types.pointee(e.ty) else {
            return e;
        };
        let base = QualTy { ty: to.ty, ..from };
        let ty = self.types.pointer(base);
        let e = match offset {
            0 => Expr::new(ExprKind::Reinterpret(Box::new(e)), ty, loc),
            _ => {
                let place = self.part_at(e, from, offset, QualTy::plain(to.ty), loc).0;
                Expr::new(ExprKind::AddrOf(place), ty, loc)
            }
        };
        let to = self.types.pointer(to);
        self.convert(e, to)
    }

    /// A part of the object that a pointer points to.
    pub(super) fn part_at(
        &mut self,
        pointer: Expr,
        of: QualTy,
        offset: u64,
        part: QualTy,
        loc: SourceLoc,
    ) -> (Place, QualTy) {
        let whole = Place {
            ty: of.ty,
            space: of.space,
            align: self.types.align(of.ty),
            is_volatile: of.is_volatile,
            loc,
            kind: PlaceKind::Deref(Box::new(pointer)),
        };
        self.part_of(whole, of, offset, part, loc)
    }

    pub(super) fn part_of(
        &mut self,
        whole: Place,
        of: QualTy,
        offset: u64,
        part: QualTy,
        loc: SourceLoc,
    ) -> (Place, QualTy) {
        let part = self.stored(part);
        let quals = of.part(part);
        let place = Place {
            ty: part.ty,
            space: whole.space,
            align: align_at(whole.align, offset),
            is_volatile: quals.is_volatile,
            loc,
            kind: PlaceKind::Field(Box::new(whole), offset),
        };
        (place, quals)
    }

    fn mismatch(
        &mut self,
        operand: &Operand,
        to: QualTy,
        context: Context,
        loc: SourceLoc,
    ) -> Expr {
        let (what, from) = match operand {
            Operand::Place(_, quals) => ("an lvalue", self.types.show_object(*quals)),
            Operand::Value(e) => ("an rvalue", self.types.show(e.ty)),
            Operand::Function(name, _) => ("a function", format!("'{name}'")),
        };
        let shown = match context {
            Context::Assign | Context::Init => self.types.show_object(to),
            _ => self.types.show(to.ty),
        };
        let text = match context {
            Context::Assign => format!("assigning to {shown} from incompatible type {from}"),
            Context::Pass => {
                format!("cannot initialize a parameter of type {shown} with {what} of type {from}")
            }
            Context::Return => {
                format!(
                    "cannot initialize return object of type {shown} with {what} of type {from}"
                )
            }
            Context::Init => {
                format!("cannot initialize a variable of type {shown} with {what} of type {from}")
            }
        };
        self.error(loc, text);
        self.error_expr(loc)
    }

    // ------------------------------------------------------------ references

    fn temporary_elsewhere(&mut self, to: QualTy, loc: SourceLoc) {
        let shown = self.types.show_object(to);
        let text = format!(
            "reference of type {shown} cannot bind to a temporary object because of address space mismatch"
        );
        self.error(loc, text);
    }

    /// What a value that is an object about to end refers to; `None` for other values.
    pub(super) fn xvalue(&self, e: &Expr) -> Option<QualTy> {
        let ExprKind::Load(place) = &e.kind else {
            return None;
        };
        if self.temporary_of(place).is_some() || is_lanes(place) {
            return None;
        }
        if matches!(place.kind, PlaceKind::Temp(_) | PlaceKind::Literal(..)) {
            return None;
        }
        Some(QualTy {
            space: place.space,
            is_volatile: place.is_volatile,
            ..QualTy::plain(e.ty)
        })
    }

    /// The temporary that an object of the form `(construction, temporary)` is.
    pub(super) fn temporary_of(&self, place: &Place) -> Option<LocalId> {
        let PlaceKind::Deref(e) = &place.kind else {
            return None;
        };
        let ExprKind::Comma(_, address) = &e.kind else {
            return None;
        };
        match &address.kind {
            ExprKind::AddrOf(Place {
                kind: PlaceKind::Local(id),
                ..
            }) => Some(*id),
            _ => None,
        }
    }

    fn bind_reference(
        &mut self,
        operand: Operand,
        to: QualTy,
        is_rvalue: bool,
        context: Context,
        loc: SourceLoc,
    ) -> Expr {
        let pointer = self.types.pointer(to);
        let (from, is_lvalue) = match &operand {
            Operand::Place(_, quals) => (*quals, true),
            Operand::Value(e) => (self.xvalue(e).unwrap_or(QualTy::plain(e.ty)), false),
            Operand::Function(..) => return self.value_of(operand),
        };
        self.complete(from.ty, loc);
        self.complete(to.ty, loc);
        let related = self.related(from.ty, to.ty);
        let shown_from = self.show_operand(&operand);
        let shown_to = self.types.show_object(to);
        let is_const_ref = to.is_const && !to.is_volatile;
        let lanes = matches!(&operand, Operand::Place(place, _) if is_lanes(place));
        if related.is_some() && !(lanes && (is_rvalue || is_const_ref)) {
            let text = if is_lvalue && is_rvalue {
                Some(format!(
                    "rvalue reference to type {shown_to} cannot bind to lvalue of type {shown_from}"
                ))
            } else if !is_lvalue && !is_rvalue && !is_const_ref {
                Some(format!(
                    "non-const lvalue reference to type {shown_to} cannot bind to a temporary of type {shown_from}"
                ))
            } else if from.is_const && !to.is_const {
                Some(format!(
                    "binding reference of type {shown_to} to value of type {shown_from} drops 'const' qualifier"
                ))
            } else if lanes {
                Some("non-const reference cannot bind to vector element".to_string())
            } else if is_lvalue && !Sema::space_fits(from.space, to.space) {
                Some(format!(
                    "binding reference of type {shown_to} to value of type {shown_from} changes address space"
                ))
            } else {
                None
            };
            if let Some(text) = text {
                self.error(loc, text);
                return self.error_expr(loc);
            }
            if let (Some(x), Some(y)) = (self.types.record_id(from.ty), self.types.record_id(to.ty))
                && !self.check_base(x, y, loc)
            {
                return self.error_expr(loc);
            }
            let bound = match operand {
                Operand::Place(place, quals) => Some((place, quals)),
                Operand::Value(Expr {
                    kind: ExprKind::Load(place),
                    ..
                }) if Sema::space_fits(place.space, to.space) && !is_lanes(&place) => {
                    let quals = QualTy {
                        space: place.space,
                        ..from
                    };
                    Some((place, quals))
                }
                other if Sema::space_fits(Space::Private, to.space) => {
                    let value = self.value_of(other);
                    let place = self.materialised(value, loc);
                    place.map(|place| (place, QualTy::plain(from.ty)))
                }
                _ => {
                    self.temporary_elsewhere(to, loc);
                    None
                }
            };
            let Some((place, quals)) = bound else {
                return self.error_expr(loc);
            };
            let ty = self.types.pointer(QualTy {
                ty: place.ty,
                ..quals
            });
            let address = match place.kind {
                PlaceKind::Deref(inner) if inner.ty == ty => *inner,
                kind => Expr::new(ExprKind::AddrOf(Place { kind, ..place }), ty, loc),
            };
            let offset = match (self.types.record_id(from.ty), self.types.record_id(to.ty)) {
                (Some(a), Some(b)) if a != b => self.base_at(a, b).map(|found| found.1),
                _ => None,
            };
            return match offset {
                Some(offset) => self.base_pointer(address, to, offset, loc),
                None => self.convert(address, pointer),
            };
        }
        if !is_rvalue && !is_const_ref {
            let text = format!(
                "non-const lvalue reference to type {shown_to} cannot bind to a value of unrelated type {shown_from}"
            );
            self.error(loc, text);
            return self.error_expr(loc);
        }
        if !matches!(to.space, Space::Private | Space::Generic) {
            self.temporary_elsewhere(to, loc);
            return self.error_expr(loc);
        }
        let value = self.cxx_convert(operand, QualTy::plain(to.ty), context, loc);
        if self.is_error(&value) {
            return value;
        }
        let Some(place) = self.materialised(value, loc) else {
            return self.error_expr(loc);
        };
        let ty = self.types.pointer(QualTy::plain(to.ty));
        let address = Expr::new(ExprKind::AddrOf(place), ty, loc);
        self.convert(address, pointer)
    }

    /// An object with that value.
    pub(super) fn materialised(&mut self, value: Expr, loc: SourceLoc) -> Option<Place> {
        if self.is_error(&value) {
            return None;
        }
        if let ExprKind::Load(place) = &value.kind
            && self.temporary_of(place).is_some()
        {
            return Some(place.clone());
        }
        let ty = value.ty;
        let Some(temporary) = self.new_temporary(ty, loc) else {
            self.error(loc, "a temporary object at program scope is not supported");
            return None;
        };
        let store = Expr::new(
            ExprKind::Assign(temporary.clone(), Box::new(value)),
            ty,
            loc,
        );
        Some(self.place_behind(store, temporary))
    }

    /// An object, before which something is evaluated.
    pub(super) fn place_behind(&mut self, before: Expr, place: Place) -> Place {
        let loc = place.loc;
        let pointee = QualTy {
            space: place.space,
            is_volatile: place.is_volatile,
            ..QualTy::plain(place.ty)
        };
        let ty = self.types.pointer(pointee);
        let shell = Place {
            kind: PlaceKind::Local(LocalId(0)),
            ..place.clone()
        };
        let address = Expr::new(ExprKind::AddrOf(place), ty, loc);
        let both = Expr::new(
            ExprKind::Comma(Box::new(before), Box::new(address)),
            ty,
            loc,
        );
        Place {
            kind: PlaceKind::Deref(Box::new(both)),
            ..shell
        }
    }

    /// The address of an object.
    pub(super) fn address(&mut self, place: Place, quals: QualTy, loc: SourceLoc) -> Expr {
        let ty = self.types.pointer(QualTy {
            ty: place.ty,
            ..quals
        });
        match place.kind {
            PlaceKind::Deref(e) if e.ty == ty => *e,
            kind => Expr::new(ExprKind::AddrOf(Place { kind, ..place }), ty, loc),
        }
    }

    // ------------------------------------------------------------ classes

    /// A value of a class from an operand.
    pub(super) fn class_value(
        &mut self,
        class: RecordId,
        operand: Operand,
        context: Context,
        loc: SourceLoc,
    ) -> Expr {
        let to = self.record_type(class);
        let from = self.operand_type(&operand).ty;
        if from == to {
            let is_temporary = match &operand {
                Operand::Value(e) => match &e.kind {
                    ExprKind::Load(place) => self.temporary_of(place).is_some(),
                    _ => true,
                },
                _ => false,
            };
            if is_temporary || self.copies_as_bytes(to) {
                return self.value_of(operand);
            }
        } else {
            let arg = [Argument::Operand(operand.clone(), loc)];
            let constructs = self.related(from, to).is_some()
                || self.converting_constructor(class, &arg).is_some();
            if !constructs {
                let Some((function, _)) = self.conversion(&operand, to) else {
                    return self.no_conversion(&operand, to, context, loc);
                };
                let value = self.call_conversion(function, operand, loc);
                return self.class_value(class, value, context, loc);
            }
        }
        let args = vec![Argument::Operand(operand, loc)];
        let operand = self.constructed_value(class, args, true, loc);
        self.value_of(operand)
    }

    fn no_conversion(
        &mut self,
        operand: &Operand,
        to: Ty,
        context: Context,
        loc: SourceLoc,
    ) -> Expr {
        let (from, to_text) = (self.show_operand(operand), self.types.show(to));
        let text = match context {
            Context::Return => format!(
                "no viable conversion from returned value of type {from} to function return type {to_text}"
            ),
            Context::Assign => format!("no viable overloaded '=' ({from} to {to_text})"),
            _ => format!("no viable conversion from {from} to {to_text}"),
        };
        self.error(loc, text);
        self.error_expr(loc)
    }

    fn call_conversion(&mut self, function: FnId, operand: Operand, loc: SourceLoc) -> Operand {
        self.call_cxx(function, Some(operand), Vec::new(), loc)
    }
}
