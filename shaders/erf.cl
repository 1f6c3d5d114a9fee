// Error functions. Below NEAR, erf(x) = x + x p(x^2). Above it for float erf is 1 - 2^-p(x); erfc(x) = e^(-x^2) q(t) / (1 + 2 x)
// with the smooth q of t = (x - 4) / (x + 4); x^2 is a pair, as e to its power multiplies its
// error. Errors below 6 ulp, with a device's exp2 7 ulp.
#include "exact.h"

// poly poly_erf_f32
// erf(s) / s - 1, x = s^2, for |s| <= 1; error 2^-24.63.
float poly_erf_f32(float x) {
    float p = -0x1.282af6p-11f;
    p = mad(p, x, 0x1.428e42p-8f);
    p = mad(p, x, -0x1.b5b23ap-6f);
    p = mad(p, x, 0x1.ce0a76p-4f);
    p = mad(p, x, -0x1.81267cp-2f);
    p = mad(p, x, 0x1.06eba2p-3f);
    return p;
}

// poly poly_erf_tail_f32
// -log2(erfc(x)) for 1 <= x <= 4, the error as one of erfc; error 2^-29.24.
float poly_erf_tail_f32(float x) {
    float p = -0x1.18f212p-12f;
    p = mad(p, x, 0x1.161262p-8f);
    p = mad(p, x, -0x1.01c72cp-5f);
    p = mad(p, x, 0x1.3079fp-3f);
    p = mad(p, x, 0x1.d76bap-1f);
    p = mad(p, x, 0x1.a040ccp0f);
    p = mad(p, x, 0x1.09bc8ap-11f);
    return p;
}

// poly poly_erf_f64
// erf(s) / s - 1, x = s^2, for |s| <= 1/2; error 2^-56.24.
double poly_erf_f64(double x) {
    double p = 0x1.7a8b63b768885p-18;
    p = mad(p, x, -0x1.e5faa22f2d7bbp-18);
    p = mad(p, x, 0x1.6ca16b23bf6e9p-18);
    p = mad(p, x, -0x1.0d40657ddaff3p-16);
    p = mad(p, x, 0x1.fa7b7ef6e4c57p-14);
    p = mad(p, x, -0x1.c030b6149fedcp-11);
    p = mad(p, x, 0x1.565bd39738a6ap-8);
    p = mad(p, x, -0x1.b82ce322e6cb5p-6);
    p = mad(p, x, 0x1.ce2f21a057b47p-4);
    p = mad(p, x, -0x1.812746b037a9p-2);
    p = mad(p, x, 0x1.06eba8214db69p-3);
    return p;
}

// poly poly_erfc_f32
// (1 + 2 s) e^(s^2) erfc(s), x = (s - 4) / (s + 4), for 0.5 <= s <= 11; error 2^-25.21.
float poly_erfc_f32(float x) {
    float p = 0x1.71f346p-8f;
    p = mad(p, x, -0x1.089582p-6f);
    p = mad(p, x, 0x1.2de278p-5f);
    p = mad(p, x, -0x1.10727cp-4f);
    p = mad(p, x, 0x1.801a0ep-4f);
    p = mad(p, x, -0x1.9dad3ap-4f);
    p = mad(p, x, 0x1.16ebb4p-4f);
    p = mad(p, x, 0x1.f7dc4ep-7f);
    p = mad(p, x, -0x1.1df1aep-3f);
    p = mad(p, x, 0x1.3ba592p0f);
    return p;
}

// poly poly_erfc_f64
// (1 + 2 s) e^(s^2) erfc(s), x = (s - 4) / (s + 4), for 0.5 <= s <= 28; error 2^-54.72.
double poly_erfc_f64(double x) {
    double p = -0x1.1b30bb9aa72ebp-27;
    p = mad(p, x, -0x1.009be342bab75p-27);
    p = mad(p, x, 0x1.ac843241cde5ap-24);
    p = mad(p, x, 0x1.c9b0827b74ae2p-25);
    p = mad(p, x, -0x1.b612ba2ee845ap-21);
    p = mad(p, x, 0x1.53cc48a6ce835p-22);
    p = mad(p, x, 0x1.7ed493f6cc5b7p-18);
    p = mad(p, x, -0x1.7906c3347fb83p-17);
    p = mad(p, x, -0x1.995282ddd878fp-16);
    p = mad(p, x, 0x1.3be3648f8e2efp-13);
    p = mad(p, x, -0x1.a1df4fa51cfffp-13);
    p = mad(p, x, -0x1.8d4acb586fd41p-11);
    p = mad(p, x, 0x1.49c672ac8792bp-8);
    p = mad(p, x, -0x1.09623849440a5p-6);
    p = mad(p, x, 0x1.3079edf6391a6p-5);
    p = mad(p, x, -0x1.0fb06dff99647p-4);
    p = mad(p, x, 0x1.7fee004e134e5p-4);
    p = mad(p, x, -0x1.9ddb23c3d9e3ep-4);
    p = mad(p, x, 0x1.16ecefcfa5369p-4);
    p = mad(p, x, 0x1.f7f5df66fb523p-7);
    p = mad(p, x, -0x1.1df1ad154a28ep-3);
    p = mad(p, x, 0x1.3ba5916e9fd7fp0);
    return p;
}

#define T float
#define F(name) name##_f32
#define NEAR 1.0f
#define LIMIT 11.0f
#include "erf.h"
#undef T
#undef F
#undef NEAR
#undef LIMIT

#define T double
#define F(name) name##_f64
#define NEAR 0.5
#define LIMIT 28.0
#include "erf.h"

float erf_f32(float x) {
    float size = fabs(x), bound = size > 4.0f ? 4.0f : size;
    float far = 1.0f - exp2(-poly_erf_tail_f32(bound));
    return copysign(size < 1.0f ? erf_near_f32(size) : far, x);
}

double erf_f64(double x) {
    double size = fabs(x);
    double r = size < 0.5 ? erf_near_f64(size) : 1.0 - erfc_far_f64(size);
    return isnan(x) ? x : copysign(r, x);
}
