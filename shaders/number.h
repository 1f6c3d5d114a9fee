// For type T, the integers I and U of its width, names F(name), conversions of bits AS_T and
// AS_U, and the format's MANTISSA_BITS and BIAS.
#define INF_BITS ((U)(2 * BIAS + 1) << MANTISSA_BITS)
#define SIGN_BIT ((U)1 << (MANTISSA_BITS + (BIAS > 127 ? 11 : 8)))
#define MANTISSA_MASK (((U)1 << MANTISSA_BITS) - 1)

// Zeros before the highest bit of a significand.
#define LEADING (BIAS > 127 ? 11 : 8)

// The bits of |x| with a subnormal number's significand shifted into place, and its exponent,
// for numbers other than 0. Arithmetic might flush what is subnormal.
int F(exponent)(U size) {
    return size <= MANTISSA_MASK ? 1 - ((int)clz(size) - LEADING) : (int)(size >> MANTISSA_BITS);
}

U F(mantissa)(U size) {
    return (size <= MANTISSA_MASK ? size << ((int)clz(size) - LEADING) : size) & MANTISSA_MASK;
}

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
    int e = F(exponent)(size);
    U m = F(mantissa)(size);
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
    bool plain = size != 0 && size < INF_BITS;
    *exponent = plain ? F(exponent)(size) - (BIAS - 1) : 0;
    U half_bits = (bits & SIGN_BIT) | (U)(BIAS - 1) << MANTISSA_BITS | F(mantissa)(size);
    return plain ? AS_T(half_bits) : x;
}

int F(ilogb)(T x) {
    U size = AS_U(x) & ~SIGN_BIT;
    int e = size == 0 ? FP_ILOGB0 : F(exponent)(size) - BIAS;
    e = size == INF_BITS ? 0x7fffffff : e;
    return size > INF_BITS ? FP_ILOGBNAN : e;
}

T F(logb)(T x) {
    U size = AS_U(x) & ~SIGN_BIT;
    T e = size == 0 ? -(T)INFINITY : (T)(F(exponent)(size) - BIAS);
    return size >= INF_BITS ? fabs(x) : e;
}

T F(modf)(T x, T *whole) {
    T t = trunc(x);
    *whole = t;
    return copysign(isinf(x) ? (T)0 : x - t, x);
}

T F(maxmag)(T x, T y) {
    T ax = fabs(x), ay = fabs(y), larger = fmax(x, y);
    return ax > ay ? x : ay > ax ? y : larger;
}

T F(minmag)(T x, T y) {
    T ax = fabs(x), ay = fabs(y), smaller = fmin(x, y);
    return ax < ay ? x : ay < ax ? y : smaller;
}

#undef INF_BITS
#undef SIGN_BIT
#undef MANTISSA_MASK
#undef LEADING
