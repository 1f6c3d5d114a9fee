/* Out of memory: the call says so, and what there was before still works. */
#include "check.h"
#include <sys/resource.h>
#include <unistd.h>

enum { PIECES = 64 };
/* No multiple of PIECE: what remains is for the small allocations of library and driver. */
static const size_t PIECE = (size_t)128 << 20, ROOM = (size_t)1088 << 20;

/* Lets the process have ROOM more bytes of address space than it has now. */
static void limit_memory(void) {
    unsigned long pages;
    FILE *file = fopen("/proc/self/statm", "r");
    NEED(file && fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    rlim_t limit = pages * (rlim_t)sysconf(_SC_PAGESIZE) + ROOM;
    struct rlimit both = {limit, limit};
    NEED(setrlimit(RLIMIT_AS, &both) == 0);
}

/* Buffers until there is no memory for the next one; returns their number. */
static int fill(cl_context context, cl_mem *buffers) {
    cl_int err;
    for (int i = 0; i < PIECES; i++) {
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, PIECE, NULL, &err);
        if (!buffers[i]) {
            EXPECT(CL_MEM_OBJECT_ALLOCATION_FAILURE, err);
            return i;
        }
        EXPECT(CL_SUCCESS, err);
    }
    return PIECES;
}

static void empty(cl_command_queue queue, cl_mem *buffers, int count) {
    for (int i = 0; i < count; i++) OK(clReleaseMemObject(buffers[i]));
    OK(clFinish(queue));
}

static void out_of_device_memory(cl_context context, cl_command_queue queue) {
    cl_int err, value = 42, back = 0;
    cl_mem small = check_buffer(context, 0, sizeof value), buffers[PIECES];
    OK(clEnqueueWriteBuffer(queue, small, CL_TRUE, 0, sizeof value, &value, 0, NULL, NULL));
    limit_memory();
    int count = fill(context, buffers);
    TRUE(count > 0);
    /* Some drivers take address space only for what is mapped: they have no limit here. */
    if (count < PIECES)
        EXPECT_NULL(CL_MEM_OBJECT_ALLOCATION_FAILURE,
                    clCreateBuffer(context, CL_MEM_ALLOC_HOST_PTR, PIECE, NULL, &err));
    OK(clEnqueueReadBuffer(queue, small, CL_TRUE, 0, sizeof back, &back, 0, NULL, NULL));
    EXPECT(value, back);
    empty(queue, buffers, count);
    /* What was released can be had again; threads may hold on to a piece of address space. */
    for (int round = 0; round < 20; round++) {
        int again = fill(context, buffers);
        TRUE(again >= count - 1);
        empty(queue, buffers, again);
    }
    OK(clReleaseMemObject(small));
}

static void out_of_local_memory(cl_context context, cl_device_id device, cl_command_queue queue) {
    static const char *source =
        "kernel void k(global int *out, local int *a, local int *b) {\n"
        "    a[0] = b[0] = 7;\n"
        "    out[0] = a[0];\n"
        "}\n";
    cl_int err, result = 0;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program);
    OK(clBuildProgram(program, 0, NULL, "", NULL, NULL));
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    NEED(kernel);
    cl_mem out = check_buffer(context, 0, sizeof result);
    cl_ulong size;
    size_t one = 1;
    OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof size, &size, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    OK(clSetKernelArg(kernel, 1, size / 2, NULL));
    OK(clSetKernelArg(kernel, 2, size, NULL));
    EXPECT(CL_OUT_OF_RESOURCES,
           clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 2, size / 2, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof result, &result, 0, NULL, NULL));
    EXPECT(7, result);
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

int main(void) {
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    out_of_local_memory(context, device, queue);
    out_of_device_memory(context, queue);
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
