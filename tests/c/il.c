/* Programs given as SPIR-V: creation, queries, specialization, building, linking with OpenCL C. */
#include "check.h"

/* Assembled from

       OpEntryPoint Kernel %k "scaled" %id
       OpDecorate %factor SpecId 7
       OpDecorate %scale LinkageAttributes "scale" Export
       %factor = OpSpecConstant %uint 3

   and a function `scale`, which multiplies by the factor; the kernel stores scale(its global id). */
static const cl_uint module[] = {
    0x7230203, 0x10000, 0x0, 0x17, 0x0, 0x20011, 0x4, 0x20011,
    0x5, 0x20011, 0x6, 0x20011, 0xb, 0x3000e, 0x2, 0x2,
    0x6000f, 0x6, 0x1, 0x6c616373, 0x6465, 0x2, 0x40047, 0x2,
    0xb, 0x1c, 0x40047, 0x3, 0x1, 0x7, 0x60047, 0x4,
    0x29, 0x6c616373, 0x65, 0x0, 0x20013, 0x5, 0x40015, 0x6,
    0x20, 0x0, 0x40015, 0x7, 0x40, 0x0, 0x40017, 0x8,
    0x7, 0x3, 0x40020, 0x9, 0x1, 0x8, 0x40020, 0xa,
    0x5, 0x6, 0x40021, 0xb, 0x5, 0xa, 0x40021, 0xc,
    0x6, 0x6, 0x40032, 0x6, 0x3, 0x3, 0x4003b, 0x9,
    0x2, 0x1, 0x50036, 0x6, 0x4, 0x0, 0xc, 0x30037,
    0x6, 0xd, 0x200f8, 0xe, 0x50084, 0x6, 0xf, 0xd,
    0x3, 0x200fe, 0xf, 0x10038, 0x50036, 0x5, 0x1, 0x0,
    0xb, 0x30037, 0xa, 0x10, 0x200f8, 0x11, 0x6003d, 0x8,
    0x12, 0x2, 0x2, 0x20, 0x50051, 0x7, 0x13, 0x12,
    0x0, 0x40071, 0x6, 0x14, 0x13, 0x50039, 0x6, 0x15,
    0x4, 0x14, 0x50046, 0xa, 0x16, 0x10, 0x13, 0x5003e,
    0x16, 0x15, 0x2, 0x4, 0x100fd, 0x10038,
};

static cl_program create(cl_context context) {
    cl_int err;
    cl_program program = clCreateProgramWithIL(context, module, sizeof module, &err);
    NEED(program && err == CL_SUCCESS);
    return program;
}

/* What the kernel stores at item 5. */
static cl_uint result(cl_context context, cl_device_id device, cl_program program) {
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, "scaled", &err);
    NEED(kernel && err == CL_SUCCESS);
    cl_uint count, values[8] = {0};
    OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    EXPECT(1, count);
    cl_kernel_arg_address_qualifier space;
    OK(clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL));
    EXPECT(CL_KERNEL_ARG_ADDRESS_GLOBAL, space);
    cl_mem buffer = check_buffer(context, 0, sizeof values);
    cl_command_queue queue = check_queue(context, device);
    size_t global = 8;
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseKernel(kernel));
    return values[5];
}

static void queries(cl_context context, cl_device_id device) {
    char text[256];
    OK(clGetDeviceInfo(device, CL_DEVICE_IL_VERSION, sizeof text, text, NULL));
    TRUE(!strncmp(text, "SPIR-V_1.0 ", 11) && strstr(text, "SPIR-V_1.4"));
    cl_name_version versions[16];
    size_t size;
    OK(clGetDeviceInfo(device, CL_DEVICE_ILS_WITH_VERSION, sizeof versions, versions, &size));
    TRUE(size >= sizeof *versions && !strcmp(versions[0].name, "SPIR-V"));
    EXPECT(CL_MAKE_VERSION(1, 0, 0), versions[0].version);
    TRUE(clGetExtensionFunctionAddressForPlatform(check_platform(), "clCreateProgramWithILKHR") !=
         NULL);

    cl_program program = create(context);
    cl_uint il[sizeof module / 4 + 1];
    OK(clGetProgramInfo(program, CL_PROGRAM_IL, sizeof il, il, &size));
    EXPECT(sizeof module, size);
    TRUE(!memcmp(il, module, sizeof module));
    OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    TRUE(!*text);
    OK(clReleaseProgram(program));

    const char *source = "kernel void k() {}";
    cl_int err;
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clGetProgramInfo(program, CL_PROGRAM_IL, 0, NULL, &size));
    EXPECT(0, size);
    EXPECT(CL_INVALID_PROGRAM, clSetProgramSpecializationConstant(program, 7, 4, &err));
    OK(clReleaseProgram(program));
}

static void errors(cl_context context) {
    cl_int err;
    EXPECT_NULL(CL_INVALID_CONTEXT, clCreateProgramWithIL(NULL, module, sizeof module, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithIL(context, NULL, 4, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithIL(context, module, 0, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithIL(context, "1234", 4, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithIL(context, module, sizeof module - 1, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithIL(context, module, 40, &err));
    /* Any length that ends within the module. */
    for (size_t size = 4; size < sizeof module; size += 4) {
        cl_program program = clCreateProgramWithIL(context, module, size, &err);
        TRUE(!program == (err == CL_INVALID_VALUE));
        if (program)
            OK(clReleaseProgram(program));
    }
}

static void specialization(cl_context context, cl_device_id device) {
    cl_program program = create(context);
    cl_uint factor = 10;
    EXPECT(CL_INVALID_SPEC_ID, clSetProgramSpecializationConstant(program, 8, 4, &factor));
    EXPECT(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 7, 8, &factor));
    EXPECT(CL_INVALID_VALUE, clSetProgramSpecializationConstant(program, 7, 4, NULL));
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    EXPECT(15, result(context, device, program));
    OK(clSetProgramSpecializationConstant(program, 7, 4, &factor));
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    EXPECT(50, result(context, device, program));

    /* What was built, as a binary. */
    size_t size;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    unsigned char *binary = malloc(size);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    cl_int err;
    cl_program again = clCreateProgramWithBinary(
        context, 1, &device, &size, (const unsigned char **)&binary, NULL, &err);
    NEED(again && err == CL_SUCCESS);
    OK(clBuildProgram(again, 0, NULL, "", NULL, NULL));
    EXPECT(50, result(context, device, again));
    OK(clReleaseProgram(again));
    OK(clReleaseProgram(program));
    free(binary);
}

/* The other byte order. */
static void swapped(cl_context context, cl_device_id device) {
    cl_uint words[sizeof module / 4];
    for (size_t i = 0; i < sizeof module / 4; i++)
        words[i] = __builtin_bswap32(module[i]);
    cl_int err;
    cl_program program = clCreateProgramWithIL(context, words, sizeof words, &err);
    NEED(program && err == CL_SUCCESS);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    EXPECT(15, result(context, device, program));
    OK(clReleaseProgram(program));
}

/* A kernel in OpenCL C calls what the module exports. */
static void linking(cl_context context, cl_device_id device) {
    const char *source = "uint scale(uint x);\n"
                         "kernel void scaled(global uint *p) {\n"
                         "    p[get_global_id(0)] = scale(get_global_id(0)) + 1;\n"
                         "}\n";
    cl_int err;
    cl_program c = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    cl_program il = create(context);
    OK(clCompileProgram(c, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    OK(clCompileProgram(il, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    cl_program both[] = {c, il};
    /* Both have a kernel of the name. */
    cl_program linked = clLinkProgram(context, 1, &device, "", 2, both, NULL, NULL, &err);
    EXPECT(CL_LINK_PROGRAM_FAILURE, err);
    if (linked)
        OK(clReleaseProgram(linked));
    OK(clReleaseProgram(c));
    source = "uint scale(uint x);\n"
             "kernel void more(global uint *p) {\n"
             "    p[get_global_id(0)] = scale(get_global_id(0)) + 1;\n"
             "}\n";
    c = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clCompileProgram(c, 0, NULL, "", 0, NULL, NULL, NULL, NULL));
    both[0] = c;
    linked = clLinkProgram(context, 1, &device, "", 2, both, NULL, NULL, &err);
    NEED(linked && err == CL_SUCCESS);
    EXPECT(15, result(context, device, linked));
    size_t count;
    OK(clGetProgramInfo(linked, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    EXPECT(2, count);
    OK(clReleaseProgram(linked));
    OK(clReleaseProgram(c));
    OK(clReleaseProgram(il));
}

int main(void) {
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    queries(context, device);
    errors(context);
    specialization(context, device);
    swapped(context, device);
    linking(context, device);
    OK(clReleaseContext(context));
    END;
}
