// Compares the builtin functions of an OpenCL device with exact results.
//
//   device [-s STRIDE] [-n COUNT] [-o OPTIONS] [-t THREADS] [NAME ...]      all functions, or some
//
// half: all inputs of unary functions. float: every STRIDE-th (default 255, 1 for all), and special
// ones. double, and two arguments: COUNT (default a million) of random bits and random numbers of moderate
// size, and all pairs of special ones. OPTIONS are those of the build. Prints a line for each function and
// type: worst error in ulp, limit, verdict, arguments. Results and arguments that are subnormal may be
// taken as zero on devices without CL_FP_DENORM.
//
// With -cl-fast-relaxed-math in OPTIONS only float is compared, numbers only, with subnormal ones as zero,
// and the error is in units of what relaxed.h allows.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <float.h>
#include <pthread.h>
#include <unistd.h>

#include "oracle.h"

#define OK(call)                                                                          \
    do {                                                                                  \
        cl_int e_ = (call);                                                               \
        if (e_ != CL_SUCCESS) {                                                           \
            fprintf(stderr, "%s:%d: %s: error %d\n", __FILE__, __LINE__, #call, e_);      \
            exit(2);                                                                      \
        }                                                                                 \
    } while (0)

// With LIBRARY defined, exact is what the library of shaders/ gives, compiled as C: an error of 0 means that the device gives the same.
#ifdef LIBRARY
#define UNARY(name, limit, limit16, e32, e64) \
    float name##_f32(float); double name##_f64(double); \
    static double name##_library32(double x) { return name##_f32(x); } \
    static quad name##_library64(quad x) { return name##_f64(x); }
#define BINARY(name, limit, limit16, e32, e64) \
    float name##_f32(float, float); double name##_f64(double, double); \
    static double name##_library32(double x, double y) { return name##_f32(x, y); } \
    static quad name##_library64(quad x, quad y) { return name##_f64(x, y); }
#define WITH_INT(name, limit, limit16, e32, e64) \
    float name##_f32(float, int); double name##_f64(double, int); \
    static double name##_library32(double x, int n) { return name##_f32(x, n); } \
    static quad name##_library64(quad x, int n) { return name##_f64(x, n); }
#include "functions.h"
#undef UNARY
#undef BINARY
#undef WITH_INT
#define EXACT(name, bits) name##_library##bits
#else
#define EXACT(name, bits) name##_exact##bits
#endif

// Functions and operators that are not in shaders/.
#define MORE \
    UNARY(sqrt, 3, 1.5, sqrt(x), sqrtq(x)) \
    BINARY(divide, 2.5, 1, x / y, x / y)
#define UNARY(name, limit, limit16, e32, e64) \
    static double name##_exact32(double x) { return e32; } \
    static quad name##_exact64(quad x) { return e64; }
#define BINARY(name, limit, limit16, e32, e64) \
    static double name##_exact32(double x, double y) { return e32; } \
    static quad name##_exact64(quad x, quad y) { return e64; }
MORE
#undef UNARY
#undef BINARY

enum type { HALF, FLOAT, DOUBLE, TYPES };
static const char *const TYPE[] = {"half", "float", "double"};
static const size_t SIZE[] = {2, 4, 8};
enum arguments { ONE, TWO, NUMBER_AND_INT };

struct relaxed;

struct function {
    const char *name;
    enum arguments arguments;
    double limit, limit16;
    union { double (*one)(double); double (*two)(double, double); double (*with_int)(double, int); } exact32;
    union { quad (*one)(quad); quad (*two)(quad, quad); quad (*with_int)(quad, int); } exact64;
    const struct relaxed *relaxed;
};

#define UNARY(name, limit, limit16, e32, e64) \
    {#name, ONE, limit, limit16, {.one = EXACT(name, 32)}, {.one = EXACT(name, 64)}},
#define BINARY(name, limit, limit16, e32, e64) \
    {#name, TWO, limit, limit16, {.two = EXACT(name, 32)}, {.two = EXACT(name, 64)}},
#define WITH_INT(name, limit, limit16, e32, e64) \
    {#name, NUMBER_AND_INT, limit, limit16, {.with_int = EXACT(name, 32)}, {.with_int = EXACT(name, 64)}},
static const struct function FUNCTIONS[] = {
#include "functions.h"
#ifndef LIBRARY
MORE
#endif
};
enum { N_FUNCTIONS = sizeof FUNCTIONS / sizeof *FUNCTIONS };

// What the options allow instead, for |x| from `from` to `to`; see relaxed.h.
struct relaxed { const char *name; double from, to, ulps, ulps_each, absolute; };
#define RELAXED(name, from, to, ulps, ulps_each, absolute) {#name, from, to, ulps, ulps_each, absolute},
static const struct relaxed RELAXED_LIMITS[] = {
#include "relaxed.h"
};
enum { N_RELAXED = sizeof RELAXED_LIMITS / sizeof *RELAXED_LIMITS };

// Batches of arguments and results, in the formats of the type. While one is checked, the device
// computes the other.
enum { BATCH = 1 << 20, SWEEP = 1 << 22, MOST_THREADS = 64 };
static char *xs, *ys, *results[2];
static int *ns;
static int count_random = 1 << 20;
static bool flushes[TYPES], relaxed;
static const double smallest_normal[TYPES] = {[HALF] = 0x1p-14, [FLOAT] = 0x1p-126, [DOUBLE] = 0x1p-1022};

static double number(enum type type, const char *at, size_t i) {
    switch (type) {
    case HALF: return ((const _Float16 *)at)[i];
    case FLOAT: return ((const float *)at)[i];
    default: return ((const double *)at)[i];
    }
}

static void put(enum type type, char *at, size_t i, double value) {
    switch (type) {
    case HALF: ((_Float16 *)at)[i] = (_Float16)value; break;
    case FLOAT: ((float *)at)[i] = (float)value; break;
    default: ((double *)at)[i] = value;
    }
}

// The error in units of the limit. What the table does not bound is left out.
static double relaxed_error(const struct relaxed *r, double x, double y, double exact, float got) {
    bool far = !(fabs(x) >= r->from && fabs(x) <= r->to);
    bool two = !strcmp(r->name, "divide") || !strncmp(r->name, "atan2", 5);
    far |= two ? !(fabs(y) >= r->from && fabs(y) <= r->to) : !strncmp(r->name, "pow", 3) && !(fabs(y) <= 128);
    // The options promise numbers, and that the sign of zero does not matter.
    if (far || !isfinite(y) || !(fabs(exact) <= FLT_MAX) || exact == got)
        return 0;
    // The error may end below the normal numbers.
    double allowed = r->ulps + floor(r->ulps_each * fabs(x));
    if (got == 0 && fabs(exact) < 0x1p-126 * (1 + allowed * 0x1p-23))
        return 0;
    bool sine = r->ulps == 0;
    if (r->absolute && (sine || (x >= 0.5 && x <= 2)))
        return fabs(got - exact) / r->absolute;
    return ulps32(exact, got) / allowed;
}

static double error_at(const struct function *f, enum type type, double x, double y, int n, double got) {
    // Of two zeros either.
    if (strstr(f->name, "mag") && x == 0 && y == 0 && got == 0)
        return 0;
    double smallest = smallest_normal[type];
    if (type == DOUBLE) {
        quad e = f->arguments == ONE ? f->exact64.one(x)
            : f->arguments == TWO ? f->exact64.two(x, y) : f->exact64.with_int(x, n);
        return flushes[type] && got == 0 && fabsq(e) < smallest ? 0 : ulps64(e, got);
    }
    double e = f->arguments == ONE ? f->exact32.one(x)
        : f->arguments == TWO ? f->exact32.two(x, y) : f->exact32.with_int(x, n);
    // A zero for a subnormal result, of any sign.
    if (flushes[type] && got == 0 && fabs(e) < smallest)
        return 0;
    if (relaxed)
        return relaxed_error(f->relaxed, x, f->arguments == ONE ? 0 : f->arguments == TWO ? y : n, e, got);
    return type == HALF ? ulps16(e, (_Float16)got) : ulps32(e, (float)got);
}

// The least error that flushing arguments allows.
static double least_error(const struct function *f, enum type type, double x, double y, int n, double got) {
    double error = error_at(f, type, x, y, n, got);
    double smallest = smallest_normal[type];
    bool small_x = x != 0 && fabs(x) < smallest, small_y = y != 0 && fabs(y) < smallest;
    if (error == 0 || !flushes[type] || !(small_x || small_y))
        return error;
    const double zeros[] = {0.0, -0.0};
    for (int k = 0; k < 3; k++)
        for (int j = 0; j < 3; j++) {
            if ((k < 2 && !small_x) || (j < 2 && !small_y))
                continue;
            double other = error_at(f, type, k < 2 ? zeros[k] : x, j < 2 ? zeros[j] : y, n, got);
            error = other < error ? other : error;
        }
    return error;
}

// The number of these bits, for half and float.
static double number_of(enum type type, uint64_t bits) {
    return number(type, (const char *)&bits, 0);
}

// A part of a batch. Its arguments are in memory if `step` is 0, else they have the bits `first`, `first` + `step` ...
struct slice {
    const struct function *f;
    enum type type;
    const char *results;
    uint64_t first, step;
    size_t from, to;
    struct worst worst;
};

static void *check_slice(void *data) {
    struct slice *s = data;
    for (size_t i = s->from; i < s->to; i++) {
        double x = s->step ? number_of(s->type, s->first + i * s->step) : number(s->type, xs, i);
        double y = s->f->arguments == TWO ? number(s->type, ys, i) : 0;
        int n = s->f->arguments == NUMBER_AND_INT ? ns[i] : 0;
        double error = least_error(s->f, s->type, x, y, n, number(s->type, s->results, i));
        note(&s->worst, error, x, s->f->arguments == NUMBER_AND_INT ? n : y);
    }
    return NULL;
}

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_mem buffers[4];
static int threads = 1;
static const char *options = "";

static void check_batch(const struct slice *all, size_t count, struct worst *worst) {
    pthread_t workers[MOST_THREADS];
    struct slice slices[MOST_THREADS];
    for (int t = 0; t < threads; t++) {
        slices[t] = *all;
        slices[t].from = count * t / threads, slices[t].to = count * (t + 1) / threads;
        slices[t].worst = (struct worst){-1, 0, 0};
        pthread_create(&workers[t], NULL, check_slice, &slices[t]);
    }
    for (int t = 0; t < threads; t++) {
        pthread_join(workers[t], NULL);
        note(worst, slices[t].worst.error, slices[t].worst.x, slices[t].worst.y);
    }
}

struct kernels { cl_kernel batch, sweep; };

static void run_batch(const struct function *f, enum type type, struct kernels k, size_t count, struct worst *worst) {
    size_t bytes = count * SIZE[type];
    OK(clEnqueueWriteBuffer(queue, buffers[0], CL_TRUE, 0, bytes, xs, 0, NULL, NULL));
    if (f->arguments == TWO)
        OK(clEnqueueWriteBuffer(queue, buffers[1], CL_TRUE, 0, bytes, ys, 0, NULL, NULL));
    if (f->arguments == NUMBER_AND_INT)
        OK(clEnqueueWriteBuffer(queue, buffers[1], CL_TRUE, 0, count * sizeof *ns, ns, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, k.batch, 1, NULL, &count, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, bytes, results[0], 0, NULL, NULL));
    struct slice all = {.f = f, .type = type, .results = results[0]};
    check_batch(&all, count, worst);
}

// Every step-th argument of a function of one.
static void run_sweep(const struct function *f, enum type type, cl_kernel kernel, uint64_t step, struct worst *worst) {
    size_t all = ((type == HALF ? 1ull << 16 : 1ull << 32) + step - 1) / step;
    cl_event done[2] = {NULL, NULL};
    for (size_t from = 0; from < all + SWEEP; from += SWEEP) {
        int which = from / SWEEP & 1;
        if (from < all) {
            size_t count = all - from < SWEEP ? all - from : SWEEP;
            cl_uint first = from * step, by = step;
            OK(clSetKernelArg(kernel, 0, sizeof first, &first));
            OK(clSetKernelArg(kernel, 1, sizeof by, &by));
            OK(clSetKernelArg(kernel, 2, sizeof(cl_mem), &buffers[2 + which]));
            OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
            OK(clEnqueueReadBuffer(queue, buffers[2 + which], CL_FALSE, 0, count * SIZE[type], results[which], 0, NULL,
                &done[which]));
            OK(clFlush(queue));
        }
        if (from > 0) {
            size_t before = from - SWEEP, count = all - before < SWEEP ? all - before : SWEEP;
            OK(clWaitForEvents(1, &done[!which]));
            OK(clReleaseEvent(done[!which]));
            struct slice slice = {
                .f = f, .type = type, .results = results[!which], .first = before * step, .step = step};
            check_batch(&slice, count, worst);
        }
    }
}

static double random_of(enum type type, int i) {
    double x = type == DOUBLE ? random64(i) : random32(i);
    if (type != HALF)
        return x;
    uint16_t bits = random_bits();
    _Float16 h;
    memcpy(&h, &bits, 2);
    return h;
}

static struct worst check(const struct function *f, enum type type, struct kernels k, uint64_t stride) {
    struct worst worst = {-1, 0, 0};
    size_t count = 0;
    for (int i = 0; i < SPECIALS; i++) {
        int others = f->arguments == ONE ? 1 : f->arguments == TWO ? SPECIALS : N_INTS;
        for (int j = 0; j < others; j++, count++) {
            put(type, xs, count, SPECIAL[i]);
            put(type, ys, count, SPECIAL[j]);
            ns[count] = INTS[j % N_INTS];
        }
    }
    run_batch(f, type, k, count, &worst);
    if (k.sweep) {
        run_sweep(f, type, k.sweep, type == HALF ? 1 : stride, &worst);
        return worst;
    }
    for (int i = 0; i < count_random; i++) {
        put(type, xs, i, random_of(type, i));
        put(type, ys, i, random_of(type, i >> 1));
        ns[i] = random_int(i);
    }
    run_batch(f, type, k, count_random, &worst);
    return worst;
}

// NULL if the device lacks the type or the function. The second kernel is for functions of one
// argument, of which it makes each from its bits.
static struct kernels build(const struct function *f, enum type type) {
    static const char *const CALLS[] = {"%s(x)", "%s(x, y[i])", "%s(x, y[i])"};
    static const char *const FROM_BITS[] = {"as_half((ushort)(first + i * step))", "as_float(first + i * step)"};
    bool sweeps = f->arguments == ONE && type != DOUBLE;
    char call[64], sweep[256] = "", source[1024];
    snprintf(call, sizeof call, CALLS[f->arguments], f->name);
    const char *result = strcmp(f->name, "divide") ? call : "x / y[i]";
    if (sweeps)
        snprintf(sweep, sizeof sweep,
            "kernel void sweep(uint first, uint step, global %s *out) {\n"
            "    uint i = get_global_id(0);\n    %s x = %s;\n    out[i] = %s;\n}\n",
            TYPE[type], TYPE[type], FROM_BITS[type], result);
    snprintf(source, sizeof source,
        "%s\nkernel void k(global const %s *xs, global const %s *y, global %s *out) {\n"
        "    size_t i = get_global_id(0);\n    %s x = xs[i];\n    out[i] = %s;\n}\n%s",
        type == HALF ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable" : "", TYPE[type],
        f->arguments == NUMBER_AND_INT ? "int" : TYPE[type], TYPE[type], TYPE[type], result, sweep);
    const char *text = source;
    cl_int e;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &e);
    OK(e);
    struct kernels k = {NULL, NULL};
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS) {
        k.batch = clCreateKernel(program, "k", &e);
        OK(e);
        for (int i = 0; i < 3; i++)
            OK(clSetKernelArg(k.batch, i, sizeof buffers[i], &buffers[i]));
        if (sweeps)
            k.sweep = clCreateKernel(program, "sweep", &e);
        OK(e);
    }
    OK(clReleaseProgram(program));
    return k;
}

static bool keeps_subnormals(cl_device_info what) {
    cl_device_fp_config config = 0;
    return clGetDeviceInfo(device, what, sizeof config, &config, NULL) == CL_SUCCESS && (config & CL_FP_DENORM);
}

// The limit in ulp.
static double limit_of(const struct function *f, enum type type) {
    if (relaxed)
        return 1;
    // What double rounds correctly, and float where asked.
    bool rounds = !strcmp(f->name, "sqrt") || !strcmp(f->name, "divide");
    bool correctly = type == DOUBLE || (type == FLOAT && strstr(options, "-cl-fp32-correctly-rounded-divide-sqrt"));
    return type == HALF ? f->limit16 : rounds && correctly ? 0.5 : f->limit;
}

static void measure(const struct function *f, enum type type, uint64_t stride, int *failures) {
    struct kernels k = build(f, type);
    if (!k.batch)
        return;
    struct worst w = check(f, type, k, stride);
    OK(clReleaseKernel(k.batch));
    if (k.sweep)
        OK(clReleaseKernel(k.sweep));
    double limit = limit_of(f, type);
    bool fails = w.error > limit || isinf(w.error);
    *failures += fails;
    printf("%-10s %-6s %10.3f %6.1f  %s x=%a y=%a\n", f->name, TYPE[type], w.error, limit, fails ? "FAIL" : "ok  ",
        w.x, w.y);
    fflush(stdout);
}

int main(int argc, char **argv) {
    uint64_t stride = 255;
    threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int o; (o = getopt(argc, argv, "s:n:o:t:")) != -1;) {
        switch (o) {
        case 's': stride = strtoull(optarg, NULL, 0); break;
        case 'n': count_random = atoi(optarg); break;
        case 'o': options = optarg; break;
        case 't': threads = atoi(optarg); break;
        default: return 2;
        }
    }
    threads = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
    count_random = count_random < 1 ? 1 : count_random > BATCH ? BATCH : count_random;
    stride = stride ? stride : 1;
    relaxed = strstr(options, "-cl-fast-relaxed-math");
    cl_platform_id platform;
    cl_int e;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    OK(e);
    queue = clCreateCommandQueue(context, device, 0, &e);
    OK(e);
    for (int i = 0; i < 4; i++) {
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, i < 2 ? (size_t)BATCH * 8 : (size_t)SWEEP * 4, NULL, &e);
        OK(e);
    }
    xs = malloc((size_t)BATCH * 8), ys = malloc((size_t)BATCH * 8), ns = malloc(BATCH * sizeof *ns);
    results[0] = malloc((size_t)SWEEP * 4), results[1] = malloc((size_t)SWEEP * 4);
    flushes[HALF] = !keeps_subnormals(0x1033); // CL_DEVICE_HALF_FP_CONFIG
    flushes[FLOAT] = relaxed || !keeps_subnormals(CL_DEVICE_SINGLE_FP_CONFIG);
    flushes[DOUBLE] = !keeps_subnormals(CL_DEVICE_DOUBLE_FP_CONFIG);
    int failures = 0;
    for (int i = 0; i < N_FUNCTIONS; i++) {
        struct function f = FUNCTIONS[i];
        bool chosen = optind == argc;
        for (int a = optind; a < argc; a++)
            chosen |= !strcmp(argv[a], f.name);
        for (int r = 0; r < N_RELAXED; r++)
            f.relaxed = strcmp(RELAXED_LIMITS[r].name, f.name) ? f.relaxed : &RELAXED_LIMITS[r];
        for (enum type type = HALF; chosen && type < TYPES; type++)
            if (!relaxed || (type == FLOAT && f.relaxed))
                measure(&f, type, stride, &failures);
    }
    return failures > 0;
}
