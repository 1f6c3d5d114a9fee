/* Options of clBuildProgram, clCompileProgram and clLinkProgram (OpenCL API 5.8.6, 5.8.7): which are
   taken, and what they do. */
#include "programs.h"

/* Whether clBuildProgram and clCompileProgram, and clLinkProgram take an option. */
static const struct {
    const char *text;
    int builds, links;
} options[] = {
    {NULL, 1, 1},
    {"", 1, 1},
    {" \t\n ", 1, 1},
    {"-D A", 1, 0},
    {"-DA", 1, 0},
    {"-D A=1 -D B=A -D C=", 1, 0},
    {"-D 'A(x)=(x + 1)'", 1, 0},
    {"-D A=\"1 + 1\"", 1, 0},
    {"-D A=1\n2", 0, 0},
    {"-D", 0, 0},
    {"-D =1", 0, 0},
    {"-D 1=1", 0, 0},
    {"-D A-B", 1, 0}, /* A is -B 1 */
    {"-D A,B=2", 1, 0},
    {"-D A(=1", 0, 0},
    {"-I /nowhere", 1, 0},
    {"-I/nowhere", 1, 0},
    {"-I \"/no where\"", 1, 0},
    {"-I", 0, 0},
    {"-U A", 1, 0},
    {"-U 1", 0, 0},
    {"-U", 0, 0},
    {"-cl-single-precision-constant", 1, 0},
    {"-cl-denorms-are-zero", 1, 1},
    {"-cl-opt-disable", 1, 0},
    {"-cl-strict-aliasing", 1, 0},
    {"-cl-uniform-work-group-size", 1, 0},
    {"-cl-no-subgroup-ifp", 1, 1},
    {"-cl-mad-enable", 1, 1},
    {"-cl-no-signed-zeros", 1, 1},
    {"-cl-unsafe-math-optimizations", 1, 1},
    {"-cl-finite-math-only", 1, 1},
    {"-cl-fast-relaxed-math", 1, 1},
    {"-w", 1, 0},
    {"-Werror", 1, 0},
    {"-w -Werror", 1, 0},
    {"-cl-std=CL1.0", 1, 0},
    {"-cl-std=CL1.1", 1, 0},
    {"-cl-std=CL1.2", 1, 0},
    {"-cl-std=CL2.0", 1, 0},
    {"-cl-std=CL3.0", 1, 0},
    {"-cl-std=CL1.3", 0, 0},
    {"-cl-std=CLC++", 1, 0},
    {"-cl-std=CLC++1.0", 1, 0},
    {"-cl-std=CLC++2021", 1, 0},
    {"-cl-std=CLC++2.0", 0, 0},
    {"-cl-std=cl1.2", 0, 0},
    {"-cl-std=", 0, 0},
    {"-cl-std", 0, 0},
    {"-cl-std CL1.2", 0, 0},
    {"-cl-kernel-arg-info", 1, 0},
    {"-g", 1, 0},
    {"-create-library", 0, 1},
    {"-create-library -enable-link-options", 0, 1},
    {"-enable-link-options", 0, 0},
    {"-create-library -enable-link-options -cl-finite-math-only", 0, 1},
    {"-x spir", 0, 0},
    {"-spir-std=1.2", 0, 0},
    {"-O3", 1, 0},
    {"-cl-mad-enabled", 0, 0},
    {"-cl-mad", 0, 0},
    {"-W", 1, 0},
    {"-Wno-unused", 1, 0},
    {"-fno-bin-llvmir", 1, 0},
    {"kernel.cl", 0, 0},
    {"-", 0, 0},
    {"'-w", 0, 0},
    {"-w \"", 0, 0},
    {"-cl-mad-enable -nonsense -w", 0, 0},
};

static void all_options(void) {
    const char *text = "kernel void k(global int *p) { *p = 7; }\n";
    cl_int err;
    cl_program object = compiled(text, "");
    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *option = options[i].text;
        cl_program program = source(text);
        cl_int build = clBuildProgram(program, 0, NULL, option, NULL, NULL);
        cl_int compile = clCompileProgram(program, 0, NULL, option, 0, NULL, NULL, NULL, NULL);
        cl_program linked = clLinkProgram(context, 0, NULL, option, 1, &object, NULL, NULL, &err);
        cl_int want_build = options[i].builds ? CL_SUCCESS : CL_INVALID_BUILD_OPTIONS;
        cl_int want_compile = options[i].builds ? CL_SUCCESS : CL_INVALID_COMPILER_OPTIONS;
        cl_int want_link = options[i].links ? CL_SUCCESS : CL_INVALID_LINKER_OPTIONS;
        if (build != want_build || compile != want_compile || err != want_link) {
            printf("'%s': %d %d %d, not %d %d %d\n", option ? option : "(null)", build, compile,
                   err, want_build, want_compile, want_link);
            check_failures++;
        }
        if (build == CL_SUCCESS) {
            char got[128];
            OK(clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof got, got,
                                     NULL));
            TRUE(!strcmp(got, option ? option : ""));
        } else {
            EXPECT(CL_BUILD_NONE, status_of(program));
        }
        TRUE(!linked == (err != CL_SUCCESS));
        if (linked) OK(clReleaseProgram(linked));
        OK(clReleaseProgram(program));
    }
    OK(clReleaseProgram(object));
    /* A version that some devices do not have as a whole, and do not list then. */
    static cl_name_version versions[16];
    size_t size;
    OK(clGetDeviceInfo(device, CL_DEVICE_OPENCL_C_ALL_VERSIONS, sizeof versions, versions, &size));
    int whole = 0;
    for (size_t i = 0; i < size / sizeof *versions; i++) whole |= versions[i].version == CL_MAKE_VERSION(2, 0, 0);
    cl_program older = built(text, "-cl-std=CL2.0 -Werror");
    EXPECT(!whole, strstr(log_of(older), "warning: -cl-std=CL2.0") != NULL);
    OK(clBuildProgram(older, 0, NULL, "-cl-std=CL2.0 -w", NULL, NULL));
    TRUE(!strcmp(log_of(older), ""));
    OK(clReleaseProgram(older));
    /* Only for devices that can. */
    cl_version version;
    OK(clGetDeviceInfo(device, CL_DEVICE_NUMERIC_VERSION, sizeof version, &version, NULL));
    int newest = version >= CL_MAKE_VERSION(3, 1, 0);
    cl_program latest = source(text);
    EXPECT(newest ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE,
           clBuildProgram(latest, 0, NULL, "-cl-std=CL3.1", NULL, NULL));
    TRUE(newest || strstr(log_of(latest), "-cl-std=CL3.1"));
    OK(clReleaseProgram(latest));
    cl_device_fp_config config;
    OK(clGetDeviceInfo(device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL));
    int exact = (config & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
    cl_program program = source(text);
    const char *option = "-cl-fp32-correctly-rounded-divide-sqrt";
    EXPECT(exact ? CL_SUCCESS : CL_BUILD_PROGRAM_FAILURE,
           clBuildProgram(program, 0, NULL, option, NULL, NULL));
    EXPECT(exact ? CL_SUCCESS : CL_COMPILE_PROGRAM_FAILURE,
           clCompileProgram(program, 0, NULL, option, 0, NULL, NULL, NULL, NULL));
    TRUE(exact || strstr(log_of(program), option));
    OK(clReleaseProgram(program));
}

/* What the options do, as the value that the kernel k leaves. */
static void effects(void) {
    static const struct {
        const char *options, *text;
        int want;
    } table[] = {
        {"-D A", "A", 1},
        {"-D A=3", "A", 3},
        {"-D A=3 -D A=4 -w", "A", 4},
        {"-D B=A -D A=5", "B", 5},
        {"-DA=1 -U A -D B", "defined_A", 0},
        {"-D 'A(x)=x + x'", "A(4)", 8},
        {"-D A=\"2 * 3\"", "A", 6},
        {"-D A=2\\ *\\ 4", "A", 8},
        {"-D \"A=5\n6\"", "A", 5},
        {"", "__OPENCL_C_VERSION__", 120},
        {"-cl-std=CL1.0", "__OPENCL_C_VERSION__", 100},
        {"-cl-std=CL1.1", "__OPENCL_C_VERSION__", 110},
        {"-cl-std=CL3.0", "__OPENCL_C_VERSION__", 300},
        {"", "CL_VERSION_3_1", 310},
        {"-cl-fast-relaxed-math", "__FAST_RELAXED_MATH__", 1},
        {"-cl-single-precision-constant", "sizeof(1.0)", 4},
    };
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        char text[256];
        snprintf(text, sizeof text,
                 "#ifndef A\n#define defined_A 0\n#endif\n"
                 "kernel void k(global int *p) { *p = %s; }\n",
                 table[i].text);
        cl_program program = built(text, table[i].options);
        int got = result(program, "k");
        if (got != table[i].want) {
            printf("'%s': %s is %d, not %d\n", table[i].options, table[i].text, got,
                   table[i].want);
            check_failures++;
        }
        OK(clReleaseProgram(program));
    }
    /* Warnings: said, not said, errors. */
    const char *warned = "kernel void k(global int *p) { p; *p = 1; }\n#warning careful\n";
    cl_program program = built(warned, "");
    TRUE(strstr(log_of(program), "warning:") && strstr(log_of(program), "careful"));
    OK(clBuildProgram(program, 0, NULL, "-w", NULL, NULL));
    TRUE(!strcmp(log_of(program), ""));
    OK(clBuildProgram(program, 0, NULL, "-w -Werror", NULL, NULL));
    EXPECT(CL_BUILD_PROGRAM_FAILURE, clBuildProgram(program, 0, NULL, "-Werror", NULL, NULL));
    TRUE(strstr(log_of(program), "error:") != NULL);
    EXPECT(CL_BUILD_ERROR, status_of(program));
    EXPECT(CL_PROGRAM_BINARY_TYPE_NONE, type_of(program));
    OK(clReleaseProgram(program));
}

int main(void) {
    begin();
    all_options();
    effects();
    end();
    END;
}
