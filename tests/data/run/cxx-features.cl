// options: -cl-std=CLC++2021
// run: kernel=lambdas global=1 arg=zeros:i32:6
// expect: 0 i32:7,12,3,5,9,6
// run: kernel=bindings global=1 arg=zeros:i32:4
// expect: 0 i32:1,2,13,4
// run: kernel=conversions global=1 arg=zeros:i32:6
// expect: 0 i32:5,1,8,3,1,4
// run: kernel=constants global=1 arg=zeros:i32:6
// expect: 0 i32:120,10,45,3,6,8
// run: kernel=sfinae global=1 arg=zeros:i32:2
// expect: 0 i32:1,2
// run: kernel=spaces global=2 local=2 arg=zeros:i32:4 arg=i32:1
// expect: 0 i32:1,2,3,11

struct Counter {
    int n = 0;
    int run(int by)
    {
        auto add = [this, by](int times) { n += by * times; return n; };
        add(1);
        return add(2);
    }
};
template <typename F> int apply(F f, int x) { return f(x); }

kernel void lambdas(global int *out)
{
    int base = 5;
    auto add = [base](int x) { return base + x; };
    out[0] = add(2);
    int total = 0;
    auto count = [&](int x) { total += x; };
    count(5);
    count(7);
    out[1] = total;
    Counter c;
    out[2] = c.run(1);
    out[3] = apply([=](int x) -> int { return x + base; }, 0);
    auto any = [](auto a, auto b) { return a + b; };
    out[4] = any(4, 5);
    out[5] = [x = base + 1]() { return x; }();
}

struct Two { int a; int b; };
static Two two() { return {1, 2}; }

kernel void bindings(global int *out)
{
    auto [a, b] = two();
    out[0] = a;
    out[1] = b;
    int array[2] = {3, 4};
    auto &[c, d] = array;
    c = 13;
    out[2] = array[0];
    if (int x = d; x > 3)
        out[3] = x;
}

struct Number {
    int v;
    explicit Number(int v) : v(v) {}
    operator int() const { return v; }
    explicit operator bool() const { return v != 0; }
};
struct From { int v; From(Two t) : v(t.a + t.b) {} };
static int of(From f) { return f.v; }
static int sum(const Two &t = {3, 5}) { return t.a + t.b; }

kernel void conversions(global int *out)
{
    Number n(5);
    int i = n;
    out[0] = i;
    out[1] = n ? 1 : 0;
    out[2] = sum();
    Two t{1, 2};
    out[3] = of(t);
    out[4] = static_cast<bool>(n);
    out[5] = sum(Two{1, 3});
}

constexpr int factorial(int n) { return n <= 1 ? 1 : n * factorial(n - 1); }
constexpr int sum_to(int n)
{
    int s = 0;
    for (int i = 1; i <= n; i++)
        s += i;
    return s;
}
struct Table {
    int v[10];
    constexpr Table() : v() { for (int i = 0; i < 10; i++) v[i] = i; }
    constexpr int total() const { int s = 0; for (int i : v) s += i; return s; }
};
static_assert(Table().total() == 45, "evaluated");
constexpr Table table;
template <int N> struct Value { static constexpr int value = N; };
constexpr Two pair{3, 6};

kernel void constants(global int *out)
{
    int array[factorial(3)];
    constexpr int five = factorial(5);
    out[0] = five;
    out[1] = Value<sum_to(4)>::value;
    constexpr Table t;
    out[2] = Value<t.total()>::value;
    out[3] = pair.a;
    out[4] = sizeof(array) / sizeof(int);
    out[5] = table.v[8];
}

template <bool B, typename T = void> struct enable_if {};
template <typename T> struct enable_if<true, T> { using type = T; };
template <typename T> struct is_float { static constexpr bool value = false; };
template <> struct is_float<float> { static constexpr bool value = true; };
template <typename T, typename enable_if<is_float<T>::value, int>::type = 0> int pick(T) { return 2; }
template <typename T, typename enable_if<!is_float<T>::value, int>::type = 0> int pick(T) { return 1; }
kernel void sfinae(global int *out)
{
    out[0] = pick(1);
    out[1] = pick(1.0f);
}

struct Where {
    int v;
    int which() { return 1; }
    int which() __global { return 2; }
    int which() __local { return 3; }
};

kernel void spaces(global int *out, int n)
{
    local Where shared;
    private Where own;
    if (get_local_id(0) == 0) {
        out[0] = own.which();
        out[1] = ((global Where *)out)->which();
        out[2] = shared.which();
    }
    local int sum[2];
    local int &mine = sum[get_local_id(0)];
    mine = get_local_id(0) * 10 + n - (int)get_local_id(0) * n + (int)get_local_id(0);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        out[3] = sum[1];
}
