// Functions under -cl-unsafe-math-optimizations, within the wider limits that the specification has for it:
// the derivations of its table from the device's own functions, and for inverse trigonometric
// functions shorter polynomials, 2^-15 or better.
#include "constants.h"

// poly poly_rough_atan_f32
// atan(t) / t, x = t^2, for |t| <= 1; error 2^-17.96.
float poly_rough_atan_f32(float x) {
    float p = -0x1.c135aep-7f;
    p = mad(p, x, 0x1.db89ap-5f);
    p = mad(p, x, -0x1.f2a592p-4f);
    p = mad(p, x, 0x1.910754p-3f);
    p = mad(p, x, -0x1.55025ep-2f);
    p = mad(p, x, 0x1.ffff7cp-1f);
    return p;
}

// poly poly_rough_acos_f32
// acos(x) / sqrt(1 - x) for 0 <= x <= 1; error 2^-16.85.
float poly_rough_acos_f32(float x) {
    float p = 0x1.1b5f9ep-7f;
    p = mad(p, x, -0x1.24ea5p-5f);
    p = mad(p, x, 0x1.5acc46p-4f);
    p = mad(p, x, -0x1.b6873p-3f);
    p = mad(p, x, 0x1.921f28p0f);
    return p;
}

// Vulkan's bound of exp2 leaves nothing for its argument's rounding, and llvmpipe exceeds it.
float exp2_f32(float x) {
#ifdef CALDERA_PRECISE_EXP2
    return native_exp2(x);
#else
    return exp2(x);
#endif
}

float log2_f32(float x) {
#ifdef CALDERA_PRECISE_EXP2
    return native_log2(x);
#else
    // A device's may be wrong for subnormal numbers.
    bool small = as_uint(x) < 0x00800000u;
    return native_log2(small ? (float)as_uint(x) : x) - (small ? 149.0f : 0.0f);
#endif
}

float exp_f32(float x) {
#ifdef CALDERA_PRECISE_EXP2
    return native_exp2(x * LOG2_E_f32);
#else
    return exp(x);
#endif
}

float exp10_f32(float x) {
    return native_exp2(x * LOG2_10_f32);
}

// On an H100 the product is -2.2 to 2.3 ulp off for x > 2 and -0.8 to 3.3 ulp for x < 1/2 (all floats); the
// second term takes half an ulp off both.
float log_f32(float x) {
    float l = log2_f32(x);
#ifdef CALDERA_PRECISE_EXP2
    return mad(l, LN2_f32, fabs(l) * -0x1p-25f);
#else
    return l * LN2_f32;
#endif
}

float log10_f32(float x) {
    return log2_f32(x) * LOG10_2_f32;
}

float sincos_f32(float x, float *cosine) {
    *cosine = native_cos(x);
    return native_sin(x);
}

float tan_f32(float x) {
    return native_sin(x) / native_cos(x);
}

float sinpi_f32(float x) {
    float r = x - 2.0f * rint(x * 0.5f);
    return native_sin(r * PI_f32);
}

float cospi_f32(float x) {
    float r = x - 2.0f * rint(x * 0.5f);
    return native_cos(r * PI_f32);
}

float tanpi_f32(float x) {
    float r = (x - rint(x)) * PI_f32;
    return native_sin(r) / native_cos(r);
}

float acosh_f32(float x) {
    return log_f32(x + sqrt(x * x - 1.0f));
}

// Odd, as the logarithm near 1 would not be.
float asinh_f32(float x) {
    float size = fabs(x);
    float far = log_f32(size + sqrt(size * size + 1.0f));
    float near = size * mad(size * size, -1.0f / 6.0f, 1.0f);
    return copysign(size < 0x1p-4f ? near : far, x);
}

float atanh_f32(float x) {
    float far = 0.5f * log_f32((1.0f + x) / (1.0f - x));
    float near = x * mad(x * x, 1.0f / 3.0f, 1.0f);
    return fabs(x) < 0x1p-4f ? near : far;
}

float log1p_f32(float x) {
    float near = x * mad(x, mad(x, 1.0f / 3.0f, -0.5f), 1.0f);
    return fabs(x) < 0x1p-5f ? near : log_f32(1.0f + x);
}

float expm1_f32(float x) {
    float near = x * mad(x, mad(x, 1.0f / 6.0f, 0.5f), 1.0f);
    return fabs(x) < 0x1p-5f ? near : exp_f32(x) - 1.0f;
}

float sinh_f32(float x) {
    float near = x * mad(x * x, 1.0f / 6.0f, 1.0f);
    return fabs(x) < 0x1p-3f ? near : 0.5f * (exp_f32(x) - exp_f32(-x));
}

float cosh_f32(float x) {
    return 0.5f * (exp_f32(x) + exp_f32(-x));
}

float tanh_f32(float x) {
    float near = x * mad(x * x, -1.0f / 3.0f, 1.0f);
    float far = 1.0f - 2.0f / (exp_f32(x + x) + 1.0f);
    return fabs(x) < 0x1p-4f ? near : far;
}

// atan(t) = t p(t^2) for t <= 1, the quotient of the smaller and the larger number.
float atan_of_quotient(float n, float d) {
    float t = fmin(n, d) / fmax(n, d), a = t * poly_rough_atan_f32(t * t);
    return n > d ? PIO2_f32 - a : a;
}

float atan_f32(float x) {
    return copysign(atan_of_quotient(fabs(x), 1.0f), x);
}

float atanpi_f32(float x) {
    return atan_f32(x) * INV_PI_f32;
}

float atan2_f32(float y, float x) {
    float a = atan_of_quotient(fabs(y), fabs(x));
    return copysign(x < 0.0f ? PI_f32 - a : a, y);
}

float atan2pi_f32(float y, float x) {
    return atan2_f32(y, x) * INV_PI_f32;
}

// acos(s) = sqrt(1 - s) p(s) for s >= 0.
float acos_f32(float x) {
    float size = fabs(x), a = sqrt(1.0f - size) * poly_rough_acos_f32(size);
    return x < 0.0f ? PI_f32 - a : a;
}

float acospi_f32(float x) {
    return acos_f32(x) * INV_PI_f32;
}

float asin_f32(float x) {
    float size = fabs(x), z = size * size;
    float near = size * mad(z, mad(z, 3.0f / 40.0f, 1.0f / 6.0f), 1.0f);
    float far = PIO2_f32 - sqrt(1.0f - size) * poly_rough_acos_f32(size);
    return copysign(size < 0.25f ? near : far, x);
}

float asinpi_f32(float x) {
    return asin_f32(x) * INV_PI_f32;
}

float cbrt_f32(float x) {
    return copysign(native_exp2(log2_f32(fabs(x)) * (1.0f / 3.0f)), x);
}

// The sign of an odd power.
float signed_power(float x, float power, bool odd) {
    return odd ? copysign(power, x) : power;
}

float pow_f32(float x, float y) {
    float half_y = y * 0.5f;
    bool odd = x < 0.0f && floor(half_y) != half_y;
    return signed_power(x, native_exp2(y * log2_f32(fabs(x))), odd);
}

float pown_f32(float x, int n) {
    return signed_power(x, native_exp2((float)n * log2_f32(fabs(x))), (n & 1) != 0);
}

float powr_f32(float x, float y) {
    return native_exp2(y * log2_f32(x));
}

float rootn_f32(float x, int n) {
    return signed_power(x, native_exp2(log2_f32(fabs(x)) / (float)n), (n & 1) != 0);
}
