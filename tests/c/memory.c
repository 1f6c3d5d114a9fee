/* Out of memory: the call says so, and what there was before still works. */
#define _GNU_SOURCE
#include "check.h"
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

enum { PIECES = 64 };
/* No multiple of PIECE: what remains is for the small allocations of library and driver. */
static const size_t PIECE = (size_t)128 << 20, ROOM = (size_t)1088 << 20;
static const size_t MORE = (size_t)2 << 30;

/* Lets the process have ROOM more bytes of address space than it has now, or what it may have already. */
static void limit_memory(void) {
    unsigned long pages;
    FILE *file = fopen("/proc/self/statm", "r");
    NEED(file && fscanf(file, "%lu", &pages) == 1);
    fclose(file);
    rlim_t limit = pages * (rlim_t)sysconf(_SC_PAGESIZE) + ROOM;
    struct rlimit both;
    NEED(getrlimit(RLIMIT_AS, &both) == 0);
    if (both.rlim_cur > limit) both.rlim_cur = limit;
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

/* More bytes than the process may have after limit_memory: a megabyte of `item`, again and again. */
static void *endless(const void *item, size_t size) {
    size_t piece = 1 << 20;
    int file = memfd_create("endless", 0);
    char *all = mmap(NULL, MORE, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    NEED(file >= 0 && all != MAP_FAILED);
    char *first = mmap(NULL, piece, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    NEED(ftruncate(file, piece) == 0 && first != MAP_FAILED);
    for (size_t at = 0; at < piece; at += size) memcpy(first + at, item, size);
    NEED(munmap(first, piece) == 0);
    for (size_t at = 0; at < MORE; at += piece)
        NEED(mmap(all + at, piece, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) == all + at);
    close(file);
    return all;
}

static void CL_CALLBACK nothing(void *args) { (void)args; }

/* What is as long as the application wants it: an error where malloc has no room for it. */
static void out_of_host_memory(cl_context context, cl_device_id device, cl_command_queue queue,
                               const char *text, const cl_event *events) {
    cl_int err;
    size_t more = MORE;
    limit_memory();
    EXPECT_NULL(CL_OUT_OF_HOST_MEMORY, clCreateProgramWithSource(context, 1, &text, &more, &err));
    const char *twice[] = {"kernel void k() {}", text};
    size_t lengths[] = {0, more};
    EXPECT_NULL(CL_OUT_OF_HOST_MEMORY, clCreateProgramWithSource(context, 2, twice, lengths, &err));
    cl_uint count = MORE / sizeof *events;
    EXPECT(CL_OUT_OF_HOST_MEMORY, clWaitForEvents(count, events));
    EXPECT(CL_OUT_OF_HOST_MEMORY, clEnqueueMarkerWithWaitList(queue, count, events, NULL));
    cl_device_exec_capabilities exec;
    OK(clGetDeviceInfo(device, CL_DEVICE_EXECUTION_CAPABILITIES, sizeof exec, &exec, NULL));
    if (exec & CL_EXEC_NATIVE_KERNEL)
        EXPECT(CL_OUT_OF_HOST_MEMORY, clEnqueueNativeKernel(queue, nothing, (void *)text, MORE, 0,
                                                            NULL, NULL, 0, NULL, NULL));
    /* Rows of one byte: their list is longer than the buffers. */
    size_t rows = 64 << 20, zero[3] = {0}, region[3] = {1, rows, 1};
    cl_mem from = check_buffer(context, 0, 2 * rows), to = check_buffer(context, 0, 2 * rows);
    EXPECT(CL_OUT_OF_HOST_MEMORY, clEnqueueCopyBufferRect(queue, from, to, zero, zero, region, 2, 0,
                                                          2, 0, 0, NULL, NULL));
    region[1] = 3;
    OK(clEnqueueCopyBufferRect(queue, from, to, zero, zero, region, 2, 0, 2, 0, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseMemObject(from));
    OK(clReleaseMemObject(to));
}

int main(void) {
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    out_of_local_memory(context, device, queue);
    cl_int err;
    cl_event event = clCreateUserEvent(context, &err);
    OK(clSetUserEventStatus(event, CL_COMPLETE));
    char letter = ' ';
    const char *text = endless(&letter, sizeof letter);
    const cl_event *events = endless(&event, sizeof event);
    out_of_device_memory(context, queue);
    out_of_host_memory(context, device, queue, text, events);
    OK(clReleaseEvent(event));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
