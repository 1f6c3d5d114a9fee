// For type T and names F(name). From LIMIT on erfc is less than all numbers.

T F(erf_near)(T x) {
    return mad(x, F(poly_erf)(x * x), x);
}

// For x >= 1/2.
T F(erfc_far)(T x) {
    x = fmin(x, LIMIT);
    T t = F(div)(x - (T)4, x + (T)4);
    T q = F(div)(F(poly_erfc)(t), mad((T)2, x, (T)1));
    T square = x * x, low = F(mul_error)(x, x, square);
    T e = exp(-square);
    return mad(-low, e, e) * q;
}

T F(erf)(T x) {
    T size = fabs(x);
    T r = size < (T)0.5 ? F(erf_near)(size) : (T)1 - F(erfc_far)(size);
    return isnan(x) ? x : copysign(r, x);
}

T F(erfc)(T x) {
    T size = fabs(x);
    T far = F(erfc_far)(size);
    T r = size < (T)0.5 ? (T)1 - F(erf_near)(x) : x < (T)0 ? (T)2 - far : far;
    return isnan(x) ? x : r;
}
