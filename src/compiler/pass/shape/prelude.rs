//! Constants at the start of a function, where one value serves all that a pass adds to it.

use smallvec::smallvec;

use crate::ir::{Bits, FastMath, Function, Inst, Op, Region, Type, Value, Values};
use crate::source::SourceLoc;
use rustc_hash::FxHashMap;

#[derive(Default)]
pub struct Prelude {
    insts: Vec<Inst>,
    /// By type and bits; no bits stand for an undefined value.
    constants: FxHashMap<(Type, Option<Bits>), Value>,
}

impl Prelude {
    pub fn constant(&mut self, func: &mut Function, ty: Type, bits: Option<Bits>) -> Value {
        *self.constants.entry((ty, bits)).or_insert_with(|| {
            let op = bits.map_or(Op::Undef, Op::Const);
            let v = func.new_value(ty);
            self.insts.push(inst(smallvec![v], op));
            v
        })
    }

    pub fn undef(&mut self, func: &mut Function, ty: Type) -> Value {
        self.constant(func, ty, None)
    }

    pub fn bool(&mut self, func: &mut Function, value: bool) -> Value {
        self.constant(func, Type::BOOL, Some(value.into()))
    }

    /// Executes an instruction without operands at the start.
    pub fn push(&mut self, inst: Inst) {
        self.insts.push(inst);
    }

    /// Puts the collected instructions in front of the function's body.
    pub fn install(mut self, body: &mut Region) {
        self.insts.append(&mut body.insts);
        body.insts = self.insts;
    }
}

/// An instruction without a place in the source.
pub fn inst(results: Values, op: Op) -> Inst {
    Inst {
        results,
        op,
        fast: FastMath::default(),
        loc: SourceLoc::default(),
    }
}
