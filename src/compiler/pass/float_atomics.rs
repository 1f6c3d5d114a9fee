//! Float atomics that compute, by compare-exchange of their bits.

use crate::compiler::ir::builder::Builder;
use crate::compiler::ir::{Addr, AtomicOp, BinOp, CmpOp, Op, Order, Scalar, Scope, Type, Value};

/// `fadd`, `fmin` or `fmax` of `value` on an integer in memory: tried until no other came between.
/// Gives the bits that were there.
pub fn by_compare_exchange(
    b: &mut Builder,
    op: AtomicOp,
    addr: Addr,
    value: Value,
    order: Order,
    scope: Scope,
) -> Value {
    let ty = b.ty(value);
    let int = Type::scalar(Scalar::int(ty.scalar.bits()));
    let start = b.atomic(AtomicOp::Load, addr, Vec::new(), int, Order::Relaxed, scope);
    let result = b.loop_(vec![start], &[int], |b, params| {
        let old = b.bitcast(params[0], ty);
        let combine = match op {
            AtomicOp::FMin => BinOp::FMin,
            AtomicOp::FMax => BinOp::FMax,
            _ => BinOp::FAdd,
        };
        let new = b.binary(combine, old, value);
        let new = b.bitcast(new, int);
        let seen = b.atomic(
            AtomicOp::CmpXchg,
            addr,
            vec![params[0], new],
            int,
            order,
            scope,
        );
        let done = b.compare(CmpOp::Eq, seen, params[0]);
        let stop = b.region(Vec::new(), |b| b.break_(vec![seen]));
        let again = b.yielding(|_| Vec::new());
        b.insert(Op::If(done, stop, again), &[]);
        b.continue_(vec![seen]);
    });
    result[0]
}
