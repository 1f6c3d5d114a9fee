// options: -cl-std=CLC++2021
// run: kernel=packs global=1 arg=zeros:i32:5
// expect: 0 i32:109,45,12,123,2
// run: kernel=outside global=1 arg=zeros:i32:3
// expect: 0 i32:14,10,9
// run: kernel=spaces global=1 arg=zeros:i32:9
// expect: 0 i32:0,4,1,1,2,6,6,1,45

// Packs that lambdas capture.
template <typename... A> int sum(A... a) { return (a + ... + 0); }
template <typename... A> int copied(A... a)
{
    auto f = [a...](int by) { return (a + ... + by); };
    return f(100) + sizeof...(A);
}
template <typename... A> void added(A &...a)
{
    auto f = [&a...](int by) { ((a += by), ...); };
    f(1);
    f(2);
}
template <typename... A> int twice_captured(A... a)
{
    return [=]() { return [=] { return sum(a * 2 ...); }(); }();
}
template <typename F, typename... A> auto bound(F f, A... a)
{
    return [=](auto... rest) { return f(a..., rest...); };
}
template <typename... A> int count(A... a)
{
    return [] { return (int)sizeof...(a); }();
}

kernel void packs(global int *out)
{
    out[0] = copied(1, 2, 3);
    int x = 1, y = 2;
    added(x, y);
    out[1] = x * 10 + y;
    out[2] = twice_captured(1, 2, 3);
    out[3] = bound([](int a, int b, int c) { return a * 100 + b * 10 + c; }, 1, 2)(3);
    out[4] = count(1, 2);
}

// Lambdas outside of functions.
constexpr auto twice = [](int x) { return 2 * x; };
auto minus = [](auto a, auto b) { return a - b; };
struct Op {
    static constexpr auto add = [](int a, int b) { return a + b; };
    int v = [] { return 7; }();
};
int nine(int a = [] { return 9; }()) { return a; }
static_assert(twice(4) == 8);

kernel void outside(global int *out)
{
    out[0] = twice(5) + minus(7, 3);
    out[1] = Op::add(1, 2) + Op().v;
    out[2] = nine();
}

// The name of a captured variable is an object in the variable's address space; that of a copy of
// what a reference refers to, or of an initialiser, is in the generic one.
int where(__private int &x) { return 1; }
int where(__global int &x) { return 2; }
int where(__generic int &x) { return 3; }
int where(const __private int &x) { return 4; }
int where(const __generic int &x) { return 6; }

kernel void spaces(global int *out)
{
    int x = 5;
    __global int &g = out[0];
    out[1] = [=]() { return where(x); }();
    out[2] = [=]() mutable { return where(x); }();
    out[3] = [&]() { return where(x); }();
    out[4] = [&]() { return where(g); }();
    out[5] = [=]() { return where(g); }();
    out[6] = [y = x]() { return where(y); }();
    out[7] = [&y = x]() { return where(y); }();
    out[8] = [=]() { return [&]() { return where(x) * 10 + x; }(); }();
}
