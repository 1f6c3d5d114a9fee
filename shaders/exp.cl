// Exponentials: x = n * log_b(2) + r with |r| at most half a step, then b^x = 2^n * b^r.
// The step's constant has two parts; the high one has zeros at its end, so that its product
// with n is exact even without a fused multiply-add. b^r is a polynomial.
// Errors below 1.3 ulp, expm1 2 ulp; of float with a device's exp2 2.6 ulp.
#include "exp.h"
#include "exp2.h"

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

// x, or the number beyond which the result is 0 or infinite.
double limited_f64(double x, double least, double most) {
    x = x > most ? most : x;
    return x < least ? least : x;
}

// p 2^n for p near 1 where the result is a normal number.
double raise_f64(double p, int n) {
    return as_double(as_ulong(p) + ((ulong)(long)n << 52));
}

// e^x = 2^n times the result.
double exp_core_f64(double x, int *n) {
    double sum = mad(x, LOG2_E_f64, ROUNDER_f64), k = sum - ROUNDER_f64;
    double r = mad(-k, LN2_LO_f64, mad(-k, LN2_HI_f64, x));
    *n = rounded_f64(sum);
    return 1.0 + mad(r * r, poly_exp_f64(r), r);
}

// Beyond PLAIN the result may be subnormal, beyond the bounds it is 0 or infinite.
#define EXPONENTIAL(NAME, PLAIN, LEAST, MOST)                        \
    double NAME##_f64(double x) {                                    \
        int n;                                                       \
        if (fabs(x) < PLAIN) {                                       \
            double p = NAME##_core_f64(x, &n);                       \
            return raise_f64(p, n);                                  \
        }                                                            \
        double p = NAME##_core_f64(limited_f64(x, LEAST, MOST), &n); \
        return scale_f64(p, n);                                      \
    }

EXPONENTIAL(exp, 700.0, -760.0, 720.0)

float exp2_f32(float x) {
#ifdef CALDERA_PRECISE_EXP2
    return native_exp2(x);
#else
    x = x > 130.0f ? 130.0f : x;
    x = x < -160.0f ? -160.0f : x;
    float sum = x + ROUNDER_f32, r = x - (sum - ROUNDER_f32);
    return scale_f32(mad(r, poly_exp2_f32(r), 1.0f), rounded_f32(sum));
#endif
}

double exp2_core_f64(double x, int *n) {
    double sum = x + ROUNDER_f64, r = x - (sum - ROUNDER_f64);
    *n = rounded_f64(sum);
    return mad(r, poly_exp2_f64(r), 1.0);
}

EXPONENTIAL(exp2, 1000.0, -1100.0, 1030.0)

float exp10_f32(float x) {
#ifdef CALDERA_PRECISE_EXP2
    return power_of_two_f32(x, LOG2_10_f32, LOG2_10_LO_f32);
#else
    x = x > 40.0f ? 40.0f : x;
    x = x < -50.0f ? -50.0f : x;
    float sum = mad(x, LOG2_10_f32, ROUNDER_f32), n = sum - ROUNDER_f32;
    float r = mad(-n, LOG10_2_LO_f32, mad(-n, LOG10_2_HI_f32, x));
    return scale_f32(mad(r, poly_exp10_f32(r), 1.0f), rounded_f32(sum));
#endif
}

double exp10_core_f64(double x, int *n) {
    double sum = mad(x, LOG2_10_f64, ROUNDER_f64), k = sum - ROUNDER_f64;
    double r = mad(-k, LOG10_2_LO_f64, mad(-k, LOG10_2_HI_f64, x));
    *n = rounded_f64(sum);
    return mad(r, poly_exp10_f64(r), 1.0);
}

EXPONENTIAL(exp10, 300.0, -330.0, 310.0)

// 2^n - 1 + 2^n (e^r - 1), halved so that n = 128 does not overflow before the end.
float expm1_f32(float x) {
    float c = x > 89.0f ? 89.0f : x;
    c = c < -20.0f ? -20.0f : c;
    float sum = mad(c, LOG2_E_f32, ROUNDER_f32), n = sum - ROUNDER_f32;
    float r = mad(-n, LN2_LO_f32, mad(-n, LN2_HI_f32, c));
    float p = mad(r * r, poly_exp_f32(r), r);
    float half_power = exp2i_f32(rounded_f32(sum) - 1);
    float result = 2.0f * mad(half_power, p, half_power - 0.5f);
    return n == 0.0f ? (fabs(x) < 0x1p-30f ? x : p) : result;
}

double expm1_f64(double x) {
    double c = limited_f64(x, -40.0, 720.0);
    double sum = mad(c, LOG2_E_f64, ROUNDER_f64), n = sum - ROUNDER_f64;
    double r = mad(-n, LN2_LO_f64, mad(-n, LN2_HI_f64, c));
    double p = mad(r * r, poly_exp_f64(r), r);
    // One more than the largest power.
    int i = rounded_f64(sum);
    double half_power = exp2i_f64((i < 1024 ? i : 1024) - 1);
    double result = 2.0 * mad(half_power, p, half_power - 0.5);
    result = x > 710.0 ? (double)INFINITY : result;
    return n == 0.0 ? (fabs(x) < 0x1p-60 ? x : p) : result;
}
