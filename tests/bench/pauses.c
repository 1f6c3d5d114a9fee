/* A kernel's time where the device has pauses between launches, which drivers may take for a reason to lower its clock.
 *
 *     pauses [SECONDS]
 *
 * For each pause, in milliseconds: the median of the kernel's microseconds by the device's clock in the first second and in the last of
 * 8 (SECONDS), and of the host's from enqueueing to clFinish's return, their median and their longest after the first second. */
#include "timed.h"
#include <unistd.h>

enum { MOST = 1 << 20 };

static const char *const source =
    "kernel void spin(global float *a) {"
    "    float x = a[get_global_id(0)];"
    "    for (int i = 0; i < 4000; i++) x = x * 1.0001f + 0.5f;"
    "    a[get_global_id(0)] = x;"
    "}";

/* Microseconds of the device's and of the host's clock, and when, in seconds from the first on. */
static struct launch {
    double device, host, at;
} launches[MOST];

static double launch(cl_kernel kernel) {
    const size_t global = 1 << 18;
    cl_event event;
    cl_ulong start, end;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, &event));
    OK(clFinish(queue));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL));
    OK(clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL));
    OK(clReleaseEvent(event));
    return (end - start) * 1e-3;
}

/* The median of one clock's times from one moment to another. */
static double median_of(int count, double from, double to, int host) {
    static double times[MOST];
    int used = 0;
    for (int i = 0; i < count; i++)
        if (launches[i].at >= from && launches[i].at < to) times[used++] = host ? launches[i].host : launches[i].device;
    return used ? median(times, used) : 0;
}

int main(int argc, char **argv) {
    const double seconds = argc > 1 ? atof(argv[1]) : 8;
    const int pauses[] = {0, 1, 20, 200};
    open_device(NULL, CL_QUEUE_PROFILING_ENABLE);
    cl_kernel kernel = new_kernel(source, "", "spin");
    if (!kernel) return 1;
    cl_mem buffer = new_buffer(CL_MEM_READ_WRITE, 4 << 18, NULL);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    launch(kernel);
    printf("pause ms  first second, us  last second, us  host median, us  host longest, us\n");
    for (size_t p = 0; p < sizeof pauses / sizeof *pauses; p++) {
        const double start = now_us();
        int count = 0;
        for (double at; count < MOST && (at = (now_us() - start) * 1e-6) < seconds; count++) {
            const double before = now_us();
            const double us = launch(kernel);
            launches[count] = (struct launch){us, now_us() - before, at};
            if (pauses[p]) usleep(pauses[p] * 1000);
        }
        double longest = 0;
        for (int i = 0; i < count; i++)
            if (launches[i].at >= 1 && launches[i].host > longest) longest = launches[i].host;
        printf("%8d %17.1f %16.1f %16.1f %17.1f\n", pauses[p], median_of(count, 0, 1, 0),
               median_of(count, seconds - 1, seconds, 0), median_of(count, 0, seconds, 1), longest);
        fflush(stdout);
    }
    return 0;
}
