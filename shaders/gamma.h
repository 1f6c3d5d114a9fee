// For type T, its pair T2 and names F(name). FAR is where Stirling's formula is exact enough;
// LOG_FAR where its logarithm is, at FLAT its last term is nothing; at BOUND gamma is infinite, and at -BOUND it is 0.

T F(tgamma)(T x) {
    T a = fmin(fabs(x), BOUND);
    // y + y_low = a + the number of factors in p = a (a + 1) ...
    T y = a, y_low = (T)0, p = (T)1, inverse = (T)1;
    if (a < FAR) {
        T steps = (T)0;
        while (y < FAR) {
            p *= y;
            steps += (T)1;
            y = a + steps;
        }
        y_low = F(two_sum)(a, steps).y;
        inverse = F(div)((T)1, p);
    }
    // (y - 1/2) log2(y / e) - log2(e) / 2, a pair; the derivative by y is near log2(y).
    T2 l = F(log2_pair)(y);
    T2 ratio = F(fast_two_sum)(l.x, -F(LOG2_E));
    ratio.y += l.y - F(LOG2_E_LO);
    T factor = y - (T)0.5, power = factor * ratio.x;
    T low = mad(factor, ratio.y, F(mul_error)(factor, ratio.x, power));
    low = mad(y_low, l.x, low) - (T)0.5 * F(LOG2_E);
    T2 sum = F(fast_two_sum)(power, low);
    int n;
    T r = F(poly_stirling)(F(inverse)(y));
    T m = F(exp2_parts)(sum.x, sum.y, &n);
    T result = F(scale)(m * (r * inverse), n);
    if (!(x >= (T)0x1p-60 && x < BOUND)) {
        T s = sinpi(fabs(x));
        if (x < (T)0) {
            // The power's inverse, with 32 more in the exponent that it may lack.
            T2 negative = F(two_sum)((T)32, -sum.x);
            m = F(exp2_parts)(negative.x, negative.y - sum.y, &n);
            result = s == (T)0 ? (T)NAN : F(scale)(m * (-p * F(PI) / (a * s * r)), n - 32);
        }
        result = fabs(x) < (T)0x1p-60 ? (T)1 / x : result;
        result = isnan(x) ? x : x >= BOUND ? (T)INFINITY : result;
    }
    return result;
}

// log Gamma(a) for a > 0.
T F(lgamma_positive)(T a) {
    if (a >= LOG_FAR) {
        T w = F(inverse)(fmin(a, FLAT));
        T far = mad(a - (T)0.5, log(a) - (T)1, mad(w, F(poly_log_stirling)(w * w), F(HALF_LOG_2PI_E)));
        return a == (T)INFINITY ? a : far;
    }
    T y = a, p = (T)1;
    // Down to 3, exactly.
    while (y >= (T)3) {
        y -= (T)1;
        p *= y;
    }
    bool small = a < (T)1;
    T t = small ? a - (T)1 : y - (T)2;
    T near = t * (t + (T)1) * F(poly_lgamma)(t);
    // Not by adding 0, which a driver may drop.
    near = near == (T)0 ? (T)0 : near;
    // The logarithm of 1 is 0.
    if (small || a >= (T)3)
        near += small ? -log(a) : log(p);
    return near;
}

T F(lgamma_r)(T x, int *sign) {
    T a = fabs(x);
    // Gamma(x) = 1 / x near 0.
    bool near = a < (T)0x1p-60;
    T result = near ? -log(a) : F(lgamma_positive)(a);
    *sign = 1;
    if (!(x > (T)0)) {
        T whole = floor(x), half_whole = whole * (T)0.5;
        bool negative = x < (T)0, pole = a == (T)0 || (negative && whole == x);
        if (negative && !near)
            result = log(F(div)(F(PI), a * fabs(sinpi(a)))) - result;
        result = pole || isinf(x) ? (T)INFINITY : result;
        // Gamma is negative between -1 and 0, positive between -2 and -1, ...
        bool odd = negative && half_whole != floor(half_whole);
        *sign = pole ? 0 : odd ? -1 : 1;
        result = isnan(x) ? x : result;
    }
    return result;
}

T F(lgamma)(T x) {
    int sign;
    return F(lgamma_r)(x, &sign);
}
