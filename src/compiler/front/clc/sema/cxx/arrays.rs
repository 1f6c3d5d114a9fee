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
        self.for_each(place, ty, count, false, loc, out, |s, element| {
            s.construct_at(element, class, Vec::new(), false, false, loc)
        });
    }

    /// A loop over the elements of an array; from the last to the first if `backwards`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn for_each(
        &mut self,
        place: Place,
        inner: Ty,
        count: u64,
        backwards: bool,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
        act: impl FnOnce(&mut Self, Place) -> Option<Expr>,
    ) {
        let ulong = self.types.prim(Prim::ULong);
        let Some(counter) = self.new_temporary(ulong, loc) else {
            return;
        };
        let number = |s: &mut Self, n: u64| s.int_const(n as i64, Prim::ULong, loc);
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
                let last = number(self, count.saturating_sub(1));
                let kind = ExprKind::Binary(BinOp::Sub, Box::new(last), Box::new(read(&counter)));
                Expr::new(kind, ulong, loc)
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
        let zero = number(self, 0);
        let limit = number(self, count);
        let int = self.types.int();
        let start = Expr::new(
            ExprKind::Assign(counter.clone(), Box::new(zero)),
            ulong,
            loc,
        );
        let cond = ExprKind::Compare(CmpOp::Lt, Box::new(read(&counter)), Box::new(limit));
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
        let quals = QualTy {
            space: place.space,
            ..QualTy::plain(inner)
        };
        let call = |s: &mut Self, place: Place| {
            let object = Operand::Place(place, quals);
            let called = s.call_cxx(destructor, Some(object), Vec::new(), loc);
            Some(s.value_of(called))
        };
        if inner == ty {
            let done = call(self, place);
            out.extend(done.map(expr_stmt));
            return;
        }
        let count = self.types.size(ty) / self.types.size(inner).max(1);
        self.for_each(place, inner, count, true, loc, out, call);
    }
}
