/* Calls that applications make often, ROUNDS times each within `measured`: callgrind counts their
   instructions there (tests/calls.rs). Pools, pipelines and lists have been filled before. */
#include "check.h"

enum { ROUNDS = 500 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_kernel kernel, follow;
static cl_mem buffer, other;
static cl_event event;

static const char *source = "kernel void k(global int *p, int n) { p[get_global_id(0)] += n; }\n"
                            "kernel void follow(global ulong *p) { if (*p) *(global int *)*p += 1; }\n";

#define TIMES(call) \
    for (int i = 0; i < ROUNDS; i++) OK(call)

__attribute__((noinline)) void measured(void) {
    static char host[4096];
    cl_int n = 3, status, err;
    size_t size = 64;
    static cl_mem made[ROUNDS];
    static cl_kernel kernels[ROUNDS];
    static cl_event events[ROUNDS];
    TIMES(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    TIMES(clSetKernelArg(kernel, 1, sizeof n, &n));
    TIMES(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL));
    OK(clFinish(queue));
    TIMES(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, 256, 0, NULL, NULL));
    OK(clFinish(queue));
    TIMES(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, sizeof host, host, 0, NULL, NULL));
    OK(clFinish(queue));
    for (int i = 0; i < ROUNDS; i++) OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &events[i]));
    TIMES(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    for (int i = 0; i < ROUNDS; i++) OK(clReleaseEvent(events[i]));
    for (int i = 0; i < ROUNDS; i++) made[i] = clCreateBuffer(context, 0, 4096, NULL, &err);
    for (int i = 0; i < ROUNDS; i++) OK(clReleaseMemObject(made[i]));
    for (int i = 0; i < ROUNDS; i++) kernels[i] = clCreateKernel(program, "k", &err);
    for (int i = 0; i < ROUNDS; i++) OK(clReleaseKernel(kernels[i]));
    /* What follows pointers in memory costs the same however many allocations these may lead to. */
    static void *reached[4 * ROUNDS];
    for (int i = 0; i < 4 * ROUNDS; i++) reached[i] = clSVMAlloc(context, 0, 64, 0);
    TIMES(clEnqueueTask(queue, follow, 0, NULL, NULL));
    OK(clFinish(queue));
    for (int i = 0; i < 4 * ROUNDS; i++) clSVMFree(context, reached[i]);
}

int main(void) {
    cl_int err;
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    kernel = clCreateKernel(program, "k", &err);
    follow = clCreateKernel(program, "follow", &err);
    buffer = check_buffer(context, 0, 4096);
    other = check_buffer(context, 0, 4096);
    cl_int n = 1;
    size_t size = 64;
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clSetKernelArg(kernel, 1, sizeof n, &n));
    cl_mem pointers = check_buffer(context, 0, 8);
    cl_ulong null = 0;
    OK(clEnqueueWriteBuffer(queue, pointers, CL_TRUE, 0, sizeof null, &null, 0, NULL, NULL));
    OK(clSetKernelArg(follow, 0, sizeof pointers, &pointers));
    for (int i = 0; i < 300; i++) OK(clEnqueueTask(queue, follow, 0, NULL, NULL));
    for (int i = 0; i < 300; i++)
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, &size, 0, NULL, NULL));
    OK(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event));
    OK(clFinish(queue));
    measured();
    OK(clReleaseEvent(event));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(other));
    OK(clReleaseKernel(kernel));
    OK(clReleaseKernel(follow));
    OK(clReleaseMemObject(pointers));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
