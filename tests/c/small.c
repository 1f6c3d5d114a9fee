/* Small commands of all kinds in random order against a model: which of them the host does itself, and
   which the device, must not show. With an argument, that many rounds. */
#include "check.h"

enum { BUFFERS = 3, SIZE = 12 << 10, MOST = 200 };

static unsigned random_state = 1;
static unsigned next(unsigned n) {
    random_state = random_state * 1664525 + 1013904223;
    return (random_state >> 12) % n;
}

static unsigned char model[BUFFERS][SIZE];
static cl_mem buffers[BUFFERS];
static cl_command_queue queue;
static cl_kernel add;

/* A range that is sometimes all of the buffer. */
static void range(size_t unit, size_t *at, size_t *size) {
    *size = next(4) ? unit * (1 + next(MOST / unit)) : SIZE;
    *at = *size == SIZE ? 0 : unit * next((SIZE - *size) / unit + 1);
}

static void step(void) {
    static unsigned char bytes[SIZE], sent[64][SIZE];
    static unsigned turn;
    unsigned b = next(BUFFERS), c = (b + 1 + next(BUFFERS - 1)) % BUFFERS;
    size_t at, size, to;
    cl_int err;
    range(1, &at, &size);
    switch (next(8)) {
    case 0: {
        /* Written later, perhaps: the source stays. */
        unsigned char *from = sent[turn++ % 64];
        for (size_t i = 0; i < size; i++) model[b][at + i] = from[i] = (unsigned char)next(256);
        OK(clEnqueueWriteBuffer(queue, buffers[b], next(2), at, size, from, 0, NULL, NULL));
        if (turn % 64 == 0) OK(clFinish(queue));
        break;
    }
    case 1:
        OK(clEnqueueReadBuffer(queue, buffers[b], CL_TRUE, at, size, bytes, 0, NULL, NULL));
        TRUE(!memcmp(bytes, model[b] + at, size));
        break;
    case 2:
        to = next((unsigned)(SIZE - size + 1));
        OK(clEnqueueCopyBuffer(queue, buffers[b], buffers[c], at, to, size, 0, NULL, NULL));
        memcpy(model[c] + to, model[b] + at, size);
        break;
    case 3: {
        unsigned char pattern[16];
        size_t unit = (size_t)1 << next(5);
        range(unit, &at, &size);
        for (size_t i = 0; i < unit; i++) pattern[i] = (unsigned char)next(256);
        OK(clEnqueueFillBuffer(queue, buffers[b], pattern, unit, at, size, 0, NULL, NULL));
        for (size_t i = 0; i < size; i++) model[b][at + i] = pattern[i % unit];
        break;
    }
    case 4: {
        unsigned write = next(3), invalidate = write == 2;
        cl_map_flags flags = invalidate ? CL_MAP_WRITE_INVALIDATE_REGION
                             : write    ? CL_MAP_READ | CL_MAP_WRITE
                                        : CL_MAP_READ;
        unsigned char *p =
            clEnqueueMapBuffer(queue, buffers[b], CL_TRUE, flags, at, size, 0, NULL, NULL, &err);
        NEED(p && err == CL_SUCCESS);
        if (!invalidate) TRUE(!memcmp(p, model[b] + at, size));
        for (size_t i = 0; write && i < size; i++)
            if (invalidate || i % 3 == 0) model[b][at + i] = p[i] = (unsigned char)next(256);
        OK(clEnqueueUnmapMemObject(queue, buffers[b], p, 0, NULL, NULL));
        break;
    }
    case 5: {
        /* A kernel that adds to all bytes. */
        cl_uchar n = (cl_uchar)next(256);
        size_t all = SIZE;
        OK(clSetKernelArg(add, 0, sizeof(cl_mem), &buffers[b]));
        OK(clSetKernelArg(add, 1, 1, &n));
        OK(clEnqueueNDRangeKernel(queue, add, 1, NULL, &all, NULL, 0, NULL, NULL));
        for (int i = 0; i < SIZE; i++) model[b][i] += n;
        break;
    }
    case 6: {
        /* Rows of one buffer to rows of another. */
        size_t from[3] = {next(20), next(4), 0}, there[3] = {next(20), next(4), 0};
        size_t region[3] = {1 + next(30), 1 + next(5), 1}, pitch = 50 + next(30), other = 50 + next(30);
        OK(clEnqueueCopyBufferRect(queue, buffers[b], buffers[c], from, there, region, pitch, 0, other, 0,
                                   0, NULL, NULL));
        for (size_t y = 0; y < region[1]; y++)
            memcpy(model[c] + (there[1] + y) * other + there[0], model[b] + (from[1] + y) * pitch + from[0],
                   region[0]);
        break;
    }
    default: OK(next(2) ? clFinish(queue) : clFlush(queue));
    }
}

int main(int argc, char **argv) {
    static const char *source = "kernel void add(global uchar *p, uchar n) { p[get_global_id(0)] += n; }";
    static const cl_mem_flags flags[BUFFERS] = {0, 0, CL_MEM_ALLOC_HOST_PTR};
    int rounds = argc > 1 ? atoi(argv[1]) : 3000;
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    add = clCreateKernel(program, "add", &err);
    NEED(add);
    for (int profiling = 0; profiling < 2; profiling++) {
        cl_queue_properties properties[] = {CL_QUEUE_PROPERTIES, profiling ? CL_QUEUE_PROFILING_ENABLE : 0,
                                            0};
        queue = clCreateCommandQueueWithProperties(context, device, properties, &err);
        NEED(queue);
        for (int b = 0; b < BUFFERS; b++) {
            buffers[b] = check_buffer(context, flags[b], SIZE);
            OK(clEnqueueFillBuffer(queue, buffers[b], "", 1, 0, SIZE, 0, NULL, NULL));
            memset(model[b], 0, SIZE);
        }
        for (int i = 0; i < rounds && !check_failures; i++) step();
        for (int b = 0; b < BUFFERS; b++) OK(clReleaseMemObject(buffers[b]));
        OK(clReleaseCommandQueue(queue));
    }
    OK(clReleaseKernel(add));
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
    END;
}
