/* Kernels on bytes and halves, in millions of elements a second: the median of 21 launches. Run it with
   CALDERA_TARGET=-int8,-int16,-storage8,-storage16 beside, which is how a device without these types computes.
   cc -O2 -I tests/c -o narrow tests/bench/narrow.c -lOpenCL */
#define _POSIX_C_SOURCE 200112L
#include "programs.h"
#include <time.h>

#define COUNT (1 << 22)
#define ROUNDS 21

static const char *text =
    "kernel void copy_uchar(global const uchar *a, global uchar *c) { c[get_global_id(0)] = a[get_global_id(0)]; }\n"
    "kernel void copy_uchar4(global const uchar4 *a, global uchar4 *c) { c[get_global_id(0)] = a[get_global_id(0)]; }\n"
    "kernel void copy_uchar16(global const uchar16 *a, global uchar16 *c) { c[get_global_id(0)] = a[get_global_id(0)]; }\n"
    "kernel void add_sat_uchar4(global const uchar4 *a, global uchar4 *c) {\n"
    "    c[get_global_id(0)] = add_sat(a[get_global_id(0)], c[get_global_id(0)]);\n"
    "}\n"
    "kernel void blend_uchar3(global const uchar *a, global uchar *c) {\n"
    "    uint3 x = convert_uint3(vload3(get_global_id(0), a)), y = convert_uint3(vload3(get_global_id(0), c));\n"
    "    vstore3(convert_uchar3_sat((x * 3 + y * 5) / 8), get_global_id(0), c);\n"
    "}\n"
    "kernel void threshold_uchar(global const uchar *a, global uchar *c) {\n"
    "    c[get_global_id(0)] = a[get_global_id(0)] > 127 ? 255 : 0;\n"
    "}\n"
    "kernel void histogram(global const uchar *a, global uint *c) {\n"
    "    local uint bins[256];\n"
    "    for (int i = get_local_id(0); i < 256; i += get_local_size(0)) bins[i] = 0;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int i = 0; i < 16; i++) atomic_inc(&bins[a[get_global_id(0) * 16 + i]]);\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int i = get_local_id(0); i < 256; i += get_local_size(0)) atomic_add(&c[i], bins[i]);\n"
    "}\n"
    "kernel void reverse_local(global const uchar4 *a, global uchar4 *c) {\n"
    "    local uchar4 t[64];\n"
    "    t[get_local_id(0)] = a[get_global_id(0)];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    c[get_global_id(0)] = t[63 - get_local_id(0)];\n"
    "}\n"
    "kernel void saxpy_vload_half(global const half *a, global half *c) {\n"
    "    size_t i = get_global_id(0);\n"
    "    vstore_half(2.5f * vload_half(i, a) + vload_half(i, c), i, c);\n"
    "}\n"
    "kernel void saxpy_vload_half4(global const half *a, global half *c) {\n"
    "    size_t i = get_global_id(0);\n"
    "    vstore_half4(2.5f * vload_half4(i, a) + vload_half4(i, c), i, c);\n"
    "}\n"
    "kernel void sums_short(global const short8 *a, global short8 *c) {\n"
    "    short8 x = a[get_global_id(0)], y = c[get_global_id(0)];\n"
    "    for (int i = 0; i < 8; i++) { x = x * y + (short)7; y = y ^ (x >> (short)3); }\n"
    "    c[get_global_id(0)] = x + y;\n"
    "}\n"
    "#ifdef cl_khr_fp16\n"
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "kernel void fma_half4(global const half4 *a, global half4 *c) {\n"
    "    half4 x = a[get_global_id(0)], y = c[get_global_id(0)];\n"
    "    for (int i = 0; i < 8; i++) { x = x * y + (half)0.5h; y = y * (half)0.25h + x; }\n"
    "    c[get_global_id(0)] = x + y;\n"
    "}\n"
    "#endif\n";

/* Name, elements of a work-item. */
static const struct {
    const char *name;
    int elements;
} kernels[] = {
    {"copy_uchar", 1},        {"copy_uchar4", 4},      {"copy_uchar16", 16},
    {"add_sat_uchar4", 4},    {"blend_uchar3", 3},     {"threshold_uchar", 1},
    {"histogram", 16},        {"reverse_local", 4},    {"saxpy_vload_half", 1},
    {"saxpy_vload_half4", 4}, {"sums_short", 8},       {"fma_half4", 4},
};

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void) {
    begin();
    cl_program program = built(text, "-cl-std=CL3.0");
    unsigned char *data = malloc(2 * COUNT);
    NEED(data);
    for (int i = 0; i < 2 * COUNT; i++) data[i] = (unsigned char)((i * 2654435761u) >> 13);
    cl_mem a = check_buffer(context, 0, 2 * COUNT), c = check_buffer(context, 0, 2 * COUNT);
    for (size_t k = 0; k < sizeof kernels / sizeof *kernels; k++) {
        cl_int err;
        cl_kernel kernel = clCreateKernel(program, kernels[k].name, &err);
        if (!kernel) continue;
        OK(clEnqueueWriteBuffer(queue, a, CL_TRUE, 0, 2 * COUNT, data, 0, NULL, NULL));
        OK(clEnqueueWriteBuffer(queue, c, CL_TRUE, 0, 2 * COUNT, data, 0, NULL, NULL));
        OK(clSetKernelArg(kernel, 0, sizeof a, &a));
        OK(clSetKernelArg(kernel, 1, sizeof c, &c));
        size_t local = 64, global = (size_t)(COUNT / kernels[k].elements) / local * local;
        double times[ROUNDS];
        for (int round = -2; round < ROUNDS; round++) {
            double start = now();
            OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &local, 0, NULL, NULL));
            OK(clFinish(queue));
            if (round >= 0) times[round] = now() - start;
        }
        qsort(times, ROUNDS, sizeof *times, ascending);
        printf("%-20s %8.1f\n", kernels[k].name, 1e-6 * (double)global * kernels[k].elements / times[ROUNDS / 2]);
        OK(clReleaseKernel(kernel));
    }
    OK(clReleaseMemObject(a));
    OK(clReleaseMemObject(c));
    OK(clReleaseProgram(program));
    free(data);
    end();
    END;
}
