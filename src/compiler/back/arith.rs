//! Values from values: arithmetic, conversions, vectors.

use rspirv::dr::Operand;
use rspirv::spirv::{
    Capability, Decoration, GlslStd450Op as GLOp, Op as SpvOp, PackedVectorFormat,
};

use super::function::Emitter;
use super::writer::ids;
use crate::ir::{BinOp, CastOp, CmpOp, FastMath, Op, Scalar, TernOp, Type, UnOp, Value};

/// The SPIR-V instruction of an op.
enum Form {
    Core(SpvOp),
    Glsl(GLOp),
}

use Form::{Core, Glsl};

fn binary(op: BinOp, bool_lanes: bool) -> Form {
    match op {
        BinOp::Add => Core(SpvOp::IAdd),
        BinOp::Sub => Core(SpvOp::ISub),
        BinOp::Mul => Core(SpvOp::IMul),
        BinOp::SDiv => Core(SpvOp::SDiv),
        BinOp::UDiv => Core(SpvOp::UDiv),
        BinOp::SRem => Core(SpvOp::SRem),
        BinOp::URem => Core(SpvOp::UMod),
        BinOp::And if bool_lanes => Core(SpvOp::LogicalAnd),
        BinOp::Or if bool_lanes => Core(SpvOp::LogicalOr),
        BinOp::Xor if bool_lanes => Core(SpvOp::LogicalNotEqual),
        BinOp::And => Core(SpvOp::BitwiseAnd),
        BinOp::Or => Core(SpvOp::BitwiseOr),
        BinOp::Xor => Core(SpvOp::BitwiseXor),
        BinOp::Shl => Core(SpvOp::ShiftLeftLogical),
        BinOp::LShr => Core(SpvOp::ShiftRightLogical),
        BinOp::AShr => Core(SpvOp::ShiftRightArithmetic),
        BinOp::SMin => Glsl(GLOp::SMin),
        BinOp::SMax => Glsl(GLOp::SMax),
        BinOp::UMin => Glsl(GLOp::UMin),
        BinOp::UMax => Glsl(GLOp::UMax),
        BinOp::FAdd => Core(SpvOp::FAdd),
        BinOp::FSub => Core(SpvOp::FSub),
        BinOp::FMul => Core(SpvOp::FMul),
        BinOp::FDiv => Core(SpvOp::FDiv),
        BinOp::FMin => Glsl(GLOp::NMin),
        BinOp::FMax => Glsl(GLOp::NMax),
        BinOp::NativePow => Glsl(GLOp::Pow),
        BinOp::SDot4 => Core(SpvOp::SDot),
        BinOp::UDot4 => Core(SpvOp::UDot),
        BinOp::SuDot4 => Core(SpvOp::SUDot),
        // These have two results, or `legalize` has expanded them.
        BinOp::SMulHi => Core(SpvOp::SMulExtended),
        BinOp::UMulHi => Core(SpvOp::UMulExtended),
        BinOp::SAddSat | BinOp::UAddSat | BinOp::SSubSat | BinOp::USubSat => Core(SpvOp::Nop),
    }
}

fn unary(op: UnOp, bool_lanes: bool) -> Form {
    match op {
        UnOp::Neg => Core(SpvOp::SNegate),
        UnOp::Not if bool_lanes => Core(SpvOp::LogicalNot),
        UnOp::Not => Core(SpvOp::Not),
        UnOp::Popcount => Core(SpvOp::BitCount),
        UnOp::BitReverse => Core(SpvOp::BitReverse),
        UnOp::Clz => Glsl(GLOp::FindUMsb),
        UnOp::Ctz => Glsl(GLOp::FindILsb),
        UnOp::FNeg => Core(SpvOp::FNegate),
        UnOp::FAbs => Glsl(GLOp::FAbs),
        UnOp::Floor => Glsl(GLOp::Floor),
        UnOp::Ceil => Glsl(GLOp::Ceil),
        UnOp::FTrunc => Glsl(GLOp::Trunc),
        UnOp::Rint => Glsl(GLOp::RoundEven),
        UnOp::Sqrt => Glsl(GLOp::Sqrt),
        UnOp::NativeRsqrt => Glsl(GLOp::InverseSqrt),
        UnOp::NativeSin => Glsl(GLOp::Sin),
        UnOp::NativeCos => Glsl(GLOp::Cos),
        UnOp::NativeExp2 => Glsl(GLOp::Exp2),
        UnOp::NativeLog2 => Glsl(GLOp::Log2),
    }
}

fn compare(op: CmpOp, bool_lanes: bool) -> SpvOp {
    match op {
        CmpOp::Eq if bool_lanes => SpvOp::LogicalEqual,
        CmpOp::Ne if bool_lanes => SpvOp::LogicalNotEqual,
        CmpOp::Eq => SpvOp::IEqual,
        CmpOp::Ne => SpvOp::INotEqual,
        CmpOp::Slt => SpvOp::SLessThan,
        CmpOp::Sle => SpvOp::SLessThanEqual,
        CmpOp::Sgt => SpvOp::SGreaterThan,
        CmpOp::Sge => SpvOp::SGreaterThanEqual,
        CmpOp::Ult => SpvOp::ULessThan,
        CmpOp::Ule => SpvOp::ULessThanEqual,
        CmpOp::Ugt => SpvOp::UGreaterThan,
        CmpOp::Uge => SpvOp::UGreaterThanEqual,
        CmpOp::FEq => SpvOp::FOrdEqual,
        CmpOp::FNe => SpvOp::FUnordNotEqual,
        CmpOp::FLt => SpvOp::FOrdLessThan,
        CmpOp::FLe => SpvOp::FOrdLessThanEqual,
        CmpOp::FGt => SpvOp::FOrdGreaterThan,
        CmpOp::FGe => SpvOp::FOrdGreaterThanEqual,
        // Only kernels of OpenCL have this instruction; `legalize` has expanded it.
        CmpOp::FOrd => SpvOp::Nop,
        CmpOp::FLtGt => SpvOp::FOrdNotEqual,
    }
}

/// Whether the SPIR-V instruction for an op on values of this type is `said`.
pub fn is_unary(op: UnOp, ty: Scalar, said: SpvOp) -> bool {
    matches!(unary(op, ty == Scalar::Bool), Core(spv) if spv == said)
}

/// Like [`is_unary`].
pub fn is_binary(op: BinOp, ty: Scalar, said: SpvOp) -> bool {
    matches!(binary(op, ty == Scalar::Bool), Core(spv) if spv == said)
}

/// Like [`is_unary`]; the type is that of the operands.
pub fn is_compare(op: CmpOp, ty: Scalar, said: SpvOp) -> bool {
    compare(op, ty == Scalar::Bool) == said
}

impl Emitter<'_, '_> {
    pub fn arith(&mut self, op: &Op, ty: Type, fast: FastMath) -> u32 {
        let id = self.value_of(op, ty);
        if self.is_kept(op, ty, fast) {
            self.w.decorate(id, Decoration::NoContraction, vec![]);
        }
        id
    }

    /// Whether the driver must compute a result of floats as it stands.
    fn is_kept(&self, op: &Op, ty: Type, fast: FastMath) -> bool {
        let keeps_order = self.w.target.rearranges_floats && !fast.reassoc;
        let (to, from) = (ty.scalar, |v: Value| self.ty(v).scalar);
        match *op {
            Op::Binary(BinOp::FAdd | BinOp::FSub | BinOp::FMul, ..) => {
                !fast.contract || keeps_order
            }
            // Else Mesa's compilers take the number, converted back, for what it was (tests/data/run/doubles-narrowed.cl).
            Op::Cast(CastOp::FpTrunc | CastOp::FpExt | CastOp::SiToFp | CastOp::UiToFp, a) => {
                keeps_order || from(a).bits() >= to.bits()
            }
            Op::Compare(_, a, _) => keeps_order && from(a).is_float(),
            Op::Unary(..) | Op::Binary(..) | Op::Ternary(..) => keeps_order && to.is_float(),
            _ => false,
        }
    }

    fn value_of(&mut self, op: &Op, ty: Type) -> u32 {
        match *op {
            Op::Unary(o, a) => self.unary(o, a, ty),
            Op::Binary(o, a, b) => self.binary(o, a, b, ty),
            Op::Ternary(TernOp::BitSelect, ..) => self.w.undef(ty),
            Op::Ternary(_, a, b, c) => {
                let args = self.get_all(&[a, b, c]);
                self.glsl(GLOp::Fma, ty, &args)
            }
            Op::Compare(CmpOp::FOrd, a, b) => {
                let [a, b] = [a, b].map(|v| self.get(v));
                let ordered_a = self.op(SpvOp::FOrdEqual, ty, &[a, a]);
                let ordered_b = self.op(SpvOp::FOrdEqual, ty, &[b, b]);
                self.op(SpvOp::LogicalAnd, ty, &[ordered_a, ordered_b])
            }
            Op::Compare(o, a, b) => {
                let spv = compare(o, self.ty(a).scalar == Scalar::Bool);
                let args = self.get_all(&[a, b]);
                self.op(spv, ty, &args)
            }
            Op::Cast(o, a) => self.cast(o, a, ty),
            Op::Select(cond, a, b) => {
                let args = self.get_all(&[cond, a, b]);
                self.op(SpvOp::Select, ty, &args)
            }
            Op::Construct(ref lanes) => {
                let args = self.get_all(lanes);
                self.op(SpvOp::CompositeConstruct, ty, &args)
            }
            Op::Splat(a) => {
                let a = self.get(a);
                self.op(SpvOp::CompositeConstruct, ty, &vec![a; ty.lanes as usize])
            }
            Op::Extract(a, lane) => {
                let a = self.get(a);
                self.literal(SpvOp::CompositeExtract, ty, &[a], &[lane as u32])
            }
            Op::Insert(v, scalar, lane) => {
                let args = self.get_all(&[scalar, v]);
                self.literal(SpvOp::CompositeInsert, ty, &args, &[lane as u32])
            }
            Op::Shuffle(a, b, ref lanes) => {
                let lanes: Vec<u32> = lanes
                    .iter()
                    .map(|&l| if l == 255 { u32::MAX } else { l as u32 })
                    .collect();
                let args = self.get_all(&[a, b]);
                self.literal(SpvOp::VectorShuffle, ty, &args, &lanes)
            }
            Op::ExtractDyn(v, lane) => {
                let args = self.get_all(&[v, lane]);
                self.op(SpvOp::VectorExtractDynamic, ty, &args)
            }
            Op::InsertDyn(v, scalar, lane) => {
                let args = self.get_all(&[v, scalar, lane]);
                self.op(SpvOp::VectorInsertDynamic, ty, &args)
            }
            Op::Any(a) => {
                let a = self.get(a);
                self.op(SpvOp::Any, ty, &[a])
            }
            Op::All(a) => {
                let a = self.get(a);
                self.op(SpvOp::All, ty, &[a])
            }
            _ => self.w.undef(ty),
        }
    }

    fn literal(&mut self, op: SpvOp, ty: Type, args: &[u32], literals: &[u32]) -> u32 {
        let mut operands = ids(args);
        operands.extend(literals.iter().map(|&l| Operand::LiteralBit32(l)));
        let ty = self.w.ty(ty);
        self.w.value(op, ty, operands)
    }

    pub fn glsl(&mut self, op: GLOp, ty: Type, args: &[u32]) -> u32 {
        let set = self.w.glsl();
        let mut operands = vec![
            Operand::IdRef(set),
            Operand::LiteralExtInstInteger(op as u32),
        ];
        operands.extend(ids(args));
        let ty = self.w.ty(ty);
        self.w.value(SpvOp::ExtInst, ty, operands)
    }

    fn unary(&mut self, op: UnOp, a: Value, ty: Type) -> u32 {
        let a = self.get(a);
        let value = match unary(op, ty.scalar == Scalar::Bool) {
            Core(spv) => self.op(spv, ty, &[a]),
            Glsl(spv) => self.glsl(spv, ty, &[a]),
        };
        match op {
            // FindUMsb gives the index of the highest set bit, or -1 if no bit is set.
            UnOp::Clz => {
                let top = self.w.constant(ty, 31);
                self.op(SpvOp::ISub, ty, &[top, value])
            }
            // FindILsb gives -1 if no bit is set, which is the largest unsigned number.
            UnOp::Ctz => {
                let width = self.w.constant(ty, 32);
                self.glsl(GLOp::UMin, ty, &[value, width])
            }
            _ => value,
        }
    }

    fn binary(&mut self, op: BinOp, a: Value, b: Value, ty: Type) -> u32 {
        let mut args = self.get_all(&[a, b]);
        if matches!(op, BinOp::Shl | BinOp::LShr | BinOp::AShr) {
            args[1] = self.shift_amount(b, args[1], ty);
        }
        match binary(op, ty.scalar == Scalar::Bool) {
            Core(spv @ (SpvOp::SMulExtended | SpvOp::UMulExtended)) => {
                let lane = self.w.ty(ty);
                let pair = self.w.key(super::writer::TypeKey::Pair(lane));
                let both = self.w.value(spv, pair, ids(&args));
                self.literal(SpvOp::CompositeExtract, ty, &[both], &[1])
            }
            Core(spv @ (SpvOp::SDot | SpvOp::UDot | SpvOp::SUDot)) => {
                self.w.capability(Capability::DotProduct);
                self.w.capability(Capability::DotProductInput4x8BitPacked);
                self.w.extension("SPV_KHR_integer_dot_product", 0x10600);
                let mut operands = ids(&args);
                operands.push(PackedVectorFormat::PackedVectorFormat4x8Bit.into());
                let ty = self.w.ty(ty);
                self.w.value(spv, ty, operands)
            }
            Core(spv) => self.op(spv, ty, &args),
            Glsl(spv) => self.glsl(spv, ty, &args),
        }
    }

    /// OpenCL C takes the amount modulo the width; SPIR-V leaves a larger one undefined.
    fn shift_amount(&mut self, amount: Value, id: u32, ty: Type) -> u32 {
        let bits = ty.scalar.bits() as u64;
        if self.constant_below(amount, bits) {
            return id;
        }
        let mask = self.w.constant(ty, bits - 1);
        self.op(SpvOp::BitwiseAnd, ty, &[id, mask])
    }

    fn cast(&mut self, op: CastOp, a: Value, ty: Type) -> u32 {
        let from = self.ty(a);
        let id = self.get(a);
        let spv = match op {
            CastOp::Trunc if ty.scalar == Scalar::Bool => {
                let one = self.w.constant(from, 1);
                let bit = self.op(SpvOp::BitwiseAnd, from, &[id, one]);
                let zero = self.w.constant(from, 0);
                return self.op(SpvOp::INotEqual, ty, &[bit, zero]);
            }
            CastOp::Trunc | CastOp::ZExt => SpvOp::UConvert,
            CastOp::SExt => SpvOp::SConvert,
            CastOp::FpTrunc | CastOp::FpExt => SpvOp::FConvert,
            CastOp::FpToSi => SpvOp::ConvertFToS,
            CastOp::FpToUi => SpvOp::ConvertFToU,
            CastOp::SiToFp => SpvOp::ConvertSToF,
            CastOp::UiToFp => SpvOp::ConvertUToF,
            CastOp::BoolToInt => {
                let (one, zero) = (self.w.constant(ty, 1), self.w.constant(ty, 0));
                return self.op(SpvOp::Select, ty, &[id, one, zero]);
            }
            CastOp::Bitcast | CastOp::PtrToInt | CastOp::IntToPtr | CastOp::SpaceCast => {
                SpvOp::Bitcast
            }
        };
        self.op(spv, ty, &[id])
    }
}
