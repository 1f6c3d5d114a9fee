/* Speed of images: kernels timed by events over a series of launches, commands by the clock.
 * Prints `name value unit` a line: GB/s of texels (of the image read or written once), or millions of
 * pixels a second for filters. More is better.
 */
#include "timed.h"

static const char SOURCE[] =
    "#ifdef cl_khr_3d_image_writes\n"
    "#pragma OPENCL EXTENSION cl_khr_3d_image_writes : enable\n"
    "#endif\n"
    "constant sampler_t pick = CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP_TO_EDGE;\n"
    "constant sampler_t near = CLK_FILTER_NEAREST | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_NORMALIZED_COORDS_TRUE;\n"
    "constant sampler_t linear = CLK_FILTER_LINEAR | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_NORMALIZED_COORDS_TRUE;\n"
    "#define ID int x = get_global_id(0), y = get_global_id(1), z = get_global_id(2)\n"
    "#define KEEP(v) if ((v).x + (v).y + (v).z + (v).w == -12345.0f) out[0] = v\n"
    "#define IN2 read_only image2d_t in, global float4 *out\n"
    /* Four rows an item, so that reads are in flight together. */
    "#define ROWS(r) float4 s = r(y) + r(y + h) + r(y + 2 * h) + r(y + 3 * h); KEEP(s)\n"
    "#define PICK(y) read_imagef(in, pick, (int2)(x, y))\n"
    "kernel void read_2d(IN2) { ID; int h = get_global_size(1); ROWS(PICK); }\n"
    "#define BARE(y) read_imagef(in, (int2)(x, y))\n"
    "kernel void read_2d_samplerless(IN2) { ID; int h = get_global_size(1); ROWS(BARE); }\n"
    "#define NEAR(y) read_imagef(in, near, ((float2)(x, y) + 0.5f) * scale)\n"
    "#define SCALE float2 scale = 1.0f / convert_float2(get_image_dim(in))\n"
    "kernel void nearest_2d(IN2) { ID; int h = get_global_size(1); SCALE; ROWS(NEAR); }\n"
    "#define LINEAR(y) read_imagef(in, linear, (float2)(x, y) * scale)\n"
    "kernel void linear_2d(IN2) { ID; int h = get_global_size(1); SCALE; ROWS(LINEAR); }\n"
    "kernel void write_2d(write_only image2d_t to, global float4 *out) {\n"
    "    ID; write_imagef(to, (int2)(x, y), (float4)(x & 1, y & 1, 0.5f, 1.0f)); }\n"
    "kernel void copy_2d(read_only image2d_t in, write_only image2d_t to) {\n"
    "    ID; write_imagef(to, (int2)(x, y), PICK(y)); }\n"
    "#define PICK3(z) read_imagef(in, pick, (int4)(x, y, z, 0))\n"
    "kernel void read_3d(read_only image3d_t in, global float4 *out) {\n"
    "    ID; float4 s = PICK3(4 * z) + PICK3(4 * z + 1) + PICK3(4 * z + 2) + PICK3(4 * z + 3); KEEP(s); }\n"
    "kernel void linear_3d(read_only image3d_t in, global float4 *out) {\n"
    "    ID; float4 c = (float4)(x, y, 4 * z, 0), scale = 1.0f / convert_float4(get_image_dim(in)), s = 0;\n"
    "    for (int i = 0; i < 4; i++, c.z += 1) s += read_imagef(in, linear, c * scale);\n"
    "    KEEP(s); }\n"
    "#ifdef cl_khr_3d_image_writes\n"
    "kernel void write_3d(write_only image3d_t to, global float4 *out) {\n"
    "    ID; write_imagef(to, (int4)(x, y, z, 0), (float4)(x & 1, y & 1, 0.5f, 1.0f)); }\n"
    "#endif\n"
    "kernel void convolve_5x5(read_only image2d_t in, write_only image2d_t to) {\n"
    "    ID; float4 s = 0;\n"
    "    for (int j = -2; j <= 2; j++) for (int i = -2; i <= 2; i++)\n"
    "        s += (float)(9 - i * i - j * j) * read_imagef(in, pick, (int2)(x + i, y + j));\n"
    "    write_imagef(to, (int2)(x, y), s * (1.0f / 125.0f)); }\n"
    "kernel void scale_bilinear(read_only image2d_t in, write_only image2d_t to) {\n"
    "    ID; float2 scale = 1.0f / convert_float2(get_image_dim(to));\n"
    "    write_imagef(to, (int2)(x, y), read_imagef(in, linear, ((float2)(x, y) * 0.7f + 0.5f) * scale)); }\n"
    "kernel void rotate_linear(read_only image2d_t in, write_only image2d_t to) {\n"
    "    ID; float2 c = (float2)(0.8f * x - 0.6f * y, 0.6f * x + 0.8f * y) / convert_float2(get_image_dim(to));\n"
    "    write_imagef(to, (int2)(x, y), read_imagef(in, linear, c)); }\n";

static cl_mem sink;

/* A format, and sizes of images of about 128 MiB: beyond every cache. */
static const struct format {
    const char *name;
    cl_image_format format;
    size_t size, w, h, d;
} FORMATS[] = {
    {"rgba8", {CL_RGBA, CL_UNORM_INT8}, 4, 8192, 4096, 128},
    {"rgba32f", {CL_RGBA, CL_FLOAT}, 16, 4096, 2048, 32},
    {"r8", {CL_R, CL_UNORM_INT8}, 1, 16384, 8192, 512},
    {"r32f", {CL_R, CL_FLOAT}, 4, 8192, 4096, 128},
};
enum { W3 = 512, H3 = 512 };

enum shape { SINK_2D, OUT_2D, FILTER_2D, SINK_3D, OUT_3D };
/* `rows`: texels of each work-item, along the last dimension. */
static const struct test {
    const char *kernel;
    enum shape shape;
    int rows;
} TESTS[] = {
    {"read_2d", SINK_2D, 4},   {"read_2d_samplerless", SINK_2D, 4}, {"nearest_2d", SINK_2D, 4},
    {"linear_2d", SINK_2D, 4}, {"write_2d", OUT_2D, 1},             {"copy_2d", FILTER_2D, 1},
    {"convolve_5x5", FILTER_2D, 1}, {"scale_bilinear", FILTER_2D, 1}, {"rotate_linear", FILTER_2D, 1},
    {"read_3d", SINK_3D, 4},   {"linear_3d", SINK_3D, 4},           {"write_3d", OUT_3D, 1},
};

static cl_mem image_of(const struct format *f, int is_3d) {
    cl_image_desc desc = {0};
    cl_int err;
    desc.image_type = is_3d ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D;
    desc.image_width = is_3d ? W3 : f->w;
    desc.image_height = is_3d ? H3 : f->h;
    desc.image_depth = is_3d ? f->d : 0;
    cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &f->format, &desc, NULL, &err);
    OK(err);
    size_t zero[3] = {0, 0, 0}, region[3] = {desc.image_width, desc.image_height, is_3d ? f->d : 1};
    const float color[4] = {0.25f, 0.5f, 0.75f, 1.0f};
    OK(clEnqueueFillImage(queue, image, color, zero, region, 0, NULL, NULL));
    return image;
}

/* Seconds a launch: of a series, from the start of the second to the end of the last. */
static double time_kernel(cl_kernel kernel, cl_uint dims, const size_t *global) {
    enum { N = 12 };
    cl_event events[N];
    cl_ulong start, end;
    for (int i = 0; i < N; i++)
        OK(clEnqueueNDRangeKernel(queue, kernel, dims, NULL, global, NULL, 0, NULL, &events[i]));
    OK(clFinish(queue));
    OK(clGetEventProfilingInfo(events[1], CL_PROFILING_COMMAND_START, 8, &start, NULL));
    OK(clGetEventProfilingInfo(events[N - 1], CL_PROFILING_COMMAND_END, 8, &end, NULL));
    for (int i = 0; i < N; i++) OK(clReleaseEvent(events[i]));
    return (end - start) * 1e-9 / (N - 1);
}

static void run(cl_program program, const struct test *t, const struct format *f, const cl_mem *images) {
    cl_int err;
    cl_kernel kernel = clCreateKernel(program, t->kernel, &err);
    if (err != CL_SUCCESS) return;
    int is_3d = t->shape >= SINK_3D, filter = t->shape == FILTER_2D;
    OK(clSetKernelArg(kernel, 0, sizeof(cl_mem), &images[is_3d ? 2 : 0]));
    OK(clSetKernelArg(kernel, 1, sizeof(cl_mem), filter ? &images[1] : &sink));
    size_t global[3] = {is_3d ? W3 : f->w, is_3d ? H3 : f->h, is_3d ? f->d : 1};
    double texels = (double)global[0] * global[1] * global[2];
    global[is_3d ? 2 : 1] /= t->rows;
    time_kernel(kernel, is_3d ? 3 : 2, global);
    double seconds = time_kernel(kernel, is_3d ? 3 : 2, global);
    int pixels = filter && strcmp(t->kernel, "copy_2d");
    printf("%s:%s %g %s\n", t->kernel, f->name, texels * (pixels ? 1e-6 : f->size * 1e-9) / seconds,
           pixels ? "Mpix/s" : "GB/s");
    OK(clReleaseKernel(kernel));
}

enum command { COPY_2D, COPY_3D, FILL, FROM_BUFFER, READ, WRITE };
static const char *const COMMANDS[] = {"copy_image_2d", "copy_image_3d", "fill_image", "copy_buffer_to_image",
                                       "read_image", "write_image"};

static void time_command(enum command c, const struct format *f, const cl_mem *images, cl_mem buffer, void *host) {
    size_t zero[3] = {0, 0, 0}, whole[3] = {f->w, f->h, 1};
    size_t to_3d[3] = {0, 0, f->d / 2}, half_3d[3] = {W3, H3, f->d / 2};
    double bytes = (double)f->size * f->w * f->h, start = 0;
    const float color[4] = {0.25f, 0.5f, 0.75f, 1.0f};
    int n = c < READ ? 10 : 3;
    /* The first is not timed. */
    for (int i = 0; i <= n; i++) {
        switch (c) {
        case COPY_2D:
            OK(clEnqueueCopyImage(queue, images[0], images[1], zero, zero, whole, 0, NULL, NULL));
            break;
        case COPY_3D:
            OK(clEnqueueCopyImage(queue, images[2], images[2], zero, to_3d, half_3d, 0, NULL, NULL));
            break;
        case FILL: OK(clEnqueueFillImage(queue, images[0], color, zero, whole, 0, NULL, NULL)); break;
        case FROM_BUFFER:
            OK(clEnqueueCopyBufferToImage(queue, buffer, images[0], 0, zero, whole, 0, NULL, NULL));
            break;
        case READ: OK(clEnqueueReadImage(queue, images[0], CL_TRUE, zero, whole, 0, 0, host, 0, NULL, NULL)); break;
        case WRITE: OK(clEnqueueWriteImage(queue, images[0], CL_TRUE, zero, whole, 0, 0, host, 0, NULL, NULL));
        }
        if (i == 0) {
            OK(clFinish(queue));
            start = now_us();
        }
    }
    OK(clFinish(queue));
    if (c == COPY_3D) bytes = (double)f->size * W3 * H3 * (f->d / 2);
    printf("%s:%s %g GB/s\n", COMMANDS[c], f->name, bytes * n / (now_us() - start) * 1e-3);
}

int main(void) {
    cl_int err;
    open_device(NULL, CL_QUEUE_PROFILING_ENABLE);
    const char *source = SOURCE;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    OK(err);
    if (clBuildProgram(program, 1, &device, "-cl-std=CL1.2", NULL, NULL)) {
        char log[8192];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
        return 1;
    }
    enum { HOST = 128 << 20 };
    void *host = malloc(HOST);
    memset(host, 1, HOST);
    sink = new_buffer(CL_MEM_READ_WRITE, HOST, NULL);
    for (size_t i = 0; i < sizeof FORMATS / sizeof *FORMATS; i++) {
        const struct format *f = &FORMATS[i];
        cl_mem images[3] = {image_of(f, 0), image_of(f, 0), image_of(f, 1)};
        for (size_t t = 0; t < sizeof TESTS / sizeof *TESTS; t++) run(program, &TESTS[t], f, images);
        for (int c = COPY_2D; c <= WRITE; c++) time_command(c, f, images, sink, host);
        for (int k = 0; k < 3; k++) OK(clReleaseMemObject(images[k]));
    }
    return 0;
}
