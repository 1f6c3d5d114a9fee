// options: -cl-std=CLC++2021
// target: lavapipe
// Kernels are passed what is a POD, and pointers and references to what has a standard layout.
struct Made { int a, b; Made(int a, int b) : a(a), b(b) {} };
struct Hides { int a; private: int b; };
struct Derived : Made { int c; };
struct Empty {};
struct OnEmpty : Empty { int a; };
struct Further : OnEmpty {};
struct Begins : Empty { Empty e; int a; };
struct Initial { int a = 1; };
struct Refers { int &a; };
struct Has { Hides a; };
struct Ends { int a; ~Ends() {} };
struct Copies { int a; Copies() = default; Copies(const Copies &o) : a(o.a) {} };
class Hidden { int a, b; };
template <class T> struct Pair { T a, b; };
kernel void k1(Made a) {} //~ 21 error: 'Made' cannot be used as the type of a kernel parameter
kernel void k2(Hides a) {} //~ 22 error: 'Hides' cannot be used as the type of a kernel parameter
kernel void k3(global Hides *a) {} //~ 30 error: '__global Hides *' cannot be used as the type of a kernel parameter
kernel void k4(global Made *a) {}
kernel void k5(global Derived *a) {} //~ 32 error: '__global Derived *' cannot be used as the type of a kernel parameter
kernel void k6(OnEmpty a) {}
kernel void k7(global Further *a) {}
kernel void k8(global Begins *a) {} //~ 31 error: '__global Begins *' cannot be used as the type of a kernel parameter
kernel void k9(Initial a) {} //~ 24 error: 'Initial' cannot be used as the type of a kernel parameter
kernel void k10(global Refers *a) {} //~ 32 error: '__global Refers *' cannot be used as the type of a kernel parameter
kernel void k11(global Has *a) {} //~ 29 error: '__global Has *' cannot be used as the type of a kernel parameter
kernel void k12(Ends a) {} //~ 22 error: 'Ends' cannot be used as the type of a kernel parameter
kernel void k13(Copies a) {} //~ 24 error: 'Copies' cannot be used as the type of a kernel parameter
kernel void k14(global Hides &a) {} //~ 31 error: '__global Hides *' cannot be used as the type of a kernel parameter
kernel void k15(global Hides *global *a) {} //~ 39 error: '__global Hides *__global *' cannot be used as the type of a kernel parameter
kernel void k16(global Ends *a) {}
kernel void k17(Hidden a) {}
kernel void k18(Pair<float> a, global Pair<int4> *b) {}
