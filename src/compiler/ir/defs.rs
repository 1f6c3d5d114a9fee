//! The definitions of values.
//!
//! [`Defs`] is for a pass that looks at what its operands are: of a body that stays as it is ([`Defs::of`]), or
//! noted one by one while it is rebuilt. [`Constants`] needs no body.

use super::util::walk;
use super::{BinOp, Bits, CastOp, Function, Inst, Op, Region, UnOp, Value};

/// Operations behind each other that are looked at for factors of two.
const MAX_FACTORS: u32 = 6;

/// A definition as a pass keeps it.
pub trait Definition {
    fn op(&self) -> &Op;
}

impl Definition for &Inst {
    fn op(&self) -> &Op {
        &self.op
    }
}

/// Definitions by value. Parameters have none, and a pass need not note all others.
pub struct Defs<D> {
    by_value: Vec<Option<D>>,
}

impl<D> Default for Defs<D> {
    fn default() -> Defs<D> {
        Defs {
            by_value: Vec::new(),
        }
    }
}

impl<'r> Defs<&'r Inst> {
    /// The instruction of each result.
    pub fn of(func: &Function, body: &'r Region) -> Defs<&'r Inst> {
        let mut by_value = vec![None; func.values.len()];
        walk(body, &mut |inst| {
            for v in &inst.results {
                by_value[v.index()] = Some(inst);
            }
        });
        Defs { by_value }
    }
}

impl<D> Defs<D> {
    pub fn with_capacity(values: usize) -> Defs<D> {
        Defs {
            by_value: Vec::with_capacity(values),
        }
    }

    pub fn note(&mut self, v: Value, definition: D) {
        if self.by_value.len() <= v.index() {
            self.by_value.resize_with(v.index() + 1, || None);
        }
        self.by_value[v.index()] = Some(definition);
    }

    pub fn get(&self, v: Value) -> Option<&D> {
        self.by_value.get(v.index())?.as_ref()
    }
}

impl<D: Definition> Defs<D> {
    pub fn op(&self, v: Value) -> Option<&Op> {
        self.get(v).map(D::op)
    }

    pub fn constant(&self, v: Value) -> Option<Bits> {
        constant(self.op(v)?)
    }

    pub fn unary(&self, v: Value, op: UnOp) -> Option<Value> {
        match *self.op(v)? {
            Op::Unary(o, a) if o == op => Some(a),
            _ => None,
        }
    }

    pub fn binary(&self, v: Value, op: BinOp) -> Option<(Value, Value)> {
        match *self.op(v)? {
            Op::Binary(o, a, b) if o == op => Some((a, b)),
            _ => None,
        }
    }

    /// A value as another one and the bits of a constant that is added to it.
    pub fn plus_constant(&self, v: Value) -> Option<(Value, Bits)> {
        let (a, b) = self.binary(v, BinOp::Add)?;
        let of = |x, constant| Some((x, self.constant(constant)?));
        of(a, b).or_else(|| of(b, a))
    }

    /// What an address is a constant distance from, and the distance in bytes.
    pub fn base_and_offset(&self, address: Value) -> (Value, i64) {
        let split = self.plus_constant(address);
        split.map_or((address, 0), |(base, offset)| (base, offset as i64))
    }

    /// Low bits of an integer that are zero for certain: a sum with a number of so many bits carries nothing.
    pub fn zeros_below(&self, v: Value) -> u32 {
        self.zeros(v, MAX_FACTORS)
    }

    fn zeros(&self, v: Value, depth: u32) -> u32 {
        let Some(op) = self.op(v).filter(|_| depth > 0) else {
            return 0;
        };
        let below = |v| self.zeros(v, depth - 1);
        match *op {
            Op::Const(bits) => bits.trailing_zeros(),
            Op::Binary(BinOp::Mul, a, b) => (below(a) + below(b)).min(64),
            Op::Binary(BinOp::Shl, a, b) => {
                // A shift is taken modulo a width of 8 bits or more.
                let by = self.constant(b).map_or(0, |by| by as u32 % 8);
                (below(a) + by).min(64)
            }
            Op::Binary(BinOp::And, a, b) => below(a).max(below(b)),
            Op::Binary(BinOp::Add | BinOp::Sub | BinOp::Or | BinOp::Xor, a, b)
            | Op::Select(_, a, b) => below(a).min(below(b)),
            Op::Cast(CastOp::ZExt | CastOp::SExt | CastOp::Trunc, a) => below(a),
            _ => 0,
        }
    }

    pub fn cast(&self, v: Value, op: CastOp) -> Option<Value> {
        match *self.op(v)? {
            Op::Cast(o, a) if o == op => Some(a),
            _ => None,
        }
    }
}

fn constant(op: &Op) -> Option<Bits> {
    match *op {
        Op::Const(bits) => Some(bits),
        _ => None,
    }
}

/// The constants of a function, by value.
#[derive(Default)]
pub struct Constants {
    by_value: Vec<Option<Bits>>,
}

impl Constants {
    pub fn of(func: &Function, body: &Region) -> Constants {
        let mut constants = Constants {
            by_value: vec![None; func.values.len()],
        };
        walk(body, &mut |inst| constants.note(inst));
        constants
    }

    /// Looks at an instruction.
    pub fn note(&mut self, inst: &Inst) {
        let (Some(bits), Some(v)) = (constant(&inst.op), inst.results.first()) else {
            return;
        };
        if self.by_value.len() <= v.index() {
            self.by_value.resize(v.index() + 1, None);
        }
        self.by_value[v.index()] = Some(bits);
    }

    /// The bits, of each lane.
    pub fn get(&self, v: Value) -> Option<Bits> {
        self.by_value.get(v.index()).copied().flatten()
    }
}
