/* What applications rely on, a promise of the specification each: promises_*.c. */
#ifndef PROMISES_H
#define PROMISES_H
#include "check.h"
#include <pthread.h>
#include <unistd.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue, unordered;
static cl_program program;

static const char *source =
    "kernel void put(global int *p, int n) { p[get_global_id(0)] = n; }\n"
    "kernel void add(global int *p, int n) { p[get_global_id(0)] += n; }\n"
    "kernel void slow(global int *p, int n) {\n"
    "    int x = p[get_global_id(0)];\n"
    "    for (int i = 0; i < n; i++) x = x * 1664525 + 1013904223;\n"
    "    p[get_global_id(0)] = x;\n"
    "}\n"
    "kernel __attribute__((reqd_work_group_size(4, 2, 1))) void shaped(global int *p, local int *l) {\n"
    "    l[0] = 1; p[get_global_id(0)] = l[0];\n"
    "}\n"
    "kernel void sizes(global uint *p) {\n"
    "    if (get_global_id(0) == 0) { p[0] = get_local_size(0); p[1] = get_num_groups(0); p[2] = get_global_offset(0); }\n"
    "    if (get_global_id(0) == 5) p[3] = get_global_size(0);\n"
    "}\n";

static inline cl_kernel kernel(const char *name) {
    cl_int err;
    cl_kernel k = clCreateKernel(program, name, &err);
    NEED(k && err == CL_SUCCESS);
    return k;
}

static inline void launch(cl_command_queue q, const char *name, cl_mem m, cl_int n, size_t size, cl_uint waits,
                   const cl_event *list, cl_event *event) {
    cl_kernel k = kernel(name);
    OK(clSetKernelArg(k, 0, sizeof m, &m));
    OK(clSetKernelArg(k, 1, sizeof n, &n));
    OK(clEnqueueNDRangeKernel(q, k, 1, NULL, &size, NULL, waits, list, event));
    OK(clReleaseKernel(k));
}

static inline cl_int status_of(cl_event event) {
    cl_int status = 99;
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    return status;
}

static inline cl_uint count_of(cl_mem m) {
    cl_uint n = 0;
    OK(clGetMemObjectInfo(m, CL_MEM_MAP_COUNT, sizeof n, &n, NULL));
    return n;
}

/* Notes of callbacks, in their order. */
static int order[16], ordered;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static inline void note(int n) {
    pthread_mutex_lock(&lock);
    if (ordered < 16) order[ordered++] = n;
    pthread_mutex_unlock(&lock);
}

static inline int noted(void) {
    pthread_mutex_lock(&lock);
    int n = ordered;
    pthread_mutex_unlock(&lock);
    return n;
}

static inline void wait_for(int n) {
    for (int i = 0; i < 5000 && noted() < n; i++) usleep(1000);
    EXPECT(n, noted());
}

struct promise {
    const char *name;
    void (*run)(void);
};
#define CASE(name) {#name, name}

/* Runs the promises, or the one that an argument names. */
static int keep(const struct promise *promises, size_t count, int argc, char **argv) {
    cl_int err;
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    unordered = clCreateCommandQueueWithProperties(context, device, properties, &err);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    for (size_t i = 0; i < count; i++) {
        if (argc > 1 && strcmp(argv[1], promises[i].name)) continue;
        int before = check_failures;
        alarm(60);
        promises[i].run();
        if (check_failures > before) printf("in %s\n", promises[i].name);
        fflush(stdout);
    }
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseCommandQueue(unordered));
    OK(clReleaseContext(context));
    END;
}

#endif
