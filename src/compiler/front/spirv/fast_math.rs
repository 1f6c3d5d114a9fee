//! What arithmetic may do beyond IEEE: the modes of kernels, decorations of instructions (SPV_KHR_float_controls, SPV_KHR_float_controls2).
//!
//! A mode of a kernel holds for the functions that it calls, too. These may be those of other kernels, so that they have what all kernels allow.

use rspirv::spirv::{Decoration, ExecutionMode, FPFastMathMode};

use super::binary::{Id, Inst, Res};
use super::function::FunctionLowering;
use super::unit::Unit;
use crate::ir::{FastMath, Scalar};

/// The flags of a function's instructions.
#[derive(Clone)]
pub struct FunctionMath {
    /// Without decorations, of types without defaults.
    pub plain: FastMath,
    /// Of types with defaults; they allow nothing else.
    defaults: Vec<(Scalar, FPFastMathMode)>,
    strict: FastMath,
}

impl FunctionMath {
    /// What all of these kernels allow.
    pub fn of(unit: &Unit, kernels: &[Id]) -> Res<FunctionMath> {
        let (mut off, mut given) = (false, Vec::new());
        for kernel in kernels {
            for &(mode, words) in unit.parsed.modes.get(kernel).into_iter().flatten() {
                off |= mode == ExecutionMode::ContractionOff as u32;
                if mode == ExecutionMode::FPFastMathDefault as u32 {
                    let &[ty, flags] = words else {
                        return Err("an execution mode has another number of operands".into());
                    };
                    let flags = FPFastMathMode::from_bits_truncate(unit.integer(flags)? as u32);
                    given.push((unit.types.value(ty)?.scalar, flags));
                }
            }
        }
        let mut defaults = Vec::new();
        for scalar in [Scalar::F16, Scalar::F32, Scalar::F64] {
            let flags = given.iter().filter(|row| row.0 == scalar).map(|row| row.1);
            let count = flags.clone().count();
            let Some(mut flags) = flags.reduce(|a, b| a & b) else {
                continue;
            };
            // Kernels without defaults allow contraction alone.
            if count < kernels.len() {
                flags &= FPFastMathMode::ALLOW_CONTRACT;
            }
            if off {
                flags.remove(FPFastMathMode::ALLOW_CONTRACT);
            }
            defaults.push((scalar, flags));
        }
        let kept = |contract: bool| {
            let mut math = unit.options.math(contract);
            if unit.keeps_special_values {
                (math.no_nan, math.no_inf, math.no_signed_zero) = (false, false, false);
            }
            math
        };
        Ok(FunctionMath {
            plain: kept(!off),
            defaults,
            strict: kept(false),
        })
    }
}

impl FunctionLowering<'_, '_, '_> {
    /// Sets the flags of what the instruction becomes.
    pub fn fast_math(&mut self, inst: &Inst) {
        if inst.id == 0 {
            return;
        }
        let default = self.default_flags(inst);
        if default.is_some() {
            self.b.fast = self.math.strict;
        }
        let given = self.decoration(inst.id, Decoration::FPFastMathMode);
        let given = given.and_then(|words| words.first());
        let given = given.map(|&word| FPFastMathMode::from_bits_truncate(word));
        let Some(flags) = given.or(default) else {
            return;
        };
        let fast = flags.contains(FPFastMathMode::FAST);
        let keeps = self.unit.keeps_special_values;
        let fast_math = &mut self.b.fast;
        if !keeps {
            fast_math.no_nan |= fast || flags.contains(FPFastMathMode::NOT_NAN);
            fast_math.no_inf |= fast || flags.contains(FPFastMathMode::NOT_INF);
            fast_math.no_signed_zero |= fast || flags.contains(FPFastMathMode::NSZ);
        }
        fast_math.contract |= fast || flags.contains(FPFastMathMode::ALLOW_CONTRACT);
        fast_math.reassoc |=
            fast || flags.contains(FPFastMathMode::ALLOW_REASSOC | FPFastMathMode::ALLOW_RECIP);
    }

    /// Those of the type of the result or, of comparisons and conversions, of the first operand.
    fn default_flags(&self, inst: &Inst) -> Option<FPFastMathMode> {
        if self.math.defaults.is_empty() {
            return None;
        }
        let operand = inst.args.first().and_then(|&id| self.unit.type_of(id).ok());
        let types = [Some(inst.ty), operand].into_iter().flatten();
        let mut scalars = types.filter_map(|ty| Some(self.unit.types.value(ty).ok()?.scalar));
        scalars.find_map(|scalar| {
            let mut known = self.math.defaults.iter();
            known.find(|known| known.0 == scalar).map(|known| known.1)
        })
    }
}
