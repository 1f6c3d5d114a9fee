//! Queues on the device, as calls of OpenCL C's functions. What a kernel enqueues becomes a block that captures what the parameter points to.

use std::fmt::Write;

use rspirv::spirv::Op;

use super::binary::{Id, Inst, Res};
use super::function::FunctionLowering;
use super::shim::{Call, c_name, c_space};
use super::types::{Layout, Ty};
use crate::device_queue::ndrange;
use crate::ir::{FuncId, Scalar, Space, Type};

/// A function whose operands are those of the instruction.
fn plain(op: Op) -> Option<&'static str> {
    Some(match op {
        Op::GetDefaultQueue => "get_default_queue",
        Op::EnqueueMarker => "enqueue_marker",
        Op::CreateUserEvent => "create_user_event",
        Op::RetainEvent => "retain_event",
        Op::ReleaseEvent => "release_event",
        Op::IsValidEvent => "is_valid_event",
        Op::SetUserEventStatus => "set_user_event_status",
        Op::CaptureEventProfilingInfo => "capture_event_profiling_info",
        _ => return None,
    })
}

/// An expression that answers a question about a kernel, of which all of a device's kernels have the same answer, and whether its operand
/// `a0` is a range.
fn query(op: Op) -> Option<(String, bool)> {
    const MOST: &str = "get_kernel_work_group_size(^{})";
    const SUB_GROUP: &str = "get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(1), ^{})";
    Some(match op {
        Op::GetKernelNDrangeSubGroupCount => (
            "get_kernel_sub_group_count_for_ndrange(*a0, ^{})".into(),
            true,
        ),
        Op::GetKernelNDrangeMaxSubGroupSize => (SUB_GROUP.into(), false),
        Op::GetKernelWorkGroupSize => (MOST.into(), false),
        Op::GetKernelPreferredWorkGroupSizeMultiple => (
            "get_kernel_preferred_work_group_size_multiple(^{})".into(),
            false,
        ),
        Op::GetKernelMaxNumSubgroups => (format!("{MOST} / {SUB_GROUP}"), false),
        _ => return None,
    })
}

impl FunctionLowering<'_, '_, '_> {
    pub fn device_queue(&mut self, inst: &Inst) -> Res<bool> {
        if let Some(name) = plain(inst.op) {
            let mut call = Call::default();
            let mut names = Vec::new();
            for &arg in inst.args {
                names.push(self.c_arg(&mut call, arg, false)?);
            }
            self.c_result(inst, call, &format!("{name}({})", names.join(", ")))?;
        } else if let Some((expr, of_range)) = query(inst.op) {
            let mut call = Call::default();
            if of_range {
                self.range(&mut call, inst.arg(0)?)?;
            }
            self.c_result(inst, call, &expr)?;
        } else {
            match inst.op {
                Op::BuildNDRange => self.build_range(inst)?,
                Op::EnqueueKernel => self.enqueue(inst)?,
                Op::GetKernelLocalSizeForSubgroupCount => {
                    let mut call = Call::default();
                    let count = self.c_arg(&mut call, inst.arg(0)?, false)?;
                    let items = format!(
                        "{count} * get_kernel_max_sub_group_size_for_ndrange(ndrange_1D(1), ^{{}})"
                    );
                    let expr = format!(
                        "(ulong){items} <= get_kernel_work_group_size(^{{}}) ? {items} : 0"
                    );
                    self.c_result(inst, call, &expr)?;
                }
                _ => return Ok(false),
            }
        }
        Ok(true)
    }

    /// The value of an expression, if the instruction has one.
    fn c_result(&mut self, inst: &Inst, call: Call, expr: &str) -> Res<()> {
        if inst.id == 0 {
            self.c_statement(call, &format!("{expr};"));
            return Ok(());
        }
        let ty = self.result_type(inst)?;
        let cast = if ty == Type::BOOL { "(int)" } else { "" };
        let value = self.c_expr(call, ty, &format!("{cast}{expr}"));
        self.define(inst.id, value);
        Ok(())
    }

    /// Adds a pointer to a range. Returns its name.
    fn range(&mut self, call: &mut Call, id: Id) -> Res<String> {
        let (space, pointee) = self.unit.types.pointer(self.unit.type_of(id)?)?;
        check_range(self.unit.types.layout(pointee)?)?;
        let value = self.value(id)?;
        Ok(call.arg(format!("{}ndrange_t *", c_space(space)), value))
    }

    /// The operands are the global size, the local size and the offset.
    fn build_range(&mut self, inst: &Inst) -> Res<()> {
        let layout = self.unit.types.layout(inst.ty)?;
        check_range(layout)?;
        let object = self.object(layout)?;
        let mut call = Call::default();
        let to = call.arg("private ndrange_t *", object);
        let mut dims = 1;
        for i in [2, 0, 1] {
            let id = inst.arg(i)?;
            match *self.ty(id)? {
                Ty::Array { elem, len, .. } => {
                    if self.unit.types.ir(elem)? != Type::I64 {
                        return Err("a size is no array of 64-bit integers".into());
                    }
                    dims = len;
                    let value = self.value(id)?;
                    call.arg("private ulong *", value);
                }
                _ => {
                    self.c_arg(&mut call, id, false)?;
                }
            }
        }
        let text = format!("*{to} = ndrange_{dims}D(a1, a2, a3);");
        self.c_statement(call, &text);
        self.define(inst.id, object);
        Ok(())
    }

    fn enqueue(&mut self, inst: &Inst) -> Res<()> {
        let &[
            queue,
            flags,
            range,
            count,
            waits,
            returned,
            invoke,
            param,
            size,
            align,
            ref locals @ ..,
        ] = inst.args
        else {
            return Err("an operand is missing".into());
        };
        let invoked = self.invoked(invoke, locals.len())?;
        let mut call = Call::default();
        let mut text = String::new();
        for (i, id) in [queue, flags, range, count, waits, returned]
            .into_iter()
            .enumerate()
        {
            let name = match i {
                2 => format!("*{}", self.range(&mut call, id)?),
                _ => self.c_arg(&mut call, id, false)?,
            };
            let _ = write!(text, "{name}, ");
        }
        let captured = self.captured(&mut call, param, size, align)?;
        let (copy, mut args) = match captured {
            Some((ty, from)) => (
                format!("{ty} captured = *{from}; "),
                "(void *)&captured".to_owned(),
            ),
            None => (String::new(), "0".to_owned()),
        };
        let (mut params, mut sizes) = (String::new(), String::new());
        for (i, &local) in locals.iter().enumerate() {
            let comma = if i == 0 { "" } else { ", " };
            let _ = write!(params, "{comma}local void *l{i}");
            let _ = write!(args, ", l{i}");
            let size = self.c_arg(&mut call, local, false)?;
            // LLVM's translator passes pointers to the sizes.
            let star = match self.ty(local)? {
                Ty::Pointer { .. } => "*",
                _ => "",
            };
            let _ = write!(sizes, ", (uint){star}{size}");
        }
        let expr = format!("enqueue_kernel({text}^({params}) {{ {invoked}({args}); }}{sizes})");
        let ty = self.result_type(inst)?;
        let value = self.c_value(call, ty, &copy, &expr);
        self.define(inst.id, value);
        Ok(())
    }

    /// The name in OpenCL C of a function that is enqueued.
    fn invoked(&mut self, id: Id, locals: usize) -> Res<String> {
        let function: Option<FuncId> = self.unit.funcs.get(&id).copied();
        let function = function.ok_or_else(|| format!("%{id} is no function"))?;
        let callee = &self.unit.module.funcs[function.index()];
        let spaces = callee.params.iter().map(|&param| callee.ty(param).scalar);
        let mut spaces = spaces.map(|scalar| match scalar {
            Scalar::Ptr(space) => Some(space),
            _ => None,
        });
        let first = matches!(spaces.next(), Some(Some(Space::Generic | Space::Private)));
        let rest = callee.params.len().checked_sub(1) == Some(locals);
        if !first
            || !rest
            || callee.ret.is_some()
            || !spaces.all(|space| space == Some(Space::Local))
        {
            return Err(format!("%{id} has other parameters than what is enqueued"));
        }
        let mut params = vec![("local void *", Type::ptr(Space::Local)); locals + 1];
        params[0] = ("void *", Type::ptr(Space::Generic));
        Ok(self.c_function(function, &params))
    }

    /// A struct with the bytes that the parameter points to, and a pointer to them; nothing if there are none.
    fn captured(
        &mut self,
        call: &mut Call,
        param: Id,
        size: Id,
        align: Id,
    ) -> Res<Option<(String, String)>> {
        let (size, align) = (self.unit.integer(size)?, self.unit.integer(align)?);
        if size == 0 {
            return Ok(None);
        }
        if size > u64::from(self.unit.target.max_parameter_size)
            || !align.is_power_of_two()
            || align > 128
        {
            return Err(format!("a parameter of {size} bytes, aligned to {align}"));
        }
        let members = self.members(param, size as u32)?;
        let ty = self.c_struct(members, align);
        let (space, _) = self.unit.types.pointer(self.unit.type_of(param)?)?;
        let value = self.value(param)?;
        let space = c_space(space);
        let from = call.arg(format!("{space}void *"), value);
        Ok(Some((ty.clone(), format!("({space}{ty} *){from}"))))
    }

    /// The members of a struct of so many bytes: as the variable that the parameter points to has them, as far as it is known.
    fn members(&mut self, param: Id, size: u32) -> Res<String> {
        let mut origin = param;
        while let Some(inst) = self.instruction(origin)
            && matches!(inst.op, Op::Bitcast | Op::PtrCastToGeneric)
        {
            origin = inst.arg(0)?;
        }
        let types = &self.unit.types;
        let mut pieces = Vec::new();
        if let Ok((_, pointee)) = types.pointer(self.unit.type_of(origin)?)
            && types.layout(pointee)?.size <= self.unit.target.max_parameter_size
        {
            types.flatten(pointee, 0, &mut pieces)?;
        }
        let mut text = String::new();
        let mut end = 0;
        for (i, (at, ty)) in pieces.into_iter().enumerate() {
            let name = match ty.scalar {
                Scalar::Image | Scalar::Event => continue,
                Scalar::Ptr(space) => format!("{}void *", c_space(space)),
                _ => c_name(ty, true),
            };
            if at < end || at + ty.size() > size {
                continue;
            }
            if at > end {
                let _ = write!(text, "uchar gap{i}[{}]; ", at - end);
            }
            let _ = write!(text, "{name} m{i}; ");
            end = at + ty.size();
        }
        if end < size {
            let _ = write!(text, "uchar rest[{}];", size - end);
        }
        Ok(text)
    }
}

/// Refuses a type of this layout if what builds ranges does not fit into it.
fn check_range(layout: Layout) -> Res<()> {
    match layout.size >= ndrange::SIZE && layout.align >= 8 {
        true => Ok(()),
        false => Err(format!("a range of {} bytes is too small", layout.size)),
    }
}
