/* Kernels for tests/check.rs that read and write images inside and outside of them: 8 x 4 texels, 2 layers, 3 levels, 16 of a buffer. */
#include "programs.h"

static const char *kernels =
    "#define NONE CLK_ADDRESS_NONE | CLK_FILTER_NEAREST\n"
    "kernel void inside(read_only image2d_t i, write_only image2d_t o) { int2 c = (int2)(get_global_id(0) % 8, get_global_id(0) / 8);\n"
    "  write_imagef(o, c, read_imagef(i, c)); }\n"
    "kernel void clamped(read_only image2d_t i, global float4 *f) {\n"
    "  const sampler_t s = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST; f[get_global_id(0)] = read_imagef(i, s, (int2)(9, -1)); }\n"
    "kernel void behind(write_only image2d_t o) {\n"
    "  write_imagef(o, (int2)(8, 3), 1.0f); }\n"
    "float4 at(read_only image2d_t i, int y) {\n"
    "  return read_imagef(i, (int2)(7, y)); }\n"
    "kernel void before(read_only image2d_t image, global float4 *f) { *f = at(image, 3) + at(image, -1); }\n"
    "kernel void unclamped(read_only image2d_t i, global float4 *f) {\n"
    "  const sampler_t s = NONE; *f = read_imagef(i, s, (int2)(0, 4)) + read_imagef(i, s, (int2)(0, 3)); }\n"
    "kernel void place(read_only image2d_t i, global float4 *f) {\n"
    "  const sampler_t s = NONE; *f = read_imagef(i, s, (float2)(7.75f, 3.75f)) + read_imagef(i, s, (float2)(-0.5f, 9)); }\n"
    "kernel void sampled(read_only image2d_t i, sampler_t s, global float4 *f) {\n"
    "  *f = read_imagef(i, s, (float2)(0.5f, 1.5f)); }\n"
    "kernel void layers(read_only image2d_array_t i, write_only image2d_array_t o) {\n"
    "  write_imagef(o, (int4)(7, 3, 2, 0), read_imagef(i, (int4)(7, 3, 9, 0))); }\n"
    "kernel void buffer(read_only image1d_buffer_t i, global float4 *f) {\n"
    "  *f = read_imagef(i, 15) + read_imagef(i, 16); }\n"
    /* Of 8 x 4, 4 x 2 and 2 x 1 texels. */
    "kernel void levels(write_only image2d_t o) { for (int l = 0; l < 3; l++) write_imagef(o, (int2)(7 >> l, 3 >> l), l, 1.0f); }\n"
    "kernel void level(write_only image2d_t o) {\n"
    "  write_imagef(o, (int2)(4, 1), 1, 1.0f); write_imagef(o, (int2)(4, 1), 0, 1.0f); }\n"
    "kernel void no_level(write_only image2d_array_t o) {\n"
    "  write_imagef(o, (int4)(3, 1, 1, 0), 1, 1.0f); write_imagef(o, (int4)(0), 3, 1.0f); write_imagef(o, (int4)(3, 1, 2, 0), 1, 1.0f); }\n"
    "kernel void detail(read_only image2d_t i, sampler_t s, global float4 *f) {\n"
    "  *f = read_imagef(i, s, (float2)(0.9f), 7.0f) + read_imagef(i, s, (float2)(-1, 0), 1.0f)\n"
    "     + read_imagef(i, s, (float2)(0, 1), (float2)(1), (float2)(1)); }\n";

static cl_program program;

static void launch(const char *name, size_t size, int count, const void *args[]) {
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, name, &err);
    OK(err);
    for (int i = 0; i < count; i++) OK(clSetKernelArg(kernel, i, sizeof(void *), args[i]));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &size, NULL, 0, NULL, NULL));
    OK(clFinish(queue));
    OK(clReleaseKernel(kernel));
}
#define LAUNCH(name, size, ...) launch(name, size, sizeof((const void *[]){__VA_ARGS__}) / sizeof(void *), (const void *[]){__VA_ARGS__})

static cl_mem levelled(cl_mem_object_type type, size_t layers, cl_mem memory, cl_uint levels) {
    cl_int err;
    cl_image_format format = {CL_RGBA, CL_FLOAT};
    cl_image_desc desc = {.image_type = type, .image_width = memory ? 16 : 8, .image_height = memory ? 0 : 4,
                          .image_array_size = layers, .mem_object = memory, .num_mip_levels = levels};
    cl_mem made = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &err);
    OK(err);
    return made;
}

static cl_mem image(cl_mem_object_type type, size_t layers, cl_mem memory) { return levelled(type, layers, memory, 0); }

static void mipmaps(cl_mem result) {
    cl_int err;
    cl_mem plane = levelled(CL_MEM_OBJECT_IMAGE2D, 0, NULL, 3), layers = levelled(CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, NULL, 3);
    LAUNCH("levels", 1, &plane);
    LAUNCH("level", 1, &plane);
    LAUNCH("no_level", 1, &layers);
    for (int mode = CL_ADDRESS_NONE; mode <= CL_ADDRESS_CLAMP; mode++) {
        const cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE, CL_SAMPLER_ADDRESSING_MODE, mode,
            CL_SAMPLER_FILTER_MODE, CL_FILTER_NEAREST, CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_FILTER_LINEAR, 0};
        cl_sampler sampler = clCreateSamplerWithProperties(context, list, &err);
        OK(err);
        LAUNCH("detail", 1, &plane, &sampler, &result);
        OK(clReleaseSampler(sampler));
    }
    OK(clReleaseMemObject(plane));
    OK(clReleaseMemObject(layers));
}

int main(void) {
    cl_int err;
    begin();
    program = built(kernels, "");
    cl_mem from = image(CL_MEM_OBJECT_IMAGE2D, 0, NULL), to = image(CL_MEM_OBJECT_IMAGE2D, 0, NULL);
    cl_mem layers = image(CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, NULL), others = image(CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, NULL);
    cl_mem bytes = check_buffer(context, 0, 256), texels = image(CL_MEM_OBJECT_IMAGE1D_BUFFER, 0, bytes);
    cl_mem result = check_buffer(context, 0, 32 * 16);
    LAUNCH("inside", 32, &from, &to);
    LAUNCH("clamped", 32, &from, &result);
    LAUNCH("behind", 1, &to);
    LAUNCH("before", 1, &from, &result);
    LAUNCH("unclamped", 1, &from, &result);
    LAUNCH("place", 1, &from, &result);
    for (int mode = CL_ADDRESS_NONE; mode <= CL_ADDRESS_CLAMP; mode++) {
        cl_sampler sampler = clCreateSampler(context, CL_TRUE, mode, CL_FILTER_LINEAR, &err);
        OK(err);
        LAUNCH("sampled", 1, &from, &sampler, &result);
        OK(clReleaseSampler(sampler));
    }
    LAUNCH("layers", 1, &layers, &others);
    LAUNCH("buffer", 1, &texels, &result);
    mipmaps(result);
    cl_mem all[] = {from, to, layers, others, texels, bytes, result};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) OK(clReleaseMemObject(all[i]));
    OK(clReleaseProgram(program));
    end();
    END;
}
