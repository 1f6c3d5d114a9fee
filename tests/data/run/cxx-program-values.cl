// options: -cl-std=CLC++2021
// run: kernel=values global=1 arg=zeros:i32:12
// expect: 0 i32:6,8,5,3,4,4,5,7,9,5,3,8
// run: kernel=statics global=1 arg=zeros:i32:6
// expect: 0 i32:4,4,13,14,9,2

// `auto` at program scope for what functions and constructors make, and references to temporaries there.
struct value { int v; constexpr value(int v) : v(v) {} constexpr value twice() const { return value(v * 2); } };
constexpr value make(int x) { return value(x).twice(); }
template <typename T, int N> struct array { T d[N]; constexpr const T &operator[](int i) const { return d[i]; } };
constexpr array<int, 3> reversed(array<int, 3> a) { return {a[2], a[1], a[0]}; }
template <typename F> constexpr auto call(F f) { return f(2); }
auto a = make(3);
constexpr auto b = value(4).twice();
const auto c = value{5};
auto d = value(1).v + 2;
auto plus = [](int x) { return x + 1; };
auto e = plus(3);
constexpr auto table = reversed(array<int, 3>{{1, 4, 7}});
auto g = call([](int x) { return value(x + 3); });
static_assert(table[0] == 7 && b.v == 8);
struct derived : value { int w = 2; derived(int x) : value(x) {} };
struct ended { int x; ended(int x) : x(x) {} ~ended() { x = 0; } };
const int &five = 5;
value &&mine = value(8);
const value &slice = derived(3);
const ended &kept = ended(get_work_dim() + 7);
kernel void values(global int *out)
{
    out[0] = a.v;
    out[1] = b.v;
    out[2] = c.v;
    out[3] = d;
    out[4] = e;
    out[5] = table[1];
    out[6] = g.v;
    out[7] = table[0];
    mine.v++;
    out[8] = mine.v;
    out[9] = five;
    out[10] = slice.v;
    out[11] = kept.x;
}

// Variables of functions that begin when they are reached, and end with the program if they have begun.
int first(int x) { static int n = x + 1; return n; }
int object(int x) { static ended d(x); return d.x++; }
template <int N> int instance(int x) { static int list[2] = {x, N}; return list[0] + list[1]; }
kernel void statics(global int *out)
{
    out[0] = first(3);
    out[1] = first(8);
    out[2] = object(13);
    out[3] = object(1);
    out[4] = instance<5>(4);
    out[5] = instance<1>(1);
}
