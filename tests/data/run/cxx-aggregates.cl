// options: -cl-std=CLC++2021
// run: kernel=members global=1 arg=zeros:i32:24
// expect: 0 i32:111,313,304,111,5,10,2,12,5,3,4,8,3,1,3,3,3,12,8,9,1065353216,9,7,1065353216
// run: kernel=nested global=1 arg=zeros:i32:16
// expect: 0 i32:8,414,9,111,515,7,111,6,111,203,111,313,4,4,313,1842
// run: kernel=elements global=1 arg=zeros:i32:12
// expect: 0 i32:121,4,5,2,3,14,111,212,9,32,616,8
// run: kernel=closures global=1 arg=zeros:i32:6
// expect: 0 i32:8,8,7,8,0,0

// Members that a list has nothing for begin as their class says.
struct base { int a = 1; int b = a + 10; };
struct derived : base { int c = 5; int d = c * 2; };
struct holder { base p; int q[3] = {7, 8, 9}; base r = {4}; };
struct several { base v[3]; int e = 6; };
struct linked { int x, y = 3; linked *self = nullptr; float f[2] = {1.5f}; };
struct based { int n; int get() const { return this->twice; } int twice = this->n * 2; };
template <class T, int N = 2> struct sized { T a{}; T v[N]{T(1), T(2)}; int n = sizeof(v) / sizeof(T); };
union either { int i = 7; float f; };
struct named { int a; union { int i = 8; float f; }; int z = 9; };

base made(int v) { return {v}; }
holder made() { return {{1, 2}, {3}}; }
int both(const base &b) { return b.a * 100 + b.b; }

kernel void members(global int *out)
{
    base a{}, b{3}, c = {3, 4};
    derived d{}, e{{2}}, f{{2, 3}, 4};
    linked g{4}, h{.x = 3, .f = {2, 3}};
    based i{6};
    named j{1}, k{.a = 2, .f = 1.0f};
    either l{}, m{.f = 1.0f};
    int all[] = {both(a), both(b), both(c), both(d), d.c, d.d, e.a, e.b, e.c, f.b, f.c, f.d, g.y, g.self == nullptr, (int)(g.f[0] * 2), h.y,
                 (int)h.f[1], i.get(), j.i, j.z, as_int(k.f), k.z, l.i, as_int(m.f)};
    for (int n = 0; n < 24; ++n) out[n] = all[n];
}

kernel void nested(global int *out)
{
    holder a, b{}, c{{5}};
    several d{}, e{{{1}, {2, 3}}}, f{1, 2, 3};
    sized<int> g;
    sized<char, 3> h{'a'};
    int all[] = {a.q[1], both(a.r), b.q[2], both(b.p), both(c.p), c.q[0], both(d.v[2]), d.e, both(e.v[0]), both(e.v[1]), both(e.v[2]),
                 both(f.v[1]), g.n + g.v[1], h.v[0] + h.n, both(made(3)), both(made().p) + made().q[0] + made().q[1] + both({9}) + both(base{8})};
    for (int n = 0; n < 16; ++n) out[n] = all[n];
}

// Elements that have constructors take an item as an argument.
struct variant { int kind; union { int i; float f; }; variant(int v) : kind(1), i(v) {} variant(float v) : kind(2), f(v) {} };
struct pair_of { variant a = 4; variant b[2] = {5, 1.0f}; int n; };
struct point { int x, y; constexpr int operator[](int i) const { return i ? y : x; } };
constexpr point points[] = {{1, 2}, {3, 4}, point{5, 6}};
constant point more[2] = {point{7, 8}, {9}};
holder holders[] = {holder{}, {{2}}};
constant holder fixed{{6}};

kernel void elements(global int *out)
{
    variant all[] = {3, 2.5f, variant(4)};
    int sum = 0;
    for (auto &v : all) sum = sum * 10 + v.kind;
    out[0] = sum;
    pair_of p{.n = 3};
    out[1] = p.a.i; out[2] = p.b[0].i; out[3] = p.b[1].kind; out[4] = p.n;
    out[5] = points[2].y + more[0].y + more[1].y;
    out[6] = both(holders[0].p); out[7] = both(holders[1].p); out[8] = holders[1].q[2];
    point local_points[] = {point{1, 2}, {3, 4}};
    out[9] = local_points[1][0] * 10 + local_points[0][1];
    out[10] = fixed.p.a * 100 + fixed.p.b; out[11] = fixed.q[1];
}

// A class whose argument is a lambda is none itself.
template <class F> struct mapped {
    F f;
    int times = 2;
    const F *address() const { return &f; }
    int go(int x) const { return (*address())(x) * times; }
};
template <class F> mapped(F) -> mapped<F>;
template <class F> int run(F f) { struct inner { F f; int x = 2; int go() { return f(x); } }; inner i{f}; return i.go(); }
struct counter {
    int start, step = 3;
    auto copied() const { return [*this](int n) { return start + n * step; }; }
    int within() { auto f = [this](int n) { counter c{n}; return c.step + step; }; step = 5; return f(1); }
};

kernel void closures(global int *out)
{
    int k = 4;
    mapped m{[](int x) { return x + 1; }};
    out[0] = m.go(3);
    out[1] = run([&](int x) { return x * k; });
    out[2] = counter{1}.copied()(2);
    counter c{2};
    out[3] = c.within();
}
