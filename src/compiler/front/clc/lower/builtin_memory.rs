//! vload and vstore, with the half forms; copies and fills of bytes.

use super::builtin::BuiltinCall;
use super::function::FunctionLowering;
use crate::front::clc::builtins::implementation::Special;
use crate::front::clc::builtins::table::Rounding;
use crate::front::clc::sema::types::Prim;
use crate::ir::{BinOp, CastOp, CmpOp, Scalar, Space, Type, Value};

impl<'u> FunctionLowering<'_, 'u, '_> {
    pub fn memory_builtin(&mut self, special: Special, call: &BuiltinCall<'u>) -> Option<Value> {
        let aligned = matches!(special, Special::VloadaHalf | Special::VstoreaHalf);
        match special {
            Special::Vload | Special::VloadHalf | Special::VloadaHalf => {
                let ret = call.result();
                let memory = match special {
                    Special::Vload => ret,
                    _ => Type::vector(Scalar::F16, ret.lanes),
                };
                let (ptr, align) = self.element(call.values[1], call.values[0], memory, aligned);
                let value = self.load_at(ptr, memory, align);
                Some(if memory == ret {
                    value
                } else {
                    self.b.cast(CastOp::FpExt, value, ret)
                })
            }
            Special::Vstore | Special::VstoreHalf | Special::VstoreaHalf => {
                let value = call.values[0];
                let ty = self.b.ty(value);
                let memory = match special {
                    Special::Vstore => ty,
                    _ => Type::vector(Scalar::F16, ty.lanes),
                };
                let value = if memory == ty {
                    value
                } else {
                    let rounding = call.row.rounding.unwrap_or(Rounding::NearestEven);
                    self.narrow_float(value, Prim::Half, rounding)
                };
                let (ptr, align) = self.element(call.values[2], call.values[1], memory, aligned);
                self.store_value(ptr, value, align, false);
                None
            }
            _ => Some(self.unknown_special(call)),
        }
    }

    /// clang's functions for memory. A few bytes that may overlap go by way of an object.
    pub fn byte_builtin(&mut self, special: Special, call: &BuiltinCall<'u>) {
        const FEW: u64 = 256;
        let [to, from, size] = call.values[..] else {
            return self.defect("arity of a builtin for memory");
        };
        let known = self.constant(&call.args[2]);
        match (special, known) {
            (_, Some(0)) => {}
            (Special::SetBytes, _) => {
                let byte = self.b.int_resize(from, Scalar::I8, false);
                self.b.set_bytes(to, byte, size);
            }
            (Special::MoveBytes, Some(few @ ..=FEW)) => {
                let few = few as u32;
                let between = self.temp(few, 1);
                self.b.copy(between, from, few, 1);
                self.b.copy(to, between, few, 1);
            }
            (Special::MoveBytes, _) => {
                let (a, b) = (self.address_bits(to), self.address_bits(from));
                let backward = self.b.compare(CmpOp::Ult, b, a);
                self.b.move_bytes(to, from, size, backward);
            }
            (_, known) => match known.and_then(|size| u32::try_from(size).ok()) {
                Some(size) => self.b.copy(to, from, size, 1),
                None => self.b.copy_bytes(to, from, size),
            },
        }
    }

    /// Address and alignment of vector `index` of an array of scalars. The aligned forms
    /// count vectors of three as four and are aligned to the vector.
    fn element(&mut self, base: Value, index: Value, ty: Type, aligned: bool) -> (Value, u32) {
        let scalar = ty.scalar.size();
        let stride = if aligned {
            ty.size()
        } else {
            scalar * u32::from(ty.lanes)
        };
        let narrow = matches!(
            self.b.ty(base).scalar,
            Scalar::Ptr(Space::Private | Space::Local)
        );
        let width = if narrow { Scalar::I32 } else { Scalar::I64 };
        let index = self.b.int_resize(index, width, false);
        let stride_value = self.b.const_int(Type::scalar(width), i64::from(stride));
        let offset = self.b.binary(BinOp::Mul, index, stride_value);
        let align = if aligned { stride } else { scalar };
        (self.b.ptradd(base, offset), align)
    }
}
