//! Sums and differences of 64-bit integers that saturate.
//!
//! NVIDIA's compiler takes `x > y ? x - y : 0`, `x + y < x ? ~0ul : x + y` and `x == 0 ? 0 : x - 1` for saturating operations, also of signed
//! numbers that it knows not to be negative, and forgets the high words of their operands and results where a float becomes a double
//! anywhere in the program (H200, driver 580).
//!
//! Algorithm: these comparisons are of a number of which the driver knows nothing, so that nothing saturates for it.

use super::Known;
use super::opaque::opaque;
use crate::ir::builder::Builder;
use crate::ir::{Bits, CmpOp, Inst, Op, Scalar, Value};

pub fn rewrite(b: &mut Builder, known: &mut Known, inst: &mut Inst) -> Option<Vec<Value>> {
    if let Op::Compare(op, x, y) = &mut inst.op
        && b.ty(*x).scalar == Scalar::I64
        && (!matches!(op, CmpOp::Eq | CmpOp::Ne) || is_extreme(known, *y))
    {
        *x = opaque(b, *x);
    }
    None
}

/// The least or the greatest of unsigned numbers: constants stand on the right.
fn is_extreme(known: &Known, v: Value) -> bool {
    matches!(known.lane(v, 0), Some(0 | Bits::MAX))
}
