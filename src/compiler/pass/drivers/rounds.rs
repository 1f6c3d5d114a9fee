//! Lets the runtime know when the driver left a loop that had not ended.
//!
//! llvmpipe of Mesa 22 lets the work-items of a vector run 65535 rounds, of all loops together, and
//! then leaves every loop at the end of its round: silently, with wrong results.
//!
//! Algorithm: a word of private memory says how the last round ended. A `break` of a loop sets it, a
//! `continue` clears it. Behind a loop it is clear only if the driver left: that goes to the header of
//! the printf buffer, and the command fails. The word is one of two, chosen by what the
//! driver's compiler cannot know, lest it concludes that loops end by breaks only.
//!
//! Needs: Ssa, loops unrolled. Keeps it.

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::walk;
use crate::ir::{Addr, AtomicOp, BinOp, CmpOp, Function, Module, Op, Region, Space, Type, Value};
use crate::kernel::SysField;
use crate::pass::lower::printf::Buffer;
use crate::pass::ssa::unroll::trips::{self, Known};
use crate::pass::{Ctx, each_function};
use crate::printf::STOPPED;

/// Rounds that the driver certainly runs in one invocation.
const SAFE: usize = 32 << 10;
/// Instructions that the counting may execute in a function.
const MAX_STEPS: usize = 1 << 16;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.limits_rounds || module.funcs.iter().all(is_short) {
        return;
    }
    each_function(module, |func, _| {
        let mut loops = false;
        let Some(body) = &func.body else { return };
        walk(body, &mut |inst| {
            loops |= matches!(inst.op, Op::Loop { .. })
        });
        if loops {
            watch(func);
        }
    });
}

/// Constants tell that there are few rounds.
pub fn is_short(func: &Function) -> bool {
    let Some(body) = &func.body else { return true };
    let mut calls = false;
    walk(body, &mut |inst| calls |= matches!(inst.op, Op::Call(..)));
    let known = Known::of(func, body, u32::MAX);
    let mut steps = MAX_STEPS;
    !calls && rounds(func, &known, body, &mut steps).is_some_and(|n| n <= SAFE)
}

/// Rounds of all loops in a region, each inner one counted in every round of the outer one.
fn rounds(func: &Function, known: &Known, region: &Region, steps: &mut usize) -> Option<usize> {
    let mut sum: usize = 0;
    for inst in &region.insts {
        let mut inside: usize = 0;
        for nested in inst.op.regions() {
            inside = inside.saturating_add(rounds(func, known, nested, steps)?);
        }
        if let Op::Loop { init, body, .. } = &inst.op {
            let trips = trips::count(func, known, init, body, steps)?;
            inside = trips.rounds.saturating_mul(1 + inside);
        }
        sum = sum.saturating_add(inside);
    }
    Some(sum)
}

fn watch(func: &mut Function) {
    let Some(body) = func.body.take() else { return };
    let mut b = Builder::new(func);
    let words = Op::Alloca { size: 8, align: 4 };
    let words = b.insert1(words, Type::ptr(Space::Private));
    // Always 0.
    let dims = b.insert1(Op::Sys(SysField::WorkDim), Type::I32);
    let eight = b.const_int(Type::I32, 8);
    let high = b.binary(BinOp::LShr, dims, eight);
    let four = b.const_int(Type::I32, 4);
    let offset = b.binary(BinOp::Mul, high, four);
    let word = b.ptradd(words, offset);
    let mut watch = Watch { b, word };
    watch.region(body, false);
    watch.b.finish();
}

struct Watch<'a> {
    b: Builder<'a>,
    /// Pointer to it.
    word: Value,
}

impl Watch<'_> {
    /// Rebuilds a region; `breaks_loop`: its breaks leave a loop.
    fn region(&mut self, region: Region, breaks_loop: bool) {
        self.b.reserve(region.insts.len());
        for mut inst in region.insts {
            let inside = match inst.op {
                Op::Loop { .. } => true,
                Op::Switch { .. } => false,
                _ => breaks_loop,
            };
            for nested in inst.op.regions_mut() {
                let old = std::mem::take(nested);
                self.b.push_region(old.params.clone());
                self.region(*old, inside);
                *nested = self.b.pop_region();
            }
            match inst.op {
                Op::Break(_) if breaks_loop => self.set(1),
                Op::Continue(_) => self.set(0),
                _ => {}
            }
            let is_loop = matches!(inst.op, Op::Loop { .. });
            self.b.push(inst);
            if is_loop {
                self.check();
            }
        }
    }

    fn set(&mut self, ended: i64) {
        let ended = self.b.const_int(Type::I32, ended);
        self.b.store_to(Addr::Ptr(self.word), ended, 4, true);
    }

    fn check(&mut self) {
        let ended = self.b.load_from(Addr::Ptr(self.word), Type::I32, 4, true);
        let zero = self.b.const_int(Type::I32, 0);
        let stopped = self.b.compare(CmpOp::Eq, ended, zero);
        self.b.if_then(stopped, |b| {
            let one = b.const_int(Type::I32, 1);
            Buffer::of(b).atomic(b, STOPPED, AtomicOp::Or, vec![one]);
        });
    }
}
