/* All platforms of the process at once: threads build, launch and read on each device of each. The first
   argument is how many platforms there are to be at least. */
#include "check.h"
#include <pthread.h>

enum { MOST = 16, THREADS = 2, ROUNDS = 20, INTS = 256 };

static cl_device_id devices[MOST];

static void *work(void *device_and_thread) {
    size_t number = (size_t)device_and_thread;
    cl_device_id device = devices[number / THREADS];
    cl_int err, got[INTS];
    char source[256];
    size_t size = INTS;
    cl_context context = check_context(device);
    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
    NEED(queue);
    cl_mem buffer = check_buffer(context, 0, sizeof got);
    for (int round = 0; round < ROUNDS; round++) {
        /* Another source each time, so that compilers run beside one another, too. */
        snprintf(source, sizeof source, "kernel void f(global int *p, int n) { size_t i = get_global_id(0); p[i] = n * %d + (int)i; }",
                 (int)number * ROUNDS + round / 5);
        const char *text = source;
        cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
        OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
        cl_kernel kernel = clCreateKernel(program, "f", &err);
        NEED(kernel);
        OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
        OK(clSetKernelArg(kernel, 1, sizeof round, &round));
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        for (int i = 0; i < INTS; i++) EXPECT(round * ((int)number * ROUNDS + round / 5) + i, got[i]);
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(program));
    }
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    return NULL;
}

int main(int argc, char **argv) {
    cl_platform_id platforms[MOST];
    cl_uint count = 0, all = 0, with_devices = 0;
    OK(clGetPlatformIDs(MOST, platforms, &count));
    for (cl_uint i = 0; i < count; i++) {
        cl_uint n = 0;
        if (clGetDeviceIDs(platforms[i], CL_DEVICE_TYPE_ALL, MOST - all, devices + all, &n)) continue;
        with_devices++;
        all += n < MOST - all ? n : MOST - all;
    }
    int wanted = argc > 1 ? atoi(argv[1]) : 1;
    if ((int)with_devices < wanted) EXPECT(wanted, with_devices);
    pthread_t threads[MOST * THREADS];
    for (size_t i = 0; i < all * THREADS; i++) NEED(!pthread_create(&threads[i], NULL, work, (void *)i));
    for (size_t i = 0; i < all * THREADS; i++) pthread_join(threads[i], NULL);
    END;
}
