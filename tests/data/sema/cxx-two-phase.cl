// options: -cl-std=CLC++2021
// target: lavapipe
// Names in templates are looked up where they stand, but for functions whose arguments depend on parameters.
struct Base {
    int inherited;
    union { int a; float b; };
};
template <class T> struct Dependent { T dep; };
namespace n {
struct X { int v; };
int adl(X x) { return x.v; }
int hidden;
}
template <class T> struct A : Dependent<T>, Base {
    int f() { return dep; } //~ 22 error: use of undeclared identifier 'dep'
    int g() { return this->dep + inherited + a; }
    int h() { return later; }
    int later;
    template <class U> int t(U u) { return helper(u) + adl(u); }
};
template <class T> int f1(T t) { return missing1 + t; } //~ 41 error: use of undeclared identifier 'missing1'

template <class T> int f2(T t) { return missing2(); } //~ 41 error: use of undeclared identifier 'missing2'
template <class T> int f3(T t) { return missing3(1, 2.0f); } //~ 41 error: use of undeclared identifier 'missing3'
template <class T> int f4(T t) { return adl(t); }
template <class T> int f5(T t)
{
    using n::hidden;
    auto l = [=](auto x) { return x + t; };
    struct L { int q; int get() { return q; } };
    enum { E1, E2 };
    static constexpr int k = 3;
    for (int i = 0; i < 3; ++i) t += i;
    if (int z = t) return z;
    atomic_int *p = 0;
    return hidden + l(1) + L{3}.get() + E1 + k + get_global_id(0) + memory_order_relaxed + printf("x");
}
template <class T> int f6(T t) { return after(t); }
template <class T> int f7(T t) { return after(3); } //~ 41 error: use of undeclared identifier 'after'
template <class T> int f8(T t)
{
    if constexpr (sizeof(T) == 99) return missing4; //~ 43 error: use of undeclared identifier 'missing4'
    return T::missing5 + t.missing6;
}
int after(int);
constexpr int self = self; //~ 15 error: constexpr variable 'self' must be initialized by a constant expression
kernel void k() { f4(n::X()); }
