/* cl_khr_command_buffer_mutable_dispatch: launches that change between enqueues, what is enqueued already stays as it was, queries
   and errors. */
#include "command_buffer.h"

/* As in the extension's version 0.9.5. */
typedef void *mutable_command;
typedef struct {
    cl_uint index;
    size_t size;
    const void *value;
} argument;
typedef struct {
    cl_uint name;
    size_t size;
    const void *value;
} exec_info;
typedef struct {
    mutable_command command;
    cl_uint num_args, num_svm_args, num_exec_infos, work_dim;
    const argument *args, *svm_args;
    const exec_info *exec_infos;
    const size_t *offset, *global, *local;
} config;

static cl_int (*update)(command_buffer, cl_uint, const cl_uint *, const void **);
static cl_int (*command_info)(mutable_command, cl_uint, size_t, void *, size_t *);

enum {
    SIMULTANEOUS = 1,
    MUTABLE = 2,
    CAPABILITIES = 0x12B0,
    BUFFER_CAPABILITIES = 0x12A9,
    FIELDS = 0x12B1,
    BUFFER_ASSERTS = 0x12B7,
    ASSERTS = 0x12B8,
    OFFSET = 1,
    GLOBAL = 2,
    LOCAL = 4,
    ARGUMENTS = 8,
    EXEC_INFO = 16,
    ALL_FIELDS = 31,
    INFO_QUEUE = 0x12A0,
    INFO_BUFFER,
    INFO_PROPERTIES,
    INFO_KERNEL,
    INFO_DIMENSIONS,
    INFO_OFFSET,
    INFO_GLOBAL,
    INFO_LOCAL,
    INFO_TYPE = 0x12AD,
    INVALID_MUTABLE_COMMAND = -1141,
    N = 64,
    ROUNDS = 8,
};

static cl_device_id device;
static cl_context context;
static cl_command_queue in_order, out_of_order;
static cl_program program;
static const properties changes[] = {FLAGS, MUTABLE | SIMULTANEOUS, 0};

static command_buffer new_buffer(cl_command_queue queue, const properties *list) {
    cl_int err;
    command_buffer buffer = create(1, &queue, list, &err);
    NEED(buffer && err == CL_SUCCESS);
    return buffer;
}

static cl_int change(command_buffer buffer, const config *what) {
    const cl_uint type = 0;
    const void *list = what;
    return update(buffer, 1, &type, &list);
}

static void state(command_buffer buffer, cl_uint want) {
    cl_uint got = 99;
    OK(info(buffer, STATE, sizeof got, &got, NULL));
    EXPECT(want, got);
}

/* All enqueues wait for an event, and each has arguments of its own. */
static void held(cl_command_queue recorded, cl_command_queue run) {
    cl_int err;
    cl_kernel kernel = check_kernel(program, "", "scale");
    cl_mem in = check_buffer(context, 0, 4 * N), outs[ROUNDS];
    cl_uint numbers[N], got[N], one = 1;
    size_t global = N;
    for (int i = 0; i < N; i++) numbers[i] = i;
    OK(clEnqueueWriteBuffer(run, in, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    for (int i = 0; i < ROUNDS; i++) outs[i] = check_buffer(context, 0, 4 * N);
    OK(clSetKernelArg(kernel, 0, sizeof in, &in));
    OK(clSetKernelArg(kernel, 1, sizeof *outs, &outs[0]));
    OK(clSetKernelArg(kernel, 2, sizeof one, &one));
    command_buffer buffer = new_buffer(recorded, changes);
    mutable_command command;
    sync_point point;
    OK(nd_range(buffer, NULL, NULL, kernel, 1, NULL, &global, NULL, 0, NULL, &point, &command));
    OK(finalize(buffer));
    cl_event start = clCreateUserEvent(context, &err), done[ROUNDS];
    NEED(start);
    for (cl_uint i = 0; i < ROUNDS; i++) {
        cl_uint factor = i + 3;
        const argument args[] = {{1, sizeof *outs, &outs[i]}, {2, sizeof factor, &factor}};
        const config what = {.command = command, .num_args = 2, .args = args};
        OK(change(buffer, &what));
        OK(enqueue(1, &run, buffer, 1, &start, &done[i]));
    }
    /* It ends before it has run. */
    OK(release(buffer));
    EXPECT(INVALID_MUTABLE_COMMAND, command_info(command, INFO_TYPE, 0, NULL, NULL));
    OK(clSetUserEventStatus(start, CL_COMPLETE));
    for (cl_uint i = 0; i < ROUNDS; i++) {
        OK(clEnqueueReadBuffer(run, outs[i], CL_TRUE, 0, sizeof got, got, 1, &done[i], NULL));
        for (cl_uint k = 0; k < N; k++)
            if (got[k] != k * (i + 3)) {
                printf("round %u: item %u is %u, not %u\n", i, k, got[k], k * (i + 3));
                check_failures++;
                break;
            }
        OK(clReleaseEvent(done[i]));
        OK(clReleaseMemObject(outs[i]));
    }
    OK(clReleaseEvent(start));
    OK(clReleaseMemObject(in));
    OK(clReleaseKernel(kernel));
}

/* What the kernel `sizes` writes: offset, global and local size in three dimensions, and how many work-items there were. */
static void look(command_buffer buffer, cl_mem memory, const cl_uint *want, cl_uint items) {
    cl_uint got[10], zero = 0;
    OK(clEnqueueFillBuffer(in_order, memory, &zero, 4, 0, sizeof got, 0, NULL, NULL));
    OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(in_order, memory, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 9; i++) EXPECT(items ? want[i] : 0, got[i]);
    EXPECT(items, got[9]);
}

static void sizes(void) {
    cl_kernel kernel = check_kernel(program, "", "sizes");
    cl_mem memory = check_buffer(context, 0, 40);
    OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    /* A launch without work-items, which gets some. */
    command_buffer buffer = new_buffer(in_order, changes);
    mutable_command command;
    const size_t none[3] = {0, 0, 0}, local[3] = {4, 2, 1}, offset[3] = {5, 6, 7}, global[3] = {8, 4, 3}, local2[3] = {2, 2, 3};
    OK(nd_range(buffer, NULL, NULL, kernel, 3, NULL, none, local, 0, NULL, NULL, &command));
    OK(finalize(buffer));
    cl_uint want[9] = {0, 0, 0, 8, 4, 3, 4, 2, 1};
    look(buffer, memory, want, 0);
    config what = {.command = command, .global = global};
    OK(change(buffer, &what));
    look(buffer, memory, want, 96);
    what = (config){.command = command, .work_dim = 3, .offset = offset};
    OK(change(buffer, &what));
    for (int d = 0; d < 3; d++) want[d] = offset[d];
    look(buffer, memory, want, 96);
    what = (config){.command = command, .local = local2};
    OK(change(buffer, &what));
    for (int d = 0; d < 3; d++) want[6 + d] = local2[d];
    look(buffer, memory, want, 96);
    size_t got[3], size;
    OK(command_info(command, INFO_OFFSET, sizeof got, got, &size));
    EXPECT(sizeof got, size);
    EXPECT(0, memcmp(got, offset, sizeof got));
    OK(command_info(command, INFO_GLOBAL, sizeof got, got, &size));
    EXPECT(0, memcmp(got, global, sizeof got));
    OK(command_info(command, INFO_LOCAL, sizeof got, got, &size));
    EXPECT(0, memcmp(got, local2, sizeof got));
    what = (config){.command = command, .global = none};
    OK(change(buffer, &what));
    look(buffer, memory, want, 0);
    /* Work-groups of one size stay so. */
    const size_t uneven[3] = {9, 4, 3};
    what = (config){.command = command, .global = uneven};
    EXPECT(CL_INVALID_OPERATION, change(buffer, &what));
    what = (config){.command = command, .work_dim = 2, .global = global};
    EXPECT(CL_INVALID_OPERATION, change(buffer, &what));
    const size_t large[3] = {(size_t)1 << 20, 1, 1};
    what = (config){.command = command, .local = large};
    EXPECT(CL_INVALID_WORK_GROUP_SIZE, change(buffer, &what));
    /* Of the changes of a call all are made, or none. */
    config both[2] = {{.command = command, .global = global}, {.command = command, .local = large}};
    const cl_uint types[2] = {0, 0};
    const void *list[2] = {&both[0], &both[1]};
    EXPECT(CL_INVALID_WORK_GROUP_SIZE, update(buffer, 2, types, list));
    look(buffer, memory, want, 0);
    /* The later of two changes holds. */
    both[1] = (config){.command = command, .global = global, .local = local};
    both[0].local = local2;
    OK(update(buffer, 2, types, list));
    for (int d = 0; d < 3; d++) want[6 + d] = local[d];
    look(buffer, memory, want, 96);
    OK(release(buffer));
    OK(clReleaseMemObject(memory));
    OK(clReleaseKernel(kernel));
}

/* Arguments that are set behind the end of recording, one after the other; a local one among them. */
static void deferred(void) {
    cl_kernel kernel = check_kernel(program, "", "turn");
    cl_mem memory = check_buffer(context, 0, 4 * N);
    cl_uint numbers[N], got[N];
    for (int i = 0; i < N; i++) numbers[i] = i;
    OK(clEnqueueWriteBuffer(in_order, memory, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
    const properties arguments[] = {FIELDS, ARGUMENTS, ASSERTS, 1, 0};
    const properties asserts[] = {BUFFER_ASSERTS, 1, FLAGS, MUTABLE, 0};
    command_buffer buffer = new_buffer(in_order, asserts), fixed = new_buffer(in_order, NULL);
    const size_t global = N, local = 16;
    mutable_command command;
    EXPECT(CL_INVALID_KERNEL_ARGS, nd_range(buffer, NULL, NULL, kernel, 1, NULL, &global, &local, 0, NULL, NULL, &command));
    EXPECT(CL_INVALID_KERNEL_ARGS, nd_range(fixed, NULL, arguments, kernel, 1, NULL, &global, &local, 0, NULL, NULL, NULL));
    OK(nd_range(buffer, NULL, arguments, kernel, 1, NULL, &global, &local, 0, NULL, NULL, &command));
    state(buffer, 0);
    OK(finalize(buffer));
    state(buffer, 2);
    EXPECT(CL_INVALID_OPERATION, enqueue(0, NULL, buffer, 0, NULL, NULL));
    const argument first = {0, sizeof memory, &memory}, second = {1, 4 * 16, NULL};
    config what = {.command = command, .num_args = 1, .args = &first};
    OK(change(buffer, &what));
    state(buffer, 2);
    EXPECT(CL_INVALID_OPERATION, enqueue(0, NULL, buffer, 0, NULL, NULL));
    what.args = &second;
    OK(change(buffer, &what));
    state(buffer, 1);
    OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(in_order, memory, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < N; i++) EXPECT(i / 16 * 16 + 15 - i % 16, got[i]);
    /* The kernel itself has not changed. */
    EXPECT(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(in_order, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
    /* The list is in the order in which it was given. */
    properties list[5];
    size_t size;
    OK(command_info(command, INFO_PROPERTIES, sizeof list, list, &size));
    EXPECT(sizeof arguments, size);
    EXPECT(0, memcmp(list, arguments, sizeof arguments));
    /* Only arguments change. */
    what = (config){.command = command, .global = &global};
    EXPECT(CL_INVALID_OPERATION, change(buffer, &what));
    what = (config){.command = command, .local = &local};
    EXPECT(CL_INVALID_OPERATION, change(buffer, &what));
    what = (config){.command = command, .offset = &global};
    EXPECT(CL_INVALID_OPERATION, change(buffer, &what));
    const exec_info pointers = {0x11B6, 0, NULL};
    what = (config){.command = command, .num_exec_infos = 1, .exec_infos = &pointers};
    EXPECT(CL_INVALID_OPERATION, change(buffer, &what));
    OK(release(fixed));
    OK(release(buffer));
    OK(clReleaseMemObject(memory));
    OK(clReleaseKernel(kernel));
}

/* Shared virtual memory as an argument, and what is reached through a pointer there. */
static void pointers(void) {
    cl_device_svm_capabilities svm = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    if (!svm) return;
    cl_kernel kernel = check_kernel(program, "", "follow");
    command_buffer buffer = new_buffer(in_order, changes);
    int **places[2];
    for (int i = 0; i < 2; i++) NEED(places[i] = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof *places[i], 0));
    const size_t one = 1;
    mutable_command command;
    OK(clSetKernelArgSVMPointer(kernel, 0, places[0]));
    OK(nd_range(buffer, NULL, NULL, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, &command));
    OK(finalize(buffer));
    for (int round = 0; round < 4; round++) {
        int *number = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof *number, 0), start = 10 * round, got;
        NEED(number);
        const argument place = {0, 0, places[round % 2]};
        const exec_info reached = {CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof number, &number};
        const config what = {.command = command, .num_svm_args = 1, .svm_args = &place, .num_exec_infos = 1, .exec_infos = &reached};
        OK(clEnqueueSVMMemcpy(in_order, CL_TRUE, number, &start, sizeof start, 0, NULL, NULL));
        OK(clEnqueueSVMMemcpy(in_order, CL_TRUE, places[round % 2], &number, sizeof number, 0, NULL, NULL));
        OK(change(buffer, &what));
        OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
        OK(clEnqueueSVMMemcpy(in_order, CL_TRUE, &got, number, sizeof got, 0, NULL, NULL));
        EXPECT(10 * round + 1, got);
        clSVMFree(context, number);
    }
    int host;
    const argument wrong = {99, 0, &host};
    const void *none = &host;
    const exec_info unknown = {CL_KERNEL_EXEC_INFO_SVM_PTRS, sizeof none - 1, &none};
    config what = {.command = command, .num_svm_args = 1, .svm_args = &wrong};
    EXPECT(CL_INVALID_ARG_INDEX, change(buffer, &what));
    what = (config){.command = command, .num_exec_infos = 1, .exec_infos = &unknown};
    EXPECT(CL_INVALID_VALUE, change(buffer, &what));
    OK(release(buffer));
    for (int i = 0; i < 2; i++) clSVMFree(context, places[i]);
    OK(clReleaseKernel(kernel));
}

static void errors(void) {
    cl_int err;
    const properties twice[] = {FLAGS, MUTABLE, FLAGS, MUTABLE, 0}, bits[] = {FLAGS, 1 << 16, 0}, claims[] = {BUFFER_ASSERTS, 2, 0};
    EXPECT_NULL(CL_INVALID_VALUE, create(1, &in_order, twice, &err));
    EXPECT_NULL(CL_INVALID_VALUE, create(1, &in_order, bits, &err));
    EXPECT_NULL(CL_INVALID_VALUE, create(1, &in_order, claims, &err));
    cl_kernel kernel = check_kernel(program, "", "sizes");
    cl_mem memory = check_buffer(context, 0, 40);
    OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    command_buffer buffer = new_buffer(in_order, changes), fixed = new_buffer(in_order, NULL);
    mutable_command command, other;
    const size_t one = 1;
    const properties fields[] = {FIELDS, 32, 0}, flags[] = {FLAGS, 0, 0};
    EXPECT(CL_INVALID_VALUE, nd_range(buffer, NULL, fields, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, &command));
    EXPECT(CL_INVALID_VALUE, nd_range(buffer, NULL, flags, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, &command));
    OK(nd_range(buffer, NULL, NULL, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, &command));
    OK(nd_range(fixed, NULL, NULL, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, &other));
    /* Other commands have no handle. */
    EXPECT(CL_INVALID_VALUE, barrier(buffer, NULL, NULL, 0, NULL, NULL, &other));
    config what = {.command = command, .global = &one};
    EXPECT(CL_INVALID_OPERATION, change(buffer, &what));
    OK(finalize(buffer));
    OK(finalize(fixed));
    what.command = other;
    EXPECT(CL_INVALID_OPERATION, change(fixed, &what));
    EXPECT(INVALID_MUTABLE_COMMAND, change(buffer, &what));
    what.command = NULL;
    EXPECT(INVALID_MUTABLE_COMMAND, change(buffer, &what));
    what.command = command;
    EXPECT(INVALID_COMMAND_BUFFER, change(NULL, &what));
    cl_uint type = 1;
    const void *list = &what, *none = NULL;
    EXPECT(CL_INVALID_VALUE, update(buffer, 1, &type, &list));
    type = 0;
    EXPECT(CL_INVALID_VALUE, update(buffer, 1, NULL, &list));
    EXPECT(CL_INVALID_VALUE, update(buffer, 1, &type, NULL));
    EXPECT(CL_INVALID_VALUE, update(buffer, 0, &type, &list));
    EXPECT(CL_INVALID_VALUE, update(buffer, 1, &type, &none));
    OK(update(buffer, 0, NULL, NULL));
    const argument arg = {0, sizeof memory, &memory}, index = {1, 4, &type}, size = {0, 2, &memory};
    const config wrong[] = {
        {.command = command, .num_args = 1},
        {.command = command, .args = &arg},
        {.command = command, .num_svm_args = 1},
        {.command = command, .svm_args = &arg},
        {.command = command, .num_exec_infos = 1},
        {.command = command, .exec_infos = (const exec_info *)&arg},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) EXPECT(CL_INVALID_VALUE, change(buffer, &wrong[i]));
    what = (config){.command = command, .num_args = 1, .args = &index};
    EXPECT(CL_INVALID_ARG_INDEX, change(buffer, &what));
    what.args = &size;
    EXPECT(CL_INVALID_ARG_SIZE, change(buffer, &what));
    /* Queries. */
    void *object;
    cl_uint number;
    OK(command_info(command, INFO_QUEUE, sizeof object, &object, NULL));
    TRUE(object == in_order);
    OK(command_info(command, INFO_BUFFER, sizeof object, &object, NULL));
    TRUE(object == buffer);
    OK(command_info(command, INFO_KERNEL, sizeof object, &object, NULL));
    TRUE(object == kernel);
    OK(command_info(command, INFO_TYPE, sizeof number, &number, NULL));
    EXPECT(CL_COMMAND_NDRANGE_KERNEL, number);
    OK(command_info(command, INFO_DIMENSIONS, sizeof number, &number, NULL));
    EXPECT(1, number);
    size_t returned = 1;
    OK(command_info(command, INFO_PROPERTIES, 0, NULL, &returned));
    EXPECT(0, returned);
    EXPECT(CL_INVALID_VALUE, command_info(command, INFO_TYPE, 1, &number, NULL));
    EXPECT(CL_INVALID_VALUE, command_info(command, INFO_TYPE + 1, sizeof number, &number, NULL));
    EXPECT(INVALID_MUTABLE_COMMAND, command_info(NULL, INFO_TYPE, 0, NULL, NULL));
    EXPECT(INVALID_MUTABLE_COMMAND, command_info(buffer, INFO_TYPE, 0, NULL, NULL));
    cl_bitfield able;
    OK(clGetDeviceInfo(device, CAPABILITIES, sizeof able, &able, NULL));
    EXPECT(ALL_FIELDS, able);
    OK(clGetDeviceInfo(device, BUFFER_CAPABILITIES, sizeof able, &able, NULL));
    TRUE(able & 4);
    OK(release(buffer));
    OK(release(fixed));
    OK(clReleaseMemObject(memory));
    OK(clReleaseKernel(kernel));
}

int main(void) {
    static const char *source =
        "kernel void scale(global const uint *in, global uint *out, uint n) { size_t i = get_global_id(0); out[i] = n * in[i]; }\n"
        "kernel void sizes(global uint *p) {\n"
        "    for (uint d = 0; d < 3; d++) {\n"
        "        p[d] = get_global_offset(d); p[3 + d] = get_global_size(d); p[6 + d] = get_local_size(d);\n"
        "    }\n"
        "    atomic_inc(p + 9);\n"
        "}\n"
        "kernel void turn(global uint *p, local uint *l) {\n"
        "    size_t i = get_local_id(0), n = get_local_size(0);\n"
        "    l[n - 1 - i] = p[get_global_id(0)];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    p[get_global_id(0)] = l[i];\n"
        "}\n"
        "kernel void follow(global int *global *p) { **p += 1; }\n";
    cl_int err;
    device = check_device();
    context = check_context(device);
    functions();
    update = check_function("clUpdateMutableCommandsKHR");
    command_info = check_function("clGetMutableCommandInfoKHR");
    in_order = clCreateCommandQueue(context, device, 0, &err);
    out_of_order = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(in_order && out_of_order && program && clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS);
    held(in_order, in_order);
    held(in_order, out_of_order);
    held(out_of_order, in_order);
    held(out_of_order, out_of_order);
    sizes();
    deferred();
    pointers();
    errors();
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(in_order));
    OK(clReleaseCommandQueue(out_of_order));
    OK(clReleaseContext(context));
    END;
}
