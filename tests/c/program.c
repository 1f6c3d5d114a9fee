/* Programs and kernels: build errors and logs, binaries, arguments, launches. */
#include "check.h"

static const char *source =
    "__kernel void add(__global const int *a, __global int *b, int n, __local int *s) {\n"
    "    int i = get_global_id(0);\n"
    "    s[get_local_id(0)] = a[i];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    b[i] = s[get_local_id(0)] + n;\n"
    "}\n"
    "__kernel __attribute__((reqd_work_group_size(4, 2, 1))) void fixed(__global int *);\n"
    "__kernel void fixed(__global int *p) {\n"
    "    p[0] = 1;\n"
    "}\n";

static cl_program build(cl_context context, const char *text, const char *options, cl_int want) {
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    NEED(program && err == CL_SUCCESS);
    EXPECT(want, clBuildProgram(program, 0, NULL, options, NULL, NULL));
    return program;
}

static const char *log_of(cl_program program, cl_device_id device) {
    static char text[16384];
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
    return text;
}

static void creation(cl_context context, cl_device_id device) {
    cl_int err;
    const char *strings[] = {"__kernel void k", "(){} garbage", NULL};
    size_t lengths[] = {0, 4, 0};
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithSource(context, 0, strings, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithSource(context, 1, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithSource(context, 3, strings, NULL, &err));
    cl_program program = clCreateProgramWithSource(context, 2, strings, lengths, &err);
    NEED(program && err == CL_SUCCESS);
    char text[64];
    OK(clGetProgramInfo(program, CL_PROGRAM_SOURCE, sizeof text, text, NULL));
    TRUE(!strcmp(text, "__kernel void k(){}"));
    cl_build_status status;
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                             NULL));
    EXPECT(CL_BUILD_NONE, status);
    EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(program, "k", &err));
    size_t count;
    EXPECT(CL_INVALID_PROGRAM_EXECUTABLE,
           clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));

    EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 1, NULL, "", NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 0, &device, "", NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clBuildProgram(program, 0, NULL, "", NULL, &err));
    cl_device_id bad = FOREIGN(cl_device_id);
    EXPECT(CL_INVALID_DEVICE, clBuildProgram(program, 1, &bad, "", NULL, NULL));
    EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(program, 0, NULL, "-cl-nonsense", NULL, NULL));
    EXPECT(CL_INVALID_COMPILER_OPTIONS,
           clCompileProgram(program, 0, NULL, "-cl-nonsense", 0, NULL, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clCompileProgram(program, 0, NULL, "", 1, NULL, NULL, NULL, NULL));
    EXPECT_NULL(CL_INVALID_VALUE,
                clLinkProgram(context, 0, NULL, "", 0, NULL, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_LINKER_OPTIONS,
                clLinkProgram(context, 0, NULL, "-DA", 1, &program, NULL, NULL, &err));
    /* Not compiled. */
    EXPECT_NULL(CL_INVALID_OPERATION,
                clLinkProgram(context, 0, NULL, "", 1, &program, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateProgramWithBuiltInKernels(context, 1, &device, "k", &err));
    OK(clReleaseProgram(program));
}

static int notified;
static void CL_CALLBACK on_built(cl_program program, void *user) {
    (void)program;
    notified += user == &notified;
}

/* More work-groups than maxComputeWorkGroupCount is on many devices: the launch is split. */
static void wide(cl_context context, cl_command_queue queue) {
    enum { GROUPS = 200000 };
    cl_int err;
    cl_program program = build(context,
                               "__kernel void id(__global uint *p) {\n"
                               "    p[get_group_id(0)] = get_global_id(0) + get_num_groups(0);\n"
                               "}\n",
                               "", CL_SUCCESS);
    cl_kernel kernel = clCreateKernel(program, "id", &err);
    size_t global = GROUPS, local = 1;
    cl_mem p = clCreateBuffer(context, 0, sizeof(cl_uint) * GROUPS, NULL, &err);
    NEED(kernel && p);
    OK(clSetKernelArg(kernel, 0, sizeof p, &p));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    static cl_uint ids[GROUPS];
    OK(clEnqueueReadBuffer(queue, p, CL_TRUE, 0, sizeof ids, ids, 0, NULL, NULL));
    size_t wrong = 0;
    for (cl_uint i = 0; i < GROUPS; i++)
        wrong += ids[i] != i + GROUPS;
    EXPECT(0, wrong);
    OK(clReleaseMemObject(p));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

static void failures(cl_context context, cl_device_id device) {
    cl_program program = build(context, "__kernel void k() {\n  int x = ;\n  y = 1;\n}\n", NULL,
                               CL_BUILD_PROGRAM_FAILURE);
    TRUE(strstr(log_of(program, device), "2:") && strstr(log_of(program, device), "error:"));
    cl_build_status status;
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                             NULL));
    EXPECT(CL_BUILD_ERROR, status);
    OK(clReleaseProgram(program));
    program = build(context, "#error that\n", "-w", CL_BUILD_PROGRAM_FAILURE);
    TRUE(strstr(log_of(program, device), "that") != NULL);
    char options[16];
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options,
                             NULL));
    TRUE(!strcmp(options, "-w"));
    EXPECT(CL_BUILD_PROGRAM_FAILURE,
           clBuildProgram(program, 0, NULL, NULL, on_built, &notified));
    EXPECT(1, notified);
    OK(clReleaseProgram(program));
}

static void binaries(cl_context context, cl_device_id device, cl_program program) {
    cl_int err, status;
    size_t size;
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    TRUE(size > 0);
    unsigned char *binary = malloc(size);
    OK(clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL));
    const unsigned char *bytes = binary, *none = NULL;
    size_t zero = 0;
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &zero, &bytes,
                                                            &status, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithBinary(context, 1, &device, &size, &none,
                                                            &status, &err));
    cl_program copy = clCreateProgramWithBinary(context, 1, &device, &size, &bytes, &status, &err);
    NEED(copy && err == CL_SUCCESS && status == CL_SUCCESS);
    EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(copy, "add", &err));
    OK(clBuildProgram(copy, 1, &device, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(copy, "add", &err);
    TRUE(kernel && err == CL_SUCCESS);
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(copy));
    for (size_t i = 0; i < size; i += size / 50 + 1) {
        binary[i] ^= 0x40;
        EXPECT_NULL(CL_INVALID_BINARY, clCreateProgramWithBinary(context, 1, &device, &size, &bytes,
                                                                 &status, &err));
        EXPECT(CL_INVALID_BINARY, status);
        binary[i] ^= 0x40;
    }
    size--;
    EXPECT_NULL(CL_INVALID_BINARY, clCreateProgramWithBinary(context, 1, &device, &size, &bytes,
                                                             &status, &err));
    free(binary);
}

static void arguments(cl_context context, cl_device_id device, cl_command_queue queue,
                      cl_program program) {
    cl_int err, n = 5;
    EXPECT_NULL(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "sub", &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateKernel(program, NULL, &err));
    cl_kernel all[2];
    cl_uint count;
    EXPECT(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 1, all, &count));
    OK(clCreateKernelsInProgram(program, 2, all, &count));
    EXPECT(2, count);
    EXPECT(CL_INVALID_OPERATION, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    OK(clReleaseKernel(all[0]));
    OK(clReleaseKernel(all[1]));
    cl_kernel kernel = clCreateKernel(program, "add", &err);
    NEED(kernel && err == CL_SUCCESS);

    cl_mem a = check_buffer(context, 0, 256), b = check_buffer(context, 0, 256);
    cl_mem bad = FOREIGN(cl_mem), null = NULL;
    EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 4, sizeof n, &n));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &a));
    EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof bad, &bad));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 2, 8, &n));
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 2, sizeof n, NULL));
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 3, 64, &n));
    OK(clSetKernelArg(kernel, 0, sizeof null, &null));
    OK(clSetKernelArg(kernel, 0, sizeof null, NULL));

    size_t global = 64, local = 16, odd = 60;
    EXPECT(CL_INVALID_KERNEL_ARGS,
           clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof a, &a));
    OK(clSetKernelArg(kernel, 1, sizeof b, &b));
    OK(clSetKernelArg(kernel, 2, sizeof n, &n));
    OK(clSetKernelArg(kernel, 3, local * sizeof(cl_int), NULL));
    EXPECT(CL_INVALID_WORK_DIMENSION,
           clEnqueueNDRangeKernel(queue, kernel, 0, NULL, &global, &local, 0, NULL, NULL));
    EXPECT(CL_INVALID_WORK_DIMENSION,
           clEnqueueNDRangeKernel(queue, kernel, 4, NULL, &global, &local, 0, NULL, NULL));
    EXPECT(CL_INVALID_WORK_GROUP_SIZE,
           clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &odd, &local, 0, NULL, NULL));
    size_t zero = 0, huge = (size_t)1 << 40, offset = (size_t)-1;
    EXPECT(CL_INVALID_WORK_GROUP_SIZE,
           clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &zero, 0, NULL, NULL));
    EXPECT(CL_INVALID_WORK_GROUP_SIZE,
           clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &huge, &huge, 0, NULL, NULL));
    EXPECT(CL_INVALID_GLOBAL_OFFSET,
           clEnqueueNDRangeKernel(queue, kernel, 1, &offset, &global, &local, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &zero, NULL, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, NULL, NULL, 0, NULL, NULL));
    cl_context other = check_context(device);
    cl_command_queue elsewhere = check_queue(other, device);
    EXPECT(CL_INVALID_CONTEXT,
           clEnqueueNDRangeKernel(elsewhere, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clReleaseCommandQueue(elsewhere));
    OK(clReleaseContext(other));

    /* Two launches: the second one on a clone with another value. */
    cl_int data[64];
    for (int i = 0; i < 64; i++) data[i] = i * i;
    OK(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    cl_kernel clone = clCloneKernel(kernel, &err);
    NEED(clone && err == CL_SUCCESS);
    n = 1000;
    OK(clSetKernelArg(clone, 2, sizeof n, &n));
    cl_mem third = check_buffer(context, 0, 256);
    OK(clSetKernelArg(clone, 0, sizeof b, &b));
    OK(clSetKernelArg(clone, 1, sizeof third, &third));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, clone, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, third, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL));
    for (int i = 0; i < 64; i++) EXPECT(i * i + 1005, data[i]);

    /* A kernel does not keep its arguments. */
    OK(clReleaseMemObject(third));
    EXPECT(CL_INVALID_KERNEL_ARGS,
           clEnqueueNDRangeKernel(queue, clone, 1, NULL, &global, &local, 0, NULL, NULL));
    OK(clReleaseKernel(clone));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

static void sub_groups(cl_device_id device, cl_kernel kernel) {
    cl_uint most;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof most, &most, NULL));
    size_t size = 0, count = 0, length;
    if (most == 0) {
        EXPECT(CL_INVALID_OPERATION,
               clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL,
                                       sizeof size, &size, NULL));
        return;
    }
    size_t local[3] = {7, 3, 1}, one = 1, sizes[3] = {9, 9, 9};
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                               sizeof local, local, sizeof size, &size, &length));
    TRUE(size >= 1 && length == sizeof size);
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof local,
                               local, sizeof count, &count, NULL));
    TRUE(count == (21 + size - 1) / size);
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof one,
                               &one, sizeof sizes, sizes, NULL));
    TRUE(sizes[0] == size && sizes[1] == 1 && sizes[2] == 1);
    static const size_t none[] = {1 << 20, 0, (size_t)-1};
    for (int i = 0; i < 3; i++) {
        sizes[0] = sizes[1] = sizes[2] = 9;
        OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof *none,
                                   &none[i], sizeof sizes, sizes, NULL));
        TRUE(sizes[0] == 0 && sizes[1] == 0 && sizes[2] == 0);
    }
    /* More work-items than there are numbers. */
    size_t many[2] = {(size_t)1 << 63, 2};
    EXPECT(CL_INVALID_VALUE,
           clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof many, many,
                                   sizeof count, &count, NULL));
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof count,
                               &count, NULL));
    TRUE(count >= 1 && count <= most);
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL,
                               sizeof count, &count, NULL));
    TRUE(count == 0);
    EXPECT(CL_INVALID_VALUE,
           clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, 0, NULL,
                                   sizeof count, &count, NULL));
    EXPECT(CL_INVALID_VALUE, clGetKernelSubGroupInfo(kernel, device, 0, 0, NULL, sizeof count,
                                                     &count, NULL));
}

static void queries(cl_device_id device, cl_command_queue queue, cl_program program) {
    cl_int err;
    char text[256];
    cl_kernel kernel = clCreateKernel(program, "add", &err);
    cl_kernel fixed = clCreateKernel(program, "fixed", &err);
    NEED(kernel && fixed);
    OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof text, text, NULL));
    TRUE(!strcmp(text, "add;fixed"));
    cl_uint args;
    OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof args, &args, NULL));
    EXPECT(4, args);
    static const struct {
        const char *name, *type;
        cl_kernel_arg_address_qualifier address;
        cl_kernel_arg_type_qualifier qualifier;
    } want[] = {
        {"a", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_CONST},
        {"b", "int*", CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_TYPE_NONE},
        {"n", "int", CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_TYPE_NONE},
        {"s", "int*", CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_TYPE_NONE},
    };
    for (cl_uint i = 0; i < 4; i++) {
        cl_kernel_arg_address_qualifier address;
        cl_kernel_arg_type_qualifier qualifier;
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
        TRUE(!strcmp(text, want[i].name));
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof text, text, NULL));
        TRUE(!strcmp(text, want[i].type));
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address,
                              NULL));
        EXPECT(want[i].address, address);
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier,
                              &qualifier, NULL));
        EXPECT(want[i].qualifier, qualifier);
    }
    EXPECT(CL_INVALID_ARG_INDEX,
           clGetKernelArgInfo(kernel, 4, CL_KERNEL_ARG_NAME, sizeof text, text, NULL));
    size_t sizes[3] = {9, 9, 9}, size;
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes,
                                sizes, NULL));
    TRUE(sizes[0] == 0 && sizes[1] == 0 && sizes[2] == 0);
    OK(clGetKernelWorkGroupInfo(fixed, NULL, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof sizes, sizes,
                                NULL));
    TRUE(sizes[0] == 4 && sizes[1] == 2 && sizes[2] == 1);
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof size, &size,
                                NULL));
    TRUE(size >= 1);
    EXPECT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_GLOBAL_WORK_SIZE,
                                                      sizeof sizes, sizes, NULL));
    sub_groups(device, kernel);
    size_t global[3] = {8, 8, 1}, local[3] = {8, 1, 1};
    EXPECT(CL_INVALID_KERNEL_ARGS,
           clEnqueueNDRangeKernel(queue, fixed, 3, NULL, global, local, 0, NULL, NULL));
    cl_mem null = NULL;
    OK(clSetKernelArg(fixed, 0, sizeof null, &null));
    EXPECT(CL_INVALID_WORK_GROUP_SIZE,
           clEnqueueNDRangeKernel(queue, fixed, 3, NULL, global, local, 0, NULL, NULL));
    EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, fixed, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
    OK(clReleaseKernel(fixed));
}

int main(void) {
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    creation(context, device);
    failures(context, device);
    wide(context, queue);
    cl_program program = build(context, source, "-cl-kernel-arg-info", CL_SUCCESS);
    binaries(context, device, program);
    arguments(context, device, queue, program);
    queries(device, queue, program);
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
