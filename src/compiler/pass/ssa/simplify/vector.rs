//! Vectors: what goes into a lane comes out of it.

use super::{Rule, Simplifier, Step};
use crate::ir::{Op, Type, Value};

/// Insertions and shuffles behind each other that a lane is traced through.
const MAX_TRACED: u32 = 20;
/// A lane of a shuffle with any value.
const ANY_LANE: u8 = 255;

impl Simplifier<'_> {
    pub(super) fn vector(&mut self, op: &Op, ty: Type) -> Rule {
        match *op {
            Op::Extract(v, lane) => self.extract(v, lane, ty),
            Op::ExtractDyn(v, lane) => {
                let lane = self.bits(lane)?;
                match lane < self.ty(v).lanes as u64 {
                    true => Some(Step::Op(Op::Extract(v, lane as u8))),
                    false => Some(Step::Op(Op::Undef)),
                }
            }
            Op::InsertDyn(v, x, lane) => {
                let lane = self.bits(lane)?;
                match lane < ty.lanes as u64 {
                    true => Some(Step::Op(Op::Insert(v, x, lane as u8))),
                    false => Some(Step::Value(v)),
                }
            }
            Op::Insert(v, x, lane) => self.insert(v, x, lane, ty),
            Op::Construct(ref values) => self.construct(values, ty),
            Op::Shuffle(a, b, ref lanes) => self.shuffle(a, b, lanes, ty),
            Op::Any(v) | Op::All(v) => match *self.def(v)? {
                Op::Splat(x) => Some(Step::Value(x)),
                _ => None,
            },
            _ => None,
        }
    }

    fn extract(&mut self, v: Value, lane: u8, ty: Type) -> Rule {
        if let Some(x) = self.lane(v, lane, MAX_TRACED) {
            return Some(Step::Value(x));
        }
        match *self.def(v)? {
            Op::Const(bits) => Some(Step::Value(self.constant(ty, bits))),
            Op::Undef => Some(Step::Op(Op::Undef)),
            Op::Insert(v, ..) => Some(Step::Op(Op::Extract(v, lane))),
            Op::Shuffle(a, b, ref lanes) => {
                let n = self.ty(a).lanes;
                Some(Step::Op(match lanes[lane as usize] {
                    ANY_LANE => Op::Undef,
                    lane if lane < n => Op::Extract(a, lane),
                    lane => Op::Extract(b, lane - n),
                }))
            }
            _ => None,
        }
    }

    /// The value that was put into a lane.
    fn lane(&self, v: Value, lane: u8, depth: u32) -> Option<Value> {
        if depth == 0 {
            return None;
        }
        match *self.def(v)? {
            Op::Construct(ref values) => Some(values[lane as usize]),
            Op::Splat(x) => Some(x),
            Op::Insert(_, x, at) if at == lane => Some(x),
            Op::Insert(v, ..) => self.lane(v, lane, depth - 1),
            Op::Shuffle(a, b, ref lanes) => {
                let n = self.ty(a).lanes;
                match lanes[lane as usize] {
                    ANY_LANE => None,
                    lane if lane < n => self.lane(a, lane, depth - 1),
                    lane => self.lane(b, lane - n, depth - 1),
                }
            }
            _ => None,
        }
    }

    /// As [`Self::lane`], with constants.
    fn lane_or_constant(&mut self, v: Value, lane: u8) -> Option<Value> {
        match self.bits(v) {
            Some(bits) => Some(self.constant(self.ty(v).element(), bits)),
            None => self.lane(v, lane, MAX_TRACED),
        }
    }

    fn insert(&mut self, v: Value, x: Value, at: u8, ty: Type) -> Rule {
        if let Some(&Op::Extract(from, lane)) = self.def(x)
            && from == v
            && lane == at
        {
            return Some(Step::Value(v));
        }
        // The last of insertions into all lanes sees them all.
        let mut values = Vec::new();
        for lane in 0..ty.lanes {
            values.push(match lane == at {
                true => x,
                false => self.lane_or_constant(v, lane)?,
            });
        }
        Some(Step::Op(Op::Construct(values)))
    }

    fn construct(&mut self, values: &[Value], ty: Type) -> Rule {
        if values.iter().all(|&v| v == values[0]) {
            return Some(Step::Op(Op::Splat(values[0])));
        }
        // Lanes of at most two vectors of one type.
        let mut sources: Vec<Value> = Vec::new();
        let mut lanes = Vec::new();
        for &v in values {
            let Op::Extract(source, lane) = *self.def(v)? else {
                return None;
            };
            let n = self.ty(source).lanes;
            let at = match sources.iter().position(|&s| s == source) {
                Some(at) => at,
                None if sources.len() < 2 => {
                    sources.push(source);
                    sources.len() - 1
                }
                None => return None,
            };
            if self.ty(source) != self.ty(sources[0]) {
                return None;
            }
            lanes.push(at as u8 * n + lane);
        }
        let (a, b) = (sources[0], *sources.last()?);
        if self.ty(a) == ty && is_identity(&lanes) {
            return Some(Step::Value(a));
        }
        Some(Step::Op(Op::Shuffle(a, b, lanes)))
    }

    fn shuffle(&mut self, a: Value, b: Value, lanes: &[u8], ty: Type) -> Rule {
        let n = self.ty(a).lanes;
        if self.ty(a) == ty && is_identity(lanes) {
            return Some(Step::Value(a));
        }
        // An operand that is not used is the other one.
        let uses_a = lanes.iter().any(|&l| l < n);
        let uses_b = lanes.iter().any(|&l| l >= n && l != ANY_LANE);
        match (uses_a, uses_b) {
            (false, false) => return Some(Step::Op(Op::Undef)),
            (false, true) => {
                let lanes = lanes.iter().map(|&l| match l {
                    ANY_LANE => ANY_LANE,
                    l => l - n,
                });
                return Some(Step::Op(Op::Shuffle(b, b, lanes.collect())));
            }
            (true, false) if b != a => {
                return Some(Step::Op(Op::Shuffle(a, a, lanes.to_vec())));
            }
            _ => {}
        }
        // All lanes known as scalars: but not for a swizzle of vectors that exist anyway.
        let known: Option<Vec<Value>> = lanes
            .iter()
            .map(|&l| match l {
                ANY_LANE => Some(self.undef(ty.element())),
                l if l < n => self.lane_or_constant(a, l),
                l => self.lane_or_constant(b, l - n),
            })
            .collect();
        if let Some(values) = known {
            return Some(Step::Op(Op::Construct(values)));
        }
        // A shuffle of one shuffle, which has one source.
        if a != b {
            return None;
        }
        match *self.def(a)? {
            Op::Shuffle(x, y, ref inner) => {
                let lanes = lanes.iter().map(|&l| match l {
                    ANY_LANE => ANY_LANE,
                    l => inner[(l % n) as usize],
                });
                Some(Step::Op(Op::Shuffle(x, y, lanes.collect())))
            }
            _ => None,
        }
    }
}

/// Each lane stays, or may be anything.
fn is_identity(lanes: &[u8]) -> bool {
    (0..).zip(lanes).all(|(i, &l)| l == i || l == ANY_LANE)
}
