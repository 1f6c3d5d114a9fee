// The cases of the power functions, for T, its pair T2 and names F(name). LARGE and 1 / LARGE have
// exponents far from the limits; 2 to LIMIT is beyond them.

// x^(y + y_low) for numbers x > 0 and y. Beyond the bounds the power is 0 or infinite.
T F(pow_core)(T x, T y, T y_low) {
    T2 l = F(log2_pair)(x);
    T p = y * l.x;
    T low = mad(y_low, l.x, mad(y, l.y, F(mul_error)(y, l.x, p)));
    bool inside = fabs(p) < LIMIT;
    p = inside ? p : copysign(LIMIT, p);
    low = inside ? low : (T)0;
    int n;
    T m = F(exp2_parts)(p, low, &n);
    return F(scale)(m, n);
}

// |x|^y for y other than 0: the core for numbers, or the limit.
T F(pow_magnitude)(T x, T y, T y_low) {
    T inf = (T)INFINITY, size = fabs(x);
    T result = F(pow_core)(size, y, y_low);
    if (!(size > (T)0 && size < inf && fabs(y) < inf)) {
        T limit = (size < (T)1) == (y < (T)0) ? inf : (T)0;
        result = size == (T)1 ? (T)1 : limit;
    }
    return result;
}

T F(pow)(T x, T y) {
    T result = F(pow_magnitude)(x, y, (T)0);
    // Positive numbers need no more.
    if (!(x > (T)0 && x < (T)INFINITY && fabs(y) < (T)INFINITY)) {
        T half_y = y * (T)0.5;
        bool integer = y == rint(y);
        bool odd = integer && half_y != rint(half_y);
        result = odd ? copysign(result, x) : result;
        bool outside = x < (T)0 && !integer && x != -(T)INFINITY;
        result = outside || isnan(x) || isnan(y) ? (T)NAN : result;
        result = x == (T)1 || y == (T)0 ? (T)1 : result;
    }
    return result;
}

T F(powr)(T x, T y) {
    T inf = (T)INFINITY;
    T result = F(pow_magnitude)(x, y, (T)0);
    if (!(x > (T)0 && x < inf && fabs(y) < inf)) {
        bool unbounded = x == (T)0 || x == inf;
        bool undefined = !(x >= (T)0) || isnan(y) || (unbounded && y == (T)0)
            || (x == (T)1 && fabs(y) == inf);
        result = undefined ? (T)NAN : result;
    }
    return result;
}

// n as a pair: a float may not hold it.
T2 F(int_pair)(int n) {
    return F(fast_two_sum)((T)(n & ~0xfff), (T)(n & 0xfff));
}

// Small powers are products: each factor adds half an ulp.
T F(pown)(T x, int n) {
    uint size = n < 0 ? 0u - (uint)n : (uint)n;
    if (size < 8u) {
        T product = (size & 1u) != 0u ? x : (T)1, square = x * x;
        product = (size & 2u) != 0u ? product * square : product;
        if (size >= 4u)
            product *= square * square;
        if (n >= 0)
            return product;
        if (fabs(product) > (T)1 / LARGE && fabs(product) < LARGE)
            return F(div)((T)1, product);
    }
    T2 y = F(int_pair)(n);
    T result = F(pow_magnitude)(x, y.x, y.y);
    result = (n & 1) != 0 ? copysign(result, x) : result;
    return isnan(x) ? (T)NAN : result;
}

T F(rootn)(T x, int n) {
    T2 d = F(int_pair)(n);
    T y = F(div)((T)1, d.x), p = y * d.x;
    T y_low = ((((T)1 - p) - F(mul_error)(y, d.x, p)) - y * d.y) * y;
    T result = F(pow_magnitude)(x, y, y_low);
    bool odd = (n & 1) != 0;
    result = odd ? copysign(result, x) : result;
    bool outside = n == 0 || (x < (T)0 && !odd) || isnan(x);
    return outside ? (T)NAN : result;
}
