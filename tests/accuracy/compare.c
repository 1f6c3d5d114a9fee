// Compares the library's functions, compiled as C, with exact results: worst error in ulp of
// each function and type against OpenCL's limit.
//
//   compare [-s STRIDE] [-f FIRST] [-n COUNT] [NAME]    all functions, or one
//
// float: every STRIDE-th of all inputs of unary functions (default 255) from FIRST on, and all special ones. double, and two
// arguments: COUNT (default 2^19, eight times as many floats) of random bits and random numbers of moderate
// size, and all pairs of special ones.
#include <unistd.h>

#include "oracle.h"

static int failures;
static const char *only;

static bool wanted(const char *name) { return !only || !strcmp(only, name); }

static void report(const char *name, const char *type, struct worst w, double limit) {
    bool fails = w.error > limit || isinf(w.error);
    failures += fails;
    printf("%-10s %-6s %10.3f %6.1f  %s x=%a y=%a\n", name, type, w.error, limit, fails ? "FAIL" : "ok  ", w.x, w.y);
    fflush(stdout);
}

#define UNARY(name, ...) float name##_f32(float); double name##_f64(double);
#define BINARY(name, ...) float name##_f32(float, float); double name##_f64(double, double);
#define WITH_INT(name, ...) float name##_f32(float, int); double name##_f64(double, int);
#include "functions.h"
#undef UNARY
#undef BINARY
#undef WITH_INT

static uint64_t stride = 255, first = 0;
static int random64_count = 1 << 19, random32_count = 1 << 22;

// A device whose exp2 is used gives 0 for subnormal powers.
static double error32(double exact, float got) {
    return FLUSHES && got == 0 && fabs(exact) < 0x1p-126 ? 0 : ulps32(exact, got);
}

#define AT32(name, x) note(&w, error32(name##_exact32(x), name##_f32(x)), x, 0)
#define AT64(name, x) note(&w, ulps64(name##_exact64(x), name##_f64(x)), x, 0)
#define UNARY(name, limit, limit16, e32, e64) \
    if (wanted(#name)) { \
        struct worst w = {-1, 0, 0}; \
        for (int i = 0; i < SPECIALS; i++) AT32(name, (float)SPECIAL[i]); \
        for (uint64_t i = first; i < 1ull << 32; i += stride) { \
            uint32_t bits = i; float x; memcpy(&x, &bits, 4); AT32(name, x); \
        } \
        report(#name, "float", w, limit); \
        w = (struct worst){-1, 0, 0}; \
        for (int i = 0; i < SPECIALS; i++) AT64(name, SPECIAL[i]); \
        for (int i = 0; i < random64_count; i++) { double x = random64(i); AT64(name, x); } \
        report(#name, "double", w, limit); \
    }
#define PAIR32(name, x, y) note(&w, error32(name##_exact32(x, y), name##_f32(x, y)), x, y)
#define PAIR64(name, x, y) note(&w, ulps64(name##_exact64(x, y), name##_f64(x, y)), x, y)
#define BINARY(name, limit, limit16, e32, e64) \
    if (wanted(#name)) { \
        struct worst w = {-1, 0, 0}; \
        for (int i = 0; i < SPECIALS; i++) for (int j = 0; j < SPECIALS; j++) \
            PAIR32(name, (float)SPECIAL[i], (float)SPECIAL[j]); \
        for (int i = 0; i < random32_count; i++) { float x = random32(i), y = random32(i >> 1); PAIR32(name, x, y); } \
        report(#name, "float", w, limit); \
        w = (struct worst){-1, 0, 0}; \
        for (int i = 0; i < SPECIALS; i++) for (int j = 0; j < SPECIALS; j++) \
            PAIR64(name, SPECIAL[i], SPECIAL[j]); \
        for (int i = 0; i < random64_count; i++) { double x = random64(i), y = random64(i >> 1); PAIR64(name, x, y); } \
        report(#name, "double", w, limit); \
    }
#define WITH_INT(name, limit, limit16, e32, e64) \
    if (wanted(#name)) { \
        struct worst w = {-1, 0, 0}; \
        for (int i = 0; i < SPECIALS; i++) for (int j = 0; j < N_INTS; j++) \
            PAIR32(name, (float)SPECIAL[i], INTS[j]); \
        for (int i = 0; i < random32_count; i++) { float x = random32(i); int y = random_int(i); PAIR32(name, x, y); } \
        report(#name, "float", w, limit); \
        w = (struct worst){-1, 0, 0}; \
        for (int i = 0; i < SPECIALS; i++) for (int j = 0; j < N_INTS; j++) \
            PAIR64(name, SPECIAL[i], INTS[j]); \
        for (int i = 0; i < random64_count; i++) { double x = random64(i); int y = random_int(i); PAIR64(name, x, y); } \
        report(#name, "double", w, limit); \
    }

float fma_f32(float, float, float);
double fma_f64(double, double, double);

// The C library's fma is exact. The third number is often near the product, or near half an ulp.
static void check_fma(void) {
    struct worst w = {-1, 0, 0}, w64 = {-1, 0, 0};
    for (int i = 0; i < random32_count; i++) {
        float a = random32(i), b = random32(i >> 1), c = random32(i >> 2);
        if (i & 8)
            c = -a * b * (i & 16 ? 1 : 0x1p-24f) * (1 + (int)(random_bits() % 5) * 0x1p-23f);
        note(&w, ulps32(fmaf(a, b, c), fma_f32(a, b, c)), a, b);
        double x = random64(i), y = random64(i >> 1), z = random64(i >> 2);
        if (i & 8)
            z = -x * y * (i & 16 ? 1 : 0x1p-53) * (1 + (int)(random_bits() % 5) * 0x1p-52);
        note(&w64, ulps64(fma(x, y, z), fma_f64(x, y, z)), x, y);
    }
    for (int i = 0; i < SPECIALS; i++)
        for (int j = 0; j < SPECIALS; j++)
            for (int k = 0; k < SPECIALS; k++) {
                double x = SPECIAL[i], y = SPECIAL[j], z = SPECIAL[k];
                note(&w, ulps32(fmaf(x, y, z), fma_f32(x, y, z)), x, y);
                note(&w64, ulps64(fma(x, y, z), fma_f64(x, y, z)), x, y);
            }
    report("fma", "float", w, 0);
    report("fma", "double", w64, 0);
}

int main(int argc, char **argv) {
    for (int o; (o = getopt(argc, argv, "s:f:n:")) != -1;) {
        switch (o) {
        case 's': stride = strtoull(optarg, NULL, 0); break;
        case 'f': first = strtoull(optarg, NULL, 0); break;
        case 'n': random64_count = atoi(optarg), random32_count = 8 * random64_count; break;
        default: return 2;
        }
    }
    stride = stride ? stride : 1;
    only = optind < argc ? argv[optind] : NULL;
    printf("function   type        worst  limit\n");
#include "functions.h"
    if (wanted("fma"))
        check_fma();
    return failures > 0;
}
