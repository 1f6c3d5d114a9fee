// For type T, the integers I and U of its width, names F(name), conversions of bits AS_T and
// AS_U, BELOW_HALF, and the numbers of bits of the format.
#include "significand.h"

// The number below 1/2 is added, because 1/2 would carry that number itself to 1.
T F(round)(T x) {
    return trunc(x + copysign(BELOW_HALF, x));
}

// With NaN the difference is NaN.
T F(fdim)(T x, T y) {
    return x <= y ? (T)0 : x - y;
}

// x 2^n: the exponent is set where the result is normal; else one product rounds.
T F(ldexp)(T x, int n) {
    U bits = AS_U(x), size = bits & ~SIGN_BIT;
    int plain = (int)(size >> MANTISSA_BITS);
    if ((uint)(plain - 1) < (uint)(2 * BIAS) && (uint)(plain + n - 1) < (uint)(2 * BIAS))
        return AS_T(bits + ((U)n << MANTISSA_BITS));
    if (size == 0 || size >= INF_BITS)
        return x;
    int e = F(exponent)(size);
    U m = F(significand)(size) & (ONE - 1);
    // Wide enough for every result, and no overflow of the sum.
    n = n > 4 * BIAS ? 4 * BIAS : n;
    n = n < -4 * BIAS ? -4 * BIAS : n;
    e += n;
    U sign = bits & SIGN_BIT;
    if (e > 2 * BIAS)
        return AS_T(sign | INF_BITS);
    if (e > 0)
        return AS_T(sign | (U)e << MANTISSA_BITS | m);
    // Round to nearest even on the bits.
    int shift = 1 - e;
    if (shift > MANTISSA_BITS + 1)
        return AS_T(sign);
    m |= (U)1 << MANTISSA_BITS;
    U kept = m >> shift, rest = m << (8 * (int)sizeof(U) - shift);
    kept += rest > SIGN_BIT || (rest == SIGN_BIT && (kept & 1) != 0) ? 1 : 0;
    return AS_T(sign | kept);
}

T F(frexp)(T x, int *exponent) {
    U bits = AS_U(x), size = bits & ~SIGN_BIT;
    U half_exponent = (U)(BIAS - 1) << MANTISSA_BITS;
    int e = (int)(size >> MANTISSA_BITS);
    // Normal numbers.
    if ((uint)(e - 1) < (uint)(2 * BIAS)) {
        *exponent = e - (BIAS - 1);
        return AS_T((bits & (SIGN_BIT | (ONE - 1))) | half_exponent);
    }
    bool plain = size != 0 && size < INF_BITS;
    *exponent = plain ? F(exponent)(size) - (BIAS - 1) : 0;
    U half_bits = (bits & SIGN_BIT) | half_exponent | (F(significand)(size) & (ONE - 1));
    return plain ? AS_T(half_bits) : x;
}

int F(ilogb)(T x) {
    U size = AS_U(x) & ~SIGN_BIT;
    int plain = (int)(size >> MANTISSA_BITS);
    if ((uint)(plain - 1) < (uint)(2 * BIAS))
        return plain - BIAS;
    int e = size == 0 ? FP_ILOGB0 : F(exponent)(size) - BIAS;
    e = size == INF_BITS ? 0x7fffffff : e;
    return size > INF_BITS ? FP_ILOGBNAN : e;
}

T F(logb)(T x) {
    U size = AS_U(x) & ~SIGN_BIT;
    int plain = (int)(size >> MANTISSA_BITS);
    if ((uint)(plain - 1) < (uint)(2 * BIAS))
        return (T)(plain - BIAS);
    T e = size == 0 ? -(T)INFINITY : (T)(F(exponent)(size) - BIAS);
    return size >= INF_BITS ? fabs(x) : e;
}

T F(modf)(T x, T *whole) {
    T t = trunc(x);
    *whole = t;
    return copysign(isinf(x) ? (T)0 : x - t, x);
}

// By bits, as comparisons may take subnormal numbers for 0.
T F(maxmag)(T x, T y) {
    U xs = AS_U(x) & ~SIGN_BIT, ys = AS_U(y) & ~SIGN_BIT;
    return xs == ys || xs > INF_BITS || ys > INF_BITS ? fmax(x, y) : xs > ys ? x : y;
}

T F(minmag)(T x, T y) {
    U xs = AS_U(x) & ~SIGN_BIT, ys = AS_U(y) & ~SIGN_BIT;
    return xs == ys || xs > INF_BITS || ys > INF_BITS ? fmin(x, y) : xs < ys ? x : y;
}

#undef ONE
#undef SIGN_BIT
#undef INF_BITS
#undef BIAS
