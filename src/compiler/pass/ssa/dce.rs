//! Removes what nothing needs: instructions without effect, stores to objects that nothing live
//! reads, results and loop parameters without a use, whole ifs and loops.
//!
//! Algorithm: mark and sweep. Roots are effects and returns; a live instruction needs its
//! operands and the control instructions around it, a live control instruction its condition
//! and the exits that leave it, a live result or parameter the values that all exits or rounds
//! pass for it; a live read of an object what writes to it. A loop without effect and live result is removed, whether or not it ends.

use super::effects;
use crate::diag::Sink;
use crate::ir::scopes::Scopes;
use crate::ir::{Addr, CastOp, Function, Inst, Module, Op, Region, Value};
use crate::pass::Ctx;
use rustc_hash::FxHashMap;

/// More than one removed instruction in so many is a large change.
const LARGE_CHANGE: usize = 16;

pub fn run(module: &mut Module, _: &Ctx, _: &mut Sink) {
    for func in &mut module.funcs {
        remove_dead(func);
    }
}

/// Returns whether that was a large part of the function.
pub fn remove_dead(func: &mut Function) -> bool {
    let Some(mut body) = func.body.take() else {
        return false;
    };
    let mut graph = Graph::new(func.values.len());
    graph.region(&body, Scopes::default());
    graph.mark();
    let (nodes, values) = (graph.live_nodes.is_live, graph.live_values);
    let dead = nodes.iter().filter(|&&live| !live).count();
    let large = dead * LARGE_CHANGE > nodes.len();
    let mut sweep = Sweep {
        nodes: nodes.into_iter(),
        values,
        masks: Vec::new(),
    };
    sweep.region(&mut body, Scopes::default());
    func.body = Some(body);
    large
}

/// An instruction, numbered in text order.
#[derive(Clone, Copy)]
struct Node<'r> {
    inst: &'r Inst,
    /// The control instruction around it.
    parent: Option<u32>,
    /// Control instructions: their place in [`Graph::ends`].
    ends: u32,
}

/// The terminators that refer to a control instruction.
#[derive(Default)]
struct Ends {
    /// The yields and breaks that give its results.
    exits: Vec<u32>,
    /// Loops: the continues.
    rounds: Vec<u32>,
}

#[derive(Clone, Copy)]
enum Def {
    /// A parameter of the function.
    Outside,
    Plain(u32),
    /// Of a control instruction, with its position.
    Result(u32, u32),
    Param(u32, u32),
}

/// Which nodes are live, and the work list of [`Graph::mark`].
#[derive(Default)]
struct LiveNodes {
    is_live: Vec<bool>,
    /// The node that the walk has reached, and live nodes behind it whose needs are to be marked.
    at: u32,
    work: Vec<u32>,
}

impl LiveNodes {
    fn mark(&mut self, n: u32) {
        if !std::mem::replace(&mut self.is_live[n as usize], true) && n > self.at {
            self.work.push(n);
        }
    }
}

struct Graph<'r> {
    nodes: Vec<Node<'r>>,
    /// The first is that of all other instructions, empty.
    ends: Vec<Ends>,
    defs: Vec<Def>,
    /// By value: the object into which this pointer points, as far as that is plain.
    object: Vec<Option<Value>>,
    /// By value: an object that something live may read.
    read: Vec<bool>,
    /// By object: what writes to it and nothing else.
    writers: FxHashMap<Value, Vec<u32>>,
    live_nodes: LiveNodes,
    live_values: Vec<bool>,
    /// Work list of [`Self::mark_value`], empty between calls.
    value_work: Vec<Value>,
    /// Values that become a live result or parameter; empty between calls, too.
    passed: Vec<Value>,
}

impl<'r> Graph<'r> {
    fn new(values: usize) -> Graph<'r> {
        Graph {
            nodes: Vec::with_capacity(values),
            ends: vec![Ends::default()],
            defs: vec![Def::Outside; values],
            object: vec![None; values],
            read: vec![false; values],
            writers: FxHashMap::default(),
            live_nodes: LiveNodes::default(),
            live_values: vec![false; values],
            value_work: Vec::new(),
            passed: Vec::new(),
        }
    }

    fn region(&mut self, region: &'r Region, scopes: Scopes<u32>) {
        for inst in &region.insts {
            let this = self.nodes.len() as u32;
            let control = inst.op.is_control();
            let mut ends = 0;
            if control {
                ends = self.ends.len() as u32;
                self.ends.push(Ends::default());
            }
            self.nodes.push(Node {
                inst,
                parent: scopes.innermost(),
                ends,
            });
            self.note_objects(inst, this);
            for (i, v) in inst.results.iter().enumerate() {
                self.defs[v.index()] = match control {
                    false => Def::Plain(this),
                    true => Def::Result(this, i as u32),
                };
            }
            for nested in inst.op.regions() {
                for (i, v) in nested.params.iter().enumerate() {
                    self.defs[v.index()] = Def::Param(this, i as u32);
                }
                self.region(nested, scopes.inside(&inst.op, this));
            }
            if let Some(target) = scopes.target(&inst.op) {
                let ends = self.nodes[target as usize].ends;
                let ends = &mut self.ends[ends as usize];
                match inst.op {
                    Op::Continue(_) => ends.rounds.push(this),
                    _ => ends.exits.push(this),
                }
            }
        }
    }

    fn note_objects(&mut self, inst: &Inst, this: u32) {
        match inst.op {
            Op::Alloca { .. } => self.object[inst.results[0].index()] = Some(inst.results[0]),
            Op::PtrAdd(base, _) | Op::Cast(CastOp::SpaceCast, base) => {
                self.object[inst.results[0].index()] = self.object[base.index()];
            }
            ref op => {
                if let Some(object) = written(op).and_then(|to| self.object[to.index()]) {
                    self.writers.entry(object).or_default().push(this);
                }
            }
        }
    }

    /// A live instruction may read through the pointer: what writes to its object is live.
    fn mark_read(&mut self, v: Value) {
        if let Some(object) = self.object[v.index()]
            && !std::mem::replace(&mut self.read[object.index()], true)
        {
            for n in self.writers.remove(&object).unwrap_or_default() {
                self.live_nodes.mark(n);
            }
        }
    }

    fn mark_reads(&mut self, op: &Op) {
        match *op {
            Op::PtrAdd(..) | Op::Cast(CastOp::SpaceCast, _) | Op::Zero { .. } => {}
            Op::Store {
                addr: Addr::Ptr(_),
                value,
                ..
            } => self.mark_read(value),
            Op::Copy { from, .. } => self.mark_read(from),
            ref op => op.for_each_operand(|v| self.mark_read(v)),
        }
    }

    /// Walks against text order: most of what a node needs is before it.
    fn mark(&mut self) {
        self.live_nodes.is_live = vec![false; self.nodes.len()];
        for n in (0..self.nodes.len()).rev() {
            if !self.live_nodes.is_live[n] && !self.is_root(self.nodes[n].inst) {
                continue;
            }
            self.live_nodes.is_live[n] = true;
            self.live_nodes.at = n as u32;
            self.mark_needs_of(n);
            while let Some(n) = self.live_nodes.work.pop() {
                self.mark_needs_of(n as usize);
            }
        }
    }

    fn mark_needs_of(&mut self, n: usize) {
        let Node { inst, parent, ends } = self.nodes[n];
        if let Some(parent) = parent {
            self.live_nodes.mark(parent);
        }
        match &inst.op {
            // Their operands are needed for live results only.
            Op::Yield(_) | Op::Break(_) | Op::Continue(_) => {}
            Op::Loop { .. } => self.mark_exits(ends),
            op => {
                self.mark_reads(op);
                op.for_each_operand(|v| self.mark_value(v));
                self.mark_exits(ends);
            }
        }
    }

    fn is_root(&self, inst: &Inst) -> bool {
        let object = written(&inst.op).and_then(|to| self.object[to.index()]);
        match inst.op {
            Op::Return(_) => true,
            _ if object.is_some_and(|o| !self.read[o.index()]) => false,
            ref op => effects::has_effect(op),
        }
    }

    fn mark_exits(&mut self, ends: u32) {
        let Ends { exits, rounds } = &self.ends[ends as usize];
        for &n in exits.iter().chain(rounds) {
            self.live_nodes.mark(n);
        }
    }

    fn ends(&self, n: u32) -> &Ends {
        &self.ends[self.nodes[n as usize].ends as usize]
    }

    fn mark_value(&mut self, v: Value) {
        let mut work = std::mem::take(&mut self.value_work);
        let mut passed = std::mem::take(&mut self.passed);
        work.push(v);
        while let Some(v) = work.pop() {
            if std::mem::replace(&mut self.live_values[v.index()], true) {
                continue;
            }
            let (node, position, terminators) = match self.defs[v.index()] {
                Def::Outside => continue,
                Def::Plain(n) => {
                    self.live_nodes.mark(n);
                    continue;
                }
                Def::Result(n, i) => (n, i as usize, &self.ends(n).exits),
                Def::Param(n, i) => {
                    let node = &self.nodes[n as usize];
                    if let Op::Loop { init, .. } = &node.inst.op {
                        passed.push(init[i as usize]);
                        work.push(init[i as usize]);
                    }
                    (n, i as usize, &self.ends(n).rounds)
                }
            };
            for &t in terminators {
                if let Op::Yield(vs) | Op::Break(vs) | Op::Continue(vs) =
                    &self.nodes[t as usize].inst.op
                {
                    passed.push(vs[position]);
                    work.push(vs[position]);
                }
            }
            self.live_nodes.mark(node);
        }
        for v in passed.drain(..) {
            self.mark_read(v);
        }
        (self.value_work, self.passed) = (work, passed);
    }
}

/// The pointer through which an instruction does nothing but write.
fn written(op: &Op) -> Option<Value> {
    match *op {
        Op::Store {
            addr: Addr::Ptr(to),
            volatile: false,
            ..
        }
        | Op::Zero { to, .. }
        | Op::Copy { to, .. } => Some(to),
        _ => None,
    }
}

/// Live results and parameters of a control instruction.
struct Masks {
    results: Vec<bool>,
    params: Vec<bool>,
}

struct Sweep {
    /// Whether each instruction is live, in text order.
    nodes: std::vec::IntoIter<bool>,
    values: Vec<bool>,
    masks: Vec<Masks>,
}

impl Sweep {
    fn region(&mut self, region: &mut Region, scopes: Scopes<u32>) {
        region.insts.retain_mut(|inst| self.inst(inst, scopes));
    }

    /// Returns whether the instruction stays.
    fn inst(&mut self, inst: &mut Inst, scopes: Scopes<u32>) -> bool {
        let live = self.nodes.next().unwrap_or(true);
        if !live && !inst.op.is_terminator() {
            self.skip(&inst.op);
            return false;
        }
        if let Some(target) = scopes.target(&inst.op) {
            let masks = &self.masks[target as usize];
            match &mut inst.op {
                Op::Yield(vs) | Op::Break(vs) => keep(vs, &masks.results),
                Op::Continue(vs) => keep(vs, &masks.params),
                _ => {}
            }
        }
        if inst.op.is_control() {
            self.control(inst, scopes);
        }
        true
    }

    fn control(&mut self, inst: &mut Inst, scopes: Scopes<u32>) {
        let this = self.masks.len() as u32;
        let live = |vs: &[Value]| vs.iter().map(|v| self.values[v.index()]).collect();
        let mut masks = Masks {
            results: live(&inst.results),
            params: Vec::new(),
        };
        if let Op::Loop { body, .. } = &inst.op {
            masks.params = live(&body.params);
        }
        let mut mask = masks.results.iter();
        inst.results.retain(|_| mask.next() != Some(&false));
        if let Op::Loop { init, body, .. } = &mut inst.op {
            keep(init, &masks.params);
            keep(&mut body.params, &masks.params);
        }
        self.masks.push(masks);
        let inside = scopes.inside(&inst.op, this);
        for region in inst.op.regions_mut() {
            self.region(region, inside);
        }
        self.masks.pop();
    }

    /// Skips the nodes inside a dead instruction.
    fn skip(&mut self, op: &Op) {
        for region in op.regions() {
            for inst in &region.insts {
                self.nodes.next();
                self.skip(&inst.op);
            }
        }
    }
}

fn keep(values: &mut Vec<Value>, mask: &[bool]) {
    let mut mask = mask.iter();
    values.retain(|_| mask.next() != Some(&false));
}
