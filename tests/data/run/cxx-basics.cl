// options: -cl-std=CLC++2021
// run: kernel=references global=1 arg=zeros:i32:8
// expect: 0 i32:7,8,9,3,1,5,2,11
// run: kernel=overloads global=1 arg=zeros:i32:8
// expect: 0 i32:1,2,3,4,15,6,12,9
// run: kernel=scopes global=1 arg=zeros:i32:6
// expect: 0 i32:1,2,3,30,5,4
// run: kernel=casts global=1 arg=zeros:i32:5
// expect: 0 i32:3,1065353216,5,6,1

// References, `auto`, constants.
static void add(int &to, int by) { to += by; }
static int &pick(int &a, int &b, bool first) { return first ? a : b; }
constexpr int square(int n) { return n * n; }
static_assert(square(3) == 9, "constant");
using number = int;
enum class Colour : uchar { red = 3, green, blue };
enum Plain { one = 1, two };

kernel void references(global int *out)
{
    int a = 5, b = 8;
    add(a, 2);
    out[0] = a;
    int &r = b;
    out[1] = r;
    r = 9;
    out[2] = b;
    Colour c = Colour::red;
    out[3] = static_cast<int>(c);
    out[4] = c == Colour::red ? 1 : 0;
    pick(a, b, false) = 5;
    out[5] = b;
    decltype(a) d = two;
    out[6] = d;
    const number table[square(2)] = {1, 2, 3, 11};
    auto last = table[3];
    out[7] = last;
}

static int f(int) { return 1; }
static int f(float) { return 2; }
static int f(int *) { return 3; }
static int f(const char *) { return 4; }
static int g(int a, int b = 5, int c = 4 + 1) { return a + b + c; }
static int h(int &) { return 6; }
static int h(const int &) { return 12; }
static int h(int &&) { return 9; }

kernel void overloads(global int *out)
{
    int x = 0;
    const int y = 1;
    out[0] = f(x);
    out[1] = f(1.0f);
    out[2] = f(&x);
    const char s = 'a';
    out[3] = f(&s);
    out[4] = g(5);
    out[5] = h(x);
    out[6] = h(y);
    out[7] = h(3);
}

namespace a {
int value() { return 1; }
namespace b {
int value() { return 2; }
constexpr int three = 3;
}
}
namespace ab = a::b;
namespace {
int hidden() { return 30; }
}
inline namespace v1 { int five() { return 5; } }

kernel void scopes(global int *out)
{
    out[0] = a::value();
    out[1] = a::b::value();
    out[2] = ab::three;
    out[3] = hidden();
    out[4] = five();
    {
        using namespace a::b;
        using a::value;
        int sum = three + value();
        out[5] = sum;
    }
}

kernel void casts(global int *out)
{
    float f = 3.7f;
    out[0] = static_cast<int>(f);
    float one = 1.0f;
    out[1] = *reinterpret_cast<int *>(&one);
    const int c = 5;
    out[2] = *const_cast<__private int *>(&c);
    generic int *g = &out[3];
    *addrspace_cast<global int *>(g) = 6;
    out[4] = nullptr == static_cast<int *>(nullptr);
}
