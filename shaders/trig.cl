// Trigonometric functions. The argument is reduced to x = q pi/2 + r with |r| <= pi/4; sine
// and cosine of r are polynomials. Below a bound, pi/2 is subtracted in parts (Cody, Waite)
// whose products with q are exact, so that cancellation leaves an exact difference. Above it
// the fraction of x * 2/pi comes from an integer product with a window of the bits
// of 2/pi (Payne, Hanek): bits before it are multiples of 4 in q, bits after it too small.
// Errors: below 2.5 ulp, tan and tanpi 4.5 ulp.
#include "exact.h"

// poly poly_sin_f32
// (sin(r) - r) / r^3, x = r^2, for |r| <= pi/4; error 2^-32.57.
float poly_sin_f32(float x) {
    float p = 0x1.7ccd8ap-19f;
    p = mad(p, x, -0x1.a05ba6p-13f);
    p = mad(p, x, 0x1.111176p-7f);
    p = mad(p, x, -0x1.555556p-3f);
    return p;
}

// poly poly_cos_f32
// (cos(r) - 1 + r^2/2) / r^4, x = r^2, for |r| <= pi/4; error 2^-33.15.
float poly_cos_f32(float x) {
    float p = 0x1.99e662p-16f;
    p = mad(p, x, -0x1.6c0c24p-10f);
    p = mad(p, x, 0x1.55554ap-5f);
    return p;
}

// poly poly_tan_f32
// (tan(r) - r) / r^3, x = r^2, for |r| <= pi/4; error 2^-25.54.
float poly_tan_f32(float x) {
    float p = 0x1.36c3d4p-7f;
    p = mad(p, x, 0x1.81ed4p-9f);
    p = mad(p, x, 0x1.922b5ep-6f);
    p = mad(p, x, 0x1.b5425p-5f);
    p = mad(p, x, 0x1.11301ep-3f);
    p = mad(p, x, 0x1.5554d2p-2f);
    return p;
}

// poly poly_sin_f64
// (sin(r) - r) / r^3, x = r^2, for |r| <= pi/4; error 2^-63.26.
double poly_sin_f64(double x) {
    double p = -0x1.9fb46703c3b53p-41;
    p = mad(p, x, 0x1.610934059faa7p-33);
    p = mad(p, x, -0x1.ae642b8ee5f6ap-26);
    p = mad(p, x, 0x1.71de3a33259f8p-19);
    p = mad(p, x, -0x1.a01a019ffe062p-13);
    p = mad(p, x, 0x1.1111111111068p-7);
    p = mad(p, x, -0x1.5555555555555p-3);
    return p;
}

// poly poly_cos_f64
// (cos(r) - 1 + r^2/2) / r^4, x = r^2, for |r| <= pi/4; error 2^-64.16.
double poly_cos_f64(double x) {
    double p = -0x1.8fb019f588f3ep-37;
    p = mad(p, x, 0x1.1ee9ef8080b15p-29);
    p = mad(p, x, -0x1.27e4f81084702p-22);
    p = mad(p, x, 0x1.a01a019cbd23bp-16);
    p = mad(p, x, -0x1.6c16c16c15212p-10);
    p = mad(p, x, 0x1.555555555554cp-5);
    return p;
}

// x - q pi/2 and the lowest two bits of q, for |x| above 2^11; NaN for infinities and NaN.
float reduce_large_f32(float x, int *quadrant) {
    uint bits = as_uint(x);
    uint m = (bits & 0x7fffffu) | 0x800000u;
    // x = m 2^e; the window starts at the bit of weight 2^(1 - e), counted from that of 2^31.
    int start = (int)((bits >> 23) & 0xffu) - 150 + 30;
    uint t0 = 0u, t1 = TWO_OVER_PI_0, t2 = TWO_OVER_PI_1, t3 = TWO_OVER_PI_2;
    uint t4 = TWO_OVER_PI_3, t5 = TWO_OVER_PI_4, t6 = TWO_OVER_PI_5;
    // Shifts by 128, 64 and 32 bits, then by the rest.
    bool by4 = (start & 128) != 0, by2 = (start & 64) != 0, by1 = (start & 32) != 0;
    t0 = by4 ? t4 : t0;
    t1 = by4 ? t5 : t1;
    t2 = by4 ? t6 : t2;
    t3 = by4 ? TWO_OVER_PI_6 : t3;
    t0 = by2 ? t2 : t0;
    t1 = by2 ? t3 : t1;
    t2 = by2 ? t4 : t2;
    t3 = by2 ? t5 : t3;
    t4 = by2 ? t6 : t4;
    t0 = by1 ? t1 : t0;
    t1 = by1 ? t2 : t1;
    t2 = by1 ? t3 : t2;
    t3 = by1 ? t4 : t3;
    int shift = start & 31;
    // A shift by 32 would be one by 0.
    uint w0 = t0 << shift | (t1 >> 1) >> (31 - shift);
    uint w1 = t1 << shift | (t2 >> 1) >> (31 - shift);
    uint w2 = t2 << shift | (t3 >> 1) >> (31 - shift);
    // (w0, w1, w2) * m modulo 2^96, without its lowest 32 bits.
    uint sum = w1 * m, carry = mul_hi(w2, m);
    uint p1 = sum + carry;
    uint p0 = w0 * m + mul_hi(w1, m) + (p1 < sum ? 1u : 0u);
    // Two bits of q and a fraction, made signed by rounding q to nearest.
    uint q = (p0 + 0x20000000u) >> 30;
    p0 -= q << 30;
    bool negative = (int)p0 < 0;
    uint f1 = negative ? 0u - p1 : p1;
    uint f0 = negative ? ~p0 + (p1 == 0u ? 1u : 0u) : p0;
    // The fraction has more bits than the type: two parts, so that only the sum rounds.
    float high = (float)(f0 & ~127u), low = mad((float)f1, 0x1p-32f, (float)(f0 & 127u));
    low = mad(low, PIO2_f32, high * PIO2_LO_f32);
    float r = mad(high, PIO2_f32, low) * 0x1p-30f;
    negative = negative != (x < 0.0f);
    q = x < 0.0f ? 0u - q : q;
    *quadrant = (int)(q & 3u);
    return isfinite(x) ? (negative ? -r : r) : NAN;
}

// table TWO_OVER_PI
// The bits of 2/pi behind 64 zeros.
constant ulong TWO_OVER_PI[20] = {
    0x0000000000000000ul, 0xa2f9836e4e441529ul, 0xfc2757d1f534ddc0ul,
    0xdb6295993c439041ul, 0xfe5163abdebbc561ul, 0xb7246e3a424dd2e0ul,
    0x06492eea09d1921cul, 0xfe1deb1cb129a73eul, 0xe88235f52ebb4484ul,
    0xe99c7026b45f7e41ul, 0x3991d639835339f4ul, 0x9c845f8bbdf9283bul,
    0x1ff897ffde05980ful, 0xef2f118b5a0a6d1ful, 0x6d367ecf27cb09b7ul,
    0x4f463f669e5fea2dul, 0x7527bac7ebe5f17bul, 0x3d0739f78a5292eaul,
    0x6bfb5fb11f8d5d08ul, 0x56033046fc7b6babul,
};

double reduce_large_f64(double x, int *quadrant) {
    ulong bits = as_ulong(x);
    ulong m = (bits & 0xffffffffffffful) | 0x10000000000000ul;
    int start = (int)((bits >> 52) & 0x7fful) - 1075 + 62;
    int word = start >> 6, shift = start & 63;
    ulong t0 = TWO_OVER_PI[word], t1 = TWO_OVER_PI[word + 1];
    ulong t2 = TWO_OVER_PI[word + 2], t3 = TWO_OVER_PI[word + 3];
    ulong w0 = t0 << shift | (t1 >> 1) >> (63 - shift);
    ulong w1 = t1 << shift | (t2 >> 1) >> (63 - shift);
    ulong w2 = t2 << shift | (t3 >> 1) >> (63 - shift);
    ulong sum = w1 * m, carry = mul_hi(w2, m);
    ulong p1 = sum + carry;
    ulong p0 = w0 * m + mul_hi(w1, m) + (p1 < sum ? 1ul : 0ul);
    ulong q = (p0 + 0x2000000000000000ul) >> 62;
    p0 -= q << 62;
    bool negative = (long)p0 < 0;
    ulong f1 = negative ? 0ul - p1 : p1;
    ulong f0 = negative ? ~p0 + (p1 == 0ul ? 1ul : 0ul) : p0;
    // The fraction has more bits than the type: two parts, so that only the sum rounds.
    double high = (double)(f0 & ~1023ul), low = mad((double)f1, 0x1p-64, (double)(f0 & 1023ul));
    low = mad(low, PIO2_f64, high * PIO2_LO_f64);
    double r = mad(high, PIO2_f64, low) * 0x1p-62;
    negative = negative != (x < 0.0);
    q = x < 0.0 ? 0ul - q : q;
    *quadrant = (int)q & 3;
    return isfinite(x) ? (negative ? -r : r) : (double)NAN;
}

#define T float
#define T2 float2
#define F(name) name##_f32
#define EVEN 0x1p21f
#ifdef CALDERA_FUSED_FMA
#define FAR 0x1p17f
#else
#define FAR 6000.0f
#endif
#include "trig.h"
#undef T
#undef T2
#undef F
#undef FAR
#undef EVEN

#define T double
#define T2 double2
#define F(name) name##_f64
#define EVEN 0x1p50
#ifdef CALDERA_FUSED_FMA
#define FAR 0x1p31
#else
#define FAR 1.0e6
#endif
#include "trig.h"

// tan(r + pi/2) = -1 / tan(r).
float tan_f32(float x) {
    int q;
    float r = reduce_f32(x, &q), z = r * r;
    float t = mad(z * poly_tan_f32(z), r, r);
    return (q & 1) != 0 ? div_f32(-1.0f, t) : t;
}

double tan_f64(double x) {
    int q;
    double r = reduce_f64(x, &q);
    double s = sin_kernel_f64(r), c = cos_kernel_f64(r);
    bool odd = (q & 1) != 0;
    double t = (odd ? -c : s) / (odd ? s : c);
    // A quotient of the smallest numbers would lose bits.
    return fabs(x) < 0x1p-30 ? x : t;
}
