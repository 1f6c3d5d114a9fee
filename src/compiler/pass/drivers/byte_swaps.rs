//! The two bytes of a short in the other order, as a sum.
//!
//! NVIDIA's compiler (580.159, H200) permutes bytes for `x << 8 | x >> 8` where x has 16 bits and 16 are used, and takes the wrong ones: it is 0
//! for 1, for an exclusive or as well. It leaves sums alone.
//!
//! Algorithm: an `or` of what is shifted up by 8 bits and of a byte, which may be the upper one of 16 bits, adds them.

use super::Known;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Bits, Inst, Op, Value};

pub fn rewrite(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if let Op::Binary(op @ (BinOp::Or | BinOp::Xor), x, y) = &mut inst.op {
        let (x, y) = (*x, *y);
        let is_swap = |up, down| {
            // Perhaps the upper byte alone.
            let up = known.binary(up, BinOp::And).map_or(up, |[up, _]| up);
            let up = known.binary(up, BinOp::Shl);
            up.is_some_and(|[_, by]| every_lane(b, known, by, |by| by == 8))
                && known.possible_bits(b, down) <= 0xff
        };
        if b.ty(x).scalar.bits() > 8 && (is_swap(x, y) || is_swap(y, x)) {
            *op = BinOp::Add;
        }
    }
    None
}

/// All lanes are constants that pass the test.
fn every_lane(b: &Builder, known: &Known, v: Value, test: impl Fn(Bits) -> bool) -> bool {
    (0..b.ty(v).lanes).all(|lane| known.lane(v, lane).is_some_and(&test))
}
