// options: -cl-std=CLC++2021
// run: kernel=functions global=1 arg=zeros:i32:8
// expect: 0 i32:5,7,3,4,6,10,1,24
// run: kernel=classes global=1 arg=zeros:i32:8
// expect: 0 i32:2,9,1,0,1,4,120,3
// run: kernel=packs global=1 arg=zeros:i32:6
// expect: 0 i32:6,3,1,0,13,10

template <typename T> T max_of(T a, T b) { return a > b ? a : b; }
template <typename T, int N> int length(const T (&)[N]) { return N; }
template <int N> constexpr int factorial() { return N * factorial<N - 1>(); }
template <> constexpr int factorial<0>() { return 1; }
template <typename T> void store(global T *to, T value) { *to = value; }
template <typename T> int kind(T) { return 1; }
template <typename T> int kind(T *) { return 10; }
template <typename To, typename From> To as(From f) { return (To)f; }
template <typename T> auto twice(T x) -> decltype(x + x) { return x + x; }

kernel void functions(global int *out)
{
    out[0] = max_of(3, 5);
    out[1] = max_of<int>(7.5f, 2);
    int a[3];
    out[2] = length(a);
    store(out + 3, 4);
    out[4] = as<int>(6.5f);
    out[5] = kind(&a[0]);
    out[6] = kind(1.0f);
    out[7] = factorial<4>();
    out[4] = twice(3);
}

template <typename T, int N = 2> struct Vec {
    T v[N];
    Vec() { for (int i = 0; i < N; i++) v[i] = 0; }
    T &operator[](int i) { return v[i]; }
    const T &operator[](int i) const { return v[i]; }
    static constexpr int size = N;
    T sum() const;
};
template <typename T, int N> T Vec<T, N>::sum() const
{
    T s = 0;
    for (int i = 0; i < N; i++)
        s += v[i];
    return s;
}
template <typename A, typename B> struct same { static constexpr bool value = false; };
template <typename A> struct same<A, A> { static constexpr bool value = true; };
template <typename T> struct is_pointer { enum { value = 0 }; };
template <typename T> struct is_pointer<T *> { enum { value = 1 }; };
template <> struct Vec<float, 1> { int special = 4; };
template <int N> struct Factorial { static const int value = N * Factorial<N - 1>::value; };
template <> struct Factorial<0> { static const int value = 1; };
template <typename T> using Pair = Vec<T, 2>;
template <class T> struct Box { T t; Box(T t) : t(t) {} };

kernel void classes(global int *out)
{
    Vec<int> v;
    out[0] = v.size;
    v[0] = 4;
    v[1] = 5;
    out[1] = v.sum();
    out[2] = same<int, int>::value;
    out[3] = is_pointer<int>::value;
    out[4] = is_pointer<float *>::value;
    Vec<float, 1> s;
    out[5] = s.special;
    out[6] = Factorial<5>::value;
    Box b(3);
    Pair<int> p;
    out[7] = b.t + p[0];
}

template <typename... T> int sum(T... values) { return (values + ... + 0); }
template <typename... T> int count(T...) { return sizeof...(T); }
template <typename T> int last(T t) { return t; }
template <typename T, typename... Rest> int last(T, Rest... rest) { return last(rest...); }
template <typename T> int describe(T t)
{
    if constexpr (same<T, int>::value)
        return 1;
    else if constexpr (is_pointer<T>::value)
        return *t;
    else
        return 0;
}
template <int... I> struct Indices {};
template <int... I> int add_up(Indices<I...>) { return (I + ...); }

kernel void packs(global int *out)
{
    out[0] = sum(1, 2, 3);
    out[1] = count(1, 2.0f, 'c');
    out[2] = describe(5);
    out[3] = describe(5.0f);
    out[4] = last(1, 2, 13);
    out[5] = add_up(Indices<1, 2, 3, 4>());
}
