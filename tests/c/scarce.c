/* Each Vulkan call that can run out of memory does, one after the other (fault_layer.c, whose file is the
   first argument), in a program that uses all kinds of objects: it ends with an error or does without; what
   was taken is given back; another context goes on. With `start` as second argument, CALDERA_FAULT_AT has
   chosen a call of the opening of the platform. With `names` nothing fails, and all objects have names. */
#include "check.h"
#include <dlfcn.h>
#include <unistd.h>

enum { INTS = 4096, BYTES = INTS * 4, LARGE = 6 << 20, SIDE = 32 };

static void (*arm)(long);
static const char *(*fired)(long *, long *);
static cl_device_id device;
static int natives;
static long at;

static const char *source =
    "kernel void put(global int *p, int n) { p[get_global_id(0)] = n; }\n"
    "kernel void add(global int *p, global const int *q, local int *l) {\n"
    "    size_t i = get_global_id(0);\n"
    "    l[get_local_id(0)] = q[i];\n"
    "    p[i] += l[get_local_id(0)];\n"
    "}\n"
    "kernel void brighten(read_only image2d_t from, write_only image2d_t to, sampler_t s) {\n"
    "    int2 c = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imageui(to, c, read_imageui(from, s, c) + 1u);\n"
    "}\n"
    "kernel void tell(int n) { if (get_global_id(0) == 0 && n == 77) printf(\"%d\\n\", n); }\n";

static volatile int expected_ends, ends;

static void CL_CALLBACK on_end(cl_event event, cl_int status, void *data) {
    (void)event, (void)status, (void)data;
    __atomic_add_fetch(&ends, 1, __ATOMIC_SEQ_CST);
}

static void CL_CALLBACK on_destroy(cl_mem memory, void *data) {
    (void)memory, (void)data;
    __atomic_add_fetch(&ends, 1, __ATOMIC_SEQ_CST);
}

static void CL_CALLBACK native(void *args) { **(int **)args = 5; }

#define TRY(call)                       \
    do {                                \
        cl_int e_ = (call);             \
        if (e_ != CL_SUCCESS) {         \
            err = e_;                   \
            goto end;                   \
        }                               \
    } while (0)
/* A call that returns an object, or NULL and the code in `e`. */
#define MAKE(object, call)                                      \
    do {                                                        \
        (object) = (call);                                      \
        TRUE(!(object) == (e != CL_SUCCESS));                   \
        TRY(e);                                                 \
    } while (0)

enum { MEMORIES = 8 };

/* The first error, or CL_SUCCESS when all went well. */
static cl_int work(void) {
    cl_int err = CL_SUCCESS, e = CL_SUCCESS, five = 5, got = 0, wrong = 0, *mapped;
    cl_context context = NULL;
    cl_command_queue queue = NULL, free_queue = NULL;
    cl_program program = NULL;
    cl_kernel put = NULL, add = NULL, brighten = NULL, tell = NULL, clone = NULL;
    cl_mem m[MEMORIES] = {0};
    cl_sampler sampler = NULL;
    cl_event user = NULL, last = NULL, other = NULL, marker = NULL;
    cl_int *svm = NULL;
    size_t ints = INTS, square[3] = {SIDE, SIDE, 1}, zero[3] = {0}, pitch;
    size_t region[3] = {64, 16, 2};
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = SIDE, .image_height = SIDE};
    cl_buffer_region part = {4096, 4096};
    cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_queue_properties out_of_order[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    int *native_target = &got;
    static char page[BYTES] __attribute__((aligned(4096)));
    char *bytes = malloc(LARGE);
    memset(bytes, 1, LARGE);
    MAKE(context, clCreateContext(NULL, 1, &device, NULL, NULL, &e));
    MAKE(queue, clCreateCommandQueueWithProperties(context, device, profiling, &e));
    MAKE(free_queue, clCreateCommandQueueWithProperties(context, device, out_of_order, &e));
    MAKE(program, clCreateProgramWithSource(context, 1, &source, NULL, &e));
    TRY(clBuildProgram(program, 1, &device, "", NULL, NULL));
    MAKE(put, clCreateKernel(program, "put", &e));
    MAKE(add, clCreateKernel(program, "add", &e));
    MAKE(brighten, clCreateKernel(program, "brighten", &e));
    MAKE(tell, clCreateKernel(program, "tell", &e));
    MAKE(m[0], clCreateBuffer(context, 0, BYTES, NULL, &e));
    expected_ends++;
    OK(clSetMemObjectDestructorCallback(m[0], on_destroy, NULL));
    MAKE(m[1], clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, LARGE, bytes, &e));
    MAKE(m[2], clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, LARGE, NULL, &e));
    MAKE(m[3], clCreateBuffer(context, CL_MEM_USE_HOST_PTR, BYTES, page, &e));
    MAKE(m[4], clCreateSubBuffer(m[0], 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &e));
    MAKE(m[5], clCreateImage(context, 0, &format, &desc, NULL, &e));
    MAKE(m[6], clCreateImage(context, CL_MEM_COPY_HOST_PTR, &format, &desc, bytes, &e));
    MAKE(m[7], clCreateBuffer(context, 0, 3 << 20, NULL, &e));
    MAKE(sampler, clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &e));
    MAKE(user, clCreateUserEvent(context, &e));
    /* Launches, a large write and a copy, some behind the user event, some not. */
    TRY(clSetKernelArg(put, 0, sizeof *m, &m[0]));
    TRY(clSetKernelArg(put, 1, sizeof five, &five));
    MAKE(clone, clCloneKernel(put, &e));
    TRY(clSetKernelArg(add, 0, sizeof *m, &m[0]));
    TRY(clSetKernelArg(add, 1, sizeof *m, &m[1]));
    TRY(clSetKernelArg(add, 2, 64 * 4, NULL));
    TRY(clEnqueueNDRangeKernel(queue, clone, 1, NULL, &ints, NULL, 0, NULL, NULL));
    TRY(clEnqueueWriteBuffer(queue, m[1], CL_FALSE, 0, LARGE, bytes, 0, NULL, NULL));
    size_t local = 64;
    TRY(clEnqueueNDRangeKernel(queue, add, 1, NULL, &ints, &local, 1, &user, &last));
    expected_ends++;
    TRY(clSetEventCallback(last, CL_COMPLETE, on_end, NULL));
    TRY(clEnqueueCopyBuffer(queue, m[1], m[2], 0, 0, LARGE, 0, NULL, NULL));
    TRY(clEnqueueFillBuffer(free_queue, m[7], "abcdefgh", 8, 8, 4096, 0, NULL, &other));
    TRY(clEnqueueMarkerWithWaitList(free_queue, 1, &other, &marker));
    TRY(clEnqueueBarrierWithWaitList(free_queue, 0, NULL, NULL));
    TRY(clFlush(free_queue));
    TRY(clSetUserEventStatus(user, CL_COMPLETE));
    TRY(clWaitForEvents(1, &last));
    TRY(clWaitForEvents(1, &marker));
    MAKE(mapped, clEnqueueMapBuffer(queue, m[0], CL_TRUE, CL_MAP_READ, 0, BYTES, 0, NULL, NULL, &e));
    for (int i = 0; i < INTS; i++) wrong += mapped[i] != 5 + 0x01010101;
    TRY(clEnqueueUnmapMemObject(queue, m[0], mapped, 0, NULL, NULL));
    /* Some of these wait for the next submission, which the read needs. */
    for (int i = 0; i < 6; i++) TRY(clEnqueueFillBuffer(queue, m[2], &five, 1, 0, 64, 0, NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, m[2], CL_TRUE, 0, LARGE, bytes, 0, NULL, NULL));
    wrong += bytes[0] != 5 || bytes[LARGE - 1] != 1;
    /* Sub-buffer, application's memory, boxes. */
    TRY(clEnqueueFillBuffer(queue, m[4], &five, 1, 1, 4000, 0, NULL, NULL));
    TRY(clEnqueueCopyBufferRect(queue, m[0], m[7], zero, zero, region, 128, 4096, 256, 8192, 0, NULL, NULL));
    TRY(clEnqueueWriteBufferRect(queue, m[7], CL_FALSE, zero, zero, region, 128, 4096, 64, 1024, bytes, 0, NULL,
                                 NULL));
    TRY(clEnqueueCopyBuffer(queue, m[0], m[3], 0, 0, BYTES, 0, NULL, NULL));
    MAKE(mapped, clEnqueueMapBuffer(queue, m[3], CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, BYTES, 0, NULL, NULL, &e));
    wrong += mapped[0] != 5 + 0x01010101;
    wrong += mapped[1025] != 0x05050505;
    TRY(clEnqueueUnmapMemObject(queue, m[3], mapped, 0, NULL, NULL));
    MAKE(mapped, clEnqueueMapBuffer(queue, m[7], CL_TRUE, CL_MAP_WRITE, 0, 3 << 20, 0, NULL, NULL, &e));
    TRY(clEnqueueUnmapMemObject(queue, m[7], mapped, 0, NULL, NULL));
    TRY(clEnqueueMigrateMemObjects(queue, 2, m, 0, 0, NULL, NULL));
    /* Images. */
    TRY(clSetKernelArg(brighten, 0, sizeof *m, &m[6]));
    TRY(clSetKernelArg(brighten, 1, sizeof *m, &m[5]));
    TRY(clSetKernelArg(brighten, 2, sizeof sampler, &sampler));
    TRY(clEnqueueNDRangeKernel(queue, brighten, 2, NULL, square, NULL, 0, NULL, NULL));
    TRY(clEnqueueReadImage(queue, m[5], CL_TRUE, zero, square, 0, 0, bytes, 0, NULL, NULL));
    wrong += bytes[SIDE * SIDE * 4 - 1] != 2;
    TRY(clEnqueueWriteImage(queue, m[6], CL_FALSE, zero, square, 0, 0, bytes, 0, NULL, NULL));
    cl_uint color[4] = {1, 2, 3, 4};
    TRY(clEnqueueFillImage(queue, m[5], color, zero, square, 0, NULL, NULL));
    TRY(clEnqueueCopyImage(queue, m[5], m[6], zero, zero, square, 0, NULL, NULL));
    MAKE(mapped, clEnqueueMapImage(queue, m[6], CL_TRUE, CL_MAP_READ, zero, square, &pitch, NULL, 0, NULL, NULL, &e));
    wrong += mapped[0] != 0x04030201;
    TRY(clEnqueueUnmapMemObject(queue, m[6], mapped, 0, NULL, NULL));
    /* The host's turn. */
    TRY(clSetKernelArg(tell, 0, sizeof five, &five));
    TRY(clEnqueueNDRangeKernel(queue, tell, 1, NULL, &ints, NULL, 0, NULL, NULL));
    if (natives)
        TRY(clEnqueueNativeKernel(queue, native, &native_target, sizeof native_target, 0, NULL, NULL, 0, NULL, NULL));
    TRY(clFinish(queue));
    wrong += natives && got != 5;
    svm = clSVMAlloc(context, 0, BYTES, 0);
    if (!svm) err = CL_OUT_OF_RESOURCES;
    if (!svm) goto end;
    TRY(clEnqueueSVMMemFill(queue, svm, &five, 4, BYTES, 0, NULL, NULL));
    TRY(clEnqueueSVMMemcpy(queue, CL_TRUE, page, svm, BYTES, 0, NULL, NULL));
    wrong += ((cl_int *)page)[INTS - 1] != 5;
    TRY(clSetKernelArgSVMPointer(put, 0, svm));
    TRY(clEnqueueNDRangeKernel(queue, put, 1, NULL, &ints, NULL, 0, NULL, NULL));
    TRY(clFinish(queue));
end:
    if (user) clSetUserEventStatus(user, CL_COMPLETE);
    /* What a command without an event could not do is told here; what follows it may be wrong. */
    cl_command_queue queues[] = {queue, free_queue};
    for (int i = 0; i < 2; i++) {
        e = queues[i] ? clFinish(queues[i]) : CL_SUCCESS;
        if (err == CL_SUCCESS) err = e;
    }
    TRUE(err != CL_SUCCESS || !wrong);
    cl_event events[] = {last, other, marker};
    for (int i = 0; i < 3; i++) {
        if (!events[i]) continue;
        cl_int status = 99;
        OK(clGetEventInfo(events[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        TRUE(status <= CL_COMPLETE);
        OK(clReleaseEvent(events[i]));
    }
    if (svm) clSVMFree(context, svm);
    if (user) OK(clReleaseEvent(user));
    for (int i = MEMORIES; i--;)
        if (m[i]) OK(clReleaseMemObject(m[i]));
    if (sampler) OK(clReleaseSampler(sampler));
    cl_kernel kernels[] = {put, add, brighten, tell, clone};
    for (int i = 0; i < 5; i++)
        if (kernels[i]) OK(clReleaseKernel(kernels[i]));
    if (program) OK(clReleaseProgram(program));
    if (queue) OK(clReleaseCommandQueue(queue));
    if (free_queue) OK(clReleaseCommandQueue(free_queue));
    if (context) OK(clReleaseContext(context));
    free(bytes);
    return err;
}

/* A context that nothing happens to. */
static cl_context calm;
static cl_command_queue calm_queue;
static cl_mem calm_buffer;
static cl_kernel calm_put;

static void open_calm(void) {
    cl_int err;
    calm = check_context(device);
    calm_queue = check_queue(calm, device);
    calm_buffer = check_buffer(calm, 0, BYTES);
    cl_program program = clCreateProgramWithSource(calm, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    calm_put = clCreateKernel(program, "put", &err);
    NEED(calm_put);
    OK(clReleaseProgram(program));
}

static void use_calm(cl_int n) {
    static cl_int got[INTS];
    size_t size = INTS;
    OK(clSetKernelArg(calm_put, 0, sizeof calm_buffer, &calm_buffer));
    OK(clSetKernelArg(calm_put, 1, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(calm_queue, calm_put, 1, NULL, &size, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(calm_queue, calm_buffer, CL_TRUE, 0, BYTES, got, 0, NULL, NULL));
    EXPECT(n, got[0]);
    EXPECT(n, got[INTS - 1]);
}

static int is_due(cl_int err) {
    return err == CL_OUT_OF_RESOURCES || err == CL_OUT_OF_HOST_MEMORY || err == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
           err == CL_MAP_FAILURE || err == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
}

/* Every `stride`th call from a first one on, one after the other; how many Vulkan objects there are then. */
static long walk(long first, long stride) {
    const char *name = "";
    long calls = 0, objects = 0;
    for (at = first; name; at += stride) {
        int before = check_failures;
        alarm(60);
        arm(at);
        cl_int err = work();
        name = fired(&calls, &objects);
        arm(0);
        TRUE(err == CL_SUCCESS || (name && is_due(err)));
        for (int i = 0; i < 2000 && ends < expected_ends; i++) usleep(1000);
        EXPECT(expected_ends, ends);
        use_calm(at);
        if (check_failures > before) printf("call %ld, %s, code %d\n", at, name ? name : "none", err);
    }
    return objects;
}

static void start(void) {
    cl_platform_id platform;
    alarm(60);
    cl_int err = clGetPlatformIDs(1, &platform, NULL);
    TRUE(err == CL_SUCCESS || err == -1001);
    if (err) return;
    err = clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    TRUE(err == CL_SUCCESS || err == CL_DEVICE_NOT_FOUND || is_due(err));
    if (err) return;
    err = work();
    TRUE(err == CL_SUCCESS || is_due(err) || err == CL_DEVICE_NOT_AVAILABLE);
    fflush(stdout);
}

int main(int argc, char **argv) {
    NEED(argc >= 2);
    if (argc > 2 && !strcmp(argv[2], "start")) {
        start();
        END;
    }
    long stride = argc > 2 ? atol(argv[2]) : 1;
    device = check_device();
    cl_device_exec_capabilities can = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL));
    natives = !!(can & CL_EXEC_NATIVE_KERNEL);
    open_calm();
    void *layer = dlopen(argv[1], RTLD_NOW | RTLD_NOLOAD);
    NEED(layer);
    arm = (void (*)(long))dlsym(layer, "fault_arm");
    fired = (const char *(*)(long *, long *))dlsym(layer, "fault_fired");
    NEED(arm && fired);
    EXPECT(CL_SUCCESS, work());
    if (argc > 2 && !strcmp(argv[2], "names")) {
        const char *(*unnamed)(void) = (const char *(*)(void))dlsym(layer, "fault_unnamed");
        NEED(unnamed);
        if (unnamed()) printf("no name: %s\n", unnamed());
        return unnamed() != NULL || check_failures;
    }
    /* Some objects are kept for later, more or fewer: one more in each walk is a leak. */
    enum { WALKS = 8 };
    long least[2] = {1000000, 1000000};
    for (long i = 0; i < 2 * WALKS; i++) {
        long objects = walk(1 + i % stride, stride);
        if (objects < least[i / WALKS]) least[i / WALKS] = objects;
    }
    if (least[1] >= least[0] + WALKS) EXPECT(least[0], least[1]);
    if (argc > 3) printf("%ld calls, %ld to %ld objects\n", at - stride, least[0], least[1]);
    END;
}
