/* What applications do with objects, each deed a function that checks what came of it: run by many
   threads at once (stress.c) and many times over (leak.c). Threads share queues, a kernel, a buffer,
   and the user events in `slots`. */
#ifndef DEEDS_H
#define DEEDS_H
#include "check.h"
#include <pthread.h>

enum { QUEUES = 4, SLOTS = 8, INTS = 64 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queues[QUEUES];
static cl_program program;
static cl_kernel shared_kernel;
static cl_mem constants;
static cl_device_svm_capabilities svm;
static clDeviceMemAllocINTEL_fn usm_alloc;
static clEnqueueMemFillINTEL_fn usm_fill;
static clEnqueueMemcpyINTEL_fn usm_copy;
static clMemFreeINTEL_fn usm_free, usm_free_blocking;

/* User events that any thread may complete. */
static cl_event slots[SLOTS];
static pthread_mutex_t slots_lock = PTHREAD_MUTEX_INITIALIZER;

static const char *source =
    "kernel void mad(global int *p, global const int *c, int n) {\n"
    "    size_t i = get_global_id(0); p[i] = p[i] * c[0] + n;\n"
    "}\n";

static unsigned next(unsigned *state, unsigned n) {
    *state = *state * 1664525 + 1013904223;
    return (*state >> 16) % n;
}

static void release_all(cl_event *events, int n) {
    for (int i = 0; i < n; i++) OK(clReleaseEvent(events[i]));
}

/* Write, kernel, read, each on a queue of its own, in order by events. */
static void compute(unsigned *r) {
    cl_int data[INTS], got[INTS] = {0}, n = next(r, 1000), err;
    for (int i = 0; i < INTS; i++) data[i] = next(r, 1000);
    cl_mem buffer = check_buffer(context, next(r, 3) ? 0 : CL_MEM_ALLOC_HOST_PTR, sizeof data);
    cl_kernel kernel = next(r, 2) ? clCloneKernel(shared_kernel, &err) : clCreateKernel(program, "mad", &err);
    NEED(kernel);
    cl_event events[3];
    size_t size = INTS;
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(kernel, 1, sizeof constants, &constants));
    OK(clSetKernelArg(kernel, 2, sizeof n, &n));
    OK(clEnqueueWriteBuffer(queues[next(r, QUEUES)], buffer, CL_FALSE, 0, sizeof data, data, 0, NULL,
                            &events[0]));
    OK(clEnqueueNDRangeKernel(queues[next(r, QUEUES)], kernel, 1, NULL, &size, NULL, 1, &events[0],
                              &events[1]));
    OK(clReleaseKernel(kernel));
    int blocking = next(r, 2);
    OK(clEnqueueReadBuffer(queues[next(r, QUEUES)], buffer, blocking, 0, sizeof got, got, 1, &events[1],
                           &events[2]));
    OK(clReleaseMemObject(buffer));
    if (!blocking) OK(clWaitForEvents(1, &events[2]));
    for (int i = 0; i < INTS; i++) EXPECT(data[i] * 3 + n, got[i]);
    release_all(events, 3);
}

/* Commands behind a user event that another thread may complete before this one does. */
static void user_events(unsigned *r) {
    cl_int err, value = next(r, 1000), got = 0;
    cl_event user = clCreateUserEvent(context, &err), events[2];
    NEED(user);
    cl_mem buffer = check_buffer(context, 0, 4);
    OK(clEnqueueFillBuffer(queues[2 + next(r, 2)], buffer, &value, 4, 0, 4, 1, &user, &events[0]));
    OK(clEnqueueReadBuffer(queues[2 + next(r, 2)], buffer, CL_FALSE, 0, 4, &got, 1, &events[0], &events[1]));
    OK(clReleaseMemObject(buffer));
    OK(clRetainEvent(user));
    pthread_mutex_lock(&slots_lock);
    int slot = next(r, SLOTS);
    cl_event old = slots[slot];
    slots[slot] = user;
    pthread_mutex_unlock(&slots_lock);
    if (old) {
        /* CL_INVALID_OPERATION if its maker was faster. */
        cl_int code = clSetUserEventStatus(old, CL_COMPLETE);
        TRUE(code == CL_SUCCESS || code == CL_INVALID_OPERATION);
        OK(clReleaseEvent(old));
    }
    cl_int code = clSetUserEventStatus(user, CL_COMPLETE);
    TRUE(code == CL_SUCCESS || code == CL_INVALID_OPERATION);
    OK(clWaitForEvents(2, events));
    EXPECT(value, got);
    release_all(events, 2);
    OK(clReleaseEvent(user));
}

/* A failed user event: what waits for it fails, and in order what is behind that, in a queue of its own. */
static void failing(unsigned *r) {
    cl_int err, status, value = 7, want = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
    int out_of_order = next(r, 2);
    cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &err);
    NEED(queue);
    cl_event user = clCreateUserEvent(context, &err), events[3];
    cl_mem buffer = check_buffer(context, 0, 4);
    OK(clEnqueueMarkerWithWaitList(queue, 1, &user, &events[0]));
    OK(clEnqueueMarkerWithWaitList(queue, 1, &events[0], &events[1]));
    OK(clEnqueueFillBuffer(queue, buffer, &value, 4, 0, 4, 0, NULL, &events[2]));
    OK(clReleaseMemObject(buffer));
    OK(clSetUserEventStatus(user, -5));
    EXPECT(want, clWaitForEvents(1, &events[1]));
    OK(clGetEventInfo(events[1], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    TRUE(status < 0);
    EXPECT(out_of_order ? CL_SUCCESS : want, clWaitForEvents(1, &events[2]));
    OK(clReleaseCommandQueue(queue));
    release_all(events, 3);
    OK(clReleaseEvent(user));
}

static void CL_CALLBACK complete_next(cl_event event, cl_int status, void *user) {
    EXPECT(CL_COMPLETE, status);
    cl_uint references;
    OK(clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL));
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clReleaseEvent(user));
}

/* A chain of markers whose links are callbacks. */
static void callbacks(unsigned *r) {
    cl_int err;
    cl_event link[4], marker[3];
    for (int i = 0; i < 4; i++) link[i] = clCreateUserEvent(context, &err);
    for (int i = 0; i < 3; i++) {
        cl_command_queue queue = queues[2 + next(r, 2)];
        OK(clEnqueueMarkerWithWaitList(queue, 1, &link[i], &marker[i]));
        OK(clRetainEvent(link[i + 1]));
        OK(clSetEventCallback(marker[i], CL_COMPLETE, complete_next, link[i + 1]));
        OK(clFlush(queue));
    }
    OK(clSetUserEventStatus(link[0], CL_COMPLETE));
    OK(clWaitForEvents(1, &link[3]));
    release_all(link, 4);
    release_all(marker, 3);
}

/* A queue that goes while its commands run. */
static void short_queue(unsigned *r) {
    cl_int err, value = next(r, 1000), got = 0;
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES,
                                        (next(r, 2) ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0) |
                                            (next(r, 2) ? CL_QUEUE_PROFILING_ENABLE : 0),
                                        0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &err);
    NEED(queue);
    cl_event event;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &value, &err);
    OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 4, &got, 0, NULL, &event));
    OK(clReleaseMemObject(buffer));
    if (next(r, 2)) OK(clFlush(queue));
    OK(clReleaseCommandQueue(queue));
    OK(clWaitForEvents(1, &event));
    EXPECT(value, got);
    OK(clReleaseEvent(event));
}

static void mapping(unsigned *r) {
    cl_int err, value = next(r, 1000), got[INTS];
    cl_mem buffer = check_buffer(context, next(r, 2) ? CL_MEM_ALLOC_HOST_PTR : 0, sizeof got);
    cl_command_queue queue = queues[next(r, 2)];
    cl_int *p = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, sizeof got, 0, NULL, NULL, &err);
    NEED(p && err == CL_SUCCESS);
    for (int i = 0; i < INTS; i++) p[i] = value + i;
    OK(clEnqueueUnmapMemObject(queue, buffer, p, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < INTS; i++) EXPECT(value + i, got[i]);
    OK(clReleaseMemObject(buffer));
}

/* Builds: of a source that nobody else has, and of one that all have; and out of a binary. */
static void building(unsigned *r) {
    char text[128];
    const char *strings[] = {text};
    snprintf(text, sizeof text, "kernel void k(global int *p) { *p = %u; }", next(r, 2) ? next(r, 1000) : 1);
    cl_int err, status;
    cl_program own = clCreateProgramWithSource(context, 1, strings, NULL, &err), copy;
    OK(clBuildProgram(own, 1, &device, "", NULL, NULL));
    size_t size;
    unsigned char binary[16384], *bytes[] = {binary};
    OK(clGetProgramInfo(own, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL));
    NEED(size <= sizeof binary);
    OK(clGetProgramInfo(own, CL_PROGRAM_BINARIES, sizeof bytes, bytes, NULL));
    OK(clReleaseProgram(own));
    copy = clCreateProgramWithBinary(context, 1, &device, &size, (const unsigned char **)bytes, &status, &err);
    NEED(copy);
    OK(clBuildProgram(copy, 1, &device, NULL, NULL, NULL));
    cl_kernel kernel = clCreateKernel(copy, "k", &err);
    OK(clReleaseProgram(copy));
    OK(clReleaseKernel(kernel));
}

static void allocations(unsigned *r) {
    if (!(svm & CL_DEVICE_SVM_COARSE_GRAIN_BUFFER)) return;
    cl_int value = next(r, 1000);
    cl_command_queue queue = queues[next(r, 2)];
    cl_int *p = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
    NEED(p);
    OK(clEnqueueSVMMemFill(queue, p, &value, 4, 4096, 0, NULL, NULL));
    OK(clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_READ, p, 4096, 0, NULL, NULL));
    EXPECT(value, p[1023]);
    OK(clEnqueueSVMUnmap(queue, p, 0, NULL, NULL));
    void *list[] = {p};
    OK(clEnqueueSVMFree(queue, 1, list, NULL, NULL, 0, NULL, NULL));
}

/* Unified shared memory of a device, freed while it is in use. */
static void usm_allocations(unsigned *r) {
    cl_int value = next(r, 1000), got = 0, err;
    cl_command_queue queue = queues[next(r, 2)];
    cl_int *p = usm_alloc(context, device, NULL, 64 << next(r, 8), 0, &err);
    NEED(p);
    OK(usm_fill(queue, p, &value, 4, 64, 0, NULL, NULL));
    OK(usm_copy(queue, CL_TRUE, &got, p + 15, 4, 0, NULL, NULL));
    EXPECT(value, got);
    OK(usm_fill(queue, p, &value, 4, 64, 0, NULL, NULL));
    OK(next(r, 2) ? usm_free(context, p) : usm_free_blocking(context, p));
}

static void CL_CALLBACK on_gone(cl_context gone, void *user) {
    (void)gone;
    __atomic_add_fetch((unsigned *)user, 1, __ATOMIC_RELEASE);
}

static void contexts(unsigned *r) {
    static unsigned ended, begun;
    (void)r;
    cl_context own = check_context(device);
    OK(clSetContextDestructorCallback(own, on_gone, &ended));
    __atomic_add_fetch(&begun, 1, __ATOMIC_RELAXED);
    cl_mem buffer = check_buffer(own, 0, 64);
    OK(clReleaseContext(own));
    OK(clReleaseMemObject(buffer));
}

/* What may be called at any time. */
static void asking(unsigned *r) {
    cl_command_queue queue = queues[next(r, QUEUES)];
    cl_uint references;
    char name[32];
    OK(clRetainCommandQueue(queue));
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, NULL));
    TRUE(references >= 2);
    OK(clReleaseCommandQueue(queue));
    OK(clRetainKernel(shared_kernel));
    OK(clGetKernelInfo(shared_kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
    OK(clReleaseKernel(shared_kernel));
    switch (next(r, 3)) {
    case 0: OK(clFinish(queue)); break;
    case 1: OK(clFlush(queue)); break;
    default: OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
    }
}

typedef void (*deed)(unsigned *);
static const struct {
    const char *name;
    deed run;
} deeds[] = {
#define DEED(name) {#name, name}
    DEED(compute),  DEED(user_events), DEED(failing),     DEED(callbacks), DEED(short_queue), DEED(mapping),
    DEED(building), DEED(allocations), DEED(contexts), DEED(asking),
    DEED(usm_allocations),
#undef DEED
};
enum { DEEDS = sizeof deeds / sizeof *deeds };

static void begin(void) {
    device = check_device();
    context = check_context(device);
    cl_int err, three = 3;
    usm_alloc = check_function("clDeviceMemAllocINTEL");
    usm_fill = check_function("clEnqueueMemFillINTEL");
    usm_copy = check_function("clEnqueueMemcpyINTEL");
    usm_free = check_function("clMemFreeINTEL");
    usm_free_blocking = check_function("clMemBlockingFreeINTEL");
    for (int i = 0; i < QUEUES; i++) {
        cl_queue_properties properties[] = {
            CL_QUEUE_PROPERTIES, i % 2 ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
        queues[i] = clCreateCommandQueueWithProperties(context, device, properties, &err);
        NEED(queues[i]);
    }
    /* Maps and their unmaps are in order. */
    OK(clReleaseCommandQueue(queues[1]));
    queues[1] = check_queue(context, device);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    shared_kernel = clCreateKernel(program, "mad", &err);
    constants = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &three, &err);
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
}

static void end(void) {
    for (int i = 0; i < SLOTS; i++)
        if (slots[i]) OK(clReleaseEvent(slots[i]));
    /* Nothing is left that holds an object. */
    cl_uint references;
    for (int i = 0; i < QUEUES; i++) {
        OK(clFinish(queues[i]));
        OK(clGetCommandQueueInfo(queues[i], CL_QUEUE_REFERENCE_COUNT, sizeof references, &references, NULL));
        EXPECT(1, references);
        OK(clReleaseCommandQueue(queues[i]));
    }
    OK(clReleaseMemObject(constants));
    OK(clReleaseKernel(shared_kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
}

#endif
