// For type T, its pair T2, the unsigned integer U of its width, names F(name), its bits AS_U and those of
// infinity.

// The result for x > 0, or what the limit or the domain gives.
T F(log_edges)(T x, T result) {
    // Neither 0 nor positive and finite.
    if (AS_U(x) - 1 >= INF_BITS - 1) {
        result = x == (T)0 ? -(T)INFINITY : (T)NAN;
        result = x == (T)INFINITY ? (T)INFINITY : result;
    }
    return result;
}

T F(log)(T x) {
    T2 fe = F(log_split)(x);
    T low = mad(fe.y, F(LN2_LO), F(log1p_tail)(fe.x));
    return F(log_edges)(x, mad(fe.y, F(LN2_HI), fe.x + low));
}

T F(log2)(T x) {
    T2 fe = F(log_split)(x);
    T low = mad(fe.x, F(LOG2_E_LO), F(log1p_tail)(fe.x) * F(LOG2_E));
    return F(log_edges)(x, fe.y + mad(fe.x, F(LOG2_E), low));
}

T F(log10)(T x) {
    T2 fe = F(log_split)(x);
    T low = mad(fe.x, F(LOG10_E_LO), F(log1p_tail)(fe.x) * F(LOG10_E));
    low = mad(fe.y, F(LOG10_2_LO), low);
    return F(log_edges)(x, mad(fe.y, F(LOG10_2_HI), mad(fe.x, F(LOG10_E), low)));
}
