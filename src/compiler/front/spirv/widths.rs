//! Integers of other widths than the IR has (SPV_INTEL_arbitrary_precision_integers): LLVM makes them where it joins loads or flags.
//!
//! One of up to 64 bits is a number of the next width that the IR has, one of more a vector of two words, the low one first. Bits above
//! its own are zero: what may set them clears them.

use rspirv::spirv::{Decoration, Op};

use super::binary::{Id, Inst, Res};
use super::function::FunctionLowering;
use super::operators;
use super::shim::{Call, c_name};
use crate::ir::builder::mask;
use crate::ir::{Addr, BinOp, CastOp, CmpOp, Scalar, Type, UnOp, Value};

const MAX_WIDTH: u32 = 128;

/// Division of `a0` by `a1` in OpenCL C, bit by bit where the words do not divide. A rest that loses its highest bit is larger than any divisor.
const DIVISION: &str = "\
    ulong2 quotient = a0, rest = 0; \
    if ((a0.y | a1.y) == 0) { \
        quotient.x = a0.x / a1.x; \
        rest.x = a0.x % a1.x; \
    } else for (int i = 0; i < 128; i++) { \
        bool lost = rest.y >> 63; \
        rest = rest << 1 | (ulong2)(quotient.y, rest.x) >> 63; \
        quotient = quotient << 1 | (ulong2)(0, quotient.x >> 63); \
        if (lost || rest.y > a1.y || (rest.y == a1.y && rest.x >= a1.x)) { \
            rest.y -= a1.y + (rest.x < a1.x); \
            rest.x -= a1.x; \
            quotient.x |= 1; \
        } \
    } ";

/// What an integer of this width is in the IR, and whether its width is another there.
pub fn integer(bits: u32) -> Res<(Type, bool)> {
    match bits {
        1..=64 => {
            let has = bits.next_power_of_two().max(8);
            Ok((Type::scalar(Scalar::int(has)), has != bits))
        }
        65..=MAX_WIDTH => Ok((Type::vector(Scalar::I64, 2), true)),
        _ => Err(format!("integers of {bits} bits are not supported")),
    }
}

pub fn is_wide(width: Option<u32>) -> bool {
    width.is_some_and(|bits| bits > 64)
}

/// Offsets and sizes of the accesses to a number of bytes.
fn pieces(bytes: u32) -> impl Iterator<Item = (u32, u32)> {
    let mut offset = 0;
    std::iter::from_fn(move || {
        let size = 1 << (bytes - offset).min(8).checked_ilog2()?;
        offset += size;
        Some((offset - size, size))
    })
}

impl FunctionLowering<'_, '_, '_> {
    fn width(&self, id: Id) -> Option<u32> {
        // Hardly a module has any.
        if !self.unit.types.has_other_widths() {
            return None;
        }
        let ty = self.unit.type_of(id).ok()?;
        self.unit.types.width(ty)
    }

    /// Whether an instruction on numbers has an operand or a result of another width.
    pub fn has_other_width(&self, inst: &Inst) -> bool {
        let first = inst.args.first();
        self.unit.types.width(inst.ty).is_some()
            || first.is_some_and(|&id| self.width(id).is_some())
    }

    /// Whether it is OpBitcast of a vector of truth values, which LLVM's translator has for a vector of single bits.
    pub fn joins_bools(&self, inst: &Inst) -> bool {
        let is_bool = |id| {
            let ty = self.unit.type_of(id);
            let ty = ty.and_then(|ty| self.unit.types.value(ty));
            ty.is_ok_and(|ty| ty.scalar == Scalar::Bool)
        };
        inst.op == Op::Bitcast && inst.args.first().is_some_and(|&id| is_bool(id))
    }

    /// Refuses what is lowered for the IR's widths alone.
    pub fn check_widths(&self, inst: &Inst, operands: &[Id]) -> Res<()> {
        let own = self.unit.types.width(inst.ty);
        match own.or_else(|| operands.iter().find_map(|&id| self.width(id))) {
            Some(bits) => Err(format!("it is not supported for integers of {bits} bits")),
            None => Ok(()),
        }
    }

    pub fn other_width(&mut self, inst: &Inst) -> Res<Value> {
        let ty = self.result_type(inst)?;
        let operand = inst.arg(0)?;
        let (from, to) = (self.width(operand), self.unit.types.width(inst.ty));
        let a = self.value(operand)?;
        let value = match inst.op {
            Op::Bitcast => self.bits_as(a, from, ty, to)?,
            Op::Select => {
                let (yes, no) = (self.value(inst.arg(1)?)?, self.value(inst.arg(2)?)?);
                return self.select(inst, a, yes, no);
            }
            Op::UConvert | Op::SConvert => {
                let signed = inst.op == Op::SConvert;
                let a = if signed {
                    self.sign_extended(a, from)
                } else {
                    a
                };
                self.resized(a, from, ty, to, signed)
            }
            Op::ConvertPtrToU => {
                let address = self.reinterpret(a, Type::I64);
                self.resized(address, None, ty, to, false)
            }
            Op::ConvertUToPtr => {
                let address = self.resized(a, from, Type::I64, None, false);
                self.reinterpret(address, ty)
            }
            _ if is_wide(from) || is_wide(to) => self.on_words(inst, a, from)?,
            _ => self.on_narrow(inst, a, from, ty)?,
        };
        Ok(self.cleared(value, to))
    }

    /// What OpBitcast makes of a value. Vectors of three lanes lie in four.
    fn bits_as(
        &mut self,
        a: Value,
        from: Option<u32>,
        to: Type,
        to_width: Option<u32>,
    ) -> Res<Value> {
        let is = self.b.ty(a);
        let count = |ty: Type, width: Option<u32>| match width {
            Some(bits) if bits > 64 || ty.lanes == 1 => Some(bits),
            Some(_) => None,
            None => Some(ty.scalar.bits() * u32::from(ty.lanes)),
        };
        let (Some(bits), Some(wanted)) = (count(is, from), count(to, to_width)) else {
            return Err("bits of vectors of such integers are not supported".into());
        };
        let pointer = is.scalar.is_ptr() || to.scalar.is_ptr();
        if bits != wanted || pointer || to.scalar == Scalar::Bool {
            return Err("it has another number of bits".into());
        }
        if is.scalar == Scalar::Bool {
            let mut sum = self.b.zero_value(to);
            for (i, lane) in (0..).zip(self.b.lanes(a)) {
                let bit = self.b.cast(CastOp::BoolToInt, lane, to);
                let place = self.b.const_int(to, i);
                let bit = self.b.binary(BinOp::Shl, bit, place);
                sum = self.b.binary(BinOp::Or, sum, bit);
            }
            return Ok(sum);
        }
        let mut a = a;
        if is.lanes == 3 {
            let mut lanes = self.b.lanes(a);
            lanes.push(self.b.zero_value(is.element()));
            a = self.b.construct(lanes);
        }
        if to.lanes != 3 {
            return Ok(self.b.bitcast(a, to));
        }
        let whole = self.b.bitcast(a, to.with_lanes(4));
        let mut lanes = self.b.lanes(whole);
        lanes.pop();
        Ok(self.b.construct(lanes))
    }

    fn resized(
        &mut self,
        a: Value,
        from: Option<u32>,
        ty: Type,
        to: Option<u32>,
        signed: bool,
    ) -> Value {
        match (is_wide(from), is_wide(to)) {
            (true, true) => a,
            (true, false) => {
                let low = self.b.extract(a, 0);
                self.b.int_resize(low, ty.scalar, false)
            }
            (false, true) => {
                let low = self.b.int_resize(a, Scalar::I64, signed);
                let high = match signed {
                    true => self.shifted(BinOp::AShr, low, 63),
                    false => self.b.zero_value(Type::I64),
                };
                self.b.construct(vec![low, high])
            }
            (false, false) => self.b.int_resize(a, ty.scalar, signed),
        }
    }

    fn shifted(&mut self, op: BinOp, a: Value, amount: u32) -> Value {
        let amount = self.b.const_int(self.b.ty(a), i64::from(amount));
        self.b.binary(op, a, amount)
    }

    /// With the bits above its own like its highest.
    pub fn sign_extended(&mut self, a: Value, width: Option<u32>) -> Value {
        let Some(bits) = width else { return a };
        if is_wide(width) {
            let (low, high) = (self.b.extract(a, 0), self.b.extract(a, 1));
            let high = self.sign_extended(high, Some(bits - 64));
            return self.b.construct(vec![low, high]);
        }
        let above = self.b.ty(a).scalar.bits() - bits;
        let top = self.shifted(BinOp::Shl, a, above);
        self.shifted(BinOp::AShr, top, above)
    }

    /// With the bits above its own zero.
    fn cleared(&mut self, a: Value, width: Option<u32>) -> Value {
        let ty = self.b.ty(a);
        let own = match width {
            None | Some(MAX_WIDTH) => return a,
            Some(bits) if is_wide(width) => {
                let all = self.b.const_int(Type::I64, -1);
                let high = self.b.const_bits(Type::I64, mask(bits - 64));
                self.b.construct(vec![all, high])
            }
            Some(bits) => self.b.const_bits(ty, mask(bits)),
        };
        self.b.binary(BinOp::And, a, own)
    }

    /// An operand that is an index: its sign counts.
    pub fn signed_value(&mut self, id: Id) -> Res<Value> {
        let value = self.value(id)?;
        Ok(self.sign_extended(value, self.width(id)))
    }

    fn on_narrow(&mut self, inst: &Inst, a: Value, width: Option<u32>, ty: Type) -> Res<Value> {
        let signed = operators::is_signed(inst.op);
        let a = if signed {
            self.sign_extended(a, width)
        } else {
            a
        };
        match inst.op {
            Op::SNegate => return Ok(self.b.unary(UnOp::Neg, a)),
            Op::Not => return Ok(self.b.unary(UnOp::Not, a)),
            Op::ConvertFToU | Op::ConvertFToS | Op::ConvertUToF | Op::ConvertSToF => {
                let cast = operators::convert(inst.op, self.b.ty(a).scalar, ty.scalar).flatten();
                let rounds = [Decoration::SaturatedConversion, Decoration::FPRoundingMode];
                let plain = rounds
                    .iter()
                    .all(|&kind| self.decoration(inst.id, kind).is_none());
                let cast = cast
                    .filter(|_| plain)
                    .ok_or("the conversion is not supported")?;
                return Ok(self.b.cast(cast, a, ty));
            }
            _ => {}
        }
        let Some(&id) = inst.args.get(1) else {
            return self.check_widths(inst, inst.args).map(|()| a);
        };
        let second = match signed && inst.op != Op::ShiftRightArithmetic {
            true => self.signed_value(id)?,
            false => self.value(id)?,
        };
        if let Some(op) = operators::binary(inst.op) {
            return Ok(self.binary(op, a, second));
        }
        match operators::compare(inst.op) {
            Some((op, _)) => Ok(self.b.compare(op, a, second)),
            None => self.check_widths(inst, inst.args).map(|()| a),
        }
    }

    /// Arithmetic on pairs of words.
    fn on_words(&mut self, inst: &Inst, a: Value, width: Option<u32>) -> Res<Value> {
        let signed = operators::is_signed(inst.op);
        let a = if signed {
            self.sign_extended(a, width)
        } else {
            a
        };
        let other = match inst.op {
            Op::Not => return Ok(self.b.unary(UnOp::Not, a)),
            Op::SNegate => a,
            _ if inst.args.len() < 2 => return self.check_widths(inst, inst.args).map(|()| a),
            _ if signed && inst.op != Op::ShiftRightArithmetic => {
                self.signed_value(inst.arg(1)?)?
            }
            _ => self.value(inst.arg(1)?)?,
        };
        let pair = |ty: Type| ty == Type::vector(Scalar::I64, 2);
        let shift = operators::binary(inst.op)
            .filter(|op| matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr));
        if !pair(self.b.ty(a)) || !pair(self.b.ty(other)) && shift.is_none() {
            return Err("the operands do not fit".into());
        }
        let (low, high) = (self.b.extract(a, 0), self.b.extract(a, 1));
        if let Some(op) = shift {
            let amount = self.b.extract(other, 0);
            let amount = self.b.int_resize(amount, Scalar::I64, false);
            return Ok(self.shift_words(op, low, high, amount));
        }
        let (low2, high2) = (self.b.extract(other, 0), self.b.extract(other, 1));
        let b = &mut self.b;
        if let Some((op, _)) = operators::compare(inst.op) {
            let equal = b.compare(CmpOp::Eq, high, high2);
            let above = b.compare(op, high, high2);
            let below = b.compare(op.unsigned(), low, low2);
            return Ok(b.select(equal, below, above));
        }
        let words = match inst.op {
            Op::BitwiseAnd => return Ok(b.binary(BinOp::And, a, other)),
            Op::BitwiseOr => return Ok(b.binary(BinOp::Or, a, other)),
            Op::BitwiseXor => return Ok(b.binary(BinOp::Xor, a, other)),
            Op::IAdd => {
                let sum = b.binary(BinOp::Add, low, low2);
                let carry = b.compare(CmpOp::Ult, sum, low);
                let carry = b.cast(CastOp::BoolToInt, carry, Type::I64);
                let top = b.binary(BinOp::Add, high, high2);
                vec![sum, b.binary(BinOp::Add, top, carry)]
            }
            Op::ISub | Op::SNegate => {
                let zero = b.zero_value(Type::I64);
                let (low, high) = if inst.op == Op::ISub {
                    (low, high)
                } else {
                    (zero, zero)
                };
                let difference = b.binary(BinOp::Sub, low, low2);
                let borrow = b.compare(CmpOp::Ult, low, low2);
                let borrow = b.cast(CastOp::BoolToInt, borrow, Type::I64);
                let top = b.binary(BinOp::Sub, high, high2);
                vec![difference, b.binary(BinOp::Sub, top, borrow)]
            }
            Op::IMul => {
                let product = b.binary(BinOp::Mul, low, low2);
                let mut top = b.binary(BinOp::UMulHi, low, low2);
                for (x, y) in [(low, high2), (high, low2)] {
                    let part = b.binary(BinOp::Mul, x, y);
                    top = b.binary(BinOp::Add, top, part);
                }
                vec![product, top]
            }
            Op::UDiv | Op::UMod => return Ok(self.divide_words(a, other, inst.op == Op::UMod)),
            // The quotient is negative if the signs differ, the remainder if the dividend is.
            Op::SDiv | Op::SRem => {
                let last = b.const_int(Type::I64, 63);
                let [sign, sign2] = [high, high2].map(|word| b.binary(BinOp::AShr, word, last));
                let (a, other) = (self.with_sign(a, sign), self.with_sign(other, sign2));
                let rest = inst.op == Op::SRem;
                let value = self.divide_words(a, other, rest);
                let sign = match rest {
                    true => sign,
                    false => self.b.binary(BinOp::Xor, sign, sign2),
                };
                return Ok(self.with_sign(value, sign));
            }
            _ => return self.check_widths(inst, inst.args).map(|()| a),
        };
        Ok(self.b.construct(words))
    }

    /// The negative of a pair where `sign` is all ones; the pair where it is zero.
    fn with_sign(&mut self, a: Value, sign: Value) -> Value {
        let b = &mut self.b;
        let both = b.splat(sign, 2);
        let ones = b.binary(BinOp::Xor, a, both);
        let (low, high) = (b.extract(ones, 0), b.extract(ones, 1));
        let sum = b.binary(BinOp::Sub, low, sign);
        let carry = b.compare(CmpOp::Ult, sum, low);
        let carry = b.cast(CastOp::BoolToInt, carry, Type::I64);
        let top = b.binary(BinOp::Add, high, carry);
        b.construct(vec![sum, top])
    }

    /// The quotient of pairs without a sign, or what is left.
    fn divide_words(&mut self, a: Value, by: Value, rest: bool) -> Value {
        let ty = self.b.ty(a);
        let mut call = Call::default();
        for operand in [a, by] {
            call.arg(c_name(ty, false), operand);
        }
        let result = if rest { "rest" } else { "quotient" };
        self.c_value(call, ty, DIVISION, result)
    }

    /// The IR's shifts take amounts modulo 64, so that what goes from one word to the other is moved by one and by the rest.
    fn shift_words(&mut self, op: BinOp, low: Value, high: Value, amount: Value) -> Value {
        let b = &mut self.b;
        let one = b.const_int(Type::I64, 1);
        let limit = b.const_int(Type::I64, 64);
        let rest = b.unary(UnOp::Not, amount);
        let far = b.compare(CmpOp::Uge, amount, limit);
        let left = op == BinOp::Shl;
        // `first` is the word from which bits go to the other.
        let (first, second) = if left { (low, high) } else { (high, low) };
        let (logical, back) = match left {
            true => (BinOp::Shl, BinOp::LShr),
            false => (BinOp::LShr, BinOp::Shl),
        };
        let near = b.binary(op, first, amount);
        let crossing = b.binary(back, first, one);
        let crossing = b.binary(back, crossing, rest);
        let moved = b.binary(logical, second, amount);
        let moved = b.binary(BinOp::Or, moved, crossing);
        let fill = match op {
            BinOp::AShr => {
                let places = b.const_int(Type::I64, 63);
                b.binary(op, first, places)
            }
            _ => b.zero_value(Type::I64),
        };
        let second = b.select(far, near, moved);
        let first = b.select(far, fill, near);
        b.construct(if left {
            vec![first, second]
        } else {
            vec![second, first]
        })
    }

    /// The type of one word, and the number of bytes in memory, which are LLVM's: as many as the bits need.
    fn in_memory(&self, ty: Type, width: u32) -> Res<(Type, u32)> {
        match ty.lanes == 1 || width > 64 {
            true => Ok((ty.element(), width.div_ceil(8))),
            false => Err("vectors of such integers in memory are not supported".into()),
        }
    }

    /// Loads a number or vector.
    pub fn load_value(&mut self, from: Value, ty: Id, align: u32, volatile: bool) -> Res<Value> {
        let ir = self.unit.types.ir(ty)?;
        let Some(width) = self.unit.types.width(ty) else {
            return Ok(self.b.load_from(Addr::Ptr(from), ir, align, volatile));
        };
        let (word, bytes) = self.in_memory(ir, width)?;
        let mut words: Vec<Value> = Vec::new();
        for (offset, size) in pieces(bytes) {
            let at = self.b.ptradd_const(from, offset.into());
            let known = 1 << (offset | align).trailing_zeros();
            let piece = Type::scalar(Scalar::int(8 * size));
            let piece = self.b.load_from(Addr::Ptr(at), piece, known, volatile);
            let piece = self.b.int_resize(piece, word.scalar, false);
            let piece = self.shifted(BinOp::Shl, piece, offset % 8 * 8);
            match words.last_mut() {
                Some(last) if offset % 8 != 0 => *last = self.b.binary(BinOp::Or, *last, piece),
                _ => words.push(piece),
            }
        }
        let value = self.b.construct(words);
        Ok(self.cleared(value, Some(width)))
    }

    /// Stores a number or vector.
    pub fn store_number(
        &mut self,
        to: Value,
        value: Value,
        ty: Id,
        align: u32,
        volatile: bool,
    ) -> Res<()> {
        let Some(width) = self.unit.types.width(ty) else {
            self.b.store_to(Addr::Ptr(to), value, align, volatile);
            return Ok(());
        };
        let (_, bytes) = self.in_memory(self.unit.types.ir(ty)?, width)?;
        for (offset, size) in pieces(bytes) {
            let word = self.b.extract(value, (offset / 8) as u8);
            let piece = self.shifted(BinOp::LShr, word, offset % 8 * 8);
            let piece = self.b.int_resize(piece, Scalar::int(8 * size), false);
            let at = self.b.ptradd_const(to, offset.into());
            let known = 1 << (offset | align).trailing_zeros();
            self.b.store_to(Addr::Ptr(at), piece, known, volatile);
        }
        Ok(())
    }
}
