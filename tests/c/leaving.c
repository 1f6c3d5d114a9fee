/* Processes that end, each in another state: none hangs, none crashes, and the code of exit is theirs.
   With an argument, only that case, in this process. */
#define _GNU_SOURCE
#include "check.h"
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CODE = 7, SECONDS = 60 };

static cl_context context;
static cl_command_queue queue, other;
static cl_program program;
static cl_kernel slow;
static cl_mem buffer;
static cl_event user;

static const char *source =
    "kernel void slow(global int *p, int n) {\n"
    "    int x = p[get_global_id(0)];\n"
    "    for (int i = 0; i < n; i++) x = x * 1664525 + 1013904223;\n"
    "    p[get_global_id(0)] = x;\n"
    "}\n";

static void launch(cl_uint waits, const cl_event *list, cl_event *event) {
    size_t size = 4096;
    OK(clEnqueueNDRangeKernel(queue, slow, 1, NULL, &size, NULL, waits, list, event));
}

static void begin(void) {
    cl_int err, n = 20000;
    cl_device_id device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    other = check_queue(context, device);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    slow = clCreateKernel(program, "slow", &err);
    buffer = check_buffer(context, 0, 4096 * 4);
    OK(clSetKernelArg(slow, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(slow, 1, sizeof n, &n));
    user = clCreateUserEvent(context, &err);
}

/* How many releases failed. */
static int end(void) {
    cl_int codes[] = {
        clSetUserEventStatus(user, CL_COMPLETE), clReleaseEvent(user),         clReleaseMemObject(buffer),
        clReleaseKernel(slow),                   clReleaseProgram(program),    clReleaseCommandQueue(queue),
        clReleaseCommandQueue(other),            clReleaseContext(context),
    };
    int failed = 0;
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) failed += codes[i] != CL_SUCCESS;
    return failed;
}

static void launched(void) {
    begin();
    for (int i = 0; i < 20; i++) launch(0, NULL, NULL);
    OK(clFlush(queue));
}

static void recorded(void) {
    begin();
    launch(0, NULL, NULL);
    OK(clFinish(queue));
    for (int i = 0; i < 20; i++) launch(0, NULL, NULL);
}

static void held(void) {
    begin();
    static char bytes[16384];
    launch(1, &user, NULL);
    OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, sizeof bytes, bytes, 0, NULL, NULL));
    OK(clFlush(queue));
}

static void released(void) {
    begin();
    for (int i = 0; i < 20; i++) launch(0, NULL, NULL);
    EXPECT(0, end());
}

static void *finishing(void *unused) {
    (void)unused;
    clFinish(queue);
    return NULL;
}

/* A thread waits for what never comes. */
static void waiting(void) {
    pthread_t thread;
    held();
    pthread_create(&thread, NULL, finishing, NULL);
    usleep(20000);
}

static void CL_CALLBACK leave(cl_event event, cl_int status, void *unused) {
    (void)event, (void)status, (void)unused;
    exit(CODE);
}

static void from_callback(void) {
    cl_event event;
    begin();
    launch(0, NULL, &event);
    OK(clSetEventCallback(event, CL_COMPLETE, leave, NULL));
    OK(clFlush(queue));
    usleep(SECONDS * 1000000 / 2);
}

static void *launching(void *unused) {
    (void)unused;
    size_t size = 64;
    for (;;)
        if (clEnqueueNDRangeKernel(other, slow, 1, NULL, &size, NULL, 0, NULL, NULL)) return NULL;
}

/* Threads go on enqueueing. */
static void enqueueing(void) {
    pthread_t thread;
    const size_t size = 64;
    begin();
    /* LLVM in Mesa 22 crashes where it compiles when exit() runs. */
    OK(clEnqueueNDRangeKernel(other, slow, 1, NULL, &size, NULL, 0, NULL, NULL));
    OK(clFinish(other));
    for (int i = 0; i < 2; i++) pthread_create(&thread, NULL, launching, NULL);
    usleep(50000);
}

/* As destructors of C++ do: after the handlers of everything that was loaded later. GPUs are gone by then,
   which is an error but no crash. */
static void at_exit(void) {
    clFinish(queue);
    end();
}

static void in_handler(void) {
    atexit(at_exit);
    begin();
    launch(0, NULL, NULL);
}

static void in_handler_finished(void) {
    in_handler();
    OK(clFinish(queue));
}

static cl_event kept[3];
static cl_ulong times[2][4];

static cl_int read_times(int i, cl_ulong *to) {
    cl_int code = CL_SUCCESS;
    for (int t = 0; t < 4 && code == CL_SUCCESS; t++)
        code = clGetEventProfilingInfo(kept[i], CL_PROFILING_COMMAND_QUEUED + t, sizeof to[t], &to[t], NULL);
    return code;
}

/* The last of all: what destructors of static objects see. */
static void remember(void) {
    cl_ulong now[4] = {0};
    cl_int status = 99;
    cl_uint count = 0;
    char name[64] = "";
    for (int i = 0; i < 2; i++) {
        OK(read_times(i, now));
        if (times[i][0]) TRUE(!memcmp(now, times[i], sizeof now));
        TRUE(now[0] && now[0] <= now[1] && now[1] <= now[2] && now[2] <= now[3]);
        OK(clGetEventInfo(kept[i], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        EXPECT(CL_COMPLETE, status);
        OK(clRetainEvent(kept[i]));
        OK(clReleaseEvent(kept[i]));
    }
    /* This may have run to its end or not. */
    OK(clGetEventInfo(kept[2], CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    TRUE(status >= CL_COMPLETE && status <= CL_QUEUED);
    cl_int code = read_times(2, now);
    TRUE(status == CL_COMPLETE ? code == CL_SUCCESS : code == CL_PROFILING_INFO_NOT_AVAILABLE || code == CL_SUCCESS);
    OK(clGetKernelInfo(slow, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    EXPECT(2, count);
    cl_device_id device = check_device();
    OK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
    cl_bool available = 7;
    OK(clGetDeviceInfo(device, CL_DEVICE_AVAILABLE, sizeof available, &available, NULL));
    cl_device_svm_capabilities svm;
    OK(clGetDeviceInfo(device, CL_DEVICE_SVM_CAPABILITIES, sizeof svm, &svm, NULL));
    cl_ulong size = 0;
    OK(clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, NULL));
    EXPECT(4096 * 4, size);
    cl_build_status built = 9;
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof built, &built, NULL));
    EXPECT(CL_BUILD_SUCCESS, built);
    /* But for the user event, with which commands would go on. */
    TRUE(end() <= 1);
    fflush(stdout);
    if (check_failures) _exit(1);
}

static volatile int ended;
static void CL_CALLBACK hear(cl_event event, cl_int status, void *unused) {
    (void)event, (void)status, (void)unused;
    ended = 1;
}

/* Events that are read when all is over: one whose end was waited for, one whose end came by itself, however long
   that takes, and one of a command that has just begun, or not yet: what is before it takes longer than exit waits
   for threads. */
static void remembered(void) {
    cl_int err;
    atexit(remember);
    begin();
    cl_queue_properties profiling[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE, 0};
    OK(clReleaseCommandQueue(queue));
    queue = clCreateCommandQueueWithProperties(context, check_device(), profiling, &err);
    NEED(queue);
    launch(0, NULL, &kept[0]);
    OK(clFinish(queue));
    OK(read_times(0, times[0]));
    launch(0, NULL, &kept[1]);
    OK(clSetEventCallback(kept[1], CL_COMPLETE, hear, NULL));
    OK(clFlush(queue));
    while (!ended) usleep(1000);
    for (int i = 0; i < 17; i++) launch(0, NULL, NULL);
    launch(0, NULL, &kept[2]);
    OK(clFlush(queue));
}

/* A child of fork has no thread that would end what it launches: that is an error, and not of the loader, which
   may ask for all platforms. Its parent goes on. */
static void forked(void) {
    begin();
    /* tests/c/gone_layer.c makes a GPU of a driver that compiles at the first launch, on a thread of its own: a child
       made just then has the locks of what LLVM does at exit(). Drivers of GPUs compile in calls, which a fork waits for. */
    if (getenv("CALDERA_CALL")) {
        launch(0, NULL, NULL);
        OK(clFinish(queue));
    }
    launch(0, NULL, NULL);
    OK(clFlush(queue));
    pid_t child = fork();
    if (!child) {
        alarm(SECONDS);
        size_t one = 1;
        cl_int err, lost = CL_OUT_OF_RESOURCES;
        char name[64];
        OK(clGetPlatformInfo(check_platform(), CL_PLATFORM_NAME, sizeof name, name, NULL));
        cl_device_id device = check_device();
        for (int i = 0; i < 200; i++) OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof name, name, NULL));
        EXPECT(lost, clEnqueueNDRangeKernel(other, slow, 1, NULL, &one, NULL, 0, NULL, NULL));
        EXPECT(lost, clFinish(queue));
        EXPECT_NULL(lost, clCreateBuffer(context, 0, 64, NULL, &err));
        OK(clReleaseCommandQueue(queue));
        OK(clReleaseMemObject(buffer));
        exit(check_failures ? 1 : CODE);
    }
    int status = 0;
    TRUE(waitpid(child, &status, 0) == child);
    EXPECT(CODE << 8, status);
    launch(0, NULL, NULL);
    OK(clFinish(queue));
    end();
}

static void quickly(void) {
    launched();
    _exit(CODE);
}

static const struct {
    const char *name;
    void (*run)(void);
} cases[] = {
#define CASE(name) {#name, name}
    CASE(launched),   CASE(recorded),   CASE(held),       CASE(released), CASE(waiting), CASE(from_callback),
    CASE(enqueueing), CASE(remembered), CASE(in_handler), CASE(in_handler_finished), CASE(quickly),    CASE(forked),
#undef CASE
};

int main(int argc, char **argv) {
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        if (argc > 1 && strcmp(argv[1], cases[i].name)) continue;
        fflush(stdout);
        pid_t child = argc > 1 ? 0 : fork();
        NEED(child >= 0);
        if (!child) {
            /* Those of the cases before are not its own. */
            check_failures = 0;
            alarm(SECONDS);
            cases[i].run();
            exit(check_failures ? 1 : CODE);
        }
        int status = 0;
        TRUE(waitpid(child, &status, 0) == child);
        if (!WIFEXITED(status) || WEXITSTATUS(status) != CODE) {
            printf("%s: %s %d\n", cases[i].name, WIFEXITED(status) ? "code" : "signal",
                   WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status));
            check_failures++;
        }
    }
    END;
}
