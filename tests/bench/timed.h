/* What the programs of this folder share: the device that they measure, medians, clocks. */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Ends the program with a message if a call fails. */
#define OK(call)                                                             \
    do {                                                                     \
        cl_int e_ = (call);                                                  \
        if (e_ != CL_SUCCESS) {                                              \
            fprintf(stderr, "%s:%d: %s: error %d\n", __FILE__, __LINE__, #call, e_); \
            exit(1);                                                         \
        }                                                                    \
    } while (0)

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;

/* The first device of a platform, or of the first platform for NULL, and a queue. */
static inline void open_device(cl_platform_id platform, cl_command_queue_properties properties) {
    cl_int e;
    if (!platform) OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    OK(e);
    queue = clCreateCommandQueue(context, device, properties, &e);
    OK(e);
}

/* The text of a file. */
static inline char *read_file(const char *path) {
    FILE *f = fopen(path, "rb");
    if (!f) {
        perror(path);
        exit(1);
    }
    fseek(f, 0, SEEK_END);
    long size = ftell(f);
    rewind(f);
    char *text = calloc(1, size + 1);
    if (fread(text, 1, size, f) != (size_t)size)
        exit(1);
    fclose(f);
    return text;
}

static inline cl_mem new_buffer(cl_mem_flags flags, size_t size, void *host) {
    cl_int e;
    cl_mem m = clCreateBuffer(context, flags, size, host, &e);
    OK(e);
    return m;
}

/* A kernel of a source; NULL if the platform does not compile it. */
static inline cl_kernel new_kernel(const char *source, const char *options, const char *name) {
    cl_int e;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
    OK(e);
    cl_kernel kernel = NULL;
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS) {
        kernel = clCreateKernel(program, name, &e);
        OK(e);
    }
    OK(clReleaseProgram(program));
    return kernel;
}

static inline double now_us(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * 1e6 + t.tv_nsec * 1e-3;
}

static inline int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Of `n` values, which it sorts. */
static inline double median(double *v, int n) {
    qsort(v, n, sizeof *v, by_value);
    return v[n / 2];
}

/* The median of nine event times of launches of `items` in groups of 256, in ns. `warm` launches before them bring
 * the clock up. */
static inline double launch_ns(cl_kernel kernel, size_t items, int warm) {
    enum { ROUNDS = 9 };
    double times[ROUNDS];
    size_t local = 256;
    for (int r = 0; r < warm; r++)
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
    for (int r = 0; r < ROUNDS; r++) {
        cl_event event;
        cl_ulong start, end;
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, &event));
        OK(clWaitForEvents(1, &event));
        OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
        OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
        OK(clReleaseEvent(event));
        times[r] = (double)(end - start);
    }
    return median(times, ROUNDS);
}
