//! Sub-group operations and clocks.

use rspirv::dr::Operand;
use rspirv::spirv::{Capability, GroupOperation, Op as SpvOp};

use super::function::Emitter;
use super::writer::ids;
use crate::ir::{BinOp, Reduction, Scope, SubGroupOp, Type, Value};

impl Emitter<'_, '_> {
    pub fn sub_group(&mut self, op: SubGroupOp, args: &[Value], ty: Type) -> u32 {
        let (spv, capability) = match op {
            SubGroupOp::Elect => (SpvOp::GroupNonUniformElect, Capability::GroupNonUniform),
            SubGroupOp::Any => (SpvOp::GroupNonUniformAny, Capability::GroupNonUniformVote),
            SubGroupOp::All => (SpvOp::GroupNonUniformAll, Capability::GroupNonUniformVote),
            SubGroupOp::Ballot => (
                SpvOp::GroupNonUniformBallot,
                Capability::GroupNonUniformBallot,
            ),
            SubGroupOp::First => (
                SpvOp::GroupNonUniformBroadcastFirst,
                Capability::GroupNonUniformBallot,
            ),
            SubGroupOp::Shuffle => (
                SpvOp::GroupNonUniformShuffle,
                Capability::GroupNonUniformShuffle,
            ),
        };
        self.w.capability(capability);
        let mut operands = vec![self.scope(Scope::SubGroup)];
        operands.extend(self.get_all(args));
        self.op(spv, ty, &operands)
    }

    pub fn sub_group_reduce(
        &mut self,
        op: BinOp,
        how: Reduction,
        value: Value,
        cluster: u32,
        ty: Type,
    ) -> Option<u32> {
        let spv = match op {
            BinOp::Add => SpvOp::GroupNonUniformIAdd,
            BinOp::FAdd => SpvOp::GroupNonUniformFAdd,
            BinOp::Mul => SpvOp::GroupNonUniformIMul,
            BinOp::FMul => SpvOp::GroupNonUniformFMul,
            BinOp::SMin => SpvOp::GroupNonUniformSMin,
            BinOp::UMin => SpvOp::GroupNonUniformUMin,
            BinOp::FMin => SpvOp::GroupNonUniformFMin,
            BinOp::SMax => SpvOp::GroupNonUniformSMax,
            BinOp::UMax => SpvOp::GroupNonUniformUMax,
            BinOp::FMax => SpvOp::GroupNonUniformFMax,
            BinOp::And => SpvOp::GroupNonUniformBitwiseAnd,
            BinOp::Or => SpvOp::GroupNonUniformBitwiseOr,
            BinOp::Xor => SpvOp::GroupNonUniformBitwiseXor,
            // The verifier has rejected all other operations.
            _ => return None,
        };
        let (operation, capability) = match how {
            Reduction::All if cluster != 0 => (
                GroupOperation::ClusteredReduce,
                Capability::GroupNonUniformClustered,
            ),
            Reduction::All => (
                GroupOperation::Reduce,
                Capability::GroupNonUniformArithmetic,
            ),
            Reduction::Inclusive => (
                GroupOperation::InclusiveScan,
                Capability::GroupNonUniformArithmetic,
            ),
            Reduction::Exclusive => (
                GroupOperation::ExclusiveScan,
                Capability::GroupNonUniformArithmetic,
            ),
        };
        self.w.capability(capability);
        let scope = self.scope(Scope::SubGroup);
        let value = self.get(value);
        let mut operands = vec![
            Operand::IdScope(scope),
            Operand::GroupOperation(operation),
            Operand::IdRef(value),
        ];
        if cluster != 0 {
            operands.push(Operand::IdRef(self.w.word(cluster)));
        }
        let ty = self.w.ty(ty);
        Some(self.w.value(spv, ty, operands))
    }

    /// As a 64-bit integer or a pair of words.
    pub fn clock(&mut self, scope: Scope, ty: Type) -> u32 {
        self.w.capability(Capability::ShaderClockKHR);
        self.w.extension("SPV_KHR_shader_clock", u32::MAX);
        let scope = self.scope(scope);
        let ty = self.w.ty(ty);
        self.w.value(SpvOp::ReadClockKHR, ty, ids(&[scope]))
    }
}
