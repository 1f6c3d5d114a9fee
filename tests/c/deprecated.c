/* What applications of OpenCL 1.0 and 1.1 call still works: queues, samplers and images of theirs,
   markers and barriers without lists, tasks, extensions' functions by name. */
#define CL_TARGET_OPENCL_VERSION 300
#include "check.h"

static const char *source =
    "kernel void twice(global int *p) { p[0] *= 2; }\n"
    "kernel void shrink(read_only image2d_t image, sampler_t s, global uint4 *out) {\n"
    "    out[0] = read_imageui(image, s, (int2)(-5, 1));\n"
    "    out[1] = read_imageui(image, s, (int2)(2, 1));\n"
    "}\n";

static void queues(cl_context context, cl_device_id device) {
    cl_int err;
    cl_command_queue_properties had = 99, bad = (cl_command_queue_properties)1 << 40;
    cl_command_queue queue = clCreateCommandQueue(context, device, CL_QUEUE_PROFILING_ENABLE, &err);
    NEED(queue && err == CL_SUCCESS);
    size_t size = 99;
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES, sizeof had, &had, NULL));
    EXPECT(CL_QUEUE_PROFILING_ENABLE, had);
    /* There is no list of properties. */
    OK(clGetCommandQueueInfo(queue, CL_QUEUE_PROPERTIES_ARRAY, 0, NULL, &size));
    EXPECT(0, size);
    EXPECT(CL_INVALID_OPERATION,
           clSetCommandQueueProperty(queue, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_TRUE, &had));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clSetCommandQueueProperty(NULL, 0, CL_TRUE, NULL));
    EXPECT_NULL(CL_INVALID_CONTEXT, clCreateCommandQueue(NULL, device, 0, &err));
    EXPECT_NULL(CL_INVALID_DEVICE, clCreateCommandQueue(context, NULL, 0, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateCommandQueue(context, device, bad, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateCommandQueue(context, device, CL_QUEUE_ON_DEVICE, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateCommandQueue(context, device, ~(cl_bitfield)0, &err));
    OK(clReleaseCommandQueue(queue));
}

/* Write, task, marker, barrier, wait and read on an out-of-order queue. */
static void synchronisation(cl_context context, cl_device_id device, cl_program program) {
    cl_int err, value = 21, got = 0, status;
    cl_command_queue queue =
        clCreateCommandQueue(context, device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &err);
    cl_kernel kernel = clCreateKernel(program, "twice", &err);
    cl_mem buffer = check_buffer(context, 0, 4);
    cl_event written, marked, user = clCreateUserEvent(context, &err), none = NULL;
    cl_command_type type;
    NEED(queue && kernel && user);
    OK(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    OK(clEnqueueWriteBuffer(queue, buffer, CL_FALSE, 0, 4, &value, 1, &user, &written));
    OK(clEnqueueWaitForEvents(queue, 1, &written));
    OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clEnqueueMarker(queue, &marked));
    OK(clEnqueueBarrier(queue));
    OK(clEnqueueReadBuffer(queue, buffer, CL_FALSE, 0, 4, &got, 0, NULL, NULL));
    OK(clGetEventInfo(marked, CL_EVENT_COMMAND_TYPE, sizeof type, &type, NULL));
    EXPECT(CL_COMMAND_MARKER, type);
    OK(clGetEventInfo(marked, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    TRUE(status == CL_QUEUED || status == CL_SUBMITTED);
    OK(clSetUserEventStatus(user, CL_COMPLETE));
    OK(clFinish(queue));
    EXPECT(42, got);
    OK(clGetEventInfo(marked, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, NULL));
    EXPECT(CL_COMPLETE, status);
    EXPECT(CL_INVALID_VALUE, clEnqueueMarker(queue, NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueMarker(NULL, &none));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueBarrier(NULL));
    EXPECT(CL_INVALID_COMMAND_QUEUE, clEnqueueWaitForEvents(NULL, 1, &marked));
    EXPECT(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 0, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueWaitForEvents(queue, 1, NULL));
    EXPECT(CL_INVALID_EVENT, clEnqueueWaitForEvents(queue, 1, &none));
    cl_context other = check_context(device);
    cl_event foreign = clCreateUserEvent(other, &err);
    EXPECT(CL_INVALID_CONTEXT, clEnqueueWaitForEvents(queue, 1, &foreign));
    OK(clReleaseEvent(foreign));
    OK(clReleaseContext(other));
    cl_event events[] = {written, marked, user};
    for (int i = 0; i < 3; i++) OK(clReleaseEvent(events[i]));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseCommandQueue(queue));
}

static void images(cl_context context, cl_device_id device, cl_program program) {
    enum { W = 3, H = 2, D = 2, ROW = 4 * 4 };
    cl_int err;
    cl_uchar texels[D * H * ROW];
    for (size_t i = 0; i < sizeof texels; i++) texels[i] = (cl_uchar)(i + 1);
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8}, wrong = {CL_RGBA, CL_UNORM_SHORT_565};
    cl_mem_flags copy = CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR;
    cl_mem flat = clCreateImage2D(context, copy, &format, W, H, ROW, texels, &err);
    NEED(flat && err == CL_SUCCESS);
    cl_mem solid = clCreateImage3D(context, copy, &format, W, H, D, ROW, H * ROW, texels, &err);
    NEED(solid && err == CL_SUCCESS);
    cl_mem_object_type type;
    OK(clGetMemObjectInfo(flat, CL_MEM_TYPE, sizeof type, &type, NULL));
    EXPECT(CL_MEM_OBJECT_IMAGE2D, type);
    OK(clGetMemObjectInfo(solid, CL_MEM_TYPE, sizeof type, &type, NULL));
    EXPECT(CL_MEM_OBJECT_IMAGE3D, type);
    EXPECT_NULL(CL_INVALID_CONTEXT, clCreateImage2D(NULL, 0, &format, W, H, 0, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateImage2D(context, 1 << 30, &format, W, H, 0, NULL, &err));
    EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                clCreateImage2D(context, 0, NULL, W, H, 0, NULL, &err));
    EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR,
                clCreateImage2D(context, 0, &wrong, W, H, 0, NULL, &err));
    EXPECT_NULL(CL_INVALID_IMAGE_SIZE, clCreateImage2D(context, 0, &format, 0, H, 0, NULL, &err));
    EXPECT_NULL(CL_INVALID_IMAGE_SIZE,
                clCreateImage2D(context, copy, &format, W, H, 4 * W - 4, texels, &err));
    EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateImage2D(context, copy, &format, W, H, 0, NULL, &err));
    EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateImage2D(context, 0, &format, W, H, 0, texels, &err));
    EXPECT_NULL(CL_INVALID_IMAGE_SIZE,
                clCreateImage3D(context, 0, &format, W, H, 1, 0, 0, NULL, &err));
    EXPECT_NULL(CL_INVALID_IMAGE_SIZE,
                clCreateImage3D(context, copy, &format, W, H, D, ROW, ROW, texels, &err));

    cl_command_queue queue = clCreateCommandQueue(context, device, 0, &err);
    size_t origin[3] = {1, 1, 1}, region[3] = {2, 1, 1};
    cl_uchar got[8];
    OK(clEnqueueReadImage(queue, solid, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    TRUE(!memcmp(got, texels + H * ROW + ROW + 4, sizeof got));

    /* The sampler's addressing is what the kernel sees. */
    cl_sampler sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                                         CL_FILTER_NEAREST, &err);
    NEED(sampler && err == CL_SUCCESS);
    EXPECT_NULL(CL_INVALID_CONTEXT, clCreateSampler(NULL, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                                                    CL_FILTER_NEAREST, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateSampler(context, CL_FALSE, 7, CL_FILTER_NEAREST, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateSampler(context, 7, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &err));
    EXPECT_NULL(CL_INVALID_VALUE,
                clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, 7, &err));
    size_t size = 99;
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_PROPERTIES, 0, NULL, &size));
    EXPECT(0, size);
    cl_kernel kernel = clCreateKernel(program, "shrink", &err);
    cl_mem out = check_buffer(context, 0, 32);
    cl_uint read[8];
    OK(clSetKernelArg(kernel, 0, sizeof flat, &flat));
    OK(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
    OK(clSetKernelArg(kernel, 2, sizeof out, &out));
    OK(clEnqueueTask(queue, kernel, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof read, read, 0, NULL, NULL));
    for (int i = 0; i < 4; i++) {
        EXPECT(texels[ROW + i], read[i]);
        EXPECT(texels[ROW + 8 + i], read[4 + i]);
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseSampler(sampler));
    cl_mem all[] = {flat, solid, out};
    for (int i = 0; i < 3; i++) OK(clReleaseMemObject(all[i]));
    OK(clReleaseCommandQueue(queue));
}

int main(void) {
    cl_int err;
    cl_device_id device = check_device();
    cl_context context = check_context(device);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(clBuildProgram(program, 1, &device, "", NULL, NULL));
    OK(clUnloadCompiler());
    queues(context, device);
    synchronisation(context, device, program);
    images(context, device, program);
    /* Loaders that know several platforms have nothing behind this one. */
    void *found = clGetExtensionFunctionAddress("clGetKernelSuggestedLocalWorkSizeKHR");
    void *ours = clGetExtensionFunctionAddressForPlatform(check_platform(),
                                                          "clGetKernelSuggestedLocalWorkSizeKHR");
    TRUE(ours && (!found || found == ours));
    TRUE(!clGetExtensionFunctionAddress("clNoSuchFunctionEXT"));
    OK(clReleaseProgram(program));
    OK(clReleaseContext(context));
    END;
}
