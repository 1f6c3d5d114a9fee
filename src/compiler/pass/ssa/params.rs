//! Finds loop parameters and results of control instructions that are one value in all cases.
//!
//! Algorithm: one walk collects what all exits of each if, switch and loop pass, and what all
//! rounds of a loop pass on; undefined values agree with any. A value that they agree on, and
//! that is defined before the instruction, replaces the result or parameter. The unused
//! positions are left for `dce`.

use crate::ir::scopes::Scopes;
use crate::ir::util::walk_mut;
use crate::ir::{Function, Op, Region, Value};

/// Replaces them. Returns whether there were any.
pub fn prune(func: &mut Function) -> bool {
    let Some(mut body) = func.body.take() else {
        return false;
    };
    let mut prune = Prune {
        new: (0..func.values.len() as u32).map(Value).collect(),
        order: vec![0; func.values.len()],
        undef: vec![false; func.values.len()],
        now: 0,
        frames: Vec::new(),
        changed: false,
    };
    prune.region(&body, Scopes::default());
    if prune.changed {
        walk_mut(&mut body, &mut |inst| {
            inst.op.for_each_operand_mut(|v| *v = prune.resolve(*v));
        });
    }
    func.body = Some(body);
    prune.changed
}

/// The values that terminators pass in one position.
#[derive(Clone, Copy)]
enum Passed {
    Nothing,
    Undef(Value),
    One(Value),
    Several,
}

struct Frame {
    results: Vec<Passed>,
    params: Vec<(Value, Passed)>,
}

struct Prune {
    /// By value: what replaces it, itself if nothing does.
    new: Vec<Value>,
    /// By value: when it was defined; smaller is before.
    order: Vec<u32>,
    undef: Vec<bool>,
    now: u32,
    frames: Vec<Frame>,
    changed: bool,
}

impl Prune {
    fn resolve(&self, mut v: Value) -> Value {
        while self.new[v.index()] != v {
            v = self.new[v.index()];
        }
        v
    }

    fn define(&mut self, values: &[Value]) {
        for v in values {
            self.now += 1;
            self.order[v.index()] = self.now;
        }
    }

    fn region(&mut self, region: &Region, scopes: Scopes<usize>) {
        for inst in &region.insts {
            match &inst.op {
                Op::If(..) | Op::Switch { .. } | Op::Loop { .. } => {
                    self.control(&inst.op, &inst.results, scopes);
                }
                Op::Undef => self.undef[inst.results[0].index()] = true,
                op => {
                    if let Some(frame) = scopes.target(op) {
                        self.pass(frame, op);
                    }
                }
            }
            self.define(&inst.results);
        }
    }

    fn control(&mut self, op: &Op, results: &[Value], scopes: Scopes<usize>) {
        let (start, this) = (self.now, self.frames.len());
        self.frames.push(Frame {
            results: vec![Passed::Nothing; results.len()],
            params: Vec::new(),
        });
        let inside = scopes.inside(op, this);
        if let Op::Loop { init, body, .. } = op {
            let first = init
                .iter()
                .map(|&v| self.merge(Passed::Nothing, v, None))
                .collect::<Vec<_>>();
            self.frames[this].params = body.params.iter().copied().zip(first).collect();
        }
        for region in op.regions() {
            self.define(&region.params);
            self.region(region, inside);
        }
        let Some(frame) = self.frames.pop() else {
            return;
        };
        for (param, passed) in frame.params {
            self.replace(param, passed, start);
        }
        for (&result, passed) in results.iter().zip(frame.results) {
            self.replace(result, passed, start);
        }
    }

    /// Merges what a terminator passes to the control instruction of this frame.
    fn pass(&mut self, frame: usize, terminator: &Op) {
        match terminator {
            Op::Continue(values) => {
                for (i, &v) in values.iter().enumerate() {
                    let (param, passed) = self.frames[frame].params[i];
                    let merged = self.merge(passed, v, Some(param));
                    self.frames[frame].params[i].1 = merged;
                }
            }
            Op::Yield(values) | Op::Break(values) => {
                for (i, &v) in values.iter().enumerate() {
                    let merged = self.merge(self.frames[frame].results[i], v, None);
                    self.frames[frame].results[i] = merged;
                }
            }
            _ => {}
        }
    }

    fn merge(&self, passed: Passed, v: Value, param: Option<Value>) -> Passed {
        let v = self.resolve(v);
        match passed {
            _ if Some(v) == param => passed,
            Passed::Nothing | Passed::Undef(_) if self.undef[v.index()] => Passed::Undef(v),
            Passed::Nothing | Passed::Undef(_) => Passed::One(v),
            Passed::One(_) if self.undef[v.index()] => passed,
            Passed::One(old) if self.resolve(old) == v => passed,
            _ => Passed::Several,
        }
    }

    fn replace(&mut self, old: Value, passed: Passed, start: u32) {
        let (Passed::One(new) | Passed::Undef(new)) = passed else {
            return;
        };
        let new = self.resolve(new);
        if self.order[new.index()] <= start {
            self.new[old.index()] = new;
            self.changed = true;
        }
    }
}
