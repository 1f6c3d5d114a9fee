/* cl_ext_image_from_buffer, cl_ext_image_requirements_info: images of all kinds over buffers, with the sizes, pitches and
   alignments that the queries tell. */
#include "check.h"

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static cl_int (*requirements)(cl_context, const cl_mem_properties *, cl_mem_flags, const cl_image_format *, const cl_image_desc *,
                              cl_uint, size_t, void *, size_t *);

enum { ROW_PITCH = 0x1290, SLICE_PITCH, BASE_ADDRESS, SIZE = 0x12B2, WIDTH, HEIGHT, DEPTH, ARRAY_SIZE };

static const cl_mem_object_type KINDS[] = {
    CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
    CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE1D_BUFFER,
};
static const cl_image_format FORMATS[] = {{CL_R, CL_UNSIGNED_INT8}, {CL_RGBA, CL_UNSIGNED_INT8}, {CL_RG, CL_UNSIGNED_INT32}, {CL_RGBA, CL_UNSIGNED_INT32}};
static const size_t TEXELS[] = {1, 4, 8, 16};

static size_t ask(const cl_image_format *format, const cl_image_desc *desc, cl_uint name) {
    size_t value = 0, size;
    OK(requirements(context, NULL, CL_MEM_READ_WRITE, format, desc, name, sizeof value, &value, &size));
    EXPECT(sizeof value, size);
    return value;
}

/* An image of 5 by 3 by 4, or what of these the kind has, with rows and slices that are longer by some texels and rows. */
static void image(cl_mem_object_type kind, int f, size_t more, size_t rows) {
    cl_int err;
    const size_t texel = TEXELS[f], w = 5;
    const int planes = kind == CL_MEM_OBJECT_IMAGE3D || kind == CL_MEM_OBJECT_IMAGE2D_ARRAY, lines = kind == CL_MEM_OBJECT_IMAGE1D_ARRAY;
    const size_t h = planes || kind == CL_MEM_OBJECT_IMAGE2D ? 3 : 1, d = planes || lines ? 4 : 1;
    cl_image_desc desc = {.image_type = kind, .image_width = w, .image_height = h, .image_depth = d, .image_array_size = d};
    EXPECT(texel, ask(&FORMATS[f], &desc, ROW_PITCH));
    EXPECT(texel, ask(&FORMATS[f], &desc, SLICE_PITCH));
    EXPECT(texel, ask(&FORMATS[f], &desc, BASE_ADDRESS));
    size_t row = (w + more) * texel, slice = row * (h + rows);
    if (kind == CL_MEM_OBJECT_IMAGE1D_BUFFER) row = w * texel, slice = row;
    if (more) desc.image_row_pitch = row;
    if (rows) desc.image_slice_pitch = slice;
    size_t size = ask(&FORMATS[f], &desc, SIZE), got;
    TRUE(size >= (d - 1) * slice + (h - 1) * row + w * texel && size <= d * slice);
    /* The buffer is part of another one. */
    cl_mem parent = check_buffer(context, 0, 4096 + size);
    cl_buffer_region part = {1024, size}, small = {1024, size - 1};
    cl_mem buffer = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &err);
    cl_mem less = clCreateSubBuffer(parent, 0, CL_BUFFER_CREATE_TYPE_REGION, &small, &err);
    NEED(buffer && less);
    desc.mem_object = less;
    EXPECT_NULL(CL_INVALID_IMAGE_SIZE, clCreateImage(context, 0, &FORMATS[f], &desc, NULL, &err));
    desc.mem_object = buffer;
    cl_mem made = clCreateImage(context, 0, &FORMATS[f], &desc, NULL, &err);
    NEED(made && err == CL_SUCCESS);
    cl_mem over;
    OK(clGetMemObjectInfo(made, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof over, &over, NULL));
    TRUE(over == buffer);
    OK(clGetMemObjectInfo(made, CL_MEM_SIZE, sizeof got, &got, NULL));
    EXPECT(size, got);
    OK(clGetImageInfo(made, CL_IMAGE_ROW_PITCH, sizeof got, &got, NULL));
    EXPECT(row, got);
    if (planes || lines) {
        OK(clGetImageInfo(made, CL_IMAGE_SLICE_PITCH, sizeof got, &got, NULL));
        EXPECT(slice, got);
    }
    /* What the buffer has, the image has. */
    unsigned char *bytes = malloc(size), *texels = malloc(w * h * d * texel);
    for (size_t i = 0; i < size; i++) bytes[i] = 37 * i + i / 251;
    OK(clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, bytes, 0, NULL, NULL));
    const size_t origin[3] = {0}, region[3] = {w, lines ? d : h, lines ? 1 : d};
    OK(clEnqueueReadImage(queue, made, CL_TRUE, origin, region, 0, 0, texels, 0, NULL, NULL));
    for (size_t z = 0; z < d; z++)
        for (size_t y = 0; y < h; y++)
            EXPECT(0, memcmp(texels + (z * h + y) * w * texel, bytes + z * slice + y * row, w * texel));
    /* Kernels see it, and what the image gets, the buffer gets; what lies between is not touched. */
    if (planes && f == 3) {
        const int three = kind == CL_MEM_OBJECT_IMAGE3D;
        cl_kernel kernel = check_kernel(program, "", three ? "sum3" : "sum2");
        cl_mem sums = check_buffer(context, 0, w * h * d * 4);
        const size_t global[3] = {w, h, d};
        cl_uint result[60];
        OK(clSetKernelArg(kernel, 0, sizeof made, &made));
        OK(clSetKernelArg(kernel, 1, sizeof sums, &sums));
        OK(clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, NULL, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, sums, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL));
        for (size_t i = 0; i < w * h * d; i++) {
            cl_uint four[4];
            memcpy(four, bytes + i / (w * h) * slice + i / w % h * row + i % w * texel, sizeof four);
            EXPECT(four[0] + 2 * four[1] + 3 * four[2] + 4 * four[3], result[i]);
        }
        OK(clReleaseMemObject(sums));
        OK(clReleaseKernel(kernel));
    }
    const cl_uint color[4] = {7, 8, 9, 10};
    OK(clEnqueueFillImage(queue, made, color, origin, region, 0, NULL, NULL));
    unsigned char *after = malloc(size);
    OK(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, after, 0, NULL, NULL));
    size_t wrong = 0;
    for (size_t i = 0; i < size; i++) {
        size_t in = i % slice % row;
        int inside = in < w * texel && i % slice / row < h;
        size_t width = f < 2 ? 1 : 4;
        unsigned char want = in % width ? 0 : (unsigned char)color[in % texel / width];
        wrong += after[i] != (inside ? want : bytes[i]);
    }
    EXPECT(0, wrong);
    free(bytes), free(texels), free(after);
    OK(clReleaseMemObject(made));
    OK(clReleaseMemObject(buffer));
    OK(clReleaseMemObject(less));
    OK(clReleaseMemObject(parent));
}

static void errors(void) {
    const cl_image_format format = {CL_RGBA, CL_UNSIGNED_INT8}, pair = {CL_INTENSITY, CL_UNORM_SHORT_555};
    const cl_image_desc flat = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8},
                        buffer = {.image_type = CL_MEM_OBJECT_BUFFER, .image_width = 8}, empty = {.image_type = CL_MEM_OBJECT_IMAGE1D},
                        samples = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8, .num_samples = 4},
                        any = {.image_type = 0}, deep = {.image_type = CL_MEM_OBJECT_IMAGE3D}, line = {.image_type = CL_MEM_OBJECT_IMAGE1D};
    const cl_mem_properties unknown[] = {0x2222, 1, 0};
    size_t value;
#define ASK(want, in, properties, flags, format, desc, name) \
    EXPECT(want, requirements(in, properties, flags, format, desc, name, sizeof value, &value, NULL))
    ASK(CL_INVALID_CONTEXT, NULL, NULL, 0, &format, &flat, ROW_PITCH);
    ASK(CL_INVALID_PROPERTY, context, unknown, 0, &format, &flat, ROW_PITCH);
    ASK(CL_INVALID_VALUE, context, NULL, (cl_mem_flags)-1, &format, &flat, ROW_PITCH);
    ASK(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, context, NULL, 0, &pair, &flat, ROW_PITCH);
    ASK(CL_INVALID_IMAGE_DESCRIPTOR, context, NULL, 0, &format, &buffer, ROW_PITCH);
    ASK(CL_INVALID_IMAGE_DESCRIPTOR, context, NULL, 0, &format, &empty, BASE_ADDRESS);
    ASK(CL_INVALID_IMAGE_DESCRIPTOR, context, NULL, 0, &format, &samples, WIDTH);
    ASK(CL_INVALID_VALUE, context, NULL, 0, NULL, &flat, SIZE);
    ASK(CL_INVALID_VALUE, context, NULL, 0, &format, NULL, SIZE);
    ASK(CL_INVALID_VALUE, context, NULL, 0, &format, &flat, 0x2222);
    ASK(CL_INVALID_IMAGE_DESCRIPTOR, context, NULL, 0, &format, &line, HEIGHT);
    ASK(CL_INVALID_IMAGE_DESCRIPTOR, context, NULL, 0, &format, &flat, DEPTH);
    ASK(CL_INVALID_IMAGE_DESCRIPTOR, context, NULL, 0, &format, &deep, ARRAY_SIZE);
    EXPECT(CL_INVALID_VALUE, requirements(context, NULL, 0, &format, &flat, SIZE, 4, &value, NULL));
    EXPECT(16, ask(NULL, NULL, BASE_ADDRESS));
    EXPECT(16, ask(NULL, &flat, ROW_PITCH));
    EXPECT(4, ask(&format, NULL, SLICE_PITCH));
    /* Limits: those of the kind, or of the kind with the least. */
    static const struct { cl_uint name; cl_device_info of; int two; } limits[] = {
        {WIDTH, CL_DEVICE_IMAGE3D_MAX_WIDTH, 0}, {WIDTH, CL_DEVICE_IMAGE2D_MAX_WIDTH, 1}, {HEIGHT, CL_DEVICE_IMAGE3D_MAX_HEIGHT, 0},
        {HEIGHT, CL_DEVICE_IMAGE2D_MAX_HEIGHT, 1}, {DEPTH, CL_DEVICE_IMAGE3D_MAX_DEPTH, 0}, {ARRAY_SIZE, CL_DEVICE_IMAGE_MAX_ARRAY_SIZE, 0},
    };
    for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
        size_t limit;
        cl_uint got;
        OK(clGetDeviceInfo(device, limits[i].of, sizeof limit, &limit, NULL));
        OK(requirements(context, NULL, 0, &format, limits[i].two ? &flat : &any, limits[i].name, sizeof got, &got, NULL));
        EXPECT(limit, got);
    }
}

int main(void) {
    static const char *source =
        "uint sum(uint4 t) { return t.x + 2 * t.y + 3 * t.z + 4 * t.w; }\n"
        "size_t place() { return (get_global_id(2) * 3 + get_global_id(1)) * 5 + get_global_id(0); }\n"
        "kernel void sum3(read_only image3d_t i, global uint *out) {\n"
        "    out[place()] = sum(read_imageui(i, (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0)));\n"
        "}\n"
        "kernel void sum2(read_only image2d_array_t i, global uint *out) {\n"
        "    out[place()] = sum(read_imageui(i, (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0)));\n"
        "}\n";
    cl_int err;
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    requirements = check_function("clGetImageRequirementsInfoEXT");
    program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program && clBuildProgram(program, 1, &device, NULL, NULL, NULL) == CL_SUCCESS);
    for (size_t kind = 0; kind < sizeof KINDS / sizeof *KINDS; kind++)
        for (int f = 0; f < 4; f++)
            for (size_t more = 0; more < 4; more += 3)
                for (size_t rows = 0; rows < 3; rows += 2) {
                    int slices = kind == 1 || kind == 3 || kind == 4;
                    image(KINDS[kind], f, kind == 5 ? 0 : more, slices ? rows : 0);
                }
    errors();
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
