//! Conversions between float and bfloat16, whose bits are in integers (SPV_INTEL_bfloat16_conversion), and values of type bfloat16
//! (SPV_KHR_bfloat16), which are these integers: conversions and products go through floats.

use rspirv::spirv::{Decoration, FPRoundingMode, Op};

use super::binary::{Inst, Res};
use super::function::FunctionLowering;
use super::inst::is_number;
use crate::ir::{BinOp, CmpOp, Scalar, Type, Value};

impl FunctionLowering<'_, '_, '_> {
    /// Lowers a conversion or dot product of values of type bfloat16. Returns whether it is one.
    pub fn on_bfloats(&mut self, inst: &Inst) -> Res<bool> {
        let conversions = [
            Op::FConvert,
            Op::ConvertFToS,
            Op::ConvertFToU,
            Op::ConvertSToF,
            Op::ConvertUToF,
            Op::Dot,
        ];
        // The same bits serve these.
        let moves = [Op::Bitcast, Op::Select];
        if !self.unit.types.has_bfloats() || moves.contains(&inst.op) || !is_number(inst.op) {
            return Ok(false);
        }
        let mut args = inst.args.to_vec();
        let mut any = self.unit.types.is_bfloat(inst.ty);
        for (slot, arg) in args.iter_mut().enumerate() {
            let ty = self.unit.type_of(*arg)?;
            if self.unit.types.is_bfloat(ty) {
                let value = self.value(*arg)?;
                let float = Type::F32.with_lanes(self.b.ty(value).lanes);
                let value = self.bfloat_as_float(value);
                let float = self.unit.types.id_of(float);
                *arg = self.stand_in(slot, *arg, float, value);
                any = true;
            }
        }
        if !any {
            return Ok(false);
        }
        let mode = self.decoration(inst.id, Decoration::FPRoundingMode);
        let nearest = Some(&(FPRoundingMode::RTE as u32));
        if !conversions.contains(&inst.op) || mode.is_some_and(|words| words.first() != nearest) {
            return Err("it is not supported for bfloat16".into());
        }
        let value = if self.unit.types.is_bfloat(inst.ty) {
            let lanes = self.unit.types.ir(inst.ty)?.lanes;
            let float = self.unit.types.id_of(Type::F32.with_lanes(lanes));
            let value = self.on_stand_ins(inst, float, &args)?;
            self.float_as_bfloat(value)
        } else {
            self.on_stand_ins(inst, inst.ty, &args)?
        };
        self.define(inst.id, value);
        Ok(true)
    }

    /// The conversions to and from integers with a bfloat16's bits.
    pub fn bfloat16(&mut self, inst: &Inst, a: Value, to: Type) -> Res<Value> {
        let from = self.b.ty(a);
        let (narrow, float) = (
            Type::I16.with_lanes(from.lanes),
            Type::F32.with_lanes(from.lanes),
        );
        let widens = inst.op == Op::ConvertBF16ToFINTEL;
        match widens {
            true if (from, to) == (narrow, float) => Ok(self.bfloat_as_float(a)),
            false if (from, to) == (float, narrow) => Ok(self.float_as_bfloat(a)),
            _ => Err("the types are no floats of 32 bits and integers of 16".into()),
        }
    }

    /// A bfloat16 is the upper half of a float. Conversions take integers alone, as devices may flush small floats.
    fn bfloat_as_float(&mut self, a: Value) -> Value {
        let b = &mut self.b;
        let lanes = b.ty(a).lanes;
        let half = b.const_int(Type::I32.with_lanes(lanes), 16);
        let bits = b.int_resize(a, Scalar::I32, false);
        let bits = b.binary(BinOp::Shl, bits, half);
        b.bitcast(bits, Type::F32.with_lanes(lanes))
    }

    fn float_as_bfloat(&mut self, a: Value) -> Value {
        let b = &mut self.b;
        let ty = Type::I32.with_lanes(b.ty(a).lanes);
        let bits = b.bitcast(a, ty);
        let number = [0x7fff_ffff, 0x7f80_0000, 0x40, 16];
        let [positive, infinity, quiet, half] = number.map(|n| b.const_int(ty, n));
        // A carry into the exponent is right, up to infinity.
        let upper = b.binary(BinOp::LShr, bits, half);
        let rounded = b.round_bits(bits, 16);
        let rounded = b.binary(BinOp::LShr, rounded, half);
        // The upper half of a NaN may be that of infinity.
        let magnitude = b.binary(BinOp::And, bits, positive);
        let is_nan = b.compare(CmpOp::Ugt, magnitude, infinity);
        let nan = b.binary(BinOp::Or, upper, quiet);
        let result = b.select(is_nan, nan, rounded);
        b.int_resize(result, Scalar::I16, false)
    }
}
