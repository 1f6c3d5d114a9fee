//! A function that calls itself where it would return: the call becomes a jump to its start. OpenCL C has no recursion, but
//! compilers that make loops of such calls run them, and programs have them.
//!
//! The parameters get the arguments, the last of which is evaluated before the first is assigned. The variables of one call are
//! those of the next, so that no pointer may lead to them.

use super::Sema;
use super::tree::{Expr, ExprKind, FnId, Init, Local, LocalId, Place, PlaceKind, Stmt, StmtKind};
use super::types::TypeKind;
use crate::source::SourceLoc;

impl Sema<'_> {
    /// Turns such calls into jumps, in the functions that call themselves in no other place.
    pub fn loop_tail_calls(&mut self) {
        if self.cxx.is_some() {
            return;
        }
        let mut own = vec![0; self.functions.len()];
        for (caller, callee, _) in &self.calls {
            own[caller.0 as usize] += usize::from(caller == callee);
        }
        for (number, &count) in own.iter().enumerate() {
            let id = FnId(number as u32);
            if count > 0 && !self.fns[number].keeps_address && self.loop_calls(id, count) {
                self.calls.retain(|&(from, to, _)| (from, to) != (id, id));
            }
        }
    }

    /// Whether all `count` calls of the function by itself have become jumps. If not, it is as it was.
    fn loop_calls(&mut self, id: FnId, count: usize) -> bool {
        let function = &self.functions[id.0 as usize];
        let Some(body) = &function.body else {
            return false;
        };
        if function.kernel.is_some() {
            return false;
        }
        let mut calls = TailCalls {
            id,
            start: self.fns[id.0 as usize].labels,
            params: function.param_count,
            is_void: self.types.is_void(function.ret),
            locals: function.locals.clone(),
            found: 0,
            fits: true,
        };
        let loc = function.loc;
        let mut list = vec![Stmt {
            kind: StmtKind::Label(calls.start),
            loc,
        }];
        list.extend(body.iter().cloned());
        calls.list(&mut list, true);
        if !calls.fits || calls.found != count {
            return false;
        }
        // An argument that is a handle has no object to be kept in.
        let is_handle = |local: &Local| {
            let kind = self.types.kind(local.ty);
            self.types.is_parameter_only(local.ty)
                || matches!(kind, TypeKind::Sampler | TypeKind::Block(_))
        };
        if calls.locals[function.locals.len()..].iter().any(is_handle) {
            return false;
        }
        let function = &mut self.functions[id.0 as usize];
        function.locals = calls.locals;
        function.body = Some(list);
        function.has_goto = true;
        true
    }
}

struct TailCalls {
    id: FnId,
    /// The label in front of the body.
    start: u32,
    params: usize,
    is_void: bool,
    locals: Vec<Local>,
    found: usize,
    fits: bool,
}

impl TailCalls {
    /// `at_end`: behind the list the function returns nothing.
    fn list(&mut self, list: &mut [Stmt], at_end: bool) {
        for number in 0..list.len() {
            let ends = match list.get(number + 1) {
                None => at_end,
                Some(next) => matches!(next.kind, StmtKind::Return(None)),
            };
            self.stmt(&mut list[number].kind, ends && self.is_void);
        }
    }

    fn stmt(&mut self, kind: &mut StmtKind, ends: bool) {
        let jump = match kind {
            StmtKind::Return(Some(e)) => self.returned(e),
            StmtKind::Expr(e) if ends => self.call(e),
            StmtKind::Block(body) => return self.list(body, ends),
            StmtKind::If(_, then, other) => {
                self.list(then, ends);
                return self.list(other, ends);
            }
            StmtKind::While(_, body)
            | StmtKind::DoWhile(body, ..)
            | StmtKind::For { body, .. }
            | StmtKind::Switch(_, body) => return self.list(body, false),
            _ => None,
        };
        if let Some(jump) = jump {
            *kind = jump;
        }
    }

    /// What takes the place of `return e;`, if there is a call in it.
    fn returned(&mut self, e: &Expr) -> Option<StmtKind> {
        let ExprKind::Cond(cond, a, b) = &e.kind else {
            return self.call(e);
        };
        let ways = [a, b].map(|e| self.returned(e));
        if ways.iter().all(Option::is_none) {
            return None;
        }
        let [then, other] = ways;
        let way = |jump: Option<StmtKind>, e: &Expr| {
            let kind = jump.unwrap_or_else(|| StmtKind::Return(Some(e.clone())));
            vec![Stmt { kind, loc: e.loc }]
        };
        Some(StmtKind::If((**cond).clone(), way(then, a), way(other, b)))
    }

    /// The jump that takes the place of the expression, if it is such a call.
    fn call(&mut self, e: &Expr) -> Option<StmtKind> {
        match &e.kind {
            ExprKind::Call(callee, args) if *callee == self.id => Some(self.jump(args, e.loc)),
            _ => None,
        }
    }

    /// Assigns the arguments that are not the parameters themselves, and jumps to the start.
    fn jump(&mut self, args: &[Expr], loc: SourceLoc) -> StmtKind {
        self.found += 1;
        self.fits &= args.len() == self.params;
        let mut evaluate = Vec::new();
        let mut assign = Vec::new();
        for (number, arg) in args.iter().enumerate().take(self.params) {
            let param = LocalId(number as u32);
            if is_load(arg, param) {
                continue;
            }
            let local = Local {
                loc,
                is_volatile: false,
                ..self.locals[number].clone()
            };
            let kept = LocalId(self.locals.len() as u32);
            let value = ExprKind::Load(Place::private(
                PlaceKind::Local(kept),
                local.ty,
                local.align,
                loc,
            ));
            let mut place = Place::private(PlaceKind::Local(param), local.ty, local.align, loc);
            place.is_volatile = self.locals[number].is_volatile;
            let value = Box::new(Expr::new(value, local.ty, loc));
            let to_param = Expr::new(ExprKind::Assign(place, value), local.ty, loc);
            let init = Init::Value(Box::new(arg.clone()));
            let push = |list: &mut Vec<Stmt>, kind| list.push(Stmt { kind, loc });
            push(&mut evaluate, StmtKind::Local(kept, Some(init)));
            push(&mut assign, StmtKind::Expr(to_param));
            self.locals.push(local);
        }
        evaluate.append(&mut assign);
        evaluate.push(Stmt {
            kind: StmtKind::Goto(self.start),
            loc,
        });
        StmtKind::Block(evaluate)
    }
}

fn is_load(e: &Expr, local: LocalId) -> bool {
    matches!(&e.kind, ExprKind::Load(place) if matches!(place.kind, PlaceKind::Local(id) if id == local))
}
