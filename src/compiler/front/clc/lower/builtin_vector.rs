//! select, bitselect, shuffle and the explicit conversions.

use super::builtin::BuiltinCall;
use super::builtin_float::mantissa_bits;
use super::function::FunctionLowering;
use super::unit::prim_scalar;
use crate::compiler::front::clc::builtins::implementation::Special;
use crate::compiler::front::clc::builtins::table::Rounding;
use crate::compiler::front::clc::sema::types::Prim;
use crate::compiler::ir::{BinOp, CastOp, CmpOp, Scalar, Type, UnOp, Value};

impl<'u> FunctionLowering<'_, 'u, '_> {
    pub fn vector_builtin(&mut self, special: Special, call: &BuiltinCall<'u>) -> Value {
        let v = &call.values;
        let ty = call.result();
        match special {
            Special::BitSelect => {
                let int = Type::vector(Scalar::int(ty.scalar.bits()), ty.lanes);
                let bits: Vec<Value> = v.iter().map(|&v| self.b.bitcast(v, int)).collect();
                let chosen = self.bit_select(bits[0], bits[1], bits[2]);
                self.b.bitcast(chosen, ty)
            }
            Special::Select => {
                let cond = if ty.lanes == 1 {
                    self.not_zero(v[2])
                } else {
                    self.sign_bits(v[2])
                };
                self.b.select(cond, v[1], v[0])
            }
            Special::Shuffle => self.shuffle_builtin(v[0], None, v[1], ty),
            Special::Shuffle2 => self.shuffle_builtin(v[0], Some(v[1]), v[2], ty),
            Special::Convert => {
                let from = self.prim(call.args[0].ty).unwrap_or(call.prim);
                let to = self.prim(call.ret_ty).unwrap_or(call.prim);
                self.convert_rounded(v[0], from, to, call.row.saturate, call.row.rounding)
            }
            _ => self.unknown_special(call),
        }
    }

    /// Lanes chosen at run time; only the low bits of each mask element count.
    fn shuffle_builtin(&mut self, a: Value, b: Option<Value>, mask: Value, ty: Type) -> Value {
        let count = i64::from(self.b.ty(a).lanes);
        let mut lanes = Vec::new();
        for index in self.b.lanes(mask) {
            let index = self.b.int_resize(index, Scalar::I32, false);
            let low = self.b.const_int(Type::I32, count - 1);
            let lane = self.b.binary(BinOp::And, index, low);
            let from_a = self.b.extract_dyn(a, lane);
            lanes.push(match b {
                None => from_a,
                Some(b) => {
                    let from_b = self.b.extract_dyn(b, lane);
                    let which = self.b.const_int(Type::I32, count);
                    let which = self.b.binary(BinOp::And, index, which);
                    let second = self.not_zero(which);
                    self.b.select(second, from_b, from_a)
                }
            });
        }
        debug_assert_eq!(lanes.len(), usize::from(ty.lanes));
        self.b.construct(lanes)
    }

    /// convert_T_sat_rt, lane by lane.
    pub fn convert_rounded(
        &mut self,
        value: Value,
        from: Prim,
        to: Prim,
        saturate: bool,
        rounding: Option<Rounding>,
    ) -> Value {
        if from == to || from == Prim::Bool {
            return self.convert_prim(value, from, to);
        }
        match (from.is_float(), to.is_float()) {
            (false, false) if saturate => self.saturate_int(value, from, to),
            (false, false) => self.convert_prim(value, from, to),
            (true, false) => self.float_to_int(value, to, saturate, rounding),
            (true, true) => match rounding {
                Some(rounding) if to.size() < from.size() => self.narrow_float(value, to, rounding),
                _ => self.convert_prim(value, from, to),
            },
            (false, true) => match rounding {
                Some(rounding) if rounding != Rounding::NearestEven => {
                    self.int_to_float(value, from, to, rounding)
                }
                _ => self.convert_prim(value, from, to),
            },
        }
    }

    /// Clamps in the source type to what both types hold.
    fn saturate_int(&mut self, value: Value, from: Prim, to: Prim) -> Value {
        let ty = self.b.ty(value);
        let bits = |p: Prim| p.size() as u32 * 8;
        let (low, high) = limits(to);
        let mut value = value;
        if from.is_signed() {
            if !to.is_signed() || bits(to) < bits(from) {
                let low = self.b.const_int(ty, low);
                value = self.b.binary(BinOp::SMax, value, low);
            }
            if bits(to) < bits(from) {
                let high = self.b.const_bits(ty, high);
                value = self.b.binary(BinOp::SMin, value, high);
            }
        } else if bits(to) < bits(from) || (to.is_signed() && bits(to) == bits(from)) {
            let high = self.b.const_bits(ty, high);
            value = self.b.binary(BinOp::UMin, value, high);
        }
        self.convert_prim(value, from, to)
    }

    fn float_to_int(
        &mut self,
        value: Value,
        to: Prim,
        saturate: bool,
        rounding: Option<Rounding>,
    ) -> Value {
        let whole = match rounding {
            None | Some(Rounding::Zero) => value,
            Some(Rounding::NearestEven) => self.b.unary(UnOp::Rint, value),
            Some(Rounding::Up) => self.b.unary(UnOp::Ceil, value),
            Some(Rounding::Down) => self.b.unary(UnOp::Floor, value),
        };
        let ty = self.b.ty(whole);
        let result = Type::vector(prim_scalar(to), ty.lanes);
        let op = if to.is_signed() {
            CastOp::FpToSi
        } else {
            CastOp::FpToUi
        };
        let int = self.b.cast(op, whole, result);
        if !saturate {
            return int;
        }
        // Both bounds are powers of two or zero: exact, or infinite in half.
        let (low, high) = limits(to);
        let above = self.b.const_float(ty, high as f64 + 1.0);
        let below = self.b.const_float(ty, low as f64);
        let (low, high) = (
            self.b.const_int(result, low),
            self.b.const_bits(result, high),
        );
        let too_large = self.b.compare(CmpOp::FGe, whole, above);
        let too_small = self.b.compare(CmpOp::FLe, whole, below);
        let ordered = self.b.compare(CmpOp::FOrd, whole, whole);
        let zero = self.b.zero_value(result);
        let int = self.b.select(too_large, high, int);
        let int = self.b.select(too_small, low, int);
        self.b.select(ordered, int, zero)
    }

    /// Integer to float with a directed rounding: the leading bits convert exactly, and
    /// where others were lost, one unit in the last place may be added, exactly too.
    fn int_to_float(&mut self, value: Value, from: Prim, to: Prim, rounding: Rounding) -> Value {
        if to == Prim::Half && from.size() > 1 {
            // Directed roundings compose, and only float holds all the range.
            let float = self.int_to_float(value, from, Prim::Float, rounding);
            return self.narrow_float(float, to, rounding);
        }
        let ty = self.b.ty(value);
        let bits = i64::from(ty.scalar.bits());
        let digits = i64::from(mantissa_bits(prim_scalar(to))) + 1;
        let result = Type::vector(prim_scalar(to), ty.lanes);
        let zero = self.b.zero_value(ty);
        let negative = if from.is_signed() {
            self.b.compare(CmpOp::Slt, value, zero)
        } else {
            let no = self.b.const_bool(false);
            self.b.splat(no, ty.lanes)
        };
        let opposite = self.b.binary(BinOp::Sub, zero, value);
        let size = self.b.select(negative, opposite, value);
        let leading = self.b.unary(UnOp::Clz, size);
        let room = self.b.const_int(ty, bits - digits);
        let shift = self.b.binary(BinOp::Sub, room, leading);
        let shift = self.b.binary(BinOp::SMax, shift, zero);
        let short = self.b.binary(BinOp::LShr, size, shift);
        let short = self.b.binary(BinOp::Shl, short, shift);
        let exact = self.b.compare(CmpOp::Eq, short, size);
        let one = self.b.const_int(ty, 1);
        let unit = self.b.binary(BinOp::Shl, one, shift);
        let unit = self.b.select(exact, zero, unit);
        let down = self.b.cast(CastOp::UiToFp, short, result);
        let unit = self.b.cast(CastOp::UiToFp, unit, result);
        let up = self.b.binary(BinOp::FAdd, down, unit);
        let (positive_size, negative_size) = match rounding {
            Rounding::Up => (up, down),
            Rounding::Down => (down, up),
            _ => (down, down),
        };
        let minus = self.b.unary(UnOp::FNeg, negative_size);
        self.b.select(negative, minus, positive_size)
    }

    /// Float to a narrower float. To f32: rounded to nearest, then moved by one unit where that
    /// went the wrong way. Magnitudes are ordered as integers, infinity included.
    pub fn narrow_float(&mut self, value: Value, to: Prim, rounding: Rounding) -> Value {
        let wide = self.b.ty(value);
        let narrow = Type::vector(prim_scalar(to), wide.lanes);
        let nearest = self.b.cast(CastOp::FpTrunc, value, narrow);
        if rounding == Rounding::NearestEven {
            return nearest;
        }
        if to == Prim::Half {
            // Directed roundings compose.
            let float = Type::vector(Scalar::F32, wide.lanes);
            let float = match wide == float {
                true => value,
                false => self.narrow_float(value, Prim::Float, rounding),
            };
            return self.narrow_to_half(float, nearest, rounding);
        }
        let back = self.b.cast(CastOp::FpExt, nearest, wide);
        let int = Type::vector(Scalar::int(narrow.scalar.bits()), narrow.lanes);
        let bits = self.b.bitcast(nearest, int);
        let one = self.b.const_int(int, 1);
        let smaller = self.b.binary(BinOp::Sub, bits, one);
        let larger = self.b.binary(BinOp::Add, bits, one);
        let negative = self.sign_bits(bits);
        let below = self.b.compare(CmpOp::FLt, back, value);
        let above = self.b.compare(CmpOp::FGt, back, value);
        // Toward +infinity a negative number's magnitude shrinks, a positive one's grows.
        let fixed = match rounding {
            Rounding::Up => {
                let next = self.b.select(negative, smaller, larger);
                self.b.select(below, next, bits)
            }
            Rounding::Down => {
                let next = self.b.select(negative, larger, smaller);
                self.b.select(above, next, bits)
            }
            _ => {
                let beyond = self.b.select(negative, below, above);
                self.b.select(beyond, smaller, bits)
            }
        };
        self.b.bitcast(fixed, narrow)
    }

    /// f32 to f16, rounded in a direction: digits are cut off the integer that the number is
    /// in memory. A comparison with the nearest half will not do: NVIDIA's compiler takes a float
    /// that went through half for the float itself.
    fn narrow_to_half(&mut self, value: Value, nearest: Value, rounding: Rounding) -> Value {
        let lanes = self.b.ty(value).lanes;
        let int = Type::vector(Scalar::I32, lanes);
        let short = Type::vector(Scalar::I16, lanes);
        let word = self.b.bitcast(value, int);
        let mut number = |bits: i64| self.b.const_int(int, bits);
        let (zero, one, exponent_at) = (number(0), number(1), number(23));
        let (size_mask, infinity) = (number(0x7fff_ffff), number(0x7f80_0000));
        // 2^-14, the smallest normal half, and what lies just below 2^16.
        let (smallest, greatest) = (number(0x3880_0000), number(0x477f_ffff));
        let (implicit, mantissa) = (number(0x80_0000), number(0x7f_ffff));
        // Between the biases of the exponents; between the mantissas of normal numbers.
        let (rebias, digits) = (number(0x3800_0000), number(13));
        // A subnormal half counts units of 2^-24.
        let (unit_exponent, most) = (number(126), number(31));
        let size = self.b.binary(BinOp::And, word, size_mask);
        let finite = self.b.binary(BinOp::UMin, size, greatest);
        let exponent = self.b.binary(BinOp::LShr, finite, exponent_at);
        let subnormal = self.b.compare(CmpOp::Ult, finite, smallest);
        let rebiased = self.b.binary(BinOp::Sub, finite, rebias);
        let significand = self.b.binary(BinOp::And, finite, mantissa);
        let significand = self.b.binary(BinOp::Or, significand, implicit);
        let shift = self.b.binary(BinOp::Sub, unit_exponent, exponent);
        let shift = self.b.binary(BinOp::UMin, shift, most);
        let shift = self.b.select(subnormal, shift, digits);
        let given = self.b.select(subnormal, significand, rebiased);
        let half = self.b.binary(BinOp::LShr, given, shift);
        let kept = self.b.binary(BinOp::Shl, half, shift);
        let negative = self.b.compare(CmpOp::Slt, word, zero);
        let away = match rounding {
            Rounding::Up => Some(self.b.unary(UnOp::Not, negative)),
            Rounding::Down => Some(negative),
            _ => None,
        };
        let half = match away {
            None => half,
            Some(away) => {
                // What was cut off; zero itself has no digit that the implicit one could be.
                let cut = self.b.compare(CmpOp::Ne, kept, given);
                let beyond = self.b.compare(CmpOp::Ugt, size, finite);
                let inexact = self.b.binary(BinOp::Or, cut, beyond);
                let some = self.b.compare(CmpOp::Ne, size, zero);
                let inexact = self.b.binary(BinOp::And, inexact, some);
                let larger = self.b.binary(BinOp::And, inexact, away);
                let next = self.b.binary(BinOp::Add, half, one);
                self.b.select(larger, next, half)
            }
        };
        let half = self.b.int_resize(half, Scalar::I16, false);
        let sign = self.b.const_bits(short, 0x8000);
        let signed = self.b.binary(BinOp::Or, half, sign);
        let half = self.b.select(negative, signed, half);
        let half = self.b.bitcast(half, Type::vector(Scalar::F16, lanes));
        // Infinity and NaN.
        let special = self.b.compare(CmpOp::Uge, size, infinity);
        self.b.select(special, nearest, half)
    }
}

/// Smallest (as a signed number) and largest (as bits) value of an integer type.
fn limits(prim: Prim) -> (i64, u64) {
    let bits = prim.size() as u32 * 8;
    if prim.is_signed() {
        (i64::MIN >> (64 - bits), (i64::MAX >> (64 - bits)) as u64)
    } else {
        (0, u64::MAX >> (64 - bits))
    }
}
