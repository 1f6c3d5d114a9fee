//! Pipes, as calls of OpenCL C's functions. Instructions have the size and alignment of packets, which make a type for the call.

use rspirv::spirv::Op;

use super::binary::{Id, Inst, Res};
use super::function::FunctionLowering;
use super::shim::{Call, c_space};
use super::types::Ty;
use crate::features::MAX_OBJECT_SIZE;
use crate::ir::{Scalar, Type};

/// A function, whether it writes the pipe, and whether the first operand is a scope.
fn function(op: Op) -> Option<(&'static str, bool, bool)> {
    Some(match op {
        Op::ReadPipe | Op::ReservedReadPipe => ("read_pipe", false, false),
        Op::WritePipe | Op::ReservedWritePipe => ("write_pipe", true, false),
        Op::ReserveReadPipePackets => ("reserve_read_pipe", false, false),
        Op::ReserveWritePipePackets => ("reserve_write_pipe", true, false),
        Op::CommitReadPipe => ("commit_read_pipe", false, false),
        Op::CommitWritePipe => ("commit_write_pipe", true, false),
        Op::GroupReserveReadPipePackets => ("reserve_read_pipe", false, true),
        Op::GroupReserveWritePipePackets => ("reserve_write_pipe", true, true),
        Op::GroupCommitReadPipe => ("commit_read_pipe", false, true),
        Op::GroupCommitWritePipe => ("commit_write_pipe", true, true),
        Op::GetNumPipePackets => ("get_pipe_num_packets", false, false),
        Op::GetMaxPipePackets => ("get_pipe_max_packets", false, false),
        _ => return None,
    })
}

impl FunctionLowering<'_, '_, '_> {
    pub fn pipe(&mut self, inst: &Inst) -> Res<bool> {
        if inst.op == Op::IsValidReserveId {
            let mut call = Call::default();
            let id = self.c_arg(&mut call, inst.arg(0)?, false)?;
            let expr = format!("(int)is_valid_reserve_id({id})");
            let value = self.c_expr(call, Type::BOOL, &expr);
            self.define(inst.id, value);
            return Ok(true);
        }
        let Some((name, writes, grouped)) = function(inst.op) else {
            return Ok(false);
        };
        let mut operands = inst.args;
        let mut name = name.to_owned();
        if grouped {
            name = format!("{}_{name}", self.group_name(inst)?);
            operands = inst.rest(1);
        }
        // Behind the operands of the function are the size and alignment of packets.
        let (&pipe, &[ref args @ .., size, align]) =
            operands.split_first().ok_or("an operand is missing")?
        else {
            return Err("an operand is missing".into());
        };
        let packet = self.packet(size, align)?;
        if !matches!(self.ty(pipe)?, Ty::Pipe(_)) {
            return Err(format!("%{pipe} is no pipe"));
        }
        let access = if writes { "write_only" } else { "read_only" };
        let mut call = Call::default();
        let pipe = self.value(pipe)?;
        let mut text = call.arg(format!("{access} pipe {packet}"), pipe);
        for &arg in args {
            let value = self.value(arg)?;
            let arg = match self.b.ty(value).scalar {
                Scalar::Ptr(space) => {
                    let space = c_space(space);
                    let name = call.arg(format!("{space}void *"), value);
                    format!("({space}{packet} *){name}")
                }
                _ => self.c_arg(&mut call, arg, false)?,
            };
            text = format!("{text}, {arg}");
        }
        let expr = format!("{name}({text})");
        if inst.id == 0 {
            self.c_statement(call, &format!("{expr};"));
            return Ok(true);
        }
        let ty = self.result_type(inst)?;
        let value = self.c_expr(call, ty, &expr);
        self.define(inst.id, value);
        Ok(true)
    }

    /// A type for packets of constant size and alignment.
    fn packet(&mut self, size: Id, align: Id) -> Res<String> {
        let (size, align) = (self.unit.integer(size)?, self.unit.integer(align)?);
        if size == 0 || size > MAX_OBJECT_SIZE || !align.is_power_of_two() {
            return Err(format!("packets of {size} bytes, aligned to {align}"));
        }
        // Packets follow each other without gaps.
        let align = align.min(1 << size.trailing_zeros());
        Ok(self.c_struct(format!("uchar bytes[{size}];"), align))
    }
}
