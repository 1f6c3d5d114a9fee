// Helpers of the library's files: error-free transformations, inverses, roots and scaling.
#include "constants.h"

#pragma OPENCL FP_CONTRACT OFF

// Adding it to a number below 2^22 (2^50) rounds that to an integer, which is in the lowest
// bits of the sum: cheaper than rint and a conversion.
#define ROUNDER_f32 0x1.8p23f
#define ROUNDER_f64 0x1.8p52

// Bits of such a sum, of which the lowest two are the integer's.
int low_bits_f32(float sum) {
    return (int)as_uint(sum);
}

int low_bits_f64(double sum) {
    return (int)as_ulong(sum);
}

// The integer in such a sum.
int rounded_f32(float sum) {
    return (int)(as_uint(sum) - 0x4b400000u);
}

int rounded_f64(double sum) {
    return (int)as_ulong(sum);
}

// 1 / b within 2^-21 for b > 0, for the many devices whose division takes longer.
float positive_inverse_f32(float b) {
#ifdef CALDERA_FUSED_FMA
    float r = native_rsqrt(b);
    return r * r;
#else
    return 1.0f / b;
#endif
}

// The same for all b.
float rough_inverse_f32(float b) {
    return copysign(positive_inverse_f32(fabs(b)), b);
}

// 1 / b within 2^-37. With b = 2^e m the first approximation is float's of m, with an error of 2^-19;
// a step squares it.
double rough_inverse_f64(double b) {
#ifdef CALDERA_FUSED_FMA
    uint high = (uint)(as_ulong(b) >> 32), e = (high & 0x7ff00000u) - 0x3ff00000u;
    float r = native_rsqrt(as_float(((high & 0x000fffffu) << 3) | 0x3f800000u));
    uint start = ((as_uint(r * r) >> 3) + 0x38000000u - e) | (high & 0x80000000u);
    double inverse = as_double((ulong)start << 32);
    return fma(fma(-b, inverse, 1.0), inverse, inverse);
#else
    return 1.0 / b;
#endif
}

double positive_inverse_f64(double b) {
    return rough_inverse_f64(b);
}

// 2^149 x for a positive subnormal number, which a product might take for 0.
float subnormal_f32(float x) {
    return (float)as_uint(x);
}

// The square root of a positive normal number within 0.6 ulp.
float sqrt_f32(float x) {
#ifdef CALDERA_FUSED_FMA
    float r = native_rsqrt(x), s = x * r;
    return fma(fma(-s, s, x), 0.5f * r, s);
#else
    return sqrt(x);
#endif
}

#ifdef CALDERA_FUSED_FMA
// 1 / sqrt(x) within 1 ulp for a positive normal number. With x = 4^k m, the first approximation
// is float's of m, with an error of 2^-19; h = 1 - x r^2, and r (1 + h/2 + 3/8 h^2).
double inverse_sqrt_f64(double x) {
    uint high = (uint)(as_ulong(x) >> 32) - 0x3ff00000u;
    uint even = high & 0xffe00000u;
    float m = as_float(((high - even) << 3) + 0x3f800000u);
    uint start = (as_uint(native_rsqrt(m)) >> 3) + 0x38000000u - (uint)((int)even >> 1);
    double r = as_double((ulong)start << 32);
    double h = fma(-(x * r), r, 1.0);
    return fma(r * h, fma(h, 0.375, 0.5), r);
}
#endif

// The square root of a positive normal number; with a fused fma correctly rounded but for the
// rarest cases.
double sqrt_f64(double x) {
#ifdef CALDERA_FUSED_FMA
    double r = inverse_sqrt_f64(x), s = x * r;
    return fma(fma(-s, s, x), 0.5 * r, s);
#else
    return sqrt(x);
#endif
}

// 2^n for -126 <= n <= 127.
float exp2i_f32(int n) {
    return as_float((n + 127) << 23);
}

// 2^n for -1022 <= n <= 1023.
double exp2i_f64(int n) {
    return as_double((long)(n + 1023) << 52);
}

#define T float
#define T2 float2
#define F(name) name##_f32
#define HIGH_HALF(x) as_float(as_uint(x) & 0xfffff000u)
#include "pairs.h"
#undef T
#undef T2
#undef F
#undef HIGH_HALF

#define T double
#define T2 double2
#define F(name) name##_f64
#define HIGH_HALF(x) as_double(as_ulong(x) & 0xfffffffff8000000ul)
#include "pairs.h"
#undef T
#undef T2
#undef F
#undef HIGH_HALF
