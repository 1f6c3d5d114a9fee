// options: -cl-std=CLC++2021
// run: kernel=values global=1 arg=zeros:i32:10
// expect: 0 i32:22,9,-3,11,10,3,3,3,12,5
// run: kernel=types global=1 arg=zeros:i32:14
// expect: 0 i32:2,10,10,98,99,7,6,9,4,6,2,1,2,1

// Idioms of C++ programs: tables made by constexpr functions, CRTP, tags, matrices whose operators are
// friends, using-declarations with packs.
template <typename T, int N> struct array {
    T data[N];
    constexpr T &operator[](int i) { return data[i]; }
    constexpr const T &operator[](int i) const { return data[i]; }
    constexpr int size() const { return N; }
    constexpr T *begin() { return data; }
    constexpr T *end() { return data + N; }
    constexpr const T *begin() const { return data; }
    constexpr const T *end() const { return data + N; }
};
template <typename T, typename... U> array(T, U...) -> array<T, 1 + sizeof...(U)>;
constexpr array<int, 16> squares() { array<int, 16> a{}; for (int i = 0; i < 16; i++) a[i] = i * i; return a; }
constexpr auto table = squares();
static_assert(table[3] == 9);
template <typename D> struct base { int run(int x) const { return static_cast<const D *>(this)->apply(x) + D::bias; } };
struct dbl : base<dbl> { static constexpr int bias = 1; int apply(int x) const { return 2 * x; } };
struct fast_tag {}; struct slow_tag : fast_tag {};
int go(fast_tag, int x) { return x; } int go(slow_tag, int x) { return -x; }
template <int R, int C, typename T = float> struct mat {
    T m[R][C] = {};
    constexpr mat() = default;
    T &operator()(int r, int c) { return m[r][c]; }
    const T &operator()(int r, int c) const { return m[r][c]; }
    template <int K> friend mat<R, K, T> operator*(const mat &a, const mat<C, K, T> &b) {
        mat<R, K, T> out; for (int i = 0; i < R; i++) for (int j = 0; j < K; j++) for (int k = 0; k < C; k++) out(i, j) += a(i, k) * b(k, j); return out; }
    mat &operator+=(const mat &o) { for (int i = 0; i < R; i++) for (int j = 0; j < C; j++) m[i][j] += o.m[i][j]; return *this; }
    static mat identity() { mat r; for (int i = 0; i < R; i++) r(i, i) = 1; return r; }
};
template <typename T> struct optional { bool has; union { char none; T value; }; constexpr optional() : has(false), none(0) {} constexpr optional(T v) : has(true), value(v) {} explicit operator bool() const { return has; } T &operator*() { return value; } T *operator->() { return &value; } T value_or(T o) const { return has ? value : o; } };
enum class flags : uint { none = 0, a = 1, b = 2 };
constexpr flags operator|(flags x, flags y) { return static_cast<flags>(static_cast<uint>(x) | static_cast<uint>(y)); }
struct delegating { int a, b; delegating(int x, int y) : a(x), b(y) {} delegating(int x) : delegating(x, x) {} };
template <template <typename, int> class C, typename T> int tt() { return C<T, 3>{}.size(); }
inline int counter = 5;
template <typename... B> struct both : B... { using B::operator()...; };
template <typename... B> both(B...) -> both<B...>;
kernel void values(global int *out)
{
    array a = {1, 2, 3};
    int s = 0; for (auto &x : a) s += x;
    out[0] = s + table[get_global_id(0) + 4];
    out[1] = dbl{}.run(4);
    out[2] = go(slow_tag{}, 3);
    mat<2, 3> x; mat<3, 2> y; x(0, 1) = 2; y(1, 0) = 5;
    auto z = x * y; z += mat<2, 2>::identity();
    out[3] = z(0, 0);
    optional<int> o; optional<int> p = 4;
    if (auto q = p; q && !o) out[4] = *q + o.value_or(6);
    out[5] = static_cast<int>(flags::a | flags::b);
    out[6] = delegating(3).b;
    out[7] = tt<array, float>();
    auto vis = both{[](int x) { return 1; }, [](float x) { return 2; }};
    out[8] = vis(1) * 10 + vis(1.0f);
    out[9] = counter++;
}

// Detection, packs of numbers, tuples, proxies, iterators, policies.
template <typename...> using void_t = void;
template <typename T, typename = void> struct has_size { static constexpr bool value = false; };
template <typename T> struct has_size<T, void_t<decltype(T().size())>> { static constexpr bool value = true; };
struct sized { int size() { return 1; } };
template <bool B, typename T = void> struct enable_if {}; template <typename T> struct enable_if<true, T> { using type = T; };
template <typename T, typename enable_if<(sizeof(T) > 4), int>::type = 0> int big(T) { return 1; }
template <typename T, typename enable_if<(sizeof(T) <= 4), int>::type = 0> int big(T) { return 0; }
template <typename T> decltype(auto) fwd(T &&x) { return static_cast<T &&>(x); }
template <int... I> struct seq {}; template <int N, int... I> struct mk : mk<N - 1, N - 1, I...> {}; template <int... I> struct mk<0, I...> { using type = seq<I...>; };
template <typename F, int... I> void each(F f, seq<I...>) { (f(I), ...); }
template <char... C> struct str { static constexpr char v[] = {C..., 0}; };
template <typename... T> struct tuple; template <> struct tuple<> {};
template <typename H, typename... T> struct tuple<H, T...> : tuple<T...> { H head; tuple(H h, T... t) : tuple<T...>(t...), head(h) {} };
template <int I, typename H, typename... T> auto at(const tuple<H, T...> &t) { if constexpr (I == 0) return t.head; else return at<I - 1>(static_cast<const tuple<T...> &>(t)); }
struct proxy { global int *p; proxy &operator=(int v) { *p = v; return *this; } operator int() const { return *p; } proxy *operator->() { return this; } };
[[nodiscard]] int attr([[maybe_unused]] int x) noexcept { return 1; }
template <typename T> constexpr bool is_int = __is_same(T, int);
struct it { int i; int operator*() const { return i; } it &operator++() { ++i; return *this; } bool operator!=(const it &o) const { return i != o.i; } };
struct range { int n; it begin() const { return {0}; } it end() const { return {n}; } };
union un { int i; float f; constexpr un(int x) : i(x) {} un(float x) : f(x) {} };
template <auto V> struct constant_ { static constexpr auto value = V; };
template <class T> struct policy { static T op(T a, T b) { return a + b; } };
template <class T, template <class> class P = policy, int TILE = 8> struct reducer { T acc{}; void add(T x) { acc = P<T>::op(acc, x); } };
kernel void types(global int *out)
{
    out[0] = has_size<sized>::value * 2 + has_size<int>::value;
    out[1] = big(1L) * 10 + big(1);
    int n = 0; each([&](int i) { n += i; }, mk<5>::type{});
    out[2] = n;
    out[3] = str<'a', 'b'>::v[1];
    tuple<int, float, char> t(1, 2.0f, 'c');
    out[4] = at<2>(t);
    proxy{out + 5} = 7;
    int sum = 0; for (int x : range{4}) sum += x; out[6] = sum;
    out[7] = is_int<int> + un(3).i + constant_<5>::value;
    reducer<int> r; r.add(4); out[8] = r.acc;
    int &fw = fwd(n); fw = 2;
    auto nested = [](auto x) { return [=](auto y) { return [=](auto z) { return x + y + z; }; }; };
    out[9] = nested(1)(2)(3);
    if (int q = n; q > 1) out[10] = q;
    switch (int q = n; q) { case 2: out[11] = 1; break; default: break; }
    float4 v = {1, 2, 3, 4}; v.xy = v.yx; out[12] = v.x;
    out[13] = attr(1);
}
