//! Operations of work-groups and sub-groups, as calls of OpenCL C's functions.

use rspirv::spirv::{GroupOperation, Op};

use super::binary::{Id, Inst, Res};
use super::function::FunctionLowering;
use super::shim::Call;
use super::types::Ty;
use crate::ir::{Scalar, Scope, Type, Value};

/// An operation as OpenCL C names it, and whether its operands are signed.
fn operation(op: Op) -> Option<(&'static str, bool)> {
    Some(match op {
        Op::GroupIAdd | Op::GroupFAdd | Op::GroupNonUniformIAdd | Op::GroupNonUniformFAdd => {
            ("add", true)
        }
        Op::GroupIMulKHR | Op::GroupFMulKHR | Op::GroupNonUniformIMul | Op::GroupNonUniformFMul => {
            ("mul", true)
        }
        Op::GroupSMin | Op::GroupFMin | Op::GroupNonUniformSMin | Op::GroupNonUniformFMin => {
            ("min", true)
        }
        Op::GroupSMax | Op::GroupFMax | Op::GroupNonUniformSMax | Op::GroupNonUniformFMax => {
            ("max", true)
        }
        Op::GroupUMin | Op::GroupNonUniformUMin => ("min", false),
        Op::GroupUMax | Op::GroupNonUniformUMax => ("max", false),
        Op::GroupBitwiseAndKHR | Op::GroupNonUniformBitwiseAnd => ("and", true),
        Op::GroupBitwiseOrKHR | Op::GroupNonUniformBitwiseOr => ("or", true),
        Op::GroupBitwiseXorKHR | Op::GroupNonUniformBitwiseXor => ("xor", true),
        Op::GroupLogicalAndKHR | Op::GroupNonUniformLogicalAnd => ("logical_and", true),
        Op::GroupLogicalOrKHR | Op::GroupNonUniformLogicalOr => ("logical_or", true),
        Op::GroupLogicalXorKHR | Op::GroupNonUniformLogicalXor => ("logical_xor", true),
        _ => return None,
    })
}

/// A function whose operands are those of the instruction, and whether they are signed.
fn plain(op: Op) -> Option<(&'static str, bool)> {
    Some(match op {
        Op::GroupNonUniformElect => ("elect", true),
        Op::GroupNonUniformAll => ("non_uniform_all", true),
        Op::GroupNonUniformAny => ("non_uniform_any", true),
        Op::GroupNonUniformAllEqual => ("non_uniform_all_equal", true),
        Op::GroupNonUniformBroadcast => ("non_uniform_broadcast", false),
        Op::GroupNonUniformBroadcastFirst => ("broadcast_first", false),
        Op::GroupNonUniformBallot => ("ballot", false),
        Op::GroupNonUniformInverseBallot => ("inverse_ballot", false),
        Op::GroupNonUniformBallotBitExtract => ("ballot_bit_extract", false),
        Op::GroupNonUniformBallotFindLSB => ("ballot_find_lsb", false),
        Op::GroupNonUniformBallotFindMSB => ("ballot_find_msb", false),
        Op::GroupNonUniformShuffle => ("shuffle", false),
        Op::GroupNonUniformShuffleXor => ("shuffle_xor", false),
        Op::GroupNonUniformShuffleUp => ("shuffle_up", false),
        Op::GroupNonUniformShuffleDown => ("shuffle_down", false),
        _ => return None,
    })
}

impl FunctionLowering<'_, '_, '_> {
    pub fn group(&mut self, inst: &Inst) -> Res<bool> {
        let uniform = !format!("{:?}", inst.op).starts_with("GroupNonUniform");
        if let Some((name, signed)) = operation(inst.op) {
            self.combine(inst, name, signed, uniform)?;
            return Ok(true);
        }
        if let Some((name, signed)) = plain(inst.op) {
            self.sub_group_only(inst)?;
            let expr = format!("sub_group_{name}");
            self.group_call(inst, &expr, inst.rest(1), signed)?;
            return Ok(true);
        }
        match inst.op {
            Op::GroupAll | Op::GroupAny => {
                let what = if inst.op == Op::GroupAll {
                    "all"
                } else {
                    "any"
                };
                let name = format!("{}_{what}", self.group_name(inst)?);
                self.group_call(inst, &name, inst.rest(1), true)?;
            }
            Op::GroupBroadcast => self.broadcast(inst)?,
            Op::GroupNonUniformBallotBitCount => {
                self.sub_group_only(inst)?;
                let name = match self.how(inst)? {
                    GroupOperation::Reduce => "bit_count",
                    GroupOperation::InclusiveScan => "inclusive_scan",
                    GroupOperation::ExclusiveScan => "exclusive_scan",
                    how => return Err(format!("{how:?} is not supported")),
                };
                let name = format!("sub_group_ballot_{name}");
                self.group_call(inst, &name, inst.rest(2), false)?;
            }
            Op::GroupNonUniformRotateKHR => {
                self.sub_group_only(inst)?;
                let ty = self.result_type(inst)?;
                let mut call = Call::default();
                let value = self.c_arg(&mut call, inst.arg(1)?, true)?;
                let delta = self.c_arg(&mut call, inst.arg(2)?, true)?;
                let expr = match inst.args.get(3) {
                    Some(&cluster) => {
                        let cluster = self.unit.integer(cluster)?;
                        format!("sub_group_clustered_rotate({value}, {delta}, {cluster})")
                    }
                    None => format!("sub_group_rotate({value}, {delta})"),
                };
                let value = self.c_expr(call, ty, &expr);
                self.define(inst.id, value);
            }
            Op::GroupAsyncCopy => self.async_copy(inst)?,
            Op::GroupWaitEvents => {
                let mut call = Call::default();
                let count = self.c_arg(&mut call, inst.arg(1)?, true)?;
                let events = self.c_arg(&mut call, inst.arg(2)?, true)?;
                self.c_statement(call, &format!("wait_group_events({count}, {events});"));
            }
            Op::ReadClockKHR => {
                let name = match self.scope(inst.arg(0)?)? {
                    Scope::Device => "device",
                    Scope::WorkGroup => "work_group",
                    Scope::SubGroup => "sub_group",
                    other => return Err(format!("clocks of scope {other:?} are not supported")),
                };
                let ty = self.result_type(inst)?;
                let high_low = if ty.lanes == 2 { "hilo_" } else { "" };
                let expr = format!("clock_read_{high_low}{name}()");
                let value = self.c_expr(Call::default(), ty, &expr);
                self.define(inst.id, value);
            }
            _ => return Ok(false),
        }
        Ok(true)
    }

    pub fn group_name(&self, inst: &Inst) -> Res<&'static str> {
        match self.scope(inst.arg(0)?)? {
            Scope::WorkGroup => Ok("work_group"),
            Scope::SubGroup => Ok("sub_group"),
            other => Err(format!("groups of scope {other:?} are not supported")),
        }
    }

    fn sub_group_only(&self, inst: &Inst) -> Res<()> {
        match self.group_name(inst)? {
            "sub_group" => Ok(()),
            _ => Err("the scope is not Subgroup".into()),
        }
    }

    fn how(&self, inst: &Inst) -> Res<GroupOperation> {
        let how = GroupOperation::from_u32(inst.arg(1)?);
        how.ok_or_else(|| "there is no such group operation".into())
    }

    /// A call with these operands.
    fn group_call(&mut self, inst: &Inst, name: &str, args: &[Id], signed: bool) -> Res<()> {
        let ty = self.result_type(inst)?;
        let mut call = Call::default();
        let mut names = Vec::new();
        for &arg in args {
            names.push(self.c_arg(&mut call, arg, signed)?);
        }
        let value = self.c_expr(call, ty, &format!("{name}({})", names.join(", ")));
        self.define(inst.id, value);
        Ok(())
    }

    fn combine(&mut self, inst: &Inst, op: &str, signed: bool, uniform: bool) -> Res<()> {
        let group = self.group_name(inst)?;
        let how = match self.how(inst)? {
            GroupOperation::Reduce => "reduce",
            GroupOperation::InclusiveScan => "scan_inclusive",
            GroupOperation::ExclusiveScan => "scan_exclusive",
            GroupOperation::ClusteredReduce if !uniform => "clustered_reduce",
            how => return Err(format!("{how:?} is not supported")),
        };
        // For other operations the functions for any active items are used.
        let plain = matches!(op, "add" | "min" | "max");
        let any = if group == "sub_group" && how != "clustered_reduce" && !(uniform && plain) {
            "non_uniform_"
        } else {
            ""
        };
        let ty = self.result_type(inst)?;
        let mut results = Vec::new();
        let value = self.value(inst.arg(2)?)?;
        for lane in self.b.lanes(value) {
            let (lane, one) = self.widened(lane, group, signed);
            let mut call = Call::default();
            let mut args = call.arg(super::shim::c_name(one, signed), lane);
            if how == "clustered_reduce" {
                args = format!("{args}, {}", self.unit.integer(inst.arg(3)?)?);
            }
            let expr = format!("{group}_{any}{how}_{op}({args})");
            let value = self.c_expr(call, one, &expr);
            results.push(self.narrowed(value, ty.element()));
        }
        let value = self.b.construct(results);
        self.define(inst.id, value);
        Ok(())
    }

    /// A lane converted to a type that the group's functions take, and that type. Work-group functions do not take narrow integers: the
    /// operation is in int, and [`Self::narrowed`] cuts the result.
    fn widened(&mut self, lane: Value, group: &str, signed: bool) -> (Value, Type) {
        let ty = self.b.ty(lane);
        let narrow = group == "work_group" && ty.scalar.is_int() && ty.scalar.bits() < 32;
        match narrow {
            true => (self.b.int_resize(lane, Scalar::I32, signed), Type::I32),
            false => (lane, ty),
        }
    }

    /// Converts a result that was computed in int.
    fn narrowed(&mut self, value: Value, ty: Type) -> Value {
        match self.b.ty(value) == ty {
            true => value,
            false => self.b.int_resize(value, ty.scalar, false),
        }
    }

    /// The item is given by one number, or by one for each dimension of the group.
    fn broadcast(&mut self, inst: &Inst) -> Res<()> {
        let group = self.group_name(inst)?;
        let ty = self.result_type(inst)?;
        let (value, id) = (self.value(inst.arg(1)?)?, self.value(inst.arg(2)?)?);
        let ids = self.b.lanes(id);
        let mut results = Vec::new();
        for lane in self.b.lanes(value) {
            let (lane, one) = self.widened(lane, group, false);
            let mut call = Call::default();
            let mut args = call.arg(super::shim::c_name(one, true), lane);
            for &id in &ids {
                let name = super::shim::c_name(self.b.ty(id), false);
                args = format!("{args}, {}", call.arg(name, id));
            }
            let value = self.c_expr(call, one, &format!("{group}_broadcast({args})"));
            results.push(self.narrowed(value, ty.element()));
        }
        let value = self.b.construct(results);
        self.define(inst.id, value);
        Ok(())
    }

    /// The operands are destination, source, elements, stride, event.
    fn async_copy(&mut self, inst: &Inst) -> Res<()> {
        let mut call = Call::default();
        for i in 1..6 {
            let id = inst.arg(i)?;
            // The null event is the literal 0.
            if i == 5 && !matches!(self.ty(id)?, Ty::Event) {
                return Err("the last operand is no event".into());
            }
            self.c_arg(&mut call, id, true)?;
        }
        let strided = self.unit.integer(inst.arg(4)?) != Ok(1);
        let expr = match strided {
            true => "async_work_group_strided_copy(a0, a1, a2, a3, a4)",
            false => "async_work_group_copy(a0, a1, a2, a4)",
        };
        let ty = self.result_type(inst)?;
        let value = self.c_expr(call, ty, expr);
        self.define(inst.id, value);
        Ok(())
    }
}
