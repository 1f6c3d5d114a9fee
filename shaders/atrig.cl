// Inverse trigonometric functions.
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
    double p = 0x1.ebc4ce61c6b0fp-7;
    p = mad(p, x, -0x1.10a4eead37e05p-5);
    p = mad(p, x, 0x1.70391cedce117p-5);
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

// atan(t) for |t| <= 1.
float atan_kernel_f32(float t) {
    float z = t * t;
    return mad(t * z, poly_atan_f32(z), t);
}

float atan_f32(float x) {
    float size = fabs(x);
    bool outside = size > 1.0f;
    // A quotient of numbers that are not near the limits.
    float t = outside ? div_f32(1.0f, fmin(size, 0x1p60f)) : size;
    float a = atan_kernel_f32(t);
    a = outside ? (PIO2_F32 - a) + PIO2_LO_F32 : a;
    return isnan(x) ? x : copysign(a, x);
}

// The angle of (x, y): the smaller over the larger size gives that in an eighth.
float atan2_f32(float y, float x) {
    float ax = fabs(x), ay = fabs(y);
    float large = fmax(ax, ay), small = fmin(ax, ay);
    float scale = large > 0x1p64f ? 0x1p-64f : 1.0f;
    scale = large < 0x1p-64f ? 0x1p64f : scale;
    float t = div_f32(small * scale, large * scale);
    t = small == large ? 1.0f : t;
    t = small == 0.0f || large == INFINITY && small < large ? 0.0f : t;
    float a = atan_kernel_f32(t);
    a = ay > ax ? (PIO2_F32 - a) + PIO2_LO_F32 : a;
    a = signbit(x) != 0 ? (PI_F32 - a) + PI_LO_F32 : a;
    return isnan(x) || isnan(y) ? NAN : copysign(a, y);
}

// atan(n / d) for n, d >= 0, not both 0: around 0, pi/4 and pi/2, with one quotient.
double atan_quotient_f64(double n, double d) {
    bool low = n <= TAN_PIO8_F64 * d, high = n * TAN_PIO8_F64 >= d;
    double num = low ? n : high ? -d : n - d;
    double den = low ? d : high ? n : n + d;
    double base = low ? 0.0 : high ? PIO2_F64 : PIO4_F64;
    double base_low = low ? 0.0 : high ? PIO2_LO_F64 : PIO4_LO_F64;
    double t = num / den, z = t * t;
    return base + (mad(t * z, poly_atan_f64(z), base_low) + t);
}

double atan_f64(double x) {
    double a = atan_quotient_f64(fmin(fabs(x), 0x1p100), 1.0);
    return isnan(x) ? x : copysign(a, x);
}

double atan2_f64(double y, double x) {
    double ax = fabs(x), ay = fabs(y);
    double large = fmax(ax, ay);
    double scale = large > 0x1p1000 ? 0x1p-100 : 1.0;
    scale = large < 0x1p-900 ? 0x1p100 : scale;
    bool both = ax == ay, infinite = large == (double)INFINITY;
    double n = both || infinite && ay == large ? 1.0 : infinite ? 0.0 : ay * scale;
    double d = both || infinite && ax == large ? 1.0 : infinite ? 0.0 : ax * scale;
    double a = atan_quotient_f64(large == 0.0 ? 0.0 : n, d);
    a = signbit(x) != 0 ? (PI_F64 - a) + PI_LO_F64 : a;
    return isnan(x) || isnan(y) ? (double)NAN : copysign(a, y);
}
