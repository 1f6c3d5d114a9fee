//! `new` and `delete` with functions of the program: there are no others.

use super::super::Sema;
use super::super::convert::Context;
use super::super::operand::Operand;
use super::super::scope::Entity;
use super::super::tree::{BinOp, CmpOp, Expr, ExprKind, FnId, Place, PlaceKind, Stmt, StmtKind};
use super::super::types::{Prim, QualTy, Ty, TypeKind};
use super::expr_stmt;
use super::overload::{Argument, Call, Choice};
use crate::front::clc::syntax::ast::{self, Initializer, Name};
use crate::front::clc::syntax::cxx::ast as cxx;
use crate::source::SourceLoc;

/// Names of functions that give memory or take it back.
const ALLOCATORS: &[&str] = &[
    "operator new",
    "operator new[]",
    "operator delete",
    "operator delete[]",
];

pub(super) fn allocates(name: &str) -> bool {
    ALLOCATORS.contains(&name)
}

pub(super) fn gives_memory(name: &str) -> bool {
    ALLOCATORS[..2].contains(&name)
}

impl Sema<'_> {
    pub(super) fn check_allocator(&mut self, name: &str, ret: Ty, loc: SourceLoc) {
        let is_new = gives_memory(name);
        let to = self.types.pointee(ret).map(|to| to.ty);
        let fits = match is_new {
            true => to.is_some_and(|to| self.types.is_void(to)),
            false => self.types.is_void(ret),
        };
        if !fits && !self.types.is_error(ret) {
            let ty = if is_new { "void *" } else { "void" };
            self.error(loc, format!("'{name}' must return type '{ty}'"));
        }
    }

    /// The functions of a name in the class, or else at program scope.
    fn allocators(&mut self, class: Option<Ty>, name: &str) -> Option<u32> {
        let own = class.and_then(|ty| self.member_entity(ty, name));
        let found = own.or_else(|| {
            let found = self.scopes.find_own(super::GLOBAL, name)?;
            Some(found.entity)
        });
        match found {
            Some(Entity::Functions(set)) => Some(set),
            _ => None,
        }
    }

    fn call_allocator(
        &mut self,
        set: u32,
        name: &str,
        args: Vec<Argument>,
        loc: SourceLoc,
    ) -> Option<(Expr, FnId)> {
        let name: Name = name.into();
        let call = Call::of(&name, self.callees_of(set), &args, loc);
        let Choice::Function(id) = self.choose(&call) else {
            return None;
        };
        let called = self.call_cxx(id, None, args, loc);
        let value = self.value_of(called);
        (!self.is_error(&value)).then_some((value, id))
    }

    pub(super) fn new_object(&mut self, new: &cxx::New, loc: SourceLoc) -> Operand {
        match self.new_here(new, loc) {
            Some(e) => Operand::Value(e),
            None => self.error_operand(loc),
        }
    }

    fn new_here(&mut self, new: &cxx::New, loc: SourceLoc) -> Option<Expr> {
        let init = match &new.init {
            None => None,
            Some(Initializer::Expr(e)) => {
                let args = self.paren_arguments(e)?;
                Some(self.analysed(&args)?)
            }
            Some(list) => Some(vec![Argument::List(self.expanded_list(list), loc)]),
        };
        let args = init.clone().unwrap_or_default();
        let mut quals = match self.deduced_name(&new.ty) {
            Some(template) => {
                let class = self.deduced_class(template, &args, loc)?;
                let space = self.features.default_pointee();
                QualTy::plain(self.record_type(class)).in_space(space)
            }
            None => {
                let spec = self.type_name(&new.ty);
                let space = spec.space.unwrap_or(self.features.default_pointee());
                QualTy::plain(spec.ty).in_space(space)
            }
        };
        let mut stmts = Vec::new();
        let count = match &new.count {
            Some(bound) => Some(self.bound(bound, &mut stmts)?),
            None => match self.types.element(quals.ty) {
                Some((elem, known)) => {
                    quals.ty = elem.ty;
                    let listed = match known {
                        Some(known) => known,
                        None => self.listed(elem.ty, &args, loc)?,
                    };
                    Some(self.count(listed, loc))
                }
                None => None,
            },
        };
        self.complete(quals.ty, loc);
        if self.types.is_error(quals.ty) {
            return None;
        }
        if !self.types.is_complete(quals.ty) || self.types.referent(quals.ty).is_some() {
            let shown = self.types.show(quals.ty);
            self.error(loc, format!("{shown} cannot be allocated by 'new'"));
            return None;
        }
        let cookie = match count {
            Some(_) => self.cookie(quals.ty),
            None => 0,
        };
        let Some((memory, may_be_null)) = self.allocated(new, quals, count.as_ref(), cookie, loc)
        else {
            // What the pointer is used for is looked at all the same.
            let ty = self.types.pointer(quals);
            return Some(self.zero(ty, loc));
        };
        let (keep, memory) = self.kept(memory, "new", loc)?;
        stmts.push(expr_stmt(keep));
        let mut first = memory.clone();
        if cookie > 0 {
            let before = self.count(cookie, loc);
            first = self.bytes_on(first, before, quals, loc);
        }
        let Operand::Place(place, _) = self.deref(first.clone(), quals, loc) else {
            return None;
        };
        let mut made = Vec::new();
        match &count {
            None => made.extend(self.initialised(place, quals.ty, init, loc)?.map(expr_stmt)),
            Some(count) => {
                let inner = self.types.innermost(quals.ty);
                let each = self.types.size(quals.ty) / self.types.size(inner).max(1);
                let each = self.count(each, loc);
                let all = self.sized(BinOp::Mul, count.clone(), each, loc);
                if cookie > 0 {
                    let known = self.known_count(first.clone(), quals, loc);
                    let ty = known.ty;
                    let kind = ExprKind::Assign(known, Box::new(all.clone()));
                    made.push(expr_stmt(Expr::new(kind, ty, loc)));
                }
                self.initialise_all(place, quals.ty, (count, &all), init, loc, &mut made)?;
            }
        }
        let ty = first.ty;
        if may_be_null {
            let kind = StmtKind::If(memory.clone(), made, Vec::new());
            stmts.push(Stmt { kind, loc });
            let null = self.zero(ty, loc);
            let kind = ExprKind::Cond(Box::new(memory), Box::new(first), Box::new(null));
            first = Expr::new(kind, ty, loc);
        } else {
            stmts.extend(made);
        }
        let kind = ExprKind::StmtExpr(stmts, Some(Box::new(first)));
        Some(Expr::new(kind, ty, loc))
    }

    /// Keeps the pointer of a `new` or `delete` in a temporary: what stores it there, and what reads it.
    fn kept(&mut self, pointer: Expr, word: &str, loc: SourceLoc) -> Option<(Expr, Expr)> {
        let ty = pointer.ty;
        let Some(kept) = self.new_temporary(ty, loc) else {
            self.error(
                loc,
                format!("'{word}' outside of functions is not supported"),
            );
            return None;
        };
        let keep = ExprKind::Assign(kept.clone(), Box::new(pointer));
        let read = ExprKind::Load(kept);
        Some((Expr::new(keep, ty, loc), Expr::new(read, ty, loc)))
    }

    /// The bound of a new array, which is evaluated once.
    fn bound(&mut self, bound: &ast::Expr, out: &mut Vec<Stmt>) -> Option<Expr> {
        let loc = bound.begin();
        let operand = self.operand(bound);
        let size_t = QualTy::plain(self.types.size_t());
        let count = self.cxx_convert(operand, size_t, Context::Init, loc);
        if self.is_error(&count) {
            return None;
        }
        if let Some(count) = self.integer_constant(&count) {
            return Some(self.count(count, loc));
        }
        let (keep, read) = self.kept(count, "new", loc)?;
        out.push(expr_stmt(keep));
        Some(read)
    }

    /// How many elements a list has values for.
    fn listed(&mut self, ty: Ty, args: &[Argument], loc: SourceLoc) -> Option<u64> {
        let [Argument::List(init @ Initializer::List(items, _), _)] = args else {
            let text = "array size must be specified in new expression with no initializer";
            self.error(loc, text);
            return None;
        };
        self.complete(ty, loc);
        if !(self.begins_trivially(ty) && self.copies_as_bytes(ty)) {
            return Some(items.len() as u64);
        }
        let array = self.types.intern(TypeKind::Array(QualTy::plain(ty), None));
        let array = QualTy::plain(array);
        let counted = |s: &mut Self| s.local_initializer(array, init, loc);
        let (array, _) = self.without_temporaries(|s| s.tried(counted))??;
        self.types.element(array)?.1
    }

    /// The bytes before the elements of an array, which end with their number, if `delete[]` has to know it
    /// (Itanium C++ ABI, 2.7).
    fn cookie(&mut self, ty: Ty) -> u64 {
        let inner = self.types.innermost(ty);
        let takes_size = match self.member_entity(inner, "operator delete[]") {
            Some(Entity::Functions(set)) => self.takes_size(set),
            _ => false,
        };
        let size_t = self.types.size_t();
        let is_trivial = self.class_of(inner).is_none_or(|c| c.trivial_destroy);
        match takes_size || !is_trivial {
            true => self.types.size(size_t).max(self.types.align(inner)),
            false => 0,
        }
    }

    /// Whether a function that takes memory back is given the size, too.
    fn takes_size(&self, set: u32) -> bool {
        self.callees_of(set).iter().all(|callee| match callee {
            super::Callee::Fn(id) => self.cxx_fn(*id).is_some_and(|f| f.params.len() == 2),
            super::Callee::Template(_) => false,
        })
    }

    /// The number of elements before the first one.
    fn known_count(&mut self, first: Expr, quals: QualTy, loc: SourceLoc) -> Place {
        let size_t = self.types.size_t();
        let back = -(self.types.size(size_t) as i64);
        let back = self.int_const(back, Prim::Long, loc);
        let to = QualTy::plain(size_t).in_space(quals.space);
        let pointer = self.bytes_on(first, back, to, loc);
        Place {
            kind: PlaceKind::Deref(Box::new(pointer)),
            ty: size_t,
            space: quals.space,
            align: self.types.align(size_t),
            is_volatile: false,
            loc,
        }
    }

    fn sized(&mut self, op: BinOp, a: Expr, b: Expr, loc: SourceLoc) -> Expr {
        let kind = ExprKind::Binary(op, Box::new(a), Box::new(b));
        Expr::new(kind, self.types.size_t(), loc)
    }

    /// The pointer to the memory of a new object, or of a cookie and `count` of them; whether it may be null.
    fn allocated(
        &mut self,
        new: &cxx::New,
        quals: QualTy,
        count: Option<&Expr>,
        cookie: u64,
        loc: SourceLoc,
    ) -> Option<(Expr, bool)> {
        let inner = self.types.innermost(quals.ty);
        let name = match count {
            None => "operator new",
            Some(_) => "operator new[]",
        };
        let mut size = self.count(self.types.size(quals.ty), loc);
        if let Some(count) = count {
            size = self.sized(BinOp::Mul, count.clone(), size, loc);
        }
        if cookie > 0 {
            let before = self.count(cookie, loc);
            size = self.sized(BinOp::Add, size, before, loc);
        }
        let mut args = vec![Argument::Operand(Operand::Value(size), loc)];
        args.extend(self.analysed(&new.placement)?);
        let Some(set) = self.allocators((!new.global).then_some(inner), name) else {
            let text = match new.placement.is_empty() {
                true => "'default new' is not supported in C++ for OpenCL",
                false => "use of placement new requires explicit declaration",
            };
            self.error(loc, text);
            return None;
        };
        let (memory, id) = self.call_allocator(set, name, args, loc)?;
        let ty = self.types.pointer(quals);
        let from = self.types.pointee(memory.ty)?;
        if !Sema::space_fits(from.space, quals.space) && !Sema::space_fits(quals.space, from.space)
        {
            let (from, to) = (self.types.show(memory.ty), self.types.show(ty));
            self.error(loc, format!("memory of type {from} is none for {to}"));
            return None;
        }
        let may_be_null = self.cxx_fn(id).is_some_and(|f| f.gives_null);
        Some((self.convert(memory, ty), may_be_null))
    }

    /// The initialisation of an object; `Some(None)` if there is nothing to be done.
    fn initialised(
        &mut self,
        place: Place,
        ty: Ty,
        init: Option<Vec<Argument>>,
        loc: SourceLoc,
    ) -> Option<Option<Expr>> {
        let zero = init.is_some();
        if let Some(class) = self.types.record_id(ty) {
            let args = init.unwrap_or_default();
            let e = self.construct_at(place, class, args, false, zero, loc)?;
            return Some(Some(self.full_expression(e)));
        }
        let Some(args) = init else {
            return Some(None);
        };
        let value = match &args[..] {
            [Argument::Operand(operand, at)] => {
                self.cxx_convert(operand.clone(), QualTy::plain(ty), Context::Init, *at)
            }
            _ => {
                let value = self.functional_cast(ty, args, loc);
                self.value_of(value)
            }
        };
        let assign = ExprKind::Assign(place, Box::new(value));
        Some(Some(Expr::new(assign, ty, loc)))
    }

    /// The same of the elements of an array: how many there are, and how many of the innermost type.
    fn initialise_all(
        &mut self,
        place: Place,
        ty: Ty,
        (count, all): (&Expr, &Expr),
        init: Option<Vec<Argument>>,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let inner = self.types.innermost(ty);
        let mut first = place;
        let mut left = all.clone();
        match init.as_deref() {
            None if self.begins_trivially(inner) => return Some(()),
            None | Some([]) => {}
            Some([Argument::List(Initializer::List(items, _), _)]) if items.is_empty() => {}
            Some(list @ [Argument::List(init, _)]) => {
                let known = self.integer_constant(count);
                let written = match known {
                    Some(known) => known,
                    None => self.listed(ty, list, loc)?,
                };
                let array = TypeKind::Array(QualTy::plain(ty), Some(written));
                let array = QualTy::plain(self.types.intern(array)).in_space(first.space);
                let whole = Place {
                    ty: array.ty,
                    ..first
                };
                self.array_of_objects(whole.clone(), array, init, loc, out);
                if known.is_some() {
                    return Some(());
                }
                let size = self.types.size(array.ty);
                (first, _) = self.part_of(whole, array, size, QualTy::plain(inner), loc);
                let before = self.count(size / self.types.size(inner).max(1), loc);
                let int = self.types.int();
                let more =
                    ExprKind::Compare(CmpOp::Gt, Box::new(left.clone()), Box::new(before.clone()));
                let more = Expr::new(more, int, loc);
                let rest = self.sized(BinOp::Sub, left, before, loc);
                let none = self.count(0, loc);
                let kind = ExprKind::Cond(Box::new(more), Box::new(rest), Box::new(none));
                left = Expr::new(kind, all.ty, loc);
            }
            Some(_) => {
                self.error(loc, "array 'new' cannot have initialization arguments");
                return None;
            }
        }
        let empty = init.map(|_| Vec::new());
        self.for_each(first, inner, &left, false, loc, out, |s, element| {
            s.initialised(element, inner, empty, loc).flatten()
        });
        Some(())
    }

    pub(super) fn delete_object(
        &mut self,
        global: bool,
        array: bool,
        operand: Operand,
        loc: SourceLoc,
    ) -> Operand {
        match self.delete_here(global, array, operand, loc) {
            Some(e) => Operand::Value(e),
            None => self.error_operand(loc),
        }
    }

    fn delete_here(
        &mut self,
        global: bool,
        array: bool,
        operand: Operand,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let pointer = self.value_of(operand);
        if self.is_error(&pointer) {
            return None;
        }
        let Some(quals) = self.types.pointee(pointer.ty) else {
            let shown = self.types.show(pointer.ty);
            let text = format!("cannot delete expression of type {shown}");
            self.error(loc, text);
            return None;
        };
        let inner = match array {
            true => self.types.innermost(quals.ty),
            false => quals.ty,
        };
        self.complete(inner, loc);
        let name = if array {
            "operator delete[]"
        } else {
            "operator delete"
        };
        let own = match global {
            true => None,
            false => self.member_entity(inner, name),
        };
        // Clang calls no function of program scope.
        let Some(Entity::Functions(set)) = own else {
            self.error(loc, "'default delete' is not supported in C++ for OpenCL");
            return None;
        };
        let destructor = self.destructor_of(inner, quals.space, loc);
        let (keep, read) = self.kept(pointer, "delete", loc)?;
        let plain = QualTy {
            is_const: false,
            ..quals
        };
        let cookie = match array {
            true => self.cookie(inner),
            false => 0,
        };
        let mut stmts = Vec::new();
        let mut count = None;
        if cookie > 0 {
            let known = self.known_count(read.clone(), plain, loc);
            let ty = known.ty;
            let known = Expr::new(ExprKind::Load(known), ty, loc);
            let (keep, read) = self.kept(known, "delete", loc)?;
            stmts.push(expr_stmt(keep));
            count = Some(read);
        }
        if let Some(destructor) = destructor
            && let Operand::Place(place, _) = self.deref(read.clone(), plain, loc)
        {
            match &count {
                Some(count) => self.destroy_all(place, inner, count, destructor, loc, &mut stmts),
                None => self.destroy(place, inner, destructor, loc, &mut stmts),
            }
        }
        let void = self.types.void();
        let memory = QualTy { ty: void, ..plain };
        let first = self.int_const(-(cookie as i64), Prim::Long, loc);
        let memory = self.bytes_on(read.clone(), first, memory, loc);
        let mut args = vec![Argument::Operand(Operand::Value(memory), loc)];
        if self.takes_size(set) {
            let mut size = self.count(self.types.size(inner), loc);
            if let Some(count) = count {
                size = self.sized(BinOp::Mul, size, count, loc);
                let before = self.count(cookie, loc);
                size = self.sized(BinOp::Add, size, before, loc);
            }
            args.push(Argument::Operand(Operand::Value(size), loc));
        }
        let (called, _) = self.call_allocator(set, name, args, loc)?;
        stmts.push(expr_stmt(called));
        let act = Expr::new(ExprKind::StmtExpr(stmts, None), void, loc);
        let nothing = self.nothing(loc);
        let kind = ExprKind::Cond(Box::new(read), Box::new(act), Box::new(nothing));
        let act = Expr::new(kind, void, loc);
        let kind = ExprKind::Comma(Box::new(keep), Box::new(act));
        Some(Expr::new(kind, void, loc))
    }
}
