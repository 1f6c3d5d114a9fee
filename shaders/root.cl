// Roots: the device's or a rough approximation, refined. Errors below 1.6 ulp.
#include "exact.h"

// Vulkan's is within 2 ulp.
float rsqrt_f32(float x) {
    return native_rsqrt(x);
}

#ifdef CALDERA_FUSED_FMA
// A positive normal number, by its high word.
bool normal_f64(double x) {
    return (uint)(as_ulong(x) >> 32) - 0x00100000u < 0x7fe00000u;
}

double rsqrt_f64(double x) {
    if (normal_f64(x))
        return inverse_sqrt_f64(x);
    if (!(x > 0.0 && x < (double)INFINITY))
        return x == 0.0 ? copysign((double)INFINITY, x) : x > 0.0 ? 0.0 : (double)NAN;
    return inverse_sqrt_f64(x * 0x1p52) * 0x1p26;
}

// The builtin sqrt, where that of the device takes longer than this. Below 2^-900 what is left
// of x might be subnormal.
double refined_sqrt_f64(double x) {
    if ((uint)(as_ulong(x) >> 32) - 0x07b00000u < 0x78400000u)
        return sqrt_f64(x);
    if (!(x > 0.0 && x < (double)INFINITY))
        return x >= 0.0 || x == 0.0 ? x : (double)NAN;
    return sqrt_f64(x * 0x1p200) * 0x1p-100;
}
#else
double rsqrt_f64(double x) {
    bool subnormal = fabs(x) < 0x1p-1022;
    double y = subnormal ? x * 0x1p52 : x;
    double r = 1.0 / sqrt(y);
    double refined = mad(mad(-y * r, r, 1.0), 0.5 * r, r);
    r = isfinite(r) && r != 0.0 ? refined : r;
    return subnormal ? r * 0x1p26 : r;
}

double refined_sqrt_f64(double x) {
    return sqrt(x);
}
#endif

// Correctly rounded: no root of a float is nearer to the middle of two floats than 2^-50.
float exact_sqrt_f32(float x) {
    return (float)refined_sqrt_f64((double)x);
}

#define T float
#define F(name) name##_f32
#define FAR 0x1p60f
#define NEAR 0x1p-40f
#define STEP 0x1p100f
#define BACK 0x1p-100f
#include "root.h"
#undef T
#undef F
#undef FAR
#undef NEAR
#undef STEP
#undef BACK

#define T double
#define F(name) name##_f64
#define FAR 0x1p500
#define NEAR 0x1p-400
#define STEP 0x1p700
#define BACK 0x1p-700
#include "root.h"

#ifdef CALDERA_FUSED_FMA
// With y from the device's approximations.
float cbrt_f32(float x) {
    uint size = as_uint(x) & 0x7fffffffu;
    float a = as_float(size), back = 1.0f;
    // Subnormal: as many 2^-149, which a product or fabs might take for 0.
    if (size < 0x00800000u) {
        a = 2.0f * (float)size;
        back = 0x1p-50f;
    }
    float c = cbrt_finish_f32(native_exp2(native_log2(a) * (-1.0f / 3.0f)), a) * back;
    // 0 and infinity.
    return isnan(c) ? x : copysign(c, x);
}
#else
// x^(-1/3) within 4 %: a third of the bits, taken as an integer, is nearly one of the logarithm.
float cbrt_start_f32(float x) {
    return as_float(CBRT_MAGIC_f32 - as_uint(x) / 3u);
}

float cbrt_f32(float x) {
    float size = fabs(x);
    bool small = size < 0x1p-60f, large = size > 0x1p100f;
    float a = size * (small ? 0x1p72f : large ? 0x1p-72f : 1.0f);
    float y = cbrt_start_f32(a);
    y = cbrt_step_f32(y, a);
    y = cbrt_step_f32(y, a);
    float c = cbrt_finish_f32(y, a) * (small ? 0x1p-24f : large ? 0x1p24f : 1.0f);
    return size == 0.0f || !isfinite(x) ? x : copysign(c, x);
}
#endif

double cbrt_start_f64(double x) {
    uint high = CBRT_MAGIC_f64 - (uint)(as_ulong(x) >> 32) / 3u;
    return as_double((ulong)high << 32);
}

// For numbers with exponents far from the limits. Behind the steps the relative error is 2^-32.
double cbrt_core_f64(double a) {
    double y = cbrt_start_f64(a);
    y = cbrt_step_f64(y, a);
    return cbrt_finish_f64(cbrt_step_f64(y, a), a);
}

double cbrt_f64(double x) {
    double size = fabs(x);
    if (size > 0x1p-700 && size < 0x1p1000)
        return copysign(cbrt_core_f64(size), x);
    if (size == 0.0 || !isfinite(x))
        return x;
    bool small = size < 1.0;
    double c = cbrt_core_f64(size * (small ? 0x1p300 : 0x1p-300));
    return copysign(c * (small ? 0x1p-100 : 0x1p100), x);
}
