//! Types of shared virtual memory beside the core's (cl_khr_unified_svm 0.9.0; docs/usm.md).

use std::ffi::c_void;
use std::ptr;
use std::sync::Arc;

use super::context::device_of;
use super::handle;
use super::info::{Info, Written};
use super::pointer::{In, Out};
use super::raw::constants::*;
use super::raw::types::*;
use super::usm::allocated;
use crate::runtime::context::Context;
use crate::runtime::gpu::device::Device;
use crate::runtime::memory::allocations::{Allocation, Kind, Maker, is_alignment};
use crate::runtime::memory::{svm, usm};
use crate::runtime::platform::Platform;
use crate::runtime::support::error::{ClError, ClResult};

type Capabilities = cl_svm_capabilities_khr;

/// What every allocation has: launches that follow pointers in memory count as uses of all of them.
const ANY: Capabilities = CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR
    | CL_SVM_CAPABILITY_DEVICE_READ_KHR
    | CL_SVM_CAPABILITY_DEVICE_WRITE_KHR
    | CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR
    | CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR;
/// The host uses it as its own, at any time.
const HOST: Capabilities = CL_SVM_CAPABILITY_HOST_READ_KHR
    | CL_SVM_CAPABILITY_HOST_WRITE_KHR
    | CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR;
const MAPPED: Capabilities =
    CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_HOST_MAP_KHR;

/// The types in the order of their indices, with what those that have them can do.
const TYPES: [(Kind, Capabilities); 5] = [
    (Kind::Coarse, ANY | MAPPED),
    (Kind::Fine, ANY | MAPPED | HOST),
    (Kind::Device, ANY | CL_SVM_CAPABILITY_DEVICE_OWNED_KHR),
    (
        Kind::Host,
        ANY | HOST | CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR | CL_SVM_CAPABILITY_HOST_OWNED_KHR,
    ),
    (Kind::Shared, ANY | HOST),
];

/// What a device can do with a type; 0 if it does not have it. A device without the core's SVM has none.
fn able(device: &Arc<Device>, (kind, capabilities): (Kind, Capabilities)) -> Capabilities {
    if !svm::supported(device) || !usm::has(device, kind) {
        return 0;
    }
    // Vulkan orders no atomics of the host: drivers may.
    let concurrent = capabilities & CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR != 0;
    let capabilities = match concurrent && usm::has_host_atomics(device) {
        true => capabilities | CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR,
        false => capabilities,
    };
    // Several devices see an allocation if each can import it at the host's address.
    let unassociated = capabilities & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR != 0;
    let alone = Platform::get().is_some_and(|platform| platform.devices.len() == 1);
    match unassociated && (alone || usm::methods(device).cross) {
        true => capabilities | CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR,
        false => capabilities,
    }
}

/// What all those of `devices` can do that have a type; 0 if none has it.
fn together<'a>(
    devices: impl IntoIterator<Item = &'a Arc<Device>>,
    row: (Kind, Capabilities),
) -> Capabilities {
    let all = devices.into_iter().map(|device| able(device, row));
    all.filter(|&has| has != 0)
        .reduce(|a, b| a & b)
        .unwrap_or(0)
}

/// The types that a device of the platform has.
fn rows() -> Vec<(Kind, Capabilities)> {
    let devices = Platform::get().map_or(&[][..], |platform| platform.devices);
    let exists = |&row: &(Kind, Capabilities)| together(devices, row) != 0;
    TYPES.into_iter().filter(exists).collect()
}

/// CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR of the platform's `devices`.
pub(super) fn of_platform(devices: &[Arc<Device>]) -> Vec<Capabilities> {
    rows()
        .into_iter()
        .map(|row| together(devices, row))
        .collect()
}

/// CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR.
pub(super) fn of_device(device: &Arc<Device>) -> Vec<Capabilities> {
    rows().into_iter().map(|row| able(device, row)).collect()
}

/// The properties of an allocation.
#[derive(Default)]
struct Properties {
    device: Option<Arc<Device>>,
    access: cl_svm_alloc_access_flags_khr,
    /// As given, with the final 0; empty for NULL.
    list: Vec<cl_svm_alloc_properties_khr>,
}

impl Properties {
    /// CL_INVALID_PROPERTY if a name or value is not supported, or a name is there twice.
    fn new(context: &Context, given: In<cl_svm_alloc_properties_khr>) -> ClResult<Properties> {
        const NAMES: [cl_svm_alloc_properties_khr; 3] = [
            CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
            CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
            CL_SVM_ALLOC_ALIGNMENT_KHR,
        ];
        const ACCESS: cl_svm_alloc_access_flags_khr = CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR
            | CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR
            | CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR
            | CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR;
        let invalid = ClError::INVALID_PROPERTY;
        let mut properties = Properties::default();
        if given.is_null() {
            return Ok(properties);
        }
        for (name, value) in given.properties_among(&NAMES, &[]).ok_or(invalid)? {
            let value = value[0];
            properties.list.extend([name, value]);
            let fits = match name {
                CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR => {
                    let named = value as cl_device_id;
                    if !named.is_null() {
                        properties.device = device_of(context, named).ok();
                    }
                    named.is_null() || properties.device.is_some()
                }
                CL_SVM_ALLOC_ACCESS_FLAGS_KHR => {
                    properties.access = value;
                    value & !ACCESS == 0
                }
                // Every allocation has the largest alignment that there is.
                _ => value.try_into().is_ok_and(is_alignment),
            };
            if !fits {
                return Err(invalid);
            }
        }
        properties.list.push(0);
        Ok(properties)
    }
}

/// NULL without an error for a size of 0. CL_INVALID_VALUE if there is no such type; CL_INVALID_OPERATION if no device of the context
/// or not the one that is named has it; CL_INVALID_PROPERTY also if the type needs a device and none is named;
/// CL_OUT_OF_RESOURCES, CL_OUT_OF_HOST_MEMORY if there is no memory.
pub fn svm_alloc_with_properties(
    context: cl_context,
    properties: In<cl_svm_alloc_properties_khr>,
    svm_type_index: cl_uint,
    size: usize,
) -> ClResult<*mut c_void> {
    let context = handle::get(context)?;
    let properties = Properties::new(&context, properties)?;
    let rows = rows();
    let row = rows.get(svm_type_index as usize).copied();
    let row = row.ok_or(ClError::INVALID_VALUE)?;
    let has = match &properties.device {
        Some(device) => able(device, row),
        None => together(&context.devices, row),
    };
    match has & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR {
        _ if has == 0 => return Err(ClError::INVALID_OPERATION),
        0 if properties.device.is_none() => return Err(ClError::INVALID_PROPERTY),
        _ if size == 0 => return Ok(ptr::null_mut()),
        _ => {}
    }
    let Properties {
        device,
        access,
        list,
    } = properties;
    allocated(&context, row.0, device, size, access, list, Maker::Svm)
}

/// Frees what clSVMAlloc or clSVMAllocWithPropertiesKHR has made. Commands that use it keep its memory until they have ended.
/// CL_INVALID_PROPERTY, CL_INVALID_VALUE for any property or flag, as there are none; CL_INVALID_VALUE if ptr is neither NULL nor
/// what those functions have returned.
pub fn svm_free_with_properties(
    context: cl_context,
    properties: In<cl_svm_free_properties_khr>,
    flags: cl_svm_free_flags_khr,
    ptr: *mut c_void,
) -> ClResult {
    let context = handle::get(context)?;
    { properties.properties_among(&[], &[]) }.ok_or(ClError::INVALID_PROPERTY)?;
    if flags != 0 {
        return Err(ClError::INVALID_VALUE);
    }
    let own = |found: &Allocation| found.maker == Maker::Svm;
    match ptr.is_null() || context.allocations.free(ptr as usize, own).is_some() {
        true => Ok(()),
        false => Err(ClError::INVALID_VALUE),
    }
}

/// Of memory that is no such allocation, each query has a value that says so. CL_INVALID_DEVICE if device is neither NULL nor of
/// the context.
pub fn get_svm_pointer_info(
    context: cl_context,
    device: cl_device_id,
    ptr: *const c_void,
    param_name: cl_svm_pointer_info_khr,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    let context = handle::get(context)?;
    let device = match device.is_null() {
        true => None,
        false => Some(device_of(&context, device)?),
    };
    let found = context.allocations.find(ptr as usize, 0)?;
    let found = found.filter(|(allocation, _)| allocation.maker == Maker::Svm);
    let found = found.as_ref();
    let rows = rows();
    let index = found.and_then(|(found, _)| rows.iter().position(|row| row.0 == found.kind));
    let own = found.and_then(|(found, _)| found.device.as_ref());
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    // CL_INVALID_VALUE if param_name is not valid.
    let written = match param_name {
        CL_SVM_INFO_TYPE_INDEX_KHR => out.value(index.map_or(cl_uint::MAX, |i| i as cl_uint)),
        CL_SVM_INFO_CAPABILITIES_KHR => {
            let sees = |device: &&Arc<Device>| {
                found.is_some_and(|(found, _)| found.buffer.address(device).is_ok())
            };
            let one = device.as_ref().or(own);
            let all = context.devices.iter().filter(|_| one.is_none());
            let devices = one.into_iter().chain(all).filter(sees);
            out.value(index.map_or(0, |i| together(devices, rows[i])))
        }
        CL_SVM_INFO_PROPERTIES_KHR => {
            out.list(found.map_or(&[][..], |(found, _)| &found.properties))
        }
        CL_SVM_INFO_ACCESS_FLAGS_KHR => out.value(found.map_or(0, |(found, _)| found.flags)),
        CL_SVM_INFO_BASE_PTR_KHR => {
            out.value(found.map_or(0, |(_, offset)| ptr as usize - *offset as usize))
        }
        CL_SVM_INFO_SIZE_KHR => {
            out.value(found.map_or(0, |(found, _)| found.buffer.size() as usize))
        }
        CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR => {
            out.value(own.map_or(ptr::null_mut(), handle::of))
        }
        _ => Err(ClError::INVALID_VALUE),
    };
    written.map(Written::done)
}

/// The type that has all that is required, can be allocated with the properties, and has most of what is desired; CL_UINT_MAX if there
/// is none. CL_INVALID_VALUE if suggested_svm_type_index is NULL.
pub fn get_svm_suggested_type_index(
    context: cl_context,
    required_capabilities: Capabilities,
    desired_capabilities: Capabilities,
    properties: In<cl_svm_alloc_properties_khr>,
    _size: usize,
    suggested_svm_type_index: Out<cl_uint>,
) -> ClResult {
    let context = handle::get(context)?;
    let properties = Properties::new(&context, properties)?;
    if suggested_svm_type_index.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    let (has, needed) = match &properties.device {
        Some(device) => (of_device(device), 0),
        None => (
            of_platform(&context.devices),
            CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR,
        ),
    };
    let needed = needed | required_capabilities;
    let fits = has.iter().enumerate();
    let fits = fits.filter(|(_, has)| **has != 0 && **has & needed == needed);
    // The first of those that are as good.
    let best = fits
        .rev()
        .max_by_key(|(_, has)| (**has & desired_capabilities).count_ones());
    suggested_svm_type_index.set(best.map_or(cl_uint::MAX, |(i, _)| i as cl_uint));
    Ok(())
}
