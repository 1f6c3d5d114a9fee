// e^x for float, times a power of 2: for the exponentials and what is made of several.
#include "exact.h"

// poly poly_exp_f32
// (e^x - 1 - x) / x^2 for |x| <= ln(2)/2; error 2^-28.11.
float poly_exp_f32(float x) {
    float p = 0x1.6d626cp-10f;
    p = mad(p, x, 0x1.1240acp-7f);
    p = mad(p, x, 0x1.5554d6p-5f);
    p = mad(p, x, 0x1.555488p-3f);
    p = mad(p, x, 0x1p-1f);
    return p;
}

#ifdef CALDERA_PRECISE_EXP2
// 2^(x c) for c a pair with c_low: the device's exp2 of the rounded product y, and what y is too large by as a
// factor. Errors below 3 ulp.
float power_of_two_f32(float x, float c, float c_low) {
    // Negated factors are constants: a negated summand is an instruction on NVIDIA's GPUs.
    float y = x * c, excess = mad(x, -c_low, mad(x, -c, y));
    float e = native_exp2(y);
    // Else it is 0 or infinite, and the excess may be NaN.
    return fabs(y) < 128.0f ? mad(e, excess * -LN2_f32, e) : e;
}

float exp_f32(float x) {
    return power_of_two_f32(x, LOG2_E_f32, LOG2_E_LO_f32);
}

// e^x / 2 and e^-x / 2 for x >= 0.
float2 half_powers_f32(float x) {
    // From 90 on the first is infinite, and the second nothing beside it.
    x = x > 90.0f ? 90.0f : x;
    float y = x * LOG2_E_f32, excess = mad(x, -LOG2_E_LO_f32, mad(x, -LOG2_E_f32, y));
    // At 128 the power would overflow even where the excess takes the sum below it.
    float up = y - 1.0f, bounded = up > 0x1.fffffep6f ? 0x1.fffffep6f : up;
    float e = native_exp2(bounded), inverse = native_exp2(-1.0f - y);
    return (float2)(mad(e, (excess + (bounded - up)) * -LN2_f32, e), mad(inverse, excess * LN2_f32, inverse));
}
#else
// e^x 2^shift for an integer |shift| <= 1.
float exp_shifted_f32(float x, float shift) {
    // Beyond these the result is 0 or infinite.
    x = x > 90.0f ? 90.0f : x;
    x = x < -110.0f ? -110.0f : x;
    float sum = mad(x, LOG2_E_f32, ROUNDER_f32), n = sum - ROUNDER_f32;
    float r = mad(-n, LN2_LO_f32, mad(-n, LN2_HI_f32, x));
    float p = 1.0f + mad(r * r, poly_exp_f32(r), r);
    return scale_f32(p, rounded_f32(sum) + (int)shift);
}

float exp_f32(float x) {
    return exp_shifted_f32(x, 0.0f);
}

// e^x / 2 and e^-x / 2 for x >= 0.
float2 half_powers_f32(float x) {
    return (float2)(exp_shifted_f32(x, -1.0f), exp_shifted_f32(-x, -1.0f));
}
#endif
