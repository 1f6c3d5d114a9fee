/* Functions and constants of the extensions of command buffers. */
#ifndef COMMAND_BUFFER_H
#define COMMAND_BUFFER_H

#include "check.h"

/* Headers that systems have are of older versions of the extension. */
typedef void *command_buffer;
typedef cl_uint sync_point;
typedef cl_properties properties;
static command_buffer (*create)(cl_uint, const cl_command_queue *, const properties *, cl_int *);
static cl_int (*finalize)(command_buffer), (*retain)(command_buffer), (*release)(command_buffer);
static cl_int (*enqueue)(cl_uint, cl_command_queue *, command_buffer, cl_uint, const cl_event *, cl_event *);
static cl_int (*barrier)(command_buffer, cl_command_queue, const properties *, cl_uint, const sync_point *, sync_point *,
                         void **);
static cl_int (*copy_buffer)(command_buffer, cl_command_queue, const properties *, cl_mem, cl_mem, size_t, size_t, size_t,
                             cl_uint, const sync_point *, sync_point *, void **);
static cl_int (*fill_buffer)(command_buffer, cl_command_queue, const properties *, cl_mem, const void *, size_t, size_t, size_t,
                             cl_uint, const sync_point *, sync_point *, void **);
static cl_int (*nd_range)(command_buffer, cl_command_queue, const properties *, cl_kernel, cl_uint, const size_t *,
                          const size_t *, const size_t *, cl_uint, const sync_point *, sync_point *, void **);
static cl_int (*svm_copy)(command_buffer, cl_command_queue, const properties *, void *, const void *, size_t, cl_uint,
                          const sync_point *, sync_point *, void **);
static cl_int (*info)(command_buffer, cl_uint, size_t, void *, size_t *);

enum {
    FLAGS = 0x1293,
    STATE = 0x1297,
    COMMAND_BUFFER = 0x12A8,
    INVALID_COMMAND_BUFFER = -1138,
    INVALID_SYNC_POINTS = -1139,
};

static void functions(void) {
    create = check_function("clCreateCommandBufferKHR");
    finalize = check_function("clFinalizeCommandBufferKHR");
    retain = check_function("clRetainCommandBufferKHR");
    release = check_function("clReleaseCommandBufferKHR");
    enqueue = check_function("clEnqueueCommandBufferKHR");
    barrier = check_function("clCommandBarrierWithWaitListKHR");
    copy_buffer = check_function("clCommandCopyBufferKHR");
    fill_buffer = check_function("clCommandFillBufferKHR");
    nd_range = check_function("clCommandNDRangeKernelKHR");
    svm_copy = check_function("clCommandSVMMemcpyKHR");
    info = check_function("clGetCommandBufferInfoKHR");
}

#endif
