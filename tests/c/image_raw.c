/* cl_ext_image_raw10_raw12: texels of 10 and 12 bits, of which four and two share bytes, as the application lays them out, and as
   kernels and commands see them. */
#include "check.h"

enum { W = 24, H = 7, PITCH = 40 };

static cl_device_id device;
static cl_context context;
static cl_command_queue queue;
static cl_program program;

static const char *SOURCE =
    "#ifndef cl_ext_image_raw10_raw12\n#error no macro\n#endif\n"
    "#if __OPENCL_C_VERSION__ >= 300 && !defined(__opencl_c_ext_image_raw10_raw12)\n#error no feature\n#endif\n"
    "kernel void get(read_only image2d_t i, sampler_t s, global uint4 *out) {\n"
    "  int x = get_global_id(0), y = get_global_id(1), at = y * get_global_size(0) + x;\n"
    "  out[2 * at] = read_imageui(i, s, (int2)(x - 1, y - 1)); out[2 * at + 1] = read_imageui(i, (int2)(min(x, 23), min(y, 6)));\n"
    "}\n"
    "kernel void put(write_only image2d_t i) {\n"
    "  int x = get_global_id(0), y = get_global_id(1);\n"
    "  write_imageui(i, (int2)(x, y), (uint4)(x * 191 + y * 37 + 5, 1, 2, 3));\n"
    "}\n"
    "kernel void type(read_only image2d_t i, global int *out) {\n"
    "  out[0] = get_image_channel_data_type(i) == CLK_UNSIGNED_INT_RAW10_EXT;\n"
    "  out[1] = get_image_channel_data_type(i) == CLK_UNSIGNED_INT_RAW12_EXT; out[2] = get_image_channel_order(i) == CLK_R;\n"
    "}\n";

/* By the tables of the extension: texel x of a row. */
static unsigned get(const unsigned char *row, int bits, int x) {
    if (bits == 10) {
        const unsigned char *p = row + x / 4 * 5;
        return p[x % 4] << 2 | (p[4] >> 2 * (x % 4) & 3);
    }
    const unsigned char *p = row + x / 2 * 3;
    return p[x % 2] << 4 | (p[2] >> 4 * (x % 2) & 15);
}

static void format(int bits) {
    cl_int err;
    const size_t block = bits == 10 ? 4 : 2, bytes = block + 1, row = W / block * bytes;
    const cl_image_format raw = {CL_R, bits == 10 ? 0x10E3 : 0x10E4};
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = W, .image_height = H};
    cl_image_format all[256];
    cl_uint count;
    const cl_mem_flags accesses[] = {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE};
    for (int a = 0; a < 2; a++) {
        OK(clGetSupportedImageFormats(context, accesses[a], CL_MEM_OBJECT_IMAGE2D, 256, all, &count));
        int found = 0;
        for (cl_uint i = 0; i < count; i++) found += !memcmp(&all[i], &raw, sizeof raw);
        EXPECT(a == 0, found);
    }

    /* What cannot be. */
    desc.image_width = W + 1;
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &raw, &desc, NULL, &err));
    desc.image_width = W;
    desc.num_mip_levels = 3;
    EXPECT_NULL(CL_INVALID_IMAGE_DESCRIPTOR, clCreateImage(context, 0, &raw, &desc, NULL, &err));
    desc.num_mip_levels = 0;
    desc.image_type = CL_MEM_OBJECT_IMAGE3D;
    desc.image_depth = 2;
    EXPECT_NULL(CL_IMAGE_FORMAT_NOT_SUPPORTED, clCreateImage(context, 0, &raw, &desc, NULL, &err));
    desc.image_type = CL_MEM_OBJECT_IMAGE2D;
    const cl_image_format wrong = {CL_RG, raw.image_channel_data_type};
    EXPECT_NULL(CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, clCreateImage(context, 0, &wrong, &desc, NULL, &err));

    /* As the application lays it out, with a pitch. */
    unsigned char given[PITCH * H], got[PITCH * H], expected[PITCH * H];
    for (int i = 0; i < PITCH * H; i++) given[i] = (unsigned char)(i * 89 + i / 7);
    desc.image_row_pitch = PITCH;
    cl_mem image = clCreateImage(context, CL_MEM_COPY_HOST_PTR, &raw, &desc, given, &err);
    NEED(image && err == CL_SUCCESS);
    desc.image_row_pitch = 0;
    size_t pitch, element;
    OK(clGetImageInfo(image, CL_IMAGE_ROW_PITCH, sizeof pitch, &pitch, NULL));
    TRUE(pitch == PITCH || pitch == row);
    OK(clGetImageInfo(image, CL_IMAGE_ELEMENT_SIZE, sizeof element, &element, NULL));
    EXPECT(2, element);

    cl_sampler sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &err);
    NEED(sampler);
    const size_t items[2] = {W + 2, H + 2};
    cl_mem out = check_buffer(context, 0, 32 * items[0] * items[1]);
    cl_kernel reads = check_kernel(program, "", "get");
    OK(clSetKernelArg(reads, 0, sizeof image, &image));
    OK(clSetKernelArg(reads, 1, sizeof sampler, &sampler));
    OK(clSetKernelArg(reads, 2, sizeof out, &out));
    OK(clEnqueueNDRangeKernel(queue, reads, 2, NULL, items, NULL, 0, NULL, NULL));
    static cl_uint seen[(W + 2) * (H + 2)][2][4];
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof seen, seen, 0, NULL, NULL));
    for (int y = -1; y <= H; y++)
        for (int x = -1; x <= W; x++) {
            const int inside = x >= 0 && x < W && y >= 0 && y < H, at = (y + 1) * (W + 2) + x + 1;
            EXPECT(inside ? get(given + y * PITCH, bits, x) : 0, seen[at][0][0]);
            EXPECT(1, seen[at][0][3]);
            EXPECT(0, seen[at][0][1] | seen[at][0][2]);
            const int cx = x + 1 < W ? x + 1 : W - 1, cy = y + 1 < H ? y + 1 : H - 1;
            EXPECT(get(given + cy * PITCH, bits, cx), seen[at][1][0]);
        }

    /* Kernels write all texels at once, which share bytes; values beyond the largest become that. */
    cl_mem written = clCreateImage(context, 0, &raw, &desc, NULL, &err);
    NEED(written && err == CL_SUCCESS);
    cl_kernel writes = check_kernel(program, "", "put");
    const size_t size[2] = {W, H}, origin[3] = {0}, region[3] = {W, H, 1};
    OK(clSetKernelArg(writes, 0, sizeof written, &written));
    OK(clEnqueueNDRangeKernel(queue, writes, 2, NULL, size, NULL, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, written, CL_TRUE, origin, region, PITCH, 0, got, 0, NULL, NULL));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            const unsigned value = x * 191 + y * 37 + 5, most = (1u << bits) - 1;
            EXPECT(value < most ? value : most, get(got + y * PITCH, bits, x));
        }

    /* Commands on regions of whole blocks. */
    const size_t from[3] = {block, 1, 0}, to[3] = {2 * block, 3, 0}, part[3] = {3 * block, 2, 1};
    memcpy(expected, got, sizeof got);
    OK(clEnqueueCopyImage(queue, image, written, from, to, part, 0, NULL, NULL));
    for (int y = 0; y < 2; y++)
        memcpy(expected + (y + 3) * PITCH + 2 * bytes, given + (y + 1) * PITCH + bytes, 3 * bytes);
    const cl_uint color[4] = {0x2A7, 9, 9, 9}, large[4] = {1u << 20, 0, 0, 0};
    const size_t corner[3] = {W - 2 * block, 5, 0}, last[3] = {2 * block, 2, 1}, first[3] = {block, 1, 1};
    OK(clEnqueueFillImage(queue, written, color, corner, last, 0, NULL, NULL));
    OK(clEnqueueFillImage(queue, written, large, origin, first, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, written, CL_TRUE, origin, region, PITCH, 0, got, 0, NULL, NULL));
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            unsigned want = get(expected + y * PITCH, bits, x);
            if (y >= 5 && x >= W - 2 * (int)block) want = 0x2A7;
            if (y == 0 && x < (int)block) want = (1u << bits) - 1;
            EXPECT(want, get(got + y * PITCH, bits, x));
        }
    cl_mem packed = check_buffer(context, 0, PITCH * H);
    OK(clEnqueueCopyImageToBuffer(queue, image, packed, from, part, 3, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, packed, CL_TRUE, 3, 6 * bytes, got, 0, NULL, NULL));
    for (int y = 0; y < 2; y++) EXPECT(0, memcmp(got + y * 3 * bytes, given + (y + 1) * PITCH + bytes, 3 * bytes));
    OK(clEnqueueWriteImage(queue, written, CL_TRUE, to, part, 0, 0, got, 0, NULL, NULL));
    OK(clEnqueueCopyBufferToImage(queue, packed, written, 3, from, part, 0, NULL, NULL));
    unsigned char *mapped = clEnqueueMapImage(queue, written, CL_TRUE, CL_MAP_READ, from, part, &pitch, NULL, 0, NULL, NULL, &err);
    NEED(mapped && err == CL_SUCCESS);
    EXPECT(0, memcmp(mapped, got, 3 * bytes));
    EXPECT(0, memcmp(mapped + pitch, got + 3 * bytes, 3 * bytes));
    OK(clEnqueueUnmapMemObject(queue, written, mapped, 0, NULL, NULL));
    const size_t inside[3] = {1, 0, 0}, narrow[3] = {1, 1, 1};
    EXPECT(CL_INVALID_VALUE, clEnqueueReadImage(queue, image, CL_TRUE, inside, part, 0, 0, got, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueWriteImage(queue, image, CL_TRUE, origin, narrow, 0, 0, got, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clEnqueueFillImage(queue, image, color, inside, part, 0, NULL, NULL));

    /* A whole image of one value, in one command, on the device. */
    desc.image_width = 4096;
    desc.image_height = 1024;
    cl_mem wide = clCreateImage(context, 0, &raw, &desc, NULL, &err);
    NEED(wide && err == CL_SUCCESS);
    const size_t everything[3] = {4096, 1024, 1}, end[3] = {4096 - block, 1023, 0};
    OK(clEnqueueFillImage(queue, wide, color, origin, everything, 0, NULL, NULL));
    OK(clEnqueueReadImage(queue, wide, CL_TRUE, end, first, 0, 0, got, 0, NULL, NULL));
    for (int x = 0; x < (int)block; x++) EXPECT(0x2A7, get(got, bits, x));

    cl_kernel asks = check_kernel(program, "", "type");
    cl_int type[3];
    OK(clSetKernelArg(asks, 0, sizeof image, &image));
    OK(clSetKernelArg(asks, 1, sizeof packed, &packed));
    OK(clEnqueueTask(queue, asks, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, packed, CL_TRUE, 0, sizeof type, type, 0, NULL, NULL));
    EXPECT(bits == 10, type[0]);
    EXPECT(bits == 12, type[1]);
    EXPECT(1, type[2]);

    cl_mem objects[] = {image, written, wide, packed, out};
    for (int i = 0; i < 5; i++) OK(clReleaseMemObject(objects[i]));
    cl_kernel kernels[] = {reads, writes, asks};
    for (int i = 0; i < 3; i++) OK(clReleaseKernel(kernels[i]));
    OK(clReleaseSampler(sampler));
}

int main(void) {
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    cl_int err;
    program = clCreateProgramWithSource(context, 1, &SOURCE, NULL, &err);
    NEED(program && err == CL_SUCCESS);
    check_built(program, device, clBuildProgram(program, 1, &device, "-cl-std=CL3.0", NULL, NULL));
    format(10);
    format(12);
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
