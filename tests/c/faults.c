/* A bit of everything while a call of the kind given as first argument fails (CALDERA_FAULT):
   it ends with an error, and soon; what was taken is given back; events and callbacks come to
   their end. What is not the device's end leaves a process that can do it all again. */
#include "check.h"
#include <unistd.h>

enum { SMALL = 4096, LARGE = 12 << 20 };

static const char *source =
    "kernel void put(global int *p, int n) { p[get_global_id(0)] = n; }\n"
    "kernel void add(global int *p, global const int *q) {\n"
    "    size_t i = get_global_id(0);\n"
    "    p[i] += q[i];\n"
    "}\n";

static volatile int waited, ended, failed;

static void CL_CALLBACK on_end(cl_event event, cl_int status, void *data) {
    (void)event, (void)data;
    if (status < 0) failed++;
    ended++;
}

#define TRY(call)                       \
    do {                                \
        cl_int e_ = (call);             \
        if (e_ != CL_SUCCESS) {         \
            if (!err) err = e_;         \
            goto end;                   \
        }                               \
    } while (0)

/* The first error, or CL_SUCCESS when all went well. */
static cl_int work(cl_device_id device) {
    cl_int err = CL_SUCCESS, e, n = 5, *mapped;
    cl_context context = NULL;
    cl_command_queue queue = NULL;
    cl_program program = NULL;
    cl_kernel put = NULL, add = NULL;
    cl_mem a = NULL, b = NULL, c = NULL;
    cl_event user = NULL, last = NULL;
    size_t global = SMALL / 4;
    char *bytes = malloc(LARGE);
    memset(bytes, 1, LARGE);
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    TRY(e);
    queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &e);
    TRY(e);
    program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
    TRY(e);
    TRY(clBuildProgram(program, 1, &device, "", NULL, NULL));
    put = clCreateKernel(program, "put", &e);
    TRY(e);
    add = clCreateKernel(program, "add", &e);
    TRY(e);
    a = clCreateBuffer(context, 0, SMALL, NULL, &e);
    TRY(e);
    b = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, LARGE, bytes, &e);
    TRY(e);
    c = clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, LARGE, NULL, &e);
    TRY(e);
    user = clCreateUserEvent(context, &e);
    TRY(e);
    TRY(clSetKernelArg(put, 0, sizeof a, &a));
    TRY(clSetKernelArg(put, 1, sizeof n, &n));
    TRY(clSetKernelArg(add, 0, sizeof a, &a));
    TRY(clSetKernelArg(add, 1, sizeof b, &b));
    TRY(clEnqueueNDRangeKernel(queue, put, 1, NULL, &global, NULL, 0, NULL, NULL));
    /* A launch that fails later must not let this succeed. */
    TRY(clEnqueueReadBuffer(queue, a, CL_TRUE, 0, SMALL, bytes, 0, NULL, NULL));
    EXPECT(5, *(cl_int *)bytes);
    memset(bytes, 1, SMALL);
    TRY(clEnqueueWriteBuffer(queue, b, CL_FALSE, 0, LARGE, bytes, 0, NULL, NULL));
    TRY(clEnqueueNDRangeKernel(queue, add, 1, NULL, &global, NULL, 1, &user, &last));
    waited++;
    TRY(clSetEventCallback(last, CL_COMPLETE, on_end, NULL));
    TRY(clEnqueueCopyBuffer(queue, b, c, 0, 0, LARGE, 0, NULL, NULL));
    TRY(clSetUserEventStatus(user, CL_COMPLETE));
    TRY(clWaitForEvents(1, &last));
    mapped = clEnqueueMapBuffer(queue, a, CL_TRUE, CL_MAP_READ, 0, SMALL, 0, NULL, NULL, &e);
    TRY(e);
    for (int i = 0; i < SMALL / 4; i++) EXPECT(5 + 0x01010101, mapped[i]);
    TRY(clEnqueueUnmapMemObject(queue, a, mapped, 0, NULL, NULL));
    TRY(clEnqueueReadBuffer(queue, c, CL_TRUE, 0, LARGE, bytes, 0, NULL, NULL));
    TRUE(bytes[0] == 1 && bytes[LARGE - 1] == 1);
    TRY(clFinish(queue));
end:
    if (user) clSetUserEventStatus(user, CL_COMPLETE);
    if (queue) clFinish(queue);
    if (last) {
        cl_int status = 99;
        OK(clGetEventInfo(last, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
        TRUE(status <= CL_COMPLETE);
        OK(clReleaseEvent(last));
    }
    if (user) OK(clReleaseEvent(user));
    if (a) OK(clReleaseMemObject(a));
    if (b) OK(clReleaseMemObject(b));
    if (c) OK(clReleaseMemObject(c));
    if (put) OK(clReleaseKernel(put));
    if (add) OK(clReleaseKernel(add));
    if (program) OK(clReleaseProgram(program));
    if (queue) OK(clReleaseCommandQueue(queue));
    if (context) OK(clReleaseContext(context));
    free(bytes);
    return err;
}

int main(int argc, char **argv) {
    NEED(argc == 2);
    int lost = !strcmp(argv[1], "submit");
    cl_device_id device = check_device();
    int errors = 0;
    for (int round = 0; round < 4; round++) {
        cl_int err = work(device);
        TRUE(err == CL_SUCCESS || err == CL_OUT_OF_RESOURCES || err == CL_OUT_OF_HOST_MEMORY ||
             err == CL_MEM_OBJECT_ALLOCATION_FAILURE || err == CL_MAP_FAILURE ||
             err == CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
        /* A lost device stays lost; the rest happens once. */
        TRUE(err != CL_SUCCESS || !errors || !lost);
        errors += err != CL_SUCCESS;
    }
    TRUE(lost || errors <= 1);
    for (int i = 0; i < 1000 && ended < waited; i++) usleep(5000);
    EXPECT(waited, ended);
    END;
}
