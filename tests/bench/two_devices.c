/* A buffer that two devices of one context change in turn: how long it takes to get to the other one. Prints one
 * `name value unit` a line; `stay` is the same work on one device, without the way.
 *
 *   two_devices [LARGEST]    buffers of up to so many MB, 256 if not given
 */
#include "timed.h"

enum { DEVICES = 2, PART = 1 << 20 };

static cl_device_id devices[DEVICES];
static cl_command_queue queues[DEVICES];
static cl_kernel add, look;
/* One for each, so that nothing else goes from one to the other. */
static cl_mem seen[DEVICES];

/* Adds 1 to all words of `what` on one device, and has the device `reader` look at `whole`. Returns the time. */
static double turn(int writer, cl_mem what, size_t size, int reader, cl_mem whole) {
    size_t words = size / 4, one = 1;
    double start = now_us();
    OK(clSetKernelArg(add, 0, sizeof what, &what));
    OK(clEnqueueNDRangeKernel(queues[writer], add, 1, NULL, &words, NULL, 0, NULL, NULL));
    OK(clFinish(queues[writer]));
    OK(clSetKernelArg(look, 0, sizeof whole, &whole));
    OK(clSetKernelArg(look, 1, sizeof *seen, &seen[reader]));
    OK(clEnqueueNDRangeKernel(queues[reader], look, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clFinish(queues[reader]));
    return now_us() - start;
}

static void print(const char *name, size_t size, double *took, int rounds) {
    char unit = size < (1 << 20) ? 'K' : 'M';
    printf("%s_%zu%c %.1f us\n", name, size >> (unit == 'K' ? 10 : 20), unit, median(took, rounds));
    fflush(stdout);
}

/* All words are `value`, on both devices. */
static void check(cl_mem buffer, size_t size, size_t part, cl_int inside, cl_int outside) {
    cl_int *got = malloc(size);
    for (int q = 0; q < DEVICES; q++) {
        OK(clEnqueueReadBuffer(queues[q], buffer, CL_TRUE, 0, size, got, 0, NULL, NULL));
        for (size_t i = 0; i < size / 4; i++)
            if (got[i] != (i < part / 4 ? inside : outside)) {
                printf("WRONG: word %zu of %zu on device %d is %d\n", i, size / 4, q, got[i]);
                exit(1);
            }
    }
    free(got);
}

static void hops(size_t size) {
    enum { MOST = 40 };
    double took[MOST], first;
    int rounds = size <= (1 << 20) ? MOST : size <= (16 << 20) ? 20 : 8, turns = 0;
    cl_int zero = 0, e;
    cl_mem whole = new_buffer(0, size, NULL);
    OK(clEnqueueFillBuffer(queues[0], whole, &zero, sizeof zero, 0, size, 0, NULL, NULL));
    OK(clFinish(queues[0]));
    first = turn(0, whole, size, 1, whole);
    print("first", size, &first, 1);
    for (int r = -2; r < rounds; r++, turns++) {
        double time = turn(r & 1, whole, size, !(r & 1), whole);
        if (r >= 0) took[r] = time;
    }
    print("hop", size, took, rounds);
    check(whole, size, size, turns + 1, turns + 1);
    for (int r = -2; r < rounds; r++, turns++) {
        double time = turn(1, whole, size, 1, whole);
        if (r >= 0) took[r] = time;
    }
    print("stay", size, took, rounds);
    int before = turns + 1;
    if (size > PART) {
        cl_buffer_region region = {0, PART};
        cl_mem part = clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &e);
        OK(e);
        for (int r = -2; r < rounds; r++, turns++) {
            double time = turn(r & 1, part, PART, !(r & 1), whole);
            if (r >= 0) took[r] = time;
        }
        print("hop_1M_of", size, took, rounds);
        check(whole, size, PART, turns + 1, before);
        OK(clReleaseMemObject(part));
    }
    OK(clReleaseMemObject(whole));
}

int main(int argc, char **argv) {
    static const char *source =
        "kernel void add(global int *a) { a[get_global_id(0)] += 1; }\n"
        "kernel void look(global const int *a, global int *to) { *to = a[0]; }\n";
    size_t largest = argc > 1 ? strtoul(argv[1], NULL, 0) : 256;
    cl_platform_id platform;
    cl_uint count;
    cl_int e;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, DEVICES, devices, &count));
    if (count < DEVICES) {
        fprintf(stderr, "the platform has no two devices\n");
        return 1;
    }
    context = clCreateContext(NULL, DEVICES, devices, NULL, NULL, &e);
    OK(e);
    for (int q = 0; q < DEVICES; q++) {
        queues[q] = clCreateCommandQueue(context, devices[q], 0, &e);
        OK(e);
    }
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
    OK(e);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    add = clCreateKernel(program, "add", &e);
    OK(e);
    look = clCreateKernel(program, "look", &e);
    OK(e);
    for (int q = 0; q < DEVICES; q++) seen[q] = new_buffer(0, 64, NULL);
    const size_t sizes[] = {4 << 10, 64 << 10, 1 << 20, 16 << 20, 64 << 20, 256 << 20};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes && sizes[i] <= largest << 20; i++) hops(sizes[i]);
    return 0;
}
