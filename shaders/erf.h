// For type T and names F(name). From LIMIT on erfc is less than all numbers.

T F(erf_near)(T x) {
    return mad(x, F(poly_erf)(x * x), x);
}

// For x >= 1/2. One inverse serves both quotients.
T F(erfc_far)(T x) {
    x = x > LIMIT ? LIMIT : x;
    T above = x + (T)4, below = mad((T)2, x, (T)1);
    T inverse = F(inverse)(above * below);
    T t = (x - (T)4) * (below * inverse);
    T q = F(poly_erfc)(t) * (above * inverse);
    T square = x * x, low = F(mul_error)(x, x, square);
    T e = exp(-square);
    return mad(-low, e, e) * q;
}

T F(erfc)(T x) {
    T size = fabs(x), far = F(erfc_far)(size);
    T r = x < (T)0 ? (T)2 - far : far;
    return size < (T)0.5 ? (T)1 - F(erf_near)(x) : r;
}
