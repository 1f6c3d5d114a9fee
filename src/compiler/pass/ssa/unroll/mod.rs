//! Unrolls loops whose number of rounds is a constant.
//!
//! Algorithm: `trips` counts the rounds. A loop whose rounds together are small becomes a scope
//! (`switch` without cases) with one copy of the body behind the other: a break leaves the
//! scope, a continue at the end of an if-tree yields what the next copy starts with (`tails`;
//! bodies with other continues stay loops). The counter is a constant in each copy, so
//! that cleanup folds the exits and offsets into private arrays, and takes the scope away if
//! nothing breaks. Of a small innermost loop with many rounds the body is repeated a few times
//! inside the loop; only one of the copies keeps the exit.
//!
//! Inner loops first: a round of sweeps over a function unrolls loops around no loop unrolled
//! in the same sweep, and cleans up, so that loops which the counters of others bound are seen.
//!
//! Needs: Lowered, with variables promoted and folded, and keeps it.

pub(in crate::pass) mod copies;
pub(in crate::pass) mod runtime;
pub(in crate::pass) mod trips;
pub(in crate::pass) mod weights;

use smallvec::smallvec;

use self::copies::{copies, define, fresh, plain, straighten};
use self::trips::{Known, Trips};
use self::weights::Weights;
use super::cleanup;
use crate::diag::Sink;
use crate::ir::util::{has_break, has_return, walk};
use crate::ir::{Function, Inst, Module, Op, Region, Type, Unroll, Value};
use crate::pass::{Ctx, each_function};

/// Instructions that an unrolled loop may have, each counted once a lane: wide loads side by side
/// cost more in registers than the loop does (a loop over float16 loads: half the bandwidth).
const SMALL: usize = 512;
/// The same if private arrays then become registers.
const SMALL_PRIVATE: usize = 4096;
/// The same for [`FEW`] rounds that only compute: nothing waits, so registers stay few. Also for those
/// that read texels, which come one by one: a 5x5 convolution on an H100 is 1.6 times as fast.
const SMALL_COMPUTING: usize = 2048;
const FEW: usize = 8;
/// Copies before folding may have this many times as many.
const FOLDED: usize = 4;
/// Instructions of a loop that is unrolled because the program asks for it.
const MAX_WANTED: usize = 16 << 10;
/// Instructions of a partly unrolled body.
const SMALL_PART: usize = 256;
/// The same if the body only computes.
const SMALL_ARITHMETIC: usize = 1024;
/// Copies in it, the most that fit.
const PARTS: [usize; 3] = [8, 4, 2];
/// What a function may grow by, besides its own size.
const MAX_GROWTH: usize = 16 << 10;
/// Instructions that the counting may execute in a function.
const MAX_STEPS: usize = 1 << 20;
/// Loops one in the other that are unrolled.
const MAX_NESTED: u32 = 4;
/// Exits that only data decides in a loop that becomes a scope: each puts all behind it one level deeper.
const MAX_EXITS: usize = 32;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    let weights = Weights::of(module, ctx.target);
    each_function(module, |func, globals| {
        let mut limits = Limits {
            room: MAX_GROWTH + func.values.len(),
            steps: MAX_STEPS,
            max_private: ctx.target.max_private,
        };
        for _ in 0..MAX_NESTED {
            if !sweep(func, &weights, Extent::Full, &mut limits) {
                break;
            }
            cleanup::clean(func, globals, ctx.target);
        }
        if sweep(func, &weights, Extent::Partial, &mut limits) {
            cleanup::clean(func, globals, ctx.target);
        }
    });
}

/// What unrolling may still cost in a function.
struct Limits {
    /// Instructions that may be added.
    room: usize,
    /// Instructions that the counting may execute.
    steps: usize,
    /// Bytes beyond which private objects lie in device memory.
    max_private: u32,
}

#[derive(Clone, Copy, PartialEq)]
enum Extent {
    /// A copy of the body for each round, and no loop.
    Full,
    /// A few copies of the body in the loop.
    Partial,
}

/// Unrolls innermost loops. Returns whether there was one to unroll.
fn sweep(func: &mut Function, weights: &Weights, extent: Extent, limits: &mut Limits) -> bool {
    let Some(mut body) = func.body.take() else {
        return false;
    };
    let mut loops = false;
    walk(&body, &mut |inst| {
        loops |= matches!(inst.op, Op::Loop { .. })
    });
    let known = Known::of(func, &body, weights, limits.max_private);
    let mut sweep = Sweep {
        func,
        known,
        extent,
        limits,
    };
    let any = loops && sweep.region(&mut body);
    func.body = Some(body);
    any
}

struct Sweep<'a> {
    func: &'a mut Function,
    known: Known<'a>,
    extent: Extent,
    limits: &'a mut Limits,
}

impl Sweep<'_> {
    /// Returns whether a loop inside was unrolled.
    fn region(&mut self, region: &mut Region) -> bool {
        let mut any = false;
        if !region
            .insts
            .iter()
            .any(|inst| matches!(inst.op, Op::Loop { .. }))
        {
            for inst in region.insts.iter_mut().filter(|inst| inst.op.is_control()) {
                for nested in inst.op.regions_mut() {
                    any |= self.region(nested);
                }
            }
            return any;
        }
        for mut inst in std::mem::take(&mut region.insts) {
            let mut inside = false;
            for nested in inst.op.regions_mut() {
                inside |= self.region(nested);
            }
            any |= inside;
            if let Op::Loop { init, body, unroll } = &mut inst.op
                && *unroll != Unroll::Never
                && !inside
            {
                any |= match self.extent {
                    Extent::Full => {
                        let scope = self.full(init, body, *unroll, &mut region.insts);
                        scope.map(|op| inst.op = op).is_some()
                    }
                    Extent::Partial => self.partial(init, body, unroll, &mut region.insts),
                };
            }
            region.insts.push(inst);
        }
        any
    }

    /// The scope that a loop becomes. What has to stand before it goes to `before`.
    fn full(
        &mut self,
        init: &[Value],
        body: &mut Region,
        unroll: Unroll,
        before: &mut Vec<Inst>,
    ) -> Option<Op> {
        let fits = |trips: &Trips, body: &Region| fits(trips, body, unroll);
        let trips = self.countable(init, body, before, fits)?;
        self.limits.room = self.limits.room.checked_sub(size(body) * trips.rounds)?;
        let (mut insts, next) = copies(self.func, init, body, trips.rounds, |_, _| {});
        if next.is_some() {
            insts.push(plain(smallvec![], Op::Unreachable));
        }
        let selector = define(self.func, Type::I32, Op::Const(0), before);
        let params = Vec::new();
        Some(Op::Switch {
            selector,
            cases: Vec::new(),
            default: Box::new(Region { params, insts }),
        })
    }

    /// Returns whether the body could be repeated. What has to stand before the loop goes to `before`.
    fn partial(
        &mut self,
        init: &[Value],
        body: &mut Region,
        unroll: &mut Unroll,
        before: &mut Vec<Inst>,
    ) -> bool {
        let wanted = *unroll;
        let several = |trips: &Trips, body: &Region| parts(trips, body, wanted) > 1;
        let Some(trips) = self.countable(init, body, before, several) else {
            return false;
        };
        let parts = parts(&trips, body, wanted);
        *unroll = Unroll::Auto;
        let Some(room) = self.limits.room.checked_sub(size(body) * parts) else {
            return false;
        };
        self.limits.room = room;
        let ways = [0, 1].map(|bit| define(self.func, Type::BOOL, Op::Const(bit), before));
        let params = fresh(self.func, &body.params);
        let (mut insts, next) = copies(self.func, &params, body, parts, |part, copy| {
            for known in &trips.ways {
                if let Some(way) = known.of_part(part, parts)
                    && let Op::If(cond, ..) = &mut copy[known.at].op
                {
                    *cond = ways[way as usize];
                }
            }
        });
        insts.extend(next.map(|values| plain(smallvec![], Op::Continue(values))));
        *body = Region { params, insts };
        true
    }

    /// What is known of a loop that is `worth` unrolling, its body straightened.
    fn countable(
        &mut self,
        init: &[Value],
        body: &mut Region,
        before: &mut Vec<Inst>,
        worth: impl Fn(&Trips, &Region) -> bool,
    ) -> Option<Trips> {
        let steps = &mut self.limits.steps;
        let trips = trips::count(self.func, &self.known, init, body, steps)?;
        if !worth(&trips, body) {
            return None;
        }
        if !straighten(body, before) {
            return None;
        }
        let trips = trips::count(self.func, &self.known, init, body, steps)?;
        worth(&trips, body).then_some(trips)
    }
}

/// The loop as a whole is small enough.
fn fits(trips: &Trips, body: &Region, unroll: Unroll) -> bool {
    let wanted = match unroll {
        Unroll::Hint(copies) => copies == 0 || copies as usize >= trips.rounds,
        _ => false,
    };
    let limit = if wanted {
        MAX_WANTED
    } else if trips.indexes_private {
        SMALL_PRIVATE
    } else if (trips.arithmetic || trips.fetches) && trips.rounds <= FEW {
        SMALL_COMPUTING
    } else {
        SMALL
    };
    trips.size <= limit
        && size(body) * trips.rounds <= FOLDED * limit
        && exits(trips, body) * trips.rounds <= MAX_EXITS
}

/// Ifs of a body that may leave the loop, and of which some round does not know whether they do.
fn exits(trips: &Trips, body: &Region) -> usize {
    let leaves = |r: &Region| has_break(r) || has_return(r);
    let decided = |at| trips.ways.iter().any(|w| w.at == at && w.is_decided());
    let insts = body.insts.iter().enumerate();
    insts
        .filter(|&(at, inst)| inst.op.regions().any(leaves) && !decided(at))
        .count()
}

/// How often to repeat the body of a loop with many rounds.
fn parts(trips: &Trips, body: &Region, unroll: Unroll) -> usize {
    let mut innermost = true;
    walk(body, &mut |inst| {
        innermost &= !matches!(inst.op, Op::Loop { .. })
    });
    let size = trips.size.div_ceil(trips.rounds);
    let (limit, tried) = match unroll {
        Unroll::Hint(copies @ 2..) => (MAX_WANTED, vec![copies as usize]),
        _ if trips.arithmetic => (SMALL_ARITHMETIC, PARTS.to_vec()),
        _ => (SMALL_PART, PARTS.to_vec()),
    };
    let good = |&parts: &usize| {
        let of_part = |part| trips.ways.iter().map(move |w| (w, part));
        let exits = (0..parts)
            .flat_map(of_part)
            .filter(|(w, part)| w.decides_exit() && w.of_part(*part, parts).is_none());
        parts * size <= limit && 2 * parts <= trips.rounds && exits.count() <= 1
    };
    match innermost {
        true => tried.into_iter().find(good).unwrap_or(1),
        false => 1,
    }
}

/// Instructions of a body.
pub fn size(body: &Region) -> usize {
    let mut size = 0;
    walk(body, &mut |_| size += 1);
    size
}
