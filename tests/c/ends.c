/* The ends of objects: their callbacks have been called when a call returns that waits for their last use, or
   that releases what nothing uses; no sooner, and in order. Queues that are released do all they were given. */
#include "check.h"
#include <pthread.h>
#include <unistd.h>

enum { INTS = 4096, BYTES = 4 * INTS };

static cl_device_id device;
static cl_context context;
static cl_program program;

static int ended;
static int count(void) { return __atomic_load_n(&ended, __ATOMIC_ACQUIRE); }
static void one_more(void) { __atomic_add_fetch(&ended, 1, __ATOMIC_ACQ_REL); }
static void CL_CALLBACK memory_ended(cl_mem memory, void *user) { (void)memory, (void)user, one_more(); }

static int all_within(int n, int milliseconds) {
    for (int i = 0; i < milliseconds && count() < n; i++) usleep(1000);
    return count() == n;
}

enum use { KERNEL, FILL, COPY, READ, WRITE, MAP, MIGRATE, LARGE, USES };
enum wait { FINISH, EVENT, BLOCKING, WAITS };

/* A buffer, a part of another, and an image, each in use when it is released. */
static void in_use(int out_of_order, enum use use, enum wait wait) {
    static char bytes[BYTES];
    static char *large;
    size_t items = INTS, size = use == LARGE ? 32 << 20 : BYTES;
    cl_int err, seven = 7;
    if (!large) large = malloc(32 << 20);
    cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES, out_of_order ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0, 0};
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, properties, &err);
    NEED(queue);
    cl_mem whole = check_buffer(context, 0, 2 * size), rest = check_buffer(context, 0, size), used[3];
    cl_buffer_region half = {size, size};
    cl_image_format format = {CL_R, CL_SIGNED_INT32};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 64, .image_height = 64};
    used[0] = check_buffer(context, use % 2 ? CL_MEM_ALLOC_HOST_PTR : 0, size);
    used[1] = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &half, &err);
    used[2] = clCreateImage(context, 0, &format, &desc, NULL, &err);
    NEED(used[1] && used[2]);
    cl_event events[3];
    __atomic_store_n(&ended, 0, __ATOMIC_RELEASE);
    for (int i = 0; i < 3; i++) OK(clSetMemObjectDestructorCallback(used[i], memory_ended, NULL));
    for (int i = 0; i < 2; i++) {
        cl_event *event = &events[i];
        switch (use) {
        case KERNEL: {
            cl_kernel kernel = clCreateKernel(program, "add", &err);
            OK(clSetKernelArg(kernel, 0, sizeof used[i], &used[i]));
            OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, NULL, 0, NULL, event));
            OK(clReleaseKernel(kernel));
            break;
        }
        case FILL: OK(clEnqueueFillBuffer(queue, used[i], &seven, 4, 0, size, 0, NULL, event)); break;
        case COPY: OK(clEnqueueCopyBuffer(queue, used[i], rest, 0, 0, size, 0, NULL, event)); break;
        case READ: OK(clEnqueueReadBuffer(queue, used[i], CL_FALSE, 0, size, bytes, 0, NULL, event)); break;
        case WRITE: OK(clEnqueueWriteBuffer(queue, used[i], CL_FALSE, 0, size, bytes, 0, NULL, event)); break;
        case LARGE: OK(clEnqueueReadBuffer(queue, used[i], CL_FALSE, 0, size, large, 0, NULL, event)); break;
        case MAP: {
            void *mapped = clEnqueueMapBuffer(queue, used[i], CL_TRUE, CL_MAP_WRITE, 0, size, 0, NULL, NULL, &err);
            NEED(mapped);
            OK(clEnqueueUnmapMemObject(queue, used[i], mapped, 0, NULL, event));
            break;
        }
        default: OK(clEnqueueMigrateMemObjects(queue, 1, &used[i], 0, 0, NULL, event));
        }
    }
    size_t zero[3] = {0}, region[3] = {64, 64, 1};
    OK(clEnqueueReadImage(queue, used[2], CL_FALSE, zero, region, 0, 0, bytes, 0, NULL, &events[2]));
    for (int i = 0; i < 3; i++) OK(clReleaseMemObject(used[i]));
    switch (wait) {
    case FINISH: OK(clFinish(queue)); break;
    case EVENT: OK(clWaitForEvents(3, events)); break;
    default: OK(clEnqueueReadBuffer(queue, rest, CL_TRUE, 0, 4, bytes, 3, events, NULL));
    }
    if (count() != 3) {
        printf("out of order %d, use %d, wait %d: %d ends\n", out_of_order, use, wait, count());
        check_failures++;
    }
    for (int i = 0; i < 3; i++) OK(clReleaseEvent(events[i]));
    OK(clReleaseMemObject(rest));
    OK(clReleaseMemObject(whole));
    OK(clReleaseCommandQueue(queue));
}

static char order[16];
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void note(const char *letter) {
    pthread_mutex_lock(&lock);
    strncat(order, letter, sizeof order - strlen(order) - 1);
    pthread_mutex_unlock(&lock);
}
static void noted(const char *want) {
    pthread_mutex_lock(&lock);
    if (strcmp(order, want)) {
        printf("ends in the order '%s', not '%s'\n", order, want);
        check_failures++;
    }
    order[0] = 0;
    pthread_mutex_unlock(&lock);
}
static void CL_CALLBACK on_memory(cl_mem memory, void *letter) { (void)memory, note(letter); }
static void CL_CALLBACK on_context(cl_context c, void *letter) { (void)c, note(letter); }

/* What nothing uses ends in the call that releases it; a context last of all that is in it. */
static void released(void) {
    cl_int err;
    cl_context own = check_context(device);
    OK(clSetContextDestructorCallback(own, on_context, "d"));
    OK(clSetContextDestructorCallback(own, on_context, "c"));
    cl_mem whole = check_buffer(own, 0, 4096);
    cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &(cl_buffer_region){0, 64}, &err);
    cl_command_queue queue = check_queue(own, device);
    OK(clSetMemObjectDestructorCallback(whole, on_memory, "b"));
    OK(clSetMemObjectDestructorCallback(whole, on_memory, "a"));
    OK(clSetMemObjectDestructorCallback(part, on_memory, "p"));
    OK(clReleaseContext(own));
    OK(clReleaseMemObject(whole));
    noted("");
    OK(clReleaseMemObject(part));
    noted("pab");
    OK(clReleaseCommandQueue(queue));
    noted("cd");
    /* Memory keeps its context. */
    own = check_context(device);
    whole = check_buffer(own, 0, 4096);
    OK(clSetContextDestructorCallback(own, on_context, "c"));
    OK(clSetMemObjectDestructorCallback(whole, on_memory, "a"));
    OK(clReleaseContext(own));
    noted("");
    OK(clReleaseMemObject(whole));
    noted("ac");
}

/* A queue that is released with commands that cannot run yet: they run all the same, without anything that
   the application still has, and the context ends after them. */
static void left_behind(int by_kernel) {
    char source[256];
    const char *text = source;
    cl_int err, got[16], zero = 0, five = 5;
    static int round;
    cl_command_queue queue = check_queue(context, device);
    for (int fails = 0; fails < (by_kernel ? 1 : 2); fails++) {
        cl_mem target = check_buffer(context, 0, sizeof got);
        OK(clEnqueueFillBuffer(queue, target, &zero, 4, 0, sizeof got, 0, NULL, NULL));
        OK(clFinish(queue));
        cl_command_queue first = check_queue(context, device), second = check_queue(context, device);
        cl_event event;
        if (by_kernel) {
            /* It is held while its pipeline is made. */
            snprintf(source, sizeof source, "kernel void k(global int *p) { p[1] = %d; }", ++round);
            cl_program fresh = clCreateProgramWithSource(context, 1, &text, NULL, &err);
            OK(clBuildProgram(fresh, 0, NULL, "", NULL, NULL));
            cl_kernel kernel = clCreateKernel(fresh, "k", &err);
            NEED(kernel);
            size_t one = 1;
            OK(clSetKernelArg(kernel, 0, sizeof target, &target));
            OK(clEnqueueNDRangeKernel(first, kernel, 1, NULL, &one, NULL, 0, NULL, &event));
            OK(clReleaseKernel(kernel));
            OK(clReleaseProgram(fresh));
        } else {
            event = clCreateUserEvent(context, &err);
        }
        OK(clEnqueueFillBuffer(second, target, &five, 4, 8, 4, 1, &event, NULL));
        OK(clEnqueueFillBuffer(second, target, &five, 4, 16, 4, 0, NULL, NULL));
        OK(clReleaseCommandQueue(second));
        if (!by_kernel) OK(clSetUserEventStatus(event, fails ? -1 : CL_COMPLETE));
        for (int wait = 0; wait < 3000; wait++) {
            OK(clEnqueueReadBuffer(queue, target, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
            if (got[4] == 5 || fails) break;
            usleep(1000);
        }
        EXPECT(fails ? 0 : 5, got[2]);
        EXPECT(fails ? 0 : 5, got[4]);
        OK(clReleaseEvent(event));
        OK(clReleaseCommandQueue(first));
        OK(clReleaseMemObject(target));
    }
    OK(clReleaseCommandQueue(queue));
}

/* A context lives until the commands of its released queues have ended. */
static void last_of_all(void) {
    cl_int err, zero = 0;
    cl_context own = check_context(device);
    cl_command_queue queue = check_queue(own, device);
    cl_mem memory = check_buffer(own, 0, 16 << 20);
    OK(clSetContextDestructorCallback(own, on_context, "c"));
    OK(clSetMemObjectDestructorCallback(memory, on_memory, "a"));
    cl_event user = clCreateUserEvent(own, &err);
    OK(clEnqueueFillBuffer(queue, memory, &zero, 4, 0, 16 << 20, 1, &user, NULL));
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    for (int i = 0; i < 20; i++) OK(clEnqueueFillBuffer(queue, memory, &zero, 4, 0, 16 << 20, 0, NULL, NULL));
    OK(clReleaseEvent(user));
    OK(clReleaseMemObject(memory));
    OK(clReleaseContext(own));
    OK(clReleaseCommandQueue(queue));
    for (int i = 0; i < 10000; i++) {
        pthread_mutex_lock(&lock);
        int all = strlen(order) == 2;
        pthread_mutex_unlock(&lock);
        if (all) break;
        usleep(1000);
    }
    noted("ac");
}

static cl_command_queue shared;
static void CL_CALLBACK busy(cl_mem memory, void *other) {
    (void)memory;
    int n = 3;
    /* Calls of all kinds, of which some wait, and an end within this one. */
    cl_mem more = check_buffer(context, 0, 64);
    OK(clSetMemObjectDestructorCallback(more, memory_ended, NULL));
    OK(clEnqueueFillBuffer(shared, more, &n, 4, 0, 64, 0, NULL, NULL));
    OK(clReleaseMemObject(more));
    OK(clFinish(shared));
    OK(clReleaseMemObject(other));
    one_more();
}

static void CL_CALLBACK locked(cl_mem memory, void *user) {
    (void)memory, (void)user;
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    one_more();
}

/* Callbacks that use OpenCL, and one that needs a lock that whoever waits for it has. */
static void awkward(void) {
    int n = 1;
    shared = check_queue(context, device);
    cl_mem outer = check_buffer(context, 0, 64), inner = check_buffer(context, 0, 64);
    __atomic_store_n(&ended, 0, __ATOMIC_RELEASE);
    OK(clSetMemObjectDestructorCallback(outer, busy, inner));
    OK(clSetMemObjectDestructorCallback(inner, memory_ended, NULL));
    OK(clEnqueueFillBuffer(shared, outer, &n, 4, 0, 64, 0, NULL, NULL));
    OK(clReleaseMemObject(outer));
    OK(clFinish(shared));
    TRUE(count() >= 1);
    TRUE(all_within(3, 5000));
    __atomic_store_n(&ended, 0, __ATOMIC_RELEASE);
    pthread_mutex_lock(&lock);
    cl_mem memory = check_buffer(context, 0, 64);
    OK(clSetMemObjectDestructorCallback(memory, locked, NULL));
    OK(clReleaseMemObject(memory));
    OK(clFinish(shared));
    EXPECT(0, count());
    pthread_mutex_unlock(&lock);
    TRUE(all_within(1, 5000));
    OK(clReleaseCommandQueue(shared));
}

static void CL_CALLBACK on_free(cl_command_queue queue, cl_uint n, void *pointers[], void *user) {
    (void)queue, (void)n, (void)user;
    clSVMFree(context, pointers[0]);
    one_more();
}

static void shared_memory(void) {
    cl_device_svm_capabilities svm = 0;
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    if (!svm) return;
    cl_command_queue queue = check_queue(context, device);
    for (int i = 0; i < 50; i++) {
        int n = i;
        void *p = clSVMAlloc(context, CL_MEM_READ_WRITE, 4096, 0);
        NEED(p);
        __atomic_store_n(&ended, 0, __ATOMIC_RELEASE);
        OK(clEnqueueSVMMemFill(queue, p, &n, 4, 4096, 0, NULL, NULL));
        OK(clEnqueueSVMFree(queue, 1, &p, on_free, NULL, 0, NULL, NULL));
        OK(clFinish(queue));
        EXPECT(1, count());
    }
    OK(clReleaseCommandQueue(queue));
}

int main(int argc, char **argv) {
    static const char *source = "kernel void add(global int *p) { p[get_global_id(0)] += 1; }";
    cl_int err;
    device = check_device();
    context = check_context(device);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    int rounds = argc > 1 ? atoi(argv[1]) : 6;
    for (int round = 0; round < rounds && !check_failures; round++)
        for (int use = 0; use < USES; use++)
            for (int wait = 0; wait < WAITS; wait++) in_use(round % 2, use, wait);
    released();
    for (int i = 0; i < 5; i++) {
        left_behind(0);
        left_behind(1);
        last_of_all();
    }
    awkward();
    shared_memory();
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
    END;
}
