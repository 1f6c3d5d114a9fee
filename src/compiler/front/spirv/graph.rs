//! The control flow graph of a function, made fit for a tree of regions: every loop is entered at one
//! node and left to one.
//!
//! Algorithm: loops are strongly connected components, those inside them are components of what is left
//! without the loop's header (the nesting forest of Steensgaard). Where a component is entered at
//! several nodes, a new node becomes the header: whoever goes to an entry sets a variable first, by which
//! the header chooses. From the outermost loop inwards, what leaves a loop goes to one new node behind
//! it in the same way. Then dominators (Cooper, Harvey, Kennedy).

use super::binary::Res;
use rustc_hash::FxHashMap;

pub type Node = usize;
/// A variable that selects a successor by its index.
pub type Var = usize;

#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Step {
    /// A block of the function. Its successors are the targets of its terminator in their order.
    Block(usize),
    Set(Var, u32),
    /// Goes to the successor that the variable selects, or to the only one.
    Choose(Var),
}

#[derive(Default)]
pub struct Graph {
    pub steps: Vec<Step>,
    pub succs: Vec<Vec<Node>>,
    pub vars: Var,
    /// By node: whether it is a loop's header, and the node behind that loop.
    pub loops: Vec<Option<Loop>>,
    /// By node: it stands behind a loop.
    pub is_exit: Vec<bool>,
    /// By node: its place in reverse postorder; `None` if nothing leads to it.
    pub order: Vec<Option<usize>>,
    /// By node: the immediate dominator.
    pub idom: Vec<Node>,
    /// By node: edges that lead forward to it.
    pub entries: Vec<u32>,
}

#[derive(Clone, Copy)]
pub struct Loop {
    /// `None` if it is never left.
    pub exit: Option<Node>,
}

/// The most nodes. The number of new nodes grows with the depth of loops.
const MAX_NODES: usize = 1 << 17;
/// The most levels of nested loops.
const MAX_DEPTH: usize = 500;

/// A component: its nodes, sorted; its header; how deep it lies.
struct Component {
    nodes: Vec<Node>,
    header: Node,
    depth: usize,
    parent: Option<usize>,
}

/// The state of [`Graph::strongly_connected`] for each node.
#[derive(Default)]
struct Marks {
    within: Vec<bool>,
    index: Vec<usize>,
    low: Vec<usize>,
    on_stack: Vec<bool>,
}

const NEW: usize = usize::MAX;

impl Marks {
    /// Resets the state for another part of `count` nodes. Other nodes are not visited.
    fn set(&mut self, part: &[Node], count: usize) {
        self.within.resize(count, false);
        self.index.resize(count, NEW);
        self.low.resize(count, NEW);
        self.on_stack.resize(count, false);
        for &node in part {
            self.within[node] = true;
            (self.index[node], self.low[node]) = (NEW, NEW);
            self.on_stack[node] = false;
        }
    }
}

impl Graph {
    /// The graph of blocks with these successors, block 0 first.
    pub fn new(succs: Vec<Vec<usize>>) -> Res<Graph> {
        let mut graph = Graph {
            steps: (0..succs.len()).map(Step::Block).collect(),
            succs,
            ..Graph::default()
        };
        graph.reach();
        let mut components = graph.components()?;
        graph.loops = vec![None; graph.steps.len()];
        graph.is_exit = vec![false; graph.steps.len()];
        let mut preds = vec![0; graph.steps.len()];
        let reached = (0..graph.steps.len()).filter(|&n| graph.order[n].is_some());
        for succ in reached.flat_map(|n| &graph.succs[n]) {
            preds[*succ] += 1;
        }
        for i in 0..components.len() {
            graph.absorb(i, &mut components, &preds);
            graph.leave_once(i, &mut components)?;
        }
        graph.reach();
        graph.dominators();
        Ok(graph)
    }

    fn add(&mut self, step: Step, succs: Vec<Node>) -> Res<Node> {
        if self.steps.len() >= MAX_NODES {
            return Err("its control flow is too complex".into());
        }
        self.steps.push(step);
        self.succs.push(succs);
        self.loops.push(None);
        self.is_exit.push(false);
        Ok(self.steps.len() - 1)
    }

    /// Reverse postorder of what can be reached.
    fn reach(&mut self) {
        let mut seen = vec![false; self.steps.len()];
        let mut postorder = Vec::new();
        let mut stack = vec![(0, 0)];
        seen[0] = true;
        while let Some((node, next)) = stack.last_mut() {
            // The last successor is visited first, so that the first one follows its node in the order.
            let count = self.succs[*node].len();
            if *next == count {
                postorder.push(*node);
                stack.pop();
                continue;
            }
            let succ = self.succs[*node][count - 1 - *next];
            *next += 1;
            if !std::mem::replace(&mut seen[succ], true) {
                stack.push((succ, 0));
            }
        }
        self.order = vec![None; self.steps.len()];
        for (i, &node) in postorder.iter().rev().enumerate() {
            self.order[node] = Some(i);
        }
    }

    /// Finds all loops, outer ones before inner ones, and gives each a single entry.
    fn components(&mut self) -> Res<Vec<Component>> {
        self.loops = vec![None; self.steps.len()];
        self.is_exit = vec![false; self.steps.len()];
        let mut preds = vec![Vec::new(); self.steps.len()];
        for node in (0..self.steps.len()).filter(|&n| self.order[n].is_some()) {
            for &succ in &self.succs[node] {
                preds[succ].push(node);
            }
        }
        let all = (0..self.steps.len()).filter(|&n| self.order[n].is_some());
        let mut found: Vec<Component> = Vec::new();
        let mut work = vec![(all.collect::<Vec<_>>(), None)];
        let mut marks = Marks::default();
        while let Some((nodes, parent)) = work.pop() {
            let depth = parent.map_or(0, |p: usize| found[p].depth + 1);
            if depth > MAX_DEPTH {
                return Err("loops are nested too deep".into());
            }
            for mut nodes in self.strongly_connected(&nodes, &mut marks) {
                nodes.sort_unstable();
                let first = self.steps.len();
                let (header, inside) = self.header(&nodes, &mut preds)?;
                // The new nodes belong to the loops around, too.
                let mut around = parent;
                while let Some(p) = around {
                    found[p].nodes.extend(first..self.steps.len());
                    around = found[p].parent;
                }
                nodes.extend(inside);
                let inner = nodes.iter().copied().filter(|&n| n != header).collect();
                work.push((inner, Some(found.len())));
                found.push(Component {
                    nodes,
                    header,
                    depth,
                    parent,
                });
            }
        }
        self.reach();
        // Sorts outer loops before inner ones.
        let mut order: Vec<usize> = (0..found.len()).collect();
        order.sort_by_key(|&i| found[i].depth);
        let mut places = vec![0; found.len()];
        for (place, &old) in order.iter().enumerate() {
            places[old] = place;
        }
        let mut found: Vec<_> = found.into_iter().map(Some).collect();
        let sorted = order.iter().filter_map(|&i| {
            let mut component = found[i].take()?;
            component.parent = component.parent.map(|old| places[old]);
            Some(component)
        });
        Ok(sorted.collect())
    }

    /// The only entry of a component, and the nodes that are new in it. `preds` are the edges of all that can be
    /// reached, backwards.
    fn header(&mut self, nodes: &[Node], preds: &mut Vec<Vec<Node>>) -> Res<(Node, Vec<Node>)> {
        let inside = |n: &Node| nodes.binary_search(n).is_ok();
        let entered = |n: &Node| *n == 0 || preds[*n].iter().any(|pred| !inside(pred));
        let entries: Vec<Node> = nodes.iter().copied().filter(entered).collect();
        if let [one] = entries[..] {
            return Ok((one, Vec::new()));
        }
        let var = self.vars;
        self.vars += 1;
        let header = self.add(Step::Choose(var), entries.clone())?;
        let mut added = vec![header];
        let mut from: Vec<Node> = entries
            .iter()
            .flat_map(|&n| preds[n].iter().copied())
            .collect();
        from.sort_unstable();
        from.dedup();
        let mut sets = Vec::new();
        for node in from {
            for slot in 0..self.succs[node].len() {
                let to = self.succs[node][slot];
                if let Ok(which) = entries.binary_search(&to) {
                    let set = self.add(Step::Set(var, which as u32), vec![header])?;
                    self.succs[node][slot] = set;
                    sets.push((node, set));
                    if inside(&node) {
                        added.push(set);
                    }
                }
            }
        }
        // All nodes are reachable, and the order is computed at the end.
        self.order.resize(self.steps.len(), Some(usize::MAX));
        preds.resize(self.steps.len(), Vec::new());
        for &entry in &entries {
            preds[entry] = vec![header];
        }
        for (node, set) in sets {
            preds[set].push(node);
            preds[header].push(set);
        }
        Ok((header, added))
    }

    /// Strongly connected components with an edge inside, of a part of the graph (Tarjan).
    fn strongly_connected(&self, part: &[Node], marks: &mut Marks) -> Vec<Vec<Node>> {
        marks.set(part, self.steps.len());
        let Marks {
            within,
            index,
            low,
            on_stack,
        } = marks;
        let (mut stack, mut found, mut count) = (Vec::new(), Vec::new(), 0);
        for &root in part {
            if index[root] != NEW {
                continue;
            }
            let mut work = vec![(root, 0)];
            while let Some((node, next)) = work.last_mut() {
                let (node, slot) = (*node, *next);
                if slot == 0 {
                    (index[node], low[node]) = (count, count);
                    count += 1;
                    stack.push(node);
                    on_stack[node] = true;
                }
                *next += 1;
                if let Some(&succ) = self.succs[node].get(slot) {
                    if !within[succ] {
                    } else if index[succ] == NEW {
                        work.push((succ, 0));
                    } else if on_stack[succ] {
                        low[node] = low[node].min(index[succ]);
                    }
                    continue;
                }
                work.pop();
                if let Some(&(caller, _)) = work.last() {
                    low[caller] = low[caller].min(low[node]);
                }
                if low[node] == index[node] {
                    let start = stack.iter().rposition(|&n| n == node).unwrap_or(0);
                    let nodes = stack.split_off(start);
                    nodes.iter().for_each(|&n| on_stack[n] = false);
                    if nodes.len() > 1 || self.succs[node].contains(&node) {
                        found.push(nodes);
                    }
                }
            }
        }
        part.iter().for_each(|&n| within[n] = false);
        found
    }

    /// Adds to a loop the nodes that are reached only from one place in it and then join another exit: the code before a `break`.
    fn absorb(&self, which: usize, components: &mut [Component], preds: &[u32]) {
        let (component, parent) = (&components[which], components[which].parent);
        let inside = |n: Node| component.nodes.binary_search(&n).is_ok();
        let around = |n: Node| parent.is_none_or(|p| components[p].nodes.binary_search(&n).is_ok());
        let succs = component
            .nodes
            .iter()
            .flat_map(|&n| self.succs[n].iter().copied());
        let targets: Vec<Node> = succs.filter(|&n| !inside(n)).collect();
        // Counts the edges to each node outside. Adding a node only adds edges to targets that are counted already, so a node that does
        // not fit at first does not fit later.
        let mut edges: FxHashMap<Node, u32> = FxHashMap::default();
        for &target in &targets {
            *edges.entry(target).or_default() += 1;
        }
        let mut taken = Vec::new();
        for target in targets {
            let &[next] = &self.succs[target][..] else {
                continue;
            };
            let joins = next != target && edges.get(&next).is_some_and(|&count| count > 0);
            if joins && preds.get(target) == Some(&1) && around(target) {
                edges.insert(target, 0);
                *edges.entry(next).or_default() += 1;
                taken.push(target);
            }
        }
        components[which].nodes.extend(taken);
        components[which].nodes.sort_unstable();
    }

    /// Redirects all exits of a loop to one new node behind it.
    fn leave_once(&mut self, which: usize, components: &mut [Component]) -> Res<()> {
        let component = &components[which];
        let (header, nodes) = (component.header, component.nodes.clone());
        let inside = |n: Node| nodes.binary_search(&n).is_ok();
        let edges = nodes
            .iter()
            .flat_map(|&n| (0..self.succs[n].len()).map(move |i| (n, i)));
        let leaving = edges.filter(|&(n, i)| !inside(self.succs[n][i]));
        let leaving: Vec<(Node, usize)> = leaving.collect();
        let mut targets: Vec<Node> = leaving.iter().map(|&(n, i)| self.succs[n][i]).collect();
        targets.sort_unstable_by_key(|&n| (self.order.get(n).copied(), n));
        targets.dedup();
        if targets.is_empty() {
            self.loops[header] = Some(Loop { exit: None });
            return Ok(());
        }
        let var = self.vars;
        self.vars += 1;
        let exit = self.add(Step::Choose(var), targets.clone())?;
        self.is_exit[exit] = true;
        let places: FxHashMap<Node, usize> = targets.iter().copied().zip(0..).collect();
        let mut added = Vec::new();
        for (node, slot) in leaving {
            let to = self.succs[node][slot];
            self.succs[node][slot] = match places.get(&to) {
                Some(&which) if targets.len() > 1 => {
                    let set = self.add(Step::Set(var, which as u32), vec![exit])?;
                    added.push(set);
                    set
                }
                _ => exit,
            };
        }
        self.loops[header] = Some(Loop { exit: Some(exit) });
        // The lists stay sorted: new nodes have the greatest numbers.
        components[which].nodes.extend(&added);
        // The loops around contain the new node, too.
        let mut around = components[which].parent;
        while let Some(p) = around {
            components[p].nodes.push(exit);
            components[p].nodes.extend(&added);
            around = components[p].parent;
        }
        Ok(())
    }

    fn dominators(&mut self) {
        let count = self.steps.len();
        let mut in_order: Vec<Node> = (0..count).filter(|&n| self.order[n].is_some()).collect();
        in_order.sort_unstable_by_key(|&n| self.order[n]);
        let place = |n: Node| self.order[n].unwrap_or(0);
        let mut preds = vec![Vec::new(); count];
        self.entries = vec![0; count];
        for &node in &in_order {
            for &succ in &self.succs[node] {
                preds[succ].push(node);
                self.entries[succ] += u32::from(place(succ) > place(node));
            }
        }
        const NONE: Node = usize::MAX;
        let mut idom = vec![NONE; count];
        idom[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for &node in &in_order[1..] {
                // The last first: they lie near each other.
                let known = preds[node]
                    .iter()
                    .rev()
                    .copied()
                    .filter(|&p| idom[p] != NONE);
                let common = known.reduce(|mut a, mut b| {
                    while a != b {
                        match place(a) > place(b) {
                            true => a = idom[a],
                            false => b = idom[b],
                        }
                    }
                    a
                });
                if let Some(common) = common
                    && idom[node] != common
                {
                    (idom[node], changed) = (common, true);
                }
            }
        }
        self.idom = idom;
    }
}
