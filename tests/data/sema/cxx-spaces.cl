// options: -cl-std=CLC++2021
// target: lavapipe
// Address spaces of objects, casts between them; kernels and static functions.
struct A { void f() __global __local; }; //~ 30 error: multiple address spaces specified for type
struct B { int v; constexpr B() : v(1) {} }; //~ 29 note: candidate function not viable
constant B b{}; //~ 13 error: no matching constructor for initialization of 'B'
static int undefined(int);
kernel void twice(global int *out); //~ 13 note: previous declaration is here
kernel void twice(global float *out); //~ 13 error: conflicting types for 'twice'
kernel void casts(global const int *in, global int *out)
{
    int *p = addrspace_cast<int *>(in); //~ 14 error: addrspace_cast from 'const __global int *__private' to '__generic int *' is not allowed
    B own;
    B other = reinterpret_cast<B>(own); //~ 15 error: reinterpret_cast from '__private B' to 'B' is not allowed
    local B shared; //~ 13 warning: constructors and destructors of variables in the local address space are not called
}
