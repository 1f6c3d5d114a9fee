/* The largest images of every kind that the device has memory for: texels at their corners and around every
   multiple of 2 GB, written by commands, read and written by kernels, read by commands. The first argument, if
   there is one, is a limit in MB: CPU devices share their memory with others. Without it, what was made is printed. */
#include "check.h"

static const char *const SOURCE =
    "constant sampler_t near = CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;\n"
    "#define TURN(name, type, c)                                                                  \\\n"
    "kernel void read_##name(read_only type in, global const int4 *at, global uint *out) {        \\\n"
    "    size_t i = get_global_id(0); int4 p = at[i];                                             \\\n"
    "    out[2 * i] = read_imageui(in, c).x; out[2 * i + 1] = SAMPLED(in, c); }                   \\\n"
    "kernel void write_##name(write_only type to, global const int4 *at) {                        \\\n"
    "    size_t i = get_global_id(0); int4 p = at[i]; write_imageui(to, c, (uint4)(255 - i)); }\n"
    "#define SAMPLED(in, c) read_imageui(in, near, c).x\n"
    "TURN(1d, image1d_t, p.x)\n"
    "TURN(1d_array, image1d_array_t, p.xy)\n"
    "TURN(2d, image2d_t, p.xy)\n"
    "TURN(2d_array, image2d_array_t, p)\n"
    "TURN(3d, image3d_t, p)\n"
    /* It has no reads with samplers. */
    "#undef SAMPLED\n"
    "#define SAMPLED(in, c) read_imageui(in, c).x\n"
    "TURN(1d_buffer, image1d_buffer_t, p.x)\n";

enum { PLACES = 64 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;
static cl_ulong limit;
static int tells;

static const struct kind {
    const char *name;
    cl_mem_object_type type;
    cl_device_info sizes[3]; /* what its largest sizes are, 0 where it has none */
} KINDS[] = {
    {"1d", CL_MEM_OBJECT_IMAGE1D, {CL_DEVICE_IMAGE2D_MAX_WIDTH}},
    {"1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, {CL_DEVICE_IMAGE_MAX_BUFFER_SIZE}},
    {"1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE}},
    {"2d", CL_MEM_OBJECT_IMAGE2D, {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT}},
    {"2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY,
     {CL_DEVICE_IMAGE2D_MAX_WIDTH, CL_DEVICE_IMAGE2D_MAX_HEIGHT, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE}},
    {"3d", CL_MEM_OBJECT_IMAGE3D,
     {CL_DEVICE_IMAGE3D_MAX_WIDTH, CL_DEVICE_IMAGE3D_MAX_HEIGHT, CL_DEVICE_IMAGE3D_MAX_DEPTH}},
};
static const struct {
    cl_image_format format;
    cl_ulong size;
} FORMATS[] = {{{CL_R, CL_UNSIGNED_INT8}, 1}, {{CL_RGBA, CL_UNSIGNED_INT8}, 4}, {{CL_RGBA, CL_UNSIGNED_INT32}, 16}};

/* The largest sizes, then the last ones smaller until the image fits; its bytes. */
static cl_ulong fit(const struct kind *kind, cl_ulong texel, size_t *size) {
    cl_ulong bytes = texel;
    for (int d = 0; d < 3; d++) {
        size[d] = 1;
        if (kind->sizes[d]) OK(clGetDeviceInfo(device, kind->sizes[d], sizeof *size, &size[d], NULL));
        bytes *= size[d];
    }
    for (int d = 2; d >= 0 && bytes > limit; d--) {
        const cl_ulong one = bytes / size[d];
        size[d] = one < limit ? limit / one : 1;
        bytes = one * size[d];
    }
    return bytes;
}

/* Corners, and texels on both sides of multiples of 2 GB, as far as there are any. */
static int places(const size_t *size, cl_ulong texel, cl_int at[][4]) {
    int count = 0;
    for (int corner = 0; corner < 8; corner++, count++)
        for (int d = 0; d < 3; d++) at[count][d] = corner >> d & 1 ? (cl_int)size[d] - 1 : 0;
    const cl_ulong all = (cl_ulong)size[0] * size[1] * size[2];
    for (cl_ulong n = (2ull << 30) / texel; n < all && count + 2 <= PLACES; n += (2ull << 30) / texel)
        for (cl_ulong i = n - 1; i <= n; i++, count++) {
            at[count][0] = (cl_int)(i % size[0]);
            at[count][1] = (cl_int)(i / size[0] % size[1]);
            at[count][2] = (cl_int)(i / size[0] / size[1]);
        }
    return count;
}

static void use(const struct kind *kind, const cl_image_format *format, cl_ulong texel) {
    size_t size[3];
    const cl_ulong bytes = fit(kind, texel, size);
    cl_int err, at[PLACES][4] = {{0}};
    cl_uint out[2 * PLACES];
    cl_image_desc desc = {0};
    desc.image_type = kind->type;
    desc.image_width = size[0], desc.image_height = size[1], desc.image_depth = size[2];
    desc.image_array_size = kind->type == CL_MEM_OBJECT_IMAGE1D_ARRAY ? size[1] : size[2];
    cl_mem buffer = NULL;
    if (kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER) buffer = desc.mem_object = check_buffer(context, 0, bytes);
    cl_mem image = clCreateImage(context, 0, format, &desc, NULL, &err);
    EXPECT(CL_SUCCESS, err);
    if (!image) return;
    const int count = places(size, texel, at);
    const size_t one[3] = {1, 1, 1}, global = count;
    for (int i = 0; i < count; i++) {
        const size_t origin[3] = {at[i][0], at[i][1], at[i][2]};
        const cl_uint value[4] = {i + 1, 2, 3, 4};
        OK(clEnqueueFillImage(queue, image, value, origin, one, 0, NULL, NULL));
    }
    cl_mem where = check_buffer(context, 0, sizeof at), to = check_buffer(context, 0, sizeof out);
    OK(clEnqueueWriteBuffer(queue, where, CL_TRUE, 0, sizeof at, at, 0, NULL, NULL));
    cl_kernel read = check_kernel(program, "read_", kind->name), write = check_kernel(program, "write_", kind->name);
    OK(clSetKernelArg(read, 0, sizeof image, &image));
    OK(clSetKernelArg(read, 1, sizeof where, &where));
    OK(clSetKernelArg(read, 2, sizeof to, &to));
    OK(clEnqueueNDRangeKernel(queue, read, 1, NULL, &global, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
    int bad = 0;
    for (int i = 0; i < count; i++) {
        /* Corners of what is one texel wide are the same: the last value counts. */
        cl_uint want = i + 1;
        for (int j = i; j < count; j++)
            if (!memcmp(at[i], at[j], sizeof at[i])) want = j + 1;
        bad += out[2 * i] != want || out[2 * i + 1] != want;
    }
    EXPECT(0, bad);
    OK(clSetKernelArg(write, 0, sizeof image, &image));
    OK(clSetKernelArg(write, 1, sizeof where, &where));
    OK(clEnqueueNDRangeKernel(queue, write, 1, NULL, &global, NULL, 0, NULL, NULL));
    bad = 0;
    for (int i = 0; i < count; i++) {
        const size_t origin[3] = {at[i][0], at[i][1], at[i][2]};
        unsigned char got[16];
        int matches = 0;
        OK(clEnqueueReadImage(queue, image, CL_TRUE, origin, one, 0, 0, got, 0, NULL, NULL));
        for (int j = 0; j < count; j++) matches |= !memcmp(at[i], at[j], sizeof at[i]) && got[0] == 255 - j;
        bad += !matches;
    }
    EXPECT(0, bad);
    if (tells)
        printf("%s of %zu x %zu x %zu, %d bytes a texel, %llu MB\n", kind->name, size[0], size[1], size[2], (int)texel,
               (unsigned long long)(bytes >> 20));
    OK(clReleaseKernel(read));
    OK(clReleaseKernel(write));
    OK(clReleaseMemObject(where));
    OK(clReleaseMemObject(to));
    OK(clReleaseMemObject(image));
    if (buffer) OK(clReleaseMemObject(buffer));
    OK(clFinish(queue));
}

int main(int argc, char **argv) {
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof limit, &limit, NULL));
    tells = argc < 2;
    const cl_ulong most = tells ? limit : strtoull(argv[1], NULL, 10) << 20;
    if (limit > most) limit = most;
    cl_int err;
    const char *source = SOURCE;
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program && clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS);
    for (size_t k = 0; k < sizeof KINDS / sizeof *KINDS; k++)
        for (size_t f = 0; f < sizeof FORMATS / sizeof *FORMATS; f++) use(&KINDS[k], &FORMATS[f].format, FORMATS[f].size);
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
