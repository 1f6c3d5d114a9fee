//! Objects that live as long as the program and whose first values are no constants, or that have destructors. Each has a function that
//! constructs it and one that destroys it, if need be; the unit's initialiser calls the former in the order of the definitions, its
//! finaliser the latter backwards.
//!
//! Of an object that several units define, the first one constructs it, which a variable says that is one for all of them; the same
//! unit destroys it, which knows by a variable of its own.

use super::super::Sema;
use super::super::scope::FnState;
use super::super::tree::{
    CmpOp, ConstInit, Expr, ExprKind, FnId, GlobalVar, KernelAttrs, Place, PlaceKind, Stmt,
    StmtKind, VarId,
};
use super::super::types::{FunctionTy, Prim, QualTy};
use super::constant::object_bytes;
use super::evaluate::{MAX_BYTES, Machine};
use super::{BlockKind, Cleanup, expr_stmt};
use crate::front::clc::syntax::ast::{Initializer, Name};
use crate::ir::Space;
use crate::kernel::{KernelAttributes, Role};
use crate::source::SourceLoc;

/// What the unit's initialiser and finaliser call.
#[derive(Default)]
pub struct ProgramObjects {
    /// In the order of their definitions: what begins them, and what ends them.
    all: Vec<(VarId, Option<FnId>, Option<FnId>)>,
    /// A function that has turned out not to be needed.
    spare: Option<FnId>,
}

/// How a variable gets its first value.
pub(super) enum Start {
    Bytes(ConstInit),
    Code(FnId),
    /// Of a variable of a function: what is done the first time that its declaration is reached.
    Here(Expr),
}

/// What is left for the time of another function.
pub(super) struct Outer {
    cur: Option<Box<FnState>>,
    /// There is no other: its temporaries.
    here: Option<Vec<Cleanup>>,
    calls: usize,
    errors: usize,
}

impl Sema<'_> {
    /// `here`: a function is being analysed, whose constants count, and only a constant is wanted.
    pub(super) fn enter_function(&mut self, here: bool, loc: SourceLoc) -> Outer {
        if here && let Some(f) = &self.cur {
            return Outer {
                cur: None,
                here: Some(f.cxx.temporaries.clone()),
                calls: self.calls.len(),
                errors: self.sink.error_count(),
            };
        }
        let void = self.types.void();
        let spare = self.x().objects.spare.take();
        let id = spare.unwrap_or_else(|| self.plain_function("object", loc));
        let mut state = FnState::new(id, false, void, self.contract);
        state.cxx.program = true;
        let outer = Outer {
            cur: self.cur.replace(Box::new(state)),
            here: None,
            calls: self.calls.len(),
            errors: self.sink.error_count(),
        };
        self.scopes.push();
        self.open_block(BlockKind::Plain);
        outer
    }

    /// The function, if it is needed: with a body.
    pub(super) fn leave_function(&mut self, outer: Outer, body: Option<Vec<Stmt>>) -> Option<FnId> {
        if let (Some(temporaries), Some(f)) = (outer.here, &mut self.cur) {
            f.cxx.temporaries = temporaries;
            self.forget_calls(outer.calls);
            return None;
        }
        let mut body = body;
        match &mut body {
            Some(body) => self.close_block(body),
            None => self.forget_calls(outer.calls),
        }
        self.scopes.pop();
        let state = std::mem::replace(&mut self.cur, outer.cur)?;
        let id = state.id;
        if body.is_none() {
            self.x().objects.spare = Some(id);
            return None;
        }
        self.finish_function(*state, 0, body);
        Some(id)
    }

    fn plain_function(&mut self, name: &str, loc: SourceLoc) -> FnId {
        let ty = FunctionTy {
            ret: self.types.void(),
            params: Vec::new(),
            variadic: false,
        };
        self.add_function(name.into(), ty, false, loc)
    }

    /// The variable itself: of a reference, the pointer.
    fn variable_place(&self, id: VarId, loc: SourceLoc) -> Place {
        let global = &self.globals[id.0 as usize];
        Place {
            kind: PlaceKind::Global(id),
            ty: global.ty,
            space: global.space,
            align: global.align,
            is_volatile: self.global_quals[id.0 as usize].is_volatile,
            loc,
        }
    }

    /// The first value of a variable, which the expression of `make` writes. Where it cannot be evaluated it is code, if that is
    /// allowed. `None` after an error.
    pub(super) fn start(
        &mut self,
        id: VarId,
        code: bool,
        loc: SourceLoc,
        make: impl FnOnce(&mut Self, Place) -> Option<Expr>,
    ) -> Option<Start> {
        let place = self.variable_place(id, loc);
        let size = self.types.size(place.ty);
        if size > MAX_BYTES && !code {
            let text = format!("a constant object of more than {MAX_BYTES} bytes is not supported");
            self.error(loc, text);
            return None;
        }
        let outer = self.enter_function(true, loc);
        let errors = outer.errors;
        let made = make(self, place);
        let made = made.filter(|_| self.sink.error_count() == errors);
        let mut bytes = None;
        if let (Some(made), true) = (&made, size <= MAX_BYTES) {
            let mut machine = Machine::new(self);
            let at = machine.new_variable(id, size, !code);
            if machine.expr(self, made).is_some() {
                bytes = object_bytes(&machine, at);
                if bytes.is_none() && !code {
                    self.error(loc, "a pointer to a temporary object is no constant");
                }
            }
        }
        if made.is_some() && bytes.is_none() && !code && self.sink.error_count() == errors {
            let name = &self.globals[id.0 as usize].name;
            let name = name.rsplit(['.', ':']).next().unwrap_or_default();
            let text = match self.xref().is_some_and(|x| x.strict) {
                true => format!(
                    "constexpr variable '{name}' must be initialized by a constant expression"
                ),
                false => "initializer element is not a compile-time constant".to_string(),
            };
            self.error(loc, text);
        }
        // Each work-group has a variable in local memory of its own.
        let is_local = |&(id, _): &(VarId, i64)| self.globals[id.0 as usize].space == Space::Local;
        if !code && bytes.iter().any(|b| b.relocs.values().any(is_local)) {
            self.error(loc, "initializer element is not a compile-time constant");
        }
        let failed = made.is_none() || self.sink.error_count() > errors;
        if let (Some(temporaries), Some(f), false) = (&outer.here, &mut self.cur, failed)
            && code
            && bytes.is_none()
        {
            f.cxx.temporaries.clone_from(temporaries);
            return made.map(Start::Here);
        }
        let body = made.filter(|_| !failed && bytes.is_none() && code);
        let function = self.leave_function(outer, body.map(|made| vec![expr_stmt(made)]));
        bytes
            .filter(|_| !failed)
            .map(Start::Bytes)
            .or(function.map(Start::Code))
    }

    /// The same of what C's rules for lists initialise, which says how long an array is.
    pub(super) fn start_list(
        &mut self,
        id: VarId,
        init: &Initializer,
        code: bool,
        loc: SourceLoc,
    ) -> Option<Start> {
        let quals = self.global_quals[id.0 as usize];
        let outer = self.enter_function(true, loc);
        let init = self.expanded_list(init);
        let found = match code {
            true => self.static_initializer(quals, &init, loc),
            false => self
                .constant_initializer(quals, &init, loc)
                .map(|(ty, bytes)| (ty, Ok(bytes))),
        };
        let (mut bytes, mut body) = (None, None);
        if let Some((ty, found)) = found {
            let global = &mut self.globals[id.0 as usize];
            global.ty = ty;
            global.align = self.types.align(ty).max(global.align);
            self.global_quals[id.0 as usize].ty = ty;
            match found {
                Ok(found) => bytes = Some(found),
                Err(filled) => {
                    body = self.literal_value(ty, filled, loc).map(|value| {
                        let place = self.variable_place(id, loc);
                        let assign = ExprKind::Assign(place, Box::new(value));
                        let assign = Expr::new(assign, ty, loc);
                        vec![expr_stmt(self.full_expression(assign))]
                    });
                }
            }
        }
        if let (
            Some(_),
            Some(
                [
                    Stmt {
                        kind: StmtKind::Expr(e),
                        ..
                    },
                ],
            ),
        ) = (&outer.here, body.as_deref())
        {
            return Some(Start::Here(e.clone()));
        }
        let function = self.leave_function(outer, body);
        bytes.map(Start::Bytes).or(function.map(Start::Code))
    }

    /// A variable has its first value. It ends with the program, if its type has a destructor.
    pub(super) fn started(&mut self, id: VarId, start: Start, loc: SourceLoc) {
        let begin = match start {
            Start::Code(function) => Some(function),
            Start::Bytes(bytes) => {
                self.globals[id.0 as usize].init = Some(bytes);
                None
            }
            Start::Here(_) => None,
        };
        self.ends(id, begin, loc);
    }

    /// A variable of a function begins the first time that its declaration is reached, and ends only if it has.
    pub(super) fn begins_here(&mut self, id: VarId, first: Expr, loc: SourceLoc) -> Stmt {
        let name = format!("{}.begun", self.globals[id.0 as usize].name);
        let flag = self.flag(name.into(), false, loc);
        let then = vec![expr_stmt(first), self.set_flag(flag, 1, loc)];
        self.ends(id, None, loc);
        let last = self.x().objects.all.last().copied();
        if let Some((of, _, Some(end))) = last
            && of == id
        {
            self.only_if(end, flag, 1, Vec::new(), loc);
        }
        let condition = self.flag_is(flag, 0, loc);
        let kind = StmtKind::If(condition, then, Vec::new());
        Stmt { kind, loc }
    }

    fn flag_is(&mut self, flag: VarId, value: i64, loc: SourceLoc) -> Expr {
        let (uint, int) = (self.types.prim(Prim::UInt), self.types.int());
        let known = ExprKind::Load(self.variable_place(flag, loc));
        let known = Box::new(Expr::new(known, uint, loc));
        let wanted = Box::new(self.int_const(value, Prim::UInt, loc));
        Expr::new(ExprKind::Compare(CmpOp::Eq, known, wanted), int, loc)
    }

    /// What the unit calls for a variable.
    pub(super) fn ends(&mut self, id: VarId, begin: Option<FnId>, loc: SourceLoc) {
        let ty = self.globals[id.0 as usize].ty;
        let destructor = match self.globals[id.0 as usize].space {
            space @ (Space::Global | Space::Constant) => self.destructor_of(ty, space, loc),
            _ => None,
        };
        let mut end = None;
        if let Some(destructor) = destructor {
            let outer = self.enter_function(false, loc);
            let mut body = Vec::new();
            let place = self.variable_place(id, loc);
            self.destroy(place, ty, destructor, loc, &mut body);
            end = self.leave_function(outer, Some(body));
        }
        if begin.is_some() || end.is_some() {
            self.x().objects.all.push((id, begin, end));
        }
    }

    /// Lets only the unit that comes first begin an object, and the same unit end it.
    fn guard(&mut self, id: VarId, begin: Option<FnId>, end: Option<FnId>, loc: SourceLoc) -> FnId {
        let begin = begin.unwrap_or_else(|| self.plain_function("object", loc));
        let name = self.globals[id.0 as usize].name.clone();
        let begun = self.flag(format!("{name}.begun").into(), true, loc);
        let mut first = vec![self.set_flag(begun, 1, loc)];
        if let Some(end) = end {
            let own = self.flag(format!("{name}.own").into(), false, loc);
            first.push(self.set_flag(own, 1, loc));
            self.only_if(end, own, 1, Vec::new(), loc);
        }
        self.only_if(begin, begun, 0, first, loc);
        begin
    }

    /// Has a function's body executed only where a flag has this value, behind `first`.
    fn only_if(
        &mut self,
        function: FnId,
        flag: VarId,
        value: i64,
        first: Vec<Stmt>,
        loc: SourceLoc,
    ) {
        let is_so = self.flag_is(flag, value, loc);
        let body = &mut self.functions[function.0 as usize].body;
        let mut then = first;
        then.append(body.get_or_insert_default());
        let kind = StmtKind::If(is_so, then, Vec::new());
        *body = Some(vec![Stmt { kind, loc }]);
    }

    fn flag(&mut self, name: Name, once: bool, loc: SourceLoc) -> VarId {
        let ty = QualTy::plain(self.types.prim(Prim::UInt));
        self.hidden_global(name, ty, once, loc)
    }

    /// A variable that the program has no name for. `once`: one in all units.
    pub(super) fn hidden_global(
        &mut self,
        name: Name,
        quals: QualTy,
        once: bool,
        loc: SourceLoc,
    ) -> VarId {
        let global = GlobalVar {
            name,
            ty: quals.ty,
            space: Space::Global,
            align: self.types.align(quals.ty),
            init: None,
            external: once,
            once,
            defined: true,
            loc,
        };
        self.new_global(global, quals.in_space(Space::Global))
    }

    fn set_flag(&mut self, flag: VarId, value: i64, loc: SourceLoc) -> Stmt {
        let place = self.variable_place(flag, loc);
        let (ty, value) = (place.ty, Box::new(self.int_const(value, Prim::UInt, loc)));
        expr_stmt(Expr::new(ExprKind::Assign(place, value), ty, loc))
    }

    /// Makes the unit's initialiser and finaliser, if there is something for them to do.
    pub(super) fn end_objects(&mut self) {
        let (mut begins, mut ends) = (Vec::new(), Vec::new());
        for (id, begin, end) in std::mem::take(&mut self.x().objects.all) {
            let global = &self.globals[id.0 as usize];
            let begin = match global.once {
                true => Some(self.guard(id, begin, end, global.loc)),
                false => begin,
            };
            begins.extend(begin);
            ends.extend(end);
        }
        ends.reverse();
        self.automatic_kernel("initializer", Role::Initializer, &begins);
        self.automatic_kernel("finalizer", Role::Finalizer, &ends);
    }

    fn automatic_kernel(&mut self, name: &str, role: Role, called: &[FnId]) {
        let Some(first) = called.first() else { return };
        let loc = self.functions[first.0 as usize].loc;
        let id = self.plain_function(name, loc);
        let void = self.types.void();
        let mut call = |&callee: &FnId| {
            let loc = self.functions[callee.0 as usize].loc;
            self.calls.push((id, callee, loc));
            expr_stmt(Expr::new(ExprKind::Call(callee, Vec::new()), void, loc))
        };
        let body = called.iter().map(&mut call).collect();
        let attributes = KernelAttributes {
            role,
            ..KernelAttributes::default()
        };
        self.functions[id.0 as usize].kernel = Some(KernelAttrs {
            attributes,
            arg_types: Vec::new(),
        });
        let state = FnState::new(id, true, void, self.contract);
        self.finish_function(state, 0, Some(body));
    }
}
