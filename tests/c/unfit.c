/* Devices of which some cannot be used: unfit DEVICES UNFIT. Those that cannot say so, where a context is to be made; the others
   work. */
#include "check.h"

enum { DEVICES = 8, ITEMS = 64 };

/* A context of the device, or the code. */
static cl_int open_device(cl_device_id device, cl_context *context) {
    cl_int err;
    *context = clCreateContext(NULL, 1, &device, NULL, NULL, &err);
    return err;
}

static void works(cl_device_id device) {
    cl_context context = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    const char *source = "kernel void k(global int *p) { p[get_global_id(0)] = get_global_id(0) * 3; }";
    cl_int err, got[ITEMS];
    size_t global = ITEMS;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_kernel kernel = check_kernel(program, "", "k");
    cl_mem buffer = check_buffer(context, 0, sizeof got);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < ITEMS; i++) EXPECT(i * 3, got[i]);
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
}

int main(int argc, char **argv) {
    NEED(argc == 3);
    cl_device_id devices[DEVICES];
    cl_uint count = 0;
    int unfit = 0;
    OK(clGetDeviceIDs(check_platform(), CL_DEVICE_TYPE_ALL, DEVICES, devices, &count));
    EXPECT(atoi(argv[1]), count);
    for (cl_uint i = 0; i < count; i++) {
        cl_bool available = CL_FALSE;
        cl_context context = NULL;
        size_t items = 0;
        OK(clGetDeviceInfo(devices[i], CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof items, &items, NULL));
        TRUE(items >= 128 && items <= 65536);
        OK(clGetDeviceInfo(devices[i], CL_DEVICE_AVAILABLE, sizeof available, &available, NULL));
        if (available) {
            works(devices[i]);
            continue;
        }
        unfit++;
        EXPECT(CL_DEVICE_NOT_AVAILABLE, open_device(devices[i], &context));
        TRUE(!context);
    }
    EXPECT(atoi(argv[2]), unfit);
    END;
}
