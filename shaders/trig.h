// For type T, its pair T2 and names F(name). Below TINY, sin(r) is r.

T F(sin_kernel)(T r) {
    T z = r * r, s = mad(r * z, F(poly_sin)(z), r);
    // This also keeps the sign of 0.
    return fabs(r) < TINY ? r : s;
}

T F(cos_kernel)(T r) {
    T z = r * r;
    return mad(z * z, F(poly_cos)(z), mad(z, (T)-0.5, (T)1));
}

// Sine and cosine of r + q pi/2.
T2 F(sincos_quadrant)(T r, int q) {
    T s = F(sin_kernel)(r), c = F(cos_kernel)(r);
    T a = (q & 1) != 0 ? c : s, b = (q & 1) != 0 ? s : c;
    return (T2)((q & 2) != 0 ? -a : a, ((q + 1) & 2) != 0 ? -b : b);
}

T2 F(sincos_pair)(T x) {
    T2 reduced = F(reduce)(x);
    T2 both = F(sincos_quadrant)(reduced.x, (int)reduced.y);
    return isfinite(x) ? both : (T2)((T)NAN, (T)NAN);
}

T F(sin)(T x) {
    return F(sincos_pair)(x).x;
}

T F(cos)(T x) {
    return F(sincos_pair)(x).y;
}

T F(sincos)(T x, T *cosine) {
    T2 both = F(sincos_pair)(x);
    *cosine = both.y;
    return both.x;
}

T F(tan)(T x) {
    T2 reduced = F(reduce)(x);
    T s = F(sin_kernel)(reduced.x), c = F(cos_kernel)(reduced.x);
    bool odd = ((int)reduced.y & 1) != 0;
    T t = F(div)(odd ? -c : s, odd ? s : c);
    // A quotient of the smallest numbers would lose bits.
    t = fabs(x) < TINY ? x : t;
    return isfinite(x) ? t : (T)NAN;
}

// Sine and cosine of pi |x|. 2|x| is reduced by the nearest integer, which is exact; zeros
// are positive.
T2 F(sincospi_pair)(T x) {
    // Far below this all numbers are even.
    T size = fabs(x) > (T)0x1p60 ? (T)0 : fabs(x);
    T q = rint(size + size);
    T r = mad(q, (T)-0.5, size);
    // The lowest two bits; a large q has none.
    q -= (T)4 * floor(q * (T)0.25);
    T2 both = F(sincos_quadrant)(r * F(PI), isfinite(x) ? (int)q : 0);
    return (T2)(both.x + (T)0, both.y + (T)0);
}

T F(sinpi)(T x) {
    T s = F(sincospi_pair)(x).x;
    return isfinite(x) ? (signbit(x) != 0 ? -s : s) : (T)NAN;
}

T F(cospi)(T x) {
    T c = F(sincospi_pair)(x).y;
    return isfinite(x) ? c : (T)NAN;
}

T F(tanpi)(T x) {
    T2 both = F(sincospi_pair)(x);
    T t = F(div)(both.x, both.y);
    t = both.y == (T)0 ? copysign((T)INFINITY, both.x) : t;
    t = both.x == (T)0 ? copysign((T)0, both.y) : t;
    return isfinite(x) ? (signbit(x) != 0 ? -t : t) : (T)NAN;
}
