//! Floating-point and relational functions that are a few ops. Classification works on
//! bits, so that it holds even where arithmetic may assume that there is no NaN.

use super::builtin::BuiltinCall;
use super::function::FunctionLowering;
use crate::front::clc::builtins::implementation::Special;
use crate::front::clc::sema::tree::{Expr, ExprKind};
use crate::front::clc::sema::types::Prim;
use crate::ir::builder::{Builder, mask};
use crate::ir::{BinOp, CmpOp, Scalar, TernOp, Type, UnOp, Value, eval};

/// Bits of the mantissa.
pub fn mantissa_bits(scalar: Scalar) -> u32 {
    match scalar {
        Scalar::F16 => 10,
        Scalar::F32 => 23,
        _ => 52,
    }
}

impl<'u> FunctionLowering<'_, 'u, '_> {
    /// A power with a small whole exponent that the source tells: products, of at most 2.5 ulp.
    pub fn small_power(&mut self, call: &BuiltinCall<'u>) -> Option<Value> {
        let (&x, [_, exponent]) = (call.values.first()?, call.args) else {
            return None;
        };
        if !matches!(call.row.name.as_str(), "pow" | "pown") {
            return None;
        }
        let exponent = self.whole_number(exponent)?;
        let square = |b: &mut Builder, x| b.binary(BinOp::FMul, x, x);
        match exponent {
            1 => Some(x),
            2 => Some(square(&mut self.b, x)),
            3 => {
                let square = square(&mut self.b, x);
                Some(self.b.binary(BinOp::FMul, square, x))
            }
            4 => {
                let x = square(&mut self.b, x);
                Some(square(&mut self.b, x))
            }
            _ => None,
        }
    }

    /// The value of a number that the source tells, if it is whole and not negative.
    fn whole_number(&self, e: &Expr) -> Option<u64> {
        match (&e.kind, self.prim(e.ty)) {
            (ExprKind::Convert(a), prim) if prim != Some(Prim::Bool) => self.whole_number(a),
            (&ExprKind::Const(bits), Some(prim)) if prim.is_float() => {
                let value = eval::to_f64(self.value_type(e.ty)?.scalar, bits);
                (value >= 0.0 && value.fract() == 0.0).then_some(value as u64)
            }
            (&ExprKind::Const(bits), Some(_)) => Some(bits),
            _ => None,
        }
    }

    pub fn float_builtin(&mut self, special: Special, call: &BuiltinCall<'u>) -> Value {
        let ty = call.result();
        let v: Vec<Value> = call
            .values
            .iter()
            .map(|&v| self.widen(v, ty.lanes))
            .collect();
        match special {
            Special::Degrees | Special::Radians => {
                let factor = match special {
                    Special::Degrees => 180.0 / std::f64::consts::PI,
                    _ => std::f64::consts::PI / 180.0,
                };
                let factor = self.b.const_float(ty, factor);
                self.b.binary(BinOp::FMul, v[0], factor)
            }
            Special::Mix => {
                let difference = self.b.binary(BinOp::FSub, v[1], v[0]);
                let part = self.b.binary(BinOp::FMul, difference, v[2]);
                self.b.binary(BinOp::FAdd, v[0], part)
            }
            Special::Step => {
                let below = self.b.compare(CmpOp::FLt, v[1], v[0]);
                let (zero, one) = (self.b.zero_value(ty), self.b.const_float(ty, 1.0));
                self.b.select(below, zero, one)
            }
            // Zeros keep their sign. NaN gives 0.
            Special::Sign => {
                let zero = self.b.zero_value(ty);
                let one = self.b.const_float(ty, 1.0);
                let minus = self.b.const_float(ty, -1.0);
                let positive = self.b.compare(CmpOp::FGt, v[0], zero);
                let negative = self.b.compare(CmpOp::FLt, v[0], zero);
                let is_zero = self.b.compare(CmpOp::FEq, v[0], zero);
                let rest = self.b.select(is_zero, v[0], zero);
                let rest = self.b.select(negative, minus, rest);
                self.b.select(positive, one, rest)
            }
            Special::CopySign => {
                let int = Type::vector(Scalar::int(ty.scalar.bits()), ty.lanes);
                let size = self.b.bitcast(v[0], int);
                let sign = self.b.bitcast(v[1], int);
                let sign_bit = self.b.const_int(int, i64::MIN >> (64 - ty.scalar.bits()));
                let bits = self.bit_select(size, sign, sign_bit);
                self.b.bitcast(bits, ty)
            }
            _ => self.unknown_special(call),
        }
    }

    /// Bits of `b` where `c` has ones, else of `a`.
    pub fn bit_select(&mut self, a: Value, b: Value, c: Value) -> Value {
        self.b.ternary(TernOp::BitSelect, a, b, c)
    }

    /// The bits of the value without its sign.
    fn magnitude(&mut self, value: Value) -> Value {
        let ty = self.b.ty(value);
        let int = Type::vector(Scalar::int(ty.scalar.bits()), ty.lanes);
        let bits = self.b.bitcast(value, int);
        let rest = self.b.const_bits(int, mask(ty.scalar.bits() - 1));
        self.b.binary(BinOp::And, bits, rest)
    }

    pub fn relational_builtin(&mut self, special: Special, call: &BuiltinCall<'u>) -> Value {
        let x = call.values[0];
        let ty = self.b.ty(x);
        let bits = ty.scalar.bits();
        let truth = match special {
            Special::Any | Special::All => {
                let signs = self.sign_bits(x);
                match special {
                    Special::Any => self.b.any(signs),
                    _ => self.b.all(signs),
                }
            }
            Special::IsUnordered => {
                let ordered = self.b.compare(CmpOp::FOrd, x, call.values[1]);
                self.b.unary(UnOp::Not, ordered)
            }
            Special::SignBit => {
                let int = Type::vector(Scalar::int(bits), ty.lanes);
                let x = self.b.bitcast(x, int);
                self.sign_bits(x)
            }
            _ => {
                let size = self.magnitude(x);
                let int = self.b.ty(size);
                let mantissa = mantissa_bits(ty.scalar);
                let infinity = mask(bits - 1) >> mantissa << mantissa;
                let infinity = self.b.const_bits(int, infinity);
                match special {
                    Special::IsNan => self.b.compare(CmpOp::Ugt, size, infinity),
                    Special::IsInf => self.b.compare(CmpOp::Eq, size, infinity),
                    Special::IsFinite => self.b.compare(CmpOp::Ult, size, infinity),
                    Special::IsNormal => {
                        let smallest = self.b.const_bits(int, 1 << mantissa);
                        let low = self.b.compare(CmpOp::Uge, size, smallest);
                        let high = self.b.compare(CmpOp::Ult, size, infinity);
                        self.b.binary(BinOp::And, low, high)
                    }
                    _ => return self.unknown_special(call),
                }
            }
        };
        self.truth_as(truth, call.result())
    }
}
