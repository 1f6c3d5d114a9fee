//! Emits regions as structured control flow: each construct has one merge block.

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
    /// Of loops: the continue block, and the values that arrive there.
    next: u32,
    continuing: Vec<(Vec<u32>, u32)>,
}

impl Emitter<'_, '_> {
    pub fn control(&mut self, inst: &Inst) {
        let outside = self.scopes;
        if inst.op.is_control() {
            self.scopes = outside.inside(&inst.op, self.constructs.len());
        }
        match &inst.op {
            Op::If(cond, then, other) => self.if_(*cond, then, other, &inst.results),
            Op::Switch {
                selector,
                cases,
                default,
            } => {
                self.switch(*selector, cases, default, &inst.results);
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
            next,
            continuing: vec![],
        });
        merge
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

    fn if_(&mut self, cond: Value, then: &Region, other: &Region, results: &[Value]) {
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
        self.start_block(yes);
        self.region(then);
        if !skip {
            self.start_block(no);
            self.region(other);
        }
        self.close(results);
    }

    fn switch(
        &mut self,
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
        for ((_, region), label) in cases.iter().zip(labels) {
            self.start_block(label);
            self.region(region);
        }
        self.start_block(default_label);
        self.region(default);
        self.close(results);
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
            let made = make(self, n);
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
        // The number of copies is dropped: only `Unroll` without a number is a hint that all drivers take.
        let control = match unroll {
            Unroll::Auto => LoopControl::NONE,
            Unroll::Hint(_) => LoopControl::UNROLL,
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
