// For type T, the unsigned integer U of its width, names F(name), conversions of bits AS_T
// and AS_U, and the bits of a quiet NaN, of the largest number below 1 and of the sign.

T F(nan)(U code) {
    return AS_T((U)(code | QUIET_NAN));
}

// As integers the sizes of numbers are in order.
T F(nextafter)(T x, T y) {
    U bits = AS_U(x), size = (U)(bits & (U)~SIGN_BIT);
    bool outwards = (x < y) == (bits == size);
    U next = (U)(outwards ? bits + 1 : bits - 1);
    // Zero has two neighbours, of either sign.
    next = size == 0 ? (U)((AS_U(y) & SIGN_BIT) | 1) : next;
    T result = x == y ? y : AS_T(next);
    return isnan(x) || isnan(y) ? AS_T((U)QUIET_NAN) : result;
}

T F(fract)(T x, T *whole) {
    T f = floor(x);
    *whole = f;
    T rest = isinf(x) ? (T)0 : fmin(x - f, AS_T((U)BELOW_ONE));
    return isnan(x) ? x : copysign(rest, x < (T)0 && !isinf(x) ? (T)0 : x);
}
