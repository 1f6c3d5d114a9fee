// Hyperbolic functions and their inverses, from exp, expm1, log and log1p of exact or nearly
// exact arguments. Errors below 3 ulp; of float with a device's exp2 4 ulp.
// For float the first three come from e^x / 2 and e^-x / 2, sinh and tanh near 0 from a polynomial.
#include "exp.h"

// poly poly_sinh_f32
// (sinh(s) - s) / s^3, x = s^2, for |s| <= 1; error 2^-31.58.
float poly_sinh_f32(float x) {
    float p = 0x1.75a6f6p-19f;
    p = mad(p, x, 0x1.a02156p-13f);
    p = mad(p, x, 0x1.1110e2p-7f);
    p = mad(p, x, 0x1.555556p-3f);
    return p;
}

// poly poly_tanh_f32
// (tanh(s) - s) / s^3, x = s^2, for |s| <= 0.6; error 2^-23.59.
float poly_tanh_f32(float x) {
    float p = 0x1.00418ep-6f;
    p = mad(p, x, -0x1.abe0eap-5f);
    p = mad(p, x, 0x1.10a938p-3f);
    p = mad(p, x, -0x1.555378p-2f);
    return p;
}

float sinh_f32(float x) {
    float size = fabs(x), z = size * size;
    float near = mad(size * z, poly_sinh_f32(z), size);
    float2 powers = half_powers_f32(size);
    float far = powers.x - powers.y;
    return copysign(size < 1.0f ? near : far, x);
}

float cosh_f32(float x) {
    float2 powers = half_powers_f32(fabs(x));
    return powers.x + powers.y;
}

// 1 - 2 / (e^2x + 1).
float tanh_f32(float x) {
    float size = fabs(x), z = size * size;
    float near = mad(size * z, poly_tanh_f32(z), size);
    float bound = size > 20.0f ? 20.0f : size;
    float far = mad(-2.0f, inverse_f32(exp2(bound * (2.0f * LOG2_E_f32)) + 1.0f), 1.0f);
    return copysign(size < 0.6f ? near : far, x);
}

#define T float
#define F(name) name##_f32
#define ROOT_LARGE 0x1p30f
#include "hyperbolic.h"
#undef T
#undef F
#undef ROOT_LARGE

// Beyond LARGE e^-x is nothing beside e^x.
#define LARGE 20.0

// e^x / 2 without overflow before the end.
double half_exp_f64(double x) {
    double root = exp(0.5 * x);
    return 0.5 * root * root;
}

double sinh_f64(double x) {
    double size = fabs(x), m = expm1(fmin(size, LARGE));
    double s = size < 0x1p-30 ? size : 0.5 * (m + m / (m + 1.0));
    if (size > LARGE)
        s = half_exp_f64(size);
    return isnan(x) ? x : copysign(s, x);
}

double cosh_f64(double x) {
    double size = fabs(x), e = exp(fmin(size, LARGE)), c = mad(0.5, e, 0.5 / e);
    if (size > LARGE)
        c = half_exp_f64(size);
    return isnan(x) ? x : c;
}

double tanh_f64(double x) {
    double size = fabs(x), m = expm1(2.0 * fmin(size, LARGE));
    double t = size < 0x1p-30 ? size : m / (m + 2.0);
    return isnan(x) ? x : copysign(t, x);
}

#define T double
#define F(name) name##_f64
#define ROOT_LARGE 0x1p60
#include "hyperbolic.h"
