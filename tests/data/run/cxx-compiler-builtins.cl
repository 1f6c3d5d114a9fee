// run: kernel=k global=1 local=1 arg=zeros:i32:12
// expect: 0 i32:3,7,2,1,2,9,5,6,1,1,40,4
// options: -cl-std=CLC++2021

// The compiler's builtins and extensions in C++.
template <typename T> int ones(T x) {
    return sizeof(T) == 8 ? __builtin_popcountll(x) : __builtin_popcount(x);
}

template <typename T> struct limits {
    static int largest(T v) { return __builtin_reduce_max(v); }
};

template <typename V, typename W> V converted(W w) {
    return __builtin_convertvector(w, V);
}

kernel void k(global int *out) {
    out[0] = ones(7u);
    out[1] = limits<int4>::largest((int4)(1, 7, 3, 2));
    out[2] = converted<int2>((float2)(2.7f, 3.0f)).x;
    out[3] = _Generic(out[2], int: 1, default: 2);
    __auto_type two = 2;
    out[4] = two;
    int sum;
    out[5] = __builtin_add_overflow(4, 5, &sum) ? 0 : sum;
    out[6] = __builtin_shufflevector((int2)(4, 5), (int2)(6, 7), 1, 2).x;
    auto pick = [](int2 v) { return __builtin_shufflevector(v, v, 1, 0); };
    out[7] = pick((int2)(5, 6)).x;
    out[8] = __builtin_isnan(__builtin_nanf(""));
    out[9] = __has_builtin(__builtin_elementwise_min);
    __typeof(out[0]) forty = 40;
    out[10] = forty;
    int from[2] = {4, 5}, to[2];
    __builtin_memcpy(to, from, sizeof to);
    out[11] = to[0];
}
