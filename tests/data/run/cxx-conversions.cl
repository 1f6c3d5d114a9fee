// options: -cl-std=CLC++2021
// run: kernel=conversions global=1 arg=zeros:i32:10
// expect: 0 i32:7,3,1,1,0,1,5,1,9,2
// run: kernel=members global=1 arg=zeros:i32:9
// expect: 0 i32:4,5,3,12,11,6,21,8,30
// run: kernel=moves global=1 arg=zeros:i32:8
// expect: 0 i32:102,1002,1102,3,4,5,3,7
// run: kernel=further global=1 arg=zeros:i32:6
// expect: 0 i32:4,6,7,11,3,4

// Explicit conversions where an object is initialised directly, and in conditions beside other ones.
template <typename T> struct complex {
    T re, im;
    constexpr complex(T r = T(), T i = T()) : re(r), im(i) {}
    template <typename U> explicit operator complex<U>() const { return complex<U>(U(re), U(im)); }
};
struct both {
    int v;
    explicit operator bool() const { return v > 3; }
    explicit operator int() const { return v; }
};
int &at(int &x) { return x; }
kernel void conversions(global int *out)
{
    complex<int> z(7, 3);
    complex<long> w(z), y = static_cast<complex<long>>(z);
    out[0] = (int)w.re;
    out[1] = (int)y.im;
    both b = {5};
    out[2] = !!b;
    out[3] = b && true;
    out[4] = !b;
    bool t(b);
    int n(b);
    out[5] = t;
    out[6] = n;
    while (!b) out[6]++;
    out[7] = b ? 1 : 0;
    int x = 8;
    decltype(auto) r = (x);
    r = 9;
    out[8] = x;
    decltype(auto) s = x;
    s = 2;
    out[9] = s;
}

// Templates of members that are defined outside, friends that are templates, what a using-declaration opens, templates that are only
// declared to be instantiated, parameters without names, types of functions.
struct visited {
    int kind;
    template <typename V> visited(V v, int);
    template <typename V> int accept(V &v, int more = 2) const;
    template <typename T> static T twice(T x);
};
template <typename W> visited::visited(W v, int k) : kind(v + k) {}
template <typename W> int visited::accept(W &v, int more) const { return v(kind) + more; }
template <typename T> T visited::twice(T x) { return x * 2; }
namespace inner { template <typename T> int size_of(T); }
template <typename T> int inner::size_of(T) { return sizeof(T); }
template <unsigned N> class number {
    int limb[N];
public:
    number(int x) { for (int &l : limb) l = x; }
    template <unsigned M> explicit number(const number<M> &o) { for (int &l : limb) l = o.limb[0] + N; }
    template <unsigned> friend class number;
    int low() const { return limb[0]; }
};
class hidden {
protected:
    int open() const { return 6; }
    int value = 21;
};
struct opened : hidden { using hidden::open; using hidden::value; };
template <class T> struct outer { T x; };
extern template struct outer<int>;
template struct outer<int>;
template <class T> T same(T x) { return x; }
extern template int same(int);
template int same<int>(int);
struct no {}; struct yes { char c[2]; };
template <typename T> struct has_call {
    template <typename U> static auto test(U *p) -> decltype((*p)(1), yes());
    template <typename> static no test(const void *);
    static constexpr bool value = sizeof(decltype(test<T>(nullptr))) == 2;
};
template <typename F> struct signature;
template <typename R, typename A, typename... B> struct signature<R(A, B...)> { static constexpr int value = sizeof(R) + 10 * sizeof...(B); using first = A; };
kernel void members(global int *out)
{
    auto add = [](int x) { return x + 1; };
    visited v(1, 0);
    out[0] = v.accept(add);
    out[1] = v.accept(add, 3);
    out[2] = visited(1, 2).kind;
    out[3] = visited::twice(6);
    number<2> small(9);
    out[4] = number<2>(number<4>(small)).low() - inner::size_of((char)1) - 3;
    opened o;
    out[5] = o.open();
    out[6] = o.value;
    outer<int> p = {same(7)};
    out[7] = p.x + has_call<decltype(add)>::value * has_call<int>::value + sizeof(signature<int(char, float)>::first);
    out[8] = signature<long(int, int, int)>::value + has_call<both>::value + 2;
}

// Which copies and moves a class has without saying so; `*this` captured by copy.
struct part {
    int v;
    part(int v) : v(v) {}
    part(const part &o) : v(o.v + 100) {}
    part(part &&o) : v(o.v + 1000) {}
    part &operator=(const part &o) { v = o.v + 1; return *this; }
    part &operator=(part &&o) { v = o.v + 2; return *this; }
};
struct ended { part p; ended(int v) : p(v) {} ~ended() {} };
struct whole : ended { part q; whole(int v) : ended(v), q(v) {} };
struct counter {
    int k;
    auto copy() { return [*this]() mutable { return ++k; }; }
    auto refer() { return [this] { return ++k; }; }
    auto within() const { return [*this] { return [=] { return k; }; }; }
};
template <typename T> T &&moved(T &x) { return static_cast<T &&>(x); }
kernel void moves(global int *out)
{
    whole a(2), b = a;
    out[0] = b.p.v;
    whole c = moved(a);
    out[1] = c.q.v;
    out[2] = c.p.v + 1000;
    whole d(0), e(1);
    d = moved(e);
    out[3] = d.q.v;
    whole f(2);
    f = moved(d);
    out[4] = f.p.v + 1;
    out[5] = f.q.v;
    counter n = {2};
    auto copy = n.copy();
    copy();
    out[6] = n.refer()();
    out[7] = copy() + n.within()()();
}

// Arguments that are `size_t`, redeclared templates with values among the arguments of parameters, assignments beside other operators,
// a derived object where one of its base is copied, a member of a base that is an instance.
template <typename T> struct named { static constexpr int value = 1; };
template <> struct named<size_t> { static constexpr int value = 2; };
template <typename T, int N> struct row { T d[N]; };
template <typename T, int N> constexpr T sum(const row<T, N> &r);
template <typename T, int N> constexpr T sum(const row<T, N> &r) { T s = 0; for (int i = 0; i < N; i++) s += r.d[i]; return s; }
struct lane { int v; lane &operator=(bool b) { v = b + 10; return *this; } operator bool() const { return v; } };
struct begun { int z = 3; };
struct more : begun { int w = 4; };
int taken(begun b) { return b.z; }
template <int N> struct leaf { int get() const { return N; } };
struct tree : leaf<1>, leaf<5> {};
kernel void further(global int *out)
{
    out[0] = named<ulong>::value + named<decltype(sizeof(int))>::value;
    out[1] = sum(row<int, 3>{{1, 2, 3}});
    lane a = {7}, b = {3};
    b = a;
    out[2] = b.v;
    b = true;
    out[3] = b.v;
    out[4] = taken(more());
    tree t;
    out[5] = t.leaf<5>::get() - t.leaf<1>::get();
}
