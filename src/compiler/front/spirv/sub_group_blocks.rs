//! Shuffles and block accesses of sub-groups (SPV_INTEL_subgroups). Lanes are counted by the largest size of a sub-group, which is a power
//! of two.

use rspirv::spirv::Op;

use super::binary::{Id, Inst, Res};
use super::function::FunctionLowering;
use super::shim::{Call, c_name};
use crate::ir::{BinOp, CmpOp, Scalar, Type, Value, WorkItem};

impl FunctionLowering<'_, '_, '_> {
    pub fn sub_group_blocks(&mut self, inst: &Inst) -> Res<bool> {
        match inst.op {
            Op::SubgroupShuffleINTEL => {
                let (data, lane) = (self.value(inst.arg(0)?)?, self.index32(inst.arg(1)?)?);
                let value = self.read_lane(data, lane);
                self.define(inst.id, value);
            }
            Op::SubgroupShuffleXorINTEL => {
                let (data, mask) = (self.value(inst.arg(0)?)?, self.index32(inst.arg(1)?)?);
                let own = self.b.work_item(WorkItem::SubGroupLocalId, None);
                let lane = self.b.binary(BinOp::Xor, own, mask);
                let value = self.read_lane(data, lane);
                self.define(inst.id, value);
            }
            Op::SubgroupShuffleDownINTEL => {
                let (current, next) = (inst.arg(0)?, inst.arg(1)?);
                self.shifted(inst, current, next, BinOp::Add)?;
            }
            Op::SubgroupShuffleUpINTEL => {
                let (previous, current) = (inst.arg(0)?, inst.arg(1)?);
                self.shifted(inst, current, previous, BinOp::Sub)?;
            }
            Op::SubgroupBlockReadINTEL => {
                let ty = self.result_type(inst)?;
                let base = self.pointer(inst.arg(0)?)?;
                let mut lanes = Vec::new();
                for place in self.elements(base, ty)? {
                    // A block begins at a multiple of four bytes.
                    let align = ty.scalar.size().min(4);
                    lanes.push(self.b.load(place, ty.element(), align));
                }
                let value = self.b.construct(lanes);
                self.define(inst.id, value);
            }
            Op::SubgroupBlockWriteINTEL => {
                let (base, data) = (self.value(inst.arg(0)?)?, self.value(inst.arg(1)?)?);
                let ty = self.b.ty(data);
                let places = self.elements(base, ty)?;
                for (place, lane) in places.into_iter().zip(self.b.lanes(data)) {
                    self.b.store(place, lane, ty.scalar.size());
                }
            }
            // No value depends on what is fetched early.
            Op::SubgroupBlockPrefetchINTEL => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// The data of the item at a lane of the sub-group.
    fn read_lane(&mut self, data: Value, lane: Value) -> Value {
        let one = self.b.ty(data).element();
        let mut parts = Vec::new();
        for part in self.b.lanes(data) {
            let mut call = Call::default();
            let part = call.arg(c_name(one, true), part);
            let lane = call.arg("uint", lane);
            parts.push(self.c_expr(call, one, &format!("sub_group_shuffle({part}, {lane})")));
        }
        self.b.construct(parts)
    }

    /// The data some lanes further up or down: in one block, or in the other that follows it there.
    fn shifted(&mut self, inst: &Inst, current: Id, other: Id, towards: BinOp) -> Res<()> {
        let (current, other) = (self.value(current)?, self.value(other)?);
        let delta = self.index32(inst.arg(2)?)?;
        let own = self.b.work_item(WorkItem::SubGroupLocalId, None);
        let size = self.b.work_item(WorkItem::MaxSubGroupSize, None);
        let lane = self.b.binary(towards, own, delta);
        let within = self.b.compare(CmpOp::Ult, lane, size);
        let last = self.b.add_const(size, -1);
        let lane = self.b.binary(BinOp::And, lane, last);
        // All items take part in both: one that reads the other block may be read here.
        let (current, other) = (self.read_lane(current, lane), self.read_lane(other, lane));
        let lanes = self.b.ty(current).lanes;
        let within = match lanes {
            1 => within,
            lanes => self.b.splat(within, lanes),
        };
        let value = self.b.select(within, current, other);
        self.define(inst.id, value);
        Ok(())
    }

    /// The addresses of this item's elements of a block: those of a number lie beside one another for all lanes.
    fn elements(&mut self, base: Value, ty: Type) -> Res<Vec<Value>> {
        if !self.b.ty(base).scalar.is_ptr() || ty.scalar.is_ptr() || ty.scalar == Scalar::Bool {
            return Err("a block consists of numbers behind a pointer".into());
        }
        let own = self.b.work_item(WorkItem::SubGroupLocalId, None);
        let size = self.b.work_item(WorkItem::MaxSubGroupSize, None);
        let bytes = self.b.const_int(Type::I32, i64::from(ty.scalar.size()));
        let first = self.b.binary(BinOp::Mul, own, bytes);
        let stride = self.b.binary(BinOp::Mul, size, bytes);
        let mut place = self.b.ptradd(base, first);
        let mut places = vec![place];
        for _ in 1..ty.lanes {
            place = self.b.ptradd(place, stride);
            places.push(place);
        }
        Ok(places)
    }
}
