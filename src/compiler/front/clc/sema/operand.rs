//! Analysed expressions: an object (l-value), a value, or a function's name.

use super::Sema;
use super::tree::{Expr, ExprKind, Place, PlaceKind};
use super::types::{Prim, QualTy, Ty, TypeKind};
use crate::front::clc::syntax::ast::Name;
use crate::ir::Space;
use crate::source::SourceLoc;

#[derive(Debug, Clone)]
pub enum Operand {
    /// An object with its qualifiers (`quals.ty` is `place.ty`).
    Place(Place, QualTy),
    Value(Expr),
    Function(Name, SourceLoc),
}

impl Expr {
    pub fn new(kind: ExprKind, ty: Ty, loc: SourceLoc) -> Expr {
        Expr { kind, ty, loc }
    }
}

/// The alignment of an address at `offset` from one with alignment `align`.
pub fn align_at(align: u64, offset: u64) -> u64 {
    match offset {
        0 => align,
        _ => align.min(1 << offset.trailing_zeros()),
    }
}

impl Sema<'_> {
    /// The value that stands for an expression with an error.
    pub fn error_expr(&mut self, loc: SourceLoc) -> Expr {
        Expr::new(ExprKind::Const(0), self.types.error(), loc)
    }

    pub fn error_operand(&mut self, loc: SourceLoc) -> Operand {
        Operand::Value(self.error_expr(loc))
    }

    pub fn is_error(&self, e: &Expr) -> bool {
        self.types.is_error(e.ty)
    }

    /// The operand's type with an object's qualifiers; a function's name has the error type.
    pub fn operand_type(&mut self, op: &Operand) -> QualTy {
        match op {
            Operand::Place(_, quals) => *quals,
            Operand::Value(e) => QualTy::plain(e.ty),
            Operand::Function(..) => QualTy::plain(self.types.error()),
        }
    }

    /// The operand's type in quotes, as clang shows it in conversions.
    pub fn show_operand(&self, op: &Operand) -> String {
        match op {
            Operand::Place(_, quals) => self.types.show_object(*quals),
            Operand::Value(e) => self.types.show(e.ty),
            Operand::Function(name, _) => format!("'{name}'"),
        }
    }

    pub fn constant(&mut self, bits: u64, ty: Ty, loc: SourceLoc) -> Expr {
        Expr::new(ExprKind::Const(bits), ty, loc)
    }

    pub fn int_const(&mut self, value: i64, prim: Prim, loc: SourceLoc) -> Expr {
        let ty = self.types.prim(prim);
        let bits = value as u64 & (u64::MAX >> (64 - prim.size() * 8));
        Expr::new(ExprKind::Const(bits), ty, loc)
    }

    /// A local without a name; `None` outside of functions.
    pub fn new_temporary(&mut self, ty: Ty, loc: SourceLoc) -> Option<Place> {
        let align = self.types.align(ty);
        let f = self.cur.as_mut()?;
        let id = f.new_local("".into(), QualTy::plain(ty), align, loc);
        Some(Place::private(PlaceKind::Local(id), ty, align, loc))
    }

    /// The value of an operand: objects are read, arrays decay to pointers.
    pub fn value_of(&mut self, op: Operand) -> Expr {
        match op {
            Operand::Value(e) => e,
            Operand::Place(place, quals) => self.load(place, quals),
            Operand::Function(_, loc) => {
                self.error(loc, "taking address of function is not allowed");
                self.error_expr(loc)
            }
        }
    }

    /// Remembers that a pointer leads to a variable of the function.
    pub fn note_address(&mut self, place: &Place) {
        let mut place = place;
        while let PlaceKind::Field(base, _)
        | PlaceKind::Index(base, _)
        | PlaceKind::Lanes(base, _)
        | PlaceKind::Lane(base, _) = &place.kind
        {
            place = base;
        }
        let is_elsewhere = matches!(place.kind, PlaceKind::Global(_) | PlaceKind::Deref(_));
        if let Some(f) = &mut self.cur {
            f.keeps_address |= !is_elsewhere;
        }
    }

    fn load(&mut self, place: Place, quals: QualTy) -> Expr {
        let loc = place.loc;
        if self.types.element(place.ty).is_none() {
            self.warn_bounds(&place);
        }
        match self.types.kind(place.ty).clone() {
            TypeKind::Array(elem, _) => {
                let to = quals.part(elem);
                let ty = self.types.pointer(to);
                self.note_address(&place);
                Expr::new(ExprKind::AddrOf(place), ty, loc)
            }
            TypeKind::Enum(_, prim) if self.cxx.is_none() => {
                let ty = self.types.prim(prim);
                Expr::new(ExprKind::Load(place), ty, loc)
            }
            TypeKind::Scalar(Prim::Half) if !self.features.fp16 => {
                self.error(
                    loc,
                    format!(
                        "loading directly from pointer to type {} requires cl_khr_fp16. Use vector \
                         data load builtin functions instead",
                        self.types.show_object(quals)
                    ),
                );
                self.error_expr(loc)
            }
            TypeKind::Void => {
                let text = self.types.show(place.ty);
                self.error(
                    loc,
                    format!("incomplete type {text} where a complete type is required"),
                );
                self.error_expr(loc)
            }
            TypeKind::Record(_) if !self.object_fits(place.ty, Space::Private, "value", loc) => {
                self.error_expr(loc)
            }
            _ => self.load_lanes(place),
        }
    }

    /// The half of a vector of three has a lane that does not exist: any value will do for it.
    fn load_lanes(&mut self, mut place: Place) -> Expr {
        if let PlaceKind::Lanes(vector, lanes) = &mut place.kind {
            let count = self.types.arith(vector.ty).map_or(0, |a| a.lanes);
            for lane in lanes.iter_mut().filter(|lane| **lane >= count) {
                *lane = count.saturating_sub(1);
            }
        }
        let (ty, loc) = (place.ty, place.loc);
        Expr::new(ExprKind::Load(place), ty, loc)
    }

    /// An object for a value: records and vectors whose parts are wanted.
    pub fn place_of(&mut self, op: Operand) -> (Place, QualTy) {
        match op {
            Operand::Place(place, quals) => (place, quals),
            other => {
                let e = self.value_of(other);
                let (ty, loc) = (e.ty, e.loc);
                // The value of an object is that object.
                let place =
                    Place::private(PlaceKind::Temp(Box::new(e)), ty, self.types.align(ty), loc);
                (place, QualTy::plain(ty))
            }
        }
    }

    /// `*e`
    pub fn deref(&mut self, e: Expr, to: QualTy, loc: SourceLoc) -> Operand {
        let place = Place {
            ty: to.ty,
            space: to.space,
            align: self.types.align_of(to),
            is_volatile: to.is_volatile,
            loc,
            kind: PlaceKind::Deref(Box::new(e)),
        };
        Operand::Place(place, to)
    }
}
