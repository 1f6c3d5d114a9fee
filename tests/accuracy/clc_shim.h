// Lets a C compiler compile the scalar functions of shaders/*.cl, to be compared with exact
// results without a device. The build turns `(float2)(a, b)` into `MAKE(float2)(a, b)`.
#pragma once
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

typedef unsigned int uint;
typedef unsigned long ulong;
typedef struct { float x, y; } float2;
typedef struct { double x, y; } double2;

#define constant static const

#define GLUE(a, b) a##b
#define MAKE(type) GLUE(make_, type)
static inline float2 make_float2(float x, float y) { return (float2){x, y}; }
static inline double2 make_double2(double x, double y) { return (double2){x, y}; }

#define BITS(name, to, from) \
    static inline to name(from x) { to y; memcpy(&y, &x, sizeof y); return y; }
BITS(as_uint, uint, float)
BITS(as_ulong, ulong, double)
BITS(float_of_uint, float, uint)
BITS(double_of_ulong, double, ulong)
#define as_float(x) float_of_uint((uint)(x))
#define as_double(x) double_of_ulong((ulong)(x))

// For float and double.
#define GENERIC(x, f32, f64) _Generic((x), float: f32, default: f64)
#define fabs(x) GENERIC(x, fabsf, fabs)(x)
#define floor(x) GENERIC(x, floorf, floor)(x)
#define ceil(x) GENERIC(x, ceilf, ceil)(x)
#define trunc(x) GENERIC(x, truncf, trunc)(x)
#define rint(x) GENERIC(x, rintf, rint)(x)
// As compare.c: of two zeros the first.
#define fmin(x, y) ((y) < (x) || (x) != (x) ? (y) : (x))
#define fmax(x, y) ((x) < (y) || (x) != (x) ? (y) : (x))
#define copysign(x, y) GENERIC(x, copysignf, copysign)(x, y)
#define fma(x, y, z) GENERIC(x, fmaf, fma)(x, y, z)
#ifdef CALDERA_FUSED_FMA
#define mad(x, y, z) fma(x, y, z)
#else
#define mad(x, y, z) ((x) * (y) + (z))
#endif
#undef isnan
#undef isinf
#undef isfinite
#undef signbit
#define isnan(x) __builtin_isnan(x)
#define isinf(x) (__builtin_isinf_sign(x) != 0)
#define isfinite(x) __builtin_isfinite(x)
#define signbit(x) (__builtin_signbit(x) != 0)

static inline uint clz_uint(uint x) { return x ? __builtin_clz(x) : 32; }
static inline ulong clz_ulong(ulong x) { return x ? __builtin_clzl(x) : 64; }
#define clz(x) _Generic((x), uint: clz_uint, ulong: clz_ulong)(x)
static inline uint mul_hi_uint(uint a, uint b) { return (ulong)a * b >> 32; }
static inline ulong mul_hi_ulong(ulong a, ulong b) { return (unsigned __int128)a * b >> 64; }
#define mul_hi(a, b) _Generic((a), uint: mul_hi_uint, ulong: mul_hi_ulong)(a, b)

#undef FP_ILOGB0
#undef FP_ILOGBNAN
#define FP_ILOGB0 (-2147483647 - 1)
#define FP_ILOGBNAN 2147483647

// Half is not tested here: its functions are those of float, or bits.
#define half float
#define ushort uint
#define as_half as_float
#define as_ushort as_uint

// Functions of other files of the library.
#define LIBRARY(name) float name##_f32(float); double name##_f64(double);
LIBRARY(exp) LIBRARY(exp2) LIBRARY(expm1) LIBRARY(log) LIBRARY(log1p) LIBRARY(sinpi)
#define exp(x) GENERIC(x, exp_f32, exp_f64)(x)
#define exp2(x) GENERIC(x, exp2_f32, exp2_f64)(x)
#define expm1(x) GENERIC(x, expm1_f32, expm1_f64)(x)
#define log(x) GENERIC(x, log_f32, log_f64)(x)
#define sinpi(x) GENERIC(x, sinpi_f32, sinpi_f64)(x)
#define log1p(x) GENERIC(x, log1p_f32, log1p_f64)(x)

// What a device may return: an approximation 2 ulp off.
static inline float worse_sqrtf(float x) {
    float r = sqrtf(x);
    return r > 0 && r < INFINITY ? as_float(as_uint(r) + DEVICE_ULPS) : r;
}
#define sqrt(x) GENERIC(x, worse_sqrtf, sqrt)(x)
static inline float native_rsqrt(float x) {
    float r = (float)(1 / (sqrt)((double)x));
    return r > 0 && r < INFINITY ? as_float(as_uint(r) + DEVICE_ULPS) : r;
}
static inline float native_exp2(float x) {
    float r = (exp2f)(x);
#ifdef CALDERA_PRECISE_EXP2
    r = r < 0x1p-126f ? 0 : r;
#endif
    return r > 0 && r < INFINITY ? as_float(as_uint(r) + DEVICE_ULPS) : r;
}
static inline float native_log2(float x) {
    float r = (log2f)(x);
    return r > 0 && r < INFINITY ? as_float(as_uint(r) + DEVICE_ULPS) : r;
}
