// options: -cl-std=CLC++2021
// run: kernel=destructors global=1 arg=zeros:i32:5
// expect: 0 i32:4,5,12,13,14
// run: kernel=names global=1 arg=zeros:i32:6
// expect: 0 i32:7,30,1,2,3,8

// Destructors and other members by the names of their classes, specialisations of member templates outside of classes, names of
// used namespaces.
namespace n
{
template <class T> struct part
{
    T v;
    ~part() { v += 1; }
    int twice() { return 2 * v; }
};
}
struct whole : n::part<int>
{
    ~whole() { v *= 2; }
    int twice() { return 0; }
};
template <class T> void ended(T *p) { p->T::~T(); }
kernel void destructors(global int *out)
{
    whole w;
    w.v = 3;
    w.n::part<int>::~part();
    out[0] = w.v;
    w.part::~part();
    out[1] = w.v;
    whole *p = &w;
    // The whole ends with its base, whose destructor adds one.
    p->whole::~whole();
    out[2] = w.v + 1;
    p->n::part<int>::~part<int>();
    out[3] = p->n::part<int>::twice() / 2 + 1;
    int plain = 14;
    ended(&plain);
    out[4] = plain;
}

struct generator
{
    int s;
    int next() { return s += 2; }
    template <class T> T as() { return next(); }
    template <class T> static int count() { return 1; }
};
template <> float generator::as<float>() { return next() * 10; }
namespace m
{
struct scale { static constexpr int by = 2; template <class T> int of(T) { return by; } };
}
template <> int m::scale::of<float>(float) { return by + 1; }
namespace a { int f(int) { return 1; } constant int only = 8; }
namespace b { int f(float) { return 2; } }
using namespace a;
using namespace b;
kernel void names(global int *out)
{
    generator g{5};
    out[0] = g.as<int>();
    out[1] = (int)g.as<float>() / 3;
    out[2] = f(1);
    out[3] = f(1.0f);
    out[4] = m::scale().of(1.0f);
    out[5] = only;
}
