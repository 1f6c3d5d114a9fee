//! Variables, pointers, loads, stores and copies.

use rspirv::spirv::{MemoryAccess, Op};

use super::binary::{Id, Inst, Res};
use super::constants::Const;
use super::function::{FunctionLowering, Place};
use super::shim::{Call, c_space};
use super::types::{Layout, Ty};
use crate::ir::{BinOp, Scalar, Space, Type, Value};

/// How an access is made.
struct Access {
    align: u32,
    volatile: bool,
}

impl FunctionLowering<'_, '_, '_> {
    pub fn memory(&mut self, inst: &Inst) -> Res<bool> {
        match inst.op {
            Op::Variable => self.variable(inst)?,
            Op::Load => self.load(inst)?,
            Op::Store => self.store(inst)?,
            Op::CopyMemory | Op::CopyMemorySized => self.copy(inst)?,
            Op::AccessChain | Op::InBoundsAccessChain => {
                let base = inst.arg(0)?;
                self.chain(inst, base, None, inst.rest(1))?;
            }
            Op::PtrAccessChain | Op::InBoundsPtrAccessChain => {
                let (base, element) = (inst.arg(0)?, inst.arg(1)?);
                self.chain(inst, base, Some(element), inst.rest(2))?;
            }
            Op::PtrDiff => {
                let (a, b) = (self.value(inst.arg(0)?)?, self.value(inst.arg(1)?)?);
                let (_, pointee) = self.unit.types.pointer(self.unit.type_of(inst.arg(0)?)?)?;
                let size = self.unit.types.layout(pointee)?.size.max(1);
                let (a, b) = (
                    self.reinterpret(a, Type::I64),
                    self.reinterpret(b, Type::I64),
                );
                let bytes = self.b.binary(BinOp::Sub, a, b);
                let size = self.b.const_int(Type::I64, i64::from(size));
                let count = self.b.binary(BinOp::SDiv, bytes, size);
                let ty = self.result_type(inst)?;
                let count = self.b.int_resize(count, ty.scalar, true);
                self.define(inst.id, count);
            }
            Op::GenericPtrMemSemantics => {
                // Of the space: CrossWorkgroupMemory, WorkgroupMemory; private memory has none.
                let value = self.generic_test(inst.arg(0)?, |p| {
                    format!("to_global({p}) ? 0x200 : to_local({p}) ? 0x100 : 0")
                })?;
                self.define(inst.id, value);
            }
            Op::GenericCastToPtrExplicit => {
                let to = self.result_type(inst)?;
                let value = self.in_named_space(inst.arg(0)?, to)?;
                self.define(inst.id, value);
            }
            Op::SizeOf => {
                let (_, pointee) = self.unit.types.pointer(self.unit.type_of(inst.arg(0)?)?)?;
                let size = self.unit.types.layout(pointee)?.size;
                let ty = self.result_type(inst)?;
                let value = self.b.const_int(ty, i64::from(size));
                self.define(inst.id, value);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A generic pointer in a named space, null if it does not point there.
    pub fn in_named_space(&mut self, id: Id, to: Type) -> Res<Value> {
        let Scalar::Ptr(space) = to.scalar else {
            return Err("the result is no pointer".into());
        };
        let name = match space {
            Space::Global => "to_global",
            Space::Local => "to_local",
            Space::Private => "to_private",
            _ => return Err("there is no such space to test for".into()),
        };
        let fits = self.generic_test(id, |p| format!("{name}({p}) != 0"))?;
        let zero = self.b.zero_value(Type::I32);
        let fits = self.b.compare(crate::ir::CmpOp::Ne, fits, zero);
        let pointer = self.value(id)?;
        let pointer = self.reinterpret(pointer, to);
        let null = self.b.zero_value(to);
        Ok(self.b.select(fits, pointer, null))
    }

    /// An int that OpenCL C computes of a generic pointer.
    fn generic_test(&mut self, id: Id, expr: impl Fn(&str) -> String) -> Res<Value> {
        let value = self.value(id)?;
        let generic = self.reinterpret(value, Type::ptr(Space::Generic));
        let mut call = Call::default();
        let name = call.arg(format!("{}void *", c_space(Space::Generic)), generic);
        Ok(self.c_expr(call, Type::I32, &expr(&name)))
    }

    fn variable(&mut self, inst: &Inst) -> Res<()> {
        let (_, pointee) = self.unit.types.pointer(inst.ty)?;
        let layout = self.unit.types.layout(pointee)?;
        // Images have no place in memory; the only store is of the handle.
        if matches!(
            self.unit.types.get(pointee)?,
            Ty::Image { .. } | Ty::SampledImage(_)
        ) {
            return Ok(());
        }
        let align = self.unit.alignment(inst.id, layout.align)?;
        let object = self.object(Layout { align, ..layout })?;
        self.set_place(inst.id, Place::Value(object));
        if let Some(&initial) = inst.args.get(1) {
            self.store_value(object, initial, pointee, align, false)?;
        }
        Ok(())
    }

    fn access(&self, words: &[u32], natural: u32) -> Access {
        let mask = MemoryAccess::from_bits_truncate(words.first().copied().unwrap_or(0));
        let given = words
            .get(1)
            .copied()
            .filter(|_| mask.contains(MemoryAccess::ALIGNED));
        let given = given.filter(|align| align.is_power_of_two());
        Access {
            align: given.unwrap_or(natural).max(1),
            volatile: mask.contains(MemoryAccess::VOLATILE),
        }
    }

    fn load(&mut self, inst: &Inst) -> Res<()> {
        let from = inst.arg(0)?;
        if self.is_handle(inst.ty) {
            let handle = self.handle_in(from)?;
            self.set_place(inst.id, Place::Same(handle));
            return Ok(());
        }
        let layout = self.unit.types.layout(inst.ty)?;
        let access = self.access(inst.rest(1), layout.align);
        let pointer = self.pointer(from)?;
        if self.unit.types.is_aggregate(inst.ty) {
            let object = self.object(layout)?;
            self.b
                .copy(object, pointer, layout.size, access.align.min(layout.align));
            self.define(inst.id, object);
            return Ok(());
        }
        let value = self.load_value(pointer, inst.ty, access.align, access.volatile)?;
        self.define(inst.id, value);
        Ok(())
    }

    fn store(&mut self, inst: &Inst) -> Res<()> {
        let (to, value) = (inst.arg(0)?, inst.arg(1)?);
        let ty = self.unit.type_of(value)?;
        if self.is_handle(ty) {
            // Loads look for it.
            return Ok(());
        }
        let layout = self.unit.types.layout(ty)?;
        let access = self.access(inst.rest(2), layout.align);
        let pointer = self.value(to)?;
        self.store_value(pointer, value, ty, access.align, access.volatile)
    }

    /// Stores the value of an id.
    pub fn store_value(
        &mut self,
        to: Value,
        id: Id,
        ty: Id,
        align: u32,
        volatile: bool,
    ) -> Res<()> {
        let layout = self.unit.types.layout(ty)?;
        let value = self.value(id)?;
        match self.unit.types.is_aggregate(ty) {
            true => self.b.copy(to, value, layout.size, align.min(layout.align)),
            false => self.store_number(to, value, ty, align, volatile)?,
        }
        Ok(())
    }

    fn is_handle(&self, ty: Id) -> bool {
        let ty = self.unit.types.get(ty);
        matches!(ty, Ok(Ty::Image { .. } | Ty::SampledImage(_)))
    }

    /// The image that a variable holds: what the only store into it stores.
    fn handle_in(&self, variable: Id) -> Res<Id> {
        let stored = self.stored(variable);
        stored.ok_or_else(|| "an image in a variable is not stored exactly once".into())
    }

    fn copy(&mut self, inst: &Inst) -> Res<()> {
        if inst.op == Op::CopyMemory {
            let (to, from) = (self.value(inst.arg(0)?)?, self.pointer(inst.arg(1)?)?);
            let (_, pointee) = self.unit.types.pointer(self.unit.type_of(inst.arg(0)?)?)?;
            let layout = self.unit.types.layout(pointee)?;
            let access = self.access(inst.rest(2), layout.align);
            self.b
                .copy(to, from, layout.size, access.align.min(layout.align));
            return Ok(());
        }
        let align = self.access(inst.rest(3), 1).align;
        self.copy_bytes(inst.arg(0)?, inst.arg(1)?, inst.arg(2)?, align)
    }

    /// Copies as many bytes as an id says.
    pub fn copy_bytes(&mut self, to: Id, from: Id, size: Id, align: u32) -> Res<()> {
        let (to, from) = (self.value(to)?, self.pointer(from)?);
        if let Ok(size) = self.unit.integer(size) {
            let size = u32::try_from(size).map_err(|_| "a copy is too large")?;
            if size > 0 {
                self.b.copy(to, from, size, align);
            }
            return Ok(());
        }
        let size = self.value(size)?;
        self.b.copy_bytes(to, from, size);
        Ok(())
    }

    fn chain(&mut self, inst: &Inst, base: Id, element: Option<Id>, indices: &[Id]) -> Res<()> {
        // Of a variable, with constant indices: a constant, as printf's formats have to be.
        let all: Vec<Id> = element.into_iter().chain(indices.iter().copied()).collect();
        if let Some(constant @ Const::Address(..)) =
            self.unit.address(base, element.is_some(), &all)
        {
            self.unit.consts.insert(inst.id, constant);
            return Ok(());
        }
        let mut at = self.pointer(base)?;
        let (_, mut ty) = self.unit.types.pointer(self.unit.type_of(base)?)?;
        if let Some(element) = element {
            let size = self.unit.types.layout(ty)?.size;
            at = self.step(at, element, size)?;
        }
        for &index in indices {
            let known = self.unit.integer(index);
            (at, ty) = match (self.unit.types.get(ty)?.clone(), known) {
                (Ty::Struct { .. }, Err(e)) => return Err(e),
                (Ty::Struct { .. }, Ok(index)) => {
                    let (member, offset) = self.unit.types.member(ty, index)?;
                    (self.b.ptradd_const(at, i64::from(offset)), member)
                }
                (Ty::Array { elem, .. }, _) => {
                    let size = self.unit.types.layout(elem)?.size;
                    (self.step(at, index, size)?, elem)
                }
                // A lane.
                (Ty::Value(vector), _) if vector.lanes > 1 => {
                    let (_, pointee) = self.unit.types.pointer(inst.ty)?;
                    (self.step(at, index, vector.scalar.size())?, pointee)
                }
                _ => return Err("an index leads into what has no parts".into()),
            };
        }
        let to = self.result_type(inst)?;
        let at = self.cast_pointer(at, self.unit.type_of(base)?, to)?;
        self.define(inst.id, at);
        Ok(())
    }

    /// The pointer advanced by a number of elements of `size` bytes.
    fn step(&mut self, at: Value, index: Id, size: u32) -> Res<Value> {
        if let Ok(known) = self.unit.integer(index) {
            let ty = self.unit.types.value(self.unit.type_of(index)?)?;
            let bits = self.unit.types.width(self.unit.type_of(index)?);
            let above = 64 - bits.unwrap_or(ty.scalar.bits()).min(64);
            let known = (known << above) as i64 >> above;
            let bytes = known.wrapping_mul(i64::from(size));
            return Ok(self.b.ptradd_const(at, bytes));
        }
        let index = self.signed_value(index)?;
        if !self.b.ty(index).scalar.is_int() || self.b.ty(index).lanes != 1 {
            return Err("an index is no integer".into());
        }
        let index = self.b.int_resize(index, Scalar::I64, true);
        let size = self.b.const_int(Type::I64, i64::from(size));
        let bytes = self.b.binary(BinOp::Mul, index, size);
        Ok(self.b.ptradd(at, bytes))
    }
}
