/* Errors in the specification's order: first what all enqueue functions have in common, as a
   table of calls, then each function's own, one line an error. What tests of single subjects
   have (objects.c, program.c, transfer.c, svm.c, image.c) is not here again. */
#include "check.h"

static cl_device_id device;
static cl_context context, other;
static cl_command_queue queue, other_queue;
static cl_mem a, b, image;
static cl_kernel kernel;
static char host[4096];
static void *mapped;
static void *svm;

static const char *source =
    "kernel void k(global int *p, int n) { p[get_global_id(0)] = n; }\n"
    "__attribute__((reqd_work_group_size(4, 2, 1)))\n"
    "kernel void fixed(global int *p) { p[get_global_id(0)] = 1; }\n"
    "kernel void one(global int *p) { *p = 1; }\n";

static void CL_CALLBACK native(void *args) { *(char *)args = 1; }

static cl_int map(cl_command_queue q, cl_bool blocking, cl_uint n, const cl_event *l,
                  cl_event *e) {
    cl_int err;
    mapped = clEnqueueMapBuffer(q, a, blocking, CL_MAP_READ, 0, 64, n, l, e, &err);
    EXPECT(err == CL_SUCCESS, mapped != NULL);
    return err;
}

static cl_int map_image(cl_command_queue q, cl_bool blocking, cl_uint n, const cl_event *l,
                        cl_event *e) {
    static const size_t origin[3], region[3] = {2, 2, 1};
    size_t pitch;
    cl_int err;
    mapped = clEnqueueMapImage(q, image, blocking, CL_MAP_READ, origin, region, &pitch, NULL, n, l,
                               e, &err);
    EXPECT(err == CL_SUCCESS, mapped != NULL);
    return err;
}

static const size_t zero[3], far[3] = {4, 4, 0}, box[3] = {4, 2, 1}, eight = 8;

/* Command type, which properties, the call with queue Q, blocking B, wait list N and L, event E. */
enum { MEMORY = 1, BLOCKS = 2, SVM = 4, NATIVE = 8 };
#define CALLS(X)                                                                                   \
    X(READ_BUFFER, MEMORY | BLOCKS, clEnqueueReadBuffer(Q, a, B, 0, 8, host, N, L, E))             \
    X(WRITE_BUFFER, MEMORY | BLOCKS, clEnqueueWriteBuffer(Q, a, B, 0, 8, host, N, L, E))           \
    X(READ_BUFFER_RECT, MEMORY | BLOCKS,                                                           \
      clEnqueueReadBufferRect(Q, a, B, zero, zero, box, 0, 0, 0, 0, host, N, L, E))                \
    X(WRITE_BUFFER_RECT, MEMORY | BLOCKS,                                                          \
      clEnqueueWriteBufferRect(Q, a, B, zero, zero, box, 0, 0, 0, 0, host, N, L, E))               \
    X(COPY_BUFFER, MEMORY, clEnqueueCopyBuffer(Q, a, b, 0, 0, 8, N, L, E))                         \
    X(COPY_BUFFER_RECT, MEMORY,                                                                    \
      clEnqueueCopyBufferRect(Q, a, b, zero, zero, box, 0, 0, 0, 0, N, L, E))                      \
    X(FILL_BUFFER, MEMORY, clEnqueueFillBuffer(Q, a, host, 4, 0, 8, N, L, E))                      \
    X(MAP_BUFFER, MEMORY | BLOCKS, map(Q, B, N, L, E))                                             \
    X(UNMAP_MEM_OBJECT, MEMORY, clEnqueueUnmapMemObject(Q, a, mapped, N, L, E))                    \
    X(READ_IMAGE, MEMORY | BLOCKS,                                                                 \
      clEnqueueReadImage(Q, image, B, zero, box, 0, 0, host, N, L, E))                             \
    X(WRITE_IMAGE, MEMORY | BLOCKS,                                                                \
      clEnqueueWriteImage(Q, image, B, zero, box, 0, 0, host, N, L, E))                            \
    X(FILL_IMAGE, MEMORY, clEnqueueFillImage(Q, image, host, zero, box, N, L, E))                  \
    X(COPY_IMAGE, MEMORY, clEnqueueCopyImage(Q, image, image, zero, far, box, N, L, E))            \
    X(COPY_IMAGE_TO_BUFFER, MEMORY,                                                                \
      clEnqueueCopyImageToBuffer(Q, image, a, zero, box, 0, N, L, E))                              \
    X(COPY_BUFFER_TO_IMAGE, MEMORY,                                                                \
      clEnqueueCopyBufferToImage(Q, a, image, 0, zero, box, N, L, E))                              \
    X(MAP_IMAGE, MEMORY | BLOCKS, map_image(Q, B, N, L, E))                                        \
    X(UNMAP_MEM_OBJECT, MEMORY, clEnqueueUnmapMemObject(Q, image, mapped, N, L, E))                \
    X(MIGRATE_MEM_OBJECTS, MEMORY, clEnqueueMigrateMemObjects(Q, 1, &a, 0, N, L, E))               \
    X(NDRANGE_KERNEL, MEMORY,                                                                      \
      clEnqueueNDRangeKernel(Q, kernel, 1, NULL, &eight, NULL, N, L, E))                           \
    X(TASK, MEMORY, clEnqueueTask(Q, kernel, N, L, E))                                             \
    X(NATIVE_KERNEL, NATIVE, clEnqueueNativeKernel(Q, native, host, 8, 0, NULL, NULL, N, L, E))    \
    X(MARKER, 0, clEnqueueMarkerWithWaitList(Q, N, L, E))                                          \
    X(BARRIER, 0, clEnqueueBarrierWithWaitList(Q, N, L, E))                                        \
    X(SVM_MEMCPY, SVM | BLOCKS, clEnqueueSVMMemcpy(Q, B, svm, host, 8, N, L, E))                   \
    X(SVM_MEMFILL, SVM, clEnqueueSVMMemFill(Q, svm, host, 4, 8, N, L, E))                          \
    X(SVM_MAP, SVM | BLOCKS, clEnqueueSVMMap(Q, B, CL_MAP_READ, svm, 8, N, L, E))                  \
    X(SVM_UNMAP, SVM, clEnqueueSVMUnmap(Q, svm, N, L, E))                                          \
    X(SVM_MIGRATE_MEM, SVM,                                                                        \
      clEnqueueSVMMigrateMem(Q, 1, (const void **)&svm, NULL, 0, N, L, E))                         \
    X(SVM_FREE, SVM, clEnqueueSVMFree(Q, 1, &svm, NULL, NULL, N, L, E))

struct call {
    const char *text;
    cl_command_type type;
    int flags;
};
static const struct call calls[] = {
#define X(type, flags, call) {#call, CL_COMMAND_##type, flags},
    CALLS(X)
#undef X
};

static cl_int make(int index, cl_command_queue Q, cl_bool B, cl_uint N, const cl_event *L,
                   cl_event *E) {
    int i = 0;
#define X(type, flags, call)       \
    if (i++ == index) return call;
    CALLS(X)
#undef X
    return 1;
}

static void want(int index, cl_int code, cl_int got, const char *what) {
    if (got != code) {
        printf("errors.c: %s with %s is %d, not %d\n", calls[index].text, what, got, code);
        check_failures++;
    }
}

static void wait_lists(int has) {
    cl_int err;
    cl_event foreign = clCreateUserEvent(other, &err), failed = clCreateUserEvent(context, &err);
    cl_event good = clCreateUserEvent(context, &err), none = NULL, event;
    OK(clSetUserEventStatus(failed, -7));
    OK(clSetUserEventStatus(good, CL_COMPLETE));
    for (size_t i = 0; i < sizeof calls / sizeof *calls; i++) {
        int flags = calls[i].flags;
        want(i, CL_INVALID_COMMAND_QUEUE, make(i, NULL, CL_FALSE, 0, NULL, NULL), "no queue");
        if (flags & ~has & (SVM | NATIVE)) {
            want(i, CL_INVALID_OPERATION, make(i, queue, CL_FALSE, 0, NULL, NULL), "no support");
            continue;
        }
        if (flags & MEMORY)
            want(i, CL_INVALID_CONTEXT, make(i, other_queue, CL_FALSE, 0, NULL, NULL),
                 "a queue of another context");
        cl_int code = CL_INVALID_EVENT_WAIT_LIST;
        want(i, code, make(i, queue, CL_FALSE, 1, NULL, NULL), "one event, but none");
        want(i, code, make(i, queue, CL_FALSE, 0, &good, NULL), "no events, but one");
        want(i, code, make(i, queue, CL_FALSE, 1, &none, NULL), "an event that is none");
        code = CL_INVALID_CONTEXT;
        want(i, code, make(i, queue, CL_FALSE, 1, &foreign, NULL), "an event of another context");
        code = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST;
        if (flags & BLOCKS)
            want(i, code, make(i, queue, CL_TRUE, 1, &failed, NULL), "a failed event, blocking");
        want(i, CL_SUCCESS, make(i, queue, CL_FALSE, 1, &good, &event), "all right");
        cl_command_type type = 0;
        OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
        want(i, calls[i].type, type, "its event's type");
        OK(clWaitForEvents(1, &event));
        OK(clReleaseEvent(event));
    }
    OK(clFinish(queue));
    OK(clReleaseEvent(foreign));
    OK(clReleaseEvent(failed));
    OK(clReleaseEvent(good));
}

/* 4.2 to 4.4: devices, partitions, timers, contexts. */
static void platform_layer(void) {
    cl_int err;
    cl_uint count = 99;
    cl_ulong time;
    cl_platform_id platform = check_platform();
    EXPECT(CL_INVALID_VALUE, clGetPlatformIDs(0, &platform, NULL));
    EXPECT(CL_INVALID_VALUE, clGetPlatformIDs(0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetPlatformInfo(platform, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetPlatformInfo(platform, CL_PLATFORM_NAME, 1, host, NULL));
    EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 0, 1, &device, NULL));
    EXPECT(CL_INVALID_DEVICE_TYPE, clGetDeviceIDs(platform, 1 << 20, 1, &device, NULL));
    EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, &device, NULL));
    EXPECT(CL_INVALID_VALUE, clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, NULL, NULL));
    EXPECT(CL_DEVICE_NOT_FOUND, clGetDeviceIDs(platform, CL_DEVICE_TYPE_CUSTOM, 0, NULL, &count));
    EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_TYPE, 4, host, NULL));
    /* What is reported and what is done agree: no sub-devices. */
    cl_device_partition_property property = 1, equally[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    OK(clGetDeviceInfo(device, CL_DEVICE_PARTITION_MAX_SUB_DEVICES, sizeof count, &count, NULL));
    EXPECT(0, count);
    OK(clGetDeviceInfo(device, CL_DEVICE_PARTITION_PROPERTIES, sizeof property, &property, NULL));
    EXPECT(0, property);
    EXPECT(CL_INVALID_VALUE, clCreateSubDevices(device, equally, 0, NULL, &count));
    OK(clRetainDevice(device));
    OK(clReleaseDevice(device));
    cl_ulong resolution;
    OK(clGetPlatformInfo(platform, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof time, &resolution,
                         NULL));
    if (resolution) {
        cl_ulong times[3];
        OK(clGetDeviceAndHostTimer(device, &time, times));
        EXPECT(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, NULL, &time));
        EXPECT(CL_INVALID_VALUE, clGetDeviceAndHostTimer(device, &time, NULL));
        EXPECT(CL_INVALID_VALUE, clGetHostTimer(device, NULL));
        OK(clGetHostTimer(device, times + 1));
        OK(clGetDeviceAndHostTimer(device, &time, times + 2));
        TRUE(times[0] <= times[1] && times[1] <= times[2]);
    } else {
        EXPECT(CL_INVALID_OPERATION, clGetDeviceAndHostTimer(device, &time, &time));
        EXPECT(CL_INVALID_OPERATION, clGetHostTimer(device, &time));
    }
    EXPECT_NULL(CL_INVALID_VALUE, clCreateContext(NULL, 1, NULL, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateContextFromType(NULL, CL_DEVICE_TYPE_ALL, NULL, host,
                                                          &err));
    EXPECT_NULL(CL_INVALID_DEVICE_TYPE, clCreateContextFromType(NULL, 1 << 20, NULL, NULL, &err));
    EXPECT(CL_INVALID_VALUE, clGetContextInfo(context, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetContextInfo(context, CL_CONTEXT_DEVICES, 1, host, NULL));
    EXPECT(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, 1, host, NULL));
}

/* 5.2: rectangles, of which each argument in turn is wrong. */
static void rectangles(void) {
    static const struct {
        size_t origin[3], region[3], row, slice;
    } bad[] = {
        {{0, 0, 0}, {0, 1, 1}, 0, 0},     {{0, 0, 0}, {1, 0, 1}, 0, 0},
        {{0, 0, 0}, {1, 1, 0}, 0, 0},     {{0, 0, 0}, {8, 2, 2}, 7, 0},
        {{0, 0, 0}, {8, 2, 2}, 8, 15},    {{0, 0, 0}, {8, 2, 2}, 8, 17},
        {{4096, 0, 0}, {1, 1, 1}, 0, 0},  {{0, 512, 0}, {8, 1, 1}, 8, 0},
        {{0, 0, 255}, {8, 2, 2}, 8, 16},  {{(size_t)-1, 0, 0}, {2, 1, 1}, 0, 0},
        {{0, (size_t)-1, 1}, {1, 1, 1}, 4, 8},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        const size_t *o = bad[i].origin, *r = bad[i].region, row = bad[i].row, sl = bad[i].slice;
        EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, a, CL_TRUE, o, zero, r, row, sl, 0,
                                                         0, host, 0, NULL, NULL));
        EXPECT(CL_INVALID_VALUE, clEnqueueWriteBufferRect(queue, a, CL_TRUE, o, zero, r, row, sl,
                                                          0, 0, host, 0, NULL, NULL));
        EXPECT(CL_INVALID_VALUE, clEnqueueCopyBufferRect(queue, a, b, o, zero, r, row, sl, 0, 0, 0,
                                                         NULL, NULL));
        EXPECT(CL_INVALID_VALUE, clEnqueueCopyBufferRect(queue, a, b, zero, o, r, 0, 0, row, sl, 0,
                                                         NULL, NULL));
    }
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, a, CL_TRUE, zero, NULL, box, 0, 0, 0, 0,
                                                     host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, a, CL_TRUE, zero, zero, NULL, 0, 0, 0,
                                                     0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, a, CL_TRUE, zero, zero, box, 0, 0, 3,
                                                     0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, a, CL_TRUE, zero, zero, box, 0, 0, 4,
                                                     7, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueReadBufferRect(queue, a, CL_TRUE, zero, zero, box, 0, 0, 0,
                                                     0, NULL, 0, NULL, NULL));
    /* One buffer with two pitches; regions that interleave, and regions that meet. */
    size_t next[3] = {4, 0, 0}, meets[3] = {3, 1, 0};
    EXPECT(CL_INVALID_VALUE, clEnqueueCopyBufferRect(queue, a, a, zero, next, box, 8, 0, 16, 0, 0,
                                                     NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBufferRect(queue, a, a, zero, meets, box, 8, 0, 8, 0,
                                                        0, NULL, NULL));
    OK(clEnqueueCopyBufferRect(queue, a, a, zero, next, box, 8, 0, 8, 0, 0, NULL, NULL));
}

/* 5.2.1 to 5.2.4 and 5.5: buffers, overlap in shared memory, maps, migration. */
static void buffers(void) {
    cl_int err;
    cl_buffer_region low = {0, 2048}, high = {1024, 2048};
    cl_mem first = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &low, &err);
    OK(err);
    cl_mem second = clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &high, &err);
    OK(err);
    EXPECT(CL_MEM_COPY_OVERLAP,
           clEnqueueCopyBuffer(queue, first, second, 1000, 0, 25, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, first, second, 1000, 0, 24, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBuffer(queue, a, second, 1024, 0, 1, 0, NULL, NULL));
    OK(clReleaseMemObject(first));
    OK(clReleaseMemObject(second));
    if (svm) {
        first = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 256, svm, &err);
        OK(err);
        second = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 256, (char *)svm + 128, &err);
        OK(err);
        EXPECT(CL_MEM_COPY_OVERLAP,
               clEnqueueCopyBuffer(queue, first, second, 120, 0, 9, 0, NULL, NULL));
        OK(clEnqueueCopyBuffer(queue, first, second, 120, 0, 8, 0, NULL, NULL));
        OK(clFinish(queue));
        OK(clReleaseMemObject(first));
        OK(clReleaseMemObject(second));
    }

    cl_map_flags both = CL_MAP_READ | CL_MAP_WRITE;
    EXPECT_NULL(CL_INVALID_VALUE,
                clEnqueueMapBuffer(queue, a, CL_TRUE, both, 4096, 1, 0, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clEnqueueMapBuffer(queue, a, CL_TRUE, both, 0, 0, 0, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clEnqueueMapBuffer(queue, a, CL_TRUE, 1 << 9, 0, 4, 0, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clEnqueueMapBuffer(queue, a, CL_TRUE, both | CL_MAP_WRITE_INVALIDATE_REGION, 0, 4,
                                   0, NULL, NULL, &err));
    char *writes = clEnqueueMapBuffer(queue, a, CL_TRUE, both, 64, 64, 0, NULL, NULL, &err);
    NEED(writes);
    EXPECT_NULL(CL_INVALID_OPERATION,
                clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_WRITE, 127, 9, 0, NULL, NULL, &err));
    char *beside = clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_WRITE, 128, 9, 0, NULL, NULL, &err);
    char *reads = clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 0, 256, 0, NULL, NULL, &err);
    NEED(beside && reads);
    cl_uint count;
    OK(clGetMemObjectInfo(a, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
    EXPECT(3, count);
    EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, a, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(queue, b, reads, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueUnmapMemObject(queue, NULL, reads, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, a, writes, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, a, reads, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, a, beside, 0, NULL, NULL));

    cl_mem bad[] = {a, NULL};
    EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, &a, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, NULL, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, &a, 1 << 9, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueMigrateMemObjects(queue, 2, bad, 0, 0, NULL, NULL));
    OK(clEnqueueMigrateMemObjects(queue, 1, &a, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetMemObjectInfo(a, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetMemObjectInfo(a, CL_MEM_SIZE, 4, host, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, clGetImageInfo(a, CL_IMAGE_WIDTH, 8, host, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, clGetPipeInfo(a, CL_PIPE_PACKET_SIZE, 8, host, NULL));
}

/* 5.8 to 5.10: programs and kernels. */
static void kernels(cl_program program) {
    cl_int err;
    const char *names = "none";
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateProgramWithBuiltInKernels(context, 1, &device, names, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateProgramWithBuiltInKernels(context, 0, &device, names, &err));
    EXPECT(CL_INVALID_OPERATION, clSetProgramReleaseCallback(program, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetProgramInfo(program, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetProgramInfo(program, CL_PROGRAM_SOURCE, 1, host, NULL));
    EXPECT(CL_INVALID_DEVICE, clGetProgramBuildInfo(program, NULL, CL_PROGRAM_BUILD_STATUS, 4, host,
                                                    NULL));
    EXPECT(CL_INVALID_VALUE, clGetProgramBuildInfo(program, device, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetKernelInfo(kernel, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetKernelInfo(kernel, CL_KERNEL_CONTEXT, 1, host, NULL));
    EXPECT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, device, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(kernel, NULL, CL_KERNEL_WORK_GROUP_SIZE, 1,
                                                      host, NULL));
    EXPECT_NULL(CL_INVALID_KERNEL, clCloneKernel(NULL, &err));

    cl_kernel fixed = clCreateKernel(program, "fixed", &err), unset;
    unset = clCreateKernel(program, "one", &err);
    OK(clSetKernelArg(fixed, 0, sizeof a, &a));
    size_t global[3] = {8, 8, 1}, local[3] = {0}, wrong[3] = {2, 4, 1}, none[3] = {8, 0, 1};
    cl_int (*suggest)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                      size_t *) =
        clGetExtensionFunctionAddressForPlatform(check_platform(),
                                                 "clGetKernelSuggestedLocalWorkSizeKHR");
    NEED(suggest);
    EXPECT(CL_INVALID_COMMAND_QUEUE, suggest(NULL, fixed, 2, NULL, global, local));
    EXPECT(CL_INVALID_KERNEL, suggest(queue, NULL, 2, NULL, global, local));
    EXPECT(CL_INVALID_CONTEXT, suggest(other_queue, fixed, 2, NULL, global, local));
    EXPECT(CL_INVALID_KERNEL_ARGS, suggest(queue, unset, 2, NULL, global, local));
    EXPECT(CL_INVALID_WORK_DIMENSION, suggest(queue, fixed, 0, NULL, global, local));
    EXPECT(CL_INVALID_WORK_DIMENSION, suggest(queue, fixed, 4, NULL, global, local));
    EXPECT(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, fixed, 2, NULL, NULL, local));
    EXPECT(CL_INVALID_GLOBAL_WORK_SIZE, suggest(queue, fixed, 2, NULL, none, local));
    EXPECT(CL_INVALID_VALUE, suggest(queue, fixed, 2, NULL, global, NULL));
    OK(suggest(queue, fixed, 3, NULL, global, local));
    TRUE(local[0] == 4 && local[1] == 2 && local[2] == 1);
    /* Of a kernel that asks for nothing: a size that divides, and no groups of one. */
    const size_t many[2] = {4096, 3};
    OK(suggest(queue, kernel, 2, NULL, many, local));
    TRUE(local[0] * local[1] >= 32 && many[0] % local[0] == 0 && many[1] % local[1] == 0);
    EXPECT(CL_INVALID_WORK_GROUP_SIZE,
           clEnqueueNDRangeKernel(queue, fixed, 2, NULL, global, wrong, 0, NULL, NULL));
    EXPECT(CL_INVALID_KERNEL_ARGS,
           clEnqueueNDRangeKernel(queue, unset, 1, NULL, global, NULL, 0, NULL, NULL));
    /* Nothing to do is no error, from OpenCL 2.1 on. */
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, none, NULL, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, NULL, NULL, 0, NULL, NULL));
    OK(clReleaseKernel(fixed));
    OK(clReleaseKernel(unset));
}

/* Two errors at once: the one that the specification lists first. */
static void orders(void) {
    cl_int err;
    EXPECT(CL_INVALID_VALUE,
           clGetDeviceIDs(check_platform(), CL_DEVICE_TYPE_CUSTOM, 0, &device, NULL));
    cl_context_properties both[] = {1, 1, CL_CONTEXT_PLATFORM, 1, 0};
    EXPECT_NULL(CL_INVALID_PLATFORM, clCreateContext(both, 0, NULL, NULL, NULL, &err));
    both[3] = (cl_context_properties)check_platform();
    EXPECT_NULL(CL_INVALID_PROPERTY, clCreateContext(both, 0, NULL, NULL, NULL, &err));
    cl_buffer_region outside = {5000, 0}, empty = {0, 0};
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &outside, &err));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE,
                clCreateSubBuffer(a, 0, CL_BUFFER_CREATE_TYPE_REGION, &empty, &err));
    cl_device_id none = NULL;
    EXPECT_NULL(CL_INVALID_VALUE, clCreateProgramWithBuiltInKernels(context, 1, &none, "x", &err));
    EXPECT(CL_INVALID_VALUE, clEnqueueUnmapMemObject(other_queue, a, host, 1, NULL, NULL));
    EXPECT(CL_INVALID_DEVICE, clSetDefaultDeviceCommandQueue(context, NULL, NULL));
    /* Flags, format, description, size, host pointer. */
    cl_mem writes = check_buffer(context, CL_MEM_WRITE_ONLY, 64);
    cl_image_format good = {CL_RGBA, CL_FLOAT}, bad = {CL_RGBA, 0};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 4};
    desc.mem_object = writes;
    cl_mem_flags reads = CL_MEM_READ_ONLY;
    EXPECT_NULL(CL_INVALID_VALUE, clCreateImage(context, reads, &bad, &desc, host, &err));
    desc.num_samples = 2;
    desc.image_width = 5;
    EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                clCreateImage(context, 0, &bad, &desc, host, &err));
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &good, &desc, host, &err));
    desc.num_samples = 0;
    EXPECT_NULL(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &good, &desc, host, &err));
    desc.image_width = 4;
    EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateImage(context, 0, &good, &desc, host, &err));
    OK(clReleaseMemObject(writes));
}

struct args {
    int *from, *to, count;
};

static void CL_CALLBACK twice(void *user) {
    struct args *args = user;
    for (int i = 0; i < args->count; i++) args->to[i] = 2 * args->from[i];
}

/* 5.12: native kernels, with buffers between other commands on them. */
static void native_kernels(void) {
    struct args args = {NULL, NULL, 16};
    cl_mem list[] = {a, b}, images[] = {a, image};
    const void *places[] = {&args.from, &args.to};
    size_t size = sizeof args;
    int seven = 7, got[16];
    EXPECT(CL_INVALID_VALUE,
           clEnqueueNativeKernel(queue, NULL, &args, size, 0, NULL, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueNativeKernel(queue, twice, NULL, size, 0, NULL, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueNativeKernel(queue, twice, NULL, 0, 2, list, places, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueNativeKernel(queue, twice, &args, 0, 0, NULL, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueNativeKernel(queue, twice, &args, size, 2, NULL, places, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueNativeKernel(queue, twice, &args, size, 2, list, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueNativeKernel(queue, twice, &args, size, 0, list, places, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueNativeKernel(queue, twice, &args, size, 2, images, places, 0, NULL, NULL));
    OK(clEnqueueFillBuffer(queue, a, &seven, 4, 0, 64, 0, NULL, NULL));
    OK(clEnqueueNativeKernel(queue, twice, &args, size, 2, list, places, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, b, a, 0, 0, 64, 0, NULL, NULL));
    OK(clEnqueueNativeKernel(queue, twice, &args, size, 2, list, places, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 16; i++) EXPECT(28, got[i]);
}

int main(void) {
    cl_int err;
    device = check_device();
    context = check_context(device);
    other = check_context(device);
    queue = check_queue(context, device);
    other_queue = check_queue(other, device);
    a = check_buffer(context, 0, 4096);
    b = check_buffer(context, 0, 4096);
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    image = clCreateImage(context, 0, &format, &desc, NULL, &err);
    OK(err);
    svm = clSVMAlloc(context, 0, 4096, 0);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    kernel = clCreateKernel(program, "k", &err);
    OK(err);
    cl_int n = 5;
    OK(clSetKernelArg(kernel, 0, sizeof a, &a));
    OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    cl_device_exec_capabilities exec;
    OK(clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof exec, &exec, NULL));
    TRUE(exec & CL_EXEC_KERNEL);

    platform_layer();
    rectangles();
    buffers();
    kernels(program);
    orders();
    if (exec & CL_EXEC_NATIVE_KERNEL) native_kernels();
    wait_lists((svm ? SVM : 0) | (exec & CL_EXEC_NATIVE_KERNEL ? NATIVE : 0));

    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    cl_mem memory[] = {a, b, image};
    for (int i = 0; i < 3; i++) OK(clReleaseMemObject(memory[i]));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseCommandQueue(other_queue));
    OK(clReleaseContext(context));
    OK(clReleaseContext(other));
    END;
}
