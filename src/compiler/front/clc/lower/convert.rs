//! Conversions of values.

use super::function::FunctionLowering;
use crate::front::clc::sema::types::{Prim, Ty, TypeKind};
use crate::ir::{CastOp, Scalar, Space, Type, Value};
use crate::options::Standard;

impl FunctionLowering<'_, '_, '_> {
    /// C's conversion between scalar types, lane by lane between vectors; a scalar to a
    /// vector goes to all lanes.
    pub fn convert(&mut self, value: Value, from: Ty, to: Ty) -> Value {
        if from == to {
            return value;
        }
        let Some(target) = self.value_type(to) else {
            return value;
        };
        let given = self.b.ty(value);
        match (self.types().kind(from), self.types().kind(to)) {
            (_, TypeKind::Pointer(_)) if given.scalar.is_ptr() => self.space_cast(value, target),
            (_, TypeKind::Pointer(_)) => {
                let signed = self.prim(from).is_some_and(|p| p.is_signed());
                let address = if given == Type::BOOL {
                    self.b.cast(CastOp::BoolToInt, value, Type::I64)
                } else {
                    self.b.int_resize(value, Scalar::I64, signed)
                };
                let word = self.integer_pointer(target);
                let pointer = self.b.cast(CastOp::IntToPtr, address, word);
                self.space_cast(pointer, target)
            }
            (TypeKind::Pointer(_), _) if target == Type::BOOL => self.not_zero(value),
            (TypeKind::Pointer(_), _) => {
                let address = self.address_bits(value);
                self.b.int_resize(address, target.scalar, false)
            }
            // Only a constant 0 converts to an event or a queue.
            (_, TypeKind::Event) if given.scalar != Scalar::Event => self.b.zero_value(target),
            (from, TypeKind::Queue) if *from != TypeKind::Queue => self.b.zero_value(target),
            _ => match (self.prim(from), self.prim(to)) {
                (Some(a), Some(b)) => {
                    let value = self.convert_prim(value, a, b);
                    if given.lanes == 1 && target.lanes > 1 {
                        self.b.splat(value, target.lanes)
                    } else {
                        value
                    }
                }
                _ if given == target => value,
                _ => {
                    self.defect("conversion between unrelated types");
                    self.b.undef(target)
                }
            },
        }
    }

    /// A pointer as an i64.
    pub fn address_bits(&mut self, pointer: Value) -> Value {
        let word = self.integer_pointer(self.b.ty(pointer));
        let pointer = self.space_cast(pointer, word);
        self.b.cast(CastOp::PtrToInt, pointer, Type::I64)
    }

    /// The pointer type whose bits an integer has: where there is a generic address space, that
    /// of an integer made from a pointer into one space serves in it, too.
    fn integer_pointer(&self, pointer: Type) -> Type {
        let tagged = matches!(pointer.scalar, Scalar::Ptr(Space::Local | Space::Private));
        match tagged && self.unit.options.standard >= Standard::Cl20 {
            true => Type::ptr(Space::Generic),
            false => pointer,
        }
    }

    /// Arithmetic conversion lane by lane, with C's rounding: floats to integers toward
    /// zero, to floats to nearest even.
    pub fn convert_prim(&mut self, value: Value, from: Prim, to: Prim) -> Value {
        let given = self.b.ty(value);
        let target = Type::vector(super::unit::prim_scalar(to), given.lanes);
        if given == target {
            return value;
        }
        let op = match (from, to) {
            (_, Prim::Bool) => return self.not_zero(value),
            (Prim::Bool, _) if to.is_float() => {
                let int = self.b.cast(
                    CastOp::BoolToInt,
                    value,
                    Type::vector(Scalar::I32, given.lanes),
                );
                return self.b.cast(CastOp::UiToFp, int, target);
            }
            (Prim::Bool, _) => CastOp::BoolToInt,
            _ => match (from.is_float(), to.is_float()) {
                (false, false) => {
                    return self.b.int_resize(value, target.scalar, from.is_signed());
                }
                (false, true) if from.is_signed() => CastOp::SiToFp,
                (false, true) => CastOp::UiToFp,
                (true, false) if to.is_signed() => CastOp::FpToSi,
                (true, false) => CastOp::FpToUi,
                (true, true) if from.size() < to.size() => CastOp::FpExt,
                (true, true) => CastOp::FpTrunc,
            },
        };
        self.b.cast(op, value, target)
    }

    /// Converts a pointer to one to the same object in another address space.
    pub fn space_cast(&mut self, value: Value, to: Type) -> Value {
        let from = self.b.ty(value);
        if from == to {
            return value;
        }
        let is_generic = |ty: Type| ty.scalar == Scalar::Ptr(Space::Generic);
        if is_generic(from) || is_generic(to) {
            return self.b.cast(CastOp::SpaceCast, value, to);
        }
        // Between named spaces (global and constant) the address stays.
        let address = self.b.cast(CastOp::PtrToInt, value, Type::I64);
        self.b.cast(CastOp::IntToPtr, address, to)
    }

    /// Changes the type and keeps the bits. A vector of three lanes has the size of four.
    pub fn reinterpret(&mut self, value: Value, to: Type) -> Value {
        let from = self.b.ty(value);
        if from == to {
            return value;
        }
        match (from.scalar.is_ptr(), to.scalar.is_ptr()) {
            (true, true) => return self.space_cast(value, to),
            (true, false) => {
                let address = self.b.cast(CastOp::PtrToInt, value, Type::I64);
                return self.b.bitcast(address, to);
            }
            (false, true) => {
                let address = self.b.bitcast(value, Type::I64);
                return self.b.cast(CastOp::IntToPtr, address, to);
            }
            (false, false) => {}
        }
        let bits = |ty: Type| ty.scalar.bits() * u32::from(ty.lanes);
        if bits(from) == bits(to) {
            return self.b.bitcast(value, to);
        }
        let value = if from.lanes == 3 {
            self.b.shuffle(value, value, vec![0, 1, 2, 255])
        } else {
            value
        };
        if to.lanes == 3 {
            let wide = self.b.bitcast(value, to.with_lanes(4));
            self.b.shuffle(wide, wide, vec![0, 1, 2])
        } else {
            self.b.bitcast(value, to)
        }
    }
}
