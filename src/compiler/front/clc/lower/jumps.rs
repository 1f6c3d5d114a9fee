//! Functions with goto whose labels stand in a list of statements around every jump to them.
//!
//! Algorithm: the statements from the first jump forward up to its label become a scope, which
//! a jump leaves; those from a label to the last jump back to it become a loop. A jump
//! writes its label to a variable and leaves the innermost construct; behind each construct
//! that it passes, the variable says to leave the next one, too. Work-items so meet again where
//! the text lets them, as they have to at a barrier. What does not nest is left to `goto`.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use std::iter::Peekable;
use std::ops::Range;

use super::function::FunctionLowering;
use super::stmt::continues;
use crate::compiler::front::clc::sema::tree::{Stmt, StmtKind};
use crate::compiler::ir::{CmpOp, Op, Type, Unroll, Value};

/// Scopes and loops in each other: passes recurse over them. Dispatch loops are flat.
const MAX_DEPTH: usize = 1000;

/// Statements `start..end` of a list that a label makes a scope or a loop.
#[derive(Clone, Copy, PartialEq)]
struct Span {
    start: usize,
    end: usize,
    label: u32,
    is_loop: bool,
    /// Something in it jumps further than to the label.
    leaves: bool,
}

/// The jumps of the function have the form that is lowered here.
pub fn are_structured(body: &[Stmt]) -> bool {
    nested(body, &mut HashSet::new(), false, 0)
}

/// `around`: the labels of the lists around; `depth`: the scopes and loops.
fn nested(list: &[Stmt], around: &mut HashSet<u32>, in_switch: bool, depth: usize) -> bool {
    let mut labels = Vec::new();
    for stmt in list {
        match stmt.kind {
            // Lists of a switch are cut at its cases.
            StmtKind::Label(_) if in_switch => return false,
            StmtKind::Label(label) => labels.push(label),
            _ => {}
        }
    }
    around.extend(&labels);
    let Some(spans) = spans(list) else {
        return false;
    };
    // Of each statement: how many scopes and loops it is in. Before each: how many break or continue.
    let mut depths = vec![0isize; list.len() + 1];
    for span in &spans {
        depths[span.start] += 1;
        depths[span.end] -= 1;
    }
    let mut level = depth as isize;
    let mut leaving = vec![0];
    let good = list.iter().enumerate().all(|(i, stmt)| {
        level += depths[i];
        leaving.push(leaving[i] + usize::from(!is_own(stmt)));
        let depth = level as usize;
        depth <= MAX_DEPTH
            && match &stmt.kind {
                StmtKind::Goto(label) => around.contains(label),
                StmtKind::Case(..) | StmtKind::Default => in_switch,
                StmtKind::Switch(_, body) => nested(body, around, true, depth + 1),
                _ => lists(stmt)
                    .into_iter()
                    .all(|l| nested(l, around, false, depth + 1)),
            }
    });
    for label in labels {
        around.remove(&label);
    }
    // It would mean a scope or loop made here.
    good && spans.iter().all(|s| leaving[s.start] == leaving[s.end])
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

/// No break or continue leaves the statement.
fn is_own(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Break | StmtKind::Continue => false,
        StmtKind::While(..) | StmtKind::DoWhile(..) | StmtKind::For { .. } => true,
        StmtKind::Switch(_, body) => continues(body) == 0,
        _ => lists(stmt).into_iter().flatten().all(is_own),
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

/// Something jumps out of the statement.
fn leaves(stmt: &Stmt) -> bool {
    let (mut own, mut targets) = (Vec::new(), Vec::new());
    labels(std::slice::from_ref(stmt), &mut own, &mut targets);
    let own: HashSet<u32> = own.into_iter().collect();
    targets.iter().any(|label| !own.contains(label))
}

/// The least or greatest of the values of neighbours.
struct Extremes {
    /// A segment tree: leaves are in its second half.
    tree: Vec<usize>,
    pick: fn(usize, usize) -> usize,
    none: usize,
}

impl Extremes {
    fn least(count: usize) -> Extremes {
        Extremes {
            tree: vec![usize::MAX; 2 * count],
            pick: usize::min,
            none: usize::MAX,
        }
    }

    fn greatest(count: usize) -> Extremes {
        Extremes {
            tree: vec![0; 2 * count],
            pick: usize::max,
            none: 0,
        }
    }

    fn add(&mut self, at: usize, value: usize) {
        let mut node = at + self.tree.len() / 2;
        while node > 0 {
            self.tree[node] = (self.pick)(self.tree[node], value);
            node /= 2;
        }
    }

    fn of(&self, range: Range<usize>) -> usize {
        let half = self.tree.len() / 2;
        let (mut from, mut to, mut found) = (range.start + half, range.end + half, self.none);
        while from < to {
            if from % 2 == 1 {
                found = (self.pick)(found, self.tree[from]);
                from += 1;
            }
            if to % 2 == 1 {
                to -= 1;
                found = (self.pick)(found, self.tree[to]);
            }
            (from, to) = (from / 2, to / 2);
        }
        found
    }
}

/// The scopes and loops of a list, one inside or beside the other, in the order in which they begin, the outer
/// ones first; `None` if they cannot be.
fn spans(list: &[Stmt]) -> Option<Vec<Span>> {
    // By label: the first and last statement with a jump to it, and the one with the label.
    let mut jumps: HashMap<u32, (usize, usize)> = HashMap::new();
    let mut places: HashMap<u32, usize> = HashMap::new();
    let (mut own, mut targets, mut ends) = (Vec::new(), Vec::new(), Vec::new());
    for (at, stmt) in list.iter().enumerate() {
        let (labels_before, targets_before) = (own.len(), targets.len());
        labels(std::slice::from_ref(stmt), &mut own, &mut targets);
        places.extend(own[labels_before..].iter().map(|&label| (label, at)));
        for &label in &targets[targets_before..] {
            jumps.entry(label).or_insert((at, at)).1 = at;
        }
        ends.push(targets.len());
    }
    if targets.is_empty() {
        return Some(Vec::new());
    }
    let (mut scopes, mut loops) = (Vec::new(), Vec::new());
    for (at, stmt) in list.iter().enumerate() {
        let StmtKind::Label(label) = stmt.kind else {
            continue;
        };
        let span = |start, end, is_loop| Span {
            start,
            end,
            label,
            is_loop,
            leaves: false,
        };
        let Some(&(first, last)) = jumps.get(&label) else {
            continue;
        };
        if first < at {
            scopes.push(span(first, at, false));
        }
        if last >= at {
            loops.push(span(at, last + 1, true));
        }
    }
    let count = list.len() + 1;
    // A loop that another one begins in and leaves ends later.
    let mut loop_ends = Extremes::greatest(count);
    for span in loops.iter_mut().rev() {
        span.end = span.end.max(loop_ends.of(span.start + 1..span.end));
        loop_ends.add(span.start, span.end);
    }
    // A scope that begins in another, or in a loop, and leaves it begins earlier. A jump to behind a loop leaves it.
    let mut starts = Extremes::least(count);
    for span in &loops {
        starts.add(span.end - 1, span.start);
    }
    for span in &mut scopes {
        span.start = span.start.min(starts.of(span.start..span.end));
        starts.add(span.end - 1, span.start);
    }
    // A loop that begins in a scope and leaves it is none.
    if scopes
        .iter()
        .any(|s| loop_ends.of(s.start + 1..s.end) > s.end)
    {
        return None;
    }
    let (mut least, mut greatest) = (Extremes::least(count), Extremes::greatest(count));
    let mut begin = 0;
    for (at, &end) in ends.iter().enumerate() {
        for label in &targets[begin..end] {
            let to = places.get(label).copied().unwrap_or(usize::MAX);
            least.add(at, to);
            greatest.add(at, to);
        }
        begin = end;
    }
    let mut spans = scopes;
    spans.append(&mut loops);
    for span in &mut spans {
        let inside = span.start..span.end;
        // A scope's label stands right behind it.
        let last = if span.is_loop { span.end - 1 } else { span.end };
        span.leaves = least.of(inside.clone()) < span.start || greatest.of(inside) > last;
    }
    // Of two with the same statements the scope is the outer one.
    spans.sort_by_key(|s| (s.start, Reverse(s.end), s.is_loop));
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
        self.spanned(list, 0, list.len(), &mut spans.into_iter().peekable());
    }

    fn spanned(
        &mut self,
        list: &'u [Stmt],
        from: usize,
        to: usize,
        spans: &mut Peekable<impl Iterator<Item = Span>>,
    ) {
        let mut at = from;
        while at < to {
            match spans.next_if(|span| span.start == at) {
                Some(span) => {
                    self.span(list, span, spans);
                    at = span.end;
                }
                None => {
                    self.stmt(&list[at]);
                    at += 1;
                }
            }
        }
    }

    fn span(
        &mut self,
        list: &'u [Stmt],
        span: Span,
        spans: &mut Peekable<impl Iterator<Item = Span>>,
    ) {
        if span.is_loop {
            self.b.push_region(vec![]);
        }
        let scope = self.branch(|f| {
            f.spanned(list, span.start, span.end, spans);
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
        if span.leaves {
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
        if self.jump_target.is_some() && leaves(construct) {
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
