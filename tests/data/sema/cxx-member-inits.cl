// options: -cl-std=CLC++2021
// target: lavapipe
// Initialisers of members in classes are looked at though nothing constructs an object.
struct never { int x = y; }; //~ 24 error: use of undeclared identifier 'y'
struct other { float *p = 3; int later() { return z; } }; //~ 27 error: cannot initialize a variable of type '__generic float *__private' with an rvalue of type 'int'
//~^ 51 error: use of undeclared identifier 'z'
struct fine { int x = late; int y = f(); static constexpr int late = 5; int f() { return 3; } };
struct both { int x = missing; both() {} both(int) {} }; //~ 23 error: use of undeclared identifier 'missing'
template <class T> struct of_template { T x = T::none; };
// Constant objects need a value, unless all that they have begins with one.
struct call { int operator()(int x) const { return x + 1; } };
struct plain { int x; };
struct given { int x = 1; };
struct holds { call c; given g; };
struct written { int x; written() {} };
const call a;
const plain b; //~ 13 error: default initialization of an object of const type 'const __global plain' without a user-provided default constructor
const holds c;
const written d;
const int e; //~ 11 error: default initialization of an object of const type 'const __global int'
kernel void test(global int *out)
{
    const call f;
    const call g = {};
    const plain h; //~ 17 error: default initialization of an object of const type 'const __private plain' without a user-provided default constructor
    const holds i;
    const plain j[2]; //~ 17 error: default initialization of an object of const type 'const __private plain[2]'
    const given k[2];
    out[0] = f(1) + g(2) + h.x + i.g.x + k[0].x;
}
