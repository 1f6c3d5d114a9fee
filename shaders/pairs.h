// For type T, its pair T2 and names F(name). A pair is an unevaluated sum x + y with |y| at most half an ulp of x.
// Without a fused fma, products are split into halves by HIGH_HALF, a mask, which never overflows.

#include "error_free_sums.h"

// a * b - p for p = a * b rounded; exact unless it underflows. Of double without a fused fma the result has a
// relative error of 2^-53.
T F(mul_error)(T a, T b, T p) {
#ifdef CALDERA_FUSED_FMA
    return fma(a, b, -p);
#else
    T ah = HIGH_HALF(a), al = a - ah;
    T bh = HIGH_HALF(b), bl = b - bh;
    return (((ah * bh - p) + ah * bl) + al * bh) + al * bl;
#endif
}

// 1 / b within 1 ulp for a positive number with an exponent far from the limits.
T F(inverse)(T b) {
    T r = F(positive_inverse)(b);
#ifdef CALDERA_FUSED_FMA
    r = fma(fma(-b, r, (T)1), r, r);
#endif
    return r;
}

// a / b within 0.6 ulp for numbers with exponents far from the limits.
T F(div)(T a, T b) {
#ifdef CALDERA_FUSED_FMA
    T inverse = F(rough_inverse)(b), q = a * inverse;
    return fma(fma(-q, b, a), inverse, q);
#else
    return a / b;
#endif
}

// x * 2^n for x near 1 and |n| <= 250 (2000): only the second product rounds.
T F(scale)(T x, int n) {
    int half_n = n >> 1;
    return x * F(exp2i)(half_n) * F(exp2i)(n - half_n);
}
