// options: -cl-std=CLC++2021
// run: kernel=instances global=1 arg=zeros:i32:8
// expect: 0 i32:21,10,6,1,2,5,4,9
// run: kernel=guides global=1 arg=zeros:i32:4
// expect: 0 i32:7,3,24,5
// run: kernel=packs global=1 arg=zeros:i32:4
// expect: 0 i32:10,60,3,42
// run: kernel=constructors global=1 arg=zeros:i32:4
// expect: 0 i32:3,4,2,16

// Members whose types are instances that nothing else has asked for.
template <class T, int N> struct Row { T v[N]; };
template <class T, int R, int C> struct Grid {
    Row<T, C> rows[R];
    T sum() const { T s = 0; for (const auto &r : rows) for (T x : r.v) s += x; return s; }
};

// A static member's value may need the class that the instance is a base of.
template <class D> struct Tagged { static constexpr int tag = D::id * 2; };
struct Five : Tagged<Five> { static constexpr int id = 5; };

template <class...> using void_t = void;
template <class T, class = void> struct has_size { static constexpr bool value = false; };
template <class T> struct has_size<T, void_t<decltype(T().size())>> { static constexpr bool value = true; };
struct Sized { int size() const { return 4; } };

static int kind(int) { return 4; }
template <class T> int kind(T) { return 1; }
template <> int kind<char>(char) { return 5; }
enum Op { add, sub = 5, mul };
static int eval(Op o) { return o == mul ? 9 : 0; }
struct Limits { static const int most = 6; };
const int Limits::most;

kernel void instances(global int *out)
{
    Grid<int, 3, 2> g = {{{{1, 2}}, {{3, 4}}, {{5, 6}}}};
    out[0] = g.sum();
    out[1] = Five::tag;
    out[2] = Limits::most;
    out[3] = has_size<Sized>::value;
    out[4] = has_size<Five>::value ? 1 : 2;
    out[5] = kind('c');
    out[6] = kind(1);
    const Op ops[] = {add, mul};
    for (Op o : ops)
        out[7] += eval(o);
}

template <class A, class B> struct pair { A first; B second; };
template <class A, class B> pair(A, B) -> pair<A, B>;
template <class T> struct Span { T *p; int n; T *begin() const { return p; } T *end() const { return p + n; } };
template <class T> Span(T *, int) -> Span<T>;

kernel void guides(global int *out)
{
    auto p = pair{7, (short)3};
    out[0] = p.first;
    out[1] = p.second;
    int a[3] = {7, 8, 9};
    Span s{a, 3};
    int sum = 0;
    for (int x : s)
        sum += x;
    out[2] = sum;
    out[3] = sizeof(pair{(short)1, 'c'}) + 1;
}

constexpr auto twice = [](auto x) { return x * 2; };

kernel void packs(global int *out)
{
    auto sum = [](auto... x) { return (x + ... + 0); };
    out[0] = sum(1, 2, 3, 4);
    auto scaled = [](int by, auto... x) { return ((x * by) + ...); };
    out[1] = scaled(10, 1, 2, 3);
    out[2] = [](auto &&...x) { return sizeof...(x); }(out, 1, 2.0f);
    out[3] = twice(21);
}

// The constructor for the space in which the object is, and the one for any.
struct Placed {
    int v;
    constexpr Placed() __constant : v(2) {}
    Placed() __private : v(3) {}
    constexpr Placed() : v(4) {}
    int in() const __constant { return v; }
};
static int through(const Placed &p) { return p.v; }
constant Placed fixed{};
global Placed shared;

kernel void constructors(global int *out)
{
    Placed own;
    out[0] = through(own);
    out[1] = shared.v;
    out[2] = fixed.in();
    out[3] = [](int x) mutable __private { x *= 2; return x; }(8);
}
