// options: -cl-std=CLC++2021
// target: lavapipe
// What C++ for OpenCL forbids.
struct V { virtual int f(); }; //~ 12 error: virtual functions are not supported in C++ for OpenCL
struct W : virtual V {}; //~ 12 error: virtual base classes are not supported in C++ for OpenCL
void throws() { throw 1; } //~ 17 error: cannot use 'throw' with exceptions disabled
void tries() { try { } } //~ 16 error: cannot use 'try' with exceptions disabled
void news() { int *p = new int; } //~ 24 error: 'default new' is not supported in C++ for OpenCL
void deletes(int *p) { delete p; } //~ 24 error: 'default delete' is not supported in C++ for OpenCL
void casts(int *p) { dynamic_cast<char *>(p); } //~ 22 error: use of dynamic_cast requires -frtti
thread_local int t; //~ 1 error: thread-local storage is not supported for the current target
int (*pointer)(int); //~ 7 error: pointers to functions are not allowed
int recursive(int n) { return n ? recursive(n - 1) : 0; } //~ 35 error: recursive call of function 'recursive(int)': recursion is not supported in OpenCL
template <typename T> kernel void templated(global T *p) {} //~ 35 error: kernel functions cannot be used in a template declaration, instantiation or specialization
struct M { kernel void k(); }; //~ 24 error: kernel functions cannot be class members
int no_result(); //~ 5 note: previous declaration is here
float no_result(); //~ 7 error: functions that differ only in their return type cannot be overloaded
struct S { int x; int x; }; //~ 23 error: duplicate member 'x'
//~^ 16 note: previous declaration is here
kernel void reference(int &r) {} //~ 28 error: pointer arguments to kernel functions must reside in '__global', '__constant' or '__local' address space
kernel void calls() { undeclared(1); } //~ 23 error: implicit declaration of function 'undeclared' is invalid in OpenCL
