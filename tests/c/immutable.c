/* cl_ext_immutable_memory_objects: what is created so, and which commands may not write it. */
#include "check.h"

enum { IMMUTABLE = 1 << 6, W = 8, H = 4 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static const cl_image_format RGBA8 = {CL_RGBA, CL_UNSIGNED_INT8};

static void created(void) {
    cl_int err;
    static cl_uint words[W * H];
    const cl_mem_flags bad[] = {CL_MEM_READ_WRITE, CL_MEM_WRITE_ONLY, CL_MEM_HOST_WRITE_ONLY};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
    EXPECT_NULL(CL_INVALID_VALUE, clCreateBuffer(context, IMMUTABLE, sizeof words, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateImage(context, IMMUTABLE, &RGBA8, &desc, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateBuffer(context, IMMUTABLE | CL_MEM_ALLOC_HOST_PTR, sizeof words, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreatePipe(context, IMMUTABLE, 4, 4, NULL, &err));
    for (int i = 0; i < 3; i++) {
        EXPECT_NULL(CL_INVALID_VALUE, clCreateBuffer(context, IMMUTABLE | CL_MEM_COPY_HOST_PTR | bad[i], sizeof words, words, &err));
        EXPECT_NULL(CL_INVALID_VALUE, clCreateImage(context, IMMUTABLE | CL_MEM_COPY_HOST_PTR | bad[i], &RGBA8, &desc, words, &err));
    }
    cl_mem whole = clCreateBuffer(context, IMMUTABLE | CL_MEM_COPY_HOST_PTR, sizeof words, words, &err);
    NEED(whole);
    cl_mem_flags flags;
    OK(clGetMemObjectInfo(whole, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    EXPECT(IMMUTABLE | CL_MEM_COPY_HOST_PTR, flags);
    cl_buffer_region part = {0, sizeof words};
    for (int i = 0; i < 3; i++)
        EXPECT_NULL(CL_INVALID_VALUE, clCreateSubBuffer(whole, bad[i], CL_BUFFER_CREATE_TYPE_REGION, &part, &err));
    cl_mem sub = clCreateSubBuffer(whole, CL_MEM_READ_ONLY, CL_BUFFER_CREATE_TYPE_REGION, &part, &err);
    NEED(sub);
    OK(clGetMemObjectInfo(sub, CL_MEM_FLAGS, sizeof flags, &flags, NULL));
    TRUE(flags & IMMUTABLE);
    desc.mem_object = whole;
    EXPECT_NULL(CL_INVALID_VALUE, clCreateImage(context, CL_MEM_READ_ONLY, &RGBA8, &desc, NULL, &err));
    cl_mem image = clCreateImage(context, IMMUTABLE, &RGBA8, &desc, NULL, &err);
    NEED(image && err == CL_SUCCESS);
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(sub));
    OK(clReleaseMemObject(whole));
    cl_uint count;
    OK(clGetSupportedImageFormats(context, IMMUTABLE, CL_MEM_OBJECT_IMAGE2D, 0, NULL, &count));
    TRUE(count > 0);
}

static void used(cl_program program) {
    cl_int err;
    cl_uint words[W * H], got[W * H], one = 1, color[4] = {0};
    for (cl_uint i = 0; i < W * H; i++) words[i] = 0x01010101 * i;
    const size_t origin[3] = {0}, region[3] = {W, H, 1}, rect[3] = {4 * W, H, 1}, items = W * H;
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
    const cl_mem_flags flags = IMMUTABLE | CL_MEM_COPY_HOST_PTR;
    cl_mem buffer = clCreateBuffer(context, flags, sizeof words, words, &err), other = check_buffer(context, 0, sizeof words);
    cl_mem image = clCreateImage(context, flags, &RGBA8, &desc, words, &err);
    cl_mem target = clCreateImage(context, 0, &RGBA8, &desc, NULL, &err);
    NEED(buffer && image && target);
    /* Nothing writes them. */
    EXPECT(CL_INVALID_OPERATION, clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, 4, words, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION,
           clEnqueueWriteBufferRect(queue, buffer, CL_TRUE, origin, origin, rect, 0, 0, 0, 0, words, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueFillBuffer(queue, buffer, &one, 4, 0, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueCopyBuffer(queue, other, buffer, 0, 0, 4, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueCopyBufferRect(queue, other, buffer, origin, origin, rect, 0, 0, 0, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueCopyImageToBuffer(queue, target, buffer, origin, region, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueWriteImage(queue, image, CL_TRUE, origin, region, 0, 0, words, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueFillImage(queue, image, color, origin, region, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueCopyImage(queue, target, image, origin, origin, region, 0, NULL, NULL));
    EXPECT(CL_INVALID_OPERATION, clEnqueueCopyBufferToImage(queue, other, image, 0, origin, region, 0, NULL, NULL));
    size_t pitch;
    for (cl_map_flags map = CL_MAP_WRITE; map <= CL_MAP_WRITE_INVALIDATE_REGION; map <<= 1) {
        EXPECT_NULL(CL_INVALID_OPERATION, clEnqueueMapBuffer(queue, buffer, CL_TRUE, map, 0, 4, 0, NULL, NULL, &err));
        EXPECT_NULL(CL_INVALID_OPERATION,
                    clEnqueueMapImage(queue, image, CL_TRUE, map, origin, region, &pitch, NULL, 0, NULL, NULL, &err));
    }
    cl_kernel writes = check_kernel(program, "", "writes"), reads = check_kernel(program, "", "reads");
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(writes, 0, sizeof image, &image));
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(reads, 2, sizeof buffer, &buffer));
    /* They are read like others. */
    OK(clSetKernelArg(reads, 0, sizeof image, &image));
    OK(clSetKernelArg(reads, 1, sizeof buffer, &buffer));
    OK(clSetKernelArg(reads, 2, sizeof other, &other));
    OK(clEnqueueNDRangeKernel(queue, reads, 1, NULL, &items, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, other, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (cl_uint i = 0; i < W * H; i++) EXPECT(words[i] + i, got[i]);
    OK(clEnqueueCopyBuffer(queue, buffer, other, 0, 0, sizeof words, 0, NULL, NULL));
    OK(clEnqueueCopyImage(queue, image, target, origin, origin, region, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, other, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    EXPECT(0, memcmp(got, words, sizeof got));
    OK(clEnqueueReadImage(queue, target, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
    EXPECT(0, memcmp(got, words, sizeof got));
    cl_uint *mapped = clEnqueueMapBuffer(queue, buffer, CL_TRUE, CL_MAP_READ, 0, sizeof words, 0, NULL, NULL, &err);
    NEED(mapped && !memcmp(mapped, words, sizeof words));
    OK(clEnqueueUnmapMemObject(queue, buffer, mapped, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(writes));
    OK(clReleaseKernel(reads));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(other));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(target));
}

int main(void) {
    static const char *source =
        "kernel void writes(write_only image2d_t i) { write_imageui(i, (int2)(0), (uint4)(1)); }\n"
        "kernel void reads(read_only image2d_t i, global const uint *p, global uint *out) {\n"
        "    size_t at = get_global_id(0);\n"
        "    out[at] = p[at] + read_imageui(i, (int2)(at % 8, at / 8)).x;\n"
        "}\n";
    cl_int err;
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program && clBuildProgram(program, 1, &device, NULL, NULL, NULL) == CL_SUCCESS);
    created();
    used(program);
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
