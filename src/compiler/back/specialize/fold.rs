//! Evaluates instructions whose operands are known.

use rspirv::dr::{Instruction, Operand};
use rspirv::spirv::{Op, Word};

use crate::back::arith;
use crate::ir::builder::mask;
use crate::ir::{BinOp, Bits, CmpOp, Scalar, UnOp, eval};

/// An integer or bool.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Known {
    pub ty: Word,
    pub bits: Bits,
}

/// What takes the place of an instruction.
pub enum Folded {
    Known(Bits),
    /// Another value.
    Same(Word),
}

/// The result of an instruction of type `ty`, an integer or bool. `known` tells an operand and its type.
pub fn fold(
    inst: &Instruction,
    ty: Option<Scalar>,
    known: impl Fn(Word) -> Option<(Scalar, Bits)>,
) -> Option<Folded> {
    let ids: Vec<Word> = inst
        .operands
        .iter()
        .filter_map(Operand::id_ref_any)
        .collect();
    let op = inst.class.opcode;
    if let (Op::Select, [condition, yes, no]) = (op, &ids[..]) {
        let (_, condition) = known(*condition)?;
        return Some(Folded::Same(if condition == 0 { *no } else { *yes }));
    }
    let ty = ty?;
    let bits = match ids[..] {
        [a] => {
            let (from, a) = known(a)?;
            match op {
                Op::UConvert => a & mask(ty.bits()),
                Op::SConvert => eval::signed(from, a) as u64 & mask(ty.bits()),
                _ => {
                    let mut all = UnOp::ALL.iter().copied();
                    let op = all.find(|&u| arith::is_unary(u, ty, op))?;
                    eval::unary(op, ty, a)
                }
            }
        }
        [a, b] => {
            let known = (known(a), known(b));
            if let (Some((from, a)), Some((_, b))) = known
                && let Some(op) = CmpOp::ALL.iter().find(|&&c| arith::is_compare(c, from, op))
            {
                return Some(Folded::Known(eval::compare(*op, from, a, b).into()));
            }
            let op = BinOp::ALL
                .iter()
                .copied()
                .find(|&x| arith::is_binary(x, ty, op))?;
            match (known, op) {
                ((Some((_, a)), Some((_, b))), _) => eval::binary(op, ty, a, b),
                ((Some((_, 0)), _) | (_, Some((_, 0))), BinOp::And) => 0,
                ((Some((Scalar::Bool, 1)), _) | (_, Some((Scalar::Bool, 1))), BinOp::Or) => 1,
                _ => return None,
            }
        }
        _ => return None,
    };
    Some(Folded::Known(bits))
}
