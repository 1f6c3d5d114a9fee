//! Computes once, in front of branches that follow one another, what addresses in several of them consist of.
//!
//! Loads of neighbours that have conditions of their own, at edges or where zeros are around an image, compute most of an address each.
//! Value numbering does not see it, since no branch is always taken, and drivers' compilers leave it.
//!
//! Algorithm: of each sequence, inner ones first. Integer arithmetic of its small `if`s is numbered: what computes the same of the same gets
//! one number, and so does what follows in the sequence itself. What was numbered twice moves in front of the first `if` that has
//! it. Its operands are outside, or have been numbered as often and move, too.
//!
//! Needs: addresses that are integers. Keeps the stage.

use rustc_hash::{FxHashMap, FxHashSet};

use super::numbers::{Numbers, Replaced};
use crate::diag::Sink;
use crate::ir::util::walk;
use crate::ir::{BinOp, CastOp, FastMath, Inst, Module, Op, Region, Type, Value};
use crate::pass::{Ctx, each_function};

/// Instructions of an `if` that is looked at, those of regions in it included: what moves out of larger ones may be for nothing.
const MAX_SIZE: usize = 32;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    // Elsewhere such an address is one instruction.
    if !ctx.target.paired_registers {
        return;
    }
    each_function(module, |func, _| {
        let Some(mut body) = func.body.take() else {
            return;
        };
        let mut new = Replaced::default();
        hoist(&mut body, &func.values, &mut new);
        new.carry_out(&mut body);
        func.body = Some(body);
    });
}

/// The numbers of a sequence.
#[derive(Default)]
struct Sequence {
    /// With the place of the first `if` that has each.
    numbers: Numbers<usize>,
    of: FxHashMap<Value, usize>,
    /// Regions of `if`s and instructions of the sequence that have been numbered.
    places: usize,
}

fn hoist(region: &mut Region, types: &[Type], new: &mut Replaced) {
    let mut sequence = Sequence::default();
    for (at, inst) in region.insts.iter_mut().enumerate() {
        for nested in inst.op.regions_mut() {
            hoist(nested, types, new);
        }
        match &inst.op {
            Op::If(..) if is_small(&inst.op) => {
                for side in inst.op.regions() {
                    sequence.side(side, at, types, new);
                }
            }
            _ => sequence.outside(inst, types, new),
        }
    }
    let numbers = &sequence.numbers.all;
    let moves = |n: &usize| numbers[*n].places > 1;
    if !(0..numbers.len()).any(|n| moves(&n)) {
        return;
    }
    let mut moved: Vec<Option<Inst>> = Vec::new();
    moved.resize_with(numbers.len(), || None);
    let mut take = |insts: &mut Vec<Inst>| {
        insts.retain_mut(|inst| {
            let number = inst.results.first().and_then(|v| sequence.of.get(v));
            let Some(&n) = number.filter(|n| moves(n)) else {
                return true;
            };
            let number = &numbers[n];
            if inst.results[0] == number.result {
                inst.op = number.op.clone();
                moved[n] = Some(inst.clone());
            } else {
                new.insert(inst.results[0], number.result);
            }
            false
        });
    };
    let insts = std::mem::take(&mut region.insts);
    let mut places: Vec<Vec<Inst>> = Vec::with_capacity(insts.len());
    for mut inst in insts {
        if matches!(inst.op, Op::If(..)) {
            inst.op.regions_mut().for_each(|side| take(&mut side.insts));
        }
        let mut place = vec![inst];
        take(&mut place);
        places.push(place);
    }
    for (number, inst) in numbers.iter().zip(moved) {
        if let Some(inst) = inst {
            let place = &mut places[number.data];
            place.insert(place.len() - 1, inst);
        }
    }
    region.insts = places.into_iter().flatten().collect();
}

/// Small, and without loops and switches.
fn is_small(op: &Op) -> bool {
    let mut size = 0;
    let mut straight = true;
    for side in op.regions() {
        walk(side, &mut |inst| {
            size += 1;
            straight &= inst.op.regions().next().is_none() || matches!(inst.op, Op::If(..));
        });
    }
    straight && size <= MAX_SIZE
}

fn is_arithmetic(op: &Op, ty: Type) -> bool {
    matches!(ty, Type::I32 | Type::I64)
        && match op {
            Op::Binary(op, ..) => matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl),
            Op::Cast(op, _) => matches!(op, CastOp::SExt | CastOp::ZExt | CastOp::Trunc),
            _ => false,
        }
}

impl Sequence {
    /// Numbers the instructions of a region of the `if` at a place.
    fn side(&mut self, side: &Region, at: usize, types: &[Type], new: &Replaced) {
        self.places += 1;
        let mut hidden: FxHashSet<Value> = FxHashSet::default();
        for inst in &side.insts {
            let number = self.number(inst, types, new, &hidden, Some(at));
            if number.is_none() {
                hidden.extend(&inst.results);
            }
        }
    }

    /// What the sequence computes again behind an `if`.
    fn outside(&mut self, inst: &Inst, types: &[Type], new: &Replaced) {
        self.places += 1;
        self.number(inst, types, new, &FxHashSet::default(), None);
    }

    /// The number of an instruction, a new one only at the place of an `if`.
    fn number(
        &mut self,
        inst: &Inst,
        types: &[Type],
        new: &Replaced,
        hidden: &FxHashSet<Value>,
        at: Option<usize>,
    ) -> Option<usize> {
        let &[result] = &inst.results[..] else {
            return None;
        };
        if !is_arithmetic(&inst.op, types[result.index()]) {
            return None;
        }
        let mut op = inst.op.clone();
        let mut seen = true;
        op.for_each_operand_mut(|v| {
            *v = new.resolve(*v);
            match self.of.get(v) {
                Some(&n) => *v = self.numbers.all[n].result,
                None => seen &= !hidden.contains(v),
            }
        });
        if !seen {
            return None;
        }
        let n = self
            .numbers
            .find(op, result, FastMath::default(), types, at)?;
        self.of.insert(result, n);
        self.numbers.all[n].count_at(self.places);
        Some(n)
    }
}
