// Helpers of the library's files: error-free transformations and scaling.
//
// A pair (float2, double2) is an unevaluated sum x + y with |y| at most half an ulp of x.
// Without a fused fma, products are split into halves by masks: a mask never overflows.
#include "constants.h"

#pragma OPENCL FP_CONTRACT OFF

// a * b - p for p = a * b rounded; exact unless it underflows.
float mul_error_f32(float a, float b, float p) {
#ifdef CALDERA_FUSED_FMA
    return fma(a, b, -p);
#else
    float ah = as_float(as_uint(a) & 0xfffff000u), al = a - ah;
    float bh = as_float(as_uint(b) & 0xfffff000u), bl = b - bh;
    return (((ah * bh - p) + ah * bl) + al * bh) + al * bl;
#endif
}

// As for float, but without a fused fma the result has a relative error of 2^-53.
double mul_error_f64(double a, double b, double p) {
#ifdef CALDERA_FUSED_FMA
    return fma(a, b, -p);
#else
    double ah = as_double(as_ulong(a) & 0xfffffffff8000000ul), al = a - ah;
    double bh = as_double(as_ulong(b) & 0xfffffffff8000000ul), bl = b - bh;
    return (((ah * bh - p) + ah * bl) + al * bh) + al * bl;
#endif
}

// a + b exactly, in any order (Knuth).
float2 two_sum_f32(float a, float b) {
    float s = a + b, t = s - a;
    return (float2)(s, (a - (s - t)) + (b - t));
}

double2 two_sum_f64(double a, double b) {
    double s = a + b, t = s - a;
    return (double2)(s, (a - (s - t)) + (b - t));
}

// a + b exactly for |a| >= |b| or a = 0 (Dekker).
float2 fast_two_sum_f32(float a, float b) {
    float s = a + b;
    return (float2)(s, b - (s - a));
}

double2 fast_two_sum_f64(double a, double b) {
    double s = a + b;
    return (double2)(s, b - (s - a));
}

// Adding it to a number below 2^22 (2^50) rounds that to an integer, which is in the lowest
// bits of the sum: cheaper than rint and a conversion.
#define ROUNDER_f32 0x1.8p23f
#define ROUNDER_f64 0x1.8p52

// The integer in such a sum.
int rounded_f32(float sum) {
    return (int)(as_uint(sum) - 0x4b400000u);
}

int rounded_f64(double sum) {
    return (int)as_ulong(sum);
}

// 1 / b within 2^-21, for the many devices whose division takes longer.
float rough_inverse_f32(float b) {
#ifdef CALDERA_FUSED_FMA
    float r = native_rsqrt(fabs(b));
    return copysign(r * r, b);
#else
    return 1.0f / b;
#endif
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

// 1 / b within 1 ulp for a positive number with an exponent far from the limits.
float inverse_f32(float b) {
    float r = rough_inverse_f32(b);
#ifdef CALDERA_FUSED_FMA
    r = fma(fma(-b, r, 1.0f), r, r);
#endif
    return r;
}

double inverse_f64(double b) {
    double r = rough_inverse_f64(b);
#ifdef CALDERA_FUSED_FMA
    r = fma(fma(-b, r, 1.0), r, r);
#endif
    return r;
}

// a / b within 0.6 ulp for numbers with exponents far from the limits.
float div_f32(float a, float b) {
#ifdef CALDERA_FUSED_FMA
    float inverse = rough_inverse_f32(b), q = a * inverse;
    return fma(fma(-q, b, a), inverse, q);
#else
    return a / b;
#endif
}

double div_f64(double a, double b) {
#ifdef CALDERA_FUSED_FMA
    double inverse = rough_inverse_f64(b), q = a * inverse;
    return fma(fma(-q, b, a), inverse, q);
#else
    return a / b;
#endif
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

// x * 2^n for x near 1 and |n| <= 250: only the second product rounds.
float scale_f32(float x, int n) {
    int half_n = n >> 1;
    return x * exp2i_f32(half_n) * exp2i_f32(n - half_n);
}

double scale_f64(double x, int n) {
    int half_n = n >> 1;
    return x * exp2i_f64(half_n) * exp2i_f64(n - half_n);
}
