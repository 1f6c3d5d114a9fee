// Exact results and errors, for the programs that compare functions with them.
#pragma once
#include <math.h>
#include <quadmath.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef __float128 quad;

static uint64_t random_bits(void) {
    static uint64_t s = 0x9e3779b97f4a7c15;
    s ^= s << 13, s ^= s >> 7, s ^= s << 17;
    return s * 0x2545f4914f6cdd1d;
}

static quad exp10q(quad x) { return powq(10, x); }
static double zero_like(double r, double x) { return r == 0 ? copysign(r, x) : r; }
static quad zero_like_q(quad r, quad x) { return r == 0 ? copysignq(r, x) : r; }

// IEEE 754 and OpenCL: powr is e^(y log x), which is undefined for 0^0, inf^0 and 1^inf.
static bool powr_undefined(double x, double y) {
    return x < 0 || isnan(x) || isnan(y) || (y == 0 && (x == 0 || isinf(x))) || (x == 1 && isinf(y));
}
static double powr(double x, double y) {
    return powr_undefined(x, y) ? NAN : pow(fabs(x), y);
}
static quad powrq(quad x, quad y) {
    return powr_undefined(x, y) ? NAN : powq(fabsq(x), y);
}
static quad rootnq(quad x, int n) {
    bool odd = n & 1;
    if (n == 0 || isnanq(x) || (x < 0 && !odd))
        return NAN;
    quad r = powq(fabsq(x), 1 / (quad)n);
    return odd ? copysignq(r, x) : r;
}
static double rootn(double x, int n) {
    bool odd = n & 1;
    if (n == 0 || isnan(x) || (x < 0 && !odd))
        return NAN;
    double r = pow(fabs(x), 1 / (double)n);
    return odd ? copysign(r, x) : r;
}

// sin and cos of pi x, with the zeros and signs that OpenCL demands, for a type T.
// |x| modulo 2 is exact.
#define PI_FUNCTIONS(T, floor, sin, cos, fabs, isnan, isinf, signbit, copysign, pi, TAG) \
static T sinpi##TAG(T x) { \
    if (isnan(x) || isinf(x)) \
        return NAN; \
    T r = fabs(x) - 2 * floor(fabs(x) / 2), sign = 1; \
    if (r >= 1) \
        r -= 1, sign = -1; \
    if (r > 0.5) \
        r = 1 - r; \
    T s = r == 0 ? 0 : sign * sin(r * pi); \
    return signbit(x) ? -s : s; \
} \
static T cospi##TAG(T x) { \
    if (isnan(x) || isinf(x)) \
        return NAN; \
    T r = fabs(x) - 2 * floor(fabs(x) / 2), sign = 1; \
    if (r > 1) \
        r = 2 - r; \
    if (r > 0.5) \
        r = 1 - r, sign = -1; \
    return r == 0.5 ? 0 : r < 0.25 ? sign * cos(r * pi) : sign * sin(((T)0.5 - r) * pi); \
} \
static T tanpi##TAG(T x) { \
    if (isnan(x) || isinf(x)) \
        return NAN; \
    T s = sinpi##TAG(fabs(x)), c = cospi##TAG(fabs(x)); \
    T t = c == 0 ? copysign(INFINITY, s) : s == 0 ? copysign(0, c) : s / c; \
    return signbit(x) ? -t : t; \
}
PI_FUNCTIONS(double, floor, sin, cos, fabs, isnan, isinf, signbit, copysign, M_PI, d)
PI_FUNCTIONS(quad, floorq, sinq, cosq, fabsq, isnanq, isinfq, signbitq, copysignq, M_PIq, q)

static quad gamma_of_q(quad x) {
    if (x == 0)
        return copysignq(INFINITY, x);
    return isinfq(x) ? x > 0 ? x : NAN : x < 0 && x == floorq(x) ? NAN : tgammaq(x);
}
static double gamma_of(double x) {
    if (x == 0)
        return copysign(INFINITY, x);
    return isinf(x) ? x > 0 ? x : NAN : x < 0 && x == floor(x) ? NAN : tgamma(x);
}
static double maxmag(double x, double y) {
    return fabs(x) > fabs(y) ? x : fabs(y) > fabs(x) ? y : x < y || isnan(x) ? y : x;
}
static double minmag(double x, double y) {
    return fabs(x) < fabs(y) ? x : fabs(y) < fabs(x) ? y : y < x || isnan(x) ? y : x;
}
// Distance from the exact result in ulp, for a format of `bits` with this smallest exponent;
// `limit` is the power of two after the largest number. One function for each type
// that computes it.
#define ULPS(name, T, isnan, isinf, signbit, fabs, copysign, frexp, ldexp) \
static double name(T exact, T got, int bits, int min_exponent, T limit) { \
    if (isnan(exact) || isnan(got)) \
        return isnan(exact) && isnan(got) ? 0 : INFINITY; \
    /* An exact zero has a sign, and no error is allowed. */ \
    if (exact == got && (exact != 0 || signbit(exact) == signbit(got))) \
        return 0; \
    if (isinf(exact) || exact == 0) \
        return INFINITY; \
    /* Infinity stands for the number after the largest one. */ \
    if (fabs(got) > limit) \
        got = copysign(limit, got); \
    if (fabs(exact) > limit) \
        exact = copysign(limit, exact); \
    int e; \
    frexp(exact, &e); \
    return fabs(got - exact) / ldexp(1, (e < min_exponent ? min_exponent : e) - bits); \
}
ULPS(ulps_in_quad, quad, isnanq, isinfq, signbitq, fabsq, copysignq, frexpq, ldexpq)
// Fast, as programs do little else. Subnormal doubles are as good as zero.
static inline double quick_frexp(double x, int *e) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    *e = (int)(bits >> 52 & 2047) - 1022;
    return x;
}
static inline double quick_ldexp(double one, int e) {
    uint64_t bits = (uint64_t)(1023 + e) << 52;
    memcpy(&one, &bits, sizeof bits);
    return one;
}
ULPS(ulps_in_double, double, isnan, isinf, !!signbit, fabs, copysign, quick_frexp, quick_ldexp)

static double ulps32(double exact, float got) {
    return ulps_in_double(exact, got, 24, -125, 0x1p128);
}
static double ulps16(double exact, _Float16 got) {
    return ulps_in_double(exact, got, 11, -13, 0x1p16);
}
static double ulps64(quad exact, double got) {
    return ulps_in_quad(exact, got, 53, -1021, ldexpq(1, 1024));
}

static const double SPECIAL[] = {
    0.0, -0.0, 1, -1, 2, -2, 3, -3, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 4, 7, 10, -10, 100, 1e10, -1e10,
    INFINITY, -INFINITY, NAN, 0x1p-149, -0x1p-149, 0x1p-126, -0x1p-126, 0x1.fffffcp-127,
    0x1.fffffep127, -0x1.fffffep127, 0x1p-1074, -0x1p-1074, 0x1p-1022, 0x1.fffffffffffffp1023,
    -0x1.fffffffffffffp1023, 0x1.ffffffffffffep-1023, 0x1.fffffep-1, 0x1.000002p0, 0x1.fffffffffffffp-1,
    0x1.0000000000001p0, 0x1p23, 0x1.000002p23, 0x1p24, -0x1p24, 0x1p31, 0x1p52, 0x1.0000000000001p52, 0x1p53,
    -0x1p53, 8388607.5, 4503599627370495.5, 3.14159274, 1.57079637, 3.141592653589793, 1.5707963267948966,
    88.7228394, 88.72284, -103.97208, 709.782712893384, -745.1332191019411, 128, 127.99999, -149, -150, 1024, -1074,
    -1075, 38.5318, 0.33333333333333331, 1e-5, -1e-5, 1e-20, 16367173 * 0x1p72, 5.319372648326541e255, 255, -255,
};
enum { SPECIALS = sizeof SPECIAL / sizeof *SPECIAL };
static const int INTS[] = {0, 1, -1, 2, -2, 3, -3, 4, 5, 10, -10, 23, 24, 31, 52, 53, 100, -100, 127, -126, -127, 128,
    -149, -150, 150, 255, -255, 277, 300, -300, 1023, 1024, -1022, -1074, -1075, 2098, 2099, 5000, -5000,
    16777217, -16777217, 2147483647, -2147483647 - 1, 2147483646};
enum { N_INTS = sizeof INTS / sizeof *INTS };

static float random32(int i) {
    uint64_t r = random_bits();
    uint32_t bits = r;
    // Every other one is of moderate size.
    if (i & 1)
        bits = (bits & 0x807fffff) | (uint32_t)(127 - 12 + (r >> 40) % 24) << 23;
    float x;
    memcpy(&x, &bits, 4);
    return x;
}
static double random64(int i) {
    uint64_t bits = random_bits();
    if (i & 1)
        bits = (bits & 0x800fffffffffffff) | (1023 - 20 + random_bits() % 40) << 52;
    double x;
    memcpy(&x, &bits, 8);
    return x;
}
static int random_int(int i) {
    int n = random_bits();
    return i & 2 ? n % 64 : i & 4 ? n % 2000 : n;
}

struct worst { double error; double x, y; };

static void note(struct worst *w, double error, double x, double y) {
    if (error > w->error)
        *w = (struct worst){error, x, y};
}

// The exact results of all functions.
#define UNARY(name, limit, limit16, e32, e64) \
    static double name##_exact32(double x) { return e32; } \
    static quad name##_exact64(quad x) { return e64; }
#define BINARY(name, limit, limit16, e32, e64) \
    static double name##_exact32(double x, double y) { return e32; } \
    static quad name##_exact64(quad x, quad y) { return e64; }
#define WITH_INT(name, limit, limit16, e32, e64) \
    static double name##_exact32(double x, int n) { return e32; } \
    static quad name##_exact64(quad x, int n) { return e64; }
#include "functions.h"
#undef UNARY
#undef BINARY
#undef WITH_INT
