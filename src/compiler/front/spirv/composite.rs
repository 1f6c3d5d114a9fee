//! Vectors and aggregates as values.

use rspirv::spirv::Op;

use super::binary::{Id, Inst, Res};
use super::function::FunctionLowering;
use super::types::Layout;
use crate::ir::Value;

impl FunctionLowering<'_, '_, '_> {
    pub fn composite(&mut self, inst: &Inst) -> Res<bool> {
        let value = match inst.op {
            Op::VectorExtractDynamic => {
                let vector = self.value(inst.arg(0)?)?;
                let lane = self.index32(inst.arg(1)?)?;
                self.b.extract_dyn(vector, lane)
            }
            Op::VectorInsertDynamic => {
                let (vector, scalar) = (self.value(inst.arg(0)?)?, self.value(inst.arg(1)?)?);
                let lane = self.index32(inst.arg(2)?)?;
                self.b.insert_dyn(vector, scalar, lane)
            }
            Op::VectorShuffle => self.shuffle(inst)?,
            Op::CompositeConstruct => self.construct(inst)?,
            Op::CompositeExtract => {
                let whole = inst.arg(0)?;
                let (value, ty) = (self.value(whole)?, self.unit.type_of(whole)?);
                self.extract(value, ty, inst.rest(1))?
            }
            Op::CompositeInsert => {
                let (part, whole) = (inst.arg(0)?, inst.arg(1)?);
                self.insert(part, whole, inst.rest(2))?
            }
            _ => return Ok(false),
        };
        self.define(inst.id, value);
        Ok(true)
    }

    /// The vectors may differ in size. The index 0xffffffff stands for any value.
    fn shuffle(&mut self, inst: &Inst) -> Res<Value> {
        let (mut a, mut b) = (self.value(inst.arg(0)?)?, self.value(inst.arg(1)?)?);
        let (first, second) = (self.b.ty(a).lanes, self.b.ty(b).lanes);
        let result = usize::from(self.result_type(inst)?.lanes);
        if inst.rest(2).len() != result {
            return Err("the number of lanes is wrong".into());
        }
        // Scalars stand for vectors of one component.
        if first == 1 || second == 1 || result == 1 {
            let all = [self.b.lanes(a), self.b.lanes(b)].concat();
            let lane = |&word: &u32| *all.get(word as usize).unwrap_or(&all[0]);
            return Ok(self.b.construct(inst.rest(2).iter().map(lane).collect()));
        }
        let wide = first.max(second);
        let widen = |s: &mut Self, v: Value, lanes: u8| match lanes < wide {
            true => {
                let all = (0..wide).map(|i| if i < lanes { i } else { 255 });
                s.b.shuffle(v, v, all.collect())
            }
            false => v,
        };
        a = widen(self, a, first);
        b = widen(self, b, second);
        let lane = |&word: &u32| match u8::try_from(word) {
            Ok(i) if i < first => i,
            Ok(i) if i - first < second => i - first + wide,
            _ => 255,
        };
        let lanes = inst.rest(2).iter().map(lane).collect();
        Ok(self.b.shuffle(a, b, lanes))
    }

    fn construct(&mut self, inst: &Inst) -> Res<Value> {
        if !self.unit.types.is_aggregate(inst.ty) {
            // A vector among the parts gives all its lanes.
            let mut lanes = Vec::new();
            for &part in inst.args {
                let part = self.value(part)?;
                lanes.extend(self.b.lanes(part));
            }
            return match lanes.len() == usize::from(self.result_type(inst)?.lanes) {
                true => Ok(self.b.construct(lanes)),
                false => Err("the number of parts is wrong".into()),
            };
        }
        let layout = self.unit.types.layout(inst.ty)?;
        let object = self.object(layout)?;
        for (i, &part) in inst.args.iter().enumerate() {
            let (ty, offset) = self.unit.types.member(inst.ty, i as u64)?;
            self.store_part(object, offset, layout.align, part, ty)?;
        }
        Ok(object)
    }

    /// Stores a part into an object that is aligned to `align`.
    fn store_part(&mut self, object: Value, offset: u32, align: u32, id: Id, ty: Id) -> Res<()> {
        let to = self.b.ptradd_const(object, i64::from(offset));
        let known = 1 << (offset | align).trailing_zeros();
        let natural = self.unit.types.layout(ty)?.align;
        self.store_value(to, id, ty, natural.min(known), false)
    }

    /// The part of an object that a path of literals leads to: offset, type, and a lane of it.
    fn path(&self, ty: Id, path: &[u32]) -> Res<(u32, Id, Option<u8>)> {
        let (mut ty, mut offset) = (ty, 0);
        for (i, &index) in path.iter().enumerate() {
            if !self.unit.types.is_aggregate(ty) {
                let lanes = self.unit.types.value(ty)?.lanes;
                return match u8::try_from(index) {
                    Ok(lane) if lane < lanes && i + 1 == path.len() => Ok((offset, ty, Some(lane))),
                    _ => Err("a path leads nowhere".into()),
                };
            }
            let (member, at) = self.unit.types.member(ty, u64::from(index))?;
            (ty, offset) = (member, offset + at);
        }
        Ok((offset, ty, None))
    }

    fn extract(&mut self, value: Value, ty: Id, path: &[u32]) -> Res<Value> {
        let aggregate = self.unit.types.is_aggregate(ty);
        let align = self.unit.types.layout(ty)?.align;
        let (offset, part, lane) = self.path(ty, path)?;
        let mut value = value;
        if aggregate {
            let known = 1 << (offset | align).trailing_zeros();
            let from = self.b.ptradd_const(value, i64::from(offset));
            let layout = self.unit.types.layout(part)?;
            let Layout { size, align } = layout;
            value = if self.unit.types.is_aggregate(part) {
                let object = self.object(layout)?;
                self.b.copy(object, from, size, align.min(known));
                object
            } else {
                self.load_value(from, part, align.min(known), false)?
            };
        }
        Ok(match lane {
            Some(lane) => self.b.extract(value, lane),
            None => value,
        })
    }

    fn insert(&mut self, part: Id, whole: Id, path: &[u32]) -> Res<Value> {
        let ty = self.unit.type_of(whole)?;
        let value = self.value(whole)?;
        let (offset, of, lane) = self.path(ty, path)?;
        if !self.unit.types.is_aggregate(ty) {
            let part = self.value(part)?;
            return Ok(match lane {
                Some(lane) => self.b.insert_lane(value, part, lane),
                None => part,
            });
        }
        let layout = self.unit.types.layout(ty)?;
        let Layout { size, align } = layout;
        let object = self.object(layout)?;
        self.b.copy(object, value, size, align);
        let Some(lane) = lane else {
            self.store_part(object, offset, align, part, of)?;
            return Ok(object);
        };
        let scalar = self.unit.types.value(of)?.scalar.size();
        let offset = offset + u32::from(lane) * scalar;
        let part_ty = self.unit.type_of(part)?;
        self.store_part(object, offset, align, part, part_ty)?;
        Ok(object)
    }
}
