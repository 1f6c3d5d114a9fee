// Exponentials: x = n * log_b(2) + r with |r| at most half a step, then b^x = 2^n * b^r.
// The step's constant has two parts; the high one has zeros at its end, so that its product
// with n is exact even without a fused multiply-add. b^r is a polynomial.
// Errors below 1.2 ulp, expm1 2 ulp.
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

// poly poly_exp_f64
// (e^x - 1 - x) / x^2 for |x| <= ln(2)/2; error 2^-57.87.
double poly_exp_f64(double x) {
    double p = 0x1.af74d2d7b099fp-26;
    p = mad(p, x, 0x1.28b4b9c778b8dp-22);
    p = mad(p, x, 0x1.71ddeb120d337p-19);
    p = mad(p, x, 0x1.a01991c5ac78dp-16);
    p = mad(p, x, 0x1.a01a01b56f025p-13);
    p = mad(p, x, 0x1.6c16c1876fdb1p-10);
    p = mad(p, x, 0x1.111111110e7ebp-7);
    p = mad(p, x, 0x1.555555554f7dcp-5);
    p = mad(p, x, 0x1.555555555555cp-3);
    p = mad(p, x, 0x1.000000000000dp-1);
    return p;
}

// poly poly_exp2_f32
// (2^x - 1) / x for |x| <= log2(2)/2; error 2^-28.16.
float poly_exp2_f32(float x) {
    float p = 0x1.44371cp-13f;
    p = mad(p, x, 0x1.5f11b2p-10f);
    p = mad(p, x, 0x1.3b2a38p-7f);
    p = mad(p, x, 0x1.c6af6ep-5f);
    p = mad(p, x, 0x1.ebfbep-3f);
    p = mad(p, x, 0x1.62e43p-1f);
    return p;
}

// poly poly_exp2_f64
// (2^x - 1) / x for |x| <= log2(2)/2; error 2^-57.71.
double poly_exp2_f64(double x) {
    double p = 0x1.ea8985027c0e4p-32;
    p = mad(p, x, 0x1.e61f2803eee06p-28);
    p = mad(p, x, 0x1.b52472d147b5p-24);
    p = mad(p, x, 0x1.62bfc5e5f8bb8p-20);
    p = mad(p, x, 0x1.ffcbfcb3f2c54p-17);
    p = mad(p, x, 0x1.4309130f419d6p-13);
    p = mad(p, x, 0x1.5d87fe7890f31p-10);
    p = mad(p, x, 0x1.3b2ab6fba010dp-7);
    p = mad(p, x, 0x1.c6b08d704a15dp-5);
    p = mad(p, x, 0x1.ebfbdff82c5a3p-3);
    p = mad(p, x, 0x1.62e42fefa39efp-1);
    return p;
}

// poly poly_exp10_f32
// (10^x - 1) / x for |x| <= log10(2)/2; error 2^-28.33.
float poly_exp10_f32(float x) {
    float p = 0x1.a925d4p-3f;
    p = mad(p, x, 0x1.156ff8p-1f);
    p = mad(p, x, 0x1.2bd74ep0f);
    p = mad(p, x, 0x1.046f96p1f);
    p = mad(p, x, 0x1.53524cp1f);
    p = mad(p, x, 0x1.26bb1cp1f);
    return p;
}

// poly poly_exp10_f64
// (10^x - 1) / x for |x| <= log10(2)/2; error 2^-57.44.
double poly_exp10_f64(double x) {
    double p = 0x1.fd8bcc80c6e21p-13;
    p = mad(p, x, 0x1.2f70873a6f579p-10);
    p = mad(p, x, 0x1.4896a01fa5387p-8);
    p = mad(p, x, 0x1.411662d52098fp-6);
    p = mad(p, x, 0x1.16e4e033ea09fp-4);
    p = mad(p, x, 0x1.a7ed709e621f3p-3);
    p = mad(p, x, 0x1.1429ffd1a9797p-1);
    p = mad(p, x, 0x1.2bd7609fd610bp0);
    p = mad(p, x, 0x1.0470591de2dap1);
    p = mad(p, x, 0x1.53524c73cea7p1);
    p = mad(p, x, 0x1.26bb1bbb55515p1);
    return p;
}

float exp_f32(float x) {
    // Beyond these the result is 0 or infinite.
    x = x > 90.0f ? 90.0f : x;
    x = x < -110.0f ? -110.0f : x;
    float n = rint(x * LOG2_E_f32);
    float r = mad(-n, LN2_LO_f32, mad(-n, LN2_HI_f32, x));
    float p = 1.0f + mad(r * r, poly_exp_f32(r), r);
    return scale_f32(p, (int)n);
}

double exp_f64(double x) {
    x = x > 720.0 ? 720.0 : x;
    x = x < -760.0 ? -760.0 : x;
    double n = rint(x * LOG2_E_f64);
    double r = mad(-n, LN2_LO_f64, mad(-n, LN2_HI_f64, x));
    double p = 1.0 + mad(r * r, poly_exp_f64(r), r);
    return scale_f64(p, (int)n);
}

float exp2_f32(float x) {
    x = x > 130.0f ? 130.0f : x;
    x = x < -160.0f ? -160.0f : x;
    float n = rint(x), r = x - n;
    return scale_f32(mad(r, poly_exp2_f32(r), 1.0f), (int)n);
}

double exp2_f64(double x) {
    x = x > 1030.0 ? 1030.0 : x;
    x = x < -1100.0 ? -1100.0 : x;
    double n = rint(x), r = x - n;
    return scale_f64(mad(r, poly_exp2_f64(r), 1.0), (int)n);
}

float exp10_f32(float x) {
    x = x > 40.0f ? 40.0f : x;
    x = x < -50.0f ? -50.0f : x;
    float n = rint(x * LOG2_10_f32);
    float r = mad(-n, LOG10_2_LO_f32, mad(-n, LOG10_2_HI_f32, x));
    return scale_f32(mad(r, poly_exp10_f32(r), 1.0f), (int)n);
}

double exp10_f64(double x) {
    x = x > 310.0 ? 310.0 : x;
    x = x < -330.0 ? -330.0 : x;
    double n = rint(x * LOG2_10_f64);
    double r = mad(-n, LOG10_2_LO_f64, mad(-n, LOG10_2_HI_f64, x));
    return scale_f64(mad(r, poly_exp10_f64(r), 1.0), (int)n);
}

// 2^n - 1 + 2^n (e^r - 1), halved so that n = 128 does not overflow before the end.
float expm1_f32(float x) {
    float c = x > 89.0f ? 89.0f : x;
    c = c < -20.0f ? -20.0f : c;
    float n = rint(c * LOG2_E_f32);
    float r = mad(-n, LN2_LO_f32, mad(-n, LN2_HI_f32, c));
    float p = mad(r * r, poly_exp_f32(r), r);
    float half_power = exp2i_f32((int)n - 1);
    float result = 2.0f * mad(half_power, p, half_power - 0.5f);
    return n == 0.0f ? (fabs(x) < 0x1p-30f ? x : p) : result;
}

double expm1_f64(double x) {
    double c = x > 720.0 ? 720.0 : x;
    c = c < -40.0 ? -40.0 : c;
    double n = rint(c * LOG2_E_f64);
    double r = mad(-n, LN2_LO_f64, mad(-n, LN2_HI_f64, c));
    double p = mad(r * r, poly_exp_f64(r), r);
    // One more than the largest power.
    double half_power = exp2i_f64((int)fmin(n, 1024.0) - 1);
    double result = 2.0 * mad(half_power, p, half_power - 0.5);
    result = x > 710.0 ? (double)INFINITY : result;
    return n == 0.0 ? (fabs(x) < 0x1p-60 ? x : p) : result;
}
