//! Negated operands of a double's fma, as another sign bit.
//!
//! NVIDIA's compiler, where signed zeros, infinities and NaN are preserved (SignedZeroInfNanPreserve), subtracts the operand from zero
//! first, as one more operation of double. Of floats, sums and products the sign is part of the instruction (H100, driver 580).

use super::{Known, on_bits};
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Inst, Op, Scalar, TernOp, UnOp, Value};

pub fn rewrite(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if let Op::Ternary(TernOp::Fma, x, y, c) = &mut inst.op
        && b.ty(*x).scalar == Scalar::F64
    {
        for operand in [x, y, c] {
            if let Some(&Op::Unary(UnOp::FNeg, v)) = known.op(*operand) {
                *operand = on_bits(b, BinOp::Xor, v, 1 << 63);
            }
        }
    }
    None
}
