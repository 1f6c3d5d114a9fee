// For type T, the unsigned integer U of its width, names F(name), conversions of bits AS_T
// and AS_U, and the bits of a quiet NaN, of the largest number below 1 and of the sign.

T F(nan)(U code) {
    return AS_T((U)(code | QUIET_NAN));
}

// As integers the sizes of numbers are in order; comparisons of numbers may take subnormal ones for 0.
// The order of all, from -inf to inf.
U F(order)(U bits) {
    U size = (U)(bits & (U)~SIGN_BIT);
    return (U)(SIGN_BIT + (bits == size ? size : (U)(0 - size)));
}

T F(nextafter)(T x, T y) {
    U bits = AS_U(x), size = (U)(bits & (U)~SIGN_BIT), from = F(order)(bits), to = F(order)(AS_U(y));
    bool outwards = (from < to) == (bits == size);
    U next = (U)(outwards ? bits + 1 : bits - 1);
    // Zero has two neighbours, of either sign.
    next = size == 0 ? (U)((AS_U(y) & SIGN_BIT) | 1) : next;
    T result = from == to ? y : AS_T(next);
    return isnan(x) || isnan(y) ? AS_T((U)QUIET_NAN) : result;
}

T F(fract)(T x, T *whole) {
    T f = floor(x), rest = fmin(x - f, AS_T((U)BELOW_ONE));
    *whole = f;
    // Zeros, infinities and NaN.
    U size = (U)(AS_U(x) & (U)~SIGN_BIT);
    if ((U)(size - 1) >= (U)(INF_BITS - 1))
        rest = isnan(x) ? x : copysign((T)0, x);
    return rest;
}
