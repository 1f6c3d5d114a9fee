//! Sub-groups: work-items whose local linear ids follow each other. One that comes to a sub-group
//! operation waits until none of its sub-group can go on without it. Then those that wait at
//! one place execute it together: the first place in the order of the control tree, since the
//! others are where those will come to.

use super::super::{BinOp, Bits, Inst, Op, Reduction, Scalar, SubGroupOp, Type, Value, eval};
use super::World;
use super::item::{Item, Status};
use super::lanes::undefined;

/// Items of a sub-group. The last one of a group may have fewer.
pub const SIZE: u32 = 4;

impl<'m> World<'m> {
    /// Called when no item can run: executes one operation of each sub-group that waits at one. Returns false if none waits.
    pub(super) fn pass_sub_groups(&mut self, items: &mut [Item<'m>]) -> bool {
        let mut passed = false;
        for group in items.chunks_mut(SIZE as usize) {
            let waiting = |item: &Item<'m>| match item.status {
                Status::AtSubGroup(inst) => Some((item.path(), inst)),
                _ => None,
            };
            let places = group.iter().filter_map(waiting);
            let Some((path, inst)) = places.min_by(|a, b| a.0.cmp(&b.0)) else {
                continue;
            };
            let here = |item: &Item<'m>| {
                waiting(item).is_some_and(|(p, i)| p == path && std::ptr::eq(i, inst))
            };
            let active: Vec<bool> = group.iter().map(here).collect();
            self.execute(inst, group, &active);
            passed = true;
        }
        passed
    }

    fn execute(&mut self, inst: &'m Inst, group: &mut [Item<'m>], active: &[bool]) {
        let lanes = || (0..active.len()).filter(|&lane| active[lane]);
        let of = |world: &World<'m>, lane: usize, v: Value| group[lane].scalar(world, v);
        let first = lanes().next().unwrap_or(0);
        let mut results = vec![Vec::new(); active.len()];
        match &inst.op {
            Op::SubGroup(op, args) => {
                for lane in lanes() {
                    let truths = || lanes().filter(|&l| of(self, l, args[0]) != 0);
                    let bits: Bits = match op {
                        SubGroupOp::Elect => (lane == first) as Bits,
                        SubGroupOp::Any => (truths().count() != 0) as Bits,
                        SubGroupOp::All => (truths().count() == lanes().count()) as Bits,
                        SubGroupOp::Ballot => truths().map(|l| 1 << l).sum(),
                        SubGroupOp::First => of(self, first, args[0]),
                        SubGroupOp::Shuffle => {
                            let from = of(self, lane, args[1]);
                            match lanes().find(|&l| l as Bits == from) {
                                Some(from) => of(self, from, args[0]),
                                None => undefined(group[lane].ty(args[0]).scalar),
                            }
                        }
                    };
                    results[lane] = match op {
                        SubGroupOp::Ballot => vec![bits, 0, 0, 0],
                        _ => vec![bits],
                    };
                }
            }
            Op::SubGroupReduce {
                op,
                how,
                value,
                cluster,
            } => {
                let scalar = group[first].ty(*value).scalar;
                for lane in lanes() {
                    let taken = |l: &usize| match how {
                        Reduction::All if *cluster != 0 => {
                            l / *cluster as usize == lane / *cluster as usize
                        }
                        Reduction::All => true,
                        Reduction::Inclusive => *l <= lane,
                        Reduction::Exclusive => *l < lane,
                    };
                    let values = lanes().filter(taken).map(|l| of(self, l, *value));
                    let sum = values.reduce(|a, b| eval::binary(*op, scalar, a, b));
                    results[lane] = vec![sum.unwrap_or_else(|| identity(*op, scalar))];
                }
            }
            // A barrier of the sub-group.
            _ => self.races.synchronize(true, true),
        }
        for (lane, item) in group.iter_mut().enumerate().filter(|(l, _)| active[*l]) {
            if let Some(&result) = inst.results.first() {
                item.set(self, result, &results[lane]);
            }
            item.status = Status::Ready;
        }
    }
}

/// What leaves the other operand as it is.
fn identity(op: BinOp, scalar: Scalar) -> Bits {
    use BinOp::*;
    let ones = super::super::builder::mask(scalar.bits());
    let sign = 1 << (scalar.bits() - 1);
    let float = |x: f64| {
        let double = Type::scalar(Scalar::F64);
        match scalar {
            Scalar::F64 => x.to_bits(),
            _ => eval::cast(
                super::super::CastOp::FpTrunc,
                double.scalar,
                scalar,
                x.to_bits(),
            ),
        }
    };
    match op {
        Mul => 1,
        And | UMin => ones,
        SMin => ones ^ sign,
        SMax => sign,
        FMul => float(1.0),
        FMin => float(f64::INFINITY),
        FMax => float(f64::NEG_INFINITY),
        _ => 0,
    }
}
