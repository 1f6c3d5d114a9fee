//! Instructions by their kinds; numbers, conversions, calls and work-item variables.

use rspirv::spirv::{BuiltIn, Decoration, FPRoundingMode, Op, OpenclStd100Op as Std};

use super::binary::{Inst, Res};
use super::function::FunctionLowering;
use super::llvm::Intrinsic;
use super::operators;
use super::shim::{Call, c_name};
use super::types::Ty;
use crate::ir::{BinOp, CastOp, CmpOp, Scalar, Space, TernOp, Type, UnOp, Value, WorkItem};

impl FunctionLowering<'_, '_, '_> {
    /// An instruction that is no terminator.
    pub fn inst(&mut self, inst: &Inst) -> Res<()> {
        self.fast_math(inst);
        self.max_error(inst)?;
        if self.many_lanes(inst)?
            || self.on_bfloats(inst)?
            || self.number(inst)?
            || self.memory(inst)?
            || self.composite(inst)?
        {
            return Ok(());
        }
        // Operands of these may be of any type, those without a result have literals among them.
        let any = [
            Op::Phi,
            Op::ExpectKHR,
            Op::CopyObject,
            Op::Undef,
            Op::FunctionCall,
            Op::ExtInst,
        ];
        if (inst.id != 0 || inst.op == Op::AtomicStore) && !any.contains(&inst.op) {
            self.check_widths(inst, inst.args)?;
        }
        let done = self.atomic(inst)?
            || self.group(inst)?
            || self.sub_group_blocks(inst)?
            || self.image(inst)?
            || self.pipe(inst)?
            || self.device_queue(inst)?;
        if done {
            return Ok(());
        }
        match inst.op {
            // The edges assign the values of phis.
            Op::Phi | Op::SelectionMerge | Op::LoopMerge => {}
            // These are hints.
            Op::AssumeTrueKHR | Op::LifetimeStart | Op::LifetimeStop | Op::LoopControlINTEL => {}
            Op::ExpectKHR | Op::CopyObject | Op::CopyLogical => {
                let value = self.pointer(inst.arg(0)?)?;
                self.define(inst.id, value);
            }
            Op::Undef => {
                let value = self.undef(inst.ty)?;
                self.define(inst.id, value);
            }
            Op::FunctionCall => self.call(inst)?,
            Op::ExtInst => self.extended(inst)?,
            _ => return Err("the instruction is not supported".into()),
        }
        Ok(())
    }

    /// Refuses a limit of the error that is less than OpenCL's of what may have it, or of most functions.
    fn max_error(&self, inst: &Inst) -> Res<()> {
        let Some(words) = self.decoration(inst.id, Decoration::FPMaxErrorDecorationINTEL) else {
            return Ok(());
        };
        let limit = f32::from_bits(words.first().copied().unwrap_or(0));
        let sqrt = inst.op == Op::ExtInst && inst.args.get(1) == Some(&(Std::sqrt as u32));
        let least = match inst.op {
            Op::FDiv => 2.5,
            _ if sqrt => 3.0,
            _ => 16.0,
        };
        match limit >= least {
            true => Ok(()),
            false => Err(format!("an error of at most {limit} ulp is not supported")),
        }
    }

    pub fn undef(&mut self, ty: u32) -> Res<Value> {
        if self.unit.types.is_aggregate(ty) {
            let layout = self.unit.types.layout(ty)?;
            return self.object(layout);
        }
        let ir = self.unit.types.ir(ty)?;
        // The bits above its own are zero.
        Ok(match self.unit.types.width(ty) {
            Some(_) => self.b.zero_value(ir),
            None => self.b.undef(ir),
        })
    }

    /// Lowers arithmetic, comparisons and conversions. Returns whether the instruction is one of them.
    pub fn number(&mut self, inst: &Inst) -> Res<bool> {
        if inst.id == 0 || inst.args.is_empty() || !is_number(inst.op) {
            return Ok(false);
        }
        if self.has_other_width(inst) || self.joins_bools(inst) {
            let value = self.other_width(inst)?;
            self.define(inst.id, value);
            return Ok(true);
        }
        let ty = self.result_type(inst)?;
        let a = match inst.op {
            Op::Bitcast | Op::PtrCastToGeneric => self.pointer(inst.arg(0)?)?,
            _ => self.value(inst.arg(0)?)?,
        };
        self.check_halves(inst, a)?;
        let value = if let Some(op) = operators::unary(inst.op) {
            self.b.unary(op, a)
        } else if let Some(op) = operators::binary(inst.op) {
            let b = self.value(inst.arg(1)?)?;
            self.binary(op, a, b)
        } else if let Some((op, opposite)) = operators::compare(inst.op) {
            let b = self.value(inst.arg(1)?)?;
            let (mut a, mut b) = self.common_space(a, b);
            // LLVM's own back end compares what it has exchanged.
            if matches!(inst.op, Op::IEqual | Op::INotEqual) {
                (a, b) = (self.bits(a), self.bits(b));
            }
            let value = self.b.compare(op, a, b);
            match opposite {
                true => self.b.unary(UnOp::Not, value),
                false => value,
            }
        } else if let Some(cast) = operators::convert(inst.op, self.b.ty(a).scalar, ty.scalar) {
            self.convert(inst, a, ty, cast)?
        } else {
            self.special(inst, a, ty)?
        };
        self.define(inst.id, value);
        Ok(true)
    }

    /// The amount of a shift may have another width. Build options decide how exact division is.
    pub fn binary(&mut self, op: BinOp, a: Value, b: Value) -> Value {
        let (left, right) = (self.b.ty(a), self.b.ty(b));
        let shift = matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr);
        if shift && left.scalar.is_int() && right.scalar.is_int() {
            let b = self.b.int_resize(b, left.scalar, false);
            return self.b.binary(op, a, b);
        }
        let exact = self.unit.options.correctly_rounded_divide_sqrt;
        if op == BinOp::FDiv && left.scalar == Scalar::F32 && exact {
            let mut call = Call::default();
            let name = c_name(left, true);
            let (a, b) = (call.arg(name.as_str(), a), call.arg(name, b));
            return self.c_expr(call, left, &format!("{a} / {b}"));
        }
        self.b.binary(op, a, b)
    }

    /// Pointers are compared in one space.
    fn common_space(&mut self, a: Value, b: Value) -> (Value, Value) {
        let (left, right) = (self.b.ty(a), self.b.ty(b));
        if left == right || !left.scalar.is_ptr() || !right.scalar.is_ptr() {
            return (a, b);
        }
        let generic = Type::ptr(Space::Generic);
        (self.reinterpret(a, generic), self.reinterpret(b, generic))
    }

    /// A conversion with decorations calls OpenCL C's convert function.
    fn convert(&mut self, inst: &Inst, a: Value, to: Type, cast: Option<CastOp>) -> Res<Value> {
        let saturated = self
            .decoration(inst.id, Decoration::SaturatedConversion)
            .is_some();
        let rounding = self.decoration(inst.id, Decoration::FPRoundingMode);
        let rounding = match rounding {
            None => None,
            Some(words) => FPRoundingMode::from_u32(words.first().copied().unwrap_or(u32::MAX)),
        };
        if !saturated && rounding.is_none() {
            return Ok(match cast {
                None => a,
                Some(op) => self.b.cast(op, a, to),
            });
        }
        let signed_from = !matches!(inst.op, Op::ConvertUToF | Op::UConvert);
        let signed_to = !matches!(inst.op, Op::ConvertFToU | Op::UConvert);
        let sat = if saturated && to.scalar.is_int() {
            "_sat"
        } else {
            ""
        };
        let mode = match rounding {
            None => "",
            Some(FPRoundingMode::RTE) => "_rte",
            Some(FPRoundingMode::RTZ) => "_rtz",
            Some(FPRoundingMode::RTP) => "_rtp",
            Some(FPRoundingMode::RTN) => "_rtn",
        };
        Ok(self.c_convert(a, signed_from, to, signed_to, &format!("{sat}{mode}")))
    }

    /// The exact remainder. Vulkan's OpFRem is not exact.
    fn fmod(&mut self, a: Value, b: Value) -> Value {
        let ty = self.b.ty(a);
        let mut call = Call::default();
        let name = c_name(ty, true);
        let (a, b) = (call.arg(name.as_str(), a), call.arg(name, b));
        self.c_expr(call, ty, &format!("fmod({a}, {b})"))
    }

    /// LLVM's own back end leaves the integers of OpenCL C's any and all, whose highest bit counts.
    fn truths(&mut self, a: Value) -> Value {
        let ty = self.b.ty(a);
        match ty.scalar.is_int() {
            true => {
                let zero = self.b.zero_value(ty);
                self.b.compare(CmpOp::Slt, a, zero)
            }
            false => a,
        }
    }

    /// A float as an integer.
    pub fn bits(&mut self, value: Value) -> Value {
        let ty = self.b.ty(value);
        match ty.scalar.is_float() {
            true => self.reinterpret(value, Type::vector(Scalar::int(ty.scalar.bits()), ty.lanes)),
            false => value,
        }
    }

    pub fn c_convert(&mut self, a: Value, from: bool, to: Type, signed: bool, how: &str) -> Value {
        let mut call = Call::default();
        let a = call.arg(c_name(self.b.ty(a), from), a);
        let name = c_name(to, signed);
        self.c_expr(call, to, &format!("convert_{name}{how}({a})"))
    }

    /// Lowers an instruction to several operations.
    fn special(&mut self, inst: &Inst, a: Value, ty: Type) -> Res<Value> {
        let second = |s: &mut Self| inst.arg(1).and_then(|id| s.value(id));
        Ok(match inst.op {
            Op::SMod | Op::FMod => {
                let b = second(self)?;
                let float = inst.op == Op::FMod;
                let (rest, add) = match float {
                    true => (self.fmod(a, b), BinOp::FAdd),
                    false => (self.b.binary(BinOp::SRem, a, b), BinOp::Add),
                };
                let zero = self.b.zero_value(ty);
                let (less, unequal) = match float {
                    true => (CmpOp::FLt, CmpOp::FNe),
                    false => (CmpOp::Slt, CmpOp::Ne),
                };
                // The result has the sign of the divisor.
                let negative = self.b.compare(less, rest, zero);
                let other = self.b.compare(less, b, zero);
                let differ = self.b.binary(BinOp::Xor, negative, other);
                let some = self.b.compare(unequal, rest, zero);
                let moved = self.b.binary(BinOp::And, differ, some);
                let sum = self.b.binary(add, rest, b);
                self.b.select(moved, sum, rest)
            }
            Op::FRem => {
                let b = second(self)?;
                self.fmod(a, b)
            }
            Op::VectorTimesScalar => {
                let b = second(self)?;
                let b = self.b.splat(b, ty.lanes);
                self.b.binary(BinOp::FMul, a, b)
            }
            Op::Dot => {
                let b = second(self)?;
                let product = self.b.binary(BinOp::FMul, a, b);
                self.sum_of_lanes(BinOp::FAdd, product)
            }
            Op::Any | Op::All => {
                let truths = self.truths(a);
                match (inst.op, self.b.ty(truths).lanes) {
                    (_, 1) => truths,
                    (Op::Any, _) => self.b.any(truths),
                    _ => self.b.all(truths),
                }
            }
            Op::IsNan | Op::IsInf | Op::IsFinite | Op::IsNormal | Op::SignBitSet => {
                let name = match inst.op {
                    Op::IsNan => "isnan",
                    Op::IsInf => "isinf",
                    Op::IsFinite => "isfinite",
                    Op::IsNormal => "isnormal",
                    _ => "signbit",
                };
                let mut call = Call::default();
                let a = self.c_arg(&mut call, inst.arg(0)?, true)?;
                self.c_expr(call, ty, &format!("{name}({a})"))
            }
            Op::Select => {
                let (yes, no) = (second(self)?, self.value(inst.arg(2)?)?);
                self.select(inst, a, yes, no)?
            }
            Op::QuantizeToF16 => self.quantize(a)?,
            Op::ConvertFToBF16INTEL | Op::ConvertBF16ToFINTEL => self.bfloat16(inst, a, ty)?,
            Op::SatConvertSToU => self.c_convert(a, true, ty, false, "_sat"),
            Op::SatConvertUToS => self.c_convert(a, false, ty, true, "_sat"),
            Op::ConvertPtrToU => {
                let value = self.reinterpret(a, Type::I64);
                self.b.int_resize(value, ty.scalar, false)
            }
            Op::ConvertUToPtr => {
                let wide = self.b.int_resize(a, Scalar::I64, false);
                self.reinterpret(wide, ty)
            }
            Op::Bitcast | Op::PtrCastToGeneric if self.b.ty(a).scalar.is_ptr() => {
                self.cast_pointer(a, self.unit.type_of(inst.arg(0)?)?, ty)?
            }
            Op::Bitcast | Op::PtrCastToGeneric | Op::GenericCastToPtr => self.reinterpret(a, ty),
            Op::BitFieldInsert => {
                let (insert, offset) = (second(self)?, self.bit_place(inst.arg(2)?, ty)?);
                let count = self.bit_place(inst.arg(3)?, ty)?;
                let ones = self.low_bits(count, ty);
                let place = self.b.binary(BinOp::Shl, ones, offset);
                let moved = self.b.binary(BinOp::Shl, insert, offset);
                self.b.ternary(TernOp::BitSelect, a, moved, place)
            }
            Op::BitFieldSExtract | Op::BitFieldUExtract => {
                let offset = self.bit_place(inst.arg(1)?, ty)?;
                let count = self.bit_place(inst.arg(2)?, ty)?;
                self.bit_field(a, offset, count, ty, inst.op == Op::BitFieldSExtract)
            }
            Op::SDot | Op::UDot | Op::SUDot | Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat => {
                self.dot(inst, ty)?
            }
            Op::IAddCarry | Op::ISubBorrow | Op::UMulExtended | Op::SMulExtended => {
                let b = second(self)?;
                return self.extended_arithmetic(inst, a, b);
            }
            _ => return Err("the instruction is not supported".into()),
        })
    }

    /// For aggregates, copies one of the two objects.
    pub fn select(&mut self, inst: &Inst, cond: Value, yes: Value, no: Value) -> Res<Value> {
        if !self.unit.types.is_aggregate(inst.ty) {
            let lanes = self.b.ty(yes).lanes;
            let one = self.b.ty(cond).lanes == 1;
            let cond = match one && lanes > 1 {
                true => self.b.splat(cond, lanes),
                false => cond,
            };
            return Ok(self.b.select(cond, yes, no));
        }
        let layout = self.unit.types.layout(inst.ty)?;
        let object = self.object(layout)?;
        let copy = |from| {
            move |b: &mut crate::ir::builder::Builder| {
                b.copy(object, from, layout.size, layout.align);
                Vec::new()
            }
        };
        self.b.if_else(cond, &[], copy(yes), copy(no));
        Ok(object)
    }

    /// Changes the type and keeps the bits. Between named address spaces the address stays.
    pub fn reinterpret(&mut self, value: Value, to: Type) -> Value {
        let from = self.b.ty(value);
        if from == to {
            return value;
        }
        match (from.scalar.is_ptr(), to.scalar.is_ptr()) {
            (true, true) => self.space_cast(value, from.scalar, to.scalar),
            // As in OpenCL C, an integer made from a pointer serves in the generic space, too.
            (true, false) => {
                let pointer = match from.scalar {
                    Scalar::Ptr(Space::Local | Space::Private) => {
                        self.reinterpret(value, Type::ptr(Space::Generic))
                    }
                    _ => value,
                };
                let address = self.b.cast(CastOp::PtrToInt, pointer, Type::I64);
                self.b.bitcast(address, to)
            }
            (false, true) => {
                let address = self.b.bitcast(value, Type::I64);
                match to.scalar {
                    Scalar::Ptr(Space::Local | Space::Private) => {
                        let generic = Type::ptr(Space::Generic);
                        let pointer = self.b.cast(CastOp::IntToPtr, address, generic);
                        self.b.cast(CastOp::SpaceCast, pointer, to)
                    }
                    _ => self.b.cast(CastOp::IntToPtr, address, to),
                }
            }
            (false, false) => self.b.bitcast(value, to),
        }
    }

    /// Between global and constant the address stays; all others meet in the generic space, where
    /// constant memory is global.
    fn space_cast(&mut self, value: Value, from: Scalar, to: Scalar) -> Value {
        const GLOBAL: Scalar = Scalar::Ptr(Space::Global);
        const CONSTANT: Scalar = Scalar::Ptr(Space::Constant);
        const GENERIC: Scalar = Scalar::Ptr(Space::Generic);
        let ty = Type::scalar;
        match (from, to) {
            _ if from == to => value,
            (GLOBAL, CONSTANT) | (CONSTANT, GLOBAL) => {
                let address = self.b.cast(CastOp::PtrToInt, value, Type::I64);
                self.b.cast(CastOp::IntToPtr, address, ty(to))
            }
            (CONSTANT, _) => {
                let global = self.space_cast(value, CONSTANT, GLOBAL);
                self.space_cast(global, GLOBAL, to)
            }
            (_, CONSTANT) => {
                let global = self.space_cast(value, from, GLOBAL);
                self.space_cast(global, GLOBAL, CONSTANT)
            }
            (GENERIC, _) | (_, GENERIC) => self.b.cast(CastOp::SpaceCast, value, ty(to)),
            _ => {
                let generic = self.b.cast(CastOp::SpaceCast, value, ty(GENERIC));
                self.b.cast(CastOp::SpaceCast, generic, ty(to))
            }
        }
    }

    /// An offset or count of bits in all lanes. Its operand may have any width.
    fn bit_place(&mut self, id: u32, ty: Type) -> Res<Value> {
        let value = self.value(id)?;
        let value = self.b.int_resize(value, ty.scalar, false);
        Ok(self.b.splat(value, ty.lanes))
    }

    /// A mask of the lowest bits, up to all.
    fn low_bits(&mut self, count: Value, ty: Type) -> Value {
        let bits = self.b.const_int(ty, i64::from(ty.scalar.bits()));
        let all = self.b.const_int(ty, -1);
        let rest = self.b.binary(BinOp::Sub, bits, count);
        let ones = self.b.binary(BinOp::LShr, all, rest);
        let zero = self.b.zero_value(ty);
        let none = self.b.compare(CmpOp::Eq, count, zero);
        self.b.select(none, zero, ones)
    }

    fn bit_field(&mut self, a: Value, offset: Value, count: Value, ty: Type, sign: bool) -> Value {
        let bits = self.b.const_int(ty, i64::from(ty.scalar.bits()));
        let zero = self.b.zero_value(ty);
        let none = self.b.compare(CmpOp::Eq, count, zero);
        let above = self.b.binary(BinOp::Sub, bits, count);
        let left = self.b.binary(BinOp::Sub, above, offset);
        let top = self.b.binary(BinOp::Shl, a, left);
        let right = if sign { BinOp::AShr } else { BinOp::LShr };
        let field = self.b.binary(right, top, above);
        self.b.select(none, zero, field)
    }

    /// Adds up the lanes, from the first on.
    fn sum_of_lanes(&mut self, add: BinOp, a: Value) -> Value {
        let mut sum = self.b.extract(a, 0);
        for lane in 1..self.b.ty(a).lanes {
            let one = self.b.extract(a, lane);
            sum = self.b.binary(add, sum, one);
        }
        sum
    }

    /// Integer dot products of vectors, or of words with four packed bytes.
    fn dot(&mut self, inst: &Inst, ty: Type) -> Res<Value> {
        let first_signed = !matches!(inst.op, Op::UDot | Op::UDotAccSat);
        let second_signed = matches!(inst.op, Op::SDot | Op::SDotAccSat);
        let saturated = matches!(inst.op, Op::SDotAccSat | Op::UDotAccSat | Op::SUDotAccSat);
        let (mut a, mut b) = (self.value(inst.arg(0)?)?, self.value(inst.arg(1)?)?);
        // A packed word is a vector of bytes.
        let bytes = Type::I8.with_lanes(4);
        if self.b.ty(a) == Type::I32 {
            (a, b) = (self.b.bitcast(a, bytes), self.b.bitcast(b, bytes));
        }
        let packs = self.b.ty(a) == bytes && ty.scalar.is_int();
        let mut sum = if packs {
            let (a, b) = (self.b.bitcast(a, Type::I32), self.b.bitcast(b, Type::I32));
            let op = match (first_signed, second_signed) {
                (true, true) => BinOp::SDot4,
                (true, false) => BinOp::SuDot4,
                _ => BinOp::UDot4,
            };
            let sum = self.b.binary(op, a, b);
            self.b.int_resize(sum, ty.scalar, first_signed)
        } else {
            let a = self.b.int_resize(a, ty.scalar, first_signed);
            let b = self.b.int_resize(b, ty.scalar, second_signed);
            let product = self.b.binary(BinOp::Mul, a, b);
            self.sum_of_lanes(BinOp::Add, product)
        };
        if saturated {
            let more = self.value(inst.arg(2)?)?;
            let op = if first_signed {
                BinOp::SAddSat
            } else {
                BinOp::UAddSat
            };
            sum = self.b.binary(op, sum, more);
        }
        Ok(sum)
    }

    /// The result is a struct of the low and the high part.
    fn extended_arithmetic(&mut self, inst: &Inst, a: Value, b: Value) -> Res<Value> {
        let ty = self.b.ty(a);
        let (low, high) = match inst.op {
            Op::IAddCarry => {
                let sum = self.b.binary(BinOp::Add, a, b);
                (sum, self.b.compare(CmpOp::Ult, sum, a))
            }
            Op::ISubBorrow => {
                let difference = self.b.binary(BinOp::Sub, a, b);
                (difference, self.b.compare(CmpOp::Ult, a, b))
            }
            op => {
                let high = if op == Op::UMulExtended {
                    BinOp::UMulHi
                } else {
                    BinOp::SMulHi
                };
                (self.b.binary(BinOp::Mul, a, b), self.b.binary(high, a, b))
            }
        };
        let high = match self.b.ty(high).scalar {
            Scalar::Bool => self.b.cast(CastOp::BoolToInt, high, ty),
            _ => high,
        };
        let layout = self.unit.types.layout(inst.ty)?;
        let object = self.object(layout)?;
        for (i, part) in [low, high].into_iter().enumerate() {
            let (_, offset) = self.unit.types.member(inst.ty, i as u64)?;
            let to = self.b.ptradd_const(object, i64::from(offset));
            self.b.store(to, part, ty.size().min(layout.align));
        }
        Ok(object)
    }

    fn call(&mut self, inst: &Inst) -> Res<()> {
        let callee = inst.arg(0)?;
        if let Some(&intrinsic) = self.unit.intrinsics.get(&callee) {
            if !matches!(intrinsic, Intrinsic::First) {
                self.check_widths(inst, inst.rest(1))?;
            }
            return self.llvm(inst, intrinsic);
        }
        if let Some(builtin) = self.unit.named_builtins.get(&callee).cloned() {
            self.check_widths(inst, inst.rest(1))?;
            return self.named_builtin(inst, &builtin);
        }
        let Some(&id) = self.unit.funcs.get(&callee) else {
            return Err(format!("%{callee} is no function"));
        };
        let (mut values, mut object) = (Vec::new(), None);
        if self.unit.types.is_aggregate(inst.ty) {
            let layout = self.unit.types.layout(inst.ty)?;
            let place = self.object(layout)?;
            values.push(place);
            object = Some(place);
        }
        for &arg in inst.rest(1) {
            values.push(self.value(arg)?);
        }
        let ret = match self.unit.types.get(inst.ty)? {
            Ty::Void => None,
            _ if object.is_some() => None,
            _ => Some(self.unit.types.ir(inst.ty)?),
        };
        let result = self.b.call(id, values, ret);
        if let Some(value) = object.or(result) {
            self.define(inst.id, value);
        }
        Ok(())
    }

    /// What a built-in variable holds.
    pub fn work_item(&mut self, built_in: BuiltIn, ty: Type) -> Res<Value> {
        use WorkItem as W;
        let what = match built_in {
            BuiltIn::GlobalInvocationId => W::GlobalId,
            BuiltIn::GlobalSize => W::GlobalSize,
            BuiltIn::GlobalOffset => W::GlobalOffset,
            BuiltIn::WorkgroupSize => W::LocalSize,
            BuiltIn::EnqueuedWorkgroupSize => W::EnqueuedLocalSize,
            BuiltIn::LocalInvocationId => W::LocalId,
            BuiltIn::NumWorkgroups => W::NumGroups,
            BuiltIn::WorkgroupId => W::GroupId,
            BuiltIn::WorkDim => W::WorkDim,
            BuiltIn::GlobalLinearId => W::GlobalLinearId,
            BuiltIn::LocalInvocationIndex => W::LocalLinearId,
            BuiltIn::SubgroupSize => W::SubGroupSize,
            BuiltIn::SubgroupMaxSize => W::MaxSubGroupSize,
            BuiltIn::NumSubgroups => W::NumSubGroups,
            BuiltIn::NumEnqueuedSubgroups => W::EnqueuedNumSubGroups,
            BuiltIn::SubgroupId => W::SubGroupId,
            BuiltIn::SubgroupLocalInvocationId => W::SubGroupLocalId,
            BuiltIn::SubgroupEqMask
            | BuiltIn::SubgroupGeMask
            | BuiltIn::SubgroupGtMask
            | BuiltIn::SubgroupLeMask
            | BuiltIn::SubgroupLtMask => {
                let name = match built_in {
                    BuiltIn::SubgroupEqMask => "eq",
                    BuiltIn::SubgroupGeMask => "ge",
                    BuiltIn::SubgroupGtMask => "gt",
                    BuiltIn::SubgroupLeMask => "le",
                    _ => "lt",
                };
                let expr = format!("get_sub_group_{name}_mask()");
                return Ok(self.c_expr(Call::default(), ty, &expr));
            }
            _ => return Err(format!("built-in variable {built_in:?} is not supported")),
        };
        let signed = false;
        let mut lanes = Vec::new();
        for lane in 0..ty.lanes {
            let dim = what
                .has_dim()
                .then(|| self.b.const_int(Type::I32, i64::from(lane)));
            let value = self.b.work_item(what, dim);
            lanes.push(self.b.int_resize(value, ty.scalar, signed));
        }
        Ok(self.b.construct(lanes))
    }

    /// An operand of shuffles and indices, as i32.
    pub fn index32(&mut self, id: u32) -> Res<Value> {
        let value = self.value(id)?;
        Ok(self.b.int_resize(value, Scalar::I32, false))
    }
}

/// Whether [`FunctionLowering::number`] lowers the instruction.
pub fn is_number(op: Op) -> bool {
    operators::unary(op).is_some()
        || operators::binary(op).is_some()
        || operators::compare(op).is_some()
        || operators::convert(op, Scalar::I8, Scalar::I16).is_some()
        || matches!(
            op,
            Op::SMod
                | Op::FMod
                | Op::FRem
                | Op::VectorTimesScalar
                | Op::Dot
                | Op::Any
                | Op::All
                | Op::IsNan
                | Op::IsInf
                | Op::IsFinite
                | Op::IsNormal
                | Op::SignBitSet
                | Op::Select
                | Op::QuantizeToF16
                | Op::ConvertFToBF16INTEL
                | Op::ConvertBF16ToFINTEL
                | Op::SatConvertSToU
                | Op::SatConvertUToS
                | Op::ConvertPtrToU
                | Op::ConvertUToPtr
                | Op::Bitcast
                | Op::PtrCastToGeneric
                | Op::GenericCastToPtr
                | Op::BitFieldInsert
                | Op::BitFieldSExtract
                | Op::BitFieldUExtract
                | Op::SDot
                | Op::UDot
                | Op::SUDot
                | Op::SDotAccSat
                | Op::UDotAccSat
                | Op::SUDotAccSat
                | Op::IAddCarry
                | Op::ISubBorrow
                | Op::UMulExtended
                | Op::SMulExtended
        )
}
