/* Modules of tests/data that need images, links or several sizes of launches, and the queries of cl_khr_spirv_queries. The argument
   is the folder with the modules. */
#define CL_USE_DEPRECATED_OPENCL_2_0_APIS
#include "check.h"

#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

#ifndef CL_UNSIGNED_INT10X6_EXT
#define CL_UNSIGNED_INT10X6_EXT 0x10E6
#define CL_UNSIGNED_INT12X4_EXT 0x10E7
#define CL_UNSIGNED_INT14X2_EXT 0x10E8
#endif

static const char *folder;
static cl_device_id device;
static cl_context context;
static cl_command_queue queue;

static cl_program from_words(const cl_uint *words, size_t bytes) {
    cl_int err;
    cl_program program = clCreateProgramWithIL(context, words, bytes, &err);
    NEED(program && err == CL_SUCCESS);
    return program;
}

static cl_program from_file(const char *name) {
    static cl_uint words[1 << 16];
    char path[4096];
    snprintf(path, sizeof path, "%s/%s.spv", folder, name);
    FILE *file = fopen(path, "rb");
    NEED(file);
    size_t bytes = fread(words, 1, sizeof words, file);
    fclose(file);
    return from_words(words, bytes);
}

static cl_program built(const char *name) {
    cl_program program = from_file(name);
    check_built(program, device, clBuildProgram(program, 1, &device, "", NULL, NULL));
    return program;
}

static cl_program from_source(const char *source, const char *options) {
    cl_int err;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &err);
    NEED(program);
    check_built(program, device, clBuildProgram(program, 1, &device, options, NULL, NULL));
    return program;
}

static cl_kernel kernel_of(cl_program program, const char *name) {
    return check_kernel(program, "", name);
}

/* Blocks of images */

enum { MOST = 64 };

struct format {
    cl_image_format format;
    int size;
    size_t width, height;
};

/* Byte x of row y: of the texel at the edge, if it lies outside. */
static unsigned char model(const unsigned char *bytes, const struct format *f, int x, int y) {
    int texel = (x & -f->size) / f->size, row = y;
    if (texel < 0) texel = 0;
    if (texel >= (int)f->width) texel = (int)f->width - 1;
    if (row < 0) row = 0;
    if (row >= (int)f->height) row = (int)f->height - 1;
    return bytes[((size_t)row * f->width + (size_t)texel) * (size_t)f->size + (size_t)(x & (f->size - 1))];
}

static cl_ulong model_number(const unsigned char *bytes, const struct format *f, int x, int y, int size) {
    cl_ulong number = 0;
    for (int i = 0; i < size; i++) number |= (cl_ulong)model(bytes, f, x + i, y) << 8 * i;
    return number;
}

static cl_mem image_of(const struct format *f, cl_mem_flags flags, unsigned char *bytes) {
    cl_image_desc desc = {CL_MEM_OBJECT_IMAGE2D, f->width, f->height, 0, 0, 0, 0, 0, 0, {NULL}};
    cl_int err;
    cl_mem image = clCreateImage(context, flags | CL_MEM_COPY_HOST_PTR, &f->format, &desc, bytes, &err);
    NEED(image && err == CL_SUCCESS);
    return image;
}

/* Launches one full sub-group, so that lane and global id are the same. */
static void launch(cl_kernel kernel, size_t items) {
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &items, &items, 0, NULL, NULL));
}

static const char *const READS =
    "kernel void r(read_only image2d_t image, int2 at, global ulong *out) {\n"
    "    uint id = get_global_id(0) * 13;\n"
    "    uint2 i = intel_sub_group_block_read2(image, at);\n"
    "    uchar4 c = intel_sub_group_block_read_uc4(image, at);\n"
    "    ushort4 s = intel_sub_group_block_read_us4(image, at);\n"
    "    ulong2 l = intel_sub_group_block_read_ul2(image, at);\n"
    "    uint a = intel_sub_group_block_read_ui(image, at);\n"
    "    out[id + 0] = i.x; out[id + 1] = i.y;\n"
    "    out[id + 2] = c.x; out[id + 3] = c.y; out[id + 4] = c.z; out[id + 5] = c.w;\n"
    "    out[id + 6] = s.x; out[id + 7] = s.y; out[id + 8] = s.z; out[id + 9] = s.w;\n"
    "    out[id + 10] = l.x; out[id + 11] = l.y; out[id + 12] = a;\n"
    "}\n"
    "kernel void w(write_only image2d_t image, int2 at) {\n"
    "    ulong id = get_global_id(0);\n"
    "    intel_sub_group_block_write_uc2(image, at, (uchar2)(id + 1, ~id));\n"
    "    intel_sub_group_block_write_us(image, at + (int2)(0, 2), (ushort)(id * 259));\n"
    "    intel_sub_group_block_write2(image, at + (int2)(0, 3), (uint2)(id * 16843009, ~(uint)id));\n"
    "    intel_sub_group_block_write_ul(image, at + (int2)(0, 5), ~id * 72340172838076673ul);\n"
    "}\n";

static void reads(cl_kernel kernel, const struct format *f, unsigned char *bytes, size_t lanes, int spirv) {
    static const int sizes[13] = {4, 4, 1, 1, 1, 1, 2, 2, 2, 2, 8, 8, 4};
    static const int rows[13] = {0, 1, 0, 1, 2, 3, 0, 1, 2, 3, 0, 1, 0};
    static const int spirv_sizes[3] = {4, 4, 2}, spirv_rows[3] = {0, 1, 0};
    static const cl_int places[][2] = {{0, 0}, {4, 1}, {3, 2}, {-5, -1}, {8, 6}, {1000000, 2}};
    int count = spirv ? 3 : 13;
    cl_mem image = image_of(f, CL_MEM_READ_ONLY, bytes);
    cl_mem out = check_buffer(context, 0, MOST * 13 * 8);
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        static cl_ulong got[MOST * 13];
        const cl_int *at = places[p];
        OK(clSetKernelArg(kernel, 0, sizeof image, &image));
        OK(clSetKernelArg(kernel, 1, 8, at));
        OK(clSetKernelArg(kernel, 2, sizeof out, &out));
        launch(kernel, lanes);
        OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        for (size_t lane = 0; lane < lanes; lane++) {
            for (int k = 0; k < count; k++) {
                int size = (spirv ? spirv_sizes : sizes)[k], row = (spirv ? spirv_rows : rows)[k];
                cl_ulong want = model_number(bytes, f, at[0] + (int)lane * size, at[1] + row, size);
                size_t place = lane * (size_t)count + (size_t)k;
                cl_ulong is = spirv ? ((cl_uint *)got)[place] : got[place];
                if (is != want) {
                    printf("texels of %d, width %zu, at %d,%d, lane %zu, number %d: %llx, not %llx\n", f->size,
                           f->width, at[0], at[1], lane, k, (unsigned long long)is, (unsigned long long)want);
                    check_failures++;
                    return;
                }
            }
        }
    }
    OK(clReleaseMemObject(out));
    OK(clReleaseMemObject(image));
}

static void put(unsigned char *bytes, const struct format *f, int x, int y, int size, cl_ulong number) {
    for (int i = 0; i < size; i++) {
        int at = x + i;
        if (at >= 0 && at < (int)f->width * f->size && y >= 0 && y < (int)f->height)
            bytes[(size_t)y * f->width * (size_t)f->size + (size_t)at] = (unsigned char)(number >> 8 * i);
    }
}

static void writes(cl_kernel kernel, const struct format *f, unsigned char *bytes, size_t lanes, int spirv) {
    static const cl_int places[][2] = {{0, 0}, {8, 1}, {-4, -2}, {16, 6}};
    size_t all = f->width * f->height * (size_t)f->size;
    cl_mem image = image_of(f, 0, bytes);
    for (size_t p = 0; p < sizeof places / sizeof *places; p++) {
        int x = places[p][0], y = places[p][1];
        OK(clSetKernelArg(kernel, 0, sizeof image, &image));
        OK(clSetKernelArg(kernel, 1, 8, places[p]));
        launch(kernel, lanes);
        for (size_t lane = 0; lane < lanes; lane++) {
            cl_ulong id = lane;
            int l = (int)lane;
            if (spirv) {
                cl_uint first = 287454020 + (cl_uint)lane;
                put(bytes, f, x + 4 * l, y, 4, first);
                put(bytes, f, x + 4 * l, y + 1, 4, ~first);
                continue;
            }
            put(bytes, f, x + l, y, 1, id + 1);
            put(bytes, f, x + l, y + 1, 1, ~id);
            put(bytes, f, x + 2 * l, y + 2, 2, id * 259);
            put(bytes, f, x + 4 * l, y + 3, 4, id * 16843009);
            put(bytes, f, x + 4 * l, y + 4, 4, ~id);
            put(bytes, f, x + 8 * l, y + 5, 8, ~id * 72340172838076673ul);
        }
        static unsigned char got[1 << 14];
        size_t origin[3] = {0}, region[3] = {f->width, f->height, 1};
        NEED(all <= sizeof got);
        OK(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0, got, 0, NULL, NULL));
        TRUE(!memcmp(got, bytes, all));
    }
    OK(clReleaseMemObject(image));
}

static void image_blocks(void) {
    static const struct format formats[] = {
        {{CL_RGBA, CL_UNORM_INT8}, 4, 19, 9},   {{CL_R, CL_FLOAT}, 4, 80, 8},
        {{CL_R, CL_UNSIGNED_INT8}, 1, 37, 7},   {{CL_RG, CL_UNORM_INT8}, 2, 23, 11},
        {{CL_R, CL_UNSIGNED_INT16}, 2, 128, 4}, {{CL_RGBA, CL_SIGNED_INT8}, 4, 1, 1},
    };
    cl_program source = from_source(READS, "-cl-std=CL1.2"), module = built("image-blocks");
    cl_kernel r = kernel_of(source, "r"), w = kernel_of(source, "w");
    cl_kernel read = kernel_of(module, "read"), write = kernel_of(module, "write");
    size_t lanes, one = MOST;
    OK(clGetKernelSubGroupInfo(r, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, sizeof one, &one, sizeof lanes,
                               &lanes, NULL));
    NEED(lanes <= MOST);
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++) {
        static unsigned char bytes[1 << 14];
        for (size_t k = 0; k < sizeof bytes; k++) bytes[k] = (unsigned char)(k * 151 + k / 256 + 7);
        reads(r, &formats[i], bytes, lanes, 0);
        reads(read, &formats[i], bytes, lanes, 1);
        writes(w, &formats[i], bytes, lanes, 0);
        writes(write, &formats[i], bytes, lanes, 1);
    }
    OK(clReleaseKernel(r));
    OK(clReleaseKernel(w));
    OK(clReleaseKernel(read));
    OK(clReleaseKernel(write));
    OK(clReleaseProgram(source));
    OK(clReleaseProgram(module));
}

/* Integers of SPIR-V have no sign: (70000, 0, 2^32 - 1, 5) is written saturated, by the format as unsigned or signed. */
static void image_numbers(void) {
    static const struct {
        cl_channel_type type;
        cl_uint read[4];
        unsigned short in[4], written[4];
    } rows[] = {
        {CL_UNSIGNED_INT16, {65535, 0, 1, 2}, {65535, 0, 1, 2}, {65535, 0, 65535, 5}},
        {CL_SIGNED_INT16, {0xffffffff, 0, 1, 2}, {65535, 0, 1, 2}, {32767, 0, 65535, 5}},
        {CL_UNSIGNED_INT10X6_EXT, {1023, 0, 1, 2}, {1023 << 6, 0, 1 << 6, 2 << 6}, {1023 << 6, 0, 1023 << 6, 5 << 6}},
        {CL_UNSIGNED_INT12X4_EXT, {4095, 0, 1, 2}, {4095 << 4, 0, 1 << 4, 2 << 4}, {4095 << 4, 0, 4095 << 4, 5 << 4}},
        {CL_UNSIGNED_INT14X2_EXT, {16383, 0, 1, 2}, {16383 << 2, 0, 1 << 2, 2 << 2}, {16383 << 2, 0, 16383 << 2, 5 << 2}},
    };
    cl_program program = built("image-numbers");
    cl_kernel kernel = kernel_of(program, "copy");
    static const cl_uint numbers[4] = {70000, 0, 0xffffffff, 5};
    cl_uint got[4];
    cl_mem out = check_buffer(context, 0, sizeof got);
    const size_t zero[3] = {0}, one[3] = {1, 1, 1};
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct format f = {{CL_RGBA, rows[i].type}, 8, 1, 1};
        unsigned char bytes[8];
        unsigned short texel[4];
        memcpy(bytes, rows[i].in, sizeof bytes);
        cl_mem from = image_of(&f, 0, bytes), to = image_of(&f, 0, bytes);
        OK(clSetKernelArg(kernel, 0, sizeof from, &from));
        OK(clSetKernelArg(kernel, 1, sizeof to, &to));
        OK(clSetKernelArg(kernel, 2, sizeof out, &out));
        OK(clEnqueueWriteBuffer(queue, out, CL_TRUE, 0, sizeof numbers, numbers, 0, NULL, NULL));
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, one, NULL, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
        TRUE(!memcmp(got, rows[i].read, sizeof got));
        OK(clEnqueueReadImage(queue, to, CL_TRUE, zero, one, 0, 0, texel, 0, NULL, NULL));
        TRUE(!memcmp(texel, rows[i].written, sizeof texel));
        OK(clReleaseMemObject(from));
        OK(clReleaseMemObject(to));
    }
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* Sizes of launches */

static cl_uint stored(cl_kernel kernel, size_t dims, const size_t *global, const size_t *local, cl_int code) {
    cl_uint value = 0;
    cl_int err;
    cl_mem out = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof value, &value, &err);
    NEED(out && err == CL_SUCCESS);
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    EXPECT(code, clEnqueueNDRangeKernel(queue, kernel, (cl_uint)dims, NULL, global, local, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, 4, &value, 0, NULL, NULL));
    OK(clReleaseMemObject(out));
    return value;
}

static void launch_sizes(void) {
    cl_program program = built("launch-sizes");
    cl_kernel two = kernel_of(program, "two"), three = kernel_of(program, "three"), most = kernel_of(program, "most");
    size_t lanes, one = MOST, count = 0, group = 0;
    /* The name that cl_intel_subgroups has. */
    clGetKernelSubGroupInfoKHR_fn ask = (clGetKernelSubGroupInfoKHR_fn)check_function("clGetKernelSubGroupInfoKHR");
    OK(ask(two, device, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE_KHR, sizeof one, &one, sizeof lanes, &lanes, NULL));
    OK(ask(two, device, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE_KHR, sizeof one, &one, sizeof count, &count, NULL));
    EXPECT((one + lanes - 1) / lanes, count);
    OK(clGetKernelSubGroupInfo(two, device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL, sizeof count, &count, NULL));
    EXPECT(2, count);
    OK(clGetKernelSubGroupInfo(three, device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL, sizeof count, &count, NULL));
    EXPECT(3, count);
    OK(clGetKernelSubGroupInfo(most, device, CL_KERNEL_COMPILE_NUM_SUB_GROUPS, 0, NULL, sizeof count, &count, NULL));
    EXPECT(0, count);
    size_t global = 6 * lanes, local = 2 * lanes, partial = lanes + 1, single = lanes;
    EXPECT(2, stored(two, 1, &global, &local, CL_SUCCESS));
    EXPECT(2, stored(two, 1, &partial, &partial, CL_SUCCESS));
    EXPECT(2, stored(two, 1, &global, NULL, CL_SUCCESS));
    EXPECT(3, stored(three, 1, &global, NULL, CL_SUCCESS));
    EXPECT(0, stored(two, 1, &single, &single, CL_INVALID_WORK_GROUP_SIZE));
    EXPECT(0, stored(three, 1, &local, &local, CL_INVALID_WORK_GROUP_SIZE));
    cl_mem out = check_buffer(context, 0, 4);
    OK(clSetKernelArg(two, 0, sizeof out, &out));
    EXPECT(CL_INVALID_WORK_GROUP_SIZE, clEnqueueTask(queue, two, 0, NULL, NULL));
    OK(clReleaseMemObject(out));

    OK(clGetKernelWorkGroupInfo(most, device, CL_KERNEL_WORK_GROUP_SIZE, sizeof group, &group, NULL));
    EXPECT(16, group);
    size_t fits[2] = {8, 2}, tall[2] = {2, 8}, wide[2] = {16, 1}, large[2] = {64, 64};
    EXPECT(16, stored(most, 2, fits, fits, CL_SUCCESS));
    EXPECT(0, stored(most, 2, tall, tall, CL_INVALID_WORK_GROUP_SIZE));
    EXPECT(0, stored(most, 2, wide, wide, CL_INVALID_WORK_GROUP_SIZE));
    EXPECT(16, stored(most, 2, large, fits, CL_SUCCESS));
    TRUE(stored(most, 2, large, NULL, CL_SUCCESS) <= 16);
    OK(clReleaseKernel(two));
    OK(clReleaseKernel(three));
    OK(clReleaseKernel(most));
    OK(clReleaseProgram(program));
}

/* Definitions that several modules have, in each order of the modules. */
static void defined_once(void) {
    const char *names[3] = {"once-first", "once-second", "once-third"}, *kernels[3] = {"first", "second", "third"};
    cl_program modules[3];
    for (int i = 0; i < 3; i++) {
        modules[i] = from_file(names[i]);
        check_built(modules[i], device, clCompileProgram(modules[i], 1, &device, "", 0, NULL, NULL, NULL, NULL));
    }
    for (int first = 0; first < 3; first++) {
        cl_int err;
        cl_program order[3] = {modules[first], modules[(first + 1) % 3], modules[(first + 2) % 3]};
        cl_program program = clLinkProgram(context, 1, &device, "", 3, order, NULL, NULL, &err);
        NEED(program);
        check_built(program, device, err);
        for (int i = 0; i < 3; i++) {
            cl_kernel kernel = kernel_of(program, kernels[i]);
            cl_uint seven = 7;
            size_t single = 1;
            OK(clSetKernelArg(kernel, 1, sizeof seven, &seven));
            EXPECT(114, stored(kernel, 1, &single, NULL, CL_SUCCESS));
            OK(clReleaseKernel(kernel));
        }
        OK(clReleaseProgram(program));
    }
    for (int i = 0; i < 3; i++) OK(clReleaseProgram(modules[i]));
}

/* Queues on the device */

static void launched(cl_program program, const char *name, cl_uint *got, size_t size) {
    cl_kernel kernel = kernel_of(program, name);
    cl_uint zero = 0;
    cl_mem out = check_buffer(context, 0, size);
    OK(clEnqueueFillBuffer(queue, out, &zero, 4, 0, size, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    launch(kernel, 1);
    OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, size, got, 0, NULL, NULL));
    OK(clReleaseMemObject(out));
    OK(clReleaseKernel(kernel));
}

static void enqueues(void) {
    cl_queue_properties properties[] = {
        CL_QUEUE_PROPERTIES,
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_int err;
    cl_uint got[8];
    size_t names;
    cl_command_queue own = clCreateCommandQueueWithProperties(context, device, properties, &err);
    NEED(own && err == CL_SUCCESS);
    cl_program program = built("enqueue");
    /* What is only enqueued is nobody's kernel. */
    OK(clGetProgramInfo(program, CL_PROGRAM_NUM_KERNELS, sizeof names, &names, NULL));
    EXPECT(3, names);
    launched(program, "starts", got, sizeof got);
    const cl_uint want[5] = {12, 11, 10, 0, 0};
    for (int i = 0; i < 5; i++) EXPECT(want[i], got[i]);
    launched(program, "counted", got, sizeof got);
    EXPECT(6, got[0]);
    launched(program, "asks", got, sizeof got);
    cl_uint lanes = got[1], most = got[5];
    TRUE(lanes >= 1 && most >= lanes);
    EXPECT((50 + lanes - 1) / lanes, got[0]);
    EXPECT(most / lanes, got[2]);
    EXPECT(2 * lanes <= most ? 2 * lanes : 0, got[3]);
    EXPECT(0, got[4]);
    TRUE(got[6] >= 1);
    EXPECT(0, got[7]);
    OK(clReleaseProgram(program));
    OK(clReleaseCommandQueue(own));
}

/* cl_khr_spirv_queries */

struct words {
    cl_uint word[4096];
    size_t count;
};

static void add(struct words *w, cl_uint opcode, cl_uint operands, const cl_uint *operand, const char *text) {
    size_t length = text ? strlen(text) / 4 + 1 : 0;
    NEED(w->count + 1 + operands + length < 4096);
    w->word[w->count++] = (cl_uint)(1 + operands + length) << 16 | opcode;
    for (cl_uint i = 0; i < operands; i++) w->word[w->count++] = operand[i];
    if (text) {
        memset(w->word + w->count, 0, 4 * length);
        memcpy(w->word + w->count, text, strlen(text));
        w->count += length;
    }
}

static cl_int build_with(const cl_uint *capability, char **extensions, size_t count, const char *set) {
    static struct words w;
    static const cl_uint header[5] = {0x7230203, 0x10600, 0, 10, 0}, model[2] = {2, 2};
    const cl_uint base[2] = {4, 6}, id = 1;
    memcpy(w.word, header, sizeof header);
    w.count = 5;
    add(&w, 17, 1, base, NULL);
    add(&w, 17, 1, base + 1, NULL);
    if (capability) add(&w, 17, 1, capability, NULL);
    for (size_t i = 0; i < count; i++) add(&w, 10, 0, NULL, extensions[i]);
    if (set) add(&w, 11, 1, &id, set);
    add(&w, 14, 2, model, NULL);
    cl_program program = from_words(w.word, 4 * w.count);
    cl_int code = clBuildProgram(program, 1, &device, "", NULL, NULL);
    OK(clReleaseProgram(program));
    return code;
}

/* What is listed can be declared, and of capabilities nothing else. */
static void queries(void) {
    char *sets[16], *extensions[128];
    cl_uint capabilities[256];
    size_t size, set_count, extension_count, capability_count;
    OK(clGetDeviceInfo(device, CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR, sizeof sets, sets, &size));
    set_count = size / sizeof *sets;
    OK(clGetDeviceInfo(device, CL_DEVICE_SPIRV_EXTENSIONS_KHR, sizeof extensions, extensions, &size));
    extension_count = size / sizeof *extensions;
    OK(clGetDeviceInfo(device, CL_DEVICE_SPIRV_CAPABILITIES_KHR, sizeof capabilities, capabilities, &size));
    capability_count = size / sizeof *capabilities;
    NEED(set_count > 0 && extension_count > 0 && capability_count > 0);
    EXPECT(CL_SUCCESS, build_with(NULL, extensions, extension_count, NULL));
    int has_std = 0, has_debug = 0;
    for (size_t i = 0; i < set_count; i++) {
        has_std |= !strcmp(sets[i], "OpenCL.std");
        has_debug |= !strcmp(sets[i], "OpenCL.DebugInfo.100");
        EXPECT(CL_SUCCESS, build_with(NULL, extensions, extension_count, sets[i]));
    }
    TRUE(has_std && has_debug);
    for (cl_uint number = 0; number < 6600; number++) {
        int listed = 0;
        for (size_t i = 0; i < capability_count; i++) listed |= capabilities[i] == number;
        cl_int code = build_with(&number, extensions, extension_count, NULL);
        /* Taken in part: VectorAnyINTEL, ArbitraryPrecisionIntegersINTEL, FPMaxErrorINTEL. */
        int in_part = number == 5619 || number == 5844 || number == 6169;
        if ((code == CL_SUCCESS) != (listed || in_part) || (listed && in_part)) {
            printf("capability %u: code %d, %s\n", number, code, listed ? "listed" : "not listed");
            check_failures++;
        }
    }
}

/* Kernels that the runtime launches, and what clang makes of the same, which the application launches. */
static void initializers(void) {
    char names[64];
    cl_bool is;
    cl_int got;
    size_t one = 1;
    cl_mem out = check_buffer(context, 0, 16);
    cl_program program = built("initializer");
    OK(clGetProgramInfo(program, CL_PROGRAM_KERNEL_NAMES, sizeof names, names, NULL));
    TRUE(!strcmp(names, "k"));
    OK(clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof is, &is, NULL));
    EXPECT(CL_TRUE, is);
    cl_int err;
    EXPECT_NULL(CL_INVALID_KERNEL_NAME, clCreateKernel(program, "seven", &err));
    cl_kernel kernel = kernel_of(program, "k");
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    for (int i = 0; i < 2; i++) {
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
        EXPECT(44 + 100 * i, got);
    }
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));

    program = built("clang-globals");
    OK(clGetProgramInfo(program, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, sizeof is, &is, NULL));
    EXPECT(CL_FALSE, is);
    cl_kernel construct = kernel_of(program, "_GLOBAL__sub_I_a.clcpp");
    kernel = kernel_of(program, "read");
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    for (int i = 0; i < 2; i++) {
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, out, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
        EXPECT(5 * i, got);
        OK(clEnqueueNDRangeKernel(queue, construct, 1, NULL, &one, NULL, 0, NULL, NULL));
    }
    OK(clReleaseKernel(construct));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
    OK(clReleaseMemObject(out));
}

int main(int argc, char **argv) {
    NEED(argc == 2);
    folder = argv[1];
    device = check_device();
    context = check_context(device);
    queue = check_queue(context, device);
    static char extensions[16384];
    OK(clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions, extensions, NULL));
    queries();
    defined_once();
    image_numbers();
    initializers();
    if (strstr(extensions, "cl_intel_subgroups ")) {
        image_blocks();
        launch_sizes();
        enqueues();
    }
    OK(clReleaseCommandQueue(queue));
    OK(clReleaseContext(context));
    END;
}
