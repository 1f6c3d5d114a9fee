// options: -cl-std=CLC++2021
// run: kernel=bases global=1 arg=zeros:i32:6
// expect: 0 i32:4,5,3,4,9,8
// run: kernel=lists global=1 arg=zeros:i32:6
// expect: 0 i32:4,6,26,75,8,17
// run: kernel=chosen global=2 arg=zeros:i32:2
// expect: 0 i32:6,5
// run: kernel=order global=1 arg=zeros:i32:9
// expect: 0 i32:1,2,0,4,30,3,534,7,4

// Assignment by name, also of classes that are copied as bytes.
template <class T> struct D { T v; D &operator=(const D &o) { v = o.v + 1; return *this; } };
struct E : D<int> { int w; };
struct F { int q; };
struct G : F { int z; G &operator=(const G &o) { F::operator=(o); z = o.z + 1; return *this; } };
struct H : F {};

kernel void bases(global int *out)
{
    E e;
    D<int> x;
    x.v = 3;
    e.D<int>::operator=(x);
    out[0] = e.v;
    E *p = &e;
    p->D::operator=(*p);
    out[1] = p->D<int>::v;
    G a, b;
    a.q = 3;
    a.z = 3;
    b = a;
    out[2] = b.q;
    out[3] = b.z;
    F f;
    f.q = 9;
    b.F::operator=(f);
    out[4] = b.q;
    H h, i;
    h.q = 8;
    i.operator=(h);
    out[5] = i.q;
}

// Lists in braces as operands.
struct V {
    int x, y;
    V &operator+=(V o) { x += o.x; y += o.y; return *this; }
    int operator[](V i) const { return i.x * x + i.y * y; }
    V &operator=(int k) { x = y = k; return *this; }
};
// An enumeration brings the functions of its namespace along.
namespace modes { enum mode { off, on = 4 }; enum class kind { none, some = 3 }; int value(mode m) { return m + 4; } int value(kind k) { return int(k) + 14; } }

kernel void lists(global int *out)
{
    V v{1, 2};
    v += {3, 4};
    out[0] = v.x;
    out[1] = v.y;
    out[2] = v[{2, 3}];
    V u;
    u = 3;
    u = {7, 5};
    out[3] = u.x * 10 + u.y;
    out[4] = value(modes::on);
    out[5] = value(modes::kind::some);
}

// A value that is one of two is made where the variable is.
struct M { int v; M(int x) : v(x) {} M(const M &o) : v(o.v + 100) {} };

kernel void chosen(global int *out)
{
    int g = get_global_id(0);
    M m = g ? M(5) : M(6);
    out[g] = m.v;
}

// The right side of an assignment comes before the left one.
struct A { int v; A &operator=(int x) { v = x; return *this; } A &operator+=(int x) { v += x; return *this; } A &operator<<(int x) { v = v * 10 + x; return *this; } };
int next(int &s) { return ++s; }
A &chosen_of(A *a, int &s) { return a[s++ & 1]; }

kernel void order(global int *out)
{
    int i = 0, x[4] = {0, 0, 0, 0};
    x[i++] = i + 1;
    x[i++] += i * 2;
    x[i] = i = 3;
    int s = 0;
    x[next(s) + 1] += next(s);
    int stack[4] = {1, 2, 3}, top = 3;
    stack[top++] = stack[--top] * 10;
    A a[2] = {{0}, {0}};
    int k = 0;
    chosen_of(a, k) = k + 5;
    chosen_of(a, k) += k + 6;
    a[0] << next(s) << next(s);
    int (declared) = 4;
    out[0] = x[0];
    out[1] = x[1];
    out[2] = x[2];
    out[3] = x[3];
    out[4] = stack[2];
    out[5] = top;
    out[6] = a[0].v;
    out[7] = a[1].v;
    out[8] = declared;
}
