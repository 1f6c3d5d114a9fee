//! Negated operands of a double's fma, as another sign bit.
//!
//! NVIDIA's compiler, where signed zeros, infinities and NaN are preserved (SignedZeroInfNanPreserve), subtracts the operand from zero
//! first, as one more operation of double. Of floats, sums and products the sign is part of the instruction (H100, driver 580).

use super::Known;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, Inst, Op, Scalar, TernOp, Type, UnOp, Value};

pub fn rewrite(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if let Op::Ternary(TernOp::Fma, x, y, c) = &mut inst.op
        && b.ty(*x).scalar == Scalar::F64
    {
        for operand in [x, y, c] {
            if let Some(&Op::Unary(UnOp::FNeg, v)) = known.op(*operand) {
                *operand = with_other_sign(b, v);
            }
        }
    }
    None
}

fn with_other_sign(b: &mut Builder, v: Value) -> Value {
    let ty = b.ty(v);
    let bits = Type::vector(Scalar::I64, ty.lanes);
    let sign = b.const_int(bits, i64::MIN);
    let v = b.bitcast(v, bits);
    let negative = b.binary(BinOp::Xor, v, sign);
    b.bitcast(negative, ty)
}
