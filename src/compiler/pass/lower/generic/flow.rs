//! The spaces that each generic pointer may point into.
//!
//! Algorithm: sets of spaces flow from conversions along pointer additions, selects, and what
//! regions pass, until nothing changes. Null is in every space and adds none.

use super::GENERIC;
use crate::ir::{CastOp, Function, Op, Region, Scalar, Space, Value, eval};

/// A set of private, local and global (with constant).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spaces(u8);

impl Spaces {
    pub const ALL: Spaces = Spaces(7);
    /// Of a generic pointer, most frequent first.
    const EACH: [Space; 3] = [Space::Global, Space::Local, Space::Private];

    pub fn of(space: Space) -> Spaces {
        match space {
            Space::Generic => Spaces::ALL,
            Space::Constant => Spaces::of(Space::Global),
            space => {
                let at = Spaces::EACH.iter().position(|&s| s == space);
                Spaces(1 << at.unwrap_or(0))
            }
        }
    }

    pub fn with(self, other: Spaces) -> Spaces {
        Spaces(self.0 | other.0)
    }

    pub fn list(self) -> Vec<Space> {
        let mut spaces = Spaces::EACH.to_vec();
        spaces.retain(|&s| Spaces::of(s).0 & self.0 != 0);
        spaces
    }

    /// The only one.
    pub fn single(self) -> Option<Space> {
        match self.list()[..] {
            [space] => Some(space),
            _ => None,
        }
    }
}

/// By value; empty for all that are no generic pointers. `unknown` is where pointers point that
/// come from memory, integers and other functions.
pub fn find(func: &Function, body: &Region, unknown: Spaces) -> Vec<Spaces> {
    let mut flow = Flow {
        func,
        unknown,
        sets: vec![Spaces::default(); func.values.len()],
        changed: true,
    };
    for &param in &func.params {
        flow.add(param, unknown);
    }
    while flow.changed {
        flow.changed = false;
        flow.region(body, Around::default());
    }
    flow.sets
}

/// What the values of a yield, break and continue become.
#[derive(Clone, Copy, Default)]
struct Around<'r> {
    yields: &'r [Value],
    breaks: &'r [Value],
    continues: &'r [Value],
}

struct Flow<'a> {
    func: &'a Function,
    unknown: Spaces,
    sets: Vec<Spaces>,
    changed: bool,
}

impl Flow<'_> {
    fn add(&mut self, v: Value, spaces: Spaces) {
        let set = &mut self.sets[v.index()];
        let new = set.with(spaces);
        if self.func.ty(v) == GENERIC && *set != new {
            *set = new;
            self.changed = true;
        }
    }

    fn copies(&mut self, to: &[Value], from: &[Value]) {
        for (&to, &from) in to.iter().zip(from) {
            self.add(to, self.sets[from.index()]);
        }
    }

    fn region<'r>(&mut self, region: &'r Region, around: Around<'r>) {
        for inst in &region.insts {
            let results = &inst.results[..];
            match &inst.op {
                Op::Cast(CastOp::SpaceCast, v) => {
                    let from = match self.func.ty(*v).scalar {
                        Scalar::Ptr(Space::Generic) => self.sets[v.index()],
                        Scalar::Ptr(space) => Spaces::of(space),
                        _ => self.unknown,
                    };
                    self.add(results[0], from);
                }
                Op::PtrAdd(base, _) => self.copies(results, &[*base]),
                Op::Select(_, a, b) => {
                    self.copies(results, &[*a]);
                    self.copies(results, &[*b]);
                }
                Op::Const(0) | Op::Undef => {}
                Op::Const(bits) => self.add(results[0], Spaces::of(eval::generic_space(*bits))),
                Op::If(_, then, other) => {
                    let inside = Around {
                        yields: results,
                        ..around
                    };
                    self.region(then, inside);
                    self.region(other, inside);
                }
                Op::Switch { .. } => {
                    let inside = Around {
                        yields: results,
                        breaks: results,
                        ..around
                    };
                    for nested in inst.op.regions() {
                        self.region(nested, inside);
                    }
                }
                Op::Loop { init, body, .. } => {
                    self.copies(&body.params, init);
                    let inside = Around {
                        yields: &[],
                        breaks: results,
                        continues: &body.params,
                    };
                    self.region(body, inside);
                }
                Op::Yield(values) => self.copies(around.yields, values),
                Op::Break(values) => self.copies(around.breaks, values),
                Op::Continue(values) => self.copies(around.continues, values),
                _ => {
                    for &v in results {
                        self.add(v, self.unknown);
                    }
                }
            }
        }
    }
}
