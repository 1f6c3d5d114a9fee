//! Functions with goto whose labels stand in a list of statements around every jump to them.
//!
//! Algorithm: the statements from the first jump forward up to its label become a scope, which
//! a jump leaves; those from a label to the last jump back to it become a loop. A jump
//! writes its label to a variable and leaves the innermost construct; behind each construct
//! that it passes, the variable says to leave the next one, too. Work-items so meet again where
//! the text lets them, as they have to at a barrier. What does not nest is left to `goto`.

use super::function::FunctionLowering;
use super::stmt::continues;
use crate::compiler::front::clc::sema::tree::{Stmt, StmtKind};
use crate::compiler::ir::{CmpOp, Op, Type, Unroll, Value};

/// Statements `start..end` of a list that a label makes a scope or a loop.
#[derive(Clone, Copy, PartialEq)]
struct Span {
    start: usize,
    end: usize,
    label: u32,
    is_loop: bool,
}

/// The jumps of the function have the form that is lowered here.
pub fn are_structured(body: &[Stmt]) -> bool {
    nested(body, &mut Vec::new(), false)
}

/// `labels`: of the lists around.
fn nested(list: &[Stmt], labels: &mut Vec<u32>, in_switch: bool) -> bool {
    let outside = labels.len();
    for stmt in list {
        match stmt.kind {
            // Lists of a switch are cut at its cases.
            StmtKind::Label(_) if in_switch => return false,
            StmtKind::Label(label) => labels.push(label),
            _ => {}
        }
    }
    let good = list.iter().all(|stmt| match &stmt.kind {
        StmtKind::Goto(label) => labels.contains(label),
        StmtKind::Case(..) | StmtKind::Default => in_switch,
        StmtKind::Switch(_, body) => nested(body, labels, true),
        _ => lists(stmt).into_iter().all(|l| nested(l, labels, false)),
    });
    labels.truncate(outside);
    good && spans(list).is_some_and(|spans| spans.iter().all(|s| is_own(&list[s.start..s.end])))
}

/// The lists of statements in a statement.
fn lists(stmt: &Stmt) -> Vec<&[Stmt]> {
    match &stmt.kind {
        StmtKind::Block(body) | StmtKind::While(_, body) | StmtKind::DoWhile(body, ..) => {
            vec![body]
        }
        StmtKind::Switch(_, body) => vec![body],
        StmtKind::If(_, a, b) => vec![a, b],
        StmtKind::For { init, body, .. } => vec![init, body],
        _ => Vec::new(),
    }
}

/// No break or continue leaves the statements: it would mean a scope or loop made here.
fn is_own(list: &[Stmt]) -> bool {
    list.iter().all(|stmt| match &stmt.kind {
        StmtKind::Break | StmtKind::Continue => false,
        StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } => true,
        StmtKind::Switch(_, body) => continues(body) == 0,
        _ => lists(stmt).into_iter().all(is_own),
    })
}

fn jumps_to(stmt: &Stmt, label: u32) -> bool {
    match stmt.kind {
        StmtKind::Goto(to) => to == label,
        _ => lists(stmt)
            .into_iter()
            .flatten()
            .any(|s| jumps_to(s, label)),
    }
}

/// The labels in statements and the labels that they jump to.
pub fn labels(list: &[Stmt], own: &mut Vec<u32>, targets: &mut Vec<u32>) {
    for stmt in list {
        match stmt.kind {
            StmtKind::Label(label) => own.push(label),
            StmtKind::Goto(label) => targets.push(label),
            _ => lists(stmt)
                .into_iter()
                .for_each(|l| labels(l, own, targets)),
        }
    }
}

/// Something jumps out of the statements, to another label than `except`.
fn leaves(list: &[Stmt], except: Option<u32>) -> bool {
    let (mut own, mut targets) = (Vec::from_iter(except), Vec::new());
    labels(list, &mut own, &mut targets);
    targets.iter().any(|label| !own.contains(label))
}

/// The scopes and loops of a list, one inside or beside the other; `None` if they cannot be.
fn spans(list: &[Stmt]) -> Option<Vec<Span>> {
    let mut spans = Vec::new();
    for (at, stmt) in list.iter().enumerate() {
        let StmtKind::Label(label) = stmt.kind else {
            continue;
        };
        let span = |start, end, is_loop| Span {
            start,
            end,
            label,
            is_loop,
        };
        if let Some(first) = list[..at].iter().position(|s| jumps_to(s, label)) {
            spans.push(span(first, at, false));
        }
        if let Some(last) = list[at..].iter().rposition(|s| jumps_to(s, label)) {
            spans.push(span(at, at + last + 1, true));
        }
    }
    // A scope may start earlier, a loop end later.
    while let Some((i, j)) = crossing(&spans) {
        if !spans[j].is_loop {
            spans[j].start = spans[i].start;
        } else if spans[i].is_loop {
            spans[i].end = spans[j].end;
        } else {
            return None;
        }
    }
    Some(spans)
}

fn crossing(spans: &[Span]) -> Option<(usize, usize)> {
    let pairs = (0..spans.len()).flat_map(|i| (0..spans.len()).map(move |j| (i, j)));
    pairs.into_iter().find(|&(i, j)| {
        let (a, b) = (spans[i], spans[j]);
        // A jump to behind a loop leaves the loop.
        let end = b.end + usize::from(a.is_loop && !b.is_loop);
        a.start < b.start && b.start < a.end && a.end < end
    })
}

impl<'u> FunctionLowering<'_, 'u, '_> {
    /// The body of a function with such jumps.
    pub fn structured(&mut self, body: &'u [Stmt]) {
        let target = self.temp(4, 4);
        self.jump_target = Some(target);
        self.set_target(0);
        self.stmts(body);
    }

    fn set_target(&mut self, label: u32) {
        if let Some(target) = self.jump_target {
            let number = self.b.const_int(Type::I32, i64::from(label));
            self.b.store(target, number, 4);
        }
    }

    pub fn jump(&mut self, label: u32) {
        // 0 is none.
        self.set_target(label + 1);
        self.b.break_(vec![]);
    }

    /// A list of statements; its labels end scopes and start loops.
    pub fn list(&mut self, list: &'u [Stmt]) {
        let spans = match self.jump_target {
            Some(_) => spans(list).unwrap_or_default(),
            None => Vec::new(),
        };
        self.spanned(list, 0, list.len(), &spans);
    }

    fn spanned(&mut self, list: &'u [Stmt], from: usize, to: usize, spans: &[Span]) {
        let mut at = from;
        while at < to {
            let here = spans.iter().filter(|s| s.start == at && s.end <= to);
            // Of two with the same statements the scope is the outer one.
            let Some(&outer) = here.max_by_key(|s| (s.end, !s.is_loop)) else {
                self.stmt(&list[at]);
                at += 1;
                continue;
            };
            let rest: Vec<Span> = spans.iter().copied().filter(|s| *s != outer).collect();
            self.span(list, outer, &rest);
            at = outer.end;
        }
    }

    fn span(&mut self, list: &'u [Stmt], span: Span, rest: &[Span]) {
        if span.is_loop {
            self.b.push_region(vec![]);
        }
        let scope = self.branch(|f| {
            f.spanned(list, span.start, span.end, rest);
            vec![]
        });
        let selector = self.b.const_int(Type::I32, 0);
        self.b.switch(selector, vec![], scope, &[]);
        let arrived = self.is_target(span.label + 1);
        let arrive = self.branch(|f| {
            f.set_target(0);
            vec![]
        });
        if span.is_loop {
            let out = self.b.region(vec![], |b| b.break_(vec![]));
            self.b.insert0(Op::If(arrived, arrive, out));
            self.b.continue_(vec![]);
            let body = self.b.pop_region();
            self.b.insert0(Op::Loop {
                init: vec![],
                body,
                unroll: Unroll::Auto,
            });
        } else {
            let other = self.branch(|_| vec![]);
            self.b.insert0(Op::If(arrived, arrive, other));
        }
        if leaves(&list[span.start..span.end], Some(span.label)) {
            self.leave_further();
        }
    }

    fn is_target(&mut self, label: u32) -> Value {
        let number = self.b.const_int(Type::I32, i64::from(label));
        match self.jump_target {
            Some(target) => {
                let now = self.b.load(target, Type::I32, 4);
                self.b.compare(CmpOp::Eq, now, number)
            }
            None => self.b.const_bool(false),
        }
    }

    /// Behind a loop or switch: a jump out of it leaves what is around it, too.
    pub fn pass_on(&mut self, construct: &'u Stmt) {
        if self.jump_target.is_some() && leaves(std::slice::from_ref(construct), None) {
            self.leave_further();
        }
    }

    fn leave_further(&mut self) {
        let stays = self.is_target(0);
        let on = self.branch(|_| vec![]);
        let out = self.b.region(vec![], |b| b.break_(vec![]));
        self.b.insert0(Op::If(stays, on, out));
    }
}
