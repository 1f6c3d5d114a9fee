// The inverse functions for type T and names F(name). Beyond ROOT_LARGE 1 is nothing beside x, and
// log1p(x) + log(2) is the result.

// log(a + sqrt(a^2 + 1)) as log1p of a + a^2 / (1 + sqrt(a^2 + 1)).
T F(asinh)(T x) {
    T size = fabs(x), argument = size, more = F(LN2);
    if (size < ROOT_LARGE) {
        T square = size * size;
        argument += F(div)(square, (T)1 + F(sqrt)(square + (T)1));
        more = (T)0;
    }
    return copysign(log1p(argument) + more, x);
}

// log(x + sqrt(x^2 - 1)) as log1p of t + sqrt(2 t + t^2), t = x - 1.
T F(acosh)(T x) {
    T t = x - (T)1, argument = t, more = F(LN2);
    if (x < ROOT_LARGE) {
        T square = mad(t, t, t + t);
        argument += square > (T)0 ? F(sqrt)(square) : square;
        more = (T)0;
    }
    // Below 1 there is none; -inf would pass.
    return x >= (T)1 ? log1p(argument) + more : (T)NAN;
}

T F(atanh)(T x) {
    T size = fabs(x);
    T a = (T)0.5 * log1p(F(div)(size + size, (T)1 - size));
    if (!(size < (T)1))
        a = size == (T)1 ? (T)INFINITY : (T)NAN;
    return copysign(a, x);
}
