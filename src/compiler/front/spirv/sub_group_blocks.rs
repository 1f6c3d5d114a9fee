//! Shuffles and block accesses of sub-groups (SPV_INTEL_subgroups): element by element, as calls of the functions of cl_intel_subgroups for
//! one element, so that vectors may have any size.

use rspirv::spirv::Op;

use super::binary::{Id, Inst, Res};
use super::function::FunctionLowering;
use super::shim::{Call, c_name, c_space};
use crate::ir::{BinOp, Scalar, Type, Value, WorkItem};

impl FunctionLowering<'_, '_, '_> {
    pub fn sub_group_blocks(&mut self, inst: &Inst) -> Res<bool> {
        match inst.op {
            Op::SubgroupShuffleINTEL => self.shuffled(inst, "", 1)?,
            Op::SubgroupShuffleXorINTEL => self.shuffled(inst, "_xor", 1)?,
            Op::SubgroupShuffleDownINTEL => self.shuffled(inst, "_down", 2)?,
            Op::SubgroupShuffleUpINTEL => self.shuffled(inst, "_up", 2)?,
            Op::SubgroupBlockReadINTEL => {
                let (ty, base) = (self.result_type(inst)?, self.pointer(inst.arg(0)?)?);
                self.read_block(inst, ty, |f, one, call, row| {
                    f.row_behind(call, base, one, row)
                })?;
            }
            Op::SubgroupImageBlockReadINTEL => {
                let ty = self.result_type(inst)?;
                let (image, at) = (inst.arg(0)?, self.value(inst.arg(1)?)?);
                self.read_block(inst, ty, |f, _, call, row| {
                    f.row_of_image(call, image, at, row)
                })?;
            }
            Op::SubgroupBlockWriteINTEL => {
                let (base, data) = (self.pointer(inst.arg(0)?)?, inst.arg(1)?);
                self.write_block(data, |f, one, call, row| f.row_behind(call, base, one, row))?;
            }
            Op::SubgroupImageBlockWriteINTEL => {
                let (image, at) = (inst.arg(0)?, self.value(inst.arg(1)?)?);
                self.write_block(inst.arg(2)?, |f, _, call, row| {
                    f.row_of_image(call, image, at, row)
                })?;
            }
            // No value depends on what is fetched early.
            Op::SubgroupBlockPrefetchINTEL => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    /// A shuffle of one or two vectors, by a number that is the same for all elements.
    fn shuffled(&mut self, inst: &Inst, how: &str, sources: usize) -> Res<()> {
        let mut lanes = Vec::new();
        for i in 0..sources {
            let source = self.value(inst.arg(i)?)?;
            lanes.push(self.b.lanes(source));
        }
        let number = self.index32(inst.arg(sources)?)?;
        let one = self.result_type(inst)?.element();
        let mut results = Vec::new();
        for i in 0..lanes[0].len() {
            let mut call = Call::default();
            let mut args = Vec::new();
            for source in &lanes {
                let lane = source.get(i).copied();
                let lane = lane.ok_or("the operands have different numbers of components")?;
                args.push(call.arg(c_name(one, true), lane));
            }
            args.push(call.arg("uint", number));
            let expr = format!("intel_sub_group_shuffle{how}({})", args.join(", "));
            results.push(self.c_expr(call, one, &expr));
        }
        let value = self.b.construct(results);
        self.define(inst.id, value);
        Ok(())
    }

    /// `place` adds the arguments that say where a row is, and returns them.
    fn read_block(
        &mut self,
        inst: &Inst,
        ty: Type,
        place: impl Fn(&mut Self, Type, &mut Call, u8) -> Res<String>,
    ) -> Res<()> {
        let (one, suffix) = element(ty)?;
        let mut lanes = Vec::new();
        for row in 0..ty.lanes {
            let mut call = Call::default();
            let args = place(self, one, &mut call, row)?;
            let expr = format!("intel_sub_group_block_read_{suffix}({args})");
            let lane = self.c_expr(call, one, &expr);
            lanes.push(self.b.bitcast(lane, ty.element()));
        }
        let value = self.b.construct(lanes);
        self.define(inst.id, value);
        Ok(())
    }

    fn write_block(
        &mut self,
        data: Id,
        place: impl Fn(&mut Self, Type, &mut Call, u8) -> Res<String>,
    ) -> Res<()> {
        let data = self.value(data)?;
        let (one, suffix) = element(self.b.ty(data))?;
        for (row, lane) in self.b.lanes(data).into_iter().enumerate() {
            let mut call = Call::default();
            let args = place(self, one, &mut call, row as u8)?;
            let lane = self.b.bitcast(lane, one);
            let lane = call.arg(c_name(one, false), lane);
            let body = format!("intel_sub_group_block_write_{suffix}({args}, {lane});");
            self.c_statement(call, &body);
        }
        Ok(())
    }

    /// A row behind a pointer is as long as the largest sub-group.
    fn row_behind(&mut self, call: &mut Call, base: Value, one: Type, row: u8) -> Res<String> {
        let Scalar::Ptr(space) = self.b.ty(base).scalar else {
            return Err("a block lies behind a pointer".into());
        };
        let size = self.b.work_item(WorkItem::MaxSubGroupSize, None);
        let before = self
            .b
            .const_int(Type::I32, i64::from(row) * i64::from(one.size()));
        let offset = self.b.binary(BinOp::Mul, size, before);
        let place = self.b.ptradd(base, offset);
        Ok(call.arg(format!("{}{} *", c_space(space), c_name(one, false)), place))
    }

    fn row_of_image(&mut self, call: &mut Call, image: Id, at: Value, row: u8) -> Res<String> {
        self.image_arg(call, image)?;
        if self.b.ty(at) != Type::I32.with_lanes(2) {
            return Err("the place in the image is no vector of two integers of 32 bits".into());
        }
        let at = call.arg("int2", at);
        Ok(format!("a0, {at} + (int2)(0, {row})"))
    }
}

/// The integers of which a block consists, and how functions name them.
fn element(ty: Type) -> Res<(Type, &'static str)> {
    Ok(match (ty.scalar, ty.scalar.bits()) {
        (Scalar::Ptr(_) | Scalar::Bool | Scalar::Image | Scalar::Event, _) => {
            return Err("a block consists of numbers".into());
        }
        (_, 8) => (Type::I8, "uc"),
        (_, 16) => (Type::I16, "us"),
        (_, 32) => (Type::I32, "ui"),
        _ => (Type::I64, "ul"),
    })
}
