//! Platform queries, the ICD interface and the lookup of functions by name.

use std::ffi::{c_char, c_void};
use std::sync::{Arc, LazyLock};

use super::external;
use super::info::{Info, Written, version};
use super::pointer::{In, Out, SentHandle, write_list};
use super::raw::constants::*;
use super::raw::entry_points::ROWS;
use super::raw::types::*;
use super::{entry, extensions, handle, semaphore, unified_svm};
use crate::runtime::platform::Platform;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::version::{NAME, VERSION};

/// CL_PLATFORM_VERSION, major and minor: that of the API. A device's may be lower.
const OPENCL_VERSION: (u32, u32) = (3, 1);

pub fn opencl_version_text((major, minor): (u32, u32)) -> String {
    format!("OpenCL {major}.{minor} {NAME} {VERSION}")
}

/// The platform's handle. The first call makes it, and those of the devices.
fn platform_handle() -> Option<cl_platform_id> {
    static HANDLE: LazyLock<Option<SentHandle<_cl_platform_id>>> = LazyLock::new(|| {
        let platform = Platform::get()?;
        for device in platform.devices {
            handle::new(device.clone());
        }
        Some(SentHandle::new(handle::new(platform.clone())))
    });
    HANDLE.as_ref().map(SentHandle::handle)
}

/// The platform behind a handle. Null, of which the specification leaves the meaning
/// open, is the only platform there is.
pub fn platform_of(platform: cl_platform_id) -> ClResult<Arc<Platform>> {
    let platform = match platform.is_null() {
        true => platform_handle().ok_or(ClError::INVALID_PLATFORM)?,
        false => platform,
    };
    handle::get(platform)
}

pub fn get_platform_ids(
    num_entries: cl_uint,
    platforms: Out<cl_platform_id>,
    num_platforms: Out<cl_uint>,
) -> ClResult {
    // CL_PLATFORM_NOT_FOUND_KHR if there are no platforms.
    let Some(platform) = platform_handle() else {
        num_platforms.set(0);
        return Err(ClError::PLATFORM_NOT_FOUND_KHR);
    };
    // CL_INVALID_VALUE if num_entries is 0 and platforms is not NULL, or both
    // num_platforms and platforms are NULL.
    write_list(&[platform], num_entries, platforms, num_platforms)
}

pub fn icd_get_platform_ids(
    num_entries: cl_uint,
    platforms: Out<cl_platform_id>,
    num_platforms: Out<cl_uint>,
) -> ClResult {
    get_platform_ids(num_entries, platforms, num_platforms)
}

pub fn get_platform_info(
    platform: cl_platform_id,
    param_name: cl_platform_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_PLATFORM if platform is not valid.
    let platform = platform_of(platform)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    platform_info(&platform, param_name, out).map(Written::done)
}

fn platform_info(platform: &Platform, name: cl_platform_info, out: Info) -> ClResult<Written> {
    match name {
        // Devices may have the embedded profile nevertheless.
        CL_PLATFORM_PROFILE => out.text("FULL_PROFILE"),
        CL_PLATFORM_VERSION => out.text(&opencl_version_text(OPENCL_VERSION)),
        CL_PLATFORM_NUMERIC_VERSION => out.value(version(OPENCL_VERSION.0, OPENCL_VERSION.1, 0)),
        CL_PLATFORM_NAME => out.text(NAME),
        CL_PLATFORM_VENDOR => out.text("Caldera project"),
        CL_PLATFORM_EXTENSIONS => out.names(&extensions::names(&extensions::of_platform(platform))),
        CL_PLATFORM_EXTENSIONS_WITH_VERSION => out.list(&extensions::with_versions(
            &extensions::of_platform(platform),
        )),
        // 0 where host and device timers cannot be related: on any of the devices.
        CL_PLATFORM_HOST_TIMER_RESOLUTION => {
            out.value::<cl_ulong>(platform.devices.iter().all(|d| d.facts().host_timer).into())
        }
        // What all devices can import.
        CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR => {
            match &external::handles(platform.devices.iter())[..] {
                [] => Err(ClError::INVALID_VALUE),
                all => out.list(all),
            }
        }
        CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR => {
            out.list(&unified_svm::of_platform(platform.devices))
        }
        CL_PLATFORM_SEMAPHORE_TYPES_KHR => out.list(&semaphore::TYPES),
        CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR => out
            .list(&semaphore::handles(platform.devices.iter(), |able| {
                able.imports
            })),
        CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR => out
            .list(&semaphore::handles(platform.devices.iter(), |able| {
                able.exports
            })),
        CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR => out.value(
            CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR
                | CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR,
        ),
        CL_PLATFORM_ICD_SUFFIX_KHR => out.text("CLD"),
        _ => Err(ClError::INVALID_VALUE),
    }
}

pub fn unload_platform_compiler(platform: cl_platform_id) -> ClResult {
    // CL_INVALID_PLATFORM if platform is not valid. A hint: there is nothing to unload.
    handle::get(platform).map(drop)
}

pub fn unload_compiler() -> ClResult {
    Ok(())
}

/// What extension lookups may find: clIcd* functions, and those outside the core.
fn extension_address(name: In<c_char>) -> *mut c_void {
    let found = name.text().and_then(|name| entry::find(ROWS, &name));
    found.map_or(std::ptr::null_mut(), <*const c_void>::cast_mut)
}

pub fn get_extension_function_address(func_name: In<c_char>) -> ClResult<*mut c_void> {
    Ok(extension_address(func_name))
}

/// NULL if the function does not exist or platform is not valid. That core functions are
/// found too is allowed, and loaders of version 1 ask for clGetPlatformInfo.
pub fn get_extension_function_address_for_platform(
    platform: cl_platform_id,
    func_name: In<c_char>,
) -> ClResult<*mut c_void> {
    handle::get(platform)?;
    Ok(extension_address(func_name))
}

pub fn icd_get_function_address_for_platform(
    platform: cl_platform_id,
    func_name: In<c_char>,
) -> ClResult<*mut c_void> {
    handle::get(platform)?;
    Ok(extension_address(func_name))
}

pub fn icd_set_platform_dispatch_data(
    platform: cl_platform_id,
    dispatch_data: *mut c_void,
) -> ClResult {
    // CL_INVALID_PLATFORM if platform is not valid.
    handle::get(platform)?;
    handle::set_dispatch_data(dispatch_data);
    Ok(())
}
