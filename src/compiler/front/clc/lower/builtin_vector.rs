//! select, bitselect, shuffle and the explicit conversions.

use super::builtin::BuiltinCall;
use super::builtin_float::mantissa_bits;
use super::function::FunctionLowering;
use super::unit::prim_scalar;
use crate::front::clc::builtins::implementation::Special;
use crate::front::clc::builtins::table::Rounding;
use crate::front::clc::sema::types::Prim;
use crate::ir::{BinOp, CastOp, CmpOp, Scalar, Type, UnOp, Value};

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
        // Both bounds are powers of two or zero, so they are exact, or infinite in half.
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

    /// Float to a narrower float. In a direction: digits are cut off the integer that the number
    /// is in memory. A comparison with the nearest one will not do: NVIDIA's compiler takes a float
    /// that went through half for the float itself, and errs where a double's float is subnormal.
    pub fn narrow_float(&mut self, value: Value, to: Prim, rounding: Rounding) -> Value {
        let wide = self.b.ty(value);
        let narrow = Type::vector(prim_scalar(to), wide.lanes);
        let nearest = self.b.cast(CastOp::FpTrunc, value, narrow);
        if rounding == Rounding::NearestEven {
            return nearest;
        }
        let (width, short_width) = (wide.scalar.bits(), narrow.scalar.bits());
        let int = Type::vector(Scalar::int(width), wide.lanes);
        let short = Type::vector(Scalar::int(short_width), wide.lanes);
        let digits_of = |scalar| i64::from(mantissa_bits(scalar));
        let (digits, kept_digits) = (digits_of(wide.scalar), digits_of(narrow.scalar));
        let bias = |bits: u32, digits: i64| (1 << (i64::from(bits) - digits - 2)) - 1;
        let (bias, short_bias) = (bias(width, digits), bias(short_width, kept_digits));
        let (rebias, cut) = (bias - short_bias, digits - kept_digits);

        let word = self.b.bitcast(value, int);
        let mut number = |bits: i64| self.b.const_int(int, bits);
        let (zero, one, exponent_at) = (number(0), number(1), number(digits));
        let (size_mask, infinity) = (
            number(i64::MAX >> (64 - width)),
            number((2 * bias + 1) << digits),
        );
        // The smallest normal number, and what lies just below the first that is too large.
        let (smallest, greatest) = (
            number((rebias + 1) << digits),
            number(((bias + short_bias + 1) << digits) - 1),
        );
        let (implicit, mantissa) = (number(1 << digits), number((1 << digits) - 1));
        let (rebias, cut_normal) = (number(rebias << digits), number(cut));
        // A subnormal number counts units; with this exponent a unit is the implicit digit's place.
        let unit_exponent = number(bias - short_bias + 1 + cut);
        let most = number(i64::from(width) - 1);

        let size = self.b.binary(BinOp::And, word, size_mask);
        let finite = self.b.binary(BinOp::UMin, size, greatest);
        let exponent = self.b.binary(BinOp::LShr, finite, exponent_at);
        let subnormal = self.b.compare(CmpOp::Ult, finite, smallest);
        let rebiased = self.b.binary(BinOp::Sub, finite, rebias);
        let significand = self.b.binary(BinOp::And, finite, mantissa);
        let significand = self.b.binary(BinOp::Or, significand, implicit);
        let shift = self.b.binary(BinOp::Sub, unit_exponent, exponent);
        let shift = self.b.binary(BinOp::UMin, shift, most);
        let shift = self.b.select(subnormal, shift, cut_normal);
        let given = self.b.select(subnormal, significand, rebiased);
        let result = self.b.binary(BinOp::LShr, given, shift);
        let kept = self.b.binary(BinOp::Shl, result, shift);
        let negative = self.b.compare(CmpOp::Slt, word, zero);
        let away = match rounding {
            Rounding::Up => Some(self.b.unary(UnOp::Not, negative)),
            Rounding::Down => Some(negative),
            _ => None,
        };
        let result = match away {
            None => result,
            Some(away) => {
                // What was cut off; zero has no digit that the implicit one could be.
                let lost = self.b.compare(CmpOp::Ne, kept, given);
                let beyond = self.b.compare(CmpOp::Ugt, size, finite);
                let inexact = self.b.binary(BinOp::Or, lost, beyond);
                let some = self.b.compare(CmpOp::Ne, size, zero);
                let inexact = self.b.binary(BinOp::And, inexact, some);
                let larger = self.b.binary(BinOp::And, inexact, away);
                let next = self.b.binary(BinOp::Add, result, one);
                self.b.select(larger, next, result)
            }
        };
        let result = self.b.int_resize(result, short.scalar, false);
        let sign = self.b.const_bits(short, 1 << (short_width - 1));
        let signed = self.b.binary(BinOp::Or, result, sign);
        let result = self.b.select(negative, signed, result);
        let result = self.b.bitcast(result, narrow);
        // The result is infinity or NaN.
        let special = self.b.compare(CmpOp::Uge, size, infinity);
        self.b.select(special, nearest, result)
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
