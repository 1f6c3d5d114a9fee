// Roots: the device's approximation, refined. Errors below 1 ulp.
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
