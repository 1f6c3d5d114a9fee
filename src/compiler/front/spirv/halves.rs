//! Halves: what devices without them refuse, and OpQuantizeToF16.

use rspirv::spirv::Op;

use super::binary::{Inst, Res};
use super::function::FunctionLowering;
use crate::ir::{BinOp, CmpOp, Scalar, Type, UnOp, Value};

impl FunctionLowering<'_, '_, '_> {
    /// Refuses arithmetic on halves where the device has none. Modules of DPC++ declare Float16Buffer alone.
    pub fn check_halves(&self, inst: &Inst, a: Value) -> Res<()> {
        let converts = [Op::Bitcast, Op::FConvert, Op::ConvertFToU, Op::ConvertFToS];
        let half = self.b.ty(a).scalar == Scalar::F16;
        match half && !self.unit.target.float16 && !converts.contains(&inst.op) {
            true => Err("the device does not have capability Float16".into()),
            false => Ok(()),
        }
    }

    /// The float that a normal half can hold, rounded to nearest even: infinity beyond, zero below. It takes integers alone, as devices may
    /// have no halves.
    pub fn quantize(&mut self, a: Value) -> Res<Value> {
        let float = self.b.ty(a);
        if float.scalar != Scalar::F32 {
            return Err("the operand is no float of 32 bits".into());
        }
        let ty = Type::I32.with_lanes(float.lanes);
        let b = &mut self.b;
        let bits = b.bitcast(a, ty);
        let mut number = |n: i64| b.const_int(ty, n);
        let [sign, mask] = [0x8000_0000, !0x1fff].map(&mut number);
        let [infinity, least, beyond] = [0x7f80_0000, 0x3880_0000, 0x4780_0000].map(&mut number);
        let positive = b.unary(UnOp::Not, sign);
        let magnitude = b.binary(BinOp::And, bits, positive);
        let rounded = b.round_bits(magnitude, 13);
        let rounded = b.binary(BinOp::And, rounded, mask);
        let large = b.compare(CmpOp::Uge, rounded, beyond);
        let result = b.select(large, infinity, rounded);
        let small = b.compare(CmpOp::Ult, magnitude, least);
        let zero = b.zero_value(ty);
        let result = b.select(small, zero, result);
        let nan = b.compare(CmpOp::Ugt, magnitude, infinity);
        let result = b.select(nan, magnitude, result);
        let sign = b.binary(BinOp::And, bits, sign);
        let result = b.binary(BinOp::Or, result, sign);
        Ok(b.bitcast(result, float))
    }
}
