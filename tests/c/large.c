/* The largest buffer that the device promises, up to 16 GB and a bit, written and read across
   its whole range by kernels, fills, copies and the host; then too many of them. The first
   argument, if there is one, is a limit in MB: CPU devices share their memory with others. */
#include "check.h"

static const char *source =
    "ulong mix(ulong x) { return ((x + 1) ^ (x >> 9)) * 0x9e3779b97f4a7c15ul; }\n"
    "kernel void put(global ulong *p, ulong n) {\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) p[i] = mix(i);\n"
    "}\n"
    "kernel void check(global const ulong *p, ulong n, global uint *wrong) {\n"
    "    uint count = 0;\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) count += p[i] != mix(i);\n"
    "    if (count) atomic_add(wrong, count);\n"
    "}\n"
    "kernel void count(global const uint *p, ulong from, ulong to, uint value,\n"
    "                  global uint *wrong) {\n"
    "    uint count = 0;\n"
    "    for (ulong i = from + get_global_id(0); i < to; i += get_global_size(0))\n"
    "        count += p[i] != value;\n"
    "    if (count) atomic_add(wrong, count);\n"
    "}\n";

static cl_ulong mix(cl_ulong x) { return ((x + 1) ^ (x >> 9)) * 0x9e3779b97f4a7c15ul; }

static cl_command_queue queue;

static void run(cl_kernel kernel) {
    size_t global = 1 << 18;
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, NULL, 0, NULL, NULL));
}

static cl_uint take(cl_mem wrong) {
    cl_uint count = 99, zero = 0;
    OK(clEnqueueReadBuffer(queue, wrong, CL_TRUE, 0, 4, &count, 0, NULL, NULL));
    OK(clEnqueueWriteBuffer(queue, wrong, CL_TRUE, 0, 4, &zero, 0, NULL, NULL));
    return count;
}

static void use(cl_context context, cl_program program, cl_mem large, size_t size) {
    cl_int err;
    cl_uint zero = 0;
    cl_mem wrong = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, 4, &zero, &err);
    cl_kernel put = clCreateKernel(program, "put", &err);
    cl_kernel check = clCreateKernel(program, "check", &err);
    cl_kernel count = clCreateKernel(program, "count", &err);
    cl_ulong words = size / 8;
    OK(clSetKernelArg(put, 0, sizeof large, &large));
    OK(clSetKernelArg(put, 1, sizeof words, &words));
    OK(clSetKernelArg(check, 0, sizeof large, &large));
    OK(clSetKernelArg(check, 1, sizeof words, &words));
    OK(clSetKernelArg(check, 2, sizeof wrong, &wrong));
    run(put);
    run(check);
    EXPECT(0, take(wrong));
    /* The host at the ends and around every sixteenth, which are pieces' boundaries, too. */
    for (int i = 0; i <= 16; i++) {
        cl_ulong middle = words / 16 * i, got[512];
        cl_ulong from = i == 0 ? 0 : i == 16 ? words - 512 : middle - 256;
        OK(clEnqueueReadBuffer(queue, large, CL_TRUE, from * 8, sizeof got, got, 0, NULL, NULL));
        int bad = 0;
        for (int k = 0; k < 512; k++) bad += got[k] != mix(from + k);
        EXPECT(0, bad);
        memset(got, 0, sizeof got);
        OK(clEnqueueWriteBuffer(queue, large, CL_TRUE, from * 8, sizeof got, got, 0, NULL, NULL));
    }
    run(check);
    EXPECT(17 * 512, take(wrong));
    /* A fill of the upper half, copied to the lower one but for its first word. */
    cl_uint value = 0xabcd1234;
    size_t half = size / 2 / 8 * 8;
    OK(clEnqueueFillBuffer(queue, large, &value, 4, half, half, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, large, large, half, 16, half - 32, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, large, large, half, half - 16, 16, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, large, large, half, 4, 12, 0, NULL, NULL));
    cl_ulong from = 1, to = 2 * half / 4;
    OK(clSetKernelArg(count, 0, sizeof large, &large));
    OK(clSetKernelArg(count, 1, sizeof from, &from));
    OK(clSetKernelArg(count, 2, sizeof to, &to));
    OK(clSetKernelArg(count, 3, sizeof value, &value));
    OK(clSetKernelArg(count, 4, sizeof wrong, &wrong));
    run(count);
    EXPECT(0, take(wrong));
    /* A sub-buffer behind the middle. */
    cl_buffer_region region = {size / 4096 * 2048, 1 << 20};
    cl_mem sub = clCreateSubBuffer(large, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &err);
    OK(err);
    cl_uint *mapped = clEnqueueMapBuffer(queue, sub, CL_TRUE, CL_MAP_WRITE, 64, 4, 0, NULL, NULL,
                                         &err);
    NEED(mapped);
    *mapped += 1;
    OK(clEnqueueUnmapMemObject(queue, sub, mapped, 0, NULL, NULL));
    run(count);
    EXPECT(1, take(wrong));
    cl_kernel kernels[] = {put, check, count};
    for (int i = 0; i < 3; i++) OK(clReleaseKernel(kernels[i]));
    OK(clReleaseMemObject(sub));
    OK(clReleaseMemObject(wrong));
}

int main(int argc, char **argv) {
    cl_int err;
    cl_device_id device = check_device();
    cl_ulong largest, global, limit = (16ull << 30) + (1 << 20);
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof global, &global, NULL));
    TRUE(largest <= global);
    if (argc > 1) limit = strtoull(argv[1], NULL, 0) << 20;
    size_t size = largest < limit ? largest : limit;
    cl_context context = check_context(device);
    queue = check_queue(context, device);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    cl_mem large = check_buffer(context, 0, size);
    use(context, program, large, size);
    OK(clFinish(queue));
    OK(clReleaseMemObject(large));
    EXPECT_NULL(CL_INVALID_BUFFER_SIZE, clCreateBuffer(context, 0, largest + 1, NULL, &err));

    if (argc == 1) {
        /* What is promised can be had, and more than there is ends with an error that
           leaves nothing behind. */
        for (int round = 0; round < 3; round++) {
            cl_mem all[64];
            int count = 0;
            err = CL_SUCCESS;
            for (; count < 64; count++) {
                all[count] = clCreateBuffer(context, 0, largest, NULL, &err);
                if (!all[count]) break;
                /* Memory that is only handed out when it is touched. */
                OK(clEnqueueFillBuffer(queue, all[count], &err, 4, 0, 4096, 0, NULL, NULL));
                OK(clFinish(queue));
            }
            TRUE(count >= 1 && count < 64);
            TRUE(err == CL_MEM_OBJECT_ALLOCATION_FAILURE || err == CL_OUT_OF_RESOURCES);
            for (int i = 0; i < count; i++) OK(clReleaseMemObject(all[i]));
        }
        large = check_buffer(context, 0, size);
        use(context, program, large, size);
        OK(clReleaseMemObject(large));
    }
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
