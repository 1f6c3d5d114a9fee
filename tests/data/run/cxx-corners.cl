// options: -cl-std=CLC++2021
// run: kernel=words global=1 arg=zeros:i32:8
// expect: 0 i32:101,-13,10,4,4,4,0,0
// run: kernel=lists global=1 arg=zeros:i32:8
// expect: 0 i32:-11,3,31,1,24,2,20,0
// run: kernel=outside global=1 arg=zeros:i32:10
// expect: 0 i32:4,11,5,42,12,9,103,56,9,2
// run: kernel=special global=1 arg=zeros:i32:8
// expect: 0 i32:12,123,15,8,0,0,0,0
// run: kernel=recursive global=1 arg=zeros:i32:6
// expect: 0 i32:17,1105,30,31,0,0

// Operators as words, also of the preprocessor.
#if defined(NONE) or not 1 and 1
#error
#endif
template <class T> constexpr bool inside(T v) { return v > 0 and not(v >= T(9)) or v == T(-1); }
constexpr auto mixed = [](auto a, auto b) { return (a bitand b) xor (compl a bitor b); };
struct moves { int n; moves(int n) : n(n) {} moves(moves and other) : n(other.n + 1) {} bool operator not() const { return n == 0; } };
#define TEXT(x) #x

kernel void words(global int *out)
{
    int v = 12, w = 7;
    out[0] = inside(4) * 100 + inside(9) * 10 + inside(-1);
    out[1] = mixed(v, 77);
    if (v not_eq 3 and v > 0) w or_eq 8;
    w and_eq compl 4;
    w xor_eq 1;
    out[2] = w;
    moves m = static_cast<moves and>(moves(3));
    out[3] = m.n + not m;
    out[4] = sizeof(TEXT(and));
    out[5] = v bitand 4;
}

// Packs of templates.
template <class T> struct inc { static constexpr T f(T x) { return x + 1; } };
template <class T> struct dbl { static constexpr T f(T x) { return x * 2; } };
template <class T> struct neg { static constexpr T f(T x) { return -x; } };
template <class T, template <class> class... F> struct chain;
template <class T> struct chain<T> { static T run(T x) { return x; } };
template <class T, template <class> class F, template <class> class... R> struct chain<T, F, R...> { static T run(T x) { return chain<T, R...>::run(F<T>::f(x)); } };
template <template <class> class... P> struct policies {
    static constexpr int count = sizeof...(P);
    template <class T> struct all : P<T>... { static T sum(T x) { return (P<T>::f(x) + ...); } };
    template <template <class> class Q> using with = policies<P..., Q>;
};
template <class T, template <class> class... P> T folded(T x) { return (P<T>::f(x) * ... * 1); }
template <template <class...> class L, class... T> struct make { using type = L<T...>; };
template <class... T> struct types { static constexpr int size = sizeof...(T); };
template <template <int, class> class C, int N> struct build { using type = C<N, int>; };
template <int N, class T> struct block { T v[N]; };

kernel void lists(global int *out)
{
    out[0] = chain<int, inc, dbl, neg, inc>::run(5);
    out[1] = policies<inc, dbl, neg>::count;
    out[2] = policies<inc, dbl>::all<int>::sum(10);
    out[3] = policies<inc>::with<neg>::all<int>::sum(4);
    out[4] = folded<int, inc, dbl>(3);
    out[5] = make<types, int, char>::type::size;
    out[6] = sizeof(build<block, 5>::type);
}

// Enumerations and classes of templates that are defined or specialised outside.
template <class T> struct table {
    enum kinds : int;
    enum class modes : uchar;
    struct row;
    struct cell { int v = 1; };
    template <class U> struct item { int q = 2; };
    int f();
};
template <class T> enum table<T>::kinds : int { first = 3, width = sizeof(T) };
template <class T> enum class table<T>::modes : uchar { off = 4, on };
template <class T> struct table<T>::row { T x; T get() const { return x * 2; } };
template <> struct table<float>::row { int y; int get() const { return y * 3; } };
template <> struct table<char>::cell { int v = 9; int w = 8; };
template <> template <> struct table<int>::item<int> { int q = 99; };
template <> int table<int>::f() { return 5; }
template <class T> int table<T>::f() { return 6; }
struct plain { enum kinds : int; enum class modes; int f(); };
enum plain::kinds : int { one = 1, two };
enum class plain::modes { off, on = 7 };
int plain::f() { return two; }

kernel void outside(global int *out)
{
    out[0] = table<int>::width; out[1] = table<long>::width + table<float>::first;
    out[2] = (int)table<char>::modes::on;
    out[3] = table<int>::row{21}.get(); out[4] = table<float>::row{4}.get();
    out[5] = table<char>::cell().w + table<int>::cell().v;
    out[6] = table<int>::item<int>().q + table<int>::item<char>().q + table<short>::item<int>().q;
    out[7] = table<int>().f() * 10 + table<float>().f();
    out[8] = plain::two + (int)plain::modes::on; out[9] = plain().f();
}

// What references refer to decides which template is more special; arrays of arrays become const.
template <class T> int taken(T *) { return 1; }
template <class T> int taken(const T &) { return 2; }
template <class T> int bound(T &) { return 1; }
template <class T> int bound(const T &) { return 2; }
template <class T> int bound(T &&) { return 3; }
template <class T, int H, int W> T row_sum(const local T (&t)[H][W], int r) { T s = 0; for (auto &v : t[r]) s += v; return s; }
template <class T, int N, int M> constexpr int cells(const T (&)[N][M]) { return N * M; }

kernel void special(global int *out)
{
    local int tile[2][3];
    tile[1][0] = 4; tile[1][1] = 5; tile[1][2] = 6;
    int m[2][4], v = 1;
    const int c = 2;
    int *p = &v;
    out[0] = taken(p) * 10 + taken(v);
    out[1] = bound(v) * 100 + bound(c) * 10 + bound(5);
    out[2] = row_sum(tile, 1);
    out[3] = cells(m);
}

// Constant functions that call themselves, with constant arguments where no constant is needed; objects in parentheses.
constexpr int log2(int n) { return n < 2 ? 0 : 1 + log2(n / 2); }
template <class T> constexpr T power(T x, int n) { return n == 0 ? T(1) : x * power(x, n - 1); }
template <int N> struct steps { static constexpr int depth(int n) { return n ? depth(n - 1) + 1 : 0; } int run() const { int r = 0; for (int i = 0; i < log2(N); ++i) r += i + depth(N / 8); return r; } };
int with_default(int a, int b = log2(64)) { return a + b; }
struct value { int v; value() : v(9) {} value(int v) : v(v) {} };
int taken(value v) { return v.v; }

kernel void recursive(global int *out)
{
    int n = log2(1024);
    out[0] = n + with_default(1);
    out[1] = (int)power(3.0f, 4) + power(2, 10);
    out[2] = steps<32>().run();
    value a((value())), b((value(4)));
    out[3] = a.v + b.v + taken((value())) + (value()).v;
}
