//! Gives loops that are left or go on in too many ways one way each.
//!
//! Algorithm: the body of such a loop becomes a switch without cases, which each of these exits leaves with what it
//! passes and which of the two it is. Behind the switch stands an `if` with a break and a continue. `exits` makes a tree of
//! `if`s of the switch.
//!
//! Needs: Legal. Keeps it.

use smallvec::smallvec;

use crate::ir::util::walk;
use crate::ir::{Function, Inst, Op, Region, Type, Value, Values};
use crate::pass::shape::prelude::{Prelude, inst};

/// A loop of the region has more than `most` exits.
pub fn any(region: &Region, most: u32) -> bool {
    let mut found = false;
    walk(region, &mut |inst| {
        if let Op::Loop { body, .. } = &inst.op {
            found |= exits(body, true) > most;
        }
    });
    found
}

/// The exits of the loop around a region; `breaks`: those of the region leave this loop and no switch.
fn exits(region: &Region, breaks: bool) -> u32 {
    let of = |inst: &Inst| match inst.op {
        Op::Loop { .. } => 0,
        Op::Break(_) => u32::from(breaks),
        Op::Continue(_) => 1,
        _ => {
            let breaks = breaks && !matches!(inst.op, Op::Switch { .. });
            inst.op.regions().map(|r| exits(r, breaks)).sum()
        }
    };
    region.insts.iter().map(of).sum()
}

pub fn run(func: &mut Function, region: &mut Region, prelude: &mut Prelude, most: u32) {
    for inst in &mut region.insts {
        for nested in inst.op.regions_mut() {
            run(func, nested, prelude, most);
        }
        if let Op::Loop { body, .. } = &mut inst.op
            && exits(body, true) > most
        {
            gather(func, body, &inst.results, prelude);
        }
    }
}

/// What the switch passes on: that the loop is left, with these results, or not, and then its parameters.
struct Passed {
    flags: [Value; 2],
    undefined: [Vec<Value>; 2],
}

fn gather(func: &mut Function, body: &mut Region, results: &Values, prelude: &mut Prelude) {
    let types = [results.as_slice(), &body.params].map(|values| {
        let types = values.iter().map(|&v| func.ty(v));
        types.collect::<Vec<Type>>()
    });
    let undefined = types.each_ref().map(|types| {
        let undefined = types.iter().map(|&ty| prelude.undef(func, ty));
        undefined.collect()
    });
    let passed = Passed {
        flags: [false, true].map(|flag| prelude.bool(func, flag)),
        undefined,
    };
    let mut inner = Box::new(region(std::mem::take(&mut body.insts)));
    passed.convert(&mut inner);
    let left = func.new_value(Type::BOOL);
    let [breaks, continues] =
        types.map(|types| { types.into_iter().map(|ty| func.new_value(ty)) }.collect::<Vec<_>>());
    let mut all: Values = smallvec![left];
    all.extend(breaks.iter().chain(&continues).copied());
    let switch = Op::Switch {
        // There is nothing to choose.
        selector: prelude.constant(func, Type::I32, Some(0)),
        cases: Vec::new(),
        default: inner,
    };
    let ends = [Op::Break(breaks), Op::Continue(continues)];
    let [leave, go_on] = ends.map(|op| Box::new(region(vec![inst(smallvec![], op)])));
    body.insts = vec![
        inst(all, switch),
        inst(smallvec![], Op::If(left, leave, go_on)),
        inst(smallvec![], Op::Unreachable),
    ];
}

impl Passed {
    /// Turns exits of the loop into breaks of the switch. Those inside of other switches stay.
    fn convert(&self, region: &mut Region) {
        for inst in &mut region.insts {
            let [breaks, continues] = &self.undefined;
            let values = match &inst.op {
                Op::Break(values) => [&[self.flags[1]], &values[..], continues].concat(),
                Op::Continue(values) => [&[self.flags[0]], &breaks[..], values].concat(),
                Op::Loop { .. } | Op::Switch { .. } => continue,
                _ => {
                    inst.op.regions_mut().for_each(|r| self.convert(r));
                    continue;
                }
            };
            inst.op = Op::Break(values);
        }
    }
}

fn region(insts: Vec<Inst>) -> Region {
    Region {
        params: Vec::new(),
        insts,
    }
}
