// For type T and names F(name). Squares of numbers beyond FAR or NEAR are scaled by BACK
// or STEP, its inverse: there the square of a smaller number that counts might be subnormal.

T F(hypot)(T x, T y) {
    T ax = fabs(x), ay = fabs(y), large = fmax(ax, ay), back = (T)1;
    if (!(large <= FAR && large >= NEAR)) {
        bool down = large > FAR;
        back = down ? STEP : BACK;
        ax *= down ? BACK : STEP;
        ay *= down ? BACK : STEP;
    }
    T square = mad(ax, ax, ay * ay);
    T h = (square > (T)0 ? F(sqrt)(square) : square) * back;
    // Also with NaN.
    return large == (T)INFINITY ? large : h;
}

// y (1 + h/3 + 2 h^2/9), h = 1 - x y^3: the error of x^(-1/3) is cubed, times 14/3.
T F(cbrt_step)(T y, T x) {
    T h = mad(-(x * y) * y, y, (T)1);
    return mad(y * h, mad(h, (T)2 / (T)9, (T)1 / (T)3), y);
}

// x^(1/3) = c (1 + 2/3 h) for y near x^(-1/3), c = x y^2 and h = 1 - c y: of the error that c has from
// rounding a third is left, of y's error its square.
T F(cbrt_finish)(T y, T x) {
    T c = x * y * y;
    return mad(c * F(TWO_THIRDS), mad(-c, y, (T)1), c);
}
