/* cl_khr_command_buffer: what is recorded, in which order it runs, and what it may not be. */
#include "command_buffer.h"

enum { N = 256, STEPS = 100 };

static cl_device_id device;
static cl_context context;
static cl_command_queue in_order, out_of_order;
static cl_program program;

static cl_kernel kernel_of(const char *name) {
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);
    NEED(kernel);
    return kernel;
}

static command_buffer new_buffer(cl_command_queue queue) {
    cl_int err;
    command_buffer buffer = create(1, &queue, NULL, &err);
    NEED(buffer && err == CL_SUCCESS);
    return buffer;
}

static void launch(command_buffer buffer, cl_kernel kernel, cl_mem memory, cl_int n, size_t from, size_t count,
                   cl_uint waits, const sync_point *list, sync_point *point) {
    size_t local = 16;
    OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
    OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    OK(nd_range(buffer, NULL, NULL, kernel, 1, &from, &count, &local, waits, list, point, NULL));
}

/* 100 launches that depend on each other, run again and again: x = 3 x + i. In the order of the queue, or by sync points. */
static void chain(cl_command_queue recorded, cl_command_queue run) {
    cl_command_queue_properties bits;
    OK(clGetCommandQueueInfo(recorded, CL_QUEUE_PROPERTIES, sizeof bits, &bits, NULL));
    int points = (bits & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE) != 0;
    cl_kernel kernel = kernel_of("step");
    cl_mem memory = check_buffer(context, 0, 4 * N), result = check_buffer(context, 0, 4 * N);
    command_buffer buffer = new_buffer(recorded);
    cl_uint one = 1, state;
    sync_point last;
    OK(fill_buffer(buffer, NULL, NULL, memory, &one, 4, 0, 4 * N, 0, NULL, &last, NULL));
    for (int i = 0; i < STEPS; i++) launch(buffer, kernel, memory, i, 0, N, points, points ? &last : NULL, &last);
    OK(copy_buffer(buffer, NULL, NULL, memory, result, 0, 0, 4 * N, points, points ? &last : NULL, NULL, NULL));
    OK(info(buffer, STATE, sizeof state, &state, NULL));
    EXPECT(0, state);
    EXPECT(CL_INVALID_OPERATION, enqueue(0, NULL, buffer, 0, NULL, NULL));
    OK(finalize(buffer));
    OK(info(buffer, STATE, sizeof state, &state, NULL));
    EXPECT(1, state);
    /* What was recorded stays as it was. */
    cl_mem none = NULL;
    OK(clSetKernelArg(kernel, 0, sizeof none, &none));
    OK(clReleaseKernel(kernel));
    cl_uint want = 1, got[N], zero = 0;
    for (int i = 0; i < STEPS; i++) want = 3 * want + i;
    for (int round = 0; round < 3; round++) {
        cl_event filled, done;
        OK(clEnqueueFillBuffer(run, result, &zero, 4, 0, 4 * N, 0, NULL, &filled));
        OK(enqueue(1, &run, buffer, 1, &filled, &done));
        OK(clEnqueueReadBuffer(run, result, CL_TRUE, 0, 4 * N, got, 1, &done, NULL));
        for (int i = 0; i < N; i++)
            if (got[i] != want) {
                printf("round %d: item %d is %u, not %u\n", round, i, got[i], want);
                check_failures++;
                break;
            }
        cl_command_type type;
        OK(clGetEventInfo(done, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        EXPECT(COMMAND_BUFFER, type);
        OK(clReleaseEvent(done));
        OK(clReleaseEvent(filled));
    }
    /* It is released before it has run. */
    OK(enqueue(1, &run, buffer, 0, NULL, NULL));
    OK(release(buffer));
    EXPECT(INVALID_COMMAND_BUFFER, release(buffer));
    OK(clFinish(run));
    OK(clReleaseMemObject(memory));
    OK(clReleaseMemObject(result));
}

/* Launches on parts of a buffer that nothing orders, a barrier, and one that uses all. Commands of the queue before and behind
   are ordered by its order, or by events. */
static void parts(cl_command_queue queue, int ordered) {
    cl_kernel step = kernel_of("step"), sum = kernel_of("sum");
    cl_mem memory = check_buffer(context, 0, 4 * N), total = check_buffer(context, 0, 4);
    command_buffer buffer = new_buffer(out_of_order);
    sync_point point;
    for (int i = 0; i < N / 16; i++) launch(buffer, step, memory, i, 16 * i, 16, 0, NULL, NULL);
    OK(barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL));
    for (int i = 0; i < N / 16; i++) launch(buffer, step, memory, 1, 16 * i, 16, 0, NULL, &point);
    OK(barrier(buffer, NULL, NULL, 1, &point, &point, NULL));
    size_t one = 1;
    OK(clSetKernelArg(sum, 0, sizeof memory, &memory));
    OK(clSetKernelArg(sum, 1, sizeof total, &total));
    OK(nd_range(buffer, NULL, NULL, sum, 1, NULL, &one, NULL, 1, &point, NULL, NULL));
    OK(finalize(buffer));
    for (cl_uint round = 0; round < 4; round++) {
        cl_event events[2];
        cl_uint want = 0, got;
        for (cl_uint i = 0; i < N; i++) want += 3 * (3 * round + i / 16) + 1;
        OK(clEnqueueFillBuffer(queue, memory, &round, 4, 0, 4 * N, 0, NULL, &events[0]));
        OK(enqueue(1, &queue, buffer, !ordered, ordered ? NULL : &events[0], &events[1]));
        OK(clEnqueueReadBuffer(queue, total, CL_TRUE, 0, 4, &got, !ordered, ordered ? NULL : &events[1], NULL));
        EXPECT(want, got);
        OK(clReleaseEvent(events[0]));
        OK(clReleaseEvent(events[1]));
    }
    OK(release(buffer));
    OK(clReleaseKernel(step));
    OK(clReleaseKernel(sum));
    OK(clReleaseMemObject(memory));
    OK(clReleaseMemObject(total));
}

/* Enqueued again and again, between launches of the same kernel with the same arguments, before any of it has run. */
static void between(void) {
    cl_kernel step = kernel_of("step");
    cl_mem memory = check_buffer(context, 0, 4 * N);
    command_buffer buffer = new_buffer(in_order);
    cl_uint want = 1, got[N];
    size_t global = N, local = 16;
    for (int i = 0; i < 3; i++) launch(buffer, step, memory, i, 0, N, 0, NULL, NULL);
    OK(finalize(buffer));
    OK(clEnqueueFillBuffer(in_order, memory, &want, 4, 0, 4 * N, 0, NULL, NULL));
    for (int round = 0; round < 5; round++) {
        OK(clEnqueueNDRangeKernel(in_order, step, 1, NULL, &global, &local, 0, NULL, NULL));
        want = 3 * want + 2;
        for (int again = 0; again < round; again++) {
            OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
            for (int i = 0; i < 3; i++) want = 3 * want + i;
        }
    }
    OK(release(buffer));
    OK(clEnqueueReadBuffer(in_order, memory, CL_TRUE, 0, 4 * N, got, 0, NULL, NULL));
    for (int i = 0; i < N; i++) EXPECT(want, got[i]);
    OK(clReleaseKernel(step));
    OK(clReleaseMemObject(memory));
}

/* A kernel that enqueues another one, between others, to a queue that is made later. */
static void enqueuing(cl_command_queue queue) {
    cl_int err;
    cl_kernel step = kernel_of("step"), later = kernel_of("later");
    cl_mem memory = check_buffer(context, 0, 4 * N);
    command_buffer buffer = new_buffer(queue);
    sync_point last;
    cl_uint one = 1, got[N];
    OK(fill_buffer(buffer, NULL, NULL, memory, &one, 4, 0, 4 * N, 0, NULL, &last, NULL));
    launch(buffer, step, memory, 1, 0, N, 1, &last, &last);
    launch(buffer, later, memory, 5, 0, N, 1, &last, &last);
    launch(buffer, step, memory, 2, 0, N, 1, &last, &last);
    launch(buffer, step, memory, 3, 0, N, 1, &last, &last);
    launch(buffer, later, memory, 7, 0, N, 1, &last, &last);
    OK(finalize(buffer));
    cl_queue_properties list[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue children = clCreateCommandQueueWithProperties(context, device, list, &err);
    NEED(children);
    for (int round = 0; round < 3; round++) {
        cl_event done;
        OK(enqueue(0, NULL, buffer, 0, NULL, &done));
        OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4 * N, got, 1, &done, NULL));
        /* 3 (3 (3 + 1 + 5) + 2) + 3 + 7 */
        for (int i = 0; i < N; i++) EXPECT(97, got[i]);
        OK(clReleaseEvent(done));
    }
    OK(release(buffer));
    OK(clReleaseCommandQueue(children));
    OK(clReleaseKernel(step));
    OK(clReleaseKernel(later));
    OK(clReleaseMemObject(memory));
}

/* A kernel that follows a pointer in memory finds what was allocated behind its recording. */
static void pointers(void) {
    cl_device_svm_capabilities svm = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    if (!svm) return;
    cl_kernel kernel = kernel_of("follow");
    void **place = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof *place, 0);
    NEED(place);
    command_buffer buffer = new_buffer(in_order);
    size_t one = 1;
    OK(clSetKernelArgSVMPointer(kernel, 0, place));
    OK(nd_range(buffer, NULL, NULL, kernel, 1, NULL, &one, NULL, 0, NULL, NULL, NULL));
    int host = 0;
    EXPECT(CL_INVALID_OPERATION, svm_copy(buffer, NULL, NULL, place, &host, sizeof host, 0, NULL, NULL, NULL));
    OK(finalize(buffer));
    for (int round = 1; round < 4; round++) {
        int *number = clSVMAlloc(context, CL_MEM_READ_WRITE, sizeof *number, 0), start = 10 * round, got;
        NEED(number);
        OK(clEnqueueSVMMemcpy(in_order, CL_TRUE, number, &start, sizeof start, 0, NULL, NULL));
        OK(clEnqueueSVMMemcpy(in_order, CL_TRUE, place, &number, sizeof number, 0, NULL, NULL));
        OK(enqueue(0, NULL, buffer, 0, NULL, NULL));
        OK(clEnqueueSVMMemcpy(in_order, CL_TRUE, &got, number, sizeof got, 0, NULL, NULL));
        EXPECT(10 * round + 1, got);
        clSVMFree(context, number);
    }
    OK(release(buffer));
    clSVMFree(context, place);
    OK(clReleaseKernel(kernel));
}

static void errors(void) {
    cl_int err;
    cl_command_queue queues[2] = {in_order, NULL};
    properties flags[] = {FLAGS, 1 << 20, 0}, none[] = {FLAGS, 0, 0}, twice[] = {FLAGS, 0, FLAGS, 0, 0}, unknown[] = {FLAGS + 1, 0, 0};
    EXPECT_NULL(CL_INVALID_COMMAND_QUEUE, create(2, queues, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, create(0, queues, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, create(1, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, create(1, queues, twice, &err));
    EXPECT_NULL(CL_INVALID_VALUE, create(1, queues, unknown, &err));
    EXPECT_NULL(CL_INVALID_VALUE, create(1, queues, flags, &err));
    command_buffer buffer = create(1, queues, none, &err), other = new_buffer(in_order);
    NEED(buffer);
    cl_mem memory = check_buffer(context, 0, 64);
    cl_uint zero = 0;
    sync_point point, wrong = 7;
    OK(fill_buffer(buffer, NULL, NULL, memory, &zero, 4, 0, 64, 0, NULL, &point, NULL));
    EXPECT(INVALID_SYNC_POINTS, fill_buffer(buffer, NULL, NULL, memory, &zero, 4, 0, 64, 1, &wrong, NULL, NULL));
    EXPECT(INVALID_SYNC_POINTS, fill_buffer(other, NULL, NULL, memory, &zero, 4, 0, 64, 1, &point, NULL, NULL));
    EXPECT(INVALID_SYNC_POINTS, barrier(buffer, NULL, NULL, 1, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, fill_buffer(buffer, NULL, none, memory, &zero, 4, 0, 64, 0, NULL, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, fill_buffer(buffer, NULL, NULL, memory, &zero, 4, 0, 68, 0, NULL, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, copy_buffer(buffer, NULL, NULL, memory, memory, 0, 4, 8, 0, NULL, NULL, NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, barrier(buffer, out_of_order, NULL, 0, NULL, NULL, NULL));
    OK(retain(buffer));
    OK(release(buffer));
    OK(finalize(buffer));
    EXPECT(CL_INVALID_OPERATION, finalize(buffer));
    EXPECT(CL_INVALID_OPERATION, barrier(buffer, NULL, NULL, 0, NULL, NULL, NULL));
    EXPECT(INVALID_COMMAND_BUFFER, enqueue(0, NULL, (command_buffer)in_order, 0, NULL, NULL));
    EXPECT(INVALID_COMMAND_BUFFER, finalize(NULL));
    EXPECT(CL_INVALID_VALUE, enqueue(1, NULL, buffer, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, enqueue(2, queues, buffer, 0, NULL, NULL));
    OK(finalize(other));
    OK(enqueue(0, NULL, other, 0, NULL, NULL));
    OK(clFinish(in_order));
    OK(release(buffer));
    OK(release(other));
    OK(clReleaseMemObject(memory));
}

int main(void) {
    static const char *source =
        "kernel void step(global uint *p, uint n) { size_t i = get_global_id(0); p[i] = 3 * p[i] + n; }\n"
        "kernel void sum(global uint *p, global uint *total) { uint s = 0; for (int i = 0; i < 256; i++) s += p[i]; *total = s; }\n"
        "kernel void later(global uint *p, uint n) {\n"
        "    if (get_global_id(0) == 0)\n"
        "        enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(256), ^{ p[get_global_id(0)] += n; });\n"
        "}\n"
        "kernel void follow(global int *global *p) { **p += 1; }\n";
    cl_int err;
    device = check_device();
    context = check_context(device);
    functions();
    in_order = clCreateCommandQueue(context, device, 0, &err);
    out_of_order = clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(in_order && out_of_order && program && clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS);
    chain(in_order, in_order);
    chain(in_order, out_of_order);
    chain(out_of_order, in_order);
    chain(out_of_order, out_of_order);
    parts(in_order, 1);
    parts(out_of_order, 0);
    between();
    enqueuing(in_order);
    enqueuing(out_of_order);
    pointers();
    errors();
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(in_order));
    OK(clReleaseCommandQueue(out_of_order));
    OK(clReleaseContext(context));
    END;
}
