//! Device discovery, retaining, sub-devices (none) and timers; `device_info` answers queries.

use std::sync::Arc;

use super::handle;
use super::platform::platform_of;
use super::pointer::{In, Out, write_list};
use super::raw::constants::*;
use super::raw::types::*;
use crate::os::time::monotonic_ns;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::facts::DeviceType;
use crate::runtime::support::error::{ClError, ClResult};

pub fn device_type(device: &Device) -> cl_device_type {
    match device.facts().device_type {
        DeviceType::Cpu => CL_DEVICE_TYPE_CPU,
        DeviceType::Gpu => CL_DEVICE_TYPE_GPU,
        DeviceType::Accelerator => CL_DEVICE_TYPE_ACCELERATOR,
    }
}

/// The devices of a type. CL_INVALID_DEVICE_TYPE if it is none; CL_DEVICE_NOT_FOUND.
pub fn devices_of_type(
    devices: &[Arc<Device>],
    wanted: cl_device_type,
) -> ClResult<Vec<Arc<Device>>> {
    const KNOWN: cl_device_type = CL_DEVICE_TYPE_DEFAULT
        | CL_DEVICE_TYPE_CPU
        | CL_DEVICE_TYPE_GPU
        | CL_DEVICE_TYPE_ACCELERATOR
        | CL_DEVICE_TYPE_CUSTOM;
    if wanted == 0 || (wanted != CL_DEVICE_TYPE_ALL && wanted & !KNOWN != 0) {
        return Err(ClError::INVALID_DEVICE_TYPE);
    }
    // The first, most capable device is the default one.
    let is_default = |i: usize| i == 0 && wanted & CL_DEVICE_TYPE_DEFAULT != 0;
    let found: Vec<_> = (devices.iter().enumerate())
        .filter(|(i, d)| is_default(*i) || device_type(d) & wanted != 0)
        .map(|(_, d)| d.clone())
        .collect();
    match found.is_empty() {
        true => Err(ClError::DEVICE_NOT_FOUND),
        false => Ok(found),
    }
}

pub fn get_device_ids(
    platform: cl_platform_id,
    device_type: cl_device_type,
    num_entries: cl_uint,
    devices: Out<cl_device_id>,
    num_devices: Out<cl_uint>,
) -> ClResult {
    // CL_INVALID_PLATFORM if platform is not valid.
    let platform = platform_of(platform)?;
    // CL_INVALID_DEVICE_TYPE if device_type is not valid; CL_INVALID_VALUE if num_entries is 0
    // and devices is not NULL, or both num_devices and devices are NULL; CL_DEVICE_NOT_FOUND if no
    // devices match.
    let found = devices_of_type(platform.devices, device_type);
    let handles: Vec<_> = match &found {
        Err(error) if *error != ClError::DEVICE_NOT_FOUND => return Err(*error),
        found => found.iter().flatten().map(handle::of).collect(),
    };
    write_list(&handles, num_entries, devices, num_devices)?;
    found.map(drop)
}

pub fn create_sub_devices(
    in_device: cl_device_id,
    _properties: In<cl_device_partition_property>,
    _num_devices: cl_uint,
    _out_devices: Out<cl_device_id>,
    _num_devices_ret: Out<cl_uint>,
) -> ClResult {
    // CL_INVALID_DEVICE if in_device is not valid.
    handle::get(in_device)?;
    // CL_INVALID_VALUE if a partition type is not supported: none is.
    Err(ClError::INVALID_VALUE)
}

/// Has no effect on root-level devices, and there are no others.
pub fn retain_device(device: cl_device_id) -> ClResult {
    handle::get(device).map(drop)
}

pub fn release_device(device: cl_device_id) -> ClResult {
    handle::get(device).map(drop)
}

pub fn get_device_and_host_timer(
    device: cl_device_id,
    device_timestamp: Out<cl_ulong>,
    host_timestamp: Out<cl_ulong>,
) -> ClResult {
    // CL_INVALID_DEVICE if device is not valid.
    let device = handle::get(device)?;
    // CL_INVALID_OPERATION if the platform does not support device and host timer
    // synchronization.
    if !device.facts().host_timer {
        return Err(ClError::INVALID_OPERATION);
    }
    // CL_INVALID_VALUE if host_timestamp or device_timestamp is NULL.
    if device_timestamp.is_null() || host_timestamp.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    // Events' times are on the host's clock, those that the device takes, too.
    let time = monotonic_ns();
    device_timestamp.set(time);
    host_timestamp.set(time);
    Ok(())
}

pub fn get_host_timer(device: cl_device_id, host_timestamp: Out<cl_ulong>) -> ClResult {
    let device = handle::get(device)?;
    if !device.facts().host_timer {
        return Err(ClError::INVALID_OPERATION);
    }
    // CL_INVALID_VALUE if host_timestamp is NULL.
    if host_timestamp.is_null() {
        return Err(ClError::INVALID_VALUE);
    }
    host_timestamp.set(monotonic_ns());
    Ok(())
}
