/* Kernels: what can be asked of them (OpenCL API 5.9.4). */
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
    program = built("int a = 3; global int b[5]; double2 *c; constant int d[9] = {1};\n"
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

int main(void) {
    begin();
    global_variables();
    kernel_information();
    end();
    END;
}
