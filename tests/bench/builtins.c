/* Speed of builtin functions: one kernel for each function, type and option set, timed by events.
 * Prints `name value ns` a line: nanoseconds for a thousand evaluations on the whole device.
 *
 * What a platform does not compile it does not print.
 */
#include "timed.h"

/* x runs from `low` to `high`; y is near it, p is a private variable. */
struct function {
    const char *name, *call;
    float low, high;
};

static const struct function MATH[] = {
    {"acos", "acos(x)", -1, 1},
    {"acosh", "acosh(x)", 1, 100},
    {"acospi", "acospi(x)", -1, 1},
    {"asin", "asin(x)", -1, 1},
    {"asinh", "asinh(x)", -100, 100},
    {"asinpi", "asinpi(x)", -1, 1},
    {"atan", "atan(x)", -10, 10},
    {"atan2", "atan2(x, y)", -10, 10},
    {"atanh", "atanh(x)", -0.9f, 0.9f},
    {"atanpi", "atanpi(x)", -10, 10},
    {"atan2pi", "atan2pi(x, y)", -10, 10},
    {"cbrt", "cbrt(x)", -100, 100},
    {"ceil", "ceil(x)", -100, 100},
    {"copysign", "copysign(x, y)", -100, 100},
    {"cos", "cos(x)", -100, 100},
    {"cosh", "cosh(x)", -10, 10},
    {"cospi", "cospi(x)", -10, 10},
    {"divide", "y / x", 1, 100},
    {"erf", "erf(x)", -3, 3},
    {"erfc", "erfc(x)", -3, 3},
    {"exp", "exp(x)", -10, 10},
    {"exp2", "exp2(x)", -10, 10},
    {"exp10", "exp10(x)", -10, 10},
    {"expm1", "expm1(x)", -10, 10},
    {"fabs", "fabs(x)", -10, 10},
    {"fdim", "fdim(x, y)", -10, 10},
    {"floor", "floor(x)", -100, 100},
    {"fma", "fma(x, y, s)", -1, 1},
    {"fmax", "fmax(x, y)", -10, 10},
    {"fmin", "fmin(x, y)", -10, 10},
    {"fmod", "fmod(x, y)", 1, 100},
    {"fract", "fract(x, &p)", -10, 10},
    {"frexp", "frexp(x, &i)", 1, 100},
    {"hypot", "hypot(x, y)", -10, 10},
    {"ilogb", "ilogb(x)", 1, 100},
    {"ldexp", "ldexp(x, i)", -10, 10},
    {"lgamma", "lgamma(x)", 1, 20},
    {"log", "log(x)", 1, 100},
    {"log2", "log2(x)", 1, 100},
    {"log10", "log10(x)", 1, 100},
    {"log1p", "log1p(x)", 1, 100},
    {"logb", "logb(x)", 1, 100},
    {"mad", "mad(x, y, s)", -1, 1},
    {"modf", "modf(x, &p)", -10, 10},
    {"nextafter", "nextafter(x, y)", -10, 10},
    {"pow", "pow(x, y)", 1, 10},
    {"pown", "pown(x, i)", 1, 10},
    {"powr", "powr(x, y)", 1, 10},
    {"remainder", "remainder(x, y)", 1, 100},
    {"rint", "rint(x)", -100, 100},
    {"rootn", "rootn(x, i | 1)", 1, 10},
    {"round", "round(x)", -100, 100},
    {"rsqrt", "rsqrt(x)", 1, 100},
    {"sin", "sin(x)", -100, 100},
    {"sincos", "sincos(x, &p)", -100, 100},
    {"sinh", "sinh(x)", -10, 10},
    {"sinpi", "sinpi(x)", -10, 10},
    {"sqrt", "sqrt(x)", 1, 100},
    {"tan", "tan(x)", -100, 100},
    {"tanh", "tanh(x)", -10, 10},
    {"tanpi", "tanpi(x)", -0.4f, 0.4f},
    {"tgamma", "tgamma(x)", 1, 20},
    {"trunc", "trunc(x)", -100, 100},
};

static const struct function INTEGER[] = {
    {"abs_diff", "abs_diff(x, y)", 1, 1e9f},
    {"add_sat", "add_sat(x, y)", 1, 1e9f},
    {"clz", "clz(x)", 1, 1e9f},
    {"divide", "y / x", 1, 1e9f},
    {"hadd", "hadd(x, y)", 1, 1e9f},
    {"mad24", "mad24(x, y, s)", 1, 1e6f},
    {"mad_hi", "mad_hi(x, y, s)", 1, 1e9f},
    {"mad_sat", "mad_sat(x, y, s)", 1, 1e9f},
    {"mul24", "mul24(x, y)", 1, 1e6f},
    {"mul_hi", "mul_hi(x, y)", 1, 1e9f},
    {"popcount", "popcount(x)", 1, 1e9f},
    {"remainder", "y % x", 1, 1e9f},
    {"rotate", "rotate(x, y)", 1, 1e9f},
    {"sub_sat", "sub_sat(x, y)", 1, 1e9f},
};

enum { ITEMS = 1 << 20, EVALUATIONS = 64, WARM = 200 };

static const char *TEMPLATE =
    "#ifdef cl_khr_fp64\n"
    "#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n"
    "#endif\n"
    "kernel void k(global T *out, T x, T step, int i) {\n"
    "    T s = (T)get_global_id(0), y = x + step, p = x;\n"
    "    x += step * (T)(get_global_id(0) & 1023);\n"
    "    for (int n = 0; n < 64; n++) {\n"
    "        s += (T)(CALL);\n"
    "        x += step;\n"
    "        i ^= n & 3;\n"
    "    }\n"
    "    out[get_global_id(0)] = s + p + (T)i;\n"
    "}\n";

static cl_mem out;

static void measure(const struct function *f, const char *type, const char *options, const char *tag) {
    char source[2048];
    snprintf(source, sizeof source, "#define T %s\n#define CALL %s\n%s", type, f->call, TEMPLATE);
    cl_kernel kernel = new_kernel(source, options, "k");
    if (!kernel) return;
    float low = f->low, step = (f->high - f->low) / (1024 + EVALUATIONS);
    double low64 = low, step64 = step;
    int ilow = (int)low, istep = (int)step + 1, i = 3;
    OK(clSetKernelArg(kernel, 0, sizeof out, &out));
    if (!strcmp(type, "double")) {
        OK(clSetKernelArg(kernel, 1, sizeof low64, &low64));
        OK(clSetKernelArg(kernel, 2, sizeof step64, &step64));
    } else if (!strcmp(type, "float")) {
        OK(clSetKernelArg(kernel, 1, sizeof low, &low));
        OK(clSetKernelArg(kernel, 2, sizeof step, &step));
    } else {
        OK(clSetKernelArg(kernel, 1, sizeof ilow, &ilow));
        OK(clSetKernelArg(kernel, 2, sizeof istep, &istep));
    }
    OK(clSetKernelArg(kernel, 3, sizeof i, &i));
    double each = launch_ns(kernel, ITEMS, WARM) / ((double)ITEMS * EVALUATIONS);
    printf("%s:%s%s %.6f ns\n", type, f->name, tag, each * 1000);
    OK(clReleaseKernel(kernel));
}

int main(void) {
    open_device(NULL, CL_QUEUE_PROFILING_ENABLE);
    out = new_buffer(CL_MEM_READ_WRITE, (size_t)ITEMS * 8, NULL);
    for (size_t i = 0; i < sizeof MATH / sizeof *MATH; i++) {
        measure(&MATH[i], "float", "", "");
        measure(&MATH[i], "float", "-cl-fast-relaxed-math", ":relaxed");
        measure(&MATH[i], "double", "", "");
    }
    for (size_t i = 0; i < sizeof INTEGER / sizeof *INTEGER; i++)
        measure(&INTEGER[i], "int", "-cl-std=CL1.2", "");
    return 0;
}
