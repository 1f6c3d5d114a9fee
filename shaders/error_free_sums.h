// Sums as two numbers, without an error. For type T, its pair T2 and names F(name).

// a + b exactly, in any order (Knuth).
T2 F(two_sum)(T a, T b) {
    T s = a + b, t = s - a;
    return (T2)(s, (a - (s - t)) + (b - t));
}

// a + b exactly for |a| >= |b| or a = 0 (Dekker).
T2 F(fast_two_sum)(T a, T b) {
    T s = a + b;
    return (T2)(s, b - (s - a));
}
