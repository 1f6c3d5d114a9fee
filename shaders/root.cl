// Roots: the device's or a rough approximation, refined. Errors below 1.5 ulp.
#include "exact.h"

float rsqrt_f32(float x) {
    bool subnormal = fabs(x) < 0x1p-126f;
    float y = subnormal ? x * 0x1p24f : x;
    float r = native_rsqrt(y);
    // Newton's step for 1/r^2 = y; at 0 and infinity r is the result already.
    float refined = mad(mad(-y * r, r, 1.0f), 0.5f * r, r);
    r = isfinite(r) && r != 0.0f ? refined : r;
    return subnormal ? r * 0x1p12f : r;
}

double rsqrt_f64(double x) {
    bool subnormal = fabs(x) < 0x1p-1022;
    double y = subnormal ? x * 0x1p52 : x;
    double r = 1.0 / sqrt(y);
    double refined = mad(mad(-y * r, r, 1.0), 0.5 * r, r);
    r = isfinite(r) && r != 0.0 ? refined : r;
    return subnormal ? r * 0x1p26 : r;
}

#define T float
#define F(name) name##_f32
#define FAR 0x1p60f
#define STEP 0x1p70f
#define BACK 0x1p-70f
#include "root.h"
#undef T
#undef F
#undef FAR
#undef STEP
#undef BACK

#define T double
#define F(name) name##_f64
#define FAR 0x1p500
#define STEP 0x1p540
#define BACK 0x1p-540
#include "root.h"

// x^(-1/3) within 4 %: a third of the bits, taken as an integer, is nearly one of the logarithm.
float cbrt_start_f32(float x) {
    return as_float(CBRT_MAGIC_f32 - as_uint(x) / 3u);
}

double cbrt_start_f64(double x) {
    uint high = CBRT_MAGIC_f64 - (uint)(as_ulong(x) >> 32) / 3u;
    return as_double((ulong)high << 32);
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

double cbrt_f64(double x) {
    double size = fabs(x);
    bool small = size < 0x1p-700, large = size > 0x1p1000;
    double a = size * (small ? 0x1p300 : large ? 0x1p-300 : 1.0);
    double y = cbrt_start_f64(a);
    y = cbrt_step_f64(y, a);
    y = cbrt_step_f64(y, a);
    y = cbrt_step_f64(y, a);
    double c = cbrt_finish_f64(y, a) * (small ? 0x1p-100 : large ? 0x1p100 : 1.0);
    return size == 0.0 || !isfinite(x) ? x : copysign(c, x);
}
