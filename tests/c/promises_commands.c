/* What applications rely on of queues, events, programs and kernels. */
#include "promises.h"

static void CL_CALLBACK on_event(cl_event event, cl_int status, void *n) {
    (void)event;
    note((int)(size_t)n * 100 + status);
}

/* 5.11: a callback is called once for its state, with that state or an error; states come in order, and for
   a state that has passed at once; a user event has only CL_COMPLETE or its error to tell. */
static void event_callbacks(void) {
    cl_int err;
    ordered = 0;
    cl_event user = clCreateUserEvent(context, &err), event;
    cl_mem m = check_buffer(context, 0, 64);
    launch(queue, "put", m, 1, 16, 1, &user, &event);
    OK(clSetEventCallback(event, CL_SUBMITTED, on_event, (void *)1));
    OK(clSetEventCallback(event, CL_RUNNING, on_event, (void *)2));
    OK(clSetEventCallback(event, CL_COMPLETE, on_event, (void *)3));
    EXPECT(CL_INVALID_VALUE, clSetEventCallback(event, CL_QUEUED, on_event, NULL));
    EXPECT(CL_INVALID_VALUE, clSetEventCallback(event, CL_COMPLETE, NULL, NULL));
    OK(clFlush(queue));
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clWaitForEvents(1, &event));
    wait_for(3);
    int seen = 0;
    for (int i = 0; i < 3; i++) seen |= 1 << order[i] / 100;
    EXPECT(14, seen);
    OK(clSetEventCallback(event, CL_COMPLETE, on_event, (void *)4));
    wait_for(4);
    EXPECT(400, order[3]);
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(user));
    ordered = 0;
    user = clCreateUserEvent(context, &err);
    OK(clSetEventCallback(user, CL_COMPLETE, on_event, (void *)5));
    OK(clSetUserEventStatus(user, -3));
    wait_for(1);
    EXPECT(497, order[0]);
    OK(clReleaseEvent(user));
    OK(clReleaseMemObject(m));
}

/* 5.11: a failed event: its waiters get CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, what depends on it has a
   negative status, a blocking call behind it fails; the queue goes on. */
static void failed_events(void) {
    cl_int err, got = 0;
    cl_event user = clCreateUserEvent(context, &err), behind, both[2];
    cl_mem m = check_buffer(context, 0, 64);
    EXPECT(CL_SUBMITTED, status_of(user));
    launch(unordered, "put", m, 1, 16, 1, &user, &behind);
    OK(clSetUserEventStatus(user, -42));
    EXPECT(-42, status_of(user));
    EXPECT(CL_INVALID_OPERATION, clSetUserEventStatus(user, CL_COMPLETE));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &user));
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, clWaitForEvents(1, &behind));
    TRUE(status_of(behind) < 0);
    both[0] = behind, both[1] = user;
    EXPECT(CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST,
           clEnqueueReadBuffer(unordered, m, CL_TRUE, 0, 4, &got, 2, both, NULL));
    launch(unordered, "put", m, 6, 16, 0, NULL, NULL);
    OK(clFinish(unordered));
    OK(clEnqueueReadBuffer(unordered, m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    EXPECT(6, got);
    OK(clReleaseEvent(user));
    OK(clReleaseEvent(behind));
    user = clCreateUserEvent(context, &err);
    EXPECT(CL_INVALID_VALUE, clSetUserEventStatus(user, CL_RUNNING));
    EXPECT(CL_INVALID_VALUE, clSetUserEventStatus(user, 1));
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clReleaseEvent(user));
    OK(clReleaseMemObject(m));
}

/* 5.14: no profiling of user events, of queues without it, of commands that have not ended. 4.3: times are those of the device's timer. */
static void profiling(void) {
    cl_int err;
    cl_ulong t[5], before, after, host;
    cl_event user = clCreateUserEvent(context, &err), event;
    EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
           clGetEventProfilingInfo(user, CL_PROFILING_COMMAND_END, sizeof *t, t, NULL));
    cl_mem m = check_buffer(context, 0, 64);
    launch(queue, "put", m, 1, 16, 0, NULL, &event);
    OK(clWaitForEvents(1, &event));
    EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
           clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof *t, t, NULL));
    OK(clReleaseEvent(event));
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    cl_command_queue q = clCreateCommandQueueWithProperties(context, device, properties, &err);
    int has_timer = clGetDeviceAndHostTimer(device, &before, &host) == CL_SUCCESS;
    launch(q, "put", m, 1, 16, 1, &user, &event);
    EXPECT(CL_PROFILING_INFO_NOT_AVAILABLE,
           clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof *t, t, NULL));
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clWaitForEvents(1, &event));
    if (has_timer) OK(clGetDeviceAndHostTimer(device, &after, &host));
    cl_profiling_info infos[] = {CL_PROFILING_COMMAND_QUEUED, CL_PROFILING_COMMAND_SUBMIT, CL_PROFILING_COMMAND_START,
                                 CL_PROFILING_COMMAND_END, CL_PROFILING_COMMAND_COMPLETE};
    for (int i = 0; i < 5; i++) OK(clGetEventProfilingInfo(event, infos[i], sizeof *t, &t[i], NULL));
    for (int i = 0; i < 4; i++) TRUE(t[i] <= t[i + 1]);
    TRUE(t[0] > 0 && t[4] - t[0] < 60000000000ull);
    /* The device's own times are as exact as the two clocks can be compared. */
    if (has_timer) TRUE(before <= t[0] && t[4] <= after + 1000000);
    EXPECT(CL_INVALID_VALUE, clGetEventProfilingInfo(event, infos[0], 4, t, NULL));
    EXPECT(CL_INVALID_VALUE, clGetEventProfilingInfo(event, 0x1234, sizeof *t, t, NULL));
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(user));
    OK(clReleaseCommandQueue(q));
    OK(clReleaseMemObject(m));
}

/* 5.9.2: arguments are those of the call that enqueues; setting them later changes nothing that is enqueued. */
static void arguments_are_copied(void) {
    cl_int err, got[2] = {0}, n = 1;
    cl_event user = clCreateUserEvent(context, &err);
    cl_mem a = check_buffer(context, 0, 64), b = check_buffer(context, 0, 64);
    cl_kernel k = kernel("put");
    size_t size = 16;
    OK(clSetKernelArg(k, 0, sizeof a, &a));
    OK(clSetKernelArg(k, 1, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &size, NULL, 1, &user, NULL));
    n = 2;
    OK(clSetKernelArg(k, 0, sizeof b, &b));
    OK(clSetKernelArg(k, 1, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &size, NULL, 0, NULL, NULL));
    n = 3;
    OK(clReleaseKernel(k));
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clEnqueueReadBuffer(queue, a, CL_FALSE, 0, 4, &got[0], 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, b, CL_TRUE, 60, 4, &got[1], 0, NULL, NULL));
    EXPECT(1, got[0]);
    EXPECT(2, got[1]);
    OK(clReleaseEvent(user));
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(b));
}

struct state {
    cl_event event;
    cl_mem memory;
    cl_command_queue queue;
};

static void CL_CALLBACK let_go(cl_event event, cl_int status, void *data) {
    struct state *s = data;
    EXPECT(CL_COMPLETE, status);
    TRUE(event == s->event);
    OK(clReleaseMemObject(s->memory));
    OK(clReleaseCommandQueue(s->queue));
    OK(clReleaseEvent(s->event));
    note(1);
}

/* 5.11: in a callback the application may release what the command used, its event and its queue. */
static void release_in_callback(void) {
    ordered = 0;
    struct state s = {.memory = check_buffer(context, 0, 64), .queue = check_queue(context, device)};
    launch(s.queue, "put", s.memory, 1, 16, 0, NULL, &s.event);
    cl_command_queue q = s.queue;
    OK(clRetainCommandQueue(q));
    OK(clSetEventCallback(s.event, CL_COMPLETE, let_go, &s));
    OK(clFlush(q));
    OK(clReleaseCommandQueue(q));
    wait_for(1);
}

static void CL_CALLBACK enqueue_more(cl_event event, cl_int status, void *data) {
    struct state *s = data;
    (void)event, (void)status;
    launch(s->queue, "add", s->memory, 5, 16, 0, NULL, NULL);
    OK(clFlush(s->queue));
    note(1);
}

/* 5.11: non-blocking enqueues are allowed there. */
static void enqueue_in_callback(void) {
    cl_int got = 0;
    cl_event event;
    ordered = 0;
    struct state s = {.memory = check_buffer(context, 0, 64), .queue = queue};
    launch(queue, "put", s.memory, 1, 16, 0, NULL, &event);
    OK(clSetEventCallback(event, CL_COMPLETE, enqueue_more, &s));
    OK(clFlush(queue));
    wait_for(1);
    OK(clEnqueueReadBuffer(queue, s.memory, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    EXPECT(6, got);
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(s.memory));
}

/* 5.9.3: what a kernel's work-groups may be. */
static void kernel_queries(void) {
    cl_kernel k = kernel("shaped"), free_k = kernel("put");
    size_t most = 0, multiple = 0, required[3] = {9, 9, 9}, size = 0;
    cl_ulong local = 0, private = 0;
    OK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most, &size));
    EXPECT(sizeof(size_t), size);
    TRUE(most >= 8);
    OK(clGetKernelWorkGroupInfo(k, NULL, CL_KERNEL_PREFERRED_WORK_GROUP_SIZE_MULTIPLE, sizeof multiple, &multiple, NULL));
    TRUE(multiple >= 1);
    OK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, &size));
    EXPECT(sizeof required, size);
    TRUE(required[0] == 4 && required[1] == 2 && required[2] == 1);
    OK(clGetKernelWorkGroupInfo(free_k, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, NULL));
    TRUE(!required[0] && !required[1] && !required[2]);
    OK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof local, &local, NULL));
    OK(clSetKernelArg(k, 1, 4096, NULL));
    cl_ulong with = 0;
    OK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof with, &with, NULL));
    TRUE(with >= 4096);
    OK(clGetKernelWorkGroupInfo(k, device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof private, &private, NULL));
    EXPECT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(k, device, CL_KERNEL_GLOBAL_WORK_SIZE, sizeof required, required, NULL));
    EXPECT(CL_INVALID_VALUE, clGetKernelWorkGroupInfo(k, device, CL_KERNEL_WORK_GROUP_SIZE, 2, &most, NULL));
    cl_uint sub_groups = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof sub_groups, &sub_groups, NULL));
    size_t in[3] = {64, 1, 1}, out = 0, shape[3] = {0}, one = 1;
    if (sub_groups) {
        OK(clGetKernelSubGroupInfo(free_k, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof in, in, sizeof out, &out, NULL));
        size_t width = out;
        TRUE(width >= 1);
        OK(clGetKernelSubGroupInfo(free_k, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, sizeof in, in, sizeof out, &out, NULL));
        EXPECT((64 + width - 1) / width, out);
        OK(clGetKernelSubGroupInfo(free_k, device, CL_KERNEL_LOCAL_SIZE_FOR_SUB_GROUP_COUNT, sizeof one, &one, sizeof shape, shape, NULL));
        TRUE(shape[0] == 0 || (shape[0] <= width && shape[1] == 1 && shape[2] == 1));
        OK(clGetKernelSubGroupInfo(free_k, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, sizeof out, &out, NULL));
        TRUE(out >= 1);
        EXPECT(CL_INVALID_VALUE, clGetKernelSubGroupInfo(free_k, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, 3, in, sizeof out, &out, NULL));
    }
    OK(clReleaseKernel(k));
    OK(clReleaseKernel(free_k));
}

/* 5.8: errors of an enqueue in time: missing arguments, wrong group sizes, a size of 0. */
static void launch_errors(void) {
    cl_kernel k = kernel("put"), shaped = kernel("shaped");
    cl_mem m = check_buffer(context, 0, 4096);
    size_t size[3] = {16, 16, 1}, zero = 0, huge[3] = {1 << 20, 1, 1}, local[3] = {4, 2, 1}, wrong[3] = {2, 4, 1};
    cl_int n = 1;
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    EXPECT(CL_INVALID_KERNEL_ARGS, clEnqueueNDRangeKernel(queue, k, 1, NULL, size, NULL, 0, NULL, NULL));
    OK(clSetKernelArg(k, 1, sizeof n, &n));
    EXPECT(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(queue, k, 0, NULL, size, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_WORK_DIMENSION, clEnqueueNDRangeKernel(queue, k, 4, NULL, size, NULL, 0, NULL, NULL));
    EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, k, 1, NULL, huge, huge, 0, NULL, NULL));
    EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, k, 1, NULL, size, &zero, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &zero, NULL, 0, NULL, NULL));
    cl_event event;
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &zero, NULL, 0, NULL, &event));
    OK(clWaitForEvents(1, &event));
    EXPECT(CL_COMPLETE, status_of(event));
    OK(clReleaseEvent(event));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 1, 8, &n));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(k, 0, 4, &m));
    EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArg(k, 2, 4, &n));
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(k, 1, 4, NULL));
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(shaped, 1, 4, &n));
    OK(clSetKernelArg(shaped, 0, sizeof m, &m));
    OK(clSetKernelArg(shaped, 1, 4, NULL));
    EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueNDRangeKernel(queue, shaped, 2, NULL, size, wrong, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, shaped, 2, NULL, size, local, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, shaped, 3, NULL, size, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(k));
    OK(clReleaseKernel(shaped));
    OK(clReleaseMemObject(m));
}

/* 5.8: an offset shifts IDs and no sizes; NULL buffers are NULL pointers. */
static void offsets(void) {
    cl_uint got[8] = {0};
    cl_kernel k = kernel("sizes");
    cl_mem m = check_buffer(context, 0, sizeof got);
    size_t offset = 0, size = 12, local = 4, off = 4;
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clEnqueueNDRangeKernel(queue, k, 1, &offset, &size, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    TRUE(got[0] == 4 && got[1] == 3 && got[2] == 0 && got[3] == 12);
    got[0] = got[3] = 77;
    OK(clEnqueueWriteBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, k, 1, &off, &size, &local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    TRUE(got[0] == 77 && got[3] == 12);
    OK(clReleaseKernel(k));
    OK(clReleaseMemObject(m));
}

/* 5.12: in an out-of-order queue a barrier orders what is before and behind it; a marker's event ends after all
   before it; with a wait list each waits for that alone. */
static void barriers(void) {
    enum { N = 64 };
    cl_int err, got[N];
    cl_mem m = check_buffer(context, 0, sizeof got);
    for (int i = 0; i < 20; i++) {
        launch(unordered, "put", m, i, N, 0, NULL, NULL);
        OK(clEnqueueBarrierWithWaitList(unordered, 0, NULL, NULL));
        launch(unordered, "add", m, 100, N, 0, NULL, NULL);
        OK(clEnqueueBarrierWithWaitList(unordered, 0, NULL, NULL));
    }
    cl_event marker;
    OK(clEnqueueMarkerWithWaitList(unordered, 0, NULL, &marker));
    OK(clEnqueueReadBuffer(unordered, m, CL_TRUE, 0, sizeof got, got, 1, &marker, NULL));
    EXPECT(119, got[0]);
    EXPECT(119, got[N - 1]);
    OK(clReleaseEvent(marker));
    cl_event user = clCreateUserEvent(context, &err), other = clCreateUserEvent(context, &err), both, barrier;
    OK(clEnqueueMarkerWithWaitList(unordered, 1, &user, &marker));
    OK(clEnqueueMarkerWithWaitList(unordered, 1, &other, &both));
    OK(clFlush(unordered));
    OK(clSetUserEventStatus(other, CL_COMPLETE));
    OK(clWaitForEvents(1, &both));
    TRUE(status_of(marker) > CL_COMPLETE);
    OK(clEnqueueBarrierWithWaitList(unordered, 1, &both, &barrier));
    OK(clWaitForEvents(1, &barrier));
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clFinish(unordered));
    cl_event all[] = {user, other, marker, both, barrier};
    for (int i = 0; i < 5; i++) OK(clReleaseEvent(all[i]));
    OK(clReleaseMemObject(m));
}

/* 5.12: events order commands of two queues without a flush by the application where it then waits for the second
   after flushing the first. */
static void across_queues(void) {
    cl_int got = 0;
    cl_event a, b;
    cl_command_queue other = check_queue(context, device);
    cl_mem m = check_buffer(context, 0, 4096);
    for (int i = 0; i < 20; i++) {
        launch(queue, "put", m, i, 1024, 0, NULL, &a);
        OK(clFlush(queue));
        launch(other, "add", m, 1000, 1024, 1, &a, &b);
        OK(clFlush(other));
        OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 4092, 4, &got, 1, &b, NULL));
        EXPECT(1000 + i, got);
        OK(clReleaseEvent(a));
        OK(clReleaseEvent(b));
    }
    OK(clReleaseCommandQueue(other));
    OK(clReleaseMemObject(m));
}

static void CL_CALLBACK sum(void *args) {
    struct { cl_int *a; cl_int n; cl_int *total; } *of = args;
    for (int i = 0; i < of->n; i++) *of->total += of->a[i];
}

/* 5.10: a native kernel gets a copy of its arguments, with the memory objects' addresses in it. */
static void native_kernels(void) {
    cl_device_exec_capabilities can = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof can, &can, NULL));
    cl_int total = 0;
    cl_mem m = check_buffer(context, 0, 64);
    struct { cl_mem a; cl_int n; cl_int *total; } args = {m, 16, &total};
    const void *at = &args.a;
    launch(queue, "put", m, 3, 16, 0, NULL, NULL);
    cl_int code = clEnqueueNativeKernel(queue, sum, &args, sizeof args, 1, &m, &at, 0, NULL, NULL);
    args.n = 1;
    EXPECT(can & CL_EXEC_NATIVE_KERNEL ? CL_SUCCESS : CL_INVALID_OPERATION, code);
    OK(clFinish(queue));
    if (!code) EXPECT(48, total);
    /* Out of order it comes after what is before a barrier. */
    launch(unordered, "slow", m, 0, 16, 0, NULL, NULL);
    OK(clFinish(unordered));
    for (int i = 0; !code && i < 5; i++) {
        /* Drivers end longer loops. */
        enum { STEPS = 50000, LAUNCHES = 80 };
        cl_uint x = 3;
        for (int step = 0; step < STEPS * LAUNCHES; step++) x = x * 1664525 + 1013904223;
        total = 0;
        launch(unordered, "put", m, 3, 16, 0, NULL, NULL);
        for (int n = 0; n < LAUNCHES; n++) {
            OK(clEnqueueBarrierWithWaitList(unordered, 0, NULL, NULL));
            launch(unordered, "slow", m, STEPS, 16, 0, NULL, NULL);
        }
        OK(clEnqueueBarrierWithWaitList(unordered, 0, NULL, NULL));
        OK(clEnqueueNativeKernel(unordered, sum, &args, sizeof args, 1, &m, &at, 0, NULL, NULL));
        OK(clFinish(unordered));
        EXPECT((cl_int)x, total);
    }
    if (!code) EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, NULL, NULL, 0, 0, NULL, NULL, 0, NULL, NULL));
    if (!code) EXPECT(CL_INVALID_VALUE, clEnqueueNativeKernel(queue, sum, &args, 0, 0, NULL, NULL, 0, NULL, NULL));
    OK(clReleaseMemObject(m));
}

/* 5.11: what events tell of themselves. */
static void event_queries(void) {
    cl_int err;
    cl_event user = clCreateUserEvent(context, &err), event;
    cl_command_type type = 0;
    cl_command_queue q = queue;
    cl_context c = NULL;
    cl_uint references = 0;
    OK(clGetEventInfo(user, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    EXPECT(CL_COMMAND_USER, type);
    OK(clGetEventInfo(user, CL_EVENT_COMMAND_QUEUE, sizeof q, &q, NULL));
    TRUE(!q);
    OK(clGetEventInfo(user, CL_EVENT_CONTEXT, sizeof c, &c, NULL));
    TRUE(c == context);
    OK(clRetainEvent(user));
    OK(clGetEventInfo(user, CL_EVENT_REFERENCE_COUNT, sizeof references, &references, NULL));
    EXPECT(2, references);
    OK(clReleaseEvent(user));
    cl_mem m = check_buffer(context, 0, 64);
    launch(queue, "put", m, 1, 16, 1, &user, &event);
    TRUE(status_of(event) == CL_QUEUED || status_of(event) == CL_SUBMITTED);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    EXPECT(CL_COMMAND_NDRANGE_KERNEL, type);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof q, &q, NULL));
    TRUE(q == queue);
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clFinish(queue));
    EXPECT(CL_COMPLETE, status_of(event));
    OK(clReleaseEvent(event));
    OK(clReleaseEvent(user));
    OK(clEnqueueMigrateMemObjects(queue, 1, &m, CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &event));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    EXPECT(CL_COMMAND_MIGRATE_MEM_OBJECTS, type);
    OK(clReleaseEvent(event));
    EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 0, NULL, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueMigrateMemObjects(queue, 1, &m, 8, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(m));
}

/* 5.8: programs: kernels live on after their program's release; a build is refused while kernels exist. */
static void program_rules(void) {
    cl_int err, got = 0;
    size_t count = 0, size = 0;
    cl_program p = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    EXPECT_NULL(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernel(p, "put", &err));
    EXPECT(CL_INVALID_PROGRAM_EXECUTABLE, clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    OK(clBuildProgram(p, 1, &device, "-DX=1", NULL, NULL));
    OK(clGetProgramInfo(p, CL_PROGRAM_NUM_KERNELS, sizeof count, &count, NULL));
    EXPECT(5, count);
    char names[128], options[32];
    OK(clGetProgramInfo(p, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, &size));
    TRUE(size == strlen(names) + 1 && strstr(names, "put") && strchr(names, ';'));
    OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL));
    TRUE(!strcmp(options, "-DX=1"));
    EXPECT_NULL(CL_INVALID_KERNEL_NAME, clCreateKernel(p, "nothing", &err));
    cl_kernel k = clCreateKernel(p, "put", &err);
    EXPECT(CL_INVALID_OPERATION, clBuildProgram(p, 1, &device, "", NULL, NULL));
    OK(clReleaseProgram(p));
    cl_mem m = check_buffer(context, 0, 64);
    size_t n = 16;
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, 4, &(cl_int){8}));
    OK(clEnqueueNDRangeKernel(queue, k, 1, NULL, &n, NULL, 0, NULL, NULL));
    OK(clReleaseKernel(k));
    OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    EXPECT(8, got);
    OK(clReleaseMemObject(m));
    const char *broken = "kernel void f( { }";
    p = clCreateProgramWithSource(context, 1, &broken, NULL, &err);
    EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(p, 1, &device, "", NULL, NULL));
    cl_build_status status = 0;
    OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status, NULL));
    EXPECT(CL_BUILD_ERROR, status);
    OK(clGetProgramBuildInfo(p, device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size));
    TRUE(size > 10);
    EXPECT(CL_INVALID_BUILD_OPTIONS, clBuildProgram(p, 1, &device, "-no-such-option", NULL, NULL));
    OK(clReleaseProgram(p));
}

static void CL_CALLBACK on_built(cl_program p, void *n) { (void)p, note((int)(size_t)n); }

/* 5.8.2: with a callback clBuildProgram may return before the end; the callback comes once, also after an error. */
static void build_callbacks(void) {
    cl_int err;
    const char *broken = "kernel void f( { }";
    ordered = 0;
    cl_program good = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    cl_program bad = clCreateProgramWithSource(context, 1, &broken, NULL, &err);
    OK(clBuildProgram(good, 0, NULL, NULL, on_built, (void *)1));
    err = clBuildProgram(bad, 0, NULL, NULL, on_built, (void *)2);
    TRUE(err == CL_SUCCESS || err == CL_BUILD_PROGRAM_FAILURE);
    wait_for(2);
    EXPECT(3, order[0] + order[1]);
    EXPECT(CL_INVALID_VALUE, clBuildProgram(good, 0, NULL, NULL, NULL, (void *)1));
    OK(clReleaseProgram(good));
    OK(clReleaseProgram(bad));
}

/* 5.9.1: a clone has the arguments of the moment. */
static void clones(void) {
    cl_int err, got = 0, n = 4;
    cl_kernel k = kernel("put");
    cl_mem m = check_buffer(context, 0, 64);
    size_t size = 16;
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, 4, &n));
    cl_kernel clone = clCloneKernel(k, &err);
    n = 5;
    OK(clSetKernelArg(k, 1, 4, &n));
    OK(clReleaseKernel(k));
    OK(clEnqueueNDRangeKernel(queue, clone, 1, NULL, &size, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    EXPECT(4, got);
    OK(clReleaseKernel(clone));
    OK(clReleaseMemObject(m));
}

/* 5.13, 5.15: clFlush and clFinish of idle queues; a blocking read flushes what it waits for. */
static void implicit_flushes(void) {
    cl_int got = 0;
    cl_event event;
    OK(clFlush(unordered));
    OK(clFinish(unordered));
    cl_mem m = check_buffer(context, 0, 64);
    launch(queue, "put", m, 2, 16, 0, NULL, &event);
    OK(clWaitForEvents(1, &event));
    EXPECT(CL_COMPLETE, status_of(event));
    OK(clReleaseEvent(event));
    launch(queue, "put", m, 3, 16, 0, NULL, NULL);
    OK(clEnqueueReadBuffer(queue, m, CL_TRUE, 0, 4, &got, 0, NULL, NULL));
    EXPECT(3, got);
    /* Releasing a queue flushes it. */
    cl_command_queue q = check_queue(context, device);
    launch(q, "put", m, 4, 16, 0, NULL, &event);
    OK(clReleaseCommandQueue(q));
    for (int i = 0; i < 5000 && status_of(event) > 0; i++) usleep(1000);
    EXPECT(CL_COMPLETE, status_of(event));
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(m));
}

int main(int argc, char **argv) {
    static const struct promise promises[] = {
        CASE(event_callbacks), CASE(failed_events), CASE(profiling), CASE(arguments_are_copied),
        CASE(release_in_callback), CASE(enqueue_in_callback), CASE(kernel_queries), CASE(launch_errors),
        CASE(offsets), CASE(barriers), CASE(across_queues), CASE(native_kernels), CASE(event_queries),
        CASE(program_rules), CASE(build_callbacks), CASE(clones), CASE(implicit_flushes),
    };
    return keep(promises, sizeof promises / sizeof *promises, argc, argv);
}
