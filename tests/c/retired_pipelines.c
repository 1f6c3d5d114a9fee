/* Kernels of contexts that are gone do not run in place of later ones. `retired_pipelines CONTEXTS` has others than 3. Each context builds the
 * same program and launches it with local sizes of its own, whose pipelines go with it. */
#include "check.h"

enum { ITEMS = 400, LAUNCHES = 12 };

static const char *source =
    "kernel void add(global ulong *p, long at, ulong v) { p[at + get_global_id(0)] += v; }";

static cl_ulong random_word(void) {
    static cl_ulong state = 0x9e3779b97f4a7c15;
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    return state;
}

static void in_context(cl_device_id device) {
    static const size_t sizes[] = {1, 2, 3, 8, 16, 32, 64, 100};
    static cl_ulong want[ITEMS], got[ITEMS];
    cl_context context = check_context(device);
    cl_command_queue queue = check_queue(context, device);
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program && err == CL_SUCCESS);
    check_built(program, device, clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    cl_kernel kernel = check_kernel(program, "", "add");
    cl_mem buffer = check_buffer(context, 0, sizeof want);
    for (int i = 0; i < ITEMS; i++) want[i] = random_word();
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, sizeof want, want, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    for (int i = 0; i < LAUNCHES; i++) {
        size_t items = 1 + random_word() % (ITEMS - 1), local = sizes[random_word() % 8];
        if (local > items) local = items;
        cl_long at = random_word() % (ITEMS - items + 1);
        cl_ulong value = random_word();
        OK(clSetKernelArg(kernel, 1, sizeof at, &at));
        OK(clSetKernelArg(kernel, 2, sizeof value, &value));
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &local, 0, NULL, NULL));
        for (size_t k = 0; k < items; k++) want[at + k] += value;
    }
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    EXPECT(0, memcmp(want, got, sizeof want));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
}

int main(int argc, char **argv) {
    cl_device_id device = check_device();
    for (int contexts = argc > 1 ? atoi(argv[1]) : 3; contexts > 0; contexts--) in_context(device);
    END;
}
