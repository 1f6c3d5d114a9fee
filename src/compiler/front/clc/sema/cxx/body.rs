//! Function bodies: parameters, initialisers of constructors, ends of lives, deduced results.

use std::sync::Arc;

use super::super::Sema;
use super::super::scope::{Entity, FnState};
use super::super::tree::{FnId, LocalId, Stmt, StmtKind};
use super::super::types::{QualTy, Ty};
use super::{BlockKind, Body, Callee, CxxFn, FnKind};
use crate::front::clc::syntax::ast::{DeclPart, FunctionSpec};
use crate::front::clc::syntax::cxx::ast::{self as cxx, BodyKind};
use crate::ir::Space;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// The function is used: its body is needed.
    pub(super) fn use_function(&mut self, id: FnId, loc: SourceLoc) {
        let watched = self.x().throws.take();
        self.find_outside(id);
        self.infer_now(id, loc);
        self.ready(id, loc);
        let throws = self.cxx_fn(id).is_some_and(|f| !f.is_noexcept);
        self.x().throws = watched.map(|before| before || throws);
        let unevaluated = self.x().unevaluated > 0 || self.x().trial > 0;
        let Some(f) = self.x().fns.get_mut(&id) else {
            return;
        };
        if unevaluated || !matches!(f.body, Body::Pending(_) | Body::Implicit(_)) {
            return;
        }
        f.asked.get_or_insert(loc);
        if !self.x().pending.contains(&id) {
            self.x().pending.push_back(id);
        }
    }

    /// The body of a function whose result's type follows from it.
    pub(super) fn infer_now(&mut self, id: FnId, loc: SourceLoc) {
        if !self.cxx_fn(id).is_some_and(|f| f.infers) {
            return;
        }
        if matches!(self.cxx_fn(id).map(|f| &f.body), Some(Body::Pending(_))) {
            if let Some(f) = self.x().fns.get_mut(&id) {
                f.asked.get_or_insert(loc);
            }
            if !self.instantiates(loc) {
                return;
            }
            // A trial must not hide what is wrong with the body for good.
            self.x().depth += 1;
            let (unevaluated, trial) = {
                let x = self.x();
                (
                    std::mem::take(&mut x.unevaluated),
                    std::mem::take(&mut x.trial),
                )
            };
            let quiet = self.sink.like();
            let outer = std::mem::replace(self.sink, quiet);
            self.define_body(id);
            let said = std::mem::replace(self.sink, outer);
            match trial {
                0 => self.sink.append(said.diags),
                _ => self.x().late.extend(said.diags),
            }
            let x = self.x();
            x.depth -= 1;
            x.unevaluated = unevaluated;
            x.trial = trial;
        } else if let Some(f) = self.cxx_fn(id) {
            let name = f.name.clone();
            let text = format!(
                "function '{name}' with deduced return type cannot be used before it is defined"
            );
            self.error(loc, text);
        }
    }

    /// The body now, because a constant needs it.
    pub(super) fn define_now(&mut self, id: FnId, loc: SourceLoc) {
        self.find_outside(id);
        self.infer_now(id, loc);
        self.ready(id, loc);
        let waits = matches!(
            self.cxx_fn(id).map(|f| &f.body),
            Some(Body::Pending(_) | Body::Implicit(_))
        );
        if waits && self.instantiates(loc) {
            self.x().depth += 1;
            self.define_body(id);
            self.x().depth -= 1;
        }
    }

    /// Analyses a body in the scopes of its function.
    pub(super) fn define_body(&mut self, id: FnId) {
        let Some(f) = self.x().fns.get_mut(&id) else {
            return;
        };
        let body = match f.body {
            Body::Pending(_) | Body::Implicit(_) => std::mem::replace(&mut f.body, Body::Running),
            _ => return,
        };
        let f = f.clone();
        let errors = self.sink.error_count();
        self.ready(id, f.loc);
        let env = f.env.clone();
        self.outside(|s| {
            s.in_env(&env, |s| match body {
                Body::Pending(tree) => s.written_body(id, &f, &tree),
                Body::Implicit(kind) => s.implicit_body(id, &f, kind),
                _ => {}
            })
        });
        if let Some(f) = self.x().fns.get_mut(&id) {
            f.body = Body::Done;
        }
        if let (Some(asked), true) = (f.asked, self.sink.error_count() > errors) {
            let shown = self.shown_function(id);
            let text = match (
                f.template,
                f.class.and_then(|c| self.class(c)?.template.clone()),
            ) {
                (Some(_), _) => format!(
                    "in instantiation of function template specialization '{shown}' requested here"
                ),
                (None, Some(_)) => {
                    format!("in instantiation of member function '{shown}' requested here")
                }
                (None, None) => return,
            };
            self.sink.note(asked, text);
        }
    }

    pub(super) fn shown_function(&self, id: FnId) -> String {
        self.cxx_fn(id)
            .map_or(String::new(), |f| f.full_name.clone())
    }

    /// The state of a function whose body begins: its first locals.
    pub(super) fn begin_body(&mut self, id: FnId, f: &CxxFn) {
        let is_kernel = self.fns[id.0 as usize].is_kernel;
        let ret = self.functions[id.0 as usize].ret;
        let mut state = FnState::new(id, is_kernel, ret, self.contract);
        let slot = self.cxx_fn(id).is_some_and(|f| f.slot);
        state.cxx.ret = Some(f.ret);
        state.cxx.this = f.method.map(|m| m.this);
        state.cxx.is_constexpr = f.is_constexpr;
        let types = self.fns[id.0 as usize].ty.params.clone();
        let mut first = types.iter();
        if slot && let Some(&ty) = first.next() {
            let slot = state.new_local("result".into(), QualTy::plain(ty), 8, f.loc);
            state.cxx.slot = Some(slot);
        }
        if f.method.is_some()
            && let Some(&ty) = first.next()
        {
            state.new_local("this".into(), QualTy::plain(ty), 8, f.loc);
        }
        self.cur = Some(Box::new(state));
        self.scopes.base = self.scopes.stack.len().saturating_sub(1);
        self.scopes.push();
        self.open_block(BlockKind::Plain);
    }

    /// Closes the function's outermost block and gives it its body.
    pub(super) fn end_body(&mut self, id: FnId, mut body: Vec<Stmt>, sound: bool, end: SourceLoc) {
        self.close_block(&mut body);
        self.resolve_jumps(&mut body);
        self.scopes.pop();
        self.check_labels();
        let Some(state) = self.cur.take() else {
            return;
        };
        let f = self.cxx_fn(id);
        let count = self.fns[id.0 as usize].ty.params.len();
        if sound && f.is_some_and(|f| f.kind == FnKind::Plain && !f.slot) {
            let ret = state.ret;
            self.check_return(ret, &body, end);
        }
        if state.has_goto && state.cxx.inferred && !sound {
            return;
        }
        let late_slot = state.cxx.slot.filter(|slot| slot.0 > 0);
        self.finish_function(*state, count, sound.then_some(body));
        self.functions[id.0 as usize].late_slot = late_slot;
        self.fns[id.0 as usize].defined = true;
    }

    fn written_body(&mut self, id: FnId, f: &CxxFn, tree: &Arc<cxx::Function>) {
        let errors = self.sink.error_count();
        let Some(body) = tree.body.get() else {
            return;
        };
        let BodyKind::Block(block) = &body.kind else {
            return;
        };
        let ret = f.ret;
        if self.is_incomplete(ret, f.loc) {
            let shown = self.types.show(ret);
            let text = format!("incomplete result type {shown} in function definition");
            self.error(f.loc, text);
            return;
        }
        self.object_fits(ret, Space::Private, "result", f.loc);
        self.begin_body(id, f);
        let mut out = Vec::new();
        if let Some(DeclPart::Function { params, .. }) = tree.declarator.parts.first() {
            let given = self.given_params(params);
            self.name_params(params, &given);
            if self.fns[id.0 as usize].is_kernel {
                self.wrap_params(&given, &mut out);
            }
        }
        if f.infers
            && let Some(state) = &mut self.cur
        {
            state.cxx.infers = Some(tree.clone());
        }
        match f.kind {
            FnKind::Constructor => self.member_inits(f, &body.inits, None, &mut out),
            _ if !body.inits.is_empty() => {
                let loc = body.inits[0].loc;
                self.error(loc, "only constructors take base initializers");
            }
            _ => {}
        }
        out.extend(self.stmts(&block.items));
        if f.kind == FnKind::Destructor {
            self.destroy_members(f, &mut out);
        }
        let sound = self.sink.error_count() == errors;
        if f.infers {
            self.end_inference(id, sound);
        }
        self.end_body(id, out, sound, block.end);
        if sound {
            self.check_constexpr(id, f.loc);
        }
    }

    /// Finds out what else is wrong with a function whose declaration is.
    pub(super) fn check_body(&mut self, f: &cxx::Function, ret: Ty) {
        let Some(BodyKind::Block(block)) = f.body.get().map(|b| &b.kind) else {
            return;
        };
        if self.x().depth > 0 || self.x().trial > 0 {
            return;
        }
        let outer = self.enter_function(false, f.loc);
        if let Some(state) = &mut self.cur {
            state.cxx.program = false;
            let mut words = f.specs.functions.iter();
            state.is_kernel = words.any(|s| s.0 == FunctionSpec::Kernel);
            state.cxx.ret = Some(ret);
            state.ret = ret;
        }
        if let Some(DeclPart::Function { params, .. }) = f.declarator.parts.first() {
            let given = self.quietly(|s| s.given_params(params));
            self.name_params(params, &given);
            if self.cur.as_ref().is_some_and(|state| state.is_kernel) {
                self.wrap_params(&given, &mut Vec::new());
            }
        }
        self.stmts(&block.items);
        self.leave_function(outer, None);
    }

    /// Without a return statement that says otherwise the result is void, if the body is right.
    fn end_inference(&mut self, id: FnId, sound: bool) {
        let inferred = self.cur.as_ref().is_some_and(|f| f.cxx.inferred);
        if !inferred {
            let result = match sound {
                true => self.types.void(),
                false => self.types.error(),
            };
            self.set_result(id, result);
        }
    }

    /// The type of the result is known now.
    pub(super) fn set_result(&mut self, id: FnId, ret: super::super::types::Ty) {
        if let Some(f) = self.x().fns.get_mut(&id) {
            f.infers = false;
            f.ret = ret;
        }
        let loc = self.cxx_fn(id).map_or(SourceLoc::default(), |f| f.loc);
        self.ready(id, loc);
        let slot = self.cxx_fn(id).is_some_and(|f| f.slot);
        let lowered = self.functions[id.0 as usize].ret;
        if let Some(state) = &mut self.cur {
            state.cxx.inferred = true;
            state.cxx.ret = Some(ret);
            state.ret = lowered;
        }
        // Other locals have their numbers already.
        if slot
            && let Some(&ty) = self.fns[id.0 as usize].ty.params.first()
            && let Some(state) = &mut self.cur
        {
            state.cxx.slot = Some(state.new_local("result".into(), QualTy::plain(ty), 8, loc));
        }
    }

    /// The parameter of a function under analysis that is the place of the result.
    pub(super) fn slot_local(&self) -> Option<LocalId> {
        let f = self.cur.as_ref()?;
        f.cxx.slot
    }

    pub(super) fn this_local(&self) -> Option<LocalId> {
        let f = self.cur.as_ref()?;
        f.cxx.this?;
        Some(LocalId(u32::from(f.cxx.slot == Some(LocalId(0)))))
    }

    pub(super) fn callees_of(&self, set: u32) -> Vec<Callee> {
        match self.xref() {
            Some(x) => x.sets[set as usize].members.clone(),
            None => Vec::new(),
        }
    }

    /// The functions that a name without scopes may mean.
    pub(super) fn callees_named(&self, name: &str) -> Vec<Callee> {
        let mut all: Vec<Callee> = Vec::new();
        for symbol in self.scopes.find_all(name) {
            if let Entity::Functions(set) = symbol.entity {
                for callee in self.callees_of(set) {
                    if !all.contains(&callee) {
                        all.push(callee);
                    }
                }
            }
        }
        all
    }

    pub(super) fn block_stmt(stmts: Vec<Stmt>, loc: SourceLoc) -> Stmt {
        Stmt {
            kind: StmtKind::Block(stmts),
            loc,
        }
    }
}
