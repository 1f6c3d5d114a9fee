//! Constants: their values, with specialization applied, and their bytes in memory.

use std::rc::Rc;

use rspirv::spirv::{Decoration, Op};

use super::binary::{Id, Inst, Res};
use super::operators;
use super::unit::Unit;
use crate::features::MAX_GLOBAL_VARIABLE_SIZE;
use crate::ir::builder::mask;
use crate::ir::{Bits, Bytes, GlobalId, Type, eval};

#[derive(Debug, Clone, PartialEq)]
pub enum Const {
    Undef,
    /// Zero or null, also in every part.
    Null,
    /// A number.
    Bits(Bits),
    /// The parts of a vector or aggregate.
    Parts(Vec<Id>),
    /// The lanes of a computed vector.
    Lanes(Vec<Bits>),
    /// An address: a variable of the module and an offset in bytes.
    Address(Id, i64),
}

/// A constant in memory.
#[derive(Default)]
pub struct Image {
    pub bytes: Bytes,
    /// Pointers within: offset, global.
    pub relocs: Vec<(u32, GlobalId)>,
}

impl<'a> Unit<'a> {
    /// Takes the declaration of a constant.
    pub fn add_constant(&mut self, inst: &Inst<'a>) -> Res<()> {
        let value = match inst.op {
            Op::Undef => Const::Undef,
            Op::ConstantNull => Const::Null,
            Op::ConstantTrue => Const::Bits(1),
            Op::ConstantFalse => Const::Bits(0),
            Op::SpecConstantTrue => Const::Bits((self.specialized(inst.id, 1) != 0).into()),
            Op::SpecConstantFalse => Const::Bits((self.specialized(inst.id, 0) != 0).into()),
            Op::Constant | Op::SpecConstant => {
                let ty = self.types.value(inst.ty)?;
                let width = self.types.width(inst.ty);
                let word = |i: usize| u64::from(inst.args.get(i).copied().unwrap_or(0));
                let bits = u64::from(inst.arg(0)?) | word(1) << 32;
                let bits = match inst.op {
                    Op::SpecConstant => self.specialized(inst.id, bits),
                    _ => bits,
                };
                match width {
                    Some(width) if width > 64 => {
                        let high = word(2) | word(3) << 32;
                        Const::Lanes(vec![bits, high & mask(width - 64)])
                    }
                    _ => Const::Bits(bits & mask(width.unwrap_or(ty.scalar.bits()))),
                }
            }
            Op::ConstantComposite | Op::SpecConstantComposite => {
                let parts = self.parsed.operands(inst);
                self.check_parts(inst, &parts)?;
                match (self.types.get(inst.ty)?, &parts[..]) {
                    (super::types::Ty::Value(_), &[one]) => {
                        self.constant(one).ok_or("a constant has no part")?
                    }
                    _ => Const::Parts(parts),
                }
            }
            // Addressing mode, normalised coordinates, filter: the bits of OpenCL C's literal.
            Op::ConstantSampler => {
                let address = u64::from(inst.arg(0)?);
                if address > 4 {
                    return Err("there is no such addressing mode".into());
                }
                let normalized = u64::from(inst.arg(1)? & 1);
                let filter = [0x10, 0x20][(inst.arg(2)? & 1) as usize];
                Const::Bits(address << 1 | normalized | filter)
            }
            Op::SpecConstantOp => self.expression(inst)?,
            _ => return Err(format!("{} is not supported", inst.name())),
        };
        self.consts.insert(inst.id, value);
        Ok(())
    }

    /// Checks that there are as many parts as the type has, all of them constants.
    fn check_parts(&self, inst: &Inst, parts: &[Id]) -> Res<()> {
        let count = match self.types.get(inst.ty)? {
            super::types::Ty::Value(ty) => u32::from(ty.lanes),
            super::types::Ty::Array { len, .. } => *len,
            super::types::Ty::Struct { members, .. } => members.len() as u32,
            _ => return Err(format!("%{} is of no type with parts", inst.id)),
        };
        let known = |id: &Id| self.consts.contains_key(id) || self.is_variable(*id);
        match parts.len() == count as usize && parts.iter().all(known) {
            true => Ok(()),
            false => Err(format!("%{} has parts that do not fit", inst.id)),
        }
    }

    fn specialized(&self, id: Id, default: Bits) -> Bits {
        let spec = self.parsed.decoration(id, Decoration::SpecId as u32);
        let spec = spec.and_then(|words| words.first());
        let given = spec.and_then(|id| self.specs.get(id));
        given.map_or(default, |bits| *bits)
    }

    /// Constants and the addresses of variables.
    pub fn constant(&self, id: Id) -> Option<Const> {
        match self.is_variable(id) {
            true => Some(Const::Address(id, 0)),
            false => self.consts.get(&id).cloned(),
        }
    }

    /// A variable of the module, built-in or not.
    fn is_variable(&self, id: Id) -> bool {
        self.globals.contains_key(&id) || self.built_ins.contains_key(&id)
    }

    pub fn type_of(&self, id: Id) -> Res<Id> {
        let found = self.parsed.type_of.get(&id).copied();
        let found = found.or_else(|| self.stand_ins.get(&id).map(|other| other.ty));
        found.ok_or_else(|| format!("%{id} has no type"))
    }

    /// The value of an integer constant.
    pub fn integer(&self, id: Id) -> Res<u64> {
        match self.consts.get(&id) {
            Some(Const::Bits(bits)) => Ok(*bits),
            Some(Const::Null | Const::Undef) => Ok(0),
            _ => Err(format!("%{id} is no integer constant")),
        }
    }

    /// The bits of each lane of a number or vector.
    pub fn lanes(&self, id: Id) -> Res<Vec<Bits>> {
        let ty = self.types.value(self.type_of(id)?)?;
        let wrong = || format!("%{id} is no constant");
        Ok(match self.consts.get(&id).ok_or_else(wrong)? {
            Const::Undef | Const::Null => vec![0; ty.lanes.into()],
            Const::Bits(bits) => vec![*bits; ty.lanes.into()],
            Const::Lanes(lanes) => lanes.clone(),
            Const::Parts(parts) => {
                let one = |id: &Id| self.integer(*id);
                parts.iter().map(one).collect::<Res<_>>()?
            }
            Const::Address(..) => return Err(wrong()),
        })
    }

    fn expression(&self, inst: &Inst) -> Res<Const> {
        let op = Op::from_u32(inst.arg(0)?).ok_or("there is no such operation")?;
        let unknown = || format!("Op{op:?} in OpSpecConstantOp is not supported");
        let args = inst.rest(1);
        let arg = |i: usize| args.get(i).copied().ok_or("an operand is missing");
        match op {
            Op::AccessChain | Op::InBoundsAccessChain => {
                return self.address(arg(0)?, false, &args[1..]).ok_or_else(unknown);
            }
            Op::PtrAccessChain | Op::InBoundsPtrAccessChain => {
                return self.chain(inst.ty, args).ok_or_else(unknown);
            }
            Op::PtrCastToGeneric | Op::GenericCastToPtr => {
                return self.constant(arg(0)?).ok_or_else(unknown);
            }
            Op::CompositeExtract => return self.part(arg(0)?, &args[1..]).ok_or_else(unknown),
            Op::Bitcast | Op::ConvertPtrToU | Op::ConvertUToPtr
                if !matches!(
                    self.constant(arg(0)?),
                    Some(Const::Bits(_) | Const::Lanes(_))
                ) =>
            {
                return self.constant(arg(0)?).ok_or_else(unknown);
            }
            Op::Select => {
                let (cond, yes, no) = (self.lanes(arg(0)?)?, arg(1)?, arg(2)?);
                if let [cond] = cond[..] {
                    let chosen = if cond & 1 == 1 { yes } else { no };
                    return self.constant(chosen).ok_or_else(unknown);
                }
                let both = self.lanes(yes)?.into_iter().zip(self.lanes(no)?);
                let lanes = cond.iter().zip(both);
                let one = |(cond, (yes, no)): (&Bits, (Bits, Bits))| match cond & 1 {
                    1 => yes,
                    _ => no,
                };
                return Ok(Const::Lanes(lanes.map(one).collect()));
            }
            _ => {}
        }
        let to = self.types.ir(inst.ty)?;
        let widths = [inst.ty, self.type_of(arg(0)?)?].map(|ty| self.types.width(ty));
        if widths != [None, None] {
            return Err(unknown());
        }
        let a = self.lanes(arg(0)?)?;
        let from = self.types.value(self.type_of(arg(0)?)?)?;
        let lanes: Vec<Bits> = match op {
            Op::VectorShuffle => {
                let both = [a, self.lanes(arg(1)?)?].concat();
                let lane = |&i: &u32| both.get(i as usize).copied().unwrap_or(0);
                args[2..].iter().map(lane).collect()
            }
            Op::CompositeInsert => {
                let mut lanes = self.lanes(arg(1)?)?;
                let place = lanes.get_mut(arg(2)? as usize).ok_or_else(unknown)?;
                *place = a[0];
                lanes
            }
            Op::Bitcast | Op::ConvertUToPtr => eval::bitcast(from, to, &a),
            _ => {
                let b = match args.get(1) {
                    Some(&b) => self.lanes(b)?,
                    None => a.clone(),
                };
                let lanes = a.iter().zip(b.iter().cycle());
                let one = |(&a, &b)| lane(op, from, to, a, b);
                lanes.map(one).collect::<Option<_>>().ok_or_else(unknown)?
            }
        };
        match lanes.len() == usize::from(to.lanes) {
            true if to.lanes == 1 => Ok(Const::Bits(lanes[0])),
            true => Ok(Const::Lanes(lanes)),
            false => Err(unknown()),
        }
    }

    /// A part of a constant.
    fn part(&self, id: Id, path: &[u32]) -> Option<Const> {
        let mut value = self.constant(id)?;
        for &index in path {
            value = match value {
                Const::Parts(parts) => self.constant(*parts.get(index as usize)?)?,
                Const::Lanes(lanes) => Const::Bits(*lanes.get(index as usize)?),
                whole @ (Const::Null | Const::Undef) => whole,
                _ => return None,
            };
        }
        Some(value)
    }

    /// The address of a chain in OpSpecConstantOp. An offset in bytes from what is none is a pointer to bytes, too: LLVM's own back
    /// end writes a zero and an index that leads to no byte, its translator from LLVM 19 on an element that is none.
    fn chain(&self, ty: Id, args: &[Id]) -> Option<Const> {
        let (&base, indices) = args.split_first()?;
        let led = self.led_to(base, true, indices);
        let (_, pointee) = self.types.pointer(ty).ok()?;
        let to_byte = self.types.value(pointee) == Ok(Type::I8);
        let bytes = match (led, indices) {
            (Some((address, end)), _) if !to_byte || end == Some(Type::I8) => return Some(address),
            (_, &[bytes]) if to_byte => bytes,
            (_, &[zero, bytes]) if to_byte && self.integer(zero) == Ok(0) => bytes,
            (led, _) => return led.map(|led| led.0),
        };
        let Const::Address(variable, offset) = self.constant(base)? else {
            return None;
        };
        let bytes = self.integer(bytes).ok()? as i64;
        Some(Const::Address(variable, offset.wrapping_add(bytes)))
    }

    /// The address that a chain of constant indices leads to; with an element, the first index
    /// moves the pointer itself.
    pub fn address(&self, base: Id, element: bool, indices: &[Id]) -> Option<Const> {
        self.led_to(base, element, indices).map(|led| led.0)
    }

    /// That address, and the type of the number or vector there.
    fn led_to(&self, base: Id, element: bool, indices: &[Id]) -> Option<(Const, Option<Type>)> {
        let Const::Address(variable, mut offset) = self.constant(base)? else {
            return None;
        };
        let (_, mut ty) = self.types.pointer(self.type_of(base).ok()?).ok()?;
        for (i, &index) in indices.iter().enumerate() {
            let index = self.integer(index).ok()?;
            if i == 0 && element {
                let size = i64::from(self.types.layout(ty).ok()?.size);
                offset = offset.wrapping_add(size.wrapping_mul(index as i64));
                continue;
            }
            // The last index may select a lane of a vector.
            if let super::types::Ty::Value(vector) = self.types.get(ty).ok()? {
                let last = i + 1 == indices.len() && index < u64::from(vector.lanes);
                let at = last.then(|| index as i64 * i64::from(vector.scalar.size()))?;
                let address = Const::Address(variable, offset.wrapping_add(at));
                return Some((address, Some(vector.element())));
            }
            let (member, at) = self.types.member(ty, index).ok()?;
            (ty, offset) = (member, offset.wrapping_add(i64::from(at)));
        }
        let end = self.types.value(ty).ok();
        Some((Const::Address(variable, offset), end))
    }

    /// The bytes of a constant in memory.
    pub fn image(&self, id: Id) -> Res<Rc<Image>> {
        if let Some(known) = self.images.borrow().get(&id) {
            return Ok(known.clone());
        }
        let mut image = Image::default();
        if u64::from(self.types.layout(self.type_of(id)?)?.size) > MAX_GLOBAL_VARIABLE_SIZE {
            return Err(format!("%{id} is too large"));
        }
        match self.constant(id) {
            Some(Const::Parts(parts)) if self.types.is_aggregate(self.type_of(id)?) => {
                let ty = self.type_of(id)?;
                for (i, part) in parts.into_iter().enumerate() {
                    let (_, offset) = self.types.member(ty, i as u64)?;
                    self.write(part, offset, &mut image)?;
                }
            }
            _ => self.write(id, 0, &mut image)?,
        }
        let image = Rc::new(image);
        self.images.borrow_mut().insert(id, image.clone());
        Ok(image)
    }

    /// Writes a constant into an image that has none at this offset.
    fn write(&self, id: Id, at: u32, image: &mut Image) -> Res<()> {
        let wrong = || format!("%{id} cannot be an initial value");
        let ty = self.type_of(id)?;
        match self.constant(id).ok_or_else(wrong)? {
            Const::Undef | Const::Null => {}
            Const::Address(variable, offset) => {
                let Some(&(global, _)) = self.globals.get(&variable) else {
                    return Err(wrong());
                };
                image.bytes.write(at.into(), &offset.to_le_bytes());
                image.relocs.push((at, global));
            }
            // A constant that is a part several times is laid out once.
            Const::Parts(_) if self.types.is_aggregate(ty) => {
                let part = self.image(id)?;
                let size = self.types.layout(ty)?.size;
                image.bytes.write_all(at.into(), &part.bytes, size.into());
                let relocs = part.relocs.iter();
                image
                    .relocs
                    .extend(relocs.map(|&(offset, to)| (at + offset, to)));
            }
            _ => {
                let size = self.types.ir(ty)?.scalar.size();
                let lanes = match self.types.value(ty) {
                    Ok(_) => self.lanes(id)?,
                    Err(_) => vec![self.integer(id)?],
                };
                for (i, lane) in (0u32..).zip(lanes) {
                    let bytes = &lane.to_le_bytes()[..size as usize];
                    image.bytes.write((at + i * size).into(), bytes);
                }
            }
        }
        Ok(())
    }
}

/// One lane of an operation on numbers.
fn lane(op: Op, from: Type, to: Type, a: Bits, b: Bits) -> Option<Bits> {
    let (from, to) = (from.scalar, to.scalar);
    if let Some(op) = operators::unary(op) {
        return Some(eval::unary(op, from, a));
    }
    if let Some(op) = operators::binary(op) {
        return Some(eval::binary(op, from, a, b));
    }
    if let Some((op, opposite)) = operators::compare(op) {
        return Some(Bits::from(eval::compare(op, from, a, b) != opposite));
    }
    if let Some(cast) = operators::convert(op, from, to) {
        return Some(cast.map_or(a, |cast| eval::cast(cast, from, to, a)));
    }
    match op {
        // The result has the sign of the divisor.
        Op::SMod => {
            let (a, b) = (eval::signed(from, a), eval::signed(from, b));
            let rest = a.checked_rem(b).unwrap_or(0);
            let moved = rest != 0 && (rest < 0) != (b < 0);
            Some((if moved { rest + b } else { rest }) as u64 & mask(from.bits()))
        }
        _ => None,
    }
}
