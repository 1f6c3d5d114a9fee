// Inverse trigonometric functions. All give k pi/4 + r first, as a pair (k, r), so that the
// functions in units of pi share it with those in radians. Errors below 2.5 ulp, in units of pi 4 ulp.
#include "exact.h"

// poly poly_atan_f32
// (atan(t) - t) / t^3, x = t^2, for |t| <= 1; error 2^-28.7.
float poly_atan_f32(float x) {
    float p = -0x1.ddec5ep-10f;
    p = mad(p, x, 0x1.69f92p-7f);
    p = mad(p, x, -0x1.016ae4p-5f);
    p = mad(p, x, 0x1.dccb5ep-5f);
    p = mad(p, x, -0x1.58c926p-4f);
    p = mad(p, x, 0x1.c0cc08p-4f);
    p = mad(p, x, -0x1.24265cp-3f);
    p = mad(p, x, 0x1.999268p-3f);
    p = mad(p, x, -0x1.55554p-2f);
    return p;
}

// poly poly_atan_f64
// (atan(t) - t) / t^3, x = t^2, for |t| <= tan(pi/8); error 2^-63.87.
double poly_atan_f64(double x) {
    double p = 0x1.ebc4d1c0d009ap-7;
    p = mad(p, x, -0x1.10a4eef3b780fp-5);
    p = mad(p, x, 0x1.70391cf399397p-5);
    p = mad(p, x, -0x1.ab4f58978bb95p-5);
    p = mad(p, x, 0x1.e16a86e5d8a57p-5);
    p = mad(p, x, -0x1.110c0ce7326efp-4);
    p = mad(p, x, 0x1.3b1366f873c0bp-4);
    p = mad(p, x, -0x1.745d14644dfbbp-4);
    p = mad(p, x, 0x1.c71c71b4cde4ap-4);
    p = mad(p, x, -0x1.249249247009ap-3);
    p = mad(p, x, 0x1.999999999959p-3);
    p = mad(p, x, -0x1.5555555555554p-2);
    return p;
}

// poly poly_asin_f32
// (asin(s) - s) / s^3, x = s^2, for |s| <= 1/2; error 2^-27.57.
float poly_asin_f32(float x) {
    float p = 0x1.5a222ap-5f;
    p = mad(p, x, 0x1.8b490ap-6f);
    p = mad(p, x, 0x1.74964p-5f);
    p = mad(p, x, 0x1.3300dep-4f);
    p = mad(p, x, 0x1.5555ccp-3f);
    return p;
}

// poly poly_asin_f64
// (asin(s) - s) / s^3, x = s^2, for |s| <= 1/2; error 2^-55.86.
double poly_asin_f64(double x) {
    double p = 0x1.062a7a20def76p-5;
    p = mad(p, x, -0x1.0bfd4156135e7p-6);
    p = mad(p, x, 0x1.41577b5a3f2c3p-6);
    p = mad(p, x, 0x1.a9c610b9a51b7p-8);
    p = mad(p, x, 0x1.8eff947531d0ep-7);
    p = mad(p, x, 0x1.c6f47a16d37b3p-7);
    p = mad(p, x, 0x1.1c6c5a8e56ep-6);
    p = mad(p, x, 0x1.6e89ec31575c9p-6);
    p = mad(p, x, 0x1.f1c72c8f5da2ep-6);
    p = mad(p, x, 0x1.6db6db416d7cbp-5);
    p = mad(p, x, 0x1.333333337021ap-4);
    p = mad(p, x, 0x1.5555555555382p-3);
    return p;
}

// atan(n / d) for n, d >= 0, not both 0, far from the limits: around 0 and pi/2.
float2 atan_quotient_f32(float n, float d) {
    bool high = n > d;
    float large = high ? n : d, small = high ? d : n, inverse = positive_inverse_f32(large);
    float t = small * inverse;
#ifdef CALDERA_FUSED_FMA
    // Not the rest of the quotient, which may underflow.
    t = fma(t, fma(-large, inverse, 1.0f), t);
#endif
    float z = t * t, a = mad(t * z, poly_atan_f32(z), t);
    return (float2)(high ? 2.0f : 0.0f, high ? -a : a);
}

// The same with a third range around pi/4, and still one quotient.
double2 atan_quotient_f64(double n, double d) {
    bool low = n <= TAN_PIO8_f64 * d, high = n * TAN_PIO8_f64 >= d;
    double above = low ? n : high ? -d : n - d;
    double below = low ? d : high ? n : n + d;
    double t = above / below, z = t * t;
    return (double2)(low ? 0.0 : high ? 2.0 : 1.0, mad(t * z, poly_atan_f64(z), t));
}

#define T float
#define T2 float2
#define F(name) name##_f32
#define FAR 0x1p60f
#define NEAR 0x1p-60f
#include "atrig.h"
#undef T
#undef T2
#undef F
#undef FAR
#undef NEAR

#define T double
#define T2 double2
#define F(name) name##_f64
#define FAR 0x1p500
#define NEAR 0x1p-500
#include "atrig.h"
