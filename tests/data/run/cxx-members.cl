// options: -cl-std=CLC++2021
// run: kernel=named global=1 arg=zeros:i32:4
// expect: 0 i32:30,8,8,40
// run: kernel=chosen global=2 local=2 arg=zeros:i32:6 arg=buffer:i32:10,20
// expect: 0 i32:8,21,30,70,10,7
// run: kernel=arrays global=1 arg=zeros:i32:8
// expect: 0 i32:45,5694,461,5694,669988236,515,15,236
// run: kernel=elided global=1 arg=zeros:i32:6
// expect: 0 i32:6,45,139,682,33433,309623197
// run: kernel=constants global=1 arg=zeros:i32:6
// expect: 0 i32:3,15,21,6,1255,2
// run: kernel=deduced global=1 arg=zeros:i32:8
// expect: 0 i32:7,8,8,9,55,346,90,1
// run: kernel=referred global=1 local=1 arg=buffer:i32:5,6 arg=buffer:i32:7 arg=local:4
// expect: 0 i32:26,14

// Which of several inherited members a using declaration names.
template <typename D> struct Base { int value = sizeof(D); int get() const { return value; } };
struct One : Base<One> { int x = 1; };
struct Two : Base<Two>, One { using Base<Two>::value; using One::get; };
struct Near { int value = 40; };
struct Hides : Near { int value = 41; };
struct Shows : Hides { using Near::value; };

kernel void named(global int *out)
{
    Two two;
    two.value = 30;
    out[0] = two.value;
    out[1] = two.get();
    out[2] = static_cast<One &>(two).value;
    out[3] = Shows().value;
}

// Objects of address spaces that have no common one are values.
kernel void chosen(global int *out, global const int *in)
{
    int i = get_global_id(0), own = 7;
    local int shared[2];
    shared[i] = i + 3;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[i] = (i ? in[i] : own) + 1;
    out[i + 2] = (i ? own : shared[0]) * 10;
    const int &either = i ? own : in[0];
    out[i + 4] = either;
}

// Arrays of objects with constructors and destructors as members.
struct Noted {
    int *log;
    int id;
    Noted(int *log = nullptr, int id = 9) : log(log), id(id) { if (log) *log = *log * 3 + id; }
    Noted(const Noted &o) : log(o.log), id(o.id + 1) { if (log) *log = *log * 5 + id; }
    Noted &operator=(const Noted &o) { id = o.id + 2; return *this; }
    ~Noted() { if (log) *log = *log * 7 + id; }
    explicit operator bool() const { return id < 9; }
};
struct Holds {
    Noted list[3], grid[2][2];
    Holds(int *log) : list{{log, 1}, Noted(log, 2)}, grid{{{log, 3}}} {}
};
struct Filled { int x = 5; Filled() {} Filled(int x) : x(x) {} };
struct Fills { Filled all[3], some[3]; Fills() : all{}, some{Filled(1), 2} {} };

kernel void arrays(global int *out)
{
    int log = 1;
    {
        Holds a(&log);
        out[0] = log;
        Holds b = a;
        out[1] = log;
        b = a;
        out[2] = b.list[1].id * 100 + b.grid[0][0].id * 10 + b.grid[1][1].id;
        out[3] = log;
    }
    out[4] = log;
    Fills f;
    out[5] = f.all[2].x * 100 + f.some[0].x * 10 + f.some[2].x;
    Filled rest[3] = {1};
    out[6] = rest[0].x * 10 + rest[2].x;
    int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    auto [a, b, c] = grid[1];
    grid[1][0] = 0;
    for (const auto &row : grid) {
        auto [x, y, z] = row;
        out[7] = out[7] * 10 + a + b + c + x + y + z;
    }
}

// Objects that are constructed where they are wanted, and end once.
struct Direct { Noted last; Direct(int *log) : last(Noted(log, 3)) {} };

kernel void elided(global int *out)
{
    int log = 1;
    { Direct d(&log); out[0] = log; }
    out[1] = log;
    {
        auto keeps = [t = Noted(&log, 1)](int n) { return t.id + n; };
        out[2] = log + keeps(2);
        auto copied = keeps;
        out[3] = log;
    }
    out[4] = log;
    int n = 0;
    while (Noted h{&log, n}) {
        if (n++ == 1) continue;
        if (n > 2) break;
    }
    out[5] = log;
}

struct Point {
    int x, y;
    constexpr Point(int x) : x(x), y(x * 2) {}
    constexpr Point(int x) __constant : x(x), y(x * 2) {}
    constexpr int sum() const __constant { return x + y; }
    constexpr int sum() const { return x + y; }
};
constant Point points[3] = {Point(1), {5}, 7};
constexpr int thousand = 1'000, mask = 0xf'f;
#if 1'0 == 10
constexpr auto twice = 2;
#endif

kernel void constants(global int *out)
{
    for (int i = 0; i < 3; ++i) out[i] = points[i].sum();
    constexpr auto doubled = [](int v) constexpr { return v * twice; };
    int sized[doubled(3)] = {};
    out[3] = sizeof(sized) / sizeof(int);
    out[4] = thousand + mask;
    int n = 0;
    auto counts = [n]() mutable constexpr { return ++n; };
    counts();
    out[5] = counts();
}

template <typename... T> struct Chain;
template <> struct Chain<> { int sum() const { return 0; } };
template <typename H, typename... R> struct Chain<H, R...> : Chain<R...> {
    H head;
    Chain(H h, R... r) : Chain<R...>(r...), head(h) {}
    int sum() const { return head + Chain<R...>::sum(); }
};
struct Any {
    int v;
    template <typename T> operator T() const { return static_cast<T>(v + 1); }
    explicit operator bool() const { return v > 5; }
    operator short() const { return 90; }
};
template <typename... T> struct List { static constexpr int size = sizeof...(T), bytes = (0 + ... + sizeof(T)); };
template <typename... T> struct Last { int kept; Last(T... t) : kept((t, ...)) {} };
template <typename... T> Last(T...) -> Last<T...>;
template <typename T, typename... R> struct Front { T first; int more; Front(T first, R... rest) : first(first), more(sizeof...(rest)) {} };

kernel void deduced(global int *out)
{
    Last last(1, (short)2, 3);
    out[0] = last.kept + sizeof(Last('a', 4));
    Front front((char)5, 6, 7);
    out[1] = front.first + front.more + sizeof(front.first);
    int list[2] = {8, 9};
    out[2] = *+list;
    out[3] = *+(list + 1);
    out[4] = List<char, int>::bytes + Chain<int, char>(20, 30).sum();
    Any any = {300};
    uchar byte = any;
    out[5] = byte + static_cast<int>(any);
    out[6] = static_cast<short>(any);
    out[7] = any ? 1 : 2;
}

kernel void referred(global int &out, constant const int &in, local int &shared)
{
    shared = in * 2;
    int &any = out;
    any += shared + in;
    (&out)[1] = shared;
}
