/* What kernels read of images: every value of a channel, every kind of image, and as many images as a
   kernel may have. Expected values are by the specification's formulas. */
#include "check.h"
#include <math.h>

#ifndef CL_UNORM_INT_2_101010_EXT
#define CL_UNORM_INT_2_101010_EXT 0x10E5
#endif
#ifndef CL_UNORM_INT10X6_EXT
#define CL_UNORM_INT10X6_EXT 0x10E1
#endif
#ifndef CL_UNSIGNED_INT10X6_EXT
#define CL_UNSIGNED_INT10X6_EXT 0x10E6
#define CL_UNSIGNED_INT12X4_EXT 0x10E7
#define CL_UNSIGNED_INT14X2_EXT 0x10E8
#define CL_UNORM_INT12X4_EXT 0x10E9
#define CL_UNORM_INT14X2_EXT 0x10EA
#endif

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static cl_program build(const char *source) {
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program && clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS);
    return program;
}

static cl_mem make(cl_mem_flags flags, cl_image_format format, cl_image_desc desc, void *host) {
    cl_int err;
    cl_mem image = clCreateImage(context, flags, &format, &desc, host, &err);
    NEED(image && err == CL_SUCCESS);
    return image;
}

/* Runs a kernel over (w, h, d) and reads `size` bytes that it has written. */
static void launch(cl_kernel kernel, size_t w, size_t h, size_t d, cl_mem from, void *to, size_t size) {
    const size_t range[3] = {w, h, d};
    OK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, range, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, from, CL_TRUE, 0, size, to, 0, NULL, NULL));
}

static double half(unsigned h) {
    int e = (h >> 10) & 31, m = h & 1023;
    double v = e == 31 ? (m ? NAN : INFINITY) : e ? ldexp(1024 + m, e - 25) : ldexp(m, -24);
    return h >> 15 ? -v : v;
}

enum { SIDE = 256, COUNT = SIDE * SIDE };

/* The channel types, and a channel's number by its bits, which are above `low` others. */
static const struct channel {
    cl_channel_type type;
    unsigned bits;
    char kind; /* u and s normalised, U and S integers, f floating point */
    unsigned low;
} CHANNELS[] = {
    {CL_UNORM_INT8, 8, 'u', 0}, {CL_UNORM_INT16, 16, 'u', 0}, {CL_SNORM_INT8, 8, 's', 0},
    {CL_SNORM_INT16, 16, 's', 0}, {CL_UNSIGNED_INT8, 8, 'U', 0}, {CL_UNSIGNED_INT16, 16, 'U', 0},
    {CL_UNSIGNED_INT32, 32, 'U', 0}, {CL_SIGNED_INT8, 8, 'S', 0}, {CL_SIGNED_INT16, 16, 'S', 0},
    {CL_SIGNED_INT32, 32, 'S', 0}, {CL_HALF_FLOAT, 16, 'f', 0}, {CL_FLOAT, 32, 'f', 0},
    {CL_UNORM_INT10X6_EXT, 10, 'u', 6}, {CL_UNORM_INT12X4_EXT, 12, 'u', 4}, {CL_UNORM_INT14X2_EXT, 14, 'u', 2},
    {CL_UNSIGNED_INT10X6_EXT, 10, 'U', 6}, {CL_UNSIGNED_INT12X4_EXT, 12, 'U', 4},
    {CL_UNSIGNED_INT14X2_EXT, 14, 'U', 2},
};

static double number(const struct channel *c, unsigned raw) {
    raw >>= c->low;
    int n = (int)(raw << (32 - c->bits)) >> (32 - c->bits);
    unsigned largest = (1u << (c->bits - (c->kind == 's'))) - 1;
    float f;
    switch (c->kind) {
    case 'u': return raw / (double)largest;
    case 's': return fmax(n / (double)largest, -1.0);
    case 'U': return raw;
    case 'S': return n;
    }
    if (c->bits == 16) return half(raw);
    memcpy(&f, &raw, 4);
    return f;
}

/* Normalised values are within 1.5 ulp, and exact at 0 and the ends; all else is exact. */
static int is_read(const struct channel *c, const void *got, unsigned raw) {
    double want = number(c, raw), v = *(const float *)got;
    if (c->kind == 'U') v = *(const cl_uint *)got;
    if (c->kind == 'S') v = *(const cl_int *)got;
    if (isnan(want)) return isnan(v);
    if (c->kind == 'u' || c->kind == 's') {
        double ulp = ldexp(1.0, ilogb(want) - 23);
        return want == 0 || fabs(want) == 1 ? v == want : fabs(v - want) <= 1.5 * ulp;
    }
    return v == want;
}

static void conversions(void) {
    static const char source[] =
        "constant sampler_t clamped = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
        "#define READ(S, V)                                                                  \\\n"
        "kernel void bare_##S(read_only image2d_t in, global V *out) {                       \\\n"
        "    int x = get_global_id(0), y = get_global_id(1);                                 \\\n"
        "    out[y * 256 + x] = read_image##S(in, (int2)(x, y)); }                           \\\n"
        "kernel void with_##S(read_only image2d_t in, global V *out) {                       \\\n"
        "    int x = get_global_id(0), y = get_global_id(1);                                 \\\n"
        "    out[y * 256 + x] = read_image##S(in, clamped, (int2)(x, y)); }\n"
        "READ(f, float4) READ(i, int4) READ(ui, uint4)\n";
    static const cl_channel_order orders[] = {CL_R, CL_RG, CL_RGBA};
    static cl_uint out[COUNT * 4];
    cl_program program = build(source);
    cl_mem to = check_buffer(context, 0, sizeof out);
    for (size_t t = 0; t < sizeof CHANNELS / sizeof *CHANNELS; t++)
        for (unsigned o = 0; o < 3; o++) {
            const struct channel *c = &CHANNELS[t];
            unsigned n = 1u << o, size = (c->bits + c->low) / 8;
            unsigned char *texels = malloc(COUNT * n * size);
            for (unsigned i = 0; i < COUNT * n; i++) {
                /* Of 32 bits any; of others all, in each channel. */
                unsigned v = c->bits == 32 ? i * 2654435761u : (i >> o) * (2 * (i % n) + 1) + i % n * 77;
                memcpy(texels + i * size, &v, size);
            }
            cl_image_desc desc = {0};
            desc.image_type = CL_MEM_OBJECT_IMAGE2D;
            desc.image_width = desc.image_height = SIDE;
            cl_image_format format = {orders[o], c->type};
            cl_mem image = make(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format, desc, texels);
            for (int with = 0; with < 2; with++) {
                char name[16];
                const char *suffix = c->kind == 'U' ? "ui" : c->kind == 'S' ? "i" : "f";
                sprintf(name, "%s_%s", with ? "with" : "bare", suffix);
                cl_kernel kernel = check_kernel(program, "", name);
                OK(clSetKernelArg(kernel, 0, sizeof image, &image));
                OK(clSetKernelArg(kernel, 1, sizeof to, &to));
                launch(kernel, SIDE, SIDE, 1, to, out, sizeof out);
                int wrong = 0;
                for (unsigned i = 0; i < COUNT && !wrong; i++)
                    for (unsigned j = 0; j < n; j++) {
                        unsigned raw = 0;
                        memcpy(&raw, texels + (i * n + j) * size, size);
                        wrong += !is_read(c, &out[i * 4 + j], raw);
                        if (wrong) printf("%s %x: %x gives %x\n", name, c->type, raw, out[i * 4 + j]);
                        if (wrong) break;
                    }
                check_failures += wrong;
                OK(clReleaseKernel(kernel));
            }
            OK(clReleaseMemObject(image));
            free(texels);
        }
    OK(clReleaseMemObject(to));
    OK(clReleaseProgram(program));
}

/* The formats of cl_ext_image_unorm_int_2_101010 and cl_ext_image_unsigned_10x6_12x4_14x2: what a kernel asks, filters
   and writes, and what fills store. Two texels of four channels. */
static void wide_formats(void) {
    static const char source[] =
        "#if !defined(__opencl_c_ext_image_unorm_int_2_101010) || !defined(cl_ext_image_unorm_int_2_101010)\n"
        "#error 2_101010\n"
        "#endif\n"
        "#if !defined(__opencl_c_ext_image_unsigned_10x6_12x4_14x2) || !defined(cl_ext_image_unsigned_10x6_12x4_14x2)\n"
        "#error 10x6\n"
        "#endif\n"
        "constant int types[] = {CLK_UNORM_INT_2_101010_EXT, CLK_UNORM_INT10X6_EXT, CLK_UNORM_INT12X4_EXT,\n"
        "    CLK_UNORM_INT14X2_EXT, CLK_UNSIGNED_INT10X6_EXT, CLK_UNSIGNED_INT12X4_EXT, CLK_UNSIGNED_INT14X2_EXT};\n"
        "constant sampler_t filtered = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;\n"
        "kernel void real(read_only image2d_t in, write_only image2d_t to, int row, global float4 *out) {\n"
        "    out[0] = read_imagef(in, filtered, (float2)(0.5f, 0.5f));\n"
        "    out[1] = read_imagef(in, filtered, (float2)(1, 0.5f));\n"
        "    out[2] = (float4)(get_image_channel_data_type(in) == types[row], get_image_channel_order(in), 0, 0);\n"
        "    write_imagef(to, (int2)(0, 0), (float4)(0.2f, 1.5f, 0.6f, 1.0f / 3));\n"
        "    write_imagef(to, (int2)(1, 0), read_imagef(in, (int2)(1, 0))); }\n"
        "kernel void whole(read_only image2d_t in, write_only image2d_t to, int row, global uint4 *out) {\n"
        "    out[0] = read_imageui(in, filtered, (int2)(0, 0));\n"
        "    out[2] = (uint4)(get_image_channel_data_type(in) == types[row], get_image_channel_order(in), 0, 0);\n"
        "    write_imageui(to, (int2)(0, 0), (uint4)(3, 70000, 1023, 0xffffffff));\n"
        "    write_imageui(to, (int2)(1, 0), read_imageui(in, (int2)(1, 0))); }\n";
    static const struct {
        cl_image_format format;
        unsigned size;
        unsigned char in[16];
        double first[4], mean[4];      /* as numbers of the last place */
        unsigned char written[16];     /* of (0.2, 1.5, 0.6, 1/3) or (3, 70000, 1023, 2^32 - 1), then `in`'s second */
        double scale[4];
    } rows[] = {
        /* a << 30 | b << 20 | g << 10 | r: (5, 6, 7, 1), (1023, 8, 9, 3) */
        {{CL_ABGR, CL_UNORM_INT_2_101010_EXT}, 4, {0x05, 0x18, 0x70, 0x40, 0xff, 0x23, 0x90, 0xc0},
         {5, 6, 7, 1}, {514, 7, 8, 2}, {0xcd, 0xfc, 0x6f, 0x66, 0xff, 0x23, 0x90, 0xc0}, {1023, 1023, 1023, 3}},
        /* (5, 6, 7, 1), (1023, 8, 9, 3), shifted by 6 */
        {{CL_RGBA, CL_UNORM_INT10X6_EXT}, 8,
         {0x40, 0x01, 0x80, 0x01, 0xc0, 0x01, 0x40, 0x00, 0xc0, 0xff, 0x00, 0x02, 0x40, 0x02, 0xc0, 0x00},
         {5, 6, 7, 1}, {514, 7, 8, 2},
         {0x40, 0x33, 0xc0, 0xff, 0x80, 0x99, 0x40, 0x55, 0xc0, 0xff, 0x00, 0x02, 0x40, 0x02, 0xc0, 0x00},
         {1023, 1023, 1023, 1023}},
        /* by 4 */
        {{CL_RGBA, CL_UNORM_INT12X4_EXT}, 8,
         {0x50, 0x00, 0x60, 0x00, 0x70, 0x00, 0x10, 0x00, 0xf0, 0x3f, 0x80, 0x00, 0x90, 0x00, 0x30, 0x00},
         {5, 6, 7, 1}, {514, 7, 8, 2},
         {0x30, 0x33, 0xf0, 0xff, 0x90, 0x99, 0x50, 0x55, 0xf0, 0x3f, 0x80, 0x00, 0x90, 0x00, 0x30, 0x00},
         {4095, 4095, 4095, 4095}},
        /* by 2 */
        {{CL_RGBA, CL_UNORM_INT14X2_EXT}, 8,
         {0x14, 0x00, 0x18, 0x00, 0x1c, 0x00, 0x04, 0x00, 0xfc, 0x0f, 0x20, 0x00, 0x24, 0x00, 0x0c, 0x00},
         {5, 6, 7, 1}, {514, 7, 8, 2},
         {0x34, 0x33, 0xfc, 0xff, 0x98, 0x99, 0x54, 0x55, 0xfc, 0x0f, 0x20, 0x00, 0x24, 0x00, 0x0c, 0x00},
         {16383, 16383, 16383, 16383}},
        {{CL_RGBA, CL_UNSIGNED_INT10X6_EXT}, 8,
         {0x40, 0x01, 0x80, 0x01, 0xc0, 0x01, 0x40, 0x00, 0xc0, 0xff, 0x00, 0x02, 0x40, 0x02, 0xc0, 0x00},
         {5, 6, 7, 1}, {0},
         {0xc0, 0x00, 0xc0, 0xff, 0xc0, 0xff, 0xc0, 0xff, 0xc0, 0xff, 0x00, 0x02, 0x40, 0x02, 0xc0, 0x00}, {0}},
        {{CL_RGBA, CL_UNSIGNED_INT12X4_EXT}, 8,
         {0x50, 0x00, 0x60, 0x00, 0x70, 0x00, 0x10, 0x00, 0xf0, 0x3f, 0x80, 0x00, 0x90, 0x00, 0x30, 0x00},
         {5, 6, 7, 1}, {0},
         {0x30, 0x00, 0xf0, 0xff, 0xf0, 0x3f, 0xf0, 0xff, 0xf0, 0x3f, 0x80, 0x00, 0x90, 0x00, 0x30, 0x00}, {0}},
        {{CL_RGBA, CL_UNSIGNED_INT14X2_EXT}, 8,
         {0x14, 0x00, 0x18, 0x00, 0x1c, 0x00, 0x04, 0x00, 0xfc, 0x0f, 0x20, 0x00, 0x24, 0x00, 0x0c, 0x00},
         {5, 6, 7, 1}, {0},
         {0x0c, 0x00, 0xfc, 0xff, 0xfc, 0x0f, 0xfc, 0xff, 0xfc, 0x0f, 0x20, 0x00, 0x24, 0x00, 0x0c, 0x00}, {0}},
    };
    static const float color[4] = {0.2f, 1.5f, 0.6f, 1.0f / 3};
    static const cl_uint numbers[4] = {3, 70000, 1023, 0xffffffff};
    const size_t zero[3] = {0}, one[3] = {1, 1, 1}, two[3] = {2, 1, 1};
    cl_program program = build(source);
    union { float f[3][4]; cl_uint u[3][4]; } out;
    cl_mem to = check_buffer(context, 0, sizeof out);
    for (int r = 0; r < (int)(sizeof rows / sizeof *rows); r++) {
        int is_real = rows[r].scale[0] != 0;
        cl_image_desc desc = {0};
        desc.image_type = CL_MEM_OBJECT_IMAGE2D;
        desc.image_width = 2, desc.image_height = 1;
        unsigned char bytes[16];
        memcpy(bytes, rows[r].in, sizeof bytes);
        cl_mem in = make(CL_MEM_COPY_HOST_PTR, rows[r].format, desc, bytes);
        cl_mem written = make(0, rows[r].format, desc, NULL);
        size_t element;
        OK(clGetImageInfo(in, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL));
        EXPECT(rows[r].size, element);
        cl_kernel kernel = check_kernel(program, "", is_real ? "real" : "whole");
        OK(clSetKernelArg(kernel, 0, sizeof in, &in));
        OK(clSetKernelArg(kernel, 1, sizeof written, &written));
        OK(clSetKernelArg(kernel, 2, sizeof r, &r));
        OK(clSetKernelArg(kernel, 3, sizeof to, &to));
        launch(kernel, 1, 1, 1, to, &out, sizeof out);
        for (int i = 0; i < 4; i++) {
            if (is_real) {
                double s = rows[r].scale[i];
                TRUE(fabs(out.f[0][i] * s - rows[r].first[i]) < 1e-3 && fabs(out.f[1][i] * s - rows[r].mean[i]) < 1e-3);
            } else {
                EXPECT((cl_uint)rows[r].first[i], out.u[0][i]);
            }
        }
        EXPECT(1, is_real ? (int)out.f[2][0] : (int)out.u[2][0]);
        EXPECT(rows[r].format.image_channel_order, is_real ? (cl_uint)out.f[2][1] : out.u[2][1]);
        for (int fill = 0; fill < 2; fill++) {
            unsigned char got[16] = {0};
            /* Of the first texel other bits before it. */
            if (fill) OK(clEnqueueCopyImage(queue, in, written, zero, zero, one, 0, NULL, NULL));
            if (fill) OK(clEnqueueFillImage(queue, written, is_real ? (const void *)color : numbers, zero, one, 0, NULL, NULL));
            OK(clEnqueueReadImage(queue, written, CL_TRUE, zero, two, 0, 0, got, 0, NULL, NULL));
            if (memcmp(got, rows[r].written, 2 * rows[r].size) != 0) {
                printf("type %x, %s:", rows[r].format.image_channel_data_type, fill ? "filled" : "written");
                for (unsigned b = 0; b < 2 * rows[r].size; b++) printf(" %02x", got[b]);
                printf("\n");
                check_failures++;
            }
        }
        OK(clReleaseKernel(kernel));
        OK(clReleaseMemObject(written));
        OK(clReleaseMemObject(in));
    }
    OK(clReleaseMemObject(to));
    OK(clReleaseProgram(program));
}

/* Kinds of images with more than a plane, and depth: the samples of a grid of coordinates. */
enum { W = 5, H = 4, D = 3, LAYERS = 3 };
static float stored[D][H][W];

static double texel(int x, int y, int z) {
    return x < 0 || x >= W || y < 0 || y >= H || z < 0 || z >= D ? 0.0 : stored[z][y][x];
}

/* A sample at unnormalised coordinates with a border of 0, filtered in the first `dims` directions. */
static double sample(int linear, int dims, const double *at) {
    double sum = 0;
    int first[3];
    double weight[3];
    for (int d = 0; d < 3; d++) {
        double u = d < dims && linear ? at[d] - 0.5 : at[d];
        first[d] = (int)floor(u);
        weight[d] = d < dims && linear ? u - floor(u) : 0;
    }
    for (int k = 0; k < 8; k++) {
        double w = 1;
        int i[3];
        for (int d = 0; d < 3; d++) {
            i[d] = first[d] + (k >> d & 1);
            w *= k >> d & 1 ? weight[d] : 1 - weight[d];
        }
        if (w) sum += w * texel(i[0], i[1], i[2]);
    }
    return sum;
}

static void kinds(void) {
    static const char source[] =
        "#define AT(i) float x = 0.25f * get_global_id(0) - 1, y = 0.25f * get_global_id(1) - 1;   \\\n"
        "    int z = get_global_id(2);                                                             \\\n"
        "    size_t i = (z * get_global_size(1) + get_global_id(1)) * get_global_size(0) + get_global_id(0)\n"
        "kernel void in_1d_array(read_only image1d_array_t in, sampler_t s, global float *out) {\n"
        "    AT(i); out[i] = read_imagef(in, s, (float2)(x, z)).x; }\n"
        "kernel void in_2d_array(read_only image2d_array_t in, sampler_t s, global float *out) {\n"
        "    AT(i); out[i] = read_imagef(in, s, (float4)(x, y, z, 0)).x; }\n"
        "kernel void in_depth(read_only image2d_depth_t in, sampler_t s, global float *out) {\n"
        "    AT(i); out[i] = read_imagef(in, s, (float2)(x, y)); }\n"
        "kernel void in_depth_array(read_only image2d_array_depth_t in, sampler_t s, global float *out) {\n"
        "    AT(i); out[i] = read_imagef(in, s, (float4)(x, y, z, 0)); }\n"
        "kernel void in_3d(read_only image3d_t in, sampler_t s, global float *out) {\n"
        "    AT(i); out[i] = read_imagef(in, s, (float4)(x, y, z + 0.75f, 0)).x; }\n";
    static const struct {
        const char *kernel;
        cl_mem_object_type type;
        cl_channel_order order;
        int dims; /* that are filtered */
    } rows[] = {
        {"in_1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_R, 1},
        {"in_2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_R, 2},
        {"in_depth", CL_MEM_OBJECT_IMAGE2D, CL_DEPTH, 2},
        {"in_depth_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_DEPTH, 2},
        {"in_3d", CL_MEM_OBJECT_IMAGE3D, CL_R, 3},
    };
    enum { NX = 30, NY = 26 };
    static float out[D * NY * NX];
    for (int i = 0; i < W * H * D; i++) (&stored[0][0][0])[i] = (float)(i * 29 % 61) / 4;
    cl_int err;
    cl_program program = build(source);
    cl_mem to = check_buffer(context, 0, sizeof out);
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
        int layered = rows[r].type != CL_MEM_OBJECT_IMAGE2D, flat = rows[r].dims == 1;
        cl_image_desc desc = {0};
        desc.image_type = rows[r].type;
        desc.image_width = W, desc.image_height = H, desc.image_depth = D;
        desc.image_array_size = LAYERS;
        /* A layer of a 1D array is the first row of a plane. */
        desc.image_slice_pitch = layered ? sizeof stored[0] : 0;
        cl_image_format format = {rows[r].order, CL_FLOAT};
        cl_mem image = make(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, format, desc, stored);
        cl_kernel kernel = check_kernel(program, "", rows[r].kernel);
        OK(clSetKernelArg(kernel, 0, sizeof image, &image));
        OK(clSetKernelArg(kernel, 2, sizeof to, &to));
        for (int linear = 0; linear < 2; linear++) {
            cl_sampler sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP,
                                                 linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &err);
            NEED(sampler && err == CL_SUCCESS);
            OK(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
            int nz = layered ? D : 1;
            launch(kernel, NX, NY, nz, to, out, sizeof(float) * nz * NY * NX);
            for (int i = 0; i < nz * NY * NX; i++) {
                double at[3] = {0.25 * (i % NX) - 1, 0.25 * (i / NX % NY) - 1, i / (NX * NY)};
                if (flat) at[1] = 0;
                if (rows[r].dims == 3) at[2] += 0.75;
                double want = sample(linear, rows[r].dims, at);
                if (!(fabs(out[i] - want) <= 1e-5 * 16)) {
                    printf("%s, linear %d, at %g,%g,%g: %g, not %g\n", rows[r].kernel, linear, at[0],
                           at[1], at[2], out[i], want);
                    check_failures++;
                    break;
                }
            }
            OK(clReleaseSampler(sampler));
        }
        OK(clReleaseKernel(kernel));
        OK(clReleaseMemObject(image));
    }
    OK(clReleaseMemObject(to));
    OK(clReleaseProgram(program));
}

/* Integer coordinates outside: without a sampler the border, as GPUs have it, and the nearest texel by one that has no addressing mode. */
static void outside(void) {
    static const char source[] =
        "constant sampler_t none = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;\n"
        "constant int far[6] = {-1, -2147483647 - 1, 5, 6, 100000, 2147483647};\n"
        "#define READS(image, at) int i = get_global_id(0), x = far[i];                              \\\n"
        "    out[4 * i] = read_imagef(image, at); out[4 * i + 1] = read_imagef(image, none, at)\n"
        "kernel void of_1d(read_only image1d_t in, global float4 *out) {\n"
        "    READS(in, x); out[4 * i + 2] = out[4 * i + 3] = read_imagef(in, x); }\n"
        "kernel void of_1d_buffer(read_only image1d_buffer_t in, global float4 *out) {\n"
        "    int i = get_global_id(0);\n"
        "    out[4 * i] = out[4 * i + 1] = out[4 * i + 2] = out[4 * i + 3] = read_imagef(in, far[i]); }\n"
        "kernel void of_1d_array(read_only image1d_array_t in, global float4 *out) {\n"
        "    READS(in, (int2)(x, 1)); out[4 * i + 2] = out[4 * i + 3] = read_imagef(in, (int2)(x, 9)); }\n"
        "kernel void of_2d(read_only image2d_t in, global float4 *out) {\n"
        "    READS(in, (int2)(x, 1)); out[4 * i + 2] = read_imagef(in, (int2)(1, x));\n"
        "    out[4 * i + 3] = read_imagef(in, none, (int2)(1, x)); }\n"
        "kernel void of_2d_array(read_only image2d_array_t in, global float4 *out) {\n"
        "    READS(in, (int4)(x, 1, 1, 0)); out[4 * i + 2] = read_imagef(in, (int4)(1, x, 9, 0));\n"
        "    out[4 * i + 3] = read_imagef(in, none, (int4)(1, x, 9, 0)); }\n"
        "kernel void of_3d(read_only image3d_t in, global float4 *out) {\n"
        "    READS(in, (int4)(1, x, 1, 0)); out[4 * i + 2] = read_imagef(in, (int4)(1, 1, x, 0));\n"
        "    out[4 * i + 3] = read_imagef(in, none, (int4)(1, 1, x, 0)); }\n"
        "kernel void of_written(read_write image2d_t in, global float4 *out) {\n"
        "    int i = get_global_id(0), x = far[i]; write_imagef(in, (int2)(x, 1), (float4)(9));\n"
        "    out[4 * i] = out[4 * i + 1] = read_imagef(in, (int2)(x, 1));\n"
        "    out[4 * i + 2] = out[4 * i + 3] = read_imagef(in, (int2)(1, x)); }\n";
    static const struct {
        const char *kernel;
        cl_mem_object_type type;
        int sampled; /* a bit for each of the four reads */
    } rows[] = {
        {"of_1d", CL_MEM_OBJECT_IMAGE1D, 2},
        {"of_1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, 0},
        {"of_1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, 2},
        {"of_2d", CL_MEM_OBJECT_IMAGE2D, 2 | 8},
        {"of_2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, 2 | 8},
        {"of_3d", CL_MEM_OBJECT_IMAGE3D, 2 | 8},
        {"of_written", CL_MEM_OBJECT_IMAGE2D, 0},
    };
    /* What is there has no zeros; of the orders only RGBA has a transparent border. */
    static const cl_image_format formats[] = {
        {CL_RGBA, CL_FLOAT}, {CL_R, CL_FLOAT}, {CL_RGBA, CL_UNORM_INT8}, {CL_RGBA, CL_HALF_FLOAT}, {CL_RG, CL_SNORM_INT16},
    };
    enum { SIDE_OF_CUBE = 5, PLACES = 6 };
    unsigned char texels[SIDE_OF_CUBE * SIDE_OF_CUBE * SIDE_OF_CUBE * 16];
    float out[PLACES][4][4];
    memset(texels, 0x33, sizeof texels);
    cl_program program = build(source);
    cl_mem to = check_buffer(context, 0, sizeof out), memory = check_buffer(context, 0, sizeof texels);
    OK(clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, sizeof texels, texels, 0, NULL, NULL));
    for (size_t r = 0; r < sizeof rows / sizeof *rows; r++)
        for (size_t f = 0; f < sizeof formats / sizeof *formats; f++) {
            int on_memory = rows[r].type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
            cl_image_desc desc = {0};
            desc.image_type = rows[r].type;
            desc.image_width = desc.image_height = desc.image_depth = desc.image_array_size = SIDE_OF_CUBE;
            desc.buffer = on_memory ? memory : NULL;
            cl_mem image = make(on_memory ? 0 : CL_MEM_COPY_HOST_PTR, formats[f], desc, on_memory ? NULL : texels);
            cl_kernel kernel = check_kernel(program, "", rows[r].kernel);
            OK(clSetKernelArg(kernel, 0, sizeof image, &image));
            OK(clSetKernelArg(kernel, 1, sizeof to, &to));
            memset(out, 0xcc, sizeof out);
            launch(kernel, PLACES, 1, 1, to, out, sizeof out);
            float alpha = formats[f].image_channel_order != CL_RGBA;
            for (int i = 0; i < PLACES * 4; i++) {
                const float *v = out[i / 4][i % 4];
                int texel = rows[r].sampled >> i % 4 & 1;
                if (texel ? !v[0] : v[0] || v[1] || v[2] || v[3] != alpha) {
                    printf("%s, format %zu, read %d: %g %g %g %g\n", rows[r].kernel, f, i, v[0], v[1], v[2], v[3]);
                    check_failures++;
                }
            }
            OK(clReleaseKernel(kernel));
            OK(clReleaseMemObject(image));
        }
    OK(clReleaseMemObject(memory));
    OK(clReleaseMemObject(to));
    OK(clReleaseProgram(program));
}

/* The last of eight images, in as many rounds as each work-item wants: drivers may take the image of a work-item that has none. */
static void rounds(void) {
    enum { IMAGES = 8, W = 16 };
    char source[1024] = "kernel void k(";
    for (int i = 0; i < IMAGES; i++) snprintf(source + strlen(source), 40, "read_only image2d_t a%d, ", i);
    strcat(source, "global uint *out) { int x = get_global_id(0);\n"
                   "    for (int i = 0; i < (x & 3); i++) out[x] = read_imageui(a7, (int2)(x, i)).x; }\n");
    cl_program program = build(source);
    cl_kernel kernel = check_kernel(program, "", "k");
    cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8};
    cl_image_desc desc = {0};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = W;
    desc.image_height = 3;
    cl_mem images[IMAGES], to = check_buffer(context, 0, W * sizeof(cl_uint));
    cl_uint out[W] = {0};
    OK(clEnqueueWriteBuffer(queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    for (int i = 0; i < IMAGES; i++) {
        unsigned char texels[3][W][4];
        for (int j = 0; j < 3 * W; j++) memset(texels[j / W][j % W], 10 * i + j, 4);
        images[i] = make(CL_MEM_COPY_HOST_PTR, format, desc, texels);
        OK(clSetKernelArg(kernel, i, sizeof images[i], &images[i]));
    }
    OK(clSetKernelArg(kernel, IMAGES, sizeof to, &to));
    launch(kernel, W, 1, 1, to, out, sizeof out);
    for (int x = 0; x < W; x++) EXPECT(x & 3 ? (cl_uint)(10 * (IMAGES - 1) + W * ((x & 3) - 1) + x) : 0, out[x]);
    for (int i = 0; i < IMAGES; i++) OK(clReleaseMemObject(images[i]));
    OK(clReleaseMemObject(to));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* 256 images read, 64 written, by one kernel. */
static void many(void) {
    enum { READ = 256, WRITE = 64 };
    cl_uint limit;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_READ_IMAGE_ARGS, sizeof limit, &limit, NULL));
    TRUE(limit >= READ);
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_WRITE_IMAGE_ARGS, sizeof limit, &limit, NULL));
    TRUE(limit >= WRITE);
    static char source[READ * 200];
    char *end = source + sprintf(source, "kernel void many(");
    for (int i = 0; i < READ; i++) end += sprintf(end, "read_only image2d_t r%d, ", i);
    for (int i = 0; i < WRITE; i++)
        end += sprintf(end, "write_only image2d_t w%d%s", i, i < WRITE - 1 ? ", " : ") {\n");
    end += sprintf(end, "    int2 c = (int2)(get_global_id(0), get_global_id(1));\n");
    for (int i = 0; i < WRITE; i++)
        end += sprintf(end, "    write_imageui(w%d, c, (read_imageui(r%d, c) * 3 + read_imageui(r%d, c)) * 5 +"
                            " read_imageui(r%d, c) * 3 + read_imageui(r%d, c));\n",
                       i, 4 * i, 4 * i + 1, 4 * i + 2, 4 * i + 3);
    sprintf(end, "}\n");
    cl_program program = build(source);
    cl_kernel kernel = check_kernel(program, "", "many");
    cl_mem images[READ + WRITE];
    cl_image_desc desc = {0};
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = desc.image_height = 4;
    for (int i = 0; i < READ + WRITE; i++) {
        /* Other formats beside each other. */
        cl_image_format format = {i % 3 ? CL_RGBA : CL_R, i % 2 ? CL_UNSIGNED_INT16 : CL_UNSIGNED_INT8};
        if (i >= READ) format = (cl_image_format){CL_R, CL_UNSIGNED_INT32};
        images[i] = make(i < READ ? CL_MEM_READ_ONLY : CL_MEM_WRITE_ONLY, format, desc, NULL);
        const cl_uint color[4] = {i % 8 + i / 8 + 1};
        const size_t zero[3] = {0}, whole[3] = {4, 4, 1};
        if (i < READ) OK(clEnqueueFillImage(queue, images[i], color, zero, whole, 0, NULL, NULL));
        OK(clSetKernelArg(kernel, i, sizeof images[i], &images[i]));
    }
    const size_t range[2] = {4, 4};
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, range, NULL, 0, NULL, NULL));
    for (int i = 0; i < READ + WRITE; i++) {
        cl_uint got[16];
        const size_t zero[3] = {0}, whole[3] = {4, 4, 1};
        if (i >= READ) {
            OK(clEnqueueReadImage(queue, images[i], CL_TRUE, zero, whole, 0, 0, got, 0, NULL, NULL));
            int n = 4 * (i - READ), c = n % 8 + n / 8 + 1;
            for (int t = 0; t < 16; t++) EXPECT((3 * c + c + 1) * 5 + 3 * (c + 2) + c + 3, got[t]);
        }
        OK(clReleaseMemObject(images[i]));
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

int main(void) {
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    conversions();
    wide_formats();
    kinds();
    outside();
    rounds();
    many();
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
