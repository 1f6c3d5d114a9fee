/* Times of all kernels of a source file, with arguments that are made up.
 *
 *     kernels FILE [OPTION...]
 *
 * One line a kernel: its name, microseconds (the least of the launches by the device's clock), the same with TIMES as many work-items, 0 for
 * those that are slow enough without, and a checksum of what the first launch
 * left in its buffers; or its name and why there is no time. Pointers get buffers of their own that are filled by the type's name, so that indices
 * are small: floats 1 to 2, integers 0 to 63. Integers are SIDE, floats 1. A file that names dimension 1 gets launches of
 * SIDE x SIDE. With -cl-nv-verbose the build log, which has NVIDIA's statistics, goes to standard error. Such arguments are not safe for every kernel: many go far beyond the ends of their buffers, so there is zeroed memory around
 * these where the device has enough. What goes further may end the process, or never end where the driver reports no page faults
 * (docs/devices.md): start one process a file, and with a limit of time (tail.py does). */
#include "timed.h"

enum { SIDE = 512, TIMES = 16, LAUNCHES = 5, MOST_ARGS = 32, LOCAL_BYTES = 8192 };
/* Kernels that take longer, in microseconds, are not launched with more work-items. */
static const double SLOW = 1000;
#define BUFFER ((size_t)32 << 20)
/* Around a buffer, on each side. */
#define MARGIN ((size_t)544 << 20)
#define CHECKED ((size_t)1 << 20)

static int has(const char *text, const char *word) { return strstr(text, word) != NULL; }

/* The source asks for an id in dimension 1, however it is spaced. */
static int has_rows(const char *source) {
    while ((source = strstr(source, "_id"))) {
        int end = 0;
        sscanf(source += 3, " ( 1 )%n", &end);
        if (end) return 1;
    }
    return 0;
}

/* The device has memory of its own for margins around all arguments. */
static int roomy(void) {
    cl_ulong size;
    cl_device_type type;
    OK(clGetDeviceInfo(device, CL_DEVICE_GLOBAL_MEM_SIZE, sizeof size, &size, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_TYPE, sizeof type, &type, NULL));
    return type == CL_DEVICE_TYPE_GPU && size / 2 >= MOST_ARGS * (BUFFER + 2 * MARGIN);
}

/* What a buffer is filled with, by words of its type's name: the first that fits. */
enum content { FLOATS, DOUBLES, HALVES, BYTES, SHORTS, LONGS, INTS, CONTENTS };

static enum content content_of(const char *type) {
    static const char *const words[] = {"float", "double", "half", "char", "short", "long"};
    for (int i = 0; i < INTS; i++)
        if (has(type, words[i])) return i;
    return has(type, "size_t") ? LONGS : INTS;
}

/* A buffer of such values. They are made once. */
static cl_mem values(enum content content) {
    static cl_mem made[CONTENTS];
    if (made[content]) return made[content];
    char *bytes = malloc(BUFFER);
    switch (content) {
    case FLOATS:
        for (size_t i = 0; i < BUFFER / 4; i++) ((float *)bytes)[i] = 1 + (i % 97) / 97.0f;
        break;
    case DOUBLES:
        for (size_t i = 0; i < BUFFER / 8; i++) ((double *)bytes)[i] = 1 + (i % 97) / 97.0;
        break;
    case HALVES:
        for (size_t i = 0; i < BUFFER / 2; i++) ((cl_ushort *)bytes)[i] = 0x3c00 + i % 97;
        break;
    case BYTES:
        for (size_t i = 0; i < BUFFER; i++) bytes[i] = i % 61;
        break;
    case SHORTS:
        for (size_t i = 0; i < BUFFER / 2; i++) ((cl_ushort *)bytes)[i] = i % 61;
        break;
    case LONGS:
        for (size_t i = 0; i < BUFFER / 8; i++) ((cl_ulong *)bytes)[i] = i % 61;
        break;
    default:
        for (size_t i = 0; i < BUFFER / 4; i++) ((cl_uint *)bytes)[i] = i % 61;
    }
    made[content] = new_buffer(CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR, BUFFER, bytes);
    free(bytes);
    return made[content];
}

/* The buffer of argument `at`, with values of the type, which is a pointer's as the source has it. All kernels share it, since large
 * allocations take long. */
static cl_mem filled(int at, const char *type) {
    static cl_mem whole[MOST_ARGS], middle[MOST_ARGS];
    const int alone = !roomy();
    const size_t margin = alone ? 0 : MARGIN;
    if (!whole[at]) {
        const cl_buffer_region region = {margin, BUFFER};
        cl_int e;
        whole[at] = new_buffer(CL_MEM_READ_WRITE, BUFFER + 2 * margin, NULL);
        middle[at] = alone ? whole[at] : clCreateSubBuffer(whole[at], 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &e);
        if (!alone) OK(e);
    }
    const cl_uint zero = 0;
    OK(clEnqueueFillBuffer(queue, whole[at], &zero, sizeof zero, 0, BUFFER + 2 * margin, 0, NULL, NULL));
    OK(clEnqueueCopyBuffer(queue, values(content_of(type)), whole[at], 0, margin, BUFFER, 0, NULL, NULL));
    return middle[at];
}

/* Sets an argument that is no pointer. Its size is what the platform takes. */
static cl_int set_value(cl_kernel kernel, cl_uint at, const char *type) {
    char value[256] = {0};
    const int whole = SIDE;
    const float one = 1;
    const double one_double = 1;
    if (has(type, "image")) {
        const int d = has(type, "3d") ? 3 : has(type, "1d") ? 1 : 2, array = has(type, "array");
        const cl_image_format format = {CL_RGBA, CL_FLOAT};
        cl_image_desc desc = {0};
        desc.image_type = d == 3 ? CL_MEM_OBJECT_IMAGE3D
                          : d == 1 ? (array ? CL_MEM_OBJECT_IMAGE1D_ARRAY : CL_MEM_OBJECT_IMAGE1D)
                                   : (array ? CL_MEM_OBJECT_IMAGE2D_ARRAY : CL_MEM_OBJECT_IMAGE2D);
        desc.image_width = SIDE;
        desc.image_height = SIDE;
        desc.image_depth = d == 3 ? 16 : 1;
        desc.image_array_size = array ? 4 : 1;
        cl_int e;
        if (has(type, "1d_buffer")) {
            desc.image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER;
            desc.buffer = clCreateBuffer(context, CL_MEM_READ_WRITE, SIDE * 4 * sizeof one, NULL, &e);
            if (e) return e;
        }
        cl_mem image = clCreateImage(context, CL_MEM_READ_WRITE, &format, &desc, NULL, &e);
        if (e) return e;
        const size_t origin[3] = {0};
        const size_t region[3] = {SIDE, d == 1 ? (array ? 4 : 1) : SIDE, d == 3 ? 16 : d == 2 && array ? 4 : 1};
        const float colour[4] = {0.25f, 0.5f, 0.75f, 1};
        clEnqueueFillImage(queue, image, colour, origin, region, 0, NULL, NULL);
        return clSetKernelArg(kernel, at, sizeof image, &image);
    }
    if (has(type, "sampler")) {
        cl_int e;
        cl_sampler sampler = clCreateSampler(context, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE, CL_FILTER_NEAREST, &e);
        return e ? e : clSetKernelArg(kernel, at, sizeof sampler, &sampler);
    }
    for (size_t i = 0; i < sizeof value; i += 8) {
        if (has(type, "float")) {
            memcpy(value + i, &one, 4);
            memcpy(value + i + 4, &one, 4);
        } else if (has(type, "double")) {
            memcpy(value + i, &one_double, 8);
        } else if (has(type, "char")) {
            memset(value + i, 1, 8);
        } else {
            memcpy(value + i, &whole, 4);
            if (!has(type, "long") && !has(type, "size_t")) memcpy(value + i + 4, &whole, 4);
        }
    }
    cl_int e = CL_INVALID_ARG_SIZE;
    static const size_t sizes[] = {4, 8, 1, 2, 16, 32, 64, 12, 24, 48, 128, 6, 20, 28, 36, 40};
    for (size_t i = 0; e && i < sizeof sizes / sizeof *sizes; i++) e = clSetKernelArg(kernel, at, sizes[i], value);
    return e;
}

static cl_ulong checksum(const unsigned char *bytes, size_t size, int floats) {
    cl_ulong sum = 0;
    for (size_t i = 0; i + 4 <= size; i += 4) {
        cl_uint word;
        memcpy(&word, bytes + i, 4);
        /* Neighbouring floats are results of the same computation. */
        if (floats) word = (word + 0x2000) >> 14;
        sum = sum * 31 + word;
    }
    return sum;
}

/* The least time of the launches, in microseconds; 0 if one fails. `each` is called behind the first. */
static double least(cl_kernel kernel, const size_t *global, const size_t *local, void (*each)(void *), void *data) {
    double us = 1e30;
    for (int launch = 0; launch < LAUNCHES && us > 0; launch++) {
        cl_event event;
        cl_ulong start, end;
        cl_int e = clEnqueueNDRangeKernel(queue, kernel, 3, NULL, global, local, 0, NULL, &event);
        if (!e) {
            e = clWaitForEvents(1, &event);
            if (!e) e = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof start, &start, NULL);
            if (!e) e = clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof end, &end, NULL);
            clReleaseEvent(event);
        }
        if (e) {
            fprintf(stderr, "launch: error %d\n", e);
            return 0;
        }
        if (end - start < us * 1e3) us = (end - start) * 1e-3;
        if (launch == 0 && each) each(data);
        if (us > 2e5) break;
    }
    return us;
}

/* The buffers of a kernel, and what is computed of them. */
struct results {
    cl_mem buffers[MOST_ARGS];
    int floats[MOST_ARGS], used, failed;
    cl_ulong sum;
};

static void add_up(void *data) {
    struct results *r = data;
    unsigned char *bytes = malloc(CHECKED);
    for (int i = 0; i < r->used; i++) {
        r->failed |= !!clEnqueueReadBuffer(queue, r->buffers[i], CL_TRUE, 0, CHECKED, bytes, 0, NULL, NULL);
        r->sum = r->sum * 1000003 + checksum(bytes, CHECKED, r->floats[i]);
    }
    free(bytes);
}

/* Returns why there is no time, or NULL. */
static const char *measure(cl_kernel kernel, int flat, double *us, double *more, cl_ulong *sum) {
    cl_uint count;
    struct results r = {0};
    const char *problem = NULL;
    OK(clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof count, &count, NULL));
    if (count > MOST_ARGS) return "arguments";
    for (cl_uint i = 0; i < count && !problem; i++) {
        char type[256] = "";
        cl_kernel_arg_address_qualifier space;
        if (clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof space, &space, NULL) ||
            clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, NULL)) {
            problem = "no-argument-info";
        } else if (space == CL_KERNEL_ARG_ADDRESS_LOCAL) {
            if (clSetKernelArg(kernel, i, LOCAL_BYTES, NULL)) problem = "argument";
        } else if (has(type, "*") || (space != CL_KERNEL_ARG_ADDRESS_PRIVATE && !has(type, "image"))) {
            r.buffers[r.used] = filled(r.used, type);
            r.floats[r.used] = has(type, "float");
            if (clSetKernelArg(kernel, i, sizeof(cl_mem), &r.buffers[r.used++])) problem = "argument";
        } else if (set_value(kernel, i, type)) {
            problem = "argument";
        }
    }
    size_t global[3] = {flat ? (size_t)SIDE * SIDE : SIDE, flat ? 1 : SIDE, 1};
    size_t local[3] = {flat ? 128 : 16, flat ? 1 : 16, 1}, required[3] = {0};
    clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_COMPILE_WORK_GROUP_SIZE, sizeof required, required, NULL);
    if (required[0]) {
        memcpy(local, required, sizeof local);
        for (int d = 0; d < 3; d++) global[d] = (global[d] + local[d] - 1) / local[d] * local[d];
    }
    *us = *more = 0;
    *sum = 0;
    if (!problem) {
        *us = least(kernel, global, local, add_up, &r);
        if (*us == 0 || r.failed) problem = "launch";
        *sum = r.sum;
    }
    if (!problem && *us < SLOW) {
        global[flat ? 0 : 1] *= TIMES;
        *more = least(kernel, global, local, NULL, NULL);
        if (*more == 0) problem = "launch";
    }
    return problem;
}

int main(int argc, char **argv) {
    if (argc < 2) return 2;
    char options[4096] = "-cl-kernel-arg-info";
    for (int i = 2; i < argc; i++) {
        strncat(options, " ", sizeof options - strlen(options) - 1);
        strncat(options, argv[i], sizeof options - strlen(options) - 1);
    }
    const char *source = read_file(argv[1]);
    int flat = !has_rows(source);
    open_device(NULL, CL_QUEUE_PROFILING_ENABLE);
    char name[256], platform_name[256];
    cl_platform_id platform;
    OK(clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL));
    OK(clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL));
    OK(clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof platform_name, platform_name, NULL));
    fprintf(stderr, "device %s by %s\n", name, platform_name);
    cl_int e;
    cl_program program = clCreateProgramWithSource(context, 1, &source, NULL, &e);
    OK(e);
    if (clBuildProgram(program, 1, &device, options, NULL, NULL)) {
        printf("- build\n");
        return 0;
    }
    if (has(options, "-cl-nv-verbose")) {
        static char log[1 << 20];
        clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_LOG, sizeof log, log, NULL);
        fprintf(stderr, "%s\n", log);
    }
    cl_kernel kernels[256];
    cl_uint count;
    OK(clCreateKernelsInProgram(program, 256, kernels, &count));
    for (cl_uint i = 0; i < count && i < 256; i++) {
        double us, more;
        cl_ulong sum;
        OK(clGetKernelInfo(kernels[i], CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL));
        const char *problem = measure(kernels[i], flat, &us, &more, &sum);
        if (problem)
            printf("%s %s\n", name, problem);
        else
            printf("%s %.2f %.2f %016llx\n", name, us, more, (unsigned long long)sum);
        fflush(stdout);
        if (problem && !strcmp(problem, "launch")) return 1;
    }
    return 0;
}
