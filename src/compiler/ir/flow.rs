//! Forward data-flow analysis: a fact for each value.
//!
//! Algorithm: walks in text order, until one changes nothing. What a region passes on flows to the results of the
//! instruction around it and to the parameters of loops; the analysis handles all other instructions. Facts
//! only grow, and each can grow a limited number of times: so the walks end.

use super::scopes::Scopes;
use super::{Function, Inst, Op, Region, Value};

pub trait Analysis: Sized {
    type Fact: Clone + Default;

    /// Facts of other values flow to this one.
    fn concerns(&self, v: Value) -> bool;

    /// Adds `more` to the fact of a value. Returns whether that changed it.
    fn join(&mut self, v: Value, fact: &mut Self::Fact, more: &Self::Fact) -> bool;

    /// Adds what an instruction says that is no `if`, `switch`, `loop`, `yield`, `break` or `continue`.
    fn transfer(&mut self, inst: &Inst, facts: &mut Facts<Self::Fact>);
}

/// The facts found so far.
pub struct Facts<F> {
    by_value: Vec<F>,
    changed: bool,
}

impl<F: Clone> Facts<F> {
    pub fn get(&self, v: Value) -> &F {
        &self.by_value[v.index()]
    }

    pub fn add<A: Analysis<Fact = F>>(&mut self, analysis: &mut A, v: Value, more: &F) {
        self.changed |= analysis.join(v, &mut self.by_value[v.index()], more);
    }

    /// The facts of `from` hold of `to`, too.
    pub fn copy<A: Analysis<Fact = F>>(&mut self, analysis: &mut A, to: Value, from: Value) {
        if analysis.concerns(to) {
            let more = self.get(from).clone();
            self.add(analysis, to, &more);
        }
    }

    fn copy_all<A: Analysis<Fact = F>>(&mut self, analysis: &mut A, to: &[Value], from: &[Value]) {
        for (&to, &from) in to.iter().zip(from) {
            self.copy(analysis, to, from);
        }
    }

    fn region<'r, A: Analysis<Fact = F>>(
        &mut self,
        analysis: &mut A,
        region: &'r Region,
        scopes: Scopes<&'r Inst>,
    ) {
        for inst in &region.insts {
            match &inst.op {
                op @ (Op::If(..) | Op::Switch { .. } | Op::Loop { .. }) => {
                    if let Op::Loop { init, body, .. } = op {
                        self.copy_all(analysis, &body.params, init);
                    }
                    for nested in op.regions() {
                        self.region(analysis, nested, scopes.inside(op, inst));
                    }
                }
                op @ (Op::Yield(values) | Op::Break(values) | Op::Continue(values)) => {
                    let to = scopes.receivers(op).unwrap_or(&[]);
                    self.copy_all(analysis, to, values);
                }
                _ => analysis.transfer(inst, self),
            }
        }
    }
}

/// The facts of all values of a function with this body, by value. `param`: of each parameter.
pub fn solve<A: Analysis>(
    analysis: &mut A,
    func: &Function,
    body: &Region,
    param: &A::Fact,
) -> Vec<A::Fact> {
    let mut facts = Facts {
        by_value: vec![A::Fact::default(); func.values.len()],
        changed: false,
    };
    for &v in &func.params {
        facts.add(analysis, v, param);
    }
    loop {
        facts.changed = false;
        facts.region(analysis, body, Scopes::default());
        if !facts.changed {
            return facts.by_value;
        }
    }
}
