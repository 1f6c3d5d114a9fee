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

// a / b within 0.6 ulp where the device's division is less exact; no exponents near the limits.
float div_f32(float a, float b) {
#ifdef CALDERA_FUSED_FMA
    float inverse = 1.0f / b, q = a * inverse;
    return fma(fma(-q, b, a), inverse, q);
#else
    return a / b;
#endif
}

// The square root of a normal number within 0.6 ulp.
float sqrt_f32(float x) {
    float s = sqrt(x);
#ifdef CALDERA_FUSED_FMA
    return fma(fma(-s, s, x), 0.5f / s, s);
#else
    return s;
#endif
}

double div_f64(double a, double b) {
    return a / b;
}

double sqrt_f64(double x) {
    return sqrt(x);
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
