// Logarithms: x = 2^e * (1 + f), then log_b(x) = e * log_b(2) + log_b(1 + f). For float
// log(1 + f) = f + (a polynomial in f); for double it comes from the series of
// atanh(s), s = f / (2 + f), whose error counts only by its small share. Errors below
// 2.5 ulp.
#include "exact.h"

// poly poly_log1p_f32
// (log(1 + x) - x + x^2/2) / x^3 for -1/3 <= x <= 1/3; error 2^-27.58.
float poly_log1p_f32(float x) {
    float p = -0x1.0e16ccp-3f;
    p = mad(p, x, 0x1.1df0b6p-3f);
    p = mad(p, x, -0x1.f045p-4f);
    p = mad(p, x, 0x1.1ef238p-3f);
    p = mad(p, x, -0x1.55b796p-3f);
    p = mad(p, x, 0x1.99ce36p-3f);
    p = mad(p, x, -0x1.fffe6p-3f);
    p = mad(p, x, 0x1.55550cp-2f);
    return p;
}

// poly poly_atanh_f64
// (2 atanh(s) - 2 s) / s^3, x = s^2, for |s| <= 0.1716; error 2^-65.57.
double poly_atanh_f64(double x) {
    double p = 0x1.0f1349e2018aap-3;
    p = mad(p, x, 0x1.0f66b1bb8bbd9p-3);
    p = mad(p, x, 0x1.3b202a9885deep-3);
    p = mad(p, x, 0x1.745ce1a81840bp-3);
    p = mad(p, x, 0x1.c71c724bc2d11p-3);
    p = mad(p, x, 0x1.2492492439408p-2);
    p = mad(p, x, 0x1.9999999999d13p-2);
    p = mad(p, x, 0x1.5555555555555p-1);
    return p;
}

// (f, e) with x = 2^e (1 + f), -1/3 <= f <= 1/3, for finite x > 0.
float2 log_split_f32(float x) {
    float shift = 0.0f;
    if (as_uint(x) < 0x00800000u) {
        x = subnormal_f32(x);
        shift = -149.0f;
    }
    // The exponent of bits / (2/3), rounded down, in its place.
    uint e = (as_uint(x) - 0x3f2aaaabu) & 0xff800000u;
    float f = as_float(as_uint(x) - e) - 1.0f;
    return (float2)(f, mad((float)(int)e, 0x1p-23f, shift));
}

// (f, e) with x = 2^e (1 + f), sqrt(1/2) <= 1 + f <= sqrt(2), for finite x > 0.
double2 log_split_f64(double x) {
    int shift = 0;
    if (as_ulong(x) < 0x0010000000000000ul) {
        x *= 0x1p52;
        shift = -52;
    }
    ulong bits = as_ulong(x);
    int e = (int)((long)(bits - 0x3fe6a09e667f3bcdul) >> 52);
    double f = as_double(bits - ((ulong)e << 52)) - 1.0;
    return (double2)(f, (double)(e + shift));
}

// log(1 + f) - f.
float log1p_tail_f32(float f) {
    return f * f * mad(f, poly_log1p_f32(f), -0.5f);
}

double log1p_tail_f64(double f) {
    double s = f / (2.0 + f), z = s * s, half_square = 0.5 * f * f;
    return s * mad(z, poly_atanh_f64(z), half_square) - half_square;
}

// Logarithms of 2^e (1 + f), where products with constants are rounded.
#define LOG_SUMS(T, TAG)                                                                              \
    T log_sum_##TAG(T f, T e) {                                                                       \
        return mad(e, LN2_HI_##TAG, f + mad(e, LN2_LO_##TAG, log1p_tail_##TAG(f)));                   \
    }                                                                                                 \
    T log2_sum_##TAG(T f, T e) {                                                                      \
        return e + mad(f, LOG2_E_##TAG, mad(f, LOG2_E_LO_##TAG, log1p_tail_##TAG(f) * LOG2_E_##TAG)); \
    }                                                                                                 \
    T log10_sum_##TAG(T f, T e) {                                                                     \
        T low = mad(f, LOG10_E_LO_##TAG, log1p_tail_##TAG(f) * LOG10_E_##TAG);                        \
        low = mad(e, LOG10_2_LO_##TAG, low);                                                          \
        return mad(e, LOG10_2_HI_##TAG, mad(f, LOG10_E_##TAG, low));                                  \
    }

LOG_SUMS(double, f64)

#ifdef CALDERA_FUSED_FMA
// Where they are exact.
float log1p_near_f32(float f) {
    return mad(f * mad(f, poly_log1p_f32(f), -0.5f), f, f);
}

float log_sum_f32(float f, float e) {
    return mad(e, LN2_f32, log1p_near_f32(f));
}

float log2_sum_f32(float f, float e) {
    float l = log1p_near_f32(f);
    return mad(l, LOG2_E_f32, mad(l, LOG2_E_LO_f32, e));
}

float log10_sum_f32(float f, float e) {
    float l = log1p_near_f32(f);
    float low = mad(e, LOG10_2_LO_f32, l * LOG10_E_LO_f32);
    return mad(e, LOG10_2_HI_f32, mad(l, LOG10_E_f32, low));
}
#else
LOG_SUMS(float, f32)
#endif

#define T float
#define T2 float2
#define U uint
#define F(name) name##_f32
#define AS_U as_uint
#define INF_BITS 0x7f800000u
#include "log.h"
#undef T
#undef T2
#undef U
#undef F
#undef AS_U
#undef INF_BITS

#define T double
#define T2 double2
#define U ulong
#define F(name) name##_f64
#define AS_U as_ulong
#define INF_BITS 0x7ff0000000000000ul
#include "log.h"

// 2^e near u = 1 + x; then f = 2^-e x + (2^-e - 1) rounds once, and 1 + x = 2^e (1 + f).
float log1p_f32(float x) {
    uint e = (as_uint(1.0f + x) - 0x3f2aaaabu) & 0xff800000u;
    // 2^-e, 4 times for the largest e. x is large enough to take the exponent if e is not 0.
    float scale = as_float(0x40800000u - e);
    float f = as_float(as_uint(x) - e) + mad(0.25f, scale, -1.0f);
    float n = (float)((int)e >> 23);
    float result = mad(n, LN2_HI_f32, f + mad(n, LN2_LO_f32, log1p_tail_f32(f)));
    result = fabs(x) < 0x1p-30f ? x : result;
    if (!(x > -1.0f && x < INFINITY)) {
        result = x == -1.0f ? -INFINITY : NAN;
        result = x == INFINITY ? INFINITY : result;
    }
    return result;
}

// 1 + x = u + c with c the rounding error, and log(u + c) = log(u) + c / u.
double log1p_f64(double x) {
    double2 u = two_sum_f64(1.0, x);
    double2 fe = log_split_f64(u.x);
    bool near = fe.y == 0.0;
    double f = near ? x : fe.x;
    double c = fe.y < 100.0 && !near ? u.y * exp2i_f64((int)-fe.y) : 0.0;
    double low = log1p_tail_f64(f) + mad(-c, f, c);
    double result = mad(fe.y, LN2_HI_f64, f + mad(fe.y, LN2_LO_f64, low));
    result = x == (double)INFINITY ? (double)INFINITY : result;
    result = x == -1.0 ? -(double)INFINITY : result;
    result = fabs(x) < 0x1p-60 ? x : result;
    return x >= -1.0 ? result : (double)NAN;
}
