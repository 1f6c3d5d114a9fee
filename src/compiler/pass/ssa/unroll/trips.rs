//! How often a loop runs, found by executing what constants decide of it.
//!
//! Algorithm: rounds run one after the other with the parameters that are known. An `if` whose
//! condition is known takes its way, any other takes both; a parameter is known in the next
//! round if all continues that are reached agree on it. The round that reaches none is the last.

use std::collections::HashSet;

use crate::ir::defs::Constants;
use crate::ir::util::{always_leaves, walk};
use crate::ir::{Bits, Function, Inst, Op, Region, Scalar, Space, Value, eval};
use rustc_hash::FxHashMap;

use super::weights::Weights;

/// Rounds that are tried.
const MAX_ROUNDS: usize = 4096;

/// What is known of a function's values.
pub(in crate::pass) struct Known<'w> {
    weights: &'w Weights,
    constants: Constants,
    /// Pointers into private objects that will not become registers.
    large: HashSet<Value>,
}

impl<'w> Known<'w> {
    /// Of a function with this body. Private objects of more than `max_private` bytes are large.
    pub fn of(func: &Function, body: &Region, weights: &'w Weights, max_private: u32) -> Known<'w> {
        let mut large = HashSet::new();
        walk(body, &mut |inst| match inst.op {
            Op::Alloca { size, .. } if size > max_private => large.extend(&inst.results),
            Op::PtrAdd(base, _) if large.contains(&base) => large.extend(&inst.results),
            _ => {}
        });
        Known {
            weights,
            constants: Constants::of(func, body),
            large,
        }
    }
}

pub(in crate::pass) struct Trips {
    /// Rounds begun.
    pub rounds: usize,
    /// Instructions of all rounds that are left when what is known is folded.
    pub size: usize,
    /// No access to memory, barrier or call.
    pub arithmetic: bool,
    /// Reads texels.
    pub fetches: bool,
    /// Some private object that may become registers is accessed at an offset that differs from round to round.
    pub indexes_private: bool,
    /// Ifs of the body, outside others.
    pub ways: Vec<Ways>,
}

/// An `if` at a position in the body, and which way each round takes.
pub(in crate::pass) struct Ways {
    pub at: usize,
    pub leaves: bool,
    by_round: Vec<Way>,
}

#[derive(Clone, Copy, PartialEq)]
enum Way {
    /// The round does not reach it.
    None,
    /// Its condition is not known in this round, though perhaps in others.
    Either,
    Known(bool),
}

impl Ways {
    /// The way of all rounds that run in copy `part` of `parts`, if it is one.
    pub fn of_part(&self, part: usize, parts: usize) -> Option<bool> {
        let of_part = self.by_round.iter().skip(part).step_by(parts);
        let mut ways = of_part.filter(|&&way| way != Way::None);
        let first = *ways.next()?;
        match first {
            Way::Known(way) if ways.all(|&other| other == first) => Some(way),
            _ => None,
        }
    }

    /// Every round that reaches it knows which way it takes.
    pub fn is_decided(&self) -> bool {
        !self.by_round.contains(&Way::Either)
    }

    /// Some round knows which way it leaves or stays.
    pub fn decides_exit(&self) -> bool {
        let known = |way: &Way| matches!(way, Way::Known(_));
        self.leaves && self.by_round.iter().any(known)
    }
}

/// `None` if constants do not tell, or not in `steps` instructions; these are used up.
pub(in crate::pass) fn count(
    func: &Function,
    known: &Known,
    init: &[Value],
    body: &Region,
    steps: &mut usize,
) -> Option<Trips> {
    let mut rounds = Rounds {
        func,
        always: known,
        known: FxHashMap::default(),
        trips: Trips {
            rounds: 0,
            size: 0,
            arithmetic: true,
            fetches: false,
            indexes_private: false,
            ways: Vec::new(),
        },
        walked: 0,
        decided: false,
        next: None,
    };
    let mut params: Vec<_> = init.iter().map(|&v| rounds.bits(v)).collect();
    loop {
        rounds.known.clear();
        for (&param, bits) in body.params.iter().zip(&params) {
            rounds.know(param, *bits);
        }
        rounds.trips.rounds += 1;
        rounds.region(body, true);
        let used = std::mem::take(&mut rounds.walked);
        // An endless loop, or one that only data ends, decides nothing.
        let decided = std::mem::take(&mut rounds.decided);
        if !decided || used > *steps || rounds.trips.rounds > MAX_ROUNDS {
            return None;
        }
        *steps -= used;
        match rounds.next.take() {
            Some(next) => params = next,
            None => return Some(rounds.trips),
        }
    }
}

struct Rounds<'a> {
    func: &'a Function,
    always: &'a Known<'a>,
    /// Values of the body in this round.
    known: FxHashMap<Value, Bits>,
    trips: Trips,
    /// Instructions of this round.
    walked: usize,
    /// A known condition decided whether to leave.
    decided: bool,
    /// What the continues reached in this round agree on, if there is one.
    next: Option<Vec<Option<Bits>>>,
}

impl<'a> Rounds<'a> {
    fn bits(&self, v: Value) -> Option<Bits> {
        let constant = self.always.constants.get(v);
        let scalar = constant.filter(|_| self.func.ty(v).lanes == 1);
        scalar.or_else(|| self.known.get(&v).copied())
    }

    fn know(&mut self, v: Value, bits: Option<Bits>) {
        if let Some(bits) = bits {
            self.known.insert(v, bits);
        }
    }

    /// What the region yields, if its end can be reached.
    fn region(&mut self, region: &'a Region, outermost: bool) -> Option<&'a [Value]> {
        for (at, inst) in region.insts.iter().enumerate() {
            self.walked += 1;
            match &inst.op {
                Op::Yield(values) => return Some(values),
                Op::Continue(values) => {
                    let values: Vec<_> = values.iter().map(|&v| self.bits(v)).collect();
                    self.next = Some(match self.next.take() {
                        None => values,
                        Some(next) => agree(next, &values),
                    });
                    return None;
                }
                op if op.is_terminator() => return None,
                Op::If(cond, then, other) => {
                    let way = self.bits(*cond).map(|bits| bits != 0);
                    let leaves = always_leaves(then) || always_leaves(other);
                    if outermost {
                        self.note_way(at, leaves, way.map_or(Way::Either, Way::Known));
                    }
                    self.decided |= leaves && way.is_some();
                    let yielded = match way {
                        Some(true) => self.region(then, false),
                        Some(false) => self.region(other, false),
                        None => {
                            self.trips.size += 1;
                            let ways = [self.region(then, false), self.region(other, false)];
                            match ways {
                                [None, None] => None,
                                [Some(values), None] | [None, Some(values)] => Some(values),
                                // Two ways seldom yield the same constant.
                                [Some(_), Some(_)] => Some(&[][..]),
                            }
                        }
                    };
                    for (&result, &v) in inst.results.iter().zip(yielded?) {
                        self.know(result, self.bits(v));
                    }
                }
                Op::Switch { .. } | Op::Loop { .. } => {
                    for nested in inst.op.regions() {
                        walk(nested, &mut |inst| self.note_size(inst));
                    }
                }
                op => match self.evaluate(op, inst) {
                    Some(bits) => self.know(inst.results[0], Some(bits)),
                    None => self.note_size(inst),
                },
            }
        }
        None
    }

    fn note_way(&mut self, at: usize, leaves: bool, way: Way) {
        let ways = &mut self.trips.ways;
        let i = ways.iter().position(|w| w.at == at).unwrap_or_else(|| {
            let by_round = Vec::new();
            ways.push(Ways {
                at,
                leaves,
                by_round,
            });
            ways.len() - 1
        });
        ways[i].by_round.resize(self.trips.rounds, Way::None);
        ways[i].by_round[self.trips.rounds - 1] = way;
    }

    fn note_size(&mut self, inst: &Inst) {
        self.walked += 1;
        if let Op::PtrAdd(base, offset) = inst.op {
            let private = self.func.ty(base).scalar == Scalar::Ptr(Space::Private)
                && !self.always.large.contains(&base);
            self.trips.indexes_private |= private && self.known.contains_key(&offset);
        }
        let always = self.always;
        self.trips.size += always.weights.of_inst(self.func, &always.constants, inst);
        self.trips.arithmetic &= !(inst.op.touches_memory() || matches!(inst.op, Op::Call { .. }));
        self.trips.fetches |= matches!(inst.op, Op::Fetch(..));
    }

    /// Integers only: what they decide is the same on every device.
    fn evaluate(&self, op: &Op, inst: &Inst) -> Option<Bits> {
        let ty = self.func.ty(*inst.results.first()?);
        let of = |v: Value| self.func.ty(v).scalar;
        let exact = |s: Scalar| s.is_int() || s == Scalar::Bool;
        if ty.lanes != 1 || !exact(ty.scalar) {
            return None;
        }
        Some(match *op {
            Op::Const(bits) => bits,
            Op::Unary(op, a) => eval::unary(op, ty.scalar, self.bits(a)?),
            Op::Binary(op, a, b) => eval::binary(op, ty.scalar, self.bits(a)?, self.bits(b)?),
            Op::Compare(op, a, b) if exact(of(a)) => {
                eval::compare(op, of(a), self.bits(a)?, self.bits(b)?) as Bits
            }
            Op::Cast(op, a) if exact(of(a)) => eval::cast(op, of(a), ty.scalar, self.bits(a)?),
            Op::Select(c, a, b) => match self.bits(c)? {
                0 => self.bits(b)?,
                _ => self.bits(a)?,
            },
            _ => return None,
        })
    }
}

fn agree(mut next: Vec<Option<Bits>>, values: &[Option<Bits>]) -> Vec<Option<Bits>> {
    for (a, b) in next.iter_mut().zip(values) {
        if *a != *b {
            *a = None;
        }
    }
    next
}
