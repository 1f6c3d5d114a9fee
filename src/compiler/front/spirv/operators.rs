//! Tables of the IR operations for arithmetic instructions, in function bodies and constant expressions.

use rspirv::spirv::Op;

use crate::ir::{BinOp, CastOp, CmpOp, Scalar, UnOp};

pub fn unary(op: Op) -> Option<UnOp> {
    Some(match op {
        Op::SNegate => UnOp::Neg,
        Op::FNegate => UnOp::FNeg,
        Op::Not | Op::LogicalNot => UnOp::Not,
        Op::BitReverse => UnOp::BitReverse,
        Op::BitCount => UnOp::Popcount,
        _ => return None,
    })
}

pub fn binary(op: Op) -> Option<BinOp> {
    Some(match op {
        Op::IAdd => BinOp::Add,
        Op::ISub => BinOp::Sub,
        Op::IMul => BinOp::Mul,
        Op::UDiv => BinOp::UDiv,
        Op::SDiv => BinOp::SDiv,
        Op::UMod => BinOp::URem,
        Op::SRem => BinOp::SRem,
        Op::FAdd => BinOp::FAdd,
        Op::FSub => BinOp::FSub,
        Op::FMul => BinOp::FMul,
        Op::FDiv => BinOp::FDiv,
        Op::ShiftLeftLogical => BinOp::Shl,
        Op::ShiftRightLogical => BinOp::LShr,
        Op::ShiftRightArithmetic => BinOp::AShr,
        Op::BitwiseAnd | Op::LogicalAnd => BinOp::And,
        Op::BitwiseOr | Op::LogicalOr => BinOp::Or,
        Op::BitwiseXor | Op::LogicalNotEqual => BinOp::Xor,
        _ => return None,
    })
}

/// The comparison, and whether the result is negated.
pub fn compare(op: Op) -> Option<(CmpOp, bool)> {
    Some(match op {
        Op::IEqual | Op::LogicalEqual | Op::PtrEqual => (CmpOp::Eq, false),
        Op::INotEqual | Op::PtrNotEqual => (CmpOp::Ne, false),
        Op::UGreaterThan => (CmpOp::Ugt, false),
        Op::UGreaterThanEqual => (CmpOp::Uge, false),
        Op::ULessThan => (CmpOp::Ult, false),
        Op::ULessThanEqual => (CmpOp::Ule, false),
        Op::SGreaterThan => (CmpOp::Sgt, false),
        Op::SGreaterThanEqual => (CmpOp::Sge, false),
        Op::SLessThan => (CmpOp::Slt, false),
        Op::SLessThanEqual => (CmpOp::Sle, false),
        Op::FOrdEqual => (CmpOp::FEq, false),
        Op::FUnordEqual => (CmpOp::FLtGt, true),
        Op::FOrdNotEqual | Op::LessOrGreater => (CmpOp::FLtGt, false),
        Op::FUnordNotEqual => (CmpOp::FNe, false),
        Op::FOrdLessThan => (CmpOp::FLt, false),
        Op::FUnordLessThan => (CmpOp::FGe, true),
        Op::FOrdLessThanEqual => (CmpOp::FLe, false),
        Op::FUnordLessThanEqual => (CmpOp::FGt, true),
        Op::FOrdGreaterThan => (CmpOp::FGt, false),
        Op::FUnordGreaterThan => (CmpOp::FLe, true),
        Op::FOrdGreaterThanEqual => (CmpOp::FGe, false),
        Op::FUnordGreaterThanEqual => (CmpOp::FLt, true),
        Op::Ordered => (CmpOp::FOrd, false),
        Op::Unordered => (CmpOp::FOrd, true),
        _ => return None,
    })
}

/// Whether the sign of integer operands counts.
pub fn is_signed(op: Op) -> bool {
    matches!(
        op,
        Op::SDiv
            | Op::SRem
            | Op::ShiftRightArithmetic
            | Op::SGreaterThan
            | Op::SGreaterThanEqual
            | Op::SLessThan
            | Op::SLessThanEqual
            | Op::ConvertSToF
    )
}

/// A conversion of numbers; `Ok(None)` if it changes nothing.
pub fn convert(op: Op, from: Scalar, to: Scalar) -> Option<Option<CastOp>> {
    let wider = to.bits() > from.bits();
    let resized = |wide, narrow| match from == to {
        true => None,
        false if wider => Some(wide),
        false => Some(narrow),
    };
    Some(match op {
        Op::ConvertFToU => Some(CastOp::FpToUi),
        Op::ConvertFToS => Some(CastOp::FpToSi),
        Op::ConvertUToF => Some(CastOp::UiToFp),
        Op::ConvertSToF => Some(CastOp::SiToFp),
        Op::UConvert => resized(CastOp::ZExt, CastOp::Trunc),
        Op::SConvert => resized(CastOp::SExt, CastOp::Trunc),
        Op::FConvert => resized(CastOp::FpExt, CastOp::FpTrunc),
        _ => return None,
    })
}
