//! Integer and common functions that are a few ops, in any number of lanes.

use super::builtin::BuiltinCall;
use super::function::FunctionLowering;
use crate::front::clc::builtins::implementation::Special;
use crate::ir::{BinOp, CmpOp, Scalar, Type, Value};

impl<'u> FunctionLowering<'_, 'u, '_> {
    pub fn int_builtin(&mut self, special: Special, call: &BuiltinCall<'u>) -> Value {
        let signed = call.prim.is_signed();
        let float = call.prim.is_float();
        let lanes = call.result().lanes;
        let v: Vec<Value> = call.values.iter().map(|&v| self.widen(v, lanes)).collect();
        let ty = self.b.ty(v[0]);
        let bits = ty.scalar.bits();
        let (min, max, shr) = match (float, signed) {
            (true, _) => (BinOp::FMin, BinOp::FMax, BinOp::AShr),
            (_, true) => (BinOp::SMin, BinOp::SMax, BinOp::AShr),
            _ => (BinOp::UMin, BinOp::UMax, BinOp::LShr),
        };
        match special {
            Special::Abs if signed => {
                let zero = self.b.zero_value(ty);
                let negative = self.b.binary(BinOp::Sub, zero, v[0]);
                self.b.binary(max, v[0], negative)
            }
            Special::Abs => v[0],
            Special::AbsDiff => {
                let high = self.b.binary(max, v[0], v[1]);
                let low = self.b.binary(min, v[0], v[1]);
                self.b.binary(BinOp::Sub, high, low)
            }
            // (a + b) >> 1 without overflow: common bits plus half of the differing ones;
            // rounded up: all bits minus half of the differing ones.
            Special::Hadd | Special::Rhadd => {
                let (bits, add) = match special {
                    Special::Hadd => (BinOp::And, BinOp::Add),
                    _ => (BinOp::Or, BinOp::Sub),
                };
                let common = self.b.binary(bits, v[0], v[1]);
                let differing = self.b.binary(BinOp::Xor, v[0], v[1]);
                let one = self.b.const_int(ty, 1);
                let half = self.b.binary(shr, differing, one);
                self.b.binary(add, common, half)
            }
            Special::Clamp => {
                let low = self.b.binary(max, v[0], v[1]);
                self.b.binary(min, low, v[2])
            }
            Special::MadHi => {
                let op = if signed { BinOp::SMulHi } else { BinOp::UMulHi };
                let high = self.b.binary(op, v[0], v[1]);
                self.b.binary(BinOp::Add, high, v[2])
            }
            Special::MadSat => self.mad_sat(signed, v[0], v[1], v[2]),
            Special::Mul24 => self.b.binary(BinOp::Mul, v[0], v[1]),
            Special::Mad24 => {
                let product = self.b.binary(BinOp::Mul, v[0], v[1]);
                self.b.binary(BinOp::Add, product, v[2])
            }
            // Shifts count modulo the width, so a rotation by 0 is right too.
            Special::Rotate => {
                let left = self.b.binary(BinOp::Shl, v[0], v[1]);
                let zero = self.b.zero_value(ty);
                let back = self.b.binary(BinOp::Sub, zero, v[1]);
                let right = self.b.binary(BinOp::LShr, v[0], back);
                self.b.binary(BinOp::Or, left, right)
            }
            Special::Upsample => {
                let wide = Scalar::int(bits * 2);
                let high = self.b.int_resize(v[0], wide, false);
                let low = self.b.int_resize(v[1], wide, false);
                let amount = self.b.const_int(Type::vector(wide, lanes), i64::from(bits));
                let high = self.b.binary(BinOp::Shl, high, amount);
                self.b.binary(BinOp::Or, high, low)
            }
            _ => self.unknown_special(call),
        }
    }

    pub fn unknown_special(&mut self, call: &BuiltinCall) -> Value {
        self.defect(&format!("builtin '{}'", call.row.name));
        self.b.undef(call.result())
    }

    /// a * b + c, saturated, from the two halves of the product.
    fn mad_sat(&mut self, signed: bool, a: Value, b: Value, c: Value) -> Value {
        let ty = self.b.ty(a);
        let bits = ty.scalar.bits();
        let low = self.b.binary(BinOp::Mul, a, b);
        let zero = self.b.zero_value(ty);
        if !signed {
            let high = self.b.binary(BinOp::UMulHi, a, b);
            let sum = self.b.binary(BinOp::UAddSat, low, c);
            let all = self.b.const_int(ty, -1);
            let fits = self.b.compare(CmpOp::Eq, high, zero);
            return self.b.select(fits, sum, all);
        }
        // Add c to the double-width product; it fits if the high half is the sign of the low one.
        let high = self.b.binary(BinOp::SMulHi, a, b);
        let sum = self.b.binary(BinOp::Add, low, c);
        let carry = self.b.compare(CmpOp::Ult, sum, low);
        let one = self.b.const_int(ty, 1);
        let carry = self.b.select(carry, one, zero);
        let sign = self.b.const_int(ty, i64::from(bits) - 1);
        let c_high = self.b.binary(BinOp::AShr, c, sign);
        let high = self.b.binary(BinOp::Add, high, c_high);
        let high = self.b.binary(BinOp::Add, high, carry);
        let expected = self.b.binary(BinOp::AShr, sum, sign);
        let fits = self.b.compare(CmpOp::Eq, high, expected);
        let largest = self.b.const_int(ty, i64::MAX >> (64 - bits));
        let smallest = self.b.const_int(ty, i64::MIN >> (64 - bits));
        let negative = self.b.compare(CmpOp::Slt, high, zero);
        let limit = self.b.select(negative, smallest, largest);
        self.b.select(fits, sum, limit)
    }
}
