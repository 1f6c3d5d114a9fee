/* cl_khr_initialize_memory: contexts whose kernels find zeros in private and local memory, their binaries, and those of others. */
#include "check.h"

/* Older headers have the property alone. */
enum { LOCAL_MEMORY = 1, PRIVATE_MEMORY = 2, GROUPS = 64, ITEMS = 16, COUNT = GROUPS * ITEMS, LOCAL = 1024 };

static cl_device_id device;

/* Leaves ones everywhere, then looks. The index that is always 0 keeps compilers from knowing. */
static const char *text =
    "kernel void fill(local int *a, global int *zero, global int *out) {\n"
    "    local int own[1024]; int mine[64];\n"
    "    for (int i = get_local_id(0); i < 1024; i += 16) a[i] = own[i] = -1;\n"
    "    for (int i = 0; i < 64; i++) mine[(i + zero[0]) & 63] = -1;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = a[get_local_id(0)] & own[zero[0]] & mine[zero[0] + 3];\n"
    "}\n"
    "kernel void look(local int *a, global int *zero, global int *out) {\n"
    "    local int own[1024]; int mine[64]; int x;\n"
    "    if (zero[0]) { a[1] = own[1] = x = mine[zero[0]] = 5; }\n"
    "    int seen = x;\n"
    "    for (int i = get_local_id(0); i < 1024; i += 16) seen |= a[i] | own[i];\n"
    "    for (int i = 0; i < 64; i++) seen |= mine[(i + zero[0]) & 63];\n"
    "    out[get_global_id(0)] = seen;\n"
    "}\n";

static cl_context create(cl_context_properties bits) {
    cl_int err;
    const cl_context_properties list[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, bits, 0};
    cl_context context = clCreateContext(list, 1, &device, NULL, NULL, &err);
    NEED(context && err == CL_SUCCESS);
    cl_context_properties got[4];
    size_t size;
    OK(clGetContextInfo(context, CL_CONTEXT_PROPERTIES, sizeof got, got, &size));
    EXPECT(sizeof list, size);
    TRUE(memcmp(got, list, sizeof list) == 0);
    return context;
}

static cl_program build(cl_context context) {
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    NEED(program && clBuildProgram(program, 1, &device, "", NULL, NULL) == CL_SUCCESS);
    return program;
}

static size_t binary_of(cl_program program, unsigned char *bytes, size_t room) {
    size_t size;
    NEED(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL) == CL_SUCCESS);
    NEED(size <= room && clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof bytes, &bytes, NULL) == CL_SUCCESS);
    return size;
}

static cl_program from_binary(cl_context context, const unsigned char *bytes, size_t size, cl_int want) {
    cl_int err, status;
    cl_program program = clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &err);
    EXPECT(want, err);
    EXPECT(want, status);
    if (program) OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    return program;
}

static void launch(cl_context context, cl_program program, const char *name, int want) {
    cl_int err;
    const size_t global = COUNT, local = ITEMS;
    const cl_int zero = 0;
    static cl_int out[COUNT];
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
    cl_mem zeros = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof zero, (void *)&zero, &err);
    cl_mem buffer = clCreateBuffer(context, 0, sizeof out, NULL, &err);
    cl_kernel kernel = clCreateKernel(program, name, &err);
    NEED(queue && zeros && buffer && kernel);
    OK(clSetKernelArg(kernel, 0, LOCAL * sizeof(cl_int), NULL));
    OK(clSetKernelArg(kernel, 1, sizeof zeros, &zeros));
    OK(clSetKernelArg(kernel, 2, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    int wrong = 0;
    for (int i = 0; i < COUNT; i++) wrong += out[i] != want;
    EXPECT(0, wrong);
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(zeros));
    OK(clReleaseCommandQueue(queue));
}

int main(void) {
    cl_platform_id platform = check_platform();
    NEED(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
    char extensions[8192];
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    TRUE(strstr(extensions, "cl_khr_initialize_memory") != NULL);

    cl_int err;
    const cl_context_properties unknown[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 4, 0};
    EXPECT_NULL(CL_INVALID_PROPERTY, clCreateContext(unknown, 1, &device, NULL, NULL, &err));
    const cl_context_properties twice[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 1, CL_CONTEXT_MEMORY_INITIALIZE_KHR, 1, 0};
    EXPECT_NULL(CL_INVALID_PROPERTY, clCreateContext(twice, 1, &device, NULL, NULL, &err));

    static unsigned char bytes[4][1 << 20];
    size_t sizes[4];
    /* None, local, private, both. */
    for (cl_context_properties bits = 0; bits < 4; bits++) {
        cl_context context = create(bits);
        cl_program program = build(context);
        sizes[bits] = binary_of(program, bytes[bits], sizeof bytes[bits]);
        launch(context, program, "fill", -1);
        if (bits == 3) launch(context, program, "look", 0);
        OK(clReleaseProgram(program));
        OK(clReleaseContext(context));
    }
    for (int bits = 0; bits < 4; bits++)
        for (int other = 0; other < bits; other++)
            TRUE(sizes[bits] != sizes[other] || memcmp(bytes[bits], bytes[other], sizes[bits]) != 0);

    /* A binary keeps what it was built for, and is not taken for another. */
    cl_context both = create(LOCAL_MEMORY | PRIVATE_MEMORY);
    for (int bits = 0; bits < 3; bits++) from_binary(both, bytes[bits], sizes[bits], CL_INVALID_BINARY);
    cl_program again = from_binary(both, bytes[3], sizes[3], CL_SUCCESS);
    NEED(again);
    launch(both, again, "fill", -1);
    launch(both, again, "look", 0);
    OK(clReleaseProgram(again));

    /* Compiled and linked. */
    cl_program part = clCreateProgramWithSource(both, 1, &text, NULL, &err);
    OK(clCompileProgram(part, 1, &device, "", 0, NULL, NULL, NULL, NULL));
    cl_program linked = clLinkProgram(both, 1, &device, "", 1, &part, NULL, NULL, &err);
    NEED(linked && err == CL_SUCCESS);
    launch(both, linked, "fill", -1);
    launch(both, linked, "look", 0);
    OK(clReleaseProgram(linked));
    OK(clReleaseProgram(part));
    OK(clReleaseContext(both));
    END;
}
