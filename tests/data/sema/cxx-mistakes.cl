// options: -cl-std=CLC++2021
// target: lavapipe
// One mistake is one error.
struct base { virtual int f() { return 1; } virtual int g() = 0; }; //~ 15 error: virtual functions are not supported in C++ for OpenCL
//~^ 45 error: virtual functions are not supported in C++ for OpenCL
struct missing { int a; } //~ 26 error: expected ';' after struct
struct next { int b; };
template <class T> struct field { T a; }; //~ 37 error: field may not be qualified with an address space
template <class T> void variable() { __private T v; v = 1; } //~ 38 error: multiple address spaces specified for type
int twice(int x) { return 2 * x; }
struct with { int f(int x) { return x; } };
constexpr int counts(int x) { static int n = 3; return x + n; } //~ 15 error: constexpr function never produces a constant expression
kernel void test(global int *out)
{
    base b;
    next n;
    thread_local int t = 3; //~ 5 error: thread-local storage is not supported for the current target
    int (*p)(int) = twice; //~ 11 error: pointers to functions are not allowed
    int (with::*m)(int) = &with::f; //~ 17 error: pointers to functions are not allowed
//~^ 27 error: taking address of function is not allowed
    field<const __global int> f; //~ 31 note: in instantiation of template class 'field<const __global int>' requested here
    variable<__global int>(); //~ 5 note: in instantiation of function template specialization 'variable<__global int>' requested here
    missing w;
    out[0] = b.f() + n.b + t + p(1) + w.a;
}
