/* What programs about programs and kernels share: one device, two contexts, a queue, and
   programs in each state. */
#ifndef PROGRAMS_H
#define PROGRAMS_H
#include "check.h"

static cl_device_id device;
static cl_context context, other;
static cl_command_queue queue;

static inline cl_program source(const char *text) {
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    NEED(program && err == CL_SUCCESS);
    return program;
}

static inline cl_program built(const char *text, const char *options) {
    cl_program program = source(text);
    OK(clBuildProgram(program, 1, &device, options, NULL, NULL));
    return program;
}

static inline cl_program compiled(const char *text, const char *options) {
    cl_program program = source(text);
    OK(clCompileProgram(program, 1, &device, options, 0, NULL, NULL, NULL, NULL));
    return program;
}

static inline const char *log_of(cl_program program) {
    static char text[16384];
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof text, text, NULL));
    return text;
}

static inline cl_int status_of(cl_program program) {
    cl_build_status status;
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_STATUS, sizeof status, &status,
                             NULL));
    return status;
}

static inline cl_program_binary_type type_of(cl_program program) {
    cl_program_binary_type type;
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BINARY_TYPE, sizeof type, &type, NULL));
    return type;
}

/* What a kernel with one argument, an int buffer, leaves in its first element. */
static inline int result(cl_program program, const char *name) {
    cl_int err, value = -1;
    cl_kernel kernel = clCreateKernel(program, name, &err);
    EXPECT(CL_SUCCESS, err);
    if (!kernel) return -1;
    cl_mem buffer = check_buffer(context, 0, sizeof value);
    size_t one = 1;
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    return value;
}

static inline void begin(void) {
    device = check_device();
    context = check_context(device);
    other = check_context(device);
    queue = check_queue(context, device);
}

static inline void end(void) {
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    OK(clReleaseContext(other));
}

#endif
