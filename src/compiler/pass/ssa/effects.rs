//! What instructions do besides giving a value.

use crate::ir::Op;

/// Something outside the instruction's results can tell that it ran. Control instructions have
/// no effect of their own.
pub fn has_effect(op: &Op) -> bool {
    match op {
        Op::Load { volatile, .. } => *volatile,
        op => op.touches_memory(),
    }
}

/// The result depends on the operands alone and the instruction may run anywhere and any
/// number of times.
pub fn is_pure(op: &Op) -> bool {
    match op {
        Op::Load { .. } | Op::Alloca { .. } | Op::If(..) | Op::Switch { .. } | Op::Loop { .. } => {
            false
        }
        // It may be much code.
        Op::Call { .. } => false,
        // Of images that have no texel buffer it must not run.
        Op::Fetch(..) => false,
        // They depend on which items run them, and when.
        Op::SubGroup(..) | Op::SubGroupReduce { .. } | Op::Clock(_) => false,
        op => !has_effect(op) && !op.is_terminator(),
    }
}
