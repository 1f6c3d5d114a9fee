//! Extensions that a device offers: the language's, which the compiler's table knows,
//! and those of the host API.

use super::info::{name_version, version};
use super::raw::types::cl_name_version;
use crate::compiler::features;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::facts::DeviceFacts;
use crate::runtime::platform::Platform;

type HostExtension = (&'static str, u32, fn(&DeviceFacts) -> bool);

/// Name, version and condition.
const HOST: &[HostExtension] = &[
    ("cl_arm_import_memory", version(1, 1, 0), |f| {
        f.host_ptr_align != 0 || f.imports_dma_buf || f.imports_hardware_buffer
    }),
    (
        "cl_arm_import_memory_android_hardware_buffer",
        version(1, 1, 0),
        |f| f.imports_hardware_buffer,
    ),
    ("cl_arm_import_memory_dma_buf", version(1, 0, 0), |f| {
        f.imports_dma_buf
    }),
    ("cl_arm_import_memory_host", version(1, 0, 0), |f| {
        f.host_ptr_align != 0
    }),
    ("cl_arm_printf", version(2, 0, 0), |_| true),
    // The registry has no version of it, nor of `create_buffer_with_properties`.
    ("cl_arm_shared_virtual_memory", version(1, 0, 0), |_| true),
    ("cl_ext_buffer_device_address", version(1, 0, 2), |_| true),
    ("cl_ext_cxx_for_opencl", version(1, 0, 0), |_| true),
    ("cl_ext_image_from_buffer", version(1, 0, 0), |_| true),
    ("cl_ext_image_requirements_info", version(0, 5, 0), |_| true),
    ("cl_ext_immutable_memory_objects", version(1, 0, 0), |_| {
        true
    }),
    (
        "cl_intel_create_buffer_with_properties",
        version(1, 0, 0),
        |_| true,
    ),
    ("cl_intel_unified_shared_memory", version(1, 2, 0), |_| true),
    ("cl_khr_command_buffer", version(0, 9, 8), |_| true),
    (
        "cl_khr_command_buffer_multi_device",
        version(0, 9, 2),
        |_| true,
    ),
    (
        "cl_khr_command_buffer_mutable_dispatch",
        version(0, 9, 5),
        |_| true,
    ),
    ("cl_khr_create_command_queue", version(1, 0, 0), |_| true),
    ("cl_khr_device_uuid", version(1, 0, 0), |_| true),
    ("cl_khr_extended_versioning", version(1, 0, 0), |_| true),
    ("cl_khr_external_memory", version(1, 0, 1), |f| {
        f.imports_fd || f.imports_dma_buf
    }),
    ("cl_khr_external_memory_dma_buf", version(1, 0, 0), |f| {
        f.imports_dma_buf
    }),
    ("cl_khr_external_memory_opaque_fd", version(1, 0, 0), |f| {
        f.imports_fd
    }),
    ("cl_khr_external_semaphore", version(1, 0, 1), |f| {
        [f.semaphore_opaque_fd, f.semaphore_sync_fd]
            .iter()
            .any(|kind| kind.imports || kind.exports)
    }),
    (
        "cl_khr_external_semaphore_opaque_fd",
        version(1, 0, 0),
        |f| f.semaphore_opaque_fd.imports || f.semaphore_opaque_fd.exports,
    ),
    ("cl_khr_external_semaphore_sync_fd", version(1, 0, 0), |f| {
        f.semaphore_sync_fd.imports || f.semaphore_sync_fd.exports
    }),
    ("cl_khr_icd", version(2, 0, 0), |_| true),
    ("cl_khr_il_program", version(1, 0, 0), |_| true),
    ("cl_khr_initialize_memory", version(1, 0, 0), |_| true),
    ("cl_khr_pci_bus_info", version(1, 0, 0), |f| f.pci.is_some()),
    ("cl_khr_priority_hints", version(1, 0, 0), |_| true),
    ("cl_khr_semaphore", version(1, 0, 0), |_| true),
    ("cl_khr_spirv_extended_debug_info", version(1, 0, 0), |_| {
        true
    }),
    ("cl_khr_spirv_linkonce_odr", version(1, 0, 0), |_| true),
    (
        "cl_khr_spirv_no_integer_wrap_decoration",
        version(1, 0, 0),
        |_| true,
    ),
    ("cl_khr_spirv_queries", version(1, 0, 0), |_| true),
    ("cl_khr_suggested_local_work_size", version(1, 0, 0), |_| {
        true
    }),
    ("cl_khr_throttle_hints", version(1, 0, 0), |_| true),
    ("cl_khr_unified_svm", version(0, 9, 0), |_| true),
    ("cl_nv_device_attribute_query", version(1, 0, 0), |f| {
        f.compute_capability.is_some()
    }),
];

pub type Extension = (&'static str, u32);

/// Known to OpenCL 1.2. Programs of its time have little room for the list (`Info::names`), and look for these.
const FIRST: &[&str] = &[
    "cl_khr_3d_image_writes",
    "cl_khr_byte_addressable_store",
    "cl_khr_depth_images",
    "cl_khr_fp16",
    "cl_khr_fp64",
    "cl_khr_global_int32_base_atomics",
    "cl_khr_global_int32_extended_atomics",
    "cl_khr_icd",
    "cl_khr_image2d_from_buffer",
    "cl_khr_initialize_memory",
    "cl_khr_int64_base_atomics",
    "cl_khr_int64_extended_atomics",
    "cl_khr_local_int32_base_atomics",
    "cl_khr_local_int32_extended_atomics",
    "cl_nv_device_attribute_query",
];

/// CL_DEVICE_EXTENSIONS: those of OpenCL 1.2, then the other ones of Khronos, then the rest, each by name.
pub fn of_device(device: &Device) -> Vec<Extension> {
    let language = features::supported(features::EXTENSIONS, device.target()).map(|row| {
        let (major, minor, patch) = row.version;
        (row.name, version(major, minor, patch))
    });
    let host = HOST
        .iter()
        .filter(|row| (row.2)(device.facts()))
        .map(|row| (row.0, row.1));
    let mut all: Vec<_> = host.chain(language).collect();
    all.sort_unstable_by_key(|&(name, _)| {
        (!FIRST.contains(&name), !name.starts_with("cl_khr_"), name)
    });
    all
}

/// CL_PLATFORM_EXTENSIONS: what all devices have.
pub fn of_platform(platform: &Platform) -> Vec<Extension> {
    let lists: Vec<_> = platform.devices.iter().map(|d| of_device(d)).collect();
    let Some((first, others)) = lists.split_first() else {
        return Vec::new();
    };
    let everywhere = |row: &&Extension| others.iter().all(|list| list.contains(row));
    first.iter().filter(everywhere).copied().collect()
}

pub fn names(list: &[Extension]) -> Vec<&'static str> {
    list.iter().map(|row| row.0).collect()
}

pub fn with_versions(list: &[Extension]) -> Vec<cl_name_version> {
    list.iter().map(|row| name_version(row.0, row.1)).collect()
}
