/* Time steps of three small kernels that depend on each other, as PolyBench's fdtd2d has them: long streams of
   launches without events in order, from several processes at once, while pipelines of new programs are made in the
   background. Nothing hangs, and each result is the host's. Arguments: rounds, steps, processes. */
#include "check.h"
#include <sys/wait.h>
#include <unistd.h>

enum { N = 48, CELLS = N * N, SECONDS = 240 };

static cl_device_id device;
static cl_context context;
static int steps = 120;

/* `a` and `b` make programs of their own of the same kernels. */
static const char *format = "#define A %d\n"
                            "#define B %d\n"
                            "kernel void first(global int *ey, global const int *hz, int n, int t) {\n"
                            "    int x = get_global_id(0), y = get_global_id(1);\n"
                            "    if (x < n && y < n) {\n"
                            "        if (y == 0) ey[x] = t * A;\n"
                            "        else ey[y * n + x] -= (hz[y * n + x] - hz[(y - 1) * n + x]) / 2 + B;\n"
                            "    }\n"
                            "}\n"
                            "kernel void second(global int *ex, global const int *hz, int n) {\n"
                            "    int x = get_global_id(0), y = get_global_id(1);\n"
                            "    if (x > 0 && x < n && y < n) ex[y * n + x] -= (hz[y * n + x] - hz[y * n + x - 1]) / 2;\n"
                            "}\n"
                            "kernel void third(global const int *ex, global const int *ey, global int *hz, int n) {\n"
                            "    int x = get_global_id(0), y = get_global_id(1), i = y * n + x;\n"
                            "    if (x < n - 1 && y < n - 1) hz[i] -= (ex[i + 1] - ex[i] + ey[i + n] - ey[i]) / 4;\n"
                            "}\n";

static int ex[CELLS], ey[CELLS], hz[CELLS], got[CELLS];

static void model(int a, int b) {
    for (int i = 0; i < CELLS; i++) ex[i] = i % 7, ey[i] = i % 11, hz[i] = i % 13;
    for (int t = 0; t < steps; t++) {
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                if (y == 0) ey[x] = t * a;
                else ey[y * N + x] -= (hz[y * N + x] - hz[(y - 1) * N + x]) / 2 + b;
        for (int y = 0; y < N; y++)
            for (int x = 1; x < N; x++) ex[y * N + x] -= (hz[y * N + x] - hz[y * N + x - 1]) / 2;
        for (int y = 0; y < N - 1; y++)
            for (int x = 0; x < N - 1; x++) {
                int i = y * N + x;
                hz[i] -= (ex[i + 1] - ex[i] + ey[i + N] - ey[i]) / 4;
            }
    }
}

static cl_mem filled(int modulus) {
    cl_int err;
    for (int i = 0; i < CELLS; i++) got[i] = i % modulus;
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof got, got, &err);
    NEED(buffer);
    return buffer;
}

/* How the host waits. */
enum wait { AT_THE_END, EACH_STEP, BARRIERS, FLUSHES, READS, WAITS };

static void run(int round, enum wait wait) {
    char text[2048];
    const char *source = text, *names[] = {"first", "second", "third"};
    int a = round % 50, b = 1 + (int)getpid() % 1000, n = N;
    cl_int err;
    snprintf(text, sizeof text, format, a, b);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_command_queue queue = check_queue(context, device);
    cl_mem x = filled(7), y = filled(11), z = filled(13);
    cl_kernel kernels[3];
    for (int k = 0; k < 3; k++) {
        kernels[k] = clCreateKernel(program, names[k], &err);
        NEED(kernels[k]);
    }
    OK(clSetKernelArg(kernels[0], 0, sizeof y, &y));
    OK(clSetKernelArg(kernels[0], 1, sizeof z, &z));
    OK(clSetKernelArg(kernels[0], 2, sizeof n, &n));
    OK(clSetKernelArg(kernels[1], 0, sizeof x, &x));
    OK(clSetKernelArg(kernels[1], 1, sizeof z, &z));
    OK(clSetKernelArg(kernels[1], 2, sizeof n, &n));
    OK(clSetKernelArg(kernels[2], 0, sizeof x, &x));
    OK(clSetKernelArg(kernels[2], 1, sizeof y, &y));
    OK(clSetKernelArg(kernels[2], 2, sizeof z, &z));
    OK(clSetKernelArg(kernels[2], 3, sizeof n, &n));
    size_t global[2] = {N, N}, local[2] = {16, 8};
    for (int t = 0; t < steps; t++) {
        OK(clSetKernelArg(kernels[0], 3, sizeof t, &t));
        for (int k = 0; k < 3; k++) {
            OK(clEnqueueNDRangeKernel(queue, kernels[k], 2, NULL, global, local, 0, NULL, NULL));
            if (wait == BARRIERS) OK(clEnqueueBarrierWithWaitList(queue, 0, NULL, NULL));
            if (wait == FLUSHES) OK(clFlush(queue));
        }
        if (wait == EACH_STEP || wait == BARRIERS) OK(clFinish(queue));
        if (wait == READS && t % 16 == 0) OK(clEnqueueReadBuffer(queue, z, CL_TRUE, 0, 4, got, 0, NULL, NULL));
    }
    OK(clFinish(queue));
    OK(clEnqueueReadBuffer(queue, z, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    model(a, b);
    TRUE(!memcmp(got, hz, sizeof hz));
    for (int k = 0; k < 3; k++) OK(clReleaseKernel(kernels[k]));
    OK(clReleaseMemObject(x));
    OK(clReleaseMemObject(y));
    OK(clReleaseMemObject(z));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseProgram(program));
}

static void process(int rounds, int number) {
    device = check_device();
    context = check_context(device);
    for (int round = 0; round < rounds && !check_failures; round++) {
        alarm(SECONDS);
        run(round, (round + number) % WAITS);
    }
    OK(clReleaseContext(context));
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 2 * WAITS, processes = argc > 3 ? atoi(argv[3]) : 3;
    if (argc > 2) steps = atoi(argv[2]);
    pid_t children[64];
    NEED(processes >= 1 && processes <= 64);
    for (int i = 0; i < processes; i++) {
        children[i] = fork();
        NEED(children[i] >= 0);
        if (!children[i]) {
            process(rounds, i);
            exit(check_failures != 0);
        }
    }
    for (int i = 0; i < processes; i++) {
        int status = 0;
        TRUE(waitpid(children[i], &status, 0) == children[i]);
        EXPECT(0, status);
    }
    END;
}
