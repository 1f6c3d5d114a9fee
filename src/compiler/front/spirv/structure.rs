//! The graph of a function as a tree of regions (docs/spirv.md).
//!
//! Algorithm (after Ramsey, Beyond Relooper, 2022): a node is followed by what it dominates. A node that
//! several edges lead forward to stands behind its immediate dominator; a jump to it falls through to it
//! if nothing else comes between, as in all structured programs. Otherwise the jump sets a variable and
//! falls out of where it stands; behind that the variable decides between the jump and what comes next.
//! A loop is left by `break` to the one node behind it.

use super::binary::Res;
use super::graph::{Graph, Node, Step, Var};

/// A piece of a region.
#[derive(Debug)]
pub enum Item {
    /// The effect of a node. For a block: its instructions without the terminator.
    Step(Step),
    /// The terminator of a block that has no successors.
    End(usize),
    /// The block continues at this index of its terminator's targets.
    Edge(usize, usize),
    Set(Var, u32),
    /// A branch by the terminator of a block with two targets.
    If(usize, Vec<Item>, Vec<Item>),
    /// The variable has this value.
    IfVar(Var, u32, Vec<Item>, Vec<Item>),
    /// A branch by the terminator of a block, with an item list for each target. The first one is the default.
    Switch(usize, Vec<Vec<Item>>),
    /// A branch by the values 0, 1, ... of a variable.
    SwitchVar(Var, Vec<Vec<Item>>),
    Loop(Vec<Item>),
    Break,
    Continue,
}

/// The context of a place in the tree.
enum Frame {
    /// Falling through leads to this node. `is_switch`: no `break` or `continue` goes through it.
    Before {
        next: Node,
        is_switch: bool,
        /// Targets of jumps that go elsewhere, selected by the variable's values from 1 on, and the variable.
        pending: Vec<Node>,
        var: Option<Var>,
    },
    Loop {
        header: Node,
        exit: Option<Node>,
    },
}

/// The most levels of nested regions.
const MAX_DEPTH: usize = 10_000;

struct Structurer<'g> {
    graph: &'g Graph,
    /// By node: the nodes it immediately dominates that several edges lead to, last first.
    merges: Vec<Vec<Node>>,
    frames: Vec<Frame>,
    vars: Var,
    depth: usize,
}

/// The tree, and how many variables it uses.
pub fn structure(graph: &Graph) -> Res<(Vec<Item>, Var)> {
    let mut merges = vec![Vec::new(); graph.steps.len()];
    for node in (1..graph.steps.len()).filter(|&n| graph.order[n].is_some()) {
        if graph.entries[node] > 1 && !graph.is_exit[node] {
            merges[graph.idom[node]].push(node);
        }
    }
    for list in &mut merges {
        list.sort_unstable_by_key(|&n| std::cmp::Reverse(graph.order[n]));
    }
    let mut structurer = Structurer {
        graph,
        merges,
        frames: Vec::new(),
        vars: graph.vars,
        depth: 0,
    };
    let mut items = Vec::new();
    structurer.tree(0, &mut items)?;
    Ok((items, structurer.vars))
}

impl Structurer<'_> {
    /// A node with all that it dominates.
    fn tree(&mut self, node: Node, out: &mut Vec<Item>) -> Res<()> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err("its control flow is nested too deep".into());
        }
        let merges = std::mem::take(&mut self.merges[node]);
        match self.graph.loops[node] {
            None => self.before(node, &merges, out)?,
            Some(found) => {
                self.frames.push(Frame::Loop {
                    header: node,
                    exit: found.exit,
                });
                let mut body = Vec::new();
                self.before(node, &merges, &mut body)?;
                self.frames.pop();
                out.push(Item::Loop(body));
                if let Some(exit) = found.exit {
                    self.tree(exit, out)?;
                }
            }
        }
        self.depth -= 1;
        Ok(())
    }

    /// The node, then those of `merges`, which has the last one first.
    fn before(&mut self, node: Node, merges: &[Node], out: &mut Vec<Item>) -> Res<()> {
        let Some((&next, rest)) = merges.split_first() else {
            return self.node(node, out);
        };
        self.within(
            next,
            false,
            out,
            |s, out| s.before(node, rest, out),
            |s, out| s.tree(next, out),
        )
    }

    /// What falls through to `next`, then `behind`, which is what jumps out of it pass over.
    fn within(
        &mut self,
        next: Node,
        is_switch: bool,
        out: &mut Vec<Item>,
        inside: impl FnOnce(&mut Self, &mut Vec<Item>) -> Res<()>,
        behind: impl FnOnce(&mut Self, &mut Vec<Item>) -> Res<()>,
    ) -> Res<()> {
        self.frames.push(Frame::Before {
            next,
            is_switch,
            pending: Vec::new(),
            var: None,
        });
        let place = out.len();
        inside(self, out)?;
        let Some(Frame::Before {
            pending,
            var: Some(var),
            ..
        }) = self.frames.pop()
        else {
            return behind(self, out);
        };
        out.insert(place, Item::Set(var, 0));
        // Of the jumps that fall through in turn, the rest becomes the alternative.
        let mut falling = Vec::new();
        for (i, &to) in pending.iter().enumerate() {
            let mut jump = Vec::new();
            self.jump(to, &mut jump)?;
            let value = i as u32 + 1;
            match leaves(&jump) {
                true => out.push(Item::IfVar(var, value, jump, Vec::new())),
                false => falling.push((value, jump)),
            }
        }
        let mut rest = Vec::new();
        behind(self, &mut rest)?;
        for (value, jump) in falling {
            rest = vec![Item::IfVar(var, value, jump, rest)];
        }
        out.append(&mut rest);
        Ok(())
    }

    /// A node and where it goes.
    fn node(&mut self, node: Node, out: &mut Vec<Item>) -> Res<()> {
        let step = self.graph.steps[node];
        let count = self.graph.succs[node].len();
        match step {
            Step::Choose(_) => {}
            _ => out.push(Item::Step(step)),
        }
        match (step, count) {
            (Step::Block(block), 0) => out.push(Item::End(block)),
            (_, 1) => self.go(node, 0, out)?,
            (_, 2) => {
                // The first successor of a choice is that of 0.
                let (mut yes, mut no) = (Vec::new(), Vec::new());
                self.go(node, 0, &mut yes)?;
                self.go(node, 1, &mut no)?;
                let mut behind = Vec::new();
                // What one side leaves behind need not be nested in the other. Of two that leave, the one that
                // does nothing else is nested: passes know `if c {} else { break }` at the begin of a loop.
                if leaves(&yes) && !is_exit(&no) {
                    behind = std::mem::take(&mut no);
                } else if leaves(&no) {
                    behind = std::mem::take(&mut yes);
                }
                out.push(match step {
                    Step::Choose(var) => Item::IfVar(var, 0, yes, no),
                    Step::Block(block) => Item::If(block, yes, no),
                    Step::Set(..) => return Err("a step has two ways".into()),
                });
                out.append(&mut behind);
            }
            _ => {
                let cases = |s: &mut Self, out: &mut Vec<Item>| {
                    let mut cases = Vec::new();
                    for slot in 0..count {
                        let mut case = Vec::new();
                        s.go(node, slot, &mut case)?;
                        cases.push(case);
                    }
                    out.push(match step {
                        Step::Choose(var) => Item::SwitchVar(var, cases),
                        Step::Block(block) => Item::Switch(block, cases),
                        Step::Set(..) => return Err("a step has several ways".into()),
                    });
                    Ok(())
                };
                // Falling through means the same as before.
                let next = match self.frames.last() {
                    Some(Frame::Before { next, .. }) => *next,
                    _ => Node::MAX,
                };
                self.within(next, true, out, cases, |_, _| Ok(()))?;
            }
        }
        Ok(())
    }

    /// Emits the way from a node to one of its successors.
    fn go(&mut self, node: Node, slot: usize, out: &mut Vec<Item>) -> Res<()> {
        if let Step::Block(block) = self.graph.steps[node] {
            out.push(Item::Edge(block, slot));
        }
        let to = self.graph.succs[node][slot];
        let forward = self.graph.order[to] > self.graph.order[node];
        match forward && self.graph.entries[to] == 1 && !self.graph.is_exit[to] {
            true => self.tree(to, out),
            false => self.jump(to, out),
        }
    }

    /// Emits a jump to a node that stands elsewhere in the tree.
    fn jump(&mut self, to: Node, out: &mut Vec<Item>) -> Res<()> {
        for frame in self.frames.iter().rev() {
            match frame {
                Frame::Before { is_switch, .. } if !is_switch => {}
                Frame::Loop { header, .. } if *header == to => {
                    out.push(Item::Continue);
                    return Ok(());
                }
                Frame::Loop { exit, .. } if *exit == Some(to) => {
                    out.push(Item::Break);
                    return Ok(());
                }
                _ => break,
            }
        }
        match self.frames.last_mut() {
            Some(Frame::Before { next, .. }) if *next == to => Ok(()),
            Some(Frame::Before { pending, var, .. }) => {
                let var = *var.get_or_insert_with(|| {
                    self.vars += 1;
                    self.vars - 1
                });
                let known = pending.iter().position(|&p| p == to);
                let place = known.unwrap_or_else(|| {
                    pending.push(to);
                    pending.len() - 1
                });
                out.push(Item::Set(var, place as u32 + 1));
                Ok(())
            }
            _ => Err("its control flow has a jump that leads nowhere".into()),
        }
    }
}

/// Whether control never reaches the end of the items.
pub fn leaves(items: &[Item]) -> bool {
    match items.last() {
        Some(Item::Break | Item::Continue | Item::End(_)) => true,
        Some(Item::If(_, a, b) | Item::IfVar(_, _, a, b)) => leaves(a) && leaves(b),
        // Left by no `break`.
        Some(Item::Loop(body)) => !breaks(body),
        _ => false,
    }
}

/// Whether the items only leave.
fn is_exit(items: &[Item]) -> bool {
    match items.split_last() {
        Some((Item::Break | Item::Continue | Item::End(_), edges)) => {
            edges.iter().all(|item| matches!(item, Item::Edge(..)))
        }
        _ => false,
    }
}

fn breaks(items: &[Item]) -> bool {
    items.iter().any(|item| match item {
        Item::Break => true,
        Item::If(_, a, b) | Item::IfVar(_, _, a, b) => breaks(a) || breaks(b),
        Item::Switch(_, cases) | Item::SwitchVar(_, cases) => cases.iter().any(|c| breaks(c)),
        _ => false,
    })
}
