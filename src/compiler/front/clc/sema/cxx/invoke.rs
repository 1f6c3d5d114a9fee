//! Calls of functions that have been chosen: the object, the arguments, the result.

use std::sync::Arc;

use super::super::Sema;
use super::super::convert::Context;
use super::super::operand::Operand;
use super::super::tree::{Expr, ExprKind, FnId};
use super::super::types::{QualTy, TypeKind};
use super::operators::pure_value;
use super::overload::Argument;
use crate::front::clc::syntax::ast;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// Calls a function with arguments that it has been chosen for.
    pub(super) fn call_cxx(
        &mut self,
        id: FnId,
        object: Option<Operand>,
        args: Vec<Argument>,
        loc: SourceLoc,
    ) -> Operand {
        let right_first = std::mem::take(&mut self.x().right_first);
        self.use_function(id, loc);
        let Some(f) = self.cxx_fn(id).cloned() else {
            return self.error_operand(loc);
        };
        if !f.ready {
            return self.error_operand(loc);
        }
        if !self.types.is_void(f.ret)
            && !self.types.is_complete(f.ret)
            && self.types.referent(f.ret).is_none()
        {
            let text = format!(
                "calling '{}' with incomplete return type {}",
                f.name,
                self.types.show(f.ret)
            );
            self.error(loc, text);
            return self.error_operand(loc);
        }
        let mut values = Vec::new();
        let mut result = None;
        if f.slot {
            let Some(temporary) = self.new_temporary(f.ret, loc) else {
                return self.constant_call(id, loc);
            };
            values.push(self.address(temporary.clone(), QualTy::plain(f.ret), loc));
            result = Some(temporary);
        }
        if let (Some(method), Some(object)) = (f.method, object) {
            match self.object_pointer(object, method.this, loc) {
                Some(pointer) => values.push(pointer),
                None => return self.error_operand(loc),
            }
        }
        let mut given = args.into_iter();
        for param in &f.params {
            let value = match (given.next(), &param.default) {
                (Some(arg), _) => self.passed(arg, param.ty),
                (None, Some(default)) => self.default_value(&f, default, param.ty, loc),
                (None, None) => self.error_expr(loc),
            };
            if self.is_error(&value) {
                return self.error_operand(loc);
            }
            values.push(value);
        }
        let mut behind = Vec::new();
        for arg in given {
            let Argument::Operand(operand, at) = arg else {
                continue;
            };
            let e = self.discarded(operand);
            if self.is_error(&e) {
                return self.error_operand(loc);
            }
            let void = self.types.void();
            behind.push(self.as_void(Expr { loc: at, ..e }, void));
        }
        if let Some(state) = &self.cur
            && self.xref().is_some_and(|x| x.unevaluated == 0)
        {
            let caller = state.id;
            self.calls.push((caller, id, loc));
        }
        let lowered = self.functions[id.0 as usize].ret;
        let first = match &mut values[usize::from(f.slot)..] {
            [left, right] if right_first && !pure_value(left) => self.kept_value(right),
            _ => None,
        };
        let mut call = Expr::new(ExprKind::Call(id, values), lowered, loc);
        for first in behind.into_iter().chain(first) {
            let kind = ExprKind::Comma(Box::new(first), Box::new(call));
            call = Expr::new(kind, lowered, loc);
        }
        if let Some(temporary) = result {
            return self.temporary_value(call, temporary, loc);
        }
        match *self.types.kind(f.ret) {
            TypeKind::Reference(to, false) => self.deref(call, to, loc),
            TypeKind::Reference(to, true) => {
                let object = self.deref(call, to, loc);
                match object {
                    Operand::Place(place, _) => {
                        let ty = place.ty;
                        Operand::Value(Expr::new(ExprKind::Load(place), ty, loc))
                    }
                    other => other,
                }
            }
            _ => Operand::Value(self.without_recursion(call, id, loc)),
        }
    }

    /// The value of a call of a recursive constant function with constant arguments, which no code can make.
    fn without_recursion(&mut self, call: Expr, id: FnId, loc: SourceLoc) -> Expr {
        let ExprKind::Call(_, args) = &call.kind else {
            return call;
        };
        let is_constexpr = self.cxx_fn(id).is_some_and(|f| f.is_constexpr);
        let evaluated = self.xref().is_some_and(|x| x.unevaluated + x.trial == 0);
        if !is_constexpr || !evaluated || self.types.arith(call.ty).is_none() {
            return call;
        }
        if !args.iter().all(|a| self.evaluate(a).is_some()) {
            return call;
        }
        self.define_now(id, loc);
        match self.calls.iter().any(|c| (c.0, c.1) == (id, id)) {
            true => self.folded_constant(call, true, loc, true),
            false => call,
        }
    }

    fn constant_call(&mut self, id: FnId, loc: SourceLoc) -> Operand {
        let name = self.shown_function(id);
        let text = format!("a call of '{name}' outside of functions is not supported");
        self.error(loc, text);
        self.error_operand(loc)
    }

    /// The pointer that a member function gets.
    pub(super) fn object_pointer(
        &mut self,
        object: Operand,
        this: QualTy,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let from = self.operand_type(&object);
        let (place, quals) = match object {
            Operand::Place(place, quals) => (place, quals),
            Operand::Value(Expr {
                kind: ExprKind::Load(place),
                ..
            }) => {
                let quals = QualTy {
                    space: place.space,
                    ..from
                };
                (place, quals)
            }
            other => {
                let value = self.value_of(other);
                let place = self.materialised(value, loc)?;
                (place, from)
            }
        };
        let address = self.address(place, quals, loc);
        if self.types.handles.contains_key(&from.ty) {
            return Some(address);
        }
        let pointer = self.types.pointer(this);
        let offset = match (self.types.record_id(from.ty), self.types.record_id(this.ty)) {
            (Some(a), Some(b)) if a != b => self.base_at(a, b).map(|found| found.1),
            _ => None,
        };
        Some(match offset {
            Some(offset) => self.base_pointer(address, this, offset, loc),
            None => self.convert(address, pointer),
        })
    }

    /// The value that is passed for a parameter.
    fn passed(&mut self, arg: Argument, to: QualTy) -> Expr {
        match arg {
            Argument::Operand(operand, at) => {
                let value = self.cxx_convert(operand, to, Context::Pass, at);
                self.passed_object(value, to, at)
            }
            Argument::List(init, at) => {
                let is_reference = self.types.referent(to.ty).is_some();
                let value = self.list_value(to.ty, &init, at);
                match is_reference {
                    true => self.cxx_convert(Operand::Value(value), to, Context::Pass, at),
                    false => self.passed_object(value, to, at),
                }
            }
        }
    }

    /// An object that cannot be copied as bytes is passed by its address.
    fn passed_object(&mut self, value: Expr, to: QualTy, loc: SourceLoc) -> Expr {
        let is_class = self.types.record_id(to.ty).is_some();
        if !is_class || self.copies_as_bytes(to.ty) || self.is_error(&value) {
            return value;
        }
        if let Some(handle) = self.handle_of(&value) {
            return handle;
        }
        match self.materialised(value, loc) {
            Some(place) => self.address(place, QualTy::plain(to.ty), loc),
            None => self.error_expr(loc),
        }
    }

    /// A default argument, which is analysed where the function is declared.
    fn default_value(
        &mut self,
        f: &super::CxxFn,
        default: &Arc<ast::Expr>,
        to: QualTy,
        loc: SourceLoc,
    ) -> Expr {
        let stack = std::mem::replace(&mut self.scopes.stack, f.env.to_vec());
        let arg = self.analysed(std::slice::from_ref(default));
        self.scopes.stack = stack;
        match arg.and_then(|mut args| args.pop()) {
            Some(arg) => {
                let e = self.passed(arg, to);
                Expr { loc, ..e }
            }
            None => self.error_expr(loc),
        }
    }
}
