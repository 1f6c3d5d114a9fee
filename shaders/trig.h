// For type T, its pair T2 and names F(name). Up to EVEN a number doubled can be rounded by ROUNDER; below FAR,
// products of the parts of pi/2 are exact and the parts have bits enough. Products of fused multiply-adds are exact for any q.

T F(reduce)(T x, int *quadrant) {
    if (!(fabs(x) < FAR))
        return F(reduce_large)(x, quadrant);
    T sum = mad(x, F(TWO_OVER_PI), F(ROUNDER)), q = sum - F(ROUNDER);
    *quadrant = F(low_bits)(sum);
#ifdef CALDERA_FUSED_FMA
    T r = fma(-q, F(PIO2_1), x);
    r = fma(-q, F(PIO2_2), r);
    return fma(-q, F(PIO2_3), r);
#else
    T r = mad(-q, F(PIO2_1), x);
    r = mad(-q, F(PIO2_2), r);
    r = mad(-q, F(PIO2_3), r);
    return mad(-q, F(PIO2_4), r);
#endif
}

// What is added to the multiple of r is too small to count, but makes it positive for 0, which keeps its sign then.
T F(sin_kernel)(T r) {
    T z = r * r;
    return mad(mad(z, F(poly_sin)(z), (T)0x1p-100), r, r);
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
    int q;
    T r = F(reduce)(x, &q);
    return F(sincos_quadrant)(r, q);
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

// Sine and cosine of pi |x|. 2|x| is reduced by the nearest integer, which is exact; zeros
// are positive, as are those of infinities, which become NaN.
T2 F(sincospi_pair)(T x) {
    T size = fabs(x);
    if (size >= EVEN)
        size -= (T)2 * floor(size * (T)0.5);
    T sum = size + size + F(ROUNDER);
    T r = mad(sum - F(ROUNDER), (T)-0.5, size);
    T2 both = F(sincos_quadrant)(r * F(PI), F(low_bits)(sum));
    // Not by adding 0, which a driver may drop.
    return (T2)(both.x == (T)0 ? (T)0 : both.x, both.y == (T)0 ? (T)0 : both.y);
}

T F(sinpi)(T x) {
    T s = F(sincospi_pair)(x).x;
    return signbit(x) != 0 ? -s : s;
}

T F(cospi)(T x) {
    return F(sincospi_pair)(x).y;
}

T F(tanpi)(T x) {
    T2 both = F(sincospi_pair)(x);
    T t = F(div)(both.x, both.y);
    t = both.y == (T)0 ? copysign((T)INFINITY, both.x) : t;
    t = both.x == (T)0 ? copysign((T)0, both.y) : t;
    return signbit(x) != 0 ? -t : t;
}
