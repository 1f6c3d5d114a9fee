//! Constants of extensions of the OpenCL C API, by type.
//!
//! Made by tests/gen/cl_xml.py from cl.xml, the Khronos OpenCL registry: do not edit.
//! The data is copyright The Khronos Group Inc., under the registry's licence (Apache
//! 2.0, with an exception that lets generated code be passed on without attribution).

#![allow(non_upper_case_globals)]

use super::types::*;

// cl_device_info
pub const CL_DEVICE_HALF_FP_CONFIG: cl_device_info = 0x1033;
pub const CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV: cl_device_info = 0x4000;
pub const CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV: cl_device_info = 0x4001;
pub const CL_DEVICE_REGISTERS_PER_BLOCK_NV: cl_device_info = 0x4002;
pub const CL_DEVICE_WARP_SIZE_NV: cl_device_info = 0x4003;
pub const CL_DEVICE_GPU_OVERLAP_NV: cl_device_info = 0x4004;
pub const CL_DEVICE_KERNEL_EXEC_TIMEOUT_NV: cl_device_info = 0x4005;
pub const CL_DEVICE_INTEGRATED_MEMORY_NV: cl_device_info = 0x4006;
pub const CL_DEVICE_SVM_CAPABILITIES_ARM: cl_device_info = 0x40B6;
pub const CL_DEVICE_SUB_GROUP_SIZES_INTEL: cl_device_info = 0x4108;
pub const CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL: cl_device_info = 0x4190;
pub const CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL: cl_device_info = 0x4191;
pub const CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: cl_device_info = 0x4192;
pub const CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL: cl_device_info = 0x4193;
pub const CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL: cl_device_info = 0x4194;
pub const CL_DEVICE_UUID_KHR: cl_device_info = 0x106A;
pub const CL_DRIVER_UUID_KHR: cl_device_info = 0x106B;
pub const CL_DEVICE_LUID_VALID_KHR: cl_device_info = 0x106C;
pub const CL_DEVICE_LUID_KHR: cl_device_info = 0x106D;
pub const CL_DEVICE_NODE_MASK_KHR: cl_device_info = 0x106E;
pub const CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT: cl_device_info = 0x4230;
pub const CL_DEVICE_NUMERIC_VERSION_KHR: cl_device_info = 0x105E;
pub const CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR: cl_device_info = 0x105F;
pub const CL_DEVICE_EXTENSIONS_WITH_VERSION_KHR: cl_device_info = 0x1060;
pub const CL_DEVICE_ILS_WITH_VERSION_KHR: cl_device_info = 0x1061;
pub const CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION_KHR: cl_device_info = 0x1062;
pub const CL_DEVICE_PCI_BUS_INFO_KHR: cl_device_info = 0x410F;
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR: cl_device_info = 0x1073;
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR: cl_device_info = 0x1074;
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR: cl_device_info =
    0x1075;
pub const CL_DEVICE_SEMAPHORE_TYPES_KHR: cl_device_info = 0x204C;
pub const CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR: cl_device_info = 0x204D;
pub const CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR: cl_device_info = 0x204E;
pub const CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR: cl_device_info = 0x204F;
pub const CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR: cl_device_info =
    0x2052;
pub const CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR: cl_device_info = 0x12A9;
pub const CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR: cl_device_info = 0x129A;
pub const CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR: cl_device_info = 0x12AA;
pub const CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4231;
pub const CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4232;
pub const CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT: cl_device_info = 0x4233;
pub const CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR: cl_device_info = 0x12B0;
pub const CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR: cl_device_info = 0x12AB;
pub const CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR: cl_device_info = 0x12AC;
pub const CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR: cl_device_info = 0x1076;
pub const CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR: cl_device_info = 0x1077;

// cl_platform_info
pub const CL_PLATFORM_ICD_SUFFIX_KHR: cl_platform_info = 0x0920;
pub const CL_PLATFORM_NUMERIC_VERSION_KHR: cl_platform_info = 0x0906;
pub const CL_PLATFORM_EXTENSIONS_WITH_VERSION_KHR: cl_platform_info = 0x0907;
pub const CL_PLATFORM_SEMAPHORE_TYPES_KHR: cl_platform_info = 0x2036;
pub const CL_PLATFORM_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR: cl_platform_info = 0x2037;
pub const CL_PLATFORM_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR: cl_platform_info = 0x2038;
pub const CL_PLATFORM_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR: cl_platform_info = 0x2044;
pub const CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR: cl_platform_info = 0x0908;
pub const CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR: cl_platform_info = 0x0909;

// cl_int
pub const CL_PLATFORM_NOT_FOUND_KHR: cl_int = -1001;
pub const CL_INVALID_SEMAPHORE_KHR: cl_int = -1142;
pub const CL_INVALID_COMMAND_BUFFER_KHR: cl_int = -1138;
pub const CL_INVALID_SYNC_POINT_WAIT_LIST_KHR: cl_int = -1139;
pub const CL_INCOMPATIBLE_COMMAND_QUEUE_KHR: cl_int = -1140;
pub const CL_INVALID_MUTABLE_COMMAND_KHR: cl_int = -1141;

// cl_context_properties
pub const CL_CONTEXT_MEMORY_INITIALIZE_KHR: cl_context_properties = 0x2030;
pub const CL_PRINTF_CALLBACK_ARM: cl_context_properties = 0x40B0;
pub const CL_PRINTF_BUFFERSIZE_ARM: cl_context_properties = 0x40B1;

// cl_context_memory_initialize_khr
pub const CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR: cl_context_memory_initialize_khr = 1 << 0;
pub const CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR: cl_context_memory_initialize_khr = 1 << 1;

// cl_queue_properties
pub const CL_QUEUE_PRIORITY_KHR: cl_queue_properties = 0x1096;
pub const CL_QUEUE_THROTTLE_KHR: cl_queue_properties = 0x1097;

// cl_queue_priority_khr
pub const CL_QUEUE_PRIORITY_HIGH_KHR: cl_queue_priority_khr = 1 << 0;
pub const CL_QUEUE_PRIORITY_MED_KHR: cl_queue_priority_khr = 1 << 1;
pub const CL_QUEUE_PRIORITY_LOW_KHR: cl_queue_priority_khr = 1 << 2;

// cl_queue_throttle_khr
pub const CL_QUEUE_THROTTLE_HIGH_KHR: cl_queue_throttle_khr = 1 << 0;
pub const CL_QUEUE_THROTTLE_MED_KHR: cl_queue_throttle_khr = 1 << 1;
pub const CL_QUEUE_THROTTLE_LOW_KHR: cl_queue_throttle_khr = 1 << 2;

// cl_import_properties_arm
pub const CL_IMPORT_TYPE_ARM: cl_import_properties_arm = 0x40B2;
pub const CL_IMPORT_TYPE_DMA_BUF_ARM: cl_import_properties_arm = 0x40B4;
pub const CL_IMPORT_DMA_BUF_DATA_CONSISTENCY_WITH_HOST_ARM: cl_import_properties_arm = 0x41E3;
pub const CL_IMPORT_TYPE_HOST_ARM: cl_import_properties_arm = 0x40B3;
pub const CL_IMPORT_TYPE_ANDROID_HARDWARE_BUFFER_ARM: cl_import_properties_arm = 0x41E2;
pub const CL_IMPORT_ANDROID_HARDWARE_BUFFER_PLANE_INDEX_ARM: cl_import_properties_arm = 0x41EF;
pub const CL_IMPORT_ANDROID_HARDWARE_BUFFER_LAYER_INDEX_ARM: cl_import_properties_arm = 0x41F0;

// sizes
pub const CL_IMPORT_MEMORY_WHOLE_ALLOCATION_ARM: usize = usize::MAX;

// cl_mem_info
pub const CL_MEM_USES_SVM_POINTER_ARM: cl_mem_info = 0x40B7;
pub const CL_MEM_DEVICE_ADDRESS_EXT: cl_mem_info = 0x5001;

// cl_kernel_exec_info_arm
pub const CL_KERNEL_EXEC_INFO_SVM_PTRS_ARM: cl_kernel_exec_info_arm = 0x40B8;
pub const CL_KERNEL_EXEC_INFO_SVM_FINE_GRAIN_SYSTEM_ARM: cl_kernel_exec_info_arm = 0x40B9;

// cl_command_type
pub const CL_COMMAND_SVM_FREE_ARM: cl_command_type = 0x40BA;
pub const CL_COMMAND_SVM_MEMCPY_ARM: cl_command_type = 0x40BB;
pub const CL_COMMAND_SVM_MEMFILL_ARM: cl_command_type = 0x40BC;
pub const CL_COMMAND_SVM_MAP_ARM: cl_command_type = 0x40BD;
pub const CL_COMMAND_SVM_UNMAP_ARM: cl_command_type = 0x40BE;
pub const CL_COMMAND_MEMFILL_INTEL: cl_command_type = 0x4204;
pub const CL_COMMAND_MEMCPY_INTEL: cl_command_type = 0x4205;
pub const CL_COMMAND_MIGRATEMEM_INTEL: cl_command_type = 0x4206;
pub const CL_COMMAND_MEMADVISE_INTEL: cl_command_type = 0x4207;
pub const CL_COMMAND_SEMAPHORE_WAIT_KHR: cl_command_type = 0x2042;
pub const CL_COMMAND_SEMAPHORE_SIGNAL_KHR: cl_command_type = 0x2043;
pub const CL_COMMAND_ACQUIRE_EXTERNAL_MEM_OBJECTS_KHR: cl_command_type = 0x2047;
pub const CL_COMMAND_RELEASE_EXTERNAL_MEM_OBJECTS_KHR: cl_command_type = 0x2048;
pub const CL_COMMAND_COMMAND_BUFFER_KHR: cl_command_type = 0x12A8;

// cl_device_svm_capabilities_arm
pub const CL_DEVICE_SVM_COARSE_GRAIN_BUFFER_ARM: cl_device_svm_capabilities_arm = 1 << 0;
pub const CL_DEVICE_SVM_FINE_GRAIN_BUFFER_ARM: cl_device_svm_capabilities_arm = 1 << 1;
pub const CL_DEVICE_SVM_FINE_GRAIN_SYSTEM_ARM: cl_device_svm_capabilities_arm = 1 << 2;
pub const CL_DEVICE_SVM_ATOMICS_ARM: cl_device_svm_capabilities_arm = 1 << 3;

// cl_svm_mem_flags_arm
pub const CL_MEM_SVM_FINE_GRAIN_BUFFER_ARM: cl_svm_mem_flags_arm = 1 << 10;
pub const CL_MEM_SVM_ATOMICS_ARM: cl_svm_mem_flags_arm = 1 << 11;

// cl_kernel_work_group_info
pub const CL_KERNEL_SPILL_MEM_SIZE_INTEL: cl_kernel_work_group_info = 0x4109;

// cl_kernel_sub_group_info
pub const CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL: cl_kernel_sub_group_info = 0x410A;

// miscellaneous
pub const CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL: cl_uint = 1 << 0;
pub const CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL: cl_uint = 1 << 1;
pub const CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL: cl_uint = 1 << 2;
pub const CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL: cl_uint = 1 << 3;
pub const CL_MEM_ALLOC_TYPE_INTEL: cl_uint = 0x419A;
pub const CL_MEM_ALLOC_BASE_PTR_INTEL: cl_uint = 0x419B;
pub const CL_MEM_ALLOC_SIZE_INTEL: cl_uint = 0x419C;
pub const CL_MEM_ALLOC_DEVICE_INTEL: cl_uint = 0x419D;
pub const CL_UUID_SIZE_KHR: cl_uint = 16;
pub const CL_LUID_SIZE_KHR: cl_uint = 8;
pub const CL_VERSION_MAJOR_BITS_KHR: cl_uint = 10;
pub const CL_VERSION_MINOR_BITS_KHR: cl_uint = 10;
pub const CL_VERSION_PATCH_BITS_KHR: cl_uint = 12;
pub const CL_NAME_VERSION_MAX_NAME_SIZE_KHR: cl_uint = 64;
pub const CL_SEMAPHORE_TYPE_BINARY_KHR: cl_uint = 1;

// cl_mem_properties_intel
pub const CL_MEM_ALLOC_FLAGS_INTEL: cl_mem_properties_intel = 0x4195;

// cl_mem_alloc_flags_intel
pub const CL_MEM_ALLOC_WRITE_COMBINED_INTEL: cl_mem_alloc_flags_intel = 1 << 0;
pub const CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL: cl_mem_alloc_flags_intel = 1 << 1;
pub const CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL: cl_mem_alloc_flags_intel = 1 << 2;

// cl_unified_shared_memory_type_intel
pub const CL_MEM_TYPE_UNKNOWN_INTEL: cl_unified_shared_memory_type_intel = 0x4196;
pub const CL_MEM_TYPE_HOST_INTEL: cl_unified_shared_memory_type_intel = 0x4197;
pub const CL_MEM_TYPE_DEVICE_INTEL: cl_unified_shared_memory_type_intel = 0x4198;
pub const CL_MEM_TYPE_SHARED_INTEL: cl_unified_shared_memory_type_intel = 0x4199;

// cl_kernel_exec_info
pub const CL_KERNEL_EXEC_INFO_INDIRECT_HOST_ACCESS_INTEL: cl_kernel_exec_info = 0x4200;
pub const CL_KERNEL_EXEC_INFO_INDIRECT_DEVICE_ACCESS_INTEL: cl_kernel_exec_info = 0x4201;
pub const CL_KERNEL_EXEC_INFO_INDIRECT_SHARED_ACCESS_INTEL: cl_kernel_exec_info = 0x4202;
pub const CL_KERNEL_EXEC_INFO_USM_PTRS_INTEL: cl_kernel_exec_info = 0x4203;
pub const CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT: cl_kernel_exec_info = 0x5002;
pub const CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR: cl_kernel_exec_info = 0x11BB;

// cl_device_integer_dot_product_capabilities_khr
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR:
    cl_device_integer_dot_product_capabilities_khr = 1 << 1;
pub const CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR:
    cl_device_integer_dot_product_capabilities_khr = 1 << 0;

// cl_semaphore_info_khr
pub const CL_SEMAPHORE_CONTEXT_KHR: cl_semaphore_info_khr = 0x2039;
pub const CL_SEMAPHORE_REFERENCE_COUNT_KHR: cl_semaphore_info_khr = 0x203A;
pub const CL_SEMAPHORE_PROPERTIES_KHR: cl_semaphore_info_khr = 0x203B;
pub const CL_SEMAPHORE_PAYLOAD_KHR: cl_semaphore_info_khr = 0x203C;
pub const CL_SEMAPHORE_TYPE_KHR: cl_semaphore_info_khr = 0x203D;
pub const CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR: cl_semaphore_info_khr = 0x2053;
pub const CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR: cl_semaphore_info_khr = 0;
pub const CL_SEMAPHORE_EXPORTABLE_KHR: cl_semaphore_info_khr = 0x2054;

// cl_semaphore_properties_khr
pub const CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR: cl_semaphore_properties_khr = 0x203F;
pub const CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR: cl_semaphore_properties_khr = 0;

// cl_external_semaphore_handle_type_khr
pub const CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR: cl_external_semaphore_handle_type_khr = 0x2055;
pub const CL_SEMAPHORE_HANDLE_SYNC_FD_KHR: cl_external_semaphore_handle_type_khr = 0x2058;

// cl_mem_properties
pub const CL_MEM_DEVICE_HANDLE_LIST_KHR: cl_mem_properties = 0x2051;
pub const CL_MEM_DEVICE_HANDLE_LIST_END_KHR: cl_mem_properties = 0;
pub const CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT: cl_mem_properties = 0x5000;

// cl_external_memory_handle_type_khr
pub const CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR: cl_external_memory_handle_type_khr = 0x2067;
pub const CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR: cl_external_memory_handle_type_khr = 0x2060;

// cl_device_command_buffer_capabilities_khr
pub const CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR:
    cl_device_command_buffer_capabilities_khr = 1 << 0;
pub const CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR:
    cl_device_command_buffer_capabilities_khr = 1 << 1;
pub const CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR:
    cl_device_command_buffer_capabilities_khr = 1 << 2;
pub const CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR:
    cl_device_command_buffer_capabilities_khr = 1 << 4;

// cl_command_buffer_properties_khr
pub const CL_COMMAND_BUFFER_FLAGS_KHR: cl_command_buffer_properties_khr = 0x1293;
pub const CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR: cl_command_buffer_properties_khr = 0x12B7;

// cl_command_buffer_info_khr
pub const CL_COMMAND_BUFFER_QUEUES_KHR: cl_command_buffer_info_khr = 0x1294;
pub const CL_COMMAND_BUFFER_NUM_QUEUES_KHR: cl_command_buffer_info_khr = 0x1295;
pub const CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR: cl_command_buffer_info_khr = 0x1296;
pub const CL_COMMAND_BUFFER_STATE_KHR: cl_command_buffer_info_khr = 0x1297;
pub const CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR: cl_command_buffer_info_khr = 0x1298;
pub const CL_COMMAND_BUFFER_CONTEXT_KHR: cl_command_buffer_info_khr = 0x1299;

// cl_command_buffer_state_khr
pub const CL_COMMAND_BUFFER_STATE_RECORDING_KHR: cl_command_buffer_state_khr = 0;
pub const CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR: cl_command_buffer_state_khr = 1;
pub const CL_COMMAND_BUFFER_STATE_FINALIZED_KHR: cl_command_buffer_state_khr = 2;

// cl_device_fp_atomic_capabilities_ext
pub const CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT: cl_device_fp_atomic_capabilities_ext = 1 << 0;
pub const CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT: cl_device_fp_atomic_capabilities_ext = 1 << 1;
pub const CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT: cl_device_fp_atomic_capabilities_ext = 1 << 2;
pub const CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT: cl_device_fp_atomic_capabilities_ext = 1 << 16;
pub const CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT: cl_device_fp_atomic_capabilities_ext = 1 << 17;
pub const CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT: cl_device_fp_atomic_capabilities_ext = 1 << 18;

// cl_image_requirements_info_ext
pub const CL_IMAGE_REQUIREMENTS_BASE_ADDRESS_ALIGNMENT_EXT: cl_image_requirements_info_ext = 0x1292;
pub const CL_IMAGE_REQUIREMENTS_ROW_PITCH_ALIGNMENT_EXT: cl_image_requirements_info_ext = 0x1290;
pub const CL_IMAGE_REQUIREMENTS_SIZE_EXT: cl_image_requirements_info_ext = 0x12B2;
pub const CL_IMAGE_REQUIREMENTS_MAX_WIDTH_EXT: cl_image_requirements_info_ext = 0x12B3;
pub const CL_IMAGE_REQUIREMENTS_MAX_HEIGHT_EXT: cl_image_requirements_info_ext = 0x12B4;
pub const CL_IMAGE_REQUIREMENTS_MAX_DEPTH_EXT: cl_image_requirements_info_ext = 0x12B5;
pub const CL_IMAGE_REQUIREMENTS_MAX_ARRAY_SIZE_EXT: cl_image_requirements_info_ext = 0x12B6;
pub const CL_IMAGE_REQUIREMENTS_SLICE_PITCH_ALIGNMENT_EXT: cl_image_requirements_info_ext = 0x1291;

// cl_command_buffer_flags_khr
pub const CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR: cl_command_buffer_flags_khr = 1 << 0;
pub const CL_COMMAND_BUFFER_MUTABLE_KHR: cl_command_buffer_flags_khr = 1 << 1;
pub const CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR: cl_command_buffer_flags_khr = 1 << 2;

// cl_command_properties_khr
pub const CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR: cl_command_properties_khr = 0x12B1;
pub const CL_MUTABLE_DISPATCH_ASSERTS_KHR: cl_command_properties_khr = 0x12B8;

// cl_mutable_dispatch_fields_khr
pub const CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR: cl_mutable_dispatch_fields_khr = 1 << 0;
pub const CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR: cl_mutable_dispatch_fields_khr = 1 << 1;
pub const CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR: cl_mutable_dispatch_fields_khr = 1 << 2;
pub const CL_MUTABLE_DISPATCH_ARGUMENTS_KHR: cl_mutable_dispatch_fields_khr = 1 << 3;
pub const CL_MUTABLE_DISPATCH_EXEC_INFO_KHR: cl_mutable_dispatch_fields_khr = 1 << 4;

// cl_mutable_command_info_khr
pub const CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR: cl_mutable_command_info_khr = 0x12A0;
pub const CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR: cl_mutable_command_info_khr = 0x12A1;
pub const CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR: cl_mutable_command_info_khr = 0x12AD;
pub const CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR: cl_mutable_command_info_khr = 0x12A2;
pub const CL_MUTABLE_DISPATCH_KERNEL_KHR: cl_mutable_command_info_khr = 0x12A3;
pub const CL_MUTABLE_DISPATCH_DIMENSIONS_KHR: cl_mutable_command_info_khr = 0x12A4;
pub const CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR: cl_mutable_command_info_khr = 0x12A5;
pub const CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR: cl_mutable_command_info_khr = 0x12A6;
pub const CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR: cl_mutable_command_info_khr = 0x12A7;

// cl_command_buffer_update_type_khr
pub const CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR: cl_command_buffer_update_type_khr = 0;

// cl_mutable_dispatch_asserts_khr
pub const CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR:
    cl_mutable_dispatch_asserts_khr = 1 << 0;

// cl_platform_command_buffer_capabilities_khr
pub const CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR:
    cl_platform_command_buffer_capabilities_khr = 1 << 0;
pub const CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR: cl_platform_command_buffer_capabilities_khr =
    1 << 1;
pub const CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR:
    cl_platform_command_buffer_capabilities_khr = 1 << 2;

// cl_device_kernel_clock_capabilities_khr
pub const CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR: cl_device_kernel_clock_capabilities_khr = 1 << 0;
pub const CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR: cl_device_kernel_clock_capabilities_khr =
    1 << 1;
pub const CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR: cl_device_kernel_clock_capabilities_khr =
    1 << 2;

// cl_mem_flags
pub const CL_MEM_IMMUTABLE_EXT: cl_mem_flags = 1 << 6;

// cl_svm_capabilities_khr
pub const CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR: cl_svm_capabilities_khr = 1 << 0;
pub const CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR: cl_svm_capabilities_khr = 1 << 1;
pub const CL_SVM_CAPABILITY_DEVICE_OWNED_KHR: cl_svm_capabilities_khr = 1 << 2;
pub const CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR: cl_svm_capabilities_khr = 1 << 3;
pub const CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR: cl_svm_capabilities_khr = 1 << 4;
pub const CL_SVM_CAPABILITY_HOST_OWNED_KHR: cl_svm_capabilities_khr = 1 << 5;
pub const CL_SVM_CAPABILITY_HOST_READ_KHR: cl_svm_capabilities_khr = 1 << 6;
pub const CL_SVM_CAPABILITY_HOST_WRITE_KHR: cl_svm_capabilities_khr = 1 << 7;
pub const CL_SVM_CAPABILITY_HOST_MAP_KHR: cl_svm_capabilities_khr = 1 << 8;
pub const CL_SVM_CAPABILITY_DEVICE_READ_KHR: cl_svm_capabilities_khr = 1 << 9;
pub const CL_SVM_CAPABILITY_DEVICE_WRITE_KHR: cl_svm_capabilities_khr = 1 << 10;
pub const CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR: cl_svm_capabilities_khr = 1 << 11;
pub const CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR: cl_svm_capabilities_khr = 1 << 12;
pub const CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR: cl_svm_capabilities_khr = 1 << 13;
pub const CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR: cl_svm_capabilities_khr = 1 << 14;

// cl_svm_alloc_properties_khr
pub const CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR: cl_svm_alloc_properties_khr = 0x2078;
pub const CL_SVM_ALLOC_ACCESS_FLAGS_KHR: cl_svm_alloc_properties_khr = 0x2079;
pub const CL_SVM_ALLOC_ALIGNMENT_KHR: cl_svm_alloc_properties_khr = 0x207A;

// cl_svm_alloc_access_flags_khr
pub const CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR: cl_svm_alloc_access_flags_khr = 1 << 0;
pub const CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR: cl_svm_alloc_access_flags_khr = 1 << 1;
pub const CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR: cl_svm_alloc_access_flags_khr = 1 << 8;
pub const CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR: cl_svm_alloc_access_flags_khr = 1 << 9;

// cl_svm_pointer_info_khr
pub const CL_SVM_INFO_TYPE_INDEX_KHR: cl_svm_pointer_info_khr = 0x2088;
pub const CL_SVM_INFO_CAPABILITIES_KHR: cl_svm_pointer_info_khr = 0x2089;
pub const CL_SVM_INFO_PROPERTIES_KHR: cl_svm_pointer_info_khr = 0x208A;
pub const CL_SVM_INFO_ACCESS_FLAGS_KHR: cl_svm_pointer_info_khr = 0x208B;
pub const CL_SVM_INFO_BASE_PTR_KHR: cl_svm_pointer_info_khr = 0x419B;
pub const CL_SVM_INFO_SIZE_KHR: cl_svm_pointer_info_khr = 0x419C;
pub const CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR: cl_svm_pointer_info_khr = 0x419D;
