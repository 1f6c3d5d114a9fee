/* What the C programs in this folder share. Each is one process, run through the ICD
   loader and linked directly against the library; it prints every check that fails. */
#ifndef CHECK_H
#define CHECK_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#define CL_USE_DEPRECATED_OPENCL_1_0_APIS
#define CL_USE_DEPRECATED_OPENCL_1_1_APIS
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#define CL_USE_DEPRECATED_OPENCL_2_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int check_failures;

static inline void check_int(const char *file, int line, const char *what, long long got,
                      long long want) {
    if (got != want) {
        printf("%s:%d: %s is %lld, not %lld\n", file, line, what, got, want);
        check_failures++;
    }
}

/* A call that returns a code. */
#define EXPECT(want, call) check_int(__FILE__, __LINE__, #call, (call), (want))
#define OK(call) EXPECT(CL_SUCCESS, call)
/* A call that takes `&err` and returns NULL with the code. */
#define EXPECT_NULL(want, call) \
    do { \
        err = 12345; \
        check_int(__FILE__, __LINE__, #call, (call) == NULL, 1); \
        check_int(__FILE__, __LINE__, "its code: " #call, err, (want)); \
    } while (0)
#define TRUE(condition) check_int(__FILE__, __LINE__, #condition, !!(condition), 1)
/* What the rest of the program stands on. */
#define NEED(condition) \
    do { \
        if (!(condition)) { \
            printf("%s:%d: needs %s\n", __FILE__, __LINE__, #condition); \
            exit(1); \
        } \
    } while (0)
#define END return check_failures != 0

/* No handle of ours, but readable, as another vendor's would be. */
static long long check_foreign[8] __attribute__((unused));
#define FOREIGN(type) ((type)(void *)check_foreign)

static inline cl_platform_id check_platform(void) {
    cl_platform_id platform = NULL;
    NEED(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS && platform);
    return platform;
}

/* A function of an extension. */
static inline void *check_function(const char *name) {
    void *found = clGetExtensionFunctionAddressForPlatform(check_platform(), name);
    NEED(found);
    return found;
}

static inline cl_device_id check_device(void) {
    cl_device_id device = NULL;
    NEED(clGetDeviceIDs(check_platform(), CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS);
    return device;
}

static inline cl_context check_context(cl_device_id device) {
    cl_int err;
    cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    NEED(context && err == CL_SUCCESS);
    return context;
}

static inline cl_command_queue check_queue(cl_context context, cl_device_id device) {
    cl_int err;
    cl_command_queue queue = clCreateCommandQueueWithProperties(context, device, NULL, &err);
    NEED(queue && err == CL_SUCCESS);
    return queue;
}

/* The kernel called PREFIXname. */
static inline cl_kernel check_kernel(cl_program program, const char *prefix, const char *name) {
    char full[64];
    cl_int err;
    snprintf(full, sizeof full, "%s%s", prefix, name);
    cl_kernel kernel = clCreateKernel(program, full, &err);
    NEED(kernel && err == CL_SUCCESS);
    return kernel;
}

static inline cl_mem check_buffer(cl_context context, cl_mem_flags flags, size_t size) {
    cl_int err;
    cl_mem buffer = clCreateBuffer(context, flags, size, NULL, &err);
    NEED(buffer && err == CL_SUCCESS);
    return buffer;
}

/* What a build, compilation or linking gave; with its log if that is a failure, which ends the program. */
static inline void check_built(cl_program program, cl_device_id device, cl_int code) {
    static char log[16384];
    if (code == CL_SUCCESS) return;
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
    printf("code %d: %s\n", code, log);
    exit(1);
}

#endif
