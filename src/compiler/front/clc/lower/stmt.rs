//! Statements to regions.
//!
//! A C `break` is always an IR break, a C `continue` an IR continue: no construct that
//! either could be caught by stands between them and their target.

use super::function::FunctionLowering;
use crate::front::clc::sema::tree::{Expr, ExprKind, Stmt, StmtKind};
use crate::ir::{Op, Region, Type, Unroll, Value};

/// What `continue` does before the next round.
#[derive(Clone, Copy)]
enum Next<'u> {
    Nothing,
    Step(&'u Expr),
    /// The loop's head does the step, in every round but the first.
    AtHead,
}

/// The loops around a statement.
#[derive(Default)]
pub struct Loops<'u> {
    stack: Vec<Next<'u>>,
}

impl<'u> FunctionLowering<'_, 'u, '_> {
    pub fn stmts(&mut self, stmts: &'u [Stmt]) {
        match self.jump_target {
            Some(_) => self.list(stmts),
            None => stmts.iter().for_each(|stmt| self.stmt(stmt)),
        }
    }

    pub fn stmt(&mut self, stmt: &'u Stmt) {
        self.b.loc = stmt.loc;
        match &stmt.kind {
            StmtKind::Expr(e) => {
                self.expr_opt(e);
            }
            StmtKind::Local(id, init) => {
                if let Some(init) = init {
                    self.local_init(*id, init);
                }
            }
            StmtKind::Block(body) => self.stmts(body),
            StmtKind::If(cond, then, other) => {
                let cond = self.truth(cond);
                let then = self.block(then);
                let other = self.block(other);
                self.b.insert0(Op::If(cond, then, other));
            }
            StmtKind::While(cond, body) => {
                self.loop_stmt(Some(cond), None, body, Unroll::Auto);
                self.pass_on(stmt);
            }
            StmtKind::DoWhile(body, cond, unroll) => {
                self.do_while(body, cond, *unroll);
                self.pass_on(stmt);
            }
            StmtKind::For {
                init,
                cond,
                step,
                body,
                unroll,
            } => {
                self.stmts(init);
                self.loop_stmt(cond.as_ref(), step.as_ref(), body, *unroll);
                self.pass_on(stmt);
            }
            StmtKind::Switch(selector, body) => {
                self.switch_stmt(selector, body);
                self.pass_on(stmt);
            }
            StmtKind::Break => self.b.break_(vec![]),
            StmtKind::Continue => self.next_round(),
            StmtKind::Return(value) => self.return_stmt(value.as_ref()),
            StmtKind::Case(..) | StmtKind::Default => self.defect("label outside a switch"),
            // The statement's list has become scopes and loops, or the statement a block of a dispatch loop.
            StmtKind::Label(_) => {}
            StmtKind::Goto(label) => self.jump(*label),
        }
    }

    /// A region of statements.
    pub fn block(&mut self, stmts: &'u [Stmt]) -> Box<Region> {
        self.branch(|f| {
            f.stmts(stmts);
            vec![]
        })
    }

    fn next_round(&mut self) {
        match self.loops.stack.last().copied() {
            Some(Next::Nothing) => self.b.continue_(vec![]),
            Some(Next::Step(step)) => {
                self.expr_opt(step);
                self.b.continue_(vec![]);
            }
            Some(Next::AtHead) => {
                let first = self.b.const_bool(false);
                self.b.continue_(vec![first]);
            }
            None => self.defect("continue outside a loop"),
        }
    }

    /// while and for: the condition at the head, the step before each `continue`. A long
    /// step with several ways to it goes to the head instead.
    fn loop_stmt(
        &mut self,
        cond: Option<&'u Expr>,
        step: Option<&'u Expr>,
        body: &'u [Stmt],
        unroll: Unroll,
    ) {
        let next = match step {
            None => Next::Nothing,
            Some(step) if continues(body) > 0 && !self.is_short(step) => Next::AtHead,
            Some(step) => Next::Step(step),
        };
        self.run_loop(next, body, unroll, |f, first| {
            if let (Some(first), Some(step)) = (first, step) {
                f.unless(first, |f| {
                    f.expr_opt(step);
                });
            }
            if let Some(cond) = cond {
                f.break_unless(cond);
            }
        });
    }

    /// The condition after the body; with a `continue` inside, at the head of all rounds
    /// but the first, because there a break always means this loop.
    fn do_while(&mut self, body: &'u [Stmt], cond: &'u Expr, unroll: Unroll) {
        if continues(body) > 0 {
            self.run_loop(Next::AtHead, body, unroll, |f, first| {
                if let Some(first) = first {
                    f.unless(first, |f| f.break_unless(cond));
                }
            });
            return;
        }
        self.b.push_region(vec![]);
        self.loops.stack.push(Next::Nothing);
        self.stmts(body);
        self.loops.stack.pop();
        self.break_unless(cond);
        self.b.continue_(vec![]);
        let body = self.b.pop_region();
        self.b.insert0(Op::Loop {
            init: vec![],
            body,
            unroll,
        });
    }

    /// A loop of head and body. With [`Next::AtHead`] the head gets whether it is the first round.
    fn run_loop(
        &mut self,
        next: Next<'u>,
        body: &'u [Stmt],
        unroll: Unroll,
        head: impl FnOnce(&mut Self, Option<Value>),
    ) {
        let (init, first) = if matches!(next, Next::AtHead) {
            let yes = self.b.const_bool(true);
            (vec![yes], Some(self.b.func.new_value(Type::BOOL)))
        } else {
            (vec![], None)
        };
        self.b.push_region(first.into_iter().collect());
        head(self, first);
        self.loops.stack.push(next);
        self.stmts(body);
        self.next_round();
        self.loops.stack.pop();
        let body = self.b.pop_region();
        self.b.insert0(Op::Loop { init, body, unroll });
    }

    fn break_unless(&mut self, cond: &'u Expr) {
        let cond = self.truth(cond);
        let stay = self.branch(|_| vec![]);
        let leave = self.branch(|f| {
            f.b.break_(vec![]);
            vec![]
        });
        self.b.insert0(Op::If(cond, stay, leave));
    }

    fn unless(&mut self, cond: Value, build: impl FnOnce(&mut Self)) {
        let skip = self.branch(|_| vec![]);
        let run = self.branch(|f| {
            build(f);
            vec![]
        });
        self.b.insert0(Op::If(cond, skip, run));
    }

    /// Whether the step is short enough to be repeated at each `continue`.
    fn is_short(&self, step: &Expr) -> bool {
        match &step.kind {
            ExprKind::Comma(a, b) => self.is_short(a) && self.is_short(b),
            ExprKind::IncDec { .. } => true,
            ExprKind::Assign(_, e)
            | ExprKind::CompoundAssign { rhs: e, .. }
            | ExprKind::PtrAssignAdd { index: e, .. } => self.is_cheap(e),
            _ => self.is_cheap(step),
        }
    }
}

/// How many `continue` statements belong to the loop with this body.
pub(super) fn continues(body: &[Stmt]) -> usize {
    body.iter()
        .map(|stmt| match &stmt.kind {
            StmtKind::Continue => 1,
            StmtKind::Block(inner) | StmtKind::Switch(_, inner) => continues(inner),
            StmtKind::If(_, a, b) => continues(a) + continues(b),
            _ => 0,
        })
        .sum()
}
