/* Two devices change a buffer in turn while a call of the kind given as argument fails (CALDERA_FAULT), perhaps on its way
   from one to the other: all ends soon, a turn that fails says so and changes nothing, and what is not a device's end
   leaves the bytes as they were. */
#include "check.h"

enum { WORDS = 3 << 20 };

static const char *source = "kernel void add(global int *p) { p[get_global_id(0)] += 1; }\n";

static cl_command_queue queues[2];
static cl_kernel add;

static cl_int turn(int q, cl_mem buffer) {
    cl_event event;
    size_t size = WORDS;
    OK(clSetKernelArg(add, 0, sizeof buffer, &buffer));
    cl_int code = clEnqueueNDRangeKernel(queues[q], add, 1, NULL, &size, NULL, 0, NULL, &event), status;
    if (code != CL_SUCCESS) {
        /* It is this enqueue's error alone. */
        clFinish(queues[q]);
        return code;
    }
    code = clWaitForEvents(1, &event);
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    EXPECT(code == CL_SUCCESS, status == CL_COMPLETE);
    OK(clReleaseEvent(event));
    return code;
}

int main(int argc, char **argv) {
    static cl_int words[WORDS];
    cl_device_id devices[2];
    cl_uint count;
    cl_int err, failed = 0, done = 0;
    int ends = argc > 1 && !strcmp(argv[1], "submit");
    OK(clGetDeviceIDs(check_platform(), CL_DEVICE_TYPE_ALL, 2, devices, &count));
    NEED(count >= 2);
    cl_context context = clCreateContext(NULL, 2, devices, NULL, NULL, &err);
    NEED(context && err == CL_SUCCESS);
    for (int q = 0; q < 2; q++) queues[q] = check_queue(context, devices[q]);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    add = clCreateKernel(program, "add", &err);
    NEED(add && err == CL_SUCCESS);
    cl_mem buffer = NULL;
    for (int i = 0; i < 2 && !buffer; i++) {
        buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof words, words, &err);
        failed += err != CL_SUCCESS;
    }
    for (int i = 0; buffer && i < 10; i++) {
        int succeeds = turn(i % 2, buffer) == CL_SUCCESS;
        done += succeeds;
        failed += !succeeds;
    }
    for (int q = 0; buffer && q < 2; q++) {
        err = clEnqueueReadBuffer(queues[q], buffer, CL_TRUE, 0, sizeof words, words, 0, NULL, NULL);
        failed += err != CL_SUCCESS;
        int wrong = 0;
        for (int i = 0; !err && i < WORDS; i++) wrong += words[i] != done;
        EXPECT(0, wrong);
        clFinish(queues[q]);
    }
    /* A fault is one call's. Only a lost device has more, and the other one works on if it has the bytes. */
    TRUE(ends || failed <= 1);
    if (buffer) OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(add));
    OK(clReleaseProgram(program));
    for (int q = 0; q < 2; q++) OK(clReleaseCommandQueue(queues[q]));
    OK(clReleaseContext(context));
    END;
}
