//! `new` and `delete` with functions of the program: there are no others.

use super::super::Sema;
use super::super::convert::Context;
use super::super::operand::Operand;
use super::super::scope::Entity;
use super::super::tree::{Expr, ExprKind, Place, Stmt};
use super::super::types::{QualTy, Ty};
use super::expr_stmt;
use super::overload::{Argument, Call, Choice};
use crate::front::clc::syntax::ast::{Initializer, Name};
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

impl Sema<'_> {
    pub(super) fn check_allocator(&mut self, name: &str, ret: Ty, loc: SourceLoc) {
        let is_new = name.starts_with("operator new");
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
    ) -> Option<Expr> {
        let name: Name = name.into();
        let call = Call::of(&name, self.callees_of(set), &args, loc);
        let Choice::Function(id) = self.choose(&call) else {
            return None;
        };
        let called = self.call_cxx(id, None, args, loc);
        let value = self.value_of(called);
        (!self.is_error(&value)).then_some(value)
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
        let mut count = None;
        if let Some(bound) = &new.count {
            let bound = self.operand(bound);
            count = Some(self.value_of(bound));
        } else if let Some((elem, Some(n))) = self.types.element(quals.ty) {
            quals.ty = elem.ty;
            count = Some(self.int_const(n as i64, super::super::types::Prim::ULong, loc));
        }
        self.complete(quals.ty, loc);
        if self.types.is_error(quals.ty) {
            return None;
        }
        if !self.types.is_complete(quals.ty) || self.types.referent(quals.ty).is_some() {
            let shown = self.types.show(quals.ty);
            self.error(loc, format!("{shown} cannot be allocated by 'new'"));
            return None;
        }
        let Some(pointer) = self.allocated(new, quals, count.as_ref(), loc) else {
            // What the pointer is used for is looked at all the same.
            let ty = self.types.pointer(quals);
            return Some(self.zero(ty, loc));
        };
        let (keep, read) = self.kept(pointer, "new", loc)?;
        let Operand::Place(place, _) = self.deref(read.clone(), quals, loc) else {
            return None;
        };
        let mut made = Vec::new();
        match &count {
            None => made.extend(self.initialised(place, quals.ty, init, loc)?.map(expr_stmt)),
            Some(count) => self.initialise_all(place, quals.ty, count, init, loc, &mut made)?,
        }
        let mut stmts = vec![expr_stmt(keep)];
        stmts.extend(made);
        let ty = read.ty;
        let kind = ExprKind::StmtExpr(stmts, Some(Box::new(read)));
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

    /// The pointer to the memory of a new object, or of `count` of them.
    fn allocated(
        &mut self,
        new: &cxx::New,
        quals: QualTy,
        count: Option<&Expr>,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let inner = self.types.innermost(quals.ty);
        let name = match count {
            None => "operator new",
            Some(_) => "operator new[]",
        };
        let size_t = self.types.size_t();
        let prim = super::super::types::Prim::ULong;
        let mut size = self.int_const(self.types.size(quals.ty) as i64, prim, loc);
        if let Some(count) = count {
            let count = Operand::Value(count.clone());
            let count = self.cxx_convert(count, QualTy::plain(size_t), Context::Init, loc);
            let kind = super::super::tree::BinOp::Mul;
            let kind = ExprKind::Binary(kind, Box::new(count), Box::new(size));
            size = Expr::new(kind, size_t, loc);
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
        let memory = self.call_allocator(set, name, args, loc)?;
        let ty = self.types.pointer(quals);
        let from = self.types.pointee(memory.ty)?;
        if !Sema::space_fits(from.space, quals.space) && !Sema::space_fits(quals.space, from.space)
        {
            let (from, to) = (self.types.show(memory.ty), self.types.show(ty));
            self.error(loc, format!("memory of type {from} is none for {to}"));
            return None;
        }
        Some(self.convert(memory, ty))
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

    /// The same of the elements of an array, which are constructed or zero.
    fn initialise_all(
        &mut self,
        place: Place,
        ty: Ty,
        count: &Expr,
        init: Option<Vec<Argument>>,
        loc: SourceLoc,
        out: &mut Vec<Stmt>,
    ) -> Option<()> {
        let inner = self.types.innermost(ty);
        if init.is_none() && self.begins_trivially(inner) {
            return Some(());
        }
        let is_empty = init.as_ref().is_none_or(|args| match &args[..] {
            [] => true,
            [Argument::List(Initializer::List(items, _), _)] => items.is_empty(),
            _ => false,
        });
        let Some(count) = self.integer_constant(count).filter(|_| is_empty) else {
            let text = match is_empty {
                true => "'new' of an array of objects whose size is not constant is not supported",
                false => "'new' of an array with initial values is not supported",
            };
            self.error(loc, text);
            return None;
        };
        let each = self.types.size(ty) / self.types.size(inner).max(1);
        let empty = init.map(|_| Vec::new());
        self.for_each(place, inner, count * each, false, loc, out, |s, element| {
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
        self.complete(quals.ty, loc);
        let name = if array {
            "operator delete[]"
        } else {
            "operator delete"
        };
        let own = match global {
            true => None,
            false => self.member_entity(quals.ty, name),
        };
        // Clang calls no function of program scope.
        let Some(Entity::Functions(set)) = own else {
            self.error(loc, "'default delete' is not supported in C++ for OpenCL");
            return None;
        };
        let destructor = self.destructor_of(quals.ty, loc);
        if array && destructor.is_some() {
            let text = "'delete[]' of objects with destructors is not supported";
            self.error(loc, text);
            return None;
        }
        let (keep, read) = self.kept(pointer, "delete", loc)?;
        let plain = QualTy {
            is_const: false,
            ..quals
        };
        let mut stmts = Vec::new();
        if let Some(destructor) = destructor
            && let Operand::Place(place, _) = self.deref(read.clone(), plain, loc)
        {
            self.destroy(place, quals.ty, destructor, loc, &mut stmts);
        }
        let void = self.types.void();
        let memory = self.types.pointer(QualTy { ty: void, ..plain });
        let memory = self.convert(read.clone(), memory);
        let mut args = vec![Argument::Operand(Operand::Value(memory), loc)];
        // The function may have the size as a second parameter.
        let takes_size = self.callees_of(set).iter().all(|callee| match callee {
            super::Callee::Fn(id) => self.cxx_fn(*id).is_some_and(|f| f.params.len() == 2),
            super::Callee::Template(_) => false,
        });
        if takes_size {
            let prim = super::super::types::Prim::ULong;
            let size = self.int_const(self.types.size(quals.ty) as i64, prim, loc);
            args.push(Argument::Operand(Operand::Value(size), loc));
        }
        let called = self.call_allocator(set, name, args, loc)?;
        stmts.push(expr_stmt(called));
        let act = Expr::new(ExprKind::StmtExpr(stmts, None), void, loc);
        let nothing = self.nothing(loc);
        let kind = ExprKind::Cond(Box::new(read), Box::new(act), Box::new(nothing));
        let act = Expr::new(kind, void, loc);
        let kind = ExprKind::Comma(Box::new(keep), Box::new(act));
        Some(Expr::new(kind, void, loc))
    }
}
