//! Constant zeros in a form that the driver's compiler does not mistake.
//!
//! llvmpipe takes quotients of a constant zero, and of Mesa 22 also products with one, for that zero, whatever
//! the other operand: also where it is NaN, infinite or negative, or zero itself below it.
//!
//! Algorithm: such a zero becomes one that only the host knows.
//!
//! Needs and keeps: Legal.

use super::merge::known_to_the_host;
use crate::diag::Sink;
use crate::ir::util::rewrite;
use crate::ir::{BinOp, Bits, Module, Op, Scalar, TernOp, Type, Value};
use crate::pass::{Ctx, each_function};
use crate::quick::QuickMap;

pub fn run(module: &mut Module, ctx: &Ctx, _: &mut Sink) {
    if !ctx.target.drops_zeros {
        return;
    }
    each_function(module, |func, _| {
        let mut zeros: QuickMap<Value, Bits> = QuickMap::default();
        rewrite(func, |b, mut inst| {
            if let (&[v], Op::Const(bits)) = (&inst.results[..], &inst.op) {
                let ty = b.ty(v);
                if ty.scalar.is_float() && bits & !(1 << (ty.scalar.bits() - 1)) == 0 {
                    zeros.insert(v, *bits);
                }
            }
            let factors = match &mut inst.op {
                Op::Binary(BinOp::FMul, x, y) => vec![x, y],
                Op::Binary(BinOp::FDiv, x, _) => vec![x],
                Op::Ternary(TernOp::Fma | TernOp::Mad, x, y, _) => vec![x, y],
                _ => vec![],
            };
            for factor in factors {
                if let Some(&bits) = zeros.get(factor).filter(|_| !inst.fast.no_nan) {
                    let ty = b.ty(*factor);
                    let int = Type {
                        scalar: Scalar::int(ty.scalar.bits()),
                        ..ty
                    };
                    let zero = known_to_the_host(b, bits, int);
                    *factor = b.bitcast(zero, ty);
                }
            }
            b.push(inst);
            Vec::new()
        });
    });
}
