// For type T, its pair T2 and names F(name). FAR is where Stirling's formula is exact enough,
// at most FAR_STEPS away; LOG_FAR where its logarithm is; at BOUND gamma is infinite, and at
// -BOUND it is 0.

T F(tgamma)(T x) {
    T a = fmin(fabs(x), BOUND);
    // y + y_low = a + the number of factors in p = a (a + 1) ...
    T y = a, y_low = (T)0, p = (T)1;
    for (int i = 0; i < FAR_STEPS; i++) {
        bool move = y < FAR;
        T2 next = F(two_sum)(y, (T)1);
        p *= move ? y + y_low : (T)1;
        y = move ? next.x : y;
        y_low += move ? next.y : (T)0;
    }
    // (y - 1/2) log2(y) - y log2(e), a pair; the derivative by y is near log2(y).
    T2 l = F(log2_pair)(y);
    T factor = y - (T)0.5;
    T g = factor * l.x, h = -y * F(LOG2_E);
    T2 sum = F(two_sum)(g, h);
    T low = mad(factor, l.y, F(mul_error)(factor, l.x, g)) + F(mul_error)(-y, F(LOG2_E), h);
    low += sum.y + mad(y_low, l.x, -y * F(LOG2_E_LO));
    T2 power = F(exp2_parts)(sum.x, low);
    T r = power.x * F(poly_stirling)(F(div)((T)1, y));
    // p and r are moderate numbers, their quotient too.
    bool negative = x < (T)0;
    T s = sinpi(fabs(x));
    T result = F(div)(negative ? -p * F(PI) : r, negative ? a * s * r : p);
    result = F(scale)(result, (int)(negative ? -power.y : power.y));
    result = negative && s == (T)0 ? (T)NAN : result;
    result = fabs(x) < (T)0x1p-60 ? (T)1 / x : result;
    return isnan(x) ? x : x == (T)INFINITY ? x : result;
}

// log Gamma(a) for a > 0.
T F(lgamma_positive)(T a) {
    T y = a, p = (T)1;
    // Down to 3, exactly.
    for (int i = 0; i < 6; i++) {
        bool move = y >= (T)3 && y < LOG_FAR;
        y -= move ? (T)1 : (T)0;
        p *= move ? y : (T)1;
    }
    bool small = a < (T)1;
    T t = small ? a - (T)1 : y - (T)2;
    T near = t * (t + (T)1) * F(poly_lgamma)(t);
    near += small ? -log(a) : a >= (T)3 ? log(p) : (T)0;
    T w = F(div)((T)1, a);
    T far = mad(a - (T)0.5, log(a) - (T)1, mad(w, F(poly_log_stirling)(w * w), F(HALF_LOG_2PI_E)));
    far = a == (T)INFINITY ? a : far;
    return a < LOG_FAR ? near : far;
}

T F(lgamma_r)(T x, int *sign) {
    T a = fabs(x);
    // Gamma(x) = 1 / x near 0.
    bool near = a < (T)0x1p-60, negative = x < (T)0;
    T whole = floor(x), s = sinpi(a);
    bool pole = a == (T)0 || (negative && whole == x);
    T result = near ? -log(a) : F(lgamma_positive)(a);
    T mirrored = log(F(div)(F(PI), a * fabs(s))) - result;
    result = negative && !near ? mirrored : result;
    result = pole || isinf(x) ? (T)INFINITY : result;
    // Gamma is negative between -1 and 0, positive between -2 and -1, ...
    T half_whole = whole * (T)0.5;
    bool odd = negative && half_whole != floor(half_whole);
    *sign = pole ? 0 : odd ? -1 : 1;
    return isnan(x) ? x : result;
}

T F(lgamma)(T x) {
    int sign;
    return F(lgamma_r)(x, &sign);
}
