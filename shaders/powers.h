// log2 and exp2 of pairs, for powers and the gamma function.
#include "exact.h"
#include "exp2.h"

// poly poly_atanh_f32
// (2 atanh(s) - 2 s) / s^3, x = s^2, for |s| <= 0.1716; error 2^-34.24.
float poly_atanh_f32(float x) {
    float p = 0x1.f11014p-3f;
    p = mad(p, x, 0x1.23d4c2p-2f);
    p = mad(p, x, 0x1.999c24p-2f);
    p = mad(p, x, 0x1.555554p-1f);
    return p;
}

// poly poly_atanh3_f64
// (2 atanh(s) - 2 s - 2/3 s^3) / s^5, x = s^2, for |s| <= 0.1716; error 2^-72.47.
double poly_atanh3_f64(double x) {
    double p = 0x1.ead01890546b1p-4;
    p = mad(p, x, 0x1.de3c45b61b6b4p-4);
    p = mad(p, x, 0x1.112075f6a9092p-3);
    p = mad(p, x, 0x1.3b1364a0e987ap-3);
    p = mad(p, x, 0x1.745d1829d749fp-3);
    p = mad(p, x, 0x1.c71c71c595c12p-3);
    p = mad(p, x, 0x1.2492492492f55p-2);
    p = mad(p, x, 0x1.9999999999996p-2);
    return p;
}

// log2(x) for finite x > 0. With x = 2^e m, s = (m - 1) / (m + 1): log(m) = 2 atanh(s); the
// quotient is a pair. Relative error 2^-30.
float2 log2_pair_f32(float x) {
    float shift = 0.0f;
    if (as_uint(x) < 0x00800000u) {
        x = subnormal_f32(x);
        shift = -149.0f;
    }
    uint e = (as_uint(x) - 0x3f3504f3u) & 0xff800000u;
    float m = as_float(as_uint(x) - e);
    float f = m - 1.0f;
    float2 d = fast_two_sum_f32(1.0f, m);
    float inverse = positive_inverse_f32(d.x);
    float s = f * inverse;
#ifdef CALDERA_FUSED_FMA
    float rest = mad(-s, d.y, mad(-s, d.x, f));
#else
    float p = s * d.x;
    float rest = ((f - p) - mul_error_f32(s, d.x, p)) - s * d.y;
#endif
    float s_low = rest * inverse;
    float z = s * s;
    // The derivative of 2 atanh(s) is 2 + 2 s^2 + ...
    float low = mad(s * z, poly_atanh_f32(z), mad(s_low + s_low, z, s_low + s_low));
    float2 ln = fast_two_sum_f32(s + s, low);
    float h = ln.x * LOG2_E_f32;
    float l = mul_error_f32(ln.x, LOG2_E_f32, h) + mad(ln.x, LOG2_E_LO_f32, ln.y * LOG2_E_f32);
    float2 sum = fast_two_sum_f32(mad((float)(int)e, 0x1p-23f, shift), h);
    return fast_two_sum_f32(sum.x, sum.y + l);
}

// The cubic term is computed as a pair too. Relative error 2^-63.
double2 log2_pair_f64(double x) {
    bool subnormal = x < 0x1p-1022;
    ulong bits = as_ulong(subnormal ? x * 0x1p52 : x);
    int e = (int)((long)(bits - 0x3fe6a09e667f3bcdul) >> 52);
    double m = as_double(bits - ((ulong)e << 52));
    double f = m - 1.0;
    double2 d = fast_two_sum_f64(1.0, m);
    double inverse = rough_inverse_f64(d.x);
    double q = f * inverse, p = q * d.x;
    double rest = ((f - p) - mul_error_f64(q, d.x, p)) - q * d.y;
    double2 quotient = fast_two_sum_f64(q, rest * inverse);
    double s = quotient.x, s_low = quotient.y;
    double z = s * s, z_low = mul_error_f64(s, s, z);
    double c = s * z, c_low = mad(s, z_low, mul_error_f64(s, z, c));
    // 2/3 s^3 in three parts: the product, its error, and what c and 2/3 leave.
    double t = c * TWO_THIRDS_f64;
    double t_low = mul_error_f64(c, TWO_THIRDS_f64, t)
        + mad(c_low, TWO_THIRDS_f64, c * TWO_THIRDS_LO_f64);
    t_low = mad(c * z, poly_atanh3_f64(z), t_low);
    double2 head = fast_two_sum_f64(s + s, t);
    double low = head.y + mad(s_low + s_low, z, t_low + (s_low + s_low));
    double2 ln = fast_two_sum_f64(head.x, low);
    double h = ln.x * LOG2_E_f64;
    double l = mul_error_f64(ln.x, LOG2_E_f64, h) + mad(ln.x, LOG2_E_LO_f64, ln.y * LOG2_E_f64);
    double2 sum = fast_two_sum_f64((double)(subnormal ? e - 52 : e), h);
    return fast_two_sum_f64(sum.x, sum.y + l);
}

// 2^(p + low) = 2^n m with m near 1 (or n = 0), for |low| far below 1.
#define EXP2_PARTS(T, TAG)                                                                    \
    T exp2_parts_##TAG(T p, T low, int *n) {                                                  \
        T sum = p + ROUNDER_##TAG, r = (p - (sum - ROUNDER_##TAG)) + low;                     \
        *n = rounded_##TAG(sum);                                                              \
        return mad(r, poly_exp2_##TAG(r), (T)1);                                              \
    }

#ifdef CALDERA_PRECISE_EXP2
float exp2_parts_f32(float p, float low, int *n) {
    // At 128 the power would overflow even where `low` takes the sum below it.
    float q = fmin(p, 0x1.fffffep6f);
    *n = 0;
    return native_exp2(q) * mad(low + (p - q), LN2_f32, 1.0f);
}
#else
EXP2_PARTS(float, f32)
#endif
EXP2_PARTS(double, f64)
