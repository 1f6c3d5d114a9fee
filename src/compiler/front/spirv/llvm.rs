//! Functions of LLVM that a module imports: translators leave intrinsics that they do not know (`llvm.usub.sat.i32`). Each row is a
//! family of them, whose names go on with types.

use super::binary::{Id, Inst, Res};
use super::function::FunctionLowering;
use super::shim::Call;
use crate::ir::builder::Builder;
use crate::ir::{BinOp, CmpOp, Scalar, Type, UnOp, Value};

/// What takes the place of a call.
#[derive(Clone, Copy)]
pub enum Intrinsic {
    /// An expression in OpenCL C of the operands, which are signed or not.
    Signed(&'static str),
    Unsigned(&'static str),
    /// A conversion that saturates, to a type with a sign or without.
    Saturated(bool),
    /// A part of two numbers behind one another, moved to the left or the right.
    Funnel(BinOp),
    BitReverse,
    ByteSwap,
    /// The first operand.
    First,
    Nothing,
    Copy,
    /// Copies bytes that may overlap.
    Move,
    Set,
    /// The lesser or greater number by this comparison; NaN if one is, and of two zeros the one whose sign this operation gives.
    Extreme(CmpOp, BinOp),
    /// Whether a float is of one of the classes that a mask names.
    IsOfClass,
}

#[rustfmt::skip]
const TABLE: &[(&str, Intrinsic)] = &[
    ("abs", Intrinsic::Signed("abs(a0)")),
    ("assume", Intrinsic::Nothing),
    ("bitreverse", Intrinsic::BitReverse),
    ("bswap", Intrinsic::ByteSwap),
    ("ceil", Intrinsic::Signed("ceil(a0)")),
    ("copysign", Intrinsic::Signed("copysign(a0, a1)")),
    ("cos", Intrinsic::Signed("cos(a0)")),
    ("ctlz", Intrinsic::Unsigned("clz(a0)")),
    ("ctpop", Intrinsic::Unsigned("popcount(a0)")),
    ("cttz", Intrinsic::Unsigned("ctz(a0)")),
    ("exp", Intrinsic::Signed("exp(a0)")),
    ("exp10", Intrinsic::Signed("exp10(a0)")),
    ("exp2", Intrinsic::Signed("exp2(a0)")),
    ("expect", Intrinsic::First),
    ("experimental.noalias.scope.decl", Intrinsic::Nothing),
    ("fabs", Intrinsic::Signed("fabs(a0)")),
    ("floor", Intrinsic::Signed("floor(a0)")),
    ("fma", Intrinsic::Signed("fma(a0, a1, a2)")),
    ("fmuladd", Intrinsic::Signed("mad(a0, a1, a2)")),
    ("fptosi.sat", Intrinsic::Saturated(true)),
    ("fptoui.sat", Intrinsic::Saturated(false)),
    ("freeze", Intrinsic::First),
    ("fshl", Intrinsic::Funnel(BinOp::Shl)),
    ("fshr", Intrinsic::Funnel(BinOp::LShr)),
    ("is.fpclass", Intrinsic::IsOfClass),
    ("ldexp", Intrinsic::Signed("ldexp(a0, a1)")),
    ("lifetime.end", Intrinsic::Nothing),
    ("lifetime.start", Intrinsic::Nothing),
    ("log", Intrinsic::Signed("log(a0)")),
    ("log10", Intrinsic::Signed("log10(a0)")),
    ("log2", Intrinsic::Signed("log2(a0)")),
    ("maximum", Intrinsic::Extreme(CmpOp::FGt, BinOp::And)),
    ("maxnum", Intrinsic::Signed("fmax(a0, a1)")),
    ("memcpy", Intrinsic::Copy),
    ("memmove", Intrinsic::Move),
    ("memset", Intrinsic::Set),
    ("minimum", Intrinsic::Extreme(CmpOp::FLt, BinOp::Or)),
    ("minnum", Intrinsic::Signed("fmin(a0, a1)")),
    ("nearbyint", Intrinsic::Signed("rint(a0)")),
    ("pow", Intrinsic::Signed("pow(a0, a1)")),
    ("rint", Intrinsic::Signed("rint(a0)")),
    ("round", Intrinsic::Signed("round(a0)")),
    ("roundeven", Intrinsic::Signed("rint(a0)")),
    ("sadd.sat", Intrinsic::Signed("add_sat(a0, a1)")),
    ("sin", Intrinsic::Signed("sin(a0)")),
    ("smax", Intrinsic::Signed("max(a0, a1)")),
    ("smin", Intrinsic::Signed("min(a0, a1)")),
    ("sqrt", Intrinsic::Signed("sqrt(a0)")),
    ("ssub.sat", Intrinsic::Signed("sub_sat(a0, a1)")),
    ("trunc", Intrinsic::Signed("trunc(a0)")),
    ("uadd.sat", Intrinsic::Unsigned("add_sat(a0, a1)")),
    ("umax", Intrinsic::Unsigned("max(a0, a1)")),
    ("umin", Intrinsic::Unsigned("min(a0, a1)")),
    ("usub.sat", Intrinsic::Unsigned("sub_sat(a0, a1)")),
];

/// The intrinsic that a function's name means.
pub fn intrinsic(name: &str) -> Option<Intrinsic> {
    let name = name.strip_prefix("llvm.")?;
    let is = |row: &&(&str, Intrinsic)| {
        let rest = name.strip_prefix(row.0);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    TABLE.iter().find(is).map(|row| row.1)
}

impl FunctionLowering<'_, '_, '_> {
    /// A call of an intrinsic.
    pub fn llvm(&mut self, inst: &Inst, intrinsic: Intrinsic) -> Res<()> {
        let args = inst.rest(1);
        let arg = |i: usize| args.get(i).copied().ok_or("there are too few operands");
        let value = match intrinsic {
            Intrinsic::Nothing => return Ok(()),
            Intrinsic::Copy => return self.copy_bytes(arg(0)?, arg(1)?, arg(2)?, 1),
            Intrinsic::Move => return self.move_bytes(arg(0)?, arg(1)?, arg(2)?),
            Intrinsic::Set => return self.set_bytes(arg(0)?, arg(1)?, arg(2)?),
            Intrinsic::First => self.value(arg(0)?)?,
            Intrinsic::Signed(expr) => self.on_operands(inst, args, true, expr)?,
            Intrinsic::Unsigned(expr) => self.on_operands(inst, args, false, expr)?,
            Intrinsic::Saturated(signed) => {
                let (from, to) = (self.value(arg(0)?)?, self.result_type(inst)?);
                self.c_convert(from, true, to, signed, "_sat")
            }
            Intrinsic::Funnel(towards) => {
                let (high, low) = (self.value(arg(0)?)?, self.value(arg(1)?)?);
                let amount = self.value(arg(2)?)?;
                self.funnel(high, low, amount, towards)
            }
            Intrinsic::Extreme(first, join) => {
                let (a, b) = (self.value(arg(0)?)?, self.value(arg(1)?)?);
                self.extreme(a, b, first, join)?
            }
            Intrinsic::IsOfClass => {
                let (value, mask) = (self.value(arg(0)?)?, self.unit.integer(arg(1)?)?);
                self.is_of_class(value, mask)?
            }
            Intrinsic::BitReverse => {
                let value = self.value(arg(0)?)?;
                self.b.unary(UnOp::BitReverse, value)
            }
            Intrinsic::ByteSwap => {
                let value = self.value(arg(0)?)?;
                if !self.b.ty(value).scalar.is_int() {
                    return Err("the operand is no integer".into());
                }
                self.byte_swap(value)
            }
        };
        self.define(inst.id, value);
        Ok(())
    }

    fn on_operands(&mut self, inst: &Inst, args: &[Id], signed: bool, expr: &str) -> Res<Value> {
        let ty = self.result_type(inst)?;
        let mut call = Call::default();
        for &arg in args {
            self.c_arg(&mut call, arg, signed)?;
        }
        Ok(self.c_expr(call, ty, expr))
    }

    /// Amounts count modulo the width, as the IR's shifts do: the rest is moved by one and by the width less one.
    fn funnel(&mut self, high: Value, low: Value, amount: Value, towards: BinOp) -> Value {
        let ty = self.b.ty(amount);
        let one = self.b.const_int(ty, 1);
        let rest = self.b.unary(UnOp::Not, amount);
        let (a, b) = match towards {
            BinOp::Shl => {
                let low = self.b.binary(BinOp::LShr, low, one);
                let low = self.b.binary(BinOp::LShr, low, rest);
                (self.b.binary(BinOp::Shl, high, amount), low)
            }
            _ => {
                let high = self.b.binary(BinOp::Shl, high, one);
                let high = self.b.binary(BinOp::Shl, high, rest);
                (self.b.binary(BinOp::LShr, low, amount), high)
            }
        };
        self.b.binary(BinOp::Or, a, b)
    }

    fn byte_swap(&mut self, value: Value) -> Value {
        let mut swapped = Vec::new();
        for lane in self.b.lanes(value) {
            let ty = self.b.ty(lane);
            let bytes = self.b.bitcast(lane, Type::I8.with_lanes(ty.size() as u8));
            let mut bytes = self.b.lanes(bytes);
            bytes.reverse();
            let bytes = self.b.construct(bytes);
            swapped.push(self.b.bitcast(bytes, ty));
        }
        self.b.construct(swapped)
    }

    fn extreme(&mut self, a: Value, b: Value, first: CmpOp, join: BinOp) -> Res<Value> {
        let ty = self.b.ty(a);
        if !ty.scalar.is_float() || self.b.ty(b) != ty {
            return Err("the operands are no floats of one type".into());
        }
        // The bits of equal numbers differ in zeros alone.
        let bits = Type::scalar(Scalar::int(ty.scalar.bits())).with_lanes(ty.lanes);
        let (bits_a, bits_b) = (self.b.bitcast(a, bits), self.b.bitcast(b, bits));
        let joined = self.b.binary(join, bits_a, bits_b);
        let joined = self.b.bitcast(joined, ty);
        let is_first = self.b.compare(first, a, b);
        let chosen = self.b.select(is_first, a, b);
        let equal = self.b.compare(CmpOp::FEq, a, b);
        let chosen = self.b.select(equal, joined, chosen);
        let ordered = self.b.compare(CmpOp::FOrd, a, b);
        let nan = self.b.binary(BinOp::FAdd, a, b);
        Ok(self.b.select(ordered, chosen, nan))
    }

    /// The mask's bits, from the lowest: NaN that signals, quiet NaN; negative infinity, normal, subnormal, zero; positive zero, subnormal,
    /// normal, infinity.
    fn is_of_class(&mut self, value: Value, mask: u64) -> Res<Value> {
        let float = self.b.ty(value);
        let digits = match float.scalar {
            Scalar::F16 => 10,
            Scalar::F32 => 23,
            Scalar::F64 => 52,
            _ => return Err("the operand is no float".into()),
        };
        let ty = Type::scalar(Scalar::int(float.scalar.bits())).with_lanes(float.lanes);
        let sign = 1i64 << (ty.scalar.bits() - 1);
        let infinity = (sign as u64 - (1 << digits)) as i64 & !sign;
        let b = &mut self.b;
        let bits = b.bitcast(value, ty);
        let number = |b: &mut Builder, n: i64| b.const_int(ty, n);
        let zero = number(b, 0);
        let (sign, rest) = (number(b, sign), number(b, !sign));
        let sign = b.binary(BinOp::And, bits, sign);
        let (negative, positive) = (
            b.compare(CmpOp::Ne, sign, zero),
            b.compare(CmpOp::Eq, sign, zero),
        );
        let magnitude = b.binary(BinOp::And, bits, rest);
        // Classes are ranges of magnitudes: zero, subnormal, normal, infinity, NaN that signals, quiet NaN.
        let starts = [
            0,
            1,
            1 << digits,
            infinity,
            infinity + 1,
            infinity + (1 << (digits - 1)),
        ];
        let above: Vec<Value> = starts
            .iter()
            .map(|&start| {
                let start = number(b, start);
                b.compare(CmpOp::Uge, magnitude, start)
            })
            .collect();
        const SIGNALS: usize = 4;
        let mut found = b.zero_value(Type::BOOL.with_lanes(float.lanes));
        for bit in 0..10usize {
            if mask >> bit & 1 == 0 {
                continue;
            }
            let (range, signed) = match bit {
                0 | 1 => (SIGNALS + bit, None),
                2..=5 => (5 - bit, Some(negative)),
                _ => (bit - 6, Some(positive)),
            };
            let mut is = above[range];
            if let Some(&next) = above.get(range + 1) {
                let below = b.unary(UnOp::Not, next);
                is = b.binary(BinOp::And, is, below);
            }
            if let Some(signed) = signed {
                is = b.binary(BinOp::And, is, signed);
            }
            found = b.binary(BinOp::Or, found, is);
        }
        Ok(found)
    }

    /// A few bytes by way of an object; many one by one, from the end that is not written first.
    fn move_bytes(&mut self, to: Id, from: Id, size: Id) -> Res<()> {
        const FEW: u64 = 256;
        let (target, source) = (self.value(to)?, self.pointer(from)?);
        if let Ok(size @ 0..=FEW) = self.unit.integer(size) {
            let size = size as u32;
            if size > 0 {
                let between = self.temp(size, 1);
                self.b.copy(between, source, size, 1);
                self.b.copy(target, between, size, 1);
            }
            return Ok(());
        }
        let size = self.value(size)?;
        let (a, b) = (
            self.reinterpret(target, Type::I64),
            self.reinterpret(source, Type::I64),
        );
        let backward = self.b.compare(CmpOp::Ult, b, a);
        self.b.move_bytes(target, source, size, backward);
        Ok(())
    }

    fn set_bytes(&mut self, to: Id, byte: Id, size: Id) -> Res<()> {
        let (to, byte) = (self.value(to)?, self.value(byte)?);
        if self.b.ty(byte) != Type::I8 {
            return Err("memory is set to a value that is no byte".into());
        }
        let size = self.value(size)?;
        self.b.set_bytes(to, byte, size);
        Ok(())
    }
}
