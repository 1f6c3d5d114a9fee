//! Constant expressions and objects, by the interpreter of `evaluate`.

use super::super::Sema;
use super::super::consts::{self};
use super::super::scope::FnState;
use super::super::tree::{ConstInit, Expr, ExprKind, FnId, LocalId, Place, PlaceKind};
use super::super::types::{Prim, QualTy};
use super::evaluate::{Base, MAX_BYTES, Machine, Pointer, Value};
use super::overload::Argument;
use crate::front::clc::syntax::ast::{self, Initializer};
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// Does something as if in a function.
    pub(super) fn with_function<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let void = self.types.void();
        let mut state = FnState::new(FnId::NONE, false, void, self.contract);
        state.cxx.program = true;
        let outer = self.cur.replace(Box::new(state));
        let calls = self.calls.len();
        self.scopes.push();
        let result = act(self);
        self.scopes.pop();
        self.forget_calls(calls);
        self.cur = outer;
        result
    }

    /// Calls since then are no calls of the function that is being analysed; bodies that were asked for keep theirs.
    pub(super) fn forget_calls(&mut self, since: usize) {
        let own = self.cur.as_ref().map(|f| f.id);
        let later = self.calls.split_off(since);
        self.calls
            .extend(later.into_iter().filter(|c| Some(c.0) != own));
    }

    /// Does something whose values are not computed: temporaries are allowed everywhere.
    pub(super) fn without_values<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        self.x().unevaluated += 1;
        let result = match self.cur.is_some() {
            true => self.without_temporaries(act),
            false => self.with_function(act),
        };
        self.x().unevaluated -= 1;
        result
    }

    /// Does something whose expressions are not kept: no temporaries of theirs end later.
    pub(super) fn without_temporaries<T>(&mut self, act: impl FnOnce(&mut Self) -> T) -> T {
        let before = self.cur.as_ref().map(|f| f.cxx.temporaries.clone());
        let result = act(self);
        if let (Some(f), Some(before)) = (&mut self.cur, before) {
            f.cxx.temporaries = before;
        }
        result
    }

    /// The value of an expression that should be constant; as it is if it is not.
    pub fn constant_expr(&mut self, e: &ast::Expr) -> Expr {
        if self.cur.is_none() {
            return self.with_function(|s| s.constant_here(e));
        }
        let calls = self.calls.len();
        let e = self.constant_here(e);
        self.forget_calls(calls);
        e
    }

    pub(super) fn constant_here(&mut self, e: &ast::Expr) -> Expr {
        let operand = self.operand(e);
        let ty = self.operand_type(&operand).ty;
        let operand = match self.types.record_id(ty) {
            // By a conversion to an integer, if there is one.
            Some(_) => {
                let bool = self.types.prim(Prim::Bool);
                let outer = std::mem::replace(&mut self.x().contextual, true);
                let found = self.conversion(&operand, bool);
                self.x().contextual = outer;
                match found {
                    Some((id, _)) => self.call_cxx(id, Some(operand), Vec::new(), e.loc),
                    None => operand,
                }
            }
            None => operand,
        };
        let value = self.value_of(operand);
        let value = self.full_expression(value);
        self.strictly(true, |s| s.folded_value(value))
    }

    /// A scalar or vector as a constant, if it is one.
    pub fn folded_value(&mut self, value: Expr) -> Expr {
        if self.is_error(&value) || matches!(value.kind, ExprKind::Const(_)) {
            return value;
        }
        let (ty, loc) = (value.ty, value.loc);
        if self.lacks_value(&value) {
            // Nothing else takes it for a constant.
            let kind = ExprKind::StmtExpr(Vec::new(), Some(Box::new(value)));
            return Expr::new(kind, ty, loc);
        }
        let lanes = match self.evaluate(&value) {
            Some(consts::Value::Lanes(lanes)) => Some(lanes),
            Some(_) => None,
            None => {
                let mut machine = Machine::new(self);
                match machine.expr(self, &value) {
                    Some(Value::Lanes(lanes)) => Some(lanes),
                    Some(Value::Pointer(Pointer { base: None, offset })) => {
                        Some(vec![offset as u64])
                    }
                    _ => None,
                }
            }
        };
        match lanes {
            Some(lanes) if self.types.vector(ty).is_some() => {
                Expr::new(ExprKind::ConstVector(lanes), ty, loc)
            }
            Some(lanes) => Expr::new(ExprKind::Const(lanes[0]), ty, loc),
            None => value,
        }
    }

    /// A constant in place of the value, if one is wanted; calls that only it needs are no calls.
    pub(super) fn folded_constant(
        &mut self,
        value: Expr,
        wanted: bool,
        _loc: SourceLoc,
        needed: bool,
    ) -> Expr {
        if !wanted || self.types.arith(value.ty).is_none() {
            return value;
        }
        // Without need a call is not evaluated: it may take long.
        if !needed && self.evaluate(&value).is_none() {
            return value;
        }
        let mut callees = Vec::new();
        called(&value, &mut callees);
        let folded = self.folded_value(value);
        if matches!(folded.kind, ExprKind::Const(_) | ExprKind::ConstVector(_)) {
            for callee in callees {
                if let Some(at) = self.calls.iter().rposition(|c| c.1 == callee) {
                    self.calls.remove(at);
                }
            }
        }
        folded
    }

    /// The bytes of an object of static storage; reports what is not constant.
    pub(super) fn constant_object(
        &mut self,
        quals: QualTy,
        init: Option<&Initializer>,
        loc: SourceLoc,
    ) -> Option<ConstInit> {
        if self.cur.is_none() {
            return self.with_function(|s| s.constant_object_here(quals, init, loc));
        }
        let calls = self.calls.len();
        let made = self.constant_object_here(quals, init, loc);
        self.forget_calls(calls);
        made
    }

    pub(super) fn constant_object_here(
        &mut self,
        quals: QualTy,
        init: Option<&Initializer>,
        loc: SourceLoc,
    ) -> Option<ConstInit> {
        let errors = self.sink.error_count();
        let ty = quals.ty;
        if self.types.size(ty) > MAX_BYTES {
            self.error(
                loc,
                format!("a constant object of more than {MAX_BYTES} bytes is not supported"),
            );
            return None;
        }
        let object = self.new_temporary(ty, loc)?;
        let PlaceKind::Local(id) = object.kind else {
            return None;
        };
        let made = self.made_object(object, quals, init, loc)?;
        if self.sink.error_count() > errors {
            return None;
        }
        let mut machine = Machine::new(self);
        let size = self.types.size(ty);
        let at = machine.new_object(size, true);
        machine.bind(id, at);
        if machine.expr(self, &made).is_none() {
            if self.sink.error_count() == errors {
                self.error(loc, "initializer element is not a compile-time constant");
            }
            return None;
        }
        let bytes = object_bytes(&machine, at);
        if bytes.is_none() {
            self.error(loc, "a pointer to a temporary object is no constant");
        }
        bytes
    }

    /// The expression that gives an object its first value; `None` after an error.
    pub(super) fn made_object(
        &mut self,
        object: Place,
        quals: QualTy,
        init: Option<&Initializer>,
        loc: SourceLoc,
    ) -> Option<Expr> {
        let ty = quals.ty;
        // Which constructor it is depends on the space.
        let constructed = Place {
            space: quals.space,
            ..object.clone()
        };
        if let Some(class) = self.types.record_id(ty) {
            // It has no members.
            if init.is_some() && self.is_lambda(class) && self.types.leaf_bytes(ty) == 0 {
                return Some(self.nothing(loc));
            }
            let mut implicit = false;
            let args = match init {
                None if !self.default_allowed(class, loc) => return None,
                None => Vec::new(),
                Some(init) => {
                    let args = self.init_arguments(init)?;
                    // `= value`: nothing is copied into constant memory, so that it is converted there.
                    let is_value = |s: &mut Self| match (init, &args[..]) {
                        (Initializer::Expr(e), [Argument::Operand(operand, _)]) => {
                            let from = s.operand_type(operand).ty;
                            s.paren_arguments(e).is_none() && s.types.record_id(from).is_none()
                        }
                        _ => false,
                    };
                    implicit = quals.space == Space::Constant && is_value(self);
                    match implicit {
                        true => args,
                        false => self.copied_arguments(class, init, args),
                    }
                }
            };
            let made = self.construct_at(constructed, class, args, implicit, true, loc)?;
            return Some(self.full_expression(made));
        }
        if self.types.element(ty).is_some() {
            let mut made = Vec::new();
            match init {
                Some(init) => {
                    let init = self.expanded_list(init);
                    self.array_of_objects(constructed, quals, &init, loc, &mut made);
                }
                None => self.default_construct(constructed, ty, loc, &mut made),
            }
            let void = self.types.void();
            return Some(Expr::new(ExprKind::StmtExpr(made, None), void, loc));
        }
        let value = match init {
            Some(init) => self.scalar_init(QualTy { ty, ..quals }, init, loc),
            None => self.zero(ty, loc),
        };
        if self.is_error(&value) {
            return None;
        }
        let value = self.full_expression(value);
        Some(Expr::new(
            ExprKind::Assign(object, Box::new(value)),
            ty,
            loc,
        ))
    }

    /// Remembers what a constexpr local object of a class consists of.
    pub(super) fn keep_constant(
        &mut self,
        id: LocalId,
        quals: QualTy,
        init: Option<&Initializer>,
        loc: SourceLoc,
    ) {
        let made = self
            .tried(|s| s.constant_object(quals, init, loc))
            .flatten();
        match made {
            Some(made) => {
                let size = self.types.size(quals.ty);
                let bytes = made.bytes.get(0, size as usize);
                if let Some(f) = &self.cur {
                    let key = (f.id, id);
                    self.x().constants.insert(key, bytes);
                }
            }
            None => self.error(
                loc,
                "constexpr variable must be initialized by a constant expression",
            ),
        }
    }
}

/// What an evaluated object consists of; `None` if that has a pointer to a temporary object.
pub(super) fn object_bytes(machine: &Machine, at: usize) -> Option<ConstInit> {
    let object = &machine.objects[at];
    let mut out = ConstInit::default();
    out.write(0, &object.bytes);
    for (&offset, pointer) in &object.pointers {
        match pointer.base {
            Some(Base::Global(var)) => out.write_address(offset, var, pointer.offset),
            None => out.write(offset, &pointer.offset.to_le_bytes()),
            Some(Base::Object(_)) => return None,
        }
    }
    Some(out)
}

/// The functions that an expression calls.
pub(super) fn called(e: &Expr, out: &mut Vec<FnId>) {
    match &e.kind {
        ExprKind::Call(id, args) => {
            out.push(*id);
            args.iter().for_each(|a| called(a, out));
        }
        ExprKind::Binary(_, a, b) | ExprKind::Compare(_, a, b) | ExprKind::Comma(a, b) => {
            called(a, out);
            called(b, out);
        }
        ExprKind::Convert(a) | ExprKind::Unary(_, a) | ExprKind::LogNot(a) => called(a, out),
        ExprKind::Cond(a, b, c) => {
            called(a, out);
            called(b, out);
            called(c, out);
        }
        _ => {}
    }
}
