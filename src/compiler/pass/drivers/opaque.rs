//! Values of which drivers' compilers know nothing.
//!
//! Algorithm: a zero that only the host knows is added to the bits: twice is not zero to a compiler, unlike that of an exclusive or.

use crate::ir::builder::Builder;
use crate::ir::{BinOp, Bits, Op, Scalar, Type, Value};
use crate::kernel::SysField;

/// A constant that the driver's compiler does not know: `bits + z`.
pub fn opaque_constant(b: &mut Builder, bits: Bits, ty: Type) -> Value {
    let dims = b.insert1(Op::Sys(SysField::WorkDim), Type::I32);
    let two = b.const_int(Type::I32, 2);
    let zero = b.binary(BinOp::LShr, dims, two);
    let zero = b.int_resize(zero, ty.scalar, false);
    let constant = b.const_bits(Type::scalar(ty.scalar), bits);
    let value = b.binary(BinOp::Add, constant, zero);
    b.splat(value, ty.lanes)
}

/// The same value, but the driver's compiler does not know how it was computed.
pub fn opaque(b: &mut Builder, v: Value) -> Value {
    let ty = b.ty(v);
    let int = Type::vector(Scalar::int(ty.scalar.bits()), ty.lanes);
    let bits = b.bitcast(v, int);
    let zero = opaque_constant(b, 0, int);
    let bits = b.binary(BinOp::Add, bits, zero);
    b.bitcast(bits, ty)
}
