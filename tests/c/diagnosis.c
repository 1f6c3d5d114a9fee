/* Some work of each kind, for tests of what log and trace say of it. Fails unless the first
   argument is the device's type. */
#include "check.h"

static const char *source = "kernel void twice(global int *p) { p[get_global_id(0)] *= 2; }";

static cl_kernel kernel;

/* When the values of this thread are gone. */
static void late(void) {
    if (clSetKernelArg(kernel, 1, 4, &kernel) != CL_INVALID_ARG_INDEX) _Exit(1);
}

int main(int argc, char **argv) {
    NEED(argc == 2 && !atexit(late));
    cl_device_id device = check_device();
    cl_device_type type;
    OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    EXPECT(atoi(argv[1]), type);
    OK(clGetDeviceIDs(check_platform(), type, 1, &device, NULL));

    cl_int err;
    cl_context context = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    kernel = clCreateKernel(program, "twice", &err);
    cl_mem buffer = check_buffer(context, 0, 4096);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    int zero = 0, value = 21;
    size_t global = 1;
    OK(clEnqueueFillBuffer(queue, buffer, &zero, 4, 0, 4096, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &value, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    EXPECT(42, value);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    EXPECT(CL_INVALID_ARG_INDEX, clSetKernelArg(kernel, 1, sizeof buffer, &buffer));
    OK(clFinish(queue));
    END;
}
