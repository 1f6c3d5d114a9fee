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

    /// Float to a narrower float: rounded to nearest, then moved by one unit where that
    /// went the wrong way. Magnitudes are ordered as integers, infinity included.
    pub fn narrow_float(&mut self, value: Value, to: Prim, rounding: Rounding) -> Value {
        let wide = self.b.ty(value);
        let narrow = Type::vector(prim_scalar(to), wide.lanes);
        let nearest = self.b.cast(CastOp::FpTrunc, value, narrow);
        if rounding == Rounding::NearestEven {
            return nearest;
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
