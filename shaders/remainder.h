// For type T, the integer U of its width, names F(name), conversions of bits AS_T and AS_U,
// and the numbers of bits of the format.
#include "significand.h"

// m 2^(e - 1) times the smallest subnormal number, exact.
T F(assemble)(U m, int e) {
    if (m == 0)
        return (T)0;
    int shift = (int)clz(m) - EXPONENT_BITS;
    shift = shift >= e ? e - 1 : shift;
    m = shift < 0 ? m >> -shift : m << shift;
    e -= shift;
    return AS_T(m < ONE ? m : ((U)e << MANTISSA_BITS) + (m - ONE));
}

// |x| rem |y|, to nearest or towards 0, and the lowest bits of the quotient, for numbers,
// y other than 0. The result is negative where the quotient was rounded up.
T F(divide)(T x, T y, bool nearest, uint *quotient) {
    U xs = AS_U(x) & ~SIGN_BIT, ys = AS_U(y) & ~SIGN_BIT;
    *quotient = 0;
    if (xs == 0)
        return (T)0;
    U r = F(significand)(xs), d = F(significand)(ys);
    int e = F(exponent)(ys), n = F(exponent)(xs) - e;
    if (n < -1)
        return AS_T(xs);
    if (n < 0) {
        d <<= 1;
        e -= 1;
        n = 0;
    }
    uint q = (uint)(r / d);
    r -= d * (U)q;
    while (n > 0) {
        int step = n < EXPONENT_BITS - 1 ? n : EXPONENT_BITS - 1;
        r <<= step;
        U digit = r / d;
        r -= d * digit;
        q = (q << step) + (uint)digit;
        n -= step;
    }
    // r < d: the nearer multiple may be the next one, or the even one of two.
    bool up = nearest && (r + r > d || (r + r == d && (q & 1u) != 0));
    *quotient = up ? q + 1 : q;
    T result = F(assemble)(up ? d - r : r, e);
    return up ? -result : result;
}

#ifdef CALDERA_FUSED_FMA
// Can the nearest integer of the quotient be rounded, and what is left be a normal number?
bool F(short_quotient)(T ax, T ay) {
    return ay > SMALL && ay < LARGE && ax < ay * SHORT;
}

// ax - n ay with n near the quotient: at most a little more than half of ay; exact for ax >= ay.
T F(near_rest)(T ax, T ay, T *n) {
    T q = ax * F(positive_inverse)(ay);
    *n = q + F(ROUNDER);
    return fma(F(ROUNDER) - *n, ay, ax);
}
#endif

bool F(has_remainder)(T x, T y) {
    U xs = AS_U(x) & ~SIGN_BIT, ys = AS_U(y) & ~SIGN_BIT;
    return xs < INF_BITS && ys <= INF_BITS && ys != 0;
}

T F(remquo)(T x, T y, int *quotient) {
#ifdef CALDERA_FUSED_FMA
    T ax = fabs(x), ay = fabs(y);
    if (F(short_quotient)(ax, ay)) {
        T n, near = F(near_rest)(ax, ay, &n);
        int q = F(rounded)(n);
        if (ax < ay) {
            near = ax;
            q = 0;
        }
        T twice = fabs(near) * (T)2;
        // Of two equally near multiples the even one.
        if (twice > ay || (twice == ay && (q & 1) != 0)) {
            q += near < (T)0 ? -1 : 1;
            near -= copysign(ay, near);
        }
        *quotient = signbit(x) != signbit(y) ? -(q & 0x7f) : q & 0x7f;
        near = signbit(x) != 0 ? -near : near;
        return near == (T)0 ? copysign(near, x) : near;
    }
#endif
    *quotient = 0;
    if (!F(has_remainder)(x, y))
        return (T)NAN;
    if (fabs(y) == (T)INFINITY)
        return x;
    uint q;
    T r = F(divide)(x, y, 1, &q);
    int low = (int)(q & 0x7fu);
    *quotient = signbit(x) != signbit(y) ? -low : low;
    // By bits: a comparison may take a subnormal number for 0.
    U bits = AS_U(r) ^ (AS_U(x) & SIGN_BIT);
    return (bits & ~SIGN_BIT) == 0 ? copysign((T)0, x) : AS_T(bits);
}

T F(remainder)(T x, T y) {
    int q;
    return F(remquo)(x, y, &q);
}

T F(fmod)(T x, T y) {
#ifdef CALDERA_FUSED_FMA
    T ax = fabs(x), ay = fabs(y);
    if (F(short_quotient)(ax, ay)) {
        T n, r = F(near_rest)(ax, ay, &n);
        return ax < ay ? x : copysign(r < (T)0 ? r + ay : r, x);
    }
#endif
    if (!F(has_remainder)(x, y))
        return (T)NAN;
    if (!(fabs(x) >= fabs(y)))
        return x;
    uint q;
    return copysign(F(divide)(x, y, 0, &q), x);
}

#undef ONE
#undef SIGN_BIT
#undef INF_BITS
#undef BIAS
