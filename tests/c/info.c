/* Every device query of OpenCL 3.0: it answers, as large as it says, and not into less room. */
#include "check.h"

static const cl_device_info queries[] = {
    CL_DEVICE_TYPE, CL_DEVICE_VENDOR_ID, CL_DEVICE_MAX_COMPUTE_UNITS,
    CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS, CL_DEVICE_MAX_WORK_GROUP_SIZE,
    CL_DEVICE_MAX_WORK_ITEM_SIZES, CL_DEVICE_PREFERRED_VECTOR_WIDTH_CHAR,
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_SHORT, CL_DEVICE_PREFERRED_VECTOR_WIDTH_INT,
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_LONG, CL_DEVICE_PREFERRED_VECTOR_WIDTH_FLOAT,
    CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE, CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF,
    CL_DEVICE_NATIVE_VECTOR_WIDTH_CHAR, CL_DEVICE_NATIVE_VECTOR_WIDTH_SHORT,
    CL_DEVICE_NATIVE_VECTOR_WIDTH_INT, CL_DEVICE_NATIVE_VECTOR_WIDTH_LONG,
    CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE,
    CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF, CL_DEVICE_MAX_CLOCK_FREQUENCY,
    CL_DEVICE_ADDRESS_BITS, CL_DEVICE_MAX_MEM_ALLOC_SIZE, CL_DEVICE_IMAGE_SUPPORT,
    CL_DEVICE_MAX_READ_IMAGE_ARGS, CL_DEVICE_MAX_WRITE_IMAGE_ARGS,
    CL_DEVICE_MAX_READ_WRITE_IMAGE_ARGS, CL_DEVICE_IMAGE2D_MAX_WIDTH,
    CL_DEVICE_IMAGE2D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT,
    CL_DEVICE_IMAGE3D_MAX_DEPTH, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE,
    CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, CL_DEVICE_MAX_SAMPLERS, CL_DEVICE_IMAGE_PITCH_ALIGNMENT,
    CL_DEVICE_IMAGE_BASE_ADDRESS_ALIGNMENT, CL_DEVICE_MAX_PIPE_ARGS,
    CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, CL_DEVICE_PIPE_MAX_PACKET_SIZE,
    CL_DEVICE_MAX_PARAMETER_SIZE, CL_DEVICE_MEM_BASE_ADDR_ALIGN,
    CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE, CL_DEVICE_SINGLE_FP_CONFIG,
    CL_DEVICE_DOUBLE_FP_CONFIG, CL_DEVICE_HALF_FP_CONFIG, CL_DEVICE_GLOBAL_MEM_CACHE_TYPE,
    CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE,
    CL_DEVICE_GLOBAL_MEM_SIZE, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE, CL_DEVICE_MAX_CONSTANT_ARGS,
    CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, CL_DEVICE_GLOBAL_VARIABLE_PREFERRED_TOTAL_SIZE,
    CL_DEVICE_LOCAL_MEM_TYPE, CL_DEVICE_LOCAL_MEM_SIZE, CL_DEVICE_ERROR_CORRECTION_SUPPORT,
    CL_DEVICE_HOST_UNIFIED_MEMORY, CL_DEVICE_PROFILING_TIMER_RESOLUTION,
    CL_DEVICE_ENDIAN_LITTLE, CL_DEVICE_AVAILABLE, CL_DEVICE_COMPILER_AVAILABLE,
    CL_DEVICE_LINKER_AVAILABLE, CL_DEVICE_EXECUTION_CAPABILITIES,
    CL_DEVICE_QUEUE_ON_HOST_PROPERTIES, CL_DEVICE_QUEUE_ON_DEVICE_PROPERTIES,
    CL_DEVICE_QUEUE_ON_DEVICE_PREFERRED_SIZE, CL_DEVICE_QUEUE_ON_DEVICE_MAX_SIZE,
    CL_DEVICE_MAX_ON_DEVICE_QUEUES, CL_DEVICE_MAX_ON_DEVICE_EVENTS, CL_DEVICE_PLATFORM,
    CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DRIVER_VERSION, CL_DEVICE_PROFILE, CL_DEVICE_VERSION,
    CL_DEVICE_NUMERIC_VERSION, CL_DEVICE_OPENCL_C_VERSION, CL_DEVICE_OPENCL_C_ALL_VERSIONS,
    CL_DEVICE_OPENCL_C_FEATURES, CL_DEVICE_EXTENSIONS, CL_DEVICE_EXTENSIONS_WITH_VERSION,
    CL_DEVICE_PRINTF_BUFFER_SIZE, CL_DEVICE_PREFERRED_INTEROP_USER_SYNC,
    CL_DEVICE_PARENT_DEVICE, CL_DEVICE_PARTITION_MAX_SUB_DEVICES,
    CL_DEVICE_PARTITION_PROPERTIES, CL_DEVICE_PARTITION_AFFINITY_DOMAIN,
    CL_DEVICE_PARTITION_TYPE, CL_DEVICE_REFERENCE_COUNT, CL_DEVICE_SVM_CAPABILITIES,
    CL_DEVICE_PREFERRED_PLATFORM_ATOMIC_ALIGNMENT, CL_DEVICE_PREFERRED_GLOBAL_ATOMIC_ALIGNMENT,
    CL_DEVICE_PREFERRED_LOCAL_ATOMIC_ALIGNMENT, CL_DEVICE_MAX_NUM_SUB_GROUPS,
    CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS, CL_DEVICE_ATOMIC_MEMORY_CAPABILITIES,
    CL_DEVICE_ATOMIC_FENCE_CAPABILITIES, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT,
    CL_DEVICE_WORK_GROUP_COLLECTIVE_FUNCTIONS_SUPPORT, CL_DEVICE_GENERIC_ADDRESS_SPACE_SUPPORT,
    CL_DEVICE_DEVICE_ENQUEUE_CAPABILITIES, CL_DEVICE_PIPE_SUPPORT,
    CL_DEVICE_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, CL_DEVICE_LATEST_CONFORMANCE_VERSION_PASSED,
    CL_DEVICE_UUID_KHR, CL_DRIVER_UUID_KHR, CL_DEVICE_LUID_VALID_KHR, CL_DEVICE_LUID_KHR,
    CL_DEVICE_NODE_MASK_KHR, CL_DEVICE_IL_VERSION, CL_DEVICE_ILS_WITH_VERSION,
    CL_DEVICE_BUILT_IN_KERNELS, CL_DEVICE_BUILT_IN_KERNELS_WITH_VERSION,
};

static cl_ulong number(cl_device_id device, cl_device_info query) {
    unsigned char bytes[8] = {0};
    size_t size = 0;
    OK(clGetDeviceInfo(device, query, sizeof bytes, bytes, &size));
    cl_ulong value = 0;
    memcpy(&value, bytes, size);
    return value;
}

/* The names of both lists, which must be the same. */
static void extensions(cl_device_id device) {
    static char names[8192];
    static cl_name_version rows[128];
    size_t size;
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof names, names, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS_WITH_VERSION, sizeof rows, rows, &size));
    size_t i = 0;
    for (char *name = strtok(names, " "); name; name = strtok(NULL, " "), i++)
        TRUE(i < size / sizeof rows[0] && !strcmp(rows[i].name, name) && rows[i].version);
    TRUE(i == size / sizeof rows[0]);
}

/* The profile, which the least local memory of the full profile decides, and what goes with it. */
static void profile(cl_device_id device) {
    char name[32], of_platform[32], options[64];
    cl_ulong local;
    cl_int err;
    OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_PROFILE, sizeof name, name, NULL));
    OK(clGetPlatformInfo(check_platform(), CL_PLATFORM_PROFILE, sizeof of_platform, of_platform, NULL));
    int embedded = local < 32 << 10;
    TRUE(!strcmp(name, embedded ? "EMBEDDED_PROFILE" : "FULL_PROFILE"));
    TRUE(!strcmp(of_platform, "FULL_PROFILE"));
    const char *source = "#if EMBEDDED != defined(__EMBEDDED_PROFILE__) || EMBEDDED != defined(cles_khr_int64)\n"
                         "#error\n"
                         "#endif\n"
                         "kernel void k(global long *p) { *p = 1L << 40; }\n";
    snprintf(options, sizeof options, "-DEMBEDDED=%d", embedded);
    cl_context context = check_context(device);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 1, &device, options, NULL, NULL));
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
}

/* Arrays that applications read these texts into: BOINC has 32 bytes for the driver's version. */
static const struct {
    cl_device_info query;
    size_t room;
} arrays[] = {
    {CL_DRIVER_VERSION, 32},  {CL_DEVICE_NAME, 64},    {CL_DEVICE_VENDOR, 64},
    {CL_DEVICE_VERSION, 64},  {CL_DEVICE_PROFILE, 32}, {CL_DEVICE_OPENCL_C_VERSION, 64},
};

static void texts(cl_device_id device) {
    char text[64];
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++) {
        OK(clGetDeviceInfo(device, arrays[i].query, arrays[i].room, text, NULL));
        TRUE(strlen(text) > 0);
        for (const char *c = text; *c; c++) TRUE((unsigned char)*c >= ' ');
    }
    /* Its first number is Caldera's own version, the same as in the device's; what binaries it takes, and the driver's, stand behind. */
    char own[64], version[64];
    OK(clGetDeviceInfo(device, CL_DEVICE_VERSION, sizeof version, version, NULL));
    OK(clGetDeviceInfo(device, CL_DRIVER_VERSION, sizeof text, text, NULL));
    unsigned binaries;
    NEED(sscanf(text, "%63[0-9.]+%4x (", own, &binaries) == 2);
    TRUE(strstr(version, own) && strstr(text, " (") && text[strlen(text) - 1] == ')');
}

/* The number of the line that begins with `key`, behind what separates them; the largest of such lines. */
static double told(const char *path, const char *key) {
    char line[4096];
    double most = 0;
    FILE *file = fopen(path, "r");
    if (!file) return 0;
    while (fgets(line, sizeof line, file)) {
        if (strncmp(line, key, strlen(key))) continue;
        double number = atof(line + strlen(key) + strspn(line + strlen(key), "\t :"));
        if (number > most) most = number;
    }
    fclose(file);
    return most;
}

/* What no device can be without, as Linux tells it of the processor; asked again it is the same. */
static void machine(cl_device_id device) {
    cl_ulong mhz = number(device, CL_DEVICE_MAX_CLOCK_FREQUENCY);
    TRUE(mhz >= 100 && mhz <= 10000);
    TRUE(number(device, CL_DEVICE_MAX_CLOCK_FREQUENCY) == mhz);
    cl_ulong size = number(device, CL_DEVICE_GLOBAL_MEM_CACHE_SIZE);
    cl_ulong line = number(device, CL_DEVICE_GLOBAL_MEM_CACHELINE_SIZE);
    TRUE(number(device, CL_DEVICE_GLOBAL_MEM_CACHE_TYPE) == (size ? CL_READ_WRITE_CACHE : CL_NONE));
    TRUE(line >= 16 && line <= 1024 && !(line & (line - 1)));
    if (number(device, CL_DEVICE_TYPE) != CL_DEVICE_TYPE_CPU) return;
    double known = told("/sys/devices/system/cpu/cpufreq/policy0/cpuinfo_max_freq", "") / 1000;
    if (known == 0) known = told("/proc/cpuinfo", "cpu MHz");
    /* It may have changed, and other processors may be faster. */
    if (known > 0) TRUE(mhz >= known / 4 && mhz <= known * 4);
    double last = 0;
    for (int i = 0; i < 8; i++) {
        char path[100];
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", i);
        double kilobytes = told(path, "");
        if (kilobytes > last) last = kilobytes;
    }
    if (last > 0) TRUE(size == (cl_ulong)last * 1024);
    double bytes = told("/sys/devices/system/cpu/cpu0/cache/index0/coherency_line_size", "");
    if (bytes > 0) TRUE(line == (cl_ulong)bytes);
}

int main(void) {
    cl_device_id device = check_device();
    texts(device);
    profile(device);
    machine(device);
    static char value[16384];
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        size_t size = 99999, again = 99999;
        cl_device_info query = queries[i];
        cl_int code = clGetDeviceInfo(device, query, 0, NULL, &size);
        if (code != CL_SUCCESS || size > sizeof value) {
            printf("query 0x%x: code %d, size %zu\n", query, code, size);
            check_failures++;
            continue;
        }
        memset(value, 0x5a, sizeof value);
        OK(clGetDeviceInfo(device, query, size, value, &again));
        TRUE(size == again && value[size] == 0x5a);
        OK(clGetDeviceInfo(device, query, 0, NULL, NULL));
        if (size > 0)
            EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, query, size - 1, value, NULL));
    }
    EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, 0x0fff, sizeof value, value, NULL));

    /* The minima of the full profile, which hold for every device. */
    TRUE(number(device, CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS) == 3);
    TRUE(number(device, CL_DEVICE_MAX_COMPUTE_UNITS) >= 1);
    TRUE(number(device, CL_DEVICE_MAX_PARAMETER_SIZE) >= 1024);
    TRUE(number(device, CL_DEVICE_MEM_BASE_ADDR_ALIGN) >= 1024);
    TRUE(number(device, CL_DEVICE_MIN_DATA_TYPE_ALIGN_SIZE) >= 128);
    TRUE(number(device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) >= 64 * 1024);
    TRUE(number(device, CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE) <= (cl_ulong)1 << 31);
    TRUE(number(device, CL_DEVICE_MAX_CONSTANT_ARGS) >= 8);
    TRUE(number(device, CL_DEVICE_PRINTF_BUFFER_SIZE) >= 1024 * 1024);
    /* Devices without sub-groups are of OpenCL 3.0. */
    int newest = number(device, CL_DEVICE_MAX_NUM_SUB_GROUPS) > 0;
    EXPECT(CL_MAKE_VERSION(3, newest, 0), number(device, CL_DEVICE_NUMERIC_VERSION));
    TRUE((number(device, CL_DEVICE_SINGLE_FP_CONFIG) & 6) == 6);
    TRUE(number(device, CL_DEVICE_EXECUTION_CAPABILITIES) & CL_EXEC_KERNEL);
    cl_ulong global = number(device, CL_DEVICE_GLOBAL_MEM_SIZE);
    cl_ulong largest = number(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    TRUE(largest <= global);
    TRUE(largest >= (global / 4 < 1u << 30 ? global / 4 : 1u << 30) || largest >= 1u << 30);
    /* The largest image over a buffer, of one byte a texel, and as square of four bytes a texel beyond the least size. */
    TRUE(number(device, CL_DEVICE_IMAGE_MAX_BUFFER_SIZE) <= largest);
    cl_ulong width = number(device, CL_DEVICE_IMAGE2D_MAX_WIDTH);
    TRUE(width <= 16384 || width * width * 4 <= largest);
    /* What is not there says so everywhere. */
    if (!number(device, CL_DEVICE_IMAGE_SUPPORT)) {
        TRUE(number(device, CL_DEVICE_IMAGE2D_MAX_WIDTH) == 0);
        TRUE(number(device, CL_DEVICE_MAX_SAMPLERS) == 0);
    }
    if (!number(device, CL_DEVICE_DOUBLE_FP_CONFIG))
        TRUE(number(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE) == 0);
    extensions(device);
    END;
}
