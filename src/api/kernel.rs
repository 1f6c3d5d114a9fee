//! Kernels: creation, arguments and queries.

use std::ffi::{c_char, c_void};
use std::sync::Arc;

use super::handle;
use super::info::{Info, Written};
use super::pointer::{In, Out, bytes};
use super::raw::constants::*;
use super::raw::types::*;
use crate::compiler::kernel::{ArgAccess, ArgAddress, ArgInfo, ArgKind};
use crate::runtime::context::Context;
use crate::runtime::gpu::device::Device;
use crate::runtime::launch::argument::ArgValue;
use crate::runtime::memory::allocations::{Allocation, Kind, Maker};
use crate::runtime::memory::{svm, usm};
use crate::runtime::program::kernel::{self, Kernel};
use crate::runtime::support::error::{ClError, ClResult};

pub fn create_kernel(program: cl_program, kernel_name: In<c_char>) -> ClResult<cl_kernel> {
    // CL_INVALID_PROGRAM if program is not valid.
    let program = handle::get(program)?;
    // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for it.
    if program.executables().is_empty() {
        return Err(ClError::INVALID_PROGRAM_EXECUTABLE);
    }
    // CL_INVALID_VALUE if kernel_name is NULL.
    let name = kernel_name.text().ok_or(ClError::INVALID_VALUE)?;
    // CL_INVALID_KERNEL_NAME if it is not found in program; CL_INVALID_KERNEL_DEFINITION
    // if the function is not the same for all devices.
    Ok(handle::new(Kernel::new(&program, &name)?))
}

pub fn create_kernels_in_program(
    program: cl_program,
    num_kernels: cl_uint,
    kernels: Out<cl_kernel>,
    num_kernels_ret: Out<cl_uint>,
) -> ClResult {
    // CL_INVALID_PROGRAM if program is not valid.
    let program = handle::get(program)?;
    // CL_INVALID_PROGRAM_EXECUTABLE if there is no successfully built executable for any
    // device.
    let executables = program.executables();
    if executables.is_empty() {
        return Err(ClError::INVALID_PROGRAM_EXECUTABLE);
    }
    let names = kernel::names(&executables);
    // CL_INVALID_VALUE if kernels is not NULL and num_kernels is less than the number of
    // kernels in program.
    if !kernels.is_null() {
        if (num_kernels as usize) < names.len() {
            return Err(ClError::INVALID_VALUE);
        }
        let create = names.iter().map(|name| Kernel::new(&program, name));
        let objects = create.collect::<ClResult<Vec<Arc<Kernel>>>>()?;
        let handles: Vec<cl_kernel> = objects.into_iter().map(handle::new).collect();
        kernels.set_all(&handles);
    }
    num_kernels_ret.set(names.len() as cl_uint);
    Ok(())
}

pub fn clone_kernel(source_kernel: cl_kernel) -> ClResult<cl_kernel> {
    // CL_INVALID_KERNEL if source_kernel is not valid.
    Ok(handle::new(handle::get(source_kernel)?.duplicate()))
}

pub fn retain_kernel(kernel: cl_kernel) -> ClResult {
    handle::retain(kernel)
}

pub fn release_kernel(kernel: cl_kernel) -> ClResult {
    handle::release(kernel)
}

pub fn set_kernel_arg(
    kernel: cl_kernel,
    arg_index: cl_uint,
    arg_size: usize,
    arg_value: *const c_void,
) -> ClResult {
    // CL_INVALID_KERNEL if kernel is not valid.
    set_arg(&*handle::get(kernel)?, arg_index, arg_size, arg_value)
}

/// The errors of clSetKernelArg but for the kernel's.
pub(super) fn set_arg(
    kernel: &Kernel,
    arg_index: cl_uint,
    arg_size: usize,
    arg_value: *const c_void,
) -> ClResult {
    // CL_INVALID_ARG_INDEX if arg_index is not valid.
    let index = arg_index as usize;
    let info = kernel
        .info
        .args
        .get(index)
        .ok_or(ClError::INVALID_ARG_INDEX)?;
    kernel.set_arg(index, arg(kernel, info, arg_size, arg_value)?);
    Ok(())
}

/// The object that an argument's value names. CL_INVALID_ARG_SIZE if the size is not that of a
/// handle, the type's error if it names none, as a NULL value does.
fn object<G: handle::Tag>(size: usize, value: *const c_void) -> ClResult<Arc<G::Object>> {
    if size != size_of::<*mut G>() {
        return Err(ClError::INVALID_ARG_SIZE);
    }
    let handle = bytes(value, size).and_then(|b| b.try_into().ok());
    handle::get(handle.map_or(0, usize::from_ne_bytes) as *mut G)
}

/// CL_INVALID_CONTEXT if kernel and object are not of the same context.
fn check_context(kernel: &Kernel, context: &Arc<Context>) -> ClResult {
    match Arc::ptr_eq(context, &kernel.program.context) {
        true => Ok(()),
        false => Err(ClError::INVALID_CONTEXT),
    }
}

fn image(kernel: &Kernel, info: &ArgInfo, size: usize, value: *const c_void) -> ClResult<ArgValue> {
    let memory = object::<_cl_mem>(size, value)?;
    // CL_INVALID_MEM_OBJECT if it is not an image.
    let image = memory.image.as_ref().ok_or(ClError::INVALID_MEM_OBJECT)?;
    check_context(kernel, &memory.context)?;
    // CL_INVALID_ARG_VALUE if it is an image of another kind than the argument's type.
    if !image.fits_argument(&info.param.type_name) {
        return Err(ClError::INVALID_ARG_VALUE);
    }
    // CL_INVALID_ARG_VALUE if the argument is declared read_only and the image was created
    // with CL_MEM_WRITE_ONLY, or the other way round; read_write needs both.
    let refused = match info.param.access {
        ArgAccess::ReadOnly => CL_MEM_WRITE_ONLY,
        ArgAccess::WriteOnly => CL_MEM_READ_ONLY | CL_MEM_IMMUTABLE_EXT,
        ArgAccess::ReadWrite | ArgAccess::None => {
            CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY | CL_MEM_IMMUTABLE_EXT
        }
    };
    match memory.flags & refused {
        0 => Ok(ArgValue::image(image)),
        _ => Err(ClError::INVALID_ARG_VALUE),
    }
}

fn pipe(kernel: &Kernel, size: usize, value: *const c_void) -> ClResult<ArgValue> {
    // CL_INVALID_MEM_OBJECT if it is not a pipe.
    let memory = object::<_cl_mem>(size, value)?;
    memory.pipe.ok_or(ClError::INVALID_MEM_OBJECT)?;
    check_context(kernel, &memory.context)?;
    Ok(ArgValue::buffer(&memory.buffer))
}

fn device_queue(kernel: &Kernel, size: usize, value: *const c_void) -> ClResult<ArgValue> {
    // CL_INVALID_DEVICE_QUEUE if it is not a queue on the device.
    let invalid = ClError::INVALID_DEVICE_QUEUE;
    let queue = object::<_cl_command_queue>(size, value).map_err(|error| match error {
        ClError::INVALID_COMMAND_QUEUE => invalid,
        other => other,
    })?;
    let on_device = queue.on_device.as_ref().ok_or(invalid)?;
    check_context(kernel, &queue.context)?;
    Ok(ArgValue::bytes(&on_device.id.to_le_bytes()))
}

fn arg(kernel: &Kernel, info: &ArgInfo, size: usize, value: *const c_void) -> ClResult<ArgValue> {
    if info.param.is_pipe {
        return pipe(kernel, size, value);
    }
    if info.param.is_queue {
        return device_queue(kernel, size, value);
    }
    match info.kind {
        ArgKind::Image { .. } => return image(kernel, info, size, value),
        ArgKind::Sampler { .. } => {
            // CL_INVALID_SAMPLER if arg_value does not point to a valid sampler.
            let sampler = object::<_cl_sampler>(size, value)?;
            check_context(kernel, &sampler.context)?;
            return Ok(ArgValue::Sampler(sampler.bits));
        }
        _ => {}
    }
    match info.param.address {
        ArgAddress::Local => {
            // Since OpenCL 3.1 arg_size may be zero. Local memory has no initial value.
            if !value.is_null() {
                return Err(ClError::INVALID_ARG_VALUE);
            }
            Ok(ArgValue::Local(size))
        }
        ArgAddress::Global | ArgAddress::Constant => {
            // CL_INVALID_ARG_SIZE if the argument is a memory object and arg_size is not
            // sizeof(cl_mem).
            if size != size_of::<cl_mem>() {
                return Err(ClError::INVALID_ARG_SIZE);
            }
            // For pointers to global or constant memory, NULL, or a pointer to NULL, is a
            // null pointer in the kernel.
            let handle = bytes(value, size).and_then(|b| b.try_into().ok());
            let handle = handle.map_or(0, usize::from_ne_bytes) as cl_mem;
            if handle.is_null() {
                return Ok(ArgValue::Null);
            }
            // CL_INVALID_MEM_OBJECT if arg_value does not point to a valid memory object.
            let memory = handle::get(handle)?;
            memory.check_buffer()?;
            check_context(kernel, &memory.context)?;
            // CL_INVALID_ARG_VALUE if the kernel writes an immutable buffer.
            let writes = matches!(info.kind, ArgKind::Pointer { writes: true, .. });
            match writes && memory.flags & CL_MEM_IMMUTABLE_EXT != 0 {
                true => Err(ClError::INVALID_ARG_VALUE),
                false => Ok(ArgValue::buffer(&memory.buffer)),
            }
        }
        ArgAddress::Private => {
            // CL_INVALID_ARG_SIZE if arg_size does not match the size of the argument's
            // data type.
            let expected = match info.kind {
                ArgKind::Value { size, .. } | ArgKind::Unused { size } => size as usize,
                _ => size_of::<cl_mem>(),
            };
            if size != expected {
                return Err(ClError::INVALID_ARG_SIZE);
            }
            let value = bytes(value, size).ok_or(ClError::INVALID_ARG_VALUE)?;
            Ok(ArgValue::bytes(value))
        }
    }
}

pub fn set_kernel_arg_svm_pointer(
    kernel: cl_kernel,
    arg_index: cl_uint,
    arg_value: *const c_void,
) -> ClResult {
    // CL_INVALID_KERNEL if kernel is not valid.
    set_svm_arg(&*handle::get(kernel)?, arg_index, arg_value)
}

/// The errors of clSetKernelArgSVMPointer but for the kernel's.
pub(super) fn set_svm_arg(
    kernel: &Kernel,
    arg_index: cl_uint,
    arg_value: *const c_void,
) -> ClResult {
    check_svm(kernel)?;
    let index = pointer_arg(kernel, arg_index)?;
    let value = match arg_value.is_null() {
        true => ArgValue::Null,
        // Any value is valid. What is no allocation may be one at a launch.
        false => match find_svm(kernel, arg_value as usize)? {
            Some((allocation, offset)) => ArgValue::pointer(&allocation.buffer, offset),
            None => ArgValue::Address(arg_value as u64),
        },
    };
    kernel.set_arg(index, value);
    Ok(())
}

/// An argument that is a pointer. CL_INVALID_ARG_INDEX if arg_index is not valid; CL_INVALID_ARG_VALUE if it is no
/// pointer to global or constant memory.
fn pointer_arg(kernel: &Kernel, arg_index: cl_uint) -> ClResult<usize> {
    let index = arg_index as usize;
    let info = kernel.info.args.get(index);
    let info = info.ok_or(ClError::INVALID_ARG_INDEX)?;
    match (info.param.address, info.param.access) {
        (ArgAddress::Global | ArgAddress::Constant, ArgAccess::None) => Ok(index),
        _ => Err(ClError::INVALID_ARG_VALUE),
    }
}

/// The SVM allocation into which an address points, and the offset in it.
fn find_svm(kernel: &Kernel, address: usize) -> ClResult<Option<(Arc<Allocation>, u64)>> {
    let found = kernel.program.context.allocations.find(address, 0)?;
    Ok(found.filter(|(allocation, _)| allocation.maker == Maker::Svm))
}

/// Any value is valid. What is at the address is found at each launch, so it may be allocated later.
pub fn set_kernel_arg_mem_pointer_intel(
    kernel: cl_kernel,
    arg_index: cl_uint,
    arg_value: *const c_void,
) -> ClResult {
    // CL_INVALID_KERNEL if kernel is not valid.
    let kernel = handle::get(kernel)?;
    let index = pointer_arg(&kernel, arg_index)?;
    kernel.set_arg(
        index,
        match arg_value as u64 {
            0 => ArgValue::Null,
            address => ArgValue::Address(address),
        },
    );
    Ok(())
}

/// A value that is no address of a buffer is passed on: kernels may have such pointers.
pub fn set_kernel_arg_device_pointer_ext(
    kernel: cl_kernel,
    arg_index: cl_uint,
    arg_value: cl_mem_device_address_ext,
) -> ClResult {
    // CL_INVALID_KERNEL if kernel is not valid.
    let kernel = handle::get(kernel)?;
    // CL_INVALID_ARG_INDEX if arg_index is not valid, or that of no pointer to global memory.
    let index = arg_index as usize;
    let info = kernel.info.args.get(index);
    match info.map(|i| (i.param.address, i.param.access)) {
        Some((ArgAddress::Global, ArgAccess::None)) => {}
        _ => return Err(ClError::INVALID_ARG_INDEX),
    }
    let addressed = &kernel.program.context.addressed;
    let value = match addressed.find(arg_value as usize, 0) {
        Some((buffer, offset)) => ArgValue::pointer(&buffer, offset),
        None => ArgValue::bytes(&arg_value.to_ne_bytes()),
    };
    kernel.set_arg(index, value);
    Ok(())
}

/// CL_INVALID_OPERATION if no devices in the kernel's context support SVM.
fn check_svm(kernel: &Kernel) -> ClResult {
    let devices = &kernel.program.context.devices;
    match devices.iter().any(svm::supported) {
        true => Ok(()),
        false => Err(ClError::INVALID_OPERATION),
    }
}

/// CL_INVALID_OPERATION if no devices in the kernel's context support a kind of unified shared memory.
fn check_usm(kernel: &Kernel, kinds: &[Kind]) -> ClResult {
    let devices = &kernel.program.context.devices;
    let able = |&kind: &Kind| devices.iter().any(|device| usm::has(device, kind));
    match kinds.iter().any(able) {
        true => Ok(()),
        false => Err(ClError::INVALID_OPERATION),
    }
}

/// CL_INVALID_VALUE if param_value is NULL or its size is not that of a cl_bool.
fn flag(param_value: *const c_void, param_value_size: usize) -> ClResult<cl_bool> {
    let value = bytes(param_value, param_value_size).and_then(|b| b.try_into().ok());
    value
        .map(cl_bool::from_ne_bytes)
        .ok_or(ClError::INVALID_VALUE)
}

pub fn set_kernel_exec_info(
    kernel: cl_kernel,
    param_name: cl_kernel_exec_info,
    param_value_size: usize,
    param_value: *const c_void,
) -> ClResult {
    // CL_INVALID_KERNEL if kernel is not valid.
    check_exec_info(
        &*handle::get(kernel)?,
        param_name,
        param_value_size,
        param_value,
    )
}

/// A list of any pointers. CL_INVALID_VALUE if its size is not theirs, or 0 and param_value is not NULL, or the other way round.
fn check_list<T>(param_value: *const c_void, param_value_size: usize) -> ClResult {
    let whole = param_value_size.is_multiple_of(size_of::<T>());
    match whole && param_value.is_null() == (param_value_size == 0) {
        true => Ok(()),
        false => Err(ClError::INVALID_VALUE),
    }
}

/// The errors of clSetKernelExecInfo but for the kernel's. Nothing is stored: launches that read pointers from memory count as
/// accessing all that is known by address, others access only their arguments.
pub(super) fn check_exec_info(
    kernel: &Kernel,
    param_name: cl_kernel_exec_info,
    param_value_size: usize,
    param_value: *const c_void,
) -> ClResult {
    match param_name {
        CL_KERNEL_EXEC_INFO_SVM_PTRS | CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM => {
            check_svm(kernel)?;
            check_list::<*const c_void>(param_value, param_value_size)
        }
        CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL => {
            let kinds = [Kind::Host, Kind::Device, Kind::Shared];
            check_usm(kernel, &kinds)?;
            check_list::<*const c_void>(param_value, param_value_size)
        }
        CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL
        | CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL
        | CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL => {
            check_usm(
                kernel,
                &[match param_name {
                    CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL => Kind::Host,
                    CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL => Kind::Device,
                    _ => Kind::Shared,
                }],
            )?;
            flag(param_value, param_value_size).map(drop)
        }
        CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR => {
            check_svm(kernel)?;
            flag(param_value, param_value_size).map(drop)
        }
        CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT => {
            check_list::<cl_mem_device_address_ext>(param_value, param_value_size)
        }
        CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM
        | CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM_ARM => {
            // CL_INVALID_OPERATION if it is CL_TRUE and no devices support it.
            match flag(param_value, param_value_size)? {
                0 => Ok(()),
                _ => Err(ClError::INVALID_OPERATION),
            }
        }
        // CL_INVALID_VALUE if param_name is not valid.
        _ => Err(ClError::INVALID_VALUE),
    }
}

pub fn get_kernel_info(
    kernel: cl_kernel,
    param_name: cl_kernel_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_KERNEL if kernel is not valid.
    let object = handle::get(kernel)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let written = match param_name {
        CL_KERNEL_FUNCTION_NAME => out.text(&object.info.name),
        CL_KERNEL_NUM_ARGS => out.value(object.info.args.len() as cl_uint),
        CL_KERNEL_REFERENCE_COUNT => out.value(handle::reference_count(kernel)?),
        CL_KERNEL_CONTEXT => out.value(handle::of(&object.program.context)),
        CL_KERNEL_PROGRAM => out.value(handle::of(&object.program)),
        CL_KERNEL_ATTRIBUTES => out.text(&object.info.attributes.text),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}

pub fn get_kernel_arg_info(
    kernel: cl_kernel,
    arg_index: cl_uint,
    param_name: cl_kernel_arg_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_KERNEL if kernel is not valid.
    let kernel = handle::get(kernel)?;
    // CL_INVALID_ARG_INDEX if arg_index is not valid.
    let arg = kernel
        .info
        .args
        .get(arg_index as usize)
        .ok_or(ClError::INVALID_ARG_INDEX)?;
    // The information is always available, with or without -cl-kernel-arg-info.
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    arg_info(arg, param_name, out).map(Written::done)
}

fn arg_info(arg: &ArgInfo, name: cl_kernel_arg_info, out: Info) -> ClResult<Written> {
    match name {
        CL_KERNEL_ARG_ADDRESS_QUALIFIER => out.value(match arg.param.address {
            ArgAddress::Global => CL_KERNEL_ARG_ADDRESS_GLOBAL,
            ArgAddress::Local => CL_KERNEL_ARG_ADDRESS_LOCAL,
            ArgAddress::Constant => CL_KERNEL_ARG_ADDRESS_CONSTANT,
            ArgAddress::Private => CL_KERNEL_ARG_ADDRESS_PRIVATE,
        }),
        CL_KERNEL_ARG_ACCESS_QUALIFIER => out.value(match arg.param.access {
            ArgAccess::None => CL_KERNEL_ARG_ACCESS_NONE,
            ArgAccess::ReadOnly => CL_KERNEL_ARG_ACCESS_READ_ONLY,
            ArgAccess::WriteOnly => CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
            ArgAccess::ReadWrite => CL_KERNEL_ARG_ACCESS_READ_WRITE,
        }),
        CL_KERNEL_ARG_TYPE_NAME => out.text(&arg.param.type_name),
        CL_KERNEL_ARG_TYPE_QUALIFIER => {
            let bits = [
                (arg.param.is_const, CL_KERNEL_ARG_TYPE_CONST),
                (arg.param.is_restrict, CL_KERNEL_ARG_TYPE_RESTRICT),
                (arg.param.is_volatile, CL_KERNEL_ARG_TYPE_VOLATILE),
                (arg.param.is_pipe, CL_KERNEL_ARG_TYPE_PIPE),
            ];
            let set = bits.iter().filter(|(is, _)| *is);
            out.value(set.fold(CL_KERNEL_ARG_TYPE_NONE, |all, (_, bit)| all | bit))
        }
        CL_KERNEL_ARG_NAME => out.text(&arg.param.name),
        _ => Err(ClError::INVALID_VALUE),
    }
}

/// The device that a query is about. CL_INVALID_DEVICE if it is not associated with
/// kernel, or NULL while there is more than one.
pub(super) fn kernel_device(kernel: &Kernel, device: cl_device_id) -> ClResult<Arc<Device>> {
    let mut devices = kernel.devices();
    if device.is_null() {
        let first = devices.next().ok_or(ClError::INVALID_DEVICE)?;
        return match devices.next() {
            None => Ok(first.clone()),
            Some(_) => Err(ClError::INVALID_DEVICE),
        };
    }
    let device = handle::get(device)?;
    match devices.any(|d| Arc::ptr_eq(d, &device)) {
        true => Ok(device),
        false => Err(ClError::INVALID_DEVICE),
    }
}

pub fn get_kernel_work_group_info(
    kernel: cl_kernel,
    device: cl_device_id,
    param_name: cl_kernel_work_group_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_KERNEL if kernel is not valid.
    let kernel = handle::get(kernel)?;
    let device = kernel_device(&kernel, device)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    work_group_info(&kernel, &device, param_name, out).map(Written::done)
}

fn work_group_info(
    kernel: &Kernel,
    device: &Arc<Device>,
    name: cl_kernel_work_group_info,
    out: Info,
) -> ClResult<Written> {
    let info = kernel.info_for(device).ok_or(ClError::INVALID_DEVICE)?;
    let facts = device.facts();
    let required = info.attributes.reqd_work_group_size;
    match name {
        CL_KERNEL_WORK_GROUP_SIZE => out.value(facts.work_group_of(info)),
        CL_KERNEL_COMPILE_WORK_GROUP_SIZE => {
            out.value(required.unwrap_or_default().map(|n| n as usize))
        }
        CL_KERNEL_LOCAL_MEM_SIZE => {
            out.value(cl_ulong::from(info.local_size) + kernel.local_arg_size() as cl_ulong)
        }
        CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => {
            out.value(facts.sub_group_of(info).max(1) as usize)
        }
        CL_KERNEL_PRIVATE_MEM_SIZE => out.value(cl_ulong::from(info.private_size)),
        // cl_intel_required_subgroup_size. Drivers do not report it, and 0 would mean that nothing is spilled.
        CL_KERNEL_SPILL_MEM_SIZE_INTEL if device.target().chooses_sub_group_size() => {
            out.value(cl_ulong::from(info.private_size.max(1)))
        }
        // CL_KERNEL_GLOBAL_WORK_SIZE is for custom devices and built-in kernels.
        _ => Err(ClError::INVALID_VALUE),
    }
}
