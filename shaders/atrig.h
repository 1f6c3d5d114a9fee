// For type T, its pair T2 and names F(name). A quotient of numbers beyond FAR or below NEAR
// might not be exact enough: they are scaled.

T F(radians_of)(T2 angle) {
    return mad(angle.x, F(PIO4), mad(angle.x, F(PIO4_LO), angle.y));
}

T F(turns_of)(T2 angle) {
    return mad(angle.y, F(INV_PI), angle.x * (T)0.25);
}

// asin |x| = pi/2 - 2 asin(sqrt((1 - |x|) / 2)) for |x| > 1/2; NaN beyond 1.
T2 F(asin_parts)(T size) {
    bool outer = size > (T)0.5;
    T z = outer ? (T)0.5 - (T)0.5 * size : size * size;
    T s = outer ? (T)-2 * (z > (T)0 ? F(sqrt)(z) : sqrt(z)) : size;
    return (T2)(outer ? (T)2 : (T)0, mad(s * z, F(poly_asin)(z), s));
}

T F(asin)(T x) {
    return copysign(F(radians_of)(F(asin_parts)(fabs(x))), x);
}

T F(asinpi)(T x) {
    return copysign(F(turns_of)(F(asin_parts)(fabs(x))), x);
}

T2 F(acos_parts)(T x) {
    T2 a = F(asin_parts)(fabs(x));
    return x < (T)0 ? (T2)((T)2 + a.x, a.y) : (T2)((T)2 - a.x, -a.y);
}

T F(acos)(T x) {
    return F(radians_of)(F(acos_parts)(x));
}

T F(acospi)(T x) {
    return F(turns_of)(F(acos_parts)(x));
}

// NaN gives NaN.
T2 F(atan_parts)(T size) {
    return F(atan_quotient)(size > FAR ? FAR : size, (T)1);
}

T F(atan)(T x) {
    return copysign(F(radians_of)(F(atan_parts)(fabs(x))), x);
}

T F(atanpi)(T x) {
    return copysign(F(turns_of)(F(atan_parts)(fabs(x))), x);
}

// The angle of (x, |y|); equal sizes, also 0 and infinity, are pi/4 or what they count as.
T2 F(atan2_parts)(T y, T x) {
    T d = fabs(x), n = fabs(y), large = fmax(d, n), inf = (T)INFINITY;
    bool diagonal = false;
    if (!(large >= NEAR && large <= FAR)) {
        T scale = large > FAR ? NEAR : FAR;
        diagonal = n == inf && d == inf;
        n = large == inf ? (n == inf ? (T)1 : (T)0) : n * scale;
        d = large == inf ? (d == inf ? (T)1 : (T)0) : d * scale;
        // Behind the product, as maxima of subnormal numbers may be 0.
        d = n == (T)0 && d == (T)0 ? (T)1 : d;
    }
    T2 a = F(atan_quotient)(n, d);
    a = diagonal ? (T2)((T)1, (T)0) : a;
    return signbit(x) != 0 ? (T2)((T)4 - a.x, -a.y) : a;
}

T F(atan2)(T y, T x) {
    T a = F(radians_of)(F(atan2_parts)(y, x));
    return isnan(x) || isnan(y) ? (T)NAN : copysign(a, y);
}

T F(atan2pi)(T y, T x) {
    T a = F(turns_of)(F(atan2_parts)(y, x));
    return isnan(x) || isnan(y) ? (T)NAN : copysign(a, y);
}
