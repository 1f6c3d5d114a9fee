/* Pipes: creation, queries, errors; producers and consumers of many work-groups. */
#include "check.h"

static const char *source =
    "typedef struct { char a; int b; } packet;\n"
    "kernel void put(write_only pipe int p, global int *failed) {\n"
    "    int x = get_global_id(0) + 1;\n"
    "    if (write_pipe(p, &x)) atomic_inc(failed);\n"
    "}\n"
    "kernel void get(read_only pipe int p, global int *seen, global int *failed) {\n"
    "    int x = 0;\n"
    "    if (read_pipe(p, &x)) atomic_inc(failed);\n"
    "    else atomic_inc(seen + x);\n"
    "}\n"
    /* Of three packets each, the last first. */
    "kernel void put_three(write_only pipe int p, global int *failed) {\n"
    "    reserve_id_t id = reserve_write_pipe(p, 3);\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        for (int i = 2; i >= 0; i--) {\n"
    "            int x = get_global_id(0) * 3 + i + 1;\n"
    "            write_pipe(p, id, i, &x);\n"
    "        }\n"
    "        commit_write_pipe(p, id);\n"
    "    } else atomic_inc(failed);\n"
    "}\n"
    /* The three of a reservation follow each other. */
    "kernel void get_three(read_only pipe int p, global int *seen, global int *failed) {\n"
    "    reserve_id_t id = reserve_read_pipe(p, 3);\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        int x[3];\n"
    "        for (int i = 0; i < 3; i++) read_pipe(p, id, i, x + i);\n"
    "        commit_read_pipe(p, id);\n"
    "        if (x[1] != x[0] + 1 || x[2] != x[0] + 2) atomic_inc(failed);\n"
    "        for (int i = 0; i < 3; i++) atomic_inc(seen + x[i]);\n"
    "    } else atomic_inc(failed);\n"
    "}\n"
    "kernel void put_group(write_only pipe int p, global int *failed) {\n"
    "    reserve_id_t id = work_group_reserve_write_pipe(p, get_local_size(0));\n"
    "    int x = get_global_id(0) + 1;\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        write_pipe(p, id, get_local_id(0), &x);\n"
    "        work_group_commit_write_pipe(p, id);\n"
    "    } else atomic_inc(failed);\n"
    "}\n"
    "kernel void get_group(read_only pipe int p, global int *seen, global int *failed) {\n"
    "    reserve_id_t id = work_group_reserve_read_pipe(p, get_local_size(0));\n"
    "    int x = 0;\n"
    "    if (is_valid_reserve_id(id)) {\n"
    "        read_pipe(p, id, get_local_id(0), &x);\n"
    "        work_group_commit_read_pipe(p, id);\n"
    "        atomic_inc(seen + x);\n"
    "    } else atomic_inc(failed);\n"
    "}\n"
    "kernel void ask(read_only pipe int p, global int *numbers) {\n"
    "    numbers[0] = get_pipe_num_packets(p);\n"
    "    numbers[1] = get_pipe_max_packets(p);\n"
    "}\n"
    "kernel void info(const global int *b, write_only pipe packet w, pipe float4 r) {}\n";

#define PACKETS 3000

static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_mem seen, failed;

static cl_mem create(cl_uint size, cl_uint packets) {
    cl_int err;
    cl_mem pipe = clCreatePipe(context, 0, size, packets, NULL, &err);
    NEED(pipe && err == CL_SUCCESS);
    return pipe;
}

static void creation(cl_device_id device) {
    cl_int err;
    cl_bool support;
    cl_uint args, reservations, largest;
    OK(clGetDeviceInfo(device, CL_DEVICE_PIPE_SUPPORT, sizeof support, &support, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_PIPE_ARGS, sizeof args, &args, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_PIPE_MAX_ACTIVE_RESERVATIONS, sizeof reservations,
                       &reservations, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_PIPE_MAX_PACKET_SIZE, sizeof largest, &largest, NULL));
    TRUE(support && args >= 16 && reservations >= 1 && largest >= 1024);

    EXPECT_NULL(CL_INVALID_CONTEXT, clCreatePipe(NULL, 0, 4, 4, NULL, &err));
    static const cl_mem_flags bad[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_MEM_USE_HOST_PTR,
                                       CL_MEM_ALLOC_HOST_PTR, CL_MEM_HOST_READ_ONLY, 1ull << 40};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        EXPECT_NULL(CL_INVALID_VALUE, clCreatePipe(context, bad[i], 4, 4, NULL, &err));
    cl_pipe_properties properties[] = {0};
    EXPECT_NULL(CL_INVALID_VALUE, clCreatePipe(context, 0, 4, 4, properties, &err));
    EXPECT_NULL(CL_INVALID_PIPE_SIZE, clCreatePipe(context, 0, 0, 4, NULL, &err));
    EXPECT_NULL(CL_INVALID_PIPE_SIZE, clCreatePipe(context, 0, 4, 0, NULL, &err));
    EXPECT_NULL(CL_INVALID_PIPE_SIZE, clCreatePipe(context, 0, largest + 1, 4, NULL, &err));
    EXPECT_NULL(CL_INVALID_PIPE_SIZE, clCreatePipe(context, 0, (cl_uint)-1, 4, NULL, &err));
    EXPECT_NULL(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                clCreatePipe(context, 0, largest, (cl_uint)-1, NULL, &err));
    EXPECT_NULL(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                clCreatePipe(context, 0, 1, (cl_uint)-1, NULL, &err));
    cl_mem pipe = clCreatePipe(context, CL_MEM_HOST_NO_ACCESS, largest, 3, NULL, &err);
    TRUE(pipe && err == CL_SUCCESS);
    OK(clReleaseMemObject(pipe));
}

static void queries(void) {
    cl_int err;
    cl_uint number = 0;
    size_t size = 9;
    cl_mem pipe = create(12, 5), buffer = check_buffer(context, 0, 64);
    OK(clGetPipeInfo(pipe, CL_PIPE_PACKET_SIZE, sizeof number, &number, &size));
    TRUE(number == 12 && size == sizeof number);
    OK(clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, sizeof number, &number, &size));
    TRUE(number == 5 && size == sizeof number);
    OK(clGetPipeInfo(pipe, CL_PIPE_PROPERTIES, 0, NULL, &size));
    EXPECT(0, size);
    EXPECT(CL_INVALID_VALUE, clGetPipeInfo(pipe, CL_PIPE_MAX_PACKETS, 3, &number, NULL));
    EXPECT(CL_INVALID_VALUE, clGetPipeInfo(pipe, CL_MEM_TYPE, sizeof number, &number, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clGetPipeInfo(buffer, CL_PIPE_MAX_PACKETS, sizeof number, &number, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clGetPipeInfo(NULL, CL_PIPE_MAX_PACKETS, sizeof number, &number, NULL));

    cl_mem_object_type type;
    OK(clGetMemObjectInfo(pipe, CL_MEM_TYPE, sizeof type, &type, NULL));
    EXPECT(CL_MEM_OBJECT_PIPE, type);
    cl_mem_flags flags;
    OK(clGetMemObjectInfo(pipe, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    EXPECT(CL_MEM_READ_WRITE | CL_MEM_HOST_NO_ACCESS, flags);
    OK(clGetMemObjectInfo(pipe, CL_MEM_SIZE, sizeof size, &size, NULL));
    TRUE(size >= 60);
    OK(clGetMemObjectInfo(pipe, CL_MEM_PROPERTIES, 0, NULL, &size));
    EXPECT(0, size);
    cl_context of;
    OK(clGetMemObjectInfo(pipe, CL_MEM_CONTEXT, sizeof of, &of, NULL));
    TRUE(of == context);
    OK(clGetMemObjectInfo(pipe, CL_MEM_REFERENCE_COUNT, sizeof number, &number, NULL));
    EXPECT(1, number);

    /* No host access, no other object over it. */
    char host[64];
    size_t zero[3] = {0}, one[3] = {1, 1, 1};
    cl_buffer_region region = {0, 16};
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueReadBuffer(queue, pipe, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueWriteBuffer(queue, pipe, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueFillBuffer(queue, pipe, host, 4, 0, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueCopyBuffer(queue, pipe, buffer, 0, 0, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueCopyBuffer(queue, buffer, pipe, 0, 0, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueReadBufferRect(queue, pipe, CL_TRUE, zero, zero, one, 0, 0, 0, 0, host, 0, NULL,
                                   NULL));
    EXPECT_NULL(CL_INVALID_MEM_OBJECT, clEnqueueMapBuffer(queue, pipe, CL_TRUE, CL_MAP_READ, 0, 4,
                                                          0, NULL, NULL, &err));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueReadImage(queue, pipe, CL_TRUE, zero, one, 0, 0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, pipe, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, clGetImageInfo(pipe, CL_IMAGE_FORMAT, sizeof host, host, NULL));
    EXPECT_NULL(CL_INVALID_MEM_OBJECT,
                clCreateSubBuffer(pipe, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err));
    cl_image_format format = {CL_R, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 4};
    desc.mem_object = pipe;
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &format, &desc, NULL, &err));
    desc.image_type = CL_MEM_OBJECT_IMAGE2D, desc.image_height = 1;
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &format, &desc, NULL, &err));
    OK(clEnqueueMigrateMemObjects(queue, 1, &pipe, 0, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(pipe));
    OK(clReleaseMemObject(buffer));
}

static void arguments(void) {
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, "info", &err);
    NEED(kernel);
    cl_mem pipe = create(8, 5), buffer = check_buffer(context, 0, 64);
    cl_kernel_arg_type_qualifier qualifier;
    cl_kernel_arg_access_qualifier access;
    cl_kernel_arg_address_qualifier space;
    char name[16];
    for (cl_uint i = 0; i < 3; i++) {
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifier, &qualifier,
                              NULL));
        EXPECT(i ? CL_KERNEL_ARG_TYPE_PIPE : CL_KERNEL_ARG_TYPE_CONST, qualifier);
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access,
                              NULL));
        static const cl_kernel_arg_access_qualifier wanted[] = {
            CL_KERNEL_ARG_ACCESS_NONE, CL_KERNEL_ARG_ACCESS_WRITE_ONLY,
            CL_KERNEL_ARG_ACCESS_READ_ONLY};
        EXPECT(wanted[i], access);
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space,
                              NULL));
        EXPECT(CL_KERNEL_ARG_ADDRESS_GLOBAL, space);
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof name, name, NULL));
        static const char *const names[] = {"int*", "packet", "float4"};
        TRUE(!strcmp(names[i], name));
    }
    cl_mem none = NULL;
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 4, &pipe));
    EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 1, sizeof none, &none));
    EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 1, sizeof none, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 1, sizeof buffer, &buffer));
    EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof pipe, &pipe));
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArgSVMPointer(kernel, 1, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(kernel, 1, sizeof pipe, &pipe));
    size_t global = 1;
    EXPECT(CL_INVALID_KERNEL_ARGS,
           clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 2, sizeof pipe, &pipe));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(pipe));
    OK(clReleaseMemObject(buffer));
}

/* Launches a kernel on a pipe; how many of its items failed. */
static int launch(const char *name, cl_mem pipe, size_t global, size_t local) {
    cl_int err, zero = 0, count;
    cl_kernel kernel = clCreateKernel(program, name, &err);
    NEED(kernel);
    cl_uint arg = 0;
    OK(clSetKernelArg(kernel, arg++, sizeof pipe, &pipe));
    if (name[0] == 'g')
        OK(clSetKernelArg(kernel, arg++, sizeof seen, &seen));
    OK(clSetKernelArg(kernel, arg, sizeof failed, &failed));
    OK(clEnqueueFillBuffer(queue, failed, &zero, 4, 0, 8, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, local ? &local : NULL, 0, NULL,
                              NULL));
    OK(clEnqueueReadBuffer(queue, failed, CL_TRUE, 0, 4, &count, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
    return count;
}

static void packets(cl_mem pipe, cl_int wanted, cl_int capacity) {
    cl_int numbers[2];
    launch("ask", pipe, 1, 0);
    OK(clEnqueueReadBuffer(queue, failed, CL_TRUE, 0, 8, numbers, 0, NULL, NULL));
    EXPECT(wanted, numbers[0]);
    EXPECT(capacity, numbers[1]);
}

static void forget(void) {
    cl_int zero = 0;
    OK(clEnqueueFillBuffer(queue, seen, &zero, 4, 0, 4 * (PACKETS + 1), 0, NULL, NULL));
}

/* Of the packets 1 to `count` each has been read once since the last call. */
static void each_once_at(int line, int count) {
    static cl_int got[PACKETS + 1];
    OK(clEnqueueReadBuffer(queue, seen, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    int wrong = got[0];
    for (int i = 1; i <= PACKETS; i++)
        wrong += got[i] != (i <= count);
    check_int(__FILE__, line, "packets read wrong", wrong, 0);
    forget();
}
#define each_once(count) each_once_at(__LINE__, count)

/* Many rounds through pipes that are full, and nearly so; what does not fit fails. */
static void producers_and_consumers(void) {
    cl_mem pipe = create(4, PACKETS);
    EXPECT(64, launch("get", pipe, 64, 0));
    for (int round = 0; round < 3; round++) {
        EXPECT(0, launch("put", pipe, 1000, 0));
        packets(pipe, 1000, PACKETS);
        EXPECT(24, launch("get", pipe, 1024, 64));
        each_once(1000);
        EXPECT(0, launch("put_three", pipe, 1000, 0));
        packets(pipe, PACKETS, PACKETS);
        EXPECT(100, launch("put_three", pipe, 100, 0));
        EXPECT(1, launch("put", pipe, 1, 0));
        EXPECT(1, launch("put_group", pipe, 1, 1));
        EXPECT(0, launch("get_three", pipe, 1000, 0));
        each_once(PACKETS);
        packets(pipe, 0, PACKETS);
        EXPECT(0, launch("put_group", pipe, 2048, 64));
        packets(pipe, 2048, PACKETS);
        EXPECT(0, launch("get_group", pipe, 2048, 32));
        each_once(2048);
        EXPECT(32, launch("get_group", pipe, 32, 32));
    }
    OK(clReleaseMemObject(pipe));

    pipe = create(4, 1);
    for (int round = 0; round < 4; round++) {
        EXPECT(63, launch("put", pipe, 64, 0));
        EXPECT(255, launch("get", pipe, 256, 0));
    }
    packets(pipe, 0, 1);
    OK(clReleaseMemObject(pipe));
    forget();
}

/* Producer and consumer without a wait of the host between, in one queue and in two. */
static void in_order(cl_device_id device) {
    cl_int zero = 0, count;
    cl_command_queue other = check_queue(context, device);
    cl_kernel put = check_kernel(program, "", "put"), get = check_kernel(program, "", "get");
    cl_mem pipe = create(4, PACKETS);
    OK(clSetKernelArg(put, 0, sizeof pipe, &pipe));
    OK(clSetKernelArg(put, 1, sizeof failed, &failed));
    OK(clSetKernelArg(get, 0, sizeof pipe, &pipe));
    OK(clSetKernelArg(get, 1, sizeof seen, &seen));
    OK(clSetKernelArg(get, 2, sizeof failed, &failed));
    OK(clEnqueueFillBuffer(queue, failed, &zero, 4, 0, 4, 0, NULL, NULL));
    size_t global = 2000;
    for (int i = 0; i < 4; i++) {
        cl_event written, read;
        OK(clEnqueueNDRangeKernel(queue, put, 1, NULL, &global, NULL, 0, NULL, &written));
        cl_command_queue second = i & 1 ? other : queue;
        OK(clFlush(queue));
        OK(clEnqueueNDRangeKernel(second, get, 1, NULL, &global, NULL, 1, &written, &read));
        OK(clFlush(second));
        OK(clWaitForEvents(1, &read));
        OK(clReleaseEvent(written));
        OK(clReleaseEvent(read));
        each_once(2000);
    }
    OK(clEnqueueReadBuffer(queue, failed, CL_TRUE, 0, 4, &count, 0, NULL, NULL));
    EXPECT(0, count);
    OK(clReleaseCommandQueue(other));
    OK(clReleaseKernel(put));
    OK(clReleaseKernel(get));
    OK(clReleaseMemObject(pipe));
}

int main(void) {
    cl_int err;
    cl_device_id device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program);
    static const char *const versions[] = {"-cl-std=CL2.0", "-cl-std=CL3.0"};
    for (int i = 0; i < 2; i++) {
        if (clBuildProgram(program, 1, &device, versions[i], NULL, NULL)) {
            static char log[4096];
            clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
            printf("%s", log);
            return 1;
        }
    }
    seen = check_buffer(context, 0, 4 * (PACKETS + 1));
    failed = check_buffer(context, 0, 8);
    forget();
    creation(device);
    queries();
    arguments();
    producers_and_consumers();
    in_order(device);
    OK(clReleaseMemObject(seen));
    OK(clReleaseMemObject(failed));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
