//! Runtime unrolling: repeats the body of a loop whose number of rounds only data tells.
//!
//! Algorithm: a small innermost loop with one exit, where a counter that steps by a constant is compared with a value that
//! the loop does not change, becomes two. The first runs as long as [`PARTS`] rounds are left and has as many copies of the
//! body, without exits, so that loads of several rounds are on their way at once; the second is the loop as it was, for what is left.
//! `i < n` for the next rounds is `i < n - 3 * step`, if that does not overflow.
//!
//! Needs: the values that sroa made of private objects. Keeps the stage.

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::smallvec;

use super::copies::{copies, define, fresh, plain, straighten};
use super::weights::Weights;
use crate::diag::Sink;
use crate::ir::builder::mask;
use crate::ir::defs::Constants;
use crate::ir::util::{copy_region, each_continue, has_break, has_return, walk, walk_mut};
use crate::ir::{
    BinOp, CastOp, CmpOp, Function, Inst, Module, Op, Region, Scalar, Type, Unroll, Value, eval,
};
use crate::pass::Ctx;
use crate::pass::ssa::{cleanup, effects};

/// Copies of the body.
const PARTS: u64 = 4;
/// Instructions of a body, each counted once a lane.
const SMALL: usize = 48;
/// What a function may grow by, besides its own size.
const MAX_GROWTH: usize = 4 << 10;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.keeps_loops {
        return;
    }
    let weights = Weights::of(module, ctx.target);
    cleanup::behind(module, ctx, |func, body| {
        let mut unroller = Unroller {
            weights: &weights,
            constants: Constants::of(func, body),
            room: MAX_GROWTH + func.values.len(),
            func,
        };
        unroller.region(body)
    });
}

struct Unroller<'f> {
    weights: &'f Weights,
    func: &'f mut Function,
    constants: Constants,
    /// Instructions that may be added.
    room: usize,
}

/// The exit of a loop.
#[derive(Clone, Copy)]
struct Exit {
    /// The place in the body of the `if` that leaves.
    at: usize,
    /// Its condition where the loop goes on.
    stay: bool,
    /// The loop goes on while the counter, and what is added to it, compares so with the bound.
    op: CmpOp,
    /// The place of the counter among the parameters.
    counter: usize,
    offset: Option<Value>,
    bound: Value,
    /// What the counter changes by in each round.
    step: i64,
    /// Of the counter and the bound.
    ty: Type,
}

impl Unroller<'_> {
    /// Returns whether a loop inside was unrolled.
    fn region(&mut self, around: &mut Region) -> bool {
        let mut any = false;
        let mut at = 0;
        while at < around.insts.len() {
            for nested in around.insts[at].op.regions_mut() {
                any |= self.region(nested);
            }
            if let Op::Loop {
                init,
                body,
                unroll: Unroll::Auto,
            } = &mut around.insts[at].op
            {
                let mut insts = unchanged(body);
                if let Some(mut first) = self.unrolled(init, body) {
                    insts.append(&mut first);
                    any = true;
                }
                let count = insts.len();
                around.insts.splice(at..at, insts);
                at += count;
            }
            at += 1;
        }
        any
    }

    /// What comes in front of the loop. The loop goes on where that ends.
    fn unrolled(&mut self, init: &mut Vec<Value>, body: &Region) -> Option<Vec<Inst>> {
        let size = size(self.func, self.weights, &self.constants, body)?;
        let room = self.room.checked_sub(size * PARTS as usize)?;
        self.exit(init, body)?;
        let mut before = Vec::new();
        let mut repeated = copy_region(body, self.func, &mut FxHashMap::default());
        if !straighten(&mut repeated, &mut before) {
            return None;
        }
        let exit = self.exit(init, &repeated)?;
        let params = fresh(self.func, &repeated.params);
        let mut insts = Vec::new();
        let more = self.more(&exit, params[exit.counter], &mut before, &mut insts)?;
        self.room = room;

        let ends = |op| {
            let insts = vec![plain(smallvec![], op)];
            Box::new(Region {
                params: Vec::new(),
                insts,
            })
        };
        let (stay, leave) = (ends(Op::Yield(Vec::new())), ends(Op::Break(params.clone())));
        insts.push(plain(smallvec![], Op::If(more, stay, leave)));
        let stays = define(
            self.func,
            Type::BOOL,
            Op::Const(exit.stay.into()),
            &mut before,
        );
        let parts = PARTS as usize;
        let (mut rounds, next) = copies(self.func, &params, &mut repeated, parts, |_, copy| {
            if let Op::If(cond, ..) = &mut copy[exit.at].op {
                *cond = stays;
            }
        });
        self.widen(
            &exit,
            params[exit.counter],
            &mut rounds,
            &mut before,
            &mut insts,
        );
        insts.append(&mut rounds);
        insts.extend(next.map(|values| plain(smallvec![], Op::Continue(values))));
        let results = fresh(self.func, &params);
        let first = Op::Loop {
            init: std::mem::replace(init, results.clone()),
            body: Box::new(Region { params, insts }),
            unroll: Unroll::Never,
        };
        before.push(plain(results.into_iter().collect(), first));
        Some(before)
    }

    /// Extends the counter once. What later rounds extend is that and a constant, as it cannot overflow: so the places in memory of all rounds
    /// are offsets from one.
    fn widen(
        &mut self,
        exit: &Exit,
        counter: Value,
        rounds: &mut Vec<Inst>,
        before: &mut Vec<Inst>,
        insts: &mut Vec<Inst>,
    ) {
        use CmpOp::*;
        let cast = match exit.op {
            Slt | Sle | Sgt | Sge => CastOp::SExt,
            Ult | Ule | Ugt | Uge => CastOp::ZExt,
            _ => return,
        };
        if exit.offset.is_some() || exit.ty != Type::I32 {
            return;
        }
        let last = exit.step * (PARTS as i64 - 1);
        let mut ahead = FxHashMap::from_iter([(counter, 0)]);
        let mut extended = FxHashMap::default();
        let mut body = Region {
            params: Vec::new(),
            insts: std::mem::take(rounds),
        };
        walk(&body, &mut |inst| match inst.op {
            Op::Binary(BinOp::Add, a, b) => {
                if let (Some(from), Some(by)) = (ahead.get(&a), self.constants.get(b)) {
                    let by = eval::signed(Scalar::I32, by);
                    ahead.insert(inst.results[0], from + by);
                }
            }
            Op::Cast(op, v) if op == cast && self.func.ty(inst.results[0]) == Type::I64 => {
                let known = ahead.get(&v).copied();
                if let Some(by) = known.filter(|by| (last.min(0)..=last.max(0)).contains(by)) {
                    extended.insert(inst.results[0], by);
                }
            }
            _ => {}
        });
        if !extended.is_empty() {
            let wide = define(self.func, Type::I64, Op::Cast(cast, counter), insts);
            walk_mut(&mut body, &mut |inst| {
                if let Some(by) = inst.results.first().and_then(|v| extended.get(v)) {
                    let by = define(self.func, Type::I64, Op::Const(*by as u64), before);
                    inst.op = Op::Binary(BinOp::Add, wide, by);
                }
            });
        }
        *rounds = body.insts;
    }

    /// Whether [`PARTS`] rounds are left. What does not change goes to `before`.
    fn more(
        &mut self,
        exit: &Exit,
        counter: Value,
        before: &mut Vec<Inst>,
        insts: &mut Vec<Inst>,
    ) -> Option<Value> {
        use CmpOp::*;
        let Exit {
            op,
            offset,
            bound,
            step,
            ty,
            ..
        } = *exit;
        let func = &mut *self.func;
        let tested = match offset {
            Some(offset) => define(func, ty, Op::Binary(BinOp::Add, counter, offset), insts),
            None => counter,
        };
        if op == Ne {
            let (a, b) = match step {
                1 => (bound, tested),
                -1 => (tested, bound),
                _ => return None,
            };
            let least = define(func, ty, Op::Const(PARTS), before);
            let left = define(func, ty, Op::Binary(BinOp::Sub, a, b), insts);
            return Some(define(
                func,
                Type::BOOL,
                Op::Compare(Uge, left, least),
                insts,
            ));
        }
        // Counters that step away from the bound end by overflow.
        let (rises, nearer) = match op {
            Slt | Sle => (true, Slt),
            Ult | Ule => (true, Ult),
            Sgt | Sge => (false, Sgt),
            Ugt | Uge => (false, Ugt),
            _ => return None,
        };
        let distance = step.checked_mul(PARTS as i64 - 1)?;
        // Less than half of the numbers, so that one comparison finds an overflow.
        if rises != (step > 0) || distance.unsigned_abs() >= 1 << (ty.scalar.bits() - 2) {
            return None;
        }
        let distance = Op::Const(distance as u64 & mask(ty.scalar.bits()));
        let distance = define(func, ty, distance, before);
        let limit = define(func, ty, Op::Binary(BinOp::Sub, bound, distance), before);
        let exists = define(func, Type::BOOL, Op::Compare(nearer, limit, bound), before);
        let more = define(func, Type::BOOL, Op::Compare(op, tested, limit), insts);
        Some(define(
            func,
            Type::BOOL,
            Op::Binary(BinOp::And, more, exists),
            insts,
        ))
    }

    /// The only exit of a loop, if a counter decides it in a round that constants do not tell.
    fn exit(&self, init: &[Value], body: &Region) -> Option<Exit> {
        let leaves = |inst: &Inst| inst.op.regions().any(|r| has_break(r) || has_return(r));
        let mut exits = body
            .insts
            .iter()
            .enumerate()
            .filter(|(_, inst)| leaves(inst));
        let ((at, inst), None) = (exits.next()?, exits.next()) else {
            return None;
        };
        let Op::If(cond, then, other) = &inst.op else {
            return None;
        };
        let breaks = |r: &Region| {
            matches!(
                r.insts.last(),
                Some(Inst {
                    op: Op::Break(_),
                    ..
                })
            )
        };
        let stays = |r: &Region| !has_break(r) && !has_return(r);
        let stay = match (breaks(then), breaks(other)) {
            (true, false) if stays(other) => false,
            (false, true) if stays(then) => true,
            _ => return None,
        };
        let made = made(body);
        let Op::Compare(op, a, b) = **made.get(cond)? else {
            return None;
        };
        let op = if stay { op } else { op.inverse()? };
        let ty = self.func.ty(a);
        if ty != Type::I32 && ty != Type::I64 {
            return None;
        }
        let inside = |v: Value| made.contains_key(&v) || body.params.contains(&v);
        let (op, tested, bound) = match (inside(a), inside(b)) {
            (true, false) => (op, a, b),
            (false, true) => (op.swapped(), b, a),
            _ => return None,
        };
        let (counter, offset) = match made.get(&tested).copied() {
            None => (tested, None),
            Some(&Op::Binary(BinOp::Add, a, b)) if !inside(b) => (a, Some(b)),
            Some(&Op::Binary(BinOp::Add, a, b)) if !inside(a) => (b, Some(a)),
            Some(_) => return None,
        };
        let counter = body.params.iter().position(|&p| p == counter)?;
        let constant = |v: Value| self.constants.get(v).is_some();
        if constant(bound) && constant(init[counter]) {
            return None;
        }
        let step = self.step(body, &made, counter)?;
        Some(Exit {
            at,
            stay,
            op,
            counter,
            offset,
            bound,
            step,
            ty,
        })
    }

    /// What a parameter changes by in each round.
    fn step(&self, body: &Region, made: &FxHashMap<Value, &Op>, counter: usize) -> Option<i64> {
        let param = body.params[counter];
        let mut steps = Vec::new();
        each_continue(body, &mut |values| {
            let step = match made.get(&values[counter]).copied() {
                Some(&Op::Binary(BinOp::Add, a, b)) if a == param => Some(b),
                Some(&Op::Binary(BinOp::Add, a, b)) if b == param => Some(a),
                _ => None,
            };
            steps.push(step.and_then(|v| self.constants.get(v)));
        });
        let first = (*steps.first()?)?;
        let same = steps.iter().all(|&step| step == Some(first));
        same.then(|| eval::signed(self.func.ty(param).scalar, first))
    }
}

/// Takes out of a body what its first instructions compute of nothing that changes in it: bounds, mostly.
fn unchanged(body: &mut Region) -> Vec<Inst> {
    let mut changing: FxHashSet<Value> = body.params.iter().copied().collect();
    let mut first = true;
    let stays = |inst: &mut Inst| {
        first &= !inst.op.is_control();
        let mut stays = !first || !effects::is_pure(&inst.op);
        inst.op.for_each_operand(|v| stays |= changing.contains(&v));
        if stays {
            changing.extend(&inst.results);
        }
        !stays
    };
    body.insts.extract_if(.., stays).collect()
}

/// What makes each value of a small body.
fn made(body: &Region) -> FxHashMap<Value, &Op> {
    let mut made = FxHashMap::default();
    walk(body, &mut |inst| {
        made.extend(inst.results.iter().map(|&v| (v, &inst.op)));
    });
    made
}

/// Instructions of a body, each counted once a lane; lanes that only change places are none. `None` if it is large, or has what
/// must not move to another loop: work-items that meet there would no longer meet.
fn size(func: &Function, weights: &Weights, constants: &Constants, body: &Region) -> Option<usize> {
    let mut size = Some(0);
    walk(body, &mut |inst| {
        let may_move = match inst.op {
            Op::Load { volatile, .. } | Op::Store { volatile, .. } => !volatile,
            Op::If(..) | Op::Fetch(..) => true,
            ref op => op.is_terminator() || effects::is_pure(op),
        };
        let count = match inst.op {
            Op::Extract(..) | Op::Insert(..) | Op::Construct(_) | Op::Splat(_) => 0,
            _ => weights.of_inst(func, constants, inst),
        };
        size = size.filter(|_| may_move).map(|size: usize| size + count);
    });
    size.filter(|&size| size <= SMALL)
}
