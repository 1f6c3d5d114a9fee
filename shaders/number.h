// For type T, the integers I and U of its width, names F(name), conversions of bits AS_T and
// AS_U, and the format's MANTISSA_BITS and BIAS.
#define ONE_BITS ((U)BIAS << MANTISSA_BITS)
#define INF_BITS ((U)(2 * BIAS + 1) << MANTISSA_BITS)
#define SIGN_BIT ((U)1 << (MANTISSA_BITS + (BIAS > 127 ? 11 : 8)))
#define MANTISSA_MASK (((U)1 << MANTISSA_BITS) - 1)

// The position of the highest one of the significand of a subnormal number is found by clz;
// arithmetic might flush it.
#define LEADING (BIAS > 127 ? 11 : 8)

T F(round)(T x) {
    T t = trunc(x);
    t = fabs(x - t) >= (T)0.5 ? t + copysign((T)1, x) : t;
    return copysign(t, x);
}

T F(fdim)(T x, T y) {
    T d = x > y ? x - y : (T)0;
    return isnan(x) || isnan(y) ? (T)NAN : d;
}

// x 2^n: the exponent is set where the result is normal; else one product rounds.
T F(ldexp)(T x, int n) {
    U bits = AS_U(x), size = bits & ~SIGN_BIT;
    if (size == 0 || size >= INF_BITS)
        return x;
    int e = (int)(size >> MANTISSA_BITS);
    U m = size & MANTISSA_MASK;
    if (e == 0) {
        int shift = (int)clz(m) - LEADING;
        e = 1 - shift;
        m = (m << shift) & MANTISSA_MASK;
    }
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

#undef ONE_BITS
#undef INF_BITS
#undef SIGN_BIT
#undef MANTISSA_MASK
#undef LEADING
