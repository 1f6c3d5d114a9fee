/* cl_intel_required_subgroup_size: each size that the device has, and one that none has. */
#include "check.h"

#define SIZES 16

/* NULL with an error in the log that names the attribute. */
static cl_program build(cl_context context, cl_device_id device, size_t size) {
    char text[512], log[2048] = "";
    snprintf(text, sizeof text,
             "__attribute__((intel_reqd_sub_group_size(%zu)))\n"
             "kernel void k(global uint *out) {\n"
             "    if (get_global_id(0) == 0) { out[0] = get_max_sub_group_size(); out[1] = get_sub_group_size(); }\n"
             "    out[2 + get_sub_group_id()] = sub_group_reduce_add(1u);\n"
             "}\n",
             size);
    const char *source = text;
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program);
    if (clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS)
        return program;
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL));
    TRUE(strstr(log, "intel_reqd_sub_group_size") != NULL);
    OK(clReleaseProgram(program));
    return NULL;
}

/* `only`: the device has no other size, so asking for it costs nothing. */
static void one_size(cl_context context, cl_device_id device, size_t size, int only) {
    cl_int err;
    cl_command_queue queue = check_queue(context, device);
    cl_program program = build(context, device, size);
    NEED(program);
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    NEED(kernel);
    size_t value = 0, most = 0, global = 2 * size;
    cl_ulong spilled;
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, 0, NULL,
                               sizeof value, &value, NULL));
    TRUE(value == size);
    OK(clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE,
                               sizeof global, &global, sizeof value, &value, NULL));
    TRUE(value == size);
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_SPILL_MEM_SIZE_INTEL, sizeof spilled,
                                &spilled, NULL));
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof most, &most,
                                NULL));
    TRUE(most >= size && most % size == 0);
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof value, &value, NULL));
    TRUE(only ? most == value : most <= value);
    cl_uint out[2 + 4096] = {0};
    NEED(most / size <= 4096);
    cl_mem buffer = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof out, out, &err);
    NEED(buffer);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    /* Two sub-groups, then as many as there may be. */
    for (int all = 0; all < 2; all++) {
        if (all) global = most;
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &global, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
        for (size_t i = 0; i < 2 + global / size; i++) EXPECT(size, out[i]);
    }
    size_t larger[2] = {most, 2};
    EXPECT(CL_INVALID_WORK_GROUP_SIZE,
           clEnqueueNDRangeKernel(queue, kernel, 2, NULL, larger, larger, 0, NULL, NULL));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
}

int main(void) {
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    static char extensions[8192];
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    size_t sizes[SIZES], bytes = 0;
    TRUE(build(context, device, 3) == NULL);
    if (!strstr(extensions, "cl_intel_required_subgroup_size")) {
        EXPECT(CL_INVALID_VALUE, clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL,
                                                 sizeof sizes, sizes, &bytes));
        TRUE(build(context, device, 8) == NULL);
    } else {
        OK(clGetDeviceInfo(device, CL_DEVICE_SUB_GROUP_SIZES_INTEL, sizeof sizes, sizes, &bytes));
        TRUE(bytes >= sizeof(size_t) && bytes % sizeof(size_t) == 0);
        size_t count = bytes / sizeof(size_t);
        for (size_t i = 0; i < count; i++) one_size(context, device, sizes[i], count == 1);
    }
    OK(clReleaseContext(context));
    END;
}
