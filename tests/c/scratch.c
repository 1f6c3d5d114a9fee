/* Private memory that lies on the device: launches that are cut, several in flight, what a kernel says of it, and what
   cannot be had. The argument is max_scratch of CALDERA_TARGET; without one an allocation fails (CALDERA_FAULT). */
#include "check.h"

enum { WORDS = 4096, ITEMS = 1 << 14 };

static const char *source =
    "kernel void walk(global uint *out, uint n, uint rounds) {\n"
    "    uint a[4096];\n"
    "    uint id = get_global_linear_id(), s = 0;\n"
    "    for (uint i = 0; i < n; i++) a[i * (4096 / n)] = i * id + rounds;\n"
    "    for (uint i = 0; i < rounds; i++) s = s * 3 + a[((s >> 8) + i * i) % n * (4096 / n)];\n"
    "    out[id] = s;\n"
    "}\n"
    /* Its groups know themselves, so that parts of a launch have a base. */
    "kernel void groups(global uint *out, uint n) {\n"
    "    uint a[4096];\n"
    "    local uint sum;\n"
    "    uint l = get_local_linear_id(), id = get_global_linear_id();\n"
    "    uint group = (get_group_id(2) * get_num_groups(1) + get_group_id(1)) * get_num_groups(0) + get_group_id(0);\n"
    "    if (l == 0) sum = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (uint i = 0; i < n; i++) a[(i * 997 + id) % 4096] = id + i;\n"
    "    atomic_add(&sum, a[(l % n * 997 + id) % 4096] + group);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[id] = sum;\n"
    "}\n";

static cl_uint walked(cl_uint id, cl_uint n, cl_uint rounds) {
    cl_uint s = 0;
    for (cl_uint i = 0; i < rounds; i++) s = s * 3 + ((s >> 8) + i * i) % n * id + rounds;
    return s;
}

static cl_program built(cl_context context, cl_device_id device, const char *text, cl_int expected) {
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &err);
    NEED(program && err == CL_SUCCESS);
    EXPECT(expected, clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    return program;
}

/* Of the group of each work-item. */
static void check_groups(const cl_uint *out, const size_t *global, const size_t *local, cl_uint n) {
    size_t counts[3];
    for (int d = 0; d < 3; d++) counts[d] = (global[d] + local[d] - 1) / local[d];
    size_t at[3], wrong = 0;
    for (at[2] = 0; at[2] < global[2]; at[2]++)
        for (at[1] = 0; at[1] < global[1]; at[1]++)
            for (at[0] = 0; at[0] < global[0]; at[0]++) {
                size_t start[3], size[3];
                cl_uint sum = 0, l = 0;
                for (int d = 0; d < 3; d++) {
                    start[d] = at[d] / local[d] * local[d];
                    size[d] = global[d] - start[d] < local[d] ? global[d] - start[d] : local[d];
                }
                size_t group = at[2] / local[2] * counts[1] + at[1] / local[1];
                group = group * counts[0] + at[0] / local[0];
                for (size_t z = 0; z < size[2]; z++)
                    for (size_t y = 0; y < size[1]; y++)
                        for (size_t x = 0; x < size[0]; x++, l++) {
                            size_t id = ((start[2] + z) * global[1] + start[1] + y) * global[0] + start[0] + x;
                            sum += id + l % n + group;
                        }
                wrong += out[(at[2] * global[1] + at[1]) * global[0] + at[0]] != sum;
            }
    EXPECT(0, wrong);
}

/* What a kernel says of it. */
static size_t check_queries(cl_kernel kernel, cl_device_id device, size_t most) {
    cl_ulong bytes;
    size_t items;
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_PRIVATE_MEM_SIZE, sizeof bytes, &bytes, NULL));
    TRUE(bytes >= 4 * WORDS && bytes < 4 * WORDS + 256);
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof items, &items, NULL));
    TRUE(items <= most / (4 * WORDS) && items + 4 >= most / bytes);
    return items;
}

enum { LAUNCHES = 6 };

static size_t items_of(cl_uint launch) { return launch < 2 ? ITEMS : 100 + 1000 * launch; }

/* 256 MB, in an out-of-order queue beside others, and in another queue. */
static void check_walks(cl_kernel kernel, cl_command_queue *queues, cl_mem *memory, cl_uint *out) {
    cl_uint n = 64;
    for (cl_uint i = 0; i < LAUNCHES; i++) {
        cl_uint rounds = 10 + i;
        OK(clSetKernelArg(kernel, 0, sizeof memory[i], &memory[i]));
        OK(clSetKernelArg(kernel, 1, sizeof n, &n));
        OK(clSetKernelArg(kernel, 2, sizeof rounds, &rounds));
        size_t global = items_of(i), local = 64;
        const size_t *sizes = i % 3 == 2 ? NULL : &local;
        OK(clEnqueueNDRangeKernel(queues[i % 3 == 1], kernel, 1, NULL, &global, sizes, 0, NULL, NULL));
    }
    OK(clFinish(queues[0]));
    OK(clFinish(queues[1]));
    for (cl_uint i = 0; i < LAUNCHES; i++) {
        size_t global = items_of(i), wrong = 0;
        OK(clEnqueueReadBuffer(queues[1], memory[i], CL_TRUE, 0, 4 * global, out, 0, NULL, NULL));
        for (cl_uint id = 0; id < global; id++) wrong += out[id] != walked(id, n, 10 + i);
        EXPECT(0, wrong);
    }
}

/* Rows and slices that parts divide, with remainders. */
static void check_boxes(cl_kernel kernel, cl_command_queue queue, cl_mem memory, cl_uint *out) {
    static const size_t sizes[][2][3] = {
        {{4000, 1, 1}, {64, 1, 1}}, {{50, 37, 3}, {8, 4, 1}}, {{3, 5, 200}, {2, 2, 4}},
        {{1000, 3, 1}, {1, 1, 1}},  {{7, 600, 2}, {7, 9, 1}},
    };
    cl_uint n = 64;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
        OK(clSetKernelArg(kernel, 1, sizeof n, &n));
        OK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, sizes[i][0], sizes[i][1], 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, 4 * ITEMS, out, 0, NULL, NULL));
        check_groups(out, sizes[i][0], sizes[i][1], n);
    }
}

/* Too much for a work-item, and for a group of the required size. */
static void check_refused(cl_context context, cl_device_id device) {
    static const char *const large[] = {
        "kernel void k(global int *p, int i) { int a[1100000]; a[i] = *p; a[i + 1] = 1; *p = a[i] + a[p[1]]; }",
        "kernel void k(global int *p, long i) { char a[16000000]; a[i] = *p; a[i + 1] = 1; *p = a[i] + a[p[1]]; }",
        "kernel __attribute__((reqd_work_group_size(512, 1, 1))) void k(global int *p, int i)\n"
        "{ int a[4096]; a[i] = *p; a[i + 1] = 1; *p = a[i] + a[p[1]]; }",
    };
    for (size_t i = 0; i < sizeof large / sizeof *large; i++) {
        cl_program refused = built(context, device, large[i], CL_BUILD_PROGRAM_FAILURE);
        char log[1000];
        OK(clGetProgramBuildInfo(refused, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
        TRUE(strstr(log, "private memory") != NULL);
        OK(clReleaseProgram(refused));
    }
}

/* Some allocation fails: an error, and what comes next runs. */
static void check_scarcity(cl_context context, cl_device_id device, cl_command_queue queue) {
    static const char *const text =
        "kernel void k(global int *p, int i) { int a[1 << 22]; a[i] = *p; a[i + 1] = 5; *p = a[i] + a[i + p[1]]; }";
    cl_program program = built(context, device, text, CL_SUCCESS);
    cl_kernel kernel = check_kernel(program, "", "k");
    cl_int i = 1 << 21, values[2] = {2, 1}, err;
    size_t one = 1;
    int failed = 0;
    for (int round = 0; round < 3; round++) {
        cl_mem memory = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof values, values, &err);
        if (err != CL_SUCCESS) {
            failed++;
            continue;
        }
        OK(clSetKernelArg(kernel, 0, sizeof memory, &memory));
        OK(clSetKernelArg(kernel, 1, sizeof i, &i));
        err = clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, &one, 0, NULL, NULL);
        if (err == CL_SUCCESS) err = clFinish(queue);
        if (err == CL_SUCCESS) {
            cl_int sum[2];
            OK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, sizeof sum, sum, 0, NULL, NULL));
            EXPECT(7, sum[0]);
        } else {
            EXPECT(CL_OUT_OF_RESOURCES, err);
            failed++;
        }
        OK(clReleaseMemObject(memory));
    }
    TRUE(failed <= 1);
    if (failed) fprintf(stderr, "failed\n");
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

int main(int argc, char **argv) {
    cl_int err;
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    cl_queue_properties any[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue queues[2] = {clCreateCommandQueueWithProperties(context, device, any, &err),
                                  check_queue(context, device)};
    NEED(queues[0]);
    if (argc < 2) {
        check_scarcity(context, device, queues[1]);
    } else {
        static cl_uint out[ITEMS];
        cl_program program = built(context, device, source, CL_SUCCESS);
        cl_kernel walk = check_kernel(program, "", "walk"), groups = check_kernel(program, "", "groups");
        size_t most = check_queries(walk, device, atol(argv[1]));
        cl_mem memory[LAUNCHES];
        for (int i = 0; i < LAUNCHES; i++) memory[i] = check_buffer(context, 0, sizeof out);
        check_walks(walk, queues, memory, out);
        check_boxes(groups, queues[1], memory[0], out);
        size_t local = most + 1, global = 16 * local;
        EXPECT(CL_INVALID_WORK_GROUP_SIZE,
               clEnqueueNDRangeKernel(queues[1], walk, 1, NULL, &global, &local, 0, NULL, NULL));
        check_refused(context, device);
        for (int i = 0; i < LAUNCHES; i++) OK(clReleaseMemObject(memory[i]));
        OK(clReleaseKernel(walk));
        OK(clReleaseKernel(groups));
        OK(clReleaseProgram(program));
    }
    for (int i = 0; i < 2; i++) OK(clReleaseCommandQueue(queues[i]));
    OK(clReleaseContext(context));
    END;
}
