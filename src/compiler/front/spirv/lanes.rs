//! Vectors of more lanes than the IR has (SPV_INTEL_vector_compute, Triton's products): they are arrays of their lanes, as private objects.
//!
//! Arithmetic and builtin functions on them are those on parts that the IR has, 16 lanes at most. A part gets an id of its own, which no
//! id of a module can be, so that what lowers the instruction sees one on usual vectors. What moves lanes goes lane by lane.

use rspirv::spirv::{Op, OpenclStd100Op as Std};

use super::binary::{FIRST_FREE_ID, Id, Inst, Res};
use super::function::{FunctionLowering, Place};
use super::types::Layout;
use crate::ir::{BinOp, CastOp, Scalar, Type, Value};

/// A value in the place of another, while one instruction is lowered.
pub struct StandIn {
    pub ty: Id,
    pub of: Id,
}

/// Stands for the result; those for operands follow.
const RESULT: Id = FIRST_FREE_ID;

/// How the results of the parts become one where it is no vector.
fn joins(op: Op) -> Option<BinOp> {
    Some(match op {
        Op::Dot => BinOp::FAdd,
        Op::SDot | Op::UDot | Op::SUDot => BinOp::Add,
        Op::Any => BinOp::Or,
        Op::All => BinOp::And,
        _ => return None,
    })
}

/// Whether a function of OpenCL.std gives each lane of its result from the same lanes of its operands.
fn is_by_lane(std: Option<Std>) -> bool {
    let others = [
        Std::cross,
        Std::distance,
        Std::length,
        Std::normalize,
        Std::fast_distance,
        Std::fast_length,
        Std::fast_normalize,
        Std::shuffle,
        Std::shuffle2,
        Std::printf,
        Std::prefetch,
    ];
    std.is_some_and(|std| !others.contains(&std) && !format!("{std:?}").starts_with('v'))
}

impl FunctionLowering<'_, '_, '_> {
    /// Lowers an instruction on values. Returns whether an operand or the result has many lanes.
    pub fn many_lanes(&mut self, inst: &Inst) -> Res<bool> {
        if inst.id == 0 || !self.unit.types.has_many_lanes() {
            return Ok(false);
        }
        let first = match inst.op {
            Op::ExtInst => 2,
            _ => 0,
        };
        let operands = inst.rest(first);
        let many = |s: &Self, id: &Id| s.count(*id).is_some();
        let result = self.unit.types.lanes(inst.ty).is_some();
        let shuffled = || operands.iter().take(2).any(|id| many(self, id));
        let value = match inst.op {
            Op::VectorShuffle if result || shuffled() => self.shuffle_lanes(inst)?,
            Op::CompositeConstruct if result => {
                let mut lanes = Vec::new();
                for &part in operands {
                    lanes.extend(self.all_lanes(part)?);
                }
                self.joined(inst.ty, lanes)?
            }
            Op::VectorExtractDynamic if many(self, &inst.arg(0)?) => {
                let (object, elem) = (self.value(inst.arg(0)?)?, inst.ty);
                let at = self.lane_address(object, inst.arg(0)?, inst.arg(1)?)?;
                let align = self.unit.types.layout(elem)?.align;
                self.load_value(at, elem, align, false)?
            }
            Op::VectorInsertDynamic if result => {
                let (whole, elem) = (self.value(inst.arg(0)?)?, inst.arg(1)?);
                let layout = self.unit.types.layout(inst.ty)?;
                let object = self.object(layout)?;
                self.b.copy(object, whole, layout.size, layout.align);
                let at = self.lane_address(object, inst.arg(0)?, inst.arg(2)?)?;
                let ty = self.unit.type_of(elem)?;
                let align = self.unit.types.layout(ty)?.align;
                self.store_value(at, elem, ty, align, false)?;
                object
            }
            Op::Bitcast if result || many(self, &inst.arg(0)?) => self.bits_of_lanes(inst)?,
            // One truth value chooses among objects.
            Op::Select if !many(self, &inst.arg(0)?) => return Ok(false),
            Op::ExtInst if result || operands.iter().any(|id| many(self, id)) => {
                if !is_by_lane(Std::from_u32(inst.arg(1)?)) {
                    return Err("it is not supported for vectors of so many lanes".into());
                }
                self.in_parts(inst, first)?
            }
            op if super::inst::is_number(op)
                && (result || operands.iter().any(|id| many(self, id))) =>
            {
                self.in_parts(inst, first)?
            }
            _ => return Ok(false),
        };
        self.define(inst.id, value);
        Ok(true)
    }

    /// The number of lanes, where they are many.
    fn count(&self, id: Id) -> Option<u32> {
        self.unit.types.lanes(self.unit.type_of(id).ok()?)
    }

    /// The lanes of a scalar or a vector of any size.
    fn all_lanes(&mut self, id: Id) -> Res<Vec<Value>> {
        let value = self.value(id)?;
        let Some(count) = self.count(id) else {
            return Ok(self.b.lanes(value));
        };
        let elem = self.element(self.unit.type_of(id)?)?;
        let size = self.unit.types.layout(elem)?.size;
        let lane = |i: u32| {
            let at = self.b.ptradd_const(value, i64::from(i * size));
            self.load_value(at, elem, size, false)
        };
        (0..count).map(lane).collect()
    }

    fn element(&self, ty: Id) -> Res<Id> {
        Ok(self.unit.types.member(ty, 0)?.0)
    }

    /// A vector of these lanes.
    fn joined(&mut self, ty: Id, lanes: Vec<Value>) -> Res<Value> {
        let Some(count) = self.unit.types.lanes(ty) else {
            return Ok(self.b.construct(lanes));
        };
        if lanes.len() != count as usize {
            return Err("the number of parts is wrong".into());
        }
        let object = self.object(self.unit.types.layout(ty)?)?;
        let mut offset = 0;
        for lane in lanes {
            let at = self.b.ptradd_const(object, offset);
            let size = self.b.ty(lane).size();
            self.b.store(at, lane, size);
            offset += i64::from(size);
        }
        Ok(object)
    }

    fn shuffle_lanes(&mut self, inst: &Inst) -> Res<Value> {
        let mut all = self.all_lanes(inst.arg(0)?)?;
        all.extend(self.all_lanes(inst.arg(1)?)?);
        // The index 0xffffffff stands for any value.
        let lane = |&word: &u32| all.get(word as usize).copied().unwrap_or(all[0]);
        let lanes: Vec<Value> = inst.rest(2).iter().map(lane).collect();
        let ty = match self.unit.types.lanes(inst.ty) {
            Some(_) => None,
            None => Some(self.result_type(inst)?),
        };
        match ty {
            Some(ty) if lanes.len() != usize::from(ty.lanes) => {
                Err("the number of lanes is wrong".into())
            }
            _ => self.joined(inst.ty, lanes),
        }
    }

    /// The address of a lane that is found at run time; of one that there is not, that of the last one.
    fn lane_address(&mut self, object: Value, vector: Id, lane: Id) -> Res<Value> {
        let ty = self.unit.type_of(vector)?;
        let size = self.unit.types.layout(self.element(ty)?)?.size;
        let last = self.unit.types.lanes(ty).unwrap_or(1) - 1;
        let lane = self.index32(lane)?;
        let last = self.b.const_int(Type::I32, last.into());
        let lane = self.b.binary(BinOp::UMin, lane, last);
        let lane = self.b.int_resize(lane, Scalar::I64, false);
        let size = self.b.const_int(Type::I64, size.into());
        let bytes = self.b.binary(BinOp::Mul, lane, size);
        Ok(self.b.ptradd(object, bytes))
    }

    /// OpBitcast: the same bytes, but truth values, which LLVM's translator casts to an integer, have one bit each.
    fn bits_of_lanes(&mut self, inst: &Inst) -> Res<Value> {
        let from = self.unit.type_of(inst.arg(0)?)?;
        let bits = |s: &Self, ty: Id| -> Res<u32> {
            let wrong = || "there are no such bits".to_string();
            let (elem, count) = match s.unit.types.lanes(ty) {
                Some(count) => (s.element(ty)?, count),
                None => (ty, 1),
            };
            let elem = s.unit.types.value(elem)?;
            match elem.scalar {
                Scalar::Bool => Ok(count),
                scalar => {
                    let bits = scalar.bits() * u32::from(elem.lanes);
                    bits.checked_mul(count).ok_or_else(wrong)
                }
            }
        };
        if bits(self, from)? != bits(self, inst.ty)? {
            return Err("it has another number of bits".into());
        }
        let truths = |s: &Self, ty: Id| {
            let elem = s.element(ty).unwrap_or(ty);
            s.unit.types.value(elem) == Ok(Type::BOOL)
        };
        if truths(self, inst.ty) {
            return Err("it is not supported for so many truth values".into());
        }
        if truths(self, from) {
            let to = self.unit.types.value(inst.ty)?;
            let mut sum = self.b.zero_value(to);
            for (i, lane) in (0..).zip(self.all_lanes(inst.arg(0)?)?) {
                let bit = self.b.cast(CastOp::BoolToInt, lane, to);
                let place = self.b.const_int(to, i);
                let bit = self.b.binary(BinOp::Shl, bit, place);
                sum = self.b.binary(BinOp::Or, sum, bit);
            }
            return Ok(sum);
        }
        let value = self.value(inst.arg(0)?)?;
        if self.unit.types.lanes(from).is_some() && self.unit.types.lanes(inst.ty).is_some() {
            return Ok(value);
        }
        let many = match self.unit.types.lanes(inst.ty) {
            Some(_) => inst.ty,
            None => from,
        };
        let Layout { size, align } = self.unit.types.layout(many)?;
        if many == from {
            let ty = self.result_type(inst)?;
            return Ok(self.b.load(value, ty, align.min(ty.size())));
        }
        let object = self.object(Layout { size, align })?;
        let natural = self.b.ty(value).size();
        self.b.store(object, value, align.min(natural));
        Ok(object)
    }

    /// An id for a value that stands for an operand of an instruction.
    pub fn stand_in(&mut self, slot: usize, of: Id, ty: Id, value: Value) -> Id {
        let id = RESULT + 1 + slot as Id;
        self.unit.stand_ins.insert(id, StandIn { ty, of });
        self.set_place(id, Place::Value(value));
        id
    }

    /// An instruction with these operands in the place of its own, and a result of type `ty`.
    pub fn on_stand_ins(&mut self, inst: &Inst, ty: Id, args: &[Id]) -> Res<Value> {
        let of = inst.id;
        self.unit.stand_ins.insert(RESULT, StandIn { ty, of });
        let inst = Inst {
            ty,
            id: RESULT,
            args,
            ..*inst
        };
        match inst.op {
            Op::ExtInst => self.extended(&inst)?,
            _ => self.number(&inst).map(|_| ())?,
        }
        self.value(RESULT)
    }

    /// The instruction on each part of its operands.
    fn in_parts(&mut self, inst: &Inst, first: usize) -> Res<Value> {
        let join = joins(inst.op);
        let parts = |s: &Self, ty: Id| s.unit.types.parts(ty).map(<[_]>::to_vec);
        let mut wholes = Vec::new();
        for &id in inst.rest(first) {
            let ty = self.unit.type_of(id)?;
            wholes.push(parts(self, ty));
        }
        let results = parts(self, inst.ty);
        let mut of = wholes.iter().chain([&results]).flatten();
        let shape = |parts: &[(u32, Id, u8)]| parts.iter().map(|part| part.2).collect::<Vec<_>>();
        let lanes = of.next().map(|parts| shape(parts)).unwrap_or_default();
        if of.any(|parts| shape(parts) != lanes) || results.is_none() != join.is_some() {
            return Err("it is not supported for vectors of so many lanes".into());
        }
        let object = match results {
            Some(_) => Some(self.object(self.unit.types.layout(inst.ty)?)?),
            None => None,
        };
        let mut sum = None;
        for i in 0..lanes.len() {
            let mut args = inst.args.to_vec();
            for (slot, whole) in wholes.iter().enumerate() {
                let Some((offset, ty, _)) = whole.as_ref().and_then(|parts| parts.get(i)) else {
                    continue;
                };
                let of = args[first + slot];
                let value = self.value(of)?;
                let at = self.b.ptradd_const(value, i64::from(*offset));
                let ir = self.unit.types.ir(*ty)?;
                let value = self.b.load(at, ir, ir.size());
                args[first + slot] = self.stand_in(slot, of, *ty, value);
            }
            let ty = results.as_ref().map_or(inst.ty, |parts| parts[i].1);
            let value = self.on_stand_ins(inst, ty, &args)?;
            if let (Some(object), Some(parts)) = (object, &results) {
                let at = self.b.ptradd_const(object, i64::from(parts[i].0));
                let size = self.b.ty(value).size();
                self.b.store(at, value, size);
                continue;
            }
            sum = match (sum, join) {
                (Some(sum), Some(op)) => Some(self.b.binary(op, sum, value)),
                _ => Some(value),
            };
        }
        object
            .or(sum)
            .ok_or_else(|| "a vector has no lanes".to_string())
    }
}
