//! The spaces that each generic pointer may point into.
//!
//! Algorithm: sets of spaces flow from conversions along pointer additions, selects, and what
//! regions pass, until nothing changes. Null is in every space and adds none.

use super::GENERIC;
use crate::ir::flow::{self, Analysis, Facts};
use crate::ir::{CastOp, Function, Inst, Op, Region, Scalar, Space, Value, eval};

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
    flow::solve(&mut Reached { func, unknown }, func, body, &unknown)
}

struct Reached<'a> {
    func: &'a Function,
    unknown: Spaces,
}

impl Analysis for Reached<'_> {
    type Fact = Spaces;

    fn concerns(&self, v: Value) -> bool {
        self.func.ty(v) == GENERIC
    }

    fn join(&mut self, v: Value, spaces: &mut Spaces, more: &Spaces) -> bool {
        let new = spaces.with(*more);
        self.concerns(v) && std::mem::replace(spaces, new) != new
    }

    fn transfer(&mut self, inst: &Inst, facts: &mut Facts<Spaces>) {
        let from = match &inst.op {
            Op::Cast(CastOp::SpaceCast, v) => match self.func.ty(*v).scalar {
                Scalar::Ptr(Space::Generic) => *facts.get(*v),
                Scalar::Ptr(space) => Spaces::of(space),
                _ => self.unknown,
            },
            Op::PtrAdd(base, _) => *facts.get(*base),
            Op::Select(_, a, b) => facts.get(*a).with(*facts.get(*b)),
            Op::Const(0) | Op::Undef => return,
            Op::Const(bits) => Spaces::of(eval::generic_space(*bits)),
            _ => self.unknown,
        };
        for &v in &inst.results {
            facts.add(self, v, &from);
        }
    }
}
