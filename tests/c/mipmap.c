/* Mipmapped images (cl_khr_mipmap_image and its writes): creation, commands on levels, reads with a level of
   detail or gradients, writes. A texel of level l at (x, y, z) is 1000 l + 100 z + 10 y + x. */
#include "check.h"
#include <float.h>
#include <math.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

enum { W = 11, H = 6, D = 4, LAYERS = 3, LEVELS = 3, MOST = W * H * D };

static const char *const SOURCE =
    "#ifndef cl_khr_mipmap_image\n#error no macro\n#endif\n"
    "#ifndef cl_khr_mipmap_image_writes\n#error no macro\n#endif\n"
    /* Coordinates are centres of texels of a level. */
    "#define AT int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2);             \\\n"
    "    float u = (x + 0.5f) / get_global_size(0), v = (y + 0.5f) / get_global_size(1),          \\\n"
    "          w = (z + 0.5f) / get_global_size(2);                                               \\\n"
    "    size_t i = (z * get_global_size(1) + y) * get_global_size(0) + x\n"
    "#define BOTH(name, type, c, k, g)                                                            \\\n"
    "kernel void read_##name(read_only type in, sampler_t s, float lod, global float *out) {      \\\n"
    "    AT; out[i] = read_imagef(in, s, c, lod).x; }                                             \\\n"
    "kernel void slope_##name(read_only type in, sampler_t s, float lod, global float *out) {     \\\n"
    "    AT; float d = exp2(lod); out[i] = read_imagef(in, s, c, g / get_image_width(in), 0 * g).x; } \\\n"
    "kernel void write_##name(write_only type to, float lod, int levels) {                        \\\n"
    "    AT; if (get_image_num_mip_levels(to) == levels)                                          \\\n"
    "        write_imagef(to, k, (int)lod, (float4)(1000 * lod + 100 * z + 10 * y + x)); }\n"
    "BOTH(1d, image1d_t, u, x, d)\n"
    "BOTH(1d_array, image1d_array_t, (float2)(u, y), (int2)(x, y), d)\n"
    "BOTH(2d, image2d_t, (float2)(u, v), (int2)(x, y), (float2)(d, 0))\n"
    "BOTH(2d_array, image2d_array_t, (float4)(u, v, z, 0), (int4)(x, y, z, 0), (float2)(d, 0))\n"
    "BOTH(3d, image3d_t, (float4)(u, v, w, 0), (int4)(x, y, z, 0), (float4)(d, 0, 0, 0))\n"
    "kernel void integers(read_only image2d_t in, sampler_t s, global uint4 *out) {\n"
    "    out[0] = read_imageui(in, s, (float2)(0.5f), 1.0f); out[1] = read_imageui(in, s, (float2)(0.5f)); }\n";

static const struct kind {
    const char *name;
    cl_mem_object_type type;
    int dims, level; /* where in an origin the level is */
} KINDS[] = {
    {"1d", CL_MEM_OBJECT_IMAGE1D, 1, 1},
    {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, 2},
    {"2d", CL_MEM_OBJECT_IMAGE2D, 2, 2},
    {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, 3},
    {"3d", CL_MEM_OBJECT_IMAGE3D, 3, 3},
};

static cl_image_desc desc_of(const struct kind *kind, cl_uint levels) {
    cl_image_desc desc = {0};
    desc.image_type = kind->type;
    desc.image_width = W, desc.image_height = H, desc.image_depth = D, desc.image_array_size = LAYERS;
    desc.num_mip_levels = levels;
    return desc;
}

/* The box that a level is. */
static void size_of(const struct kind *kind, int level, size_t *size) {
    const size_t sizes[3] = {W, H, D};
    for (int d = 0; d < 3; d++) size[d] = d < kind->dims ? (sizes[d] >> level ? sizes[d] >> level : 1) : 1;
    if (kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY) size[1] = LAYERS;
    if (kind->type == CL_MEM_OBJECT_IMAGE2D_ARRAY) size[2] = LAYERS;
}

static float texel(int level, const size_t *size, size_t i) {
    return 1000.0f * level + 100 * (i / (size[0] * size[1])) + 10 * (i / size[0] % size[1]) + i % size[0];
}

static cl_sampler sampler_of(cl_filter_mode filter, cl_filter_mode mip, float least, float largest) {
    cl_uint bits[2];
    memcpy(&bits[0], &least, 4), memcpy(&bits[1], &largest, 4);
    const cl_sampler_properties list[] = {CL_SAMPLER_NORMALIZED_COORDS, CL_TRUE,
        CL_SAMPLER_ADDRESSING_MODE, CL_ADDRESS_CLAMP_TO_EDGE, CL_SAMPLER_FILTER_MODE, filter,
        CL_SAMPLER_MIP_FILTER_MODE_KHR, mip, CL_SAMPLER_LOD_MIN_KHR, bits[0], CL_SAMPLER_LOD_MAX_KHR, bits[1], 0};
    cl_int err;
    cl_sampler sampler = clCreateSamplerWithProperties(context, list, &err);
    NEED(sampler && err == CL_SUCCESS);
    cl_float value;
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_LOD_MIN_KHR, sizeof value, &value, NULL));
    TRUE(value == least);
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_LOD_MAX_KHR, sizeof value, &value, NULL));
    TRUE(value == largest);
    cl_filter_mode got;
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_MIP_FILTER_MODE_KHR, sizeof got, &got, NULL));
    EXPECT(mip, got);
    return sampler;
}

/* Every level holds what it should. */
static void same(cl_mem image, const struct kind *kind, int line) {
    float got[MOST];
    for (int level = 0; level < LEVELS; level++) {
        size_t origin[4] = {0}, size[3];
        origin[kind->level] = level;
        size_of(kind, level, size);
        OK(clEnqueueReadImage(queue, image, CL_TRUE, origin, size, 0, 0, got, 0, NULL, NULL));
        for (size_t i = 0; i < size[0] * size[1] * size[2]; i++)
            if (got[i] != texel(level, size, i)) {
                printf("line %d: %s, level %d, texel %zu is %g\n", line, kind->name, level, i, got[i]);
                check_failures++;
                return;
            }
    }
}

static void commands(const struct kind *kind) {
    const cl_image_format format = {CL_R, CL_FLOAT};
    const cl_image_desc desc = desc_of(kind, LEVELS);
    cl_int err;
    float host[MOST];
    cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &err), other;
    NEED(image && err == CL_SUCCESS);
    cl_uint levels;
    OK(clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof levels, &levels, NULL));
    EXPECT(LEVELS, levels);
    other = clCreateImage(context, 0, &format, &desc, NULL, &err);
    cl_mem buffer = check_buffer(context, 0, sizeof host);
    for (int level = 0; level < LEVELS; level++) {
        size_t origin[4] = {0}, size[3];
        origin[kind->level] = level;
        size_of(kind, level, size);
        size_t count = size[0] * size[1] * size[2];
        for (size_t i = 0; i < count; i++) host[i] = texel(level, size, i);
        OK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, size, 0, 0, host, 0, NULL, NULL));
        /* By way of a buffer, then filled and written through a mapping. */
        OK(clEnqueueCopyImageToBuffer(queue, image, buffer, origin, size, 0, 0, NULL, NULL));
        OK(clEnqueueCopyBufferToImage(queue, buffer, other, 0, origin, size, 0, NULL, NULL));
        /* One texel too wide. */
        size[0]++;
        EXPECT(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, CL_TRUE, origin, size, 0, 0, host, 0, NULL, NULL));
        size[0]--;
        if (level == 0) continue;
        const float color[4] = {-1};
        OK(clEnqueueFillImage(queue, image, color, origin, size, 0, NULL, NULL));
        size_t row, slice = 0;
        char *p = clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, origin, size, &row, &slice,
                                    0, NULL, NULL, &err);
        NEED(p && err == CL_SUCCESS);
        for (size_t i = 0; i < count; i++) {
            size_t y = i / size[0] % size[1], z = i / (size[0] * size[1]);
            size_t rows = kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? slice : row;
            float *at = (float *)(p + z * slice + y * rows) + i % size[0];
            TRUE(*at == -1);
            *at = texel(level, size, i);
        }
        OK(clEnqueueUnmapMemObject(queue, image, p, 0, NULL, NULL));
    }
    same(image, kind, __LINE__);
    same(other, kind, __LINE__);
    /* Level 1 of one is level 1 of the other; between levels of one image. */
    size_t from[4] = {0}, to[4] = {0}, size[3];
    size_of(kind, 1, size);
    from[kind->level] = 1;
    OK(clEnqueueFillImage(queue, other, (const float[4]){7}, from, size, 0, NULL, NULL));
    OK(clEnqueueCopyImage(queue, image, other, from, from, size, 0, NULL, NULL));
    same(other, kind, __LINE__);
    OK(clEnqueueCopyImage(queue, image, image, from, to, size, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, image, CL_TRUE, to, size, 0, 0, host, 0, NULL, NULL));
    for (size_t i = 0; i < size[0] * size[1] * size[2]; i++) TRUE(host[i] == texel(1, size, i));
    from[kind->level] = LEVELS;
    EXPECT(CL_INVALID_MIP_LEVEL, clEnqueueReadImage(queue, image, CL_TRUE, from, size, 0, 0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_MIP_LEVEL, clEnqueueWriteImage(queue, image, CL_TRUE, from, size, 0, 0, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_MIP_LEVEL, clEnqueueFillImage(queue, image, (const float[4]){7}, from, size, 0, NULL, NULL));
    EXPECT(CL_INVALID_MIP_LEVEL, clEnqueueCopyImageToBuffer(queue, image, buffer, from, size, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_MIP_LEVEL, clEnqueueCopyBufferToImage(queue, buffer, image, 0, from, size, 0, NULL, NULL));
    EXPECT(CL_INVALID_MIP_LEVEL, clEnqueueCopyImage(queue, image, image, from, to, size, 0, NULL, NULL));
    EXPECT(CL_INVALID_MIP_LEVEL, clEnqueueCopyImage(queue, image, image, to, from, size, 0, NULL, NULL));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(other));
    OK(clReleaseMemObject(image));
}

static void read(cl_kernel kernel, cl_sampler sampler, float lod, const size_t *size, cl_mem to, float *got) {
    OK(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
    OK(clSetKernelArg(kernel, 2, sizeof lod, &lod));
    OK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, size, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, MOST * sizeof *got, got, 0, NULL, NULL));
}

static void kernels(const struct kind *kind) {
    const cl_image_format format = {CL_R, CL_FLOAT};
    const cl_image_desc desc = desc_of(kind, LEVELS);
    const cl_int levels = LEVELS;
    cl_int err;
    float got[MOST];
    cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &err), to = check_buffer(context, 0, sizeof got);
    NEED(image && err == CL_SUCCESS);
    cl_kernel write = check_kernel(program, "write_", kind->name);
    OK(clSetKernelArg(write, 0, sizeof image, &image));
    OK(clSetKernelArg(write, 2, sizeof levels, &levels));
    for (int level = 0; level < LEVELS; level++) {
        size_t size[3];
        const float lod = level;
        size_of(kind, level, size);
        OK(clSetKernelArg(write, 1, sizeof lod, &lod));
        OK(clEnqueueNDRangeKernel(queue, write, 3, NULL, size, NULL, 0, NULL, NULL));
    }
    same(image, kind, __LINE__);
    cl_sampler near = sampler_of(CL_FILTER_NEAREST, CL_FILTER_NEAREST, 0, FLT_MAX);
    cl_sampler linear = sampler_of(CL_FILTER_LINEAR, CL_FILTER_NEAREST, 0, FLT_MAX);
    cl_sampler limited = sampler_of(CL_FILTER_NEAREST, CL_FILTER_NEAREST, 1, 1);
    cl_sampler blended = sampler_of(CL_FILTER_NEAREST, CL_FILTER_LINEAR, 0, FLT_MAX);
    for (int slope = 0; slope < 2; slope++) {
        cl_kernel kernel = check_kernel(program, slope ? "slope_" : "read_", kind->name);
        OK(clSetKernelArg(kernel, 0, sizeof image, &image));
        OK(clSetKernelArg(kernel, 3, sizeof to, &to));
        for (int level = 0; level < LEVELS; level++) {
            size_t size[3], count;
            size_of(kind, level, size);
            count = size[0] * size[1] * size[2];
            /* A little off, beyond the last, and limited by the sampler. */
            read(kernel, near, level + 0.3f, size, to, got);
            for (size_t i = 0; i < count; i++) TRUE(got[i] == texel(level, size, i));
            if (level == LEVELS - 1) {
                read(kernel, near, 9, size, to, got);
                for (size_t i = 0; i < count; i++) TRUE(got[i] == texel(level, size, i));
            }
            read(kernel, linear, level, size, to, got);
            for (size_t i = 0; i < count; i++) TRUE(fabsf(got[i] - texel(level, size, i)) < 1e-2f);
            if (level == 1) {
                for (int lod = 0; lod < 3; lod++) {
                    read(kernel, limited, lod, size, to, got);
                    for (size_t i = 0; i < count; i++) TRUE(got[i] == texel(1, size, i));
                }
            }
        }
        /* The first texel of each level, a quarter of the way from level 1 to 2. */
        const size_t one[3] = {W, H, D};
        read(kernel, blended, 1.25f, one, to, got);
        TRUE(fabsf(got[0] - 1250) < 0.1f);
        OK(clReleaseKernel(kernel));
    }
    OK(clReleaseSampler(near));
    OK(clReleaseSampler(linear));
    OK(clReleaseSampler(limited));
    OK(clReleaseSampler(blended));
    OK(clReleaseKernel(write));
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(image));
}

/* Integers, and reads without a level: of the first. */
static void integers(void) {
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = desc_of(&KINDS[2], 4);
    cl_int err;
    cl_mem image = clCreateImage(context, 0, &format, &desc, NULL, &err), to = check_buffer(context, 0, 32);
    NEED(image && err == CL_SUCCESS);
    for (size_t level = 0; level < 4; level++) {
        const cl_uint color[4] = {level + 1, 2, 3, 4};
        const size_t origin[3] = {0, 0, level}, size[3] = {W >> level, H >> level ? H >> level : 1, 1};
        OK(clEnqueueFillImage(queue, image, color, origin, size, 0, NULL, NULL));
    }
    cl_kernel kernel = check_kernel(program, "", "integers");
    cl_sampler sampler = sampler_of(CL_FILTER_NEAREST, CL_FILTER_LINEAR, 0, FLT_MAX);
    const size_t one = 1;
    cl_uint got[8];
    OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
    OK(clSetKernelArg(kernel, 2, sizeof to, &to));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    TRUE(got[0] == 2 && got[3] == 4 && got[4] == 1 && got[7] == 4);
    OK(clReleaseSampler(sampler));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(image));
}

static void wrong(void) {
    const cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8}, depth = {CL_DEPTH, CL_FLOAT};
    cl_int err;
    /* More levels than there are sizes: they have one texel. */
    cl_image_desc desc = desc_of(&KINDS[2], 6);
    cl_mem image = clCreateImage(context, 0, &rgba, &desc, NULL, &err);
    NEED(image && err == CL_SUCCESS);
    cl_image_desc view = desc_of(&KINDS[2], 0);
    view.mem_object = image;
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &view, NULL, &err));
    OK(clReleaseMemObject(image));
    desc.num_mip_levels = 100;
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &desc, NULL, &err));
    desc.num_mip_levels = 2;
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &depth, &desc, NULL, &err));
    static char host[W * H * 4 * 2];
    EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateImage(context, CL_MEM_COPY_HOST_PTR, &rgba, &desc, host, &err));
    EXPECT_NULL(CL_INVALID_HOST_PTR, clCreateImage(context, CL_MEM_USE_HOST_PTR, &rgba, &desc, host, &err));
    /* One level is no mipmap. */
    desc.num_mip_levels = 1;
    image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &rgba, &desc, host, &err);
    NEED(image && err == CL_SUCCESS);
    OK(clReleaseMemObject(image));
    cl_mem buffer = check_buffer(context, 0, 4096);
    cl_image_desc over = {0};
    over.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
    over.image_width = 64;
    over.num_mip_levels = 2;
    over.mem_object = buffer;
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &over, NULL, &err));
    over.image_type = CL_MEM_OBJECT_IMAGE2D;
    over.image_height = 2;
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &rgba, &over, NULL, &err));
    OK(clReleaseMemObject(buffer));
    const cl_sampler_properties bad[] = {CL_SAMPLER_MIP_FILTER_MODE_KHR, CL_ADDRESS_CLAMP, 0};
    EXPECT_NULL(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, bad, &err));
}

int main(void) {
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    cl_int err;
    const char *source = SOURCE;
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program);
    if (clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL) != CL_SUCCESS) {
        static char log[20000];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        printf("%s\n", log);
        return 1;
    }
    for (size_t i = 0; i < sizeof KINDS / sizeof *KINDS; i++) {
        commands(&KINDS[i]);
        kernels(&KINDS[i]);
    }
    integers();
    wrong();
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
