/* Images: creation errors, queries, commands, and kernels that read and write them. */
#include "check.h"
#include <math.h>

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static const cl_image_format RGBA8 = {CL_RGBA, CL_UNORM_INT8};
static const cl_image_format RGBAF = {CL_RGBA, CL_FLOAT};

static cl_image_desc desc_of(cl_mem_object_type type, size_t w, size_t h, size_t d, size_t n) {
    cl_image_desc desc = {0};
    desc.image_type = type;
    desc.image_width = w;
    desc.image_height = h;
    desc.image_depth = d;
    desc.image_array_size = n;
    return desc;
}

static cl_mem make(cl_mem_flags flags, const cl_image_format *format, cl_image_desc desc,
                   void *host) {
    cl_int err;
    cl_mem image = clCreateImage(context, flags, format, &desc, host, &err);
    if (!image) printf("order %x type %x: %d\n", format->image_channel_order,
                       format->image_channel_data_type, err);
    NEED(image && err == CL_SUCCESS);
    return image;
}

static cl_mem make_2d(const cl_image_format *format, size_t w, size_t h) {
    return make(0, format, desc_of(CL_MEM_OBJECT_IMAGE2D, w, h, 0, 0), NULL);
}

#define IMAGE_FAILS(code, flags, format, desc, host) \
    EXPECT_NULL(code, clCreateImage(context, flags, format, desc, host, &err))

static void wrong_images(void) {
    cl_int err;
    char host[4096];
    cl_image_desc ok = desc_of(CL_MEM_OBJECT_IMAGE2D, 16, 16, 0, 0), desc;
    const cl_image_format bad_pair = {CL_RGB, CL_FLOAT}, bad_order = {7, CL_FLOAT};
    const cl_image_format depth = {CL_DEPTH, CL_FLOAT}, bgra = {CL_BGRA, CL_UNORM_INT8};
    EXPECT_NULL(CL_INVALID_CONTEXT, clCreateImage(NULL, 0, &RGBA8, &ok, NULL, &err));
    IMAGE_FAILS(CL_INVALID_VALUE, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &RGBA8, &ok, NULL);
    IMAGE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, NULL, &ok, NULL);
    IMAGE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &bad_pair, &ok, NULL);
    IMAGE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &bad_order, &ok, NULL);
    IMAGE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, 0, &RGBA8, NULL, NULL);
    desc = ok, desc.image_type = 0;
    IMAGE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, 0, &RGBA8, &desc, NULL);
    desc = ok, desc.num_samples = 2;
    IMAGE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, 0, &RGBA8, &desc, NULL);
    desc = ok, desc.image_row_pitch = 64;
    IMAGE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, 0, &RGBA8, &desc, NULL);
    desc = ok, desc.image_row_pitch = 60;
    IMAGE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CL_MEM_COPY_HOST_PTR, &RGBA8, &desc, host);
    desc = ok, desc.image_row_pitch = 66;
    IMAGE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CL_MEM_COPY_HOST_PTR, &RGBA8, &desc, host);
    desc = ok, desc.image_height = 0;
    IMAGE_FAILS(CL_INVALID_IMAGE_SIZE, 0, &RGBA8, &desc, NULL);
    desc = ok, desc.image_width = 1 << 20;
    IMAGE_FAILS(CL_INVALID_IMAGE_SIZE, 0, &RGBA8, &desc, NULL);
    IMAGE_FAILS(CL_INVALID_HOST_PTR, CL_MEM_COPY_HOST_PTR, &RGBA8, &ok, NULL);
    IMAGE_FAILS(CL_INVALID_HOST_PTR, 0, &RGBA8, &ok, host);
    desc = desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 4, 0);
    IMAGE_FAILS(CL_IMAGE_FORMAT_NOT_SUPPORTED, 0, &depth, &desc, NULL);
    desc = desc_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16, 0, 0, 0);
    IMAGE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, 0, &RGBA8, &desc, NULL);

    cl_mem buffer = check_buffer(context, CL_MEM_READ_ONLY, 1024);
    desc.mem_object = buffer;
    IMAGE_FAILS(CL_INVALID_VALUE, CL_MEM_READ_WRITE, &RGBA8, &desc, NULL);
    IMAGE_FAILS(CL_INVALID_VALUE, CL_MEM_COPY_HOST_PTR, &RGBA8, &desc, host);
    desc.image_row_pitch = 64;
    OK(clReleaseMemObject(make(CL_MEM_READ_ONLY, &RGBA8, desc, NULL)));
    desc.image_row_pitch = 60;
    IMAGE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, CL_MEM_READ_ONLY, &RGBA8, &desc, NULL);
    desc.image_row_pitch = 0;
    desc.image_width = 257;
    IMAGE_FAILS(CL_INVALID_IMAGE_SIZE, CL_MEM_READ_ONLY, &RGBA8, &desc, NULL);
    desc = ok, desc.mem_object = buffer, desc.image_row_pitch = 62;
    IMAGE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_MEM_READ_ONLY, &RGBA8, &desc, NULL);
    desc = desc_of(CL_MEM_OBJECT_IMAGE3D, 4, 4, 17, 0), desc.mem_object = buffer;
    IMAGE_FAILS(CL_INVALID_IMAGE_SIZE, CL_MEM_READ_ONLY, &RGBA8, &desc, NULL);
    desc.image_depth = 4, desc.image_slice_pitch = 72;
    IMAGE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, CL_MEM_READ_ONLY, &RGBA8, &desc, NULL);
    OK(clReleaseMemObject(buffer));

    /* The base of a 2D image over a buffer is that of a texel. */
    static cl_ulong words[512];
    buffer = clCreateBuffer(context, CL_MEM_USE_HOST_PTR, 2048, (char *)words + 4, &err);
    NEED(buffer && err == CL_SUCCESS);
    desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0), desc.mem_object = buffer;
    OK(clReleaseMemObject(make(0, &RGBA8, desc, NULL)));
    IMAGE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &RGBAF, &desc, NULL);
    OK(clReleaseMemObject(buffer));

    cl_mem image = make_2d(&RGBA8, 16, 16);
    desc = ok, desc.mem_object = image;
    IMAGE_FAILS(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, 0, &bgra, &desc, NULL);
    desc.image_width = 15;
    IMAGE_FAILS(CL_INVALID_IMAGE_DESCRIPTOR, 0, &RGBA8, &desc, NULL);
    OK(clReleaseMemObject(image));

    cl_uint count;
    cl_image_format formats[256];
    EXPECT(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, 0, 0, NULL, &count));
    EXPECT(CL_INVALID_VALUE, clGetSupportedImageFormats(context, 0, CL_MEM_OBJECT_IMAGE2D, 0,
                                                        formats, &count));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateSampler(context, CL_TRUE, 1, CL_FILTER_LINEAR, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clCreateSampler(context, 2, CL_ADDRESS_NONE, CL_FILTER_LINEAR,
                                                  &err));
    const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                           CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    EXPECT_NULL(CL_INVALID_VALUE, clCreateSamplerWithProperties(context, twice, &err));
}

static void wrong_commands(void) {
    cl_int err;
    static char host[4096];
    size_t pitch;
    cl_mem image = make_2d(&RGBA8, 16, 8), other = make_2d(&RGBAF, 16, 8);
    cl_mem buffer = check_buffer(context, 0, 256);
    const size_t zero[3] = {0}, whole[3] = {16, 8, 1}, wide[3] = {17, 8, 1}, deep[3] = {1, 1, 2};
    const size_t none[3] = {1, 0, 1}, down[3] = {0, 1, 0}, half[3] = {16, 7, 1};
    float color[4] = {0};
#define READ(from, to, region, row, slice, ptr) \
    clEnqueueReadImage(queue, from, CL_TRUE, to, region, row, slice, ptr, 0, NULL, NULL)
    EXPECT(CL_INVALID_MEM_OBJECT, READ(buffer, zero, whole, 0, 0, host));
    EXPECT(CL_INVALID_MEM_OBJECT,
           clEnqueueReadBuffer(queue, image, CL_TRUE, 0, 4, host, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, READ(image, NULL, whole, 0, 0, host));
    EXPECT(CL_INVALID_VALUE, READ(image, zero, NULL, 0, 0, host));
    EXPECT(CL_INVALID_VALUE, READ(image, zero, wide, 0, 0, host));
    EXPECT(CL_INVALID_VALUE, READ(image, zero, deep, 0, 0, host));
    EXPECT(CL_INVALID_VALUE, READ(image, zero, none, 0, 0, host));
    EXPECT(CL_INVALID_VALUE, READ(image, down, whole, 0, 0, host));
    EXPECT(CL_INVALID_VALUE, READ(image, zero, whole, 63, 0, host));
    EXPECT(CL_INVALID_VALUE, READ(image, zero, whole, 0, 512, host));
    EXPECT(CL_INVALID_VALUE, READ(image, zero, whole, 0, 0, NULL));
    EXPECT(CL_IMAGE_FORMAT_MISMATCH,
           clEnqueueCopyImage(queue, image, other, zero, zero, whole, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP,
           clEnqueueCopyImage(queue, image, image, zero, down, half, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueCopyImageToBuffer(queue, image, buffer, zero, whole, 0, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE,
           clEnqueueCopyBufferToImage(queue, buffer, image, 0, zero, whole, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillImage(queue, image, NULL, zero, whole, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillImage(queue, image, color, zero, wide, 0, NULL, NULL));
    EXPECT_NULL(CL_INVALID_VALUE, clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, zero, whole,
                                                    NULL, NULL, 0, NULL, NULL, &err));
    EXPECT_NULL(CL_INVALID_VALUE, clEnqueueMapImage(queue, image, CL_TRUE, CL_MAP_READ, zero, wide,
                                                    &pitch, NULL, 0, NULL, NULL, &err));
    /* An image over a buffer: a 1D one is not copied to or from it, a 2D one where they do not overlap. */
    cl_image_desc over = desc_of(CL_MEM_OBJECT_IMAGE2D, 4, 4, 0, 0);
    over.mem_object = buffer;
    cl_mem plane = make(0, &RGBA8, over, NULL);
    const size_t square[3] = {4, 4, 1};
    OK(clEnqueueCopyImageToBuffer(queue, plane, buffer, zero, square, 64, 0, NULL, NULL));
    OK(clEnqueueCopyBufferToImage(queue, buffer, plane, 64, zero, square, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyImageToBuffer(queue, plane, buffer, zero, square, 60, 0, NULL, NULL));
    EXPECT(CL_MEM_COPY_OVERLAP, clEnqueueCopyBufferToImage(queue, buffer, plane, 60, zero, square, 0, NULL, NULL));
    OK(clReleaseMemObject(plane));
    over = desc_of(CL_MEM_OBJECT_IMAGE1D_BUFFER, 16, 0, 0, 0);
    over.mem_object = buffer;
    cl_mem line = make(0, &RGBA8, over, NULL);
    const size_t first[3] = {4, 1, 1};
    EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueCopyImageToBuffer(queue, line, buffer, zero, first, 64, 0, NULL, NULL));
    EXPECT(CL_INVALID_MEM_OBJECT, clEnqueueCopyBufferToImage(queue, buffer, line, 64, zero, first, 0, NULL, NULL));
    OK(clReleaseMemObject(line));
    cl_mem hidden = make(CL_MEM_HOST_NO_ACCESS, &RGBA8,
                         desc_of(CL_MEM_OBJECT_IMAGE2D, 16, 8, 0, 0), NULL);
    EXPECT(CL_INVALID_OPERATION, READ(hidden, zero, whole, 0, 0, host));
    OK(clReleaseMemObject(hidden));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(other));
    OK(clReleaseMemObject(buffer));
}

static size_t info(cl_mem image, cl_image_info name) {
    size_t value = 99;
    OK(clGetImageInfo(image, name, sizeof value, &value, NULL));
    return value;
}

static void queries(void) {
    cl_image_desc desc = desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 5, 3, 0, 2);
    desc.image_row_pitch = 96, desc.image_slice_pitch = 288;
    static float host[288 / 2];
    cl_mem image = make(CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, &RGBAF, desc, host);
    cl_mem_object_type type;
    OK(clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof type, &type, NULL));
    EXPECT(CL_MEM_OBJECT_IMAGE2D_ARRAY, type);
    cl_image_format format;
    OK(clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof format, &format, NULL));
    TRUE(!memcmp(&format, &RGBAF, sizeof format));
    EXPECT(16, info(image, CL_IMAGE_ELEMENT_SIZE));
    EXPECT(96, info(image, CL_IMAGE_ROW_PITCH));
    EXPECT(288, info(image, CL_IMAGE_SLICE_PITCH));
    EXPECT(5, info(image, CL_IMAGE_WIDTH));
    EXPECT(3, info(image, CL_IMAGE_HEIGHT));
    EXPECT(0, info(image, CL_IMAGE_DEPTH));
    EXPECT(2, info(image, CL_IMAGE_ARRAY_SIZE));
    OK(clReleaseMemObject(image));

    cl_mem buffer = check_buffer(context, 0, 4096), got;
    desc = desc_of(CL_MEM_OBJECT_IMAGE2D, 5, 3, 0, 0);
    desc.image_row_pitch = 112, desc.mem_object = buffer;
    image = make(0, &RGBAF, desc, NULL);
    EXPECT(112, info(image, CL_IMAGE_ROW_PITCH));
    EXPECT(0, info(image, CL_IMAGE_SLICE_PITCH));
    OK(clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof got, &got, NULL));
    TRUE(got == buffer);
    EXPECT(CL_INVALID_MEM_OBJECT, clGetImageInfo(buffer, CL_IMAGE_WIDTH, sizeof got, &got, NULL));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(buffer));

    cl_int err;
    const cl_sampler_properties linear[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    cl_sampler sampler = clCreateSamplerWithProperties(context, linear, &err);
    NEED(sampler && err == CL_SUCCESS);
    cl_uint value;
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_FILTER_MODE, sizeof value, &value, NULL));
    EXPECT(CL_FILTER_LINEAR, value);
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_ADDRESSING_MODE, sizeof value, &value, NULL));
    EXPECT(CL_ADDRESS_CLAMP, value);
    OK(clGetSamplerInfo(sampler, CL_SAMPLER_NORMALIZED_COORDS, sizeof value, &value, NULL));
    EXPECT(CL_TRUE, value);
    OK(clReleaseSampler(sampler));
}

/* Boxes of every kind of image, through every command, against a model that is packed. */
enum { W = 7, H = 5, D = 3, TEXEL = 4, BYTES = W * H * D * TEXEL };
static unsigned char model[BYTES], got[BYTES];
static size_t sizes[3];

static unsigned char *at(unsigned char *base, size_t x, size_t y, size_t z) {
    return base + ((z * sizes[1] + y) * sizes[0] + x) * TEXEL;
}

static void same(cl_mem image, int line) {
    const size_t zero[3] = {0};
    OK(clEnqueueReadImage(queue, image, CL_TRUE, zero, sizes, 0, 0, got, 0, NULL, NULL));
    if (memcmp(model, got, sizes[0] * sizes[1] * sizes[2] * TEXEL)) {
        printf("image.c:%d: %zux%zux%zu: other texels\n", line, sizes[0], sizes[1], sizes[2]);
        check_failures++;
    }
}
#define SAME(image) same(image, __LINE__)

static void commands(cl_mem_object_type type, cl_mem_flags flags) {
    cl_int err;
    size_t w = W, h = H, d = D, zero[3] = {0};
    int array1d = type == CL_MEM_OBJECT_IMAGE1D_ARRAY, array2d = type == CL_MEM_OBJECT_IMAGE2D_ARRAY;
    cl_image_desc desc = desc_of(type, w, h, d, array1d ? h : d);
    cl_mem buffer = check_buffer(context, 0, BYTES + 64);
    if (type == CL_MEM_OBJECT_IMAGE1D_BUFFER) desc.mem_object = buffer;
    if (type == CL_MEM_OBJECT_IMAGE1D || type == CL_MEM_OBJECT_IMAGE1D_BUFFER) h = d = 1;
    if (type == CL_MEM_OBJECT_IMAGE2D || array1d) d = 1;
    sizes[0] = w, sizes[1] = h, sizes[2] = d;
    static unsigned char host[4096];
    if (flags & CL_MEM_USE_HOST_PTR) {
        desc.image_row_pitch = 36;
        desc.image_slice_pitch = array1d ? 72 : d > 1 ? 36 * 6 : 0;
    }
    cl_mem image = make(flags, &RGBA8, desc, flags & CL_MEM_USE_HOST_PTR ? host : NULL);
    for (int i = 0; i < BYTES; i++) model[i] = (unsigned char)(i * 7 + 1);
    OK(clEnqueueWriteImage(queue, image, CL_FALSE, zero, sizes, 0, 0, model, 0, NULL, NULL));
    SAME(image);

    /* A box with pitches. */
    size_t origin[3] = {2, h > 1, d > 1}, box[3] = {3, h > 1 ? 3 : 1, d > 1 ? 2 : 1};
    unsigned char part[4096];
    for (int i = 0; i < 4096; i++) part[i] = (unsigned char)(i * 3);
    size_t row = 20, slice = array1d ? 40 : array2d || d > 1 ? 100 : 0;
    size_t step_y = array1d ? slice : row, step_z = slice;
    cl_event event;
    cl_command_type command;
    OK(clEnqueueWriteImage(queue, image, CL_TRUE, origin, box, row, slice, part, 0, NULL, &event));
    OK(clGetEventInfo(event, CL_EVENT_COMMAND_TYPE, sizeof command, &command, NULL));
    EXPECT(CL_COMMAND_WRITE_IMAGE, command);
    OK(clReleaseEvent(event));
    for (size_t z = 0; z < box[2]; z++)
        for (size_t y = 0; y < box[1]; y++)
            memcpy(at(model, origin[0], origin[1] + y, origin[2] + z),
                   part + y * step_y + z * step_z, box[0] * TEXEL);
    SAME(image);

    /* To a buffer, packed, and back to another place. */
    size_t to[3] = {4, h > 1 ? 2 : 0, 0};
    OK(clEnqueueCopyImageToBuffer(queue, image, type == CL_MEM_OBJECT_IMAGE1D_BUFFER
                                  ? (buffer = check_buffer(context, 0, BYTES)) : buffer,
                                  origin, box, 12, 0, NULL, NULL));
    OK(clEnqueueCopyBufferToImage(queue, buffer, image, 12, to, box, 0, NULL, NULL));
    unsigned char before[BYTES];
    memcpy(before, model, BYTES);
    for (size_t z = 0; z < box[2]; z++)
        for (size_t y = 0; y < box[1]; y++)
            memcpy(at(model, to[0], to[1] + y, to[2] + z),
                   at(before, origin[0], origin[1] + y, origin[2] + z), box[0] * TEXEL);
    SAME(image);

    /* Between images. */
    desc.image_row_pitch = desc.image_slice_pitch = 0;
    if (desc.mem_object) desc.mem_object = buffer;
    cl_mem other = make(0, &RGBA8, desc, NULL);
    OK(clEnqueueCopyImage(queue, image, other, zero, zero, sizes, 0, NULL, NULL));
    SAME(other);

    /* A fill. */
    const float color[4] = {1.0f, 0.5f, -1.0f, 0.2f};
    OK(clEnqueueFillImage(queue, other, color, origin, box, 0, NULL, NULL));
    for (size_t z = 0; z < box[2]; z++)
        for (size_t y = 0; y < box[1]; y++)
            for (size_t x = 0; x < box[0]; x++)
                memcpy(at(model, origin[0] + x, origin[1] + y, origin[2] + z), "\xff\x80\0\x33", 4);
    SAME(other);

    /* A map of a box; what is beside the box stays. */
    size_t map_row = 0, map_slice = 0;
    unsigned char *map = clEnqueueMapImage(queue, other, CL_TRUE, CL_MAP_WRITE_INVALIDATE_REGION,
                                           origin, box, &map_row, &map_slice, 0, NULL, NULL, &err);
    NEED(map && err == CL_SUCCESS);
    step_y = array1d ? map_slice : map_row;
    for (size_t z = 0; z < box[2]; z++)
        for (size_t y = 0; y < box[1]; y++)
            for (size_t x = 0; x < box[0] * TEXEL; x++)
                at(model, origin[0], origin[1] + y, origin[2] + z)[x] =
                    map[z * map_slice + y * step_y + x] = (unsigned char)(x + 5 * y + 77 * z);
    OK(clEnqueueUnmapMemObject(queue, other, map, 0, NULL, NULL));
    SAME(other);
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(other));
    OK(clReleaseMemObject(buffer));
}

static const char *const SOURCE =
    "kernel void copy(read_only image2d_t from, write_only image2d_t to) {\n"
    "    int2 c = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imagef(to, c, read_imagef(from, c));\n"
    "}\n"
    "kernel void sample(read_only image2d_t from, sampler_t s, global const float2 *at,\n"
    "                   global float4 *out) {\n"
    "    size_t i = get_global_id(0);\n"
    "    out[i] = read_imagef(from, s, at[i]);\n"
    "}\n"
    "kernel void write_f(write_only image2d_t to, float4 v) {\n"
    "    write_imagef(to, (int2)(0, 0), v);\n"
    "}\n"
    "kernel void write_i(write_only image2d_t to, int4 v) {\n"
    "    write_imagei(to, (int2)(get_global_id(0), 0), v);\n"
    "}\n"
    "kernel void update(read_write image2d_t image) {\n"
    "    int2 c = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imagef(image, c, read_imagef(image, c) + 1.0f);\n"
    "}\n"
    "kernel void dims(read_only image2d_array_t image, global int *out) {\n"
    "    out[0] = get_image_width(image); out[1] = get_image_height(image);\n"
    "    out[2] = get_image_array_size(image);\n"
    "    out[3] = get_image_channel_order(image); out[4] = get_image_channel_data_type(image);\n"
    "}\n";

/* The texel that a sampler reads for one coordinate; -1 is the border. */
static int texel_of(cl_addressing_mode mode, double u, int size) {
    int i = (int)floor(u);
    switch (mode) {
    case CL_ADDRESS_CLAMP_TO_EDGE: return i < 0 ? 0 : i >= size ? size - 1 : i;
    case CL_ADDRESS_REPEAT: return ((i % size) + size) % size;
    case CL_ADDRESS_MIRRORED_REPEAT:
        i = ((i % (2 * size)) + 2 * size) % (2 * size);
        return i < size ? i : 2 * size - 1 - i;
    default: return i < 0 || i >= size ? -1 : i;
    }
}

static double channel(const float *image, int w, int x, int y, int c) {
    return x < 0 || y < 0 ? 0.0 : image[(y * w + x) * 4 + c];
}

static void sampling(void) {
    enum { IW = 4, IH = 3, COUNT = 40 };
    static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP_TO_EDGE, CL_ADDRESS_CLAMP,
                                               CL_ADDRESS_REPEAT, CL_ADDRESS_MIRRORED_REPEAT};
    float texels[IW * IH * 4], where[COUNT * 2], out[COUNT * 4];
    for (int i = 0; i < IW * IH * 4; i++) texels[i] = (float)((i * 37) % 101) / 8;
    cl_int err;
    cl_mem image = make(CL_MEM_COPY_HOST_PTR | CL_MEM_READ_ONLY, &RGBAF,
                        desc_of(CL_MEM_OBJECT_IMAGE2D, IW, IH, 0, 0), texels);
    cl_mem at = check_buffer(context, 0, sizeof where), to = check_buffer(context, 0, sizeof out);
    cl_kernel kernel = check_kernel(program, "", "sample");
    OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clSetKernelArg(kernel, 2, sizeof at, &at));
    OK(clSetKernelArg(kernel, 3, sizeof to, &to));
    for (int m = 0; m < 4; m++)
        for (int linear = 0; linear < 2; linear++)
            for (int normalized = m >= 2; normalized < 2; normalized++) {
                cl_sampler sampler = clCreateSampler(
                    context, (cl_bool)normalized, modes[m],
                    linear ? CL_FILTER_LINEAR : CL_FILTER_NEAREST, &err);
                NEED(sampler && err == CL_SUCCESS);
                for (int i = 0; i < COUNT; i++) {
                    where[2 * i] = (float)(i * 23 % 97) / 8 - 4.3125f;
                    where[2 * i + 1] = (float)(i * 31 % 89) / 8 - 4.1875f;
                    if (normalized) where[2 * i] /= 4, where[2 * i + 1] /= 4;
                }
                OK(clEnqueueWriteBuffer(queue, at, CL_TRUE, 0, sizeof where, where, 0, NULL, NULL));
                OK(clSetKernelArg(kernel, 1, sizeof sampler, &sampler));
                const size_t count = COUNT;
                OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
                OK(clEnqueueReadBuffer(queue, to, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
                int bad = 0;
                for (int i = 0; i < COUNT * 4 && !bad; i++) {
                    double u = where[i / 4 * 2], v = where[i / 4 * 2 + 1], want = 0;
                    if (normalized) u *= IW, v *= IH;
                    double a = 0, b = 0;
                    if (linear) {
                        u -= 0.5, v -= 0.5;
                        a = u - floor(u), b = v - floor(v);
                    }
                    for (int k = 0; k <= 3 * linear; k++) {
                        int x = texel_of(modes[m], floor(u) + (k & 1), IW);
                        int y = texel_of(modes[m], floor(v) + (k >> 1), IH);
                        want += channel(texels, IW, x, y, i % 4) * (k & 1 ? a : 1 - a)
                                * (k >> 1 ? b : 1 - b);
                    }
                    bad = !(fabs(out[i] - want) <= 1e-4);
                    if (bad)
                        printf("mode %x linear %d normalized %d at %g,%g: %g, not %g\n", modes[m],
                               linear, normalized, where[i / 4 * 2], where[i / 4 * 2 + 1], out[i],
                               want);
                }
                check_failures += bad;
                OK(clReleaseSampler(sampler));
            }
    EXPECT(CL_INVALID_SAMPLER, clSetKernelArg(kernel, 1, sizeof image, &image));
    EXPECT(CL_INVALID_SAMPLER, clSetKernelArg(kernel, 1, sizeof(cl_sampler), NULL));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 1, 4, &image));
    EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 0, sizeof at, &at));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, 0, 4, &image));
    EXPECT(CL_INVALID_MEM_OBJECT, clSetKernelArg(kernel, 2, sizeof image, &image));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(image));
    OK(clReleaseMemObject(at));
    OK(clReleaseMemObject(to));
}

/* A float image written to a format: the kernel's and the fill's texel are as expected. */
static void formats(void) {
    static const struct {
        cl_image_format format;
        int size;
        unsigned char texel[16];
    } rows[] = {
        /* 0.2, 1, 0.6, 0 */
        {{CL_R, CL_UNORM_INT8}, 1, {51}},
        {{CL_A, CL_UNORM_INT8}, 1, {0}},
        {{CL_RG, CL_UNORM_INT16}, 4, {0x33, 0x33, 0xff, 0xff}},
        {{CL_RA, CL_UNORM_INT8}, 2, {51, 0}},
        {{CL_RGBA, CL_UNORM_INT8}, 4, {51, 255, 153, 0}},
        {{CL_BGRA, CL_UNORM_INT8}, 4, {153, 255, 51, 0}},
        {{CL_ARGB, CL_UNORM_INT8}, 4, {0, 51, 255, 153}},
        {{CL_ABGR, CL_UNORM_INT8}, 4, {0, 153, 255, 51}},
        {{CL_INTENSITY, CL_UNORM_INT8}, 1, {51}},
        {{CL_LUMINANCE, CL_SNORM_INT8}, 1, {25}},
        {{CL_RGB, CL_UNORM_SHORT_565}, 2, {0xf3, 0x37}},
        {{CL_RGB, CL_UNORM_INT_101010}, 4, {0x66, 0xfe, 0xdf, 0x0c}},
        {{CL_RGBA, CL_SNORM_INT16}, 8, {0x99, 0x19, 0xff, 0x7f, 0xcc, 0x4c, 0, 0}},
        {{CL_RG, CL_HALF_FLOAT}, 4, {0x66, 0x32, 0, 0x3c}},
        {{CL_RGBA, CL_FLOAT}, 16,
         {0xcd, 0xcc, 0x4c, 0x3e, 0, 0, 0x80, 0x3f, 0x9a, 0x99, 0x19, 0x3f, 0, 0, 0, 0}},
        {{CL_DEPTH, CL_UNORM_INT16}, 2, {0x33, 0x33}},
    };
    static const float color[4] = {0.2f, 1, 0.6f, 0};
    enum { W2 = 5, H2 = 3 };
    const size_t zero[3] = {0}, whole[3] = {W2, H2, 1}, range[2] = {W2, H2};
    cl_mem from = make_2d(&RGBAF, W2, H2);
    OK(clEnqueueFillImage(queue, from, color, zero, whole, 0, NULL, NULL));
    cl_kernel kernel = check_kernel(program, "", "copy");
    OK(clSetKernelArg(kernel, 0, sizeof from, &from));
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        cl_mem to = make_2d(&rows[i].format, W2, H2);
        EXPECT(rows[i].size, info(to, CL_IMAGE_ELEMENT_SIZE));
        for (int fill = 0; fill < 2; fill++) {
            if (fill) {
                OK(clEnqueueFillImage(queue, to, color, zero, whole, 0, NULL, NULL));
            } else {
                if (rows[i].format.image_channel_order == CL_DEPTH) continue;
                OK(clSetKernelArg(kernel, 1, sizeof to, &to));
                OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, range, NULL, 0, NULL, NULL));
            }
            unsigned char texels[W2 * H2 * 16];
            OK(clEnqueueReadImage(queue, to, CL_TRUE, zero, whole, 0, 0, texels, 0, NULL, NULL));
            int bad = 0;
            for (int t = 0; t < W2 * H2; t++)
                bad |= memcmp(texels + t * rows[i].size, rows[i].texel, rows[i].size);
            if (bad) {
                printf("format %zu, %s:", i, fill ? "filled" : "written");
                for (int b = 0; b < rows[i].size; b++) printf(" %02x", texels[b]);
                printf("\n");
                check_failures++;
            }
        }
        OK(clReleaseMemObject(to));
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(from));
}

static void kernels(void) {
    const size_t zero[3] = {0}, whole[3] = {4, 4, 1}, range[2] = {4, 4}, one = 1;
    const float color[4] = {1, 2, 3, 4};
    float texels[64];
    cl_mem image = make_2d(&RGBAF, 4, 4);
    OK(clEnqueueFillImage(queue, image, color, zero, whole, 0, NULL, NULL));
    cl_kernel kernel = check_kernel(program, "", "update");
    OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, range, NULL, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 2, NULL, range, NULL, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, image, CL_TRUE, zero, whole, 0, 0, texels, 0, NULL, NULL));
    for (int i = 0; i < 64; i++)
        if (texels[i] != (float)(3 + i % 4)) {
            printf("update: %d is %g\n", i, texels[i]);
            check_failures++;
            break;
        }
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(image));

    /* Integers saturate. */
    const cl_image_format rgba8i = {CL_RGBA, CL_SIGNED_INT8};
    const cl_int value[4] = {1000, -5, -1000, 7};
    signed char small[4];
    image = make_2d(&rgba8i, 4, 4);
    kernel = check_kernel(program, "", "write_i");
    OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clSetKernelArg(kernel, 1, sizeof value, value));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    const size_t single[3] = {1, 1, 1};
    OK(clEnqueueReadImage(queue, image, CL_TRUE, zero, single, 0, 0, small, 0, NULL, NULL));
    TRUE(small[0] == 127 && small[1] == -5 && small[2] == -128 && small[3] == 7);
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(image));

    /* By IEC 61966-2-1 0.5 is 187.52 of 255; alpha is linear, and 127.5 is rounded to even. */
    const cl_image_format srgb = {CL_sRGBA, CL_UNORM_INT8};
    const cl_float half_lit[4] = {0.5f, 0.0f, 1.0f, 0.5f};
    unsigned char stored[4];
    image = make_2d(&srgb, 4, 4);
    kernel = check_kernel(program, "", "write_f");
    OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clSetKernelArg(kernel, 1, sizeof half_lit, half_lit));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, image, CL_TRUE, zero, single, 0, 0, stored, 0, NULL, NULL));
    TRUE(stored[0] == 188 && stored[1] == 0 && stored[2] == 255 && stored[3] == 128);
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(image));

    cl_int dims[5];
    cl_mem out = check_buffer(context, 0, sizeof dims);
    image = make(CL_MEM_WRITE_ONLY, &RGBA8, desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 6, 5, 0, 3), NULL);
    kernel = check_kernel(program, "", "dims");
    cl_mem flat = make_2d(&RGBA8, 6, 5);
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof flat, &flat));
    OK(clReleaseMemObject(flat));
    EXPECT(CL_INVALID_ARG_VALUE, clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clReleaseMemObject(image));
    image = make(CL_MEM_READ_ONLY, &RGBA8, desc_of(CL_MEM_OBJECT_IMAGE2D_ARRAY, 6, 5, 0, 3), NULL);
    OK(clSetKernelArg(kernel, 0, sizeof image, &image));
    OK(clSetKernelArg(kernel, 1, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof dims, dims, 0, NULL, NULL));
    TRUE(dims[0] == 6 && dims[1] == 5 && dims[2] == 3 && dims[3] == CL_RGBA
         && dims[4] == CL_UNORM_INT8);
    OK(clReleaseMemObject(image));
    EXPECT(CL_INVALID_KERNEL_ARGS,
           clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
    OK(clReleaseMemObject(out));
}

int main(void) {
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    cl_int err;
    cl_bool images = CL_FALSE;
    OK(clGetDeviceInfo(device, CL_DEVICE_IMAGE_SUPPORT, sizeof images, &images, NULL));
    EXPECT(CL_TRUE, images);
    const char *source = SOURCE;
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program && clBuildProgram(program, 0, NULL, "-cl-std=CL3.0", NULL, NULL) == CL_SUCCESS);
    wrong_images();
    wrong_commands();
    queries();
    static const cl_mem_object_type kinds[] = {
        CL_MEM_OBJECT_IMAGE1D,       CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
        CL_MEM_OBJECT_IMAGE2D,       CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};
    for (int i = 0; i < 6; i++) {
        commands(kinds[i], 0);
        if (kinds[i] != CL_MEM_OBJECT_IMAGE1D_BUFFER) commands(kinds[i], CL_MEM_USE_HOST_PTR);
    }
    sampling();
    formats();
    kernels();
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
