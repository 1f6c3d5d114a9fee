//! Emits regions as structured control flow: each construct has one merge block.
//!
//! SwiftShader looks for the ways from a loop's head breadth-first and takes a block again for each time that it was found
//! before it was first taken: where branches of one length meet, all behind them is taken once for each branch, so that a
//! loop of n ifs takes 2^n steps. For it (`repeats_merges`) all branches but one are longer by two blocks, those of a selection with one
//! way. Its optimizer removes empty blocks, and not these.

use std::ops::Range;

use rspirv::dr::Operand;
use rspirv::spirv::{LoopControl, Op as SpvOp, SelectionControl};

use super::function::Emitter;
use super::writer::ids;
use crate::ir::{Inst, Op, Region, Scalar, Type, Unroll, Value};

/// An if, switch or loop that is being emitted.
pub struct Construct {
    merge: u32,
    /// Values that arrive at the merge block, with the block they come from.
    leaving: Vec<(Vec<u32>, u32)>,
    /// Of those values, where a driver's workaround asks for them.
    types: Vec<Type>,
    /// Of loops: the continue block, and the values that arrive there.
    next: u32,
    continuing: Vec<(Vec<u32>, u32)>,
}

/// How many control instructions a region has, without those in them.
fn controls(region: &Region) -> usize {
    let insts = region.insts.iter();
    insts.filter(|inst| inst.op.is_control()).count()
}

impl Emitter<'_, '_> {
    pub fn control(&mut self, inst: &Inst) {
        let outside = self.scopes;
        if inst.op.is_control() {
            self.scopes = outside.inside(&inst.op, self.constructs.len());
        }
        match &inst.op {
            Op::If(cond, then, other) => self.if_(&inst.op, (*cond, then, other), &inst.results),
            Op::Switch {
                selector,
                cases,
                default,
            } => {
                self.switch(&inst.op, *selector, cases, default, &inst.results);
            }
            Op::Loop { init, body, unroll } => self.loop_(init, body, *unroll, &inst.results),
            op @ (Op::Yield(values) | Op::Break(values) | Op::Continue(values)) => {
                let values = self.get_all(values);
                let from = self.block;
                if let Some(target) = self.scopes.target(op) {
                    let target = &mut self.constructs[target];
                    let (label, arriving) = match op {
                        Op::Continue(_) => (target.next, &mut target.continuing),
                        _ => (target.merge, &mut target.leaving),
                    };
                    arriving.push((values, from));
                    self.branch(label);
                }
            }
            Op::Return(value) => self.return_(*value),
            _ => self.w.push(SpvOp::Unreachable, None, None, vec![]),
        }
        self.scopes = outside;
    }

    fn return_(&mut self, value: Option<Value>) {
        let value = match (value, self.returns_value) {
            (Some(v), _) => Some(self.get(v)),
            (None, Some(ty)) => Some(self.w.constant(ty, 0)),
            (None, None) => None,
        };
        match value {
            Some(v) => self.w.push(SpvOp::ReturnValue, None, None, ids(&[v])),
            None => self.w.push(SpvOp::Return, None, None, vec![]),
        }
    }

    fn branch(&mut self, label: u32) {
        self.w.push(SpvOp::Branch, None, None, ids(&[label]));
    }

    fn open(&mut self) -> u32 {
        let (merge, next) = (self.w.id(), self.w.id());
        self.constructs.push(Construct {
            merge,
            leaving: vec![],
            types: vec![],
            next,
            continuing: vec![],
        });
        merge
    }

    fn note_types(&mut self, results: &[Value]) {
        if self.w.target.repeats_merges {
            let types = results.iter().map(|&v| self.ty(v)).collect();
            self.constructs.last_mut().expect("just opened").types = types;
        }
    }

    /// Starts the merge block and defines the results from the values that arrive there.
    fn close(&mut self, results: &[Value]) {
        let Some(construct) = self.constructs.pop() else {
            return;
        };
        self.start_block(construct.merge);
        for (i, &result) in results.iter().enumerate() {
            let ty = self.ty(result);
            let id = self.phi(None, ty, i, &construct.leaving);
            self.set(result, id);
        }
    }

    /// Defines a value from the `index`th of those that arrive.
    fn phi(
        &mut self,
        id: Option<u32>,
        ty: Type,
        index: usize,
        arriving: &[(Vec<u32>, u32)],
    ) -> u32 {
        match (arriving, id) {
            ([], None) => return self.w.undef(ty),
            ([(values, _)], None) => return values[index],
            _ => {}
        }
        let id = id.unwrap_or_else(|| self.w.id());
        let operands: Vec<u32> = arriving
            .iter()
            .flat_map(|(values, from)| [values[index], *from])
            .collect();
        let ty = self.w.ty(ty);
        self.w.push(SpvOp::Phi, Some(ty), Some(id), ids(&operands));
        id
    }

    fn selection_merge(&mut self, merge: u32) {
        let operands = vec![
            Operand::IdRef(merge),
            Operand::SelectionControl(SelectionControl::NONE),
        ];
        self.w.push(SpvOp::SelectionMerge, None, None, operands);
    }

    fn if_(&mut self, op: &Op, (cond, then, other): (Value, &Region, &Region), results: &[Value]) {
        let cond = self.get(cond);
        let (yes, no) = (self.w.id(), self.w.id());
        let merge = self.open();
        self.selection_merge(merge);
        // An empty branch gets a block only if it yields values.
        let empty =
            |r: &Region| matches!(&r.insts[..], [Inst { op: Op::Yield(v), .. }] if v.is_empty());
        let skip = empty(other) && !empty(then);
        let no_label = if skip { merge } else { no };
        self.w.push(
            SpvOp::BranchConditional,
            None,
            None,
            ids(&[cond, yes, no_label]),
        );
        if skip {
            let from = self.block;
            self.constructs
                .last_mut()
                .expect("just opened")
                .leaving
                .push((vec![], from));
        }
        self.note_types(results);
        let shorter = match skip || controls(other) < controls(then) {
            true => no,
            false => yes,
        };
        self.start_block(yes);
        self.arm(then, op, (cond, Some(true)), yes != shorter);
        if !skip {
            self.start_block(no);
            self.arm(other, op, (cond, Some(false)), no != shorter);
        }
        self.close(results);
    }

    fn switch(
        &mut self,
        op: &Op,
        selector: Value,
        cases: &[(Vec<u64>, Box<Region>)],
        default: &Region,
        results: &[Value],
    ) {
        let wide = self.ty(selector).scalar == Scalar::I64;
        let selector = self.get(selector);
        let merge = self.open();
        self.selection_merge(merge);
        let default_label = self.w.id();
        let mut operands = ids(&[selector, default_label]);
        let labels: Vec<u32> = cases.iter().map(|_| self.w.id()).collect();
        for ((values, _), &label) in cases.iter().zip(&labels) {
            for &v in values {
                operands.push(if wide {
                    Operand::LiteralBit64(v)
                } else {
                    Operand::LiteralBit32(v as u32)
                });
                operands.push(Operand::IdRef(label));
            }
        }
        self.w.push(SpvOp::Switch, None, None, operands);
        self.note_types(results);
        let regions = cases.iter().map(|(_, region)| &**region);
        let arms = regions.zip(labels).chain([(default, default_label)]);
        let shorter = arms.clone().min_by_key(|(region, _)| controls(region));
        let shorter = shorter.map(|(_, label)| label);
        for (region, label) in arms {
            self.start_block(label);
            self.arm(region, op, (selector, None), Some(label) != shorter);
        }
        self.close(results);
    }

    /// The rest of a branch of `op`, which is control's when `cond` is `taken`, or any if that is none. `longer` says that
    /// it is not the shortest.
    fn arm(&mut self, region: &Region, op: &Op, cond: (u32, Option<bool>), longer: bool) {
        if !(longer && self.w.target.repeats_merges) {
            return self.region(region);
        }
        let (outside, outer) = (self.scopes, self.constructs.len() - 1);
        self.scopes = outside.inside(op, outer + 1);
        let merge = self.lengthen(cond);
        self.region(region);
        self.scopes = outside;
        let arriving = self.constructs.pop().map_or(vec![], |c| c.leaving);
        self.start_block(merge);
        let Some((first, _)) = arriving.first() else {
            return self.w.push(SpvOp::Unreachable, None, None, vec![]);
        };
        let types = self.constructs[outer].types.clone();
        let values = types.iter().zip(0..first.len());
        let values = values.map(|(&ty, i)| self.phi(None, ty, i, &arriving));
        let values = values.collect();
        let outer = &mut self.constructs[outer];
        outer.leaving.push((values, merge));
        let label = outer.merge;
        self.branch(label);
    }

    /// Opens a selection that has one way, and starts it; returns its merge block.
    fn lengthen(&mut self, (cond, taken): (u32, Option<bool>)) -> u32 {
        let merge = self.open();
        self.selection_merge(merge);
        let [label, never] = [0; 2].map(|_| self.w.id());
        let (op, operands) = match taken {
            // From here a switch that is further out can be left.
            Some(true) => (SpvOp::BranchConditional, vec![cond, label, never]),
            Some(false) => (SpvOp::BranchConditional, vec![cond, never, label]),
            None => (SpvOp::Switch, vec![cond, label]),
        };
        self.w.push(op, None, None, ids(&operands));
        if taken.is_some() {
            self.start_block(never);
            self.w.push(SpvOp::Unreachable, None, None, vec![]);
        }
        self.start_block(label);
        merge
    }

    /// A word that is made in one branch for each number, of which `selector` is one.
    pub fn chosen(
        &mut self,
        selector: u32,
        numbers: Range<u32>,
        mut make: impl FnMut(&mut Self, u32) -> u32,
    ) -> u32 {
        let merge = self.open();
        self.selection_merge(merge);
        let labels: Vec<u32> = numbers.clone().map(|_| self.w.id()).collect();
        let mut operands = ids(&[selector, labels[labels.len() - 1]]);
        for (n, &label) in numbers.clone().zip(&labels[..labels.len() - 1]) {
            operands.extend([Operand::LiteralBit32(n), Operand::IdRef(label)]);
        }
        self.w.push(SpvOp::Switch, None, None, operands);
        let mut arriving = Vec::new();
        for (n, label) in numbers.zip(labels) {
            self.start_block(label);
            let longer = self.w.target.repeats_merges && !arriving.is_empty();
            let inner = longer.then(|| self.lengthen((selector, None)));
            let made = make(self, n);
            if let Some(inner) = inner {
                self.constructs.pop();
                self.branch(inner);
                self.start_block(inner);
            }
            arriving.push((vec![made], self.block));
            self.branch(merge);
        }
        self.constructs.pop();
        self.start_block(merge);
        self.phi(None, Type::I32, 0, &arriving)
    }

    fn loop_(&mut self, init: &[Value], body: &Region, unroll: Unroll, results: &[Value]) {
        let init = self.get_all(init);
        let before = self.block;
        let header = self.w.id();
        self.branch(header);
        self.start_block(header);
        let merge = self.open();
        let next = self.constructs.last().expect("just opened").next;
        // The values of the next round get their ids now, their definition in the continue block.
        let carried: Vec<u32> = init.iter().map(|_| self.w.id()).collect();
        for ((&param, first), &again) in body.params.iter().zip(init).zip(&carried) {
            let ty = self.ty(param);
            let ty = self.w.ty(ty);
            let id = self
                .w
                .value(SpvOp::Phi, ty, ids(&[first, before, again, next]));
            self.set(param, id);
        }
        // The number of copies is dropped: only `Unroll` without a number is a hint that all drivers take. Of the loops that
        // `pass::ssa::unroll` has left it is for drivers that do not unroll enough: Mesa's compilers obey it whatever the
        // number of rounds (`check_unrolling_restrictions`), with a level of ifs for each of them.
        let control = match unroll {
            Unroll::Hint(_) if self.w.target.keeps_loops => LoopControl::UNROLL,
            Unroll::Hint(_) | Unroll::Auto => LoopControl::NONE,
            Unroll::Never => LoopControl::DONT_UNROLL,
        };
        let operands = vec![
            Operand::IdRef(merge),
            Operand::IdRef(next),
            Operand::LoopControl(control),
        ];
        self.w.push(SpvOp::LoopMerge, None, None, operands);
        let first = self.w.id();
        self.branch(first);
        self.start_block(first);
        self.region(body);

        let continuing = std::mem::take(&mut self.constructs.last_mut().expect("open").continuing);
        self.start_block(next);
        for (i, (&param, &id)) in body.params.iter().zip(&carried).enumerate() {
            let ty = self.ty(param);
            if continuing.is_empty() {
                // The loop has no second round, but the continue block must still define the value.
                let ty = self.w.ty(ty);
                self.w.push(SpvOp::Undef, Some(ty), Some(id), vec![]);
            } else {
                self.phi(Some(id), ty, i, &continuing);
            }
        }
        self.branch(header);
        self.close(results);
    }
}
