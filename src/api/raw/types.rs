//! Types of the OpenCL C API, named as there.
//!
//! Made by tests/gen/cl_xml.py from cl.xml, the Khronos OpenCL registry: do not edit.
//! The data is copyright The Khronos Group Inc., under the registry's licence (Apache
//! 2.0, with an exception that lets generated code be passed on without attribution).

#![allow(non_camel_case_types)]

use std::ffi::{c_char, c_int, c_uint, c_void};

#[repr(C)]
pub struct __GLsync {
    _private: [u8; 0],
}
pub type cl_GLsync = *mut __GLsync;

#[repr(C)]
pub struct _cl_platform_id {
    _private: [u8; 0],
}
pub type cl_platform_id = *mut _cl_platform_id;

#[repr(C)]
pub struct _cl_device_id {
    _private: [u8; 0],
}
pub type cl_device_id = *mut _cl_device_id;

#[repr(C)]
pub struct _cl_context {
    _private: [u8; 0],
}
pub type cl_context = *mut _cl_context;

#[repr(C)]
pub struct _cl_command_queue {
    _private: [u8; 0],
}
pub type cl_command_queue = *mut _cl_command_queue;

#[repr(C)]
pub struct _cl_mem {
    _private: [u8; 0],
}
pub type cl_mem = *mut _cl_mem;

#[repr(C)]
pub struct _cl_program {
    _private: [u8; 0],
}
pub type cl_program = *mut _cl_program;

#[repr(C)]
pub struct _cl_kernel {
    _private: [u8; 0],
}
pub type cl_kernel = *mut _cl_kernel;

#[repr(C)]
pub struct _cl_event {
    _private: [u8; 0],
}
pub type cl_event = *mut _cl_event;

#[repr(C)]
pub struct _cl_sampler {
    _private: [u8; 0],
}
pub type cl_sampler = *mut _cl_sampler;

#[repr(C)]
pub struct _cl_semaphore_khr {
    _private: [u8; 0],
}
pub type cl_semaphore_khr = *mut _cl_semaphore_khr;

#[repr(C)]
pub struct _cl_command_buffer_khr {
    _private: [u8; 0],
}
pub type cl_command_buffer_khr = *mut _cl_command_buffer_khr;

#[repr(C)]
pub struct _cl_mutable_command_khr {
    _private: [u8; 0],
}
pub type cl_mutable_command_khr = *mut _cl_mutable_command_khr;

pub type cl_double = f64;
pub type cl_float = f32;
pub type cl_short = i16;
pub type cl_int = i32;
pub type cl_long = i64;
pub type cl_char = i8;
pub type cl_uchar = u8;
pub type cl_ushort = u16;
pub type cl_uint = u32;
pub type cl_ulong = u64;
pub type cl_GLint = c_int;
pub type cl_GLenum = c_uint;
pub type cl_GLuint = c_uint;
pub type CLeglImageKHR = *mut c_void;
pub type CLeglDisplayKHR = *mut c_void;
pub type CLeglSyncKHR = *mut c_void;
pub type cl_egl_image_properties_khr = isize;
pub type cl_device_partition_property_ext = cl_ulong;
pub type cl_queue_priority_khr = cl_uint;
pub type cl_queue_throttle_khr = cl_uint;
pub type cl_import_properties_arm = isize;
pub type cl_svm_mem_flags_arm = cl_bitfield;
pub type cl_kernel_exec_info_arm = cl_uint;
pub type cl_device_svm_capabilities_arm = cl_bitfield;
pub type cl_gl_context_info = cl_uint;
pub type cl_gl_object_type = cl_uint;
pub type cl_gl_texture_info = cl_uint;
pub type cl_bool = cl_uint;
pub type cl_bitfield = cl_ulong;
pub type cl_properties = cl_ulong;
pub type cl_device_type = cl_bitfield;
pub type cl_platform_info = cl_uint;
pub type cl_device_info = cl_uint;
pub type cl_device_fp_config = cl_bitfield;
pub type cl_device_mem_cache_type = cl_uint;
pub type cl_device_local_mem_type = cl_uint;
pub type cl_device_exec_capabilities = cl_bitfield;
pub type cl_device_svm_capabilities = cl_bitfield;
pub type cl_command_queue_properties = cl_bitfield;
pub type cl_device_partition_property = isize;
pub type cl_device_affinity_domain = cl_bitfield;
pub type cl_context_properties = isize;
pub type cl_context_info = cl_uint;
pub type cl_queue_properties = cl_properties;
pub type cl_queue_properties_khr = cl_properties;
pub type cl_command_queue_info = cl_uint;
pub type cl_channel_order = cl_uint;
pub type cl_channel_type = cl_uint;
pub type cl_mem_flags = cl_bitfield;
pub type cl_svm_mem_flags = cl_bitfield;
pub type cl_mem_object_type = cl_uint;
pub type cl_mem_info = cl_uint;
pub type cl_mem_migration_flags = cl_bitfield;
pub type cl_mem_properties = cl_properties;
pub type cl_image_info = cl_uint;
pub type cl_buffer_create_type = cl_uint;
pub type cl_addressing_mode = cl_uint;
pub type cl_filter_mode = cl_uint;
pub type cl_sampler_info = cl_uint;
pub type cl_map_flags = cl_bitfield;
pub type cl_pipe_properties = isize;
pub type cl_pipe_info = cl_uint;
pub type cl_program_info = cl_uint;
pub type cl_program_build_info = cl_uint;
pub type cl_program_binary_type = cl_uint;
pub type cl_build_status = cl_int;
pub type cl_kernel_info = cl_uint;
pub type cl_kernel_arg_info = cl_uint;
pub type cl_kernel_arg_address_qualifier = cl_uint;
pub type cl_kernel_arg_access_qualifier = cl_uint;
pub type cl_kernel_arg_type_qualifier = cl_bitfield;
pub type cl_kernel_work_group_info = cl_uint;
pub type cl_kernel_sub_group_info = cl_uint;
pub type cl_event_info = cl_uint;
pub type cl_command_type = cl_uint;
pub type cl_profiling_info = cl_uint;
pub type cl_sampler_properties = cl_properties;
pub type cl_kernel_exec_info = cl_uint;
pub type cl_context_memory_initialize_khr = cl_bitfield;
pub type cl_device_unified_shared_memory_capabilities_intel = cl_bitfield;
pub type cl_mem_properties_intel = cl_properties;
pub type cl_mem_alloc_flags_intel = cl_bitfield;
pub type cl_mem_info_intel = cl_uint;
pub type cl_unified_shared_memory_type_intel = cl_uint;
pub type cl_mem_advice_intel = cl_uint;
pub type cl_device_atomic_capabilities = cl_bitfield;
pub type cl_khronos_vendor_id = cl_uint;
pub type cl_version = cl_uint;
pub type cl_version_khr = cl_uint;
pub type cl_device_device_enqueue_capabilities = cl_bitfield;
pub type cl_device_integer_dot_product_capabilities_khr = cl_bitfield;
pub type cl_device_integer_dot_product_capabilities = cl_bitfield;
pub type cl_semaphore_properties_khr = cl_properties;
pub type cl_semaphore_reimport_properties_khr = cl_properties;
pub type cl_semaphore_info_khr = cl_uint;
pub type cl_semaphore_type_khr = cl_uint;
pub type cl_semaphore_payload_khr = cl_ulong;
pub type cl_external_semaphore_handle_type_khr = cl_uint;
pub type cl_external_memory_handle_type_khr = cl_uint;
pub type cl_device_command_buffer_capabilities_khr = cl_bitfield;
pub type cl_sync_point_khr = cl_uint;
pub type cl_command_buffer_info_khr = cl_uint;
pub type cl_command_buffer_state_khr = cl_uint;
pub type cl_command_buffer_properties_khr = cl_properties;
pub type cl_command_buffer_flags_khr = cl_bitfield;
pub type cl_command_properties_khr = cl_properties;
pub type cl_mutable_dispatch_fields_khr = cl_bitfield;
pub type cl_mutable_command_info_khr = cl_uint;
pub type cl_command_buffer_update_type_khr = cl_uint;
pub type cl_device_fp_atomic_capabilities_ext = cl_bitfield;
pub type cl_image_requirements_info_ext = cl_uint;
pub type cl_platform_command_buffer_capabilities_khr = cl_bitfield;
pub type cl_mutable_dispatch_asserts_khr = cl_bitfield;
pub type cl_device_kernel_clock_capabilities_khr = cl_bitfield;
pub type cl_mem_device_address_ext = cl_ulong;
pub type cl_svm_capabilities_khr = cl_bitfield;
pub type cl_svm_alloc_properties_khr = cl_properties;
pub type cl_svm_alloc_access_flags_khr = cl_bitfield;
pub type cl_svm_free_properties_khr = cl_properties;
pub type cl_svm_free_flags_khr = cl_bitfield;
pub type cl_svm_pointer_info_khr = cl_uint;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_image_format {
    pub image_channel_order: cl_channel_order,
    pub image_channel_data_type: cl_channel_type,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_image_desc {
    pub image_type: cl_mem_object_type,
    pub image_width: usize,
    pub image_height: usize,
    pub image_depth: usize,
    pub image_array_size: usize,
    pub image_row_pitch: usize,
    pub image_slice_pitch: usize,
    pub num_mip_levels: cl_uint,
    pub num_samples: cl_uint,
    pub mem_object: cl_mem,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_buffer_region {
    pub origin: usize,
    pub size: usize,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_name_version {
    pub version: cl_version,
    pub name: [c_char; 64],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_name_version_khr {
    pub version: cl_version_khr,
    pub name: [c_char; 64],
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_device_pci_bus_info_khr {
    pub pci_domain: cl_uint,
    pub pci_bus: cl_uint,
    pub pci_device: cl_uint,
    pub pci_function: cl_uint,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_device_integer_dot_product_acceleration_properties {
    pub signed_accelerated: cl_bool,
    pub unsigned_accelerated: cl_bool,
    pub mixed_signedness_accelerated: cl_bool,
    pub accumulating_saturating_signed_accelerated: cl_bool,
    pub accumulating_saturating_unsigned_accelerated: cl_bool,
    pub accumulating_saturating_mixed_signedness_accelerated: cl_bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_device_integer_dot_product_acceleration_properties_khr {
    pub signed_accelerated: cl_bool,
    pub unsigned_accelerated: cl_bool,
    pub mixed_signedness_accelerated: cl_bool,
    pub accumulating_saturating_signed_accelerated: cl_bool,
    pub accumulating_saturating_unsigned_accelerated: cl_bool,
    pub accumulating_saturating_mixed_signedness_accelerated: cl_bool,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_mutable_dispatch_arg_khr {
    pub arg_index: cl_uint,
    pub arg_size: usize,
    pub arg_value: *const c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_mutable_dispatch_exec_info_khr {
    pub param_name: cl_uint,
    pub param_value_size: usize,
    pub param_value: *const c_void,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct cl_mutable_dispatch_config_khr {
    pub command: cl_mutable_command_khr,
    pub num_args: cl_uint,
    pub num_svm_args: cl_uint,
    pub num_exec_infos: cl_uint,
    pub work_dim: cl_uint,
    pub arg_list: *const cl_mutable_dispatch_arg_khr,
    pub arg_svm_list: *const cl_mutable_dispatch_arg_khr,
    pub exec_info_list: *const cl_mutable_dispatch_exec_info_khr,
    pub global_work_offset: *const usize,
    pub global_work_size: *const usize,
    pub local_work_size: *const usize,
}
