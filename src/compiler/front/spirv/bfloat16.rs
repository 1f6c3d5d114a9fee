//! Conversions between float and bfloat16, whose bits are in integers (SPV_INTEL_bfloat16_conversion).

use rspirv::spirv::Op;

use super::binary::{Inst, Res};
use super::function::FunctionLowering;
use crate::ir::{BinOp, CmpOp, Scalar, Type, Value};

impl FunctionLowering<'_, '_, '_> {
    /// A bfloat16 is the upper half of a float. It takes integers alone, as devices may flush small floats.
    pub fn bfloat16(&mut self, inst: &Inst, a: Value, to: Type) -> Res<Value> {
        let from = self.b.ty(a);
        let ty = Type::I32.with_lanes(from.lanes);
        let (narrow, float) = (
            Type::I16.with_lanes(ty.lanes),
            Type::F32.with_lanes(ty.lanes),
        );
        let b = &mut self.b;
        let half = b.const_int(ty, 16);
        if inst.op == Op::ConvertBF16ToFINTEL {
            if (from, to) != (narrow, float) {
                return Err("the types are no integers of 16 bits and floats of 32".into());
            }
            let bits = b.int_resize(a, Scalar::I32, false);
            let bits = b.binary(BinOp::Shl, bits, half);
            return Ok(b.bitcast(bits, float));
        }
        if (from, to) != (float, narrow) {
            return Err("the types are no floats of 32 bits and integers of 16".into());
        }
        let bits = b.bitcast(a, ty);
        let number = [0x7fff_ffff, 0x7f80_0000, 0x40];
        let [positive, infinity, quiet] = number.map(|n| b.const_int(ty, n));
        // A carry into the exponent is right, up to infinity.
        let upper = b.binary(BinOp::LShr, bits, half);
        let rounded = b.round_bits(bits, 16);
        let rounded = b.binary(BinOp::LShr, rounded, half);
        // The upper half of a NaN may be that of infinity.
        let magnitude = b.binary(BinOp::And, bits, positive);
        let is_nan = b.compare(CmpOp::Ugt, magnitude, infinity);
        let nan = b.binary(BinOp::Or, upper, quiet);
        let result = b.select(is_nan, nan, rounded);
        Ok(b.int_resize(result, Scalar::I16, false))
    }
}
