//! clGetDeviceInfo: everything of OpenCL 3.1, in the order of the specification's table.

use std::ffi::c_void;
use std::sync::Arc;

use super::command_buffer::SUPPORTED_QUEUE_PROPERTIES;
use super::device::device_type;
use super::external;
use super::info::{Info, Written, name_version, version};
use super::mutable_command::UPDATABLE_FIELDS;
use super::platform::opencl_version_text;
use super::pointer::Out;
use super::raw::constants::*;
use super::raw::types::*;
use super::{extensions, handle, semaphore, texts, unified_svm, usm};
use crate::compiler::device_queue;
use crate::compiler::features;
use crate::compiler::front::spirv::{self, binary::VERSIONS};
use crate::compiler::pipe;
use crate::compiler::target::Target;
use crate::runtime::gpu::device::Device;
use crate::runtime::gpu::facts::DeviceType;
use crate::runtime::gpu::nvidia;
use crate::runtime::launch::printf;
use crate::runtime::memory::allocations::Kind;
use crate::runtime::memory::image::limits;
use crate::runtime::memory::usm::{has, has_host_atomics};
use crate::runtime::platform::Platform;
use crate::runtime::program::binary;
use crate::runtime::support::error::{ClError, ClResult};
use crate::runtime::support::threads::is_over;
use crate::runtime::support::version::{NAME, VERSION};

/// Versions of OpenCL C that the devices of all versions of OpenCL have.
const OPENCL_C_VERSIONS: [(u32, u32); 3] = [(1, 0), (1, 1), (1, 2)];

pub fn get_device_info(
    device: cl_device_id,
    param_name: cl_device_info,
    param_value_size: usize,
    param_value: *mut c_void,
    param_value_size_ret: Out<usize>,
) -> ClResult {
    // CL_INVALID_DEVICE if device is not valid.
    let object = handle::get(device)?;
    let out = Info::new(param_value_size, param_value, param_value_size_ret);
    device_info(&object, param_name, out).map(Written::done)
}

// A constant of the registry has a small letter in its name.
#[allow(non_upper_case_globals)]
fn device_info(device: &Arc<Device>, name: cl_device_info, out: Info) -> ClResult<Written> {
    let facts = device.facts();
    let target = device.target();
    match name {
        CL_DEVICE_TYPE => out.value(device_type(device)),
        CL_DEVICE_VENDOR_ID => out.value(facts.vendor_id),
        CL_DEVICE_MAX_COMPUTE_UNITS => out.value(facts.compute_units.max(1)),
        CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS => out.value::<cl_uint>(3),
        CL_DEVICE_MAX_WORK_ITEM_SIZES => out.value(facts.max_work_item_sizes.map(|n| n as usize)),
        CL_DEVICE_MAX_WORK_GROUP_SIZE => out.value(facts.max_work_group_size as usize),
        // The driver's compiler sees scalars and makes vectors where it can.
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG
        | CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_INT
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG
        | CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT => out.value::<cl_uint>(1),
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE | CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE => {
            out.value(cl_uint::from(target.float64))
        }
        CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF | CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF => {
            out.value(cl_uint::from(target.float16))
        }
        CL_DEVICE_MAX_CLOCK_FREQUENCY => out.value(device.max_clock()),
        CL_DEVICE_ADDRESS_BITS => out.value::<cl_uint>(64),
        CL_DEVICE_MAX_MEM_ALLOC_SIZE => out.value(facts.max_alloc_size),

        // Images are memory. Alignments are in texels.
        CL_DEVICE_IMAGE_SUPPORT => out.flag(true),
        CL_DEVICE_MAX_READ_IMAGE_ARGS => out.value(limits::READ_ARGS),
        CL_DEVICE_MAX_WRITE_IMAGE_ARGS | CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS => {
            out.value(limits::WRITE_ARGS)
        }
        CL_DEVICE_MAX_SAMPLERS => out.value(limits::SAMPLERS),
        CL_DEVICE_IMAGE_PITCH_ALIGNMENT | CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT => {
            out.value::<cl_uint>(1)
        }
        CL_DEVICE_IMAGE2D_MAX_WIDTH | CL_DEVICE_IMAGE2D_MAX_HEIGHT => {
            out.value(limits::size_2d(facts.max_alloc_size))
        }
        CL_DEVICE_IMAGE3D_MAX_WIDTH
        | CL_DEVICE_IMAGE3D_MAX_HEIGHT
        | CL_DEVICE_IMAGE3D_MAX_DEPTH => out.value(limits::SIZE_3D),
        CL_DEVICE_IMAGE_MAX_BUFFER_SIZE => out.value(limits::buffer_size(facts.max_alloc_size)),
        CL_DEVICE_IMAGE_MAX_ARRAY_SIZE => out.value(limits::ARRAY_SIZE),

        CL_DEVICE_IL_VERSION => {
            let versions = VERSIONS.map(|(major, minor)| format!("SPIR-V_{major}.{minor}"));
            out.text(&versions.join(" "))
        }
        CL_DEVICE_ILS_WITH_VERSION => {
            let one = |(major, minor)| {
                name_version("SPIR-V", version(u32::from(major), u32::from(minor), 0))
            };
            out.list(&VERSIONS.map(one))
        }
        CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS => {
            out.list(&spirv::INSTRUCTION_SETS.map(|name| name.as_ptr().cast_mut()))
        }
        CL_DEVICE_SPIRV_EXTENSIONS => {
            let names = spirv::extensions(target).into_iter();
            out.list(
                &names
                    .map(|name| name.as_ptr().cast_mut())
                    .collect::<Vec<_>>(),
            )
        }
        CL_DEVICE_SPIRV_CAPABILITIES => out.list(&spirv::capabilities(target)),
        // No device has built-in kernels.
        CL_DEVICE_BUILT_IN_KERNELS => out.text(""),
        CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION => out.list::<cl_name_version>(&[]),

        // Every device has pipes.
        CL_DEVICE_PIPE_SUPPORT => out.flag(true),
        CL_DEVICE_MAX_PIPE_ARGS => out.value(pipe::MAX_PIPE_ARGS),
        CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS => out.value(pipe::MAX_ACTIVE_RESERVATIONS),
        CL_DEVICE_PIPE_MAX_PACKET_SIZE => out.value(pipe::MAX_PACKET_SIZE),

        CL_DEVICE_MAX_PARAMETER_SIZE => out.value(target.max_parameter_size as usize),
        CL_DEVICE_MEM_BASE_ADDR_ALIGN => out.value(facts.mem_base_align_bits.max(1024)),
        // The largest type is long16.
        CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE => out.value::<cl_uint>(128),

        CL_DEVICE_SINGLE_FP_CONFIG => out.value(
            CL_FP_ROUND_TO_NEAREST
                | CL_FP_INF_NAN
                | denorms(target.denorm_preserve32, target.keeps_denorms32)
                | if target.fused_fma { CL_FP_FMA } else { 0 }
                | if target.correctly_rounds_divide_sqrt() {
                    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT
                } else {
                    0
                },
        ),
        // What the specification requires of double precision, if the device has it. Denormals are missing if the driver is known to lose
        // them.
        CL_DEVICE_DOUBLE_FP_CONFIG => out.value(match target.float64 {
            true => {
                CL_FP_FMA
                    | CL_FP_ROUND_TO_NEAREST
                    | CL_FP_ROUND_TO_ZERO
                    | CL_FP_ROUND_TO_INF
                    | CL_FP_INF_NAN
                    | denorms(target.denorm_preserve64, target.keeps_denorms64)
            }
            false => 0,
        }),
        CL_DEVICE_HALF_FP_CONFIG => out.value(match target.float16 {
            true => {
                CL_FP_ROUND_TO_NEAREST
                    | CL_FP_INF_NAN
                    | denorms(target.denorm_preserve16, target.keeps_denorms16)
            }
            false => 0,
        }),

        // Vulkan does not report caches. A cache whose size is not known is reported as none.
        CL_DEVICE_GLOBAL_MEM_CACHE_TYPE => out.value(match device.data_cache() {
            Some(_) => CL_READ_WRITE_CACHE,
            None => CL_NONE,
        }),
        CL_DEVICE_GLOBAL_MEM_CACHE_SIZE => {
            out.value(device.data_cache().map_or(0, |cache| cache.size))
        }
        CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE => out.value(device.cache_line()),
        CL_DEVICE_GLOBAL_MEM_SIZE => out.value(facts.global_mem_size),
        // Constant memory is global memory, but programs that fill it count its elements by an `int`.
        CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE => out.value(facts.max_alloc_size.min(1 << 31)),
        CL_DEVICE_MAX_CONSTANT_ARGS => out.value::<cl_uint>(128),
        // The variables of a program are in one buffer, so no size is better than another.
        CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE | CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE => {
            out.value(features::MAX_GLOBAL_VARIABLE_SIZE as usize)
        }
        CL_DEVICE_LOCAL_MEM_TYPE => out.value(match facts.device_type {
            DeviceType::Cpu => CL_GLOBAL,
            DeviceType::Gpu | DeviceType::Accelerator => CL_LOCAL,
        }),
        CL_DEVICE_LOCAL_MEM_SIZE => out.value(facts.local_mem_size),
        CL_DEVICE_ERROR_CORRECTION_SUPPORT => out.flag(false),
        CL_DEVICE_HOST_UNIFIED_MEMORY => out.flag(facts.unified_memory),
        CL_DEVICE_PROFILING_TIMER_RESOLUTION => out.value(facts.timer_resolution as usize),
        CL_DEVICE_ENDIAN_LITTLE => out.flag(cfg!(target_endian = "little")),
        CL_DEVICE_AVAILABLE => out.flag(!is_over() && device.open().is_ok()),
        CL_DEVICE_COMPILER_AVAILABLE | CL_DEVICE_LINKER_AVAILABLE => out.flag(true),
        CL_DEVICE_EXECUTION_CAPABILITIES => out.value(match facts.native_kernels {
            true => CL_EXEC_KERNEL | CL_EXEC_NATIVE_KERNEL,
            false => CL_EXEC_KERNEL,
        }),
        CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR => out.value(
            CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR
                | CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR
                | CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR
                | CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR,
        ),
        // Devices wait for one another on the host.
        CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR => out.value::<cl_uint>(1),
        CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR => out.list(&[handle::of(device)]),
        CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR => out.value(UPDATABLE_FIELDS),
        CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR => {
            out.value(queue_properties(device) & SUPPORTED_QUEUE_PROPERTIES)
        }
        CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR => out.value::<cl_bitfield>(0),
        CL_DEVICE_QUEUE_ON_HOST_PROPERTIES => out.value(queue_properties(device)),

        CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES => out.value(queue_properties(device)),
        CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES => {
            out.value(CL_DEVICE_QUEUE_SUPPORTED | CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT)
        }
        CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE => {
            out.value(device_queue::preferred_size(facts.max_alloc_size))
        }
        CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE => {
            out.value(device_queue::max_size(facts.max_alloc_size))
        }
        CL_DEVICE_MAX_ON_DEVICE_QUEUES => out.value(device_queue::MAX_QUEUES),
        CL_DEVICE_MAX_ON_DEVICE_EVENTS => out.value(device_queue::MAX_EVENTS),

        CL_DEVICE_PLATFORM => {
            let platform = Platform::get().ok_or(ClError::INVALID_DEVICE)?;
            out.value(handle::of(platform))
        }
        CL_DEVICE_NAME => out.text(&texts::name(&facts.name)),
        CL_DEVICE_VENDOR => out.text(&facts.vendor),
        CL_DRIVER_VERSION => {
            let caps = device.caps();
            out.text(&texts::driver_version(
                &binary::version(target),
                &caps.driver_name,
                &caps.driver_info,
            ))
        }
        CL_DEVICE_PROFILE => out.text(match target.is_embedded() {
            true => "EMBEDDED_PROFILE",
            false => "FULL_PROFILE",
        }),
        CL_DEVICE_VERSION => out.text(&opencl_version_text(target.opencl_version())),
        CL_DEVICE_NUMERIC_VERSION => {
            let (major, minor) = target.opencl_version();
            out.value(version(major, minor, 0))
        }
        CL_DEVICE_OPENCL_C_VERSION => out.text(&format!("OpenCL C 1.2 {NAME} {VERSION}")),
        CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR => out.value(version(1, 2, 0)),
        // What -cl-std=CLC++ is; CLC++2021 is newer.
        CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT => out.value(version(1, 0, 0)),
        CL_DEVICE_OPENCL_C_ALL_VERSIONS => {
            let second = features::missing_in_20(target).is_empty();
            // 3.0, and 3.1 where the device is of OpenCL 3.1.
            let (_, minor) = target.opencl_version();
            let newer = (0..=minor).map(|minor| (3, minor));
            let all = OPENCL_C_VERSIONS.into_iter();
            let all = all.chain(second.then_some((2, 0))).chain(newer);
            let rows = all.map(|(major, minor)| name_version("OpenCL C", version(major, minor, 0)));
            out.list(&rows.collect::<Vec<_>>())
        }
        CL_DEVICE_OPENCL_C_FEATURES => {
            let rows = features::supported(features::FEATURES, target).map(|row| {
                let (major, minor, patch) = row.version;
                name_version(row.name, version(major, minor, patch))
            });
            out.list(&rows.collect::<Vec<_>>())
        }
        CL_DEVICE_EXTENSIONS => out.names(&extensions::names(&extensions::of_device(device))),
        CL_DEVICE_EXTENSIONS_WITH_VERSION => {
            out.list(&extensions::with_versions(&extensions::of_device(device)))
        }
        CL_DEVICE_PRINTF_BUFFER_SIZE => out.value(printf::BUFFER_SIZE as usize),
        CL_DEVICE_PREFERRED_INTEROP_USER_SYNC => out.flag(true),

        // Sub-devices: not supported.
        CL_DEVICE_PARENT_DEVICE => out.value::<cl_device_id>(std::ptr::null_mut()),
        CL_DEVICE_PARTITION_MAX_SUB_DEVICES => out.value::<cl_uint>(0),
        CL_DEVICE_PARTITION_PROPERTIES | CL_DEVICE_PARTITION_TYPE => {
            out.value::<cl_device_partition_property>(0)
        }
        CL_DEVICE_PARTITION_AFFINITY_DOMAIN => out.value::<cl_bitfield>(0),
        // The count of a root-level device is always 1.
        CL_DEVICE_REFERENCE_COUNT => out.value::<cl_uint>(1),

        // The bits of cl_arm_shared_virtual_memory are the same.
        CL_DEVICE_SVM_CAPABILITIES | CL_DEVICE_SVM_CAPABILITIES_ARM => {
            let bit = |kind, bit| if has(device, kind) { bit } else { 0 };
            let coarse = bit(Kind::Coarse, CL_DEVICE_SVM_COARSE_GRAIN_BUFFER);
            let atomics = if has_host_atomics(device) {
                CL_DEVICE_SVM_ATOMICS
            } else {
                0
            };
            out.value(coarse | bit(Kind::Fine, CL_DEVICE_SVM_FINE_GRAIN_BUFFER) | atomics)
        }
        // 0: atomics need their natural alignment.
        CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT
        | CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT
        | CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT => out.value::<cl_uint>(0),

        CL_DEVICE_MAX_NUM_SUB_GROUPS => out.value(match target.subgroups {
            true => facts.max_sub_groups,
            false => 0,
        }),
        // Vulkan guarantees none. Elsewhere the feature is offered but cl_khr_subgroups, which needs it, is not.
        CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS => {
            out.flag(target.subgroups && target.forward_progress)
        }

        // Every device has the minimum that the specification requires.
        CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES => out.value(
            CL_DEVICE_ATOMIC_ORDER_RELAXED
                | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP
                | ordered_atomics(target),
        ),
        CL_DEVICE_ATOMIC_FENCE_CAPABILITIES => out.value(
            CL_DEVICE_ATOMIC_ORDER_RELAXED
                | CL_DEVICE_ATOMIC_ORDER_ACQ_REL
                | CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM
                | CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP
                | ordered_atomics(target),
        ),
        CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT => out.flag(true),
        CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT
        | CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT => out.flag(true),
        CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE => {
            out.value(facts.subgroup_size.max(1) as usize)
        }
        // No version has passed the conformance tests.
        CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED => out.text("v0000-01-01-00"),

        CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR => out.value(
            CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR
                | CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR,
        ),
        CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_8BIT_KHR
        | CL_DEVICE_INTEGER_DOT_PRODUCT_ACCELERATION_PROPERTIES_4x8BIT_PACKED_KHR => {
            let fast = facts.dot_accelerated.map(cl_bool::from);
            out.value(cl_device_integer_dot_product_acceleration_properties {
                signed_accelerated: fast[0],
                unsigned_accelerated: fast[1],
                mixed_signedness_accelerated: fast[2],
                accumulating_saturating_signed_accelerated: fast[3],
                accumulating_saturating_unsigned_accelerated: fast[4],
                accumulating_saturating_mixed_signedness_accelerated: fast[5],
            })
        }
        // cl_intel_required_subgroup_size
        CL_DEVICE_SUB_GROUP_SIZES_INTEL if target.chooses_sub_group_size() => {
            let sizes = target.sub_group_sizes().into_iter();
            out.list(&sizes.map(|n| n as usize).collect::<Vec<_>>())
        }
        // cl_ext_float_atomics: all of the type or nothing.
        CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT => out.value(FLOAT_ATOMICS),
        CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT => {
            out.value(match features::double_atomics(target) {
                true => FLOAT_ATOMICS,
                false => 0,
            })
        }
        CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT => {
            out.value(match features::half_atomics(target) {
                true => FLOAT_ATOMICS,
                false => 0,
            })
        }
        // cl_khr_kernel_clock, offered only with one of the clocks.
        CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR => {
            let device = match target.device_clock {
                true => {
                    CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR
                        | CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR
                }
                false => 0,
            };
            out.value(match target.has_sub_group_clock() {
                true => device | CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR,
                false => device,
            })
        }

        // cl_khr_device_uuid.
        CL_DEVICE_UUID_KHR => out.value(facts.device_uuid),
        CL_DRIVER_UUID_KHR => out.value(facts.driver_uuid),
        CL_DEVICE_LUID_VALID_KHR => out.flag(facts.luid.is_some()),
        CL_DEVICE_LUID_KHR => out.value(facts.luid.unwrap_or_default().0),
        CL_DEVICE_NODE_MASK_KHR => out.value(facts.luid.unwrap_or_default().1),
        // cl_khr_external_memory. Images have the pitches that they are created with.
        CL_DEVICE_EXTERNAL_MEMORY_IMPORT_HANDLE_TYPES_KHR
        | CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR
            if facts.imports_fd || facts.imports_dma_buf =>
        {
            out.list(&external::handles(std::iter::once(device)))
        }
        CL_DEVICE_SEMAPHORE_TYPES_KHR => out.list(&semaphore::TYPES),
        CL_DEVICE_SEMAPHORE_IMPORT_HANDLE_TYPES_KHR => {
            let one = std::iter::once(device);
            out.list(&semaphore::handles(one, |able| able.imports))
        }
        CL_DEVICE_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR => {
            let one = std::iter::once(device);
            out.list(&semaphore::handles(one, |able| able.exports))
        }

        // cl_intel_unified_shared_memory.
        CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL
        | CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL => {
            out.value(usm::capabilities(device, name))
        }

        CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR => out.list(&unified_svm::of_device(device)),

        // cl_khr_pci_bus_info, offered only where it is known.
        CL_DEVICE_PCI_BUS_INFO_KHR => {
            let [domain, bus, device, function] = facts.pci.ok_or(ClError::INVALID_VALUE)?;
            out.value(cl_device_pci_bus_info_khr {
                pci_domain: domain,
                pci_bus: bus,
                pci_device: device,
                pci_function: function,
            })
        }
        name => nvidia_info(device, name, out),
    }
}

// The registry lacks three numbers of the extension.
const CL_DEVICE_PCI_BUS_ID_NV: cl_device_info = 0x4008;
const CL_DEVICE_PCI_SLOT_ID_NV: cl_device_info = 0x4009;
const CL_DEVICE_PCI_DOMAIN_ID_NV: cl_device_info = 0x400a;

/// cl_nv_device_attribute_query. CL_INVALID_VALUE for what Vulkan does not tell: whether kernels may run without limit, and
/// the number of engines that copy.
fn nvidia_info(device: &Device, name: cl_device_info, out: Info) -> ClResult<Written> {
    let facts = device.facts();
    let (major, minor) = facts.compute_capability.ok_or(ClError::INVALID_VALUE)?;
    let pci = || facts.pci.ok_or(ClError::INVALID_VALUE);
    match name {
        CL_DEVICE_COMPUTE_CAPABILITY_MAJOR_NV => out.value(major),
        CL_DEVICE_COMPUTE_CAPABILITY_MINOR_NV => out.value(minor),
        CL_DEVICE_REGISTERS_PER_BLOCK_NV => out.value(nvidia::REGISTERS_PER_BLOCK),
        CL_DEVICE_WARP_SIZE_NV => out.value(nvidia::WARP_SIZE),
        // Since Fermi.
        CL_DEVICE_GPU_OVERLAP_NV => out.flag(true),
        CL_DEVICE_INTEGRATED_MEMORY_NV => out.flag(facts.unified_memory),
        CL_DEVICE_PCI_DOMAIN_ID_NV => out.value(pci()?[0]),
        CL_DEVICE_PCI_BUS_ID_NV => out.value(pci()?[1]),
        // Device and function, as in PCI's addresses.
        CL_DEVICE_PCI_SLOT_ID_NV => {
            let [.., slot, function] = pci()?;
            out.value(slot << 3 | function)
        }
        _ => Err(ClError::INVALID_VALUE),
    }
}

/// CL_DEVICE_QUEUE_ON_HOST_PROPERTIES.
pub fn queue_properties(device: &Device) -> cl_command_queue_properties {
    let profiling = match device.facts().profiling {
        true => CL_QUEUE_PROFILING_ENABLE,
        false => 0,
    };
    CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | profiling
}

/// Whether denormals of a width are kept: promised by Vulkan, or known of the driver.
fn denorms(promised: bool, known: bool) -> cl_device_fp_config {
    match promised || known {
        true => CL_FP_DENORM,
        false => 0,
    }
}

const FLOAT_ATOMICS: cl_device_fp_atomic_capabilities_ext =
    CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT
        | CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT
        | CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT
        | CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT
        | CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT
        | CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT;

/// The capabilities of atomics and fences beyond the minimum.
fn ordered_atomics(target: &Target) -> cl_bitfield {
    let all_devices = match target.has_host_atomics() {
        true => CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES,
        false => 0,
    };
    let ordered = match target.ordered_atomics {
        true => {
            CL_DEVICE_ATOMIC_ORDER_ACQ_REL
                | CL_DEVICE_ATOMIC_ORDER_SEQ_CST
                | CL_DEVICE_ATOMIC_SCOPE_DEVICE
        }
        false => 0,
    };
    ordered | all_devices
}
