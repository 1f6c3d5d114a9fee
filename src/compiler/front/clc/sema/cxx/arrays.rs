//! Construction and destruction of objects, and of all in an array.

use super::super::Sema;
use super::super::operand::Operand;
use super::super::tree::{BinOp, CmpOp, Expr, ExprKind, FnId, Place, PlaceKind, Stmt, StmtKind};
use super::super::types::{Prim, QualTy, RecordId, Ty};
use super::expr_stmt;
use crate::ir::Unroll;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// Default constructs an object, or each element of an array.
    pub(super) fn default_construct(
        &mut self,
        place: Place,
        ty: Ty,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        let inner = self.types.innermost(ty);
        let Some(class) = self.types.record_id(inner) else {
            return;
        };
        if inner == ty {
            let made = self.construct_at(place, class, Vec::new(), false, false, loc);
            out.extend(made.map(|e| expr_stmt(self.full_expression(e))));
            return;
        }
        let count = self.types.size(ty) / self.types.size(inner).max(1);
        self.default_construct_all(place, class, count, loc, out);
    }

    /// Default constructs objects that lie behind each other.
    pub(super) fn default_construct_all(
        &mut self,
        place: Place,
        class: RecordId,
        count: u64,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        let ty = self.record_type(class);
        let count = self.count(count, loc);
        self.for_each(place, ty, &count, false, loc, out, |s, element| {
            s.construct_at(element, class, Vec::new(), false, false, loc)
        });
    }

    /// A loop over the elements of an array; from the last to the first if `backwards`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn for_each(
        &mut self,
        place: Place,
        inner: Ty,
        count: &Expr,
        backwards: bool,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
        act: impl FnOnce(&mut Self, Place) -> Option<Expr>,
    ) {
        let ulong = self.types.prim(Prim::ULong);
        let Some(counter) = self.new_temporary(ulong, loc) else {
            return;
        };
        let read = |counter: &Place| Expr::new(ExprKind::Load(counter.clone()), ulong, loc);
        let quals = QualTy {
            space: place.space,
            ..QualTy::plain(inner)
        };
        let pointer_ty = self.types.pointer(quals);
        let pointer = match place.kind {
            PlaceKind::Deref(e) => {
                let e = *e;
                self.reinterpreted(e, pointer_ty, loc)
            }
            kind => Expr::new(ExprKind::AddrOf(Place { kind, ..place }), pointer_ty, loc),
        };
        let index = match backwards {
            false => read(&counter),
            true => {
                let minus = |a, b| {
                    let kind = ExprKind::Binary(BinOp::Sub, Box::new(a), Box::new(b));
                    Expr::new(kind, ulong, loc)
                };
                let one = self.count(1, loc);
                minus(minus(count.clone(), one), read(&counter))
            }
        };
        let size = self.types.size(inner);
        let at = ExprKind::PtrAdd {
            ptr: Box::new(pointer),
            index: Box::new(index),
            size,
            negate: false,
        };
        let at = Expr::new(at, pointer_ty, loc);
        let Operand::Place(element, _) = self.deref(at, quals, loc) else {
            return;
        };
        let Some(each) = act(self, element) else {
            return;
        };
        let each = self.full_expression(each);
        let zero = self.count(0, loc);
        let int = self.types.int();
        let start = Expr::new(
            ExprKind::Assign(counter.clone(), Box::new(zero)),
            ulong,
            loc,
        );
        let cond = ExprKind::Compare(CmpOp::Lt, Box::new(read(&counter)), Box::new(count.clone()));
        let step = ExprKind::IncDec {
            place: counter,
            size: 0,
            negate: false,
            post: false,
        };
        let kind = StmtKind::For {
            init: vec![expr_stmt(start)],
            cond: Some(Expr::new(cond, int, loc)),
            step: Some(Expr::new(step, ulong, loc)),
            body: vec![expr_stmt(each)],
            unroll: Unroll::Auto,
        };
        out.push(Stmt { kind, loc });
    }

    /// The first elements of an array.
    pub(super) fn elements_of(
        &mut self,
        place: &Place,
        quals: QualTy,
        count: u64,
        loc: SourceLoc,
    ) -> Vec<(Place, QualTy)> {
        let Some((elem, _)) = self.types.element(quals.ty) else {
            return Vec::new();
        };
        let size = self.types.size(elem.ty);
        (0..count)
            .map(|i| self.part_of(place.clone(), quals, i * size, elem, loc))
            .collect()
    }

    pub(super) fn reinterpreted(&mut self, e: Expr, ty: Ty, loc: SourceLoc) -> Expr {
        match e.ty == ty {
            true => e,
            false => Expr::new(ExprKind::Reinterpret(Box::new(e)), ty, loc),
        }
    }

    /// A number of elements.
    pub(super) fn count(&mut self, n: u64, loc: SourceLoc) -> Expr {
        self.int_const(n as i64, Prim::ULong, loc)
    }

    /// A pointer that lies bytes behind another, or before it.
    pub(super) fn bytes_on(
        &mut self,
        pointer: Expr,
        bytes: Expr,
        to: QualTy,
        loc: SourceLoc,
    ) -> Expr {
        let byte = self.types.prim(Prim::UChar);
        let byte = self.types.pointer(to.part(QualTy::plain(byte)));
        let moved = ExprKind::PtrAdd {
            ptr: Box::new(self.reinterpreted(pointer, byte, loc)),
            index: Box::new(bytes),
            size: 1,
            negate: false,
        };
        let ty = self.types.pointer(to);
        self.reinterpreted(Expr::new(moved, byte, loc), ty, loc)
    }

    /// Destroys an object, or each element of an array.
    pub(super) fn destroy(
        &mut self,
        place: Place,
        ty: Ty,
        destructor: FnId,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        let inner = self.types.innermost(ty);
        if inner == ty {
            let done = self.destruction(place, inner, destructor, loc);
            out.push(expr_stmt(done));
            return;
        }
        let count = self.types.size(ty) / self.types.size(inner).max(1);
        let count = self.count(count, loc);
        self.destroy_all(place, inner, &count, destructor, loc, out);
    }

    /// Destroys objects that lie behind each other, the last one first.
    pub(super) fn destroy_all(
        &mut self,
        place: Place,
        inner: Ty,
        count: &Expr,
        destructor: FnId,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) {
        self.for_each(place, inner, count, true, loc, out, |s, element| {
            Some(s.destruction(element, inner, destructor, loc))
        });
    }

    fn destruction(&mut self, object: Place, ty: Ty, destructor: FnId, loc: SourceLoc) -> Expr {
        let quals = QualTy::plain(ty).in_space(object.space);
        let object = Operand::Place(object, quals);
        let called = self.call_cxx(destructor, Some(object), Vec::new(), loc);
        self.value_of(called)
    }
}
