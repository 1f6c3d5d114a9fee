//! Functions with goto whose labels stand in a list of statements around every jump to them.
//!
//! Algorithm: the statements from the first jump forward up to its label become a scope, which
//! a jump leaves; those from a label to the last jump back to it become a loop. A jump
//! writes its label to a variable and leaves the innermost construct; behind each construct
//! that it passes, the variable says to leave the next one, too. Work-items so meet again where
//! the text lets them, as they have to at a barrier. What does not nest is left to `goto`.

use std::collections::{HashMap, HashSet};

use super::function::FunctionLowering;
use super::stmt::continues;
use crate::front::clc::sema::tree::{Stmt, StmtKind};
use crate::ir::{CmpOp, Op, Type, Unroll, Value};

/// Statements `start..end` of a list that a label makes a scope or a loop.
#[derive(Clone, Copy)]
struct Span {
    start: usize,
    end: usize,
    label: u32,
    is_loop: bool,
}

/// The first and the last place in a list that jumps lead to. The last is `usize::MAX` for a jump out of the list.
#[derive(Clone, Copy)]
struct Reach(usize, usize);

impl Reach {
    const NOWHERE: Reach = Reach(usize::MAX, 0);

    fn with(self, other: Reach) -> Reach {
        Reach(self.0.min(other.0), self.1.max(other.1))
    }
}

/// The jumps of a list of statements.
#[derive(Default)]
struct Jumps {
    /// Scopes and loops, which are nested or disjoint. An outer one comes before those in it.
    spans: Vec<Span>,
    /// By statement of a list that has labels.
    reaches: Vec<Reach>,
}

/// Whether all jumps of the function have the form that this file lowers.
pub fn are_structured(body: &[Stmt]) -> bool {
    nested(body, &mut HashSet::new(), false)
}

/// `around`: the labels of the enclosing lists.
fn nested(list: &[Stmt], around: &mut HashSet<u32>, in_switch: bool) -> bool {
    let mut labels = Vec::new();
    for stmt in list {
        match stmt.kind {
            // The list of a switch is cut at its cases.
            StmtKind::Label(_) if in_switch => return false,
            StmtKind::Label(label) => labels.push(label),
            _ => {}
        }
    }
    around.extend(&labels);
    let good = list.iter().all(|stmt| match &stmt.kind {
        StmtKind::Goto(label) => around.contains(label),
        StmtKind::Case(..) | StmtKind::Default => in_switch,
        StmtKind::Switch(_, body) => nested(body, around, true),
        _ => lists(stmt).into_iter().all(|l| nested(l, around, false)),
    });
    for label in &labels {
        around.remove(label);
    }
    good && Jumps::of(list).is_some_and(|jumps| jumps.are_own(list))
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

/// Whether no break or continue leaves the statements. It would then mean a scope or loop that this pass has made.
fn is_own(list: &[Stmt]) -> bool {
    list.iter().all(|stmt| match &stmt.kind {
        StmtKind::Break | StmtKind::Continue => false,
        StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } => true,
        StmtKind::Switch(_, body) => continues(body) == 0,
        _ => lists(stmt).into_iter().all(is_own),
    })
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

/// The labels outside of a statement that it jumps to.
fn targets_outside(stmt: &Stmt) -> Vec<u32> {
    let (mut own, mut targets) = (Vec::new(), Vec::new());
    labels(std::slice::from_ref(stmt), &mut own, &mut targets);
    own.sort_unstable();
    targets.retain(|target| own.binary_search(target).is_err());
    targets
}

impl Jumps {
    /// `None` if the scopes and loops cannot be nested or disjoint.
    fn of(list: &[Stmt]) -> Option<Jumps> {
        let label = |(at, stmt): (usize, &Stmt)| match stmt.kind {
            StmtKind::Label(label) => Some((label, at)),
            _ => None,
        };
        let places: HashMap<u32, usize> = list.iter().enumerate().filter_map(label).collect();
        let mut jumps = Jumps::default();
        if places.is_empty() {
            return Some(jumps);
        }
        // By label: the places of the first and the last jump to it.
        let mut from: HashMap<u32, Reach> = HashMap::new();
        for (at, stmt) in list.iter().enumerate() {
            let mut reach = Reach::NOWHERE;
            for target in targets_outside(stmt) {
                let to = places.get(&target).copied().unwrap_or(usize::MAX);
                reach = reach.with(Reach(to, to));
                let known = from.entry(target).or_insert(Reach::NOWHERE);
                *known = known.with(Reach(at, at));
            }
            jumps.reaches.push(reach);
        }
        let (mut scopes, mut loops) = (Vec::new(), Vec::new());
        for (&label, &at) in &places {
            let Reach(first, last) = from.get(&label).copied().unwrap_or(Reach::NOWHERE);
            let span = |start, end, is_loop| Span {
                start,
                end,
                label,
                is_loop,
            };
            if first < at {
                scopes.push(span(first, at, false));
            }
            if last > at {
                loops.push(span(at, last + 1, true));
            }
        }
        nest_loops(&mut loops);
        jumps.spans = nest_scopes(scopes, loops)?;
        // Of a scope and a loop with the same statements, the scope is the outer one.
        let place = |s: &Span| (s.start, usize::MAX - s.end, s.is_loop);
        jumps.spans.sort_unstable_by_key(place);
        Some(jumps)
    }

    /// No break or continue leaves a scope or loop.
    fn are_own(&self, list: &[Stmt]) -> bool {
        // By statement, with one more entry for the end: how many statements before it a break or continue leaves.
        let mut left = vec![0];
        if !self.spans.is_empty() {
            left.extend(list.iter().scan(0, |count, stmt| {
                *count += usize::from(!is_own(std::slice::from_ref(stmt)));
                Some(*count)
            }));
        }
        self.spans.iter().all(|s| left[s.start] == left[s.end])
    }
}

/// Extends each loop to the end of every loop or scope that begins in it and crosses its end.
fn nest_loops(loops: &mut [Span]) {
    loops.sort_unstable_by_key(|l| usize::MAX - l.start);
    // Behind the loop that is looked at, beside each other, the first one last.
    let mut behind: Vec<Span> = Vec::new();
    for outer in loops {
        while let Some(inner) = behind.pop_if(|inner| inner.start < outer.end) {
            outer.end = outer.end.max(inner.end);
        }
        behind.push(*outer);
    }
}

/// Extends each scope to the start of every scope or loop whose end it crosses. A scope that leads into a loop does not nest.
fn nest_scopes(scopes: Vec<Span>, loops: Vec<Span>) -> Option<Vec<Span>> {
    let mut spans = [loops, scopes].concat();
    // Of two with the same end the inner one first, and a loop before the scope that is left with it.
    spans.sort_unstable_by_key(|s| (s.end, !s.is_loop, usize::MAX - s.start));
    // Before the end of the span that is looked at, beside each other.
    let mut before: Vec<Span> = Vec::new();
    for span in &mut spans {
        while let Some(inner) = before.pop_if(|inner| inner.end > span.start) {
            if inner.start < span.start {
                if span.is_loop {
                    return None;
                }
                span.start = inner.start;
            }
        }
        before.push(*span);
    }
    Some(spans)
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
        // 0 means that no jump is under way.
        self.set_target(label + 1);
        self.b.break_(vec![]);
    }

    /// A list of statements; its labels end scopes and start loops.
    pub fn list(&mut self, list: &'u [Stmt]) {
        let jumps = match self.jump_target {
            Some(_) => Jumps::of(list).unwrap_or_default(),
            None => Jumps::default(),
        };
        self.spanned(list, 0, list.len(), &jumps, &jumps.spans);
    }

    /// Statements with these scopes and loops: where they jump to.
    fn spanned(
        &mut self,
        list: &'u [Stmt],
        from: usize,
        to: usize,
        jumps: &Jumps,
        mut spans: &[Span],
    ) -> Reach {
        let (mut at, mut reach) = (from, Reach::NOWHERE);
        while at < to {
            match spans.split_first() {
                Some((outer, rest)) if outer.start == at => {
                    let (inside, behind) =
                        rest.split_at(rest.partition_point(|s| s.start < outer.end));
                    reach = reach.with(self.span(list, *outer, jumps, inside));
                    (at, spans) = (outer.end, behind);
                }
                _ => {
                    self.stmt(&list[at]);
                    reach = reach.with(jumps.reaches.get(at).copied().unwrap_or(Reach::NOWHERE));
                    at += 1;
                }
            }
        }
        reach
    }

    fn span(&mut self, list: &'u [Stmt], span: Span, jumps: &Jumps, inside: &[Span]) -> Reach {
        if span.is_loop {
            self.b.push_region(vec![]);
        }
        let mut reach = Reach::NOWHERE;
        let scope = self.branch(|f| {
            reach = f.spanned(list, span.start, span.end, jumps, inside);
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
        // To another place than in it and its own label, which stands behind a scope.
        let last = if span.is_loop { span.end - 1 } else { span.end };
        if reach.0 < span.start || reach.1 > last {
            self.leave_further();
        }
        reach
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

    /// Behind a loop or switch: a jump out of it leaves the enclosing construct, too.
    pub fn pass_on(&mut self, construct: &'u Stmt) {
        if self.jump_target.is_some() && !targets_outside(construct).is_empty() {
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
