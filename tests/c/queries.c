/* Every query of every object: its answer has exactly the size of the type that the specification's
   tables name, goes into no less room, and leaves what lies behind alone. */
#include "check.h"

/* cl_khr_spirv_queries, which older headers lack. */
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

/* Of answers whose length is no type's: a multiple of this. */
enum { MANY = 1 << 16 };
#define LIST(type) (MANY + sizeof(type))
#define TEXT (2 * MANY)

struct query {
    cl_uint name;
    size_t size;
};

typedef cl_int (*ask)(void *object, cl_uint name, size_t size, void *value, size_t *size_ret);

static void all(const char *what, ask ask, void *object, const struct query *queries, size_t count) {
    static unsigned char value[MANY];
    for (size_t i = 0; i < count; i++) {
        cl_uint name = queries[i].name;
        size_t size = 99999, again = 99999, type = queries[i].size;
        cl_int code = ask(object, name, 0, NULL, &size);
        int right = type == TEXT   ? size > 0
                    : type >= MANY ? size % (type - MANY) == 0 && size < sizeof value
                                   : size == type;
        if (code != CL_SUCCESS || !right) {
            printf("%s 0x%x: code %d, size %zu, not %zu\n", what, name, code, size, type % MANY);
            check_failures++;
            continue;
        }
        memset(value, 0x5a, sizeof value);
        code = ask(object, name, size + 1, value, &again);
        if (code != CL_SUCCESS || again != size || value[size] != 0x5a) {
            printf("%s 0x%x: code %d, size %zu, then %zu\n", what, name, code, size, again);
            check_failures++;
        }
        if (type == TEXT) TRUE(size > 0 && !value[size - 1] && strlen((char *)value) == size - 1);
        EXPECT(CL_SUCCESS, ask(object, name, 0, NULL, NULL));
        if (size) EXPECT(CL_INVALID_VALUE, ask(object, name, size - 1, value, NULL));
        /* Arrays of a common size get the extensions that they have room for. */
        if (name == CL_DEVICE_EXTENSIONS || name == CL_PLATFORM_EXTENSIONS) {
            OK(ask(object, name, 1024, value, &again));
            TRUE(again <= 1024 && again == strlen((char *)value) + 1);
            OK(ask(object, name, 256, value, &again));
            TRUE(again <= 256 && again == strlen((char *)value) + 1 && strstr((char *)value, "cl_khr_byte_addressable_store"));
            EXPECT(CL_INVALID_VALUE, ask(object, name, 255, value, NULL));
        }
    }
    EXPECT(CL_INVALID_VALUE, ask(object, 0x7fffffff, sizeof value, value, NULL));
}
#define ALL(what, function, object, queries) all(what, function, object, queries, sizeof queries / sizeof *queries)

#define ASK(name, type)                                                                              \
    static cl_int name(void *object, cl_uint query, size_t size, void *value, size_t *size_ret) {     \
        return clGet##type##Info((void *)object, query, size, value, size_ret);                       \
    }
ASK(of_platform, Platform)
ASK(of_device, Device)
ASK(of_context, Context)
ASK(of_queue, CommandQueue)
ASK(of_memory, MemObject)
ASK(of_image, Image)
ASK(of_sampler, Sampler)
ASK(of_program, Program)
ASK(of_kernel, Kernel)
ASK(of_event, Event)
ASK(of_profile, EventProfiling)

static cl_device_id device;

static cl_int of_build(void *object, cl_uint query, size_t size, void *value, size_t *size_ret) {
    return clGetProgramBuildInfo(object, device, query, size, value, size_ret);
}
static cl_int of_argument(void *object, cl_uint query, size_t size, void *value, size_t *size_ret) {
    return clGetKernelArgInfo(object, 0, query, size, value, size_ret);
}
static cl_int of_work_group(void *object, cl_uint query, size_t size, void *value, size_t *size_ret) {
    return clGetKernelWorkGroupInfo(object, device, query, size, value, size_ret);
}
static cl_int of_sub_group(void *object, cl_uint query, size_t size, void *value, size_t *size_ret) {
    size_t input[] = {16, 1, 1};
    size_t given = query == CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT ? sizeof *input : sizeof input;
    int takes = query != CL_KERNEL_MAX_NUM_SUB_GROUPS && query != CL_KERNEL_COMPILE_NUM_SUB_GROUPS;
    return clGetKernelSubGroupInfo(object, device, query, takes ? given : 0, takes ? input : NULL, size,
                                   value, size_ret);
}

#define Q(name, type) {name, sizeof(type)}
#define L(name, type) {name, LIST(type)}
#define T(name) {name, TEXT}

static const struct query platform_queries[] = {
    T(CL_PLATFORM_PROFILE), T(CL_PLATFORM_VERSION), Q(CL_PLATFORM_NUMERIC_VERSION, cl_version),
    T(CL_PLATFORM_NAME), T(CL_PLATFORM_VENDOR), T(CL_PLATFORM_EXTENSIONS),
    L(CL_PLATFORM_EXTENSIONS_WITH_VERSION, cl_name_version), Q(CL_PLATFORM_HOST_TIMER_RESOLUTION, cl_ulong),
    T(CL_PLATFORM_ICD_SUFFIX_KHR),
};
static const struct query device_queries[] = {
    Q(CL_DEVICE_TYPE, cl_device_type), Q(CL_DEVICE_VENDOR_ID, cl_uint),
    Q(CL_DEVICE_MAX_COMPUTE_UNITS, cl_uint), Q(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, cl_uint),
    Q(CL_DEVICE_MAX_WORK_ITEM_SIZES, size_t[3]), Q(CL_DEVICE_MAX_WORK_GROUP_SIZE, size_t),
    Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR, cl_uint), Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, cl_uint),
    Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT, cl_uint), Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, cl_uint),
    Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT, cl_uint), Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, cl_uint),
    Q(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF, cl_uint), Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, cl_uint),
    Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT, cl_uint), Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, cl_uint),
    Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG, cl_uint), Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, cl_uint),
    Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE, cl_uint), Q(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, cl_uint),
    Q(CL_DEVICE_MAX_CLOCK_FREQUENCY, cl_uint), Q(CL_DEVICE_ADDRESS_BITS, cl_uint),
    Q(CL_DEVICE_MAX_MEM_ALLOC_SIZE, cl_ulong), Q(CL_DEVICE_IMAGE_SUPPORT, cl_bool),
    Q(CL_DEVICE_MAX_READ_IMAGE_ARGS, cl_uint), Q(CL_DEVICE_MAX_WRITE_IMAGE_ARGS, cl_uint),
    Q(CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, cl_uint), T(CL_DEVICE_IL_VERSION),
    L(CL_DEVICE_ILS_WITH_VERSION, cl_name_version),
    L(CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, char *), L(CL_DEVICE_SPIRV_EXTENSIONS_KHR, char *),
    L(CL_DEVICE_SPIRV_CAPABILITIES_KHR, cl_uint), Q(CL_DEVICE_IMAGE2D_MAX_WIDTH, size_t),
    Q(CL_DEVICE_IMAGE2D_MAX_HEIGHT, size_t), Q(CL_DEVICE_IMAGE3D_MAX_WIDTH, size_t),
    Q(CL_DEVICE_IMAGE3D_MAX_HEIGHT, size_t), Q(CL_DEVICE_IMAGE3D_MAX_DEPTH, size_t),
    Q(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE, size_t), Q(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, size_t),
    Q(CL_DEVICE_MAX_SAMPLERS, cl_uint), Q(CL_DEVICE_IMAGE_PITCH_ALIGNMENT, cl_uint),
    Q(CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, cl_uint), Q(CL_DEVICE_MAX_PIPE_ARGS, cl_uint),
    Q(CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, cl_uint), Q(CL_DEVICE_PIPE_MAX_PACKET_SIZE, cl_uint),
    Q(CL_DEVICE_MAX_PARAMETER_SIZE, size_t), Q(CL_DEVICE_MEM_BASE_ADDR_ALIGN, cl_uint),
    Q(CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, cl_uint), Q(CL_DEVICE_SINGLE_FP_CONFIG, cl_device_fp_config),
    Q(CL_DEVICE_DOUBLE_FP_CONFIG, cl_device_fp_config), Q(CL_DEVICE_HALF_FP_CONFIG, cl_device_fp_config),
    Q(CL_DEVICE_GLOBAL_MEM_CACHE_TYPE, cl_device_mem_cache_type),
    Q(CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, cl_uint), Q(CL_DEVICE_GLOBAL_MEM_CACHE_SIZE, cl_ulong),
    Q(CL_DEVICE_GLOBAL_MEM_SIZE, cl_ulong), Q(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, cl_ulong),
    Q(CL_DEVICE_MAX_CONSTANT_ARGS, cl_uint), Q(CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, size_t),
    Q(CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE, size_t),
    Q(CL_DEVICE_LOCAL_MEM_TYPE, cl_device_local_mem_type), Q(CL_DEVICE_LOCAL_MEM_SIZE, cl_ulong),
    Q(CL_DEVICE_ERROR_CORRECTION_SUPPORT, cl_bool), Q(CL_DEVICE_HOST_UNIFIED_MEMORY, cl_bool),
    Q(CL_DEVICE_PROFILING_TIMER_RESOLUTION, size_t), Q(CL_DEVICE_ENDIAN_LITTLE, cl_bool),
    Q(CL_DEVICE_AVAILABLE, cl_bool), Q(CL_DEVICE_COMPILER_AVAILABLE, cl_bool),
    Q(CL_DEVICE_LINKER_AVAILABLE, cl_bool), Q(CL_DEVICE_EXECUTION_CAPABILITIES, cl_device_exec_capabilities),
    Q(CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, cl_command_queue_properties),
    Q(CL_DEVICE_QUEUE_PROPERTIES, cl_command_queue_properties),
    Q(CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES, cl_command_queue_properties),
    Q(CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, cl_uint), Q(CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE, cl_uint),
    Q(CL_DEVICE_MAX_ON_DEVICE_QUEUES, cl_uint), Q(CL_DEVICE_MAX_ON_DEVICE_EVENTS, cl_uint),
    T(CL_DEVICE_BUILT_IN_KERNELS), L(CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION, cl_name_version),
    Q(CL_DEVICE_PLATFORM, cl_platform_id), T(CL_DEVICE_NAME), T(CL_DEVICE_VENDOR), T(CL_DRIVER_VERSION),
    T(CL_DEVICE_PROFILE), T(CL_DEVICE_VERSION), Q(CL_DEVICE_NUMERIC_VERSION, cl_version),
    T(CL_DEVICE_OPENCL_C_VERSION), L(CL_DEVICE_OPENCL_C_ALL_VERSIONS, cl_name_version),
    L(CL_DEVICE_OPENCL_C_FEATURES, cl_name_version), T(CL_DEVICE_EXTENSIONS),
    L(CL_DEVICE_EXTENSIONS_WITH_VERSION, cl_name_version), Q(CL_DEVICE_PRINTF_BUFFER_SIZE, size_t),
    Q(CL_DEVICE_PREFERRED_INTEROP_USER_SYNC, cl_bool), Q(CL_DEVICE_PARENT_DEVICE, cl_device_id),
    Q(CL_DEVICE_PARTITION_MAX_SUB_DEVICES, cl_uint),
    L(CL_DEVICE_PARTITION_PROPERTIES, cl_device_partition_property),
    Q(CL_DEVICE_PARTITION_AFFINITY_DOMAIN, cl_device_affinity_domain),
    L(CL_DEVICE_PARTITION_TYPE, cl_device_partition_property), Q(CL_DEVICE_REFERENCE_COUNT, cl_uint),
    Q(CL_DEVICE_SVM_CAPABILITIES, cl_device_svm_capabilities),
    Q(CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, cl_uint),
    Q(CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT, cl_uint),
    Q(CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, cl_uint), Q(CL_DEVICE_MAX_NUM_SUB_GROUPS, cl_uint),
    Q(CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, cl_bool),
    Q(CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES, cl_device_atomic_capabilities),
    Q(CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, cl_device_atomic_capabilities),
    Q(CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, cl_bool),
    Q(CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, cl_bool),
    Q(CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT, cl_bool),
    Q(CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, cl_device_device_enqueue_capabilities),
    Q(CL_DEVICE_PIPE_SUPPORT, cl_bool), Q(CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t),
    T(CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED), Q(CL_DEVICE_UUID_KHR, cl_uchar[16]),
    Q(CL_DRIVER_UUID_KHR, cl_uchar[16]), Q(CL_DEVICE_LUID_VALID_KHR, cl_bool),
    Q(CL_DEVICE_LUID_KHR, cl_uchar[8]), Q(CL_DEVICE_NODE_MASK_KHR, cl_uint),
};
static const struct query context_queries[] = {
    Q(CL_CONTEXT_REFERENCE_COUNT, cl_uint), Q(CL_CONTEXT_NUM_DEVICES, cl_uint),
    Q(CL_CONTEXT_DEVICES, cl_device_id), Q(CL_CONTEXT_PROPERTIES, cl_context_properties[3]),
};
static const struct query queue_queries[] = {
    Q(CL_QUEUE_CONTEXT, cl_context), Q(CL_QUEUE_DEVICE, cl_device_id), Q(CL_QUEUE_REFERENCE_COUNT, cl_uint),
    Q(CL_QUEUE_PROPERTIES, cl_command_queue_properties), Q(CL_QUEUE_PROPERTIES_ARRAY, cl_queue_properties[3]),
    Q(CL_QUEUE_DEVICE_DEFAULT, cl_command_queue),
};
static const struct query memory_queries[] = {
    Q(CL_MEM_TYPE, cl_mem_object_type), Q(CL_MEM_FLAGS, cl_mem_flags), Q(CL_MEM_SIZE, size_t),
    Q(CL_MEM_HOST_PTR, void *), Q(CL_MEM_MAP_COUNT, cl_uint), Q(CL_MEM_REFERENCE_COUNT, cl_uint),
    Q(CL_MEM_CONTEXT, cl_context), Q(CL_MEM_ASSOCIATED_MEMOBJECT, cl_mem), Q(CL_MEM_OFFSET, size_t),
    Q(CL_MEM_USES_SVM_POINTER, cl_bool), L(CL_MEM_PROPERTIES, cl_mem_properties),
};
static const struct query image_queries[] = {
    Q(CL_IMAGE_FORMAT, cl_image_format), Q(CL_IMAGE_ELEMENT_SIZE, size_t), Q(CL_IMAGE_ROW_PITCH, size_t),
    Q(CL_IMAGE_SLICE_PITCH, size_t), Q(CL_IMAGE_WIDTH, size_t), Q(CL_IMAGE_HEIGHT, size_t),
    Q(CL_IMAGE_DEPTH, size_t), Q(CL_IMAGE_ARRAY_SIZE, size_t), Q(CL_IMAGE_BUFFER, cl_mem),
    Q(CL_IMAGE_NUM_MIP_LEVELS, cl_uint), Q(CL_IMAGE_NUM_SAMPLES, cl_uint),
};
static const struct query sampler_queries[] = {
    Q(CL_SAMPLER_REFERENCE_COUNT, cl_uint), Q(CL_SAMPLER_CONTEXT, cl_context),
    Q(CL_SAMPLER_NORMALIZED_COORDS, cl_bool), Q(CL_SAMPLER_ADDRESSING_MODE, cl_addressing_mode),
    Q(CL_SAMPLER_FILTER_MODE, cl_filter_mode), L(CL_SAMPLER_PROPERTIES, cl_sampler_properties),
};
static const struct query program_queries[] = {
    Q(CL_PROGRAM_REFERENCE_COUNT, cl_uint), Q(CL_PROGRAM_CONTEXT, cl_context),
    Q(CL_PROGRAM_NUM_DEVICES, cl_uint), Q(CL_PROGRAM_DEVICES, cl_device_id), T(CL_PROGRAM_SOURCE),
    L(CL_PROGRAM_IL, char), Q(CL_PROGRAM_BINARY_SIZES, size_t), Q(CL_PROGRAM_NUM_KERNELS, size_t),
    T(CL_PROGRAM_KERNEL_NAMES), Q(CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, cl_bool),
    Q(CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT, cl_bool),
};
static const struct query build_queries[] = {
    Q(CL_PROGRAM_BUILD_STATUS, cl_build_status), T(CL_PROGRAM_BUILD_OPTIONS), T(CL_PROGRAM_BUILD_LOG),
    Q(CL_PROGRAM_BINARY_TYPE, cl_program_binary_type), Q(CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, size_t),
};
static const struct query kernel_queries[] = {
    T(CL_KERNEL_FUNCTION_NAME), Q(CL_KERNEL_NUM_ARGS, cl_uint), Q(CL_KERNEL_REFERENCE_COUNT, cl_uint),
    Q(CL_KERNEL_CONTEXT, cl_context), Q(CL_KERNEL_PROGRAM, cl_program), T(CL_KERNEL_ATTRIBUTES),
};
static const struct query argument_queries[] = {
    Q(CL_KERNEL_ARG_ADDRESS_QUALIFIER, cl_kernel_arg_address_qualifier),
    Q(CL_KERNEL_ARG_ACCESS_QUALIFIER, cl_kernel_arg_access_qualifier), T(CL_KERNEL_ARG_TYPE_NAME),
    Q(CL_KERNEL_ARG_TYPE_QUALIFIER, cl_kernel_arg_type_qualifier), T(CL_KERNEL_ARG_NAME),
};
static const struct query work_group_queries[] = {
    Q(CL_KERNEL_WORK_GROUP_SIZE, size_t), Q(CL_KERNEL_COMPILE_WORK_GROUP_SIZE, size_t[3]),
    Q(CL_KERNEL_LOCAL_MEM_SIZE, cl_ulong), Q(CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, size_t),
    Q(CL_KERNEL_PRIVATE_MEM_SIZE, cl_ulong),
};
static const struct query sub_group_queries[] = {
    Q(CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, size_t), Q(CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, size_t),
    Q(CL_KERNEL_MAX_NUM_SUB_GROUPS, size_t), Q(CL_KERNEL_COMPILE_NUM_SUB_GROUPS, size_t),
};
static const struct query event_queries[] = {
    Q(CL_EVENT_COMMAND_QUEUE, cl_command_queue), Q(CL_EVENT_CONTEXT, cl_context),
    Q(CL_EVENT_COMMAND_TYPE, cl_command_type), Q(CL_EVENT_COMMAND_EXECUTION_STATUS, cl_int),
    Q(CL_EVENT_REFERENCE_COUNT, cl_uint),
};
static const struct query profiling_queries[] = {
    Q(CL_PROFILING_COMMAND_QUEUED, cl_ulong), Q(CL_PROFILING_COMMAND_SUBMIT, cl_ulong),
    Q(CL_PROFILING_COMMAND_START, cl_ulong), Q(CL_PROFILING_COMMAND_END, cl_ulong),
    Q(CL_PROFILING_COMMAND_COMPLETE, cl_ulong),
};

int main(void) {
    static const char *source =
        "global int g[4]; kernel void k(global const int *restrict p) { g[get_global_id(0) & 3] = *p; }";
    cl_int err;
    device = check_device();
    cl_platform_id platform = check_platform();
    ALL("platform", of_platform, platform, platform_queries);
    ALL("device", of_device, device, device_queries);
    cl_context_properties properties[] = {CL_CONTEXT_PLATFORM, (cl_context_properties)platform, 0};
    cl_context context = clCreateContext(properties, 1, &device, NULL, NULL, &err);
    NEED(context);
    ALL("context", of_context, context, context_queries);
    cl_queue_properties profiled[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, profiled, &err);
    NEED(queue);
    ALL("queue", of_queue, queue, queue_queries);
    EXPECT(CL_INVALID_COMMAND_QUEUE, clGetCommandQueueInfo(queue, CL_QUEUE_SIZE, 0, NULL, NULL));
    cl_mem buffer = check_buffer(context, 0, 4096);
    cl_buffer_region region = {0, 64};
    cl_mem part = clCreateSubBuffer(buffer, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    ALL("buffer", of_memory, buffer, memory_queries);
    ALL("sub-buffer", of_memory, part, memory_queries);
    cl_bool has_images;
    OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof has_images, &has_images, NULL));
    if (has_images) {
        cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
        cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
        cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &err);
        NEED(image);
        ALL("image", of_memory, image, memory_queries);
        ALL("image", of_image, image, image_queries);
        cl_sampler sampler = clCreateSamplerWithProperties(context, NULL, &err);
        NEED(sampler);
        ALL("sampler", of_sampler, sampler, sampler_queries);
        OK(clReleaseSampler(sampler));
        OK(clReleaseMemObject(image));
    }
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 1, &device, "-cl-std=CL3.0 -cl-kernel-arg-info", NULL, NULL));
    ALL("program", of_program, program, program_queries);
    ALL("build", of_build, program, build_queries);
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    NEED(kernel);
    ALL("kernel", of_kernel, kernel, kernel_queries);
    ALL("argument", of_argument, kernel, argument_queries);
    ALL("work-group", of_work_group, kernel, work_group_queries);
    cl_uint sub_groups;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof sub_groups, &sub_groups, NULL));
    if (sub_groups) ALL("sub-group", of_sub_group, kernel, sub_group_queries);
    cl_event event, user = clCreateUserEvent(context, &err);
    int seven = 7;
    OK(clEnqueueFillBuffer(queue, buffer, &seven, 4, 0, 4096, 0, NULL, &event));
    OK(clFinish(queue));
    ALL("event", of_event, event, event_queries);
    ALL("user event", of_event, user, event_queries);
    ALL("profile", of_profile, event, profiling_queries);
    EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
           clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, 0, NULL, NULL));
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(user));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(part));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
