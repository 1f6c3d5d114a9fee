//! Mutable commands (cl_khr_command_buffer_mutable_dispatch): launches of command buffers whose arguments and sizes change
//! between enqueues.
//!
//! An update makes the launch anew from its kernel, which has a copy of the arguments, and its sizes; it takes effect when all
//! changes of the call are valid. What is enqueued already has the commands as they were.

use std::ffi::c_void;
use std::sync::{Arc, Weak};

use super::command_buffer::{CommandBuffer, Launch, bitfields};
use super::enqueue_kernel::{Sizes, nd_range};
use super::handle;
use super::info::{Info, Written};
use super::kernel::{check_exec_info, set_arg, set_svm_arg};
use super::pointer::{In, Out};
use super::raw::constants::*;
use super::raw::types::*;
use crate::runtime::gpu::device::Device;
use crate::runtime::program::kernel::Kernel;
use crate::runtime::support::error::{ClError, ClResult};

/// CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR: all fields.
pub const UPDATABLE_FIELDS: cl_mutable_dispatch_fields_khr = CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR
    | CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR
    | CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR
    | CL_MUTABLE_DISPATCH_ARGUMENTS_KHR
    | CL_MUTABLE_DISPATCH_EXEC_INFO_KHR;

/// The properties of a launch in a command buffer.
pub struct MutableProperties {
    /// CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, if it is given. An assertion about the number of work-groups changes nothing here.
    fields: Option<cl_mutable_dispatch_fields_khr>,
    /// CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR: the list as given, with its final 0.
    list: Vec<cl_command_properties_khr>,
}

impl MutableProperties {
    /// CL_INVALID_VALUE if a property or its value is not valid.
    pub fn new(properties: In<cl_command_properties_khr>) -> ClResult<MutableProperties> {
        let known = [
            (CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, UPDATABLE_FIELDS),
            (
                CL_MUTABLE_DISPATCH_ASSERTS_KHR,
                CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR,
            ),
        ];
        let [fields, _] = bitfields(properties, known)?;
        let list = properties.property_list();
        Ok(MutableProperties { fields, list })
    }

    /// Whether arguments may be set later: only if the application says so.
    pub fn defers_arguments(&self) -> bool {
        self.fields
            .is_some_and(|fields| fields & CL_MUTABLE_DISPATCH_ARGUMENTS_KHR != 0)
    }

    /// What may be changed: by default what the device can.
    fn allows(&self, field: cl_mutable_dispatch_fields_khr) -> bool {
        self.fields.unwrap_or(UPDATABLE_FIELDS) & field != 0
    }
}

/// What a cl_mutable_command_khr stands for.
pub struct MutableCommand {
    buffer: Weak<CommandBuffer>,
    /// Its place among the launches of the command buffer.
    index: usize,
    /// As it was given. The launch has a copy.
    kernel: Arc<Kernel>,
    properties: Arc<MutableProperties>,
}

impl MutableCommand {
    pub fn new(
        buffer: &Arc<CommandBuffer>,
        index: usize,
        kernel: Arc<Kernel>,
        properties: MutableProperties,
    ) -> MutableCommand {
        MutableCommand {
            buffer: Arc::downgrade(buffer),
            index,
            kernel,
            properties: Arc::new(properties),
        }
    }

    pub fn is_of(&self, buffer: &Arc<CommandBuffer>) -> bool {
        self.buffer.ptr_eq(&Arc::downgrade(buffer))
    }

    /// The same command in a copy of its command buffer.
    pub fn for_copy(&self, copy: &Arc<CommandBuffer>) -> MutableCommand {
        MutableCommand {
            buffer: Arc::downgrade(copy),
            index: self.index,
            kernel: self.kernel.clone(),
            properties: self.properties.clone(),
        }
    }

    /// The changes of a structure to a launch, which is a copy.
    fn change(
        &self,
        config: &cl_mutable_dispatch_config_khr,
        launch: &mut Launch,
        device: &Arc<Device>,
    ) -> ClResult {
        let dims = launch.sizes.dims;
        // CL_INVALID_OPERATION if work_dim is neither 0 nor what it was.
        if config.work_dim != 0 && config.work_dim != dims {
            return Err(ClError::INVALID_OPERATION);
        }
        // CL_INVALID_OPERATION if something is given that the command may not change.
        let given = [
            (
                CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR,
                !config.global_work_offset.is_null(),
            ),
            (
                CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR,
                !config.global_work_size.is_null(),
            ),
            (
                CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR,
                !config.local_work_size.is_null(),
            ),
            (
                CL_MUTABLE_DISPATCH_ARGUMENTS_KHR,
                config.num_args != 0 || config.num_svm_args != 0,
            ),
            (
                CL_MUTABLE_DISPATCH_EXEC_INFO_KHR,
                config.num_exec_infos != 0,
            ),
        ];
        if given
            .iter()
            .any(|&(field, given)| given && !self.properties.allows(field))
        {
            return Err(ClError::INVALID_OPERATION);
        }
        // CL_INVALID_VALUE if one of a list and its length is NULL or zero and the other not.
        let invalid = ClError::INVALID_VALUE;
        let args = In::within(config.arg_list).list(config.num_args, invalid)?;
        let svm_args = In::within(config.arg_svm_list).list(config.num_svm_args, invalid)?;
        let exec_infos = In::within(config.exec_info_list).list(config.num_exec_infos, invalid)?;
        let kernel = launch.kernel.duplicate();
        for arg in args {
            set_arg(&kernel, arg.arg_index, arg.arg_size, arg.arg_value)?;
        }
        for arg in svm_args {
            set_svm_arg(&kernel, arg.arg_index, arg.arg_value)?;
        }
        for info in exec_infos {
            check_exec_info(
                &kernel,
                info.param_name,
                info.param_value_size,
                info.param_value,
            )?;
        }
        launch.kernel = kernel;
        let was_uniform = is_uniform(&launch.sizes);
        let new = Sizes::new(
            dims,
            In::within(config.global_work_offset),
            In::within(config.global_work_size),
            In::within(config.local_work_size),
        )?;
        launch.sizes = Sizes {
            dims,
            offset: new.offset.or(launch.sizes.offset),
            global: new.global.or(launch.sizes.global),
            local: new.local.or(launch.sizes.local),
        };
        nd_range(&launch.kernel, device, &launch.sizes)?;
        // CL_INVALID_OPERATION if work-groups of one size become ones of several, or the other way round.
        match is_uniform(&launch.sizes) == was_uniform {
            true => Ok(()),
            false => Err(ClError::INVALID_OPERATION),
        }
    }
}

/// Whether all work-groups have the same size. Where the application leaves it open, it cannot know of others.
fn is_uniform(sizes: &Sizes) -> bool {
    let global = sizes.global.unwrap_or_default();
    let local = sizes.local.unwrap_or([1; 3]);
    (0..3).all(|d| global[d].is_multiple_of(local[d]))
}

pub fn update_mutable_commands(
    command_buffer: cl_command_buffer_khr,
    num_configs: cl_uint,
    config_types: In<cl_command_buffer_update_type_khr>,
    configs: In<*const c_void>,
) -> ClResult {
    let buffer = handle::get(command_buffer)?;
    let mut contents = buffer.contents();
    // CL_INVALID_OPERATION if it has not been finalized, or was not created as a mutable one.
    if contents.state == CL_COMMAND_BUFFER_STATE_RECORDING_KHR || !buffer.mutable {
        return Err(ClError::INVALID_OPERATION);
    }
    // CL_INVALID_VALUE if one of a list and its length is NULL or zero and the other not, a type is not valid, or a structure NULL.
    let invalid = ClError::INVALID_VALUE;
    let types = config_types.list(num_configs, invalid)?;
    let configs = configs.list(num_configs, invalid)?;
    let is_known = |&kind: &_| kind == CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    if !types.iter().all(is_known) {
        return Err(invalid);
    }
    let config = |&config: &*const c_void| In::within(config.cast()).get();
    let configs: Option<Vec<cl_mutable_dispatch_config_khr>> = configs.iter().map(config).collect();
    // The launches that change, by their place.
    let mut changed: Vec<(usize, Launch)> = Vec::new();
    for config in configs.ok_or(invalid)? {
        let command = handle::get(config.command)?;
        let launch = contents.launches.get(command.index);
        let launch = launch.filter(|_| command.is_of(&buffer));
        let launch = launch.ok_or(ClError::INVALID_MUTABLE_COMMAND_KHR)?;
        let device = buffer.queues[contents.queue_of(launch)].device();
        let known = changed
            .iter()
            .position(|(index, _)| *index == command.index);
        let at = known.unwrap_or_else(|| {
            changed.push((command.index, launch.clone()));
            changed.len() - 1
        });
        command.change(&config, &mut changed[at].1, device)?;
    }
    let mut commands = Vec::new();
    for (_, launch) in &mut changed {
        let device = buffer.queues[contents.queue_of(launch)].device();
        let command = launch.make(device, true)?;
        commands.push((launch.clone(), command));
    }
    let old = contents.replace(commands);
    for (index, launch) in changed {
        contents.launches[index] = launch;
    }
    contents.settle();
    drop(contents);
    drop(old);
    Ok(())
}

pub fn get_mutable_command_info(
    command: cl_mutable_command_khr,
    param_name: cl_mutable_command_info_khr,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    let command = handle::get(command)?;
    let buffer = command.buffer.upgrade();
    let buffer = buffer.ok_or(ClError::INVALID_MUTABLE_COMMAND_KHR)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    let contents = buffer.contents();
    let launch = &contents.launches[command.index];
    let (sizes, queue) = (launch.sizes, &buffer.queues[contents.queue_of(launch)]);
    // What was not given is zero.
    let list = |out: Info, sizes: Option<[usize; 3]>, dims: cl_uint| {
        out.list(&sizes.unwrap_or_default()[..dims as usize])
    };
    let written = match param_name {
        CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR => out.value(handle::of(queue)),
        CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR => out.value(handle::of(&buffer)),
        CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR => out.value(CL_COMMAND_NDRANGE_KERNEL),
        CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR => out.list(&command.properties.list),
        CL_MUTABLE_DISPATCH_KERNEL_KHR => out.value(handle::of(&command.kernel)),
        CL_MUTABLE_DISPATCH_DIMENSIONS_KHR => out.value(sizes.dims),
        CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR => list(out, sizes.offset, sizes.dims),
        CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR => list(out, sizes.global, sizes.dims),
        CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR => list(out, sizes.local, sizes.dims),
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}
