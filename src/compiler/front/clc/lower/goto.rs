//! Functions with jumps into statements, or with case labels inside nested ones: a dispatch loop.
//!
//! Statements without jumps in or out stay whole; the others are cut into blocks. The
//! function, or what of it jumps tie together, becomes `loop { if (state == block) { ...; state = next } ... }`, with the blocks in the
//! order of the text: work-items that jumped ahead meet those that did not in the same round, as
//! they have to at a barrier. This is slow on a GPU, so only what has such jumps pays for it: what no
//! jump passes over stays outside.
//!
//! Work-items that leave such a loop of the text in different rounds do not meet again before
//! the dispatch loop ends: a barrier between is not reached together. (Jumps that nest do: jumps.rs.)

use std::collections::HashMap;
use std::ops::Range;

use super::function::FunctionLowering;
use super::jumps;
use crate::front::clc::sema::tree::{Expr, Stmt, StmtKind};
use crate::ir::{CmpOp, Op, Type, Unroll, Value};

type BlockId = usize;

#[derive(Default)]
struct Block<'u> {
    items: Vec<Item<'u>>,
    end: End<'u>,
}

/// The instructions of a block, and how it ends.
enum Item<'u> {
    Stmt(&'u Stmt),
    Expr(&'u Expr),
}

/// How a block ends.
#[derive(Default)]
enum End<'u> {
    /// Leaves the dispatch loop.
    #[default]
    Leave,
    Jump(BlockId),
    Branch(&'u Expr, BlockId, BlockId),
    /// Selector, ranges with their blocks, default.
    Switch(&'u Expr, Vec<(u64, u64, BlockId)>, BlockId),
}

/// The statement that break, continue and case labels inside it belong to.
struct Enclosing {
    break_to: BlockId,
    /// `None` for a switch.
    continue_to: Option<BlockId>,
    cases: Vec<(u64, u64, BlockId)>,
    default: Option<BlockId>,
}

#[derive(Default)]
struct Flattener<'u> {
    blocks: Vec<Block<'u>>,
    /// The block being filled.
    current: BlockId,
    /// The blocks in the order of the text.
    order: Vec<BlockId>,
    labels: HashMap<u32, BlockId>,
    around: Vec<Enclosing>,
}

impl<'u> Flattener<'u> {
    fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block::default());
        self.blocks.len() - 1
    }

    fn label(&mut self, label: u32) -> BlockId {
        if let Some(&block) = self.labels.get(&label) {
            return block;
        }
        let block = self.new_block();
        self.labels.insert(label, block);
        block
    }

    /// Ends the current block and goes on in `next`.
    fn end(&mut self, end: End<'u>, next: BlockId) {
        self.blocks[self.current].end = end;
        self.fill(next);
    }

    fn fill(&mut self, block: BlockId) {
        self.current = block;
        self.order.push(block);
    }

    /// Falls into `block`.
    fn start(&mut self, block: BlockId) {
        self.end(End::Jump(block), block);
    }

    /// Jumps; what follows is a block that only labels reach.
    fn jump(&mut self, to: BlockId) {
        let dead = self.new_block();
        self.end(End::Jump(to), dead);
    }

    fn stmts(&mut self, stmts: &'u [Stmt]) {
        for stmt in stmts {
            self.stmt(stmt);
        }
    }

    fn stmt(&mut self, stmt: &'u Stmt) {
        if is_whole(stmt, false, false) {
            self.item(Item::Stmt(stmt));
            return;
        }
        match &stmt.kind {
            StmtKind::Block(body) => self.stmts(body),
            StmtKind::If(cond, then, other) => {
                let (a, b, after) = (self.new_block(), self.new_block(), self.new_block());
                self.end(End::Branch(cond, a, b), a);
                self.stmts(then);
                self.end(End::Jump(after), b);
                self.stmts(other);
                self.start(after);
            }
            StmtKind::While(cond, body) => self.loop_stmt(Some(cond), None, body),
            StmtKind::For {
                init,
                cond,
                step,
                body,
                ..
            } => {
                self.stmts(init);
                self.loop_stmt(cond.as_ref(), step.as_ref(), body);
            }
            StmtKind::DoWhile(body, cond, _) => {
                let (head, check, after) = (self.new_block(), self.new_block(), self.new_block());
                self.start(head);
                self.within(after, Some(check), |f| f.stmts(body));
                self.start(check);
                self.end(End::Branch(cond, head, after), after);
            }
            StmtKind::Switch(selector, body) => {
                let (entry, after) = (self.current, self.new_block());
                // Code before the first label is reached by goto only.
                let unlabelled = self.new_block();
                self.fill(unlabelled);
                let around = self.within(after, None, |f| f.stmts(body));
                self.start(after);
                let default = around.default.unwrap_or(after);
                self.blocks[entry].end = End::Switch(selector, around.cases, default);
            }
            StmtKind::Case(lo, hi) => {
                let block = self.new_block();
                self.start(block);
                if let Some(switch) = self.switch() {
                    switch.cases.push((*lo, *hi, block));
                }
            }
            StmtKind::Default => {
                let block = self.new_block();
                self.start(block);
                if let Some(switch) = self.switch() {
                    switch.default = Some(block);
                }
            }
            StmtKind::Break => {
                if let Some(to) = self.around.last().map(|a| a.break_to) {
                    self.jump(to);
                }
            }
            StmtKind::Continue => {
                if let Some(to) = self.around.iter().rev().find_map(|a| a.continue_to) {
                    self.jump(to);
                }
            }
            StmtKind::Goto(label) => {
                let to = self.label(*label);
                self.jump(to);
            }
            StmtKind::Label(label) => {
                let block = self.label(*label);
                self.start(block);
            }
            StmtKind::Expr(_) | StmtKind::Local(..) | StmtKind::Return(_) => {
                self.item(Item::Stmt(stmt));
            }
        }
    }

    fn item(&mut self, item: Item<'u>) {
        self.blocks[self.current].items.push(item);
    }

    fn loop_stmt(&mut self, cond: Option<&'u Expr>, step: Option<&'u Expr>, body: &'u [Stmt]) {
        let (head, inside) = (self.new_block(), self.new_block());
        let (next, after) = (self.new_block(), self.new_block());
        self.start(head);
        match cond {
            Some(cond) => self.end(End::Branch(cond, inside, after), inside),
            None => self.start(inside),
        }
        self.within(after, Some(next), |f| f.stmts(body));
        self.start(next);
        if let Some(step) = step {
            self.item(Item::Expr(step));
        }
        self.end(End::Jump(head), after);
    }

    fn within(
        &mut self,
        break_to: BlockId,
        continue_to: Option<BlockId>,
        build: impl FnOnce(&mut Self),
    ) -> Enclosing {
        let around = Enclosing {
            break_to,
            continue_to,
            cases: vec![],
            default: None,
        };
        self.around.push(around);
        build(self);
        self.around.pop().expect("pushed above")
    }

    /// The innermost switch.
    fn switch(&mut self) -> Option<&mut Enclosing> {
        self.around
            .iter_mut()
            .rev()
            .find(|a| a.continue_to.is_none())
    }
}

/// Whether a statement has neither goto nor label, and every break, continue and case label in it belongs to a statement in it.
fn is_whole(stmt: &Stmt, in_loop: bool, in_switch: bool) -> bool {
    let all =
        |stmts: &[Stmt], in_loop, in_switch| stmts.iter().all(|s| is_whole(s, in_loop, in_switch));
    match &stmt.kind {
        StmtKind::Expr(_) | StmtKind::Local(..) | StmtKind::Return(_) => true,
        StmtKind::Block(body) => all(body, in_loop, in_switch),
        StmtKind::If(_, a, b) => all(a, in_loop, in_switch) && all(b, in_loop, in_switch),
        StmtKind::While(_, body) | StmtKind::DoWhile(body, ..) => all(body, true, false),
        StmtKind::For { init, body, .. } => all(init, false, false) && all(body, true, false),
        // Labels at the top of the body only: others are jumps into nested statements.
        StmtKind::Switch(_, body) => body.iter().all(|s| {
            matches!(s.kind, StmtKind::Case(..) | StmtKind::Default) || is_whole(s, in_loop, true)
        }),
        StmtKind::Break => in_loop || in_switch,
        StmtKind::Continue => in_loop,
        StmtKind::Case(..) | StmtKind::Default | StmtKind::Goto(_) | StmtKind::Label(_) => false,
    }
}

/// The statements of a list that have jumps, in groups that no jump leaves.
fn tied_by_jumps(list: &[Stmt]) -> Vec<Range<usize>> {
    // By label: the first statement with it or with a jump to it.
    let mut first: HashMap<u32, usize> = HashMap::new();
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (i, stmt) in list.iter().enumerate() {
        if is_whole(stmt, false, false) {
            continue;
        }
        let (mut own, mut targets) = (Vec::new(), Vec::new());
        jumps::labels(std::slice::from_ref(stmt), &mut own, &mut targets);
        let mut run = i..i + 1;
        for label in own.into_iter().chain(targets) {
            run.start = run.start.min(*first.entry(label).or_insert(i));
        }
        while let Some(before) = runs.pop_if(|before| before.end > run.start) {
            run.start = run.start.min(before.start);
        }
        runs.push(run);
    }
    runs
}

impl<'u> FunctionLowering<'_, 'u, '_> {
    /// Lowers the body of a function. Statements with jumps become dispatch loops.
    pub fn dispatch(&mut self, body: &'u [Stmt]) {
        let mut at = 0;
        for tied in tied_by_jumps(body) {
            self.stmts(&body[at..tied.start]);
            at = tied.end;
            self.dispatch_loop(&body[tied]);
        }
        self.stmts(&body[at..]);
    }

    fn dispatch_loop(&mut self, body: &'u [Stmt]) {
        let mut flat = Flattener::default();
        let entry = flat.new_block();
        flat.fill(entry);
        flat.stmts(body);
        let state = self.temp(4, 4);
        self.go(state, 0);
        self.b.push_region(vec![]);
        for &id in &flat.order {
            let now = self.b.load(state, Type::I32, 4);
            let number = self.b.const_int(Type::I32, id as i64);
            let here = self.b.compare(CmpOp::Eq, now, number);
            let then = self.branch(|f| {
                f.block_body(&flat.blocks[id], state);
                vec![]
            });
            let other = self.branch(|_| vec![]);
            self.b.insert0(Op::If(here, then, other));
        }
        self.b.continue_(vec![]);
        let body = self.b.pop_region();
        self.b.insert0(Op::Loop {
            init: vec![],
            body,
            unroll: Unroll::Auto,
        });
    }

    fn go(&mut self, state: Value, block: BlockId) {
        let number = self.b.const_int(Type::I32, block as i64);
        self.b.store(state, number, 4);
    }

    fn block_body(&mut self, block: &Block<'u>, state: Value) {
        for item in &block.items {
            match item {
                Item::Stmt(stmt) => self.stmt(stmt),
                Item::Expr(e) => {
                    self.expr_opt(e);
                }
            }
        }
        match &block.end {
            End::Leave => self.b.break_(vec![]),
            End::Jump(to) => self.go(state, *to),
            End::Branch(cond, a, b) => {
                let cond = self.truth(cond);
                let yes = self.b.const_int(Type::I32, *a as i64);
                let no = self.b.const_int(Type::I32, *b as i64);
                let next = self.b.select(cond, yes, no);
                self.b.store(state, next, 4);
            }
            End::Switch(selector, cases, default) => {
                let signed = self.prim(selector.ty).is_some_and(|p| p.is_signed());
                let value = self.expr(selector);
                let mut next = self.b.const_int(Type::I32, *default as i64);
                for &(lo, hi, block) in cases {
                    let inside = self.inside(value, signed, &[(lo, hi)]);
                    let to = self.b.const_int(Type::I32, block as i64);
                    next = self.b.select(inside, to, next);
                }
                self.b.store(state, next, 4);
            }
        }
    }
}
