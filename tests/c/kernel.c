/* Kernels: what can be asked of them (OpenCL API 5.9.4), how large their arguments and local memory
   may be, and work-groups of all shapes (5.10). */
#include "programs.h"

static void global_variables(void) {
    size_t most, size;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE, sizeof most, &most, NULL));
    cl_program program = built("constant int c[4] = {1};\nkernel void k(global int *p) { *p = c[0]; }",
                               "");
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                             sizeof size, &size, NULL));
    EXPECT(0, size);
    OK(clReleaseProgram(program));
    if (!most) return;
    program = built("int a = 3; global int b[5]; int4 *c; constant int d[9] = {1};\n"
                    "kernel void k(global int *p) { *p = a++ + d[0] + (c == 0); b[0] = *p; }\n",
                    "-cl-std=CL3.0");
    OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                             sizeof size, &size, NULL));
    TRUE(size >= 4 + 20 + 8 && size <= 48);
    EXPECT(5, result(program, "k"));
    OK(clReleaseProgram(program));
}

static void kernel_information(void) {
    static const char *text =
        "typedef struct { int a; } record;\n"
        "typedef global float *reals;\n"
        "typedef unsigned int word;\n"
        "kernel void k(unsigned int a, global unsigned char *b, const global int *restrict c,\n"
        "    constant float4 *d, local ushort2 *e, record f, global record *const volatile g,\n"
        "    reals h, word i, global volatile long *j, const int k, global const void *l,\n"
        "    global unsigned long *m, image2d_t n, write_only image3d_t o, sampler_t p,\n"
        "    signed char q, short int r, global struct { int x; } *s) {}\n";
    static const struct {
        const char *name, *type;
        cl_uint address, access;
        cl_kernel_arg_type_qualifier qualifiers;
    } want[] = {
#define ROW(name, type, address, access, qualifiers) \
    {name, type, CL_KERNEL_ARG_ADDRESS_##address, CL_KERNEL_ARG_ACCESS_##access, qualifiers}
        ROW("a", "uint", PRIVATE, NONE, 0),
        ROW("b", "uchar*", GLOBAL, NONE, 0),
        ROW("c", "int*", GLOBAL, NONE, CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT),
        ROW("d", "float4*", CONSTANT, NONE, CL_KERNEL_ARG_TYPE_CONST),
        ROW("e", "ushort2*", LOCAL, NONE, 0),
        ROW("f", "record", PRIVATE, NONE, 0),
        ROW("g", "record*", GLOBAL, NONE, 0),
        ROW("h", "reals", GLOBAL, NONE, 0),
        ROW("i", "word", PRIVATE, NONE, 0),
        ROW("j", "long*", GLOBAL, NONE, CL_KERNEL_ARG_TYPE_VOLATILE),
        ROW("k", "int", PRIVATE, NONE, 0),
        ROW("l", "void*", GLOBAL, NONE, CL_KERNEL_ARG_TYPE_CONST),
        ROW("m", "ulong*", GLOBAL, NONE, 0),
        ROW("n", "image2d_t", GLOBAL, READ_ONLY, 0),
        ROW("o", "image3d_t", GLOBAL, WRITE_ONLY, 0),
        ROW("p", "sampler_t", PRIVATE, NONE, 0),
        ROW("q", "char", PRIVATE, NONE, 0),
        ROW("r", "short", PRIVATE, NONE, 0),
    };
    cl_int err;
    cl_program program = built(text, "-cl-kernel-arg-info");
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    NEED(kernel);
    for (cl_uint i = 0; i < sizeof want / sizeof *want; i++) {
        char name[64], type[64];
        size_t size;
        cl_uint address, access;
        cl_kernel_arg_type_qualifier qualifiers;
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_NAME, sizeof name, name, &size));
        EXPECT(strlen(name) + 1, size);
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME, sizeof type, type, &size));
        EXPECT(strlen(type) + 1, size);
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ADDRESS_QUALIFIER, sizeof address, &address,
                              NULL));
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER, sizeof access, &access,
                              NULL));
        OK(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_QUALIFIER, sizeof qualifiers,
                              &qualifiers, NULL));
        if (strcmp(name, want[i].name) || strcmp(type, want[i].type) ||
            address != want[i].address || access != want[i].access ||
            qualifiers != want[i].qualifiers) {
            printf("argument %s: %s '%s' %x %x %x\n", want[i].name, name, type, address, access,
                   (unsigned)qualifiers);
            check_failures++;
        }
    }
    EXPECT(CL_INVALID_VALUE, clGetKernelArgInfo(kernel, 0, 0, 0, NULL, NULL));
    char one;
    EXPECT(CL_INVALID_VALUE,
           clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof one, &one, NULL));
    EXPECT(CL_INVALID_VALUE,
           clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_ADDRESS_QUALIFIER, 1, &one, NULL));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));

    static const struct {
        const char *before, *behind, *want;
    } attributes[] = {
        {"", "", ""},
        {"__attribute__((reqd_work_group_size(4, 2, 1)))", "", "reqd_work_group_size(4,2,1)"},
        {"__attribute__((work_group_size_hint( 8,1 , 1 )))", "", "work_group_size_hint(8,1,1)"},
        {"__attribute__((vec_type_hint(float4)))", "", "vec_type_hint(float4)"},
        {"__attribute__((vec_type_hint(float4),\n work_group_size_hint(1,1,1)))", "",
         "vec_type_hint(float4) work_group_size_hint(1,1,1)"},
        {"__attribute__((vec_type_hint(int))) __attribute__((reqd_work_group_size(1,1,1)))", "",
         "vec_type_hint(int) reqd_work_group_size(1,1,1)"},
        {"__attribute__((__reqd_work_group_size__(1, 1, 1)))", "",
         "__reqd_work_group_size__(1,1,1)"},
        {"#define N 16\n__attribute__((reqd_work_group_size(N, N / 2, 1)))", "",
         "reqd_work_group_size(16,16/2,1)"},
    };
    for (size_t i = 0; i < sizeof attributes / sizeof *attributes; i++) {
        char program_text[256], got[256];
        snprintf(program_text, sizeof program_text, "%s\nkernel %s void k(global int *p) { *p = 1; }\n",
                 attributes[i].before, attributes[i].behind);
        program = built(program_text, "");
        kernel = clCreateKernel(program, "k", &err);
        NEED(kernel);
        size_t size;
        OK(clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof got, got, &size));
        EXPECT(strlen(got) + 1, size);
        if (strcmp(got, attributes[i].want)) {
            printf("%s: attributes '%s'\n", attributes[i].before, got);
            check_failures++;
        }
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(program));
    }
}

/* The vectors of 128 bytes among arguments of `size` bytes: what is beyond 1 KB of many: drivers for CPUs make too much code of structs. */
static int vectors_of(int size) { return size > 4096 ? (size - 1024) / 128 : 0; }

/* Arguments of `size` bytes and a pointer behind vectors, in structs of 512 and integers, in one kernel: they add up. */
static cl_program with_arguments(int size, cl_int want) {
    static char text[1 << 15];
    const int vectors = vectors_of(size);
    size -= 128 * vectors;
    strcpy(text, "typedef struct { int a[128]; } part;\nkernel void k(");
    for (int i = 0; i < vectors; i++) sprintf(text + strlen(text), "int16 u%d, int16 v%d, ", i, i);
    strcat(text, "global int *p");
    for (int i = 0; i < size / 512; i++) sprintf(text + strlen(text), ", part s%d", i);
    for (int i = 0; i < size % 512 / 4; i++) sprintf(text + strlen(text), ", int i%d", i);
    strcat(text, ") {\n    int sum = 0;\n    for (int i = 0; i < 128; i++) sum += 0");
    for (int i = 0; i < size / 512; i++) sprintf(text + strlen(text), " + s%d.a[i]", i);
    strcat(text, ";\n    *p = sum");
    for (int i = 0; i < vectors; i++) sprintf(text + strlen(text), " + u%d.s0 + v%d.sf", i, i);
    for (int i = 0; i < size % 512 / 4; i++) sprintf(text + strlen(text), " + i%d", i);
    strcat(text, ";\n}\n");
    cl_program program = source(text);
    EXPECT(want, clBuildProgram(program, 0, NULL, "", NULL, NULL));
    return program;
}

static void argument_sizes(void) {
    size_t most;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_PARAMETER_SIZE, sizeof most, &most, NULL));
    TRUE(most >= 1024);
    cl_int err, part[128];
    static const size_t sizes[] = {64, 240, 244, 248, 252, 256, 1024, 1028};
    for (size_t n = 0; n <= sizeof sizes / sizeof *sizes; n++) {
        /* The pointer has 8 bytes; what a struct starts with is aligned to 4. */
        size_t size = n < sizeof sizes / sizeof *sizes ? sizes[n] - 8 : most - 8;
        cl_program program = with_arguments(size, CL_SUCCESS);
        cl_kernel kernel = clCreateKernel(program, "k", &err);
        NEED(kernel);
        cl_mem p = check_buffer(context, 0, 4);
        cl_int sum = 0, got = 0, value = 1;
        cl_uint arg = 0;
        for (int i = 0; i < 2 * vectors_of(size); i++, arg++) {
            const cl_int vector[16] = {[0] = i, [15] = 3 * i};
            OK(clSetKernelArg(kernel, arg, sizeof vector, vector));
            sum += vector[i % 2 * 15];
        }
        OK(clSetKernelArg(kernel, arg++, sizeof p, &p));
        size -= 128 * vectors_of(size);
        for (size_t i = 0; i < size / 512; i++, arg++) {
            for (int j = 0; j < 128; j++) sum += part[j] = value++;
            EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(kernel, arg, 511, part));
            OK(clSetKernelArg(kernel, arg, 512, part));
        }
        for (size_t i = 0; i < size % 512 / 4; i++, arg++, value++) {
            OK(clSetKernelArg(kernel, arg, 4, &value));
            sum += value;
        }
        size_t one = 1;
        OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
        OK(clEnqueueReadBuffer(queue, p, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
        EXPECT(sum, got);
        OK(clReleaseMemObject(p));
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(program));
    }
    cl_program program = with_arguments(most - 4, CL_BUILD_PROGRAM_FAILURE);
    TRUE(strstr(log_of(program), "'k'") && strstr(log_of(program), "CL_DEVICE_MAX_PARAMETER_SIZE"));
    OK(clReleaseProgram(program));
}

/* Arguments in local memory may have no size, since OpenCL 3.1. */
static void no_local_memory(void) {
    cl_int err, got[2], given[2] = {3, 0};
    cl_ulong used;
    cl_program program = built("kernel void k(global int *p, local int *a, local int *b) {\n"
                               "    if (p[0] > 5) { a[get_local_id(0)] = b[0]; p[1] = a[1]; }\n"
                               "    else p[1] = 2 * p[0];\n"
                               "}\n",
                               "");
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    NEED(kernel);
    cl_mem p = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof given, given, &err);
    size_t one = 1;
    OK(clSetKernelArg(kernel, 0, sizeof p, &p));
    OK(clSetKernelArg(kernel, 1, 0, NULL));
    OK(clSetKernelArg(kernel, 2, 0, NULL));
    OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof used, &used, NULL));
    EXPECT(0, used);
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, p, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    EXPECT(6, got[1]);
    OK(clReleaseMemObject(p));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* Declared, given as arguments, and both: up to the device's, no more. */
static void local_memory(void) {
    cl_ulong most, used;
    cl_int err;
    OK(clGetDeviceInfo(device, CL_DEVICE_LOCAL_MEM_SIZE, sizeof most, &most, NULL));
    for (int own = 0; own < 3; own++) {
        cl_ulong declared = own == 0 ? 16 : own == 1 ? most / 2 : most;
        char text[512];
        snprintf(text, sizeof text,
                 "kernel void k(global int *p, local int *a, local char *b) {\n"
                 "    local int s[%u];\n"
                 "    s[get_local_id(0)] = 1; a[0] = 2; b[0] = 3;\n"
                 "    barrier(CLK_LOCAL_MEM_FENCE);\n"
                 "    p[0] = s[0] + s[p[0] & 3] + a[0] + b[0];\n"
                 "}\n",
                 (unsigned)(declared / 4));
        cl_program program = built(text, "");
        cl_kernel kernel = clCreateKernel(program, "k", &err);
        NEED(kernel);
        OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof used, &used,
                                    NULL));
        EXPECT(declared, used);
        cl_mem p = check_buffer(context, 0, 4);
        cl_int zero = 0;
        size_t one = 1;
        OK(clEnqueueFillBuffer(queue, p, &zero, 4, 0, 4, 0, NULL, NULL));
        OK(clSetKernelArg(kernel, 0, sizeof p, &p));
        static const struct {
            size_t a, b;
        } parts[] = {{4, 4}, {0, 8}, {8, 0}, {0, 12}, {1 << 20, 4}, {4, 1 << 30}};
        cl_ulong left = most - declared;
        for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
            /* Up to 8 bytes less than there are. */
            size_t a = parts[i].a ? parts[i].a : left - 8, b = parts[i].b ? parts[i].b : left - 8;
            if (a > (size_t)1 << 40 || b > (size_t)1 << 40) continue;
            OK(clSetKernelArg(kernel, 1, a, NULL));
            OK(clSetKernelArg(kernel, 2, b, NULL));
            OK(clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof used,
                                        &used, NULL));
            EXPECT(declared + a + b, used);
            cl_int want = a + b <= left ? CL_SUCCESS : CL_OUT_OF_RESOURCES;
            EXPECT(want, clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &one, NULL, 0, NULL, NULL));
            EXPECT(want, clEnqueueTask(queue, kernel, 0, NULL, NULL));
        }
        OK(clFinish(queue));
        OK(clReleaseMemObject(p));
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(program));
    }
    /* More than there is without any argument. */
    char text[256];
    snprintf(text, sizeof text,
             "kernel void k(global int *p) { local int s[%u]; s[p[0]] = 1; p[1] = s[p[2]]; }\n",
             (unsigned)(most / 4 + 1));
    cl_program program = source(text);
    err = clBuildProgram(program, 0, NULL, "", NULL, NULL);
    TRUE(err == CL_SUCCESS || err == CL_BUILD_PROGRAM_FAILURE);
    if (err == CL_SUCCESS) {
        cl_kernel kernel = clCreateKernel(program, "k", &err);
        NEED(kernel);
        cl_mem p = check_buffer(context, 0, 12);
        OK(clSetKernelArg(kernel, 0, sizeof p, &p));
        EXPECT(CL_OUT_OF_RESOURCES, clEnqueueTask(queue, kernel, 0, NULL, NULL));
        OK(clReleaseMemObject(p));
        OK(clReleaseKernel(kernel));
    }
    OK(clReleaseProgram(program));
}

/* Every work-item adds a hash of its ids; the host adds up what they must be. */
static const char *shapes_text =
    "ulong mix(ulong h, ulong v) { return (h ^ v) * 0x9e3779b97f4a7c15UL + (h >> 29); }\n"
    "kernel void k(global ulong *sums, global uint *counts) {\n"
    "    ulong h = get_work_dim();\n"
    "    for (uint d = 0; d < 3; d++) {\n"
    "        h = mix(h, get_global_id(d)); h = mix(h, get_local_id(d)); h = mix(h, get_group_id(d));\n"
    "        h = mix(h, get_global_size(d)); h = mix(h, get_local_size(d));\n"
    "        h = mix(h, get_num_groups(d)); h = mix(h, get_global_offset(d));\n"
    "#if __OPENCL_C_VERSION__ >= 200\n"
    "        h = mix(h, get_enqueued_local_size(d));\n"
    "    }\n"
    "    h = mix(h, get_global_linear_id()); h = mix(h, get_local_linear_id());\n"
    "#else\n"
    "    }\n"
    "#endif\n"
    "    size_t i = (get_global_id(0) - get_global_offset(0)) + get_global_size(0) *\n"
    "        ((get_global_id(1) - get_global_offset(1)) + get_global_size(1) *\n"
    "         (get_global_id(2) - get_global_offset(2)));\n"
    "    sums[i] = h; atomic_inc(&counts[i]);\n"
    "}\n";

static cl_ulong mix(cl_ulong h, cl_ulong v) {
    return (h ^ v) * 0x9e3779b97f4a7c15UL + (h >> 29);
}

struct shape {
    cl_uint dims;
    size_t global[3], local[3], offset[3];
};

static void run_shape(cl_kernel kernel, const struct shape *shape, int with_enqueued) {
    size_t global[3] = {1, 1, 1}, local[3] = {1, 1, 1}, offset[3] = {0, 0, 0}, all = 1;
    for (cl_uint d = 0; d < shape->dims; d++) {
        global[d] = shape->global[d];
        local[d] = shape->local[d];
        offset[d] = shape->offset[d];
        all *= global[d];
    }
    cl_int err;
    cl_mem sums = check_buffer(context, 0, all * 8), counts = check_buffer(context, 0, all * 4);
    cl_uint zero = 0;
    OK(clEnqueueFillBuffer(queue, counts, &zero, 4, 0, all * 4, 0, NULL, NULL));
    OK(clSetKernelArg(kernel, 0, sizeof sums, &sums));
    OK(clSetKernelArg(kernel, 1, sizeof counts, &counts));
    OK(clEnqueueNDRangeKernel(queue, kernel, shape->dims, offset, global, local, 0, NULL, NULL));
    cl_ulong *got = clEnqueueMapBuffer(queue, sums, CL_TRUE, CL_MAP_READ, 0, all * 8, 0, NULL, NULL, &err);
    cl_uint *times = clEnqueueMapBuffer(queue, counts, CL_TRUE, CL_MAP_READ, 0, all * 4, 0, NULL, NULL, &err);
    NEED(got && times);
    size_t wrong = 0, i = 0, id[3];
    for (id[2] = 0; id[2] < global[2]; id[2]++)
        for (id[1] = 0; id[1] < global[1]; id[1]++)
            for (id[0] = 0; id[0] < global[0]; id[0]++, i++) {
                cl_ulong h = shape->dims;
                size_t size[3];
                for (int d = 0; d < 3; d++) {
                    size_t group = id[d] / local[d], groups = (global[d] + local[d] - 1) / local[d];
                    size[d] = global[d] - group * local[d];
                    if (size[d] > local[d]) size[d] = local[d];
                    h = mix(mix(mix(h, id[d] + offset[d]), id[d] % local[d]), group);
                    h = mix(mix(mix(h, global[d]), size[d]), groups);
                    h = mix(h, offset[d]);
                    if (with_enqueued) h = mix(h, local[d]);
                }
                if (with_enqueued) {
                    h = mix(h, id[0] + global[0] * (id[1] + global[1] * id[2]));
                    h = mix(h, id[0] % local[0] + size[0] * (id[1] % local[1] + size[1] * (id[2] % local[2])));
                }
                wrong += got[i] != h || times[i] != 1;
            }
    if (wrong) {
        printf("%u: %zu %zu %zu by %zu %zu %zu at %zu %zu %zu: %zu work-items are wrong\n",
               shape->dims, global[0], global[1], global[2], local[0], local[1], local[2],
               offset[0], offset[1], offset[2], wrong);
        check_failures++;
    }
    OK(clEnqueueUnmapMemObject(queue, sums, got, 0, NULL, NULL));
    OK(clEnqueueUnmapMemObject(queue, counts, times, 0, NULL, NULL));
    OK(clReleaseMemObject(sums));
    OK(clReleaseMemObject(counts));
}

static void shapes(void) {
    const size_t far = (size_t)1 << 40;
    const struct shape even[] = {
        {1, {64, 0, 0}, {64, 0, 0}, {0, 0, 0}},
        {1, {96, 0, 0}, {32, 0, 0}, {5, 0, 0}},
        {1, {64, 0, 0}, {8, 0, 0}, {far, 0, 0}},
        {2, {12, 6, 0}, {4, 3, 0}, {1, far + 3, 0}},
        {3, {8, 6, 4}, {2, 3, 4}, {0, 0, 0}},
        {3, {8, 6, 4}, {4, 1, 2}, {7, 1, far - 1}},
        /* Beyond the least that Vulkan has to offer of work-groups in a dimension. */
        {1, {70000, 0, 0}, {1, 0, 0}, {9, 0, 0}},
        {2, {2, 70000, 0}, {2, 1, 0}, {0, 3, 0}},
        {3, {1, 2, 70000}, {1, 2, 1}, {0, 0, 1}},
    };
    const struct shape uneven[] = {
        {1, {65, 0, 0}, {64, 0, 0}, {0, 0, 0}},
        {1, {3, 0, 0}, {8, 0, 0}, {far, 0, 0}},
        {1, {100, 0, 0}, {7, 0, 0}, {3, 0, 0}},
        {2, {10, 7, 0}, {4, 3, 0}, {0, 2, 0}},
        {2, {10, 6, 0}, {4, 3, 0}, {0, 0, 0}},
        {3, {5, 7, 3}, {2, 4, 2}, {far, 1, 2}},
        {3, {1, 1, 1}, {4, 4, 4}, {0, 0, 0}},
        {3, {9, 8, 6}, {8, 8, 1}, {0, 0, 0}},
        {2, {70001, 3, 0}, {2, 2, 0}, {1, 0, 0}},
    };
    enum { EVEN = sizeof even / sizeof *even, UNEVEN = sizeof uneven / sizeof *uneven };
    static const char *const languages[] = {"", "-cl-std=CL3.0", "-cl-std=CL3.0 -cl-uniform-work-group-size"};
    cl_bool any;
    OK(clGetDeviceInfo(device, CL_DEVICE_NON_UNIFORM_WORK_GROUP_SUPPORT, sizeof any, &any, NULL));
    for (int language = 0; language < 3; language++) {
        cl_int err;
        cl_program program = built(shapes_text, languages[language]);
        cl_kernel kernel = clCreateKernel(program, "k", &err);
        NEED(kernel);
        cl_mem null = NULL;
        for (int i = 0; i < 2; i++) OK(clSetKernelArg(kernel, i, sizeof null, &null));
        for (int i = 0; i < UNEVEN && !(any && language == 1); i++)
            EXPECT(CL_INVALID_WORK_GROUP_SIZE,
                   clEnqueueNDRangeKernel(queue, kernel, uneven[i].dims, NULL, uneven[i].global,
                                          uneven[i].local, 0, NULL, NULL));
        for (int i = 0; i < EVEN; i++) run_shape(kernel, &even[i], language > 0);
        for (int i = 0; i < UNEVEN && any && language == 1; i++) run_shape(kernel, &uneven[i], 1);
        OK(clReleaseKernel(kernel));
        OK(clReleaseProgram(program));
    }
}

/* More than 2^32 work-items in one dimension; the last one is seen. Takes a CPU half a minute: with
   the argument `many` only. */
static void many_items(void) {
    cl_int err;
    cl_program program = built("kernel void k(global ulong *p) {\n"
                               "    ulong i = get_global_id(0);\n"
                               "    if (i == get_global_size(0) - 1) { p[0] = i; p[1] = get_group_id(0); }\n"
                               "}\n", "");
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    NEED(kernel);
    size_t most;
    OK(clGetDeviceInfo(device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL));
    size_t global = ((size_t)1 << 32) + 3 * most;
    cl_ulong got[2] = {0};
    cl_mem p = check_buffer(context, 0, sizeof got);
    OK(clSetKernelArg(kernel, 0, sizeof p, &p));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &global, &most, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, p, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    EXPECT(global - 1, got[0]);
    EXPECT(global / most - 1, got[1]);
    OK(clReleaseMemObject(p));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* Kernels called as functions, one of them with a local pointer, in turn and in a loop. */
static void calls(void) {
    cl_int err;
    cl_program program = built(
        "kernel void fill(local int *s, int v) { s[get_local_id(0)] = v + get_local_id(0); }\n"
        "kernel void sum(local const int *s, global int *p, int n) {\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "    if (get_local_id(0) == 0) for (int i = 0; i < n; i++) *p += s[i];\n"
        "    barrier(CLK_LOCAL_MEM_FENCE);\n"
        "}\n"
        "kernel void both(global int *p, local int *s) {\n"
        "    for (int i = 0; i < 3; i++) { fill(s, 10 * i); sum(s, p + i, get_local_size(0)); }\n"
        "}\n"
        "kernel void k(global int *p, local int *s) { both(p, s); both(p + 3, s); }\n",
        "");
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    NEED(kernel);
    cl_int got[6] = {0};
    cl_mem p = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof got, got, &err);
    size_t eight = 8;
    OK(clSetKernelArg(kernel, 0, sizeof p, &p));
    OK(clSetKernelArg(kernel, 1, 8 * sizeof(cl_int), NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &eight, &eight, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, p, CL_TRUE, 0, sizeof got, got, 0, NULL, NULL));
    for (int i = 0; i < 6; i++) EXPECT(28 + 8 * 10 * (i % 3), got[i]);
    OK(clReleaseMemObject(p));
    OK(clReleaseKernel(kernel));
    OK(clReleaseProgram(program));
}

/* A clone has the arguments that were set, also those that were not, and its own from then on;
   a refused argument leaves the one before. */
static void clones(void) {
    cl_int err, value = 3, got;
    cl_program program = built("kernel void k(global int *p, int a, int b) { *p = 10 * a + b; }\n", "");
    cl_kernel kernel = clCreateKernel(program, "k", &err);
    cl_mem p = check_buffer(context, 0, 4);
    size_t one = 1;
    OK(clSetKernelArg(kernel, 0, sizeof p, &p));
    OK(clSetKernelArg(kernel, 1, sizeof value, &value));
    cl_kernel clone = clCloneKernel(kernel, &err);
    NEED(clone && err == CL_SUCCESS);
    EXPECT(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, clone, 0, NULL, NULL));
    OK(clSetKernelArg(clone, 2, sizeof value, &value));
    EXPECT(CL_INVALID_KERNEL_ARGS, clEnqueueTask(queue, kernel, 0, NULL, NULL));
    value = 5;
    OK(clSetKernelArg(kernel, 1, sizeof value, &value));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(clone, 1, 8, &value));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(clone, 1, 0, &value));
    EXPECT(CL_INVALID_ARG_SIZE, clSetKernelArg(clone, 0, 4, &p));
    OK(clEnqueueNDRangeKernel(queue, clone, 1, NULL, &one, NULL, 0, NULL, NULL));
    OK(clReleaseKernel(kernel));
    OK(clEnqueueReadBuffer(queue, p, CL_TRUE, 0, sizeof got, &got, 0, NULL, NULL));
    EXPECT(33, got);
    cl_uint count, references;
    OK(clGetKernelInfo(clone, CL_KERNEL_REFERENCE_COUNT, sizeof references, &references, NULL));
    EXPECT(1, references);
    cl_kernel many[3] = {NULL, NULL, NULL};
    OK(clCreateKernelsInProgram(program, 3, many, &count));
    TRUE(count == 1 && many[0] && !many[1]);
    OK(clCreateKernelsInProgram(program, 0, NULL, &count));
    OK(clCreateKernelsInProgram(program, 0, NULL, NULL));
    EXPECT(CL_INVALID_VALUE, clCreateKernelsInProgram(program, 0, many, NULL));
    cl_program fresh = source("kernel void k() {}\n");
    EXPECT(CL_INVALID_PROGRAM_EXECUTABLE, clCreateKernelsInProgram(fresh, 3, many, &count));
    EXPECT(CL_INVALID_PROGRAM, clCreateKernelsInProgram(NULL, 3, many, &count));
    OK(clReleaseProgram(fresh));
    OK(clReleaseKernel(many[0]));
    OK(clReleaseKernel(clone));
    OK(clReleaseMemObject(p));
    OK(clReleaseProgram(program));
}

int main(int argc, char **argv) {
    begin();
    global_variables();
    kernel_information();
    argument_sizes();
    no_local_memory();
    local_memory();
    shapes();
    if (argc > 1 && !strcmp(argv[1], "many")) many_items();
    calls();
    clones();
    end();
    END;
}
