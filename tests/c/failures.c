/* What a failed command takes with it. In order, all that is behind it; else markers and barriers that wait
   for everything, and what is behind those barriers. As PoCL does it, whose order of events this follows. */
#include "check.h"
#include <pthread.h>
#include <unistd.h>

enum { INTS = 1024, FAILED = CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST };

static cl_device_id device;
static cl_context context;
static cl_kernel store;

static cl_command_queue new_queue(int out_of_order) {
    cl_int err;
    cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &err);
    NEED(queue);
    return queue;
}

static cl_mem zeros(size_t size) {
    cl_int err, zero = 0;
    cl_mem buffer = clCreateBuffer(context, 0, size, NULL, &err);
    NEED(buffer);
    cl_command_queue queue = new_queue(0);
    OK(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, size, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseCommandQueue(queue));
    return buffer;
}

static cl_event user_event(void) {
    cl_int err;
    cl_event event = clCreateUserEvent(context, &err);
    NEED(event);
    return event;
}

static cl_int status_of(cl_event event) {
    cl_int status = 99;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static int called[16], called_with[16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void CL_CALLBACK on_end(cl_event event, cl_int status, void *user) {
    (void)event;
    int i = (int)(size_t)user;
    pthread_mutex_lock(&lock);
    called[i]++;
    called_with[i] = status;
    pthread_mutex_unlock(&lock);
}

/* Stores `value` at the place of that number. */
static cl_int set(cl_command_queue queue, cl_mem buffer, int by_kernel, cl_int value, cl_uint count,
                  const cl_event *waits, cl_event *event) {
    size_t one = 1;
    if (!by_kernel)
        return clEnqueueFillBuffer(queue, buffer, &value, 4, 4 * (size_t)value, 4, count, waits, event);
    OK(clSetKernelArg(store, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(store, 1, sizeof value, &value));
    return clEnqueueNDRangeKernel(queue, store, 1, NULL, &one, NULL, count, waits, event);
}

enum when { BEFORE, BEHIND, FLUSHED, WHENS };
enum what { FILL, KERNEL, MARKER, BARRIER, READ, MAP, LARGE_READ, WHATS };
enum { COMMANDS = 8 };

static void sequence(int out_of_order, enum when when, enum what what) {
    static const size_t large = 40 << 20;
    cl_command_queue queue = new_queue(out_of_order);
    cl_mem buffer = zeros(what == LARGE_READ ? large : INTS * 4);
    cl_event user = user_event(), events[COMMANDS];
    cl_int err, out[INTS];
    void *bytes = what == LARGE_READ ? malloc(large) : out, *mapped = NULL;
    memset(called, 0, sizeof called);
    if (when == BEFORE) OK(clSetUserEventStatus(user, -5));
    OK(set(queue, buffer, 0, 1, 0, NULL, &events[0]));
    switch (what) {
    case FILL: OK(set(queue, buffer, 0, 2, 1, &user, &events[1])); break;
    case KERNEL: OK(set(queue, buffer, 1, 2, 1, &user, &events[1])); break;
    case MARKER: OK(clEnqueueMarkerWithWaitList(queue, 1, &user, &events[1])); break;
    case BARRIER: OK(clEnqueueBarrierWithWaitList(queue, 1, &user, &events[1])); break;
    case READ: OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 64, bytes, 1, &user, &events[1])); break;
    case MAP:
        mapped = clEnqueueMapBuffer(queue, buffer, CL_FALSE, CL_MAP_READ | CL_MAP_WRITE, 256, 256, 1, &user,
                                    &events[1], &err);
        NEED(mapped && err == CL_SUCCESS);
        break;
    default: OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, large, bytes, 1, &user, &events[1])); break;
    }
    OK(set(queue, buffer, what == KERNEL, 3, 0, NULL, &events[2]));
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &events[3]));
    OK(clEnqueueMarkerWithWaitList(queue, 1, events, &events[4]));
    OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, &events[5]));
    OK(set(queue, buffer, what == KERNEL, 4, 0, NULL, &events[6]));
    OK(clEnqueueMarkerWithWaitList(queue, 1, &events[2], &events[7]));
    for (size_t i = 0; i < COMMANDS; i++) OK(clSetEventCallback(events[i], CL_COMPLETE, on_end, (void *)i));
    if (when == FLUSHED) {
        OK(clFlush(queue));
        usleep(2000);
    }
    if (when != BEFORE) OK(clSetUserEventStatus(user, -5));
    /* It has nothing to say of it: what has failed has events. */
    OK(clFinish(queue));
    for (int i = 0; i < COMMANDS; i++) {
        int runs = i == 0 || (out_of_order && what != BARRIER && (i == 2 || i == 4));
        cl_int status = status_of(events[i]);
        if (status != (runs ? CL_COMPLETE : FAILED)) {
            printf("out of order %d, when %d, what %d: command %d is %d\n", out_of_order, when, what, i, status);
            check_failures++;
        }
        EXPECT(runs ? CL_SUCCESS : FAILED, clWaitForEvents(1, &events[i]));
    }
    /* The next commands run; nothing has been done by those that failed. */
    OK(set(queue, buffer, 0, 7, 0, NULL, NULL));
    if (mapped) {
        cl_uint count = 9;
        OK(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
        EXPECT(0, count);
        /* Is no mapping, and so in the way of none. */
        int *again = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 256, 256, 0, NULL, NULL, &err);
        NEED(again);
        again[1] = 65;
        OK(clEnqueueUnmapMemObject(queue, buffer, again, 0, NULL, NULL));
        OK(clFinish(queue));
        OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
    }
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < INTS; i++) {
        int runs = i == 1 || i == 7 || (i == 3 && out_of_order && what != BARRIER) || (mapped && i == 65);
        EXPECT(runs ? i : 0, out[i]);
    }
    for (int wait = 0; wait < 2000; wait++) {
        int all = 0;
        pthread_mutex_lock(&lock);
        for (int i = 0; i < COMMANDS; i++) all += called[i];
        pthread_mutex_unlock(&lock);
        if (all == COMMANDS) break;
        usleep(1000);
    }
    for (int i = 0; i < COMMANDS; i++) {
        EXPECT(1, called[i]);
        EXPECT(status_of(events[i]), called_with[i]);
        OK(clReleaseEvent(events[i]));
    }
    if (what == LARGE_READ) free(bytes);
    OK(clReleaseEvent(user));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
}

static void *fail_later(void *event) {
    usleep(20000);
    OK(clSetUserEventStatus(event, -7));
    return NULL;
}

/* A call that waits behind a command that fails meanwhile returns then, with the error; so does one behind a
   command that had failed already, unless the application has heard of that. */
static void blocking(int out_of_order) {
    cl_int out[INTS], err;
    for (int call = 0; call < 6; call++) {
        for (int later = 0; later < 2; later++) {
            cl_command_queue queue = new_queue(out_of_order);
            cl_mem buffer = zeros(INTS * 4);
            cl_event user = user_event(), first, next;
            pthread_t thread;
            if (!later) OK(clSetUserEventStatus(user, -7));
            OK(clEnqueueBarrierWithWaitList(queue, 1, &user, &first));
            OK(set(queue, buffer, 0, 5, 0, NULL, &next));
            if (later) NEED(!pthread_create(&thread, NULL, fail_later, user));
            size_t zero[3] = {0}, region[3] = {16, 1, 1};
            switch (call) {
            case 0: EXPECT(FAILED, clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 64, out, 0, NULL, NULL)); break;
            case 1: EXPECT(FAILED, clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 64, out, 0, NULL, NULL)); break;
            case 2:
                EXPECT_NULL(FAILED, clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_WRITE, 0, 64, 0, NULL,
                                                       NULL, &err));
                break;
            case 3:
                EXPECT(FAILED, clEnqueueReadBufferRect(queue, buffer, CL_TRUE, zero, zero, region, 0, 0, 0, 0,
                                                       out, 0, NULL, NULL));
                break;
            case 4: EXPECT(FAILED, clWaitForEvents(1, &next)); break;
            default: OK(clFinish(queue));
            }
            if (later) pthread_join(thread, NULL);
            EXPECT(FAILED, status_of(first));
            EXPECT(FAILED, status_of(next));
            cl_uint count = 9;
            OK(clGetMemObjectInfo(buffer, CL_MEM_MAP_COUNT, sizeof count, &count, NULL));
            EXPECT(0, count);
            memset(out, 1, sizeof out);
            OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
            for (int i = 0; i < INTS; i++) EXPECT(0, out[i]);
            OK(clReleaseEvent(first));
            OK(clReleaseEvent(next));
            OK(clReleaseEvent(user));
            OK(clReleaseMemObject(buffer));
            OK(clReleaseCommandQueue(queue));
        }
    }
}

/* From queue to queue: what waits for a failed command's event fails, and what is behind that. */
static void chain(int out_of_order) {
    enum { QUEUES = 5 };
    cl_command_queue queues[QUEUES];
    cl_event user = user_event(), events[QUEUES][2];
    cl_mem buffer = zeros(INTS * 4);
    for (int i = 0; i < QUEUES; i++) {
        queues[i] = new_queue(out_of_order);
        OK(clEnqueueBarrierWithWaitList(queues[i], 1, i ? &events[i - 1][1] : &user, &events[i][0]));
        OK(set(queues[i], buffer, i % 2, 10 + i, 0, NULL, &events[i][1]));
        OK(clFlush(queues[i]));
    }
    OK(clSetUserEventStatus(user, -1));
    /* The application has done it: all queues go on. */
    for (int i = 0; i < QUEUES; i++) {
        cl_int one = 0;
        OK(set(queues[i], buffer, 0, 20 + i, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queues[i], buffer, CL_TRUE, 4 * (20 + i), 4, &one, 0, NULL, NULL));
        EXPECT(20 + i, one);
        OK(clEnqueueReadBuffer(queues[i], buffer, CL_TRUE, 4 * (10 + i), 4, &one, 0, NULL, NULL));
        EXPECT(0, one);
        for (int e = 0; e < 2; e++) {
            EXPECT(FAILED, status_of(events[i][e]));
            OK(clReleaseEvent(events[i][e]));
        }
        OK(clReleaseCommandQueue(queues[i]));
    }
    OK(clReleaseEvent(user));
    OK(clReleaseMemObject(buffer));
}

static int destroyed, freed;
static void CL_CALLBACK on_destroy(cl_mem memory, void *user) {
    (void)memory;
    pthread_mutex_lock(&lock);
    ++*(int *)user;
    pthread_mutex_unlock(&lock);
}
static void CL_CALLBACK on_free(cl_command_queue queue, cl_uint count, void *pointers[], void *user) {
    (void)queue, (void)count, (void)pointers;
    ++*(int *)user;
}

/* Commands that fail let go of what they would have used; SVM that they would have freed stays. */
static void releases(void) {
    cl_command_queue queue = new_queue(0);
    cl_event user = user_event();
    cl_mem buffer = zeros(INTS * 4);
    cl_device_svm_capabilities svm = 0;
    destroyed = freed = 0;
    OK(clSetMemObjectDestructorCallback(buffer, on_destroy, &destroyed));
    OK(clEnqueueMarkerWithWaitList(queue, 1, &user, NULL));
    OK(set(queue, buffer, 0, 3, 0, NULL, NULL));
    OK(set(queue, buffer, 1, 3, 0, NULL, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    void *shared = svm ? clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0) : NULL;
    if (shared) OK(clEnqueueSVMFree(queue, 1, &shared, on_free, &freed, 0, NULL, NULL));
    OK(clReleaseMemObject(buffer));
    OK(clSetUserEventStatus(user, -1));
    OK(clFinish(queue));
    for (int wait = 0; wait < 2000; wait++) {
        pthread_mutex_lock(&lock);
        int done = destroyed;
        pthread_mutex_unlock(&lock);
        if (done) break;
        usleep(1000);
    }
    EXPECT(1, destroyed);
    EXPECT(0, freed);
    if (shared) {
        /* A blocking map that fails leaves no mapping. */
        cl_event again = user_event();
        OK(clSetUserEventStatus(again, -1));
        EXPECT(FAILED, clEnqueueSVMMap(queue, CL_TRUE, CL_MAP_WRITE, shared, 4096, 1, &again, NULL));
        OK(clEnqueueSVMUnmap(queue, shared, 0, NULL, NULL));
        OK(clFinish(queue));
        OK(clReleaseEvent(again));
        clSVMFree(context, shared);
    }
    OK(clReleaseEvent(user));
    OK(clReleaseCommandQueue(queue));
}

int main(void) {
    static const char *source = "kernel void store(global int *p, int i) { p[i] = i; }";
    cl_int err;
    device = check_device();
    context = check_context(device);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    store = clCreateKernel(program, "store", &err);
    NEED(store);
    for (int out_of_order = 0; out_of_order < 2; out_of_order++) {
        for (int when = 0; when < WHENS; when++)
            for (int what = 0; what < WHATS; what++) sequence(out_of_order, when, what);
        blocking(out_of_order);
        chain(out_of_order);
    }
    releases();
    OK(clReleaseKernel(store));
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
    END;
}
