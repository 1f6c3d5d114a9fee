/* Unified shared memory in a context of two devices. With an argument, they cannot share memory. */
#include "usm.h"

enum { COUNT = 1 << 20, BYTES = COUNT * 4 };

static const char *source = "kernel void add(global int *to, global const int *from) {\n"
                            "    size_t i = get_global_id(0);\n"
                            "    to[i] += from[i];\n"
                            "}\n";

static cl_device_id devices[2];
static cl_command_queue queues[2];
static cl_kernel add;

static void fill_with(int q, cl_int *at, cl_int value) {
    OK(mem_fill(queues[q], at, &value, 4, BYTES, 0, NULL, NULL));
    OK(clFinish(queues[q]));
}

static cl_device_id device_of(const void *at) {
    cl_device_id id = FOREIGN(cl_device_id);
    OK(alloc_info(context, at, CL_MEM_ALLOC_DEVICE_INTEL, sizeof id, &id, NULL));
    return id;
}

/* Each device's own, copied between them by both queues. */
static void own(void) {
    cl_int err, word = 5, *at[2];
    static cl_int back[COUNT];
    for (int d = 0; d < 2; d++) {
        at[d] = device_alloc(context, devices[d], NULL, BYTES, 0, &err);
        OK(err);
        NEED(at[d]);
        TRUE(device_of(at[d] + 7) == devices[d]);
        EXPECT(CL_INVALID_OPERATION, mem_fill(queues[!d], at[d], &word, 4, BYTES, 0, NULL, NULL));
    }
    for (int q = 0; q < 2; q++)
        for (int from = 0; from < 2; from++) {
            cl_event filled, copied;
            int value = 10 * q + from + 1, wrong = 0;
            fill_with(!from, at[!from], 0);
            OK(mem_fill(queues[from], at[from], &value, 4, BYTES, 0, NULL, &filled));
            OK(mem_copy(queues[q], CL_FALSE, at[!from] + 3, at[from] + 1, BYTES - 16, 1, &filled, &copied));
            OK(clFlush(queues[from]));
            OK(mem_copy(queues[!q], CL_TRUE, back, at[!from], BYTES, 1, &copied, NULL));
            for (int i = 0; i < COUNT; i++) wrong += back[i] != (i >= 3 && i < COUNT - 1 ? value : 0);
            EXPECT(0, wrong);
            /* From the host to memory of the device that the queue is not of. */
            for (int i = 0; i < COUNT; i++) back[i] = i ^ value;
            OK(mem_copy(queues[q], CL_TRUE, at[!q], back, BYTES, 0, NULL, NULL));
            memset(back, 0, sizeof back);
            OK(mem_copy(queues[!q], CL_TRUE, back, at[!q], BYTES, 0, NULL, NULL));
            for (int i = 0; i < COUNT; i++) wrong += back[i] != (i ^ value);
            EXPECT(0, wrong);
            OK(clReleaseEvent(filled));
            OK(clReleaseEvent(copied));
        }
    /* A kernel does not run where its memory is not. */
    size_t global = COUNT;
    OK(set_pointer(add, 0, at[0]));
    OK(set_pointer(add, 1, at[1]));
    for (int q = 0; q < 2; q++)
        EXPECT(CL_INVALID_OPERATION, clEnqueueNDRangeKernel(queues[q], add, 1, NULL, &global, NULL, 0, NULL, NULL));
    for (int d = 0; d < 2; d++) OK(blocking_free(context, at[d]));
}

/* What all devices have, or one. */
static void common(int apart) {
    cl_int err;
    for (int kind = 0; kind < 4; kind++) {
        cl_int *a, *b;
        cl_device_id named = kind == 1 ? NULL : kind == 2 ? devices[0] : devices[1];
        for (int i = 0; i < 2; i++) {
            if (kind == 0) a = host_alloc(context, NULL, BYTES, 0, &err);
            else a = shared_alloc(context, named, NULL, BYTES, 0, &err);
            OK(err);
            NEED(a);
            TRUE(device_of(a) == (kind ? named : NULL));
            if (i == 0) b = a;
        }
        for (int i = 0; i < COUNT; i++) a[i] = i, b[i] = 3;
        OK(set_pointer(add, 0, a));
        OK(set_pointer(add, 1, b));
        int ran = 0, wrong = 0;
        for (int q = 0; q < 2; q++) {
            cl_int code = usm_launch(queues[q], add, COUNT);
            EXPECT(CL_SUCCESS, clFinish(queues[q]));
            TRUE(code == CL_SUCCESS || (apart && code == CL_INVALID_OPERATION));
            ran += code == CL_SUCCESS;
            if (kind >= 2 && devices[q] == named) OK(code);
        }
        EXPECT(apart ? 1 : 2, ran);
        for (int i = 0; i < COUNT; i++) wrong += a[i] != i + 3 * ran;
        EXPECT(0, wrong);
        /* Copies work in any case. */
        for (int q = 0; q < 2; q++) {
            static cl_int back[COUNT];
            OK(mem_copy(queues[q], CL_TRUE, b, a, BYTES, 0, NULL, NULL));
            TRUE(!memcmp(a, b, BYTES));
            OK(mem_copy(queues[q], CL_TRUE, back, b, BYTES, 0, NULL, NULL));
            TRUE(!memcmp(a, back, BYTES));
            a[q] += 1;
        }
        OK(blocking_free(context, a));
        OK(mem_free(context, b));
    }
}

int main(int argc, char **argv) {
    (void)argv;
    cl_int err;
    NEED(clGetDeviceIDs(check_platform(), CL_DEVICE_TYPE_ALL, 2, devices, NULL) == CL_SUCCESS && devices[1]);
    context = clCreateContext(NULL, 2, devices, NULL, NULL, &err);
    NEED(context);
    for (int d = 0; d < 2; d++) {
        queues[d] = check_queue(context, devices[d]);
        device = devices[d];
        TRUE(!usm_query(CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL) == (argc > 1));
    }
    usm_functions();
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(clBuildProgram(program, 0, NULL, "", NULL, NULL) == CL_SUCCESS);
    add = clCreateKernel(program, "add", &err);
    own();
    common(argc > 1);
    OK(clReleaseKernel(add));
    OK(clReleaseProgram(program));
    for (int d = 0; d < 2; d++) OK(clReleaseCommandQueue(queues[d]));
    OK(clReleaseContext(context));
    END;
}
