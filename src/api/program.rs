//! Programs: creation, building, compiling, linking, and their queries.

use std::ffi::{CStr, c_char, c_void};
use std::sync::Arc;

use super::context::device_handles;
use super::handle;
use super::info::{Info, Written};
use super::pointer::{In, Out, SentHandle, UserData, bytes, string, text};
use super::raw::constants::*;
use super::raw::types::*;
use crate::compiler::kernel::Role;
use crate::compiler::options::Options;
use crate::runtime::context::Context;
use crate::runtime::gpu::device::Device;
use crate::runtime::program::kernel;
use crate::runtime::program::{Build, BuildStatus, Origin, Output, Program};
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::fallible;

type NotifyFunction = Option<extern "C" fn(cl_program, *mut c_void)>;

pub fn create_program_with_source(
    context: cl_context,
    count: cl_uint,
    strings: In<*const c_char>,
    lengths: In<usize>,
) -> ClResult<cl_program> {
    // CL_INVALID_CONTEXT if context is not valid.
    let context = handle::get(context)?;
    // CL_INVALID_VALUE if count is zero, or strings or any entry in it is NULL.
    let strings = strings.some(count, ClError::INVALID_VALUE)?;
    let lengths = lengths.values(strings.len())?;
    let mut source = String::new();
    for (i, part) in strings.into_iter().enumerate() {
        // A length of 0, or no lengths: the string ends with 0.
        let part = match lengths.as_ref().map_or(0, |l| l[i]) {
            0 => string(part),
            // Some applications count the final 0, which is no part of the text.
            length => bytes(part.cast(), length)
                .map(|b| CStr::from_bytes_until_nul(b).map_or(b, CStr::to_bytes)),
        };
        fallible::append(&mut source, part.ok_or(ClError::INVALID_VALUE)?)?;
    }
    Ok(handle::new(Program::with_source(&context, source)))
}

pub fn create_program_with_binary(
    context: cl_context,
    num_devices: cl_uint,
    device_list: In<cl_device_id>,
    lengths: In<usize>,
    binaries: In<*const u8>,
    binary_status: Out<cl_int>,
) -> ClResult<cl_program> {
    // CL_INVALID_CONTEXT if context is not valid.
    let context = handle::get(context)?;
    // CL_INVALID_VALUE if device_list is NULL or num_devices is zero.
    let devices = device_list.some(num_devices, ClError::INVALID_VALUE)?;
    // CL_INVALID_DEVICE if a device is not associated with the context.
    let devices = members(&devices, &context.devices)?;
    // CL_INVALID_VALUE if lengths or binaries is NULL, or any of their entries 0 or NULL.
    let lengths = lengths.some(num_devices, ClError::INVALID_VALUE)?;
    let binaries = binaries.some(num_devices, ClError::INVALID_VALUE)?;
    let contents: Vec<Option<&[u8]>> = (lengths.iter().zip(binaries))
        .map(|(&length, binary)| bytes(binary.cast(), length).filter(|b| !b.is_empty()))
        .collect();
    // CL_INVALID_BINARY if an invalid program binary was encountered for any device.
    let (statuses, program) = Program::with_binaries(&context, devices, &contents);
    let code = |status: &ClResult| status.map_or_else(ClError::code, |()| CL_SUCCESS);
    binary_status.set_all(&statuses.iter().map(code).collect::<Vec<_>>());
    let missing = statuses.contains(&Err(ClError::INVALID_VALUE));
    let failure = match missing {
        true => ClError::INVALID_VALUE,
        false => ClError::INVALID_BINARY,
    };
    Ok(handle::new(program.ok_or(failure)?))
}

pub fn create_program_with_built_in_kernels(
    context: cl_context,
    _num_devices: cl_uint,
    _device_list: In<cl_device_id>,
    _kernel_names: In<c_char>,
) -> ClResult<cl_program> {
    // CL_INVALID_CONTEXT if context is not valid.
    handle::get(context)?;
    // CL_INVALID_VALUE if device_list is NULL or num_devices is zero, or if kernel_names is NULL
    // or has a name that none of the devices supports: there are no built-in kernels.
    Err(ClError::INVALID_VALUE)
}

pub fn create_program_with_il(
    context: cl_context,
    il: *const c_void,
    length: usize,
) -> ClResult<cl_program> {
    // CL_INVALID_CONTEXT if context is not valid.
    let context = handle::get(context)?;
    // CL_INVALID_VALUE if il is NULL or length is zero.
    let il = bytes(il, length).filter(|il| !il.is_empty());
    let module = fallible::copy(il.ok_or(ClError::INVALID_VALUE)?)?;
    // CL_INVALID_VALUE if il is no well-formed module that can be consumed.
    let report = |why: &str| context.report(&format!("clCreateProgramWithIL: {why}"));
    let program = Program::with_spirv(&context, module, report)?;
    Ok(handle::new(program))
}

pub fn set_program_specialization_constant(
    program: cl_program,
    spec_id: cl_uint,
    spec_size: usize,
    spec_value: *const c_void,
) -> ClResult {
    // CL_INVALID_PROGRAM if program is not a valid program created from an intermediate language.
    let program = handle::get(program)?;
    let Origin::Spirv(spirv) = &program.origin else {
        return Err(ClError::INVALID_PROGRAM);
    };
    // CL_INVALID_VALUE if spec_size does not match the size of the constant, or spec_value is NULL;
    // CL_INVALID_SPEC_ID if there is no such constant.
    let value = bytes(spec_value, spec_size);
    match value {
        Some(value) => spirv.set(spec_id, value),
        None => Err(ClError::INVALID_VALUE),
    }
}

pub fn retain_program(program: cl_program) -> ClResult {
    handle::retain(program)
}

pub fn release_program(program: cl_program) -> ClResult {
    handle::release(program)
}

pub fn set_program_release_callback(
    program: cl_program,
    pfn_notify: NotifyFunction,
    user_data: *mut c_void,
) -> ClResult {
    // CL_INVALID_PROGRAM if program is not valid.
    let object = handle::get(program)?;
    let (handle, user_data) = (SentHandle::new(program), UserData::new(user_data));
    // CL_INVALID_OPERATION if the program has no destructors at program scope; it comes before CL_INVALID_VALUE if pfn_notify is NULL.
    object.check_release()?;
    let function = pfn_notify.ok_or(ClError::INVALID_VALUE)?;
    object.on_release(Box::new(move || {
        function(handle.handle(), user_data.pointer())
    }));
    Ok(())
}

/// Devices by their handles. CL_INVALID_DEVICE if one is not among `all`.
fn members(handles: &[cl_device_id], all: &[Arc<Device>]) -> ClResult<Vec<Arc<Device>>> {
    let devices = handle::get_all(handles)?;
    let known = |d: &Arc<Device>| all.iter().any(|other| Arc::ptr_eq(d, other));
    match devices.iter().all(known) {
        true => Ok(devices),
        false => Err(ClError::INVALID_DEVICE),
    }
}

/// The devices for which a call builds: all of the program's if the list is empty.
fn device_indices(
    program: &Program,
    num_devices: cl_uint,
    device_list: In<cl_device_id>,
) -> ClResult<Vec<usize>> {
    // CL_INVALID_VALUE if device_list is NULL and num_devices is greater than zero, or
    // the other way round.
    let list = device_list.list(num_devices, ClError::INVALID_VALUE)?;
    if list.is_empty() {
        return Ok((0..program.devices.len()).collect());
    }
    // CL_INVALID_DEVICE if a device is not associated with the program.
    let devices = members(&list, &program.devices)?;
    Ok(devices.iter().filter_map(|d| program.index_of(d)).collect())
}

/// Calls the callback of a build. Builds end before the call returns.
fn notify(program: cl_program, pfn_notify: NotifyFunction, user_data: *mut c_void) {
    if let Some(function) = pfn_notify {
        let (program, user_data) = (SentHandle::new(program), UserData::new(user_data));
        function(program.handle(), user_data.pointer());
    }
}

/// CL_INVALID_VALUE if pfn_notify is NULL but user_data is not.
fn check_notify(pfn_notify: NotifyFunction, user_data: *mut c_void) -> ClResult {
    match pfn_notify.is_none() && !user_data.is_null() {
        true => Err(ClError::INVALID_VALUE),
        false => Ok(()),
    }
}

pub fn build_program(
    program: cl_program,
    num_devices: cl_uint,
    device_list: In<cl_device_id>,
    options: In<c_char>,
    pfn_notify: NotifyFunction,
    user_data: *mut c_void,
) -> ClResult {
    // CL_INVALID_PROGRAM if program is not valid.
    let object = handle::get(program)?;
    let indices = device_indices(&object, num_devices, device_list)?;
    check_notify(pfn_notify, user_data)?;
    // CL_INVALID_BINARY if program was created with binaries and a device does not have the
    // binary of an executable.
    object.check_binaries(&indices)?;
    // CL_INVALID_BUILD_OPTIONS if the options are invalid. None for a program of binaries are
    // those that these were built with.
    let option_text = options.text();
    let original = || object.original_options(&indices);
    let option_text = option_text.or_else(original).unwrap_or_default();
    let options = Options::parse(&option_text).map_err(|bad| {
        object.context.report(&bad.to_string());
        ClError::INVALID_BUILD_OPTIONS
    })?;
    // CL_INVALID_OPERATION if there are kernel objects attached to program, or it was not
    // created from source or binaries.
    if object.has_kernels() || matches!(object.origin, Origin::Linked) {
        return Err(ClError::INVALID_OPERATION);
    }
    // CL_BUILD_PROGRAM_FAILURE if there is a failure to build the program executable.
    let result = object.build(&indices, &option_text, &options);
    notify(program, pfn_notify, user_data);
    result
}

pub fn compile_program(
    program: cl_program,
    num_devices: cl_uint,
    device_list: In<cl_device_id>,
    options: In<c_char>,
    num_input_headers: cl_uint,
    input_headers: In<cl_program>,
    header_include_names: In<*const c_char>,
    pfn_notify: NotifyFunction,
    user_data: *mut c_void,
) -> ClResult {
    // CL_INVALID_PROGRAM if program is not valid.
    let object = handle::get(program)?;
    let indices = device_indices(&object, num_devices, device_list)?;
    // CL_INVALID_VALUE if num_input_headers is zero and the lists are not NULL, or the
    // other way round. Headers for intermediate language are ignored.
    let (headers, names) = match &object.origin {
        Origin::Spirv(_) => (Vec::new(), Vec::new()),
        _ => (
            input_headers.list(num_input_headers, ClError::INVALID_VALUE)?,
            header_include_names.list(num_input_headers, ClError::INVALID_VALUE)?,
        ),
    };
    check_notify(pfn_notify, user_data)?;
    let mut texts = Vec::new();
    for (header, name) in handle::get_all(&headers)?.iter().zip(names) {
        // CL_INVALID_CONTEXT if program and headers are not of the same context.
        same_context(&header.context, &object.context)?;
        let Origin::Source(source) = &header.origin else {
            return Err(ClError::INVALID_PROGRAM);
        };
        texts.push((text(name).ok_or(ClError::INVALID_VALUE)?, source.clone()));
    }
    // CL_INVALID_COMPILER_OPTIONS if the options are invalid.
    let option_text = options.text().unwrap_or_default();
    let options = Options::parse(&option_text).map_err(|bad| {
        object.context.report(&bad.to_string());
        ClError::INVALID_COMPILER_OPTIONS
    })?;
    // CL_INVALID_OPERATION if there are kernel objects attached to program, or it has no
    // source.
    if object.has_kernels() || !object.has_source() {
        return Err(ClError::INVALID_OPERATION);
    }
    // CL_COMPILE_PROGRAM_FAILURE if there is a failure to compile the program source.
    let result = object.compile(&indices, &option_text, &options, &texts);
    notify(program, pfn_notify, user_data);
    result
}

pub fn link_program(
    context: cl_context,
    num_devices: cl_uint,
    device_list: In<cl_device_id>,
    options: In<c_char>,
    num_input_programs: cl_uint,
    input_programs: In<cl_program>,
    pfn_notify: NotifyFunction,
    user_data: *mut c_void,
) -> ClResult<(cl_program, ClResult)> {
    // CL_INVALID_CONTEXT if context is not valid.
    let context = handle::get(context)?;
    // CL_INVALID_VALUE if device_list is NULL and num_devices is greater than zero, or
    // the other way round.
    let devices = device_list.list(num_devices, ClError::INVALID_VALUE)?;
    // CL_INVALID_VALUE if num_input_programs is zero or input_programs is NULL.
    let inputs = input_programs.some(num_input_programs, ClError::INVALID_VALUE)?;
    // CL_INVALID_PROGRAM if an input program is not valid.
    let inputs = handle::get_all(&inputs)?;
    check_notify(pfn_notify, user_data)?;
    // CL_INVALID_CONTEXT if an input program is of another context.
    for input in &inputs {
        same_context(&input.context, &context)?;
    }
    // CL_INVALID_DEVICE if a device is not associated with the context.
    let devices = match devices.is_empty() {
        true => context.devices.clone(),
        false => members(&devices, &context.devices)?,
    };
    // CL_INVALID_LINKER_OPTIONS if the options are invalid.
    let option_text = options.text().unwrap_or_default();
    let options = Options::parse_link(&option_text).map_err(|bad| {
        context.report(&bad.to_string());
        ClError::INVALID_LINKER_OPTIONS
    })?;
    // CL_INVALID_OPERATION if an input is being built, or some have a compiled binary or
    // library for a device and others have not.
    let (program, result) = Program::link(&context, devices, &option_text, &options, &inputs)?;
    // CL_LINK_PROGRAM_FAILURE if there is a failure to link; the program is there
    // nevertheless, to be asked for its log.
    let program = handle::new(program);
    notify(program, pfn_notify, user_data);
    Ok((program, result))
}

fn same_context(a: &Arc<Context>, b: &Arc<Context>) -> ClResult {
    match Arc::ptr_eq(a, b) {
        true => Ok(()),
        false => Err(ClError::INVALID_CONTEXT),
    }
}

pub fn get_program_info(
    program: cl_program,
    param_name: cl_program_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_PROGRAM if program is not valid.
    let object = handle::get(program)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    program_info(program, &object, param_name, out).map(Written::done)
}

fn program_info(
    program: cl_program,
    object: &Program,
    name: cl_program_info,
    out: Info,
) -> ClResult<Written> {
    // CL_INVALID_PROGRAM_EXECUTABLE if kernels are asked for and no executable has been
    // built for at least one device.
    let executables = object.executables();
    let kernels = || match executables.is_empty() {
        true => Err(ClError::INVALID_PROGRAM_EXECUTABLE),
        false => Ok(kernel::names(&executables)),
    };
    let has = |role| kernels().map(|_| executables.iter().any(|e| e.has(role)));
    match name {
        CL_PROGRAM_REFERENCE_COUNT => out.value(handle::reference_count(program)?),
        CL_PROGRAM_CONTEXT => out.value(handle::of(&object.context)),
        CL_PROGRAM_NUM_DEVICES => out.value(object.devices.len() as cl_uint),
        CL_PROGRAM_DEVICES => out.list(&device_handles(&object.devices)),
        CL_PROGRAM_SOURCE => match &object.origin {
            Origin::Source(text) => out.text(text),
            Origin::Spirv(_) | Origin::Binary | Origin::Linked => out.text(""),
        },
        CL_PROGRAM_IL => match &object.origin {
            Origin::Spirv(spirv) => out.list(&spirv.module),
            Origin::Source(_) | Origin::Binary | Origin::Linked => out.list::<u8>(&[]),
        },
        CL_PROGRAM_BINARY_SIZES => {
            let sizes: Vec<usize> = object.binaries().iter().map(Vec::len).collect();
            out.list(&sizes)
        }
        CL_PROGRAM_BINARIES => out.scatter(&object.binaries()),
        CL_PROGRAM_NUM_KERNELS => out.value(kernels()?.len()),
        CL_PROGRAM_KERNEL_NAMES => out.text(&kernels()?.join(";")),
        CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT => out.flag(has(Role::Initializer)?),
        CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT => out.flag(has(Role::Finalizer)?),
        _ => Err(ClError::INVALID_VALUE),
    }
}

pub fn get_program_build_info(
    program: cl_program,
    device: cl_device_id,
    param_name: cl_program_build_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_PROGRAM if program is not valid.
    let object = handle::get(program)?;
    // CL_INVALID_DEVICE if device is not associated with program.
    let build = object.build_of(&handle::get(device)?)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    build_info(&build, param_name, out).map(Written::done)
}

fn build_info(build: &Build, name: cl_program_build_info, out: Info) -> ClResult<Written> {
    match name {
        CL_PROGRAM_BUILD_STATUS => out.value(match build.status {
            BuildStatus::None => CL_BUILD_NONE,
            BuildStatus::InProgress => CL_BUILD_IN_PROGRESS,
            BuildStatus::Error => CL_BUILD_ERROR,
            BuildStatus::Success => CL_BUILD_SUCCESS,
        }),
        CL_PROGRAM_BUILD_OPTIONS => out.text(&build.options),
        CL_PROGRAM_BUILD_LOG => out.text(&build.log),
        CL_PROGRAM_BINARY_TYPE => out.value(match build.output {
            Output::None => CL_PROGRAM_BINARY_TYPE_NONE,
            Output::Object(_) => CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT,
            Output::Library(_) => CL_PROGRAM_BINARY_TYPE_LIBRARY,
            Output::Executable(_) => CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
        }),
        CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE => out.value(match &build.output {
            Output::Executable(executable) => executable.global_variable_size() as usize,
            _ => 0,
        }),
        _ => Err(ClError::INVALID_VALUE),
    }
}
