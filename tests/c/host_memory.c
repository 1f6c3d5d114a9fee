/* Memory of the application that several commands use: what one reads into it, the next writes from it, in
   order, by events, from queue to queue and through markers. And what has ended for the application when an
   event has: all that the event's command waited for. */
#include "check.h"
#include <unistd.h>

enum { INTS = 8192, BYTES = 4 * INTS, BIG = 3 << 20 };

static cl_device_id device;
static cl_context context;
static cl_kernel slow;
static cl_program program;

static cl_command_queue new_queue(int out_of_order) {
    cl_int err;
    cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &err);
    NEED(queue);
    return queue;
}

/* Every int becomes a new number, some time later. */
static cl_int launch(cl_command_queue queue, cl_mem buffer, size_t ints, cl_event *event) {
    static cl_int value;
    value++;
    OK(clSetKernelArg(slow, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(slow, 1, sizeof value, &value));
    OK(clEnqueueNDRangeKernel(queue, slow, 1, NULL, &ints, NULL, 0, NULL, event));
    return value;
}

static int all(const cl_int *p, size_t ints, cl_int value) {
    for (size_t i = 0; i < ints; i++)
        if (p[i] != value) {
            printf("int %zu is %d, not %d\n", i, p[i], value);
            return 0;
        }
    return 1;
}

/* How a command stands behind the read before it. */
enum order { IN_ORDER, BY_EVENT, BARRIER, OTHER_QUEUE, THROUGH_MARKER, ORDERS };
/* What is done with what has been read. */
enum then { WRITE, WRITE_LARGE, READ, RECT, IMAGE, UNMAP, THENS };

static cl_command_queue queues[3];
static cl_event last;

/* The queue of the second command, and what it waits for. */
static cl_command_queue behind(enum order order, cl_uint *count) {
    *count = order == BY_EVENT || order == OTHER_QUEUE || order == THROUGH_MARKER;
    switch (order) {
    case IN_ORDER: return queues[0];
    case BY_EVENT: return queues[2];
    case BARRIER: OK(clEnqueueBarrierWithWaitList(queues[2], 0, NULL, NULL)); return queues[2];
    case OTHER_QUEUE: OK(clFlush(queues[0])); return queues[1];
    default: {
        cl_event marker;
        OK(clEnqueueMarkerWithWaitList(queues[1], 1, &last, &marker));
        OK(clReleaseEvent(last));
        last = marker;
        return queues[2];
    }
    }
}

static void pass_on(enum order order, enum then then, int pause) {
    size_t ints = then == WRITE_LARGE ? BIG : INTS, size = 4 * ints;
    static cl_int *memory, *got;
    if (!memory) memory = malloc(4 * BIG), got = malloc(4 * BIG);
    cl_int *p = memory;
    cl_int err, minus = -1, value;
    cl_mem a = check_buffer(context, 0, size), b = check_buffer(context, 0, size), image = NULL;
    cl_command_queue first = queues[order == BY_EVENT || order == BARRIER ? 2 : 0];
    OK(clEnqueueFillBuffer(first, a, &minus, 4, 0, size, 0, NULL, NULL));
    OK(clFinish(first));
    OK(clEnqueueFillBuffer(first, b, &minus, 4, 0, size, 0, NULL, NULL));
    OK(clFinish(first));
    memset(p, 0x55, size);
    if (then == UNMAP) {
        p = clEnqueueMapBuffer(first, b, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION, 0, size, 0, NULL, NULL, &err);
        NEED(p);
    }
    if (then == IMAGE) {
        cl_image_format format = {CL_R, CL_SIGNED_INT32};
        cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = INTS / 64};
        image = clCreateImage(context, 0, &format, &desc, NULL, &err);
        NEED(image);
    }
    cl_event launched;
    value = launch(first, a, ints, &launched);
    OK(clEnqueueReadBuffer(first, a, CL_FALSE, 0, size, p, 1, &launched, &last));
    if (pause) OK(clFlush(first));
    usleep(pause * 300);
    cl_uint count;
    cl_event done;
    cl_command_queue second = behind(order, &count);
    cl_event *waits = count ? &last : NULL;
    size_t zero[3] = {0}, rows[3] = {256, INTS / 64, 1}, texels[3] = {64, INTS / 64, 1};
    switch (then) {
    case WRITE:
    case WRITE_LARGE: OK(clEnqueueWriteBuffer(second, b, CL_FALSE, 0, size, p, count, waits, &done)); break;
    case READ:
        /* The later read wins. */
        OK(clEnqueueReadBuffer(second, b, CL_FALSE, 0, size, p, count, waits, &done));
        break;
    case RECT:
        OK(clEnqueueWriteBufferRect(second, b, CL_FALSE, zero, zero, rows, 0, 0, 0, 0, p, count, waits, &done));
        break;
    case IMAGE:
        OK(clEnqueueWriteImage(second, image, CL_FALSE, zero, texels, 0, 0, p, count, waits, &done));
        break;
    default: OK(clEnqueueUnmapMemObject(second, b, p, count, waits, &done));
    }
    OK(clFlush(second));
    OK(clWaitForEvents(1, &done));
    cl_int status = 7;
    OK(clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    EXPECT(CL_COMPLETE, status);
    int right;
    if (then == READ) {
        right = all(p, ints, -1);
    } else {
        if (image)
            OK(clEnqueueReadImage(second, image, CL_TRUE, zero, texels, 0, 0, got, 0, NULL, NULL));
        else
            OK(clEnqueueReadBuffer(second, b, CL_TRUE, 0, size, got, 0, NULL, NULL));
        right = all(got, ints, value);
    }
    if (!right) {
        printf("order %d, then %d, pause %d\n", order, then, pause);
        check_failures++;
    }
    OK(clReleaseEvent(launched));
    OK(clReleaseEvent(done));
    OK(clReleaseEvent(last));
    if (image) OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

/* Rows of two buffers into columns of one array: what is between them stays. */
static void columns(void) {
    enum { ROW = 64, ROWS = 100 };
    static cl_int p[ROWS][ROW];
    cl_mem a = check_buffer(context, 0, sizeof p), b = check_buffer(context, 0, sizeof p);
    cl_int va = launch(queues[0], a, ROWS * ROW, NULL), vb = launch(queues[0], b, ROWS * ROW, NULL);
    size_t zero[3] = {0}, here[3] = {0}, there[3] = {4 * ROW / 2, 0, 0}, region[3] = {4 * ROW / 2, ROWS, 1};
    memset(p, 0, sizeof p);
    OK(clEnqueueReadBufferRect(queues[0], a, CL_FALSE, zero, here, region, 0, 0, 4 * ROW, 0, p, 0, NULL, NULL));
    OK(clEnqueueReadBufferRect(queues[0], b, CL_FALSE, zero, there, region, 0, 0, 4 * ROW, 0, p, 0, NULL, NULL));
    OK(clFinish(queues[0]));
    for (int y = 0; y < ROWS; y++) TRUE(all(p[y], ROW / 2, va) && all(p[y] + ROW / 2, ROW / 2, vb));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

/* A point in time behind a read, in the moment when the device has done that and the host may not have. */
static void points(int pause) {
    static cl_int p[1 << 18];
    size_t ints = sizeof p / 4;
    cl_mem a = check_buffer(context, 0, sizeof p);
    cl_event marker;
    cl_int value = launch(queues[0], a, ints, NULL);
    OK(clEnqueueReadBuffer(queues[0], a, CL_FALSE, 0, sizeof p, p, 0, NULL, NULL));
    OK(clFlush(queues[0]));
    usleep(pause * 50);
    OK(clEnqueueMarkerWithWaitList(queues[0], 0, NULL, &marker));
    OK(clWaitForEvents(1, &marker));
    TRUE(all(p, ints, value));
    OK(clReleaseEvent(marker));
    OK(clReleaseMemObject(a));
}

/* Memory that kernels and the host share is the source of a write behind a kernel that changes it. */
static void shared_memory(enum order order) {
    cl_int err, value;
    cl_uint count;
    cl_device_svm_capabilities svm = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    if (!(svm & CL_DEVICE_SVM_FINE_GRAIN_BUFFER)) return;
    static cl_int got[INTS];
    cl_int *p = clSVMAlloc(context, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, BYTES, 0);
    NEED(p);
    memset(p, 0, BYTES);
    cl_mem b = check_buffer(context, 0, BYTES);
    cl_kernel kernel = clCreateKernel(program, "slow", &err);
    size_t ints = INTS;
    value = 100 + order;
    OK(clSetKernelArgSVMPointer(kernel, 0, p));
    OK(clSetKernelArg(kernel, 1, sizeof value, &value));
    cl_command_queue first = queues[order == BY_EVENT || order == BARRIER ? 2 : 0];
    OK(clEnqueueNDRangeKernel(first, kernel, 1, NULL, &ints, NULL, 0, NULL, &last));
    cl_command_queue second = behind(order, &count);
    OK(clEnqueueWriteBuffer(second, b, CL_FALSE, 0, BYTES, p, count, count ? &last : NULL, NULL));
    OK(clFinish(second));
    OK(clEnqueueReadBuffer(second, b, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
    TRUE(all(got, INTS, value));
    OK(clFinish(first));
    OK(clReleaseEvent(last));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(b));
    clSVMFree(context, p);
}

int main(void) {
    static const char *source = "kernel void slow(global int *p, int value) {\n"
                                "    uint x = get_global_id(0);\n"
                                "    for (int i = 0; i < 3000; i++) x = x * 1664525u + 1013904223u;\n"
                                "    p[get_global_id(0)] = x == 12345 ? value + (int)(x & 0) : value;\n"
                                "}\n";
    cl_int err;
    device = check_device();
    context = check_context(device);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    slow = clCreateKernel(program, "slow", &err);
    NEED(slow);
    for (int i = 0; i < 3; i++) queues[i] = new_queue(i == 2);
    for (int order = 0; order < ORDERS; order++) {
        for (int then = 0; then < THENS; then++)
            for (int pause = 0; pause < (then == WRITE_LARGE ? 1 : 4); pause++) pass_on(order, then, pause);
        shared_memory(order);
    }
    columns();
    for (int pause = 0; pause < 60; pause++) points(pause);
    for (int i = 0; i < 3; i++) OK(clReleaseCommandQueue(queues[i]));
    OK(clReleaseKernel(slow));
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
    END;
}
