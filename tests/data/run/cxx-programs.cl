// options: -cl-std=CLC++2021
// run: kernel=lists global=1 arg=zeros:i32:10
// expect: 0 i32:32,3,74,5,76,123,3321,0,0,0
// run: kernel=objects global=1 arg=zeros:i32:16
// expect: 0 i32:331,10,57,7102,2282,3,2,710,0,0,0,0,0,0,0,0

// Parts of programs in the manner of CUDA: lists of types, reductions by policy, tables that calls fill,
// small vectors, bit references, automatic differentiation.
#ifndef INT_MIN
#define INT_MIN (-2147483647 - 1)
#endif
enum class reduce { sum, max };
template <reduce Op, class T> struct reducer {
    T value;
    constexpr reducer() : value(init()) {}
    static constexpr T init() { if constexpr (Op == reduce::sum) return T(0); else return T(INT_MIN); }
    constexpr reducer &add(T x) { switch (Op) { case reduce::sum: value += x; break; case reduce::max: value = value > x ? value : x; break; } return *this; }
};
template <class... T> struct type_list { static constexpr int size = sizeof...(T); };
template <class L> struct front; template <class T, class... R> struct front<type_list<T, R...>> { using type = T; };
template <class A, class B> struct concat; template <class... A, class... B> struct concat<type_list<A...>, type_list<B...>> { using type = type_list<A..., B...>; };
template <class T, class L> constexpr int index_of = -1;
template <class T, class... R> constexpr int index_of<T, type_list<T, R...>> = 0;
template <class T, class U, class... R> constexpr int index_of<T, type_list<U, R...>> = 1 + index_of<T, type_list<R...>>;
template <class... F> struct chained;
template <> struct chained<> { template <class T> T operator()(T x) const { return x; } };
template <class F, class... R> struct chained<F, R...> { F f; chained<R...> rest; template <class T> auto operator()(T x) const { return rest(f(x)); } };
template <class F> chained<F> chain(F f) { return {f, {}}; }
constexpr int fib(int n) { int a = 0, b = 1; while (n--) { int t = a + b; a = b; b = t; } return a; }
template <int... I> struct fibs { static constexpr int v[sizeof...(I)] = {fib(I)...}; };
constexpr int some[] = {fib(7), fib(8)};
template <int N> struct unroll { template <class F> static void run(F &&f) { unroll<N - 1>::run(f); f(N - 1); } };
template <> struct unroll<0> { template <class F> static void run(F &&) {} };
struct base { int b = 1; int f() const { return 1; } int f(int) const { return 2; } };
struct derived : base { using base::f; int f(float) const { return 3; } int b = 2; int both() const { return b + base::b; } };

kernel void lists(global int *out)
{
    using L = concat<type_list<int, float>, type_list<char>>::type;
    out[0] = L::size * 10 + index_of<char, L>;
    front<L>::type q = 3; out[1] = q;
    constexpr auto known = [] { reducer<reduce::sum, int> r; r.add(3).add(4); return r; }();
    static_assert(known.value == 7);
    reducer<reduce::max, int> most; for (int i = 0; i < 4; ++i) most.add(i * 7 % 5);
    out[2] = known.value * 10 + most.value;
    out[3] = chain([](int x) { return x + 1; })(4);
    out[4] = fibs<3, 10>::v[1] + some[1];
    unroll<3>::run([&](auto i) { out[5] = out[5] * 10 + i + 1; });
    derived d;
    out[6] = d.f() + d.f(1) * 10 + d.f(1.f) * 100 + d.both() * 1000;
    out[7] = decltype(known)::init();
}

struct vec { float x{}, y{}, z{}; constexpr vec() = default; constexpr vec(float v) : vec(v, v, v) {} constexpr vec(float x, float y, float z) : x{x}, y{y}, z{z} {}
    constexpr vec operator+(const vec &o) const { return {x + o.x, y + o.y, z + o.z}; } constexpr vec operator*(float s) const { return {x * s, y * s, z * s}; }
    friend constexpr vec operator*(float s, const vec &v) { return v * s; } constexpr float dot(const vec &o) const { return x * o.x + y * o.y + z * o.z; }
    constexpr vec &operator+=(const vec &o) { return *this = *this + o; } constexpr float operator[](int i) const { return i == 0 ? x : i == 1 ? y : z; } };
constexpr vec palette[] = {{1, 0, 0}, {0, 2, 0}, vec(0.5f)};
struct sphere { vec c; float r; };
constexpr sphere spheres[] = {{vec(1), 2}, {{1, 2, 3}, 4}};
template <class... T> struct scene { template <class F> void each(F) const {} };
template <class T, class... R> struct scene<T, R...> : private scene<R...> { T head; constexpr scene(const T &t, const R &...r) : scene<R...>{r...}, head(t) {} template <class F> void each(F &&f) const { f(head); scene<R...>::each(f); } };
template <class... T> scene(T...) -> scene<T...>;
template <class T, int N> struct small { T d[N]; int n = 0; small() : d{} {} template <class... A> T &emplace(A &&...a) { return d[n++] = T(static_cast<A &&>(a)...); } T &back() { return d[n - 1]; } T *begin() { return d; } T *end() { return d + n; } };
template <class T> struct dual { T v{}, d{}; constexpr dual(T v = T(), T d = T()) : v(v), d(d) {} friend constexpr dual operator*(const dual &a, const dual &b) { return {a.v * b.v, a.d * b.v + a.v * b.d}; } friend dual sin(const dual &a) { return {::sin(a.v), ::cos(a.v) * a.d}; } };
struct bits { uint w = 0; struct reference { uint &w; uint m; reference &operator=(bool v) { v ? w |= m : w &= ~m; return *this; } operator bool() const { return w & m; } }; reference operator[](int i) { return {w, 1u << i}; } };

kernel void objects(global int *out)
{
    vec s; s += palette[1]; (s += 2.0f * palette[0]) += vec(1);
    out[0] = s.x * 100 + s.y * 10 + s.z;
    out[1] = palette[2][1] * 10 + spheres[1].c.z + spheres[0].r;
    const scene all{sphere{{0, 0, -1}, .5f}, 3, 4};
    all.each([&](const auto &o) { if constexpr (sizeof(o) > 4) out[2] += o.r * 100; else out[2] += o; });
    small<int, 4> v; v.emplace(3) += 4; v.emplace(5) *= 2;
    int i = 0, a[3] = {1, 2, 3}; int &r = a[i++] += 10; r *= 2; (a[i++] = 7)++;
    out[3] = v.d[0] * 1000 + v.back() * 10 + v.n;
    out[4] = a[0] * 100 + a[1] * 10 + i;
    out[5] = sin(dual<float>(0.f, 3.f) * dual<float>(1.f, 0.f)).d;
    bits b; b[3] = true; b[1] = (bool)b[3]; b[3] = false;
    out[6] = b.w;
    int k = 0; for (int x : v) k = k * 100 + x;
    out[7] = k;
}
