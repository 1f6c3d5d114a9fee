// Compares the builtin functions of an OpenCL device with exact results.
//
//   device [-s STRIDE] [-o OPTIONS] [-t THREADS] [NAME ...]      all functions, or some
//
// half: all inputs of unary functions. float: every STRIDE-th (default 255, 1 for all), and special
// ones. double, and two arguments: random bits, random numbers of moderate size, and all pairs of
// special ones. OPTIONS are those of the build. Prints a line for each function and type: worst
// error in ulp, limit, verdict, arguments. Results and arguments that are subnormal may be
// taken as zero on devices without CL_FP_DENORM.
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
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

struct function {
    const char *name;
    enum arguments arguments;
    double limit, limit16;
    union { double (*one)(double); double (*two)(double, double); double (*with_int)(double, int); } exact32;
    union { quad (*one)(quad); quad (*two)(quad, quad); quad (*with_int)(quad, int); } exact64;
};

#define UNARY(name, limit, limit16, e32, e64) \
    {#name, ONE, limit, limit16, {.one = name##_exact32}, {.one = name##_exact64}},
#define BINARY(name, limit, limit16, e32, e64) \
    {#name, TWO, limit, limit16, {.two = name##_exact32}, {.two = name##_exact64}},
#define WITH_INT(name, limit, limit16, e32, e64) \
    {#name, NUMBER_AND_INT, limit, limit16, {.with_int = name##_exact32}, {.with_int = name##_exact64}},
static const struct function FUNCTIONS[] = {
#include "functions.h"
MORE
};
enum { N_FUNCTIONS = sizeof FUNCTIONS / sizeof *FUNCTIONS };

// One batch of arguments and results, in the formats of the type.
enum { BATCH = 1 << 20, RANDOM = 1 << 20, MOST_THREADS = 64 };
static char *xs, *ys, *results;
static int *ns;
static bool flushes[TYPES];

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

static double error_at(const struct function *f, enum type type, double x, double y, int n, double got) {
    // Of two zeros either.
    if (strstr(f->name, "mag") && x == 0 && y == 0 && got == 0)
        return 0;
    if (type == DOUBLE) {
        quad e = f->arguments == ONE ? f->exact64.one(x)
            : f->arguments == TWO ? f->exact64.two(x, y) : f->exact64.with_int(x, n);
        return ulps64(e, got);
    }
    double e = f->arguments == ONE ? f->exact32.one(x)
        : f->arguments == TWO ? f->exact32.two(x, y) : f->exact32.with_int(x, n);
    double smallest = type == HALF ? 0x1p-14 : 0x1p-126;
    // A zero for a subnormal result, of any sign.
    if (flushes[type] && got == 0 && fabs(e) < smallest)
        return 0;
    return type == HALF ? ulps16(e, (_Float16)got) : ulps32(e, (float)got);
}

// The least error that flushing arguments allows.
static double least_error(const struct function *f, enum type type, size_t i) {
    double x = number(type, xs, i), y = f->arguments == TWO ? number(type, ys, i) : 0;
    double got = number(type, results, i);
    int n = f->arguments == NUMBER_AND_INT ? ns[i] : 0;
    double error = error_at(f, type, x, y, n, got);
    double smallest = type == HALF ? 0x1p-14 : 0x1p-126;
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

struct slice { const struct function *f; enum type type; size_t from, to; struct worst worst; };

static void *check_slice(void *data) {
    struct slice *s = data;
    for (size_t i = s->from; i < s->to; i++) {
        double y = s->f->arguments == NUMBER_AND_INT ? ns[i] : s->f->arguments == TWO ? number(s->type, ys, i) : 0;
        note(&s->worst, least_error(s->f, s->type, i), number(s->type, xs, i), y);
    }
    return NULL;
}

static cl_context context;
static cl_device_id device;
static cl_command_queue queue;
static cl_mem buffers[3];
static int threads = 1;
static const char *options = "";

static void run_batch(const struct function *f, enum type type, cl_kernel kernel, size_t count, struct worst *worst) {
    size_t bytes = count * SIZE[type];
    OK(clEnqueueWriteBuffer(queue, buffers[0], CL_TRUE, 0, bytes, xs, 0, NULL, NULL));
    if (f->arguments == TWO)
        OK(clEnqueueWriteBuffer(queue, buffers[1], CL_TRUE, 0, bytes, ys, 0, NULL, NULL));
    if (f->arguments == NUMBER_AND_INT)
        OK(clEnqueueWriteBuffer(queue, buffers[1], CL_TRUE, 0, count * sizeof *ns, ns, 0, NULL, NULL));
    OK(clEnqueueNDRangeKernel(queue, kernel, 1, NULL, &count, NULL, 0, NULL, NULL));
    OK(clEnqueueReadBuffer(queue, buffers[2], CL_TRUE, 0, bytes, results, 0, NULL, NULL));
    pthread_t workers[MOST_THREADS];
    struct slice slices[MOST_THREADS];
    for (int t = 0; t < threads; t++) {
        slices[t] = (struct slice){f, type, count * t / threads, count * (t + 1) / threads, {-1, 0, 0}};
        pthread_create(&workers[t], NULL, check_slice, &slices[t]);
    }
    for (int t = 0; t < threads; t++) {
        pthread_join(workers[t], NULL);
        note(worst, slices[t].worst.error, slices[t].worst.x, slices[t].worst.y);
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

static struct worst check(const struct function *f, enum type type, cl_kernel kernel, uint64_t stride) {
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
    run_batch(f, type, kernel, count, &worst);
    if (f->arguments == ONE && type != DOUBLE) {
        uint64_t end = type == HALF ? 1 << 16 : 1ull << 32, step = type == HALF ? 1 : stride;
        for (uint64_t bits = 0; bits < end;) {
            for (count = 0; count < BATCH && bits < end; count++, bits += step) {
                uint32_t word = bits;
                memcpy(xs + count * SIZE[type], &word, SIZE[type]);
            }
            run_batch(f, type, kernel, count, &worst);
        }
        return worst;
    }
    for (int i = 0; i < RANDOM; i++) {
        put(type, xs, i, random_of(type, i));
        put(type, ys, i, random_of(type, i >> 1));
        ns[i] = random_int(i);
    }
    run_batch(f, type, kernel, RANDOM, &worst);
    return worst;
}

// NULL if the device lacks the type or the function.
static cl_kernel build(const struct function *f, enum type type) {
    static const char *const CALLS[] = {"%s(x[i])", "%s(x[i], y[i])", "%s(x[i], y[i])"};
    char call[64], source[1024];
    snprintf(call, sizeof call, CALLS[f->arguments], f->name);
    snprintf(source, sizeof source,
        "%s\nkernel void k(global const %s *x, global const %s *y, global %s *out) {\n"
        "    size_t i = get_global_id(0);\n    out[i] = %s;\n}\n",
        type == HALF ? "#pragma OPENCL EXTENSION cl_khr_fp16 : enable" : "", TYPE[type],
        f->arguments == NUMBER_AND_INT ? "int" : TYPE[type], TYPE[type],
        strcmp(f->name, "divide") ? call : "x[i] / y[i]");
    const char *text = source;
    cl_int e;
    cl_program program = clCreateProgramWithSource(context, 1, &text, NULL, &e);
    OK(e);
    cl_kernel kernel = NULL;
    if (clBuildProgram(program, 1, &device, options, NULL, NULL) == CL_SUCCESS) {
        kernel = clCreateKernel(program, "k", &e);
        OK(e);
        for (int i = 0; i < 3; i++)
            OK(clSetKernelArg(kernel, i, sizeof buffers[i], &buffers[i]));
    }
    OK(clReleaseProgram(program));
    return kernel;
}

static bool keeps_subnormals(cl_device_info what) {
    cl_device_fp_config config = 0;
    return clGetDeviceInfo(device, what, sizeof config, &config, NULL) == CL_SUCCESS && (config & CL_FP_DENORM);
}

int main(int argc, char **argv) {
    uint64_t stride = 255;
    threads = (int)sysconf(_SC_NPROCESSORS_ONLN);
    for (int o; (o = getopt(argc, argv, "s:o:t:")) != -1;) {
        switch (o) {
        case 's': stride = strtoull(optarg, NULL, 0); break;
        case 'o': options = optarg; break;
        case 't': threads = atoi(optarg); break;
        default: return 2;
        }
    }
    threads = threads < 1 ? 1 : threads > MOST_THREADS ? MOST_THREADS : threads;
    cl_platform_id platform;
    cl_int e;
    OK(clGetPlatformIDs(1, &platform, NULL));
    OK(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
    context = clCreateContext(NULL, 1, &device, NULL, NULL, &e);
    OK(e);
    queue = clCreateCommandQueue(context, device, 0, &e);
    OK(e);
    for (int i = 0; i < 3; i++) {
        buffers[i] = clCreateBuffer(context, CL_MEM_READ_WRITE, (size_t)BATCH * 8, NULL, &e);
        OK(e);
    }
    xs = malloc((size_t)BATCH * 8), ys = malloc((size_t)BATCH * 8), results = malloc((size_t)BATCH * 8);
    ns = malloc(BATCH * sizeof *ns);
    flushes[HALF] = !keeps_subnormals(0x1033); // CL_DEVICE_HALF_FP_CONFIG
    flushes[FLOAT] = !keeps_subnormals(CL_DEVICE_SINGLE_FP_CONFIG);
    int failures = 0;
    for (int i = 0; i < N_FUNCTIONS; i++) {
        const struct function *f = &FUNCTIONS[i];
        bool chosen = optind == argc;
        for (int a = optind; a < argc; a++)
            chosen |= !strcmp(argv[a], f->name);
        for (enum type type = HALF; chosen && type < TYPES; type++) {
            cl_kernel kernel = build(f, type);
            if (!kernel)
                continue;
            struct worst w = check(f, type, kernel, stride);
            OK(clReleaseKernel(kernel));
            // Operations that double rounds correctly.
            bool exact = type == DOUBLE && (!strcmp(f->name, "sqrt") || !strcmp(f->name, "divide"));
            double limit = type == HALF ? f->limit16 : exact ? 0.5 : f->limit;
            bool fails = w.error > limit;
            failures += fails;
            printf("%-10s %-6s %10.3f %6.1f  %s x=%a y=%a\n", f->name, TYPE[type], w.error, limit,
                fails ? "FAIL" : "ok  ", w.x, w.y);
            fflush(stdout);
        }
    }
    return failures > 0;
}
