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
    return F(log_edges)(x, F(log_sum)(fe.x, fe.y));
}

T F(log2)(T x) {
    T2 fe = F(log_split)(x);
    return F(log_edges)(x, F(log2_sum)(fe.x, fe.y));
}

T F(log10)(T x) {
    T2 fe = F(log_split)(x);
    return F(log_edges)(x, F(log10_sum)(fe.x, fe.y));
}
