/* What each step of a simulation does: kernels, a read of a few bytes into pinned memory, a long kernel behind it, and a wait
 * for the read, while the long kernel runs.
 *
 *     simulation [SHORT [MEDIUM [STEPS]]]    numbers of kernels of some 3 and 12 us
 *
 * Microseconds of a step, of its enqueues and of its wait: means of all steps behind the first 50. */
#include "timed.h"

static const char *const source =
    "kernel void spin(global float *a, int rounds) {"
    "    float x = a[get_global_id(0)];"
    "    for (int i = 0; i < rounds; i++) x = fma(x, 0.5f, 1.0f);"
    "    a[get_global_id(0)] = x;"
    "}";

static void launch(cl_kernel kernel, int rounds, size_t global) {
    OK(clSetKernelArg(kernel, 1, sizeof rounds, &rounds));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

int main(int argc, char **argv) {
    const int kernels = argc > 1 ? atoi(argv[1]) : 10, medium = argc > 2 ? atoi(argv[2]) : 4;
    const int steps = argc > 3 ? atoi(argv[3]) : 3000, first = 50;
    open_device(NULL, 0);
    cl_kernel kernel = new_kernel(source, "", "spin");
    cl_mem a = new_buffer(CL_MEM_READ_WRITE, 4 << 20, NULL), pinned = new_buffer(CL_MEM_ALLOC_HOST_PTR, 4, NULL);
    cl_int e;
    void *host = clEnqueueMapBuffer(queue, pinned, CL_TRUE, CL_MAP_READ, 0, 4, 0, NULL, NULL, &e);
    OK(e);
    OK(clSetKernelArg(kernel, 0, sizeof a, &a));
    double enqueues = 0, waits = 0, start = 0;
    for (int i = 0; i < first + steps; i++) {
        double begun = now_us();
        if (i == first) start = begun;
        cl_event read;
        for (int k = 0; k < kernels; k++) launch(kernel, 100, 1 << 14);
        for (int k = 0; k < medium; k++) launch(kernel, 4000, 1 << 14);
        OK(clEnqueueReadBuffer(queue, a, CL_FALSE, 0, 4, host, 0, NULL, &read));
        launch(kernel, 16000, 1 << 16);
        double enqueued = now_us();
        OK(clWaitForEvents(1, &read));
        OK(clReleaseEvent(read));
        if (i < first) continue;
        enqueues += enqueued - begun;
        waits += now_us() - enqueued;
    }
    OK(clFinish(queue));
    printf("step %.1f us\nenqueues %.1f us\nwait %.1f us\n", (now_us() - start) / steps, enqueues / steps, waits / steps);
    return 0;
}
