//! Loops that go on while numbers are unequal, for a compiler that gives them one round.
//!
//! Mesa 23 counts the rounds of a loop with a constant number of them to unroll it. Where the loop is left by the branch of a test
//! that is not taken, it counts as if it were left by the other one: `x != 16` is at once.
//!
//! Algorithm: the loop is left where the numbers are equal.

use super::Known;
use crate::ir::builder::Builder;
use crate::ir::util::always_leaves;
use crate::ir::{CmpOp, Inst, Op, Value};

pub fn rewrite(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if let Op::If(cond, then, other) = &mut inst.op
        && always_leaves(other)
        && !always_leaves(then)
        && let Some(&Op::Compare(op, x, y)) = known.op(*cond)
        && matches!(op, CmpOp::Eq | CmpOp::Ne | CmpOp::FEq | CmpOp::FNe)
    {
        *cond = b.compare(op.inverse()?, x, y);
        std::mem::swap(then, other);
    }
    None
}
