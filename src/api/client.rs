//! The other side of the C boundary: what an application, or a loader, gets to know of another library of OpenCL's.

use std::ffi::{CStr, c_void};
use std::path::PathBuf;
use std::ptr::{NonNull, null_mut};

use crate::api::raw::constants::{CL_DEVICE_TYPE_ALL, CL_PLATFORM_NAME, CL_PLATFORM_VERSION};
use crate::api::raw::types::{
    cl_device_id, cl_device_type, cl_int, cl_platform_id, cl_platform_info, cl_uint,
};
use crate::os::library::{Library, file_of};
use crate::runtime::support::error::ClError;

type GetPlatformIds = unsafe extern "C" fn(cl_uint, *mut cl_platform_id, *mut cl_uint) -> cl_int;
type GetPlatformInfo = unsafe extern "C" fn(
    cl_platform_id,
    cl_platform_info,
    usize,
    *mut c_void,
    *mut usize,
) -> cl_int;
type GetDeviceIds = unsafe extern "C" fn(
    cl_platform_id,
    cl_device_type,
    cl_uint,
    *mut cl_device_id,
    *mut cl_uint,
) -> cl_int;
type GetExtension = unsafe extern "C" fn(*const std::ffi::c_char) -> *mut c_void;
/// Of ocl-icd, which the Khronos loader has, too: what is asked, the size, the text, its size.
type GetLoaderInfo = unsafe extern "C" fn(cl_uint, usize, *mut c_void, *mut usize) -> cl_int;

const CL_ICDL_VERSION: cl_uint = 2;
const CL_ICDL_NAME: cl_uint = 3;

/// More platforms than anybody has, so that a wrong number does no harm.
const MOST_PLATFORMS: cl_uint = 256;

pub struct Platform {
    pub name: String,
    pub version: String,
    /// Devices of all types.
    pub devices: u32,
}

/// What libOpenCL.so is.
pub struct Found {
    pub file: Option<PathBuf>,
    /// What it calls itself: a loader's name and version.
    pub loader: Option<String>,
    /// It is an implementation itself, as vendors' libraries are that take a loader's place.
    pub is_implementation: bool,
    pub platforms: Result<Vec<Platform>, String>,
}

/// Asks a library that has the functions of OpenCL, as an application links it.
pub fn ask(library: &Library) -> Result<Found, String> {
    let function = |name: &CStr| {
        let missing = || format!("it has no function {}", name.to_string_lossy());
        library.symbol(name).ok_or_else(missing)
    };
    let ids = function(c"clGetPlatformIDs")?;
    let info = function(c"clGetPlatformInfo")?;
    let devices = function(c"clGetDeviceIDs")?;
    let loader = function_of(library, c"clGetICDLoaderInfoOCLICD").map(|function| {
        // SAFETY: a function of this name has this type.
        let function = unsafe { std::mem::transmute::<NonNull<c_void>, GetLoaderInfo>(function) };
        [CL_ICDL_NAME, CL_ICDL_VERSION]
            .map(|what| {
                // SAFETY: as the extension has it: room of that many bytes, or none.
                text(|size, room, needed| unsafe { function(what, size, room, needed) })
            })
            .join(" ")
    });
    // SAFETY: functions of these names have these types.
    let (get_ids, info, devices) = unsafe {
        (
            std::mem::transmute::<NonNull<c_void>, GetPlatformIds>(ids),
            std::mem::transmute::<NonNull<c_void>, GetPlatformInfo>(info),
            std::mem::transmute::<NonNull<c_void>, GetDeviceIds>(devices),
        )
    };
    let platforms = platform_ids(get_ids).map(|all| {
        let described = |&id: &cl_platform_id| describe(id, info, devices);
        all.iter().map(described).collect()
    });
    Ok(Found {
        file: file_of(ids),
        loader,
        is_implementation: library.symbol(c"clIcdGetPlatformIDsKHR").is_some(),
        platforms,
    })
}

/// Asks a vendor's library as a loader does: by clIcdGetPlatformIDsKHR, and by the dispatch table that each platform
/// begins with.
pub fn ask_vendor(library: &Library) -> Result<(Option<PathBuf>, Vec<Platform>), String> {
    let ids = function_of(library, c"clIcdGetPlatformIDsKHR").ok_or(
        "it is no OpenCL implementation for loaders: it has no function clIcdGetPlatformIDsKHR",
    )?;
    // SAFETY: a function of this name has this type.
    let get_ids = unsafe { std::mem::transmute::<NonNull<c_void>, GetPlatformIds>(ids) };
    let mut platforms = Vec::new();
    for id in platform_ids(get_ids)? {
        // SAFETY: cl_khr_icd: a platform begins with a pointer to its table, whose first entries are clGetPlatformIDs,
        // clGetPlatformInfo and clGetDeviceIDs.
        let [info, devices] = unsafe {
            let table = *id.cast::<*const Option<NonNull<c_void>>>();
            if table.is_null() {
                return Err("a platform has no dispatch table".into());
            }
            [*table.add(1), *table.add(2)]
        };
        let (Some(info), Some(devices)) = (info, devices) else {
            return Err("a platform's dispatch table lacks clGetPlatformInfo".into());
        };
        // SAFETY: these entries have these types.
        let (info, devices) = unsafe {
            (
                std::mem::transmute::<NonNull<c_void>, GetPlatformInfo>(info),
                std::mem::transmute::<NonNull<c_void>, GetDeviceIds>(devices),
            )
        };
        platforms.push(describe(id, info, devices));
    }
    Ok((file_of(ids), platforms))
}

/// A function that a library has by clGetExtensionFunctionAddress, or exports.
fn function_of(library: &Library, name: &CStr) -> Option<NonNull<c_void>> {
    let by_name = || {
        let get = library.symbol(c"clGetExtensionFunctionAddress")?;
        // SAFETY: a function of this name has this type, and the name that it is given ends with zero.
        NonNull::new(unsafe {
            let get = std::mem::transmute::<NonNull<c_void>, GetExtension>(get);
            get(name.as_ptr())
        })
    };
    by_name().or_else(|| library.symbol(name))
}

fn platform_ids(get: GetPlatformIds) -> Result<Vec<cl_platform_id>, String> {
    let failed = |code: cl_int| match ClError::from_code(code) {
        Some(ClError::PLATFORM_NOT_FOUND_KHR) | None => Ok(()),
        Some(error) => Err(format!("clGetPlatformIDs: {error}")),
    };
    let mut count = 0;
    // SAFETY: no room for platforms, and a number that is written.
    failed(unsafe { get(0, null_mut(), &mut count) })?;
    let mut all = vec![null_mut(); count.min(MOST_PLATFORMS) as usize];
    if !all.is_empty() {
        // SAFETY: room for that many.
        failed(unsafe { get(all.len() as cl_uint, all.as_mut_ptr(), null_mut()) })?;
    }
    all.retain(|id| !id.is_null());
    Ok(all)
}

fn describe(id: cl_platform_id, info: GetPlatformInfo, get_devices: GetDeviceIds) -> Platform {
    let ask = |what| {
        // SAFETY: a platform of this library's; room of that many bytes, or none.
        text(|size, room, needed| unsafe { info(id, what, size, room, needed) })
    };
    let mut devices = 0;
    // SAFETY: the same; no room for devices, and a number that is written.
    let code = unsafe { get_devices(id, CL_DEVICE_TYPE_ALL, 0, null_mut(), &mut devices) };
    Platform {
        name: ask(CL_PLATFORM_NAME),
        version: ask(CL_PLATFORM_VERSION),
        devices: if code == 0 { devices } else { 0 },
    }
}

/// The text of a query; empty if there is none.
fn text(query: impl Fn(usize, *mut c_void, *mut usize) -> cl_int) -> String {
    let mut size = 0;
    if query(0, null_mut(), &mut size) != 0 || size > 1 << 16 {
        return String::new();
    }
    let mut bytes = vec![0u8; size];
    if query(size, bytes.as_mut_ptr().cast(), null_mut()) != 0 {
        return String::new();
    }
    let end = bytes.iter().position(|&b| b == 0).unwrap_or(bytes.len());
    String::from_utf8_lossy(&bytes[..end]).trim().to_string()
}
