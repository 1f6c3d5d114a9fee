// For type T and names F(name). Squares of numbers beyond FAR or 1 / FAR are scaled by STEP
// or BACK, its inverse.

T F(hypot)(T x, T y) {
    T ax = fabs(x), ay = fabs(y), large = fmax(ax, ay);
    bool down = large > FAR, up = large < (T)1 / FAR;
    T scale = down ? BACK : up ? STEP : (T)1;
    ax *= scale;
    ay *= scale;
    T square = mad(ax, ax, ay * ay);
    T h = square > (T)0 ? F(sqrt)(square) : square;
    h *= down ? STEP : up ? BACK : (T)1;
    // Also with NaN.
    return isinf(x) || isinf(y) ? (T)INFINITY : h;
}

// y (1 + h/3 + 2 h^2/9), h = 1 - x y^3: the error of x^(-1/3) is cubed, times 14/3.
T F(cbrt_step)(T y, T x) {
    T h = mad(-(x * y) * y, y, (T)1);
    return mad(y * h, mad(h, (T)2 / (T)9, (T)1 / (T)3), y);
}

// x^(1/3) = x y^2, and one step of Newton with the exact remainder.
T F(cbrt_finish)(T y, T x) {
    T square = y * y, c = x * square;
    T p = c * c, low = F(mul_error)(c, c, p);
    T q = p * c;
    T rest = (q - x) + (F(mul_error)(p, c, q) + low * c);
    return mad(rest * square, (T)-1 / (T)3, c);
}
