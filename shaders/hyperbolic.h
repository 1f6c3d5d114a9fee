// For type T and names F(name). Beyond LARGE e^-x is nothing beside e^x; beyond ROOT_LARGE 1 is
// nothing beside x^2.

// e^x / 2 without overflow before the end.
T F(half_exp)(T x) {
    T root = exp((T)0.5 * x);
    return (T)0.5 * root * root;
}

T F(sinh)(T x) {
    T size = fabs(x);
    T m = expm1(fmin(size, LARGE));
    T small = (T)0.5 * (m + F(div)(m, m + (T)1));
    T s = size > LARGE ? F(half_exp)(size) : size < (T)0x1p-30 ? size : small;
    return isnan(x) ? x : copysign(s, x);
}

T F(cosh)(T x) {
    T size = fabs(x);
    T e = exp(fmin(size, LARGE));
    T c = size > LARGE ? F(half_exp)(size) : mad((T)0.5, e, F(div)((T)0.5, e));
    return isnan(x) ? x : c;
}

T F(tanh)(T x) {
    T size = fabs(x);
    T m = expm1((T)2 * fmin(size, LARGE));
    T t = size < (T)0x1p-30 ? size : F(div)(m, m + (T)2);
    t = size > LARGE ? (T)1 : t;
    return isnan(x) ? x : copysign(t, x);
}

// log(a + sqrt(a^2 + 1)) as log1p of a + a^2 / (1 + sqrt(a^2 + 1)).
T F(asinh)(T x) {
    T size = fabs(x), a = fmin(size, ROOT_LARGE), square = a * a;
    T small = log1p(a + F(div)(square, (T)1 + F(sqrt)(square + (T)1)));
    T s = size >= ROOT_LARGE ? log(size) + F(LN2) : small;
    return isnan(x) ? x : copysign(s, x);
}

// log(x + sqrt(x^2 - 1)) as log1p of t + sqrt(2 t + t^2), t = x - 1.
T F(acosh)(T x) {
    T t = fmin(x, ROOT_LARGE) - (T)1;
    T square = mad(t, t, t + t);
    T a = log1p(t + (square > (T)0 ? F(sqrt)(square) : square));
    a = x >= ROOT_LARGE ? log(x) + F(LN2) : a;
    return x >= (T)1 ? a : (T)NAN;
}

T F(atanh)(T x) {
    T size = fabs(x);
    T a = (T)0.5 * log1p(F(div)(size + size, (T)1 - size));
    a = size < (T)0x1p-30 ? size : a;
    a = size == (T)1 ? (T)INFINITY : a;
    return size <= (T)1 ? copysign(a, x) : (T)NAN;
}
