//! The bytes of a value as another type of the same size: what a load gives that reads what
//! another type's store wrote.

use crate::ir::builder::Builder;
use crate::ir::{CastOp, CmpOp, Scalar, Type, Value};

/// [`reinterpret`] works between these types.
pub fn can_reinterpret(from: Type, to: Type) -> bool {
    if from == to {
        return true;
    }
    let opaque = |ty: Type| match ty.scalar {
        Scalar::Image | Scalar::Event => true,
        Scalar::Bool => ty.lanes != 1,
        _ => false,
    };
    let pointers = from.scalar.is_ptr() && to.scalar.is_ptr();
    !opaque(from) && !opaque(to) && !pointers && memory_bits(from) == memory_bits(to)
}

/// Bits that a store of this type writes.
pub fn memory_bits(ty: Type) -> u32 {
    ty.scalar.size() * 8 * ty.lanes as u32
}

/// Bytes that a store of this type writes: without the padding of three lanes.
pub fn stored_bytes(ty: Type) -> u32 {
    memory_bits(ty) / 8
}

/// Needs [`can_reinterpret`].
pub fn reinterpret(b: &mut Builder, value: Value, to: Type) -> Value {
    let from = b.ty(value);
    if from == to {
        return value;
    }
    let bits = match from.scalar {
        Scalar::Bool => b.cast(CastOp::BoolToInt, value, Type::I8),
        Scalar::Ptr(_) => b.cast(CastOp::PtrToInt, value, Type::I64),
        _ => value,
    };
    match to.scalar {
        Scalar::Bool => {
            let byte = b.bitcast(bits, Type::I8);
            let zero = b.zero_value(Type::I8);
            b.compare(CmpOp::Ne, byte, zero)
        }
        Scalar::Ptr(_) => {
            let word = b.bitcast(bits, Type::I64);
            b.cast(CastOp::IntToPtr, word, to)
        }
        _ => b.bitcast(bits, to),
    }
}
