//! Loops for a driver that ends them after a number of rounds.
//!
//! llvmpipe of Mesa 22 lets the work-items of a vector run 65535 rounds, of all loops together, and
//! then leaves every loop at the end of its round: silently, with wrong results. So [`repeat`] makes fewer rounds, and [`watch`]
//! lets the runtime know when the driver left a loop that had not ended.
//!
//! Algorithm of `repeat`: the body of any small innermost loop is repeated in it, exits and all, and skipped unless
//! [`SPEC_REPEAT_LOOPS`] says that few work-items run: their loops may be long.
//! Needs: Lowered, with variables promoted and folded, loops unrolled. Keeps it.
//!
//! Algorithm of `watch`: a word of private memory says how the last round ended. A `break` of a loop sets it, a
//! `continue` clears it. Behind a loop it is clear only if the driver left: that goes to the word for faults in
//! the printf buffer, and the command fails. The word is one of two, chosen by a value
//! that the driver's compiler cannot know: else it would conclude that loops end by breaks only.
//!
//! Needs: Ssa, loops unrolled. Keeps it.

use crate::diag::Sink;
use crate::ir::builder::Builder;
use crate::ir::util::walk;
use crate::ir::{
    Addr, AtomicOp, BinOp, CmpOp, Function, Inst, Module, Op, Region, Space, Type, Unroll, Value,
};
use crate::kernel::{SPEC_REPEAT_LOOPS, SysField};
use crate::pass::lower::printf::Buffer;
use crate::pass::ssa::cleanup;
use crate::pass::ssa::unroll::copies::{copies, define, fresh, plain, straighten};
use crate::pass::ssa::unroll::trips::{self, Known};
use crate::pass::ssa::unroll::weights::Weights;
use crate::pass::{Ctx, each_function};
use crate::printf::{FAULT, Fault};
use smallvec::smallvec;

/// Rounds that the driver certainly runs in one invocation.
const SAFE: usize = 32 << 10;
/// Instructions that the counting may execute in a function.
const MAX_STEPS: usize = 1 << 16;

/// Instructions of a body that is repeated, and copies in it.
const SMALL_REPEATED: usize = 512;
const MAX_REPEATED: usize = 32;
/// Instructions that a function may grow by. Large functions have many loops and compile slowly without this.
const MAX_REPEATS: usize = 8 * SMALL_REPEATED;

pub fn repeat(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.limits_rounds {
        return;
    }
    each_function(module, |func, globals| {
        if is_short(func) {
            return;
        }
        let Some(mut body) = func.body.take() else {
            return;
        };
        let mut repeat = Repeat {
            func,
            room: MAX_REPEATS,
        };
        let any = repeat.region(&mut body);
        func.body = Some(body);
        if any {
            cleanup::clean(func, globals, ctx.target);
        }
    });
}

struct Repeat<'a> {
    func: &'a mut Function,
    /// Instructions that may be added.
    room: usize,
}

impl Repeat<'_> {
    /// Repeats the innermost loops of a region. Returns whether there was one.
    fn region(&mut self, region: &mut Region) -> bool {
        let mut any = false;
        for mut inst in std::mem::take(&mut region.insts) {
            let mut inside = false;
            for nested in inst.op.regions_mut() {
                inside |= self.region(nested);
            }
            if let Op::Loop { body, unroll, .. } = &mut inst.op
                && *unroll != Unroll::Never
                && !inside
            {
                inside = self.body(body, &mut region.insts);
            }
            any |= inside;
            region.insts.push(inst);
        }
        any
    }

    /// Repeats the body of a loop, if it can. New instructions before the loop go to `before`. Returns whether it did.
    fn body(&mut self, body: &mut Region, before: &mut Vec<Inst>) -> bool {
        let (mut fit, mut size) = (true, 0);
        walk(body, &mut |inst| {
            size += match inst.op {
                // A loop over the lanes, for llvmpipe.
                Op::Load { .. } | Op::Store { .. } => 8,
                _ => 1,
            };
            // Each barrier is a point where llvmpipe takes a function apart; others become long.
            fit &= !matches!(
                inst.op,
                Op::Loop { .. }
                    | Op::Barrier { .. }
                    | Op::Call { .. }
                    | Op::Printf(..)
                    | Op::Atomic { .. }
                    | Op::Copy { .. }
            );
        });
        let count = (SMALL_REPEATED / size.max(1)).min(MAX_REPEATED);
        if !fit || count < 2 || !straighten(body, before) {
            return false;
        }
        let Some(room) = self.room.checked_sub(size * count) else {
            return false;
        };
        self.room = room;
        let func = &mut *self.func;
        let few = define(func, Type::I32, Op::Spec(SPEC_REPEAT_LOOPS), before);
        let zero = define(func, Type::I32, Op::Const(0), before);
        let few = Op::Compare(CmpOp::Ne, few, zero);
        let few = define(func, Type::BOOL, few, before);
        let mut others = body.clone();
        let params = fresh(func, &body.params);
        let (mut insts, next) = copies(func, &params, body, 1, |_, _| {});
        if let Some(next) = next {
            let (mut more, last) = copies(func, &next, &mut others, count - 1, |_, _| {});
            more.extend(last.map(|values| plain(smallvec![], Op::Yield(values))));
            let results = fresh(func, &params);
            let [more, once] = [more, vec![plain(smallvec![], Op::Yield(next))]].map(|insts| {
                let params = Vec::new();
                Box::new(Region { params, insts })
            });
            insts.push(plain(results.clone().into(), Op::If(few, more, once)));
            insts.push(plain(smallvec![], Op::Continue(results)));
        }
        *body = Region { params, insts };
        true
    }
}

pub fn watch(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
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
            watch_loops(func);
        }
    });
}

/// Returns whether constants show that the loops run few rounds.
fn is_short(func: &Function) -> bool {
    let Some(body) = &func.body else { return true };
    let mut calls = false;
    walk(body, &mut |inst| {
        calls |= matches!(inst.op, Op::Call { .. })
    });
    let known = Known::of(func, body, Weights::NONE, u32::MAX);
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

fn watch_loops(func: &mut Function) {
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
            let fault = b.const_int(Type::I32, i64::from(Fault::LoopCut as u32));
            Buffer::of(b).atomic(b, FAULT, AtomicOp::Or, vec![fault]);
        });
    }
}
